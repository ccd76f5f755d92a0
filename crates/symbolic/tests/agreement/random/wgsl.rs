//! Made-up kernels as WGSL.

use std::fmt::Write;

use super::TILE;
use super::statement::{BUILTINS, Change, Condition, Counting, Number, Statement};

/// Writes a kernel as WGSL.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) text: String,
    /// Counters of the loops around the current place.
    counters: Vec<String>,
    loops: usize,
}

impl Writer {
    fn number(&self, number: &Number) -> String {
        let both = |a: &Number, b: &Number| (self.number(a), self.number(b));
        match number {
            Number::Constant(value) => format!("{value}u"),
            Number::Parameter(which) => format!("d.p{which}"),
            Number::Builtin(which) => BUILTINS[usize::from(*which)].to_owned(),
            Number::Counter(which) => match self.counters.len() {
                0 => format!("d.p{which}"),
                loops => self.counters[usize::from(*which) % loops].clone(),
            },
            Number::Carried => "carried".to_owned(),
            Number::Odd(odd) => odd.index(),
            Number::Sum(a, b) => {
                let (a, b) = both(a, b);
                format!("({a} + {b})")
            }
            Number::Times(a, by) => format!("({} * {by}u)", self.number(a)),
            Number::Over(a, by) => format!("({} / {by}u)", self.number(a)),
            Number::Modulo(a, by) => format!("({} % {by}u)", self.number(a)),
            Number::Bits(a, operator, by) => format!("({} {operator} {by}u)", self.number(a)),
            Number::Least(a, b) => {
                let (a, b) = both(a, b);
                format!("min({a}, {b})")
            }
            Number::Apart(a, b) => {
                let (a, b) = both(a, b);
                format!("(max({a}, {b}) - min({a}, {b}))")
            }
            Number::Greatest(a, b) => {
                let (a, b) = both(a, b);
                format!("max({a}, {b})")
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(relation, a, b) => {
                format!("({} {relation} {})", self.number(a), self.number(b))
            }
            Condition::CompareOdd(relation, odd, b) => format!("({} {relation} {b}u)", odd.raw()),
            Condition::Both(a, b) => format!("({} && {})", self.condition(a), self.condition(b)),
            Condition::Either(a, b) => format!("({} || {})", self.condition(a), self.condition(b)),
            Condition::Not(a) => format!("!{}", self.condition(a)),
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("strings can be written to");
    }

    pub(super) fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Arithmetic => self.line("sum = sum * 2.0 + 1.0;"),
            Statement::Load(at) => self.line(&format!("sum += a[{}];", self.number(at))),
            Statement::Store(at) => self.line(&format!("b[{}] = sum;", self.number(at))),
            Statement::LoadTile(at) => {
                self.line(&format!("sum += tile[{} % {TILE}u];", self.number(at)));
            }
            Statement::StoreTile(at) => {
                self.line(&format!("tile[{} % {TILE}u] = sum;", self.number(at)));
            }
            Statement::If(condition, yes, no) => {
                self.line(&format!("if {} {{", self.condition(condition)));
                self.block(yes);
                self.line("} else {");
                self.block(no);
                self.line("}");
            }
            Statement::Switch(selector, [zero, odd, rest]) => {
                self.line(&format!(
                    "switch {} % 4u {{ case 0u: {{",
                    self.number(selector)
                ));
                self.block(zero);
                self.line("} default: {");
                self.block(rest);
                self.line("} case 1u, 3u: {");
                self.block(odd);
                self.line("} }");
            }
            Statement::Loop(counting, bound, body) => self.repeat(counting, bound, body),
            Statement::Carry(change) => {
                let value = match change {
                    Change::Add(number) => format!("carried + {}", self.number(number)),
                    Change::AddModulo(step, modulus) => format!("(carried + {step}u) % {modulus}u"),
                    Change::Flip => "carried ^ 1u".to_owned(),
                    Change::Halve => "carried >> 1u".to_owned(),
                    Change::Reset(number) => self.number(number),
                };
                self.line(&format!("carried = {value};"));
            }
            Statement::Break(condition) if !self.counters.is_empty() => {
                self.line(&format!("if {} {{ break; }}", self.condition(condition)));
            }
            Statement::Continue(condition) if !self.counters.is_empty() => {
                self.line(&format!("if {} {{ continue; }}", self.condition(condition)));
            }
            Statement::Return(condition) => {
                self.line(&format!("if {} {{ return; }}", self.condition(condition)));
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }

    fn repeat(&mut self, counting: &Counting, bound: &Number, body: &[Statement]) {
        let bound = self.number(bound);
        let i = format!("i{}", self.loops);
        self.loops += 1;
        let (head, tail) = match counting {
            Counting::Up {
                from,
                step,
                at_most,
            } => {
                let relation = if *at_most { "<=" } else { "<" };
                let head =
                    format!("for (var {i} = {from}u; {i} {relation} {bound}; {i} += {step}u) {{");
                (head, "}".to_owned())
            }
            Counting::Down => {
                let head = format!("for (var {i} = {bound}; {i} > 0u; {i}--) {{");
                (head, "}".to_owned())
            }
            Counting::Halving => {
                let head = format!("for (var {i} = {bound}; {i} > 0u; {i} >>= 1u) {{");
                (head, "}".to_owned())
            }
            Counting::Doubling => {
                let head = format!("for (var {i} = 1u; {i} < {bound}; {i} <<= 1u) {{");
                (head, "}".to_owned())
            }
            Counting::DownAround => {
                let head = format!("for (var {i} = {bound}; {i} < 100u; {i}--) {{");
                (head, "}".to_owned())
            }
            Counting::TestedLast => {
                let tail = format!("continuing {{ {i}++; break if {i} >= {bound}; }} }}");
                (format!("var {i} = 0u; loop {{"), tail)
            }
        };
        self.line(&head);
        self.counters.push(i);
        self.block(body);
        self.counters.pop();
        self.line(&tail);
    }
}
