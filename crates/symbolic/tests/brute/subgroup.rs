//! Subgroup operations: each SIMD group on its own, over its active lanes.

use cresta_ir::{Kind, Operation, Scalar, SubgroupOperation};

use super::evaluate;
use super::interpreter::Interpreter;
use super::mask::Mask;

impl Interpreter<'_> {
    pub(super) fn subgroup(&mut self, kind: &Kind, mask: &Mask) {
        let Kind::Subgroup {
            operation,
            scalar,
            targets,
            arguments,
        } = kind
        else {
            return;
        };
        self.counts.subgroup_operations += mask.count();
        for active in mask.by_simd_group() {
            if *operation == SubgroupOperation::Ballot {
                let votes = self.values(arguments[0], active);
                let mut words = [0_u64; 4];
                for (lane, vote) in active.iter().zip(votes) {
                    let position = lane % self.device.simd_width as usize;
                    words[position / 32] |= vote << (position % 32);
                }
                for (&target, word) in targets.iter().zip(words) {
                    active
                        .iter()
                        .for_each(|&lane| self.write(target, lane, word));
                }
                continue;
            }
            let second = arguments.get(targets.len());
            let second = second.map(|&operand| self.values(operand, active));
            for (&target, &argument) in targets.iter().zip(arguments) {
                let values = self.values(argument, active);
                let results = self.exchange(*operation, *scalar, active, &values, second.as_ref());
                for (&lane, bits) in active.iter().zip(results) {
                    self.write(target, lane, bits);
                }
            }
        }
    }

    fn values(&mut self, operand: cresta_ir::Operand, active: &[usize]) -> Vec<u64> {
        active
            .iter()
            .map(|&lane| self.read(operand, lane))
            .collect()
    }

    /// The result of each active lane, given the value of each.
    fn exchange(
        &self,
        operation: SubgroupOperation,
        scalar: Scalar,
        active: &[usize],
        values: &[u64],
        second: Option<&Vec<u64>>,
    ) -> Vec<u64> {
        use SubgroupOperation as Sub;
        let width = self.device.simd_width as usize;
        let from = |source: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
            let second = second.expect("this operation has a second argument");
            let sources = active.iter().zip(second).map(|(lane, &argument)| {
                let source = source((lane % width) as u64, argument);
                let position = active
                    .iter()
                    .position(|lane| (lane % width) as u64 == source);
                position.map_or(0, |position| values[position])
            });
            sources.collect()
        };
        let same = |value: u64| vec![value; values.len()];
        match operation {
            Sub::Ballot => unreachable!("handled by the caller"),
            Sub::All => same(values.iter().all(|&value| value != 0).into()),
            Sub::Any => same(values.iter().any(|&value| value != 0).into()),
            Sub::Reduce(operation) => {
                let scan = inclusive(operation, scalar, values);
                same(scan[scan.len() - 1])
            }
            Sub::InclusiveScan(operation) => inclusive(operation, scalar, values),
            Sub::ExclusiveScan(operation) => {
                let first = match operation {
                    Operation::Mul => evaluate::one(scalar),
                    _ => 0,
                };
                let scan = inclusive(operation, scalar, values);
                let before = scan[..scan.len() - 1].iter().copied();
                std::iter::once(first).chain(before).collect()
            }
            Sub::BroadcastFirst => same(values[0]),
            Sub::Broadcast | Sub::Shuffle => from(&|_, argument| argument),
            Sub::ShuffleDown => from(&|lane, argument| lane + argument),
            Sub::ShuffleUp => from(&|lane, argument| lane.wrapping_sub(argument)),
            Sub::ShuffleXor => from(&|lane, argument| lane ^ argument),
            Sub::QuadBroadcast => from(&|lane, argument| (lane & !3) + argument),
            // 0 swaps along x, 1 along y, 2 along the diagonal.
            Sub::QuadSwap => from(&|lane, argument| lane ^ (argument + 1)),
        }
    }
}

fn inclusive(operation: Operation, scalar: Scalar, values: &[u64]) -> Vec<u64> {
    let mut running = None;
    let step = |&value: &u64| {
        let next = match running {
            None => value,
            Some(before) => evaluate::apply(operation, scalar, scalar, &[before, value]),
        };
        running = Some(next);
        next
    };
    values.iter().map(step).collect()
}
