//! What the tests of whole analyses share.

use cresta_analysis::{Facts, Request, analyze};
use cresta_machine::builtin;
use cresta_model::launch::Launch;

/// Facts of the only kernel of a source, at a launch on `generic-mid`.
pub(crate) fn facts_at(source: &str, launch: &Launch) -> Facts {
    let request = Request {
        entry: None,
        machine: builtin("generic-mid").expect("built in"),
        launch,
        registers: None,
        simd_width: None,
    };
    let analysis = analyze("k.wgsl", source.into(), &request).expect("valid");
    let kernel = analysis.kernels.into_iter().next().expect("one kernel");
    kernel.expect("analysed")
}
