//! One dispatch: how many workgroups, with which parameters and buffer lengths.
//!
//! Whatever is absent is unknown, and stays a symbol in every formula. Start at [`Launch`].

use std::collections::BTreeMap;

/// How the grid is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Workgroups along x, y, z.
    Workgroups([u32; 3]),
    /// Invocations along x, y, z; each is divided by the workgroup's size and rounded up.
    Invocations([u64; 3]),
}

impl Grid {
    /// Workgroups along each axis; `None` when a count does not fit 32 bits or the size is zero.
    pub fn workgroups(self, workgroup_size: [u32; 3]) -> Option<[u32; 3]> {
        match self {
            Grid::Workgroups(groups) => Some(groups),
            Grid::Invocations(invocations) => {
                let mut groups = [0; 3];
                for axis in 0..3 {
                    if workgroup_size[axis] == 0 {
                        return None;
                    }
                    let count = invocations[axis].div_ceil(workgroup_size[axis].into());
                    groups[axis] = u32::try_from(count).ok()?;
                }
                Some(groups)
            }
        }
    }
}

/// One dispatch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// The grid.
    pub grid: Option<Grid>,
    /// Values of parameters (`d.K`) and of data-dependent unknowns (`trips@42:7`, `taken@17:3`).
    pub values: BTreeMap<String, f64>,
    /// Values of overrides, by name or by `@id`.
    pub overrides: BTreeMap<String, f64>,
    /// Elements of runtime-sized arrays, by variable.
    pub lengths: BTreeMap<String, u64>,
}
