//! The numbers of a line.

use crate::error::Reason;

/// The words of a line that are still to be read.
pub struct Line<'a> {
    words: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Line<'a> {
    /// The words of a line.
    pub fn new(text: &'a str) -> Line<'a> {
        Line {
            words: text.split_ascii_whitespace(),
        }
    }

    /// The next word.
    pub fn word(&mut self) -> Result<&'a str, Reason> {
        self.words.next().ok_or(Reason::TooShort)
    }

    /// All words that are left, a space between each two; `None` if there are none.
    pub fn rest(&mut self) -> Option<String> {
        let words: Vec<&str> = self.words.by_ref().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// The next number, zero or more.
    pub fn count(&mut self) -> Result<u64, Reason> {
        let word = self.word()?;
        word.parse()
            .map_err(|_| Reason::NotANumber(word.to_owned()))
    }

    /// The next number, one or more.
    pub fn id(&mut self) -> Result<u64, Reason> {
        match self.count()? {
            0 => Err(Reason::NotANumber("0".to_owned())),
            id => Ok(id),
        }
    }

    /// The numbers up to a zero.
    pub fn ids(&mut self) -> Result<Vec<u64>, Reason> {
        let mut ids = Vec::new();
        loop {
            match self.count()? {
                0 => return Ok(ids),
                id => ids.push(id),
            }
        }
    }

    /// The literals up to a zero, each once and in order.
    pub fn literals(&mut self, variables: u64) -> Result<Box<[i32]>, Reason> {
        let mut literals: Vec<i32> = Vec::new();
        loop {
            let word = self.word()?;
            let literal: i32 = match word.parse() {
                Ok(i32::MIN) | Err(_) => return Err(Reason::NotANumber(word.to_owned())),
                Ok(literal) => literal,
            };
            if literal == 0 {
                literals.sort_unstable();
                literals.dedup();
                return Ok(literals.into());
            }
            let variable = u64::from(literal.unsigned_abs());
            if variable > variables {
                return Err(Reason::NoVariable(variable));
            }
            literals.push(literal);
        }
    }

    /// Nothing more is left.
    pub fn end(mut self) -> Result<(), Reason> {
        match self.words.next() {
            Some(_) => Err(Reason::TooLong),
            None => Ok(()),
        }
    }
}
