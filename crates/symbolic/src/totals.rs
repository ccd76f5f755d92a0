//! Totals of a launch as formulas.

use cresta_ir::{Access, AccessKind, Kernel, Space};
use cresta_model::work::{Bytes, Flops, Work};

use rustc_hash::FxHashMap;

use crate::count::Lanes;
use crate::families::Family;
use crate::poly::Poly;
use crate::program::{Costs, Program};

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

/// How often each region, executed once, counts for a total.
type Weights = Vec<u64>;

impl Program {
    /// Totals of the launch.
    pub fn totals(&mut self, kernel: &Kernel) -> Totals {
        let executions: Vec<Poly> = (0..self.regions.len())
            .map(|region| self.executions(region, Lanes::All))
            .collect();
        let families = self.families(&executions);
        let total = |weights: &Weights| weighted(weights, &executions, &families);
        let of_costs = |of: fn(&Costs) -> u64| {
            let weights = self.regions.iter().map(|region| of(&region.costs));
            total(&weights.collect())
        };
        let mut work = Work {
            invocations: self.invocations(),
            flops: Flops {
                total: of_costs(|costs| costs.flops),
                f16: of_costs(|costs| costs.flops_f16),
                f64: of_costs(|costs| costs.flops_f64),
            },
            special_ops: of_costs(|costs| costs.special),
            integer_ops: of_costs(|costs| costs.integer),
            other_ops: of_costs(|costs| costs.other),
            atomics: of_costs(|costs| costs.atomics),
            barriers: Poly::zero(),
            subgroup_ops: of_costs(|costs| costs.subgroup),
            bytes: self.bytes(kernel, total),
        };
        let barriers: Vec<Poly> = (0..self.barriers.len())
            .map(|index| {
                let region = self.barriers[index].region;
                self.executions(region, Lanes::One)
            })
            .collect();
        work.barriers = sum(barriers.iter().map(|times| (times, 1)));
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

    fn bytes(&self, kernel: &Kernel, total: impl Fn(&Weights) -> Poly) -> Bytes<Poly> {
        let none = || vec![0; self.regions.len()];
        let mut bytes: Bytes<Weights> = Bytes {
            requested_read: none(),
            requested_write: none(),
            uniform: none(),
            workgroup: none(),
            private: none(),
        };
        for placed in &self.accesses {
            let access = kernel.access(placed.access);
            let Some(width) = bytes_per_lane(kernel, access) else {
                continue;
            };
            let width = u64::from(width);
            let both = access.kind == AccessKind::Atomic;
            let at = placed.region;
            match kernel.variable(access.variable).space {
                Space::Storage | Space::Texture => {
                    if both || access.kind == AccessKind::Load {
                        bytes.requested_read[at] += width;
                    }
                    if both || access.kind == AccessKind::Store {
                        bytes.requested_write[at] += width;
                    }
                }
                Space::Uniform => bytes.uniform[at] += width,
                Space::Workgroup => bytes.workgroup[at] += width * (1 + u64::from(both)),
                Space::Private => bytes.private[at] += width,
            }
        }
        Bytes {
            requested_read: total(&bytes.requested_read),
            requested_write: total(&bytes.requested_write),
            uniform: total(&bytes.uniform),
            workgroup: total(&bytes.workgroup),
            private: total(&bytes.private),
        }
    }
}

/// `Σ weight × executions`, where the regions of a family that all count alike are taken together.
fn weighted(weights: &Weights, executions: &[Poly], families: &[Family]) -> Poly {
    let mut apart = weights.clone();
    let mut together = Vec::new();
    for family in families {
        let mut members = family.regions.iter().map(|&region| weights[region]);
        let first = members.next().unwrap_or(0);
        if first != 0 && members.all(|weight| weight == first) {
            together.push((&family.executions, first));
            for &region in &family.regions {
                apart[region] = 0;
            }
        }
    }
    let single = executions.iter().zip(apart);
    sum(single.filter(|(_, weight)| *weight != 0).chain(together))
}

/// `Σ weight × poly`, adding equals first and then in pairs: long sums would be copied for each summand.
fn sum<'a>(summands: impl Iterator<Item = (&'a Poly, u64)>) -> Poly {
    let mut weights: FxHashMap<&Poly, i128> = FxHashMap::default();
    let mut order: Vec<&Poly> = Vec::new();
    for (poly, weight) in summands {
        let all = weights.entry(poly).or_insert(0);
        if *all == 0 {
            order.push(poly);
        }
        *all += i128::from(weight);
    }
    let mut level: Vec<Poly> = order
        .into_iter()
        .map(|poly| poly.scale(weights.get(poly).copied().unwrap_or(0)))
        .collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => left.add(right),
                rest => rest.first().cloned().unwrap_or_else(Poly::zero),
            })
            .collect();
    }
    level.pop().unwrap_or_else(Poly::zero)
}
