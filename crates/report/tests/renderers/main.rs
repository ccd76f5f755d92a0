//! Renderers over a hand-written kernel, and the pages that are generated from the report types.

mod fixture;
mod generated_docs;
mod json;
mod text;
