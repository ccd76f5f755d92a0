//! The byte addresses of one SIMD group, sorted or made distinct without allocating.
//!
//! Both orders are asked for once per access of every SIMD group, so the usual widths stay on the
//! stack and the usual shapes (already ascending) are not copied.

/// Widest SIMD group whose addresses stay on the stack; the widest that a WebGPU adapter reports.
const STACK_LANES: usize = 128;

/// Room for the addresses of one SIMD group.
pub(crate) struct Scratch {
    stack: [u64; STACK_LANES],
    heap: Vec<u64>,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Scratch {
            stack: [0; STACK_LANES],
            heap: Vec::new(),
        }
    }

    fn room(&mut self, lanes: usize) -> &mut [u64] {
        if lanes > STACK_LANES {
            self.heap.resize(lanes, 0);
            &mut self.heap[..lanes]
        } else {
            &mut self.stack[..lanes]
        }
    }

    /// The addresses in ascending order, repeats kept.
    pub(crate) fn sorted<'a>(&'a mut self, addresses: &'a [u64]) -> &'a [u64] {
        if addresses.is_sorted() {
            return addresses;
        }
        let room = self.room(addresses.len());
        room.copy_from_slice(addresses);
        room.sort_unstable();
        room
    }

    /// The distinct addresses in the order in which lanes first name them.
    pub(crate) fn distinct<'a>(&'a mut self, addresses: &'a [u64]) -> &'a [u64] {
        if addresses.is_sorted_by(|a, b| a < b) {
            return addresses;
        }
        let monotone =
            addresses.is_sorted_by(|a, b| a <= b) || addresses.is_sorted_by(|a, b| a >= b);
        let room = self.room(addresses.len());
        let mut kept = 0;
        for &address in addresses {
            let seen = if monotone {
                kept > 0 && room[kept - 1] == address
            } else {
                room[..kept].contains(&address)
            };
            if !seen {
                room[kept] = address;
                kept += 1;
            }
        }
        &room[..kept]
    }
}

/// Calls `visit` with each run of distinct granules (lines, sectors, words) that ascending
/// `[address, address + width)` ranges touch, as first and last granule number, in ascending order
/// and without overlap. Memory ends at 2⁶⁴ - 1: bytes from there on are not counted.
pub(crate) fn for_each_granule_range(
    sorted: &[u64],
    width_bytes: u64,
    granule_bytes: u64,
    mut visit: impl FnMut(u64, u64),
) {
    let mut covered_end = 0;
    for &address in sorted {
        let end = address.saturating_add(width_bytes);
        if end > covered_end {
            let first = address.max(covered_end) / granule_bytes;
            let last = (end - 1) / granule_bytes;
            visit(first, last);
            covered_end = last.saturating_add(1).saturating_mul(granule_bytes);
        }
    }
}
