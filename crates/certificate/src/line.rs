//! The numbers of a line.

use crate::error::Reason;

/// The words of a line that are still to be read.
pub struct Line<'a> {
    words: std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>,
}

impl<'a> Line<'a> {
    /// The words of a line.
    pub fn new(text: &'a str) -> Line<'a> {
        Line {
            words: text.split_ascii_whitespace().peekable(),
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

    /// The next number, which must be less than this.
    pub fn below(&mut self, limit: u64) -> Result<u32, Reason> {
        let number = self.count()?;
        let small = u32::try_from(number).ok().filter(|_| number < limit);
        small.ok_or(Reason::OutOfRange(number))
    }

    /// The next number, which must be less than this, or nothing for `*`.
    pub fn starred(&mut self, limit: u64) -> Result<Option<u32>, Reason> {
        if self.takes("*") {
            return Ok(None);
        }
        self.below(limit).map(Some)
    }

    /// Takes the next word if it is this one.
    pub fn takes(&mut self, word: &str) -> bool {
        self.words.next_if_eq(&word).is_some()
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
