//! Overrides: what the caller gave, what the module says, and what that makes of sizes.
//!
//! An override stays an operand of the IR. Its value matters here only where it sizes an array type
//! or a workgroup, since those are resolved before anything is lowered. Start at
//! [`Resolved::new`].

use std::collections::BTreeMap;

use cresta_ir::{Constant, Scalar};
use naga::{Handle, Module};
use rustc_hash::FxHashSet;

use super::error::LowerError;
use super::evaluate::{Evaluated, evaluate_globals};
use super::types;

/// Every override's value, and every scalar global expression's.
pub(super) struct Resolved {
    /// By override index: what the caller gave, else a default that no other override enters into.
    pub(super) fixed: Vec<Option<Constant>>,
    /// By override index: the value, when it is known at all.
    values: Vec<Option<Constant>>,
    /// By global expression index.
    expressions: Vec<Evaluated>,
}

impl Resolved {
    /// Checks the caller's values against the module and evaluates what can be evaluated.
    pub(super) fn new(module: &Module, given: &BTreeMap<String, f64>) -> Result<Self, LowerError> {
        let given = match_given(module, given)?;
        if module.overrides.is_empty() {
            return Ok(Resolved {
                fixed: Vec::new(),
                values: Vec::new(),
                expressions: Vec::new(),
            });
        }
        let expressions = evaluate_globals(module, &given);
        let of_default = |handle: Handle<naga::Override>| {
            let init = module.overrides[handle].init?;
            Some(expressions[init.index()])
        };
        let mut fixed = Vec::with_capacity(given.len());
        let mut values = Vec::with_capacity(given.len());
        for (handle, _) in module.overrides.iter() {
            let default = of_default(handle);
            let given = given[handle.index()];
            let own = default.filter(|value| !value.overridden);
            fixed.push(given.or(own.and_then(|value| value.constant)));
            values.push(given.or(default.and_then(|value| value.constant)));
        }
        Ok(Resolved {
            fixed,
            values,
            expressions,
        })
    }

    /// The length of an array type that an override sizes.
    pub(super) fn array_length(
        &self,
        module: &Module,
        handle: Handle<naga::Override>,
    ) -> Result<u32, LowerError> {
        let sizes = || "the length of an array type".to_owned();
        match self.values[handle.index()] {
            Some(value) => positive(value, sizes()),
            None => Err(self.missing(module, &[handle], sizes())),
        }
    }

    /// A workgroup size given by an expression.
    pub(super) fn workgroup_size(
        &self,
        module: &Module,
        expression: Handle<naga::Expression>,
        axis: usize,
    ) -> Result<u32, LowerError> {
        let sizes = format!("workgroup size {}", ["x", "y", "z"][axis]);
        match self.expressions.get(expression.index()).copied() {
            Some(Evaluated {
                constant: Some(value),
                ..
            }) => positive(value, sizes),
            _ => {
                let used = overrides_of(module, expression);
                Err(self.missing(module, &used, sizes))
            }
        }
    }

    /// The error for a size that depends on `used`: it names the first override without a value,
    /// looking through defaults.
    fn missing(
        &self,
        module: &Module,
        used: &[Handle<naga::Override>],
        sizes: String,
    ) -> LowerError {
        let mut pending = used.to_vec();
        let mut seen = vec![false; module.overrides.len()];
        while let Some(handle) = pending.pop() {
            if self.values[handle.index()].is_some() || seen[handle.index()] {
                continue;
            }
            seen[handle.index()] = true;
            let declared = &module.overrides[handle];
            match declared.init {
                Some(init) => pending.extend(overrides_of(module, init)),
                None => {
                    let name = name(declared);
                    return LowerError::MissingOverride { name, sizes };
                }
            }
        }
        LowerError::UnevaluatedSize { sizes }
    }
}

/// The name of an override: its own, or its `@id`.
pub(super) fn name(declared: &naga::Override) -> String {
    match (&declared.name, declared.id) {
        (Some(name), _) => name.clone(),
        (None, Some(id)) => id.to_string(),
        (None, None) => String::new(),
    }
}

fn positive(value: Constant, sizes: String) -> Result<u32, LowerError> {
    let integer = value.integer();
    integer
        .and_then(|integer| u32::try_from(integer).ok())
        .filter(|&size| size > 0)
        .ok_or_else(|| LowerError::InvalidSize {
            sizes,
            value: integer.map_or_else(|| "not an integer".to_owned(), |value| value.to_string()),
        })
}

/// Overrides that a global expression reads directly.
pub(super) fn overrides_of(
    module: &Module,
    expression: Handle<naga::Expression>,
) -> Vec<Handle<naga::Override>> {
    let mut seen = FxHashSet::default();
    let mut pending = vec![expression];
    let mut overrides = Vec::new();
    while let Some(handle) = pending.pop() {
        if !seen.insert(handle) {
            continue;
        }
        let expression = &module.global_expressions[handle];
        if let naga::Expression::Override(handle) = *expression {
            overrides.push(handle);
        }
        super::operands::for_each(expression, |operand| pending.push(operand));
    }
    overrides
}

/// The caller's values by override index.
fn match_given(
    module: &Module,
    given: &BTreeMap<String, f64>,
) -> Result<Vec<Option<Constant>>, LowerError> {
    let mut values = vec![None; module.overrides.len()];
    for (wanted, &value) in given {
        let found = module.overrides.iter().find(|(_, declared)| {
            declared.name.as_ref() == Some(wanted)
                || declared.id.is_some_and(|id| id.to_string() == *wanted)
        });
        let Some((handle, declared)) = found else {
            return Err(LowerError::UnknownOverride {
                name: wanted.clone(),
                known: override_names(module),
            });
        };
        let ty = override_scalar(module, declared);
        let constant = represent(value, ty).ok_or_else(|| LowerError::OverrideOutOfRange {
            name: wanted.clone(),
            ty: ty.name(),
            value,
        })?;
        values[handle.index()] = Some(constant);
    }
    Ok(values)
}

/// Every name and `@id` by which a value may be given to an override of the module, with its type.
pub fn override_types(module: &Module) -> Vec<(String, Scalar)> {
    let named = |(_, declared): (_, &naga::Override)| {
        let id = declared.id.map(|id| id.to_string());
        let scalar = override_scalar(module, declared);
        let names = declared.name.clone().into_iter().chain(id);
        names.map(move |name| (name, scalar)).collect::<Vec<_>>()
    };
    module.overrides.iter().flat_map(named).collect()
}

fn override_names(module: &Module) -> Vec<String> {
    let types = override_types(module).into_iter();
    types.map(|(name, _)| name).collect()
}

/// The type of an override.
pub(super) fn override_scalar(module: &Module, declared: &naga::Override) -> Scalar {
    match module.types[declared.ty].inner {
        naga::TypeInner::Scalar(scalar) => types::scalar(scalar),
        _ => Scalar::U32,
    }
}

/// The constant of type `ty` that equals `value`, rounded to it when it is a float.
fn represent(value: f64, ty: Scalar) -> Option<Constant> {
    let integral = |low: f64, high: f64| value.fract() == 0.0 && (low..=high).contains(&value);
    let bits = match ty {
        Scalar::Bool if value == 0.0 => 0,
        Scalar::Bool if value == 1.0 => 1,
        Scalar::I32 if integral(i32::MIN.into(), i32::MAX.into()) => {
            u64::from((value as i32).cast_unsigned())
        }
        Scalar::U32 if integral(0.0, u32::MAX.into()) => u64::from(value as u32),
        // The bounds are powers of two, so they are exact; the upper one is excluded.
        Scalar::I64 if integral(-TWO_TO_63, TWO_TO_63) && value < TWO_TO_63 => {
            (value as i64).cast_unsigned()
        }
        Scalar::U64 if integral(0.0, 2.0 * TWO_TO_63) && value < 2.0 * TWO_TO_63 => value as u64,
        Scalar::F16 => {
            let half = half::f16::from_f64(value);
            half.is_finite().then(|| half.to_bits().into())?
        }
        Scalar::F32 => {
            let single = value as f32;
            single.is_finite().then(|| single.to_bits().into())?
        }
        Scalar::F64 if value.is_finite() => value.to_bits(),
        _ => return None,
    };
    Some(Constant { scalar: ty, bits })
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
