//! Where lowered instructions come from.

mod lower;

use cresta_ir::{Instruction, Kernel, Kind, SpanId, visit};
use cresta_wgsl::SpanRefiner;
use lower::lowered;

/// The source text of a span.
fn text<'s>(source: &'s str, kernel: &Kernel, span: SpanId) -> &'s str {
    let span = kernel.span(span);
    &source[span.start as usize..span.end as usize]
}

/// The text of every instruction that `wanted` picks, in order.
fn texts<'s>(source: &'s str, kernel: &Kernel, wanted: fn(&Kind) -> bool) -> Vec<&'s str> {
    fn collect<'k>(block: &'k [Instruction], found: &mut Vec<&'k Instruction>) {
        for instruction in block {
            found.push(instruction);
            for inner in visit::nested(&instruction.kind) {
                collect(inner, found);
            }
        }
    }
    let mut all = Vec::new();
    collect(&kernel.body, &mut all);
    all.retain(|instruction| wanted(&instruction.kind));
    let spans = all.into_iter().map(|instruction| instruction.span);
    spans.map(|span| text(source, kernel, span)).collect()
}

const SOURCE: &str = "@group(0) @binding(0) var<storage, read_write> A: array<f32>;
@group(0) @binding(1) var<uniform> n: u32;
fn half(x: f32) -> f32 { return x * 0.5; }
fn store(i: u32, x: f32) { A[i] = half(x) + 1.0; }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = id.y; i < n; i += 2u) {
    store(i, A[i + 1u]);
  }
  while (A[0] < 3.0) { A[0] += 1.5; }
  loop { if (A[1] > 2.0) { break; } workgroupBarrier(); }
  switch id.x { case 1: { A[2] = 1.0; } default: {} }
  if (id.x > 2u && A[id.z] > 0.0) { A[3] = f32(id.x) * 2.0; }
}
";

#[test]
fn loops_and_branches_start_at_their_keywords() {
    let kernel = lowered(SOURCE).kernel;
    let loops = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Loop { .. }));
    let starts: Vec<_> = loops.iter().map(|text| &text[..5]).collect();
    assert_eq!(starts, ["for (", "while", "loop "]);
    assert!(loops.iter().all(|text| text.ends_with('}')), "{loops:?}");

    let branches = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::If { .. }));
    assert_eq!(
        branches,
        [
            // The conditions of `for` and `while` are branches too.
            "i < n",
            "A[0] < 3.0",
            "if (A[1] > 2.0) { break; }",
            "id.x > 2u && A[id.z] > 0.0",
            "if (id.x > 2u && A[id.z] > 0.0) { A[3] = f32(id.x) * 2.0; }",
        ]
    );
    let switches = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Switch { .. }));
    assert!(switches[0].starts_with("switch id.x {"), "{switches:?}");
}

#[test]
fn accesses_are_where_the_memory_is_named() {
    let kernel = lowered(SOURCE).kernel;
    let loads = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Load { .. }));
    assert_eq!(loads, ["n", "A[i + 1u]", "A[0]", "A[0]", "A[1]", "A[id.z]"]);
    let stores = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Store { .. }));
    assert_eq!(stores, ["A[i]", "A[0]", "A[2]", "A[3]"]);
    let barriers = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Barrier(_)));
    assert!(barriers[0].starts_with("workgroupBarrier"), "{barriers:?}");
    let computed = texts(SOURCE, &kernel, |kind| matches!(kind, Kind::Compute { .. }));
    assert!(computed.contains(&"x * 0.5"), "{computed:?}");
    assert!(computed.contains(&"half(x) + 1.0"), "{computed:?}");
    assert!(computed.contains(&"i += 2u"), "{computed:?}");
}

#[test]
fn inlined_code_keeps_its_calls() {
    let kernel = lowered(SOURCE).kernel;
    let chain_of = |wanted: &str| {
        let span = (0..kernel.spans.len() as u32)
            .map(SpanId)
            .find(|&span| text(SOURCE, &kernel, span) == wanted)
            .expect("the span exists");
        let calls = kernel.call_chain(span);
        calls
            .map(|call| {
                let site = &SOURCE[call.site.start as usize..call.site.end as usize];
                (call.function.clone(), site)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        chain_of("x * 0.5"),
        [
            ("half".to_owned(), "half(x)"),
            ("store".to_owned(), "store(i, A[i + 1u])"),
        ]
    );
    assert_eq!(
        chain_of("half(x) + 1.0"),
        [("store".to_owned(), "store(i, A[i + 1u])")]
    );
    assert_eq!(chain_of("i < n"), []);
}

#[test]
fn the_entry_point_is_declared_where_its_text_is() {
    let kernel = lowered(SOURCE).kernel;
    let (start, end) = kernel.declared;
    let declared = &SOURCE[start as usize..end as usize];
    assert!(declared.contains("for (var i"), "{declared}");
    assert!(!declared.contains("fn half"), "{declared}");
}

#[test]
fn the_text_tells_what_naga_does_not() {
    let source = "@group(0) @binding(0) var<storage, read_write> A: array<f32>;
// fn main is below
@compute @workgroup_size(1)
fn main() {
  if (A[0] > 1.0) { A[1] = 1.0; } else /* not */ if (A[2] > 3.0) { A[2] = 4.0; } else
    // or
    if (A[4] > 1.0) { A[6] = 7.0; } else { A[7] = 0.0; }
}
";
    let mut kernel = lowered(source).kernel;
    SpanRefiner::new(source).refine(&mut kernel);
    let branches = texts(source, &kernel, |kind| matches!(kind, Kind::If { .. }));
    let starts: Vec<_> = branches.iter().map(|text| &text[..10]).collect();
    assert_eq!(starts, ["if (A[0] >", "if (A[2] >", "if (A[4] >"]);
    let (start, end) = kernel.declared;
    assert_eq!(&source[start as usize..end as usize], "fn main");
    assert_eq!(source[..start as usize].lines().count(), 3);
}
