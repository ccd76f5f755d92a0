//! Properties over random accesses and groups, against slow and obvious definitions.

use std::collections::{BTreeMap, BTreeSet};

use cresta_model::banks;
use cresta_model::occupancy::{GroupDemand, UnitLimits, occupancy};
use cresta_model::transactions::{self, Pattern};
use proptest::prelude::*;

/// Addresses of up to 160 lanes (more than fit the stack), from dense to far apart.
fn addresses() -> impl Strategy<Value = Vec<u64>> {
    let dense = prop::collection::vec(0_u64..300, 0..160);
    let sparse = prop::collection::vec(0_u64..1_000_000, 0..160);
    let affine = (0_u64..4096, 0_u64..600, 0_usize..160).prop_map(|(base, stride, lanes)| {
        (0..lanes as u64).map(|lane| base + lane * stride).collect()
    });
    prop_oneof![dense, sparse, affine]
}

fn granules(addresses: &[u64], width: u64, size: u64) -> BTreeSet<u64> {
    addresses
        .iter()
        .flat_map(|&address| address..address + width)
        .map(|byte| byte / size)
        .collect()
}

proptest! {
    #[test]
    fn counts_match_sets_of_bytes(addresses in addresses(), width in 1_u64..40, line in 1_u64..300, sector in 1_u64..100) {
        let counted = transactions::count(&addresses, width, line, sector);
        prop_assert_eq!(counted.lines, granules(&addresses, width, line).len() as u64);
        prop_assert_eq!(counted.sectors, granules(&addresses, width, sector).len() as u64);
        prop_assert_eq!(counted.distinct_bytes, granules(&addresses, width, 1).len() as u64);
        prop_assert_eq!(transactions::count_lines(&addresses, width, line), counted.lines);
        prop_assert!(counted.lines >= counted.ideal_lines);
        prop_assert!(counted.efficiency().is_none_or(|efficiency| efficiency <= 1.0));
    }

    #[test]
    fn lane_order_changes_the_pattern_and_no_count(addresses in addresses()) {
        let mut backwards = addresses.clone();
        backwards.reverse();
        let (one, other) = (
            transactions::count(&addresses, 4, 128, 32),
            transactions::count(&backwards, 4, 128, 32),
        );
        prop_assert_eq!((one.lines, one.sectors, one.distinct_bytes), (other.lines, other.sectors, other.distinct_bytes));
    }

    #[test]
    fn doubling_every_lane_changes_nothing(addresses in addresses()) {
        let doubled: Vec<u64> = addresses.iter().flat_map(|&address| [address, address]).collect();
        prop_assert_eq!(
            transactions::count(&addresses, 4, 128, 32),
            transactions::count(&doubled, 4, 128, 32)
        );
    }

    #[test]
    fn affine_accesses_are_classified_by_their_stride(base in 0_u64..64, stride in 0_u64..64, lanes in 2_u64..33) {
        let addresses: Vec<u64> = (0..lanes).map(|lane| base * 4 + lane * stride * 4).collect();
        let counted = transactions::count(&addresses, 4, 128, 32);
        let expected = match stride {
            0 => Pattern::Broadcast,
            1 if counted.lines == counted.ideal_lines => Pattern::Contiguous,
            1 => Pattern::Misaligned,
            _ => Pattern::Strided,
        };
        prop_assert_eq!(counted.pattern, expected);
        prop_assert_eq!(counted.stride_bytes, Some(i64::try_from(stride * 4).expect("small")));
    }

    #[test]
    fn bank_counts_match_sets_of_words(addresses in addresses(), width in 1_u64..20, banks in 1_u32..70) {
        let mut by_bank: BTreeMap<u64, u64> = BTreeMap::new();
        let words = granules(&addresses, width, 4);
        for word in &words {
            *by_bank.entry(word % u64::from(banks)).or_default() += 1;
        }
        let counted = banks::count(&addresses, width, banks, 4);
        prop_assert_eq!(counted.words, words.len() as u64);
        prop_assert_eq!(counted.wavefronts, by_bank.values().copied().max().unwrap_or(0));
        prop_assert!(counted.degree().is_none_or(|degree| degree >= 1.0));
    }

    #[test]
    fn steps_are_where_the_number_of_groups_changes(
        invocations in 1_u32..1025,
        bytes in 0_u64..20_000,
        registers in 1_u32..256,
        register_granularity in prop::sample::select(vec![1_u32, 8]),
        memory_granularity in prop::sample::select(vec![1_u32, 256]),
    ) {
        let limits = UnitLimits {
            simd_width: Some(32),
            registers: Some(65_536),
            register_granularity: Some(register_granularity),
            workgroup_memory_bytes: Some(65_536),
            workgroup_memory_granularity_bytes: Some(memory_granularity),
            invocations: Some(2_048),
            groups: Some(32),
            ..UnitLimits::default()
        };
        let at = |bytes: u64, registers: u64| {
            let group = GroupDemand {
                invocations,
                workgroup_memory_bytes: bytes,
                registers: Some(u32::try_from(registers).expect("at most the register file")),
            };
            occupancy(&group, &limits).groups.expect("slots are known")
        };
        let registers = u64::from(registers);
        let result = occupancy(
            &GroupDemand { invocations, workgroup_memory_bytes: bytes, registers: Some(u32::try_from(registers).expect("small")) },
            &limits,
        );
        let groups = result.groups.expect("slots are known");
        if let Some(steps) = result.register_steps {
            prop_assert!(steps.last_keeping.is_none_or(|last| at(bytes, last) == groups));
            prop_assert!(steps.lost_at.is_none_or(|lost_at| at(bytes, lost_at) < groups));
            prop_assert!(steps.won_at.is_none_or(|won_at| at(bytes, won_at) > groups));
        }
        if let Some(steps) = result.workgroup_memory_steps {
            prop_assert!(steps.last_keeping.is_none_or(|last| at(last, registers) == groups));
            prop_assert!(steps.lost_at.is_none_or(|lost_at| at(lost_at, registers) < groups));
            prop_assert!(steps.won_at.is_none_or(|won_at| at(won_at, registers) > groups));
        }
    }
}
