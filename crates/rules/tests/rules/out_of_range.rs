//! More bytes touched than a buffer has.

use crate::fixture::{checked, only, silent, vector_add};

/// 2²⁰ elements of 4 B are touched: a buffer of 4,096 B has too few, one of 4 MiB has enough.
#[test]
fn more_bytes_than_the_buffer_has_are_a_warning() {
    silent(&checked(vector_add()));
    let mut facts = vector_add();
    facts.buffers[1].size_bytes = Some(4_096);
    let findings = checked(facts);
    let found = only(&findings, "memory/out-of-range");
    assert!(
        found.message.starts_with("`b` has 4,096 B at this launch"),
        "{}",
        found.message
    );
}
