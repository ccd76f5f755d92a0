//! Strides, scattered addresses, structures and data-dependent addresses.

use cresta_analysis::{AccessFacts, Basis, CallSite, Facts, Operation, Unknown};
use cresta_model::prediction::Resource;
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_rules::Severity;

use crate::fixture::{
    ELEMENTS, SIMD_GROUPS, access, checked, close, diagnostics, lever, only, shaped, silent,
    vector_add, with_units,
};

const CODE: &str = "memory/strided-access";

/// A row a lane: 32 lines a load, 16,384 bytes apart.
fn row_sum() -> Facts {
    let load = access("m", 20, Operation::Load);
    Facts {
        accesses: vec![shaped(load, Pattern::Strided, Some(16_384), (32.0, 1.0))],
        ..vector_add()
    }
}

fn particles(members: &[&str]) -> Facts {
    let load = |(index, member): (usize, &&str)| {
        let mut load = access("particles", 20 + index as u32, Operation::Load);
        load.member = Some((*member).to_owned());
        load.bytes_per_lane = Some(16);
        shaped(load, Pattern::Strided, Some(64), (16.0, 4.0))
    };
    Facts {
        accesses: members.iter().enumerate().map(load).collect(),
        ..vector_add()
    }
}

#[test]
fn a_good_kernel_is_left_alone() {
    silent(&checked(vector_add()));
}

#[test]
fn a_row_a_lane_is_a_warning_with_its_numbers() {
    let findings = checked(row_sum());
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "`m` is read with 16,384 B between neighbouring lanes: 32 transactions where 1 would do, 3.1 % of what is moved is used"
    );
    // 2^15 SIMD groups × 32 lines × 128 B, and a thirty-second of it.
    assert_eq!(
        found.notes[0],
        "the launch moves 134 MB here where 4.19 MB would do"
    );
}

#[test]
fn the_gain_is_that_of_the_sectors_while_dram_still_binds() {
    // DRAM falls 32-fold, from 335 µs to 10.5 µs; 2^20 FLOP take 0.1 µs.
    let findings = checked(row_sum());
    let lever = lever(&findings, CODE);
    close(lever.gain, 32.0);
    assert_eq!(
        (lever.step, lever.pays, lever.resource),
        (4, true, Some(Resource::Dram))
    );
    assert!(
        lever.why.contains("dram falls from 336 µs to 10.5 µs"),
        "{}",
        lever.why
    );
}

#[test]
fn the_gain_ends_where_the_next_resource_binds() {
    // DRAM: 134,217,728 B / 400 GB/s = 335.5 µs. Compute: 10^9 FLOP / 10 TFLOP/s = 100 µs.
    let mut facts = row_sum();
    facts.demand.f32_flops = Some(1e9);
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    close(lever.gain, SIMD_GROUPS * 32.0 * 128.0 / 400e9 / 100e-6);
    assert!(lever.why.ends_with("then compute binds"), "{}", lever.why);
}

#[test]
fn nothing_is_gained_while_compute_binds() {
    // 10^10 FLOP take 1 ms, three times what DRAM takes.
    let mut facts = row_sum();
    facts.demand.f32_flops = Some(1e10);
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    close(lever.gain, 1.0);
    assert!(!lever.pays);
    assert_eq!(
        lever.why,
        "compute binds with 1 ms, against 336 µs of dram, which has room for 2.98× as much"
    );
}

#[test]
fn a_cache_that_holds_the_lines_leaves_nothing_to_gain() {
    let mut facts = row_sum();
    facts.compulsory = Quantity::constant(4.0 * ELEMENTS);
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    close(lever.gain_low, 1.0);
    close(lever.gain_high, 32.0);
}

#[test]
fn latency_does_not_shrink_with_the_bytes_of_a_load() {
    // One load of 32 lines in flight for each of 64 SIMD groups of 100 units: 2^15 loads take
    // 2^15 / 6400 × 500 ns = 2.56 µs, with 32 lines or with one.
    let mut facts = row_sum();
    facts.machine = with_units();
    facts.demand.loads_in_flight = Some(1.0);
    facts.demand.bytes_per_load = Some(4096.0);
    facts.machine.dram.bytes_per_second = Some(400e12);
    facts.workgroups = Some([16_400, 1, 1]);
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    close(lever.gain, 1.0);
    assert!(lever.why.starts_with("latency binds"), "{}", lever.why);
}

#[test]
fn without_a_launch_the_gain_is_unknown_and_says_why() {
    let mut facts = row_sum();
    facts.workgroups = None;
    facts.accesses[0].total = None;
    facts.unknowns.push(Unknown {
        name: "wg.x".to_owned(),
        meaning: "workgroups along x".to_owned(),
        settle: "--workgroups X,Y,Z".to_owned(),
        of_data: false,
    });
    let findings = checked(facts);
    assert_eq!(only(&findings, CODE).severity, Severity::Warning);
    let lever = lever(&findings, CODE);
    assert_eq!((lever.gain, lever.pays), (None, true));
    assert!(
        lever
            .why
            .contains("the traffic of `m` at the launch is unknown"),
        "{}",
        lever.why
    );
}

#[test]
fn a_rare_access_is_a_note() {
    // 32 lines once against 64 contiguous ones: 31 of 96 is above a tenth, at 640 it is 31 of 672.
    let mut facts = row_sum();
    let mut often = access("a", 30, Operation::Load);
    often.simd_executions = Quantity::constant(640.0 * SIMD_GROUPS);
    facts
        .accesses
        .push(shaped(often, Pattern::Contiguous, Some(4), (1.0, 1.0)));
    assert_eq!(only(&checked(facts), CODE).severity, Severity::Note);
}

#[test]
fn a_member_of_a_structure_is_to_have_an_array_of_its_own() {
    let findings = checked(particles(&["position"]));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "`particles` is read with 64 B between neighbouring lanes: 16 transactions where 4 would do, 25 % of what is moved is used"
    );
    assert!(
        found
            .help
            .as_deref()
            .is_some_and(|help| help.contains("`position`"))
    );
    // The load alone: 25 % to 100 %.
    close(lever(&findings, CODE).gain, 4.0);
}

#[test]
fn members_that_use_the_structure_together_are_one_note() {
    let findings = checked(particles(&["position", "velocity", "color", "attributes"]));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(found.labels.len(), 3);
    assert!(
        found
            .message
            .contains("100 % of it used by the members together"),
        "{}",
        found.message
    );
}

#[test]
fn the_columns_of_a_matrix_count_each_and_once() {
    // Columns at 16, 32 and 48 of a 64-byte structure, 12 B each: 36 of 64 B, more than half.
    let columns = |line| {
        [16, 32, 48].map(|offset| {
            let mut load = access("particles", line, Operation::Load);
            load.member = Some("C".to_owned());
            load.bytes_per_lane = Some(12);
            load.address = format!("64*lid.x + {offset}");
            shaped(load, Pattern::Strided, Some(64), (16.0, 3.0))
        })
    };
    let check = |accesses: Vec<_>| {
        let findings = checked(Facts {
            accesses,
            ..vector_add()
        });
        let found = only(&findings, CODE);
        assert_eq!(found.severity, Severity::Note);
        // 36 / 64 = 56.25 %, from one place or from two; a tie rounds to even.
        assert!(found.message.contains("56.2 %"), "{}", found.message);
    };
    check(columns(20).to_vec());
    check([columns(20), columns(21)].concat());
}

#[test]
fn a_whole_matrix_a_lane_is_a_note() {
    // `mat4x4f`: four columns of 16 B at a stride of 64 B, all of it used.
    let columns = [0, 16, 32, 48].map(|offset| {
        let mut load = access("m", 20, Operation::Load);
        load.bytes_per_lane = Some(16);
        load.address = format!("64*lid.x + {offset}");
        load.address_offset = offset;
        shaped(load, Pattern::Strided, Some(64), (16.0, 4.0))
    });
    let check = |accesses: &[AccessFacts]| {
        let findings = checked(Facts {
            accesses: accesses.to_vec(),
            ..vector_add()
        });
        let found = only(&findings, CODE);
        (found.severity, found.message.clone())
    };
    let (severity, message) = check(&columns);
    assert_eq!(severity, Severity::Note);
    assert!(
        message.contains("100 % of it used by the accesses together"),
        "{message}"
    );
    // One column alone wastes the other three.
    assert_eq!(check(&columns[..1]).0, Severity::Warning);
}

#[test]
fn an_inlined_access_is_one_finding() {
    let mut facts = row_sum();
    let first = facts.accesses.remove(0);
    for line in 0..10 {
        let mut access = first.clone();
        access.location.call_chain = vec![CallSite {
            function: "fetch".to_owned(),
            line,
            column: 1,
        }];
        facts.accesses.push(access);
    }
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert!(
        found
            .notes
            .contains(&"reached through 10 inlined calls of `fetch`".to_owned())
    );
    close(lever(&findings, CODE).gain, 32.0);
}

#[test]
fn a_stride_of_two_elements_fires_and_vec3_in_vec4_does_not() {
    let strided = |stride, shape| {
        let load = access("m", 20, Operation::Load);
        checked(Facts {
            accesses: vec![shaped(load, Pattern::Strided, Some(stride), shape)],
            ..vector_add()
        })
    };
    assert_eq!(
        only(&strided(8, (2.0, 1.0)), CODE).severity,
        Severity::Warning
    );
    // 32 lanes × 12 B = 3 lines where 4 are moved.
    silent(&strided(16, (4.0, 3.0)));
}

#[test]
fn an_address_that_depends_on_data_is_a_note_that_says_what_settles_it() {
    let mut facts = row_sum();
    let gather = &mut facts.accesses[0];
    gather.pattern = Pattern::Unknown;
    gather.stride_bytes = None;
    gather.basis = Basis::Data;
    gather.traffic = None;
    gather.total = None;
    gather.address = "4*index[gid.x]".to_owned();
    facts.unknowns.push(Unknown {
        name: "index[".to_owned(),
        meaning: "contents of `index`".to_owned(),
        settle: "--buffer index=FILE".to_owned(),
        of_data: false,
    });
    let findings = checked(facts.clone());
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Note);
    assert!(
        found.message.contains("depends on data"),
        "{}",
        found.message
    );
    assert_eq!(
        found.notes.last().map(String::as_str),
        Some("settle it with --buffer index=FILE")
    );

    // what is merely not reached, or too much to count, is no dependence on data
    for basis in [Basis::NotReached, Basis::TooManyCases, Basis::NeverRuns] {
        facts.accesses[0].basis = basis;
        assert!(diagnostics(&checked(facts.clone()), CODE).is_empty());
    }
}

#[test]
fn a_broadcast_and_a_reversed_run_are_fine() {
    let mut facts = vector_add();
    facts.accesses[0].pattern = Pattern::Broadcast;
    facts.accesses[0].stride_bytes = Some(0);
    facts.accesses[1].pattern = Pattern::Reversed;
    facts.accesses[1].stride_bytes = Some(-4);
    silent(&checked(facts));
}

/// `m[2 * i]` and `m[2 * i + 1]`: either uses half of its lines, both together all of them. That is a note,
/// and nothing to gain.
#[test]
fn accesses_that_together_use_their_lines_leave_nothing_to_gain() {
    let half = |line: u32, offset: i64| {
        let store = access("m", line, Operation::Store);
        AccessFacts {
            address_base: "8*gid.x".to_owned(),
            address_offset: offset,
            ..shaped(store, Pattern::Strided, Some(8), (2.0, 1.0))
        }
    };
    let facts = Facts {
        accesses: vec![half(20, 0), half(21, 4)],
        ..vector_add()
    };
    let findings = checked(facts.clone());
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Note);
    assert!(
        found
            .message
            .ends_with("100 % of it used by the accesses together"),
        "{}",
        found.message
    );
    assert!(findings.levers.iter().all(|lever| lever.code != CODE));

    // Three quarters of 16 B, in three pieces: the launch moves 3 × 4 lines for 4, of which a quarter,
    // one line of twelve, is used by none: 12 / 11.
    let third = |line: u32, offset: i64| {
        let load = access("m", line, Operation::Load);
        AccessFacts {
            address_base: "16*gid.x".to_owned(),
            address_offset: offset,
            ..shaped(load, Pattern::Strided, Some(16), (4.0, 1.0))
        }
    };
    let facts = Facts {
        accesses: vec![third(20, 0), third(21, 4), third(22, 8)],
        ..facts
    };
    let findings = checked(facts);
    close(lever(&findings, CODE).gain, 12.0 / 11.0);
}

/// Rows of one variable in three lines, of which one is written, and a second stride in a fourth: the
/// first three share an index. 32 lines where one would do are 31/32 of what is moved in vain.
#[test]
fn one_variable_has_one_lever() {
    let mut facts = vector_add();
    for (line, operation, stride) in [
        (20, Operation::Load, 512),
        (21, Operation::Load, 512),
        (22, Operation::Store, 512),
        (23, Operation::Load, 1024),
    ] {
        let mut row = shaped(
            access("m", line, operation),
            Pattern::Strided,
            Some(stride),
            (32.0, 1.0),
        );
        row.address_base = format!("{stride}*lid.x");
        row.executions.formula = format!("n*[k >= {line}]");
        facts.accesses.push(row);
    }
    let findings = checked(facts);
    let found = diagnostics(&findings, CODE);
    assert_eq!(found.len(), 2);
    assert!(
        found[0]
            .message
            .starts_with("`m` is read and written with 512 B")
    );
    assert_eq!(found[0].labels.len(), 2);
    // 3 lines of the sum and 4 × 32 become 3 + 4
    close(lever(&findings, CODE).gain_high, 131.0 / 7.0);
}
