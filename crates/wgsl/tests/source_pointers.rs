//! Pointer parameters to storage, uniform and workgroup memory are replaced by copies of the function.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cresta_wgsl::source::{Parsed, SourceError, SourceFile, parse};
use naga::{Expression, Function, Handle, Module, Statement};

fn parsed(text: &str) -> Parsed {
    parse(&SourceFile::new("f", text)).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// A pointer as a person would write it, arguments by name.
fn place(module: &Module, function: &Function, pointer: Handle<Expression>) -> String {
    match function.expressions[pointer] {
        Expression::GlobalVariable(variable) => {
            module.global_variables[variable].name.clone().unwrap()
        }
        Expression::LocalVariable(variable) => {
            function.local_variables[variable].name.clone().unwrap()
        }
        Expression::FunctionArgument(index) => {
            function.arguments[index as usize].name.clone().unwrap()
        }
        Expression::AccessIndex { base, index } => {
            format!("{}.{index}", place(module, function, base))
        }
        Expression::Access { base, index } => format!(
            "{}[{}]",
            place(module, function, base),
            place(module, function, index)
        ),
        Expression::Load { pointer } => format!("load({})", place(module, function, pointer)),
        Expression::Literal(literal) => format!("{literal:?}"),
        Expression::Binary { op, left, right } => format!(
            "{op:?}({}, {})",
            place(module, function, left),
            place(module, function, right)
        ),
        ref other => format!("{other:?}"),
    }
}

/// Loads in order, then statements that go through pointers or call, of the function's whole body.
fn effects(module: &Module, function: &Function) -> Vec<String> {
    let mut lines: Vec<String> = function
        .expressions
        .iter()
        .filter_map(|(_, expression)| match expression {
            Expression::Load { pointer } => Some(place(module, function, *pointer)),
            Expression::ArrayLength(pointer) => {
                Some(format!("length {}", place(module, function, *pointer)))
            }
            _ => None,
        })
        .collect();
    let mut work: Vec<&Statement> = function.body.iter().rev().collect();
    while let Some(statement) = work.pop() {
        match statement {
            Statement::Store { pointer, .. } => {
                lines.push(format!("{} =", place(module, function, *pointer)));
            }
            Statement::Atomic { pointer, .. } => {
                lines.push(format!("atomic {}", place(module, function, *pointer)));
            }
            Statement::WorkGroupUniformLoad { pointer, .. } => {
                lines.push(format!("uniform {}", place(module, function, *pointer)));
            }
            Statement::Call {
                function: callee,
                arguments,
                ..
            } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|&argument| place(module, function, argument))
                    .collect();
                let name = module.functions[*callee].name.as_deref().unwrap();
                lines.push(format!(
                    "{name}#{}({})",
                    callee.index(),
                    arguments.join(", ")
                ));
            }
            Statement::Block(block) => work.extend(block.iter().rev()),
            Statement::If { accept, reject, .. } => {
                work.extend(reject.iter().rev());
                work.extend(accept.iter().rev());
            }
            Statement::Loop {
                body, continuing, ..
            } => {
                work.extend(continuing.iter().rev());
                work.extend(body.iter().rev());
            }
            Statement::Switch { cases, .. } => {
                work.extend(cases.iter().rev().flat_map(|case| case.body.iter().rev()));
            }
            _ => {}
        }
    }
    lines
}

fn arguments(function: &Function) -> Vec<&str> {
    function
        .arguments
        .iter()
        .map(|argument| argument.name.as_deref().unwrap())
        .collect()
}

#[test]
fn a_whole_variable_takes_the_place_of_the_pointer() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> a: array<f32>;
        @group(0) @binding(1) var<storage, read_write> b: array<f32>;
        fn scale(i: u32, p: ptr<storage, array<f32>, read_write>, k: f32) -> u32 {
          (*p)[i] *= k;
          return arrayLength(p);
        }
        @compute @workgroup_size(1) fn main() {
          let n = scale(1u, &a, 2.0) + scale(2u, &b, 3.0) + scale(3u, &a, 4.0);
        }";
    let parsed = parsed(text);
    let module = &parsed.module;
    let copies: Vec<_> = module
        .functions
        .iter()
        .map(|(_, function)| function)
        .collect();
    assert_eq!(copies.len(), 2, "one copy for each variable");
    assert_eq!(arguments(copies[0]), ["i", "k"]);
    assert_eq!(effects(module, copies[0]), ["a[i]", "length a", "a[i] ="]);
    assert_eq!(effects(module, copies[1]), ["b[i]", "length b", "b[i] ="]);
    assert_eq!(
        effects(module, &module.entry_points[0].function),
        [
            "scale#0(U32(1), F32(2.0))",
            "scale#1(U32(2), F32(3.0))",
            "scale#0(U32(3), F32(4.0))"
        ]
    );
    let [note] = parsed.portability.as_slice() else {
        panic!("{:?}", parsed.portability);
    };
    assert_eq!(note.code, "portability-pointer-parameter");
    assert_eq!(&text[note.span.clone()], "p");
    assert!(note.message.contains("`p` of `scale`"), "{}", note.message);
}

#[test]
fn computed_indices_become_arguments_and_constant_ones_do_not() {
    let text = "
        struct Cell { weight: f32, links: array<vec2<u32>, 4> }
        var<workgroup> cells: array<Cell, 64>;
        fn link(p: ptr<workgroup, vec2<u32>>, q: ptr<workgroup, f32>, v: u32) { (*p).y = v; *q = 1.0; }
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
          var j = 2;
          let cell = &cells[lane];
          let target_link = &(*cell).links[j];
          j = 3;
          link(target_link, &cells[5].weight, 7u);
          link(&cells[1].links[j], &cells[5].weight, 8u);
        }";
    let parsed = parsed(text);
    let module = &parsed.module;
    let copies: Vec<_> = module
        .functions
        .iter()
        .map(|(_, function)| function)
        .collect();
    assert_eq!(copies.len(), 2);
    assert_eq!(arguments(copies[0]), ["v", "p_index_0", "p_index_1"]);
    let p_0_type = &module.types[copies[0].arguments[1].ty].inner;
    let p_1_type = &module.types[copies[0].arguments[2].ty].inner;
    assert_eq!(*p_0_type, naga::TypeInner::Scalar(naga::Scalar::U32));
    assert_eq!(*p_1_type, naga::TypeInner::Scalar(naga::Scalar::I32));
    assert_eq!(
        effects(module, copies[0]),
        ["cells[p_index_0].1[p_index_1].1 =", "cells.5.0 ="]
    );
    assert_eq!(
        effects(module, copies[1]),
        ["cells.1.1[p_index_0].1 =", "cells.5.0 ="]
    );
    let main = effects(module, &module.entry_points[0].function);
    // The first index was read when the pointer was formed: both are loads of `j`, at their places.
    assert_eq!(
        main,
        [
            "j",
            "j",
            "j =",
            "link#0(U32(7), lane, load(j))",
            "link#1(U32(8), load(j))"
        ]
    );
}

#[test]
fn pointers_pass_through_calls() {
    let text = "
        struct Queue { head: atomic<u32>, items: array<u32> }
        @group(0) @binding(0) var<storage, read_write> queues: array<array<atomic<u32>, 8>, 4>;
        @group(0) @binding(1) var<storage, read_write> queue: Queue;
        fn take(p: ptr<storage, atomic<u32>, read_write>) -> u32 { return atomicAdd(p, 1u); }
        fn take_two(p: ptr<storage, atomic<u32>, read_write>) -> u32 { return take(p) + take(p); }
        fn row(p: ptr<storage, array<atomic<u32>, 8>, read_write>, i: u32) -> u32 {
          var n = 0u;
          for (var k = 0u; k < 8u; k++) { if k != i { n += take_two(&(*p)[k]); } }
          return n + take(&(*p)[3]);
        }
        fn push(q: ptr<storage, Queue, read_write>, v: u32) {
          let at = take(&q.head);
          switch at { case 0u { q.items[at] = v; } default { return; } }
        }
        fn plain(x: u32) -> u32 { return row(&queues[x], x); }
        @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
          push(&queue, plain(id.x) + plain(id.y));
        }";
    let parsed = parsed(text);
    let module = &parsed.module;
    let named = |name: &str| -> Vec<Vec<String>> {
        module
            .functions
            .iter()
            .filter(|(_, function)| function.name.as_deref() == Some(name))
            .map(|(_, function)| effects(module, function))
            .collect()
    };
    // From `take_two`, two computed indices; from `row`, one; from `push`, none.
    assert_eq!(
        named("take"),
        [
            vec!["atomic queues[p_index_0][p_index_1]"],
            vec!["atomic queues[p_index_0].3"],
            vec!["atomic queue.0"]
        ]
    );
    assert_eq!(
        named("take_two"),
        [vec![
            "take#0(p_index_0, p_index_1)",
            "take#0(p_index_0, p_index_1)"
        ]]
    );
    assert_eq!(named("plain"), [vec!["row#3(x, x)"]]);
    assert_eq!(
        named("push"),
        [vec!["take#5()", "queue.1[CallResult([5])] ="]]
    );
    assert_eq!(parsed.portability.len(), 4);
    for (handle, function) in module.functions.iter() {
        let mut calls = function
            .body
            .iter()
            .filter_map(|statement| match statement {
                Statement::Call { function, .. } => Some(*function),
                _ => None,
            });
        assert!(
            calls.all(|callee| callee.index() < handle.index()),
            "callees come first"
        );
    }
}

#[test]
fn every_space_and_result_form_works() {
    let text = "
        requires unrestricted_pointer_parameters;
        @group(0) @binding(0) var<uniform> u: array<vec4f, 4>;
        @group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
        var<workgroup> w: array<mat2x2<f32>, 8>;
        var<private> mine: f32;
        fn from_uniform(p: ptr<uniform, vec4f>) -> vec4f { return *p; }
        fn staged(p: ptr<workgroup, mat2x2f>) -> mat2x2f { return workgroupUniformLoad(p); }
        fn column(p: ptr<workgroup, vec2f>, l: ptr<function, f32>, r: ptr<private, f32>) { *l = (*p).x; *r = 1.0; }
        fn unused(p: ptr<workgroup, u32>) { *p = 1u; }
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
          var local = 0.0;
          column(&w[i][1], &local, &mine);
          out[i] = from_uniform(&u[i & 3u]) * staged(&w[2])[0].x * local;
        }";
    let parsed = parsed(text);
    let module = &parsed.module;
    let all: Vec<_> = module
        .functions
        .iter()
        .map(|(_, function)| (function.name.as_deref().unwrap(), effects(module, function)))
        .collect();
    assert_eq!(
        all,
        [
            (
                "column",
                vec![
                    "w[p_index_0].1.0".to_owned(),
                    "l =".to_owned(),
                    "r =".to_owned()
                ]
            ),
            ("from_uniform", vec!["u[p_index_0]".to_owned()]),
            ("staged", vec!["uniform w.2".to_owned()]),
        ]
    );
    // One note for the directive and one for each parameter, called or not.
    assert_eq!(parsed.portability.len(), 5);
    assert!(parsed.portability.is_sorted_by_key(|note| note.span.start));
}

#[test]
fn spans_stay_those_of_the_original() {
    let text = "var<workgroup> w: array<f32, 8>;
        fn f(p: ptr<workgroup, f32>) -> f32 { return *p + 1.0; }
        @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
          let x = f(&w[i]);
        }";
    let parsed = parsed(text);
    let (handle, function) = parsed.module.functions.iter().next().unwrap();
    let at = |span: naga::Span| &text[parsed.text_span(span).unwrap()];
    assert!(at(parsed.module.functions.get_span(handle)).starts_with("fn f(p"));
    let texts: Vec<&str> = function
        .expressions
        .iter()
        .map(|(handle, _)| at(function.expressions.get_span(handle)))
        .collect();
    // Index argument, variable and element stand for the parameter; then the body, where naga gives a
    // load the span of its pointer.
    assert_eq!(texts, ["p", "p", "p", "p", "1.0", "*p + 1.0"]);
    let main = &parsed.module.entry_points[0].function;
    let call = main
        .body
        .span_iter()
        .find(|(s, _)| matches!(s, Statement::Call { .. }))
        .unwrap();
    assert_eq!(at(*call.1), "f(&w[i])");
}

#[test]
fn pointers_of_another_type_are_refused_where_they_are_passed() {
    for (parameter, argument) in [
        ("ptr<storage, array<f32>, read_write>", "&readable"),
        ("ptr<storage, array<f32>>", "&writable"),
        ("ptr<storage, array<u32>, read_write>", "&writable"),
        ("ptr<workgroup, f32>", "&local"),
        ("ptr<workgroup, f32>", "&writable[0]"),
    ] {
        let text = format!(
            "@group(0) @binding(0) var<storage, read> readable: array<f32>;
             @group(0) @binding(1) var<storage, read_write> writable: array<f32>;
             fn f(p: {parameter}) {{}}
             @compute @workgroup_size(1) fn main() {{ var local = 1.0; f({argument}); }}"
        );
        let error = parse(&SourceFile::new("f", &text)).unwrap_err();
        assert!(
            matches!(error, SourceError::Validate(_) | SourceError::Parse(_)),
            "{parameter}: {error}"
        );
        let span = error.primary_span().unwrap();
        assert!(
            text[span.clone()].contains(argument.trim_start_matches('&')),
            "{}",
            &text[span]
        );
    }
}

#[test]
fn runaway_specialisation_stops() {
    // Each level doubles the number of targets: 2^20 copies of the innermost function.
    let levels = 20;
    let mut ty = "f32".to_owned();
    let mut functions = "fn f0(p: ptr<storage, f32, read_write>) { *p = 1.0; }\n".to_owned();
    for level in 1..=levels {
        ty = format!("array<{ty}, 2>");
        functions += &format!(
            "fn f{level}(p: ptr<storage, {ty}, read_write>) {{ f{0}(&(*p)[0]); f{0}(&(*p)[1]); }}\n",
            level - 1
        );
    }
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> a: {ty};\n{functions}\
         @compute @workgroup_size(1) fn main() {{ f{levels}(&a); }}"
    );
    let error = parse(&SourceFile::new("f", text)).unwrap_err();
    assert!(error.to_string().contains("too many calls"), "{error}");
}
