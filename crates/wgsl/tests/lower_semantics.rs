//! What lowered kernels compute, against results worked out by hand.
//!
//! Each case is run by a small interpreter of the IR, since the question is not how a dump looks but
//! whether values survive stores, calls, loops and copies as WGSL says. `id` is (1, 2, 3).

mod lower;

use std::collections::BTreeMap;

use lower::{glsl, interpret, run_ints, verify, wgsl};

/// Runs statements over `ints` and compares what they leave.
fn check(functions: &str, statements: &str, before: &[i32], after: &[i32]) {
    assert_eq!(
        run_ints(functions, statements, before),
        after,
        "{statements}"
    );
}

#[test]
fn a_loaded_value_outlives_a_store_to_its_variable() {
    check(
        "",
        "var x = ints[0]; let old = x; x = 7; ints[1] = old; ints[2] = x;",
        &[5, 0, 0],
        &[5, 5, 7],
    );
    check(
        "",
        "var a = ints[0]; var b = ints[1]; let t = a; a = b; b = t; ints[0] = a; ints[1] = b;",
        &[3, 4],
        &[4, 3],
    );
    // Only one branch stores; the value is the old one whichever is taken.
    check(
        "",
        "var x = ints[0]; let old = x; if (id.x == 1u) { x = 9; } ints[1] = old + x;",
        &[5, 0],
        &[5, 14],
    );
}

#[test]
fn a_value_from_before_a_loop_stays_the_same_in_every_iteration() {
    // 10 is added three times, though x changes after its first use in the body.
    check(
        "",
        "var x = 10; let first = x; var sum = 0;
         for (var i = 0; i < 3; i++) { sum += first; x += 1; }
         ints[0] = sum; ints[1] = x;",
        &[0, 0],
        &[30, 13],
    );
}

#[test]
fn a_pointer_keeps_the_index_it_was_made_with() {
    check(
        "",
        "var i = 1; let p = &ints[i]; i = 2; *p = 8; ints[i] = 9;",
        &[0, 0, 0],
        &[0, 8, 9],
    );
}

#[test]
fn vectors_are_assigned_all_at_once() {
    check(
        "",
        "var v = vec3i(1, 2, 3); v = v.zxy; ints[0] = v.x; ints[1] = v.y; ints[2] = v.z;",
        &[0, 0, 0],
        &[3, 1, 2],
    );
    // The index is read before the component changes that it was read from.
    check(
        "",
        "var v = vec3i(2, 0, 5); v[v.x] = v.x; v[v.y] = 7; ints[0] = v.x; ints[1] = v.y; ints[2] = v.z;",
        &[0, 0, 0],
        &[7, 0, 2],
    );
}

#[test]
fn components_and_columns_by_run_time_indices() {
    check(
        "",
        "var m = mat2x2f(1.0, 2.0, 3.0, 4.0);
         let c = id.x; // 1
         m[c] = vec2f(5.0, 6.0);
         m[c - 1u][c] = 9.0;
         let t = transpose(m); // columns (1, 5) and (9, 6)
         ints[0] = i32(t[0][0]); ints[1] = i32(t[0][c]); ints[2] = i32(t[1].x); ints[3] = i32(m[c].y);",
        &[0; 4],
        &[1, 5, 9, 6],
    );
}

#[test]
fn matrix_products() {
    // Rows of a: (1 2 3), (4 5 6). a * (1, 0, 2) = (7, 16); (1, 10) * a = (41, 52, 63).
    check(
        "",
        "let a = mat3x2f(1.0, 4.0, 2.0, 5.0, 3.0, 6.0);
         let r = a * vec3f(1.0, 0.0, 2.0);
         ints[0] = i32(r.x); ints[1] = i32(r.y);
         let l = vec2f(1.0, 10.0) * a;
         ints[2] = i32(l.x); ints[3] = i32(l.y); ints[4] = i32(l.z);
         let p = a * mat2x3f(1.0, 0.0, 2.0, 0.0, 1.0, 0.0);
         ints[5] = i32(p[0].y); ints[6] = i32(p[1].x);
         ints[7] = i32(determinant(mat3x3f(2.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0)));",
        &[0; 8],
        // 24 = 2 * 3 * 4, the matrix being triangular.
        &[7, 16, 41, 52, 63, 16, 2, 24],
    );
}

#[test]
fn calls_see_what_callers_wrote_and_the_other_way_round() {
    check(
        "fn bump(p: ptr<function, i32>, by: i32) -> i32 { *p += 1; *p += by; return *p; }",
        "var x = 10;
         ints[0] = bump(&x, x); // x = 10 + 1 + 10
         let before = x;
         let r = bump(&x, 2); // 24
         x = 0;
         ints[1] = before; ints[2] = r; ints[3] = x;",
        &[0; 4],
        &[21, 21, 24, 0],
    );
    // The returned value is that of the moment of return.
    check(
        "fn peek(p: ptr<function, i32>) -> i32 { return *p; }",
        "var x = 3; let y = peek(&x); x = 4; ints[0] = y + 10 * peek(&x);",
        &[0],
        &[43],
    );
}

#[test]
fn an_argument_that_is_a_variable_may_be_written_by_the_callee() {
    check(
        "var<private> g: i32 = 5;
         fn swap_in(v: i32) -> i32 { g = 7; return v; }",
        "ints[0] = swap_in(g); ints[1] = g; let old = g; g = 1; ints[2] = old + g;",
        &[0; 3],
        &[5, 7, 8],
    );
}

#[test]
fn early_returns() {
    let find = "fn find(limit: i32) -> i32 {
        for (var i = 0; i < 10; i++) {
            if (i * i > limit) { return i; }
            switch i { case 8: { return -1; } default: {} }
        }
        return 100;
    }";
    // 3² > 8; 8 is reached for limits from 64 on.
    check(
        find,
        "ints[0] = find(8); ints[1] = find(64);",
        &[0, 0],
        &[3, -1],
    );
    let sign = "fn sign_of(x: i32) -> i32 {
        if (x < 0) { return -1; } else if (x > 0) { return 1; }
        return 0;
    }";
    check(
        sign,
        "for (var i = 0; i < 3; i++) { ints[i] = sign_of(ints[i]); }",
        &[-4, 0, 9],
        &[-1, 0, 1],
    );
}

#[test]
fn the_kernel_returns_early() {
    check(
        "fn stop() -> bool { return ints[0] == 1; }",
        "ints[1] = 1; if (stop()) { ints[2] = 2; return; } ints[3] = 3;",
        &[1, 0, 0, 0],
        &[1, 1, 2, 0],
    );
}

#[test]
fn locals_start_as_zero_each_time() {
    check(
        "fn count(add: i32) -> i32 { var n: i32; n += add; return n; }
         fn slots(at: u32) -> i32 { var a: array<i32, 3>; a[at] += 5; return a[0] + a[1] + a[2]; }",
        "var w = 0;
         for (var i = 0; i < 3; i++) {
           var fresh: i32;
           fresh += 2;
           w += fresh;
           ints[0] += count(10);
           ints[1] += slots(u32(i));
         }
         ints[2] = w;",
        &[0; 3],
        &[30, 15, 6],
    );
}

#[test]
fn loops_continue_and_break() {
    check(
        "",
        "var n = 0; var i = 0;
         loop {
           if (i == 2) { i += 2; continue; }
           n += i;
           continuing { i += 1; break if i >= 8; }
         }
         ints[0] = n; ints[1] = i; // 0 + 1 + 5 + 6 + 7
         var k = 0;
         while (true) { k += 3; if (k > 10) { break; } }
         ints[2] = k;",
        &[0; 3],
        &[19, 8, 12],
    );
}

#[test]
fn a_break_in_a_switch_leaves_the_switch_and_a_continue_the_iteration() {
    check(
        "",
        "var n = 0;
         for (var i = 0; i < 5; i++) {
           switch i {
             case 0, 3: { n += 100; if (i == 3) { break; } n += 10; }
             case 2: { continue; }
             default: { n += 1; }
           }
           n += 1000;
         }
         ints[0] = n;",
        &[0],
        // 0: 100 + 10; 1: 1; 2: nothing; 3: 100; 4: 1; 1000 in all but the third.
        &[4212],
    );
}

#[test]
fn the_right_side_of_an_operator_runs_only_when_it_must() {
    let touch = "fn touch(r: bool) -> bool { ints[3] += 1; return r; }";
    check(
        touch,
        "ints[0] = i32(id.x == 0u && touch(true));
         ints[1] = i32(id.x == 1u || touch(true));
         ints[2] = i32(id.x == 1u && touch(false) || touch(true));",
        &[0; 4],
        &[0, 1, 1, 2],
    );
    // Fused, since nothing but variables is read.
    check(
        "",
        "var a = id.x > 0u; var b = id.y > 5u;
         ints[0] = i32(a && !b && (b || a)); a = false; ints[1] = i32(a || b && a);",
        &[0; 2],
        &[1, 0],
    );
}

#[test]
fn arrays_are_values() {
    check(
        "fn sum(a: array<i32, 3>, at: u32) -> i32 { return a[0] + a[at]; }
         fn make(x: i32) -> array<i32, 3> { var r: array<i32, 3>; r[id_of(x)] = x; return r; }
         fn id_of(x: i32) -> u32 { return u32(x % 3); }
         const TABLE = array(7, 8, 9);",
        "var a = array<i32, 3>(1, 2, 3);
         let b = a;
         a[id.y] = 50;
         ints[0] = sum(a, id.y) + sum(b, id.y); // 51 + 4
         ints[1] = make(4)[id.x] + make(5)[0]; // 4 + 0
         ints[2] = TABLE[id.y] + TABLE[0];
         var c = a; c[0] = a[id.y]; a = c; ints[3] = a[0];",
        &[0; 4],
        &[55, 4, 16, 50],
    );
}

#[test]
fn structures_are_values() {
    check(
        "struct In { a: i32, b: vec2i } struct Out { x: In, y: array<In, 2>, z: bool }
         fn change(o: Out) -> Out { var r = o; r.y[1].b.y = o.x.a; r.x.a = 9; return r; }",
        "var o: Out; o.x.a = 4; o.z = true; o.y[0] = In(1, vec2i(2, 3));
         let p = change(o);
         o.y[0].b = vec2i(8);
         ints[0] = p.y[1].b.y; ints[1] = p.x.a; ints[2] = o.x.a; ints[3] = p.y[0].b.y + o.y[0].b.x + i32(p.z);",
        &[0; 4],
        &[4, 9, 4, 12],
    );
}

#[test]
fn long_arrays_are_copied_whole() {
    check(
        "struct Big { a: array<array<i32, 10>, 20>, n: i32 }",
        "var big: Big; big.a[3][id.x] = 5; big.n = 2;
         let copied = big;
         big.a[3][id.x] = 6;
         var other = copied;
         other.a[19][9] += copied.a[3][1] + copied.n;
         ints[0] = other.a[19][id.x * 9u]; ints[1] = copied.a[3][id.x]; ints[2] = big.a[3][id.x];
         other = Big(); ints[3] = other.a[3][id.x] + other.n;",
        &[9; 4],
        &[7, 5, 6, 0],
    );
}

#[test]
fn atomics_give_the_old_value() {
    let source = "struct S { a: atomic<i32>, b: atomic<i32> }
        @group(0) @binding(0) var<storage, read_write> s: S;
        @group(0) @binding(1) var<storage, read_write> ints: array<i32>;
        @compute @workgroup_size(1) fn main() {
          ints[0] = atomicAdd(&s.a, 5);
          let r = atomicCompareExchangeWeak(&s.a, 8, 1);
          ints[1] = r.old_value * 10 + i32(r.exchanged);
          ints[2] = atomicExchange(&s.b, atomicLoad(&s.a));
          let q = atomicCompareExchangeWeak(&s.b, 8, 2);
          ints[3] = q.old_value * 10 + i32(q.exchanged);
        }";
    let lowered = lower::lowered(source);
    let mut memory = BTreeMap::from([
        ("s".to_owned(), vec![3, 4]),
        ("ints".to_owned(), vec![0; 4]),
    ]);
    interpret::run(&lowered.kernel, &mut memory, &[]).expect("it runs");
    // 3 + 5 = 8 is exchanged for 1, which goes to b; b is then 1 and not 8.
    assert_eq!(memory["ints"], [3, 81, 4, 10]);
    assert_eq!(memory["s"], [1, 1]);
}

#[test]
fn defaults_are_computed_from_overrides() {
    let source = "override a: i32 = 3; override b: i32 = a * 10 + 1; override c: i32;
        @group(0) @binding(0) var<storage, read_write> ints: array<i32>;
        @compute @workgroup_size(1) fn main() { ints[0] = a; ints[1] = b + c; }";
    for (given, expected) in [
        (&[("c", 1.0)][..], [3, 32]),
        (&[("a", 5.0), ("c", 0.0)], [5, 51]),
        (&[("b", -7.0), ("c", 2.0)], [3, -5]),
    ] {
        let lowered = wgsl(source).lower(given).expect("it lowers");
        let mut memory = BTreeMap::from([("ints".to_owned(), vec![0; 2])]);
        interpret::run(&lowered.kernel, &mut memory, &[]).expect("it runs");
        let ints: Vec<_> = memory["ints"]
            .iter()
            .map(|word| word.cast_signed())
            .collect();
        assert_eq!(ints, expected, "{given:?}");
    }
}

#[test]
fn glsl_switches_fall_through_and_loops_run_at_least_once() {
    let source = "#version 450
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Data { int ints[]; };
        void main() {
          for (int i = 0; i < 4; i++) {
            int n = 0;
            switch (i) {
              case 0: n += 1;
              case 1: n += 10; break;
              case 2: n += 100;
              default: n += 1000;
            }
            ints[i] = n;
          }
          int k = 50;
          do { k++; } while (k < 10);
          ints[4] = k;
        }";
    let lowered = glsl(source).lower(&[]).expect("it lowers");
    assert_eq!(verify::verify(&lowered.kernel), Vec::<String>::new());
    let name = lowered.kernel.variables[0].name.clone();
    let mut memory = BTreeMap::from([(name.clone(), vec![0; 5])]);
    interpret::run(&lowered.kernel, &mut memory, &[]).expect("it runs");
    assert_eq!(memory[&name], [11, 10, 1100, 1000, 51]);
}
