//! Strings that a shim copies.
//!
//! Purpose: strings of C as characters of Fortran, and characters that Fortran sets as strings of C.
//! Invariant: a string that C receives ends with a NUL.
//! Reason: characters of Fortran have a length, and blanks up to it.

use super::{COUNTER, Shim, end_without_memory};
use crate::fortran::kinds::Type;
use crate::fortran::source::Variable;

/// The variable with the length of a string.
const LENGTH: &str = "integer(c_size_t) :: fp_length";

/// The treatment of blanks at the end of a string.
pub(super) enum Blanks {
    Kept,
    Trimmed,
}

impl Shim {
    /// A string that Fortran reads, or one of a known length that it sets.
    pub(super) fn string(&mut self, name: &str, variable: &Variable) -> Result<(), String> {
        let Some(Type::Character(length)) = variable.base else { return Ok(()) };
        let own = format!("{name}_in_fortran");
        match (variable.intent.as_deref(), length) {
            _ if variable.is_optional || variable.is_value => {
                Err(format!("the string `{name}` is optional, or a value"))
            }
            (Some("in"), None) if variable.dimensions.as_slice() == [":"] => {
                self.list(name);
                Ok(())
            }
            _ if !variable.dimensions.is_empty() => Err(format!(
                "the array of strings `{name}` is not declared as `character(len=*), intent(in) :: s(:)`"
            )),
            (Some("in"), None) => {
                let length = format!("length_of_{name}");
                self.interface.extend([
                    format!("in char *{name}"),
                    format!("hidden size_t {length} = len({name})"),
                ]);
                self.c.extend([format!("char *{name}"), format!("size_t {length}")]);
                self.dummies.extend([name.to_owned(), length.clone()]);
                self.declarations.extend([
                    format!("integer(c_size_t), value :: {length}"),
                    format!("character(kind=c_char), intent(in) :: {name}(*)"),
                    format!("character(len={length}) :: {own}"),
                ]);
                self.declare(COUNTER);
                self.before.extend([
                    format!("do fp_k = 1, {length}"),
                    format!("  {own}(fp_k:fp_k) = {name}(fp_k)"),
                    "end do".to_owned(),
                ]);
                self.actual.push(own);
                Ok(())
            }
            (Some("out"), Some(length)) => {
                self.returned_string(name, Some(length), Blanks::Trimmed, "");
                self.actual.push(own);
                Ok(())
            }
            (Some("out"), None) => Err(format!(
                "the length of the string `{name}` is unknown: declare `character(len=:), allocatable`, or a length"
            )),
            _ => Err(format!("the string `{name}` is not only an input or an output")),
        }
    }

    /// A string that Fortran sets, copied into memory of C. Without a length, Fortran allocates it. `nullable` is that word
    /// with a blank, or empty.
    pub(super) fn returned_string(
        &mut self,
        name: &str,
        length: Option<usize>,
        blanks: Blanks,
        nullable: &str,
    ) {
        let own = format!("{name}_in_fortran");
        let (declared, is_set) = match length {
            Some(length) => (format!("character(len={length})"), ".true.".to_owned()),
            None => ("character(len=:), allocatable".to_owned(), format!("allocated({own})")),
        };
        let measure = match blanks {
            Blanks::Kept => "len",
            Blanks::Trimmed => "len_trim",
        };
        self.allocates = true;
        self.interface.push(format!("out {nullable}own(free) char **{name}"));
        self.c.push(format!("char **{name}"));
        self.dummies.push(name.to_owned());
        self.declarations.extend([
            format!("type(c_ptr), intent(out) :: {name}"),
            format!("character(kind=c_char), pointer :: {name}_in_c(:)"),
            format!("{declared} :: {own}"),
        ]);
        self.declare(COUNTER);
        self.declare(LENGTH);
        self.before.push(format!("{name} = c_null_ptr"));
        self.after.extend([
            format!("if ({is_set}) then"),
            format!("  fp_length = {measure}({own}, kind=c_size_t)"),
            format!("  {name} = c_malloc(fp_length + 1)"),
        ]);
        self.after.extend(end_without_memory(&format!(".not. c_associated({name})"), "  "));
        self.after.extend([
            format!("  call c_f_pointer({name}, {name}_in_c, [fp_length + 1])"),
            "  do fp_k = 1, fp_length".to_owned(),
            format!("    {name}_in_c(fp_k) = {own}(fp_k:fp_k)"),
            "  end do".to_owned(),
            format!("  {name}_in_c(fp_length + 1) = c_null_char"),
            "end if".to_owned(),
        ]);
    }

    /// An array of strings that Fortran reads, all of which have the length of the longest.
    fn list(&mut self, name: &str) {
        let (own, size) = (format!("{name}_in_fortran"), format!("size_1_of_{name}"));
        self.interface
            .extend([format!("const char *const {name}[{size}]"), format!("size_t {size}")]);
        self.c.extend([format!("const char *const *{name}"), format!("size_t {size}")]);
        self.dummies.extend([name.to_owned(), size.clone()]);
        self.allocates = true;
        self.declarations.extend([
            format!("integer(c_size_t), value :: {size}"),
            format!("type(c_ptr), intent(in) :: {name}({size})"),
            format!("character(len=:), allocatable :: {own}(:)"),
        ]);
        for declaration in [
            COUNTER,
            LENGTH,
            "integer(c_size_t) :: fp_at",
            "character(kind=c_char), pointer :: fp_characters(:)",
            "integer :: fp_failed",
        ] {
            self.declare(declaration);
        }
        let each = format!("do fp_at = 1, {size}");
        self.before.extend([
            "fp_length = 0".to_owned(),
            each.clone(),
            format!("  fp_length = max(fp_length, c_strlen({name}(fp_at)))"),
            "end do".to_owned(),
            format!("allocate(character(len=fp_length) :: {own}({size}), stat=fp_failed)"),
        ]);
        self.before.extend(end_without_memory("fp_failed /= 0", ""));
        self.before.extend([
            each,
            format!("  call c_f_pointer({name}(fp_at), fp_characters, [c_strlen({name}(fp_at))])"),
            format!("  {own}(fp_at) = ''"),
            "  do fp_k = 1, size(fp_characters, kind=c_size_t)".to_owned(),
            format!("    {own}(fp_at)(fp_k:fp_k) = fp_characters(fp_k)"),
            "  end do".to_owned(),
            "end do".to_owned(),
        ]);
        self.actual.push(own);
    }
}
