//! The C names of C-allocated memory in a call.

use crate::agreement::returned_type;
use crate::{
    Namer, Names, c_string, c_type, declaration, dimension, enum_class, struct_class, value,
};
use fishplate_model::{FREE_STRING, Nested, NestedClass, PerArgument, Safety, declared};
use fishplate_plan::{Call, Free, Listed, OutPointer, Output, Ownership, Position};

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
            Ownership::Owned(Some(Free::Function(free))) if free == FREE_STRING => {
                format!("fp_text_length({})", self.pointer)
            }
            _ => format!("fp_string_length({})", self.pointer),
        }
    }

    /// C that frees the memory at `pointer`; `None` if the caller does not own it. `values` is C for what this needs
    /// besides the pointer.
    pub fn free_call(&self, pointer: &str, values: &[String]) -> Option<String> {
        let free = self.returned.free().filter(|_| self.returned.list().is_none())?;
        Some(self.freed(free, &format!("({}){pointer}", self.memory_type()), values))
    }

    fn freed(&self, free: &Free, pointer: &str, values: &[String]) -> String {
        self.quietly(match free {
            Free::Function(function) => format!("{function}({pointer})"),
            Free::Expression { .. } => {
                format!("{}_with({})", self.free, followed(pointer, values))
            }
        })
    }

    /// `double *`, as the function that frees the memory takes it.
    fn memory_type(&self) -> String {
        let ctype = match self.returned.ctype.nested() {
            Some(_) => "fp_node",
            None => c_type(&self.returned.ctype),
        };
        let is_list = self.returned.list().is_some() && !self.returned.ctype.is_pointer();
        declared(ctype, if is_list { "**" } else { "*" })
    }

    /// The values that freeing the memory needs.
    pub fn values(&self) -> &[Output] {
        self.returned.free().map_or(&[], Free::values)
    }

    /// Their variables.
    pub fn value_locals<P: Position>(&self, names: &Names<P>) -> Vec<String> {
        self.values().iter().map(|value| names.code(*value).to_owned()).collect()
    }

    /// The declarations of variables for them.
    pub fn value_declarations<P: Position>(&self, names: &Names<P>) -> Vec<String> {
        let ctype = |value: &Output| match value {
            Output::Argument(index) => Some(&names.call.variables[*index].ctype),
            Output::Result => names.call.result.ctype(),
        };
        let values = self.values().iter();
        values.filter_map(|value| Some(declaration(ctype(value)?, names.code(*value)))).collect()
    }

    /// The function that frees the memory by an expression.
    pub fn define_free<P: Position>(&self, names: &Names<P>) -> String {
        let Some(Free::Expression { code, pointer, .. }) = self.returned.free() else {
            return String::new();
        };
        let local = self.name.as_ref().map_or(pointer, |_| &self.pointer);
        let pointer = format!("{}{local}", self.memory_type());
        format!(
            "\nstatic void\n{}_with({})\n{{\n    (void)({});\n}}\n",
            self.free,
            followed(&pointer, &self.value_declarations(names)),
            value(code, names)
        )
    }

    /// C that calls a function which frees memory; exceptions that it throws are dropped.
    fn quietly(&self, free: String) -> String {
        if self.throws { format!("fp_release_quietly([&] {{ {free}; }})") } else { free }
    }

    /// The caller frees it, or parts of it.
    pub fn is_freed(&self) -> bool {
        match self.returned.list() {
            Some(list) => list.free.is_some() || self.returned.is_owned(),
            None => self.returned.free().is_some(),
        }
    }

    /// C that frees an array of pointers, and the first `count` pointees if the caller owns them.
    pub fn free_list_call(&self, pointer: &str, count: &str, values: &[String]) -> String {
        let arguments = followed(&format!("(void *){pointer}, {count}"), values);
        format!("{}_list({arguments})", self.free)
    }

    /// The number of pointers in an array of them, after the call.
    pub fn list_length<P: Position>(&self, names: &Names<P>) -> String {
        match self.returned.shape() {
            Some([length]) => dimension(length, names),
            _ => format!("fp_count_pointers((const void *){})", self.pointer),
        }
    }

    /// The function of [`free_list_call`](Self::free_list_call); `class` names one of objects.
    pub fn define_list_release<P: Position>(
        &self,
        names: &Names<P>,
        class: fn(&str) -> String,
    ) -> String {
        let Some(list) = self.returned.list().filter(|_| self.is_freed()) else {
            return String::new();
        };
        let ctype = c_type(&self.returned.ctype);
        let each = match (&list.of, &self.returned.owner) {
            (Listed::Strings, Ownership::Owned(Some(function))) => {
                let free = self.freed(function, "fp_all[fp_count - 1]", &[]);
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
            Some(free) => {
                format!("    {};\n", self.freed(free, "fp_all", &self.value_locals(names)))
            }
            None => String::new(),
        };
        let space = if ctype.ends_with('*') { "" } else { " *" };
        let parameters =
            followed("void *fp_memory, ptrdiff_t fp_count", &self.value_declarations(names));
        format!(
            "\nstatic void\n{}_list({parameters})\n{{\n    {ctype}{space}*fp_all = ({ctype}{space}*)fp_memory;\n\
             {each}{free}}}\n",
            self.free
        )
    }

    /// The host keeps the memory itself, and frees it later.
    pub fn is_kept(&self) -> bool {
        !self.returned.is_copied() && self.returned.list().is_none() && self.is_freed()
    }

    /// The number of dimensions; 0 for a text.
    pub fn rank(&self) -> usize {
        self.returned.shape().map_or(0, <[_]>::len)
    }
}

/// `pointer, n, pool`
fn followed(first: &str, others: &[String]) -> String {
    std::iter::once(first).chain(others.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
}
