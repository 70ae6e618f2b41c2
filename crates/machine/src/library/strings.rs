//! Strings and characters.
//!
//! Functions that compare or look for something read no further than the first character
//! that decides.

mod characters;
mod numbers;

use super::memory::{difference, refuse_overlap};
use super::{Caller, Flow, Run};
use crate::process::value::Value;
use program::in_family::Strings;
use program::{Routine, Word};

/// What of a character counts in a comparison.
type Folding = fn(&u8) -> u8;

impl Caller<'_, '_> {
    pub(super) fn string_routine(&mut self, routine: Strings) -> Run<Flow> {
        use Strings::*;
        let result = match routine {
            StringLength => self.string(self.word(0)?, u64::MAX)?.len() as Word,
            StringBoundedLength => {
                let (address, most) = (self.word(0)?, self.word(1)?);
                self.string(address, most)?.len() as Word
            }
            StringCopy => {
                self.copy_string(self.word(0)?)?;
                self.word(0)?
            }
            StringCopyEnd => self.copy_string(self.word(0)?)?,
            StringBoundedCopy => self.copy_bounded()?,
            StringAppend => {
                let end = self.end_of(self.word(0)?)?;
                self.copy_string(end)?;
                self.word(0)?
            }
            StringBoundedAppend => self.append_bounded()?,
            StringCompare => self.compare_strings(u64::MAX, u8::clone)?,
            StringBoundedCompare => self.compare_strings(self.word(2)?, u8::clone)?,
            StringCaseCompare => self.compare_strings(u64::MAX, u8::to_ascii_lowercase)?,
            StringBoundedCaseCompare => {
                self.compare_strings(self.word(2)?, u8::to_ascii_lowercase)?
            }
            StringFind => self.find_character()?,
            StringFindLast => self.find_last()?,
            StringFindString => self.find_string()?,
            StringSpan | StringComplementSpan | StringFindAny => self.span_of_set()?,
            StringToken => self.token_shared()?,
            StringTokenReentrant => self.token_reentrant()?,
            StringDuplicate => self.duplicate(u64::MAX)?,
            StringBoundedDuplicate => self.duplicate(self.word(1)?)?,
            StringToInt | StringToLong | StringToDouble | StringToSigned | StringToUnsigned
            | StringToFloat => self.number_routine()?,
            IsAlpha | IsDigit | IsAlnum | IsSpace | IsUpper | IsLower | IsPunct | IsPrint
            | IsGraph | IsCntrl | IsXdigit | IsBlank | ToUpper | ToLower | CharacterTable
            | LowerTable | UpperTable => self.character_routine()?,
            Sort | Search => return Err(self.not_replaced()),
        };
        Ok(Flow::Returns(result))
    }

    fn character(&mut self, address: Word) -> Run<u8> {
        Ok(self.string(address, 1)?.first().map_or(0, u8::clone))
    }

    /// The address of the character that ends a string.
    fn end_of(&mut self, address: Word) -> Run<Word> {
        Ok(address + self.string(address, u64::MAX)?.len() as Word)
    }

    /// Copies the string that is the second argument; the address of the copy's end.
    fn copy_string(&mut self, to: Word) -> Run<Word> {
        let from = self.word(1)?;
        let mut string = self.string(from, u64::MAX)?;
        string.push(0);
        let size = string.len() as u64;
        refuse_overlap(self, (to, size), (from, size))?;
        self.write_defined(to, &string)?;
        Ok(to + size - 1)
    }

    fn copy_bounded(&mut self) -> Run<Word> {
        let (to, from, size) = (self.word(0)?, self.word(1)?, self.word(2)?);
        if size == 0 {
            return Ok(to);
        }
        self.check_writable(to, size)?;
        let mut string = self.string(from, size)?;
        refuse_overlap(self, (to, size), (from, string.len() as u64))?;
        string.resize(size as usize, 0);
        self.write_defined(to, &string)?;
        Ok(to)
    }

    fn append_bounded(&mut self) -> Run<Word> {
        let (to, from, most) = (self.word(0)?, self.word(1)?, self.word(2)?);
        let end = self.end_of(to)?;
        let mut string = self.string(from, most)?;
        string.push(0);
        let size = string.len() as u64;
        refuse_overlap(self, (end, size), (from, size - 1))?;
        self.write_defined(end, &string)?;
        Ok(to)
    }

    fn compare_strings(&mut self, most: u64, fold: Folding) -> Run<Word> {
        let (left, right) = (self.word(0)?, self.word(1)?);
        for index in 0..most {
            let a = fold(&self.character(left.wrapping_add(index))?);
            let b = fold(&self.character(right.wrapping_add(index))?);
            if a != b || a == 0 {
                return Ok(difference(a, b));
            }
        }
        Ok(0)
    }

    /// The end of a string counts as a character of it.
    fn find_character(&mut self) -> Run<Word> {
        let (mut address, wanted) = (self.word(0)?, self.word(1)? as u8);
        loop {
            let character = self.character(address)?;
            if character == wanted {
                return Ok(address);
            }
            if character == 0 {
                return Ok(0);
            }
            address = address.wrapping_add(1);
        }
    }

    fn find_last(&mut self) -> Run<Word> {
        let (address, wanted) = (self.word(0)?, self.word(1)? as u8);
        let mut string = self.string(address, u64::MAX)?;
        string.push(0);
        let found = string.iter().rposition(|character| *character == wanted);
        Ok(found.map_or(0, |index| address + index as Word))
    }

    fn find_string(&mut self) -> Run<Word> {
        let address = self.word(0)?;
        let string = self.string(address, u64::MAX)?;
        let wanted = self.string(self.word(1)?, u64::MAX)?;
        if wanted.is_empty() {
            return Ok(address);
        }
        let found = string.windows(wanted.len()).position(|part| part == wanted);
        Ok(found.map_or(0, |index| address + index as Word))
    }

    fn span_of_set(&mut self) -> Run<Word> {
        let address = self.word(0)?;
        let set = self.string(self.word(1)?, u64::MAX)?;
        let inside = self.routine == Routine::StringSpan;
        let end = self.skip(address, &set, inside)?;
        if self.routine != Routine::StringFindAny {
            return Ok(end - address);
        }
        Ok(if self.character(end)? == 0 { 0 } else { end })
    }

    /// The address of the first character that is not `inside` the set as asked, or ends
    /// the string.
    fn skip(&mut self, address: Word, set: &[u8], inside: bool) -> Run<Word> {
        let mut address = address;
        loop {
            let character = self.character(address)?;
            if character == 0 || set.contains(&character) != inside {
                return Ok(address);
            }
            address = address.wrapping_add(1);
        }
    }

    fn token_shared(&mut self) -> Run<Word> {
        let start = match self.word(0)? {
            0 => self.token_rest(),
            start => start,
        };
        let (token, rest) = self.token(start)?;
        self.set_token_rest(rest);
        Ok(token)
    }

    fn token_reentrant(&mut self) -> Run<Word> {
        let rest_at = self.word(2)?;
        let start = match self.word(0)? {
            0 => self.field(rest_at, 8)?,
            start => start,
        };
        let (token, rest) = self.token(start)?;
        self.write_word(rest_at, 8, Value::new(rest))?;
        Ok(token)
    }

    /// Cuts off the token at the start of a string: its address, 0 if there is none, and
    /// where the rest starts.
    fn token(&mut self, start: Word) -> Run<(Word, Word)> {
        let separators = self.string(self.word(1)?, u64::MAX)?;
        let start = self.skip(start, &separators, true)?;
        if self.character(start)? == 0 {
            return Ok((0, start));
        }
        let end = self.skip(start, &separators, false)?;
        if self.character(end)? == 0 {
            return Ok((start, end));
        }
        self.write_word(end, 1, Value::new(0))?;
        Ok((start, end + 1))
    }

    fn duplicate(&mut self, most: u64) -> Run<Word> {
        let mut string = self.string(self.word(0)?, most)?;
        string.push(0);
        let copy = self.allocate(string.len() as u64, false);
        if copy != 0 {
            self.write_defined(copy, &string)?;
        }
        Ok(copy)
    }
}

#[cfg(test)]
mod tests;
