//! Access shapes: lines, sectors, bank conflicts and lane counts, summed over a launch at given
//! values of its parameters.

use std::cmp::Ordering;

use cresta_model::banks;
use cresta_model::transactions::{self, Pattern};

use crate::arena::{SymbolKind, Uniformity};
use crate::point::Point;
use crate::poly::{AtomId, Poly};
use crate::program::{PlacedAccess, Program};
use crate::visit::Visit;

/// What the machine makes of addresses.
#[derive(Clone, Copy, Debug)]
pub struct ShapeOptions {
    /// Lanes of a SIMD group.
    pub simd_width: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Bytes of a sector.
    pub sector_bytes: u32,
    /// Banks of workgroup memory.
    pub banks: u32,
    /// Bytes of a bank.
    pub bank_bytes: u32,
    /// Lines of one request that L1 serves at once, where the machine tells.
    pub lines_per_wavefront: Option<f64>,
    /// Whether the first few values of variables that enter other than linearly may stand for all of
    /// them, where they are many: enough for means at stand-ins of unset parameters, not for totals.
    pub representative: bool,
}

/// Sums over the SIMD executions of one access.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    /// SIMD groups with at least one active lane, summed over executions.
    pub simd_executions: f64,
    /// Active lanes, summed likewise.
    pub lanes: f64,
    /// Distinct lines.
    pub lines: f64,
    /// The fewest lines for the distinct bytes.
    pub ideal_lines: f64,
    /// Distinct sectors.
    pub sectors: f64,
    /// The fewest sectors for the distinct bytes.
    pub ideal_sectors: f64,
    /// Passes that L1 takes, where the machine tells how many lines one serves.
    pub l1_wavefronts: f64,
    /// Distinct addresses.
    pub addresses: f64,
    /// Most lanes at one address.
    pub same_address: f64,
    /// Passes that the banks of workgroup memory take.
    pub wavefronts: f64,
    /// The fewest passes.
    pub ideal_wavefronts: f64,
    /// Shape of most SIMD executions.
    pub pattern: Option<Pattern>,
    /// Share of the SIMD executions that have this shape, 0–1.
    pub pattern_share: Option<f64>,
    /// Distance between neighbouring distinct addresses of their most frequent set of lanes, where it
    /// is constant.
    pub stride_bytes: Option<i64>,
    /// Whether the address holds a value that depends on data but is the same for a SIMD group, and
    /// was taken to be aligned.
    pub assumes_alignment: bool,
    /// Whether a few SIMD groups stood for all, so that means are not exact.
    pub sampled: bool,
    /// Whether data decide which lanes run.
    pub diverges_on_data: bool,
}

impl Program {
    /// The shape of an access of `width_bytes`; `None` where lanes' addresses depend on data, or there
    /// are too many cases to count.
    pub fn shape(
        &mut self,
        placed: &PlacedAccess,
        width_bytes: u32,
        workgroup_memory: bool,
        point: &Point,
        options: &ShapeOptions,
    ) -> Option<Shape> {
        let mut address = placed.address.clone()?;
        let mut shape = Shape::default();
        for data in self.data_in(&address) {
            if self.arena.symbol(data)?.uniformity < Uniformity::SimdGroup {
                return None;
            }
            address = self.arena.replace(&address, data, &Poly::zero());
            shape.assumes_alignment = true;
        }
        let modulus = if workgroup_memory {
            i64::from(options.banks) * i64::from(options.bank_bytes)
        } else {
            let (line, sector) = (options.line_bytes.into(), options.sector_bytes.into());
            i64::try_from(line / crate::ratio::gcd(line, sector) * sector).ok()?
        };
        let mut patterns = Patterns::default();
        for part in self.parts_at(placed.region, point)?.iter() {
            let mut concrete = self.with_address(part, &address, point.values());
            concrete.representative = options.representative;
            shape.diverges_on_data |= concrete.diverges_on_data;
            let mut tally = Tally {
                width: width_bytes.into(),
                modulus,
                workgroup_memory,
                options,
                weight: concrete.weight,
                shape: &mut shape,
                patterns: &mut patterns,
                addresses: Vec::with_capacity(128),
                outside: false,
            };
            let mut sampled = false;
            for piece in self.pieces(concrete) {
                sampled |=
                    self.visit_simd_groups(&piece, options.simd_width, modulus, &mut |visit| {
                        tally.add(visit);
                    })?;
            }
            tally.shape.sampled |= sampled;
            if tally.outside {
                return None;
            }
        }
        patterns.settle(&mut shape);
        if !shape.diverges_on_data && !shape.sampled {
            let activity = (shape.simd_executions, shape.lanes);
            let key = (placed.region, options.simd_width);
            point.activity.borrow_mut().insert(key, activity);
        }
        Some(shape)
    }

    /// SIMD executions and active lanes of a region; `None` where data or coupled variables decide.
    pub fn activity(
        &mut self,
        region: usize,
        point: &Point,
        simd_width: u32,
    ) -> Option<(f64, f64)> {
        if let Some(&activity) = point.activity.borrow().get(&(region, simd_width)) {
            return Some(activity);
        }
        let (mut groups, mut lanes) = (0.0, 0.0);
        for placed in self.parts_at(region, point)?.iter() {
            if placed.part.diverges_on_data {
                return None;
            }
            for piece in self.pieces(placed.part.clone()) {
                self.visit_simd_groups(&piece, simd_width, 1, &mut |visit| {
                    let times = visit.times as f64 * piece.weight;
                    groups += times;
                    lanes += times * f64::from(visit.active.count_ones());
                })?;
            }
        }
        Some((groups, lanes))
    }

    /// Symbols in an address that depend on data.
    pub fn data_in(&self, address: &Poly) -> Vec<AtomId> {
        let mut data = Vec::new();
        self.arena.for_each_atom(address, &mut |id| {
            if self
                .arena
                .symbol(id)
                .is_some_and(|symbol| symbol.kind == SymbolKind::Data)
            {
                data.push(id);
            }
        });
        data
    }
}

/// How often each pattern occurs.
#[derive(Default)]
struct Patterns {
    seen: Vec<Seen>,
}

struct Seen {
    pattern: Pattern,
    /// SIMD executions with it.
    times: f64,
    /// The stride of the set of lanes that has most lane executions, and how many it has.
    stride_bytes: Option<i64>,
    lanes: f64,
}

impl Patterns {
    fn add(&mut self, pattern: Pattern, stride_bytes: Option<i64>, times: f64, lanes: usize) {
        let lanes = times * lanes as f64;
        match self.seen.iter_mut().find(|seen| seen.pattern == pattern) {
            Some(seen) => {
                seen.times += times;
                if lanes > seen.lanes {
                    (seen.stride_bytes, seen.lanes) = (stride_bytes, lanes);
                }
            }
            None => self.seen.push(Seen {
                pattern,
                times,
                stride_bytes,
                lanes,
            }),
        }
    }

    /// The most frequent pattern, with its share; of several, the one with the largest set of lanes.
    fn settle(self, shape: &mut Shape) {
        let all: f64 = self.seen.iter().map(|seen| seen.times).sum();
        let most =
            self.seen
                .into_iter()
                .reduce(|most, seen| match seen.times.total_cmp(&most.times) {
                    Ordering::Greater => seen,
                    Ordering::Equal if seen.lanes > most.lanes => seen,
                    _ => most,
                });
        if let Some(most) = most {
            shape.pattern = Some(most.pattern);
            shape.pattern_share = Some(most.times / all).filter(|_| all > 0.0);
            shape.stride_bytes = most.stride_bytes;
        }
    }
}

struct Tally<'a> {
    width: u64,
    modulus: i64,
    workgroup_memory: bool,
    options: &'a ShapeOptions,
    weight: f64,
    shape: &'a mut Shape,
    patterns: &'a mut Patterns,
    addresses: Vec<u64>,
    /// Whether addresses of one SIMD group were further apart than any memory is large.
    outside: bool,
}

impl Tally<'_> {
    fn add(&mut self, visit: &Visit<'_>) {
        if self.collect(visit).is_none() {
            self.outside = true;
            return;
        }
        let times = visit.times as f64 * self.weight;
        let shape = &mut *self.shape;
        shape.simd_executions += times;
        shape.lanes += times * self.addresses.len() as f64;
        let options = self.options;
        if self.workgroup_memory {
            let access = banks::count(
                &self.addresses,
                self.width,
                options.banks,
                options.bank_bytes,
            );
            shape.wavefronts += times * access.wavefronts as f64;
            shape.ideal_wavefronts += times * access.ideal_wavefronts as f64;
        }
        let (line, sector) = (options.line_bytes.into(), options.sector_bytes.into());
        let access = transactions::count(&self.addresses, self.width, line, sector);
        shape.lines += times * access.lines as f64;
        if let Some(lines) = options.lines_per_wavefront {
            shape.l1_wavefronts += times * transactions::wavefronts(access.lines, lines);
        }
        shape.ideal_lines += times * access.ideal_lines as f64;
        shape.sectors += times * access.sectors as f64;
        shape.ideal_sectors += times * access.ideal_sectors as f64;
        self.patterns.add(
            access.pattern,
            access.stride_bytes,
            times,
            self.addresses.len(),
        );
        let (distinct, most) = self.distinct();
        self.shape.addresses += times * distinct as f64;
        self.shape.same_address += times * most as f64;
    }

    /// Addresses of the active lanes, all moved by the multiple of the modulus that makes the least of
    /// them small; `None` where one is then still beyond 64 bits.
    fn collect(&mut self, visit: &Visit<'_>) -> Option<()> {
        self.addresses.clear();
        let active = |lane: usize| visit.active >> lane & 1 == 1;
        let lanes = || visit.addresses.iter().enumerate();
        let least = lanes().filter(|&(lane, _)| active(lane)).map(|(_, &at)| at);
        let least = least.min().unwrap_or(0);
        let residue = (least.rem_euclid(self.modulus) + visit.residue).rem_euclid(self.modulus);
        for (_, &address) in lanes().filter(|&(lane, _)| active(lane)) {
            let address = address.checked_sub(least)?.checked_add(residue)?;
            let address = u64::try_from(address).ok()?;
            address.checked_add(self.width)?;
            self.addresses.push(address);
        }
        Some(())
    }

    /// The number of different addresses, and the most lanes at one of them.
    fn distinct(&mut self) -> (usize, usize) {
        self.addresses.sort_unstable();
        let runs = self.addresses.chunk_by(|a, b| a == b);
        runs.fold((0, 0), |(distinct, most), lanes| {
            (distinct + 1, most.max(lanes.len()))
        })
    }
}
