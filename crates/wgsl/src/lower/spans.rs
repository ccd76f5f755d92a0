//! Spans that only the source text can tell exactly.

use std::collections::HashMap;

use cresta_ir::{Instruction, Kernel, Kind, visit};

use crate::source::lexer::significant_tokens;

/// Moves spans to where a person would point, given the WGSL text that kernels were lowered from.
///
/// naga has an `else if` start at its `else`; it is moved to the `if`. And naga keeps no place for
/// entry points: the kernel's is narrowed from its statements to `fn` and the name.
#[derive(Clone, Debug)]
pub struct SpanRefiner<'a> {
    text: &'a str,
    /// The `fn` and name of each function's declaration.
    declarations: HashMap<&'a str, (u32, u32)>,
}

impl<'a> SpanRefiner<'a> {
    /// Reads a file's text once for all of its kernels.
    pub fn new(text: &'a str) -> Self {
        let tokens = significant_tokens(text);
        let functions = tokens.windows(2).filter(|pair| pair[0].text(text) == "fn");
        let declarations = functions.filter_map(|pair| {
            let start = u32::try_from(pair[0].range.start).ok()?;
            let end = u32::try_from(pair[1].range.end).ok()?;
            Some((pair[1].text(text), (start, end)))
        });
        SpanRefiner {
            text,
            declarations: declarations.collect(),
        }
    }

    /// Moves the spans of a kernel.
    pub fn refine(&self, kernel: &mut Kernel) {
        let mut starts = Vec::new();
        collect(&kernel.body, kernel, self.text, &mut starts);
        for (span, start) in starts {
            kernel.spans[span].start = start;
        }
        if let Some(&declared) = self.declarations.get(kernel.entry.as_str()) {
            kernel.declared = declared;
        }
    }
}

/// Finds the spans of branches that start at an `else`, and where their `if` is.
fn collect(block: &[Instruction], kernel: &Kernel, text: &str, starts: &mut Vec<(usize, u32)>) {
    for Instruction { kind, span } in block {
        if let Kind::If { .. } = kind {
            let start = kernel.span(*span).start;
            if let Some(skipped) = after_else(text, start as usize) {
                starts.push((span.0 as usize, start + skipped));
            }
        }
        for inner in visit::nested(kind) {
            collect(inner, kernel, text, starts);
        }
    }
}

/// Bytes from an `else` to the `if` that follows it.
fn after_else(text: &str, start: usize) -> Option<u32> {
    let rest = text.get(start..)?;
    let mut after = rest.strip_prefix("else")?;
    loop {
        after = after.trim_start();
        after = if after.starts_with("//") {
            after.split_once('\n')?.1
        } else if let Some(comment) = after.strip_prefix("/*") {
            comment.split_once("*/")?.1
        } else {
            break;
        };
    }
    let skipped = u32::try_from(rest.len() - after.len()).ok()?;
    after.starts_with("if").then_some(skipped)
}
