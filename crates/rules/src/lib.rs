//! Rules: from what is known of a kernel to what to say about it.
//!
//! A rule is a function from [`Facts`] to findings: diagnostics that point into the source, and
//! levers, each with the gain that the prediction gives it. Rules see nothing but facts, change
//! nothing, and never invent a number: a gain that is not known is `None` with what would settle it,
//! and a lever on a resource that does not bind gains 1.00× by construction and is listed as one that
//! does not pay. One rule is one file under `rules/`; its module documentation is also what
//! `cresta explain` prints and what `docs/rules` holds.
//!
//! Start at [`check`] to run them all, at [`REGISTRY`] to see what there is, and at
//! `rules/strided_access.rs` for a rule to copy.

mod change;
mod documentation;
mod finding;
mod group;
mod pages;
mod registry;
mod relief;
mod rules;
mod shape;
mod text;

pub use cresta_analysis::Facts;
pub use documentation::{Documentation, HEADINGS, Section};
pub use finding::{Diagnostic, Findings, Label, Lever, Severity};
pub use pages::{Page, pages};
pub use registry::{REGISTRY, Rule, Status, UnknownCode, check, find};
