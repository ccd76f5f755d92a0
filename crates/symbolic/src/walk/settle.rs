//! What registers hold after a loop, and where its exits lead.

use cresta_ir::{Register, SpanId};

use crate::arena::Uniformity;
use crate::poly::{AtomId, Poly};
use crate::value::Value;

use super::loops::{Bounds, MetExit};
use super::state::Walker;

/// Weight up to which the condition of an exit is written out in the trips.
const WEIGHT: u32 = 60;

impl Walker<'_> {
    /// Gives every register that the loop carries its value after the loop, and passes on exits that
    /// left for something beyond it. Whether control gets to the end of the loop.
    pub(super) fn settle(
        &mut self,
        carried: &[Register],
        exits: &[MetExit],
        bounds: &Bounds,
        iteration: AtomId,
    ) -> bool {
        let beyond: Vec<&MetExit> = exits.iter().filter(|exit| exit.beyond).collect();
        let ends = beyond.len() < exits.len() || beyond.is_empty();
        let mut gone = Poly::zero();
        let first = self.exits.len();
        for (index, exit) in beyond.iter().enumerate() {
            let mark = self.journal.len();
            for (register, value) in &exit.values {
                let value = self.after(*register, Some(value), bounds, iteration);
                self.write(*register, value);
            }
            let share = if ends || index + 1 < beyond.len() {
                self.share(exit, bounds, iteration)
            } else {
                self.program.arena.complement(&gone)
            };
            gone = gone.add(&share);
            self.leave(exit.target, exit.span, exit.key, share);
            self.roll_back(mark, &(0..u32::MAX));
        }
        for (index, register) in carried.iter().enumerate() {
            let value = common_value(exits, index);
            let value = self.after(*register, value.as_ref(), bounds, iteration);
            self.write(*register, value);
        }
        self.rejoin(first);
        ends
    }

    /// The value after the loop of what held `value` in the last iteration.
    fn after(
        &mut self,
        register: Register,
        value: Option<&Value>,
        bounds: &Bounds,
        iteration: AtomId,
    ) -> Value {
        match value {
            Some(Value::Whole(poly))
                if bounds.unknown.is_none() && !self.program.arena.depends_on_data(poly) =>
            {
                Value::Whole(self.arena().replace(poly, iteration, &bounds.trips))
            }
            Some(value) => {
                let uniformity = value.uniformity(&self.program.arena);
                self.unknown_of(register, uniformity.min(bounds.uniformity))
            }
            None => self.unknown_of(register, Uniformity::Lane),
        }
    }

    /// The share of the lanes in a loop that leaves by an exit: exactly where the exits are known, else
    /// a named fraction.
    fn share(&mut self, exit: &MetExit, bounds: &Bounds, iteration: AtomId) -> Poly {
        let at = bounds.counted.iter().position(|&key| key == exit.key);
        if let (None, Some(at)) = (&bounds.unknown, at) {
            let mut share = Poly::one();
            for (index, before) in bounds.exits[..=at].iter().enumerate() {
                let stays = self
                    .program
                    .arena
                    .replace(&before.stay, iteration, &bounds.trips);
                let factor = if index < at {
                    stays
                } else {
                    self.program.arena.complement(&stays)
                };
                share = share.mul(&factor);
            }
            if self.program.arena.weight(&share) <= WEIGHT && !share.is_overflow() {
                return share;
            }
        }
        self.named_share(exit.span, bounds.uniformity)
    }

    fn named_share(&mut self, span: SpanId, uniformity: Uniformity) -> Poly {
        let name = self.name_at("taken", span);
        self.taken(&name, uniformity, span)
    }
}

/// What a carried register holds at every exit to the end of the loop, if it is the same.
fn common_value(exits: &[MetExit], index: usize) -> Option<Value> {
    let mut values = exits.iter().filter(|exit| !exit.beyond);
    let first = values.next()?.carried.get(index)?.clone();
    values
        .all(|exit| exit.carried.get(index) == Some(&first))
        .then_some(first)
}
