//! The sections of a litmus test: its name, the initial state, the code, and the
//! statements about it.

use super::Language;
use super::complaint::{Detail, complaint};
use super::cursor::Cursor;
use super::text::{Kind, Token, span_of};
use program::{Diagnostic, Quantifier, Source, Span};
use std::path::Path;

/// Consecutive tokens and what stands before them.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub tokens: &'a [Token],
    pub before: Span,
}

impl<'a> Part<'a> {
    /// A cursor before the first token.
    pub fn cursor(self, source: &'a Source) -> Cursor<'a> {
        Cursor::new(source, self.tokens, self.before)
    }
}

/// A litmus test, cut into its sections.
pub struct Sections<'a> {
    /// The test's name.
    pub name: String,
    /// The tokens between the braces of the initial state.
    pub init: Option<Part<'a>>,
    /// The code, heading included.
    pub code: Part<'a>,
    /// What follows the code.
    pub statements: Vec<Statement<'a>>,
}

/// What a statement after the code is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    Locations,
    Filter,
    Condition(Quantifier),
    Invariant,
    Eventually { repeatedly: bool },
}

/// A statement after the code.
pub struct Statement<'a> {
    pub keyword: Keyword,
    /// Where the keyword stands.
    pub head: Span,
    /// What follows it.
    pub body: Part<'a>,
}

/// The first words of statements.
pub const KEYWORDS: [&str; 7] = [
    "locations",
    "filter",
    "exists",
    "forall",
    "invariant",
    "eventually",
    "always",
];

/// The keyword at the start of `tokens` and the number of tokens it takes.
fn keyword(tokens: &[Token]) -> Option<(Keyword, usize)> {
    let word = |at: usize| match tokens.get(at) {
        Some(token) if token.kind == Kind::Word => token.text.as_str(),
        Some(token) if token.is("~") => "~",
        _ => "",
    };
    let found = match (word(0), word(1)) {
        ("locations", _) => (Keyword::Locations, 1),
        ("filter", _) => (Keyword::Filter, 1),
        ("exists", _) => (Keyword::Condition(Quantifier::Exists), 1),
        ("~" | "not", "exists") => (Keyword::Condition(Quantifier::NotExists), 2),
        ("forall", _) => (Keyword::Condition(Quantifier::Forall), 1),
        ("invariant", _) => (Keyword::Invariant, 1),
        ("eventually", _) => (Keyword::Eventually { repeatedly: false }, 1),
        ("always", "eventually") => (Keyword::Eventually { repeatedly: true }, 2),
        _ => return None,
    };
    // A label or a location may have the same name.
    let after_names = [":", "=", "<", ">", ";", "]", ")"];
    let next = tokens.get(found.1);
    let is_name = next.is_some_and(|token| after_names.iter().any(|sign| token.is(sign)));
    (!is_name).then_some(found)
}

/// The index of the first statement: a keyword at the start of a line or after
/// the end of a row.
fn end_of_code(tokens: &[Token]) -> usize {
    let after_row = |at: usize| at > 0 && tokens.get(at - 1).is_some_and(|t| t.is(";"));
    (0..tokens.len())
        .filter(|at| tokens[*at].first || after_row(*at))
        .find(|at| keyword(&tokens[*at..]).is_some())
        .unwrap_or(tokens.len())
}

/// Removes SPARC's comments to the end of the line: `--`, and `!` before the
/// statements, in which `!` is a connective. The first line, with the test's
/// name, stays as it is.
pub fn without_line_comments(tokens: Vec<Token>) -> Vec<Token> {
    let statements = end_of_code(&tokens);
    let heading = tokens.first().map_or(0, |token| token.span.line);
    let mut commented = 0;
    let starts: Vec<bool> = (0..tokens.len())
        .map(|at| {
            let dashes = tokens[at].is("-")
                && tokens
                    .get(at + 1)
                    .is_some_and(|next| next.is("-") && next.glued);
            dashes || (tokens[at].is("!") && at < statements)
        })
        .collect();
    let mut kept = Vec::new();
    for (token, starts) in tokens.into_iter().zip(starts) {
        let line = token.span.line;
        if starts && line != heading {
            commented = line;
        }
        if line != commented {
            kept.push(token);
        }
    }
    kept
}

/// The test's name, the tokens of the line that gives it, and those below. A test
/// that begins with `Processor 0` is called like its file.
fn heading<'a>(
    source: &Source,
    tokens: &'a [Token],
) -> Result<(String, &'a [Token], &'a [Token]), Diagnostic> {
    if tokens
        .first()
        .is_some_and(|token| token.is_word("Processor"))
    {
        let stem = Path::new(&*source.name).file_stem();
        let name = stem.unwrap_or_default().to_string_lossy();
        return Ok((name.into_owned(), &[], tokens));
    }
    let line = tokens.first().map_or(0, |token| token.span.line);
    let on_line = tokens.iter().take_while(|t| t.span.line == line).count();
    let (first_line, below) = tokens.split_at(on_line);
    let arch = span_of(first_line.get(..1).unwrap_or_default());
    let words = Cursor::new(source, first_line.get(1..).unwrap_or_default(), arch);
    if words.at_end() {
        return Err(words.unexpected("the test's name"));
    }
    let name = source.excerpt(span_of(words.rest())).to_owned();
    Ok((name, first_line, below))
}

/// Cuts the tokens of a test into its sections.
pub fn sections<'a>(
    source: &'a Source,
    tokens: &'a [Token],
    language: Language,
) -> Result<Sections<'a>, Diagnostic> {
    let (name, first_line, below) = heading(source, tokens)?;
    let mut cursor = Cursor::new(source, below, span_of(first_line));
    skip_metadata(&mut cursor, language)?;
    let init = match cursor.sees("{") {
        true => Some(braces(&mut cursor)?),
        false => None,
    };
    let code = Part {
        before: cursor.here(),
        tokens: cursor.rest(),
    };
    let (code, rest) = code.tokens.split_at(end_of_code(code.tokens));
    Ok(Sections {
        name,
        init,
        code: Part {
            tokens: code,
            before: cursor.here(),
        },
        statements: statements(rest),
    })
}

/// Skips the text in quotes and the lines `Key=value` before the initial state.
fn skip_metadata(cursor: &mut Cursor<'_>, language: Language) -> Result<(), Diagnostic> {
    while let Some(token) = cursor.peek() {
        let line = token.span.line;
        let on_line = cursor.rest().iter().take_while(|t| t.span.line == line);
        if token.kind == Kind::Quoted {
            cursor.take();
        } else if token.is("{") || (language == Language::Sparc && starts_code(cursor)) {
            return Ok(());
        } else if token.kind == Kind::Word && on_line.clone().any(|t| t.is("=")) {
            for _ in 0..on_line.count() {
                cursor.take();
            }
        } else {
            break;
        }
    }
    let what = "a line `Key=value`, a description in quotes, or the initial state `{ … }`";
    Err(cursor.unexpected(what))
}

/// True before `Processor 0` and before `P0 |` or `P0 ;`.
fn starts_code(cursor: &Cursor<'_>) -> bool {
    let column = cursor.peek_at(1).is_some_and(|t| t.is("|") || t.is(";"));
    cursor.sees_word("Processor") || column
}

/// Takes everything up to the brace that closes the next one.
fn braces<'a>(cursor: &mut Cursor<'a>) -> Result<Part<'a>, Diagnostic> {
    let open = cursor.here();
    cursor.expect("{")?;
    let start = cursor.clone();
    let mut depth = 1usize;
    while let Some(token) = cursor.peek() {
        depth += usize::from(token.is("{"));
        depth -= usize::from(token.is("}"));
        if depth == 0 {
            let inside = cursor.since(&start);
            cursor.take();
            return Ok(Part {
                tokens: inside,
                before: open,
            });
        }
        cursor.take();
    }
    let missing = complaint(cursor.source, open, "this brace is not closed");
    Err(missing.expected("a `}` after the initial state"))
}

/// Cuts the tokens after the code at the keywords.
fn statements(tokens: &[Token]) -> Vec<Statement<'_>> {
    let mut heads: Vec<(usize, Keyword, usize)> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match keyword(&tokens[at..]) {
            Some((found, taken)) => {
                heads.push((at, found, taken));
                at += taken;
            }
            None => at += 1,
        }
    }
    heads
        .iter()
        .enumerate()
        .map(|(index, (start, keyword, taken))| {
            let end = heads.get(index + 1).map_or(tokens.len(), |next| next.0);
            let head = span_of(&tokens[*start..start + taken]);
            Statement {
                keyword: *keyword,
                head,
                body: Part {
                    tokens: &tokens[start + taken..end],
                    before: head,
                },
            }
        })
        .collect()
}
