//! What glibc 2.36 makes of texts.

use super::*;

#[test]
fn whole_numbers() {
    let rows: &[(&str, u32, i64, usize)] = &[
        ("42", 10, 42, 2),
        ("  -42abc", 10, -42, 5),
        ("+7", 10, 7, 2),
        ("0x1f", 16, 31, 4),
        ("0x1F", 0, 31, 4),
        ("017", 0, 15, 3),
        ("19", 0, 19, 2),
        ("0xg", 0, 0, 1),
        ("0x", 16, 0, 1),
        ("08", 0, 0, 1),
        ("zZ", 36, 35 * 36 + 35, 2),
        ("102", 2, 2, 2),
        ("abc", 10, 0, 0),
        ("- 1", 10, 0, 0),
        ("", 10, 0, 0),
        ("9223372036854775807", 10, i64::MAX, 19),
        ("-9223372036854775808", 10, i64::MIN, 20),
    ];
    for (text, base, number, length) in rows {
        let found = whole(text.as_bytes(), *base);
        assert_eq!(found.signed(), (*number as Word, false), "{text}");
        assert_eq!(found.length, *length, "{text}");
    }
}

#[test]
fn whole_numbers_out_of_range_are_clamped() {
    let signed = |text: &str| whole(text.as_bytes(), 10).signed();
    let unsigned = |text: &str| whole(text.as_bytes(), 10).unsigned();
    assert_eq!(signed("9223372036854775808"), (i64::MAX as Word, true));
    assert_eq!(signed("-9223372036854775809"), (i64::MIN as Word, true));
    assert_eq!(signed("-99999999999999999999"), (i64::MIN as Word, true));
    assert_eq!(unsigned("18446744073709551615"), (Word::MAX, false));
    assert_eq!(unsigned("18446744073709551616"), (Word::MAX, true));
    assert_eq!(unsigned("-1"), (Word::MAX, false));
    assert_eq!(unsigned("-18446744073709551616"), (Word::MAX, true));
}

#[test]
fn floating_point_numbers() {
    let rows = [
        ("1.5", 1.5, 3),
        ("  -2.5e3x", -2500.0, 8),
        (".5", 0.5, 2),
        ("5.", 5.0, 2),
        (".", 0.0, 0),
        ("1e", 1.0, 1),
        ("1e+", 1.0, 1),
        ("-", 0.0, 0),
        ("0x1.8p1", 3.0, 7),
        ("0x.8", 0.5, 4),
        ("0x", 0.0, 1),
        ("0x1p", 1.0, 3),
        ("0x1.00000000000008p0", 1.0, 20),
        ("0x1.00000000000018p0", 1.0 + 2.0 * f64::EPSILON, 20),
        ("0x1.000000000000080000000001p0", 1.0 + f64::EPSILON, 30),
        ("0x1p-1022", f64::MIN_POSITIVE, 9),
        ("0x1p-1050", f64::from_bits(1 << 24), 9),
        ("0x0p99999999999999999999", 0.0, 24),
        ("inf", f64::INFINITY, 3),
        ("-Infinity", f64::NEG_INFINITY, 9),
        ("infinit", f64::INFINITY, 3),
    ];
    for (text, number, length) in rows {
        let found = float(text.as_bytes());
        assert_eq!((found.number, found.length), (number, length), "{text}");
        assert!(!found.out_of_range, "{text}");
    }
}

#[test]
fn not_a_number_may_carry_letters() {
    for (text, length) in [("nan", 3), ("NaN(12ab_)", 10), ("nan(", 3), ("nan(-)", 3)] {
        let found = float(text.as_bytes());
        assert!(found.number.is_nan(), "{text}");
        assert_eq!(found.length, length, "{text}");
    }
}

#[test]
fn floating_point_numbers_out_of_range() {
    let rows = [
        ("1e400", f64::INFINITY),
        ("-1e400", f64::NEG_INFINITY),
        ("1e-400", 0.0),
        ("4e-320", 4e-320),
        ("0x1p1024", f64::INFINITY),
        ("0x1.fffffffffffff8p1023", f64::INFINITY),
        ("0x1p-1076", 0.0),
        ("0x1p-99999999999999999999", 0.0),
        ("1e99999999999999999999", f64::INFINITY),
    ];
    for (text, number) in rows {
        let found = float(text.as_bytes());
        assert_eq!((found.number, found.out_of_range), (number, true), "{text}");
    }
}
