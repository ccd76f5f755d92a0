//! Cost of an analysis against naga's own parse and validation of the same file.
//!
//! `cargo bench -p cresta-analysis` prints criterion's figures, then one line a file with the ratio of
//! the two, measured alternately in this run. The whole analysis includes naga's part.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use cresta_analysis::{Request, analyze};
use cresta_machine::builtin;
use cresta_model::launch::{Grid, Launch};
use criterion::Criterion;
use naga::valid::{Capabilities, ValidationFlags, Validator};

struct Source {
    name: String,
    text: String,
    launch: Launch,
}

/// The kernel library at its large launches, and the long shaders of the corpus at none.
fn sources() -> Vec<Source> {
    let mut sources: Vec<Source> = cresta_kernels::all()
        .iter()
        .map(|case| {
            let mut launch = Launch::default();
            if let Some(large) = case.launch(cresta_kernels::Size::Large) {
                launch.grid = Some(Grid::Workgroups(large.workgroups));
                let params = large.params.iter();
                launch.values = params.map(|(&n, v)| (n.to_owned(), v.to_f64())).collect();
                launch.lengths = large
                    .lengths
                    .iter()
                    .map(|(&n, &v)| (n.to_owned(), v))
                    .collect();
            }
            Source {
                name: case.name.to_owned(),
                text: case.source.to_owned(),
                launch,
            }
        })
        .collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders");
    let mut files: Vec<_> = std::fs::read_dir(corpus)
        .expect("the corpus is in the repository")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "wgsl")
        })
        .collect();
    files.sort();
    for path in files {
        sources.push(Source {
            name: path
                .file_name()
                .expect("files have names")
                .to_string_lossy()
                .into_owned(),
            text: std::fs::read_to_string(&path).expect("shaders are text"),
            launch: Launch::default(),
        });
    }
    sources
}

fn parse_and_validate(source: &Source) {
    let module = naga::front::wgsl::parse_str(black_box(&source.text)).expect("valid WGSL");
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    black_box(validator.validate(&module).expect("a valid module"));
}

fn whole_analysis(source: &Source) {
    let request = Request {
        entry: None,
        machine: builtin("generic-mid").expect("built in"),
        launch: &source.launch,
        registers: None,
        simd_width: None,
    };
    let bytes = black_box(&source.text).as_bytes().to_vec();
    black_box(analyze(&source.name, bytes, &request).expect("valid WGSL"));
}

/// The median time of each, measured alternately.
fn medians(source: &Source) -> (Duration, Duration) {
    const ROUNDS: usize = 15;
    let time = |run: fn(&Source)| {
        let start = Instant::now();
        run(source);
        start.elapsed()
    };
    let (mut naga, mut cresta) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        naga.push(time(parse_and_validate));
        cresta.push(time(whole_analysis));
    }
    naga.sort();
    cresta.sort();
    (naga[ROUNDS / 2], cresta[ROUNDS / 2])
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]
fn main() {
    let sources = sources();
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    for source in sources
        .iter()
        .filter(|source| source.text.lines().count() > 500)
    {
        let mut group = criterion.benchmark_group(&source.name);
        group.bench_function("naga parse and validation", |b| {
            b.iter(|| parse_and_validate(source))
        });
        group.bench_function("whole analysis", |b| b.iter(|| whole_analysis(source)));
        group.finish();
    }
    criterion.final_summary();
    println!(
        "{:<36} {:>10} {:>12} {:>7}",
        "file", "naga", "analysis", "ratio"
    );
    let (mut naga_sum, mut cresta_sum) = (Duration::ZERO, Duration::ZERO);
    for source in &sources {
        let (naga, cresta) = medians(source);
        naga_sum += naga;
        cresta_sum += cresta;
        let ratio = cresta.as_secs_f64() / naga.as_secs_f64();
        println!(
            "{:<36} {naga:>10.1?} {cresta:>12.1?} {ratio:>6.2}×",
            source.name
        );
    }
    let ratio = cresta_sum.as_secs_f64() / naga_sum.as_secs_f64();
    println!(
        "{:<36} {naga_sum:>10.1?} {cresta_sum:>12.1?} {ratio:>6.2}×",
        "all"
    );
}
