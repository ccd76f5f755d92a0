//! Formulas of the accesses, each written once: a long one that several share gets a number.

use cresta_analysis::AccessFacts;

use super::page::columns;

/// The long formulas that several accesses share, in the order in which they are numbered.
pub(super) struct Formulas<'a> {
    shared: Vec<&'a str>,
    numbered: Vec<&'a str>,
}

impl<'a> Formulas<'a> {
    /// Those of `accesses` that do not fit in `width` columns.
    pub(super) fn of(accesses: &[&'a AccessFacts], width: usize) -> Self {
        let mut all: Vec<&str> = accesses.iter().copied().flat_map(formulas).collect();
        all.retain(|formula| columns(formula) > width);
        all.sort_unstable();
        let mut shared: Vec<&str> = all
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        shared.dedup();
        Formulas {
            shared,
            numbered: Vec::new(),
        }
    }

    /// `(1) = formula` where a shared one first stands, `(1)` from then on.
    pub(super) fn write(&mut self, formula: &'a str) -> String {
        if self.shared.binary_search(&formula).is_err() {
            return formula.to_owned();
        }
        let known = self.numbered.iter().position(|&known| known == formula);
        if let Some(index) = known {
            return format!("({})", index + 1);
        }
        self.numbered.push(formula);
        format!("({}) = {formula}", self.numbered.len())
    }
}

fn formulas(access: &AccessFacts) -> [&str; 2] {
    [&access.address, &access.executions.formula]
}
