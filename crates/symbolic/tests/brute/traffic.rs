//! Lines, sectors and banks of one access of one SIMD group, by naive sets.

use std::collections::BTreeSet;

use super::counts::AccessCounts;
use super::device::Device;

/// The distinct aligned pieces of `size` bytes that accesses of `width` bytes touch.
fn pieces(addresses: &[u64], width: u64, size: u64) -> Vec<u64> {
    let mut distinct = Vec::new();
    // All that were seen are below this, so that most need not be searched for.
    let mut above_all = 0;
    for &address in addresses {
        let mut piece = address / size;
        let end = (address + width - 1) / size + 1;
        while piece < end {
            if piece >= above_all {
                above_all = piece + 1;
                distinct.push(piece);
            } else if piece + 1 != above_all && !distinct.contains(&piece) {
                distinct.push(piece);
            }
            piece += 1;
        }
    }
    distinct
}

/// Adds the lines and sectors of one access of one SIMD group to storage or uniform buffers.
pub(super) fn add_lines(counts: &mut AccessCounts, addresses: &[u64], width: u64, device: &Device) {
    // Every address is a multiple of two, so that pieces of two bytes are fine enough.
    let bytes = 2 * pieces(addresses, width, 2).len() as u64;
    counts.lines += pieces(addresses, width, device.line_bytes).len() as u64;
    counts.ideal_lines += bytes.div_ceil(device.line_bytes);
    counts.sectors += pieces(addresses, width, device.sector_bytes).len() as u64;
    counts.ideal_sectors += bytes.div_ceil(device.sector_bytes);
}

/// Adds the turns that one access of one SIMD group to workgroup memory takes.
pub(super) fn add_wavefronts(
    counts: &mut AccessCounts,
    addresses: &[u64],
    width: u64,
    device: &Device,
) {
    let words = pieces(addresses, width, device.bank_bytes);
    let mut banks = vec![0; device.banks as usize];
    for word in &words {
        banks[(word % device.banks) as usize] += 1;
    }
    let wavefronts = banks.iter().max().copied().unwrap_or(0);
    let ideal = (words.len() as u64).div_ceil(device.banks);
    counts.wavefronts += wavefronts;
    counts.ideal_wavefronts += ideal;
    if ideal > 0 {
        let degree = wavefronts as f64 / ideal as f64;
        counts.worst_degree = counts.worst_degree.max(degree);
    }
}

/// The number of different addresses.
pub(super) fn distinct_addresses(addresses: &[u64]) -> u64 {
    addresses.iter().collect::<BTreeSet<_>>().len() as u64
}

/// The most lanes at one address.
pub(super) fn same_address(addresses: &[u64]) -> u64 {
    let of = |address| addresses.iter().filter(|other| **other == address).count();
    addresses
        .iter()
        .map(|&address| of(address))
        .max()
        .unwrap_or(0) as u64
}
