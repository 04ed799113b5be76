//! C++ functions whose types C does not have.
//!
//! Purpose: describe a C++ function that a generated C function calls: the *adapter*, whose arguments are those of
//! the overload.
//! Invariant: the C arguments of each C++ parameter are consecutive, in the order of the parameters; those of the
//! result follow.
//! Reason: plans, hosts, batches and graphs then handle a `std::vector` as they handle an array and its length.

use crate::Operator;

/// A C++ function, and how the arguments of an overload become its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Adapter {
    /// How the function is called.
    pub form: CallForm,
    /// A friend of a class, which only its arguments find.
    pub is_friend: bool,
    /// Its parameters; that of a method is the object.
    pub parameters: Vec<Converted>,
    /// Its result, as the header spells the type: `const std::string &`.
    pub result: String,
    /// The values of the result; several for a `std::pair`.
    pub values: Vec<ReturnedValue>,
    /// Arguments that only return a length, and are no results in the target language.
    pub lengths: Vec<String>,
    /// The classes of objects in containers.
    pub objects: Vec<ContainedClass>,
}

/// A class of C++ whose objects are in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainedClass {
    /// The class, as the prototype spells it.
    pub name: String,
    /// A `std::shared_ptr` counts the references to its objects.
    pub is_counted: bool,
    /// The container has the objects themselves, not pointers to them.
    pub is_value: bool,
}

/// The function of the runtime that frees a string of C++, whose length is in front of it.
pub const FREE_STRING: &str = "fp_free_text";

/// The object of C++ that writes to a string, of which the text is a result.
pub const OUTPUT_STREAM: &str = "std::ostringstream";

/// The object of C++ that reads a string.
pub const INPUT_STREAM: &str = "std::istringstream";

/// How a C++ function is called.
#[derive(Clone, Debug, PartialEq)]
pub enum CallForm {
    /// By its name: also a static member function.
    Function,
    /// As a method of its first parameter, of this class.
    Method {
        /// The class, as the header spells it.
        class: String,
        /// The qualifiers after the parameters: `const`, `const &`, `noexcept`.
        qualifiers: String,
        /// The last parameter is assigned to what it returns: `object[k] = value`.
        is_assigned: bool,
        /// The target language may override it.
        is_virtual: bool,
        /// The object may have overrides, and a `std::shared_ptr` counts the references to it.
        is_shared: bool,
    },
    /// As a constructor of this class.
    Constructor {
        /// The class, as the header spells it.
        class: String,
        /// A `std::shared_ptr` counts the references to the object.
        is_counted: bool,
        /// The virtual methods that callbacks may override: each is an argument, followed by its user data.
        overrides: Vec<Override>,
    },
    /// As a field of its first parameter, which its second one sets.
    Field {
        /// The class, as the header spells it.
        class: String,
        /// The field.
        name: String,
        /// Its type, as the header spells it, without `const`: `double [3]`.
        spelling: String,
        /// The value is the address of the field.
        is_address: bool,
    },
}

impl Adapter {
    /// A parameter is a stream.
    pub fn has_streams(&self) -> bool {
        self.parameters.iter().any(|one| match &one.conversion {
            Conversion::Built { ctype, .. } => {
                [OUTPUT_STREAM, INPUT_STREAM].contains(&ctype.as_str())
            }
            _ => false,
        })
    }

    /// `operator<<` of a stream, which need not be visible by its name: it may be a friend of its class.
    pub fn is_insertion(&self, name: &str) -> bool {
        let first = self.parameters.first().map(|one| &one.conversion);
        let writes =
            matches!(first, Some(Conversion::Built { ctype, .. }) if ctype == OUTPUT_STREAM);
        writes
            && self.form == CallForm::Function
            && Operator::of_cpp(name).is_some_and(|one| one.name == "<<")
    }

    /// It assigns to the result of a function that has the same prototype.
    pub fn is_assignment(&self) -> bool {
        matches!(self.form, CallForm::Method { is_assigned: true, .. })
    }
}

/// A virtual method that a callback may override.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Its name in the target language.
    pub method: String,
    /// Its name with that of the class which declares it: `lib::Shape::area`.
    pub declared: String,
    /// Its name in C++.
    pub name: String,
    /// Its result, as the header spells the type.
    pub result: String,
    /// The type of C++ that is built of the nested value to which the callback sets its last argument before the user
    /// data, if the result is such a value.
    pub built: Option<String>,
    /// C++ refers to the value that is built, which the object keeps.
    pub is_kept: bool,
    /// It does not change the object.
    pub is_const: bool,
    /// The class has no implementation of it.
    pub is_pure: bool,
    /// Its parameters.
    pub parameters: Vec<OverrideParameter>,
    /// The classes of objects in nested values.
    pub objects: Vec<ContainedClass>,
}

/// A parameter of a virtual method, as arguments of a callback.
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideParameter {
    /// Its type, as the header spells it.
    pub spelling: String,
    /// The same without `const` and the reference.
    pub value: String,
    /// The arguments.
    pub form: ParameterForm,
}

/// How a value of C++ is passed to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterForm {
    /// As it is.
    Value,
    /// By its address.
    Address,
    /// By the tree of a nested value.
    Nested,
    /// Likewise; it is then set to what the callback returns.
    NestedReference,
    /// By the address of its elements, followed by their number.
    Elements,
}

/// A parameter of a C++ function.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// Its type, as the header spells it: `const std::vector<double> &`; of a pointer, the address of what is built is
    /// passed. `None`: that of its only argument.
    pub spelling: Option<String>,
    /// The number of arguments that it becomes.
    pub count: usize,
    /// How they become the parameter.
    pub conversion: Conversion,
}

/// How arguments become a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Conversion {
    /// The argument is the parameter.
    Value,
    /// The argument is the address of the parameter.
    Pointee,
    /// The argument is the address of the parameter, or NULL for this default.
    Defaulted {
        /// The C++ object, as an expression: `lib::Options()`.
        value: String,
        /// C++ receives the object itself, not a copy.
        is_reference: bool,
    },
    /// A C++ object is built of the first argument, a nested value, if `is_input`; the last argument is set from it
    /// after the call, if `is_output`.
    Nested {
        /// The type of the object: `std::map<std::string, int>`.
        ctype: String,
        /// It is built of an argument.
        is_input: bool,
        /// It sets an argument.
        is_output: bool,
    },
    /// A C++ object is built of arguments, and arguments are set from it after the call.
    Built {
        /// The type of the object: `std::vector<double>`.
        ctype: String,
        /// It is built of so many arguments; the others are set.
        inputs: usize,
    },
}

/// A value that a C++ function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnedValue {
    /// As C returns it: a number, a pointer.
    Plain,
    /// A reference to an object, whose address is returned.
    Reference,
    /// An object by value, which is moved to the heap.
    Object,
    /// An object by value, or a pointer that owns one, of a class whose references are counted.
    Counted,
    /// A nested value, of which the address of the first node is returned.
    Nested,
    /// A value that is converted, and so many further arguments that are set: a length.
    Converted(usize),
}
