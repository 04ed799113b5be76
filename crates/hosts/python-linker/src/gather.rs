//! Collects the code of types and ops, once each, in the order of the protocol.

use crate::asked::Asked;
use crate::blocks::{Position, Task};
use crate::error::{Error, LinkError};
use crate::fragment::{Fragment, Owner};
use crate::fragment_op::Site;
use crate::fragment_type::Text;
use crate::mentions::Mentions;
use crate::names;
use crate::needs::{Needs, Version};
use crate::program::Program;
use crate::roles::{VariableRole, roles};
use crate::sub::Sub;
use crate::text::tidy;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The code of a variable, as indices of fragments.
#[derive(Debug, Default)]
pub(crate) struct VariableTexts {
    pub id: usize,
    pub declare: Option<usize>,
    /// `init`, `extract` or `extract_out`: never two of them.
    pub setup: Option<usize>,
    pub sync: Option<usize>,
    /// The failure number of `sync`.
    pub sync_id: usize,
    pub cleanup: Option<usize>,
}

/// The code of a node.
#[derive(Debug, Default)]
pub(crate) struct NodeTexts {
    pub id: usize,
    pub code: Option<usize>,
    /// The checks after it.
    pub made: Option<usize>,
    pub cleanup: Option<usize>,
    pub members: Option<usize>,
    pub init_members: Option<usize>,
    pub init_id: usize,
    pub cleanup_members: Option<usize>,
    pub support: Option<usize>,
    pub init_module: Option<usize>,
    /// `c = add(x, y)`
    pub equation: String,
}

/// All results of types and ops.
pub(crate) struct Gathered {
    pub roles: Vec<VariableRole>,
    /// The variables that are orphans.
    pub orphans: Vec<usize>,
    pub fragments: Vec<Fragment>,
    /// Variables that get blocks, in the order of these.
    pub order: Vec<usize>,
    pub variables: HashMap<usize, VariableTexts>,
    pub nodes: Vec<NodeTexts>,
    pub needs: Needs,
    /// The support code of types and ops, as fragments.
    pub support: Vec<usize>,
    pub version: Version,
    /// Types and ops without a version.
    pub unversioned: Vec<String>,
    pub compiler: Option<String>,
    /// The origin of each header, library or flag.
    pub asked: Vec<Asked>,
    /// The operation that failed, by the number that the function returns, minus one.
    pub positions: Vec<Position>,
    pub mentions: Mentions,
    /// Constants that are extracted once, when the state is created: their declarations are
    /// members.
    pub in_state: Vec<bool>,
}

/// Collects everything.
pub(crate) fn gather(program: &Program) -> Result<Gathered, LinkError> {
    program.check()?;
    let (roles, orphans) = roles(program)?;
    let mut out = Gathered {
        in_state: in_state(program, &roles),
        roles,
        orphans,
        fragments: Vec::new(),
        order: Vec::new(),
        variables: HashMap::new(),
        nodes: Vec::new(),
        needs: Needs::default(),
        support: Vec::new(),
        version: Version::Parts(Vec::new()),
        unversioned: Vec::new(),
        compiler: None,
        asked: Vec::new(),
        positions: Vec::new(),
        mentions: Mentions::default(),
    };
    out.order = out.order_of(program);
    out.surroundings(program)?;
    let check_input = check_input(program);
    for index in out.order.clone() {
        out.variable(program, index, check_input[index])?;
    }
    for index in 0..program.nodes.len() {
        out.node(program, index)?;
    }
    out.read_mentions();
    Ok(out)
}

/// Whether a variable's type must validate: some client requires it, or the node that computes it.
fn check_input(program: &Program) -> Vec<bool> {
    let mut wanted = vec![false; program.variables.len()];
    for node in program.nodes.iter().filter(|node| node.op.check_input()) {
        for &index in node.inputs.iter().chain(&node.outputs).chain(&node.params) {
            wanted[index] = true;
        }
    }
    wanted
}

/// Constants are in the state, so that they are extracted once. If `extract` only reads, it is
/// repeated in each call, except for parameters: the state's own code may read these.
fn in_state(program: &Program, roles: &[VariableRole]) -> Vec<bool> {
    let mut in_state: Vec<bool> = (program.variables.iter().zip(roles))
        .map(|(variable, role)| {
            matches!(role, VariableRole::Orphan { .. }) && !variable.ty.is_view()
        })
        .collect();
    for params in program.nodes.iter().filter_map(|node| node.params) {
        in_state[params] = matches!(roles[params], VariableRole::Orphan { .. });
    }
    in_state
}

/// Whether the node that computes a variable requires validation.
fn owner_checks(program: &Program, index: usize) -> bool {
    let owner = program.nodes.iter().find(|node| node.outputs.contains(&index));
    owner.is_some_and(|node| node.op.check_input())
}

impl Gathered {
    /// Inputs, then constants, then outputs of nodes.
    fn order_of(&self, program: &Program) -> Vec<usize> {
        let mut seen = vec![false; program.variables.len()];
        let made = program.nodes.iter().flat_map(|node| node.outputs.iter().copied());
        let all = program.inputs.iter().copied().chain(self.orphans.iter().copied()).chain(made);
        all.filter(|&index| !std::mem::replace(&mut seen[index], true)).collect()
    }

    /// Compilers first, since requirements of types and ops may depend on them; types before ops.
    fn surroundings(&mut self, program: &Program) -> Result<(), LinkError> {
        let mut asked: Option<(String, String)> = None;
        let mut ask = |who: String, compiler: Result<Option<String>, Error>| {
            let compiler = compiler.map_err(|error| LinkError::User {
                what: format!("{who}.c_compiler"),
                node: None,
                error,
            })?;
            match (&asked, compiler) {
                (Some(first), Some(other)) if first.1 != other => {
                    let second = (who, other);
                    return Err(LinkError::Compilers { first: first.clone(), second });
                }
                (None, Some(compiler)) => asked = Some((who, compiler)),
                _ => {}
            }
            Ok(())
        };
        // A type or an op that occurs at many places is queried once.
        let types = distinct(self.used(program).map(|index| (index, &program.variables[index].ty)));
        let ops = distinct(program.nodes.iter().map(|node| &node.op).enumerate());
        for (_, ty) in &types {
            ask(ty.name(), ty.compiler())?;
        }
        for (_, op) in &ops {
            ask(op.name(), op.compiler())?;
        }
        self.compiler = asked.map(|(_, compiler)| compiler);
        let compiler = self.compiler.clone().or_else(|| program.compiler.clone());
        for (index, ty) in types {
            let who =
                Whose { by: ty.name(), of: program.label(index), owner: Owner::Variable(index) };
            self.join(who, ty.needs(compiler.as_deref()), ty.version())?;
        }
        for (index, op) in ops {
            let who =
                Whose { by: op.name(), of: equation(program, index), owner: Owner::Node(index) };
            self.join(who, op.needs(compiler.as_deref()), op.version())?;
        }
        Ok(())
    }

    /// Variables with blocks, and those with literals.
    fn used(&self, program: &Program) -> impl Iterator<Item = usize> {
        (0..program.variables.len()).filter(|index| self.roles[*index] != VariableRole::Unused)
    }

    fn join(
        &mut self,
        who: Whose,
        needs: Result<Needs, Error>,
        version: Result<Version, Error>,
    ) -> Result<(), LinkError> {
        let node = match who.owner {
            Owner::Node(index) => Some(index),
            Owner::Variable(_) => None,
        };
        let user = |error| LinkError::User { what: who.by.clone(), node, error };
        let before = self.needs.support_code.len();
        let needs = needs.map_err(user)?;
        self.asked.extend(Asked::of(&who.by, node, &needs));
        self.needs.join(needs);
        let new = self.needs.support_code.split_off(before);
        self.needs.support_code.extend(new.iter().cloned());
        for text in new {
            let Whose { by, of, owner } = who.clone();
            let fragment = self.add(Fragment { hook: "c_support_code", by, of, owner, text });
            self.support.extend(fragment);
        }
        let version = version.map_err(user)?;
        if version == Version::ThisProcess {
            self.unversioned.push(who.by.clone());
        }
        let so_far = std::mem::replace(&mut self.version, Version::ThisProcess);
        self.version = so_far.and(version);
        Ok(())
    }

    fn variable(&mut self, program: &Program, index: usize, check: bool) -> Result<(), LinkError> {
        let ty = program.variables[index].ty.clone();
        let name = names::variable(index);
        let role = self.roles[index].clone();
        let in_state = self.in_state[index];
        let (task, task_name) = match role {
            VariableRole::Input | VariableRole::Orphan { .. } => (Task::Extract, "c_extract"),
            VariableRole::Recycled => (Task::ExtractOut, "c_extract_out"),
            _ => (Task::Init, "c_init"),
        };
        let id = self.position(Owner::Variable(index), task);
        let sub = variable_sub(&name, id, id, in_state);
        let mut strings = VariableTexts { id, ..VariableTexts::default() };
        let mut add = |hook, text| self.of_variable(program, index, hook, text);
        strings.declare = add("c_declare", required(ty.declare(&name, &sub, check)))?;
        strings.setup = match task {
            Task::Extract => add(task_name, required(ty.extract(&name, &sub, check)))?,
            Task::ExtractOut => {
                let check = owner_checks(program, index);
                let text = match ty.extract_out(&name, &sub, check) {
                    Ok(None) => {
                        let init = ty.init(&name, &sub);
                        either(&name, init, ty.extract(&name, &sub, check))
                    }
                    given => given,
                };
                add(task_name, required(text))?
            }
            _ => add(task_name, required(ty.init(&name, &sub)))?,
        };
        if matches!(role, VariableRole::Output | VariableRole::Recycled) {
            strings.sync_id = self.position(Owner::Variable(index), Task::Sync);
            let sub = variable_sub(&name, strings.sync_id, id, false);
            let text = required(ty.sync(&name, &sub));
            strings.sync = self.of_variable(program, index, "c_sync", text)?;
        }
        let text = required(ty.cleanup(&name, &sub));
        strings.cleanup = self.of_variable(program, index, "c_cleanup", text)?;
        self.variables.insert(index, strings);
        Ok(())
    }

    fn node(&mut self, program: &Program, index: usize) -> Result<(), LinkError> {
        let node = &program.nodes[index];
        let op = &node.op;
        let name = names::node(index);
        let inputs: Vec<String> = node.inputs.iter().map(|&input| self.operand(input)).collect();
        let outputs: Vec<String> = node.outputs.iter().map(|&out| names::variable(out)).collect();
        let params = node.params.map(names::variable);
        let mut strings = NodeTexts { equation: equation(program, index), ..NodeTexts::default() };

        strings.init_id = self.position(Owner::Node(index), Task::InitStruct);
        let init_sub = with_params(sub_in_state(strings.init_id), &params);
        strings.id = self.position(Owner::Node(index), Task::Code);
        let sub = with_params(sub_in_run(strings.id, strings.id), &params);
        let site = Site { name: &name, inputs: &inputs, outputs: &outputs, sub: &sub };

        let mut add = |hook, text| self.of_node(program, index, &strings.equation, hook, text);
        let code = match op.code(site) {
            Ok(None) => {
                let message = format!("{} cannot produce C code", op.name());
                return Err(LinkError::NoCode { message, node: Some(index) });
            }
            given => given,
        };
        strings.support = add("c_support_code_apply", op.support_code_apply(&name))?;
        strings.init_module = add("c_init_code_apply", op.init_code_apply(&name))?;
        strings.members = add("c_support_code_struct", op.support_code_struct(&name))?;
        strings.init_members = add("c_init_code_struct", op.init_code_struct(&name, &init_sub))?;
        strings.cleanup_members = add("c_cleanup_code_struct", op.cleanup_code_struct(&name))?;
        strings.code = add("c_code", code)?;
        let made = checks_of_outputs(program, index, strings.id);
        strings.made = add("c_code", Ok(made))?;
        strings.cleanup = add("c_code_cleanup", op.code_cleanup(site))?;
        self.nodes.push(strings);
        Ok(())
    }

    /// A name, or a literal.
    fn operand(&self, index: usize) -> String {
        match &self.roles[index] {
            VariableRole::Literal(text) => text.clone(),
            _ => names::variable(index),
        }
    }

    fn position(&mut self, owner: Owner, task: Task) -> usize {
        self.positions.push(Position { owner, task });
        self.positions.len()
    }

    fn of_variable(
        &mut self,
        program: &Program,
        index: usize,
        hook: &'static str,
        text: Result<Option<String>, Option<Error>>,
    ) -> Result<Option<usize>, LinkError> {
        let by = program.variables[index].ty.name();
        let of = program.label(index);
        match text {
            Ok(text) => Ok(self.add(Fragment {
                hook,
                by,
                of,
                owner: Owner::Variable(index),
                text: text.unwrap_or_default(),
            })),
            Err(None) => Err(LinkError::NoCode {
                message: format!("Type of {of} cannot produce C code: {by} has no {hook}"),
                node: None,
            }),
            Err(Some(error)) => {
                Err(LinkError::User { what: format!("{by}.{hook} of {of}"), node: None, error })
            }
        }
    }

    fn of_node(
        &mut self,
        program: &Program,
        index: usize,
        equation: &str,
        hook: &'static str,
        text: Text,
    ) -> Result<Option<usize>, LinkError> {
        let by = program.nodes[index].op.name();
        let text = text.map_err(|error| LinkError::User {
            what: format!("{by}.{hook} in {equation}"),
            node: Some(index),
            error,
        })?;
        Ok(self.add(Fragment {
            hook,
            by,
            of: equation.to_owned(),
            owner: Owner::Node(index),
            text: text.unwrap_or_default(),
        }))
    }

    /// Empty code is not a fragment.
    fn add(&mut self, mut fragment: Fragment) -> Option<usize> {
        fragment.text = tidy(&fragment.text);
        if fragment.text.is_empty() {
            return None;
        }
        self.fragments.push(fragment);
        Some(self.fragments.len() - 1)
    }

    fn read_mentions(&mut self) {
        for fragment in &self.fragments {
            self.mentions.read(&fragment.text);
        }
        for text in &self.needs.init_code {
            self.mentions.read(text);
        }
        for header in &self.needs.headers {
            self.mentions.read_header(header);
        }
    }
}

/// Checks whether the result of a user-defined op is valid for the types of its outputs.
fn checks_of_outputs(program: &Program, index: usize, id: usize) -> Option<String> {
    let node = &program.nodes[index];
    let check = |&output: &usize| program.variables[output].ty.check_made(&names::variable(output));
    let checks: Vec<String> = node.outputs.iter().filter_map(check).collect();
    let fails = checks.iter().map(|one| format!("!{one}")).collect::<Vec<_>>().join("\n    || ");
    (node.op.may_make_anything() && !checks.is_empty())
        .then(|| format!("if ({fails}) {{\n    {}\n}}", sub_in_run(id, id).fail()))
}

/// A fragment that a type must have: `Err(None)` if it is not defined.
fn required(text: Text) -> Result<Option<String>, Option<Error>> {
    match text {
        Ok(None) => Err(None),
        Ok(text) => Ok(text),
        Err(error) => Err(Some(error)),
    }
}

/// How an output is initialised if its type does not define it.
fn either(name: &str, init: Text, extract: Text) -> Text {
    let (Some(init), Some(extract)) = (init?, extract?) else { return Ok(None) };
    let indented =
        |text: &str| tidy(text).lines().map(|line| format!("    {line}\n")).collect::<String>();
    Ok(Some(format!(
        "if (py_{name} == Py_None) {{\n{}}} else {{\n{}}}",
        indented(&init),
        indented(&extract)
    )))
}

/// `failed`: the number of the failure; `id`: the block that is cleaned up then.
fn sub_in_run(failed: usize, id: usize) -> Sub {
    let label = names::label(id);
    Sub::default()
        .with("fail", format!("{{ __failure = {failed}; fp_failed(); goto {label}; }}"))
        .with("id", id.to_string())
        .with("failure_var", "__failure")
}

/// Placeholders without a label: the resources of the state are released with the state.
fn sub_in_state(id: usize) -> Sub {
    Sub::default()
        .with("fail", format!("{{ __failure = {id}; fp_failed(); return __failure; }}"))
        .with("id", id.to_string())
        .with("failure_var", "__failure")
}

fn variable_sub(name: &str, failed: usize, id: usize, in_state: bool) -> Sub {
    let sub = if in_state { sub_in_state(failed) } else { sub_in_run(failed, id) };
    sub.with("py_ptr", format!("py_{name}")).with("stor_ptr", format!("storage_{name}"))
}

fn with_params(sub: Sub, params: &Option<String>) -> Sub {
    match params {
        Some(name) => sub.with("params", name),
        None => sub,
    }
}

/// `c = add(x, y)`
fn equation(program: &Program, index: usize) -> String {
    let node = &program.nodes[index];
    let list = |of: &[usize]| of.iter().map(|&i| program.label(i)).collect::<Vec<_>>().join(", ");
    format!("{} = {}({})", list(&node.outputs), node.op.name(), list(&node.inputs))
}

/// Without duplicates, in order of first occurrence.
fn distinct<'a, T: ?Sized + 'a>(
    all: impl Iterator<Item = (usize, &'a Arc<T>)>,
) -> Vec<(usize, Arc<T>)> {
    let mut seen = HashSet::new();
    all.filter(|(_, item)| seen.insert(Arc::as_ptr(item).cast::<()>()))
        .map(|(index, item)| (index, item.clone()))
        .collect()
}

/// The owner of code without a place of its own.
#[derive(Clone)]
struct Whose {
    by: String,
    of: String,
    owner: Owner,
}
