//! WGSL's static uniformity, for the barrier rule.
//!
//! A barrier must be reached by all invocations of a workgroup or by none. WGSL makes that a static
//! rule, so that a conforming compiler rejects a kernel that it cannot show to obey (WGSL
//! specification, “Uniformity”). This module follows the rule on the kernel IR; it says nothing of
//! what really is uniform at run time, which is what the engines count by, and nothing of subgroup
//! operations.
//!
//! # The rule
//!
//! *Values.* Constants, overrides, `workgroup_id`, `num_workgroups`, `subgroup_size`,
//! `num_subgroups` and array lengths are uniform; so are loads of uniform buffers, of read-only
//! storage, of read-only textures and of private memory that only uniform values were stored to, all
//! at uniform addresses, and `workgroupUniformLoad`. Other built-in values, loads of memory that
//! invocations share and may write, atomics and results of subgroup operations are not. Everything
//! else is uniform when its arguments are. Registers are followed from instruction to instruction.
//!
//! *Control.* A branch on a non-uniform value makes control non-uniform inside. Where all its paths
//! meet again, control is as it was before the branch; where one of them leaves an enclosing
//! construct, what follows stays non-uniform until that construct ends. A return keeps it
//! non-uniform to the end of the kernel. Whatever is assigned under non-uniform control is not
//! uniform, not even a constant.
//!
//! # Where it is laxer than the specification
//!
//! The IR holds vectors and structures of function scope as separate registers, so a non-uniform
//! component does not taint its neighbours. Private memory is followed like a local array, while the
//! specification takes every module-scope private variable to be non-uniform. The address of a
//! `workgroupUniformLoad` whose result nothing uses is not looked at. Results of instructions that
//! Cresta does not model are uniform when their arguments are. Each can only miss a violation, never
//! invent one.
//!
//! Start at [`non_uniform_barriers`].

mod flow;
mod state;

use crate::kernel::{Kernel, SpanId};

/// A barrier that non-uniform control flow may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonUniformBarrier {
    /// The barrier or `workgroupUniformLoad`.
    pub barrier: SpanId,
    /// The branch or loop whose condition makes control flow non-uniform, the outermost or first
    /// where several do; the load itself where a `workgroupUniformLoad` has a non-uniform address.
    pub cause: SpanId,
}

/// Barriers that WGSL's rules forbid, each once, in the order of the code.
pub fn non_uniform_barriers(kernel: &Kernel) -> Vec<NonUniformBarrier> {
    flow::Walk::new(kernel).run()
}
