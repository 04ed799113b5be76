//! The function as a list of blocks: each is set up in order, and cleaned up in reverse.
//!
//! Theano nests a block in the block before it. Here all declarations come first, then the code
//! that sets the blocks up, then a label for each cleanup, the last block's first: a failure jumps
//! to the label of its own block, success falls through all of them. That is the same order, and
//! neither the depth nor the length of the code grows with the nesting. Each fragment has braces of
//! its own, so that only the declarations of `declare` are visible elsewhere.

use crate::fragment::Owner;
use crate::gather::Gathered;
use crate::names;
use crate::program::Program;
use crate::roles::VariableRole;

/// The operation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// `c_init` of a variable.
    Init,
    /// `c_extract` of a variable.
    Extract,
    /// `c_extract_out` of an output.
    ExtractOut,
    /// `c_sync` of an output.
    Sync,
    /// `c_init_code_struct` of a node.
    InitStruct,
    /// `c_code` of a node.
    Code,
}

impl Task {
    /// The method that returned the code.
    pub fn hook(self) -> &'static str {
        match self {
            Task::Init => "c_init",
            Task::Extract => "c_extract",
            Task::ExtractOut => "c_extract_out",
            Task::Sync => "c_sync",
            Task::InitStruct => "c_init_code_struct",
            Task::Code => "c_code",
        }
    }
}

/// The meaning of a number that the function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The variable or the node.
    pub owner: Owner,
    /// The operation.
    pub task: Task,
}

/// A part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A generated line.
    Line(String),
    /// A user's code in braces.
    Fragment(usize),
    /// An op's code in braces; as C++, an exception that it throws is the failure of this block.
    Code { fragment: usize, id: usize },
    /// A user's declarations, without braces.
    Declare(usize),
    /// Code that is skipped after a failure.
    IfOk(Vec<Piece>),
    /// Code for a failure of the block itself, if it can fail.
    IfFailed(String),
}

/// The code for a variable or a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    pub id: usize,
    pub title: String,
    pub declare: Vec<Piece>,
    pub setup: Vec<Piece>,
    pub undo: Vec<Piece>,
}

/// The function and its state.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// Of a call.
    pub run: Vec<Block>,
    /// The results, without a sync, of a call that succeeded: inputs and constants.
    pub passed_on: Vec<Piece>,
    /// Of the state; the pieces of `declare` are its members.
    pub state: Vec<Block>,
    /// The number of objects that the state retains between calls.
    pub slots: usize,
}

/// The blocks of a program.
pub(crate) fn blocks(program: &Program, gathered: &Gathered) -> Blocks {
    let mut out = Blocks::default();
    let mut aliased = vec![false; program.variables.len()];
    for node in program.nodes.iter().filter(|node| node.op.aliases()) {
        for &output in &node.outputs {
            aliased[output] = true;
        }
    }
    for &index in &gathered.order {
        if gathered.in_state[index] {
            out.state.push(constant(program, gathered, index));
        } else {
            let block = variable(program, gathered, index, aliased[index], &mut out.slots);
            out.run.push(block);
        }
    }
    for (node, strings) in gathered.nodes.iter().enumerate() {
        if strings.members.is_some()
            || strings.init_members.is_some()
            || strings.cleanup_members.is_some()
        {
            out.state.push(Block {
                id: strings.init_id,
                title: strings.equation.clone(),
                declare: strings.members.map(Piece::Declare).into_iter().collect(),
                setup: strings.init_members.map(Piece::Fragment).into_iter().collect(),
                undo: strings.cleanup_members.map(Piece::Fragment).into_iter().collect(),
            });
        }
        out.run.push(Block {
            id: strings.id,
            title: strings.equation.clone(),
            declare: Vec::new(),
            setup: strings
                .code
                .map(|fragment| Piece::Code { fragment, id: strings.id })
                .into_iter()
                .chain(strings.made.map(Piece::Fragment))
                .collect(),
            undo: operands(program, gathered, node)
                .into_iter()
                .chain(strings.cleanup.map(Piece::Fragment))
                .collect(),
        });
    }
    for (place, output) in program.outputs.iter().enumerate() {
        let from = match gathered.roles[output.variable] {
            VariableRole::Input => format!("inputs[{}]", input_place(program, output.variable)),
            VariableRole::Orphan { orphan } => format!("self->orphans[{orphan}]"),
            _ => continue,
        };
        out.passed_on.push(Piece::Line(format!("outputs[{place}] = Py_NewRef({from});")));
    }
    out
}

/// Attaches the inputs of the node to the exception, as far as there are objects.
fn operands(program: &Program, gathered: &Gathered, node: usize) -> Option<Piece> {
    let object = |&index: &usize| {
        let name = names::variable(index);
        match gathered.roles[index] {
            VariableRole::Literal(_) => None,
            _ if program.variables[index].ty.keeps().is_some() => {
                Some(format!("(PyObject *){name}"))
            }
            VariableRole::Input => Some(format!("py_{name}")),
            _ => None,
        }
    };
    let inputs = &program.nodes[node].inputs;
    let objects: Vec<Option<String>> = inputs.iter().map(object).collect();
    if program.nodes[node].op.explains_itself() || objects.iter().all(Option::is_none) {
        return None;
    }
    let items: Vec<String> =
        objects.into_iter().map(|object| object.unwrap_or_else(|| "NULL".to_owned())).collect();
    Some(Piece::IfFailed(format!(
        "PyObject *const operands[] = {{{}}};\nfp_operands(operands, {});",
        items.join(", "),
        items.len()
    )))
}

/// The index of a variable's argument: the last, if it occurs twice.
fn input_place(program: &Program, index: usize) -> usize {
    program.inputs.iter().rposition(|input| *input == index).unwrap_or_default()
}

/// The places of a variable in the results.
fn output_places(program: &Program, index: usize) -> Vec<usize> {
    let places = program.outputs.iter().enumerate();
    places.filter(|(_, output)| output.variable == index).map(|(place, _)| place).collect()
}

/// A variable of a call.
fn variable(
    program: &Program,
    gathered: &Gathered,
    index: usize,
    aliased: bool,
    slots: &mut usize,
) -> Block {
    let strings = &gathered.variables[&index];
    let name = names::variable(index);
    let py = format!("py_{name}");
    let mut block = Block { id: strings.id, title: program.label(index), ..Block::default() };
    let line = |text: String| Piece::Line(text);

    let role = &gathered.roles[index];
    let places = output_places(program, index);
    let storage = match role {
        VariableRole::Input => Some(format!("&inputs[{}]", input_place(program, index))),
        VariableRole::Orphan { orphan } => Some(format!("&self->orphans[{orphan}]")),
        VariableRole::Output | VariableRole::Recycled => {
            places.first().map(|place| format!("&outputs[{place}]"))
        }
        _ => None,
    };
    let storage_name = format!("storage_{name}");
    if let Some(address) = storage.as_ref().filter(|_| gathered.mentions.has(&storage_name)) {
        let constant = if matches!(role, VariableRole::Output | VariableRole::Recycled) {
            ""
        } else {
            "const "
        };
        block.declare.push(line(format!("PyObject *{constant}*{storage_name} = {address};")));
        if !gathered.mentions.spells(&storage_name) {
            block.declare.push(line(format!("(void){storage_name};")));
        }
    }
    // Only code that names the object of a temporary can see it.
    let has_py = *role != VariableRole::Temporary || gathered.mentions.has(&py);
    if has_py {
        block.declare.push(line(format!("PyObject *{py};")));
    }
    block.declare.extend(strings.declare.map(Piece::Declare));
    block.declare.extend(element_type(program, gathered, index));

    let none = format!("{py} = Py_NewRef(Py_None);");
    let mut own_setup = None;
    let mut own_cleanup = None;
    match role {
        VariableRole::Input | VariableRole::Orphan { .. } => {
            let from = storage.unwrap_or_default().replacen('&', "", 1);
            // The caller holds a reference; a type that only reads the object does not release it.
            let borrows = program.variables[index].ty.is_view();
            let taken = if borrows { from } else { format!("Py_NewRef({from})") };
            block.setup.push(line(format!("{py} = {taken};")));
        }
        VariableRole::Recycled => {
            block.setup.push(line(format!("{py} = fp_take_last(&self->slots[{slots}]);")));
        }
        VariableRole::Temporary => {
            if has_py {
                block.setup.push(line(none));
            }
            if let Some(ty) = program.variables[index].ty.keeps().filter(|_| !aliased) {
                let slot = format!("&self->slots[{slots}]");
                own_setup = Some(line(format!("{name} = ({ty})fp_take({slot});")));
                own_cleanup = Some(line(format!("fp_keep({slot}, (PyObject *){name});")));
                *slots += 1;
            }
        }
        _ => block.setup.push(line(none)),
    }
    block.setup.extend(own_setup.or(strings.setup.map(Piece::Fragment)));

    if matches!(role, VariableRole::Output | VariableRole::Recycled) {
        let mut done: Vec<Piece> = strings.sync.map(Piece::Fragment).into_iter().collect();
        done.push(line(format!("if ({py} == NULL) {{")));
        done.push(line(format!(
            "    __failure = {}; fp_failed(); goto {};",
            strings.sync_id,
            names::label(strings.id)
        )));
        done.push(line("}".to_owned()));
        for place in &places {
            done.push(line(format!("outputs[{place}] = Py_NewRef({py});")));
        }
        if *role == VariableRole::Recycled {
            done.push(line(format!("fp_put(&self->slots[{slots}], Py_NewRef({py}));")));
            *slots += 1;
        }
        block.undo.push(Piece::IfOk(done));
    }
    block.undo.extend(own_cleanup.or(strings.cleanup.map(Piece::Fragment)));
    let is_borrowed = matches!(role, VariableRole::Input | VariableRole::Orphan { .. })
        && program.variables[index].ty.is_view();
    if has_py && !is_borrowed {
        block.undo.push(line(format!("Py_XDECREF({py});")));
    }
    block
}

/// `dtype_<name>`, the type of the elements, if it is used and the type has not declared it.
fn element_type(program: &Program, gathered: &Gathered, index: usize) -> Option<Piece> {
    let name = format!("dtype_{}", names::variable(index));
    let element = program.variables[index].ty.element_type()?;
    let declared = gathered.variables[&index].declare;
    let is_declared = declared.is_some_and(|text| gathered.fragments[text].text.contains(&name));
    (gathered.mentions.spells(&name) && !is_declared)
        .then(|| Piece::Line(format!("typedef {element} {name};")))
}

/// A constant that is extracted when the state is created.
fn constant(program: &Program, gathered: &Gathered, index: usize) -> Block {
    let strings = &gathered.variables[&index];
    let py = format!("py_{}", names::variable(index));
    let orphan = match gathered.roles[index] {
        VariableRole::Orphan { orphan } => orphan,
        _ => unreachable!("only constants live in the state"),
    };
    let storage = format!("storage_{}", names::variable(index));
    let has_storage = gathered.mentions.has(&storage);
    let mut block = Block { id: strings.id, title: program.label(index), ..Block::default() };
    if has_storage {
        block.declare.push(Piece::Line(format!("PyObject *const *{storage};")));
        block.setup.push(Piece::Line(format!("{storage} = &orphans[{orphan}];")));
    }
    block.declare.push(Piece::Line(format!("PyObject *{py};")));
    block.declare.extend(strings.declare.map(Piece::Declare));
    block.declare.extend(element_type(program, gathered, index));
    block.setup.push(Piece::Line(format!("{py} = Py_NewRef(orphans[{orphan}]);")));
    block.setup.extend(strings.setup.map(Piece::Fragment));
    block.undo.extend(strings.cleanup.map(Piece::Fragment));
    block.undo.push(Piece::Line(format!("Py_XDECREF({py});")));
    block
}
