//! Objects of C++ that functions return by value, or that a smart pointer owns.
//!
//! Purpose: their class frees them by `delete`, unless the interface names another function.
//! Invariant: a class has a destructor if an adapter creates objects of it.
//! Reason: the adapter allocates them by `new`, so no other function could free them.

use fishplate_model::{
    CResult, CType, Destructor, Interface, Nested, Overload, Owner, ReturnedPointer, ReturnedValue,
    Spanned,
};

/// Sets the destructors.
pub(super) fn free_by_delete(interface: &mut Interface) {
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let functions = constructors.chain(&interface.functions);
    let created: Vec<String> = functions.flat_map(|one| &one.overloads).flat_map(created).collect();
    for handle in &mut interface.handles {
        let is_freed = handle.destructor.is_some() || handle.stored.is_some();
        if !is_freed && created.contains(&handle.name.value) {
            let code = Spanned::new("delete object".to_owned(), handle.ctype.span);
            handle.destructor = Some(Destructor::Expression(code));
        }
    }
}

/// The handles of which this creates objects.
fn created(overload: &Overload) -> Vec<String> {
    let Some(adapter) = &overload.adapter else { return Vec::new() };
    let of = |ctype: &CType| {
        let contained = ctype.nested().map(Nested::objects).unwrap_or_default();
        contained.into_iter().chain(ctype.handle().map(str::to_owned)).collect::<Vec<_>>()
    };
    let is_new =
        |value: &ReturnedValue| !matches!(value, ReturnedValue::Plain | ReturnedValue::Reference);
    let is_borrowed = |pointer: &ReturnedPointer| matches!(pointer.owner, Owner::Borrowed(_));
    let result = match &overload.result {
        CResult::Pointer(returned)
            if adapter.values.iter().any(is_new) && !is_borrowed(&returned.out_pointer) =>
        {
            of(&returned.ctype)
        }
        _ => Vec::new(),
    };
    let set = overload.arguments.iter().filter(|argument| {
        argument.out_pointer().is_some_and(|pointer| !is_borrowed(pointer))
            && (argument.ctype.nested().is_some() || adapter.values.iter().any(is_new))
    });
    result.into_iter().chain(set.flat_map(|argument| of(&argument.ctype))).collect()
}
