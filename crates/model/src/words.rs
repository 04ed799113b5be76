//! The words of C code: names, keywords and numbers.
//!
//! Purpose: find out which names an expression of an interface uses, and replace one.
//! Invariant: text is data here; nothing is parsed, so words in strings and comments count too.
//! Reason: the C of an interface is checked by the compiler alone.

/// Returns whether a character may be part of a name in C.
pub fn is_part_of_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The words of C code, in their order.
pub fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_part_of_word(c)).filter(|word| !word.is_empty())
}

/// The code with another word in each place of this one.
pub fn replace_word(code: &str, word: &str, by: &str) -> String {
    let mut replaced = String::with_capacity(code.len() + by.len());
    let mut rest = code;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len());
        let (first, others) = rest.split_at(end);
        replaced.push_str(if first == word { by } else { first });
        let (between, next) = others.split_at(others.find(is_part_of_word).unwrap_or(others.len()));
        replaced.push_str(between);
        rest = next;
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        let code = "herr_t each(each_t *eaches, int each)";
        assert_eq!(replace_word(code, "each", "e1"), "herr_t e1(each_t *eaches, int e1)");
        assert_eq!(replace_word("", "each", "e1"), "");
        assert_eq!(replace_word("é each;", "each", "e1"), "é e1;");
    }

    #[test]
    fn words_have_no_signs() {
        assert_eq!(words("f(x->y, 0x1F)").collect::<Vec<_>>(), ["f", "x", "y", "0x1F"]);
    }
}
