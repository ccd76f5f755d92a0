//! The one place where a panic of naga is caught.
//!
//! naga's SPIR-V front end panics on some malformed binaries (`tests/source_formats.rs` makes it do so);
//! a broken file must not end a run over many. Nothing of what naga was building survives a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::SourceError;

/// Runs `work`, which calls naga, and turns a panic in it into [`SourceError::FrontEnd`].
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, SourceError>) -> Result<T, SourceError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(SourceError::FrontEnd {
            message: message.to_owned(),
        })
    })
}
