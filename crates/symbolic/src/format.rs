//! Formulas as text.

use crate::arena::{Arena, Atom, Bitwise};
use crate::poly::{AtomId, Poly};

impl Arena {
    /// The polynomial as a formula: `2*d.M*d.N*d.K`, highest degree first.
    pub fn format(&self, poly: &Poly) -> String {
        if poly.is_zero() {
            return "0".to_owned();
        }
        let mut terms: Vec<_> = poly.terms().iter().collect();
        let degree = |m: &crate::poly::Monomial| m.iter().map(|&(_, p)| u32::from(p)).sum::<u32>();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(degree(monomial)));
        let mut text = String::new();
        for (monomial, coefficient) in terms {
            let sign = match (text.is_empty(), *coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let size = coefficient.unsigned_abs();
            let mut factors = Vec::new();
            if size != 1 || monomial.is_empty() {
                factors.push(size.to_string());
            }
            for &(atom, power) in monomial {
                let factor = self.format_atom(atom);
                factors.push(if power == 1 {
                    factor
                } else {
                    format!("{factor}^{power}")
                });
            }
            text.push_str(&factors.join("*"));
        }
        match poly.denominator() {
            1 => text,
            denominator if poly.terms().len() == 1 => format!("{text}/{denominator}"),
            denominator => format!("({text})/{denominator}"),
        }
    }

    fn format_atom(&self, id: AtomId) -> String {
        let Some(atom) = self.atom(id) else {
            return "overflow".to_owned();
        };
        match atom {
            Atom::Symbol(_) => self.symbol(id).map_or_else(String::new, |s| s.name.clone()),
            Atom::FloorDiv(a, b) => match self.as_ceiling(a, b) {
                Some(numerator) => {
                    format!("ceil({} / {})", self.factor(&numerator), self.factor(b))
                }
                None => format!("floor({} / {})", self.factor(a), self.factor(b)),
            },
            Atom::Mod(a, b) => format!("({} % {})", self.factor(a), self.factor(b)),
            Atom::Min(a, b) => format!("min({}, {})", self.format(a), self.format(b)),
            Atom::Max(a, b) => format!("max({}, {})", self.format(a), self.format(b)),
            Atom::NonNegative(p) => format!("[{}]", self.inequality(p, " >= ")),
            Atom::Zero(p) => format!("[{}]", self.inequality(p, " == ")),
            Atom::Not(p) => match p.as_atom().and_then(|id| self.atom(id)) {
                Some(Atom::Zero(p)) => format!("[{}]", self.inequality(p, " != ")),
                _ => format!("(1 - {})", self.format_difference(p)),
            },
            Atom::PowerOfTwo(p) => format!("2^({})", self.format(p)),
            Atom::BitLength(p) => format!("bits({})", self.format(p)),
            Atom::Bitwise(operation, a, b) => {
                let sign = match operation {
                    Bitwise::And => "&",
                    Bitwise::Or => "|",
                    Bitwise::Xor => "^",
                };
                format!("({} {sign} {})", self.factor(a), self.factor(b))
            }
            Atom::Sum {
                variable,
                count,
                body,
            } => {
                let name = self.format_atom(*variable);
                format!(
                    "sum({name} < {}: {})",
                    self.format(count),
                    self.format(body)
                )
            }
        }
    }

    /// A formula to be taken from something: in parentheses unless it is one product.
    fn format_difference(&self, poly: &Poly) -> String {
        let text = self.format(poly);
        let product = matches!(poly.terms(), [(_, coefficient)] if *coefficient > 0);
        if product { text } else { format!("({text})") }
    }

    fn factor(&self, poly: &Poly) -> String {
        let text = self.format(poly);
        let simple = poly.terms().len() <= 1
            && poly.denominator() == 1
            && (poly.as_atom().is_some() || poly.as_integer().is_some_and(|value| value >= 0));
        if simple { text } else { format!("({text})") }
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

    /// Positive terms on the left, negative ones on the right.
    fn inequality(&self, p: &Poly, relation: &str) -> String {
        let (mut left, mut right) = (Poly::zero(), Poly::zero());
        for (monomial, coefficient) in p.terms() {
            let term = Poly::monomial(monomial.clone());
            if *coefficient > 0 {
                left = left.add(&term.scale(*coefficient));
            } else {
                right = right.add(&term.scale(-*coefficient));
            }
        }
        format!("{}{relation}{}", self.format(&left), self.format(&right))
    }
}
