//! Cutting the text into tokens.
//!
//! Comments `(* … *)`, which nest, and `// …` vanish here. Which further
//! comments there are hangs on the language and the section, so `!` and `--`
//! come out as ordinary tokens. Symbols come out character by character, since
//! `||` is a connective in a formula and two column bars in code; a token that
//! is [glued](Token::glued) to the one before may form a longer symbol with it.

use super::complaint::{Detail, complaint};
use program::{Diagnostic, Source, Span};

/// Some editors put it before the text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The largest number of characters in a name or a number.
const MAX_LENGTH: usize = 1000;

/// What sort of token it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name: letters, digits, `_`, and dots inside.
    Word,
    /// Something that starts with a digit: `12`, `0x1f`, `1b`.
    Number,
    /// Any other character.
    Symbol,
    /// A quoted text.
    Quoted,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its sort.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Nothing stands between the token before and this one.
    pub glued: bool,
    /// Nothing but space and comments stands before it on its line.
    pub first: bool,
}

impl Token {
    /// True for this symbol.
    pub fn is(&self, symbol: &str) -> bool {
        self.kind == Kind::Symbol && self.text == symbol
    }

    /// True for this word, in any case.
    pub fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// The number that the token denotes, decimal or hexadecimal, if it is one
    /// and fits 64 bits.
    pub fn number(&self) -> Option<u64> {
        if self.kind != Kind::Number {
            return None;
        }
        let lower = self.text.to_ascii_lowercase();
        match lower.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => lower.parse().ok(),
        }
    }
}

/// The span from the first to the last of the tokens; only its first line if
/// they stand on several.
pub fn span_of(tokens: &[Token]) -> Span {
    let Some(first) = tokens.first() else {
        return Span::NOWHERE;
    };
    let line = tokens.iter().take_while(|t| t.span.line == first.span.line);
    let end = line.map(|t| end_column(t.span)).last().unwrap_or(0);
    let (line, column) = (first.span.line, first.span.column);
    Span::new(line, column, end.saturating_sub(column))
}

/// The column just past a span.
pub fn end_column(span: Span) -> u32 {
    span.column.saturating_add(span.length)
}

/// Cuts the whole text into tokens.
pub fn tokens(source: &Source) -> Result<Vec<Token>, Diagnostic> {
    let mut scanner = Scanner {
        source,
        characters: source.text.chars().collect(),
        at: 0,
        line: 1,
        column: 1,
        glued: false,
        first: true,
        tokens: Vec::new(),
    };
    if scanner.peek(0) == Some(BYTE_ORDER_MARK) {
        scanner.skip(1);
    }
    while let Some(character) = scanner.peek(0) {
        scanner.step(character)?;
    }
    Ok(scanner.tokens)
}

struct Scanner<'a> {
    source: &'a Source,
    characters: Vec<char>,
    at: usize,
    line: u32,
    column: u32,
    glued: bool,
    first: bool,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn advance(&mut self) {
        if self.peek(0) == Some('\n') {
            self.line += 1;
            self.column = 1;
            self.first = true;
        } else {
            self.column += 1;
        }
        self.at += 1;
    }

    fn step(&mut self, character: char) -> Result<(), Diagnostic> {
        let next = self.peek(1);
        match character {
            _ if character.is_whitespace() => self.skip(1),
            '(' if next == Some('*') => self.comment()?,
            '/' if next == Some('/') => {
                let rest = self.characters.iter().skip(self.at);
                let length = rest.take_while(|c| **c != '\n').count();
                self.skip(length);
            }
            '"' => match self.quoted_length() {
                Some(length) => self.token(Kind::Quoted, length),
                None => self.token(Kind::Symbol, 1),
            },
            _ if character.is_ascii_digit() => {
                let length = self.length_of(|c| c.is_ascii_alphanumeric() || c == '_');
                self.bounded(Kind::Number, length)?;
            }
            _ if self.starts_word(0) => self.bounded(Kind::Word, self.word_length())?,
            _ => self.token(Kind::Symbol, 1),
        }
        Ok(())
    }

    /// A letter or `_`, or a dot before one.
    fn starts_word(&self, ahead: usize) -> bool {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let here = self.peek(ahead);
        letter(here) || (here == Some('.') && letter(self.peek(ahead + 1)))
    }

    fn word_length(&self) -> usize {
        let mut length = 1;
        while self.starts_word(length) || self.peek(length).is_some_and(|c| c.is_ascii_digit()) {
            length += 1;
        }
        length
    }

    fn length_of(&self, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.characters.iter().skip(self.at);
        rest.take_while(|c| belongs(**c)).count()
    }

    /// The length of the quoted text here, if it ends; one that starts a line, as
    /// descriptions do, may end on another.
    fn quoted_length(&self) -> Option<usize> {
        let rest = self.characters.iter().skip(self.at + 1);
        let within = |c: &&char| **c != '"' && (self.first || **c != '\n');
        let inside = rest.take_while(within).count();
        (self.peek(inside + 1) == Some('"')).then_some(inside + 2)
    }

    fn bounded(&mut self, kind: Kind, length: usize) -> Result<(), Diagnostic> {
        if length > MAX_LENGTH {
            let span = Span::new(self.line, self.column, 1);
            let message = format!("a name or number of {length} characters starts here");
            let complaint = complaint(self.source, span, message);
            return Err(complaint.expected(format!("at most {MAX_LENGTH} characters")));
        }
        self.token(kind, length);
        Ok(())
    }

    fn token(&mut self, kind: Kind, length: usize) {
        let text: String = self.characters.iter().skip(self.at).take(length).collect();
        let on_first_line = text.lines().next().map_or(0, |line| line.chars().count());
        let characters = u32::try_from(on_first_line).unwrap_or(u32::MAX);
        self.tokens.push(Token {
            kind,
            text,
            span: Span::new(self.line, self.column, characters),
            glued: self.glued,
            first: self.first,
        });
        self.first = false;
        for _ in 0..length {
            self.advance();
        }
        self.glued = true;
    }

    fn skip(&mut self, length: usize) {
        for _ in 0..length {
            self.advance();
        }
        self.glued = false;
    }

    fn comment(&mut self) -> Result<(), Diagnostic> {
        let start = Span::new(self.line, self.column, 2);
        let mut depth = 0usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('('), Some('*')) => {
                    depth += 1;
                    self.skip(2);
                }
                (Some('*'), Some(')')) => {
                    depth -= 1;
                    self.skip(2);
                }
                (Some(_), _) => self.skip(1),
                (None, _) => {
                    let message = "this comment does not end";
                    return Err(complaint(self.source, start, message));
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let found = tokens(&Source::new("t", text)).unwrap();
        found.into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_vanish_and_quotes_stay() {
        let text = "a(* b (* c *) d *)e \"(* f\" // g\nh";
        assert_eq!(texts(text), ["a", "e", "\"(* f\"", "h"]);
    }

    #[test]
    fn words_numbers_and_symbols() {
        let words = ["MOV", "[", "x", "]", ",", "$", "-", "1"];
        assert_eq!(texts("MOV [x],$-1"), words);
        assert_eq!(texts("0..2 .L1 1b"), ["0", ".", ".", "2", ".L1", "1b"]);
    }

    #[test]
    fn only_a_quote_that_starts_a_line_spans_lines() {
        assert_eq!(texts("\"a\nb\" c"), ["\"a\nb\"", "c"]);
        assert_eq!(texts("a \"b\nc\""), ["a", "\"", "b", "c", "\""]);
    }

    #[test]
    fn every_span_quotes_its_token() {
        let source = Source::new("t", "é x\n  (* ü *) yy=12");
        for token in tokens(&source).unwrap() {
            assert_eq!(source.excerpt(token.span), token.text);
        }
    }
}
