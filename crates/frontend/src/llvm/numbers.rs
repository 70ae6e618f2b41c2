//! Numbers as constants: integers of any width, and floating-point numbers in decimal
//! and in LLVM's hexadecimal forms.

use super::module::{Constant, Type};
use super::reader::decimal;

/// Literals of wider integers are not read: turning decimals into bits takes time
/// that grows with the square of the width.
const MAX_LITERAL_BITS: u32 = 1 << 14;

/// An integer literal (`-1`, `u0xFF`, `s0xFF`) of this width, cut to it.
pub(super) fn integer(text: &[u8], bits: u32) -> Option<Constant> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        _ => (false, text),
    };
    if bits <= 64
        && let Some(number) = decimal(digits)
    {
        let number = if negative {
            number.wrapping_neg()
        } else {
            number
        };
        return Some(Constant::Integer(number & mask(bits)));
    }
    if bits > MAX_LITERAL_BITS || digits.len() > MAX_LITERAL_BITS as usize {
        return None;
    }
    let count = (bits as usize).div_ceil(64);
    let mut words = vec![0u64; count];
    match digits {
        [b'u', b'0', b'x', hex @ ..] if !negative => add_digits(&mut words, hex, 16)?,
        [b's', b'0', b'x', hex @ ..] if !negative => {
            add_digits(&mut words, hex, 16)?;
            extend_sign(&mut words, hex.len() * 4);
        }
        _ => add_digits(&mut words, digits, 10)?,
    }
    if negative {
        negate(&mut words);
    }
    if let Some(last) = words.last_mut() {
        *last &= mask(bits - 64 * (count as u32 - 1));
    }
    if bits <= 64 {
        return words.first().map(|&word| Constant::Integer(word));
    }
    while words.len() > 1 && words.last() == Some(&0) {
        words.pop();
    }
    Some(Constant::Wide(words.into()))
}

/// The lowest `bits` bits.
fn mask(bits: u32) -> u64 {
    match bits {
        0 => 0,
        64.. => u64::MAX,
        _ => (1 << bits) - 1,
    }
}

fn add_digits(words: &mut [u64], digits: &[u8], base: u32) -> Option<()> {
    if digits.is_empty() {
        return None;
    }
    for &digit in digits {
        let mut carry = u128::from((digit as char).to_digit(base)?);
        for word in words.iter_mut() {
            carry += u128::from(*word) * u128::from(base);
            *word = carry as u64;
            carry >>= 64;
        }
    }
    Some(())
}

fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

/// Copies the top bit of a literal of `length` bits to all bits above.
fn extend_sign(words: &mut [u64], length: usize) {
    let Some(top) = length.checked_sub(1) else {
        return;
    };
    let is_set = |word: &u64| word >> (top % 64) & 1 == 1;
    if !words.get(top / 64).is_some_and(is_set) {
        return;
    }
    for (index, word) in words.iter_mut().enumerate().skip(top / 64) {
        let keep = if index == top / 64 { top % 64 } else { 0 };
        *word |= u64::MAX.checked_shl(keep as u32).unwrap_or(0);
    }
}

/// A floating-point literal of this type.
pub(super) fn float(text: &[u8], of: &Type) -> Option<Constant> {
    let text = std::str::from_utf8(text).ok()?;
    let narrow = matches!(of, Type::Half | Type::BFloat | Type::Float | Type::Double);
    if let Some(digits) = text.strip_prefix("f0x") {
        let bits = hexadecimal(digits)?;
        return match of {
            Type::Half => Some(Constant::Float(from_half(bits as u16))),
            Type::BFloat => Some(Constant::Float(from_single((bits as u32 & 0xFFFF) << 16))),
            Type::Float => Some(Constant::Float(from_single(bits as u32))),
            Type::Double => Some(Constant::Float(bits as u64)),
            _ => Some(Constant::WideFloat(Box::new(bits))),
        };
    }
    let Some(digits) = text.strip_prefix("0x") else {
        // `1e5` is printed `1.000000e+05`; a number without a dot is an integer.
        let number: f64 = text.contains('.').then(|| text.parse().ok())??;
        return narrow.then(|| Constant::Float(number.to_bits()));
    };
    let wide = |high: &str, low: &str| {
        let bits = hexadecimal(high)? << 64 | hexadecimal(low)?;
        Some(Constant::WideFloat(Box::new(bits)))
    };
    match (digits.as_bytes().first()?, of) {
        (b'K', Type::X86Fp80) => wide(digits.get(1..5)?, digits.get(5..21)?),
        (b'L', Type::Fp128) | (b'M', Type::PpcFp128) => {
            wide(digits.get(17..33)?, digits.get(1..17)?)
        }
        (b'H', Type::Half) => {
            let bits = hexadecimal(&digits[1..])?;
            Some(Constant::Float(from_half(bits as u16)))
        }
        (b'R', Type::BFloat) => {
            let bits = hexadecimal(&digits[1..])?;
            Some(Constant::Float(from_single((bits as u32 & 0xFFFF) << 16)))
        }
        (b'0'..=b'9' | b'A'..=b'F' | b'a'..=b'f', _) if narrow => {
            let bits = u64::try_from(hexadecimal(digits)?).ok()?;
            Some(Constant::Float(bits))
        }
        _ => None,
    }
}

fn hexadecimal(digits: &str) -> Option<u128> {
    u128::from_str_radix(digits, 16).ok()
}

fn from_single(bits: u32) -> u64 {
    f64::from(f32::from_bits(bits)).to_bits()
}

fn from_half(bits: u16) -> u64 {
    let sign = u64::from(bits >> 15) << 63;
    let exponent = u64::from(bits >> 10 & 0x1F);
    let fraction = u64::from(bits & 0x3FF);
    sign | match exponent {
        // Zero and subnormal numbers: multiples of 2^-24.
        0 => (fraction as f64 * 2f64.powi(-24)).to_bits(),
        0x1F => 0x7FF << 52 | fraction << 42,
        _ => (exponent + 1023 - 15) << 52 | fraction << 42,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_cut_to_their_width() {
        assert_eq!(integer(b"-1", 8), Some(Constant::Integer(255)));
        assert_eq!(integer(b"300", 8), Some(Constant::Integer(44)));
        let minimum = Constant::Integer(1 << 63);
        assert_eq!(integer(b"-9223372036854775808", 64), Some(minimum));
        assert_eq!(integer(b"u0xFF", 32), Some(Constant::Integer(255)));
        assert_eq!(integer(b"s0xFF", 32), Some(Constant::Integer(0xFFFF_FFFF)));
        assert_eq!(integer(b"12a", 32), None);
        assert_eq!(integer(b"-", 32), None);
    }

    #[test]
    fn wide_integers() {
        let all = Constant::Wide(Box::new([u64::MAX, u64::MAX]));
        assert_eq!(integer(b"-1", 128), Some(all));
        let two = Constant::Wide(Box::new([0, 1]));
        assert_eq!(integer(b"18446744073709551616", 128), Some(two));
        let small = Constant::Wide(Box::new([7]));
        assert_eq!(integer(b"7", 128), Some(small));
    }

    #[test]
    fn floats() {
        let value = |text: &str, of| float(text.as_bytes(), &of);
        let bits = |number: f64| Some(Constant::Float(number.to_bits()));
        assert_eq!(value("1.500000e+00", Type::Float), bits(1.5));
        assert_eq!(
            value("0x3FB99999A0000000", Type::Float),
            bits(f64::from(0.1f32))
        );
        assert_eq!(value("0xH3C00", Type::Half), bits(1.0));
        assert_eq!(value("0xH0001", Type::Half), bits(2f64.powi(-24)));
        assert_eq!(value("0xRBF80", Type::BFloat), bits(-1.0));
        assert_eq!(value("1", Type::Float), None);
        let one = Constant::WideFloat(Box::new(0x3FFF_8000_0000_0000_0000));
        assert_eq!(value("0xK3FFF8000000000000000", Type::X86Fp80), Some(one));
        let one = Constant::WideFloat(Box::new(0x3FFF << 112));
        assert_eq!(
            value("0xL00000000000000003FFF000000000000", Type::Fp128),
            Some(one)
        );
        assert_eq!(value("0xK3F", Type::X86Fp80), None);
    }
}
