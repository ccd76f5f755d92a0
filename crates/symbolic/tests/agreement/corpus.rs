//! The cases of `corpus/cases`: small kernels with counts derived by hand.
//!
//! A case is a folder with `kernel.wgsl` and `case.toml`; the comments of the latter derive the
//! numbers. Every launch runs through both engines on every machine of [`DEVICES`], which must agree
//! on everything, and the numbers of the case hold on the one that the launch names (32 lanes, lines
//! and sectors of 128 bytes if none).

mod case;
mod formula_text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cresta_ir::Kernel;
use cresta_symbolic::arena::SymbolKind;
use toml::Value;

use crate::brute::{self, Counts, Device};
use crate::compare::{Formulas, access_names, brute_totals, compare, formula_totals, shape_at};
use crate::device;

use case::{Case, CaseLaunch};
use formula_text::ordered;

/// Every SIMD width from 8 to 64, lines of 32, 64 and 128 bytes, sectors down to a quarter of them.
const DEVICES: [Device; 5] = [
    Device::GENERIC,
    device(8, 32, 32),
    device(16, 64, 32),
    device(32, 128, 32),
    device(64, 128, 64),
];

/// One case, with what was found wrong with it.
struct Check {
    case: Case,
    source: String,
    wrong: Vec<String>,
    unknown: BTreeSet<String>,
}

impl Check {
    fn new(folder: &Path) -> Check {
        let read = |file: &str| {
            let path = folder.join(file);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let case = toml::from_str(&read("case.toml"));
        Check {
            case: case.unwrap_or_else(|error| panic!("{}: {error}", folder.display())),
            source: read("kernel.wgsl"),
            wrong: Vec::new(),
            unknown: BTreeSet::new(),
        }
    }

    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: &T, expected: &T) {
        if found != expected {
            self.wrong
                .push(format!("{what}: found {found:?}, expected {expected:?}"));
        }
    }

    fn run(&mut self) {
        let launches = std::mem::take(&mut self.case.launch);
        for (index, launch) in launches.iter().enumerate() {
            let before = self.wrong.len();
            let kernel = launch.kernel(&self.source);
            for (machine, device) in DEVICES.iter().enumerate() {
                let mut formulas = Formulas::new(&kernel, &self.source, device.simd_width);
                if index == 0 && machine == 0 {
                    self.check_text(&kernel, &formulas);
                }
                self.agree(&kernel, &mut formulas, launch, device);
            }
            self.check_numbers(&kernel, launch);
            for wrong in &mut self.wrong[before..] {
                wrong.insert_str(0, &format!("launch {}: ", index + 1));
            }
        }
        let (unknown, expected) = (self.unknown.clone(), self.case.unknown.clone());
        self.equal("unknown", &unknown, &expected);
        assert!(!launches.is_empty(), "a case has a launch");
    }

    fn check_text(&mut self, kernel: &Kernel, formulas: &Formulas) {
        let arena = &formulas.program.arena;
        let mut text: BTreeMap<String, String> = formula_totals(&formulas.totals)
            .into_iter()
            .map(|(name, formula)| (name.to_owned(), arena.format(formula)))
            .collect();
        let names = access_names(kernel);
        for placed in &formulas.program.accesses {
            let name = &names[placed.access.0 as usize];
            let executions = &formulas.totals.executions[placed.region];
            text.insert(format!("executions of {name}"), arena.format(executions));
        }
        for (name, expected) in self.case.formulas.clone() {
            let found = text.get(&name).map_or("", String::as_str);
            self.equal(&name, &ordered(found), &ordered(&expected));
        }
        if let Some(expected) = self.case.trips.clone() {
            let loops = formulas.program.loops.iter();
            let found: Vec<String> = loops
                .map(|one| ordered(&arena.format(&one.trips)))
                .collect();
            let expected: Vec<String> = expected.iter().map(|text| ordered(text)).collect();
            self.equal("trips", &found, &expected);
        }
        let data = formulas.program.named.iter().filter(|named| {
            let symbol = arena.symbol(named.symbol);
            symbol
                .is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Trips | SymbolKind::Taken))
        });
        let data: BTreeSet<String> = data.map(|named| named.name.clone()).collect();
        let expected = self.case.data.clone();
        self.equal("symbols for data", &data, &expected);
    }

    fn agree(
        &mut self,
        kernel: &Kernel,
        formulas: &mut Formulas,
        launch: &CaseLaunch,
        device: &Device,
    ) {
        let counts = brute::count(kernel, &launch.brute(), device);
        let known = launch.known(&formulas.program);
        let outcome = compare(kernel, formulas, &known, &counts, device);
        let simd = device.simd_width;
        let differences = outcome.differences.into_iter();
        self.wrong
            .extend(differences.map(|difference| format!("SIMD {simd}: {difference}")));
        self.unknown.extend(outcome.unknown);
    }

    /// The numbers of the case, against the brute-force counter; shapes' patterns against the other.
    fn check_numbers(&mut self, kernel: &Kernel, launch: &CaseLaunch) {
        let machine = &launch.machine;
        let device = device(machine.simd, machine.line, machine.sector);
        let counts = brute::count(kernel, &launch.brute(), &device);
        let totals: BTreeMap<&str, u64> = brute_totals(&counts).into_iter().collect();
        for (name, expected) in &launch.counts {
            let found = totals.get(name.as_str()).copied();
            self.equal(name, &found, &Some(*expected));
        }
        let names = access_names(kernel);
        for (name, expected) in &launch.access {
            let Some(index) = names.iter().position(|known| known == name) else {
                self.wrong.push(format!("no {name} among {names:?}"));
                continue;
            };
            self.check_access(kernel, launch, &device, &counts, (index, name), expected);
        }
        for (name, expected) in &launch.footprint {
            let found = counts
                .footprint
                .get(name)
                .map(|bytes| [bytes.read, bytes.written]);
            self.equal(&format!("footprint of {name}"), &found, &Some(*expected));
        }
        if let Some(expected) = launch.activity {
            self.equal("activity", &[counts.active_lanes, counts.lanes], &expected);
        }
    }

    fn check_access(
        &mut self,
        kernel: &Kernel,
        launch: &CaseLaunch,
        device: &Device,
        counts: &Counts,
        (index, name): (usize, &str),
        expected: &BTreeMap<String, Value>,
    ) {
        let found = &counts.accesses[index];
        let mut formulas = Formulas::new(kernel, &self.source, device.simd_width);
        let known = launch.known(&formulas.program);
        for (what, expected) in expected {
            let found = match what.as_str() {
                "executions" => found.executions,
                "simd_executions" => found.simd_executions,
                "addresses" => found.addresses,
                "same_address" => found.same_address,
                "lines" => found.lines,
                "ideal_lines" => found.ideal_lines,
                "sectors" => found.sectors,
                "ideal_sectors" => found.ideal_sectors,
                "wavefronts" => found.wavefronts,
                "ideal_wavefronts" => found.ideal_wavefronts,
                "pattern" | "stride_bytes" => {
                    let program = &mut formulas.program;
                    let accesses = program.accesses.clone();
                    let placed = accesses.iter().find(|p| p.access.0 as usize == index);
                    let placed = placed.expect("an access with a shape is reached");
                    let access = kernel.access(placed.access);
                    let workgroup =
                        kernel.variable(access.variable).space == cresta_ir::Space::Workgroup;
                    let shape =
                        shape_at(program, &known, placed, access.bytes(), workgroup, device);
                    let found = shape.and_then(|shape| match what.as_str() {
                        "pattern" => Some(Value::from(shape.pattern?.name())),
                        _ => Some(Value::from(shape.stride_bytes?)),
                    });
                    self.equal(
                        &format!("{what} of {name}"),
                        &found,
                        &Some(expected.clone()),
                    );
                    continue;
                }
                other => panic!("{other} is not counted of an access"),
            };
            let found = Value::from(found.cast_signed());
            self.equal(&format!("{what} of {name}"), &found, expected);
        }
    }
}

fn folders() -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/cases");
    let entries = fs::read_dir(&cases).expect("corpus/cases exists");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("corpus/cases is readable").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort_unstable();
    folders
}

#[test]
fn the_cases_hold() {
    let only = std::env::var("CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut run = 0;
    for folder in folders() {
        let name = folder
            .file_name()
            .expect("a folder has a name")
            .to_string_lossy();
        if !name.contains(&only) {
            continue;
        }
        run += 1;
        let mut check = Check::new(&folder);
        check.run();
        wrong.extend(check.wrong.iter().map(|what| format!("{name}: {what}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(run >= 50 || !only.is_empty(), "only {run} cases");
}
