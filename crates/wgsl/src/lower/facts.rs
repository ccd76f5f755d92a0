//! What inlining needs to know of a function, found once per function.
//!
//! naga evaluates a load when it is emitted, and its value stays the same whatever is stored later.
//! The lowering lets a loaded local stand for its register instead of copying it, so it must know
//! which loads would see a later store: that takes the order of statements, found here by numbering
//! them. Loops extend uses to their end, since a value from before the loop is read in every
//! iteration.
//!
//! Start at [`Facts`]; [`walk`](super::walk) finds them.

use naga::{Expression, Function, GlobalVariable, Handle, LocalVariable};
use rustc_hash::FxHashSet;

/// The variable that a pointer leads to, as far as one function can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    /// None, or none that matters.
    None,
    /// A local variable.
    Local(Handle<LocalVariable>),
    /// Whatever the caller passes.
    Argument(u32),
    /// A private variable of the module.
    Private(Handle<GlobalVariable>),
    /// Memory that other invocations see.
    Memory,
}

/// How a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// At most once, as its last statement.
    Last,
    /// More than once, but always as the last thing that is done.
    Tail,
    /// From the middle.
    Early,
}

/// Facts about one function, calls included.
#[derive(Debug)]
pub(super) struct Facts {
    /// Locals with an array that is indexed at run time, by index.
    pub(super) indexed_locals: Vec<bool>,
    /// Arguments, pointers or values, with such an array.
    pub(super) indexed_arguments: Vec<bool>,
    /// Pointer arguments that are stored through.
    pub(super) written_arguments: Vec<bool>,
    /// Private variables with an array that is indexed at run time.
    pub(super) indexed_private: FxHashSet<Handle<GlobalVariable>>,
    /// Private variables that are stored to.
    pub(super) written_private: FxHashSet<Handle<GlobalVariable>>,
    /// Whether shared memory, a texture or anything outside of the invocation may change.
    pub(super) writes_memory: bool,
    /// Whether calling it is the same as evaluating expressions: straight-line code that neither
    /// reads nor writes memory that others see.
    pub(super) pure: bool,
    /// Loads, by expression, whose source may be written while the value is still in use.
    pub(super) overwritten: Vec<bool>,
    /// Results of `&&` and `||`, by local: whether the right side may be evaluated always.
    pub(super) fused: Vec<Option<bool>>,
    /// How it returns.
    pub(super) returns: Returns,
}

impl Facts {
    /// Whether the operator whose result is `local` may evaluate both sides.
    pub(super) fn fuses(&self, local: Handle<LocalVariable>) -> bool {
        self.fused[local.index()] == Some(true)
    }
}

/// The root of every expression of a function, and whether only constants index on the way there.
pub(super) struct Roots {
    roots: Vec<Root>,
    constant: Vec<bool>,
}

impl Roots {
    pub(super) fn new(module: &naga::Module, function: &Function) -> Self {
        let count = function.expressions.len();
        let mut found = Roots {
            roots: Vec::with_capacity(count),
            constant: Vec::with_capacity(count),
        };
        for (_, expression) in function.expressions.iter() {
            let (root, constant) = match *expression {
                Expression::LocalVariable(local) => (Root::Local(local), true),
                Expression::FunctionArgument(index) => (Root::Argument(index), true),
                Expression::GlobalVariable(global) => {
                    let private =
                        module.global_variables[global].space == naga::AddressSpace::Private;
                    let root = if private {
                        Root::Private(global)
                    } else {
                        Root::Memory
                    };
                    (root, true)
                }
                Expression::AccessIndex { base, .. } => (found.of(base), found.is_constant(base)),
                Expression::Access { base, index } => {
                    let constant = is_constant(function, index);
                    (found.of(base), found.is_constant(base) && constant)
                }
                Expression::Load { pointer } => (found.of(pointer), found.is_constant(pointer)),
                _ => (Root::None, true),
            };
            found.roots.push(root);
            found.constant.push(constant);
        }
        found
    }

    /// The variable that a pointer leads to, or that a value was loaded from.
    pub(super) fn of(&self, expression: Handle<Expression>) -> Root {
        self.roots[expression.index()]
    }

    /// Whether no run-time index lies between the root and the expression.
    pub(super) fn is_constant(&self, expression: Handle<Expression>) -> bool {
        self.constant[expression.index()]
    }
}

/// Whether an index is known when the function is read.
pub(super) fn is_constant(function: &Function, index: Handle<Expression>) -> bool {
    matches!(
        function.expressions[index],
        Expression::Literal(_) | Expression::Constant(_) | Expression::ZeroValue(_)
    )
}
