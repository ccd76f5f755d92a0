//! Subgroup operations.

use cresta_ir::{Kind, Operand, Operation, Scalar, SubgroupOperation};
use naga::{CollectiveOperation, Expression, GatherMode, Handle};

use super::effects::gather_index;
use super::frame::Frame;
use super::literal;
use super::state::Lowerer;
use super::value::{Leaves, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn ballot(
        &mut self,
        frame: &mut Frame<'a>,
        result: Handle<Expression>,
        predicate: Option<Handle<Expression>>,
    ) {
        let predicate = match predicate {
            Some(predicate) => self.operand(frame, predicate),
            None => literal::boolean(true),
        };
        let operation = SubgroupOperation::Ballot;
        let results = [Scalar::U32; 4];
        let leaves = self.exchange(operation, Scalar::Bool, &results, vec![predicate]);
        frame.values[result.index()] = Value::Leaves(leaves);
    }

    pub(super) fn gather(
        &mut self,
        frame: &mut Frame<'a>,
        mode: &GatherMode,
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let operation = match mode {
            GatherMode::BroadcastFirst => SubgroupOperation::BroadcastFirst,
            GatherMode::Broadcast(_) => SubgroupOperation::Broadcast,
            GatherMode::Shuffle(_) => SubgroupOperation::Shuffle,
            GatherMode::ShuffleDown(_) => SubgroupOperation::ShuffleDown,
            GatherMode::ShuffleUp(_) => SubgroupOperation::ShuffleUp,
            GatherMode::ShuffleXor(_) => SubgroupOperation::ShuffleXor,
            GatherMode::QuadBroadcast(_) => SubgroupOperation::QuadBroadcast,
            GatherMode::QuadSwap(_) => SubgroupOperation::QuadSwap,
        };
        let second = match *mode {
            GatherMode::QuadSwap(direction) => Some(literal::unsigned(direction as u32)),
            _ => gather_index(mode).map(|index| self.operand(frame, index)),
        };
        let leaves = self.operands(frame, argument);
        self.exchange_value(frame, operation, leaves, second, result);
    }

    pub(super) fn collective(
        &mut self,
        frame: &mut Frame<'a>,
        (op, collective): (naga::SubgroupOperation, CollectiveOperation),
        argument: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let leaves = self.operands(frame, argument);
        let boolean = leaves.len > 0 && self.scalar_of(self.leaf(leaves, 0)) == Scalar::Bool;
        let combine = match op {
            naga::SubgroupOperation::All | naga::SubgroupOperation::Any => None,
            naga::SubgroupOperation::Add => Some(Operation::Add),
            naga::SubgroupOperation::Mul => Some(Operation::Mul),
            naga::SubgroupOperation::Min => Some(Operation::Min),
            naga::SubgroupOperation::Max => Some(Operation::Max),
            naga::SubgroupOperation::And if boolean => Some(Operation::And),
            naga::SubgroupOperation::Or if boolean => Some(Operation::Or),
            naga::SubgroupOperation::Xor if boolean => Some(Operation::NotEqual),
            naga::SubgroupOperation::And => Some(Operation::BitAnd),
            naga::SubgroupOperation::Or => Some(Operation::BitOr),
            naga::SubgroupOperation::Xor => Some(Operation::BitXor),
        };
        let operation = match (combine, collective) {
            (None, _) if op == naga::SubgroupOperation::All => SubgroupOperation::All,
            (None, _) => SubgroupOperation::Any,
            (Some(combine), CollectiveOperation::Reduce) => SubgroupOperation::Reduce(combine),
            (Some(combine), CollectiveOperation::InclusiveScan) => {
                SubgroupOperation::InclusiveScan(combine)
            }
            (Some(combine), CollectiveOperation::ExclusiveScan) => {
                SubgroupOperation::ExclusiveScan(combine)
            }
        };
        self.exchange_value(frame, operation, leaves, None, result);
    }

    fn exchange_value(
        &mut self,
        frame: &mut Frame<'a>,
        operation: SubgroupOperation,
        values: Leaves,
        second: Option<Operand>,
        result: Handle<Expression>,
    ) {
        let mut arguments = self.slice(values).to_vec();
        let scalars: Vec<_> = arguments
            .iter()
            .map(|&operand| self.scalar_of(operand))
            .collect();
        let scalar = scalars.first().copied().unwrap_or(Scalar::U32);
        arguments.extend(second);
        let leaves = self.exchange(operation, scalar, &scalars, arguments);
        frame.values[result.index()] = Value::Leaves(leaves);
    }

    fn exchange(
        &mut self,
        operation: SubgroupOperation,
        scalar: Scalar,
        results: &[Scalar],
        arguments: Vec<Operand>,
    ) -> Leaves {
        let targets: Vec<_> = results
            .iter()
            .map(|&scalar| self.register(scalar))
            .collect();
        let operands: Vec<_> = targets.iter().copied().map(Operand::Register).collect();
        self.emit(Kind::Subgroup {
            operation,
            scalar,
            targets,
            arguments,
        });
        self.keep(&operands)
    }
}
