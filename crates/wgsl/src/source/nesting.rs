//! A guard against programs that nest so deeply that naga's recursive parser would overflow its
//! stack, which no caller can catch, and against functions so long that it would not come back.
//!
//! naga limits brackets and braces, but not chains: `a + a + …`, `- - - a`, `v.x.x…` and
//! `else if … else if …` become trees as deep as they are long. Browsers limit them far below
//! (Chromium: expression depth 512, statement nesting and chaining 127).
//!
//! naga goes through all expressions of a function for each new one, to type it: its time grows with
//! the square of the function's length, a second or so at 100,000 tokens.

use super::error::{Problem, SourceError};
use super::lexer::{Token, TokenKind};

/// Deepest expression that is passed on. Above the browsers' 512, since wgpu has no limit of its own.
pub(super) const MAXIMUM_EXPRESSION_DEPTH: usize = 1024;
/// Longest chain of `else if` that is passed on. Above the browsers' 127.
pub(super) const MAXIMUM_ELSE_CHAIN: usize = 256;

/// Tokens of the longest function that is passed on.
pub(super) const MAXIMUM_FUNCTION_TOKENS: usize = 300_000;

/// Fails at the token where an expression or a chain becomes too deep.
pub(super) fn refuse_deep_nesting(text: &str, tokens: &[Token]) -> Result<(), SourceError> {
    let mut expression = ExpressionDepth::default();
    let mut chain = ElseChain::default();
    let mut braces = Braces::default();
    for token in tokens {
        if braces.tokens_at(token) > MAXIMUM_FUNCTION_TOKENS {
            return Err(too_deep(
                token,
                "this function is too long",
                "move parts of it to functions of their own, or repeat them in a loop",
            ));
        }
        if expression.depth_at(token) > MAXIMUM_EXPRESSION_DEPTH {
            return Err(too_deep(
                token,
                "this expression nests too deeply",
                "split it into several statements; browsers stop at a depth of 512",
            ));
        }
        if chain.length_at(text, token) > MAXIMUM_ELSE_CHAIN {
            return Err(too_deep(
                token,
                "this chain of `else if` is too long",
                "use a `switch` or a table; browsers stop at 127",
            ));
        }
    }
    Ok(())
}

fn too_deep(token: &Token, message: &str, note: &str) -> SourceError {
    let mut problem = Problem::at(message, token.range.clone(), "the limit is reached here");
    problem.notes.push(note.to_owned());
    SourceError::Nesting(Box::new(problem))
}

/// An upper bound of the depth of the expression tree: its operators, counted for each bracket and
/// added up outwards, and the members and indices that follow one operand.
#[derive(Default)]
struct ExpressionDepth {
    brackets: Vec<(usize, usize)>,
    enclosing: usize,
    operators: usize,
    postfix: usize,
    /// End of the last operator character.
    operator_end: usize,
}

impl ExpressionDepth {
    fn depth_at(&mut self, token: &Token) -> usize {
        match token.kind {
            TokenKind::Punctuation('(' | '[') => {
                self.brackets.push((self.operators, self.postfix));
                self.enclosing += self.operators + self.postfix + 1;
                self.operators = 0;
                self.postfix = 0;
            }
            TokenKind::Punctuation(')' | ']') => {
                (self.operators, self.postfix) = self.brackets.pop().unwrap_or_default();
                self.enclosing = self
                    .enclosing
                    .saturating_sub(self.operators + self.postfix + 1);
                self.postfix += 1;
            }
            TokenKind::Punctuation('.') => self.postfix += 1,
            TokenKind::Punctuation(';' | '{' | '}') => *self = Self::default(),
            TokenKind::Punctuation(',') => (self.operators, self.postfix) = (0, 0),
            TokenKind::Punctuation(character) => {
                // `&&`, `<=` and their like are one operator; `--` is two negations.
                let joined = self.operator_end == token.range.start;
                if !(joined && matches!(character, '&' | '|' | '=' | '<' | '>')) {
                    self.operators += 1;
                }
                self.operator_end = token.range.end;
                self.postfix = 0;
            }
            _ => {}
        }
        self.enclosing + self.operators + self.postfix
    }
}

/// Tokens since the outermost brace was opened: of a function, or of a structure.
#[derive(Default)]
struct Braces {
    open: usize,
    tokens: usize,
}

impl Braces {
    fn tokens_at(&mut self, token: &Token) -> usize {
        if token.is('{') {
            self.open += 1;
        } else if token.is('}') {
            self.open = self.open.saturating_sub(1);
        }
        self.tokens = if self.open == 0 { 0 } else { self.tokens + 1 };
        self.tokens
    }
}

/// Length of the `else if` chain at each depth of braces.
#[derive(Default)]
struct ElseChain {
    depths: Vec<usize>,
    here: usize,
    after_close: bool,
}

impl ElseChain {
    fn length_at(&mut self, text: &str, token: &Token) -> usize {
        let continues = self.after_close && token.text(text) == "else";
        if continues {
            self.here += 1;
        } else if self.after_close {
            self.here = 0;
        }
        self.after_close = token.is('}');
        if token.is('{') {
            self.depths.push(self.here);
            self.here = 0;
        } else if token.is('}') {
            self.here = self.depths.pop().unwrap_or(0);
        }
        self.here
    }
}
