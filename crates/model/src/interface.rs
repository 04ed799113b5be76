//! An interface: a module, its functions, their overloads and arguments.

use crate::{
    CType, Callback, CallbackType, Constant, Elements, Enum, Expr, Handed, Handle, Language,
    PerArgument, Returned, Safety, Source, Span, Spanned, Status, Struct,
};

/// Everything a reader found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The text it was read from.
    pub source: Source,
    /// What is built, and from what.
    pub module: Module,
    /// What the author says the types of the headers are; the compiler confirms each.
    pub types: Vec<CType>,
    /// What statuses mean where a function does not say it.
    pub status: Status,
    /// Exceptions of C++ and what they become in the host, as they are tried.
    pub exceptions: Vec<(Spanned<String>, Spanned<String>)>,
    /// Values that headers define, in the order they were written.
    pub constants: Vec<Constant>,
    /// Names that sizes use and headers are known to define, in order. The host has no attributes for them.
    pub header_constants: Vec<String>,
    /// Types of a few integers, in the order they were written.
    pub enums: Vec<Enum>,
    /// Structs, in the order they were written: those within others before these.
    pub structs: Vec<Struct>,
    /// The classes of objects, in the order they were written.
    pub handles: Vec<Handle>,
    /// The types of callbacks, in the order they were written.
    pub callbacks: Vec<CallbackType>,
    /// The functions, in the order they were written.
    pub functions: Vec<Function>,
}

/// The `[module]` table. Paths are as written, relative to the interface file's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The module's name in the host; dots make it a package's member (`pkg.stats`).
    pub name: Option<Spanned<String>>,
    /// Its documentation.
    pub doc: String,
    /// The language of the headers, and so of what is generated.
    pub language: Language,
    /// Its standard, as after `-std=`.
    pub standard: Option<Spanned<String>>,
    /// Headers to include: a path that exists beside the interface, else as the compiler finds it.
    pub headers: Vec<Spanned<String>>,
    /// C, C++ or Fortran sources to compile into the module.
    pub sources: Vec<Spanned<String>>,
    /// Folders for `-I`.
    pub include_dirs: Vec<Spanned<String>>,
    /// Libraries to link: a name for `-l`, or a path.
    pub libraries: Vec<Spanned<String>>,
    /// Folders for `-L`, also put in the module's run path.
    pub library_dirs: Vec<Spanned<String>>,
    /// Flags for every compilation.
    pub cflags: Vec<Spanned<String>>,
    /// Macros: name and value (`NAME=VALUE` or `NAME`).
    pub defines: Vec<Spanned<String>>,
    /// What keeps C functions from running twice at once, where neither function nor handle says it.
    pub safety: Option<Safety>,
    /// C that stands behind the includes, as it was written.
    pub header_code: Option<Spanned<String>>,
}

/// A function of the host module: one or more overloads.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in the host.
    pub name: Spanned<String>,
    /// The handle that it is a method of, and nothing else: `[function.Rng.uniform]`.
    pub class: Option<String>,
    /// Its documentation.
    pub doc: String,
    /// What arguments mean, by their names; C's result is called `result`.
    pub descriptions: Vec<(String, String)>,
    /// In the order they were written; at least one.
    pub overloads: Vec<Overload>,
    /// The outputs to return, in this order; the C result is called `result`. `None`: all outputs
    /// in argument order, the C result last.
    pub returns: Option<Vec<Spanned<String>>>,
    /// What its statuses mean: what the module says, but for the keys that the function has itself.
    pub status: Status,
    /// What happens to the host's global lock around the C call.
    pub gil: Gil,
    /// How a call maps over dimensions beyond those of the prototypes.
    pub ellipses: Ellipses,
    /// What keeps its C functions from running twice at once; `None`: what their handles, the module or
    /// the defaults say.
    pub safety: Option<Safety>,
    /// The most threads that share the items of one call.
    pub threads: Threads,
    /// Where the memory of arrays is.
    pub device: Device,
    /// What C is asked after the inputs are read and before memory is made. It may set hidden arguments.
    pub query: Option<Expr>,
    /// C that stands before every call, where it sees the arguments by their names.
    pub pre_call: Option<Spanned<String>>,
    /// C that stands behind every call, where it sees `result` too.
    pub post_call: Option<Spanned<String>>,
}

impl Function {
    /// A function of this name with all defaults, and no overloads yet.
    pub fn named(name: Spanned<String>) -> Self {
        Function {
            name,
            class: None,
            doc: String::new(),
            descriptions: Vec::new(),
            overloads: Vec::new(),
            returns: None,
            status: Status::default(),
            gil: Gil::default(),
            ellipses: Ellipses::default(),
            safety: None,
            threads: Threads::default(),
            device: Device::default(),
            query: None,
            pre_call: None,
            post_call: None,
        }
    }
}

/// How a call maps over dimensions beyond those of the prototypes, as xndtools calls it. Whatever is
/// set, a call whose arguments have no further dimensions is a plain call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ellipses {
    /// `...`: leading dimensions, by NumPy's broadcasting rules.
    pub broadcast: bool,
    /// `var...`: leading dimensions of ragged arrays.
    pub ragged: bool,
}

impl Ellipses {
    /// A call may stand for many items.
    pub fn maps(self) -> bool {
        self.broadcast || self.ragged
    }
}

/// The most threads that share the items of one mapped call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// So many, at least 1. One is the default: nobody has said that the C function may run twice at
    /// once.
    AtMost(u32),
    /// As many as the process may use.
    All,
}

impl Default for Threads {
    fn default() -> Self {
        Threads::AtMost(1)
    }
}

/// Where the memory of a function's arrays is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// In memory that the CPU reads.
    #[default]
    Cpu,
    /// On a CUDA device.
    Cuda,
}

impl Device {
    /// As the interface language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
        }
    }
}

/// A memory layout of a call's tensors, and with it a kind of overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// All arrays are C-contiguous; vectors count as that.
    C,
    /// All arrays are F-contiguous.
    Fortran,
    /// Anything else.
    Strided,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::C, Kind::Fortran, Kind::Strided];

    /// As the interface language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::C => "C",
            Kind::Fortran => "Fortran",
            Kind::Strided => "Strided",
        }
    }
}

/// When the host's global lock is let go around the C call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gil {
    /// When the arrays are large enough for letting go to pay.
    #[default]
    Auto,
    /// Never.
    Hold,
    /// Always.
    Release,
}

/// One annotated C prototype.
#[derive(Clone, Debug, PartialEq)]
pub struct Overload {
    /// The prototype's text, as written.
    pub text: String,
    /// Where it was written, the whole of it.
    pub span: Span,
    /// The C function's name.
    pub c_name: Spanned<String>,
    /// What the C function returns.
    pub result: CResult,
    /// Its arguments, in C's order.
    pub arguments: PerArgument<Argument>,
    /// The layouts that it is for; `None`: whatever suits the layouts that C expects.
    pub kinds: Option<Vec<Kind>>,
    /// What its name is in the headers.
    pub callee: Callee,
}

/// What the name of a C function is in the headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Callee {
    /// A function, whose type is that of the prototype.
    #[default]
    Function,
    /// A macro that takes arguments.
    Macro,
    /// One or the other, as in configurations of xndtools, where input pointers may also lack a `const`
    /// that the header has.
    Either,
}

impl Overload {
    /// True where a C function in the expression looks at what is in an array: an array has no other value.
    pub fn looks_at_arrays(&self, expr: &Expr) -> bool {
        let mut looks = false;
        expr.walk(&mut |part| {
            if let Some(name) = part.as_name() {
                looks |= self.arguments.iter().any(|one| one.name.value == name && one.is_array());
            }
        });
        looks
    }

    /// Says that this prototype is for one kind; in the `Fortran` kind, every tensor is F-contiguous
    /// for C.
    pub fn set_kind(&mut self, kind: Kind) {
        self.kinds = Some(vec![kind]);
        for argument in &mut self.arguments {
            if let (Passing::Array { shape, fortran, .. }, Kind::Fortran) =
                (&mut argument.passing, kind)
            {
                *fortran |= shape.len() > 1;
            }
        }
    }
}

/// What a C function returns.
#[derive(Clone, Debug, PartialEq)]
pub enum CResult {
    /// Nothing.
    Void,
    /// A value: an output of the host function, but for one that is opaque.
    Value(CType),
    /// An integer that says whether the call succeeded: as the function's [`Status`] has it, else by 0.
    Status(CType),
    /// A pointer to memory: its content, or the memory itself, is an output of the host function.
    Pointer(Box<Returned>),
}

impl CResult {
    /// The type of the value, or of what is pointed to.
    pub fn ctype(&self) -> Option<&CType> {
        match self {
            CResult::Void => None,
            CResult::Value(ctype) | CResult::Status(ctype) => Some(ctype),
            CResult::Pointer(returned) => Some(&returned.ctype),
        }
    }
}

/// How C receives an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Passing {
    /// By value.
    Value,
    /// One scalar behind a pointer: `double *x`.
    Pointer,
    /// An array: `double x[n][m]`, one expression a dimension.
    Array {
        /// The dimensions, outermost first.
        shape: Vec<Expr>,
        /// C expects the first dimension to vary fastest.
        fortran: bool,
        /// What the host makes of it.
        elements: Elements,
        /// `x[capacity : length]`: the first dimension as it is after the call, over what C has left in
        /// other arguments, and `result`.
        length: Option<Expr>,
    },
    /// A text: `const char *s`, up to a NUL.
    Text,
    /// The address of a pointer that C sets to memory of its own: `out own(free) char **s`.
    Handed(Handed),
    /// Texts or handles that C gives to a callback, as an array of pointers: `char *argv[n]`.
    List {
        /// How many there are.
        length: Expr,
    },
    /// A function of the host: `double (*f)(double x, void *data)`.
    Callback(Box<Callback>),
    /// What C passes through to a callback: `void *data`.
    Data,
}

impl Passing {
    /// An array of numbers.
    pub fn array(shape: Vec<Expr>, fortran: bool) -> Self {
        Passing::Array { shape, fortran, elements: Elements::Numbers, length: None }
    }
}

/// What happens to an argument's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Read.
    In,
    /// Read and written back to where it came from.
    InPlace,
    /// Read and written where it lies; never copied.
    InOut,
    /// Made by us and returned.
    Out,
    /// Not seen by the host: scratch memory, or a value that we compute.
    Hidden,
    /// Copied; the changed copy is returned.
    InAndOut,
    /// As `InPlace`, and a copy of the result is returned.
    InPlaceAndOut,
    /// As `InOut`, and a copy of the result is returned.
    InOutAndOut,
}

impl Intent {
    /// As the interface language writes it.
    pub fn name(self) -> &'static str {
        match self {
            Intent::In => "in",
            Intent::InPlace => "inplace",
            Intent::InOut => "inout",
            Intent::Out => "out",
            Intent::Hidden => "hidden",
            Intent::InAndOut => "in out",
            Intent::InPlaceAndOut => "inplace out",
            Intent::InOutAndOut => "inout out",
        }
    }

    /// The host gives a value (or may leave it to a default).
    pub fn is_input(self) -> bool {
        !matches!(self, Intent::Out | Intent::Hidden)
    }

    /// It is among the results.
    pub fn is_output(self) -> bool {
        matches!(self, Intent::Out | Intent::InAndOut | Intent::InPlaceAndOut | Intent::InOutAndOut)
    }

    /// The caller's own memory changes.
    pub fn writes_caller(self) -> bool {
        matches!(
            self,
            Intent::InPlace | Intent::InOut | Intent::InPlaceAndOut | Intent::InOutAndOut
        )
    }
}

/// One argument of a C function.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name, also the host's keyword.
    pub name: Spanned<String>,
    /// The whole declaration's place.
    pub span: Span,
    /// Type of the value, or of what is pointed to, or of an element.
    pub ctype: CType,
    /// The value, pointee or element is `const`.
    pub is_const: bool,
    /// By value, one behind a pointer, or an array.
    pub passing: Passing,
    /// What was written; `None` when the prototype has no intent here.
    pub intent: Option<Spanned<Intent>>,
    /// None becomes NULL, and leaving it out too.
    pub nullable: bool,
    /// `invalidates`, where it was written: the call ends what was borrowed from this object.
    pub invalidates: Option<Span>,
    /// After `=`: the default, the hidden value, or what each element of a made array starts as.
    pub default: Option<Expr>,
}

impl Argument {
    /// The callback that it is, if it is one.
    pub fn callback(&self) -> Option<&Callback> {
        match &self.passing {
            Passing::Callback(callback) => Some(callback),
            _ => None,
        }
    }

    /// What is behind the pointer that C sets, if it is one.
    pub fn handed(&self) -> Option<&Handed> {
        match &self.passing {
            Passing::Handed(handed) => Some(handed),
            _ => None,
        }
    }

    /// The dimensions of an array, of whatever elements.
    pub fn shape(&self) -> Option<&[Expr]> {
        match &self.passing {
            Passing::Array { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The sizes of what C passes by an address: of an array, or the length of a list.
    pub fn sizes(&self) -> Option<&[Expr]> {
        match &self.passing {
            Passing::List { length } => Some(std::slice::from_ref(length)),
            _ => self.shape(),
        }
    }

    /// The first dimension of an array after the call, if it is written.
    pub fn length(&self) -> Option<&Expr> {
        match &self.passing {
            Passing::Array { length, .. } => length.as_ref(),
            _ => None,
        }
    }

    /// It is an array, of any rank.
    pub fn is_array(&self) -> bool {
        self.shape().is_some()
    }
}
