//! What composite built-in functions count as once they are lowered.

mod lower;

use cresta_ir::{Instruction, Kind, visit};
use cresta_model::operation::Cost;
use lower::lowered;

/// The cost of everything but the operands' loads and the result's store.
fn cost(expression: &str) -> Cost {
    let source = format!(
        "struct In {{ a: vec3f, b: vec3f, s: f32, c: vec4f, m: mat4x4f, n: mat3x3f, k: mat2x2f }}
         @group(0) @binding(0) var<storage, read> i: In;
         @group(0) @binding(1) var<storage, read_write> f: f32;
         @group(0) @binding(2) var<storage, read_write> v: vec3f;
         @group(0) @binding(3) var<storage, read_write> w: vec4f;
         @group(0) @binding(4) var<storage, read_write> p: mat4x4f;
         @group(0) @binding(5) var<storage, read_write> b: u32;
         @compute @workgroup_size(1) fn main() {{ {expression}; }}"
    );
    let mut total = Cost::default();
    add(&lowered(&source).kernel.body, &mut total);
    total
}

fn add(block: &[Instruction], total: &mut Cost) {
    for Instruction { kind, .. } in block {
        if let Kind::Compute {
            operation, scalar, ..
        } = kind
        {
            let cost = operation.cost(*scalar);
            total.flops += cost.flops;
            total.special += cost.special;
            total.integer += cost.integer;
            total.other += cost.other;
        }
        for inner in visit::nested(kind) {
            add(inner, total);
        }
    }
}

#[test]
fn flops_are_those_of_the_table() {
    for (expression, flops, special) in [
        ("f = dot(i.a, i.b)", 5, 0),
        ("f = dot(i.c, i.c)", 7, 0),
        ("f = length(i.a)", 6, 1),
        ("f = length(i.s)", 0, 0),
        ("f = distance(i.a, i.b)", 9, 1),
        ("v = normalize(i.a)", 9, 1),
        ("v = cross(i.a, i.b)", 9, 0),
        ("v = reflect(i.a, i.b)", 12, 0),
        // dot 5; eta², dot², their product, eta * dot; two subtractions, one addition, a root; and
        // for each component two products and a subtraction.
        ("v = refract(i.a, i.b, i.s)", 5 + 4 + 2 + 1 + 1 + 9, 1),
        ("v = faceForward(i.a, i.b, i.a)", 5, 0),
        ("f = smoothstep(i.s, i.a.x, i.b.x)", 9, 1),
        ("v = transpose(i.n)[0]", 0, 0),
        ("f = determinant(i.k)", 3, 0),
        ("f = determinant(i.n)", 14, 0),
        // Four products with 3×3 cofactors of 14, and three sums.
        ("f = determinant(i.m)", 4 * 15 + 3, 0),
        ("w = i.m * i.c", 28, 0),
        ("w = i.c * i.m", 28, 0),
        ("p = i.m * i.m", 112, 0),
        ("p = i.m + i.m", 16, 0),
        ("v = i.a * i.s", 3, 0),
        ("f = mix(i.s, i.a.x, i.b.x)", 4, 0),
        ("v = mix(i.a, i.b, i.s)", 12, 0),
        ("f = clamp(i.s, 0.0, 1.0)", 2, 0),
        ("f = i.s % i.a.x", 3, 1),
        ("f = pow(i.s, i.a.x)", 1, 2),
        ("v = select(i.a, i.b, i.a < i.b)", 0, 0),
    ] {
        let cost = cost(expression);
        assert_eq!((cost.flops, cost.special), (flops, special), "{expression}");
    }
}

#[test]
fn booleans_and_moves_are_no_arithmetic() {
    // Three comparisons, two conjunctions, a selection.
    let all = cost("b = select(0u, 1u, all(i.a == i.b))");
    assert_eq!((all.flops, all.integer, all.other), (0, 0, 6));
    // A swizzle, a component, a conversion to the same type.
    let moved = cost("v = f32(i.s) * i.a.zyx");
    assert_eq!((moved.flops, moved.integer, moved.other), (3, 0, 0));
    // The integer arithmetic that the source writes, and none for the address.
    let indexed = cost("b = u32(i.a[b + 1u])");
    assert_eq!((indexed.flops, indexed.integer, indexed.other), (0, 1, 1));
}
