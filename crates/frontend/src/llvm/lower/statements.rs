//! The statement at a place of a source line.
//!
//! A line is cut at `;`, `{` and `}` outside parentheses, quotes and comments. Only the
//! line is looked at: a comment or a string that began on an earlier one is not seen.

/// A stretch of a line in bytes, without blanks and comments around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: usize,
    pub end: usize,
}

/// The statement around byte `at` of `line`; the character there if no statement is.
pub(super) fn statement_at(line: &str, at: usize) -> Stretch {
    let at = at.min(line.len().saturating_sub(1));
    let pieces = cut(line);
    let around = pieces.iter().find(|piece| at < piece.end_with_mark);
    let around = around.or(pieces.last()).map(|piece| piece.text);
    match around {
        Some(text) if text.start < text.end && at < text.end.max(text.start + 1) => text,
        // Past a statement's end: the mark that ends it, such as the `}` of a function.
        Some(text) if text.start < text.end && !line.is_char_boundary(at) => text,
        Some(text) if text.start < text.end && line.as_bytes().get(at) == Some(&b';') => text,
        _ => character(line, at),
    }
}

fn character(line: &str, at: usize) -> Stretch {
    let mut start = at;
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    let length = line[start..].chars().next().map_or(0, char::len_utf8);
    Stretch {
        start,
        end: start + length,
    }
}

/// The whole line, without blanks around it.
pub(super) fn whole(line: &str) -> Stretch {
    let start = line.len() - line.trim_start().len();
    Stretch {
        start,
        end: start + line.trim().len(),
    }
}

struct Piece {
    text: Stretch,
    /// Past the `;`, `{` or `}` that ends it.
    end_with_mark: usize,
}

fn cut(line: &str) -> Vec<Piece> {
    let bytes = line.as_bytes();
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut at) = (0, 0usize, 0);
    // Code seen since `start`: its first and last byte, and the last character.
    let mut code: Option<(usize, usize)> = None;
    let mut finish = |code: &mut Option<(usize, usize)>, start: usize, end: usize| {
        let (from, to) = code.take().unwrap_or((start, start));
        pieces.push(Piece {
            text: Stretch {
                start: from,
                end: to,
            },
            end_with_mark: end,
        });
    };
    while at < bytes.len() {
        let length = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = line[at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => quoted(bytes, at, quote),
            b'(' | b'[' => {
                depth += 1;
                1
            }
            b')' | b']' => {
                depth = depth.saturating_sub(1);
                1
            }
            // The braces of an initialiser do not end anything.
            b'{' if depth > 0 || code.is_some_and(|(_, end)| bytes[end - 1] == b'=') => {
                depth += 1;
                1
            }
            b'}' if depth > 0 => {
                depth -= 1;
                1
            }
            b';' | b'{' | b'}' if depth == 0 => {
                finish(&mut code, start, at + 1);
                at += 1;
                start = at;
                continue;
            }
            _ => 1,
        };
        if !bytes[at].is_ascii_whitespace() {
            let first = code.map_or(at, |(first, _)| first);
            code = Some((first, (at + length).min(bytes.len())));
        }
        at += length;
    }
    if code.is_some() {
        finish(&mut code, start, bytes.len());
    }
    pieces
}

/// The length of a string or character constant.
fn quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len()) - start
}

#[cfg(test)]
mod tests {
    use super::statement_at;

    #[test]
    fn lines_are_cut_into_statements() {
        let text = |line: &str, column: usize| {
            let found = statement_at(line, column - 1);
            line[found.start..found.end].to_owned()
        };
        assert_eq!(text("  ST(x, 1); ST(y, 2);", 3), "ST(x, 1)");
        assert_eq!(text("  ST(x, 1); ST(y, 2);", 16), "ST(y, 2)");
        assert_eq!(
            text("for (int i = 0; i < 2; i++) { f(i); }", 17),
            "for (int i = 0; i < 2; i++)"
        );
        assert_eq!(text("for (;;) { f(i); }", 13), "f(i)");
        assert_eq!(
            text("void *t(void *a) { x = 1; return 0; } // end", 20),
            "x = 1"
        );
        assert_eq!(
            text("void *t(void *a) { x = 1; return 0; } // end", 37),
            "}"
        );
        assert_eq!(text("  x = 1; /* why; */", 7), "x = 1");
        assert_eq!(
            text("  /* a; b */ y = ';' + f(\";}\"); z();", 14),
            "y = ';' + f(\";}\")"
        );
        assert_eq!(text("int a[] = {1, 2}; b();", 5), "int a[] = {1, 2}");
        assert_eq!(text("}", 1), "}");
        assert_eq!(text("", 1), "");
        assert_eq!(text("   f(é); g();", 12), "g()");
        assert_eq!(text("  while (a) b;  ", 3), "while (a) b");
    }
}
