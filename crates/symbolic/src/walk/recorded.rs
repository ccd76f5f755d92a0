//! Taking back what was recorded of a loop whose closed forms turn out not to hold.

use super::state::Walker;

/// Lengths of the lists of a program.
pub(super) struct Recorded {
    regions: usize,
    loops: usize,
    branches: usize,
    accesses: usize,
    barriers: usize,
    named: usize,
}

impl Walker<'_> {
    /// How much is recorded so far.
    pub(super) fn recorded(&self) -> Recorded {
        let program = &self.program;
        Recorded {
            regions: program.regions.len(),
            loops: program.loops.len(),
            branches: program.branches.len(),
            accesses: program.accesses.len(),
            barriers: program.barriers.len(),
            named: program.named.len(),
        }
    }

    /// Forgets what a loop recorded, whose regions are its own.
    pub(super) fn forget(&mut self, since: &Recorded) {
        let program = &mut self.program;
        program.regions.truncate(since.regions);
        program.loops.truncate(since.loops);
        program.branches.truncate(since.branches);
        program.accesses.truncate(since.accesses);
        program.barriers.truncate(since.barriers);
        for named in program.named.drain(since.named..) {
            self.named.remove(&named.symbol);
        }
        self.region_ids
            .retain(|_, &mut region| region < since.regions);
        self.region = None;
    }
}
