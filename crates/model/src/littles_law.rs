//! Little's law: what must be in flight to keep a unit busy while loads take their time.
//!
//! Mean in flight = rate × latency (J. D. C. Little, “A proof for the queuing formula L = λW”,
//! Operations Research 9(3), 1961). Time may be in cycles or in seconds, as long as both factors
//! agree. Percentages are not clamped: needing 469 % of the slots is an answer. Start at
//! [`needed_in_flight`].

/// Requests (or bytes) that must be in flight to sustain `rate` per unit of time.
pub fn needed_in_flight(latency: f64, rate: f64) -> f64 {
    latency * rate
}

/// SIMD groups that hide `latency_cycles`, where each issues one load in every `instructions`
/// instructions and one instruction issues a cycle: while one group waits, each other one fills
/// `instructions` cycles.
pub fn simd_groups_to_hide(latency_cycles: f64, instructions_per_load: f64) -> f64 {
    latency_cycles / instructions_per_load
}

/// SIMD groups needed where each has `independent_loads` in flight.
pub fn simd_groups_needed(needed_in_flight: f64, independent_loads: f64) -> f64 {
    needed_in_flight / independent_loads
}

/// What is needed over what the unit can hold; above 1 no occupancy suffices.
pub fn needed_share(needed_in_flight: f64, most_in_flight: f64) -> f64 {
    needed_in_flight / most_in_flight
}

/// What is in flight over what is needed; above 1 the latency is hidden with that much to spare.
pub fn coverage(in_flight: f64, needed_in_flight: f64) -> f64 {
    in_flight / needed_in_flight
}

/// Share of time that the memory pipe idles, 0–1: it is busy for the share that is covered, and all
/// the time once everything is.
pub fn idle_fraction(in_flight: f64, needed_in_flight: f64) -> f64 {
    1.0 - coverage(in_flight, needed_in_flight).min(1.0)
}
