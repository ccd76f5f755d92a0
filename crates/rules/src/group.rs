//! One diagnostic a cause: accesses that share a place or a layout are taken together.
//!
//! Start at [`by_place`].

use cresta_analysis::{AccessFacts, Facts, Location, Operation};

use crate::finding::Label;
use crate::text;

/// Share of the launch's traffic below which waste is a note and no warning: relieving it cannot
/// gain more than 1 / (1 − 0.1) ≈ 1.1×, which is where measuring noise and second-order effects start.
pub(crate) const MATTERS: f64 = 0.1;

/// Accesses with one cause, in source order; never empty.
pub(crate) struct Group<'a> {
    pub(crate) accesses: Vec<&'a AccessFacts>,
}

impl<'a> Group<'a> {
    /// The access that moves most, or the first where that is not known.
    pub(crate) fn main(&self) -> &'a AccessFacts {
        let moved = |access: &AccessFacts| access.total.as_ref().map_or(0.0, |total| total.bytes);
        let mut main = self.accesses[0];
        for access in &self.accesses[1..] {
            if moved(access) > moved(main) {
                main = access;
            }
        }
        main
    }

    /// Places other than the main one, each once.
    pub(crate) fn labels(&self, text: impl Fn(&AccessFacts) -> String) -> Vec<Label> {
        self.labels_beside(self.main(), text)
    }

    /// Places other than that of `shown`, each once.
    pub(crate) fn labels_beside(
        &self,
        shown: &AccessFacts,
        text: impl Fn(&AccessFacts) -> String,
    ) -> Vec<Label> {
        let mut seen = vec![place(&shown.location)];
        let mut labels = Vec::new();
        for access in &self.accesses {
            if !seen.contains(&place(&access.location)) {
                seen.push(place(&access.location));
                labels.push(Label {
                    location: access.location.clone(),
                    text: text(access),
                });
            }
        }
        labels
    }

    /// What its accesses do, as past participles: `read`, `read and written`.
    pub(crate) fn done(&self) -> String {
        let all = [Operation::Load, Operation::Store, Operation::Atomic];
        let occurs =
            |operation: &Operation| self.accesses.iter().any(|a| a.operation == *operation);
        let words: Vec<&str> = all.into_iter().filter(occurs).map(done).collect();
        words.join(" and ")
    }

    /// Bytes that are moved in vain and all that are moved; `None` where the launch is not known.
    pub(crate) fn bytes(&self) -> Option<(f64, f64)> {
        let mut sums = (0.0, 0.0);
        for access in &self.accesses {
            let moved = access.total.as_ref()?.bytes;
            sums.0 += moved * (1.0 - access.traffic.as_ref()?.efficiency);
            sums.1 += moved;
        }
        Some(sums)
    }

    /// Whether the waste is a real part of what the launch moves; true where that is not known.
    pub(crate) fn matters(&self, facts: &Facts) -> bool {
        match (self.bytes(), facts.transferred.value) {
            (Some((wasted, _)), Some(all)) if all > 0.0 => wasted / all >= MATTERS,
            _ => true,
        }
    }

    /// Lines that every finding about an access may add: traffic, address, calls, assumptions.
    pub(crate) fn notes(&self) -> Vec<String> {
        let main = self.main();
        let mut notes = Vec::new();
        if let Some((wasted, moved)) = self.bytes() {
            notes.push(format!(
                "the launch moves {} here where {} would do",
                text::bytes(moved),
                text::bytes(moved - wasted)
            ));
        }
        if !main.address.is_empty() {
            notes.push(format!("byte address: {}", main.address));
        }
        notes.extend(call_note(
            &self
                .accesses
                .iter()
                .map(|a| &a.location)
                .collect::<Vec<_>>(),
        ));
        let mut assumed: Vec<&String> = Vec::new();
        for assumption in self
            .accesses
            .iter()
            .filter_map(|access| access.assumes.as_ref())
        {
            if !assumed.contains(&assumption) {
                assumed.push(assumption);
            }
        }
        notes.extend(
            assumed
                .into_iter()
                .map(|text| format!("taken for granted: {text}")),
        );
        notes
    }
}

/// How often the first place is reached through inlined calls, where that is more than once.
pub(crate) fn call_note(locations: &[&Location]) -> Option<String> {
    let first = locations.first()?;
    let mut chains = Vec::new();
    for location in locations.iter().filter(|at| place(at) == place(first)) {
        if !location.call_chain.is_empty() && !chains.contains(&&location.call_chain) {
            chains.push(&location.call_chain);
        }
    }
    let through = chains.len();
    let function = &first.call_chain.first()?.function;
    (through > 1).then(|| format!("reached through {through} inlined calls of `{function}`"))
}

/// Groups what `same_cause` joins, keeping source order.
pub(crate) fn by<'a, K: PartialEq>(
    accesses: impl Iterator<Item = &'a AccessFacts>,
    cause: impl Fn(&AccessFacts) -> K,
) -> Vec<Group<'a>> {
    let mut groups: Vec<(K, Group<'a>)> = Vec::new();
    for access in accesses {
        let key = cause(access);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.accesses.push(access),
            None => groups.push((
                key,
                Group {
                    accesses: vec![access],
                },
            )),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Groups accesses to one variable from one place, which differ by the calls they come through.
pub(crate) fn by_place<'a>(accesses: impl Iterator<Item = &'a AccessFacts>) -> Vec<Group<'a>> {
    by(accesses, |access| {
        (
            access.variable.clone(),
            access.operation,
            place(&access.location),
        )
    })
}

/// Groups accesses to one variable in one line, or from one place where the source has no lines.
pub(crate) fn by_line<'a>(accesses: impl Iterator<Item = &'a AccessFacts>) -> Vec<Group<'a>> {
    by(accesses, |access| {
        (access.variable.clone(), line(&access.location))
    })
}

/// What accesses of one line share.
pub(crate) fn line(location: &Location) -> (u32, usize) {
    match location.line {
        0 => (0, location.start),
        line => (line, 0),
    }
}

/// A location without the calls it was reached through.
pub(crate) fn place(location: &Location) -> (usize, usize, u32, u32) {
    (location.start, location.end, location.line, location.column)
}

/// `12:5`, or nothing where the source has no positions.
pub(crate) fn at(location: &Location) -> String {
    if location.line == 0 {
        String::new()
    } else {
        format!(" at {}:{}", location.line, location.column)
    }
}

/// The past participle that reports use: `read`, `written`, `updated`.
pub(crate) fn done(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "read",
        Operation::Store => "written",
        Operation::Atomic => "updated",
    }
}
