//! The text of inline assembly: statements of tokens.
//!
//! In LLVM's text `$$` is a dollar sign, `$1` and `${1:b}` are operands of the C statement, `$(a$|b$)` is `a` in
//! AT&T's syntax and `b` in Intel's, and `${:uid}` (C's `%=`) is a number that no other statement has.
//! A statement ends with its line or with `;`; what stands behind `#` or `//`, or between `/*` and `*/`, is a comment.

use super::Parsed;

/// How the code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `movl $1, %eax`: the destination last.
    Att,
    /// `mov eax, 1`: the destination first.
    Intel,
}

/// An operand of the C statement in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its number.
    pub index: usize,
    /// The letter in `%b1`.
    pub modifier: Option<char>,
}

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A mnemonic, the name of a register or a label, in lower case.
    Word(String),
    /// A number.
    Number(u64),
    /// `1b` or `1f`: the nearest label of this number, backwards or forwards.
    LocalLabel {
        /// The number.
        number: u64,
        /// Whether it comes later in the text.
        forward: bool,
    },
    /// `$0`
    Operand(Reference),
    /// Anything else.
    Sign(char),
}

/// A statement of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// As the C program has it.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<Token>,
}

/// A character of the text, with operands as one.
#[derive(Clone, Copy, PartialEq)]
enum Item {
    Char(char),
    Operand(Reference),
}

/// The statements of a template.
pub fn lines(template: &str, dialect: Dialect) -> Parsed<Vec<Line>> {
    let items = without_comments(&items(template, dialect)?);
    let is_end = |item: &Item| matches!(item, Item::Char(';' | '\n'));
    let lines = items.split(is_end).map(line);
    lines
        .filter(|line| !matches!(line, Ok(line) if line.tokens.is_empty()))
        .collect()
}

/// The template with operands found and one dialect chosen.
fn items(template: &str, dialect: Dialect) -> Parsed<Vec<Item>> {
    let wanted = match dialect {
        Dialect::Att => 0,
        Dialect::Intel => 1,
    };
    // Which of the alternatives is being read.
    let mut variant = None;
    let mut items = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.chars().next() {
        rest = &rest[at.len_utf8()..];
        let skips = variant.is_some_and(|variant| variant != wanted);
        let item = if at == '$' {
            let sign = rest.chars().next().unwrap_or(' ');
            match sign {
                '(' | '|' | ')' => {
                    rest = &rest[1..];
                    variant = match (sign, variant) {
                        ('(', None) => Some(0),
                        ('|', Some(variant)) => Some(variant + 1),
                        (')', Some(_)) => None,
                        _ => return Err("these alternatives".to_owned()),
                    };
                    continue;
                }
                '$' => {
                    rest = &rest[1..];
                    vec![Item::Char('$')]
                }
                '{' => {
                    let inner = rest[1..].split_once('}');
                    let (inner, after) = inner.ok_or("an operand without its end")?;
                    rest = after;
                    braced(inner)?
                }
                '0'..='9' => {
                    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
                    let (digits, after) = rest.split_at(count);
                    rest = after;
                    vec![Item::Operand(reference(digits, None)?)]
                }
                _ => return Err("a lonely `$`".to_owned()),
            }
        } else {
            vec![Item::Char(at)]
        };
        if !skips {
            items.extend(item);
        }
    }
    match variant {
        None => Ok(items),
        Some(_) => Err("alternatives without an end".to_owned()),
    }
}

/// `1:b`, `1`, `:uid`
fn braced(inner: &str) -> Parsed<Vec<Item>> {
    let (number, modifier) = match inner.split_once(':') {
        Some((number, modifier)) => (number, Some(modifier)),
        None => (inner, None),
    };
    match (number, modifier) {
        // No other statement has a label of this name, since labels are those of one statement here.
        ("", Some("uid")) => Ok("unique".chars().map(Item::Char).collect()),
        ("", Some("comment")) => Ok(vec![Item::Char('#')]),
        ("", Some("private")) => Ok(".L".chars().map(Item::Char).collect()),
        (_, None) => Ok(vec![Item::Operand(reference(number, None)?)]),
        (_, Some(modifier)) => {
            let mut letters = modifier.chars();
            let letter = letters.next().filter(|_| letters.next().is_none());
            let letter = letter.ok_or_else(|| format!("the modifier `{modifier}`"))?;
            Ok(vec![Item::Operand(reference(number, Some(letter))?)])
        }
    }
}

fn reference(number: &str, modifier: Option<char>) -> Parsed<Reference> {
    let index = number
        .parse()
        .map_err(|_| format!("the operand `{number}`"))?;
    Ok(Reference { index, modifier })
}

fn without_comments(items: &[Item]) -> Vec<Item> {
    let sign = |index: usize| match items.get(index) {
        Some(Item::Char(sign)) => *sign,
        _ => ' ',
    };
    let mut kept = Vec::with_capacity(items.len());
    let mut at = 0;
    while at < items.len() {
        match (sign(at), sign(at + 1)) {
            ('/', '*') => {
                at += 2;
                while at < items.len() && (sign(at), sign(at + 1)) != ('*', '/') {
                    at += 1;
                }
                at += 2;
                kept.push(Item::Char(' '));
            }
            ('#', _) | ('/', '/') => {
                while at < items.len() && sign(at) != '\n' {
                    at += 1;
                }
            }
            _ => {
                kept.push(items[at]);
                at += 1;
            }
        }
    }
    kept
}

fn line(items: &[Item]) -> Parsed<Line> {
    let mut line = Line {
        text: written(items),
        tokens: Vec::new(),
    };
    let mut at = 0;
    while let Some(item) = items.get(at) {
        let start = at;
        at += 1;
        let sign = match item {
            Item::Operand(reference) => {
                line.tokens.push(Token::Operand(*reference));
                continue;
            }
            Item::Char(sign) => *sign,
        };
        if sign.is_whitespace() {
            continue;
        }
        let belongs = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.');
        if !belongs(sign) {
            line.tokens.push(Token::Sign(sign));
            continue;
        }
        while matches!(items.get(at), Some(Item::Char(next)) if belongs(*next)) {
            at += 1;
        }
        let word: String = items[start..at].iter().map(character).collect();
        let word = word.to_ascii_lowercase();
        let is_number = sign.is_ascii_digit();
        line.tokens.push(if is_number {
            number(&word)?
        } else {
            Token::Word(word)
        });
    }
    Ok(line)
}

fn character(item: &Item) -> char {
    match item {
        Item::Char(sign) => *sign,
        Item::Operand(_) => ' ',
    }
}

/// `10`, `0x1f`, `010`, `0b11`, Intel's `1fh`, or a label such as `1b`.
fn number(word: &str) -> Parsed<Token> {
    let wrong = || format!("the number `{word}`");
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).map(Token::Number);
    let (digits, last) = word.split_at(word.len() - 1);
    let is_decimal =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    if let Some(hexadecimal) = word.strip_prefix("0x") {
        let digits = hexadecimal.trim_end_matches('u').trim_end_matches('l');
        return radix(digits, 16).map_err(|_| wrong());
    }
    if is_decimal(digits) && matches!(last, "b" | "f") {
        let number = digits.parse().map_err(|_| wrong())?;
        let forward = last == "f";
        return Ok(Token::LocalLabel { number, forward });
    }
    if let Some(binary) = word.strip_prefix("0b") {
        return radix(binary, 2).map_err(|_| wrong());
    }
    if last == "h" {
        return radix(digits, 16).map_err(|_| wrong());
    }
    match word.strip_prefix('0') {
        Some(octal) if is_decimal(octal) => radix(octal, 8).map_err(|_| wrong()),
        _ => radix(word, 10).map_err(|_| wrong()),
    }
}

/// The text as C has it, with single spaces.
fn written(items: &[Item]) -> String {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Char(sign) if sign.is_whitespace() => {
                if !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            Item::Char(sign) => text.push(*sign),
            Item::Operand(Reference { index, modifier }) => {
                text.push('%');
                text.extend(*modifier);
                text += &index.to_string();
            }
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(template: &str, dialect: Dialect) -> Vec<String> {
        let lines = lines(template, dialect).expect("statements");
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn statements_without_comments() {
        let template = "lock; # wait\n\tcmpxchgl\t$2, $1 /* new */\n\nsete ${0:b} // done\n";
        let expected = ["lock", "cmpxchgl %2, %1", "sete %b0"];
        assert_eq!(texts(template, Dialect::Att), expected);
    }

    #[test]
    fn one_of_two_dialects() {
        let template = "xchg$(l $0,$1$| $1,$0$)";
        assert_eq!(texts(template, Dialect::Att), ["xchgl %0,%1"]);
        assert_eq!(texts(template, Dialect::Intel), ["xchg %1,%0"]);
    }

    #[test]
    fn tokens_of_a_statement() {
        let lines = lines(".L${:uid}: MOV $$-0x1F(%Rax), 1b, 010", Dialect::Att);
        let word = |word: &str| Token::Word(word.to_owned());
        let expected = [
            word(".lunique"),
            Token::Sign(':'),
            word("mov"),
            Token::Sign('$'),
            Token::Sign('-'),
            Token::Number(31),
            Token::Sign('('),
            Token::Sign('%'),
            word("rax"),
            Token::Sign(')'),
            Token::Sign(','),
            Token::LocalLabel {
                number: 1,
                forward: false,
            },
            Token::Sign(','),
            Token::Number(8),
        ];
        assert_eq!(lines.expect("statements")[0].tokens, expected);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (template, wrong) in [
            ("mov $x", "a lonely `$`"),
            ("mov ${1:zz}", "the modifier `zz`"),
            ("mov ${1", "an operand without its end"),
            ("$(a", "alternatives without an end"),
            ("add 12x", "the number `12x`"),
        ] {
            assert_eq!(lines(template, Dialect::Att), Err(wrong.to_owned()));
        }
    }
}
