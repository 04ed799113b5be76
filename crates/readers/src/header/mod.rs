//! C headers.
mod declarator;
mod mask;
mod meaning;
mod preprocessed;
mod syntax;
