//! From libclang's types to types as data.
//!
//! Purpose: replace typedefs by the types that they name, and defaults of templates by nothing.
//! Invariant: the result names the same type, valid in any namespace.
//! Reason: headers spell types as their own namespace and its `using` allow, interfaces do not.

use clang::{Entity, EntityKind, TypeKind};
use fishplate_init::cplusplus::declarations::Type;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Typedefs of the standard that have a meaning in interfaces.
const NUMBERS: &[&str] = &[
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
];

/// Templates that are only written where they are not the default.
const DEFAULTS: &[&str] = &[
    "std::allocator",
    "std::default_delete",
    "std::less",
    "std::hash",
    "std::equal_to",
    "std::char_traits",
];

/// The types in place of the parameters of a class template, by name.
pub(super) type Substitution = HashMap<String, Type>;

/// The instances of class templates that have a name.
#[derive(Default)]
pub(super) struct Aliases<'tu> {
    all: Vec<Alias<'tu>>,
}

struct Alias<'tu> {
    name: String,
    instance: String,
    template: Entity<'tu>,
    substitution: Substitution,
}

impl<'tu> Aliases<'tu> {
    /// Adds a typedef, if it names an instance.
    pub(super) fn add(&mut self, typedef: Entity<'tu>, types: &Types) {
        let Some(named) = typedef.get_typedef_underlying_type() else { return };
        let named = named.get_canonical_type();
        let Some(template) = named.get_declaration().and_then(|one| one.get_template()) else {
            return;
        };
        let instance = types.read(named, &Substitution::default());
        let Type::Template(name, arguments) = &instance else { return };
        if name.starts_with("std::")
            || self.all.iter().any(|one| one.instance == instance.to_string())
        {
            return;
        }
        let parameters = template.get_children().into_iter().filter(|one| {
            matches!(
                one.get_kind(),
                EntityKind::TemplateTypeParameter | EntityKind::NonTypeTemplateParameter
            )
        });
        let parameters = parameters.filter_map(|one| one.get_name());
        let mut substitution: Substitution = parameters.zip(arguments.iter().cloned()).collect();
        // The class itself: `Box` or `Box<T>` in its own members.
        let own = [template.get_name(), template.get_display_name()];
        let own = own.into_iter().flatten().map(|own| (own, Type::Class(qualified(typedef))));
        substitution.extend(own);
        let (name, instance) = (qualified(typedef), instance.to_string());
        self.all.push(Alias { name, instance, template, substitution });
    }

    /// The named instances of a template.
    pub(super) fn of<'a>(
        &'a self,
        template: Entity<'tu>,
    ) -> impl Iterator<Item = (&'a str, &'a Substitution)> {
        let template = template.get_canonical_entity();
        let found = self.all.iter();
        let found = found.filter(move |one| one.template.get_canonical_entity() == template);
        found.map(|one| (one.name.as_str(), &one.substitution))
    }
}

/// Reads types.
#[derive(Default)]
pub(super) struct Types {
    /// The names of instances of class templates.
    instances: HashMap<String, String>,
    /// The names of types that were read since they were taken last.
    read_names: RefCell<BTreeSet<String>>,
}

impl Types {
    pub(super) fn name_instances(&mut self, aliases: &Aliases<'_>) {
        let all = aliases.all.iter();
        self.instances = all.map(|one| (one.instance.clone(), one.name.clone())).collect();
    }

    /// The names that the headers use for the types that were read since the last call.
    pub(super) fn take_names(&self) -> BTreeSet<String> {
        self.read_names.take()
    }

    /// The type, with the parameters of a template replaced.
    pub(super) fn read(&self, ctype: clang::Type<'_>, by: &Substitution) -> Type {
        let read = self.unqualified(ctype, by);
        let is_reference = matches!(read, Type::Reference(_) | Type::Moved(_) | Type::Const(_));
        if ctype.is_const_qualified() && !is_reference { Type::Const(Box::new(read)) } else { read }
    }

    fn unqualified(&self, ctype: clang::Type<'_>, by: &Substitution) -> Type {
        let other = || {
            let name = ctype.get_display_name();
            Type::Other(name.strip_prefix("const ").unwrap_or(&name).to_owned())
        };
        let of = |inner: Option<clang::Type<'_>>, wrap: fn(Box<Type>) -> Type| {
            inner.map_or_else(other, |inner| wrap(Box::new(self.read(inner, by))))
        };
        if ctype.is_volatile_qualified() {
            return other();
        }
        match ctype.get_kind() {
            TypeKind::Void => Type::Void,
            TypeKind::Pointer => of(ctype.get_pointee_type(), Type::Pointer),
            TypeKind::LValueReference => of(ctype.get_pointee_type(), Type::Reference),
            TypeKind::RValueReference => of(ctype.get_pointee_type(), Type::Moved),
            TypeKind::ConstantArray => match (ctype.get_element_type(), ctype.get_size()) {
                (Some(element), Some(size)) => Type::Array(Box::new(self.read(element, by)), size),
                _ => other(),
            },
            TypeKind::FunctionPrototype => {
                let parameters = ctype.get_argument_types().unwrap_or_default();
                let parameters = parameters.into_iter().map(|one| self.read(one, by)).collect();
                let result = ctype.get_result_type().map(|one| self.read(one, by));
                Type::Function(Box::new(result.unwrap_or_default()), parameters)
            }
            TypeKind::Elaborated => match ctype.get_elaborated_type() {
                Some(inner) => self.read(inner, by),
                None => other(),
            },
            TypeKind::Typedef => self.typedef(ctype, by),
            TypeKind::Enum => {
                ctype.get_declaration().map_or_else(other, |one| Type::Enum(qualified(one)))
            }
            TypeKind::Record => self.record(ctype, by),
            TypeKind::Unexposed => self.unexposed(ctype, by),
            kind => match (number(kind), ctype.get_canonical_type()) {
                (Some(name), _) => Type::Number(name.to_owned()),
                // `auto`, whose type is deduced.
                (None, named) if named.get_kind() != kind => self.unqualified(named, by),
                (None, _) => other(),
            },
        }
    }

    fn typedef(&self, ctype: clang::Type<'_>, by: &Substitution) -> Type {
        let declaration = ctype.get_declaration();
        let name = declaration.and_then(|one| one.get_name()).unwrap_or_default();
        if NUMBERS.contains(&name.as_str()) {
            return Type::Number(name);
        }
        self.read_names.borrow_mut().extend(declaration.map(qualified));
        match declaration.and_then(|one| one.get_typedef_underlying_type()) {
            Some(named) => self.read(named, by),
            None => Type::Other(ctype.get_display_name()),
        }
    }

    /// A class, or an instance of a template.
    fn record(&self, ctype: clang::Type<'_>, by: &Substitution) -> Type {
        let Some(declaration) = ctype.get_declaration() else {
            return Type::Other(ctype.get_display_name());
        };
        let name = qualified(declaration);
        match ctype.get_template_argument_types() {
            Some(arguments) => self.instance(name, arguments, ctype, by),
            None => Type::Class(name),
        }
    }

    /// A parameter of a template, or a type that depends on one.
    fn unexposed(&self, ctype: clang::Type<'_>, by: &Substitution) -> Type {
        let spelled = ctype.get_display_name();
        let plain = spelled.trim_start_matches("const ").to_owned();
        if let Some(known) = by.get(&plain) {
            return known.clone();
        }
        let canonical = ctype.get_canonical_type();
        if canonical.get_kind() != TypeKind::Unexposed {
            return self.unqualified(canonical, by);
        }
        let declaration = ctype.get_declaration().filter(|one| one.get_name().is_some());
        match (declaration, ctype.get_template_argument_types()) {
            (Some(declaration), Some(arguments)) => {
                self.instance(qualified(declaration), arguments, ctype, by)
            }
            _ => Type::Other(spelled),
        }
    }

    fn instance(
        &self,
        name: String,
        arguments: Vec<Option<clang::Type<'_>>>,
        ctype: clang::Type<'_>,
        by: &Substitution,
    ) -> Type {
        let spelled = spelled_arguments(&ctype.get_canonical_type().get_display_name());
        let mut read: Vec<Type> = Vec::new();
        for (at, argument) in arguments.into_iter().enumerate() {
            let value = || Type::Value(spelled.get(at).cloned().unwrap_or_default());
            read.push(argument.map_or_else(value, |one| self.read(one, by)));
        }
        let is_default = |one: &Type| match one {
            Type::Template(name, _) => DEFAULTS.contains(&name.as_str()),
            Type::Value(value) => name == "std::span" && value.starts_with("18446744073709551615"),
            _ => false,
        };
        while read.last().is_some_and(is_default) {
            read.pop();
        }
        let is_char = |read: &[Type]| matches!(read, [Type::Number(char)] if char == "char");
        match name.as_str() {
            "std::basic_string" if is_char(&read) => Type::Class("std::string".to_owned()),
            "std::basic_string_view" if is_char(&read) => {
                Type::Class("std::string_view".to_owned())
            }
            "std::basic_ostream" if is_char(&read) => Type::Class("std::ostream".to_owned()),
            "std::basic_istream" if is_char(&read) => Type::Class("std::istream".to_owned()),
            _ => {
                let made = Type::Template(name, read);
                match self.instances.get(&made.to_string()) {
                    Some(alias) => Type::Class(alias.clone()),
                    None => made,
                }
            }
        }
    }
}

/// The name of a type of numbers.
fn number(kind: TypeKind) -> Option<&'static str> {
    Some(match kind {
        TypeKind::Bool => "bool",
        TypeKind::CharS | TypeKind::CharU => "char",
        TypeKind::SChar => "signed char",
        TypeKind::UChar => "unsigned char",
        TypeKind::Short => "short",
        TypeKind::UShort => "unsigned short",
        TypeKind::Int => "int",
        TypeKind::UInt => "unsigned int",
        TypeKind::Long => "long",
        TypeKind::ULong => "unsigned long",
        TypeKind::LongLong => "long long",
        TypeKind::ULongLong => "unsigned long long",
        TypeKind::Float => "float",
        TypeKind::Double => "double",
        TypeKind::LongDouble => "long double",
        _ => return None,
    })
}

/// The arguments of a template, as spelled: `double` and `3` of `std::array<double, 3>`.
fn spelled_arguments(spelled: &str) -> Vec<String> {
    let inside =
        spelled.split_once('<').map_or("", |(_, rest)| rest.strip_suffix('>').unwrap_or(rest));
    let mut all = vec![String::new()];
    let mut depth = 0;
    for c in inside.chars() {
        depth += i32::from(matches!(c, '<' | '(')) - i32::from(matches!(c, '>' | ')'));
        match (c, depth) {
            (',', 0) => all.push(String::new()),
            _ => all.last_mut().into_iter().for_each(|last| last.push(c)),
        }
    }
    all.into_iter().map(|one| one.trim().to_owned()).collect()
}

/// The name of a declaration; that of a type without one is what `typedef` gives it.
pub(super) fn name_of(entity: Entity<'_>) -> Option<String> {
    let is_type = matches!(
        entity.get_kind(),
        EntityKind::EnumDecl | EntityKind::StructDecl | EntityKind::ClassDecl
    );
    let own = entity.get_name().filter(|name| !is_type || !name.contains('('));
    own.or_else(|| {
        let shown = entity.get_type().filter(|_| is_type)?.get_display_name();
        let name = shown.rsplit("::").next().filter(|name| !name.is_empty());
        name.filter(|_| !shown.contains('(')).map(str::to_owned)
    })
}

/// The name with namespaces and classes: `lib::Square`.
pub(super) fn qualified(entity: Entity<'_>) -> String {
    let mut parts = Vec::new();
    let mut at = entity;
    // Only the translation unit, whose kind depends on the version of libclang, has no parent.
    while let Some(parent) = at.get_semantic_parent() {
        let one = std::mem::replace(&mut at, parent);
        let is_transparent = match one.get_kind() {
            EntityKind::Namespace => one.is_inline_namespace(),
            EntityKind::EnumDecl => !one.is_scoped() && !parts.is_empty(),
            EntityKind::LinkageSpec | EntityKind::UnexposedDecl => true,
            _ => false,
        };
        parts.extend(name_of(one).filter(|_| !is_transparent));
    }
    parts.reverse();
    parts.join("::")
}
