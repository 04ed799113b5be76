//! Classes of C++ whose virtual methods callbacks override.
//!
//! Purpose: a class that is derived from the user's, each method of which calls a callback, or the user's method if there
//! is none; and the expression that creates an object.
//! Invariant: an object without an override is one of the user's class, unless that is abstract.
//! Reason: C++ calls an override as it calls any virtual method.

use crate::adapter::{copyable, object_classes};
use crate::agreement::parameter_declaration;
use fishplate_model::{Override, OverrideParameter, ParameterForm};
use fishplate_plan::Variable;
use std::fmt::Write as _;

/// The conditions under which such a class can be derived: the object is deleted by its base, and C++ receives a copy of
/// an object that an override returns.
pub(crate) fn requirement(class: &str, overrides: &[Override]) -> String {
    let why = "is passed to or returned by an override: remove 'virtual' from the prototype";
    let copied = overrides.iter().map(|one| copyable(&one.objects, why));
    copied.collect::<String>()
        + &format!(
            "static_assert(std::has_virtual_destructor_v<{class}> && std::is_destructible_v<{class}>, \"without a public \
         virtual destructor, no method can be overridden: remove 'virtual' from the prototypes\");"
        )
}

/// A class with overrides, for one constructor.
pub(crate) struct Derived<'a> {
    /// The name of the class.
    pub name: String,
    /// The user's class.
    pub base: &'a str,
    pub overrides: &'a [Override],
    /// A `std::shared_ptr` counts the references to the object.
    pub is_counted: bool,
    /// For each override, the variables of the callback and of its user data.
    pub variables: Vec<&'a Variable>,
}

impl Derived<'_> {
    /// The definition of the class.
    pub(crate) fn define(&self) -> String {
        let Derived { name, base, .. } = self;
        let mut members = String::new();
        let mut kept = String::new();
        let mut methods = String::new();
        for (at, one) in self.overrides.iter().enumerate() {
            let declared = parameter_declaration(self.variables[2 * at], &format!("f{at}"));
            let _ = writeln!(members, "        {declared};\n        void *data{at};");
            if let Some(built) = one.built.as_ref().filter(|_| one.is_kept) {
                let _ = writeln!(kept, "    mutable fp_cpp::kept<{built}> fp_kept{at};");
            }
            methods += &self.method(at, one);
        }
        let data: Vec<String> =
            (0..self.overrides.len()).map(|at| format!("all.data{at}")).collect();
        let shared = match self.is_counted {
            true => format!(
                "    fp_cpp::sharing<{name}> fp_shared;\n    \
                 std::shared_ptr<const void> share() override {{ return fp_shared.share(this); }}\n    \
                 void abandon() override {{ fp_all = overrides(); }}\n"
            ),
            false => String::new(),
        };
        format!(
            "/* A {base} with methods that callbacks override. */\n\
             struct {name} final : {base}, fp_cpp::derived {{\n    struct overrides {{\n{members}    }} fp_all;\n{kept}{shared}\
             \x20   template <class... A> explicit {name}(const overrides &all, A &&...arguments)\n\
             \x20       : {base}(std::forward<A>(arguments)...), fp_cpp::derived({{{}}}), fp_all(all) {{}}\n{methods}}};\n\n",
            data.join(", ")
        )
    }

    fn method(&self, at: usize, one: &Override) -> String {
        let base = self.base;
        let Override { name, result, declared, .. } = one;
        let classes = object_classes(&one.objects);
        let (after, before) = if one.is_const { (" const", "const ") } else { ("", "") };
        let names: Vec<String> = (0..one.parameters.len()).map(|at| format!("a{at}")).collect();
        let parameters: Vec<String> =
            one.parameters.iter().zip(&names).map(|(one, name)| declare(one, name)).collect();
        let given: Vec<String> = one
            .parameters
            .iter()
            .zip(&names)
            .map(|(one, name)| pass(one, name, &classes))
            .chain(one.built.is_some().then(|| "&fp_given".to_owned()))
            .chain([format!("fp_all.data{at}")])
            .collect();
        let moved: Vec<String> = one
            .parameters
            .iter()
            .zip(&names)
            .map(|(one, name)| format!("std::forward<{}>({name})", one.spelling))
            .collect();
        let (parameters, given, moved) =
            (parameters.join(", "), given.join(", "), moved.join(", "));
        let own = format!("return {base}::{name}({moved});");
        let own = match one.is_pure {
            true => format!(
                "if constexpr (std::is_abstract_v<{base}>) {{\n                \
                 fp_cpp::not_overridden<void>(\"{declared}\");\n            }}\n            \
                 else {{\n                {own}\n            }}"
            ),
            false => own,
        };
        let values: Vec<String> =
            one.parameters.iter().map(|one| format!("std::declval<{}>()", one.spelling)).collect();
        let throws =
            format!("noexcept(std::declval<{before}{base} &>().{name}({}))", values.join(", "));
        let mut body: String = one
            .parameters
            .iter()
            .zip(&names)
            .filter(|(one, _)| one.form == ParameterForm::NestedReference)
            .map(|(one, name)| {
                let value = &one.value;
                format!("        fp_cpp::changed_node<{value}, {classes}> fp_{name}({name});\n")
            })
            .collect();
        let called = format!("fp_all.f{at}({given})");
        let held = match &one.built {
            Some(built) => {
                body += &format!("        fp_cpp::returned_node<{built}, {classes}> fp_given;\n");
                ""
            }
            None if result == "void" => "",
            None => "const auto fp_result = ",
        };
        let throws_here = format!("noexcept({name}({moved}))");
        let end = format!("fp_cpp::end_override<{throws_here}>(\"{declared}\");");
        body += &format!("        {held}{called};\n        {end}\n");
        body += &match (&one.built, result.as_str()) {
            (Some(built), _) if one.is_kept => {
                let value = format!("fp_given.take<{built}, {throws_here}>(\"{declared}\")");
                let text = if result.ends_with('*') { ".c_str()" } else { "" };
                format!("        return fp_kept{at}.keep({value}){text};\n")
            }
            (Some(_), _) => {
                format!("        return fp_given.take<{result}, {throws_here}>(\"{declared}\");\n")
            }
            (None, "void") => String::new(),
            (None, _) => format!("        return fp_cpp::build<{result}>::make(fp_result);\n"),
        };
        format!(
            "    {result} {name}({parameters}){after} noexcept({throws}) override\n    {{\n        \
             if (fp_cpp::is_direct(this) || fp_all.f{at} == NULL) {{\n            {own}\n        }}\n{body}    }}\n"
        )
    }

    /// The C++ for a new object; `passed` are the arguments of the user's constructor, `locals` the callbacks and their
    /// user data.
    pub(crate) fn create(&self, passed: &[String], locals: &[String]) -> String {
        let given: Vec<String> =
            locals.iter().step_by(2).map(|one| format!("{one} != NULL")).collect();
        let passed: String = passed.iter().map(|one| format!(", {one}")).collect();
        format!(
            "fp_cpp::create<{}, {}>({}, {{{}}}{passed})",
            self.base,
            self.name,
            given.join(" || "),
            locals.join(", ")
        )
    }
}

/// `const std::string &a0`
fn declare(one: &OverrideParameter, name: &str) -> String {
    format!("{} {name}", one.spelling)
}

/// The arguments of the callback for a parameter.
fn pass(one: &OverrideParameter, name: &str, classes: &str) -> String {
    match one.form {
        ParameterForm::Value if one.spelling.contains("std::complex") => {
            format!("fp_cpp::converted({name})")
        }
        ParameterForm::Value => name.to_owned(),
        ParameterForm::Address => format!("&{name}"),
        ParameterForm::Nested if classes == object_classes(&[]) => {
            format!("fp_cpp::seen_nodes({name}).root()")
        }
        ParameterForm::Nested => {
            let OverrideParameter { value, spelling, .. } = one;
            format!("fp_cpp::tree_of<{classes}, {value}>(std::forward<{spelling}>({name})).root()")
        }
        ParameterForm::NestedReference => format!("&fp_{name}"),
        ParameterForm::Elements => format!("{name}.data(), {name}.size()"),
    }
}
