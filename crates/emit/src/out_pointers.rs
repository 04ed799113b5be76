//! The C names of C-allocated memory in a call.

use crate::agreement::returned_type;
use crate::{Namer, Names, c_string, c_type, dimension, enum_class, struct_class};
use fishplate_model::{FREE_STRING, Nested, NestedClass, PerArgument, Safety};
use fishplate_plan::{Call, Listed, OutPointer, Output, Ownership, Position};

/// One pointer that C returns, with its variables.
#[derive(Clone, Debug)]
pub struct OutPointerNames {
    /// The argument that C sets, or its result.
    pub output: Output,
    /// The description of the returned pointer.
    pub returned: OutPointer,
    /// The name of the argument; none for the result.
    pub name: Option<String>,
    /// The variable that C's pointer is in.
    pub pointer: String,
    /// The variable of the value that the host creates from it.
    pub object: String,
    /// Its `fp_param`.
    pub param: String,
    /// The generated C function that releases the memory, if the caller owns it.
    pub free: String,
    /// It is freed under the lock of its module.
    pub locks_module: bool,
    /// The memory is freed by C++, which may throw.
    throws: bool,
}

/// The variable that C's result is in.
pub(crate) const RESULT: &str = "fp_c_result";

/// The `fp_nested_type` of a nested value, after that of its classes; `class` names one of a handle. Empty for other
/// pointers.
pub fn define_nested_type(one: &OutPointerNames, class: fn(&str) -> String) -> String {
    let Some(nested) = one.returned.ctype.nested() else { return String::new() };
    let (table, described) = nested_type(nested, &one.param, class);
    format!("{table}static const fp_nested_type {}_type = {described};\n", one.param)
}

/// The initializer of the type of a nested value, and before that the table of its classes, with this prefix.
pub fn nested_type(nested: &Nested, prefix: &str, class: fn(&str) -> String) -> (String, String) {
    let (signature, classes) = nested.numbered();
    let signature = c_string(&signature);
    let address = |one: &NestedClass| match one {
        NestedClass::Object(name) => format!("&{}", class(name)),
        NestedClass::Enum(name) => format!("&{}", enum_class(name)),
        NestedClass::Struct(name) => format!("&{}", struct_class(name)),
    };
    let all: Vec<String> = classes.iter().map(address).collect();
    if all.is_empty() {
        return (String::new(), format!("{{{signature}, NULL}}"));
    }
    let all = all.join(", ");
    let table = format!("static const void *const {prefix}_classes[] = {{{all}}};\n");
    (table, format!("{{{signature}, {prefix}_classes}}"))
}

impl OutPointerNames {
    /// Those of a call, in C's order. `locals` and `params` are those of its arguments.
    pub(crate) fn all<P: Position>(
        call: &Call<P>,
        prefix: &str,
        locals: &PerArgument<String>,
        params: &PerArgument<String>,
        file: &mut Namer,
    ) -> Vec<Self> {
        let arguments = call.variables.keys().map(Output::Argument);
        let outputs = arguments.chain([Output::Result]);
        let locks_module = call.safety == Safety::ModuleLock;
        outputs
            .filter_map(|output| {
                let (name, returned) = call.out_pointer(output)?;
                // An object is not memory that anybody looks into.
                if returned.class().is_some() {
                    return None;
                }
                let free = file.unique(format!("{prefix}_free_{name}"));
                Some(match output {
                    Output::Argument(index) => OutPointerNames {
                        output,
                        returned: returned.clone(),
                        name: Some(name.to_owned()),
                        pointer: locals[index].clone(),
                        object: format!("{}out_pointer", locals[index]),
                        param: params[index].clone(),
                        free,
                        locks_module,
                        throws: call.throws,
                    },
                    Output::Result => OutPointerNames {
                        output,
                        returned: returned.clone(),
                        name: None,
                        pointer: RESULT.to_owned(),
                        object: "fp_result_object".to_owned(),
                        param: file.unique(format!("{prefix}_result")),
                        free,
                        locks_module,
                        throws: call.throws,
                    },
                })
            })
            .collect()
    }

    /// `const double *`
    pub fn pointer_type(&self) -> String {
        returned_type(&self.returned)
    }

    /// The length of the string, from which the host makes its own.
    pub fn length(&self) -> String {
        match &self.returned.owner {
            Ownership::Owned(Some(free)) if free == FREE_STRING => {
                format!("fp_text_length({})", self.pointer)
            }
            _ => format!("fp_string_length({})", self.pointer),
        }
    }

    /// C that gives the memory of `pointer` back; `None` where it is not the caller's.
    pub fn free_call(&self, pointer: &str) -> Option<String> {
        match &self.returned.owner {
            Ownership::Owned(Some(function)) if self.returned.list().is_none() => {
                let ctype = match self.returned.ctype.nested() {
                    Some(_) => "fp_node *".to_owned(),
                    None => format!("{} *", c_type(&self.returned.ctype)),
                };
                Some(self.quietly(format!("{function}(({ctype}){pointer})")))
            }
            _ => None,
        }
    }

    /// C that calls a function which frees memory; exceptions that it throws are dropped.
    fn quietly(&self, free: String) -> String {
        if self.throws { format!("fp_release_quietly([&] {{ {free}; }})") } else { free }
    }

    /// The caller frees it, or parts of it.
    pub fn is_freed(&self) -> bool {
        match self.returned.list() {
            Some(list) => list.free.is_some() || self.returned.is_owned(),
            None => self.free_call("").is_some(),
        }
    }

    /// C that frees an array of pointers, and the first `count` pointees if the caller owns them.
    pub fn free_list_call(&self, pointer: &str, count: &str) -> String {
        format!("{}_list((void *){pointer}, {count})", self.free)
    }

    /// The number of pointers in an array of them, after the call.
    pub fn list_length<P: Position>(&self, names: &Names<P>) -> String {
        match self.returned.shape() {
            Some([length]) => dimension(length, names),
            _ => format!("fp_count_pointers((const void *){})", self.pointer),
        }
    }

    /// The function of [`free_list_call`](Self::free_list_call); `class` names one of objects.
    pub fn define_list_release(&self, class: fn(&str) -> String) -> String {
        let Some(list) = self.returned.list().filter(|_| self.is_freed()) else {
            return String::new();
        };
        let ctype = c_type(&self.returned.ctype);
        let each = match (&list.of, &self.returned.owner) {
            (Listed::Strings, Ownership::Owned(Some(function))) => {
                let free = self.quietly(format!("{function}(fp_all[fp_count - 1])"));
                Some(format!(
                    "if (fp_all[fp_count - 1] != NULL) {{\n            {free};\n        }}"
                ))
            }
            (Listed::Objects(of), Ownership::Owned(_)) => Some(format!(
                "fp_destroy_object(&{}, (void *)fp_all[fp_count - 1]);",
                class(&of.name)
            )),
            _ => None,
        };
        let each = match each {
            Some(each) => {
                format!("    for (; fp_count > 0; fp_count--) {{\n        {each}\n    }}\n")
            }
            None => "    (void)fp_count;\n".to_owned(),
        };
        let free = match &list.free {
            Some(free) => format!("    {};\n", self.quietly(format!("{free}(fp_all)"))),
            None => String::new(),
        };
        let space = if ctype.ends_with('*') { "" } else { " *" };
        format!(
            "\nstatic void\n{}_list(void *fp_memory, ptrdiff_t fp_count)\n{{\n    {ctype}{space}*fp_all = \
             ({ctype}{space}*)fp_memory;\n{each}{free}}}\n",
            self.free
        )
    }

    /// The host keeps the memory itself, and frees it later.
    pub fn is_kept(&self) -> bool {
        !self.returned.is_copied() && self.free_call("").is_some()
    }

    /// The number of dimensions; 0 for a text.
    pub fn rank(&self) -> usize {
        self.returned.shape().map_or(0, <[_]>::len)
    }
}
