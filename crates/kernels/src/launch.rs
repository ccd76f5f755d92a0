//! What one launch of a kernel is: its size, its parameters, its true counts. Start at [`LaunchCase`].

use std::collections::BTreeMap;

use crate::counts::Counts;

/// Value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A `u32`.
    U32(u32),
    /// An `f32`.
    F32(f32),
}

impl Scalar {
    /// The value as a double, which holds every `u32` and `f32` exactly.
    pub fn to_f64(self) -> f64 {
        match self {
            Scalar::U32(value) => f64::from(value),
            Scalar::F32(value) => f64::from(value),
        }
    }

    /// The four bytes of the value in a uniform buffer.
    pub fn to_le_bytes(self) -> [u8; 4] {
        match self {
            Scalar::U32(value) => value.to_le_bytes(),
            Scalar::F32(value) => value.to_le_bytes(),
        }
    }
}

impl From<u32> for Scalar {
    fn from(value: u32) -> Scalar {
        Scalar::U32(value)
    }
}

impl From<f32> for Scalar {
    fn from(value: f32) -> Scalar {
        Scalar::F32(value)
    }
}

/// Which part of the range of sizes a launch stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// Smaller than one SIMD group.
    Tiny,
    /// A few whole workgroups.
    Round,
    /// A few workgroups, the last ones partly outside the data.
    Ragged,
    /// The size that figures are quoted for; too large for an engine that steps through every lane.
    Large,
}

/// One launch of a kernel, with its true counts.
#[derive(Clone, Debug)]
pub struct LaunchCase {
    /// Which part of the range of sizes this launch stands for.
    pub size: Size,
    /// Workgroups along x, y and z.
    pub workgroups: [u32; 3],
    /// Parameters by path, such as `d.K`.
    pub params: BTreeMap<&'static str, Scalar>,
    /// Elements of each storage array, by the name of its variable.
    pub lengths: BTreeMap<&'static str, u64>,
    /// What the launch does.
    pub counts: Counts,
}

impl LaunchCase {
    pub(crate) fn new(size: Size, workgroups: [u32; 3], counts: Counts) -> LaunchCase {
        LaunchCase {
            size,
            workgroups,
            params: BTreeMap::new(),
            lengths: BTreeMap::new(),
            counts,
        }
    }

    /// Sets a parameter.
    pub(crate) fn param(mut self, path: &'static str, value: impl Into<Scalar>) -> LaunchCase {
        self.params.insert(path, value.into());
        self
    }

    /// Sets the number of elements of a storage array.
    pub(crate) fn len(mut self, buffer: &'static str, elements: u64) -> LaunchCase {
        self.lengths.insert(buffer, elements);
        self
    }

    /// A parameter that the kernel declares as `u32`.
    ///
    /// # Panics
    ///
    /// When the launch has no such parameter: a fault of the library.
    pub(crate) fn u32(&self, path: &str) -> u32 {
        match self.params[path] {
            Scalar::U32(value) => value,
            Scalar::F32(value) => panic!("{path} is the f32 {value}, not a u32"),
        }
    }

    /// A parameter that the kernel declares as `f32`.
    ///
    /// # Panics
    ///
    /// When the launch has no such parameter: a fault of the library.
    pub(crate) fn f32(&self, path: &str) -> f32 {
        match self.params[path] {
            Scalar::F32(value) => value,
            Scalar::U32(value) => panic!("{path} is the u32 {value}, not an f32"),
        }
    }
}
