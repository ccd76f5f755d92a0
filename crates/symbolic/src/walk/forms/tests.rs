//! Forms of registers over the iterations of a loop equal their recurrences.

use crate::arena::{Arena, Bitwise, Symbol, SymbolKind, Uniformity};
use crate::made_up::{symbol, values, variable};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;

/// A parameter, what a register holds at the start of an iteration, and the iteration.
struct Register {
    arena: Arena,
    n: AtomId,
    head: AtomId,
    t: AtomId,
}

impl Register {
    fn new() -> Register {
        let mut arena = Arena::default();
        let n = symbol(&mut arena, "n", Some(0), None);
        let head = variable(&mut arena, "h", None);
        let t = arena.fresh(Symbol {
            name: "t".to_owned(),
            kind: SymbolKind::Iteration,
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: None,
        });
        Register { arena, n, head, t }
    }

    /// The closed form, checked against running iterations.
    fn form(
        mut self,
        start: impl Fn(&Poly) -> Poly,
        next: impl Fn(&mut Arena, &Poly, &Poly) -> Poly,
    ) -> Option<String> {
        let (head, t) = (Poly::atom(self.head), Poly::atom(self.t));
        let start = start(&Poly::atom(self.n));
        let next = next(&mut self.arena, &head, &t);
        let form = self.arena.form(&start, &next, self.head, self.t)?;
        for n in [0, 1, 6, 37, 256] {
            let mut known = values(&[self.n], &[n]);
            let mut holds = self.arena.evaluate(&start, &known)?;
            for iteration in 0..12 {
                known.insert(self.t, Ratio::integer(iteration));
                let found = self.arena.evaluate(&form, &known);
                let text = self.arena.format(&form);
                assert_eq!(found, Some(holds), "{text} at n {n}, iteration {iteration}");
                known.insert(self.head, holds);
                holds = self.arena.evaluate(&next, &known)?;
            }
        }
        Some(self.arena.format(&form))
    }

    /// The stay of an exit, checked to be the given one up to where that is zero first.
    fn falling(mut self, stay: impl Fn(&mut Arena, &Poly, &Poly) -> Poly) -> Option<String> {
        let stay = stay(&mut self.arena, &Poly::atom(self.n), &Poly::atom(self.t));
        let falling = self.arena.falling(&stay, self.t, true)?;
        for n in [0, 1, 2, 5, 8, 9] {
            let mut known = values(&[self.n], &[n]);
            let mut stays = Ratio::ONE;
            for iteration in 0..12 {
                known.insert(self.t, Ratio::integer(iteration));
                stays = stays.min(self.arena.evaluate(&stay, &known)?);
                let found = self.arena.evaluate(&falling.stay, &known);
                assert_eq!(found, Some(stays), "n {n}, iteration {iteration}");
            }
        }
        Some(self.arena.format(&falling.stay))
    }
}

#[test]
fn steps_add_up() {
    let form = Register::new().form(Poly::clone, |_, h, _| h.add_integer(3));
    assert_eq!(form.as_deref(), Some("n + 3*t"));
    let form = Register::new().form(Poly::clone, |_, h, t| h.add(t));
    assert_eq!(form.as_deref(), Some("(t^2 + 2*n - t)/2"));
}

#[test]
fn doubling_and_halving_are_powers_of_two() {
    let form = Register::new().form(Poly::clone, |_, h, _| h.scale(2));
    assert_eq!(form.as_deref(), Some("n*2^(t)"));
    let form = Register::new().form(Poly::clone, |arena, h, _| {
        arena.floor_div(h, &Poly::integer(4))
    });
    assert_eq!(form.as_deref(), Some("floor(n / 2^(2*t))"));
}

#[test]
fn rings_and_alternations() {
    let ring = Register::new().form(
        |_| Poly::integer(2),
        |arena, h, _| arena.modulo(&h.add_integer(3), &Poly::integer(5)),
    );
    assert_eq!(ring.as_deref(), Some("((3*t + 2) % 5)"));
    let other = Register::new().form(Poly::clone, |_, h, _| Poly::integer(9).sub(h));
    assert!(other.is_some());
    let toggled = Register::new().form(Poly::clone, |arena, h, _| {
        arena.bitwise(Bitwise::Xor, h, &Poly::integer(5))
    });
    assert!(toggled.is_some());
}

#[test]
fn what_the_last_iteration_left() {
    let form = Register::new().form(Poly::clone, |_, _, t| t.scale(7));
    assert!(form.is_some());
}

#[test]
fn no_form_is_made_up() {
    // the mask is not what the register held
    let form = Register::new().form(Poly::clone, |arena, h, _| {
        arena.bitwise(Bitwise::Xor, &h.add_integer(1), &Poly::integer(4))
    });
    assert_eq!(form, None);
    let form = Register::new().form(Poly::clone, |_, h, _| h.mul(h));
    assert_eq!(form, None);
    let form = Register::new().form(Poly::clone, |_, h, _| h.scale(2).add_integer(1));
    assert_eq!(form, None);
}

#[test]
fn exits_that_stay_taken() {
    let below = Register::new()
        .falling(|arena, n, t| arena.nonnegative(&n.sub(&t.scale(3)).add_integer(-1)));
    assert_eq!(below.as_deref(), Some("[n >= 3*t + 1]"));
    // 2^t ≤ n while t < bits of n
    let doubling = Register::new().falling(|arena, n, t| {
        let power = arena.power_of_two(t);
        arena.nonnegative(&n.sub(&power))
    });
    assert_eq!(doubling.as_deref(), Some("[bits(n) >= t + 1]"));
    // t ≠ n
    let unequal = Register::new().falling(|arena, n, t| {
        let met = arena.zero(&n.sub(t));
        arena.complement(&met)
    });
    assert_eq!(unequal.as_deref(), Some("[n >= t + 1]"));
    // t < n or 2 t < 9
    let either = Register::new().falling(|arena, n, t| {
        let over = arena.nonnegative(&t.sub(n));
        let nine = arena.nonnegative(&t.scale(2).add_integer(-9));
        arena.complement(&over.mul(&nine))
    });
    assert_eq!(either.as_deref(), Some("[max(5, n) >= t + 1]"));
}

#[test]
fn exits_that_may_be_taken_back() {
    let rising = Register::new().falling(|arena, n, t| arena.nonnegative(&t.sub(n)));
    assert_eq!(rising, None);
    let every_third = Register::new().falling(|arena, _, t| {
        let third = arena.modulo(t, &Poly::integer(3));
        arena.zero(&third)
    });
    assert_eq!(every_third, None);
}
