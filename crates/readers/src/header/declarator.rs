//! C declarators: the name, and the type that is derived for it.
//!
//! Purpose: parse `*x`, `x[n][m]`, `(*f)(int)` and similar, as far as such values can be passed.
//! Invariant: walks from the outside to the name in a loop, so that nesting cannot overflow the
//! stack.
//! Reason: the grammar yields a tree; later code only distinguishes values, pointers and arrays.

use std::ops::Range;
use tree_sitter::Node;

/// The form of a declarator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form<'t> {
    /// The type itself.
    #[default]
    Value,
    /// A pointer to one value or to many.
    Pointer,
    /// `x[n][m]`; a dimension without a size is empty.
    Array(Vec<&'t str>),
    /// A pointer to a pointer.
    PointerToPointer,
    /// An array of pointers, or a pointer to more than pointers.
    Pointers,
    /// A pointer to an array.
    ArrayPointer,
    /// A function.
    Function,
    /// A pointer to a function.
    FunctionPointer,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter<'t> {
    /// From after the comma or bracket before it to the next one; this includes its annotations.
    pub region: Range<usize>,
    /// Its name.
    pub name: Option<&'t str>,
    /// The words of its type, without qualifiers.
    pub words: Vec<&'t str>,
    /// `const` before the first `*`.
    pub is_const: bool,
    /// `const` after the first `*`.
    pub is_const_pointer: bool,
    /// The form of its declarator.
    pub form: Form<'t>,
    /// The function type, if it is a pointer to a function.
    pub signature: Option<Signature<'t>>,
}

impl<'t> Parameter<'t> {
    /// The parameters of the function that it points to.
    pub(crate) fn called(&self) -> &[Parameter<'t>] {
        self.signature.as_ref().map_or(&[], |signature| &signature.parameters)
    }
}

/// The type of a function that is called through a pointer.
#[derive(Clone, Debug)]
pub struct Signature<'t> {
    /// The words of the type that it returns.
    pub result: Vec<&'t str>,
    /// It returns a pointer to that type.
    pub returns_pointer: bool,
    /// That type is `const`.
    pub is_const: bool,
    /// Its parameters.
    pub parameters: Vec<Parameter<'t>>,
    /// `...` at the end.
    pub variadic: bool,
}

/// The result of parsing a declarator.
pub(crate) struct Declarator<'t, 'n> {
    pub name: Option<&'t str>,
    pub form: Form<'t>,
    /// The parameters, if the name is a function's.
    pub parameters: Option<Node<'n>>,
    /// The function type, if the name is that of a function or of a pointer to one.
    pub function: Option<FunctionType<'n>>,
}

/// A function type.
pub(crate) struct FunctionType<'n> {
    parameters: Node<'n>,
    returns_pointer: bool,
}

impl FunctionType<'_> {
    /// The function, whose result type is that of `declaration`.
    pub(crate) fn signature<'t>(&self, source: &'t str, declaration: Node<'_>) -> Signature<'t> {
        let (parameters, variadic) = parameters(source, self.parameters);
        let result = words(source, declaration);
        let first = declaration.child_by_field_name("declarator");
        let end = first.map_or(declaration.end_byte(), |first| first.start_byte());
        let is_const = has_const(&source[declaration.start_byte()..end]);
        Signature { result, returns_pointer: self.returns_pointer, is_const, parameters, variadic }
    }
}

/// The layers of a declarator, from the outside in.
enum Layer<'t> {
    Pointer,
    Array(&'t str),
    Function,
}

pub(crate) fn read<'t, 'n>(source: &'t str, node: Node<'n>) -> Declarator<'t, 'n> {
    let mut layers = Vec::new();
    let mut parameters = None;
    let mut name = None;
    let mut next = Some(node);
    while let Some(node) = next {
        next = node.child_by_field_name("declarator");
        match node.kind() {
            "pointer_declarator" | "abstract_pointer_declarator" => layers.push(Layer::Pointer),
            "array_declarator" | "abstract_array_declarator" => {
                let size = node.child_by_field_name("size");
                layers.push(Layer::Array(size.map_or("", |size| &source[size.byte_range()])));
            }
            "function_declarator" | "abstract_function_declarator" => {
                layers.push(Layer::Function);
                parameters = node.child_by_field_name("parameters");
            }
            // No field leads to an inner declarator.
            "parenthesized_declarator" | "abstract_parenthesized_declarator" => {
                next = (0..node.named_child_count() as u32)
                    .filter_map(|index| node.named_child(index))
                    .find(|child| child.kind().ends_with("declarator") || is_name(child));
            }
            _ if is_name(&node) => name = Some(&source[node.byte_range()]),
            _ => {}
        }
    }
    // The name is a function's if the parameters are the innermost layer.
    let declares_function = matches!(layers.last(), Some(Layer::Function));
    if declares_function {
        layers.pop();
    }
    let returns_pointer = match (declares_function, layers.as_slice()) {
        (true, []) | (false, [Layer::Function, Layer::Pointer]) => Some(false),
        (true, [Layer::Pointer]) | (false, [Layer::Pointer, Layer::Function, Layer::Pointer]) => {
            Some(true)
        }
        _ => None,
    };
    let function = parameters
        .zip(returns_pointer)
        .map(|(parameters, returns_pointer)| FunctionType { parameters, returns_pointer });
    let parameters = parameters.filter(|_| declares_function);
    Declarator { name, form: form(&layers), parameters, function }
}

fn is_name(node: &Node<'_>) -> bool {
    matches!(node.kind(), "identifier" | "type_identifier" | "field_identifier")
}

/// Layers from the outside in: the last is the innermost.
fn form<'t>(layers: &[Layer<'t>]) -> Form<'t> {
    let sizes = || {
        let of =
            |layer: &Layer<'t>| if let Layer::Array(size) = layer { Some(*size) } else { None };
        layers.iter().rev().map(of).collect::<Option<Vec<&str>>>()
    };
    match layers {
        [] => Form::Value,
        [Layer::Pointer] => Form::Pointer,
        [Layer::Pointer, Layer::Pointer] => Form::PointerToPointer,
        layers if layers.iter().any(|layer| matches!(layer, Layer::Function)) => {
            Form::FunctionPointer
        }
        layers => match sizes() {
            Some(sizes) => Form::Array(sizes),
            None if matches!(layers, [Layer::Array(_), .., Layer::Pointer]) => Form::ArrayPointer,
            None => Form::Pointers,
        },
    }
}

/// The parameters of a list, and whether it ends in `...`.
pub(crate) fn parameters<'t>(source: &'t str, list: Node<'_>) -> (Vec<Parameter<'t>>, bool) {
    let mut cursor = list.walk();
    let children: Vec<Node<'_>> = list.children(&mut cursor).collect();
    let mut found = Vec::new();
    let mut variadic = false;
    for (index, node) in children.iter().enumerate() {
        variadic |= node.kind() == "variadic_parameter";
        if node.kind() != "parameter_declaration" {
            continue;
        }
        let start = index.checked_sub(1).map_or(node.start_byte(), |at| children[at].end_byte());
        let end = children.get(index + 1).map_or(node.end_byte(), |after| after.start_byte());
        let declarator = node.child_by_field_name("declarator");
        let read = declarator.map(|declarator| read(source, declarator));
        let words = words(source, *node);
        // `f(void)`
        if words == ["void"] && read.is_none() {
            continue;
        }
        let (name, form, signature) = match read {
            Some(read) => {
                // As C has it, a function as a parameter is a pointer to that function.
                let form =
                    if read.parameters.is_some() { Form::FunctionPointer } else { read.form };
                let signature = read.function.map(|function| function.signature(source, *node));
                (read.name, form, signature)
            }
            None => (None, Form::Value, None),
        };
        let declared = declarator.map_or("", |declarator| &source[declarator.byte_range()]);
        let is_const_pointer = declared
            .strip_prefix('*')
            .is_some_and(|rest| has_const(rest.split(['*', '(', '[']).next().unwrap_or_default()));
        let declarator = declarator.map_or(node.end_byte(), |declarator| declarator.start_byte());
        let qualifiers = &source[node.start_byte()..declarator];
        let is_const = has_const(qualifiers);
        let region = start..end;
        found.push(Parameter { region, name, words, is_const, is_const_pointer, form, signature });
    }
    (found, variadic)
}

/// The words of a declaration's type: without storage, qualifiers, and bodies.
pub(crate) fn words<'t>(source: &'t str, declaration: Node<'_>) -> Vec<&'t str> {
    let mut words = Vec::new();
    for index in 0..declaration.child_count() as u32 {
        let Some(node) = declaration.child(index) else { break };
        // The name that a typedef declares looks like a type itself.
        if declaration.field_name_for_child(index) == Some("declarator") {
            continue;
        }
        let text = &source[node.byte_range()];
        match node.kind() {
            // The placeholder that the mask put in place of `_Complex`, which is still in the
            // source.
            "type_qualifier" if matches!(text, "_Complex" | "__complex__") => {
                words.push("_Complex")
            }
            "struct_specifier" | "union_specifier" | "enum_specifier" => {
                words.push(text.split_whitespace().next().unwrap_or_default());
                let name = node.child_by_field_name("name");
                words.extend(name.map(|name| &source[name.byte_range()]));
            }
            "primitive_type" | "type_identifier" | "sized_type_specifier" => {
                words.extend(text.split_whitespace().filter(|word| *word != "_Complex"));
                if text.split_whitespace().any(|word| word == "_Complex") {
                    words.push("_Complex");
                }
            }
            "macro_type_specifier" => words.push(text),
            _ => {}
        }
    }
    words
}
/// These words before a declarator include a `const`.
pub(crate) fn has_const(qualifiers: &str) -> bool {
    fishplate_model::words(qualifiers).any(|word| matches!(word, "const" | "__const"))
}
