//! Calls of functions whose structs are unpacked.
//!
//! Purpose: a C function that takes the fields as arguments, fills the structs, and calls the user's function.
//! Invariant: its type is that of a function with these arguments, so that a call of it is like any other.
//! Reason: hosts, batches and graphs then do not distinguish fields from arguments.

use crate::agreement::{
    Variant, parameter_declaration, parameter_type, pointer_type, result_type, returned_type,
    typed_result, untyped_pointer,
};
use crate::{Namer, c_type, restored, stored};
use fishplate_model::{
    CallId, Expr, Intent, Layout, Member, MemberKind, Span, Unpacked, VariableId, declared,
};
use fishplate_plan::{Array, Call, List, Listed, Position, Variable};

/// The name of the function that fills the structs of a call.
pub(crate) fn name(call: CallId) -> String {
    format!("fp_unpacked_{call}")
}

/// The types of C's arguments: of structs, and of the arguments that are not fields; `type_of` returns those.
pub(crate) fn parameter_types(call: &Call, type_of: impl Fn(VariableId) -> String) -> Vec<String> {
    arguments(call, type_of, |index| {
        let one = &call.unpacked[index];
        if one.is_list {
            return list_type(one, call);
        }
        let constant = if one.is_const && one.by_address { "const " } else { "" };
        let star = if one.by_address { " *" } else { "" };
        format!("{constant}{}{star}", one.layout.ctype.spelling)
    })
}

/// The type of an array of objects or strings: `node **`, `const hid_t *`, `const char **`.
fn list_type(one: &Unpacked, call: &Call) -> String {
    let variable = &call.variables[one.first];
    if variable.ctype.is_char() {
        return format!("{}*", pointer_type(&variable.ctype, one.is_const));
    }
    let element = c_type(&variable.ctype);
    let constant = if one.is_const { "const " } else { "" };
    format!("{constant}{}", declared(element, "*"))
}

/// The type of C's result.
pub(crate) fn c_result_type<P: Position>(call: &Call<P>) -> String {
    match returned(call) {
        Some(one) => one.layout.ctype.spelling.clone(),
        None => result_type(&call.result),
    }
}

/// The struct that the C function returns.
fn returned<P: Position>(call: &Call<P>) -> Option<&Unpacked> {
    call.unpacked.iter().find(|one| one.is_result)
}

/// One entry for each argument of C: `plain` for an argument of the call, or `of_struct` for the struct of this index.
fn arguments(
    call: &Call,
    plain: impl Fn(VariableId) -> String,
    of_struct: impl Fn(usize) -> String,
) -> Vec<String> {
    let mut all = Vec::new();
    for index in call.variables.keys() {
        let found = call.unpacked.iter().enumerate();
        match found.into_iter().find(|(_, one)| one.contains(index)) {
            None => all.push(plain(index)),
            Some((at, one)) if one.first == index && !one.is_result && !one.is_local => {
                all.push(of_struct(at))
            }
            Some(_) => {}
        }
    }
    all
}

/// The compiler's checks of the members, each with its place.
pub(crate) fn confirmations(call: &Call) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    for one in call.unpacked.iter().filter(|one| !one.is_local && !one.is_list) {
        let mut index = one.first;
        confirm_members(&one.layout, one, call, &mut index, &mut found);
    }
    found
}

fn confirm_members(
    layout: &Layout,
    unpacked: &Unpacked,
    call: &Call,
    index: &mut VariableId,
    found: &mut Vec<(Span, String)>,
) {
    let of = &layout.ctype.spelling;
    for Member { path, what } in &layout.members {
        let (name, span) = (&path.value, path.span);
        match what {
            MemberKind::Struct { by_address, is_const, layout } => {
                let constant = if *is_const { "const " } else { "" };
                let its = &layout.ctype.spelling;
                let its = if *by_address { format!("{constant}{its} *") } else { its.clone() };
                found.push((span, format!("FP_CONFIRM_MEMBER({of}, {name}, {its});")));
                confirm_members(layout, unpacked, call, index, found);
            }
            MemberKind::Field { is_set, .. } => {
                let variable = &call.variables[*index];
                let its = member_type(variable, *is_set, unpacked);
                let (pointee, is_const) = match variable.crossing.out_pointer() {
                    Some(pointer) => (&pointer.ctype, pointer.is_const),
                    None => (&variable.ctype, variable.is_const),
                };
                let untyped = untyped_pointer(pointee, is_const)
                    .filter(|_| its == pointer_type(pointee, is_const))
                    .unwrap_or(&its);
                found.push((
                    span,
                    match inside(variable, unpacked, call) {
                        Some(array) => {
                            format!("FP_CONFIRM_ARRAY({of}, {name}, {its}, {untyped}, {array});")
                        }
                        None if untyped == its => {
                            format!("FP_CONFIRM_MEMBER({of}, {name}, {its});")
                        }
                        None => format!("FP_CONFIRM_POINTER({of}, {name}, {its}, {untyped});"),
                    },
                ));
                *index = VariableId::from(usize::from(*index) + 1);
            }
        }
    }
}

/// The place in an argument of the array that one of many structs has.
fn element_place(variable: &Variable, local: &str) -> String {
    let sizes = variable.shape().unwrap_or_default().iter().skip(1);
    let size: Vec<String> = sizes.map(|size| format!("({size})")).collect();
    format!("{local} + fp_k * {}", size.join(" * "))
}

/// The type of a member.
fn member_type(variable: &Variable, is_set: bool, of: &Unpacked) -> String {
    if of.length.is_some() {
        return element_type(variable);
    }
    match variable.crossing.out_pointer() {
        Some(pointer) if is_set => returned_type(pointer),
        _ if is_set => c_type(&variable.ctype).to_owned(),
        _ => parameter_type(variable, Variant::Exact),
    }
}

/// The type of a member of structs in an array, of which the variable has all.
fn element_type(variable: &Variable) -> String {
    let constant = if variable.is_const { "const " } else { "" };
    if let Some(pointer) = variable.crossing.out_pointer() {
        return pointer_type(&pointer.ctype, pointer.is_const);
    }
    if variable.crossing.by().is_some() {
        return parameter_type(variable, Variant::Exact);
    }
    match (variable.crossing.list(), variable.array()) {
        (Some(List { of: Listed::Strings, .. }), _) => format!("{constant}char *"),
        (Some(_), _) => c_type(&variable.ctype).to_owned(),
        (None, Some(Array { rows: None, shape, .. })) if shape.len() == 1 => {
            c_type(&variable.ctype).to_owned()
        }
        (None, _) => pointer_type(&variable.ctype, variable.is_const),
    }
}

/// The type of an array that may be inside of the struct: its size is constant.
fn inside(variable: &Variable, unpacked: &Unpacked, call: &Call) -> Option<String> {
    let shape = variable.shape().filter(|_| variable.has_const_pointers().is_none())?;
    // The first dimension is that of the structs.
    let shape = &shape[usize::from(unpacked.length.is_some())..];
    if shape.is_empty() {
        return None;
    }
    let is_constant = |size: &Expr| {
        let is_argument = |name: &str| call.variables.iter().any(|one| one.name == name);
        size.as_literal().is_some() || size.as_name().is_some_and(|name| !is_argument(name))
    };
    if !shape.iter().all(is_constant) {
        return None;
    }
    let sizes: String = shape.iter().map(|size| format!("[{size}]")).collect();
    Some(format!("{}{sizes}", c_type(&variable.ctype)))
}

/// The definition of the function; `callee` is the user's function.
pub(crate) fn define(call: &Call, callee: &str) -> String {
    let mut namer = Namer::avoiding([callee]);
    let locals: Vec<String> =
        call.variables.iter().map(|variable| namer.variable(&variable.name)).collect();
    let mut parts = Parts {
        call,
        namer,
        locals,
        declared: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        stored: Vec::new(),
    };
    let structs: Vec<String> = call
        .unpacked
        .iter()
        .map(|one| {
            if one.is_local {
                parts.leave_out(one);
                return String::new();
            }
            if one.is_list {
                return parts.list(one);
            }
            let name = match &one.name {
                Some(name) => &name.value,
                None if one.is_result => "fp_returned",
                None => "fp_struct",
            };
            let writes = Writes { is_writable: one.is_writable(), is_result: one.is_result };
            if one.length.is_some() {
                return parts.structs(name, one, writes);
            }
            let local = parts.declare(name, &one.layout);
            parts.stored.clear();
            let mut index = one.first;
            parts.members(one, &one.layout, &local, writes, &mut index);
            match one.retained_memory() {
                Some(memory) => parts.retained(&local, one, memory),
                None if one.by_address => format!("&{local}"),
                None => local,
            }
        })
        .collect();
    let Parts { locals, declared: mut declarations, before, after, .. } = parts;
    let parameters: Vec<String> = call
        .variables
        .iter_enumerated()
        .map(|(index, variable)| parameter_declaration(variable, &locals[usize::from(index)]))
        .collect();
    let plain = |index: VariableId| {
        let local = &locals[usize::from(index)];
        // A header may declare the pointer with another type: arrays of arrays, void.
        let is_pointer = parameter_type(&call.variables[index], Variant::Exact).ends_with('*');
        if is_pointer { format!("FP_POINTER({local})") } else { local.clone() }
    };
    let called =
        format!("{callee}({})", arguments(call, plain, |at| structs[at].clone()).join(", "));
    let result = result_type(&call.result);
    let returned = call.unpacked.iter().position(|one| one.is_result);
    let (call_line, end) = if let Some(at) = returned {
        (format!("{} = {called};", structs[at]), None)
    } else if call.result.is_void() {
        (format!("{called};"), None)
    } else {
        declarations.push(format!("{};", declared(&result, "fp_c_result")));
        (
            format!("fp_c_result = {};", typed_result(call, &called)),
            Some("return fp_c_result;".to_owned()),
        )
    };
    let lines = declarations.into_iter().chain(before).chain([call_line]).chain(after).chain(end);
    let body: String = lines.map(|line| format!("    {line}\n")).collect();
    format!("static {result}\n{}({})\n{{\n{body}}}\n", name(call.id), parameters.join(", "))
}

/// Whether C writes the members of a struct.
#[derive(Clone, Copy)]
struct Writes {
    /// C may change them.
    is_writable: bool,
    /// C sets all of them: it returns the struct.
    is_result: bool,
}

/// The statements of the function.
struct Parts<'c> {
    call: &'c Call,
    namer: Namer,
    /// The names of the parameters.
    locals: Vec<String>,
    declared: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
    /// The types of the values in memory that C retains, after the struct.
    stored: Vec<String>,
}

impl Parts<'_> {
    /// Declares a struct with zeros, and returns its name.
    fn declare(&mut self, name: &str, layout: &Layout) -> String {
        let local = self.namer.variable(name);
        self.declared.push(format!("{} {local} = FP_ZEROED;", layout.ctype.spelling));
        local
    }

    /// Sets a result to zeros, where the member is not that which C has chosen.
    fn clear(&self, index: VariableId, member: &str, of: &Unpacked) -> String {
        let local = &self.locals[usize::from(index)];
        let variable = &self.call.variables[index];
        if variable.crossing.out_pointer().is_some() && of.length.is_some() {
            return format!("(*{local})[fp_k] = NULL;");
        }
        let (place, size) = match (inside(variable, of, self.call), &of.length) {
            (Some(_), None) => (local.clone(), member),
            (Some(_), Some(_)) => (element_place(variable, local), member),
            (None, None) => (local.clone(), &*format!("*{local}")),
            (None, Some(_)) => (format!("&{local}[fp_k]"), &*format!("{local}[fp_k]")),
        };
        format!("memset((void *)({place}), 0, sizeof({size}));")
    }

    /// Declares the variable of loops, which it shares with other arguments.
    fn declare_counter(&mut self) {
        const COUNTER: &str = "size_t fp_k;";
        if self.declared.iter().all(|one| one != COUNTER) {
            self.declared.push(COUNTER.to_owned());
        }
    }

    /// Has no use for the values that C does not receive.
    fn leave_out(&mut self, locals: &Unpacked) {
        for index in usize::from(locals.first)..usize::from(locals.end()) {
            self.before.push(format!("(void){};", self.locals[index]));
        }
    }

    /// Fills the members of the struct at `place`, and reads those that C sets.
    fn members(
        &mut self,
        of: &Unpacked,
        layout: &Layout,
        place: &str,
        writes: Writes,
        index: &mut VariableId,
    ) {
        for Member { path, what } in &layout.members {
            let member = format!("{place}.{}", path.value);
            match what {
                MemberKind::Struct { by_address: false, layout, .. } => {
                    self.members(of, layout, &member, writes, index);
                }
                MemberKind::Struct { by_address: true, is_const, layout } => {
                    let local = self.declare(&path.value.replace('.', "_"), layout);
                    let writes = Writes { is_writable: !is_const, is_result: false };
                    let read = self.after.len();
                    self.members(of, layout, &local, writes, index);
                    let is_read = self.after.len() > read;
                    let ctype = &layout.ctype.spelling;
                    match self.place(of, ctype) {
                        None => self.before.push(format!("{member} = &{local};")),
                        Some(place) => {
                            self.store(&member, ctype, &place, &format!("&{local}"), is_read);
                        }
                    }
                }
                MemberKind::Field { is_set, condition } => {
                    let before = self.after.len();
                    self.field(&member, *index, *is_set, (of, writes));
                    if let Some(condition) = condition {
                        let read = self.after.split_off(before).join(" ");
                        let (condition, clear) =
                            (condition.in_c(place), self.clear(*index, &member, of));
                        self.after
                            .push(format!("if ({condition}) {{ {read} }} else {{ {clear} }}"));
                    }
                    *index = VariableId::from(usize::from(*index) + 1);
                }
            }
        }
    }

    /// The statements with an array of objects in memory that is an argument; returns its address. The second half of the
    /// memory has the pointers that handles store for objects which are integers.
    fn list(&mut self, of: &Unpacked) -> String {
        let first = usize::from(of.first);
        let [list, count, memory] = [0, 1, 2].map(|at| self.locals[first + at].clone());
        let variable = &self.call.variables[of.first];
        let is_set = variable.crossing.out_pointer().is_some();
        let ctype = &variable.ctype;
        // C may change objects in any case, and the array.
        let is_const = of.is_const && ctype.is_char();
        let array = list_type(&Unpacked { is_const, ..of.clone() }, self.call);
        let objects = format!("(({array})(void *){memory})");
        let Some(invalid) = ctype.invalid_identifier() else {
            self.before.push(format!("(void){count};"));
            self.before.push(format!("*{list} = {objects};"));
            return objects;
        };
        let spelled = c_type(ctype);
        let each =
            |statement: String| format!("for (fp_k = 0; fp_k < {count}; fp_k++) {{ {statement} }}");
        self.declare_counter();
        if is_set {
            let pointers = format!("((void **)(void *){memory} + {count})");
            let stored = stored(ctype, &format!("{objects}[fp_k]"));
            self.before.push(format!("*{list} = (__typeof__(*{list}))(void *){pointers};"));
            self.before.push(each(format!("{objects}[fp_k] = ({spelled})({invalid});")));
            self.after.push(each(format!("{pointers}[fp_k] = {stored};")));
            return objects;
        }
        let restored = restored(ctype, &format!("((void *const *)(const void *){list})[fp_k]"));
        let fill = each(format!("{objects}[fp_k] = {restored};"));
        match variable.nullable {
            true => {
                self.before.push(format!("if ({list} != NULL) {fill}"));
                format!("{list} == NULL ? NULL : {objects}")
            }
            false => {
                self.before.push(fill);
                objects
            }
        }
    }

    /// The place of a value of this type in memory that C retains: after the struct, and the user data of its callbacks.
    fn place(&mut self, of: &Unpacked, ctype: &str) -> Option<String> {
        let memory = &self.locals[usize::from(of.retained_memory()?)];
        let fields = usize::from(of.first)..usize::from(of.end_of_fields());
        let is_callback =
            |at: &usize| self.call.variables[VariableId::from(*at)].crossing.callback().is_some();
        let user_data = Unpacked::USER_DATA_ELEMENTS * fields.filter(is_callback).count();
        let before = std::iter::once(&of.layout.ctype.spelling).chain(&self.stored);
        let before: String = before.map(|one| format!(" + (sizeof({one}) + 7) / 8")).collect();
        let place = format!("{memory}{before} + {user_data}");
        self.stored.push(ctype.to_owned());
        Some(place)
    }

    /// Copies the value to which a pointer leads there, and lets a member point to the copy.
    fn store(&mut self, member: &str, ctype: &str, place: &str, pointer: &str, is_read: bool) {
        let place = format!("(void *)({place})");
        self.before.push(format!("FP_ASSERT_RETAINED({ctype});"));
        let copy = format!("({ctype} *)memcpy({place}, (const void *){pointer}, sizeof({ctype}))");
        let is_local = pointer.starts_with('&');
        let given = if is_local { "" } else { &*format!("{pointer} == NULL ? NULL : ") };
        self.before.push(format!("{member} = {given}{copy};"));
        if is_read {
            let given = if is_local { "" } else { &*format!("if ({pointer} != NULL) ") };
            let take = format!("{given}memcpy((void *){pointer}, {place}, sizeof({ctype}));");
            self.after.insert(0, take);
        }
    }

    /// C receives the struct in memory that is an argument, as it uses it after the call; returns its address.
    fn retained(&mut self, local: &str, of: &Unpacked, memory: VariableId) -> String {
        let (ctype, memory) = (&of.layout.ctype.spelling, &self.locals[usize::from(memory)]);
        self.before.push(format!("FP_ASSERT_RETAINED({ctype});"));
        self.before.push(format!("memcpy((void *){memory}, (void *)&{local}, sizeof({local}));"));
        if !self.after.is_empty() {
            let take = format!("memcpy((void *)&{local}, (void *){memory}, sizeof({local}));");
            self.after.insert(0, take);
        }
        format!("({ctype} *)(void *){memory}")
    }

    /// The statements with an array of structs in memory that is an argument; returns its name.
    fn structs(&mut self, name: &str, of: &Unpacked, writes: Writes) -> String {
        let local = self.namer.variable(name);
        let end = usize::from(of.end_of_fields());
        let (count, memory) = (self.locals[end].clone(), self.locals[end + 1].clone());
        let ctype = &of.layout.ctype.spelling;
        self.declared.push(format!("{ctype} *{local} = ({ctype} *)(void *){memory};"));
        self.declare_counter();
        let (before, after) = (std::mem::take(&mut self.before), std::mem::take(&mut self.after));
        let mut index = of.first;
        self.members(of, &of.layout, &format!("{local}[fp_k]"), writes, &mut index);
        let each = |statements: &[String]| {
            let head = format!("for (fp_k = 0; fp_k < {count}; fp_k++) {{");
            let inside = statements.iter().map(|one| format!("    {one}"));
            std::iter::once(head).chain(inside).chain(["}".to_owned()]).collect::<Vec<String>>()
        };
        let (set, read) = (
            std::mem::replace(&mut self.before, before),
            std::mem::replace(&mut self.after, after),
        );
        self.before.push(format!("memset((void *){local}, 0, {count} * sizeof({ctype}));"));
        // The pointers that C sets are copied to the memory after the structs, for each field those of all structs.
        let fields = usize::from(of.first)..end;
        let pointers = fields.filter(|at| {
            self.call.variables[VariableId::from(*at)].crossing.out_pointer().is_some()
        });
        for (k, at) in pointers.enumerate() {
            let list = &self.locals[at];
            let place = format!("{memory} + {count} * ((sizeof({ctype}) + 7) / 8) + {k} * {count}");
            self.before.push(format!("*{list} = (__typeof__(*{list}))(void *)({place});"));
            self.before.push(format!("memset((void *)*{list}, 0, {count} * sizeof(void *));"));
        }
        self.before.extend(each(&set));
        if !read.is_empty() {
            self.after.extend(each(&read));
        }
        local
    }

    /// An element of the field of all structs.
    fn element(
        &mut self,
        member: &str,
        index: VariableId,
        is_set: bool,
        (of, writes): (&Unpacked, Writes),
    ) {
        let variable = &self.call.variables[index];
        let local = &self.locals[usize::from(index)];
        if variable.crossing.out_pointer().is_some() {
            self.after.push(format!("(*{local})[fp_k] = {member};"));
            return;
        }
        if inside(variable, of, self.call).is_some() {
            let place = element_place(variable, local);
            let constant = if variable.is_const { "const " } else { "" };
            let its = c_type(&variable.ctype);
            self.before.push(format!(
                "{{ {constant}{its} *fp_at = {place}; FP_PUT_ARRAY({member}, fp_at); }}"
            ));
            if !variable.is_const && variable.intent != Intent::In && writes.is_writable {
                self.after
                    .push(format!("{{ {its} *fp_at = {place}; FP_TAKE_ARRAY(fp_at, {member}); }}"));
            }
            return;
        }
        if variable.crossing.by().is_some() {
            // A hidden value, the same in all structs.
            self.before.push(format!("{member} = {local};"));
            return;
        }
        let cast = match variable.crossing.list() {
            // C may not modify a string of the caller, whatever the header declares.
            Some(_) => format!("({})", element_type(variable)),
            None => String::new(),
        };
        if !is_set || variable.intent.is_input() {
            self.before.push(format!("{member} = {cast}{local}[fp_k];"));
        }
        if is_set {
            self.after.push(format!("{local}[fp_k] = {member};"));
        }
    }

    fn field(
        &mut self,
        member: &str,
        index: VariableId,
        is_set: bool,
        (of, of_struct): (&Unpacked, Writes),
    ) {
        if of.length.is_some() {
            return self.element(member, index, is_set, (of, of_struct));
        }
        let variable = &self.call.variables[index];
        let local = self.locals[usize::from(index)].clone();
        let writes = variable.intent != Intent::In && !variable.is_const;
        if is_set {
            let given =
                if variable.nullable { format!("if ({local} != NULL) ") } else { String::new() };
            if variable.intent.is_input() {
                self.before.push(format!("{given}{member} = *{local};"));
            }
            let value = match variable.crossing.out_pointer() {
                Some(_) => format!("FP_POINTER({member})"),
                None => member.to_owned(),
            };
            self.after.push(format!("{given}*{local} = {value};"));
            return;
        }
        if variable.is_behind_pointer()
            && let Some(place) = self.place(of, c_type(&variable.ctype))
        {
            self.store(member, c_type(&variable.ctype), &place, &local, writes);
            return;
        }
        if inside(variable, of, self.call).is_none() {
            self.before.push(format!("{member} = {local};"));
            return;
        }
        let text = match of_struct {
            Writes { is_result: true, .. } => {
                Some("an output of a struct that C returns is an array inside of it")
            }
            Writes { is_writable: false, .. } if writes => Some(
                "an array inside of a struct that C receives as a copy, or as const, cannot be an output",
            ),
            Writes { .. } => None,
        };
        if let Some(text) = text {
            let is_inside = if of_struct.is_result { "" } else { "!" };
            self.before.push(format!("FP_ASSERT({is_inside}FP_IS_INSIDE({member}), \"{text}\");"));
        }
        if !of_struct.is_result {
            self.before.push(format!("FP_PUT_ARRAY({member}, {local});"));
        }
        if writes && of_struct.is_writable {
            self.after.push(format!("FP_TAKE_ARRAY({local}, {member});"));
        }
    }
}
