//! Calls of C++ functions whose types C does not have.
//!
//! Purpose: a C function that builds the C++ values of its arguments, calls the user's function, and converts what that
//! returns.
//! Invariant: its type is that of a function with these arguments, so that a call of it is like any other.
//! Reason: hosts, batches and graphs then do not distinguish a `std::vector` from an array and its length.

use crate::agreement::{Variant, parameter_declaration, parameter_type, result_type};
use crate::derived::{self, Derived};
use crate::{Namer, unpacked};
use fishplate_model::{
    Adapter, CallForm, ContainedClass, Conversion, Converted, Override, ReturnedValue,
};
use fishplate_plan::{Call, Position, Variable};

/// The check that the C++ function has the types of the prototype, which also selects the overload. A constructor
/// has none: the call itself must compile.
pub(crate) fn agreement(call: &Call, adapter: &Adapter, id: usize) -> String {
    let mut next = 0;
    let mut types: Vec<String> = Vec::new();
    for parameter in &adapter.parameters {
        let exact = || parameter_type(&call.variables.raw[next], Variant::Exact);
        types.push(parameter.spelling.clone().unwrap_or_else(exact));
        next += parameter.count;
    }
    let (result, name) = (&adapter.result, &call.c_name);
    copies(adapter)
        + &match &adapter.form {
            CallForm::Function if adapter.is_friend || adapter.is_insertion(name) => {
                found_by_arguments(name, result, &types, id)
            }
            CallForm::Function => {
                format!("FP_CALLEE({id}, {result} (*)({})) = {name};", types.join(", "))
            }
            CallForm::Method { class, qualifiers, is_assigned, .. } => {
                let types = types[1..types.len() - usize::from(*is_assigned)].join(", ");
                format!("FP_CALLEE({id}, {result} ({class}::*)({types}) {qualifiers}) = &{name};")
            }
            CallForm::Constructor { class, overrides, .. } if !overrides.is_empty() => {
                derived::requirement(class, overrides)
            }
            CallForm::Constructor { .. } => String::new(),
            CallForm::Field { class, name, spelling, .. } => match unqualified_pointer(spelling) {
                Some(other) => {
                    format!("FP_HAS_FIELD_OR({class}, {name}, {spelling}, {other});")
                }
                None => format!("FP_HAS_FIELD({class}, {name}, {spelling});"),
            },
        }
}

/// A function that its arguments find, also where its name would not.
fn found_by_arguments(name: &str, result: &str, types: &[String], id: usize) -> String {
    let parameters: Vec<String> =
        types.iter().enumerate().map(|(k, one)| format!("{one} fp_{k}")).collect();
    let passed: Vec<String> = types
        .iter()
        .enumerate()
        .map(|(k, one)| match one.ends_with("&&") || !one.ends_with(['&', '*']) {
            true => format!("std::forward<{one}>(fp_{k})"),
            false => format!("fp_{k}"),
        })
        .collect();
    let last = name.rsplit("::").next().unwrap_or(name);
    let called = match (last.strip_prefix("operator"), passed.as_slice()) {
        (Some(sign), [one]) => format!("{sign}{one}"),
        (Some(sign), [left, right]) => format!("{left} {sign} {right}"),
        _ => format!("{last}({})", passed.join(", ")),
    };
    let (types, parameters) = (types.join(", "), parameters.join(", "));
    format!(
        "FP_CALLEE({id}, {result} (*)({types})) = []({parameters}) -> {result} {{ return {called}; }};"
    )
}

/// The objects of a container that stays in C++ are copied, and so are those of an argument.
fn copies(adapter: &Adapter) -> String {
    let conversion = |one: &Converted| match &one.conversion {
        Conversion::Nested { is_input: true, .. } => Some(
            "is needed in the container: write a function that takes pointers to them, and wrap that",
        ),
        Conversion::Built { ctype, .. } if is_function(ctype) => Some(
            "is needed by the function: write one that takes or returns a pointer, and wrap that",
        ),
        _ => None,
    };
    let stays = adapter.values == [ReturnedValue::Nested] && adapter.result.ends_with('&');
    let why = stays.then_some(
        "belongs to the container: wrap a method that returns one of them as a reference",
    );
    let why = why.or_else(|| adapter.parameters.iter().find_map(conversion));
    why.map(|why| copyable(&adapter.objects, why)).unwrap_or_default()
}

/// Those of these classes whose objects are values must have a copy constructor.
pub(crate) fn copyable(objects: &[ContainedClass], why: &str) -> String {
    let copied = objects.iter().filter(|class| class.is_value);
    let copied = copied.map(|ContainedClass { name, .. }| {
        format!(
            "static_assert(std::is_copy_constructible_v<{name}>, \"a {name} cannot be copied, and {why}\"); "
        )
    });
    copied.collect()
}

/// A callback in C++.
fn is_function(ctype: &str) -> bool {
    ctype.starts_with("std::function")
}

/// The definition of the function; `callee` is the user's function.
pub(crate) fn define(call: &Call, adapter: &Adapter, callee: &str) -> String {
    let mut namer = Namer::avoiding([callee]);
    let locals: Vec<String> =
        call.variables.iter().map(|variable| namer.variable(&variable.name)).collect();
    let mut body = Lines::default();
    let mut passed = Vec::new();
    let mut next = 0;
    for parameter in &adapter.parameters {
        let own = &locals[next..next + parameter.count];
        let spelling = parameter.spelling.as_deref().unwrap_or_default();
        passed.push(match &parameter.conversion {
            Conversion::Value => own[0].clone(),
            Conversion::Pointee if spelling.is_empty() => format!("(*{})", own[0]),
            Conversion::Pointee => format!("fp_cpp::pointee<{spelling}>({})", own[0]),
            Conversion::Defaulted { value, is_reference: true } => {
                let own = &own[0];
                format!("({own} == NULL ? static_cast<{spelling}>({value}) : fp_cpp::pointee<{spelling}>({own}))")
            }
            Conversion::Defaulted { value, is_reference: false } => {
                let (own, built) = (&own[0], namer.unique(format!("fp_cpp_{}", own[0])));
                body.before.push(format!(
                    "const std::unique_ptr<const fp_cpp::plain<{spelling}>> {built}({own} == NULL ? new \
                     fp_cpp::plain<{spelling}>({value}) : NULL);"
                ));
                format!("({own} == NULL ? *{built} : fp_cpp::pointee<{spelling}>({own}))")
            }
            Conversion::Nested { ctype, is_input, is_output } => {
                let built = namer.unique(format!("fp_cpp_{}", own[0]));
                body.before.push(match is_input {
                    false => format!("{ctype} {built};"),
                    true => {
                        let objects =
                            objects(adapter).map(|all| format!(", {all}")).unwrap_or_default();
                        let build = match ctype.contains("std::unique_ptr") {
                            true => "build_owners",
                            false => "build_nested",
                        };
                        format!("{ctype} {built} = fp_cpp::{build}<{ctype}{objects}>({});", own[0])
                    }
                });
                if let (true, Some(output)) = (is_output, own.last()) {
                    let nested = nested(adapter, &format!("std::move({built})"));
                    body.after.push(format!("*{output} = {nested};"));
                }
                passed_as(spelling, built)
            }
            Conversion::Built { ctype, inputs } => {
                let built = namer.unique(format!("fp_cpp_{}", own[0]));
                let (inputs, outputs) = own.split_at(*inputs);
                body.before.push(match inputs {
                    [] => format!("{ctype} {built};"),
                    _ if is_function(ctype) => format!(
                        "{ctype} {built} = fp_cpp::build_function<{}>::make<{ctype}>({});",
                        object_classes(&adapter.objects),
                        inputs.join(", ")
                    ),
                    _ => format!(
                        "{ctype} {built} = fp_cpp::build<{ctype}>::make({});",
                        inputs.join(", ")
                    ),
                });
                if let [output, rest @ ..] = outputs {
                    body.after.push(given(output, &format!("std::move({built})"), rest));
                }
                passed_as(spelling, built)
            }
        });
        next += parameter.count;
    }
    let (object, rest) = passed.split_first().map_or(("", &[][..]), |(one, rest)| (one, rest));
    let mut before = String::new();
    let called = match &adapter.form {
        CallForm::Function => format!("{callee}({})", passed.join(", ")),
        CallForm::Method { is_assigned, is_virtual, is_shared, .. } => {
            if *is_shared {
                body.before.push(format!("const fp_cpp::shared_during fp_shared({object});"));
            }
            if *is_virtual {
                body.before.push(format!("const fp_cpp::directly fp_direct({object});"));
            }
            let (keys, assigned) = rest.split_at(rest.len() - usize::from(*is_assigned));
            let assigned: String = assigned.iter().map(|value| format!(" = {value}")).collect();
            format!("({object}.*{callee})({}){assigned}", keys.join(", "))
        }
        CallForm::Constructor { class, is_counted, overrides } => {
            let derived = derived_class(call, class, *is_counted, overrides);
            let is_derived = derived.is_some();
            let callbacks = &locals[next..next + 2 * overrides.len()];
            next += callbacks.len();
            let made = match &derived {
                None => format!("new {class}({})", passed.join(", ")),
                Some(derived) => derived.create(&passed, callbacks),
            };
            before = derived.map(|derived| derived.define()).unwrap_or_default();
            match (is_counted, is_derived) {
                (true, true) => format!("fp_cpp::counted_unless_derived({made})"),
                (true, false) => format!("fp_cpp::counted({made})"),
                (false, _) => made,
            }
        }
        CallForm::Field { name, is_address, spelling, .. } => {
            let address = if *is_address { "&" } else { "" };
            // The first element of an array.
            let name = name.clone() + &"[0]".repeat(spelling.matches('[').count());
            let assigned = rest.first().map(|value| format!(" = {value}")).unwrap_or_default();
            format!("{address}{object}.{name}{assigned}")
        }
    };
    body.call(call, adapter, &called, &locals[next..]);
    let parameters: Vec<String> = declarations(call, &locals);
    let text: String = body.all().map(|line| format!("    {line}\n")).collect();
    format!(
        "{before}static {}\n{}({})\n{{\n{text}}}\n",
        result_type(&call.result),
        unpacked::name(call.id),
        parameters.join(", ")
    )
}

/// The type of a pointer that the interface only reads, which may be declared without `const`.
fn unqualified_pointer(spelling: &str) -> Option<&str> {
    let is_plain = spelling.ends_with('*') && !spelling.contains(',');
    spelling.strip_prefix("const ").filter(|_| is_plain)
}

/// The class of the objects of a constructor with overrides, whose callbacks are the last arguments.
fn derived_class<'a>(
    call: &'a Call,
    class: &'a str,
    is_counted: bool,
    overrides: &'a [Override],
) -> Option<Derived<'a>> {
    let first = call.variables.len().checked_sub(2 * overrides.len())?;
    (!overrides.is_empty()).then(|| Derived {
        name: format!("fp_derived_{}", call.id),
        base: class,
        overrides,
        is_counted,
        variables: call.variables.iter().skip(first).collect(),
    })
}

/// A local object as an argument of this type.
fn passed_as(spelling: &str, built: String) -> String {
    if spelling.ends_with('*') {
        return format!("&{built}");
    }
    match spelling.ends_with('&') && !spelling.ends_with("&&") {
        true => built,
        false => format!("std::move({built})"),
    }
}

fn declarations(call: &Call, locals: &[String]) -> Vec<String> {
    let declare = |(variable, local): (&Variable, &String)| parameter_declaration(variable, local);
    call.variables.iter().zip(locals).map(declare).collect()
}

/// The tree of a container: `fp_cpp::nested<fp_cpp::objects<lib::T>>(value)`.
fn nested(adapter: &Adapter, value: &str) -> String {
    let objects = objects(adapter).map(|all| format!("<{all}>")).unwrap_or_default();
    format!("fp_cpp::nested{objects}({value})")
}

/// The classes of the objects in containers: `fp_cpp::objects<lib::T>`.
fn objects(adapter: &Adapter) -> Option<String> {
    (!adapter.objects.is_empty()).then(|| object_classes(&adapter.objects))
}

pub(crate) fn object_classes(all: &[ContainedClass]) -> String {
    let one = |class: &ContainedClass| match class.is_counted {
        true => format!("fp_cpp::counts<{}>", class.name),
        false => class.name.clone(),
    };
    let all: Vec<String> = all.iter().map(one).collect();
    format!("fp_cpp::objects<{}>", all.join(", "))
}

/// `*x = fp_cpp::converted(value, n);`
fn given(output: &str, value: &str, rest: &[String]) -> String {
    let rest: String = rest.iter().map(|one| format!(", {one}")).collect();
    format!("*{output} = fp_cpp::converted({value}{rest});")
}

/// The statements of the function.
#[derive(Default)]
struct Lines {
    before: Vec<String>,
    call: Vec<String>,
    /// They set arguments.
    after: Vec<String>,
    /// It returns the result.
    end: Option<String>,
}

impl Lines {
    /// Calls the function. `outputs` are the arguments that the result sets.
    fn call<P: Position>(
        &mut self,
        call: &Call<P>,
        adapter: &Adapter,
        called: &str,
        outputs: &[String],
    ) {
        let result = &adapter.result;
        let moved = format!("std::forward<{result}>(fp_result)");
        let held = format!("{result} fp_result = {called};");
        match adapter.values.as_slice() {
            [] => self.call.push(format!("{called};")),
            [value] if !call.result.is_void() => {
                let converted = match value {
                    ReturnedValue::Plain if self.after.is_empty() => {
                        self.call.push(format!("return {called};"));
                        return;
                    }
                    ReturnedValue::Plain => "fp_result".to_owned(),
                    ReturnedValue::Reference => "&fp_result".to_owned(),
                    ReturnedValue::Object => format!("fp_cpp::on_heap({moved})"),
                    ReturnedValue::Counted => format!("fp_cpp::counted({moved})"),
                    ReturnedValue::Nested => nested(adapter, &moved),
                    ReturnedValue::Converted(_) => {
                        let rest: String = outputs.iter().map(|one| format!(", {one}")).collect();
                        format!("fp_cpp::converted({moved}{rest})")
                    }
                };
                self.call.push(held);
                self.end = Some(format!("return {converted};"));
            }
            values => {
                self.call.push(held);
                let mut next = 0;
                for (at, value) in values.iter().enumerate() {
                    let part = format!("std::get<{at}>({moved})");
                    let output = &outputs[next];
                    next += 1;
                    self.after.push(match value {
                        ReturnedValue::Object => format!("*{output} = fp_cpp::on_heap({part});"),
                        ReturnedValue::Counted => format!("*{output} = fp_cpp::counted({part});"),
                        ReturnedValue::Nested => format!("*{output} = {};", nested(adapter, &part)),
                        ReturnedValue::Converted(count) => {
                            let rest = &outputs[next..next + count];
                            next += count;
                            given(output, &part, rest)
                        }
                        ReturnedValue::Plain | ReturnedValue::Reference => {
                            format!("*{output} = {part};")
                        }
                    });
                }
            }
        }
    }

    fn all(self) -> impl Iterator<Item = String> {
        self.before.into_iter().chain(self.call).chain(self.after).chain(self.end)
    }
}
