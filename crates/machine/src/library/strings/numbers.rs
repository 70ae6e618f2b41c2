//! Numbers at the start of strings: `atoi`, `strtol`, `strtod` and their kin.

use super::super::{Caller, Run};
use super::characters::is_space;
use crate::process::value::Value;
use program::codes::{EINVAL, ERANGE};
use program::{Routine, Width, Word};
use std::cmp::Ordering;

/// A whole number at the start of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Whole {
    negative: bool,
    /// The digits' value; `None` if it does not fit 64 bits.
    magnitude: Option<u64>,
    /// Length of the text that is the number; 0 if there is none.
    length: usize,
}

/// A floating-point number at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Float {
    number: f64,
    /// Length of the text that is the number; 0 if there is none.
    length: usize,
    /// The number is too large or too small for an exact `double`.
    out_of_range: bool,
}

impl Caller<'_, '_> {
    pub(super) fn number_routine(&mut self) -> Run<Word> {
        let text = self.number_text(self.word(0)?)?;
        match self.routine {
            Routine::StringToInt => Ok(Width::W32.truncate(whole(&text, 10).signed().0)),
            Routine::StringToLong => Ok(whole(&text, 10).signed().0),
            Routine::StringToDouble => Ok(float(&text).number.to_bits()),
            Routine::StringToFloat => {
                let found = float(&text);
                self.finish(found.length, found.out_of_range)?;
                Ok(found.number.to_bits())
            }
            _ => self.whole_in_base(&text),
        }
    }

    fn whole_in_base(&mut self, text: &[u8]) -> Run<Word> {
        let base = self.word(2)? as u32;
        if base == 1 || base > 36 {
            self.set_errno(EINVAL)?;
            return Ok(0);
        }
        let found = whole(text, base);
        let (word, out_of_range) = match self.routine {
            Routine::StringToSigned => found.signed(),
            _ => found.unsigned(),
        };
        self.finish(found.length, out_of_range)?;
        Ok(word)
    }

    /// Says where the number ends, if the second argument asks for it, and sets `errno`.
    fn finish(&mut self, length: usize, out_of_range: bool) -> Run<()> {
        let to = self.word(1)?;
        if to != 0 {
            let end = self.word(0)? + length as Word;
            self.write_word(to, 8, Value::new(end))?;
        }
        match out_of_range {
            true => self.set_errno(ERANGE),
            false => Ok(()),
        }
    }

    /// The start of a string, up to the first character that no number has.
    fn number_text(&mut self, address: Word) -> Run<Vec<u8>> {
        let mut text = Vec::new();
        let mut leading = true;
        loop {
            let character = self.character(address.wrapping_add(text.len() as Word))?;
            leading &= is_space(character);
            let belongs = character.is_ascii_alphanumeric() || b"+-._()".contains(&character);
            if !leading && !belongs {
                return Ok(text);
            }
            text.push(character);
        }
    }
}

impl Whole {
    /// The number as a `long`, and whether it had to be clamped.
    fn signed(self) -> (Word, bool) {
        let most = i64::MAX as u64 + u64::from(self.negative);
        let magnitude = self.magnitude.filter(|magnitude| *magnitude <= most);
        let clamped = magnitude.unwrap_or(most);
        (self.with_sign(clamped), magnitude.is_none())
    }

    /// The number as an `unsigned long`, and whether it had to be clamped.
    fn unsigned(self) -> (Word, bool) {
        match self.magnitude {
            Some(magnitude) => (self.with_sign(magnitude), false),
            None => (Word::MAX, true),
        }
    }

    fn with_sign(self, magnitude: u64) -> Word {
        match self.negative {
            true => magnitude.wrapping_neg(),
            false => magnitude,
        }
    }
}

/// White space and sign: their length, and whether the sign is a minus.
fn start(text: &[u8]) -> (usize, bool) {
    let spaces = text.iter().take_while(|byte| is_space(**byte)).count();
    match text.get(spaces) {
        Some(b'-') => (spaces + 1, true),
        Some(b'+') => (spaces + 1, false),
        _ => (spaces, false),
    }
}

fn digit(byte: u8, base: u32) -> Option<u32> {
    char::from(byte).to_digit(base)
}

/// True if `0x` and a digit of base 16 are there.
fn is_hexadecimal(text: &[u8]) -> bool {
    matches!(text, [b'0', b'x' | b'X', byte, ..] if byte.is_ascii_hexdigit())
}

/// The whole number in this base, or for base 0 the base that its start says.
fn whole(text: &[u8], base: u32) -> Whole {
    let (mut length, negative) = start(text);
    let rest = &text[length..];
    let prefixed = matches!(base, 0 | 16) && is_hexadecimal(rest);
    let base = match (base, rest.first()) {
        (0, _) if prefixed => 16,
        (0, Some(b'0')) => 8,
        (0, _) => 10,
        _ => base,
    };
    length += if prefixed { 2 } else { 0 };
    let digits = text[length..].iter().map_while(|byte| digit(*byte, base));
    let mut magnitude = Some(0u64);
    let before = length;
    for digit in digits {
        let larger = magnitude.and_then(|number| number.checked_mul(base.into()));
        magnitude = larger.and_then(|number| number.checked_add(digit.into()));
        length += 1;
    }
    Whole {
        negative,
        magnitude,
        length: if length == before { 0 } else { length },
    }
}

fn float(text: &[u8]) -> Float {
    let (skipped, negative) = start(text);
    let rest = &text[skipped..];
    let found = if is_hexadecimal(rest) || is_hexadecimal_fraction(rest) {
        hexadecimal(rest)
    } else {
        named(rest).unwrap_or_else(|| decimal(rest))
    };
    Float {
        number: match negative && found.length > 0 {
            true => -found.number,
            false => found.number,
        },
        length: match found.length {
            0 => 0,
            length => skipped + length,
        },
        ..found
    }
}

fn is_hexadecimal_fraction(text: &[u8]) -> bool {
    matches!(text, [b'0', b'x' | b'X', b'.', byte, ..] if byte.is_ascii_hexdigit())
}

/// `inf`, `infinity`, `nan` or `nan(...)`.
fn named(text: &[u8]) -> Option<Float> {
    let starts = |name: &str| {
        let start = text.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    let (number, length) = match () {
        () if starts("infinity") => (f64::INFINITY, 8),
        () if starts("inf") => (f64::INFINITY, 3),
        () if starts("nan") => (f64::NAN, 3 + parenthesised(&text[3..])),
        () => return None,
    };
    Some(Float {
        number,
        length,
        out_of_range: false,
    })
}

/// Length of letters and digits in parentheses, which a NaN may carry.
fn parenthesised(text: &[u8]) -> usize {
    let Some((b'(', inside)) = text.split_first() else {
        return 0;
    };
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = inside.iter().take_while(is_letter).count();
    match inside.get(length) {
        Some(b')') => length + 2,
        _ => 0,
    }
}

/// Digits with perhaps a point: how many characters, and how many of them are digits.
fn pointed(text: &[u8], base: u32) -> (usize, usize) {
    let count = |text: &[u8]| {
        let digits = text.iter().take_while(|byte| digit(**byte, base).is_some());
        digits.count()
    };
    let whole = count(text);
    match text.get(whole) {
        Some(b'.') => {
            let fraction = count(&text[whole + 1..]);
            (whole + 1 + fraction, whole + fraction)
        }
        _ => (whole, whole),
    }
}

/// An exponent after this letter: its length, and what it says.
fn exponent(text: &[u8], letter: u8) -> (usize, i64) {
    let after = match text.split_first() {
        Some((first, after)) if first.eq_ignore_ascii_case(&letter) => after,
        _ => return (0, 0),
    };
    let (sign, negative) = match after.first() {
        Some(b'-') => (1, true),
        Some(b'+') => (1, false),
        _ => (0, false),
    };
    let digits = after[sign..].iter().map_while(|byte| digit(*byte, 10));
    let (count, value) = digits.fold((0, 0i64), |(count, value), digit| {
        (
            count + 1,
            value.saturating_mul(10).saturating_add(digit.into()),
        )
    });
    match count {
        0 => (0, 0),
        _ => (1 + sign + count, if negative { -value } else { value }),
    }
}

const NOTHING: Float = Float {
    number: 0.0,
    length: 0,
    out_of_range: false,
};

fn decimal(text: &[u8]) -> Float {
    let (mantissa, digits) = pointed(text, 10);
    if digits == 0 {
        return NOTHING;
    }
    let length = mantissa + exponent(&text[mantissa..], b'e').0;
    let parsed = std::str::from_utf8(&text[..length])
        .ok()
        .and_then(|text| text.parse().ok());
    let number: f64 = parsed.unwrap_or(0.0);
    let is_zero = !text[..mantissa]
        .iter()
        .any(|byte| matches!(byte, b'1'..=b'9'));
    Float {
        number,
        length,
        out_of_range: !is_zero && !number.is_normal(),
    }
}

fn hexadecimal(text: &[u8]) -> Float {
    let digits = &text[2..];
    let (mantissa, _) = pointed(digits, 16);
    let (length, power) = exponent(&digits[mantissa..], b'p');
    let mut bits = 0u64;
    let mut lost = false;
    let mut scale = power;
    let mut fraction = false;
    for byte in &digits[..mantissa] {
        let Some(digit) = digit(*byte, 16) else {
            fraction = true;
            continue;
        };
        let full = bits >> 60 != 0;
        match full {
            true => lost |= digit != 0,
            false => bits = bits << 4 | u64::from(digit),
        }
        scale = scale.saturating_add(4 * (i64::from(full) - i64::from(fraction)));
    }
    let (number, exact) = scaled(bits, lost, scale);
    Float {
        number,
        length: 2 + mantissa + length,
        out_of_range: number.is_infinite() || !number.is_normal() && !exact,
    }
}

/// `bits` times 2 to the `scale`, rounded to even on a tie, and whether that is exact.
/// `lost` says that a bit of lower value was set.
fn scaled(bits: u64, lost: bool, scale: i64) -> (f64, bool) {
    if bits == 0 {
        return (0.0, !lost);
    }
    // The value is between 2^(top - 1) and 2^top.
    let top = scale.saturating_add(64 - i64::from(bits.leading_zeros()));
    if top > 1024 {
        return (f64::INFINITY, false);
    }
    let unit = top.saturating_sub(53).max(-1074);
    let drop = unit.saturating_sub(scale);
    let (kept, rest_to_half) = match drop {
        ..=0 => (bits << -drop, Ordering::Less),
        65.. => (0, Ordering::Less),
        _ => {
            let wide = u128::from(bits);
            let half = 1u128 << (drop - 1);
            let rest = wide & (2 * half - 1);
            let order = rest.cmp(&half).then(lost.cmp(&false));
            ((wide >> drop) as u64, order)
        }
    };
    let exact = !lost && (drop <= 0 || drop < 64 && kept << drop == bits);
    let up = rest_to_half.is_gt() || rest_to_half.is_eq() && kept & 1 == 1;
    let rounded = kept + u64::from(up);
    // In two steps, because a power of two as small as the result may be is none itself.
    let half = unit as i32 / 2;
    let number = rounded as f64 * 2f64.powi(half) * 2f64.powi(unit as i32 - half);
    (number, exact)
}

#[cfg(test)]
mod tests;
