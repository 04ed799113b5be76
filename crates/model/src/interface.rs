//! An interface: a module, its functions, and their overloads.

use crate::{
    Adapter, Argument, CType, CallbackType, Constant, Dtypes, Enum, Expr, Handle, Language,
    Operator, Passing, PerArgument, Returned, Safety, Source, Span, Spanned, Status, Struct,
    Unpacked, UnpackedStruct,
};
use std::path::PathBuf;

/// The result of a front end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The source that it was read from.
    pub source: Source,
    /// The other files that it was read from: those that an annotated header includes.
    pub included: Vec<PathBuf>,
    /// The module to build, and its source files.
    pub module: Module,
    /// The C types that the author specified; the compiler confirms each.
    pub types: Vec<CType>,
    /// The meaning of return codes for functions that do not specify it.
    pub status: Status,
    /// C++ exceptions and the exceptions of the target language for them, in matching order.
    pub exceptions: Vec<(Spanned<String>, Spanned<String>)>,
    /// Constants of the headers, in source order.
    pub constants: Vec<Constant>,
    /// Names in sizes that the headers are known to define, sorted. The module has no attributes
    /// for them.
    pub header_constants: Vec<String>,
    /// The codes of dtypes in C, in source order.
    pub dtypes: Vec<Dtypes>,
    /// Enums, in source order.
    pub enums: Vec<Enum>,
    /// Structs, in source order; the members of a struct come before it.
    pub structs: Vec<Struct>,
    /// Structs whose fields are arguments, in source order.
    pub unpacked: Vec<UnpackedStruct>,
    /// The classes of objects, in source order.
    pub handles: Vec<Handle>,
    /// The types for callbacks, in source order.
    pub callbacks: Vec<CallbackType>,
    /// The functions, in source order.
    pub functions: Vec<Function>,
}

/// The `[module]` table. Paths are as written, relative to the interface file's folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The module's name in the target language; a name with dots makes it a member of a package
    /// (`pkg.stats`).
    pub name: Option<Spanned<String>>,
    /// Its documentation.
    pub doc: String,
    /// The language of the headers, and therefore of the generated code.
    pub language: Language,
    /// The language standard, as after `-std=`.
    pub standard: Option<Spanned<String>>,
    /// Headers to include: a path relative to the interface if that exists, else as the compiler
    /// finds it.
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
    /// Macros to define: `NAME=VALUE` or `NAME`.
    pub defines: Vec<Spanned<String>>,
    /// The functions of the interface that are called when the module is loaded, in this order.
    pub init: Vec<Spanned<String>>,
    /// Those that are called when the program ends or closes its interpreter, in this order.
    pub exit: Vec<Spanned<String>>,
    /// The lock for C functions if neither the function nor the handle specifies one.
    pub safety: Option<Safety>,
    /// C code after the includes, as written.
    pub header_code: Option<Spanned<String>>,
    /// It uses only the stable ABI of its target language, if that has one.
    pub stable_abi: bool,
    /// The key `recycle-outputs`: a result may be the array of an earlier call without another reference. `None`: yes.
    pub recycles: Option<bool>,
}

/// A function of the generated module: one or more overloads.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in the target language.
    pub name: Spanned<String>,
    /// The handle of which it is a method only: `[function.Rng.uniform]`.
    pub class: Option<String>,
    /// The operator of its class that it implements.
    pub operator: Option<Spanned<&'static Operator>>,
    /// The place of `property`: it computes or sets an attribute.
    pub property: Option<Span>,
    /// Its documentation.
    pub doc: String,
    /// The descriptions of arguments, by name; the C result is called `result`.
    pub descriptions: Vec<(String, String)>,
    /// In source order; at least one.
    pub overloads: Vec<Overload>,
    /// The outputs to return, in this order; the C result is called `result`. `None`: all outputs
    /// in argument order, the C result last.
    pub returns: Option<Vec<Spanned<String>>>,
    /// The meaning of its return codes, as far as it differs from that of its class or of the module.
    pub status: Status,
    /// When the GIL is released around the C call.
    pub gil: Gil,
    /// How much one call does, in operations as simple as an addition; `None`: as many as its arrays have elements.
    pub work: Option<Expr>,
    /// The batches it supports: loop dimensions beyond those of the prototypes.
    pub ellipses: Ellipses,
    /// The lock for its C functions; `None`: that of the handles, the module or the default.
    pub safety: Option<Safety>,
    /// The largest number of threads for the items of one call.
    pub threads: Threads,
    /// The device that holds the arrays.
    pub device: Device,
    /// The size query: called after the inputs are read and before memory is allocated. It may set
    /// hidden arguments.
    pub query: Option<Expr>,
    /// Sparse matrices, by the name of the argument: `csr(indptr, indices, data, m, n)`, over arguments of C.
    pub sparse: Vec<(Spanned<String>, Expr)>,
    /// C code before every call, in which arguments have their names.
    pub pre_call: Option<Spanned<String>>,
    /// C code after every call, in which `result` is defined too.
    pub post_call: Option<Spanned<String>>,
}

/// The name of the method that releases an object of any class.
pub const CLOSE: &str = "close";

/// Members of every class.
pub const PREDEFINED: &[&str] = &[CLOSE, "closed"];

impl Function {
    /// It is the `close` of its class: it releases the object, and may report a failure.
    pub fn closes(&self) -> bool {
        self.class.is_some() && self.property.is_none() && self.name.value == CLOSE
    }

    /// A function of this name with all defaults and without overloads.
    pub fn named(name: Spanned<String>) -> Self {
        Function {
            name,
            class: None,
            operator: None,
            property: None,
            doc: String::new(),
            descriptions: Vec::new(),
            overloads: Vec::new(),
            returns: None,
            status: Status::default(),
            gil: Gil::default(),
            work: None,
            ellipses: Ellipses::default(),
            safety: None,
            threads: Threads::default(),
            device: Device::default(),
            query: None,
            sparse: Vec::new(),
            pre_call: None,
            post_call: None,
        }
    }
}

/// The batches of a function: loop dimensions beyond those of the prototypes, as in xndtools. In
/// every mode, a call without loop dimensions is a plain call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ellipses {
    /// `...`: leading dimensions, by NumPy's broadcasting rules.
    pub broadcast: bool,
    /// `var...`: leading dimensions of ragged arrays.
    pub ragged: bool,
}

impl Ellipses {
    /// A call may be a batched call.
    pub fn maps(self) -> bool {
        self.broadcast || self.ragged
    }
}

/// The largest number of threads that share the items of one batched call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// This number, at least 1. The default is one: C functions are not assumed to be thread-safe.
    AtMost(u32),
    /// As many as the process may use.
    All,
}

impl Default for Threads {
    fn default() -> Self {
        Threads::AtMost(1)
    }
}

/// The device that holds the arrays of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// The CPU.
    #[default]
    Cpu,
    /// A CUDA device.
    Cuda,
}

impl Device {
    /// Its keyword in the interface language.
    pub fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
        }
    }
}

/// A compressed format of sparse matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SparseFormat {
    /// The rows are compressed.
    Csr,
    /// The columns are compressed.
    Csc,
}

impl SparseFormat {
    /// Every format.
    pub const ALL: [SparseFormat; 2] = [SparseFormat::Csr, SparseFormat::Csc];

    /// Its name, which is that of SciPy.
    pub fn name(self) -> &'static str {
        match self {
            SparseFormat::Csr => "csr",
            SparseFormat::Csc => "csc",
        }
    }
}

/// The memory layout of a call's tensors, which selects an overload. xndtools calls it the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// All arrays are C-contiguous; vectors are, too.
    C,
    /// All arrays are F-contiguous.
    Fortran,
    /// Any other layout.
    Strided,
}

impl Kind {
    /// Every layout.
    pub const ALL: [Kind; 3] = [Kind::C, Kind::Fortran, Kind::Strided];

    /// Its keyword in the interface language.
    pub fn name(self) -> &'static str {
        match self {
            Kind::C => "C",
            Kind::Fortran => "Fortran",
            Kind::Strided => "Strided",
        }
    }
}

/// When the GIL (or the target language's counterpart) is released around the C call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gil {
    /// If the call does enough to repay the cost.
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
    /// The prototype as written.
    pub text: String,
    /// Its place in the source.
    pub span: Span,
    /// The C function's name.
    pub c_name: Spanned<String>,
    /// The result of the C function.
    pub result: CResult,
    /// Its arguments, in C's order.
    pub arguments: PerArgument<Argument>,
    /// The structs in place of which it has their fields as arguments, in C's order.
    pub unpacked: Vec<Unpacked>,
    /// The C++ function that is called with these arguments, if its types are not those of C.
    pub adapter: Option<Box<Adapter>>,
    /// The layouts that it accepts; `None`: derived from the layouts that C expects.
    pub kinds: Option<Vec<Kind>>,
    /// The construct that its name denotes in the headers.
    pub callee: Callee,
}

/// The construct that the name of a C function denotes in the headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Callee {
    /// A function with the type of the prototype.
    #[default]
    Function,
    /// A function with a variable number of arguments, after so many that the header declares.
    Variadic(usize),
    /// A function-like macro.
    Macro,
    /// Either, as in xndtools configurations; the `const` of input pointers may be missing, too.
    Either,
}

impl Overload {
    /// The type of the return code: that of the result, or of an argument.
    pub fn return_code(&self) -> Option<&CType> {
        match &self.result {
            CResult::Status(ctype) => Some(ctype),
            _ => {
                let mut codes = self.arguments.iter().filter(|argument| argument.status.is_some());
                codes.next().map(|argument| &argument.ctype)
            }
        }
    }

    /// True if a C function in the expression reads array elements: an array has no other value.
    pub fn looks_at_arrays(&self, expr: &Expr) -> bool {
        let mut looks = false;
        expr.walk(&mut |part| {
            if let Some(name) = part.as_name() {
                looks |= self.arguments.iter().any(|one| one.name.value == name && one.is_array());
            }
        });
        looks
    }

    /// Restricts this prototype to one layout; for `Fortran`, C receives every tensor F-contiguous.
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

/// The result of a C function.
#[derive(Clone, Debug, PartialEq)]
pub enum CResult {
    /// Nothing.
    Void,
    /// A value: an output of the generated function unless it is opaque.
    Value(CType),
    /// A return code: interpreted by the function's [`Status`]; without one, 0 is success.
    Status(CType),
    /// A pointer: its target, or the memory itself, is an output of the generated function.
    Pointer(Box<Returned>),
}

impl CResult {
    /// The type of the value, or of the pointee.
    pub fn ctype(&self) -> Option<&CType> {
        match self {
            CResult::Void => None,
            CResult::Value(ctype) | CResult::Status(ctype) => Some(ctype),
            CResult::Pointer(returned) => Some(&returned.ctype),
        }
    }
}
