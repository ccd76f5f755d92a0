//! How a function returns: whether inlining it needs a block to break out of.

use naga::{Block, Statement};

use super::facts::Returns;

/// How a function returns.
pub(super) fn returns(body: &Block) -> Returns {
    let mut scan = ReturnScan::default();
    scan.block(body, true);
    let last = matches!(body.last(), Some(Statement::Return { .. }));
    if scan.early {
        Returns::Early
    } else if scan.count == 0 || scan.count == 1 && last {
        Returns::Last
    } else {
        Returns::Tail
    }
}

#[derive(Default)]
struct ReturnScan {
    count: u32,
    early: bool,
}

impl ReturnScan {
    /// Scans a block; `tail` says whether leaving it leaves the function.
    fn block(&mut self, block: &Block, tail: bool) {
        let bare = |statement: &&Statement| matches!(statement, Statement::Return { value: None });
        let trailing = block.iter().rev().take_while(bare).count();
        let last = (block.len() - trailing).saturating_sub(1);
        for (index, statement) in block.iter().enumerate() {
            let tail = tail && index >= last;
            match statement {
                Statement::Return { .. } => {
                    self.count += 1;
                    self.early |= !tail;
                }
                Statement::Block(block) => self.block(block, tail),
                Statement::If { accept, reject, .. } => {
                    self.block(accept, tail);
                    self.block(reject, tail);
                }
                Statement::Switch { cases, .. } => {
                    for case in cases {
                        self.block(&case.body, tail);
                    }
                }
                Statement::Loop { body, .. } => self.block(body, false),
                _ => {}
            }
        }
    }
}
