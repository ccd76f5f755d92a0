//! Totals of a launch as formulas.

use cresta_ir::{Access, AccessKind, Kernel, Space};
use cresta_model::work::{Bytes, Flops, Work};

use crate::count::Lanes;
use crate::poly::Poly;
use crate::program::Program;

/// Totals of a launch and what they are made of.
#[derive(Clone, Debug)]
pub struct Totals {
    /// Everything added up.
    pub work: Work<Poly>,
    /// Executions of each region, all lanes.
    pub executions: Vec<Poly>,
    /// Executions of each barrier per workgroup, summed over the launch; in the order of
    /// [`Program::barriers`].
    pub barriers: Vec<Poly>,
}

/// Bytes that one lane asks for; `None` where that depends on a texture's format.
pub fn bytes_per_lane(kernel: &Kernel, access: &Access) -> Option<u32> {
    let variable = kernel.variable(access.variable);
    match &variable.texture {
        Some(texture) => texture.texel_bytes,
        None => Some(access.bytes()),
    }
}

impl Program {
    /// Totals of the launch.
    pub fn totals(&mut self, kernel: &Kernel) -> Totals {
        let executions: Vec<Poly> = (0..self.regions.len())
            .map(|region| self.executions(region, Lanes::All))
            .collect();
        let mut work = Work {
            invocations: self.invocations(),
            flops: Flops {
                total: Poly::zero(),
                f16: Poly::zero(),
                f64: Poly::zero(),
            },
            special_ops: Poly::zero(),
            integer_ops: Poly::zero(),
            other_ops: Poly::zero(),
            atomics: Poly::zero(),
            barriers: Poly::zero(),
            subgroup_ops: Poly::zero(),
            bytes: self.bytes(kernel, &executions),
        };
        for (region, times) in self.regions.iter().zip(&executions) {
            let costs = region.costs;
            let add = |sum: &mut Poly, count: u64| {
                if count != 0 {
                    *sum = sum.add(&times.scale(count.into()));
                }
            };
            add(&mut work.flops.total, costs.flops);
            add(&mut work.flops.f16, costs.flops_f16);
            add(&mut work.flops.f64, costs.flops_f64);
            add(&mut work.special_ops, costs.special);
            add(&mut work.integer_ops, costs.integer);
            add(&mut work.other_ops, costs.other);
            add(&mut work.atomics, costs.atomics);
            add(&mut work.subgroup_ops, costs.subgroup);
        }
        let barriers: Vec<Poly> = (0..self.barriers.len())
            .map(|index| {
                let region = self.barriers[index].region;
                self.executions(region, Lanes::One)
            })
            .collect();
        work.barriers = barriers
            .iter()
            .fold(Poly::zero(), |sum, times| sum.add(times));
        Totals {
            work,
            executions,
            barriers,
        }
    }

    fn invocations(&self) -> Poly {
        let lanes: u64 = self.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let groups = self
            .groups
            .iter()
            .fold(Poly::one(), |all, &n| all.mul(&Poly::atom(n)));
        groups.scale(lanes.into())
    }

    fn bytes(&self, kernel: &Kernel, executions: &[Poly]) -> Bytes<Poly> {
        let mut bytes = Bytes {
            requested_read: Poly::zero(),
            requested_write: Poly::zero(),
            uniform: Poly::zero(),
            workgroup: Poly::zero(),
            private: Poly::zero(),
        };
        for placed in &self.accesses {
            let access = kernel.access(placed.access);
            let Some(width) = bytes_per_lane(kernel, access) else {
                continue;
            };
            let amount = executions[placed.region].scale(width.into());
            let both = access.kind == AccessKind::Atomic;
            let add = |sum: &mut Poly, times: i128| *sum = sum.add(&amount.scale(times));
            match kernel.variable(access.variable).space {
                Space::Storage | Space::Texture => {
                    if both || access.kind == AccessKind::Load {
                        add(&mut bytes.requested_read, 1);
                    }
                    if both || access.kind == AccessKind::Store {
                        add(&mut bytes.requested_write, 1);
                    }
                }
                Space::Uniform => add(&mut bytes.uniform, 1),
                Space::Workgroup => add(&mut bytes.workgroup, 1 + i128::from(both)),
                Space::Private => add(&mut bytes.private, 1),
            }
        }
        bytes
    }
}
