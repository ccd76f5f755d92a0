//! `case.toml`: what a case launches and expects. Start at [`Case`].

use std::collections::{BTreeMap, BTreeSet};

use cresta_ir::Kernel;
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;
use serde::Deserialize;
use toml::Value;

use crate::brute::{self, Device, Launch};
use crate::compare::Known;

/// `case.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// Formulas as text, by name of a total, or `executions of …` an access.
    #[serde(default)]
    pub(super) formulas: BTreeMap<String, String>,
    /// Trips of the loops as text, in the order in which they are recorded.
    pub(super) trips: Option<Vec<String>>,
    /// Names of the symbols that stand for what depends on data.
    #[serde(default)]
    pub(super) data: BTreeSet<String>,
    /// What the symbolic engine leaves unknown on some machine.
    #[serde(default)]
    pub(super) unknown: BTreeSet<String>,
    pub(super) launch: Vec<CaseLaunch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseLaunch {
    pub(super) workgroups: [u32; 3],
    #[serde(default)]
    pub(super) param: BTreeMap<String, Value>,
    #[serde(default, rename = "override")]
    pub(super) overrides: BTreeMap<String, i64>,
    #[serde(default)]
    pub(super) len: BTreeMap<String, u64>,
    /// Sizes of textures.
    #[serde(default)]
    pub(super) texture: BTreeMap<String, [u32; 3]>,
    /// Contents of buffers of `u32` or, where a number has a decimal point, of `f32`.
    #[serde(default)]
    pub(super) buffer: BTreeMap<String, Vec<Value>>,
    /// Values of the symbols that stand for data: whole numbers, or fractions as text.
    #[serde(default)]
    pub(super) values: BTreeMap<String, Value>,
    #[serde(default)]
    pub(super) machine: Machine,
    /// Totals.
    pub(super) counts: BTreeMap<String, u64>,
    /// Counts of accesses.
    #[serde(default)]
    pub(super) access: BTreeMap<String, BTreeMap<String, Value>>,
    /// Distinct bytes `[read, written]` of storage buffers.
    #[serde(default)]
    pub(super) footprint: BTreeMap<String, [u64; 2]>,
    /// Active lanes and lanes of the SIMD groups that run, over all instructions.
    pub(super) activity: Option<[u64; 2]>,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Machine {
    pub(super) simd: u32,
    pub(super) line: u64,
    pub(super) sector: u64,
}

impl Default for Machine {
    fn default() -> Self {
        let Device {
            simd_width,
            line_bytes,
            sector_bytes,
            ..
        } = Device::GENERIC;
        Machine {
            simd: simd_width,
            line: line_bytes,
            sector: sector_bytes,
        }
    }
}

fn ratio(value: &Value) -> Ratio {
    match value {
        Value::Integer(whole) => Ratio::integer((*whole).into()),
        Value::String(text) => {
            let (numerator, denominator) = text.split_once('/').expect("a fraction has a slash");
            let part = |text: &str| text.trim().parse().expect("a fraction is of whole numbers");
            Ratio::new(part(numerator), part(denominator)).expect("the denominator is not zero")
        }
        other => panic!("{other} is neither a whole number nor a fraction"),
    }
}

/// The bits of a parameter or element.
fn bits(value: &Value) -> u64 {
    match value {
        Value::Integer(whole) => whole.cast_unsigned(),
        Value::Float(float) => u64::from((*float as f32).to_bits()),
        other => panic!("{other} is not a number"),
    }
}

impl CaseLaunch {
    pub(super) fn brute(&self) -> Launch {
        let mut launch = Launch::new(self.workgroups);
        for (path, value) in &self.param {
            launch = launch.set(path, bits(value));
        }
        for (name, value) in &self.overrides {
            launch = launch.override_value(name, value.cast_unsigned());
        }
        for (name, elements) in &self.len {
            launch = launch.length(name, *elements);
        }
        for (name, size) in &self.texture {
            launch = launch.texture(name, *size);
        }
        for (name, values) in &self.buffer {
            let words: Vec<u32> = values.iter().map(|value| bits(value) as u32).collect();
            launch = launch.u32s(name, &words);
        }
        launch
    }

    pub(super) fn known(&self, program: &Program) -> Known {
        Known::new(program, self.workgroups, |kind, name| match kind {
            SymbolKind::Length => {
                let variable = name.strip_prefix("len(")?.strip_suffix(')')?;
                let given = self.len.get(variable).copied();
                let filled = || Some(self.buffer.get(variable)?.len() as u64);
                Some(Ratio::integer(given.or_else(filled)?.into()))
            }
            SymbolKind::Override => Some(Ratio::integer((*self.overrides.get(name)?).into())),
            SymbolKind::Parameter => {
                let given = self.param.get(name).map(ratio);
                given.or_else(|| self.texture_size(name))
            }
            _ => self.values.get(name).map(ratio),
        })
    }

    /// The value of `size(image).x`.
    fn texture_size(&self, name: &str) -> Option<Ratio> {
        let (texture, axis) = name.strip_prefix("size(")?.split_once(").")?;
        let axis = ["x", "y", "z"].iter().position(|known| *known == axis)?;
        let size = self.texture.get(texture)?[axis];
        Some(Ratio::integer(size.into()))
    }

    pub(super) fn kernel(&self, source: &str) -> Kernel {
        let overrides = self.overrides.iter();
        brute::compile_with(
            source,
            "main",
            overrides.map(|(name, value)| (name.as_str(), *value as f64)),
        )
    }
}
