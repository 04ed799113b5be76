//! Which name was likely meant, and which is a constant's.

/// Capitals, as C writes constants: `NMAX`, `FFT_SIZE`.
pub(crate) fn is_constant(name: &str) -> bool {
    name.len() > 1 && !name.contains(|c: char| c.is_ascii_lowercase())
}

/// A capital, as `I` of <complex.h>.
pub(crate) fn is_constant_letter(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// "did you mean", where one of the names is close.
pub(crate) fn suggestion<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<String> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| format!("did you mean `{candidate}`?"))
}
