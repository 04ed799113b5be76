//! Maps places in a decoded string to the file.
//!
//! Purpose: a prototype is lexed as a string, but its source is inside a TOML string, perhaps with
//! escapes, over several lines, or with line-ending backslashes; a diagnostic must point to the
//! characters in the file.
//! Invariant: a decoded span becomes a span inside the raw string, on character boundaries, and
//! spans keep their order.
//! Reason: the map follows TOML's own decoding, and compares its result with the TOML parser's: if
//! the two differ, every place becomes the whole string, which is coarse but correct.

use fishplate_model::Span;

/// From byte offsets of a decoded string to byte offsets of the file.
#[derive(Clone, Debug)]
pub struct SpanMap {
    /// In order, without gaps in the decoded text.
    pieces: Vec<Piece>,
    /// The only place in an empty string, and every place if decoding differed.
    whole: Span,
}

/// A stretch of decoded string and its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    decoded: Span,
    file: Span,
    /// Identical in the source, so that offsets inside carry over.
    is_verbatim: bool,
}

impl SpanMap {
    /// The map of a string that is the file from byte `at` on.
    pub fn verbatim(text: &str, at: usize) -> Self {
        let whole = Span::new(at, at + text.len());
        let decoded = Span::new(0, text.len());
        SpanMap { pieces: vec![Piece { decoded, file: whole, is_verbatim: true }], whole }
    }

    /// The map of an assembled string: each stretch of it, in order and without gaps, with its
    /// place in `file`. `whole` is the place of the whole string.
    pub(crate) fn of_stretches(
        text: &str,
        stretches: impl IntoIterator<Item = (Span, Span)>,
        file: &str,
        whole: Span,
    ) -> Self {
        let piece = |(decoded, place): (Span, Span)| Piece {
            decoded,
            file: place,
            is_verbatim: text.get(decoded.start..decoded.end) == file.get(place.start..place.end),
        };
        SpanMap { pieces: stretches.into_iter().map(piece).collect(), whole }
    }

    /// The map of lines that were extracted from the file, each with the byte at which it begins,
    /// and joined with newlines. `empty` is the place of a string without lines.
    pub fn of_lines(lines: &[(usize, &str)], empty: usize) -> Self {
        let mut pieces = Vec::new();
        let mut length = 0;
        for (index, (at, line)) in lines.iter().enumerate() {
            let end = at + line.len();
            let decoded = Span::new(length, length + line.len());
            pieces.push(Piece { decoded, file: Span::new(*at, end), is_verbatim: true });
            length = decoded.end;
            if let Some((next, _)) = lines.get(index + 1) {
                let decoded = Span::new(length, length + 1);
                pieces.push(Piece { decoded, file: Span::new(end, *next), is_verbatim: false });
                length += 1;
            }
        }
        pieces.retain(|piece| piece.decoded.start < piece.decoded.end);
        let mut places = lines.iter().filter(|(_, line)| !line.is_empty());
        let first = places.next().map(|(at, line)| Span::new(*at, at + line.len()));
        let last = places.next_back().map(|(at, line)| Span::new(*at, at + line.len()));
        let whole = match (first, last) {
            (Some(first), Some(last)) => first.to(last),
            (Some(only), None) => only,
            (None, _) => Span::new(empty, empty),
        };
        SpanMap { pieces, whole }
    }

    /// The map of a part of the decoded string.
    pub fn part(&self, start: usize, end: usize) -> Self {
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let from = piece.decoded.start.max(start);
            let to = piece.decoded.end.min(end);
            if from < to {
                let file = if piece.is_verbatim { self.span(from, to) } else { piece.file };
                let decoded = Span::new(from - start, to - start);
                pieces.push(Piece { decoded, file, ..*piece });
            }
        }
        SpanMap { pieces, whole: self.span(start, end) }
    }

    /// The map of a TOML string (or bare key): `raw` is the source from byte `at` on, delimiters
    /// included, and `decoded` the TOML parser's result.
    pub fn of_toml(raw: &str, at: usize, decoded: &str) -> Self {
        let whole = Span::new(at, at + raw.len());
        let (body, escapes) = strip_delimiters(raw);
        let body_at = at + (raw.len() - strip_front(raw).len());
        let mut builder = Builder { text: String::with_capacity(body.len()), pieces: Vec::new() };
        if escapes {
            builder.decode(body, body_at);
        } else {
            builder.verbatim(body, body_at);
        }
        if builder.text == decoded {
            let content = Span::new(body_at, body_at + body.len());
            SpanMap { pieces: builder.pieces, whole: if body.is_empty() { whole } else { content } }
        } else {
            SpanMap { pieces: Vec::new(), whole }
        }
    }

    /// The origin of the decoded bytes from `start` up to, not including, `end`.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let Some(first) = self.piece(start) else {
            let end = self.pieces.last().map(|last| Span::new(last.file.end, last.file.end));
            return end.unwrap_or(self.whole);
        };
        let from = if first.is_verbatim {
            first.file.start + (start - first.decoded.start)
        } else {
            first.file.start
        };
        if end <= start {
            return Span::new(from, from);
        }
        let Some(last) = self.piece(end - 1) else { return Span::new(from, self.whole.end) };
        let to = if last.is_verbatim {
            last.file.start + (end - last.decoded.start)
        } else {
            last.file.end
        };
        Span::new(from, to)
    }

    /// The place of the whole string, without its delimiters.
    pub fn whole(&self) -> Span {
        self.whole
    }

    fn piece(&self, offset: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|piece| piece.decoded.end <= offset);
        self.pieces.get(after)
    }
}

/// The string without its opening delimiter, and the newline that TOML drops after `"""` and `'''`.
fn strip_front(raw: &str) -> &str {
    for delimiter in ["\"\"\"", "'''"] {
        if let Some(rest) = raw.strip_prefix(delimiter) {
            return rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")).unwrap_or(rest);
        }
    }
    raw.strip_prefix(['"', '\'']).unwrap_or(raw)
}

/// The string without delimiters, and whether it has escapes.
fn strip_delimiters(raw: &str) -> (&str, bool) {
    let body = strip_front(raw);
    let end = match raw {
        _ if raw.starts_with("\"\"\"") => "\"\"\"",
        _ if raw.starts_with("'''") => "'''",
        _ if raw.starts_with('"') => "\"",
        _ if raw.starts_with('\'') => "'",
        _ => "",
    };
    (body.strip_suffix(end).unwrap_or(body), raw.starts_with('"'))
}

/// Decodes as TOML does, recording the origin of each stretch.
struct Builder {
    text: String,
    pieces: Vec<Piece>,
}

impl Builder {
    fn push(&mut self, decoded: &str, file: Span) {
        let start = self.text.len();
        self.text.push_str(decoded);
        let decoded = Span::new(start, self.text.len());
        let is_verbatim = decoded.end - decoded.start == file.end - file.start;
        self.pieces.push(Piece { decoded, file, is_verbatim });
    }

    fn verbatim(&mut self, text: &str, at: usize) {
        if !text.is_empty() {
            self.push(text, Span::new(at, at + text.len()));
        }
    }

    fn decode(&mut self, body: &str, at: usize) {
        let mut rest = body;
        while let Some(stop) = rest.find('\\') {
            let here = at + (body.len() - rest.len());
            self.verbatim(&rest[..stop], here);
            let (decoded, length) = escape(&rest[stop..]);
            if let Some(c) = decoded {
                let start = here + stop;
                self.push(c.encode_utf8(&mut [0; 4]), Span::new(start, start + length));
            }
            rest = &rest[stop + length..];
        }
        self.verbatim(rest, at + (body.len() - rest.len()));
    }
}

/// The character for the escape at the start of `text`, and the length of the escape in bytes. A
/// line-ending backslash yields no character and includes all white space that follows. A broken
/// escape need not be right: the TOML parser has reported it.
fn escape(text: &str) -> (Option<char>, usize) {
    let Some(letter) = text[1..].chars().next() else { return (Some('\\'), 1) };
    let hex = |digits: usize| {
        let value = text.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        (value.and_then(char::from_u32), if value.is_some() { 2 + digits } else { 2 })
    };
    match letter {
        'b' => (Some('\u{8}'), 2),
        'e' => (Some('\u{1b}'), 2),
        'f' => (Some('\u{c}'), 2),
        'n' => (Some('\n'), 2),
        'r' => (Some('\r'), 2),
        't' => (Some('\t'), 2),
        '"' => (Some('"'), 2),
        '\\' => (Some('\\'), 2),
        'x' => hex(2),
        'u' => hex(4),
        'U' => hex(8),
        ' ' | '\t' | '\r' | '\n' => {
            let after = text[1..].trim_start_matches([' ', '\t', '\r', '\n']);
            (None, text.len() - after.len())
        }
        _ => (Some('\\'), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeValue;

    /// Decodes `raw` with the TOML parser and maps the place of `needle` back into `raw`.
    fn mapped<'r>(raw: &'r str, needle: &str) -> &'r str {
        let value = DeValue::parse(raw).unwrap();
        let decoded = value.get_ref().as_str().unwrap();
        let map = SpanMap::of_toml(raw, 0, decoded);
        let at = decoded.find(needle).unwrap();
        let span = map.span(at, at + needle.len());
        &raw[span.start..span.end]
    }

    #[test]
    fn all_four_forms_of_string() {
        assert_eq!(mapped(r#""double f(int n)""#, "int n"), "int n");
        assert_eq!(mapped("'double f(int n)'", "int n"), "int n");
        assert_eq!(mapped("\"\"\"\ndouble f(\n  int n)\"\"\"", "int n"), "int n");
        assert_eq!(mapped("'''\r\ndouble f(\r\n  int n)'''", "int n"), "int n");
        assert_eq!(mapped("\"\"\"say \"\"n\"\" \"\"\"", "n\"\""), "n\"\"");
    }

    #[test]
    fn escapes_before_inside_and_after() {
        assert_eq!(mapped(r#""\ta\u00e9b\U0001F600 c""#, "aéb"), r"a\u00e9b");
        assert_eq!(mapped(r#""\ta\u00e9b\U0001F600 c""#, "é"), r"\u00e9");
        assert_eq!(mapped(r#""\ta\u00e9b\U0001F600 c""#, "c"), "c");
        assert_eq!(mapped(r#""a = \"x\" + n""#, "\"x\""), r#"\"x\""#);
    }

    #[test]
    fn line_ending_backslashes() {
        let raw = "\"\"\"\\\n   double f(int n, \\\n   \r\n  int m)\"\"\"";
        assert_eq!(mapped(raw, "int m"), "int m");
        assert_eq!(mapped(raw, "double"), "double");
        assert_eq!(mapped(raw, "n, int"), "n, \\\n   \r\n  int");
    }

    #[test]
    fn other_escapes_map_to_the_whole_string() {
        let map = SpanMap::of_toml("\"abc\"", 10, "xyz");
        assert_eq!(map.span(1, 2), Span::new(10, 15));
        assert_eq!(SpanMap::of_toml("\"\"", 10, "").whole(), Span::new(10, 12));
        assert_eq!(SpanMap::of_toml("\"abc\"", 10, "abc").span(3, 3), Span::new(14, 14));
    }

    #[test]
    fn lines_that_were_taken_out_and_their_parts() {
        let file = "key: ab\n  # no\n\tcd\n\n  ef";
        let map = SpanMap::of_lines(&[(5, "ab"), (16, "cd"), (19, ""), (22, "ef")], 4);
        let text = "ab\ncd\n\nef";
        let at = |map: &SpanMap, text: &str, needle: &str| {
            let start = text.find(needle).unwrap();
            let span = map.span(start, start + needle.len());
            file[span.start..span.end].to_owned()
        };
        assert_eq!(at(&map, text, "cd"), "cd");
        assert_eq!(at(&map, text, "b\nc"), "b\n  # no\n\tc");
        assert_eq!(map.whole(), Span::new(5, 24));
        assert_eq!(at(&map.part(3, 9), "cd\n\nef", "ef"), "ef");
        assert_eq!(at(&map.part(4, 8), "d\n\ne", "d"), "d");
        assert_eq!(SpanMap::of_lines(&[], 4).whole(), Span::new(4, 4));
    }

    #[test]
    fn bare_and_quoted_keys() {
        assert_eq!(SpanMap::of_toml("mean", 3, "mean").whole(), Span::new(3, 7));
        assert_eq!(SpanMap::of_toml("'mean'", 3, "mean").whole(), Span::new(4, 8));
    }
}
