//! What a kernel of the library is: its text, its bindings, its reference. Start at [`KernelCase`].

use crate::data::{Buffers, Data, Fill};
use crate::launch::{LaunchCase, Size};

/// One entry point of the library, with everything that is needed to run it and to judge the result.
#[derive(Clone, Copy, Debug)]
pub struct KernelCase {
    /// Unique name in the library, such as `matmul_tiled`.
    pub name: &'static str,
    /// The WGSL text.
    pub source: &'static str,
    /// File name of the text, without a folder.
    pub file_name: &'static str,
    /// Name of the entry point.
    pub entry: &'static str,
    /// What the kernel shows, in one sentence.
    pub summary: &'static str,
    /// Invocations of a workgroup along x, y and z.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory that the entry point declares and uses.
    pub workgroup_memory_bytes: u32,
    /// Highest bank-conflict degree of any access on 32 banks of 4 bytes and SIMD groups of 32
    /// lanes; `None` where it depends on the data or was not derived.
    pub bank_conflict_degree: Option<u32>,
    /// Whether the kernel needs the `shader-f16` feature.
    pub needs_f16: bool,
    /// The uniform structure, for a kernel that has one.
    pub uniform: Option<UniformSpec>,
    /// The storage buffers that the entry point uses, in order of their bindings. All lie in group 0.
    pub buffers: &'static [BufferSpec],
    /// How near to the reference a result has to be.
    pub tolerance: Tolerance,
    pub(crate) make_launches: fn() -> Vec<LaunchCase>,
    pub(crate) run_reference: fn(&LaunchCase, &Buffers) -> Buffers,
}

impl KernelCase {
    /// Launches of several sizes, each with its true counts: tiny, small round, ragged and large.
    pub fn launches(&self) -> Vec<LaunchCase> {
        (self.make_launches)()
    }

    /// The launch of one size.
    pub fn launch(&self, size: Size) -> Option<LaunchCase> {
        self.launches()
            .into_iter()
            .find(|launch| launch.size == size)
    }

    /// Invocations of one workgroup.
    pub fn workgroup_invocations(&self) -> u32 {
        self.workgroup_size.iter().product()
    }

    /// Contents of every storage buffer before the launch.
    ///
    /// Element `i` of a buffer is a function of the seed, the buffer's binding and `i`; see [`Fill`].
    pub fn inputs(&self, launch: &LaunchCase, seed: u64) -> Buffers {
        self.buffers
            .iter()
            .map(|buffer| {
                let scalars = launch.lengths[buffer.name] * u64::from(buffer.scalars_per_element);
                let stream = seed.wrapping_add(u64::from(buffer.binding));
                (
                    buffer.name,
                    buffer.fill.generate(buffer.scalar, scalars, stream),
                )
            })
            .collect()
    }

    /// Contents that the buffers written by the launch must have afterwards, within
    /// [`tolerance`](Self::tolerance).
    pub fn expected(&self, launch: &LaunchCase, inputs: &Buffers) -> Buffers {
        (self.run_reference)(launch, inputs)
    }

    /// Bytes of the uniform buffer for a launch, little-endian and padded to a multiple of 16.
    pub fn uniform_bytes(&self, launch: &LaunchCase) -> Option<Vec<u8>> {
        let uniform = self.uniform?;
        let mut bytes: Vec<u8> = uniform
            .members
            .iter()
            .flat_map(|member| launch.params[member.path].to_le_bytes())
            .collect();
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        Some(bytes)
    }
}

/// The uniform structure of a kernel, bound in group 0. Its members are scalars of four bytes, one
/// after the other.
#[derive(Clone, Copy, Debug)]
pub struct UniformSpec {
    /// Binding in group 0.
    pub binding: u32,
    /// The members in order of their offsets.
    pub members: &'static [ParamSpec],
}

impl UniformSpec {
    /// A structure at binding 0.
    pub(crate) const fn of(members: &'static [ParamSpec]) -> Option<UniformSpec> {
        Some(UniformSpec {
            binding: 0,
            members,
        })
    }
}

impl ParamSpec {
    /// A member of type `u32`.
    pub(crate) const fn u32(path: &'static str) -> ParamSpec {
        ParamSpec {
            path,
            scalar: ScalarType::U32,
        }
    }

    /// A member of type `f32`.
    pub(crate) const fn f32(path: &'static str) -> ParamSpec {
        ParamSpec {
            path,
            scalar: ScalarType::F32,
        }
    }
}

/// One member of a uniform structure.
#[derive(Clone, Copy, Debug)]
pub struct ParamSpec {
    /// Name of the variable and of the member, such as `d.K`.
    pub path: &'static str,
    /// Type of the member.
    pub scalar: ScalarType,
}

/// One storage buffer of a kernel: a runtime-sized array, or an array of fixed length.
#[derive(Clone, Copy, Debug)]
pub struct BufferSpec {
    /// Name of the variable.
    pub name: &'static str,
    /// Binding in group 0.
    pub binding: u32,
    /// Type of the scalars in an element.
    pub scalar: ScalarType,
    /// Scalars of one element, padding included: 4 for `vec4f`.
    pub scalars_per_element: u32,
    /// How the kernel uses the buffer.
    pub access: Access,
    /// Contents before the launch.
    pub fill: Fill,
}

impl BufferSpec {
    /// A buffer that the kernel declares `read`, with values in −1 … 1.
    pub(crate) const fn input(name: &'static str, binding: u32, scalar: ScalarType) -> BufferSpec {
        BufferSpec {
            name,
            binding,
            scalar,
            scalars_per_element: 1,
            access: Access::Read,
            fill: Fill::Uniform {
                low: -1.0,
                high: 1.0,
            },
        }
    }

    /// A buffer that the kernel writes and never reads; zero before the launch.
    pub(crate) const fn output(name: &'static str, binding: u32, scalar: ScalarType) -> BufferSpec {
        BufferSpec {
            access: Access::Write,
            fill: Fill::Zero,
            ..BufferSpec::input(name, binding, scalar)
        }
    }

    /// The same buffer with elements of several scalars.
    pub(crate) const fn of(self, scalars_per_element: u32) -> BufferSpec {
        BufferSpec {
            scalars_per_element,
            ..self
        }
    }

    /// The same buffer with other contents before the launch.
    pub(crate) const fn filled(self, fill: Fill) -> BufferSpec {
        BufferSpec { fill, ..self }
    }

    /// The same buffer, read and written.
    pub(crate) const fn updated(self) -> BufferSpec {
        BufferSpec {
            access: Access::ReadWrite,
            ..self
        }
    }

    /// Bytes of one element of the array.
    pub fn element_bytes(&self) -> u32 {
        self.scalar.bytes() * self.scalars_per_element
    }
}

/// Type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// `u32`
    U32,
    /// `f32`
    F32,
    /// `f16`
    F16,
}

impl ScalarType {
    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::F16 => 2,
        }
    }
}

/// How a kernel uses a storage buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Declared `read`.
    Read,
    /// Declared `read_write` and only written.
    Write,
    /// Declared `read_write`, read and written.
    ReadWrite,
}

/// How near a result has to be to the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Equal. Zero equals minus zero.
    Exact,
    /// Each byte of a `u32` may differ by one, because rounding at a half is left to the device.
    OneUnitPerByte,
    /// Each half of a `u32` may differ by one, because WGSL leaves the rounding to the device.
    OneUnitPerHalf,
    /// |result − reference| ≤ `relative` × max(1, |reference|), for floats; equal for integers.
    Relative(f64),
}

impl Tolerance {
    /// Whether a result is near enough to its reference. Data of different kinds or lengths never are.
    pub fn accepts(self, result: &Data, reference: &Data) -> bool {
        if result.len() != reference.len() {
            return false;
        }
        match (result, reference) {
            (Data::U32(result), Data::U32(reference)) => result
                .iter()
                .zip(reference)
                .all(|(a, b)| self.accepts_word(*a, *b)),
            (Data::F32(_), Data::F32(_)) | (Data::F16(_), Data::F16(_)) => {
                let relative = match self {
                    Tolerance::Relative(relative) => relative,
                    Tolerance::Exact | Tolerance::OneUnitPerByte | Tolerance::OneUnitPerHalf => 0.0,
                };
                result
                    .to_f64()
                    .iter()
                    .zip(reference.to_f64())
                    .all(|(a, b)| (a - b).abs() <= relative * b.abs().max(1.0))
            }
            _ => false,
        }
    }

    fn accepts_word(self, result: u32, reference: u32) -> bool {
        let bits = match self {
            Tolerance::OneUnitPerByte => 8,
            Tolerance::OneUnitPerHalf => 16,
            Tolerance::Exact | Tolerance::Relative(_) => return result == reference,
        };
        let mask = (1u32 << bits) - 1;
        (0..32).step_by(bits).all(|shift| {
            let [a, b] = [result, reference].map(|word| word >> shift & mask);
            a.abs_diff(b) <= 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_accept_what_they_say_and_no_more() {
        let word = |value| Data::U32(vec![value]);
        assert!(Tolerance::OneUnitPerByte.accepts(&word(0x10_20_30_40), &word(0x11_1f_30_40)));
        assert!(!Tolerance::OneUnitPerByte.accepts(&word(0x10_20_30_40), &word(0x12_20_30_40)));
        assert!(!Tolerance::Exact.accepts(&word(1), &word(2)));
        let float = |value| Data::F32(vec![value]);
        assert!(Tolerance::Relative(1e-3).accepts(&float(1000.9), &float(1000.0)));
        assert!(!Tolerance::Relative(1e-3).accepts(&float(1001.1), &float(1000.0)));
        assert!(!Tolerance::Relative(1e-3).accepts(&float(f32::NAN), &float(1000.0)));
        assert!(!Tolerance::Exact.accepts(&float(1.0), &word(1)));
        assert!(!Tolerance::Exact.accepts(&float(1.0), &Data::F32(vec![])));
    }
}
