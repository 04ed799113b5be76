//! The includes of a generated file.

use crate::{CFile, Section, stored};
use fishplate_model::{Destructor, Language};
use fishplate_plan::{HandlePlan, Plan};
use std::fmt::Write as _;

/// Includes the runtime and the author's headers, followed by the author's C code.
pub fn include(runtime: &str, plan: &Plan, file: &mut CFile) {
    let calls = plan.all_functions().flat_map(|function| &function.calls);
    let adapters: Vec<_> = calls.filter_map(|call| call.adapter.as_ref()).collect();
    if plan.module.language == Language::Cxx && !adapters.is_empty() {
        file.add(Section::Includes, "#define FP_ADAPTERS /* types of C++ */".to_owned());
    }
    if adapters.iter().any(|one| one.has_streams()) {
        file.add(Section::Includes, "#define FP_STREAMS /* std::ostream */".to_owned());
    }
    if plan
        .handles
        .iter()
        .any(|handle| handle.destructor.as_ref().is_some_and(Destructor::ends_reference))
    {
        file.add(Section::Includes, "#define FP_COUNTED_OBJECTS /* std::shared_ptr */".to_owned());
    }
    if plan.handles.iter().any(HandlePlan::is_derivable) {
        file.add(Section::Includes, "#define FP_OVERRIDES /* virtual methods */".to_owned());
    }
    file.add(Section::Includes, format!("#include \"{runtime}\"\n"));
    headers(plan, file);
    header_code(plan, file);
    stored::declare(plan, file);
}

fn headers(plan: &Plan, file: &mut CFile) {
    if plan.module.headers.is_empty() {
        return;
    }
    // C++ headers declare C linkage themselves.
    let is_c = plan.module.language == Language::C;
    let mut text = String::from(if is_c { "FP_BEGIN_C\n" } else { "" });
    for header in &plan.module.headers {
        let header = header.value.trim();
        if header.starts_with('<') {
            let _ = writeln!(text, "#include {header}");
        } else {
            let _ = writeln!(text, "#include \"{header}\"");
        }
    }
    text.push_str(if is_c { "FP_END_C" } else { "" });
    file.add(Section::Includes, text);
}

/// The author's C code after the includes.
fn header_code(plan: &Plan, file: &mut CFile) {
    if let Some(code) = &plan.module.header_code {
        let line = plan.source.lines().line(code.span.start);
        file.add_at_line(Section::Includes, &source_name(plan), line, code.value.trim_end());
    }
}

/// The interface's file name.
pub fn source_name(plan: &Plan) -> String {
    let name = plan.source.path.file_name();
    name.map_or("interface".into(), |name| name.to_string_lossy().into_owned())
}
