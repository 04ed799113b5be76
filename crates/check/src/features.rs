//! Features of interfaces that a target language may lack.
//!
//! Purpose: a host declares what it supports, and an interface that uses more is refused here.
//! Invariant: numbers and arrays of numbers need no feature: every host has them.
//! Reason: a first host is useful before it prints every kind of value, and never receives one that
//! it lacks.

use crate::{Capabilities, CheckedFunction, CheckedOverload, Returns, Role};
use fishplate_model::{Code, Diagnostic, Interface, Language, Safety, Span};

/// A feature of an interface beyond numbers and arrays of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Values that headers define.
    Constants,
    /// Enums.
    Enums,
    /// Structs, by value and in arrays.
    Structs,
    /// Objects that C identifies by a pointer.
    Objects,
    /// Strings.
    Strings,
    /// Arrays of bytes.
    Bytes,
    /// Arrays of strings or of objects.
    PointerArrays,
    /// Arrays whose rank or dtype is known only at the call.
    AnyArrays,
    /// Open files.
    Files,
    /// Memory that C allocates, and pointers that it returns.
    OutPointers,
    /// Callbacks.
    Callbacks,
    /// Several prototypes for one function.
    Overloads,
    /// Arguments with a default, and those that may be NULL.
    OptionalArguments,
    /// Fortran-contiguous arrays.
    FortranOrder,
    /// Arrays with any stride.
    Strides,
    /// Error conventions other than 0 for success.
    ReturnCodes,
    /// Locks of objects and of the module.
    Locks,
    /// Rules for the values of arrays.
    ValueRules,
    /// Calls that determine sizes before memory is allocated.
    Queries,
    /// Arrays of which C fills a part.
    Truncation,
    /// C code before and after a call.
    Fragments,
    /// Headers of C++.
    Cxx,
}

impl Feature {
    /// Every feature.
    pub const ALL: &[Feature] = &[
        Feature::Constants,
        Feature::Enums,
        Feature::Structs,
        Feature::Objects,
        Feature::Strings,
        Feature::Bytes,
        Feature::PointerArrays,
        Feature::AnyArrays,
        Feature::Files,
        Feature::OutPointers,
        Feature::Callbacks,
        Feature::Overloads,
        Feature::OptionalArguments,
        Feature::FortranOrder,
        Feature::Strides,
        Feature::ReturnCodes,
        Feature::Locks,
        Feature::ValueRules,
        Feature::Queries,
        Feature::Truncation,
        Feature::Fragments,
        Feature::Cxx,
    ];

    /// Its name in messages, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Constants => "constants",
            Feature::Enums => "enums",
            Feature::Structs => "structs",
            Feature::Objects => "objects",
            Feature::Strings => "strings",
            Feature::Bytes => "arrays of bytes",
            Feature::PointerArrays => "arrays of pointers",
            Feature::AnyArrays => "arrays of any rank",
            Feature::Files => "open files",
            Feature::OutPointers => "pointers that C returns",
            Feature::Callbacks => "callbacks",
            Feature::Overloads => "overloads",
            Feature::OptionalArguments => "optional arguments",
            Feature::FortranOrder => "arrays in Fortran's order",
            Feature::Strides => "strided arrays",
            Feature::ReturnCodes => "return codes with meanings",
            Feature::Locks => "locks",
            Feature::ValueRules => "rules for the values of arrays",
            Feature::Queries => "size queries",
            Feature::Truncation => "truncated outputs",
            Feature::Fragments => "C around a call",
            Feature::Cxx => "headers of C++",
        }
    }
}

/// Refuses each feature that the host lacks, once for each prototype or declaration that uses it.
pub(crate) fn check<'f>(
    interface: &Interface,
    functions: impl Iterator<Item = &'f CheckedFunction>,
    host: &Capabilities,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut refuse = |feature: Feature, span: Span, name: &str| {
        if !host.features.contains(&feature) {
            let (used, language) = (feature.name(), host.language);
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                span,
                format!("`{name}` uses {used}, which modules for {language} do not support"),
                format!("remove it from the interface for {language}"),
            ));
        }
    };
    for (feature, name) in declared(interface) {
        refuse(feature, name.span, &name.value);
    }
    for function in functions {
        if let [_, second, ..] = function.overloads.as_slice() {
            refuse(Feature::Overloads, second.span, &function.name);
        }
        for overload in &function.overloads {
            for feature in Feature::ALL {
                if uses(*feature, function, overload) {
                    refuse(*feature, overload.span, &function.name);
                }
            }
        }
    }
}

/// The declarations of an interface other than functions.
fn declared(interface: &Interface) -> Vec<(Feature, &fishplate_model::Spanned<String>)> {
    let mut found = Vec::new();
    found.extend(interface.constants.iter().map(|one| (Feature::Constants, &one.name)));
    found.extend(interface.enums.iter().map(|one| (Feature::Enums, &one.name)));
    found.extend(interface.structs.iter().map(|one| (Feature::Structs, &one.name)));
    found.extend(interface.handles.iter().map(|one| (Feature::Objects, &one.name)));
    let is_cxx = interface.module.language == Language::Cxx;
    found.extend(interface.module.name.iter().filter(|_| is_cxx).map(|one| (Feature::Cxx, one)));
    found
}

/// True if this prototype of the function uses the feature.
fn uses(feature: Feature, function: &CheckedFunction, overload: &CheckedOverload) -> bool {
    let any = |test: &dyn Fn(&crate::Resolved) -> bool| overload.arguments.iter().any(test);
    if any(&|one| one.variable.crossing.properties().feature == Some(feature)) {
        return true;
    }
    match feature {
        Feature::OutPointers => matches!(overload.result, Returns::Pointer(_)),
        Feature::OptionalArguments => {
            any(&|one| matches!(one.role, Role::Optional) || one.variable.nullable)
        }
        Feature::FortranOrder => {
            any(&|one| one.variable.array().is_some_and(|array| array.fortran))
        }
        Feature::Strides => {
            any(&|one| !one.variable.strided.is_empty() && one.variable.rows().is_none())
        }
        Feature::ReturnCodes => overload.return_code.is_some() && overload.convention.is_some(),
        Feature::Locks => matches!(overload.safety, Safety::HandleLock | Safety::ModuleLock),
        Feature::ValueRules => any(&|one| one.values.is_some()),
        Feature::Queries => function.query.is_some(),
        Feature::Truncation => any(&|one| one.length.is_some()),
        Feature::Fragments => function.pre_call.is_some() || function.post_call.is_some(),
        // The others are properties of a kind, of a declaration or of the function.
        _ => false,
    }
}
