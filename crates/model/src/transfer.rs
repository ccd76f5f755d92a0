//! The link between host and device: a resource of its own.
//!
//! Start at [`seconds`].

/// PCI Express 4.0, 16 lanes, one direction: 16 GT/s a lane in 128b/130b encoding, 31.5 GB/s before
/// packet overhead (PCI-SIG, PCI Express Base Specification 4.0), about 32 GB/s as commonly given.
pub const PCIE_4_X16_BYTES_PER_SECOND: f64 = 32e9;

/// Time of uploads and read-backs, one after the other. A direction that moves nothing needs no rate;
/// none where one that moves something has none.
pub fn seconds(
    uploaded_bytes: f64,
    upload_bytes_per_second: Option<f64>,
    read_back_bytes: f64,
    readback_bytes_per_second: Option<f64>,
) -> Option<f64> {
    let one_way = |bytes: f64, rate: Option<f64>| {
        if bytes == 0.0 {
            Some(0.0)
        } else {
            rate.map(|rate| bytes / rate)
        }
    };
    Some(
        one_way(uploaded_bytes, upload_bytes_per_second)?
            + one_way(read_back_bytes, readback_bytes_per_second)?,
    )
}

/// Times that device memory is faster than the link.
pub fn slower_than_device_memory(link_bytes_per_second: f64, dram_bytes_per_second: f64) -> f64 {
    dram_bytes_per_second / link_bytes_per_second
}
