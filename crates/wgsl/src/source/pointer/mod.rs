//! Function parameters that point to storage, uniform or workgroup memory
//! (`unrestricted_pointer_parameters`), which browsers accept and naga's validator refuses.
//!
//! Each such function is replaced by one copy for each set of variables that it is called with: the
//! parameter becomes the variable, or the part of it, that the caller points to, and the indices on the
//! way become parameters of their own:
//!
//! ```wgsl
//! fn bump(p: ptr<workgroup, u32>) { *p += 1u; }           // becomes
//! fn bump(p_index_0: u32) { counts[p_index_0] += 1u; }    // for the call
//! bump(&counts[i]);                                       // which becomes bump(i)
//! ```
//!
//! The index is evaluated where the pointer was formed, as the language asks. Invariants: spans are
//! those of the original; a module without such parameters is returned untouched; functions still
//! precede their callers. A function with such parameters that nothing calls is left out.
//!
//! Start at [`specialise_pointer_parameters`]; [`rebuild`] copies one function, [`copying`] keeps
//! track of its expressions, [`operands`] knows where naga keeps handles.

mod copying;
mod operands;
mod rebuild;

use std::collections::HashMap;

use naga::{
    AddressSpace, Arena, EntryPoint, Expression, Function, GlobalVariable, Handle, Module, Span,
    Type,
};

use super::error::{Problem, SourceError};
use super::portability::{PortabilityNote, PortabilitySeverity};

/// Most copies of functions that are made before giving up.
const MAXIMUM_COPIES: usize = 8_192;
/// Deepest chain of calls that a pointer is followed through.
const MAXIMUM_CALL_DEPTH: usize = 128;

/// Where a pointer leads: a variable and the way into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Target {
    variable: Handle<GlobalVariable>,
    steps: Vec<Step>,
}

/// One step into a composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// A member, or an element at a constant index.
    Constant(u32),
    /// An element at an index of this type that is known when the kernel runs.
    Computed(Handle<Type>),
}

/// Replaces parameters that point to storage, uniform or workgroup memory, and notes each.
pub(super) fn specialise_pointer_parameters(
    mut module: Module,
    notes: &mut Vec<PortabilityNote>,
) -> Result<Module, SourceError> {
    let parameters = restricted_parameters(&module);
    if parameters.is_empty() {
        return Ok(module);
    }
    for (handle, function) in module.functions.iter() {
        let indices = parameters.get(&handle).into_iter().flatten();
        notes.extend(indices.map(|&index| parameter_note(&module, function, index)));
    }
    let originals = std::mem::take(&mut module.functions);
    let entry_points = std::mem::take(&mut module.entry_points);
    let mut specialiser = Specialiser {
        module,
        originals: &originals,
        parameters,
        copies: Arena::new(),
        made: HashMap::new(),
        depth: 0,
    };
    for (handle, _) in originals.iter() {
        if !specialiser.parameters.contains_key(&handle) {
            specialiser.copy_of(handle, Vec::new())?;
        }
    }
    let entry_points = entry_points
        .into_iter()
        .map(|entry| {
            let function = specialiser.rebuild(&entry.function, &[], &[])?;
            Ok(EntryPoint { function, ..entry })
        })
        .collect::<Result<_, SourceError>>()?;
    let mut module = specialiser.module;
    module.functions = specialiser.copies;
    module.entry_points = entry_points;
    // Its keys are handles of the functions as they were.
    module.doc_comments = None;
    Ok(module)
}

/// The functions with parameters that naga's validator refuses, and which parameters those are.
fn restricted_parameters(module: &Module) -> HashMap<Handle<Function>, Vec<usize>> {
    let restricted = |ty: Handle<Type>| {
        !matches!(
            module.types[ty].inner.pointer_space(),
            None | Some(AddressSpace::Function | AddressSpace::Private)
        )
    };
    let mut parameters = HashMap::new();
    for (handle, function) in module.functions.iter() {
        let indices: Vec<usize> = (0..function.arguments.len())
            .filter(|&index| restricted(function.arguments[index].ty))
            .collect();
        if !indices.is_empty() {
            parameters.insert(handle, indices);
        }
    }
    parameters
}

fn parameter_note(module: &Module, function: &Function, index: usize) -> PortabilityNote {
    let argument = &function.arguments[index];
    let space = match module.types[argument.ty].inner.pointer_space() {
        Some(AddressSpace::Storage { .. }) => "storage",
        Some(AddressSpace::Uniform) => "uniform",
        Some(AddressSpace::WorkGroup) => "workgroup",
        _ => "such",
    };
    PortabilityNote {
        code: "portability-pointer-parameter",
        severity: PortabilitySeverity::Note,
        message: format!(
            "naga and wgpu refuse parameters that point to {space} memory, such as `{}` of `{}`; \
             browsers with `unrestricted_pointer_parameters` take them",
            argument.name.as_deref().unwrap_or("?"),
            function.name.as_deref().unwrap_or("?"),
        ),
        help: Some("pass the index, and name the variable inside the function".to_owned()),
        span: argument_span(function, index)
            .to_range()
            .unwrap_or_default(),
    }
}

/// Span of a parameter's name.
fn argument_span(function: &Function, index: usize) -> Span {
    let is_argument = |expression: &Expression| matches!(expression, Expression::FunctionArgument(of) if usize::try_from(*of) == Ok(index));
    function
        .expressions
        .fetch_if(is_argument)
        .map(|handle| function.expressions.get_span(handle))
        .unwrap_or_default()
}

/// The work in progress: originals on one side, copies on the other.
struct Specialiser<'a> {
    /// The module without its functions.
    module: Module,
    originals: &'a Arena<Function>,
    /// Restricted parameters by original.
    parameters: HashMap<Handle<Function>, Vec<usize>>,
    copies: Arena<Function>,
    made: HashMap<(Handle<Function>, Vec<Target>), Handle<Function>>,
    depth: usize,
}

impl Specialiser<'_> {
    /// The copy of `original` whose restricted parameters lead to `targets`, made when first needed.
    fn copy_of(
        &mut self,
        original: Handle<Function>,
        targets: Vec<Target>,
    ) -> Result<Handle<Function>, SourceError> {
        let key = (original, targets);
        if let Some(&copy) = self.made.get(&key) {
            return Ok(copy);
        }
        let span = self.originals.get_span(original);
        if self.depth > MAXIMUM_CALL_DEPTH || self.made.len() > MAXIMUM_COPIES {
            return Err(refuse(
                "pointer parameters are passed through too many calls to be followed",
                span,
                "this function gets too many different pointers, or gets them too deep",
            ));
        }
        self.depth += 1;
        let indices = self.parameters.get(&original).cloned().unwrap_or_default();
        let originals = self.originals;
        let function = self.rebuild(&originals[original], &indices, &key.1)?;
        self.depth -= 1;
        let copy = self.copies.append(function, span);
        self.made.insert(key, copy);
        Ok(copy)
    }
}

fn refuse(message: &str, span: Span, label: &str) -> SourceError {
    let mut problem = Problem {
        message: message.to_owned(),
        ..Problem::default()
    };
    if let Some(span) = span.to_range() {
        problem = Problem::at(message, span, label);
    }
    SourceError::Validate(Box::new(problem))
}
