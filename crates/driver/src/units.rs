//! The modules that are compiled as several units.
//!
//! Purpose: a large module is compiled on all cores, and again in a moment after a change of one function.
//! Invariant: a module behaves as if it was one unit.
//! Reason: in a small one, each further unit reads the headers again, and nothing is gained.

use crate::with_annotations;
use fishplate_emit::{Emitted, Host};
use fishplate_model::Language;
use fishplate_plan::Plan;
use fishplate_toolchain::{Request, SourceLanguage, Toolchain};

/// The number of calls from which on a module is divided.
const MANY: usize = 64;

/// The number of functions in a unit, for which a compiler takes two to three times as long as for the headers.
const USUAL: usize = 24;

/// The files of a large module, with several units.
pub(crate) fn emit(plan: &Plan, host: &dyn Host) -> Option<Emitted> {
    let calls: usize = plan.all_functions().map(|function| function.calls.len()).sum();
    if calls < MANY || may_define_state(plan) {
        return None;
    }
    host.emit_units(plan, USUAL).map(|emitted| with_annotations(plan, emitted))
}

/// Adds the flags for the units of a large module.
pub(crate) fn add_flags(plan: &Plan, request: &mut Request, toolchain: &Toolchain) {
    let language = match plan.module.language {
        Language::C => SourceLanguage::C,
        Language::Cxx => SourceLanguage::Cxx,
    };
    if let Ok(compiler) = toolchain.compiler(language) {
        let flags = compiler.family.call_flags().iter().copied();
        request.generated.flags.extend(flags.map(str::to_owned));
    }
}

/// Whether the headers of an interface may define functions and variables, of which each unit would have its own: C code of
/// the interface does, and so do headers without a library.
fn may_define_state(plan: &Plan) -> bool {
    let module = &plan.module;
    module.header_code.is_some()
        || (module.sources.is_empty() && module.libraries.is_empty() && module.cflags.is_empty())
}
