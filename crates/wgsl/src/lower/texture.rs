//! Textures: loads, stores, samples, gathers, atomics and queries.

use cresta_ir::{
    Access, AccessId, AccessKind, Address, Kind, Operand, Scalar, TextureOperation, TextureQuery,
    VariableId,
};
use naga::{Expression, Handle, ImageClass, ImageQuery, SampleLevel, TypeInner};

use super::atomics;
use super::format;
use super::frame::Frame;
use super::literal;
use super::state::Lowerer;
use super::types::{self, Ty};
use super::value::{Place, Pointer, Value};

/// A texture, with its coordinates.
struct Texel {
    variable: VariableId,
    binding_index: Option<Operand>,
    class: ImageClass,
    coordinates: Vec<Operand>,
    layer: Option<Operand>,
}

impl<'a> Lowerer<'a> {
    /// The texture that an expression names, and where in it; `None` if it is not modelled.
    fn texel(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        (coordinate, layer): (Option<Handle<Expression>>, Option<Handle<Expression>>),
    ) -> Option<Texel> {
        let TypeInner::Image { class, .. } = *self.inner(frame, image) else {
            return None;
        };
        let (variable, binding_index) = self.resource(frame, image)?;
        let coordinates = match coordinate {
            Some(coordinate) => {
                let leaves = self.operands(frame, coordinate);
                self.slice(leaves).to_vec()
            }
            None => Vec::new(),
        };
        let layer = layer.map(|layer| self.operand(frame, layer));
        Some(Texel {
            variable,
            binding_index,
            class,
            coordinates,
            layer,
        })
    }

    /// The variable of a texture or sampler.
    fn resource(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Option<(VariableId, Option<Operand>)> {
        match self.value(frame, handle) {
            Value::Pointer(Pointer {
                place:
                    Place::Memory {
                        variable,
                        binding_index,
                        ..
                    },
                ..
            }) => Some((variable, binding_index)),
            _ => None,
        }
    }

    fn texture_access(
        &mut self,
        texel: &Texel,
        kind: AccessKind,
        scalar: Scalar,
        components: u8,
    ) -> AccessId {
        self.add_access(Access {
            variable: texel.variable,
            binding_index: texel.binding_index,
            kind,
            atomic: kind == AccessKind::Atomic,
            scalar,
            components,
            address: Address::default(),
            workgroup_uniform: false,
            span: self.span,
        })
    }

    /// Adds a texture instruction with `components` results.
    fn read_texture(
        &mut self,
        operation: TextureOperation,
        texel: Texel,
        (scalar, components): (Scalar, u8),
        (level, extra, sampler): (Option<Operand>, Vec<Operand>, Option<VariableId>),
    ) -> Value {
        let access = self.texture_access(&texel, AccessKind::Load, scalar, components);
        let targets: Vec<_> = (0..components)
            .map(|_| Some(self.register(scalar)))
            .collect();
        let results: Vec<_> = targets
            .iter()
            .flatten()
            .copied()
            .map(Operand::Register)
            .collect();
        self.emit(Kind::Texture {
            operation,
            coordinates: texel.coordinates,
            layer: texel.layer,
            level,
            extra,
            sampler,
            values: Vec::new(),
            targets,
            access,
        });
        Value::Leaves(self.keep(&results))
    }

    pub(super) fn image_load(&mut self, frame: &mut Frame<'a>, expression: &Expression) -> Value {
        let Expression::ImageLoad {
            image,
            coordinate,
            array_index,
            sample,
            level,
        } = *expression
        else {
            return Value::Opaque;
        };
        let Some(texel) = self.texel(frame, image, (Some(coordinate), array_index)) else {
            return self.unknown_texel(frame, image);
        };
        let level = level.map(|level| self.operand(frame, level));
        let extra = sample.map(|sample| self.operand(frame, sample));
        let width = texel_width(texel.class);
        let details = (level, extra.into_iter().collect(), None);
        self.read_texture(TextureOperation::Load, texel, width, details)
    }

    pub(super) fn image_sample(&mut self, frame: &mut Frame<'a>, expression: &Expression) -> Value {
        let Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            ..
        } = *expression
        else {
            return Value::Opaque;
        };
        let Some(texel) = self.texel(frame, image, (Some(coordinate), array_index)) else {
            return self.unknown_texel(frame, image);
        };
        let sampler = self.resource(frame, sampler).map(|(variable, _)| variable);
        let mut extra = Vec::new();
        let (bias, level) = match level {
            SampleLevel::Auto => (Vec::new(), None),
            SampleLevel::Zero => (Vec::new(), Some(literal::zero(Scalar::F32))),
            SampleLevel::Exact(level) => (Vec::new(), Some(self.operand(frame, level))),
            SampleLevel::Bias(bias) => (vec![bias], None),
            SampleLevel::Gradient { x, y } => (vec![x, y], None),
        };
        for handle in depth_ref.into_iter().chain(bias).chain(offset) {
            let leaves = self.operands(frame, handle);
            extra.extend_from_slice(self.slice(leaves));
        }
        let (operation, width) = match gather {
            Some(_) => (TextureOperation::Gather, (texel_width(texel.class).0, 4)),
            None if depth_ref.is_some() => (TextureOperation::Sample, (Scalar::F32, 1)),
            None => (TextureOperation::Sample, texel_width(texel.class)),
        };
        self.read_texture(operation, texel, width, (level, extra, sampler))
    }

    fn unknown_texel(&mut self, frame: &Frame<'a>, image: Handle<Expression>) -> Value {
        let width = match *self.inner(frame, image) {
            TypeInner::Image { class, .. } => texel_width(class),
            _ => (Scalar::F32, 4),
        };
        Value::Leaves(match width {
            (scalar, 1) => self.unknown(Ty::Scalar(scalar)),
            (scalar, components) => self.unknown(Ty::Vector { scalar, components }),
        })
    }

    pub(super) fn image_query(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        query: ImageQuery,
    ) -> Value {
        let TypeInner::Image { dim, .. } = *self.inner(frame, image) else {
            return Value::Opaque;
        };
        let (query, level, components) = match query {
            ImageQuery::Size { level } => {
                let components = match dim {
                    naga::ImageDimension::D1 => 1,
                    naga::ImageDimension::D2 | naga::ImageDimension::Cube => 2,
                    naga::ImageDimension::D3 => 3,
                };
                (TextureQuery::Size, level, components)
            }
            ImageQuery::NumLevels => (TextureQuery::Levels, None, 1),
            ImageQuery::NumLayers => (TextureQuery::Layers, None, 1),
            ImageQuery::NumSamples => (TextureQuery::Samples, None, 1),
        };
        let Some(texel) = self.texel(frame, image, (None, None)) else {
            return Value::Opaque;
        };
        let level = level.map(|level| self.operand(frame, level));
        let width = (Scalar::U32, components);
        let details = (level, Vec::new(), None);
        self.read_texture(TextureOperation::Query(query), texel, width, details)
    }

    pub(super) fn image_store(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        (coordinate, layer): (Handle<Expression>, Option<Handle<Expression>>),
        value: Handle<Expression>,
    ) {
        let Some(texel) = self.texel(frame, image, (Some(coordinate), layer)) else {
            return;
        };
        let values = self.operands(frame, value);
        let values = self.slice(values).to_vec();
        let (scalar, components) = texel_width(texel.class);
        let access = self.texture_access(&texel, AccessKind::Store, scalar, components);
        self.write_texture(TextureOperation::Store, texel, values, access);
    }

    pub(super) fn image_atomic(
        &mut self,
        frame: &mut Frame<'a>,
        image: Handle<Expression>,
        (coordinate, layer): (Handle<Expression>, Option<Handle<Expression>>),
        fun: &naga::AtomicFunction,
        value: Handle<Expression>,
    ) {
        let Some(texel) = self.texel(frame, image, (Some(coordinate), layer)) else {
            return;
        };
        let (function, compare) = atomics::function(fun);
        let mut values = vec![self.operand(frame, value)];
        values.extend(compare.map(|compare| self.operand(frame, compare)));
        let (scalar, _) = texel_width(texel.class);
        let access = self.texture_access(&texel, AccessKind::Atomic, scalar, 1);
        self.write_texture(TextureOperation::Atomic(function), texel, values, access);
    }

    fn write_texture(
        &mut self,
        operation: TextureOperation,
        texel: Texel,
        values: Vec<Operand>,
        access: AccessId,
    ) {
        self.emit(Kind::Texture {
            operation,
            coordinates: texel.coordinates,
            layer: texel.layer,
            level: None,
            extra: Vec::new(),
            sampler: None,
            values,
            targets: Vec::new(),
            access,
        });
    }
}

/// The component type of a texel in the shader, and how many there are.
fn texel_width(class: ImageClass) -> (Scalar, u8) {
    match class {
        ImageClass::Sampled { kind, .. } => (types::scalar(naga::Scalar { kind, width: 4 }), 4),
        ImageClass::Depth { .. } => (Scalar::F32, 1),
        ImageClass::External => (Scalar::F32, 4),
        ImageClass::Storage { format, .. } => (format::scalar(format), 4),
    }
}
