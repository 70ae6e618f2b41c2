//! `ctype.h` in the C locale, with glibc's tables and results.

use super::super::{Caller, Run};
use program::{Routine, Width, Word};

/// Where the tables' entry for character 0 is; those before it are for negative ones.
const MIDDLE: i32 = 128;
const ENTRIES: i32 = 384;

/// The keys of the library's tables, and of the pointers to them.
const CLASSES: u32 = 1;
const LOWER: u32 = 2;
const UPPER: u32 = 3;
const POINTER: u32 = 4;

const IS_UPPER: u16 = 0x100;
const IS_LOWER: u16 = 0x200;
const IS_ALPHA: u16 = 0x400;
const IS_DIGIT: u16 = 0x800;
const IS_XDIGIT: u16 = 0x1000;
const IS_SPACE: u16 = 0x2000;
const IS_PRINT: u16 = 0x4000;
const IS_GRAPH: u16 = 0x8000;
const IS_BLANK: u16 = 0x1;
const IS_CNTRL: u16 = 0x2;
const IS_PUNCT: u16 = 0x4;
const IS_ALNUM: u16 = 0x8;

impl Caller<'_, '_> {
    pub(super) fn character_routine(&mut self) -> Run<Word> {
        use Routine::*;
        let mask = match self.routine {
            CharacterTable => return self.table(CLASSES, 2, |number| classes(number).into()),
            LowerTable => return self.table(LOWER, 4, lower),
            UpperTable => return self.table(UPPER, 4, upper),
            ToLower => return Ok(Width::W32.truncate(lower(self.word(0)? as i32) as Word)),
            ToUpper => return Ok(Width::W32.truncate(upper(self.word(0)? as i32) as Word)),
            IsAlpha => IS_ALPHA,
            IsDigit => IS_DIGIT,
            IsAlnum => IS_ALNUM,
            IsSpace => IS_SPACE,
            IsUpper => IS_UPPER,
            IsLower => IS_LOWER,
            IsPunct => IS_PUNCT,
            IsPrint => IS_PRINT,
            IsGraph => IS_GRAPH,
            IsCntrl => IS_CNTRL,
            IsXdigit => IS_XDIGIT,
            IsBlank => IS_BLANK,
            _ => return Err(self.misuse("not known to the machine")),
        };
        let number = self.word(0)? as i32;
        if !(-MIDDLE..ENTRIES - MIDDLE).contains(&number) {
            return Err(self.misuse(format!("{number} is no character")));
        }
        Ok(Word::from(classes(number) & mask))
    }

    /// The address of a pointer to the middle of a table.
    fn table(&mut self, key: u32, size: usize, entry: fn(i32) -> i32) -> Run<Word> {
        let make = || -> Vec<u8> {
            let numbers = -MIDDLE..ENTRIES - MIDDLE;
            let entries = numbers.map(|number| entry(number).to_le_bytes());
            entries
                .flat_map(|bytes| bytes.into_iter().take(size))
                .collect()
        };
        let table = self.library_table(key, make)?;
        let middle = table + MIDDLE as Word * size as Word;
        self.library_table(POINTER + key, || middle.to_le_bytes().to_vec())
    }
}

fn ascii(number: i32) -> Option<u8> {
    u8::try_from(number).ok().filter(u8::is_ascii)
}

fn lower(number: i32) -> i32 {
    ascii(number).map_or_else(|| caseless(number), |byte| byte.to_ascii_lowercase().into())
}

fn upper(number: i32) -> i32 {
    ascii(number).map_or_else(|| caseless(number), |byte| byte.to_ascii_uppercase().into())
}

/// What becomes of a number that is no letter: glibc takes a negative one for a `char`,
/// except for EOF.
fn caseless(number: i32) -> i32 {
    match number {
        -128..-1 => number + 256,
        _ => number,
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// All that a character is.
fn classes(number: i32) -> u16 {
    let Some(byte) = ascii(number) else {
        return 0;
    };
    let rows = [
        (byte.is_ascii_uppercase(), IS_UPPER),
        (byte.is_ascii_lowercase(), IS_LOWER),
        (byte.is_ascii_alphabetic(), IS_ALPHA),
        (byte.is_ascii_digit(), IS_DIGIT),
        (byte.is_ascii_hexdigit(), IS_XDIGIT),
        (is_space(byte), IS_SPACE),
        (byte == b' ' || byte.is_ascii_graphic(), IS_PRINT),
        (byte.is_ascii_graphic(), IS_GRAPH),
        (matches!(byte, b' ' | b'\t'), IS_BLANK),
        (byte.is_ascii_control(), IS_CNTRL),
        (byte.is_ascii_punctuation(), IS_PUNCT),
        (byte.is_ascii_alphanumeric(), IS_ALNUM),
    ];
    let bits = rows.into_iter().filter(|(is, _)| *is).map(|(_, bit)| bit);
    bits.fold(0, |all, bit| all | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From glibc 2.36, `(*__ctype_b_loc())[c]`.
    #[test]
    fn classes_are_those_of_glibc() {
        let rows = [
            (-128, 0),
            (-1, 0),
            (0, 0x0002),
            (9, 0x2003),
            (10, 0x2002),
            (32, 0x6001),
            (b'!'.into(), 0xc004),
            (b'0'.into(), 0xd808),
            (b'A'.into(), 0xd508),
            (b'G'.into(), 0xc508),
            (b'f'.into(), 0xd608),
            (b'z'.into(), 0xc608),
            (127, 0x0002),
            (128, 0),
            (255, 0),
        ];
        for (number, bits) in rows {
            assert_eq!(classes(number), bits, "{number}");
        }
    }

    #[test]
    fn only_letters_change_case() {
        let letters = (lower(b'Q'.into()), upper(b'q'.into()));
        assert_eq!(letters, (b'q'.into(), b'Q'.into()));
        let others = [upper(b'_'.into()), upper(200), lower(-1), lower(-2)];
        assert_eq!(others, [b'_'.into(), 200, -1, 254]);
    }
}
