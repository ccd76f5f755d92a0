//! Formulas as text.

use std::cmp::Reverse;
use std::fmt::Write as _;

use smallvec::SmallVec;

use crate::arena::{Arena, Atom, Bitwise};
use crate::poly::{AtomId, Monomial, Poly};

impl Arena {
    /// The polynomial as a formula: `2*d.M*d.N*d.K`, highest degree first.
    pub fn format(&self, poly: &Poly) -> String {
        let mut text = Formula {
            arena: self,
            text: String::new(),
        };
        text.poly(poly);
        text.text
    }

    /// `a` such that `floor((a + b - 1) / b)` is the quotient.
    fn as_ceiling(&self, a: &Poly, b: &Poly) -> Option<Poly> {
        let numerator = a.sub(b).add_integer(1);
        let ceiling = numerator.terms().len() < a.terms().len();
        let rounds_up = b
            .as_integer()
            .is_some_and(|divisor| a.constant_term() == divisor - 1);
        (ceiling || rounds_up).then_some(numerator)
    }
}

/// A formula in the making.
struct Formula<'a> {
    arena: &'a Arena,
    text: String,
}

impl Formula<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn number(&mut self, value: impl std::fmt::Display) {
        // a string takes everything
        let _ = write!(self.text, "{value}");
    }

    fn poly(&mut self, poly: &Poly) {
        let terms = poly.terms().iter().map(|(monomial, c)| (monomial, *c));
        match poly.denominator() {
            1 => self.terms(terms),
            denominator if poly.terms().len() == 1 => {
                self.terms(terms);
                self.push("/");
                self.number(denominator);
            }
            denominator => {
                self.push("(");
                self.terms(terms);
                self.push(")/");
                self.number(denominator);
            }
        }
    }

    fn terms<'t>(&mut self, terms: impl Iterator<Item = (&'t Monomial, i128)>) {
        let degree = |m: &Monomial| m.iter().map(|&(_, power)| u32::from(power)).sum::<u32>();
        let mut terms: SmallVec<[_; 8]> = terms.collect();
        terms.sort_by_key(|(monomial, _)| Reverse(degree(monomial)));
        if terms.is_empty() {
            self.push("0");
        }
        for (index, (monomial, coefficient)) in terms.into_iter().enumerate() {
            self.push(match (index, coefficient < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            });
            let size = coefficient.unsigned_abs();
            let shows_size = size != 1 || monomial.is_empty();
            if shows_size {
                self.number(size);
            }
            for (index, &(atom, power)) in monomial.iter().enumerate() {
                if index > 0 || shows_size {
                    self.push("*");
                }
                self.atom(atom);
                if power != 1 {
                    self.push("^");
                    self.number(power);
                }
            }
        }
    }

    fn atom(&mut self, id: AtomId) {
        let arena = self.arena;
        let Some(atom) = arena.atom(id) else {
            return self.push("overflow");
        };
        match atom {
            Atom::Symbol(_) => self.push(arena.symbol(id).map_or("", |symbol| &symbol.name)),
            Atom::FloorDiv(a, b) => match arena.as_ceiling(a, b) {
                Some(numerator) => self.factors("ceil(", &numerator, " / ", b),
                None => self.factors("floor(", a, " / ", b),
            },
            Atom::Mod(a, b) => self.factors("(", a, " % ", b),
            Atom::Min(a, b) => self.polys("min(", a, ", ", b),
            Atom::Max(a, b) => self.polys("max(", a, ", ", b),
            Atom::NonNegative(p) => self.inequality(p, " >= "),
            Atom::Zero(p) => self.inequality(p, " == "),
            Atom::Not(p) => match p.as_atom().and_then(|id| arena.atom(id)) {
                Some(Atom::Zero(p)) => self.inequality(p, " != "),
                _ => {
                    self.push("(1 - ");
                    self.grouped(p, !matches!(p.terms(), [(_, 1..)]));
                    self.push(")");
                }
            },
            Atom::PowerOfTwo(p) => {
                self.push("2^");
                self.grouped(p, true);
            }
            Atom::BitLength(p) => {
                self.push("bits");
                self.grouped(p, true);
            }
            Atom::Bitwise(operation, a, b) => {
                let sign = match operation {
                    Bitwise::And => " & ",
                    Bitwise::Or => " | ",
                    Bitwise::Xor => " ^ ",
                };
                self.factors("(", a, sign, b);
            }
            Atom::Sum {
                variable,
                count,
                body,
            } => {
                self.push("sum(");
                self.atom(*variable);
                self.polys(" < ", count, ": ", body);
            }
        }
    }

    /// Two formulas with their separators and a closing parenthesis.
    fn polys(&mut self, before: &str, a: &Poly, between: &str, b: &Poly) {
        self.push(before);
        self.poly(a);
        self.push(between);
        self.poly(b);
        self.push(")");
    }

    /// The same, each in parentheses of its own unless it is one atom or number.
    fn factors(&mut self, before: &str, a: &Poly, between: &str, b: &Poly) {
        let is_simple = |poly: &Poly| {
            poly.as_atom().is_some() || poly.as_integer().is_some_and(|value| value >= 0)
        };
        self.push(before);
        self.grouped(a, !is_simple(a));
        self.push(between);
        self.grouped(b, !is_simple(b));
        self.push(")");
    }

    fn grouped(&mut self, poly: &Poly, parentheses: bool) {
        if parentheses {
            self.push("(");
        }
        self.poly(poly);
        if parentheses {
            self.push(")");
        }
    }

    /// Positive terms on the left, negative ones on the right.
    fn inequality(&mut self, p: &Poly, relation: &str) {
        let side = |sign: i128| {
            let terms = p.terms().iter().filter(move |(_, c)| c.signum() == sign);
            terms.map(move |(monomial, c)| (monomial, sign * c))
        };
        self.push("[");
        self.terms(side(1));
        self.push(relation);
        self.terms(side(-1));
        self.push("]");
    }
}
