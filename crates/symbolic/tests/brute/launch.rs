//! What a launch brings: sizes, parameters, contents.

use std::collections::BTreeMap;

use cresta_ir::{Kernel, Scalar, Type, Variable};

/// A launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launch {
    /// Workgroups along x, y, z.
    pub(crate) workgroups: [u32; 3],
    parameters: BTreeMap<String, u64>,
    parameters_at: BTreeMap<(String, u64), u64>,
    lengths: BTreeMap<String, u64>,
    contents: BTreeMap<String, Vec<u8>>,
    overrides: BTreeMap<String, u64>,
    textures: BTreeMap<String, [u32; 3]>,
}

impl Launch {
    /// A launch of so many workgroups.
    pub(crate) fn new(workgroups: [u32; 3]) -> Self {
        Launch {
            workgroups,
            ..Launch::default()
        }
    }

    /// Sets a scalar by its source path (`d.K`) to these bits.
    pub(crate) fn set(mut self, path: &str, bits: u64) -> Self {
        self.parameters.insert(path.into(), bits);
        self
    }

    /// Sets the scalar at a byte offset of a variable to these bits.
    pub(crate) fn set_at(mut self, variable: &str, offset: u64, bits: u64) -> Self {
        self.parameters_at.insert((variable.into(), offset), bits);
        self
    }

    /// Sets the number of elements of the runtime-sized array that a variable is or ends in.
    pub(crate) fn length(mut self, variable: &str, elements: u64) -> Self {
        self.lengths.insert(variable.into(), elements);
        self
    }

    /// Sets the contents of a buffer, and the length of its runtime-sized array unless that is
    /// given. Bytes that are not given are zero.
    pub(crate) fn contents(mut self, variable: &str, bytes: &[u8]) -> Self {
        self.contents.insert(variable.into(), bytes.to_vec());
        self
    }

    /// [`Launch::contents`] of `u32`.
    pub(crate) fn u32s(self, variable: &str, values: &[u32]) -> Self {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.contents(variable, &bytes)
    }

    /// [`Launch::contents`] of `f32`.
    pub(crate) fn f32s(self, variable: &str, values: &[f32]) -> Self {
        let bits: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        self.u32s(variable, &bits)
    }

    /// Sets an override by name to these bits.
    pub(crate) fn override_value(mut self, name: &str, bits: u64) -> Self {
        self.overrides.insert(name.into(), bits);
        self
    }

    /// Sets the size of a texture, for queries.
    pub(crate) fn texture(mut self, name: &str, size: [u32; 3]) -> Self {
        self.textures.insert(name.into(), size);
        self
    }

    pub(super) fn texture_size(&self, name: &str) -> [u32; 3] {
        self.textures.get(name).copied().unwrap_or_default()
    }

    pub(super) fn override_bits(&self, name: &str) -> Option<u64> {
        self.overrides.get(name).copied()
    }

    /// Size in bytes of one binding of a variable.
    pub(super) fn bytes(&self, variable: &Variable) -> u64 {
        let ty = variable.ty.as_ref().expect("buffers have a type");
        let Some((offset, stride)) = ty.runtime_array() else {
            return ty.bytes().expect("no runtime-sized array");
        };
        let (offset, stride) = (u64::from(offset), u64::from(stride));
        let given = self.contents.get(&variable.name);
        let from_contents = given.map(|bytes| (bytes.len() as u64 - offset) / stride);
        let elements = self.lengths.get(&variable.name).copied().or(from_contents);
        let elements = elements.unwrap_or_else(|| panic!("{} has no length", variable.name));
        offset + elements * stride
    }

    /// What a buffer holds at first: all bindings of a variable, one after another.
    pub(super) fn initial(&self, variable: &Variable, bytes: u64) -> Vec<u8> {
        let mut buffer = vec![0; bytes as usize];
        if let Some(contents) = self.contents.get(&variable.name) {
            assert!(
                contents.len() <= buffer.len(),
                "{} is smaller",
                variable.name
            );
            buffer[..contents.len()].copy_from_slice(contents);
        }
        for (path, bits) in self.of_variable(variable) {
            let (offset, scalar) = scalars(variable)
                .find(|&(offset, _)| variable.path_at(offset).as_ref() == Some(path))
                .unwrap_or_else(|| panic!("there is no {path}"));
            write(&mut buffer, offset, scalar, bits);
        }
        for ((name, offset), &bits) in &self.parameters_at {
            if *name == variable.name {
                let (_, scalar) = scalars(variable)
                    .find(|(found, _)| found == offset)
                    .unwrap_or_else(|| panic!("no scalar at {offset} of {name}"));
                write(&mut buffer, *offset, scalar, bits);
            }
        }
        buffer
    }

    fn of_variable(&self, variable: &Variable) -> impl Iterator<Item = (&String, u64)> {
        let all = self.parameters.iter().map(|(path, &bits)| (path, bits));
        let name = variable.name.clone();
        all.filter(move |(path, _)| {
            let rest = path.strip_prefix(&name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// Complains of lengths and contents for variables that only look as if they were the kernel's.
    pub(super) fn check(&self, kernel: &Kernel) {
        for name in self.lengths.keys() {
            let variable = kernel.variables.iter().find(|found| found.name == *name);
            let ty = variable.and_then(|variable| variable.ty.as_ref());
            assert!(
                ty.is_none_or(|ty| ty.runtime_array().is_some()),
                "{name} has a fixed size"
            );
        }
    }
}

fn write(buffer: &mut [u8], offset: u64, scalar: Scalar, bits: u64) {
    let range = offset as usize..offset as usize + scalar.bytes() as usize;
    buffer[range].copy_from_slice(&bits.to_le_bytes()[..scalar.bytes() as usize]);
}

/// Offset and type of every scalar of a variable; of a runtime-sized array, those of its first
/// element.
fn scalars(variable: &Variable) -> impl Iterator<Item = (u64, Scalar)> {
    let mut all = Vec::new();
    let ty = variable.ty.as_ref().expect("buffers have a type");
    collect(ty, 0, &mut all);
    all.into_iter()
}

fn collect(ty: &Type, offset: u64, all: &mut Vec<(u64, Scalar)>) {
    let row = |count: u8, scalar: Scalar, offset: u64, all: &mut Vec<_>| {
        let step = u64::from(scalar.bytes());
        all.extend((0..count).map(|i| (offset + u64::from(i) * step, scalar)));
    };
    match ty {
        Type::Scalar(scalar) => all.push((offset, *scalar)),
        Type::Vector { scalar, components } => row(*components, *scalar, offset, all),
        Type::Matrix {
            scalar,
            columns,
            rows,
            stride,
        } => {
            for column in 0..*columns {
                let offset = offset + u64::from(column) * u64::from(*stride);
                row(*rows, *scalar, offset, all);
            }
        }
        Type::Array {
            element,
            stride,
            length,
        } => {
            for index in 0..length.unwrap_or(1) {
                let offset = offset + u64::from(index) * u64::from(*stride);
                collect(element, offset, all);
            }
        }
        Type::Struct { members, .. } => {
            for member in members {
                collect(&member.ty, offset + u64::from(member.offset), all);
            }
        }
    }
}
