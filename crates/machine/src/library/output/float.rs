//! Floating-point numbers as `printf` shows them: exact, rounded to even on a tie.

use super::format::{Conversion, Piece};

/// More digits than any `f64` has behind its point; the rest are zeros.
const MOST_DIGITS: usize = 1100;
const FRACTION_BITS: u32 = 52;

/// What a conversion makes of a number.
pub(super) fn convert(conversion: Conversion, number: f64) -> Piece {
    let sign = conversion.sign(number.is_sign_negative());
    let magnitude = number.abs();
    let (base, mut body) = match conversion.letter.to_ascii_lowercase() {
        _ if number.is_nan() => ("", "nan".into()),
        _ if number.is_infinite() => ("", "inf".into()),
        b'f' => ("", fixed(conversion, magnitude)),
        b'e' => ("", exponential(conversion, magnitude)),
        b'g' => ("", general(conversion, magnitude)),
        _ => ("0x", hexadecimal(conversion, magnitude)),
    };
    let mut prefix = format!("{sign}{base}");
    if conversion.letter.is_ascii_uppercase() {
        prefix.make_ascii_uppercase();
        body.make_ascii_uppercase();
    }
    Piece {
        prefix,
        body: body.into_bytes(),
        zeros: number.is_finite(),
    }
}

fn precision(conversion: Conversion) -> usize {
    conversion.precision.unwrap_or(6) as usize
}

fn zeros(count: usize) -> String {
    "0".repeat(count)
}

fn fixed(conversion: Conversion, number: f64) -> String {
    let precision = precision(conversion);
    let exact = precision.min(MOST_DIGITS);
    let mut text = format!("{number:.exact$}");
    if precision == 0 && conversion.alternative {
        text.push('.');
    }
    text + &zeros(precision - exact)
}

/// The digits of a number in scientific notation, so many behind the point, and its exponent.
fn scientific(number: f64, behind: usize) -> (String, i32) {
    let exact = behind.min(MOST_DIGITS);
    let text = format!("{number:.exact$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.replace('.', "") + &zeros(behind - exact);
    (digits, exponent.parse().unwrap_or(0))
}

/// Digits with a point behind the first `whole`, if anything follows or it is asked for.
fn pointed(digits: &str, whole: usize, always: bool) -> String {
    let (whole, fraction) = digits.split_at(whole);
    match fraction.is_empty() && !always {
        true => whole.into(),
        false => format!("{whole}.{fraction}"),
    }
}

fn with_exponent(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

fn exponential(conversion: Conversion, number: f64) -> String {
    let (digits, exponent) = scientific(number, precision(conversion));
    with_exponent(&pointed(&digits, 1, conversion.alternative), exponent)
}

fn general(conversion: Conversion, number: f64) -> String {
    let significant = precision(conversion).max(1);
    let (mut digits, exponent) = scientific(number, significant - 1);
    let is_fixed = exponent >= -4 && i64::from(exponent) < significant as i64;
    let whole = match is_fixed {
        true if exponent >= 0 => exponent as usize + 1,
        true => {
            digits.insert_str(0, &zeros(exponent.unsigned_abs() as usize));
            1
        }
        false => 1,
    };
    if !conversion.alternative {
        let kept = digits.trim_end_matches('0').len().max(whole);
        digits.truncate(kept);
    }
    let mantissa = pointed(&digits, whole, conversion.alternative);
    match is_fixed {
        true => mantissa,
        false => with_exponent(&mantissa, exponent),
    }
}

fn hexadecimal(conversion: Conversion, number: f64) -> String {
    let bits = number.to_bits();
    let biased = (bits >> FRACTION_BITS) as i32;
    let mut mantissa = bits & ((1 << FRACTION_BITS) - 1);
    let exponent = match biased {
        0 if mantissa == 0 => 0,
        0 => -1022,
        _ => {
            mantissa |= 1 << FRACTION_BITS;
            biased - 1023
        }
    };
    let all = FRACTION_BITS as usize / 4;
    let behind = conversion
        .precision
        .map_or(all, |precision| precision as usize);
    if behind < all {
        mantissa = round(mantissa, 4 * (all - behind) as u32);
    }
    let mut digits = format!("{mantissa:014x}");
    match conversion.precision {
        None => digits.truncate(digits.trim_end_matches('0').len().max(1)),
        Some(_) if behind < all => digits.truncate(behind + 1),
        Some(_) => digits += &zeros(behind - all),
    }
    let mantissa = pointed(&digits, 1, conversion.alternative);
    format!("{mantissa}p{exponent:+}")
}

/// Rounds the low bits off, to even on a tie, and leaves zeros in their place.
fn round(number: u64, bits: u32) -> u64 {
    let unit = 1u64 << bits;
    let (kept, rest) = (number & !(unit - 1), number & (unit - 1));
    let up = rest > unit / 2 || rest == unit / 2 && kept & unit != 0;
    if up { kept + unit } else { kept }
}
