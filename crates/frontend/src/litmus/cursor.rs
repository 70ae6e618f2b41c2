//! Walking along tokens.

use super::complaint::{Detail, complaint, shortened};
use super::text::{Kind, Token, end_column};
use program::{Diagnostic, Source, Span};

/// A place among tokens.
#[derive(Clone)]
pub struct Cursor<'a> {
    pub source: &'a Source,
    tokens: &'a [Token],
    at: usize,
    /// Where to complain if there is no token at all.
    before: Span,
}

impl<'a> Cursor<'a> {
    /// Before the first of `tokens`, which stand right after `before`.
    pub fn new(source: &'a Source, tokens: &'a [Token], before: Span) -> Self {
        Cursor {
            source,
            tokens,
            at: 0,
            before,
        }
    }

    /// The next token.
    pub fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The token this many places after the next one.
    pub fn peek_at(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.at.saturating_add(ahead))
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// All tokens taken since `start`, an earlier copy of this cursor.
    pub fn since(&self, start: &Cursor<'a>) -> &'a [Token] {
        self.tokens.get(start.at..self.at).unwrap_or_default()
    }

    /// All tokens not taken yet.
    pub fn rest(&self) -> &'a [Token] {
        self.tokens.get(self.at..).unwrap_or_default()
    }

    /// True if nothing is left.
    pub fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// True if `symbol`, of one or more characters, comes next.
    pub fn sees(&self, symbol: &str) -> bool {
        symbol.char_indices().enumerate().all(|(ahead, (byte, c))| {
            let text = symbol.get(byte..byte + c.len_utf8()).unwrap_or_default();
            let token = self.peek_at(ahead);
            token.is_some_and(|token| token.is(text) && (ahead == 0 || token.glued))
        })
    }

    /// Takes `symbol` if it comes next.
    pub fn eat(&mut self, symbol: &str) -> bool {
        let found = self.sees(symbol);
        if found {
            self.at += symbol.chars().count();
        }
        found
    }

    /// True if `word` comes next, in any case.
    pub fn sees_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|token| token.is_word(word))
    }

    /// Takes `word` if it comes next, in any case.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.sees_word(word);
        self.at += usize::from(found);
        found
    }

    /// Takes `symbol`, which must come next.
    pub fn expect(&mut self, symbol: &str) -> Result<(), Diagnostic> {
        if self.eat(symbol) {
            return Ok(());
        }
        Err(self.unexpected(format!("`{symbol}`")))
    }

    /// Takes a name, which must come next.
    pub fn name(&mut self, what: &str) -> Result<&'a Token, Diagnostic> {
        match self.peek() {
            Some(token) if token.kind == Kind::Word => {
                self.at += 1;
                Ok(token)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Takes a number with or without sign, which must come next.
    pub fn number(&mut self, what: &str) -> Result<i128, Diagnostic> {
        let mut ahead = self.clone();
        let negative = ahead.eat("-");
        let token = match ahead.take() {
            Some(token) if token.kind == Kind::Number => token,
            _ => return Err(self.unexpected(what)),
        };
        let Some(number) = token.number() else {
            let message = format!(
                "`{}` is no number of at most 64 bits",
                shortened(&token.text)
            );
            return Err(complaint(self.source, token.span, message).expected(what));
        };
        *self = ahead;
        let number = i128::from(number);
        Ok(if negative { -number } else { number })
    }

    /// Nothing may be left.
    pub fn finish(&self, what: &str) -> Result<(), Diagnostic> {
        match self.at_end() {
            true => Ok(()),
            false => Err(self.unexpected(what)),
        }
    }

    /// The span of the next token, or the end.
    pub fn here(&self) -> Span {
        if let Some(token) = self.peek() {
            return token.span;
        }
        let last = self.tokens.last().map_or(self.before, |token| token.span);
        Span::new(last.line, end_column(last), 0)
    }

    /// A complaint that something else comes next than what is expected.
    pub fn unexpected(&self, expected: impl Into<String>) -> Diagnostic {
        let message = match self.peek() {
            Some(token) => format!("unexpected `{}`", shortened(&token.text)),
            None => "something is missing here".to_owned(),
        };
        complaint(self.source, self.here(), message).expected(expected)
    }
}
