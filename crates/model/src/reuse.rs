//! Whether staging data in workgroup memory pays.
//!
//! Staging adds a store, a barrier and a load to every element, so an element must be used again
//! often enough by the workgroup to be worth it. Start at [`staging`].

/// What staging does to the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Staging {
    /// Costs more than it saves.
    Loses,
    /// About even: measure.
    AboutEven,
    /// Saves more than it costs.
    Wins,
}

impl Staging {
    /// The words that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Staging::Loses => "loses",
            Staging::AboutEven => "about even",
            Staging::Wins => "wins",
        }
    }
}

/// The rule of thumb: below 2 uses of an element within a workgroup staging loses, from 4 it wins,
/// and between them it is about even. None for a number of uses that is not a number.
pub fn staging(uses_per_element: f64) -> Option<Staging> {
    if uses_per_element.is_nan() {
        None
    } else if uses_per_element < 2.0 {
        Some(Staging::Loses)
    } else if uses_per_element < 4.0 {
        Some(Staging::AboutEven)
    } else {
        Some(Staging::Wins)
    }
}
