//! What registers hold while a kernel is walked: whole numbers as polynomials, truth values as
//! indicators, everything else by its uniformity alone.

use crate::arena::{Arena, Uniformity};
use crate::poly::Poly;

/// A condition, as an indicator in both directions, each kept in product form where it has one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Truth {
    /// 1 where the condition holds.
    pub(crate) holds: Poly,
    /// 1 where it does not.
    pub(crate) fails: Poly,
}

impl Truth {
    /// Always true.
    pub(crate) fn always() -> Truth {
        Truth {
            holds: Poly::one(),
            fails: Poly::zero(),
        }
    }

    /// Always true or always false.
    pub(crate) fn known(value: bool) -> Truth {
        if value {
            Truth::always()
        } else {
            Truth::always().not()
        }
    }

    /// From an indicator and its complement.
    pub(crate) fn from_indicator(arena: &mut Arena, holds: Poly) -> Truth {
        let fails = arena.complement(&holds);
        Truth { holds, fails }
    }

    /// `p ≥ 0`.
    pub(crate) fn nonnegative(arena: &mut Arena, p: &Poly) -> Truth {
        let holds = arena.nonnegative(p);
        let fails = arena.negative(p);
        Truth { holds, fails }
    }

    /// `p = 0`.
    pub(crate) fn zero(arena: &mut Arena, p: &Poly) -> Truth {
        if arena.is_nonnegative(p) {
            return Truth::nonnegative(arena, &p.neg());
        }
        if arena.is_nonnegative(&p.neg()) {
            return Truth::nonnegative(arena, p);
        }
        let holds = arena.zero(p);
        Truth::from_indicator(arena, holds)
    }

    /// The opposite.
    pub(crate) fn not(&self) -> Truth {
        Truth {
            holds: self.fails.clone(),
            fails: self.holds.clone(),
        }
    }

    /// Both.
    pub(crate) fn and(&self, arena: &mut Arena, other: &Truth) -> Truth {
        if self.is_always() {
            return other.clone();
        }
        if other.is_always() {
            return self.clone();
        }
        Truth::from_indicator(arena, self.holds.mul(&other.holds))
    }

    /// Either.
    pub(crate) fn or(&self, arena: &mut Arena, other: &Truth) -> Truth {
        self.not().and(arena, &other.not()).not()
    }

    /// Whether it is known to hold.
    pub(crate) fn is_always(&self) -> bool {
        self.fails.is_zero()
    }

    /// Whether it is known to fail.
    pub(crate) fn is_never(&self) -> bool {
        self.holds.is_zero()
    }
}

/// The value of a register.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A whole number.
    Whole(Poly),
    /// A boolean.
    Truth(Truth),
    /// A float, or a boolean that depends on one.
    Other(Uniformity),
}

impl Value {
    /// How widely the value is the same.
    pub(crate) fn uniformity(&self, arena: &Arena) -> Uniformity {
        match self {
            Value::Whole(poly) => arena.uniformity(poly),
            Value::Truth(truth) => arena.uniformity(&truth.holds),
            Value::Other(uniformity) => *uniformity,
        }
    }
}
