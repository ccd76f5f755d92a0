//! Bank conflicts of workgroup memory: how many turns one access of one SIMD group takes.
//!
//! Memory is cut into words of one bank's width; word `w` lies in bank `w mod banks`. A bank serves
//! one word a turn, to any number of lanes, so lanes that name the same word (two halves of an f16
//! pair included) do not conflict. Start at [`count`].

use crate::lanes::{Scratch, for_each_granule_range};

/// Bank counts that stay on the stack; 32 on the generic machines and NVIDIA, 64 on some AMD parts.
const STACK_BANKS: usize = 64;

/// What one access of one SIMD group asks of the banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankAccess {
    /// Distinct words that the lanes touch.
    pub words: u64,
    /// Most distinct words in one bank: the turns, or wavefronts, that the access takes.
    pub wavefronts: u64,
    /// Turns that as many words would take if they were spread evenly.
    pub ideal_wavefronts: u64,
}

impl BankAccess {
    /// Conflict degree: wavefronts over ideal wavefronts, 1 where nothing conflicts; none where no
    /// lane was active.
    pub fn degree(&self) -> Option<f64> {
        (self.ideal_wavefronts > 0).then(|| self.wavefronts as f64 / self.ideal_wavefronts as f64)
    }
}

/// Counts the words of one access by bank. `addresses` holds the byte address of each active lane
/// within workgroup memory, in any order.
///
/// # Panics
///
/// Where a size or the number of banks is zero.
pub fn count(addresses: &[u64], width_bytes: u64, banks: u32, bank_bytes: u32) -> BankAccess {
    assert!(
        width_bytes > 0 && banks > 0 && bank_bytes > 0,
        "widths and banks are above zero"
    );
    let mut stack = [0_u64; STACK_BANKS];
    let mut heap = Vec::new();
    let by_bank = if let Some(some) = stack.get_mut(..banks as usize) {
        some
    } else {
        heap.resize(banks as usize, 0);
        &mut heap[..]
    };
    let mut words = 0;
    let mut scratch = Scratch::new();
    let sorted = scratch.sorted(addresses);
    for_each_granule_range(sorted, width_bytes, u64::from(bank_bytes), |first, last| {
        words += last - first + 1;
        for word in first..=last {
            by_bank[(word % u64::from(banks)) as usize] += 1;
        }
    });
    BankAccess {
        words,
        wavefronts: by_bank.iter().copied().max().unwrap_or(0),
        ideal_wavefronts: words.div_ceil(u64::from(banks)),
    }
}

/// Conflict degree of [`count`]; none where no lane was active.
pub fn conflict_degree(
    addresses: &[u64],
    width_bytes: u64,
    banks: u32,
    bank_bytes: u32,
) -> Option<f64> {
    count(addresses, width_bytes, banks, bank_bytes).degree()
}
