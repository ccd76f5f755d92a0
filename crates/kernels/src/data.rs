//! Contents of buffers: typed scalars, and the generator that fills inputs. Start at [`Data`].

use std::collections::BTreeMap;

use half::f16;

use crate::case::ScalarType;

/// Contents of storage buffers by the names of their variables.
pub type Buffers = BTreeMap<&'static str, Data>;

/// The scalars of one buffer, elements one after the other, padding included.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `u32` scalars.
    U32(Vec<u32>),
    /// `f32` scalars.
    F32(Vec<f32>),
    /// `f16` scalars.
    F16(Vec<f16>),
}

impl Data {
    /// Number of scalars.
    pub fn len(&self) -> usize {
        match self {
            Data::U32(values) => values.len(),
            Data::F32(values) => values.len(),
            Data::F16(values) => values.len(),
        }
    }

    /// Whether there are no scalars.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scalars as doubles, which hold every one of them exactly.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Data::U32(values) => values.iter().copied().map(f64::from).collect(),
            Data::F32(values) => values.iter().copied().map(f64::from).collect(),
            Data::F16(values) => values.iter().copied().map(f64::from).collect(),
        }
    }

    /// The bytes of the buffer in memory: little-endian, without gaps.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Data::U32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Data::F32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Data::F16(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }

    /// Reads back what [`to_bytes`](Self::to_bytes) wrote. Bytes after the last whole scalar are left
    /// out.
    pub fn from_bytes(scalar: ScalarType, bytes: &[u8]) -> Data {
        let (words, _) = bytes.as_chunks::<4>();
        match scalar {
            ScalarType::U32 => Data::U32(words.iter().map(|w| u32::from_le_bytes(*w)).collect()),
            ScalarType::F32 => Data::F32(words.iter().map(|w| f32::from_le_bytes(*w)).collect()),
            ScalarType::F16 => {
                let (halves, _) = bytes.as_chunks::<2>();
                Data::F16(halves.iter().map(|h| f16::from_le_bytes(*h)).collect())
            }
        }
    }

    /// The scalars, where they are `f32`.
    ///
    /// # Panics
    ///
    /// When they are not: the buffer does not belong to the kernel that asks.
    pub(crate) fn f32s(&self) -> &[f32] {
        match self {
            Data::F32(values) => values,
            Data::U32(_) | Data::F16(_) => panic!("the buffer does not hold f32 scalars"),
        }
    }

    /// The scalars, where they are `u32`.
    ///
    /// # Panics
    ///
    /// When they are not: the buffer does not belong to the kernel that asks.
    pub(crate) fn u32s(&self) -> &[u32] {
        match self {
            Data::U32(values) => values,
            Data::F32(_) | Data::F16(_) => panic!("the buffer does not hold u32 scalars"),
        }
    }

    /// The scalars, where they are `f16`.
    ///
    /// # Panics
    ///
    /// When they are not: the buffer does not belong to the kernel that asks.
    pub(crate) fn f16s(&self) -> &[f16] {
        match self {
            Data::F16(values) => values,
            Data::U32(_) | Data::F32(_) => panic!("the buffer does not hold f16 scalars"),
        }
    }
}

/// How the scalars of a buffer are made before a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// All zero.
    Zero,
    /// Scalar `i` is `low + (high − low) · u`, with `u` the upper 24 bits of
    /// [`random_word`]`(seed, i)` as a fraction of 2²⁴. For `u32`, the result is truncated.
    Uniform {
        /// Lowest value.
        low: f32,
        /// Bound that is never exceeded; rounding can reach it.
        high: f32,
    },
    /// Scalar `i` is [`random_word`]`(seed, i)`: all 32 bits random. Only for `u32`.
    Words,
}

impl Fill {
    /// Makes `count` scalars.
    ///
    /// # Panics
    ///
    /// When [`Fill::Words`] is asked for floats, whose random bits may be infinite or not a number.
    pub fn generate(self, scalar: ScalarType, count: u64, seed: u64) -> Data {
        let uniform = |low: f32, high: f32| {
            (0..count).map(move |index| {
                let fraction = (random_word(seed, index) >> 8) as f32 / (1u32 << 24) as f32;
                low + (high - low) * fraction
            })
        };
        let zero = || uniform(0.0, 0.0);
        match (self, scalar) {
            (Fill::Zero, ScalarType::F32) => Data::F32(zero().collect()),
            (Fill::Zero, ScalarType::F16) => Data::F16(zero().map(f16::from_f32).collect()),
            (Fill::Zero, ScalarType::U32) => Data::U32(zero().map(|v| v as u32).collect()),
            (Fill::Uniform { low, high }, ScalarType::F32) => {
                Data::F32(uniform(low, high).collect())
            }
            (Fill::Uniform { low, high }, ScalarType::F16) => {
                Data::F16(uniform(low, high).map(f16::from_f32).collect())
            }
            (Fill::Uniform { low, high }, ScalarType::U32) => {
                Data::U32(uniform(low, high).map(|v| v as u32).collect())
            }
            (Fill::Words, ScalarType::U32) => {
                Data::U32((0..count).map(|index| random_word(seed, index)).collect())
            }
            (Fill::Words, ScalarType::F32 | ScalarType::F16) => {
                panic!("random words would not be finite floats")
            }
        }
    }
}

/// The upper half of SplitMix64's output function at `seed + (index + 1) · 0x9e3779b97f4a7c15`.
///
/// Steele, Lea and Flood, “Fast splittable pseudorandom number generators”, OOPSLA 2014. A function
/// of (seed, index) alone, so that any device can make any element.
pub fn random_word(seed: u64, index: u64) -> u32 {
    let counter = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut z = seed.wrapping_add(counter);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_gives_splitmix64() {
        // The first outputs of SplitMix64 seeded with 1234567, as its reference program prints them.
        assert_eq!(
            random_word(1_234_567, 0),
            (6_457_827_717_110_365_317u64 >> 32) as u32
        );
        assert_eq!(
            random_word(1_234_567, 1),
            (3_203_168_211_198_807_973u64 >> 32) as u32
        );
    }

    #[test]
    fn bytes_round_trip() {
        for data in [
            Fill::Words.generate(ScalarType::U32, 9, 3),
            Fill::Uniform {
                low: -1.0,
                high: 1.0,
            }
            .generate(ScalarType::F32, 9, 3),
        ] {
            let scalar = match data {
                Data::U32(_) => ScalarType::U32,
                _ => ScalarType::F32,
            };
            assert_eq!(Data::from_bytes(scalar, &data.to_bytes()), data);
        }
    }

    #[test]
    fn uniform_values_stay_in_their_range_and_differ() {
        let data = Fill::Uniform {
            low: -2.0,
            high: 3.0,
        }
        .generate(ScalarType::F32, 1000, 7);
        let values = data.to_f64();
        assert!(values.iter().all(|v| (-2.0..=3.0).contains(v)));
        assert!(values.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
