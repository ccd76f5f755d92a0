//! Kernels built by hand, before and after, as the printer shows them.

use cresta_model::operation::{Operation, Scalar};

use super::eliminate_dead_code;
use crate::instruction::{
    Access, AccessId, AccessKind, Address, Block, Builtin, Case, Constant, Instruction, Kind,
    Label, Operand, OverrideId, Register, VariableId,
};
use crate::kernel::{Kernel, Override, SourceSpan, SpanId};
use crate::types::{Space, Type, Variable};

/// A kernel with registers of type `u32`, except that those from 100 on are booleans, and with the
/// storage variables `a` and `b` and the private `table`.
fn kernel(body: Block) -> Kernel {
    let variable = |name: &str, space| Variable {
        name: name.to_owned(),
        space,
        binding: None,
        ty: Some(Type::Array {
            element: std::sync::Arc::new(Type::Scalar(Scalar::U32)),
            stride: 4,
            length: None,
        }),
        texture: None,
        writable: true,
        binding_count: None,
        declared: None,
    };
    let mut registers = vec![Scalar::U32; 100];
    registers.resize(110, Scalar::Bool);
    let access = |variable, kind, components| Access {
        variable: VariableId(variable),
        binding_index: None,
        kind,
        atomic: false,
        scalar: Scalar::U32,
        components,
        address: Address::default(),
        workgroup_uniform: false,
        span: SpanId(0),
    };
    Kernel {
        entry: "main".to_owned(),
        declared: (0, 0),
        workgroup_size: [1, 1, 1],
        variables: vec![
            variable("a", Space::Storage),
            variable("b", Space::Storage),
            variable("table", Space::Private),
        ],
        overrides: Vec::new(),
        registers,
        accesses: vec![
            access(0, AccessKind::Load, 4),
            access(0, AccessKind::Load, 1),
            access(1, AccessKind::Store, 1),
            access(2, AccessKind::Store, 1),
            access(2, AccessKind::Load, 1),
        ],
        spans: vec![SourceSpan {
            start: 0,
            end: 1,
            call: None,
        }],
        calls: Vec::new(),
        prologue: Vec::new(),
        body,
    }
}

const LOAD_VECTOR: AccessId = AccessId(0);
const LOAD: AccessId = AccessId(1);
const STORE: AccessId = AccessId(2);
const FILL_TABLE: AccessId = AccessId(3);
const READ_TABLE: AccessId = AccessId(4);

fn instruction(kind: Kind) -> Instruction {
    Instruction {
        kind,
        span: SpanId(0),
    }
}

fn register(number: u32) -> Operand {
    Operand::Register(Register(number))
}

fn number(bits: u64) -> Operand {
    Operand::Constant(Constant {
        scalar: Scalar::U32,
        bits,
    })
}

fn copy(target: u32, source: Operand) -> Instruction {
    instruction(Kind::Copy {
        target: Register(target),
        source,
    })
}

fn add(target: u32, a: Operand, b: Operand) -> Instruction {
    instruction(Kind::Compute {
        target: Register(target),
        operation: Operation::Add,
        scalar: Scalar::U32,
        arguments: vec![a, b],
    })
}

fn less(target: u32, a: Operand, b: Operand) -> Instruction {
    instruction(Kind::Compute {
        target: Register(target),
        operation: Operation::Less,
        scalar: Scalar::U32,
        arguments: vec![a, b],
    })
}

fn load(target: u32) -> Instruction {
    instruction(Kind::Load {
        targets: vec![Some(Register(target))],
        access: LOAD,
    })
}

fn store(value: Operand) -> Instruction {
    instruction(Kind::Store {
        values: vec![value],
        access: STORE,
    })
}

fn branch(condition: Operand, accept: Block, reject: Block) -> Instruction {
    instruction(Kind::If {
        condition,
        accept,
        reject,
        short_circuit: false,
    })
}

/// The lines of the body after elimination.
fn body(block: Block) -> Vec<String> {
    let mut kernel = kernel(block);
    eliminate_dead_code(&mut kernel);
    lines(&kernel)
}

fn lines(kernel: &Kernel) -> Vec<String> {
    let text = kernel.to_string();
    let lines = text.lines().skip_while(|line| *line != "body {").skip(1);
    let mut lines: Vec<_> = lines.map(|line| line.trim().to_owned()).collect();
    lines.pop();
    lines
}

#[test]
fn what_nothing_reads_goes_with_what_only_it_read() {
    let block = vec![
        load(1),
        load(2),
        add(3, register(1), number(1)),
        add(4, register(2), register(3)),
        store(register(1)),
    ];
    assert_eq!(
        body(block),
        ["%0: u32 = load u32 a[0]", "store u32 b[0] = %0"]
    );
}

#[test]
fn a_value_that_is_overwritten_on_every_path_is_dead() {
    let lower = [
        "%0: bool = lt.u32 local_index, 3u",
        "if %0 {",
        "%1: u32 = 5u",
        "} else {",
        "%1: u32 = 6u",
        "}",
        "store u32 b[0] = %1",
    ];
    let condition = less(100, Operand::Builtin(Builtin::LocalIndex), number(3));
    let both = vec![
        copy(1, number(4)),
        condition.clone(),
        branch(
            register(100),
            vec![copy(1, number(5))],
            vec![copy(1, number(6))],
        ),
        store(register(1)),
    ];
    assert_eq!(body(both), lower);
    // Not if one path leaves it as it was.
    let one = vec![
        copy(1, number(4)),
        condition,
        branch(register(100), vec![copy(1, number(5))], vec![]),
        store(register(1)),
    ];
    assert_eq!(body(one)[0], "%0: u32 = 4u");
}

#[test]
fn of_a_load_the_used_components_are_left() {
    let vector = instruction(Kind::Load {
        targets: (1..5).map(|target| Some(Register(target))).collect(),
        access: LOAD_VECTOR,
    });
    assert_eq!(
        body(vec![vector, store(register(3))]),
        ["_, _, %0: u32, _ = load u32x4 a[0]", "store u32 b[0] = %0"]
    );
}

#[test]
fn a_branch_without_effect_goes_with_its_condition() {
    let block = vec![
        load(1),
        less(100, register(1), number(3)),
        branch(register(100), vec![load(2)], vec![copy(3, register(1))]),
        store(number(1)),
    ];
    assert_eq!(body(block), ["store u32 b[0] = 1u"]);
}

/// A loop that counts register 1 up to 10 and does `body` on the way.
fn counted(body: Block) -> Block {
    let mut inner = vec![
        less(100, register(1), number(10)),
        branch(
            register(100),
            vec![],
            vec![instruction(Kind::Break(Label(0)))],
        ),
    ];
    inner.extend(body);
    vec![
        copy(1, number(0)),
        copy(2, number(7)),
        instruction(Kind::Loop {
            label: Label(0),
            body: inner,
            continuing: vec![add(1, register(1), number(1))],
            break_if: None,
        }),
    ]
}

#[test]
fn loops_carry_values_to_the_next_iteration() {
    // Register 2 is read at the top of the next iteration.
    let carried = counted(vec![store(register(2)), copy(2, register(1))]);
    assert_eq!(
        body(carried),
        [
            "%0: u32 = 0u",
            "%1: u32 = 7u",
            "loop L0 {",
            "%2: bool = lt.u32 %0, 10u",
            "if %2 {",
            "} else {",
            "break L0",
            "}",
            "store u32 b[0] = %1",
            "%1: u32 = %0",
            "} continuing {",
            "%0: u32 = add.u32 %0, 1u",
            "}",
        ]
    );
    // A sum that nothing but itself reads is dead, though it is read in every iteration.
    let idle = counted(vec![add(2, register(2), register(1))]);
    assert!(body(idle).iter().all(|line| !line.contains("add.u32 %1")));
    // After the loop it is not.
    let mut summed = counted(vec![add(2, register(2), register(1))]);
    summed.push(store(register(2)));
    assert!(body(summed).contains(&"%1: u32 = add.u32 %1, %0".to_owned()));
}

#[test]
fn jumps_lead_to_what_is_live_there() {
    // What is written before `break` is read after the block; what is written before `return` is not.
    let leave = |kind| vec![copy(2, number(9)), instruction(kind)];
    let block = |kind| {
        vec![
            copy(2, number(1)),
            instruction(Kind::Block {
                label: Label(0),
                body: vec![
                    less(100, Operand::Builtin(Builtin::LocalIndex), number(3)),
                    branch(register(100), leave(kind), vec![]),
                    copy(2, number(5)),
                ],
            }),
            store(register(2)),
        ]
    };
    let broken = body(block(Kind::Break(Label(0))));
    assert!(
        broken.iter().any(|line| line.ends_with("= 9u")),
        "{broken:?}"
    );
    assert!(
        broken.iter().all(|line| !line.ends_with("= 1u")),
        "{broken:?}"
    );
    let returned = body(block(Kind::Return));
    assert!(
        returned.iter().all(|line| !line.ends_with("= 9u")),
        "{returned:?}"
    );
}

#[test]
fn a_default_case_covers_every_path() {
    let case = |values: Vec<i64>, default, value| Case {
        values,
        default,
        body: vec![copy(2, number(value))],
    };
    let block = vec![
        copy(2, number(1)),
        instruction(Kind::Switch {
            label: Label(0),
            selector: Operand::Builtin(Builtin::LocalIndex),
            cases: vec![case(vec![1], false, 5), case(vec![], true, 6)],
        }),
        store(register(2)),
    ];
    assert_eq!(body(block)[0], "switch L0 local_index {");
}

#[test]
fn the_prologue_keeps_what_the_body_needs() {
    let fill = instruction(Kind::Store {
        values: vec![number(3)],
        access: FILL_TABLE,
    });
    let read = instruction(Kind::Load {
        targets: vec![Some(Register(1))],
        access: READ_TABLE,
    });
    let mut unused = kernel(vec![store(number(1))]);
    unused.prologue = vec![fill.clone()];
    eliminate_dead_code(&mut unused);
    assert_eq!(unused.prologue, []);
    assert_eq!(unused.variables.len(), 1);

    let mut used = kernel(vec![read, store(register(1))]);
    used.prologue = vec![fill];
    eliminate_dead_code(&mut used);
    assert_eq!(used.prologue.len(), 1);
    let names: Vec<_> = used.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["b", "table"]);
    assert_eq!(used.accesses.len(), 3);
    assert_eq!(used.registers, [Scalar::U32]);
}

#[test]
fn overrides_keep_what_computes_them() {
    let declared = |name: &str, computed| Override {
        name: name.to_owned(),
        id: None,
        scalar: Scalar::U32,
        value: None,
        computed,
    };
    let override_operand = |id| Operand::Override(OverrideId(id));
    let mut kernel = kernel(vec![store(override_operand(2))]);
    kernel.overrides = vec![
        declared("base", None),
        declared("unused", Some(register(1))),
        declared("double", Some(register(2))),
    ];
    kernel.prologue = vec![
        add(1, override_operand(0), number(1)),
        add(2, override_operand(0), override_operand(0)),
    ];
    eliminate_dead_code(&mut kernel);
    assert_eq!(
        kernel.to_string(),
        "kernel main workgroup_size(1, 1, 1)\n\
         var b: storage array<u32>(4)\n\
         override base: u32\n\
         override double: u32 = %0\n\
         prologue {\n  %0: u32 = add.u32 $base, $base\n}\n\
         body {\n  store u32 b[0] = $double\n}\n"
    );
}
