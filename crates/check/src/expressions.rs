//! Mistakes in dimensions and defaults: undefined names, properties of values that are not arrays.

use crate::Role;
use crate::kinds::{integer_value, kind};
use crate::names::{Constants, Positions, is_constant_letter, suggestion};
use crate::restricted::restriction;
use crate::values;
use fishplate_model::{
    Argument, CResult, Code, Diagnostic, Expr, ExprKind, Function, Intent, Measure, Overload,
    Passing, PerArgument, ReturnedPointer, Scalar, Span,
};
use std::collections::HashMap;

/// The purpose of an expression; dimensions have stricter rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Dimension,
    Default,
    /// A dimension that is computed after the call, from the values that C has set.
    After,
}

/// The pointees that C functions in an expression may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// Input arrays: after their shapes are checked, for the sizes of allocations.
    Given,
    /// Every parameter, as passed by C.
    All,
}

/// Checks every expression of an overload of `function`.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &PerArgument<Intent>,
    roles: &PerArgument<Role>,
    constants: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let seen = if restriction(function).is_none() { Seen::Given } else { Seen::Nothing };
    let scope = check_in(overload, intents, roles, (seen, constants), diagnostics);
    // C code of a function may set its hidden values.
    if function.query.is_none() && function.pre_call.is_none() && function.post_call.is_none() {
        for argument in &overload.arguments {
            if let Some(length) = argument.length() {
                scope.check_changes(length, argument, diagnostics);
            }
        }
    }
    if let Some(work) = &function.work {
        scope.check_parts(work, "work", Use::Dimension, diagnostics);
        check_dimension_form(work, diagnostics);
    }
}

/// The same for a callback, in which every parameter has its value from C; `outer` has the names of the calls that
/// take it.
pub(crate) fn check_called(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    roles: &PerArgument<Role>,
    outer: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    check_in(overload, intents, roles, (Seen::All, outer), diagnostics);
}

fn check_in<'a>(
    overload: &'a Overload,
    intents: &'a PerArgument<Intent>,
    roles: &'a PerArgument<Role>,
    (seen, constants): (Seen, &'a Constants<'a>),
    diagnostics: &mut Vec<Diagnostic>,
) -> Scope<'a> {
    let has_value = matches!(overload.result, CResult::Value(_) | CResult::Status(_));
    let positions = Positions::of(&overload.arguments);
    let arguments = &overload.arguments;
    let scope = Scope { arguments, positions, intents, roles, has_value, seen, constants };
    for (index, argument) in overload.arguments.iter_enumerated() {
        for dimension in argument.sizes().unwrap_or_default() {
            scope.check(dimension, argument, Use::Dimension, diagnostics);
            check_dimension_form(dimension, diagnostics);
        }
        if let Some(length) = argument.length() {
            check_length_use(argument, intents[index], length, diagnostics);
            scope.check(length, argument, Use::After, diagnostics);
            check_dimension_form(length, diagnostics);
        }
        if let Some(out_pointer) = argument.out_pointer() {
            scope.check_out_pointer(out_pointer, &argument.name.value, diagnostics);
        }
        for value in argument.values.iter().flat_map(|rule| rule.value.expressions()) {
            scope.check(value, argument, Use::Dimension, diagnostics);
            check_dimension_form(value, diagnostics);
        }
        if let Some(code) = argument.any_array().and_then(|any| any.dtypes.as_ref()?.code.as_ref())
        {
            scope.check(code, argument, Use::Default, diagnostics);
        }
        if let Some(default) = &argument.default {
            scope.check(default, argument, Use::Default, diagnostics);
        }
    }
    if let CResult::Pointer(returned) = &overload.result {
        scope.check_out_pointer(&returned.out_pointer, "the C result", diagnostics);
    }
    scope
}

/// A length after the call applies to memory that the call allocates.
fn check_length_use(
    argument: &Argument,
    intent: Intent,
    length: &Expr,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if intent != Intent::Out {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            length.span,
            format!("`{}` is {}, so its length cannot change", argument.name.value, intent.name()),
            "write one size, or `out`",
        ));
    }
}

/// An array property as written.
struct Asked<'a> {
    measure: Measure,
    array: &'a str,
    array_span: Span,
    axis: Option<usize>,
}

struct Scope<'a> {
    arguments: &'a PerArgument<Argument>,
    positions: Positions<'a>,
    intents: &'a PerArgument<Intent>,
    roles: &'a PerArgument<Role>,
    /// The C result, if it is a number, is called `result` after the call.
    has_value: bool,
    seen: Seen,
    constants: &'a Constants<'a>,
}

impl Scope<'_> {
    fn check_out_pointer(
        &self,
        out_pointer: &ReturnedPointer,
        of: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for dimension in out_pointer.holds.shape().unwrap_or_default() {
            self.check_parts(dimension, of, Use::After, diagnostics);
            check_dimension_form(dimension, diagnostics);
        }
    }

    /// A length that is the name of one value is a value that the call changes.
    fn check_changes(&self, length: &Expr, of: &Argument, diagnostics: &mut Vec<Diagnostic>) {
        let Some((name, index)) =
            length.as_name().and_then(|name| Some((name, self.positions.find(name)?)))
        else {
            return;
        };
        let value = &self.arguments[index];
        let is_zero = value.passing == Passing::Value
            && self.intents[index] == Intent::Hidden
            && value.default.is_none();
        if is_zero {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                length.span,
                format!("the length `{name}` of `{}` is always 0", of.name.value),
                format!("write `out` before `{name}`, if C sets it, or `result` for the number that C returns"),
            ));
        }
    }

    fn check(&self, expr: &Expr, of: &Argument, used: Use, diagnostics: &mut Vec<Diagnostic>) {
        self.check_parts(expr, &of.name.value, used, diagnostics);
    }

    fn check_parts(&self, expr: &Expr, of: &str, used: Use, diagnostics: &mut Vec<Diagnostic>) {
        let mut passed = accepted_by_c(expr);
        passed.extend(self.objects_with_fields(expr));
        let read = self.elements_read(expr, of, used);
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Name(name) => {
                if read.contains(&part.span) {
                    self.check_element(name, part.span, diagnostics);
                    return;
                }
                // The arguments of a C function are not restricted.
                let is_passed = passed.contains(&part.span);
                if is_passed && self.is_seen(name, of) {
                    return;
                }
                let used = if is_passed { Use::Default } else { used };
                self.check_name(name, part.span, of, used, diagnostics);
            }
            ExprKind::Measure { measure, array, array_span, axis } => {
                let asked =
                    Asked { measure: *measure, array, array_span: *array_span, axis: *axis };
                self.check_measure(&asked, part.span, used, diagnostics);
            }
            _ => {}
        });
    }

    /// The places of arrays of which the call reads an element, as in `x[n]`.
    fn elements_read(&self, expr: &Expr, of: &str, used: Use) -> Vec<Span> {
        if self.seen == Seen::All {
            return Vec::new();
        }
        let is_made = self.positions.find(of).is_none_or(|of| self.roles[of] == Role::Made);
        let is_seen = used != Use::Default || is_made;
        let is_argument = |name: &str| self.positions.find(name).is_some();
        let elements = values::elements_read(expr).into_iter();
        elements.filter(|(name, _)| is_seen && is_argument(name)).map(|(_, span)| span).collect()
    }

    /// The places of objects of which C reads a field, as in `object->n`.
    fn objects_with_fields(&self, expr: &Expr) -> Vec<Span> {
        let mut found = Vec::new();
        expr.walk(&mut |part| {
            if let ExprKind::Member(object, _) = &part.kind
                && let Some(index) = object.as_name().and_then(|name| self.positions.find(name))
                && kind(&self.arguments[index]).has_fields(&self.arguments[index])
            {
                found.push(object.span);
            }
        });
        found
    }

    /// Reports an argument of which no element can be read before the call.
    fn check_element(&self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
        let Some(index) = self.positions.find(name) else { return };
        // A restricted function is refused as a whole.
        if self.seen == Seen::Given
            && let Some((message, hint)) =
                values::refuse_element(&self.arguments[index], self.intents[index])
        {
            diagnostics.push(Diagnostic::error(Code::BAD_DIMENSION, span, message, hint));
        }
    }

    /// True if a C function may read the pointee of this argument to compute a value for `of`.
    fn is_seen(&self, name: &str, of: &str) -> bool {
        let Some(index) = self.positions.find(name) else { return false };
        let other = &self.arguments[index];
        match self.seen {
            Seen::Nothing => false,
            Seen::Given => {
                let is_given = self.roles[index] == Role::Required && !other.nullable;
                let is_made =
                    self.positions.find(of).is_some_and(|of| self.roles[of] == Role::Made);
                other.is_array() && is_given && is_made
            }
            Seen::All => kind(other).is_address(),
        }
    }

    /// The replacement for a value of Python or Lua that no header is known to define.
    fn not_of_c(&self, name: &str, of: &str) -> Option<&'static str> {
        let argument = self.positions.find(of).map(|index| &self.arguments[index])?;
        let is_pointer = !matches!(argument.passing, Passing::Value | Passing::Pointer)
            || argument.ctype.handle().is_some();
        match name {
            "None" | "nil" | "null" if is_pointer => {
                Some("for NULL write `nullable` before its type, and no default")
            }
            "None" | "nil" | "null" => Some("a number is never absent: write one, as in `= 0`"),
            "True" => Some("write `= 1`"),
            "False" => Some("write `= 0`"),
            _ => None,
        }
    }

    fn check_name(
        &self,
        name: &str,
        span: Span,
        of: &str,
        used: Use,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(index) = self.positions.find(name) else {
            if used == Use::After && name == "result" && self.has_value {
                return;
            }
            // No header defines a name of one small letter.
            let is_short = name.len() == 1 && !is_constant_letter(name);
            if used == Use::Default && is_short && !self.constants.contains(name) {
                let hint = suggestion(name, self.arguments.iter().map(|a| a.name.value.as_str()))
                    .unwrap_or_else(|| format!("write a value, or add an argument `{name}`"));
                let message = format!("undefined name `{name}` in the value of `{of}`");
                diagnostics.push(
                    Diagnostic::error(Code::UNKNOWN_NAME, span, message, hint)
                        .label("no argument has this name"),
                );
            }
            if let (Use::Default, false, Some(hint)) =
                (used, self.constants.contains(name), self.not_of_c(name, of))
            {
                let message = format!("`{name}` is not a value in C");
                diagnostics.push(
                    Diagnostic::error(Code::BAD_DEFAULT, span, message, hint)
                        .label(format!("in the value of `{of}`")),
                );
                return;
            }
            // A default may use everything that the headers define; a dimension may use names that
            // look like constants or are declared as such.
            if used != Use::Default && !self.constants.contains(name) {
                diagnostics.push(
                    Diagnostic::error(
                        Code::UNKNOWN_NAME,
                        span,
                        format!("undefined dimension `{name}` of `{of}`"),
                        suggestion(
                            name,
                            self.arguments
                                .iter()
                                .map(|argument| argument.name.value.as_str())
                                .chain(self.constants.listed()),
                        )
                        .unwrap_or_else(|| {
                            format!(
                                "add an integer argument `{name}`, or, if a header defines it, \
                                 list it: `[constants]`, `values = [\"{name}\"]`"
                            )
                        }),
                    )
                    .label("no argument has this name"),
                );
            }
            return;
        };
        let other = &self.arguments[index];
        let bad = if used == Use::Default { Code::BAD_DEFAULT } else { Code::BAD_DIMENSION };
        if let Some((message, hint)) = kind(other).refuse_value(name, used == Use::Default) {
            diagnostics.push(Diagnostic::error(bad, span, message, hint));
        } else if other.nullable {
            diagnostics.push(Diagnostic::error(
                bad,
                span,
                format!("`{name}` may be NULL, so an expression cannot use it"),
                "use an argument that always has a value",
            ));
        } else if self.intents[index] == Intent::Out && used != Use::After {
            diagnostics.push(Diagnostic::error(
                bad,
                span,
                format!("`{name}` is an output: it has no value before the call"),
                "use an input or a hidden value",
            ));
        } else if used != Use::Default && !other.ctype.number().is_some_and(Scalar::is_integer) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                span,
                format!("`{name}` is a {}, and a dimension is an integer", other.ctype.spelling),
                "use an integer argument",
            ));
        }
    }

    fn check_measure(
        &self,
        asked: &Asked,
        span: Span,
        used: Use,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Asked { measure, array, array_span, axis } = *asked;
        let Some(index) = self.positions.find(array) else {
            diagnostics.push(Diagnostic::error(
                Code::UNKNOWN_NAME,
                array_span,
                format!("undefined name `{array}`"),
                suggestion(array, self.arguments.iter().map(|a| a.name.value.as_str()))
                    .unwrap_or_else(|| "use the name of an array argument".into()),
            ));
            return;
        };
        let argument = &self.arguments[index];
        if measure == Measure::Len && kind(argument).has_length() {
            return;
        }
        if argument.is_array()
            && let Some((message, hint)) = kind(argument).refuse_measure(argument, measure)
        {
            diagnostics.push(Diagnostic::error(Code::BAD_MEASURE, array_span, message, hint));
            return;
        }
        let Some(shape) = argument.shape() else {
            diagnostics.push(Diagnostic::error(
                Code::BAD_MEASURE,
                array_span,
                format!("`{array}` is not an array"),
                "len, shape, ndim, size, itemsize, dtype and stride need an array argument",
            ));
            return;
        };
        let is_stride = measure == Measure::Stride;
        // Known without the array, or as soon as it is allocated.
        let is_late = is_stride || measure == Measure::ItemSize || argument.any_array().is_some();
        if is_stride && used != Use::Default {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                span,
                "a stride cannot be a dimension",
                "use `stride` in the value of a hidden argument",
            ));
        } else if self.roles[index] == Role::Made && !is_late && used != Use::After {
            diagnostics.push(Diagnostic::error(
                Code::BAD_MEASURE,
                array_span,
                format!("`{array}` is allocated by the call, so its shape is unknown before it"),
                "write the expression from which its dimension is computed",
            ));
        }
        let takes_axis = matches!(measure, Measure::Shape | Measure::Stride);
        let word = if is_stride { "stride" } else { "shape" };
        if takes_axis && axis.is_none() && shape.len() > 1 {
            diagnostics.push(Diagnostic::error(
                Code::BAD_MEASURE,
                span,
                format!("`{array}` has {} dimensions; which one?", shape.len()),
                format!("write `{word}({array}, 0)`"),
            ));
        }
        if takes_axis && axis.is_some_and(|axis| axis >= shape.len()) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_MEASURE,
                span,
                format!(
                    "`{array}` has {} dimension{}, counted from 0",
                    shape.len(),
                    if shape.len() == 1 { "" } else { "s" }
                ),
                format!("the last one is `{word}({array}, {})`", shape.len() - 1),
            ));
        }
    }
}

/// The arguments of C functions that are plain names; `min` and `max` are built in.
pub(crate) fn accepted_by_c(expr: &Expr) -> Vec<Span> {
    let mut passed = Vec::new();
    expr.walk(&mut |part| {
        if let ExprKind::Call(function, arguments) = &part.kind
            && !matches!(function.as_str(), "min" | "max")
        {
            for argument in arguments {
                argument.walk(&mut |inner| {
                    if let ExprKind::Name(_) = inner.kind {
                        passed.push(inner.span);
                    }
                });
            }
        }
    });
    passed
}

/// The axes of each array that may have any stride: some expression of the overload uses it, or C receives pointers to
/// the rows.
pub(crate) fn strided_axes(overload: &Overload) -> HashMap<&str, Vec<usize>> {
    let mut strided: HashMap<&str, Vec<usize>> = HashMap::new();
    for argument in overload.arguments.iter().filter(|argument| argument.rows().is_some()) {
        strided.entry(&argument.name.value).or_default().push(0);
    }
    for default in overload.arguments.iter().filter_map(|argument| argument.default.as_ref()) {
        default.walk(&mut |part| {
            if let ExprKind::Measure { measure: Measure::Stride, array, axis, .. } = &part.kind {
                strided.entry(array).or_default().push(axis.unwrap_or(0));
            }
        });
    }
    for axes in strided.values_mut() {
        axes.sort_unstable();
        axes.dedup();
    }
    strided
}

/// A dimension is computed with overflow checks, so it may use only the operations that these
/// cover.
fn check_dimension_form(dimension: &Expr, diagnostics: &mut Vec<Diagnostic>) {
    dimension.walk(&mut |part| {
        let literal_at_fault = matches!(&part.kind, ExprKind::Literal(text)
            if integer_value(text).is_none());
        if literal_at_fault {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                part.span,
                "a dimension is an integer",
                "write an integer, or an expression over integer arguments",
            ));
        }
    });
    if let Some(value) = dimension.as_literal().and_then(|text| integer_value(&text))
        && value < 0
    {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DIMENSION,
            dimension.span,
            "a dimension is never negative",
            "write a positive integer, or an expression over integer arguments",
        ));
    }
}
