//! Helpers for tests of the lowering.
#![allow(
    clippy::allow_attributes,
    dead_code,
    unreachable_pub,
    reason = "each test binary uses a part of the helpers"
)]

pub mod interpret;
pub mod verify;

use std::collections::BTreeMap;

use cresta_wgsl::{Limits, LowerError, Lowered, entry_points, lower};
use naga::valid::{
    Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator,
};

/// A module with what the validator found.
pub struct Valid {
    pub module: naga::Module,
    pub info: ModuleInfo,
}

/// Parses and validates WGSL.
pub fn wgsl(source: &str) -> Valid {
    let module = match naga::front::wgsl::parse_str(source) {
        Ok(module) => module,
        Err(error) => panic!("{}", error.emit_to_string(source)),
    };
    valid(module)
}

/// Parses and validates a GLSL compute shader.
pub fn glsl(source: &str) -> Valid {
    let options = naga::front::glsl::Options::from(naga::ShaderStage::Compute);
    match naga::front::glsl::Frontend::default().parse(&options, source) {
        Ok(module) => valid(module),
        Err(error) => panic!("{error:?}"),
    }
}

fn valid(module: naga::Module) -> Valid {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator
        .subgroup_stages(ShaderStages::all())
        .subgroup_operations(SubgroupOperationSet::all());
    match validator.validate(&module) {
        Ok(info) => Valid { module, info },
        Err(error) => panic!("{error:?}"),
    }
}

impl Valid {
    /// Lowers the entry point `main`.
    pub fn lower(&self, overrides: &[(&str, f64)]) -> Result<Lowered, LowerError> {
        self.lower_within(overrides, Limits::default())
    }

    pub fn lower_within(
        &self,
        overrides: &[(&str, f64)],
        limits: Limits,
    ) -> Result<Lowered, LowerError> {
        let overrides: BTreeMap<_, _> = overrides
            .iter()
            .map(|&(name, value)| (name.to_owned(), value))
            .collect();
        lower(&self.module, &self.info, "main", &overrides, limits)
    }
}

/// Lowers WGSL without overrides and checks the kernel's invariants.
pub fn lowered(source: &str) -> Lowered {
    let lowered = wgsl(source).lower(&[]).expect("it lowers");
    assert_eq!(verify::verify(&lowered.kernel), Vec::<String>::new());
    lowered
}

/// Wraps statements into a kernel over two storage buffers, `data` and `ints`.
pub fn kernel_of(functions: &str, statements: &str) -> Lowered {
    lowered(&format!(
        "@group(0) @binding(0) var<storage, read_write> data: array<f32>;
         @group(0) @binding(1) var<storage, read_write> ints: array<i32>;
         {functions}
         @compute @workgroup_size(1)
         fn main(@builtin(global_invocation_id) id: vec3u) {{ {statements} }}"
    ))
}

/// What `ints` holds after running such a kernel once.
pub fn run_ints(functions: &str, statements: &str, ints: &[i32]) -> Vec<i32> {
    let lowered = kernel_of(functions, statements);
    let words = ints.iter().map(|int| int.cast_unsigned()).collect();
    let mut memory = BTreeMap::from([("ints".to_owned(), words), ("data".to_owned(), vec![0; 16])]);
    let builtins = [("global_id.x", 1), ("global_id.y", 2), ("global_id.z", 3)];
    interpret::run(&lowered.kernel, &mut memory, &builtins).expect("it runs");
    memory["ints"]
        .iter()
        .map(|word| word.cast_signed())
        .collect()
}

/// Names of the compute entry points.
pub fn names(valid: &Valid) -> Vec<String> {
    let entries = entry_points(&valid.module);
    entries.into_iter().map(|entry| entry.name).collect()
}
