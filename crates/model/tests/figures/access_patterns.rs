//! Transactions, patterns and bank conflicts of one SIMD group of 32 lanes.

use crate::machines::assert_near;
use cresta_model::banks;
use cresta_model::transactions::{self, Pattern, Transactions};

/// Byte addresses of 32 lanes.
fn lanes(address: impl Fn(u64) -> u64) -> Vec<u64> {
    (0..32).map(address).collect()
}

/// The access at lines and sectors of 128 bytes.
fn at_128(addresses: &[u64], width_bytes: u64) -> Transactions {
    transactions::count(addresses, width_bytes, 128, 128)
}

#[test]
fn thread_a_row_touches_a_line_a_lane() {
    // Rows of 4096 f32 lie 16 KiB apart; 128 distinct bytes would fit one line.
    let row_sum = at_128(&lanes(|lane| lane * 4096 * 4), 4);
    assert_eq!((row_sum.lines, row_sum.ideal_lines), (32, 1));
    assert_eq!(row_sum.efficiency(), Some(0.03125));
    assert_eq!(
        (row_sum.pattern, row_sum.stride_bytes),
        (Pattern::Strided, Some(16_384))
    );
    // Each of 4096 rows keeps one line in use.
    assert_eq!(4096 * 128, 512 << 10);
}

#[test]
fn workgroup_a_row_touches_one_line() {
    let row_sum = at_128(&lanes(|lane| 1024 + lane * 4), 4);
    assert_eq!(row_sum.lines, 1);
    assert_eq!(row_sum.efficiency(), Some(1.0));
    assert_eq!(
        (row_sum.pattern, row_sum.stride_bytes),
        (Pattern::Contiguous, Some(4))
    );
}

#[test]
fn a_run_that_starts_mid_line_touches_two() {
    let access = at_128(&lanes(|lane| 64 + lane * 4), 4);
    assert_eq!((access.lines, access.ideal_lines), (2, 1));
    assert_eq!(access.efficiency(), Some(0.5));
    assert_eq!(access.pattern, Pattern::Misaligned);
}

#[test]
fn a_run_that_starts_mid_line_and_needs_two_lines_anyway_is_contiguous() {
    // 48 lanes of 4 bytes from byte 64: 192 bytes over lines 0 and 1, which is ceil(192 / 128).
    let addresses: Vec<u64> = (0..48).map(|lane| 64 + lane * 4).collect();
    assert_eq!(at_128(&addresses, 4).pattern, Pattern::Contiguous);
}

#[test]
fn one_field_of_a_64_byte_particle() {
    // Array of structs: 32 × 16 bytes need 4 lines, but two particles share a line: 16.
    let structs = at_128(&lanes(|lane| lane * 64), 16);
    assert_eq!((structs.lines, structs.ideal_lines), (16, 4));
    assert_eq!(structs.efficiency(), Some(0.25));
    assert_eq!(structs.pattern, Pattern::Strided);
    // Struct of arrays: the same bytes in one run.
    let arrays = at_128(&lanes(|lane| lane * 16), 16);
    assert_eq!(arrays.efficiency(), Some(1.0));

    // 10⁶ particles are 31,250 SIMD groups; at 400 GB/s. The stored u32 is one line each.
    let groups = 31_250.0;
    let bytes = |access: &Transactions| groups * access.sectors as f64 * 128.0;
    let stored = groups * 128.0;
    assert_eq!((bytes(&structs), bytes(&arrays)), (64e6, 16e6));
    assert_near(bytes(&structs) / 400e9, 160e-6, 1e-12);
    assert_near(bytes(&arrays) / 400e9, 40e-6, 1e-12);
    assert_near((bytes(&structs) + stored) / 400e9, 170e-6, 1e-12);
    assert_near((bytes(&arrays) + stored) / 400e9, 50e-6, 1e-12);
}

#[test]
fn naive_product_moves_one_and_a_half_times_its_request_in_square_groups() {
    let pitch = 1024 * 4;
    // 16 × 16 groups: a SIMD group is two rows of 16 columns.
    let a = at_128(&lanes(|lane| (lane / 16) * pitch), 4);
    let b = at_128(&lanes(|lane| (lane % 16) * 4), 4);
    assert_eq!(
        (a.lines, a.pattern, a.stride_bytes),
        (2, Pattern::Strided, Some(4096))
    );
    assert_eq!((b.lines, b.pattern), (1, Pattern::Contiguous));
    // 3 lines for 32 lanes × 2 loads × 4 bytes; N = 1024 requests 8.59 GB.
    let ratio = (a.lines + b.lines) as f64 * 128.0 / 256.0;
    assert_eq!(ratio, 1.5);
    let transferred = ratio * 2.0 * 1024_f64.powi(3) * 4.0;
    assert_near(transferred, 12.9e9, 0.05e9);
    assert_near(transferred / 400e9, 32.2e-3, 0.05e-3);

    // 32 × 8 groups: one row, so A is a broadcast and B a whole line: as many as requested.
    let a = at_128(&lanes(|_| 0), 4);
    let b = at_128(&lanes(|lane| lane * 4), 4);
    assert_eq!((a.lines + b.lines) * 128, 256);
    assert_eq!((a.pattern, a.efficiency()), (Pattern::Broadcast, Some(1.0)));
}

#[test]
fn tile_loads_are_runs_of_64_bytes() {
    let tile_rows = lanes(|lane| (lane / 16) * 4096 + (lane % 16) * 4);
    let access = at_128(&tile_rows, 4);
    assert_eq!(
        (access.pattern, access.stride_bytes),
        (Pattern::Segmented, None)
    );
    // Two half lines of the 128 bytes that one line could hold; whole sectors of 64 and of 32.
    for (sector_bytes, efficiency) in [(128, 0.5), (64, 1.0), (32, 1.0)] {
        let access = transactions::count(&tile_rows, 4, 128, sector_bytes);
        assert_eq!(
            access.efficiency(),
            Some(efficiency),
            "sectors of {sector_bytes}"
        );
        assert_eq!(access.lines, 2);
    }
}

#[test]
fn patterns_of_distinct_addresses_in_lane_order() {
    let pattern = |addresses: &[u64]| at_128(addresses, 4).pattern;
    assert_eq!(pattern(&[]), Pattern::Unknown);
    assert_eq!(pattern(&[12]), Pattern::Broadcast);
    assert_eq!(pattern(&[12, 12, 12]), Pattern::Broadcast);
    // The repeats of each address count once.
    assert_eq!(pattern(&[0, 0, 4, 4, 8, 8]), Pattern::Contiguous);
    assert_eq!(pattern(&[0, 4, 8, 0, 4, 8]), Pattern::Contiguous);
    assert_eq!(pattern(&[12, 8, 4, 0]), Pattern::Reversed);
    assert_eq!(pattern(&[12, 12, 8, 8]), Pattern::Reversed);
    assert_eq!(pattern(&[64, 48, 32]), Pattern::Strided);
    assert_eq!(at_128(&[64, 48, 32], 4).stride_bytes, Some(-16));
    // Runs of two and three.
    assert_eq!(pattern(&[0, 4, 100, 104, 108]), Pattern::Segmented);
    // A run of one among runs of two.
    assert_eq!(pattern(&[0, 4, 100, 200, 204]), Pattern::Scatter);
    // The same bytes as a run, but lanes swapped.
    assert_eq!(pattern(&[4, 0, 12, 8]), Pattern::Scatter);
}

#[test]
fn accesses_may_straddle_lines() {
    // 16 bytes from byte 120 lie in lines 0 and 1; the same 16 bytes twice move nothing more.
    assert_eq!(transactions::count_lines(&[120], 16, 128), 2);
    assert_eq!(transactions::count_lines(&[120, 120], 16, 128), 2);
    // 300 bytes from byte 100 lie in lines 0 to 3.
    assert_eq!(transactions::count_lines(&[100], 300, 128), 4);
    // Overlapping ranges 0..8 and 4..12 hold 12 distinct bytes.
    assert_eq!(at_128(&[0, 4], 8).distinct_bytes, 12);
}

#[test]
fn wavefronts_as_the_counters_of_an_h200_give_them() {
    for (lines, wavefronts) in [(1, 1.0), (2, 1.0), (8, 2.0), (12, 3.0), (32, 8.0)] {
        assert_eq!(transactions::wavefronts(lines, 4.0), wavefronts);
    }
}

#[test]
fn a_column_of_a_32_wide_tile_conflicts_32_ways() {
    // Rows of 32 words all start in bank 0: 32 distinct words there, for 32 that one turn could serve.
    let column = banks::count(&lanes(|lane| lane * 32 * 4), 4, 32, 4);
    assert_eq!((column.wavefronts, column.degree()), (32, Some(32.0)));
    // A pitch of 33 words moves each row one bank on.
    let padded = banks::count(&lanes(|lane| lane * 33 * 4), 4, 32, 4);
    assert_eq!((padded.wavefronts, padded.degree()), (1, Some(1.0)));
}

#[test]
fn accesses_that_do_not_conflict() {
    let degree = |addresses: &[u64], width| banks::conflict_degree(addresses, width, 32, 4);
    // One word for all lanes.
    assert_eq!(degree(&lanes(|_| 128), 4), Some(1.0));
    // Two f16 share each word.
    assert_eq!(degree(&lanes(|lane| lane * 2), 2), Some(1.0));
    // 128 words of vec4f spread evenly: four turns, of four that they need.
    let vectors = banks::count(&lanes(|lane| lane * 16), 16, 32, 4);
    assert_eq!(
        (vectors.words, vectors.wavefronts, vectors.degree()),
        (128, 4, Some(1.0))
    );
    // Two words in bank 0 and none elsewhere: two turns where one would do.
    assert_eq!(degree(&[0, 128], 4), Some(2.0));
    assert_eq!(degree(&[], 4), None);
    // The same addresses on 64 banks of 4 bytes: words 0 and 32 lie in different banks.
    assert_eq!(banks::conflict_degree(&[0, 128], 4, 64, 4), Some(1.0));
    // More banks than fit the stack.
    assert_eq!(banks::conflict_degree(&[0, 512], 4, 128, 4), Some(2.0));
}
