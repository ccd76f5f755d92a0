//! The walker: registers, journal, regions, names.

use std::ops::Range;

use cresta_ir::{Kernel, Operand, Register, SpanId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::program::{Costs, Named, Program, Region, Within};
use crate::value::Value;

use super::frames::{ExitEvent, Frame, Held};
use super::layout::Layout;

/// What the walk needs to know besides the kernel.
pub struct Options<'a> {
    /// Lanes of a SIMD group.
    pub simd_width: u32,
    /// 1-based line and column of a byte of the source, for names such as `trips@42:7`; line 0 where the
    /// source has none.
    pub position: &'a dyn Fn(u32) -> (u32, u32),
}

pub(super) struct Walker<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) options: &'a Options<'a>,
    pub(super) layout: Layout,
    pub(super) program: Program,
    pub(super) registers: Vec<Value>,
    /// Registers written, with what they held before, since the outermost construct that may merge.
    pub(super) journal: Vec<(Register, Value)>,
    pub(super) frames: Vec<Frame>,
    /// Conditions within the innermost loop (or the kernel): their conjunction holds here.
    pub(super) condition: Vec<Held>,
    /// 1 where the innermost loop is entered.
    pub(super) entry: Poly,
    pub(super) loops: Vec<Within>,
    pub(super) exits: Vec<ExitEvent>,
    /// Whether this is a first run of a loop's body, which records nothing.
    pub(super) trial: u32,
    pub(super) region: Option<usize>,
    pub(super) region_ids: FxHashMap<(Poly, Vec<Within>), usize>,
    pub(super) named: FxHashSet<AtomId>,
    /// Instructions that the walk may still run before it follows loops no longer.
    pub(super) steps: u64,
    assumptions: FxHashSet<&'static str>,
    /// Values loaded from memory that nothing writes, by variable and address.
    pub(super) loaded: FxHashMap<(u32, Poly, u8), AtomId>,
    pub(super) override_values: Vec<Value>,
    /// Whether a value that changes from one iteration to the next was seen to wrap.
    pub(super) wraps_iteration: bool,
    /// Constructs of a source that has no lines, by what is named of them.
    without_lines: FxHashMap<&'static str, Vec<SpanId>>,
    /// Whether quantities are negative for some lane, by the number of bounds known when that was found.
    pub(super) negative: FxHashMap<(usize, Poly), Option<bool>>,
}

/// Instructions that a walk may run for each instruction of the kernel: loops within loops are run
/// several times.
const STEPS: u64 = 40;
/// Instructions that any walk may run.
const FIRST_STEPS: u64 = 4_000;

/// Monomials that the sums of any program may pass through.
const FIRST_SUMS: u32 = 2_000;
/// Further ones for each instruction of the kernel.
const SUMS: u32 = 4;
/// Atoms of the heaviest whole number or condition that a register holds; what is heavier counts as
/// data.
pub(super) const HEAVIEST: u32 = 400;

/// Walks a kernel.
pub fn walk(kernel: &Kernel, options: &Options<'_>) -> Program {
    let mut walker = Walker::new(kernel, options);
    let sums = FIRST_SUMS.saturating_add(walker.layout.size.saturating_mul(SUMS));
    walker.arena().allow_sums(sums);
    walker.load_overrides();
    walker.block(&kernel.body);
    let mut program = walker.program;
    drop_unused_names(&mut program);
    program
}

/// Forgets the names of fractions that no count depends on, such as that of a branch which only ends a
/// loop whose trips are an unknown anyway.
fn drop_unused_names(program: &mut Program) {
    let regions = program.regions.iter();
    let conditions = regions
        .filter(|region| region.costs != Costs::default())
        .map(|region| &region.condition);
    let loops = program.loops.iter();
    let stays = loops.flat_map(|one| one.exits.iter().map(|exit| &exit.stay));
    let accesses = program.accesses.iter();
    let places = accesses.flat_map(|placed| placed.address.iter().chain(&placed.coordinates));
    let mut used = FxHashSet::default();
    for poly in conditions.chain(stays).chain(places) {
        program.arena.for_each_atom(poly, &mut |id| {
            used.insert(id);
        });
    }
    let arena = &program.arena;
    program.named.retain(|named| {
        let symbol = arena.symbol(named.symbol);
        used.contains(&named.symbol) || symbol.is_none_or(|symbol| symbol.kind != SymbolKind::Taken)
    });
}

fn program(kernel: &Kernel) -> Program {
    let mut arena = Arena::default();
    let axes = ["x", "y", "z"];
    let groups = [0usize, 1, 2].map(|axis| {
        arena.named(Symbol {
            name: format!("wg.{}", axes[axis]),
            kind: SymbolKind::WorkgroupCount(axis as u8),
            uniformity: Uniformity::Launch,
            least: Some(1),
            greatest: Some(Poly::integer(u32::MAX.into())),
        })
    });
    let workgroup = [0usize, 1, 2].map(|axis| {
        arena.named(Symbol {
            name: format!("wid.{}", axes[axis]),
            kind: SymbolKind::WorkgroupId(axis as u8),
            uniformity: Uniformity::Workgroup,
            least: Some(0),
            greatest: Some(Poly::atom(groups[axis]).add_integer(-1)),
        })
    });
    let local = [0usize, 1, 2].map(|axis| {
        let size = kernel.workgroup_size[axis];
        (size != 1).then(|| {
            arena.named(Symbol {
                name: format!("lid.{}", axes[axis]),
                kind: SymbolKind::LocalId(axis as u8),
                uniformity: Uniformity::Lane,
                least: Some(0),
                greatest: Some(Poly::integer(i128::from(size) - 1)),
            })
        })
    });
    Program {
        arena,
        workgroup_size: kernel.workgroup_size,
        local,
        workgroup,
        groups,
        regions: Vec::new(),
        loops: Vec::new(),
        branches: Vec::new(),
        accesses: Vec::new(),
        barriers: Vec::new(),
        named: Vec::new(),
        assumptions: Vec::new(),
    }
}

impl<'a> Walker<'a> {
    fn new(kernel: &'a Kernel, options: &'a Options<'a>) -> Self {
        let layout = Layout::new(kernel);
        Walker {
            kernel,
            options,
            steps: FIRST_STEPS + STEPS * u64::from(layout.size),
            layout,
            program: program(kernel),
            registers: kernel
                .registers
                .iter()
                .map(|&scalar| super::arithmetic::zero(scalar))
                .collect(),
            journal: Vec::new(),
            frames: Vec::new(),
            condition: Vec::new(),
            entry: Poly::one(),
            loops: Vec::new(),
            exits: Vec::new(),
            trial: 0,
            region: None,
            region_ids: FxHashMap::default(),
            named: FxHashSet::default(),
            assumptions: FxHashSet::default(),
            loaded: FxHashMap::default(),
            override_values: Vec::new(),
            wraps_iteration: false,
            without_lines: FxHashMap::default(),
            negative: FxHashMap::default(),
        }
    }

    pub(super) fn arena(&mut self) -> &mut Arena {
        &mut self.program.arena
    }

    /// Gives overrides their values: symbols, or what the prologue computes from symbols.
    fn load_overrides(&mut self) {
        for constant in &self.kernel.overrides {
            let value = if constant.scalar.is_integer() && constant.computed.is_none() {
                let bounds = super::wrap::bounds(constant.scalar);
                let symbol = self.name_symbol(
                    SymbolKind::Override,
                    constant.name.clone(),
                    "override",
                    Uniformity::Launch,
                    bounds.map(|(least, _)| least),
                    bounds.map(|(_, greatest)| Poly::integer(greatest)),
                );
                Value::Whole(Poly::atom(symbol))
            } else {
                Value::Other(Uniformity::Launch)
            };
            self.override_values.push(value);
        }
        self.trial += 1;
        self.block(&self.kernel.prologue);
        self.trial -= 1;
        for (index, constant) in self.kernel.overrides.iter().enumerate() {
            if let Some(operand) = constant.computed {
                self.override_values[index] = self.read(operand);
            }
        }
    }

    /// The symbol of this name, listed among the named ones when it is first recorded.
    pub(super) fn name_symbol(
        &mut self,
        kind: SymbolKind,
        name: String,
        meaning: &str,
        uniformity: Uniformity,
        least: Option<i128>,
        greatest: Option<Poly>,
    ) -> AtomId {
        let symbol = self.program.arena.named(Symbol {
            name: name.clone(),
            kind,
            uniformity,
            least,
            greatest,
        });
        if self.trial == 0 && self.named.insert(symbol) {
            self.program.named.push(Named {
                name,
                meaning: meaning.to_owned(),
                symbol,
            });
        }
        symbol
    }

    /// A value that depends on data.
    pub(super) fn data(&mut self, uniformity: Uniformity, least: Option<i128>) -> AtomId {
        self.program.arena.fresh(Symbol {
            name: "data".to_owned(),
            kind: SymbolKind::Data,
            uniformity,
            least,
            greatest: None,
        })
    }

    pub(super) fn assume(&mut self, text: &'static str) {
        if self.trial == 0 && self.assumptions.insert(text) {
            self.program.assumptions.push(text.to_owned());
        }
    }

    /// `what@line:column`, with the call sites where inlining makes several; without lines, `what@1` and so
    /// on in the order in which they are met.
    pub(super) fn name_at(&mut self, what: &'static str, span: SpanId) -> String {
        let source = self.kernel.span(span);
        let (line, column) = (self.options.position)(source.start);
        if line == 0 {
            let met = self.without_lines.entry(what).or_default();
            let known = met.iter().position(|&other| other == span);
            let index = known.unwrap_or(met.len());
            if known.is_none() {
                met.push(span);
            }
            return format!("{what}@{}", index + 1);
        }
        let mut name = format!("{what}@{line}:{column}");
        if self.layout.repeated.contains(&source.start) {
            for call in self.kernel.call_chain(span) {
                let (line, column) = (self.options.position)(call.site.start);
                name.push_str(&format!("<{line}:{column}"));
            }
        }
        name
    }

    /// Writes a register; a value that is too heavy counts as data.
    pub(super) fn write(&mut self, register: Register, value: Value) {
        let heavy = match &value {
            Value::Whole(poly) => self.program.arena.weight(poly) > HEAVIEST,
            Value::Truth(truth) => self.program.arena.weight(&truth.holds) > HEAVIEST,
            Value::Other(_) => false,
        };
        let value = if heavy {
            let uniformity = value.uniformity(&self.program.arena);
            self.unknown_of(register, uniformity)
        } else {
            value
        };
        let slot = &mut self.registers[register.0 as usize];
        self.journal
            .push((register, std::mem::replace(slot, value)));
    }

    pub(super) fn read(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.registers[register.0 as usize].clone(),
            Operand::Constant(constant) => super::arithmetic::constant(constant),
            Operand::Override(id) => self
                .override_values
                .get(id.0 as usize)
                .cloned()
                .unwrap_or(Value::Other(Uniformity::Launch)),
            Operand::Builtin(builtin) => self.builtin(builtin),
        }
    }

    /// Undoes writes back to a point of the journal and returns what the registers held, of those that
    /// outlive the construct with these positions.
    pub(super) fn roll_back(&mut self, mark: usize, within: &Range<u32>) -> Vec<(Register, Value)> {
        let mut changed: Vec<(Register, Value)> = Vec::new();
        let mut seen = FxHashSet::default();
        while self.journal.len() > mark {
            let Some((register, before)) = self.journal.pop() else {
                break;
            };
            let after = std::mem::replace(&mut self.registers[register.0 as usize], before);
            if self.layout.outlives(register, within) && seen.insert(register) {
                changed.push((register, after));
            }
        }
        changed
    }

    /// What registers written since a point of the journal hold now, of those that outlive the
    /// construct with these positions.
    pub(super) fn changed_since(&self, mark: usize, within: &Range<u32>) -> Vec<(Register, Value)> {
        let mut seen = FxHashSet::default();
        let written = self.journal[mark..].iter().rev();
        written
            .filter(|(register, _)| {
                self.layout.outlives(*register, within) && seen.insert(*register)
            })
            .map(|(register, _)| (*register, self.registers[register.0 as usize].clone()))
            .collect()
    }

    /// Counts something in the current region.
    pub(super) fn count(&mut self, add: impl FnOnce(&mut Costs)) {
        if self.trial == 0 {
            let region = self.current_region();
            add(&mut self.program.regions[region].costs);
        }
    }

    pub(super) fn current_region(&mut self) -> usize {
        if let Some(region) = self.region {
            return region;
        }
        let key = (self.reached(), self.loops.clone());
        let region = match self.region_ids.get(&key) {
            Some(&region) => region,
            None => {
                let region = self.program.regions.len();
                self.program.regions.push(Region {
                    condition: key.0.clone(),
                    loops: key.1.clone(),
                    costs: Costs::default(),
                });
                self.region_ids.insert(key, region);
                region
            }
        };
        self.region = Some(region);
        region
    }
}
