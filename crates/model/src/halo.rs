//! Stencils staged in workgroup memory: a block of outputs loads a border as well.
//!
//! Start at [`loads_per_output`].

/// Elements that a `block × block` workgroup loads for a stencil of `radius`.
pub fn loads(block: u32, radius: u32) -> u64 {
    let side = u64::from(block) + 2 * u64::from(radius);
    side * side
}

/// Loads for each output: `((block + 2 × radius) / block)²`.
pub fn loads_per_output(block: u32, radius: u32) -> f64 {
    loads(block, radius) as f64 / (f64::from(block) * f64::from(block))
}

/// Loads for each output without staging: the whole square of `2 × radius + 1`.
pub fn unstaged_loads_per_output(radius: u32) -> u64 {
    let side = 2 * u64::from(radius) + 1;
    side * side
}
