//! A graph's C function: a variable for each value, then a step for each node.

use std::collections::{HashMap, HashSet};

use fishplate_emit::Body as Text;
use fishplate_graph::{DType, Graph, Home, MemoryPlan, Op, Origin, Value, Var};

use crate::body;
use crate::ctype::{abi_type, c_type};
use crate::helpers::Helpers;
use crate::kernels::{is_scalar_code, kernel, scalar_body};
use crate::{steps, wrapped};

/// The printed source, section by section.
pub struct Printer<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Its memory plan.
    pub memory: &'a MemoryPlan,
    /// Helpers that the functions call.
    pub helpers: Helpers,
    /// Loops.
    pub functions: Vec<String>,
    function_names: HashMap<String, String>,
    /// Tables for the runtime.
    pub tables: Text,
    /// The steps; for large graphs those of the current part.
    pub steps: Text,
    /// For a large graph: the variables, as members of a struct, and the finished parts.
    members: Text,
    parts: Vec<Text>,
    is_large: bool,
    /// Constants, in the order of their pointers.
    pub constants: Vec<std::sync::Arc<Value>>,
    /// The addresses of the C functions that it calls; their pointers follow those of constants.
    pub functions_called: Vec<usize>,
    /// Whether slices have bounds that must be clipped.
    pub uses_bounds: bool,
    /// Whether reshapes depend on memory layouts.
    pub uses_contiguity: bool,
    /// Whether sizes that may overflow are computed.
    pub uses_dimensions: bool,
    ranks: Vec<usize>,
    /// The arguments, if the graph is a function of doubles.
    value: Option<Vec<Var>>,
    /// The views of the inputs, by name.
    input_views: Vec<(String, String)>,
}

/// The prefix of public names in a library.
const EXPORTED: &str = "FP_EXPORTED ";

/// The name of the additional function that a graph of a few doubles exports; a host calls it
/// without an `fp_call`.
const VALUE_SYMBOL: &str = "fp_graph_value";

/// The limit on its arguments.
const VALUES: usize = 4;

/// The limit on the steps of one function. Compilers take more than linear time for longer ones,
/// because every step could change every variable.
const PART: usize = 64;

impl<'a> Printer<'a> {
    /// An empty source.
    pub fn new(graph: &'a Graph, memory: &'a MemoryPlan) -> Self {
        Self {
            graph,
            memory,
            helpers: Helpers::default(),
            functions: Vec::new(),
            function_names: HashMap::new(),
            tables: Text::at_depth(0),
            steps: Text::at_depth(1),
            members: Text::at_depth(1),
            parts: Vec::new(),
            is_large: graph.nodes().len() > PART,
            constants: Vec::new(),
            functions_called: Vec::new(),
            uses_bounds: false,
            uses_contiguity: false,
            uses_dimensions: false,
            ranks: Vec::new(),
            value: None,
            input_views: Vec::new(),
        }
    }

    /// Adds the functions that `print` prints under a name, unless the same source exists, and
    /// returns their name.
    pub fn function(&mut self, print: impl Fn(&str, &mut Helpers) -> String) -> String {
        let text = print("loop", &mut self.helpers);
        if let Some(name) = self.function_names.get(&text) {
            return name.clone();
        }
        let name = format!("loop{}", self.functions.len());
        let own = print(&name, &mut self.helpers);
        self.functions.push(own);
        self.function_names.insert(text, name.clone());
        name
    }

    /// The pointer to a C function. All constants are known by then.
    pub fn pointer_to(&mut self, address: usize) -> usize {
        let known = self.functions_called.iter().position(|one| *one == address);
        self.constants.len()
            + known.unwrap_or_else(|| {
                self.functions_called.push(address);
                self.functions_called.len() - 1
            })
    }

    /// The rank of a variable.
    pub fn ndim(&self, var: Var) -> usize {
        self.graph.tensor(var).ndim()
    }

    /// The address of a variable, for a step.
    pub fn address(&self, var: Var) -> String {
        format!("(void *)&V{}", var.0)
    }

    /// The view of a variable, for steps that do not depend on its rank.
    pub fn view(&self, var: Var) -> String {
        format!("(fp_view *)&V{}", var.0)
    }

    /// Records that there are views of a rank.
    pub fn use_rank(&mut self, ndim: usize) {
        if !self.ranks.contains(&ndim) {
            self.ranks.push(ndim);
            self.ranks.sort_unstable();
        }
    }

    /// The inputs in order, if the graph is a function of a few doubles that cannot fail.
    fn arguments_of_value(&self) -> Option<Vec<Var>> {
        let double = |var: Var| {
            let tensor = self.graph.tensor(var);
            tensor.ndim() == 0 && tensor.dtype == DType::Float64
        };
        let inputs = self.graph.inputs().to_vec();
        let needed = self.graph.needed();
        let mut nodes = self.graph.nodes().iter().enumerate().filter(|(index, _)| needed[*index]);
        let is_value = !self.is_large
            && (1..=VALUES).contains(&inputs.len())
            && self.graph.outputs.len() == 1
            && inputs.iter().chain(&self.graph.outputs).all(|&var| double(var))
            && nodes.all(|(_, node)| is_scalar_code(self, node));
        is_value.then_some(inputs)
    }

    /// Declares all variables that are needed, and prints all steps.
    pub fn print(&mut self) {
        self.value = self.arguments_of_value();
        let needed = self.graph.needed();
        let is_used =
            |var: Var| self.memory.uses[var.index()] > 0 || self.graph.outputs.contains(&var);
        let used: Vec<bool> =
            (0..self.graph.variables().len()).map(|index| is_used(Var(index as u32))).collect();
        for (index, variable) in self.graph.variables().iter().enumerate() {
            let var = Var(index as u32);
            match &variable.origin {
                Origin::Input(number) if used[index] => self.declare_input(var, *number),
                Origin::Constant(value) if used[index] => self.declare_constant(var, value.clone()),
                Origin::Node(node, _) if needed[*node] => self.declare(var),
                _ => {}
            }
        }
        let mut done = 0;
        for (index, node) in self.graph.nodes().iter().enumerate() {
            if !needed[index] {
                continue;
            }
            done += 1;
            if self.is_large && done % PART == 0 {
                self.parts.push(std::mem::replace(&mut self.steps, Text::at_depth(1)));
            }
            if is_scalar_code(self, node) {
                self.scalar_step(index);
            } else {
                match &node.op {
                    Op::Wrapped(function) => wrapped::print(self, index, node, function),
                    Op::Map(_)
                    | Op::Fused(_)
                    | Op::Reduce { .. }
                    | Op::Fold { .. }
                    | Op::Rows(_) => {
                        let step = kernel(self, index, node);
                        let operands: Vec<String> = node
                            .outputs
                            .iter()
                            .chain(&node.inputs)
                            .map(|&var| self.address(var))
                            .collect();
                        let list = operands.join(", ");
                        self.must(format!(
                            "rt->{step}(call, &m{index}, (void *const[]){{{list}}})"
                        ));
                    }
                    _ => steps::print(self, index, node),
                }
            }
            for &var in &self.memory.drops[index] {
                let memory = match self.memory.homes[var.index()] {
                    Home::Viewed => format!("own{}", var.0),
                    _ => format!("V{}.data", var.0),
                };
                self.steps.line(format!("rt->drop(call, {memory});"));
            }
        }
        self.write_outputs();
    }

    /// A step that may fail.
    pub fn must(&mut self, step: String) {
        self.steps.when(format!("!{step}"), "return 0;");
    }

    /// Declares a variable; in a small graph, as a local variable.
    fn variable(&mut self, c: &str, name: &str, value: Option<&str>) {
        if self.is_large {
            self.members.line(format!("{c} {name};"));
            if let Some(value) = value {
                self.steps.line(format!("{name} = {value};"));
            }
            return;
        }
        let value = value.map_or(String::new(), |value| format!(" = {value}"));
        self.steps.line(format!("{c} {name}{value};"));
    }

    fn declare(&mut self, var: Var) {
        let tensor = self.graph.tensor(var);
        let name = format!("V{}", var.0);
        if tensor.ndim() == 0 {
            self.variable(c_type(tensor.dtype), &name, None);
            return;
        }
        self.use_rank(tensor.ndim());
        self.variable(&format!("fp_view{}", tensor.ndim()), &name, None);
        if self.graph.owner(var).is_some_and(|(node, _)| self.graph.nodes()[node].op == Op::Reshape)
        {
            let own = format!("*own{}", var.0);
            self.variable("char", &own, None);
            let own = own.trim_start_matches('*');
            self.steps.line(format!("{own} = 0;"));
            self.steps.line(format!("(void){own};"));
        }
    }

    fn declare_input(&mut self, var: Var, number: usize) {
        let tensor = self.graph.tensor(var);
        let (ndim, name) = (tensor.ndim(), format!("V{}", var.0));
        if ndim == 0 {
            let c = c_type(tensor.dtype);
            if self.value.is_none() {
                self.variable(c, &name, Some(&format!("*(const {c} *)inputs[{number}]")));
            }
            return;
        }
        // An alias and not a copy: loading values right after they were stored in words takes
        // longer than a whole step.
        self.use_rank(ndim);
        self.input_views.push((name, format!("(*(const fp_view{ndim} *)inputs[{number}])")));
    }

    fn declare_constant(&mut self, var: Var, value: std::sync::Arc<Value>) {
        let number = self.constants.len();
        let tensor = value.tensor.clone();
        self.constants.push(value);
        let (ndim, name) = (tensor.ndim(), format!("V{}", var.0));
        if ndim == 0 {
            let c = c_type(tensor.dtype);
            self.variable(c, &name, Some(&format!("*(const {c} *)pointers[{number}]")));
            return;
        }
        self.use_rank(ndim);
        let sizes: Vec<usize> = tensor.shape.iter().map(|size| size.unwrap_or(0)).collect();
        let mut strides = vec![tensor.dtype.size(); ndim];
        for axis in (0..ndim - 1).rev() {
            strides[axis] = strides[axis + 1] * sizes[axis + 1];
        }
        let list = |values: &[usize]| {
            values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
        };
        let c = format!("fp_view{ndim}");
        let view =
            format!("{{(char *)pointers[{number}], {{{}}}, {{{}}}}}", list(&sizes), list(&strides));
        let view = if self.is_large { format!("({c}){view}") } else { view };
        self.variable(&c, &name, Some(&view));
    }

    /// A map of scalars: plain C.
    fn scalar_step(&mut self, index: usize) {
        let node = &self.graph.nodes()[index];
        let of = scalar_body(self, node);
        if let [one] = of.instructions.as_slice() {
            let names: Vec<String> = one
                .arguments
                .iter()
                .map(|&arg| match arg {
                    fishplate_graph::Arg::Input(input) => format!("V{}", node.inputs[input].0),
                    fishplate_graph::Arg::Local(_) => {
                        unreachable!("the first instruction has none before it")
                    }
                })
                .collect();
            let from = of.dtype(*one.arguments.last().expect("every function has an argument"));
            let value = crate::function::expression(one.function, from, &names, &mut self.helpers);
            self.steps.line(format!("V{} = {value};", node.outputs[0].0));
            return;
        }
        let statements = body::statements(&of, &mut self.helpers);
        self.steps.open("");
        for (number, input) in node.inputs.iter().enumerate() {
            let c = c_type(of.inputs[number]);
            self.steps.line(format!("const {c} x{number} = V{};", input.0));
        }
        statements.iter().for_each(|line| self.steps.line(line));
        for (output, &arg) in node.outputs.iter().zip(&of.outputs) {
            self.steps.line(format!("V{} = {};", output.0, body::name(arg)));
        }
        self.steps.close();
    }

    /// Writes the outputs that no step has written in place.
    fn write_outputs(&mut self) {
        let nodes = self.graph.nodes().len();
        for &output in &self.memory.copies {
            let var = self.graph.outputs[output];
            let tensor = self.graph.tensor(var);
            let (ndim, id) = (tensor.ndim(), var.0);
            if self.value.is_some() {
                self.steps.line(format!("return V{id};"));
                continue;
            }
            if ndim == 0 {
                let c = c_type(tensor.dtype);
                self.steps.line(format!("*({c} *)outputs[{output}] = V{id};"));
                continue;
            }
            let operand =
                format!("(fp_operand){{{}, {ndim}, {output}, 0}}", abi_type(tensor.dtype));
            let view = self.view(var);
            self.steps.open("");
            self.steps.line(format!("fp_view{ndim} out = V{id};"));
            self.must(format!("rt->make(call, {nodes}, {operand}, (fp_view *)&out)"));
            self.must(format!(
                "rt->copy(call, {nodes}, {operand}, (fp_view *)&out, {ndim}, {view})"
            ));
            self.steps.close();
        }
    }

    /// The struct types of the views.
    pub fn view_types(&self) -> String {
        self.ranks.iter().map(|ndim| format!("typedef FP_VIEW({ndim}) fp_view{ndim};\n")).collect()
    }

    /// The graph's function, and the parts of a large graph.
    pub fn functions_of_steps(self) -> String {
        const PARAMETERS: &str = "const fp_runtime *rt, fp_call *call, void *const *inputs, \
                                  void *const *outputs,";
        let head = |name: &str, last: &str| format!("{name}({PARAMETERS}\n    {last})\n{{\n");
        let unused = "    (void)rt, (void)call, (void)inputs, (void)outputs, (void)pointers;\n";
        let call = head("fp_graph_call", "void *const *pointers");
        if let Some(arguments) = &self.value {
            let parameters: Vec<String> =
                arguments.iter().map(|var| format!("double V{}", var.0)).collect();
            let given: Vec<String> = (0..arguments.len())
                .map(|number| format!("*(const double *)inputs[{number}]"))
                .collect();
            let (parameters, given) = (parameters.join(", "), given.join(", "));
            let unused: Vec<String> =
                arguments.iter().map(|var| format!("(void)V{}", var.0)).collect();
            return format!(
                "\n{EXPORTED}double\n{VALUE_SYMBOL}(void *const *pointers, {parameters})\n{{\n    \
                 (void)pointers, {};\n{}}}\n\n{EXPORTED}int\n{call}    (void)rt, (void)call;\n    \
                 *(double *)outputs[0] = {VALUE_SYMBOL}(pointers, {given});\n    return 1;\n}}\n",
                unused.join(", "),
                self.steps.into_text(),
            );
        }
        let (mut text, mut end) = (String::new(), String::new());
        for (name, view) in &self.input_views {
            text.push_str(&format!(
                "{}#define {name} {view}\n",
                if end.is_empty() { "\n" } else { "" }
            ));
            end.push_str(&format!("#undef {name}\n"));
        }
        if !self.is_large {
            let steps = self.steps.into_text();
            return format!("{text}\n{EXPORTED}int\n{call}{unused}{steps}    return 1;\n}}\n{end}");
        }
        text.push_str(&format!("\nstruct values {{\n{}}};\n\n", self.members.into_text()));
        let views: HashSet<&str> = self.input_views.iter().map(|(name, _)| name.as_str()).collect();
        for variable in 0..self.graph.variables().len() {
            if views.contains(format!("V{variable}").as_str()) {
                continue;
            }
            text.push_str(&format!(
                "#define V{variable} v->V{variable}\n#define own{variable} v->own{variable}\n"
            ));
        }
        let mut calls = String::new();
        for (number, part) in self.parts.into_iter().chain([self.steps]).enumerate() {
            let name = format!("steps{number}");
            let head = head(&name, "void *const *pointers, struct values *v");
            let steps = part.into_text();
            text.push_str(&format!(
                "\nstatic int\n{head}{unused}    (void)v;\n{steps}    return 1;\n}}\n"
            ));
            calls.push_str(if number == 0 { "    return " } else { "\n           && " });
            calls.push_str(&format!("{name}(rt, call, inputs, outputs, pointers, &values)"));
        }
        text.push_str(&format!(
            "\n{EXPORTED}int\n{call}    struct values values;\n{calls};\n}}\n{end}"
        ));
        text
    }
}
