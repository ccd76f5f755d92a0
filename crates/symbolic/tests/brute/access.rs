//! Memory accesses: addresses, bounds, values, and what is counted of them.

use cresta_ir::{
    AccessId, AtomicFunction, Kind, Operand, Operation, Register, Scalar, Space, VariableId,
};

use super::evaluate;
use super::interpreter::Interpreter;
use super::mask::Mask;
use super::memory::Place;
use super::traffic;

impl Interpreter<'_> {
    pub(super) fn load(&mut self, targets: &[Option<Register>], id: AccessId, mask: &Mask) {
        let access = self.kernel.access(id);
        let step = u64::from(access.scalar.bytes());
        for (lane, place) in self.places(id, mask) {
            for (component, target) in (0..).zip(targets) {
                let bits = place.map_or(0, |place| {
                    let offset = place.offset + component * step;
                    self.memory.read(Place { offset, ..place }, access.scalar)
                });
                if let Some(target) = target {
                    self.write(*target, lane, bits);
                }
            }
        }
        self.request(
            access.variable,
            u64::from(access.bytes()) * mask.count(),
            true,
            false,
        );
    }

    pub(super) fn store(&mut self, values: &[Operand], id: AccessId, mask: &Mask) {
        let access = self.kernel.access(id);
        let step = u64::from(access.scalar.bytes());
        for (lane, place) in self.places(id, mask) {
            let Some(place) = place else { continue };
            for (component, value) in (0..).zip(values) {
                let bits = self.read(*value, lane);
                let offset = place.offset + component * step;
                self.memory
                    .write(Place { offset, ..place }, access.scalar, bits);
            }
        }
        self.request(
            access.variable,
            u64::from(access.bytes()) * mask.count(),
            false,
            true,
        );
    }

    pub(super) fn atomic(&mut self, kind: &Kind, mask: &Mask) {
        let Kind::Atomic {
            function,
            target,
            exchanged,
            value,
            compare,
            access: id,
        } = kind
        else {
            return;
        };
        let access = self.kernel.access(*id);
        let scalar = access.scalar;
        for (lane, place) in self.places(*id, mask) {
            let old = place.map_or(0, |place| self.memory.read(place, scalar));
            let value = self.read(*value, lane);
            let matches = compare.is_none_or(|compare| self.read(compare, lane) == old);
            let new = atomic_result(*function, scalar, old, value);
            if let (Some(place), true) = (place, matches) {
                self.memory.write(place, scalar, new);
            }
            for (register, bits) in [(target, old), (exchanged, matches.into())] {
                if let Some(register) = register {
                    self.write(*register, lane, bits);
                }
            }
        }
        self.counts.atomics += mask.count();
        self.request(
            access.variable,
            u64::from(access.bytes()) * mask.count(),
            true,
            true,
        );
    }

    pub(super) fn request(&mut self, variable: VariableId, bytes: u64, reads: bool, writes: bool) {
        let space = self.kernel.variable(variable).space;
        let requested = self.counts.requested.entry(space).or_default();
        requested.read += if reads { bytes } else { 0 };
        requested.written += if writes { bytes } else { 0 };
    }

    /// Where each active lane's access goes, if it is inside; counts the access.
    fn places(&mut self, id: AccessId, mask: &Mask) -> Vec<(usize, Option<Place>)> {
        let access = self.kernel.access(id);
        let space = self.kernel.variable(access.variable).space;
        let width = u64::from(access.bytes());
        let terms: Vec<_> = access.address.terms.iter().collect();
        let rows: Vec<_> = terms.iter().map(|term| self.row(term.index)).collect();
        let signed: Vec<_> = terms
            .iter()
            .map(|term| self.is_signed(term.index))
            .collect();
        let binding = access.binding_index.map(|index| self.row(index));
        let mut places = Vec::with_capacity(mask.lanes.len());
        for &lane in &mask.lanes {
            let mut offset = access.address.constant.cast_signed();
            let mut inside = true;
            for (position, term) in terms.iter().enumerate() {
                let bits = self.rows[rows[position] + lane] as u32;
                let index = if signed[position] {
                    i64::from(bits.cast_signed())
                } else {
                    i64::from(bits)
                };
                inside &= index >= 0 && term.length.is_none_or(|length| index < length.into());
                offset += index * i64::from(term.stride);
            }
            let place = Place {
                variable: access.variable,
                part: match (space, binding) {
                    (Space::Private, _) => lane as u64,
                    (_, Some(row)) => self.rows[row + lane],
                    (_, None) => 0,
                },
                offset: u64::try_from(offset).unwrap_or(u64::MAX / 2),
            };
            inside &= self.memory.contains(place, width);
            places.push((lane, inside.then_some(place)));
        }
        self.count_access(id, space, width, &places, mask);
        places
    }

    fn is_signed(&self, operand: Operand) -> bool {
        let scalar = match operand {
            Operand::Register(register) => self.kernel.register_type(register),
            Operand::Constant(constant) => constant.scalar,
            Operand::Override(id) => self.kernel.overrides[id.0 as usize].scalar,
            Operand::Builtin(_) => Scalar::U32,
        };
        scalar.is_signed()
    }

    fn count_access(
        &mut self,
        id: AccessId,
        space: Space,
        width: u64,
        places: &[(usize, Option<Place>)],
        mask: &Mask,
    ) {
        let atomic = self.kernel.access(id).atomic;
        let counts = &mut self.counts.accesses[id.0 as usize];
        counts.executions += mask.count();
        counts.simd_executions += mask.simd_groups;
        let simd_width = self.device.simd_width as usize;
        for group in places.chunk_by(|a, b| a.0 / simd_width == b.0 / simd_width) {
            // Bindings are buffers of their own: far apart, and at a multiple of every line.
            let inside = group.iter().filter_map(|(_, place)| *place);
            let addresses: Vec<_> = inside
                .map(|place| (place.part << 40) + place.offset)
                .collect();
            counts.out_of_bounds += (group.len() - addresses.len()) as u64;
            match space {
                Space::Storage | Space::Uniform => {
                    traffic::add_lines(counts, &addresses, width, self.device);
                }
                Space::Workgroup => {
                    traffic::add_wavefronts(counts, &addresses, width, self.device);
                }
                Space::Private | Space::Texture => {}
            }
            if space != Space::Private {
                counts.addresses += traffic::distinct_addresses(&addresses);
            }
            if atomic {
                counts.same_address += traffic::same_address(&addresses);
            }
        }
    }
}

fn atomic_result(function: AtomicFunction, scalar: Scalar, old: u64, value: u64) -> u64 {
    let operation = match function {
        AtomicFunction::Add => Operation::Add,
        AtomicFunction::Subtract => Operation::Sub,
        AtomicFunction::And => Operation::BitAnd,
        AtomicFunction::ExclusiveOr => Operation::BitXor,
        AtomicFunction::InclusiveOr => Operation::BitOr,
        AtomicFunction::Min => Operation::Min,
        AtomicFunction::Max => Operation::Max,
        AtomicFunction::Exchange | AtomicFunction::CompareExchange => return value,
    };
    evaluate::apply(operation, scalar, scalar, &[old, value])
}
