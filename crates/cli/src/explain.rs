//! `fishplate explain FILE [FUNCTION]` and `fishplate explain CODE`

mod code;
mod plan;

use crate::hosts::{self, HostName};
use std::path::PathBuf;

const HELP: &str = "\
Shows, step by step, what is borrowed, copied, allocated and checked, and in which order overloads \
are tried; or, of a diagnostic, what is wrong, an example of it, and how to correct that:

    fishplate explain stats.toml
    fishplate explain stats.toml mean
    fishplate explain FP0303";

/// Arguments of `explain`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The interface file, or the code of a diagnostic, such as FP0303.
    #[arg(value_name = "FILE|CODE")]
    subject: PathBuf,
    /// One function; by default all of them.
    function: Option<String>,
    /// The host language.
    #[arg(long, value_parser = hosts::parser(), default_value_t)]
    host: HostName,
}

impl Arguments {
    /// The code, in capitals, if the subject has the form of one. No interface has: their names have endings.
    fn code(&self) -> Option<String> {
        let subject = self.subject.to_str()?.to_ascii_uppercase();
        let digits = subject.strip_prefix("FP")?;
        let is_code = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then_some(subject)
    }

    /// The part of the command line that contradicts the subject.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let (code, function) = (self.code()?, self.function.as_ref()?);
        Some(format!(
            "{code} is a diagnostic, which has no function `{function}`: explain one of them"
        ))
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    match arguments.code() {
        Some(code) => code::explain(&code, as_json),
        None => plan::explain(
            &arguments.subject,
            arguments.function.as_deref(),
            arguments.host.0,
            as_json,
        ),
    }
}
