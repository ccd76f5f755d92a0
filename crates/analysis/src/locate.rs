//! Byte ranges to places in the source.

use std::ops::Range;

use cresta_ir::{Kernel, SpanId};
use cresta_wgsl::SpanRefiner;
use cresta_wgsl::source::{Language, SourceFile};

use crate::facts::{CallSite, Location};

/// Turns byte offsets into lines and columns; a source without positions gives line 0.
#[derive(Clone, Debug)]
pub(crate) struct Locator<'a> {
    file: Option<&'a SourceFile>,
    refiner: Option<SpanRefiner<'a>>,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(file: Option<&'a SourceFile>, language: Language) -> Self {
        let wgsl = file.filter(|_| language == Language::Wgsl);
        Locator {
            file,
            refiner: wgsl.map(|file| SpanRefiner::new(&file.text)),
        }
    }

    /// Moves a kernel's spans to where a person would point, where its language tells.
    pub(crate) fn refine(&self, kernel: &mut Kernel) {
        if let Some(refiner) = &self.refiner {
            refiner.refine(kernel);
        }
    }

    pub(crate) fn position(&self, byte: u32) -> (u32, u32) {
        self.file
            .map_or((0, 0), |file| file.line_column(byte as usize))
    }

    pub(crate) fn range(&self, range: Range<usize>) -> Location {
        let (line, column) = self
            .file
            .map_or((0, 0), |file| file.line_column(range.start));
        Location {
            start: range.start,
            end: range.end,
            line,
            column,
            call_chain: Vec::new(),
        }
    }

    pub(crate) fn declared(&self, range: (u32, u32)) -> Location {
        self.range(range.0 as usize..range.1 as usize)
    }

    pub(crate) fn span(&self, kernel: &Kernel, span: SpanId) -> Location {
        let source = kernel.span(span);
        let mut location = self.declared((source.start, source.end));
        location.call_chain = kernel
            .call_chain(span)
            .map(|call| {
                let (line, column) = self.position(call.site.start);
                CallSite {
                    function: call.function.clone(),
                    line,
                    column,
                }
            })
            .collect();
        location
    }
}
