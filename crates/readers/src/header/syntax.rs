//! The declarations of a preprocessed header.
//!
//! Purpose: find functions, typedefs and enumerations with tree-sitter's grammar of C.
//! Invariant: a declaration that the grammar rejects is recorded as broken, and hides no other.
//! Reason: real headers contain more than any grammar accepts, most of it in system headers, which
//! are irrelevant.

use super::bodies::{self, Enumeration, Struct};
use super::declarator::{self, Form, Parameter, Signature};
use super::mask::Masked;
use fishplate_model::Scalar;
use std::collections::HashMap;
use std::ops::Range;
use tree_sitter::{Node, Parser};

/// All declarations of a preprocessed source.
#[derive(Debug, Default)]
pub struct Unit<'t> {
    /// In source order.
    pub functions: Vec<Declaration<'t>>,
    /// By name.
    pub typedefs: HashMap<&'t str, Typedef<'t>>,
    /// The integer type of each enumeration, by tag.
    pub enums: HashMap<&'t str, Scalar>,
    /// The enumerations that are declared by themselves or in a typedef, in source order.
    pub enumerations: Vec<Enumeration<'t>>,
    /// The structs that have a body: by tag, or by the typedef of one without a tag.
    pub structs: HashMap<&'t str, Struct<'t>>,
    /// Variables that are pointers, in source order.
    pub pointers: Vec<PointerVariable<'t>>,
    /// Other variables, in source order.
    pub variables: Vec<&'t str>,
    /// Declarations that could not be parsed.
    pub broken: Vec<Broken>,
}

/// A declaration, or what looks like one, that the grammar rejects.
#[derive(Debug)]
pub struct Broken {
    /// The whole declaration.
    pub range: Range<usize>,
    /// The place at which the grammar failed.
    pub at: usize,
}

/// The declaration of a function.
#[derive(Debug)]
pub struct Declaration<'t> {
    /// Its name.
    pub name: &'t str,
    /// From after the previous declaration to its `;` or body; this includes its annotations.
    pub region: Range<usize>,
    /// The words before the declarator.
    pub head: Range<usize>,
    /// The declarator: name and parameters, with the tokens before the name.
    pub declarator: Range<usize>,
    /// The words of the result's type.
    pub result: Vec<&'t str>,
    /// It is `const`.
    pub result_is_const: bool,
    /// The form of the result's type.
    pub result_form: Form<'t>,
    /// The parameters.
    pub parameters: Vec<Parameter<'t>>,
    /// `...` at the end.
    pub variadic: bool,
}

/// The declaration of a variable that is a pointer.
#[derive(Debug)]
pub struct PointerVariable<'t> {
    /// Its place.
    pub at: usize,
    /// Its name.
    pub name: &'t str,
    /// The words of the pointee.
    pub words: Vec<&'t str>,
}

/// The meaning of a typedef.
#[derive(Debug)]
pub struct Typedef<'t> {
    /// Its place.
    pub at: usize,
    /// The words of the type.
    pub words: Vec<&'t str>,
    /// It is `const`.
    pub is_const: bool,
    /// The form of its declarator.
    pub form: Form<'t>,
    /// The integer type, for an enumeration without a tag.
    pub enumeration: Option<Scalar>,
    /// The function type, if it is one or a pointer to one.
    pub signature: Option<Signature<'t>>,
}

/// Finds all declarations. `source` is the source before masking.
pub fn parse<'t>(source: &'t str, masked: &Masked<'_>) -> Unit<'t> {
    let mut unit = Unit::default();
    let mut parser = Parser::new();
    // The grammar is part of this program: its version fits.
    let tree = match parser.set_language(&tree_sitter_c::LANGUAGE.into()) {
        Ok(()) => parser.parse(&masked.text, None),
        Err(_) => None,
    };
    let Some(tree) = tree else { return unit };
    let mut cursor = tree.walk();
    let mut waiting: Vec<Node<'_>> = tree.root_node().children(&mut cursor).collect();
    waiting.reverse();
    let mut end = 0;
    while let Some(node) = waiting.pop() {
        let start = std::mem::replace(&mut end, node.end_byte());
        match node.kind() {
            // `extern "C" { ... }`
            "linkage_specification" => {
                let mut cursor = node.walk();
                let body = node.child_by_field_name("body");
                let inside: Vec<Node<'_>> = match body {
                    Some(list) if list.kind() == "declaration_list" => {
                        list.children(&mut cursor).collect()
                    }
                    other => other.into_iter().collect(),
                };
                end = inside.first().map_or(end, |first| first.start_byte());
                waiting.extend(inside.into_iter().rev());
            }
            "type_definition" => unit.typedefs(source, node),
            "declaration" | "function_definition" => unit.functions(source, start, node),
            "struct_specifier" | "union_specifier" | "enum_specifier" => unit.enums(source, node),
            "ERROR" => unit.broken.push(Broken { range: node.byte_range(), at: lost_at(node) }),
            _ => {}
        }
    }
    unit
}

impl<'t> Unit<'t> {
    fn typedefs(&mut self, source: &'t str, node: Node<'_>) {
        let Some(kind) = node.child_by_field_name("type") else { return };
        if node.has_error() {
            self.broken.push(Broken { range: node.byte_range(), at: lost_at(node) });
        }
        self.enums(source, kind);
        let words = declarator::words(source, node);
        let enumeration = (kind.kind() == "enum_specifier").then(|| integer_of(source, kind));
        let mut cursor = node.walk();
        for found in node.children_by_field_name("declarator", &mut cursor) {
            let read = declarator::read(source, found);
            if let Some(name) = read.name {
                let is_function = read.parameters.is_some();
                let form = if is_function { Form::Function } else { read.form };
                let signature = read.function.map(|function| function.signature(source, node));
                let (at, words) = (node.start_byte(), words.clone());
                // Only the one outside of the braces of a struct.
                let around = [at..kind.start_byte(), kind.end_byte()..found.start_byte()];
                let is_const = around
                    .into_iter()
                    .any(|part| source.get(part).is_some_and(declarator::has_const));
                if form == Form::Value {
                    self.named_body(source, kind, name);
                }
                self.typedefs
                    .insert(name, Typedef { at, words, is_const, form, enumeration, signature });
            }
        }
    }

    /// Names the body in a typedef after the typedef.
    fn named_body(&mut self, source: &'t str, kind: Node<'_>, name: &'t str) {
        let Some(body) = kind.child_by_field_name("body") else { return };
        match kind.kind() {
            "enum_specifier" => {
                let last = self.enumerations.last_mut();
                if let Some(last) = last.filter(|last| last.at == kind.start_byte()) {
                    last.typedef.get_or_insert(name);
                }
            }
            "struct_specifier" if kind.child_by_field_name("name").is_none() => {
                self.structs.insert(name, bodies::fields(source, body));
            }
            _ => {}
        }
    }

    fn functions(&mut self, source: &'t str, start: usize, node: Node<'_>) {
        if let Some(kind) = node.child_by_field_name("type") {
            self.enums(source, kind);
        }
        let mut cursor = node.walk();
        let declarators: Vec<_> = node.children_by_field_name("declarator", &mut cursor).collect();
        let body = node.child_by_field_name("body");
        let ends = body.map_or(node.end_byte(), |body| body.start_byte());
        // Mistakes inside a body are left to the compiler.
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let broken = parts.iter().any(|part| {
            Some(part.id()) != body.map(|body| body.id()) && (part.has_error() || part.is_missing())
        });
        if broken {
            self.broken.push(Broken { range: node.start_byte()..ends, at: lost_at(node) });
            return;
        }
        let Some(first) = declarators.first() else { return };
        let head = node.start_byte()..first.start_byte();
        for found in declarators {
            let read = declarator::read(source, found);
            let Some(name) = read.name else { continue };
            let Some(list) = read.parameters else {
                if read.form == Form::Pointer {
                    let (at, words) = (node.start_byte(), declarator::words(source, node));
                    self.pointers.push(PointerVariable { at, name, words });
                } else {
                    self.variables.push(name);
                }
                continue;
            };
            let (parameters, variadic) = declarator::parameters(source, list);
            self.functions.push(Declaration {
                name,
                region: start..ends,
                head: head.clone(),
                declarator: found.byte_range(),
                result: declarator::words(source, node),
                result_is_const: declarator::has_const(&source[head.clone()]),
                result_form: read.form,
                parameters,
                variadic,
            });
        }
    }

    /// Records an enumeration or a struct, and the definitions in it.
    fn enums(&mut self, source: &'t str, node: Node<'_>) {
        if let (Some(body), "enum_specifier") = (node.child_by_field_name("body"), node.kind()) {
            let tag = node.child_by_field_name("name").map(|name| &source[name.byte_range()]);
            let (at, values) = (node.start_byte(), bodies::enumerators(source, body));
            self.enumerations.push(Enumeration { at, tag, typedef: None, values });
        }
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if node.kind() == "enum_specifier" {
                let name = node.child_by_field_name("name");
                if let (Some(name), Some(_)) = (name, node.child_by_field_name("body")) {
                    self.enums.insert(&source[name.byte_range()], integer_of(source, node));
                }
            } else {
                let tag = node.child_by_field_name("name");
                let body = node.child_by_field_name("body");
                if let (Some(tag), Some(body), "struct_specifier") = (tag, body, node.kind()) {
                    self.structs.insert(&source[tag.byte_range()], bodies::fields(source, body));
                }
                let mut cursor = node.walk();
                waiting.extend(node.named_children(&mut cursor));
            }
        }
    }
}

/// The place of the first error below a node.
fn lost_at(node: Node<'_>) -> usize {
    let mut at = node;
    loop {
        let mut cursor = at.walk();
        let wrong = at.children(&mut cursor).find(|child| child.has_error() || child.is_missing());
        match wrong {
            Some(child) if !at.is_error() => at = child,
            _ => return at.start_byte(),
        }
    }
}

/// The integer type that compilers choose for an enumeration: unsigned unless a constant is
/// negative.
fn integer_of(source: &str, node: Node<'_>) -> Scalar {
    let Some(body) = node.child_by_field_name("body") else { return Scalar::UInt };
    let mut cursor = body.walk();
    let negative = body.named_children(&mut cursor).any(|constant| {
        let value = constant.child_by_field_name("value").map(|value| &source[value.byte_range()]);
        value.is_some_and(|value| value.trim_start_matches(['(', ' ']).starts_with('-'))
    });
    if negative { Scalar::Int } else { Scalar::UInt }
}

#[cfg(test)]
mod tests {
    use super::super::mask::mask;
    use super::*;

    #[test]
    fn functions_typedefs_and_enumerations() {
        let source = "typedef enum { A = -1 } sign; typedef enum E { B } E, *EP; enum F { C = -(2) };\n\
             typedef double (*callback)(int), row[3]; struct s { enum G { D } g; };\n\
             extern \"C\" { static inline unsigned long f(void) { return ]; } }\n\
             double *g(int n, const double x[n]), h(double _Complex z, ...); int i;";
        let unit = parse(source, &mask(source));
        let names: Vec<&str> = unit.functions.iter().map(|function| function.name).collect();
        assert_eq!(names, ["f", "g", "h"]);
        assert_eq!(unit.functions[0].result, ["unsigned", "long"]);
        assert_eq!(unit.functions[1].result_form, Form::Pointer);
        assert!(unit.functions[2].variadic && !unit.functions[1].variadic);
        assert_eq!(unit.functions[2].parameters[0].words, ["double", "_Complex"]);
        assert_eq!(unit.typedefs["sign"].enumeration, Some(Scalar::Int));
        assert_eq!(unit.typedefs["EP"].form, Form::Pointer);
        assert_eq!(unit.typedefs["callback"].form, Form::FunctionPointer);
        assert_eq!(unit.typedefs["row"].form, Form::Array(vec!["3"]));
        assert_eq!((unit.enums["E"], unit.enums["F"]), (Scalar::UInt, Scalar::Int));
        assert!(unit.enums.contains_key("G"));
    }

    #[test]
    fn broken_declarations_hide_no_others() {
        let source = "int f(int; double ok(double x); int g(int x y); double fine(void);";
        let unit = parse(source, &mask(source));
        assert!(unit.functions.iter().any(|function| function.name == "fine"));
        assert!(!unit.broken.is_empty());
    }
}
