//! A host of a few hundred lines: C that is called from C, with an error string in place of exceptions.
//!
//! Purpose: show the smallest useful host, and test that nothing outside of it need change.
//! Invariant: numbers and arrays of numbers; `check` refuses every other feature.
//! Reason: a first host of a new language can begin like this.

use super::print;
use fishplate_emit::{About, Emitted, FileRole, Host, OutputFile};
use fishplate_model::Device;
use fishplate_plan::{Capabilities, Plan, Words};
use fishplate_toolchain::{Environment, Target};
use std::ffi::OsStr;

/// C itself.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// The runtime header.
const RUNTIME: &str = concat!(
    "#ifndef FISHPLATE_PLAIN_H\n#define FISHPLATE_PLAIN_H\n#include <stddef.h>\n#include <stdint.h>\n",
    include_str!("../../../emit/runtime/dimensions.h"),
    include_str!("plain.h"),
    "#endif\n"
);

const ABOUT: About = About {
    summary: "C, with an error string",
    option: "Not used",
    value: "NAME",
    files: "NAME_plain.c and its headers",
    by_hand: "    cc -c generated/stats_plain.c",
};

impl Host for Plain {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            host: "plain",
            reserved: &["auto", "int", "register"],
            is_special: |_| false,
            is_of_enums: |_| false,
            language: "plain C",
            modules: &[],
            standard_modules: &[],
            features: &[],
            maps: false,
            structured: false,
            sparse: false,
            devices: &[Device::Cpu],
            words: Words { nothing: "NULL", failure: "an error", lock: None, keywords: false },
        }
    }

    fn emit(&self, plan: &Plan) -> Emitted {
        let file = |name: String, contents: String, role| OutputFile {
            name,
            contents,
            role,
            origins: Vec::new(),
        };
        let name = &plan.name;
        Emitted {
            files: vec![
                file(format!("{name}_plain.c"), print::unit(plan), FileRole::Unit),
                file(format!("{name}_plain.h"), print::header(plan), FileRole::Header),
                file("fishplate_plain.h".to_owned(), RUNTIME.to_owned(), FileRole::Header),
            ],
        }
    }

    fn find(&self, _: &Environment, _: Option<&OsStr>) -> Result<Target, String> {
        Ok(Target { name: "plain".to_owned(), suffix: ".so".to_owned(), ..Target::default() })
    }

    fn survey(&self, _: &Environment, _: Option<&OsStr>) -> Vec<String> {
        vec!["plain: always".to_owned()]
    }
}
