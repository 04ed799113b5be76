//! A function of built-in ops as one node.
//!
//! Each connected set of nodes that Fishplate links by itself is one native function. The linked
//! function calls it as Python would, with objects and without Python in between.

use crate::error::Error;
use crate::fragment_op::{FragmentOp, Site};
use crate::fragment_type::Text;
use crate::needs::Version;
use crate::types::{DType, type_number};

/// A call of the object that is the first input, with the other inputs; its result is a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// A description, for comments.
    pub name: String,
    /// Each input after the first: the type of a number, or `None` for an array.
    pub inputs: Vec<Option<DType>>,
    /// The same of each output.
    pub outputs: Vec<Option<DType>>,
}

impl FragmentOp for Call {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn code(&self, site: Site<'_>) -> Text {
        let Some((function, inputs)) = site.inputs.split_first() else {
            return Err("the first input must be the function to call".into());
        };
        Ok(Some(format!(
            "const fp_operand given[] = {};\nconst fp_operand made[] = {};\n\
             if (!fp_compute({function}, given, {}, made, {})) {{\n    {}\n}}",
            operands(&self.inputs, inputs),
            operands(&self.outputs, site.outputs),
            inputs.len(),
            site.outputs.len(),
            site.sub.fail(),
        )))
    }

    /// The function checks its inputs itself.
    fn check_input(&self) -> bool {
        false
    }

    /// Outputs are new, so that those of an earlier call are not needed.
    fn aliases(&self) -> bool {
        true
    }

    fn explains_itself(&self) -> bool {
        true
    }

    fn version(&self) -> Result<Version, Error> {
        Ok(Version::Parts(vec!["1".to_owned()]))
    }
}

/// C has no arrays of no items.
fn operands(kinds: &[Option<DType>], names: &[String]) -> String {
    let item = |(kind, name): (&Option<DType>, &String)| match kind {
        Some(dtype) => format!("{{{}, &{name}}}", type_number(*dtype)),
        None => format!("{{FP_ARRAY, &{name}}}"),
    };
    let items: Vec<String> = kinds.iter().zip(names).map(item).collect();
    if items.is_empty() { "{{0, NULL}}".to_owned() } else { format!("{{{}}}", items.join(", ")) }
}
