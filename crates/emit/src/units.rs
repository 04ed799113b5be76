//! A generated file, divided into several units.
//!
//! Purpose: a large module is compiled in parallel, and after a change only the units with other text.
//! Invariant: the units define together what the one file defines, each thing once; shared definitions are only visible
//! inside the library.
//! Reason: a compiler takes some milliseconds for each function, and nothing of one function depends on another.
//! Emitted files still have one unit, for a compilation by hand.
//!
//! Static definitions begin at the beginning of a line, as in the [runtime](crate::divide).

use crate::file::{CFile, Entry, Section, print_sections};
use crate::{FileRole, OutputFile, extension};
use fishplate_model::{is_part_of_word, words};
use fishplate_plan::{FunctionPlan, Plan};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How the names of everything begin that is generated. Other definitions are code of the author's.
const PREFIX: &str = "fp";

/// The number of the unit with everything that is not part of one function.
const MODULE: u64 = 0;

/// The size of the code of a usual function, in bytes.
const USUAL_SIZE: usize = 2048;

/// The code of a function.
#[derive(Clone, Default)]
struct Shape<'a> {
    /// The names of the runtime that it uses.
    used: BTreeSet<&'a str>,
    /// In bytes.
    size: usize,
}

/// Divides functions into units of about `usual` functions: the number of each function's unit. `names` and `shapes` have
/// an item for each. Functions of one shape are in one unit, since each unit compiles the inline functions of the runtime
/// that it calls. A function that is added or removed changes only the unit in which it is, since a hash of the first
/// function's name determines where a unit begins, and its number.
fn group_functions(names: &[String], shapes: &[Shape<'_>], usual: usize) -> Vec<u64> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&function| &shapes[function].used);
    let mut groups = vec![MODULE; names.len()];
    let (mut group, mut size) = (MODULE, 0);
    for function in order {
        let hash = hash(&names[function]);
        let ends = size >= 2 * usual * USUAL_SIZE
            || (2 * size >= usual * USUAL_SIZE && hash.is_multiple_of((usual as u64 / 2).max(1)));
        if group == MODULE || ends {
            size = 0;
            group = hash.max(MODULE + 1);
        }
        groups[function] = group;
        size += shapes[function].size;
    }
    groups
}

/// FNV-1a, which is the same on every machine.
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl CFile {
    /// The only unit of a module, which is called `stem.extension`.
    pub fn unit(self, plan: &Plan, stem: &str) -> OutputFile {
        let name = format!("{stem}.{}", extension(plan));
        let (contents, origins) = self.print(&name);
        OutputFile { name, contents, role: FileRole::Unit, origins }
    }

    /// The units of a module, with about `usual` functions each; the first one is that of the module itself, which is
    /// called `stem.extension`.
    pub fn units(self, plan: &Plan, usual: usize, stem: &str) -> Vec<OutputFile> {
        let names: Vec<String> = plan.all_functions().map(FunctionPlan::full_name).collect();
        let groups = group_functions(&names, &self.shapes(names.len()), usual);
        let extension = extension(plan);
        self.divide(&groups, |number| match number {
            MODULE => format!("{stem}.{extension}"),
            number => format!("{stem}_{number:016x}.{extension}"),
        })
    }

    /// The shape of each function.
    fn shapes(&self, functions: usize) -> Vec<Shape<'_>> {
        let mut shapes = vec![Shape::default(); functions];
        for (_, entry) in self.entries() {
            if let Some(shape) = entry.function.and_then(|function| shapes.get_mut(function)) {
                shape.used.extend(words(&entry.text).filter(|word| word.starts_with("fp_")));
                shape.size += entry.text.len();
            }
        }
        shapes
    }

    /// Divides the file: `groups` are the numbers of the units of its functions, and `name` returns the name of a unit.
    fn divide(self, groups: &[u64], name: impl Fn(u64) -> String) -> Vec<OutputFile> {
        let mut units: BTreeMap<u64, Vec<(Section, Entry)>> = BTreeMap::new();
        for number in [MODULE].iter().chain(groups) {
            units.entry(*number).or_default();
        }
        for (section, entry) in self.into_entries() {
            let group = entry.function.and_then(|function| groups.get(function)).copied();
            match (section, group) {
                (Section::Banner | Section::Includes, _) => {
                    units.values_mut().for_each(|unit| unit.push((section, entry.clone())));
                }
                (_, group) => {
                    if section == Section::Checks && group.is_some() {
                        units.entry(MODULE).or_default().push((section, entry.clone()));
                    }
                    units.entry(group.unwrap_or(MODULE)).or_default().push((section, entry));
                }
            }
        }
        let shared = Shared::find(&units);
        let print = |(number, mut entries): (u64, Vec<(Section, Entry)>)| {
            shared.export(number, &mut entries);
            entries.push((Section::Includes, Entry::plain(shared.declarations(number))));
            let name = name(number);
            let (contents, origins) = print_sections(entries, &name);
            OutputFile { name, contents, role: FileRole::Unit, origins }
        };
        units.into_iter().map(print).collect()
    }
}

/// The static functions and variables that another unit uses than the one that defines them.
struct Shared {
    /// The unit of each, and its declaration.
    defined: HashMap<String, (u64, String)>,
    /// The names that each unit needs a declaration for.
    declared: BTreeMap<u64, BTreeSet<String>>,
}

impl Shared {
    fn find(units: &BTreeMap<u64, Vec<(Section, Entry)>>) -> Self {
        let mut defined = HashMap::new();
        for (&number, entries) in units {
            for (_, entry) in own(entries) {
                for static_ in statics(&entry.text) {
                    defined.insert(static_.name.to_owned(), (number, static_.declaration));
                }
            }
        }
        let mut declared: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for (&number, entries) in units {
            for word in own(entries).flat_map(|(_, entry)| own_names(&entry.text)) {
                let Some(&(owner, _)) = defined.get(word) else { continue };
                if owner != number {
                    declared.entry(number).or_default().insert(word.to_owned());
                    // C++ needs it before the definition, for the linkage.
                    declared.entry(owner).or_default().insert(word.to_owned());
                }
            }
        }
        Self { defined, declared }
    }

    /// Makes what other units use visible to them.
    fn export(&self, number: u64, entries: &mut [(Section, Entry)]) {
        let Some(names) = self.declared.get(&number) else { return };
        for (_, entry) in entries {
            let places: Vec<usize> = statics(&entry.text)
                .filter(|static_| names.contains(static_.name))
                .map(|static_| static_.at)
                .collect();
            for at in places.into_iter().rev() {
                entry.text.replace_range(at..at + "static".len(), "FP_DEFINED");
            }
        }
    }

    fn declarations(&self, number: u64) -> String {
        let names = self.declared.get(&number).into_iter().flatten();
        let lines = names.filter_map(|name| self.defined.get(name));
        lines.map(|(_, declaration)| format!("{declaration}\n")).collect()
    }
}

/// The text that only one unit has.
fn own(entries: &[(Section, Entry)]) -> impl Iterator<Item = &(Section, Entry)> {
    entries.iter().filter(|(section, _)| *section > Section::Includes)
}

/// Macros that define the functions of members of a class for Python: the types of its result and of its parameters.
const MEMBERS: [(&str, &str, &str); 4] = [
    ("FP_METHOD(", "PyObject *", "FP_ENTRY"),
    ("FP_LONE_METHOD(", "PyObject *", "FP_LONE_ENTRY"),
    ("FP_GETTER(", "PyObject *", "PyObject *, void *"),
    ("FP_SETTER(", "int ", "PyObject *, PyObject *, void *"),
];

/// A static definition in generated text.
struct Static<'a> {
    /// Where it begins.
    at: usize,
    name: &'a str,
    declaration: String,
}

/// The functions and variables that begin in a text, without those that are inline: each unit may have them.
fn statics(text: &str) -> impl Iterator<Item = Static<'_>> {
    let starts = text.match_indices("static ").map(|(at, _)| at);
    starts.filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n').filter_map(|at| {
        let rest = &text[at + "static ".len()..];
        for (definition, returned, parameters) in MEMBERS {
            if let Some(arguments) = rest.strip_prefix(definition) {
                let name = &arguments[..arguments.find(',')?];
                let declaration = format!("FP_DECLARED {returned}{name}({parameters});");
                return Some(Static { at, name, declaration });
            }
        }
        let end = rest.find(['=', ';', '{'])?;
        let is_function = rest.as_bytes()[end] == b'{';
        let head = rest[..end].trim_end();
        let before = match is_function {
            true => &head[..head.find('(')?],
            false => head.split('[').next()?,
        };
        let name = &before[before.rfind(|c: char| !is_part_of_word(c)).map_or(0, |i| i + 1)..];
        let is_ours = name.starts_with(PREFIX) && !head.starts_with("inline");
        is_ours.then(|| Static { at, name, declaration: format!("FP_DECLARED {head};") })
    })
}

/// The names of the module in C code.
fn own_names(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| word.starts_with(PREFIX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> CFile {
        let mut file = CFile::new();
        file.add(Section::Includes, "#include \"a.h\"\n");
        file.add(Section::Checks, "int checked;");
        file.add(
            Section::Declarations,
            "static fp_name fpn_x = {\"x\", NULL};\nstatic fp_name fpn_y = {\"y\", NULL};",
        );
        for (number, name) in ["fpy_f", "fpy_g"].iter().enumerate() {
            file.begin_function(Some(number));
            let text = format!(
                "static int {name}_own;\n\nstatic PyObject *\n{name}(FP_ENTRY)\n{{\n    return fpn_x;\n}}\n"
            );
            file.add(Section::Functions, text);
        }
        file.begin_function(None);
        file.add(
            Section::Module,
            "static PyMethodDef fpy_functions[] = {\n    {fpy_f},\n    {fpy_g},\n};",
        );
        file
    }

    #[test]
    fn what_two_units_use_is_defined_in_one_of_them() {
        let units = file().divide(&[7, 9], |number| format!("m_{number}.c"));
        let names: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        assert_eq!(names, ["m_0.c", "m_7.c", "m_9.c"]);
        let texts: Vec<&str> = units.iter().map(|unit| unit.contents.as_str()).collect();
        let [module, f, g] = texts.as_slice() else { unreachable!() };
        assert!(module.contains("FP_DEFINED fp_name fpn_x = {\"x\", NULL};\nstatic fp_name fpn_y"));
        assert!(module.contains("FP_DECLARED PyObject *\nfpy_f(FP_ENTRY);\n"), "{}", module);
        assert!(module.contains("static PyMethodDef fpy_functions[] = {"));
        for unit in [f, g] {
            assert!(unit.contains("#include \"a.h\""), "{}", unit);
            assert!(unit.contains("FP_DECLARED fp_name fpn_x;\n"), "{}", unit);
            assert!(!unit.contains("checked"), "{}", unit);
        }
        assert!(f.contains("static int fpy_f_own;\n\nFP_DEFINED PyObject *\nfpy_f(FP_ENTRY)\n{"));
        assert!(!f.contains("fpy_g"), "{}", f);
    }

    #[test]
    fn a_new_function_changes_one_unit() {
        let names: Vec<String> = (0..500).map(|number| format!("f{number}")).collect();
        // Those of two shapes take turns.
        let group = |names: &[String]| {
            let shape = |name: &String| Shape {
                used: BTreeSet::from([["fp_a", "fp_b"][name.len() % 2]]),
                size: USUAL_SIZE,
            };
            let shapes: Vec<Shape<'_>> = names.iter().map(shape).collect();
            group_functions(names, &shapes, 24)
        };
        let before = group(&names);
        let units: BTreeSet<u64> = before.iter().copied().collect();
        assert!((10..=40).contains(&units.len()), "{}", units.len());
        let another = [String::from("another")];
        let after = group(&[&names[..100], &another, &names[100..]].concat());
        let moved = (0..500).filter(|&i| before[i] != after[i + usize::from(i >= 100)]).count();
        assert!(moved <= 48, "{moved}");
    }
}
