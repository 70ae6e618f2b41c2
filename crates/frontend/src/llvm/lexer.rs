//! Cuts the text into tokens.
//!
//! A token is a place in the text; nothing is copied. A token knows whether it is the
//! first of its line, which is how the reader finds the end of an instruction.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of the text.
    End,
    /// `define`, `i32`, `DW_TAG_member`
    Word,
    /// `12`, `-1`, `1.5e+00`, `0x7FF0000000000000`
    Number,
    /// `"text"`, still escaped
    Text,
    /// `c"text"`, still escaped
    Bytes,
    /// `%x`, `%"x y"`, `%7`
    Local,
    /// `@x`
    Symbol,
    /// `$x`
    Comdat,
    /// `!dbg`, `!DILocation`
    MetadataName,
    /// `!7`
    MetadataNumber,
    /// `!` before `{` or `"`
    Bang,
    /// `#7`
    Group,
    /// `#dbg_value`
    Record,
    /// `^0`
    Summary,
    /// `...`
    Ellipsis,
    /// A single character.
    Punctuation(u8),
    /// A string without end.
    Unterminated,
}

/// A token. The body is its text without `%`, `@`, `!`, `#` and quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub body: u32,
    pub body_end: u32,
    /// Line, from 1.
    pub line: u32,
    /// Whether it is the first of its line.
    pub first: bool,
    /// Whether it was quoted.
    pub quoted: bool,
}

pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
}

/// Which bytes a name may have.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'-');
        byte += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    /// The text must be shorter than 4 GB.
    pub fn new(text: &'a str) -> Self {
        Lexer {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    /// The bytes of a token's body.
    pub fn body(&self, token: Token) -> &'a [u8] {
        self.text
            .get(token.body as usize..token.body_end as usize)
            .unwrap_or_default()
    }

    /// The byte right behind a token.
    pub fn after(&self, token: Token) -> Option<u8> {
        let end = token.body_end as usize + usize::from(token.quoted);
        self.text.get(end).copied()
    }

    /// Whether metadata follows on the same line.
    pub fn next_is_metadata(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let byte = rest.iter().find(|&&byte| byte != b' ' && byte != b'\t');
        byte == Some(&b'!')
    }

    /// The next token.
    pub fn next(&mut self) -> Token {
        let first = self.skip_space();
        let start = self.at;
        let Some(&byte) = self.text.get(start) else {
            return self.token(Kind::End, start, start, first);
        };
        self.at += 1;
        match byte {
            b'%' => self.named(Kind::Local, start, first),
            b'@' => self.named(Kind::Symbol, start, first),
            b'!' => self.metadata(start, first),
            b'"' => self.quoted(Kind::Text, start, first),
            b'c' if self.peek() == Some(b'"') => {
                self.at += 1;
                self.quoted(Kind::Bytes, start, first)
            }
            b'#' => match self.peek() {
                Some(next) if next.is_ascii_digit() => self.named(Kind::Group, start, first),
                _ => self.named(Kind::Record, start, first),
            },
            b'$' => self.named(Kind::Comdat, start, first),
            b'^' => self.named(Kind::Summary, start, first),
            b'0'..=b'9' | b'-' | b'+' => self.number(start, first),
            b'.' if self.text[self.at..].starts_with(b"..") => {
                self.at += 2;
                self.token(Kind::Ellipsis, start, start, first)
            }
            _ if NAME[byte as usize] => {
                self.name();
                self.token(Kind::Word, start, start, first)
            }
            _ => {
                // A character of several bytes is one token.
                while self.peek().is_some_and(|next| next & 0xC0 == 0x80) {
                    self.at += 1;
                }
                self.token(Kind::Punctuation(byte), start, start, first)
            }
        }
    }

    /// Goes to the end of the line.
    pub fn skip_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte == b'\n');
        self.at += length.unwrap_or(rest.len());
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn token(&self, kind: Kind, start: usize, body: usize, first: bool) -> Token {
        Token {
            kind,
            start: start as u32,
            body: body as u32,
            body_end: self.at as u32,
            line: self.line,
            first,
            quoted: false,
        }
    }

    /// Skips blanks and comments, and says whether a line ended.
    fn skip_space(&mut self) -> bool {
        let mut first = self.at == 0;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | 0 => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    first = true;
                }
                b';' => self.skip_line(),
                _ => break,
            }
        }
        first
    }

    fn name(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !NAME[byte as usize]);
        self.at += length.unwrap_or(rest.len());
    }

    /// A name behind `%` and the like, quoted or not.
    fn named(&mut self, kind: Kind, start: usize, first: bool) -> Token {
        if self.peek() == Some(b'"') {
            self.at += 1;
            return self.quoted(kind, start, first);
        }
        let body = self.at;
        self.name();
        self.token(kind, start, body, first)
    }

    fn quoted(&mut self, kind: Kind, start: usize, first: bool) -> Token {
        let body = self.at;
        let rest = self.text.get(body..).unwrap_or_default();
        let end = rest.iter().position(|&byte| byte == b'"' || byte == b'\n');
        self.at += end.unwrap_or(rest.len());
        if self.peek() != Some(b'"') {
            return self.token(Kind::Unterminated, start, body, first);
        }
        let token = self.token(kind, start, body, first);
        self.at += 1;
        Token {
            quoted: true,
            ..token
        }
    }

    fn metadata(&mut self, start: usize, first: bool) -> Token {
        match self.peek() {
            Some(b'0'..=b'9') => self.named(Kind::MetadataNumber, start, first),
            Some(byte) if NAME[byte as usize] || byte == b'\\' => {
                let body = self.at;
                while self
                    .peek()
                    .is_some_and(|byte| NAME[byte as usize] || byte == b'\\')
                {
                    self.at += 1;
                }
                self.token(Kind::MetadataName, start, body, first)
            }
            _ => self.token(Kind::Bang, start, start, first),
        }
    }

    fn number(&mut self, start: usize, first: bool) -> Token {
        let hexadecimal = self.text[start..].starts_with(b"0x");
        let mut before = self.text[start];
        while let Some(byte) = self.peek() {
            let sign = matches!(byte, b'+' | b'-') && matches!(before, b'e' | b'E') && !hexadecimal;
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || sign) {
                break;
            }
            before = byte;
            self.at += 1;
        }
        self.token(Kind::Number, start, start, first)
    }
}

/// The bytes behind `\5C`-like escapes.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| (*text.get(at)? as char).to_digit(16);
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == b'\\' {
            if text.get(at) == Some(&b'\\') {
                at += 1;
            } else if let (Some(high), Some(low)) = (digit(at), digit(at + 1)) {
                bytes.push((high * 16 + low) as u8);
                at += 2;
                continue;
            }
        }
        bytes.push(byte);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, String)> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == Kind::End {
                return tokens;
            }
            let body = String::from_utf8_lossy(lexer.body(token)).into_owned();
            tokens.push((token.kind, body));
        }
    }

    #[test]
    fn every_kind_of_token() {
        let text =
            r##"%a %"b c" @"d\22" $e !dbg !7 !{ "t" c"\00" #3 #dbg_value ^0 ... -1 1.5e+00 0x7F"##;
        let expected = [
            (Kind::Local, "a"),
            (Kind::Local, "b c"),
            (Kind::Symbol, r"d\22"),
            (Kind::Comdat, "e"),
            (Kind::MetadataName, "dbg"),
            (Kind::MetadataNumber, "7"),
            (Kind::Bang, "!"),
            (Kind::Punctuation(b'{'), "{"),
            (Kind::Text, "t"),
            (Kind::Bytes, r"\00"),
            (Kind::Group, "3"),
            (Kind::Record, "dbg_value"),
            (Kind::Summary, "0"),
            (Kind::Ellipsis, "..."),
            (Kind::Number, "-1"),
            (Kind::Number, "1.5e+00"),
            (Kind::Number, "0x7F"),
        ];
        let found = kinds(text);
        let found: Vec<_> = found.iter().map(|(k, b)| (*k, b.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_and_comments() {
        let mut lexer = Lexer::new("a b ; c\n\n d");
        let lines: Vec<_> = (0..3)
            .map(|_| lexer.next())
            .map(|t| (t.line, t.first))
            .collect();
        assert_eq!(lines, [(1, true), (1, false), (3, true)]);
    }

    #[test]
    fn a_string_ends_with_its_line() {
        let mut lexer = Lexer::new("\"abc\n");
        assert_eq!(lexer.next().kind, Kind::Unterminated);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(br"a\5Cb\\c\zz\0"), br"a\b\c\zz\0");
    }
}
