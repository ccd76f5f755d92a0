//! Accesses, array lengths, textures, subgroup operations, built-in values.

use cresta_ir::{
    Access, AccessId, Address, Builtin, Kind, Operand, Register, Space, SubgroupOperation,
    TextureOperation, TextureQuery, VariableId,
};

use crate::arena::{SymbolKind, Uniformity};
use crate::poly::Poly;
use crate::program::PlacedAccess;
use crate::value::Value;

use super::state::Walker;

impl Walker<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Value {
        let size = self.kernel.workgroup_size;
        let value = match builtin {
            Builtin::LocalId(axis) => self.local_id(axis),
            Builtin::GlobalId(axis) => {
                let group = Poly::atom(self.program.workgroup[usize::from(axis)]);
                group
                    .scale(size[usize::from(axis)].into())
                    .add(&self.local_id(axis))
            }
            Builtin::LocalIndex => self.local_index(),
            Builtin::WorkgroupId(axis) => Poly::atom(self.program.workgroup[usize::from(axis)]),
            Builtin::NumWorkgroups(axis) => Poly::atom(self.program.groups[usize::from(axis)]),
            Builtin::SubgroupSize => self.simd_width(),
            Builtin::SubgroupInvocationId => {
                let (index, width) = (self.local_index(), self.simd_width());
                self.program.arena.modulo(&index, &width)
            }
            Builtin::SubgroupId => {
                let (index, width) = (self.local_index(), self.simd_width());
                self.program.arena.floor_div(&index, &width)
            }
            Builtin::NumSubgroups => {
                let width = self.simd_width();
                let lanes = self.kernel.workgroup_invocations();
                self.program
                    .arena
                    .ceil_div(&Poly::integer(lanes.into()), &width)
            }
        };
        Value::Whole(value)
    }

    fn local_id(&self, axis: u8) -> Poly {
        self.program.local[usize::from(axis)].map_or_else(Poly::zero, Poly::atom)
    }

    fn local_index(&self) -> Poly {
        let [x, y, _] = self.kernel.workgroup_size.map(i128::from);
        self.local_id(0)
            .add(&self.local_id(1).scale(x))
            .add(&self.local_id(2).scale(x * y))
    }

    fn simd_width(&mut self) -> Poly {
        self.assume("subgroups are cut from the linear local index, at the machine's SIMD width");
        Poly::integer(self.options.simd_width.into())
    }

    /// The byte offset of an address.
    fn offset(&mut self, address: &Address) -> Poly {
        let mut offset = Poly::integer(address.constant.into());
        for term in &address.terms {
            let index = match self.read(term.index) {
                Value::Whole(poly) => poly,
                value => {
                    let uniformity = value.uniformity(&self.program.arena);
                    Poly::atom(self.data(uniformity, Some(0)))
                }
            };
            let index = self.simplified(&index);
            offset = offset.add(&index.scale(term.stride.into()));
        }
        offset
    }

    /// Records an access at the current point.
    pub(super) fn place(&mut self, id: AccessId, coordinates: Vec<Poly>) {
        self.count(|costs| costs.instructions += 1);
        if self.trial != 0 {
            return;
        }
        let access = self.kernel.access(id);
        let texture = self.kernel.variable(access.variable).space == Space::Texture;
        let address = (!texture).then(|| self.offset(&access.address));
        let region = self.current_region();
        self.program.accesses.push(PlacedAccess {
            access: id,
            address,
            coordinates,
            region,
        });
    }

    pub(super) fn load(&mut self, targets: &[Option<Register>], id: AccessId) {
        self.place(id, Vec::new());
        let access = self.kernel.access(id);
        let offset = self.offset(&access.address);
        let component_bytes = u64::from(access.scalar.bytes());
        for (index, target) in targets.iter().enumerate() {
            let Some(target) = *target else { continue };
            let constant = access.address.terms.is_empty() && access.binding_index.is_none();
            let value = if constant && self.is_parameter_space(access) {
                let at = access.address.constant + index as u64 * component_bytes;
                self.parameter(access.variable, at, target)
            } else {
                self.loaded_value(access, &offset, index as u8, target)
            };
            self.write(target, value);
        }
    }

    /// Whether loads from here at a constant offset are parameters.
    fn is_parameter_space(&self, access: &Access) -> bool {
        let variable = self.kernel.variable(access.variable);
        match variable.space {
            Space::Uniform => true,
            Space::Storage => !variable.writable && !access.atomic,
            _ => false,
        }
    }

    fn parameter(&mut self, variable: VariableId, offset: u64, target: Register) -> Value {
        let scalar = self.kernel.register_type(target);
        let path = self.kernel.variable(variable).path_at(offset);
        let (Some(path), true) = (path, scalar.is_integer()) else {
            return Value::Other(Uniformity::Launch);
        };
        let bounds = super::wrap::bounds(scalar);
        let symbol = self.name_symbol(
            SymbolKind::Parameter,
            path,
            "parameter",
            Uniformity::Launch,
            bounds.map(|(least, _)| least),
            bounds.map(|(_, greatest)| Poly::integer(greatest)),
        );
        Value::Whole(Poly::atom(symbol))
    }

    fn loaded_value(
        &mut self,
        access: &Access,
        offset: &Poly,
        component: u8,
        target: Register,
    ) -> Value {
        let variable = self.kernel.variable(access.variable);
        let address = self.program.arena.uniformity(offset);
        let uniformity = match variable.space {
            _ if access.workgroup_uniform => Uniformity::Workgroup,
            Space::Uniform => address,
            Space::Storage if !variable.writable => address,
            // lanes of one SIMD group that read one address at once read one value
            Space::Storage | Space::Workgroup => address.min(Uniformity::SimdGroup),
            Space::Private | Space::Texture => Uniformity::Lane,
        };
        let scalar = self.kernel.register_type(target);
        let constant_memory = matches!(variable.space, Space::Uniform | Space::Storage);
        if scalar.is_integer() && constant_memory && !variable.writable {
            let key = (access.variable.0, offset.clone(), component);
            if let Some(&symbol) = self.loaded.get(&key) {
                return Value::Whole(Poly::atom(symbol));
            }
            let symbol = self.data(uniformity, (!scalar.is_signed()).then_some(0));
            self.loaded.insert(key, symbol);
            return Value::Whole(Poly::atom(symbol));
        }
        self.unknown_of(target, uniformity)
    }

    pub(super) fn array_length(
        &mut self,
        target: Register,
        variable: VariableId,
        binding_index: Option<Operand>,
    ) {
        if let Some(index) = binding_index {
            let uniformity = self.least_uniform(&[index]);
            self.set_unknown([target].iter(), uniformity);
            return;
        }
        let symbol = self.length_of(variable);
        self.write(target, Value::Whole(Poly::atom(symbol)));
    }

    fn length_of(&mut self, variable: VariableId) -> crate::poly::AtomId {
        let name = format!("len({})", self.kernel.variable(variable).name);
        self.name_symbol(
            SymbolKind::Length,
            name,
            "elements of the runtime-sized array",
            Uniformity::Launch,
            Some(0),
            Some(Poly::integer(u32::MAX.into())),
        )
    }

    pub(super) fn subgroup(
        &mut self,
        operation: SubgroupOperation,
        targets: &[Register],
        arguments: &[Operand],
    ) {
        let from = self.least_uniform(arguments);
        let uniformity = match operation {
            SubgroupOperation::Ballot
            | SubgroupOperation::All
            | SubgroupOperation::Any
            | SubgroupOperation::Reduce(_)
            | SubgroupOperation::BroadcastFirst => from.max(Uniformity::SimdGroup),
            SubgroupOperation::Broadcast => {
                let lane = arguments.last().map(|&lane| self.least_uniform(&[lane]));
                match lane {
                    Some(lane) if lane >= Uniformity::SimdGroup => from.max(Uniformity::SimdGroup),
                    _ => Uniformity::Lane,
                }
            }
            SubgroupOperation::InclusiveScan(_)
            | SubgroupOperation::ExclusiveScan(_)
            | SubgroupOperation::Shuffle
            | SubgroupOperation::ShuffleDown
            | SubgroupOperation::ShuffleUp
            | SubgroupOperation::ShuffleXor
            | SubgroupOperation::QuadBroadcast
            | SubgroupOperation::QuadSwap => Uniformity::Lane,
        };
        // which lanes take part also decides the value
        let reached = self.reached();
        let control = self.program.arena.uniformity(&reached);
        let uniformity = if control >= Uniformity::SimdGroup {
            uniformity.min(Uniformity::SimdGroup.max(from))
        } else {
            uniformity.min(Uniformity::SimdGroup)
        };
        self.set_unknown(targets.iter(), uniformity);
    }

    pub(super) fn texture(&mut self, kind: &Kind) {
        let Kind::Texture {
            operation,
            coordinates,
            layer,
            level,
            extra,
            targets,
            access,
            ..
        } = kind
        else {
            return;
        };
        if let TextureOperation::Query(query) = operation {
            self.count(|costs| costs.instructions += 1);
            let is_base = |level: Operand| matches!(level, Operand::Constant(c) if c.bits == 0);
            match level.filter(|&level| !is_base(level)) {
                Some(level) => {
                    let uniformity = self.least_uniform(&[level]);
                    self.set_unknown(targets.iter().flatten(), uniformity);
                }
                None => self.texture_query(*query, targets, *access),
            }
            return;
        }
        let mut values: Vec<Operand> = coordinates.clone();
        values.extend(layer.iter().chain(level));
        let mut texel = Vec::new();
        for &operand in &values {
            let value = self.read(operand);
            let uniformity = value.uniformity(&self.program.arena);
            texel.push(match value {
                Value::Whole(poly) => poly,
                _ => Poly::atom(self.data(uniformity, None)),
            });
        }
        values.extend(extra);
        if matches!(operation, TextureOperation::Atomic(_)) {
            self.count(|costs| costs.atomics += 1);
        }
        let uniformity = self.least_uniform(&values);
        self.place(*access, texel);
        let writable = self
            .kernel
            .variable(self.kernel.access(*access).variable)
            .writable;
        let uniformity = if writable {
            uniformity.min(Uniformity::SimdGroup)
        } else {
            uniformity
        };
        self.set_unknown(targets.iter().flatten(), uniformity);
    }

    /// Sizes and counts of a texture are parameters: `size(image).x`.
    fn texture_query(
        &mut self,
        query: TextureQuery,
        targets: &[Option<Register>],
        access: AccessId,
    ) {
        let name = self
            .kernel
            .variable(self.kernel.access(access).variable)
            .name
            .clone();
        let what = match query {
            TextureQuery::Size => "size",
            TextureQuery::Levels => "levels",
            TextureQuery::Layers => "layers",
            TextureQuery::Samples => "samples",
        };
        for (index, target) in targets.iter().enumerate() {
            let Some(target) = *target else { continue };
            let suffix = match query {
                TextureQuery::Size => [".x", ".y", ".z"].get(index).copied().unwrap_or(""),
                _ => "",
            };
            let symbol = self.name_symbol(
                SymbolKind::Parameter,
                format!("{what}({name}){suffix}"),
                "property of the texture",
                Uniformity::Launch,
                Some(1),
                Some(Poly::integer(u32::MAX.into())),
            );
            self.write(target, Value::Whole(Poly::atom(symbol)));
        }
    }
}
