//! Addresses at the end of memory.

use cresta_model::{banks, transactions};

#[test]
fn the_last_bytes_of_memory_are_counted() {
    // 2⁶⁴ - 8 and 2⁶⁴ - 4 lie in one line of 128 bytes; the last byte, 2⁶⁴ - 1, is beyond what an end
    // below 2⁶⁴ can tell, so that 7 of the 8 bytes are distinct.
    let last = [u64::MAX - 7, u64::MAX - 3];
    let access = transactions::count(&last, 4, 128, 32);
    assert_eq!((access.lines, access.sectors), (1, 1));
    assert_eq!(access.distinct_bytes, 7);
    // Two words at the end of memory, in two banks.
    assert_eq!(banks::count(&last, 4, 32, 4).wavefronts, 1);
}

#[test]
fn lanes_that_far_apart_are_a_line_each() {
    let access = transactions::count(&[0, u64::MAX - 3, 1 << 63], 4, 128, 128);
    assert_eq!(access.lines, 3);
}
