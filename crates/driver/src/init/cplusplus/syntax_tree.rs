//! From libclang's tree to declarations as data.
//!
//! Purpose: visit the declarations of the named headers, and describe those that are public.
//! Invariant: a declaration is described, or listed with a reason; those of other files are skipped.
//! Reason: the rules of drafts see data, whichever version of libclang has parsed it.

use super::types::{Aliases, Substitution, Types, name_of, qualified};
use clang::{Accessibility, Availability, Entity, EntityKind, RefQualifier, TypeKind};
use fishplate_init::cplusplus::declarations::{
    Class, DefaultValue, Enum, Field, Function, Parameter, Place, Type, Unit,
};
use std::collections::HashMap;
use std::path::PathBuf;

/// Namespaces of what a library does not offer to its users.
const INTERNAL: &[&str] = &["detail", "details", "internal", "impl", "priv", "private_"];

/// Visits a tree.
pub(super) struct Walk<'o> {
    /// The files, as canonical paths.
    own: &'o [PathBuf],
    /// The position in `own` of each file that was seen.
    files: HashMap<PathBuf, Option<usize>>,
    types: Types,
    unit: Unit,
}

impl<'o> Walk<'o> {
    pub(super) fn new(own: &'o [PathBuf]) -> Self {
        Walk { own, files: HashMap::new(), types: Types::default(), unit: Unit::default() }
    }

    /// The declarations in the files.
    pub(super) fn unit(mut self, root: Entity<'_>) -> Unit {
        let mut aliases = Aliases::default();
        self.find_aliases(root, &mut aliases);
        self.types.name_instances(&aliases);
        self.visit(root, &aliases);
        self.unit
    }

    /// The place, if it is in one of the files.
    fn place(&mut self, entity: Entity<'_>) -> Option<Place> {
        let at = entity.get_location()?.get_file_location();
        let path = at.file?.get_path();
        let own = self.own;
        let header = *self.files.entry(path.clone()).or_insert_with(|| {
            let path = path.canonicalize().ok()?;
            own.iter().position(|one| *one == path)
        });
        Some(Place { header: header?, line: at.line as usize })
    }

    /// The scopes of an entity whose declarations belong to the interface.
    fn is_scope(&mut self, entity: Entity<'_>) -> bool {
        match entity.get_kind() {
            EntityKind::LinkageSpec | EntityKind::UnexposedDecl => true,
            EntityKind::Namespace => {
                let name = entity.get_name().unwrap_or_default();
                let is_internal = name.starts_with('_') || INTERNAL.contains(&name.as_str());
                !name.is_empty() && !is_internal && self.place(entity).is_some()
            }
            _ => false,
        }
    }

    /// The names that the headers give to instances of their class templates.
    fn find_aliases<'tu>(&mut self, scope: Entity<'tu>, aliases: &mut Aliases<'tu>) {
        for entity in scope.get_children() {
            if self.is_scope(entity) {
                self.find_aliases(entity, aliases);
            } else if matches!(
                entity.get_kind(),
                EntityKind::TypedefDecl | EntityKind::TypeAliasDecl
            ) && self.place(entity).is_some()
            {
                aliases.add(entity, &self.types);
            }
        }
    }

    fn visit<'tu>(&mut self, scope: Entity<'tu>, aliases: &Aliases<'tu>) {
        for entity in scope.get_children() {
            if self.is_scope(entity) {
                self.visit(entity, aliases);
            } else if let Some(place) = self.place(entity) {
                self.declaration(entity, place, aliases);
            }
        }
    }

    /// A declaration in a namespace, or a public type in a class.
    fn declaration<'tu>(&mut self, entity: Entity<'tu>, place: Place, aliases: &Aliases<'tu>) {
        let name = qualified(entity);
        let plain = name_of(entity).unwrap_or_default();
        if plain.starts_with('_') {
            return;
        }
        let other = |reason: &str| (name.clone(), place, reason.to_owned());
        match entity.get_kind() {
            EntityKind::ClassDecl | EntityKind::StructDecl
                if !entity.is_definition() || plain.is_empty() => {}
            EntityKind::ClassDecl | EntityKind::StructDecl => match entity.get_template() {
                None => self.class(entity, name, place, &Substitution::default(), aliases),
                Some(_) => self.unit.others.push(other("a specialization of a template")),
            },
            EntityKind::UnionDecl if entity.is_definition() => {
                self.unit.others.push(other("a union"));
            }
            EntityKind::ClassTemplate if entity.is_definition() => {
                let mut is_named = false;
                for (alias, substitution) in aliases.of(entity) {
                    is_named = true;
                    self.class(entity, alias.to_owned(), place, substitution, aliases);
                }
                if !is_named {
                    let example = format!("`using Instance = {name}<double>;`");
                    let reason =
                        format!("a class template: name an instance in a header, as {example}");
                    self.unit.others.push((name, place, reason));
                }
            }
            EntityKind::EnumDecl if entity.is_definition() => self.enumeration(entity, name, place),
            EntityKind::FunctionDecl | EntityKind::FunctionTemplate => {
                let function = self.function(entity, place, &Substitution::default());
                self.unit.functions.push(function);
            }
            EntityKind::VarDecl => self.variable(entity, name, place),
            EntityKind::TypedefDecl | EntityKind::TypeAliasDecl => {
                let named = entity.get_typedef_underlying_type();
                let named = named.map(|named| self.types.read(named, &Substitution::default()));
                self.unit.aliases.extend(named.map(|named| (name, named)));
            }
            _ => {}
        }
    }

    fn variable(&mut self, entity: Entity<'_>, name: String, place: Place) {
        match is_constant(&self.type_of(entity, &Substitution::default())) {
            true => self.unit.constants.push((name, place)),
            false => self.unit.others.push((name, place, "a variable".to_owned())),
        }
    }

    fn type_of(&self, entity: Entity<'_>, substitution: &Substitution) -> Type {
        entity.get_type().map(|one| self.types.read(one, substitution)).unwrap_or_default()
    }

    fn enumeration(&mut self, entity: Entity<'_>, name: String, place: Place) {
        let values = entity.get_children();
        let values = values.iter().filter(|one| one.get_kind() == EntityKind::EnumConstantDecl);
        let values: Vec<String> = values.map(|one| qualified(*one)).collect();
        if name_of(entity).is_none() {
            self.unit.constants.extend(values.into_iter().map(|value| (value, place)));
            return;
        }
        self.unit.enums.push(Enum { name, place, values });
    }

    fn class<'tu>(
        &mut self,
        entity: Entity<'tu>,
        name: String,
        place: Place,
        substitution: &Substitution,
        aliases: &Aliases<'tu>,
    ) {
        let mut class = Class {
            name: name.clone(),
            place,
            is_abstract: entity.is_abstract_record(),
            is_destructible: true,
            has_virtual_destructor: has_virtual_destructor(entity),
            ..Class::default()
        };
        let is_struct = entity.get_kind() == EntityKind::StructDecl
            || entity.get_template_kind() == Some(EntityKind::StructDecl);
        let (mut nested, mut inherited, mut friends) = (Vec::new(), Vec::new(), Vec::new());
        for child in entity.get_children() {
            let access = child.get_accessibility();
            let default = if is_struct { Accessibility::Public } else { Accessibility::Private };
            let is_public = access.unwrap_or(default) == Accessibility::Public;
            let is_usable = is_public && child.get_availability() != Availability::Unavailable;
            let Some(place) = self.place(child) else { continue };
            match child.get_kind() {
                EntityKind::BaseSpecifier if is_public => {
                    let base = child.get_type().map(|base| self.types.read(base, substitution));
                    class.bases.extend(base.map(|base| base.to_string()));
                    let other = child.get_type().and_then(|base| base.get_declaration());
                    inherited.extend(other.and_then(|one| one.get_definition()));
                }
                EntityKind::Destructor => class.is_destructible = is_usable,
                EntityKind::Constructor => {
                    class.has_constructor = true;
                    let copies = child.is_copy_constructor() || child.is_move_constructor();
                    if is_usable && !copies {
                        let function = self.member(child, place, &name, substitution);
                        class.constructors.push(function);
                    }
                }
                EntityKind::Method | EntityKind::ConversionFunction
                    if is_usable && ref_qualifier(child) != Some(RefQualifier::RValue) =>
                {
                    let function = self.member(child, place, &name, substitution);
                    if function.name != "operator=" {
                        class.methods.push(function);
                    }
                }
                EntityKind::FunctionTemplate => {
                    let is_constructor = child.get_template_kind() == Some(EntityKind::Constructor);
                    class.has_constructor |= is_constructor;
                    if is_usable {
                        let function = self.member(child, place, &name, substitution);
                        let list = match is_constructor {
                            true => &mut class.constructors,
                            false => &mut class.methods,
                        };
                        list.push(function);
                    }
                }
                EntityKind::FieldDecl | EntityKind::VarDecl if is_public => {
                    let _ = self.types.take_names();
                    let ctype = self.type_of(child, substitution);
                    let names = self.types.take_names();
                    let is_static = child.get_kind() == EntityKind::VarDecl;
                    if is_static && is_constant(&ctype) && substitution.is_empty() {
                        self.unit.constants.push((qualified(child), place));
                        continue;
                    }
                    let name = child.get_name().unwrap_or_default();
                    let is_bit_field = child.is_bit_field();
                    class.fields.push(Field { name, place, ctype, names, is_bit_field, is_static });
                }
                EntityKind::EnumDecl
                | EntityKind::ClassDecl
                | EntityKind::StructDecl
                | EntityKind::UnionDecl
                | EntityKind::ClassTemplate
                    if is_public && substitution.is_empty() =>
                {
                    nested.push((child, place));
                }
                EntityKind::FriendDecl if substitution.is_empty() => {
                    for one in child.get_children().into_iter().filter(|one| is_own_friend(*one)) {
                        let mut function = self.function(one, place, substitution);
                        function.is_friend = !function.writes_to_stream();
                        friends.push(function);
                    }
                }
                _ => {}
            }
        }
        for base in inherited {
            self.inherit(base, &mut class, substitution);
        }
        self.unit.classes.push(class);
        self.unit.functions.extend(friends);
        for (child, place) in nested {
            self.declaration(child, place, aliases);
        }
    }

    /// Adds the public methods of a base that these headers do not declare, and that no method of the class hides.
    fn inherit(&mut self, base: Entity<'_>, class: &mut Class, substitution: &Substitution) {
        if self.place(base).is_some() || qualified(base).starts_with("std::") {
            return;
        }
        let hidden: Vec<String> = class.methods.iter().map(|one| one.name.clone()).collect();
        // The line would be one of another file.
        let place = Place { line: 0, ..class.place };
        let mut bases = Vec::new();
        for child in base.get_children() {
            let is_struct = base.get_kind() == EntityKind::StructDecl;
            let default = if is_struct { Accessibility::Public } else { Accessibility::Private };
            let is_public = child.get_accessibility().unwrap_or(default) == Accessibility::Public;
            match child.get_kind() {
                EntityKind::BaseSpecifier if is_public => {
                    let base = child.get_type().and_then(|base| base.get_declaration());
                    bases.extend(base.and_then(|base| base.get_definition()));
                }
                EntityKind::Method
                    if is_public && child.get_availability() != Availability::Unavailable =>
                {
                    let mut function = self.member(child, place, &class.name, substitution);
                    // No method of a drafted base.
                    function.overrides.clear();
                    let is_hidden = function.name == "operator=" || hidden.contains(&function.name);
                    if !is_hidden {
                        class.methods.push(function);
                    }
                }
                _ => {}
            }
        }
        for base in bases {
            self.inherit(base, class, substitution);
        }
    }

    /// A method, a static function or a constructor.
    fn member(
        &mut self,
        entity: Entity<'_>,
        place: Place,
        class: &str,
        substitution: &Substitution,
    ) -> Function {
        let overridden = entity.get_overridden_methods().unwrap_or_default();
        let bases = overridden.iter().filter_map(|one| one.get_semantic_parent());
        let is_constructor = entity.get_kind() == EntityKind::Constructor;
        let mut function = Function {
            is_static: entity.is_static_method(),
            is_const: entity.is_const_method(),
            is_of_lvalues: ref_qualifier(entity) == Some(RefQualifier::LValue),
            is_virtual: entity.is_virtual_method(),
            is_pure: entity.is_pure_virtual_method(),
            overrides: bases.map(qualified).collect(),
            ..self.function(entity, place, substitution)
        };
        function.is_method = !function.is_static && !is_constructor;
        function.scope = class.to_owned();
        if is_constructor {
            let created = entity.get_semantic_parent().and_then(|class| class.get_type());
            function.returns_view = created.is_some_and(|created| is_view(created, 0));
            // That of a template has the parameters of the template after its name.
            function.name = class.rsplit("::").next().unwrap_or(class).to_owned();
        }
        if entity.get_kind() == EntityKind::ConversionFunction {
            function.name = format!("operator {}", function.result);
        }
        function
    }

    fn function(
        &mut self,
        entity: Entity<'_>,
        place: Place,
        substitution: &Substitution,
    ) -> Function {
        let mut function = Function {
            name: entity.get_name().unwrap_or_default(),
            scope: entity.get_semantic_parent().map(qualified).unwrap_or_default(),
            place,
            is_variadic: entity.get_type().is_some_and(|one| one.is_variadic()),
            is_deleted: entity.get_availability() == Availability::Unavailable,
            is_template: entity.get_kind() == EntityKind::FunctionTemplate,
            ..Function::default()
        };
        if function.is_template {
            return function;
        }
        let _ = self.types.take_names();
        let read = |ctype| self.types.read(ctype, substitution);
        if entity.get_kind() != EntityKind::Constructor {
            function.result = entity.get_result_type().map(read).unwrap_or_default();
        }
        function.returns_view = entity.get_result_type().is_some_and(|one| is_view(one, 0));
        let parameters = entity.get_arguments().unwrap_or_default();
        function.parameters = (parameters.iter())
            .map(|one| Parameter {
                name: one.get_name().unwrap_or_default(),
                ctype: one.get_type().map(read).unwrap_or_default(),
                default: default_of(*one),
                is_output: false,
            })
            .collect();
        function.names = self.types.take_names();
        function
    }
}

/// A friend that the class defines, or an operator: others are declared elsewhere, or are internal.
fn is_own_friend(friend: Entity<'_>) -> bool {
    let is_operator = friend.get_name().is_some_and(|name| name.starts_with("operator"));
    // For libclang it is never a definition, since bodies are skipped.
    let has_body = || {
        let start = friend.get_range()?.get_start().get_file_location();
        let text = start.file?.get_contents()?;
        let rest = text.get(start.offset as usize..)?;
        rest.find(['{', ';']).map(|at| rest[at..].starts_with('{'))
    };
    friend.get_kind() == EntityKind::FunctionDecl && (is_operator || has_body().unwrap_or(false))
}

fn ref_qualifier(method: Entity<'_>) -> Option<RefQualifier> {
    method.get_type().and_then(|ctype| ctype.get_ref_qualifier())
}

/// A number or a string, which a module has as a constant.
fn is_constant(ctype: &Type) -> bool {
    let is_char = |to: &Type| matches!(to, Type::Number(name) if name == "char");
    let Type::Const(inner) = ctype else { return false };
    match &**inner {
        Type::Number(_) => true,
        Type::Pointer(to) => matches!(&**to, Type::Const(char) if is_char(char)),
        _ => false,
    }
}

/// A class without a destructor of its own, of which an object has a pointer or a reference: it does not own what that
/// leads to. `depth` limits the classes in one another.
fn is_view(ctype: clang::Type<'_>, depth: usize) -> bool {
    let ctype = ctype.get_canonical_type();
    let declared = ctype.get_declaration().and_then(|one| one.get_definition());
    let Some(class) = declared.filter(|_| ctype.get_kind() == TypeKind::Record && depth < 4) else {
        return false;
    };
    let children = class.get_children();
    let is_std = qualified(class).starts_with("std::");
    if is_std || children.iter().any(|child| child.get_kind() == EntityKind::Destructor) {
        return false;
    }
    let parts = children.iter().filter(|child| {
        matches!(child.get_kind(), EntityKind::FieldDecl | EntityKind::BaseSpecifier)
    });
    let mut types = parts.filter_map(|part| part.get_type());
    types.any(|one| match one.get_canonical_type().get_kind() {
        TypeKind::Pointer | TypeKind::LValueReference => true,
        _ => is_view(one, depth + 1),
    })
}

/// Its own destructor is virtual, or that of a base.
fn has_virtual_destructor(class: Entity<'_>) -> bool {
    class.get_children().into_iter().any(|child| match child.get_kind() {
        EntityKind::Destructor => child.is_virtual_method(),
        EntityKind::BaseSpecifier => {
            let base = child.get_type().and_then(|base| base.get_declaration());
            base.and_then(|base| base.get_definition()).is_some_and(has_virtual_destructor)
        }
        _ => false,
    })
}

/// The default of a parameter.
fn default_of(parameter: Entity<'_>) -> Option<DefaultValue> {
    let tokens: Vec<String> =
        parameter.get_range()?.tokenize().iter().map(|token| token.get_spelling()).collect();
    let start = tokens.iter().position(|token| token == "=")? + 1;
    let tokens = &tokens[start..];
    let text = tokens.concat();
    let first = tokens.first()?;
    let is_literal = |token: &str| {
        token.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '"')
            || matches!(token, "true" | "false")
    };
    let is_constant = match tokens {
        [one] => is_literal(one),
        [_, one] => first == "-" && is_literal(one),
        _ => false,
    };
    if is_constant {
        return Some(DefaultValue::Constant(text));
    }
    let is_name = |token: &String| {
        token == "::" || token.starts_with(|c: char| c.is_alphabetic() || c == '_')
    };
    if tokens.iter().all(is_name)
        && let Some(name) = parameter.get_children().into_iter().find_map(constant)
    {
        return Some(DefaultValue::Constant(name));
    }
    Some(DefaultValue::Other(text))
}

/// The qualified name of the constant in an expression that is a name, perhaps with conversions.
fn constant(expression: Entity<'_>) -> Option<String> {
    if expression.get_kind() != EntityKind::DeclRefExpr {
        return expression.get_children().into_iter().find_map(constant);
    }
    let named = expression.get_reference()?;
    let is_constant = match named.get_kind() {
        EntityKind::EnumConstantDecl => true,
        EntityKind::VarDecl => named.get_type()?.is_const_qualified(),
        _ => false,
    };
    is_constant.then(|| qualified(named))
}
