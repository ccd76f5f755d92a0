//! What one launch of a kernel does: the type both engines return.
//!
//! `Work<Q>` holds totals for the whole launch. `Q` is a formula in the symbolic engine and a count
//! in the exact one; [`Work::map`] turns one into the other. Start at [`Work`].

/// Floating-point operations by type, since their roofs differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flops<Q> {
    /// All of them.
    pub total: Q,
    /// Those on f16.
    pub f16: Q,
    /// Those on f64.
    pub f64: Q,
}

/// Bytes by address space; `requested` counts each active lane's access.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bytes<Q> {
    /// Storage buffers and textures, loads.
    pub requested_read: Q,
    /// Storage buffers and textures, stores.
    pub requested_write: Q,
    /// Uniform buffers.
    pub uniform: Q,
    /// Workgroup memory.
    pub workgroup: Q,
    /// Private memory (arrays with run-time indices).
    pub private: Q,
}

/// Totals of one launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work<Q> {
    /// Invocations, those that a guard turns away included.
    pub invocations: Q,
    /// Floating-point operations.
    pub flops: Flops<Q>,
    /// Division, roots and transcendentals, `pow` as two.
    pub special_ops: Q,
    /// Integer arithmetic and compares that the source writes.
    pub integer_ops: Q,
    /// Negation, rounding, compares of floats, select, conversion, logic.
    pub other_ops: Q,
    /// Atomic operations.
    pub atomics: Q,
    /// Barrier executions per workgroup, summed over the launch.
    pub barriers: Q,
    /// Subgroup operations, lane executions.
    pub subgroup_ops: Q,
    /// Bytes.
    pub bytes: Bytes<Q>,
}

impl<Q> Work<Q> {
    /// Applies `f` to every total.
    pub fn map<R>(&self, mut f: impl FnMut(&Q) -> R) -> Work<R> {
        Work {
            invocations: f(&self.invocations),
            flops: Flops {
                total: f(&self.flops.total),
                f16: f(&self.flops.f16),
                f64: f(&self.flops.f64),
            },
            special_ops: f(&self.special_ops),
            integer_ops: f(&self.integer_ops),
            other_ops: f(&self.other_ops),
            atomics: f(&self.atomics),
            barriers: f(&self.barriers),
            subgroup_ops: f(&self.subgroup_ops),
            bytes: Bytes {
                requested_read: f(&self.bytes.requested_read),
                requested_write: f(&self.bytes.requested_write),
                uniform: f(&self.bytes.uniform),
                workgroup: f(&self.bytes.workgroup),
                private: f(&self.bytes.private),
            },
        }
    }
}
