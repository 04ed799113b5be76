//! Procedures that a shim passes to Fortran.
//!
//! Purpose: the pointer of C as a procedure of Fortran, by the abstract interface of the module.
//! Invariant: Fortran calls it during the call only.
//! Reason: a pointer of C has no interface.

use super::Shim;
use crate::f2py::text::words;
use crate::fortran::argument::{Argument, argument};
use crate::fortran::kinds::Type;
use crate::fortran::source::{Procedure, Source, Variable};

impl Shim {
    /// A procedure that Fortran calls: a pointer of C, whose interface the module has. A
    /// private one is declared again.
    pub(super) fn callback(
        &mut self,
        name: &str,
        variable: &Variable,
        procedure: &Procedure,
        source: &Source,
    ) -> Result<(), String> {
        let of = variable.interface.as_deref();
        let found = of.and_then(|of| Some((of, source.interfaces.get(of)?)));
        let (of, declared) = found.ok_or_else(|| {
            format!(
                "`{name}` is a procedure, and another argument cannot be passed by C: declare it by an abstract \
                 interface of the module"
            )
        })?;
        if self.changes_objects {
            return Err(format!(
                "`{name}` is a procedure, which an object may call after the call"
            ));
        }
        let Argument { interface, c, .. } = argument(name, procedure, source)?;
        self.interface.extend(interface);
        self.c.extend(c);
        match declared.module {
            Some(Err(_)) => self.declarations.extend(interface_of(declared)?),
            _ => self.uses.push(of.to_owned()),
        }
        self.dummies.push(name.to_owned());
        self.declarations.push(format!("type(c_funptr), value :: {name}"));
        self.declarations.push(format!("procedure({of}), pointer :: {name}_in_fortran"));
        // A pointer without a procedure is an argument that is absent.
        self.before.push(format!("{name}_in_fortran => null()"));
        self.before.push(format!(
            "if (c_associated({name})) call c_f_procpointer({name}, {name}_in_fortran)"
        ));
        self.actual.push(format!("{name}_in_fortran"));
        Ok(())
    }
}

/// The abstract interface of a procedure of numbers.
fn interface_of(procedure: &Procedure) -> Result<Vec<String>, String> {
    let (kind, name) = (procedure.kind(), &procedure.name);
    let result = procedure.result.as_ref();
    let mut lines = vec![
        "abstract interface".to_owned(),
        format!(
            "  {kind} {name}({}){}{}",
            procedure.arguments.join(", "),
            procedure.binding.as_ref().map_or("", |_| " bind(c)"),
            result
                .filter(|own| *own != name)
                .map_or_else(String::new, |own| format!(" result({own})")),
        ),
        "    import".to_owned(),
    ];
    for own in procedure.arguments.iter().chain(result) {
        let variable = procedure.variables.get(own).cloned().unwrap_or_default();
        let is_known = |word: &String| procedure.arguments.contains(word);
        let is_clear =
            variable.dimensions.iter().flat_map(|one| words(one)).all(|one| is_known(&one));
        let Some(base @ Type::Number(..)) = variable.base.as_ref().filter(|_| is_clear) else {
            return Err(format!("the interface `{name}` is private: make it public"));
        };
        let mut declared = format!("    {}", base.in_fortran());
        if let Some(intent) = &variable.intent {
            declared.push_str(&format!(", intent({intent})"));
        }
        for (is_so, word) in [(variable.is_value, ", value"), (variable.is_optional, ", optional")]
        {
            declared.push_str(if is_so { word } else { "" });
        }
        declared.push_str(&format!(" :: {own}"));
        if !variable.dimensions.is_empty() {
            declared.push_str(&format!("({})", variable.dimensions.join(", ")));
        }
        lines.push(declared);
    }
    lines.extend([format!("  end {kind}"), "end interface".to_owned()]);
    Ok(lines)
}
