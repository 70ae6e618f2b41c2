//! Strings and characters.
//!
//! Functions that compare or look for something read no further than the first character
//! that decides.

mod characters;
mod numbers;

use super::memory::{difference, refuse_overlap};
use super::{Call, Flow, Run};
use crate::process::Process;
use crate::process::value::Value;
use program::in_family::Strings;
use program::{Routine, ThreadId, Word};

/// What of a character counts in a comparison.
type Folding = fn(&u8) -> u8;

impl Process<'_> {
    pub(super) fn string_routine(&mut self, call: &Call, routine: Strings) -> Run<Flow> {
        use Strings::*;
        let result = match routine {
            StringLength => self.string(call.id, call.word(0)?, u64::MAX)?.len() as Word,
            StringBoundedLength => {
                let (address, most) = (call.word(0)?, call.word(1)?);
                self.string(call.id, address, most)?.len() as Word
            }
            StringCopy => {
                self.copy_string(call, call.word(0)?)?;
                call.word(0)?
            }
            StringCopyEnd => self.copy_string(call, call.word(0)?)?,
            StringBoundedCopy => self.copy_bounded(call)?,
            StringAppend => {
                let end = self.end_of(call.id, call.word(0)?)?;
                self.copy_string(call, end)?;
                call.word(0)?
            }
            StringBoundedAppend => self.append_bounded(call)?,
            StringCompare => self.compare_strings(call, u64::MAX, u8::clone)?,
            StringBoundedCompare => self.compare_strings(call, call.word(2)?, u8::clone)?,
            StringCaseCompare => self.compare_strings(call, u64::MAX, u8::to_ascii_lowercase)?,
            StringBoundedCaseCompare => {
                self.compare_strings(call, call.word(2)?, u8::to_ascii_lowercase)?
            }
            StringFind => self.find_character(call)?,
            StringFindLast => self.find_last(call)?,
            StringFindString => self.find_string(call)?,
            StringSpan | StringComplementSpan | StringFindAny => self.span_of_set(call)?,
            StringToken => self.token_shared(call)?,
            StringTokenReentrant => self.token_reentrant(call)?,
            StringDuplicate => self.duplicate(call, u64::MAX)?,
            StringBoundedDuplicate => self.duplicate(call, call.word(1)?)?,
            StringToInt | StringToLong | StringToDouble | StringToSigned | StringToUnsigned
            | StringToFloat => self.number_routine(call)?,
            IsAlpha | IsDigit | IsAlnum | IsSpace | IsUpper | IsLower | IsPunct | IsPrint
            | IsGraph | IsCntrl | IsXdigit | IsBlank | ToUpper | ToLower | CharacterTable
            | LowerTable | UpperTable => self.character_routine(call)?,
            Sort | Search => return Err(call.not_replaced()),
        };
        Ok(Flow::Returns(result))
    }

    fn character(&mut self, id: ThreadId, address: Word) -> Run<u8> {
        Ok(self.string(id, address, 1)?.first().map_or(0, u8::clone))
    }

    /// The address of the character that ends a string.
    fn end_of(&mut self, id: ThreadId, address: Word) -> Run<Word> {
        Ok(address + self.string(id, address, u64::MAX)?.len() as Word)
    }

    /// Copies the string that is the second argument; the address of the copy's end.
    fn copy_string(&mut self, call: &Call, to: Word) -> Run<Word> {
        let from = call.word(1)?;
        let mut string = self.string(call.id, from, u64::MAX)?;
        string.push(0);
        let size = string.len() as u64;
        refuse_overlap(call, (to, size), (from, size))?;
        self.write_defined(call.id, call.span, to, &string)?;
        Ok(to + size - 1)
    }

    fn copy_bounded(&mut self, call: &Call) -> Run<Word> {
        let (to, from, size) = (call.word(0)?, call.word(1)?, call.word(2)?);
        if size == 0 {
            return Ok(to);
        }
        self.reach(call.id, to, size, true)?;
        let mut string = self.string(call.id, from, size)?;
        refuse_overlap(call, (to, size), (from, string.len() as u64))?;
        string.resize(size as usize, 0);
        self.write_defined(call.id, call.span, to, &string)?;
        Ok(to)
    }

    fn append_bounded(&mut self, call: &Call) -> Run<Word> {
        let (to, from, most) = (call.word(0)?, call.word(1)?, call.word(2)?);
        let end = self.end_of(call.id, to)?;
        let mut string = self.string(call.id, from, most)?;
        string.push(0);
        let size = string.len() as u64;
        refuse_overlap(call, (end, size), (from, size - 1))?;
        self.write_defined(call.id, call.span, end, &string)?;
        Ok(to)
    }

    fn compare_strings(&mut self, call: &Call, most: u64, fold: Folding) -> Run<Word> {
        let (left, right) = (call.word(0)?, call.word(1)?);
        for index in 0..most {
            let a = fold(&self.character(call.id, left.wrapping_add(index))?);
            let b = fold(&self.character(call.id, right.wrapping_add(index))?);
            if a != b || a == 0 {
                return Ok(difference(a, b));
            }
        }
        Ok(0)
    }

    /// The end of a string counts as a character of it.
    fn find_character(&mut self, call: &Call) -> Run<Word> {
        let (mut address, wanted) = (call.word(0)?, call.word(1)? as u8);
        loop {
            let character = self.character(call.id, address)?;
            if character == wanted {
                return Ok(address);
            }
            if character == 0 {
                return Ok(0);
            }
            address = address.wrapping_add(1);
        }
    }

    fn find_last(&mut self, call: &Call) -> Run<Word> {
        let (address, wanted) = (call.word(0)?, call.word(1)? as u8);
        let mut string = self.string(call.id, address, u64::MAX)?;
        string.push(0);
        let found = string.iter().rposition(|character| *character == wanted);
        Ok(found.map_or(0, |index| address + index as Word))
    }

    fn find_string(&mut self, call: &Call) -> Run<Word> {
        let address = call.word(0)?;
        let string = self.string(call.id, address, u64::MAX)?;
        let wanted = self.string(call.id, call.word(1)?, u64::MAX)?;
        if wanted.is_empty() {
            return Ok(address);
        }
        let found = string.windows(wanted.len()).position(|part| part == wanted);
        Ok(found.map_or(0, |index| address + index as Word))
    }

    fn span_of_set(&mut self, call: &Call) -> Run<Word> {
        let address = call.word(0)?;
        let set = self.string(call.id, call.word(1)?, u64::MAX)?;
        let inside = call.routine == Routine::StringSpan;
        let end = self.skip(call.id, address, &set, inside)?;
        match call.routine {
            Routine::StringFindAny if self.character(call.id, end)? == 0 => Ok(0),
            Routine::StringFindAny => Ok(end),
            _ => Ok(end - address),
        }
    }

    /// The address of the first character that is not `inside` the set as asked, or ends
    /// the string.
    fn skip(&mut self, id: ThreadId, address: Word, set: &[u8], inside: bool) -> Run<Word> {
        let mut address = address;
        loop {
            let character = self.character(id, address)?;
            if character == 0 || set.contains(&character) != inside {
                return Ok(address);
            }
            address = address.wrapping_add(1);
        }
    }

    fn token_shared(&mut self, call: &Call) -> Run<Word> {
        let start = match call.word(0)? {
            0 => self.token_rest(call.id),
            start => start,
        };
        let (token, rest) = self.token(call, start)?;
        self.set_token_rest(call.id, rest);
        Ok(token)
    }

    fn token_reentrant(&mut self, call: &Call) -> Run<Word> {
        let place = call.word(2)?;
        let start = match call.word(0)? {
            0 => self.field(call, place, 8)?,
            start => start,
        };
        let (token, rest) = self.token(call, start)?;
        self.write_word(call.id, call.span, place, 8, Value::new(rest))?;
        Ok(token)
    }

    /// Cuts off the token at the start of a string: its address, 0 if there is none, and
    /// where the rest starts.
    fn token(&mut self, call: &Call, start: Word) -> Run<(Word, Word)> {
        let separators = self.string(call.id, call.word(1)?, u64::MAX)?;
        let start = self.skip(call.id, start, &separators, true)?;
        if self.character(call.id, start)? == 0 {
            return Ok((0, start));
        }
        let end = self.skip(call.id, start, &separators, false)?;
        if self.character(call.id, end)? == 0 {
            return Ok((start, end));
        }
        self.write_word(call.id, call.span, end, 1, Value::new(0))?;
        Ok((start, end + 1))
    }

    fn duplicate(&mut self, call: &Call, most: u64) -> Run<Word> {
        let mut string = self.string(call.id, call.word(0)?, most)?;
        string.push(0);
        let copy = self.allocate_heap(call, string.len() as u64, false)?;
        if copy != 0 {
            self.write_defined(call.id, call.span, copy, &string)?;
        }
        Ok(copy)
    }
}

#[cfg(test)]
mod tests;
