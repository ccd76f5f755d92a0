//! Addresses that are sums over groups of variables which have nothing to do with one another, such as
//! clamped rows and clamped columns.
//!
//! Each group is cut and counted by itself, and its values are written as progressions; the bytes are
//! then those of boxes with a variable for each progression.

use crate::boxes::{Form, Runs, values_of};
use crate::concrete::ConcretePart;
use crate::poly::{Monomial, Poly};
use crate::program::Program;

/// Values of one group at most.
const VALUES: i128 = 1 << 16;
/// Progressions of one group, and boxes of all, at most.
const PROGRESSIONS: usize = 16;
const BOXES: usize = 64;

/// `start`, `start + step`, …
#[derive(Clone, Copy, Debug)]
struct Progression {
    start: i128,
    step: i128,
    count: i128,
}

impl Program {
    /// Boxes that touch what the part touches; `None` where it is linear anyway, where it does not
    /// separate, or where a group's values are not simple.
    pub(crate) fn separated(&mut self, part: &ConcretePart) -> Option<Vec<Form>> {
        let linear = |(monomial, _): &(Monomial, i128)| match monomial.as_slice() {
            [] => true,
            [(id, 1)] => self.arena.symbol(*id).is_some(),
            _ => false,
        };
        if part.polys().all(|poly| poly.terms().iter().all(linear)) {
            return None;
        }
        let part = self.regrouped(part);
        let groups = self.groups_of(&part);
        if groups.len() < 2 {
            return None;
        }
        let mut boxes: Vec<(i128, Vec<Progression>)> = vec![(0, Vec::new())];
        for group in groups {
            let progressions = self.progressions(group)?;
            if boxes.len() * progressions.len() > BOXES {
                return None;
            }
            boxes = boxes
                .iter()
                .flat_map(|(start, before)| {
                    progressions.iter().map(move |&progression| {
                        let all = [before.as_slice(), &[progression]].concat();
                        (start + progression.start, all)
                    })
                })
                .collect();
        }
        let forms = boxes.into_iter().map(|(constant, progressions)| Form {
            constant,
            address: progressions.iter().map(|one| one.step).collect(),
            guards: Vec::new(),
            ranges: progressions.iter().map(|one| (0, one.count)).collect(),
        });
        Some(forms.collect())
    }

    /// The part as one part for each group of variables, and one for what mentions none; each with the
    /// conditions on it and its summands of the address.
    fn groups_of(&self, part: &ConcretePart) -> Vec<ConcretePart> {
        let mentioned = |poly: &Poly| -> Vec<usize> {
            let variables = part.variables.iter().enumerate();
            variables
                .filter(|(_, (symbol, _))| self.arena.mentions(poly, *symbol))
                .map(|(index, _)| index)
                .collect()
        };
        let summands: Vec<Poly> = part
            .address
            .terms()
            .iter()
            .map(|(monomial, c)| {
                let summand = Poly::monomial(monomial.clone()).scale(*c);
                summand.divide_by(part.address.denominator())
            })
            .collect();
        let conditions: Vec<Vec<usize>> = part
            .conditions
            .iter()
            .map(|condition| mentioned(&condition.poly))
            .collect();
        let combinations: Vec<Vec<usize>> = part
            .combinations
            .iter()
            .map(|all| {
                all.tests
                    .iter()
                    .flat_map(|test| mentioned(&test.poly))
                    .collect()
            })
            .collect();
        let summed: Vec<Vec<usize>> = summands.iter().map(mentioned).collect();
        let mut group: Vec<usize> = (0..part.variables.len()).collect();
        for together in conditions.iter().chain(&combinations).chain(&summed) {
            let Some(&first) = together.first() else {
                continue;
            };
            let into = group[first];
            let joined: Vec<usize> = together.iter().map(|&index| group[index]).collect();
            for of in &mut group {
                if joined.contains(of) {
                    *of = into;
                }
            }
        }
        let mut names: Vec<Option<usize>> = group.iter().copied().map(Some).collect();
        names.push(None);
        names.sort_unstable();
        names.dedup();
        let groups = names.into_iter().map(|name| {
            let of = |together: &Vec<usize>| together.first().map(|&index| group[index]) == name;
            let mut own = ConcretePart {
                conditions: Vec::new(),
                combinations: Vec::new(),
                address: Poly::zero(),
                variables: Vec::new(),
                ..part.clone()
            };
            let paired = part.conditions.iter().zip(&conditions);
            let mine = paired.filter(|(_, together)| of(together));
            own.conditions.extend(mine.map(|(one, _)| one.clone()));
            let paired = part.combinations.iter().zip(&combinations);
            let mine = paired.filter(|(_, together)| of(together));
            own.combinations.extend(mine.map(|(one, _)| one.clone()));
            for (summand, _) in summands.iter().zip(&summed).filter(|(_, t)| of(t)) {
                own.address = own.address.add(summand);
            }
            let paired = part.variables.iter().zip(&group);
            let mine = paired.filter(|(_, of)| Some(**of) == name);
            own.variables.extend(mine.map(|(one, _)| *one));
            own
        });
        groups.collect()
    }

    /// The values of a group's address; `None` where they are too many or no few progressions.
    fn progressions(&mut self, group: ConcretePart) -> Option<Vec<Progression>> {
        let mut sets: Vec<Runs> = Vec::new();
        for piece in self.linear_pieces(group) {
            for form in crate::footprint::forms(&piece)? {
                form.add_runs(1, &mut sets)?;
            }
        }
        let values = values_of(sets, VALUES)?;
        let mut progressions: Vec<Progression> = Vec::new();
        for value in values {
            match progressions.last_mut() {
                Some(last) if last.count == 1 => {
                    last.step = value - last.start;
                    last.count = 2;
                }
                Some(last) if value == last.start + last.step * last.count => last.count += 1,
                _ => progressions.push(Progression {
                    start: value,
                    step: 1,
                    count: 1,
                }),
            }
        }
        (progressions.len() <= PROGRESSIONS).then_some(progressions)
    }
}
