//! From one overload to a call: its parameters and its steps.
//!
//! The order within a call: scalars are read and computed, and arrays acquired; then all shapes are
//! checked; then memory is allocated, and values that depend on its strides computed; then it is
//! initialised; then C is called; then results are written back. A call that is refused has
//! therefore changed nothing.

use crate::{
    Absent, Acquire, AnyArray, Call, FailureTest, Keeper, Memory, Named, Parameter, ParameterKind,
    Release, RetainedArgument, Retainer, Returns, SparseParameter, Step, Variable, callback, map,
};
use fishplate_check::{
    Capabilities, Checked, CheckedFunction, CheckedOverload, Output, Place, Resolved, Role,
};
use fishplate_model::{
    CallId, ClassId, Consumed, Expr, ExprKind, Gil, Intent, Language, ParameterId, PerArgument,
    Safety, TiVec, VariableId,
};

/// Plans the call of one overload of a function.
pub(crate) fn lower(
    id: CallId,
    overload: &CheckedOverload,
    function: &CheckedFunction,
    checked: &Checked,
) -> Call {
    let host = checked.host();
    let arguments = &overload.arguments;
    let mut parameters = parameters(arguments, function.class.as_ref(), host);
    let variables: PerArgument<Variable> =
        arguments.iter().map(|resolved| resolved.variable.clone()).collect();
    // Without an input, there is one item.
    let sparse = sparse_parameters(function, &variables, &parameters, host);
    let takes_items = parameters
        .iter()
        .any(|given| given.kind != ParameterKind::Buffer && !variables[given.variable].is_whole());
    let maps = host.maps && function.ellipses.maps() && takes_items;
    let returned = map::returned(overload).filter(|_| maps);
    if maps {
        add_scalar_buffers(arguments, returned.as_ref(), host, &mut parameters);
    }
    let convention = &overload.convention;
    let by_convention = convention.is_some().then_some(FailureTest::Convention);
    let code_test =
        overload.return_code.map(|code| by_convention.unwrap_or(FailureTest::Code(code)));
    let pointer_test = by_convention.filter(|_| overload.return_code.is_none());
    let lowering = Lowering { overload, arguments, parameters: &parameters, code_test };
    let late = lowering.late();
    let mut steps = Vec::new();
    for &index in overload.order.iter().filter(|index| !late[**index]) {
        steps.extend(lowering.make(index).or_else(|| lowering.acquire(index)));
        steps.extend(lowering.point_to_rows(index));
    }
    let (late_checks, checks): (Vec<Step>, Vec<Step>) =
        lowering.check_shapes().partition(|check| lowering.is_late(check, &late));
    steps.extend(checks);
    if let Some(query) = &function.query {
        steps.extend(lowering.lock());
        steps.push(Step::Query { query: query.clone(), test: code_test });
    }
    for &index in overload.order.iter().filter(|index| late[**index]) {
        steps.extend(lowering.make(index).or_else(|| lowering.acquire(index)));
        steps.extend(lowering.find_lengths(index));
        steps.extend(lowering.point_to_rows(index));
    }
    steps.extend(late_checks);
    for index in arguments.keys() {
        steps.extend(lowering.fill(index));
    }
    if function.query.is_none() {
        steps.extend(lowering.lock());
    }
    // After the lock was acquired: on failure, C-allocated memory is released before the lock is.
    steps.extend(lowering.out_pointers().map(|out_pointer| Step::Expect { out_pointer }));
    let callbacks = callback::callbacks(overload);
    let calls_back = !callbacks.is_empty() || checked.keeps_callbacks();
    let retained = lowering.retained();
    steps.extend(retained.iter().map(|one| Step::Retain { variable: one.variable }));
    steps.extend(lowering.invalidates());
    steps.extend(lowering.consumes(function.closes()));
    let gil = lowering.gil(function);
    steps
        .push(Step::Call { release: release(&variables, gil, function.work.as_ref(), calls_back) });
    let test = code_test.or(pointer_test);
    steps.extend(lowering.restores(test));
    steps.extend(test.map(|test| Step::CheckStatus { test }));
    let kept = callbacks.iter().filter(|callback| callback.checked.is_kept());
    steps.extend(kept.map(|callback| Step::KeepCallback { variable: callback.variable }));
    let replacing = retained.iter().filter(|one| one.retention.replaces);
    steps.extend(replacing.map(|one| Step::Replace { variable: one.variable }));
    if function.class.is_none() && checked.is_keeper(&function.name) {
        steps.push(Step::DropRetained { function: function.name.clone() });
    }
    for index in arguments.keys() {
        steps.extend(lowering.write_back(index));
    }
    steps.extend(lowering.truncations());
    steps.extend(lowering.out_pointers().map(|out_pointer| Step::Receive { out_pointer }));
    let mapped = maps.then(|| map::lower(&lowering, function, &variables, &late));
    Call {
        prototype: overload.text.split_whitespace().collect::<Vec<_>>().join(" "),
        span: overload.span,
        id,
        c_name: overload.c_name.clone(),
        callee: overload.callee,
        throws: checked.module().language == Language::Cxx,
        result: overload.result.clone(),
        return_code: overload.return_code,
        status: convention.as_ref().map(|one| one.status.clone()),
        message_object: convention.as_ref().and_then(|one| one.object),
        variables,
        unpacked: overload.unpacked.clone(),
        adapter: overload.adapter.clone(),
        returned,
        parameters,
        sparse,
        steps,
        outputs: overload.outputs.clone(),
        kinds: overload.kinds.clone(),
        safety: overload.safety,
        device: function.device,
        recycles: checked.module().recycles.unwrap_or(true),
        mapped,
        callbacks,
        retained,
        calls_back,
    }
}

/// The parameters of the generated function. Required ones come first, as every language requires,
/// and first of these is the object for a method; otherwise they have C's order.
fn parameters(
    arguments: &PerArgument<Resolved>,
    class: Option<&Named<ClassId>>,
    host: &Capabilities,
) -> TiVec<ParameterId, Parameter> {
    let mut parameters: TiVec<ParameterId, Parameter> = TiVec::new();
    for kind in [ParameterKind::Required, ParameterKind::Optional, ParameterKind::Buffer] {
        for (variable, resolved) in arguments.iter_enumerated() {
            if parameter_kind(resolved) == Some(kind) {
                let name = host.parameter_name(&resolved.variable.name);
                parameters.push(Parameter { name, variable, kind });
            }
        }
    }
    let is_object = |given: &Parameter| {
        given.kind == ParameterKind::Required && arguments[given.variable].variable.class() == class
    };
    if class.is_some()
        && let Some(object) = parameters.position(is_object)
    {
        parameters[..=object].raw.rotate_right(1);
    }
    parameters
}

/// Adds output buffers for values that are numbers in a single call and arrays in a batch: scalars
/// that C sets, and its result.
fn add_scalar_buffers(
    arguments: &PerArgument<Resolved>,
    returned: Option<&Variable>,
    host: &Capabilities,
    parameters: &mut TiVec<ParameterId, Parameter>,
) {
    let kind = ParameterKind::Buffer;
    for (variable, resolved) in arguments.iter_enumerated() {
        if map::is_scalar_output(resolved) && resolved.variable.number().is_some() {
            let name = host.parameter_name(&resolved.variable.name);
            parameters.push(Parameter { name, variable, kind });
        }
    }
    if let Some(result) = returned {
        let mut name = host.parameter_name(&result.name);
        while parameters.iter().any(|other| other.name == name) {
            name.push('_');
        }
        parameters.push(Parameter { name, variable: arguments.next_key(), kind });
    }
}

/// The sparse matrices of a function, by the parameters that they replace.
fn sparse_parameters(
    function: &CheckedFunction,
    variables: &PerArgument<Variable>,
    parameters: &TiVec<ParameterId, Parameter>,
    host: &Capabilities,
) -> Vec<SparseParameter> {
    let parameter = |name: &String| {
        parameters.position(|parameter| variables[parameter.variable].name == *name)
    };
    let matrices = function.sparse.iter().filter(|_| host.sparse);
    let named = matrices.map(|one| SparseParameter {
        name: host.parameter_name(&one.name),
        format: one.format,
        parts: one.parts.iter().filter_map(parameter).collect(),
    });
    named.collect()
}

fn parameter_kind(resolved: &Resolved) -> Option<ParameterKind> {
    // For bytes and strings, the host creates the object that is returned.
    let variable = &resolved.variable;
    let is_array = variable.array().is_some() || variable.any_array().is_some();
    match resolved.role {
        Role::Required => Some(ParameterKind::Required),
        Role::Optional => Some(ParameterKind::Optional),
        Role::Made if resolved.variable.intent == Intent::Out && is_array => {
            Some(ParameterKind::Buffer)
        }
        Role::Made | Role::Found(_) => None,
    }
}

fn release(
    variables: &PerArgument<Variable>,
    gil: Gil,
    work: Option<&Expr>,
    calls_back: bool,
) -> Release {
    match gil {
        Gil::Hold => Release::Never,
        Gil::Release => Release::Always,
        // C may wait for another thread that calls a callback, which needs the lock.
        Gil::Auto if calls_back => Release::Always,
        Gil::Auto => {
            if let Some(work) = work {
                return Release::ForWork(work.clone());
            }
            if variables.iter().any(|one| one.crossing.properties().may_last) {
                return Release::Always;
            }
            let arrays = large(variables);
            if arrays.is_empty() { Release::Never } else { Release::WhenLarge(arrays) }
        }
    }
}

/// The arrays whose size indicates how much work a call is.
pub(crate) fn large(variables: &PerArgument<Variable>) -> Vec<VariableId> {
    // Not scratch memory: C may use little of it.
    variables
        .keys()
        .filter(|index| variables[*index].is_array() && variables[*index].intent != Intent::Hidden)
        .collect()
}

/// The data from which the steps of one overload are derived.
pub(crate) struct Lowering<'a> {
    pub(crate) overload: &'a CheckedOverload,
    pub(crate) arguments: &'a PerArgument<Resolved>,
    parameters: &'a TiVec<ParameterId, Parameter>,
    /// How a failure is recognised, if C returns a code.
    pub(crate) code_test: Option<FailureTest>,
}

impl Lowering<'_> {
    fn parameter(&self, variable: VariableId) -> ParameterId {
        let found = self.parameters.position(|parameter| parameter.variable == variable);
        found.expect("what the host gives has a parameter")
    }

    /// The lock that serialises the C function.
    pub(crate) fn lock(&self) -> Option<Step> {
        let taken = |index: &VariableId| {
            let resolved = &self.arguments[*index];
            let is_given = matches!(resolved.role, Role::Required | Role::Optional);
            is_given && resolved.variable.has_objects()
        };
        let (module, variables): (bool, Vec<VariableId>) = match self.overload.safety {
            Safety::Safe | Safety::Gil => return None,
            Safety::HandleLock => (false, self.arguments.keys().filter(taken).collect()),
            Safety::ModuleLock => (true, Vec::new()),
        };
        (module || !variables.is_empty()).then_some(Step::Lock { variables, module })
    }

    /// When the GIL is released: never if it serialises calls.
    pub(crate) fn gil(&self, function: &CheckedFunction) -> Gil {
        if self.overload.safety == Safety::Gil { Gil::Hold } else { function.gil }
    }

    /// The parameter by which a caller may pass the memory for a result.
    pub(crate) fn buffer(&self, variable: VariableId) -> Option<ParameterId> {
        self.parameters.position(|parameter| parameter.variable == variable)
    }

    /// The out-pointers, and the result if it is C-allocated.
    fn out_pointers(&self) -> impl Iterator<Item = Output> {
        let arguments = self.arguments.iter_enumerated().filter_map(|(index, resolved)| {
            resolved.variable.crossing.out_pointer().map(|_| Output::Argument(index))
        });
        let returns = matches!(self.overload.result, Returns::Pointer(_));
        arguments.chain(returns.then_some(Output::Result))
    }

    /// The objects whose borrowed arrays and handles the call closes.
    pub(crate) fn invalidates(&self) -> impl Iterator<Item = Step> {
        let arguments = self.arguments.iter_enumerated();
        let ended = arguments.filter(|(_, resolved)| resolved.invalidates);
        ended.map(|(variable, _)| Step::Invalidate { variable })
    }

    /// The objects that C takes over.
    fn consumes(&self, destroys: bool) -> Option<Step> {
        let consumed = self.arguments.iter_enumerated().filter(|(_, one)| one.consumed.is_some());
        let variables: Vec<VariableId> = consumed.map(|(variable, _)| variable).collect();
        (!variables.is_empty()).then_some(Step::Consume { variables, destroys })
    }

    /// The objects that C does not take over if it fails.
    fn restores(&self, test: Option<FailureTest>) -> impl Iterator<Item = Step> {
        let arguments = self.arguments.iter_enumerated();
        let restored = arguments.filter(|(_, one)| one.consumed == Some(Consumed::OnSuccess));
        restored.map(move |(variable, _)| Step::Restore { variable, test })
    }

    /// The arguments, other than callbacks, that C uses after the call.
    fn retained(&self) -> Vec<RetainedArgument> {
        let is_callback = |one: &Resolved| one.variable.crossing.callback().is_some();
        let kept =
            self.arguments.iter_enumerated().filter(|(_, one)| one.retention.outlasts_call());
        let others = kept.filter(|(_, one)| !is_callback(one));
        others
            .filter_map(|(variable, one)| {
                let owner = match &one.retention.keeper {
                    Keeper::Handle(handle) => Retainer::Object(*handle),
                    Keeper::Module(function) => Retainer::Module(function.clone()),
                    Keeper::Made(output) => Retainer::Made(*output),
                    Keeper::Call => return None,
                };
                Some(RetainedArgument { variable, owner, retention: one.retention.clone() })
            })
            .collect()
    }

    /// The arrays of which C reports how much it has filled.
    fn truncations(&self) -> impl Iterator<Item = Step> {
        self.arguments.iter_enumerated().filter_map(|(variable, resolved)| {
            let length = resolved.length.as_ref().map(without_parentheses)?;
            Some(Step::Truncate { variable, length })
        })
    }

    pub(crate) fn is_array(&self, variable: VariableId) -> bool {
        self.arguments[variable].variable.is_array()
    }

    /// True for each allocated array, and for each scalar that depends on its strides, on a
    /// variable that a query sets, or on arrays that a C function reads, whose shapes are checked
    /// before.
    fn late(&self) -> PerArgument<bool> {
        let mut late: PerArgument<bool> = vec![false; self.arguments.len()].into();
        for &index in &self.overload.order {
            let Resolved { variable, role, .. } = &self.arguments[index];
            // A query may set the dimensions of an array of any rank, which are allocated before it.
            let is_queried = self.overload.queried.contains(&index);
            late[index] = *role == Role::Made && self.is_array(index) && !is_queried
                || variable.default.as_ref().is_some_and(|default| {
                    self.depends_on_late(default, &late)
                        || *role == Role::Made && self.reads_arrays(default)
                });
        }
        late
    }

    /// A C function in the expression reads arrays: an array has no other value.
    fn reads_arrays(&self, expr: &Expr) -> bool {
        let mut reads = false;
        expr.walk(&mut |part| {
            if let Some(name) = part.as_name() {
                reads |= self
                    .arguments
                    .iter()
                    .any(|one| one.variable.name == name && one.variable.is_array());
            }
        });
        reads
    }

    /// True for an expression that can be computed only after the `late` arguments.
    fn depends_on_late(&self, expr: &Expr, late: &PerArgument<bool>) -> bool {
        expr.names().into_iter().any(|(name, _)| {
            let used = self.arguments.position(|a| a.variable.name == name);
            used.is_some_and(|used| late[used] || self.overload.queried.contains(&used))
        })
    }

    /// True for the check of a dimension, or of values, that the caller cannot know before C computes it.
    fn is_late(&self, check: &Step, late: &PerArgument<bool>) -> bool {
        match check {
            Step::CheckDimension { expected, .. } => self.depends_on_late(expected, late),
            Step::CheckValues { rule, .. } => {
                rule.expressions().any(|value| self.depends_on_late(value, late))
            }
            _ => false,
        }
    }

    pub(crate) fn absent(&self, variable: VariableId) -> Absent {
        let resolved = &self.arguments[variable];
        match (&resolved.role, &resolved.variable.default) {
            (Role::Optional, Some(default)) => Absent::Value(default.clone()),
            (Role::Optional, None) => Absent::Null,
            _ => Absent::Never,
        }
    }

    /// The places from which a dimension is inferred: one in an array that is always present, else
    /// all of them.
    fn telling<'p>(&self, places: &'p [Place]) -> &'p [Place] {
        if self.arguments[places[0].array].variable.nullable { places } else { &places[..1] }
    }

    /// The step that sets an argument; allocated arrays are handled later.
    pub(crate) fn acquire(&self, variable: VariableId) -> Option<Step> {
        let resolved = &self.arguments[variable];
        let properties = resolved.variable.crossing.properties();
        match &resolved.role {
            Role::Found(places) => {
                Some(Step::FindDimension { variable, places: self.telling(places).to_vec() })
            }
            Role::Made if self.is_array(variable) || properties.is_set_elsewhere => None,
            Role::Made => {
                Some(Step::SetScalar { variable, value: resolved.variable.default.clone() })
            }
            Role::Required | Role::Optional => {
                let parameter = self.parameter(variable);
                let absent = self.absent(variable);
                let releases = properties.is_released;
                Some(Step::Acquire(Acquire { variable, parameter, absent, releases }))
            }
        }
    }

    /// Acquires an argument that has something to release in a batched call: an array, or a scalar
    /// for which the caller may pass an array.
    pub(crate) fn take(&self, variable: VariableId) -> Step {
        let (parameter, absent) = (self.parameter(variable), self.absent(variable));
        Step::Acquire(Acquire { variable, parameter, absent, releases: true })
    }

    /// Compares the dimensions of all arrays of the caller with the prototype, and checks their values. A size that is
    /// read from an array is compared after that array was checked.
    pub(crate) fn check_shapes(&self) -> impl Iterator<Item = Step> {
        let (sized, known): (Vec<VariableId>, Vec<VariableId>) =
            self.arguments.keys().partition(|index| {
                let sizes = self.arguments[*index].variable.shape().unwrap_or_default();
                sizes.iter().any(|size| self.reads_arrays(size))
            });
        let checks = |all: Vec<VariableId>| {
            let shapes = all.clone().into_iter().flat_map(|index| self.check_shape(index));
            let values = all.into_iter().filter_map(|variable| {
                let rule = self.arguments[variable].values.clone()?;
                Some(Step::CheckValues { variable, rule })
            });
            shapes.chain(values)
        };
        checks(known).chain(checks(sized))
    }

    /// Compares every dimension of an array of the caller with the prototype, except those from
    /// which a dimension was inferred.
    fn check_shape(&self, variable: VariableId) -> Vec<Step> {
        let given = &self.arguments[variable].variable;
        let shape = given.shape().filter(|_| given.intent.is_input()).unwrap_or_default();
        // A string has a length, and is copied to memory of the last dimension.
        let compared = shape.len() - usize::from(given.crossing.is_string() && !shape.is_empty());
        let shape = &shape[..compared];
        let determines = |place: Place| {
            self.arguments.iter().any(|other| match &other.role {
                Role::Found(places) => self.telling(places) == [place],
                _ => false,
            })
        };
        shape
            .iter()
            .enumerate()
            .filter(|(axis, _)| !determines(Place { array: variable, axis: *axis }))
            .filter(|(_, expected)| !given.is_open(expected))
            .map(|(axis, expected)| Step::CheckDimension {
                variable,
                axis,
                expected: without_parentheses(expected),
            })
            .collect()
    }

    /// The step that allocates an array; `None` for everything else.
    pub(crate) fn make(&self, variable: VariableId) -> Option<Step> {
        let resolved = &self.arguments[variable];
        if resolved.role != Role::Made || !self.is_array(variable) {
            return None;
        }
        let is_result = resolved.variable.intent == Intent::Out;
        Some(Step::MakeArray {
            variable,
            buffer: is_result.then(|| self.buffer(variable)).flatten(),
            memory: if is_result { Memory::Result } else { Memory::Scratch },
        })
    }

    /// The step that sets this array to the lengths of the rows of a jagged array or of strings, or to the dimensions of
    /// an array of any rank, if it has them.
    fn find_lengths(&self, variable: VariableId) -> Option<Step> {
        let is_of_any = |any: &AnyArray| any.dims == Some(variable);
        let has_shape =
            |one: &Variable| one.intent.is_input() && one.any_array().is_some_and(is_of_any);
        let has_lengths = |one: &Variable| one.crossing.properties().lengths == Some(variable);
        let with = |test: &dyn Fn(&Variable) -> bool| -> Vec<VariableId> {
            let found = self.arguments.iter_enumerated().filter(|(_, one)| test(&one.variable));
            found.map(|(index, _)| index).collect()
        };
        if let Some(&array) = with(&has_shape).first() {
            return Some(Step::FindShape { variable, array });
        }
        let rows = with(&has_lengths);
        (!rows.is_empty()).then_some(Step::FindLengths { variable, rows })
    }

    /// The step after which C can receive pointers to the rows of an array, if it does.
    fn point_to_rows(&self, variable: VariableId) -> Option<Step> {
        self.arguments[variable].variable.rows().map(|_| Step::PointToRows { variable })
    }

    pub(crate) fn fill(&self, variable: VariableId) -> Option<Step> {
        let resolved = &self.arguments[variable];
        let made = resolved.role == Role::Made && self.is_array(variable);
        let value = resolved.variable.default.clone().filter(|_| made)?;
        Some(Step::FillArray { variable, value })
    }

    pub(crate) fn write_back(&self, variable: VariableId) -> Option<Step> {
        let one = &self.arguments[variable].variable;
        let is_changed = one.crossing.properties().written_back.contains(&one.intent);
        is_changed.then_some(Step::WriteBack { variable })
    }
}

fn without_parentheses(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => without_parentheses(inner),
        _ => expr.clone(),
    }
}
