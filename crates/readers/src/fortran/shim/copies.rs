//! Arrays and numbers that a shim copies.
//!
//! Purpose: copies of allocatable arguments for Fortran, and of arrays that Fortran makes in memory of C.
//! Invariant: a copy that cannot be allocated ends the shim, before Fortran is called or with all that C has received.
//! Reason: C has no descriptors of allocatable arrays, and no function that frees their memory.

use super::{Shim, brackets, colons, end_without_memory, order, sizes_of};
use crate::fortran::kinds::Type;

impl Shim {
    /// An allocatable number, of which Fortran receives a copy; its value after the call is a result.
    pub(super) fn scalar(&mut self, name: &str, base: &Type, intent: &str) {
        let (ctype, kind, own) = (base.in_c(), base.in_fortran(), format!("{name}_in_fortran"));
        self.allocates = true;
        if intent != "out" {
            self.interface.push(format!("in {ctype} *{name}"));
            self.c.push(format!("{ctype} *{name}"));
            self.dummies.push(name.to_owned());
            self.declarations.push(format!("{kind}, intent(in) :: {name}"));
            self.allocate(&own, name);
        }
        if intent != "in" {
            let result = if intent == "out" { name.to_owned() } else { format!("new_{name}") };
            self.returns_scalars = true;
            self.interface.push(format!("out {ctype} *{result}"));
            self.c.push(format!("{ctype} *{result}"));
            self.dummies.push(result.clone());
            self.declarations.push(format!("{kind}, intent(out) :: {result}"));
            self.before.push(format!("{result} = 0"));
            self.after.extend([
                format!("if (allocated({own})) {result} = {own}"),
                format!("if (.not. allocated({own})) fp_status = 2"),
            ]);
        }
        self.declarations.push(format!("{kind}, allocatable :: {own}"));
        self.actual.push(own);
    }

    /// Copies an argument for Fortran.
    pub(super) fn allocate(&mut self, own: &str, name: &str) {
        self.declare("integer :: fp_failed");
        self.before.push(format!("allocate({own}, source={name}, stat=fp_failed)"));
        self.before.extend(end_without_memory("fp_failed /= 0", ""));
    }

    /// An allocatable array, of which Fortran receives a copy.
    pub(super) fn copied_array(&mut self, name: &str, base: &Type, rank: usize, is_returned: bool) {
        let (ctype, own) = (base.in_c(), format!("{name}_in_fortran"));
        let sizes = sizes_of(name, rank);
        self.interface.push(format!("in {}{ctype} {name}{}", order(rank), brackets(&sizes)));
        self.interface.extend(sizes.iter().map(|size| format!("size_t {size}")));
        self.c.push(format!("{ctype} *{name}"));
        self.c.extend(sizes.iter().map(|size| format!("size_t {size}")));
        self.dummies.push(name.to_owned());
        self.dummies.extend(sizes.iter().cloned());
        self.declarations
            .extend(sizes.iter().map(|size| format!("integer(c_size_t), value :: {size}")));
        let kind = base.in_fortran();
        self.declarations.push(format!("{kind}, intent(in) :: {name}({})", sizes.join(", ")));
        self.allocates = true;
        self.allocate(&own, name);
        self.actual.push(own.clone());
        if is_returned {
            self.copy_back(&format!("new_{name}"), &own, base, rank);
        }
        self.declarations.push(format!("{kind}, allocatable :: {own}({})", colons(rank)));
    }

    /// An array that Fortran allocates, copied into memory of C.
    pub(super) fn returned_array(&mut self, name: &str, base: &Type, rank: usize) {
        let own = format!("{name}_in_fortran");
        self.copy_back(name, &own, base, rank);
        let kind = base.in_fortran();
        self.declarations.push(format!("{kind}, allocatable :: {own}({})", colons(rank)));
    }

    pub(super) fn copy_back(&mut self, name: &str, own: &str, base: &Type, rank: usize) {
        let (ctype, kind, sizes) = (base.in_c(), base.in_fortran(), sizes_of(name, rank));
        let shape = brackets(&sizes);
        self.allocates = true;
        self.interface.push(format!("out own(free) {}{ctype} *{name}{shape}", order(rank)));
        self.interface.extend(sizes.iter().map(|size| format!("hidden size_t *{size}")));
        self.c.push(format!("{ctype} **{name}"));
        self.c.extend(sizes.iter().map(|size| format!("size_t *{size}")));
        self.dummies.push(name.to_owned());
        self.dummies.extend(sizes.iter().cloned());
        self.declarations.push(format!("type(c_ptr), intent(out) :: {name}"));
        self.declarations
            .extend(sizes.iter().map(|size| format!("integer(c_size_t), intent(out) :: {size}")));
        self.declarations.push(format!("{kind}, pointer :: {name}_in_c({})", colons(rank)));
        self.before.push(format!("{name} = c_null_ptr"));
        self.before.extend(sizes.iter().map(|size| format!("{size} = 0")));
        self.after.push(format!("if (allocated({own})) then"));
        for (axis, size) in sizes.iter().enumerate() {
            self.after.push(format!("  {size} = size({own}, {}, c_size_t)", axis + 1));
        }
        self.after.extend([
            format!("  if (size({own}) > 0) then"),
            format!(
                "    {name} = c_malloc(size({own}, kind=c_size_t) * (storage_size({own}) / 8))"
            ),
        ]);
        self.after.extend(end_without_memory(&format!(".not. c_associated({name})"), "    "));
        self.after.extend([
            format!("    call c_f_pointer({name}, {name}_in_c, shape({own}))"),
            format!("    {name}_in_c = {own}"),
            "  end if".to_owned(),
            "end if".to_owned(),
        ]);
    }
}
