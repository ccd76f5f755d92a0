//! The memory of a launch.

use cresta_ir::{Kernel, Scalar, Space, VariableId};

use super::counts::{Counts, Footprint};
use super::launch::Launch;

/// What a variable's bytes are, and which of them were touched.
struct Buffer {
    bytes: Vec<u8>,
    /// Bytes of one binding, or of one lane's private memory.
    size: u64,
    /// What every lane's private memory starts with.
    start: Vec<u8>,
    read: Vec<bool>,
    written: Vec<bool>,
}

/// All variables of a kernel. Textures have no bytes.
pub(super) struct Memory<'k> {
    kernel: &'k Kernel,
    buffers: Vec<Buffer>,
}

/// A place that an access names, before it is known to be inside of the variable.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) variable: VariableId,
    /// Which binding, or which lane's private memory.
    pub(super) part: u64,
    pub(super) offset: u64,
}

impl<'k> Memory<'k> {
    pub(super) fn new(kernel: &'k Kernel, launch: &Launch, lanes: u64) -> Self {
        let buffers = kernel.variables.iter().map(|variable| {
            let size = match variable.space {
                Space::Texture => 0,
                _ => launch.bytes(variable),
            };
            let parts = match variable.space {
                Space::Private => lanes,
                _ => variable.binding_count.unwrap_or(1).into(),
            };
            let bytes = match variable.space {
                Space::Storage | Space::Uniform => launch.initial(variable, size * parts),
                _ => vec![0; (size * parts) as usize],
            };
            let tracked = match variable.space {
                Space::Storage => bytes.len(),
                _ => 0,
            };
            Buffer {
                bytes,
                size,
                start: Vec::new(),
                read: vec![false; tracked],
                written: vec![false; tracked],
            }
        });
        Memory {
            kernel,
            buffers: buffers.collect(),
        }
    }

    /// Takes the first lane's private memory, as the prologue left it, for what all start with.
    pub(super) fn end_prologue(&mut self) {
        for (variable, buffer) in self.kernel.variables.iter().zip(&mut self.buffers) {
            if variable.space == Space::Private {
                buffer.start = buffer.bytes[..buffer.size as usize].to_vec();
            }
        }
    }

    /// Gives what lives no longer than a workgroup its first contents.
    pub(super) fn start_workgroup(&mut self) {
        for (variable, buffer) in self.kernel.variables.iter().zip(&mut self.buffers) {
            match variable.space {
                Space::Workgroup => buffer.bytes.fill(0),
                Space::Private => {
                    let lanes = buffer.bytes.len() / buffer.start.len();
                    buffer.bytes = buffer.start.repeat(lanes);
                }
                _ => {}
            }
        }
    }

    /// Elements of the runtime-sized array that a variable is or ends in.
    pub(super) fn elements(&self, variable: VariableId) -> u64 {
        let ty = self.kernel.variable(variable).ty.as_ref();
        let array = ty.and_then(|ty| ty.runtime_array());
        let (offset, stride) = array.expect("arrayLength asks for a runtime-sized array");
        let size = self.buffers[variable.0 as usize].size;
        (size - u64::from(offset)) / u64::from(stride)
    }

    pub(super) fn contains(&self, place: Place, width: u64) -> bool {
        let buffer = &self.buffers[place.variable.0 as usize];
        place.offset + width <= buffer.size
            && (place.part + 1) * buffer.size <= buffer.bytes.len() as u64
    }

    /// Reads a scalar; the place must be inside.
    pub(super) fn read(&mut self, place: Place, scalar: Scalar) -> u64 {
        let buffer = &mut self.buffers[place.variable.0 as usize];
        let start = (place.part * buffer.size + place.offset) as usize;
        let width = scalar.bytes() as usize;
        if !buffer.read.is_empty() {
            buffer.read[start..start + width].fill(true);
        }
        let mut bits = [0; 8];
        bits[..width].copy_from_slice(&buffer.bytes[start..start + width]);
        u64::from_le_bytes(bits)
    }

    /// Writes a scalar; the place must be inside.
    pub(super) fn write(&mut self, place: Place, scalar: Scalar, bits: u64) {
        let buffer = &mut self.buffers[place.variable.0 as usize];
        let start = (place.part * buffer.size + place.offset) as usize;
        let width = scalar.bytes() as usize;
        if !buffer.written.is_empty() {
            buffer.written[start..start + width].fill(true);
        }
        buffer.bytes[start..start + width].copy_from_slice(&bits.to_le_bytes()[..width]);
    }

    /// Hands over buffers and footprints at the end.
    pub(super) fn finish(self, counts: &mut Counts) {
        for (variable, buffer) in self.kernel.variables.iter().zip(self.buffers) {
            if variable.space == Space::Storage {
                let (read, written) = (&buffer.read, &buffer.written);
                let count = |flags: &[bool]| flags.iter().filter(|&&flag| flag).count() as u64;
                let either: Vec<bool> = read.iter().zip(written).map(|(r, w)| r | w).collect();
                let footprint = Footprint {
                    read: count(read),
                    written: count(written),
                    touched: count(&either),
                };
                counts.footprint.insert(variable.name.clone(), footprint);
            }
            if matches!(variable.space, Space::Storage | Space::Uniform) {
                counts.buffers.insert(variable.name.clone(), buffer.bytes);
            }
        }
    }
}
