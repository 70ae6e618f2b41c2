//! What glibc 2.36 prints.

use super::*;

/// Words as arguments; an address is an index into the strings, plus 1.
struct Given {
    words: Vec<Word>,
    strings: Vec<&'static [u8]>,
}

impl Arguments for Given {
    type Error = String;

    fn next_float(&mut self) -> Result<Word, String> {
        self.next(8)
    }

    fn next(&mut self, size: u32) -> Result<Word, String> {
        if self.words.is_empty() {
            return Err("no more".into());
        }
        let word = self.words.remove(0);
        Ok(if size == 4 { word & 0xffff_ffff } else { word })
    }

    fn string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, String> {
        let string = self.strings[address as usize - 1];
        Ok(string.iter().copied().take(most as usize).collect())
    }

    fn wide_string(&mut self, address: Word, most: u64) -> Result<Vec<u8>, String> {
        self.string(address, most)
    }

    fn choose(&mut self, number: usize) -> Result<(), String> {
        Err(format!("no argument {number}"))
    }

    fn write(&mut self, address: Word, size: u32, number: Word) -> Result<(), String> {
        Err(format!("{number} in {size} bytes at {address}"))
    }

    fn error_text(&mut self) -> Result<Vec<u8>, String> {
        Ok(b"Success".to_vec())
    }

    fn refuse(&self, message: String) -> String {
        message
    }

    fn unsupported(&self, message: String) -> String {
        format!("unsupported: {message}")
    }
}

#[test]
fn numbered_arguments() {
    assert_eq!(formatted("%2$d %1$d", &[1, 2]).as_deref(), Ok("2 1"));
    assert_eq!(formatted("%1$d %1$x", &[10]).as_deref(), Ok("10 a"));
    assert_eq!(formatted("%3$d", &[1, 2, 3]).as_deref(), Ok("3"));
    assert_eq!(formatted("[%1$*2$d]", &[7, 4]).as_deref(), Ok("[   7]"));
    assert_eq!(formatted("%2$s$%1$d", &[5, 1]).as_deref(), Ok("hello$5"));
    assert!(formatted("%1$d %d", &[1, 2]).is_err());
    assert!(formatted("%0$d", &[1]).is_err());
}

#[test]
fn the_number_of_characters_and_the_error() {
    assert_eq!(formatted("%m", &[]).as_deref(), Ok("Success"));
    assert_eq!(formatted("ab%n", &[9]), Err("2 in 4 bytes at 9".into()));
}

fn formatted(template: &str, words: &[Word]) -> Result<String, String> {
    let mut given = Given {
        words: words.to_vec(),
        strings: vec![b"hello", b""],
    };
    let bytes = format(template.as_bytes(), &mut given)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn floating_point_numbers() {
    let rows = [
        ("%f", 0.5, "0.500000"),
        ("%.0f", 0.5, "0"),
        ("%.0f", 1.5, "2"),
        ("%.0f", 2.5, "2"),
        ("%#.0f", 3.0, "3."),
        ("%.1f", 0.25, "0.2"),
        ("%.20f", 0.1, "0.10000000000000000555"),
        ("%08.2f", -3.125, "-0003.12"),
        ("%+.3f", 2.0, "+2.000"),
        ("% f", 1.0, " 1.000000"),
        ("%.3f", 1e22, "10000000000000000000000.000"),
        ("%e", 0.0, "0.000000e+00"),
        ("%e", 12345.678, "1.234568e+04"),
        ("%.0e", 25.0, "2e+01"),
        ("%#.0e", 1.0, "1.e+00"),
        ("%.3E", -1e-300, "-1.000E-300"),
        ("%e", 5e-324, "4.940656e-324"),
        ("%g", 100000.0, "100000"),
        ("%g", 1000000.0, "1e+06"),
        ("%g", 1e-4, "0.0001"),
        ("%g", 1e-5, "1e-05"),
        ("%g", 0.1, "0.1"),
        ("%#g", 1.5, "1.50000"),
        ("%.3g", 9.995, "9.99"),
        ("%.0g", 1234.0, "1e+03"),
        ("%G", 1e-10, "1E-10"),
        ("%.17g", 0.1, "0.10000000000000001"),
        ("%g", 0.0, "0"),
        ("%g", -0.0, "-0"),
        ("%a", 1.0, "0x1p+0"),
        ("%a", 0.1, "0x1.999999999999ap-4"),
        ("%.0a", 1.5, "0x2p+0"),
        ("%.2A", -3.999, "-0X2.00P+1"),
        ("%a", 0.0, "0x0p+0"),
        ("%a", 5e-324, "0x0.0000000000001p-1022"),
        ("%.1a", 1.96875, "0x2.0p+0"),
        ("%20a", 2.0, "              0x1p+1"),
        ("%020a", 2.0, "0x000000000000001p+1"),
        ("%f", f64::INFINITY, "inf"),
        ("%F", f64::NEG_INFINITY, "-INF"),
        ("%08f", f64::INFINITY, "     inf"),
        ("%+e", f64::INFINITY, "+inf"),
    ];
    for (template, number, expected) in rows {
        let text = formatted(template, &[number.to_bits()]);
        assert_eq!(text.as_deref(), Ok(expected), "{template} of {number:?}");
    }
}

#[test]
fn whole_numbers_characters_and_addresses() {
    let rows: &[(&str, i64, &str)] = &[
        ("%d", -7, "-7"),
        ("%5d|", 42, "   42|"),
        ("%-5d|", 42, "42   |"),
        ("%05d", -42, "-0042"),
        ("%+d", 42, "+42"),
        ("% d", 42, " 42"),
        ("%.3d", 7, "007"),
        ("%05.3d", 7, "  007"),
        ("%.0d", 0, ""),
        ("%hhd", 300, "44"),
        ("%hd", 70000, "4464"),
        ("%hhu", -1, "255"),
        ("%u", -1, "4294967295"),
        ("%o", 8, "10"),
        ("%#o", 8, "010"),
        ("%#.0o", 0, "0"),
        ("%x", 255, "ff"),
        ("%#X", 255, "0XFF"),
        ("%#x", 0, "0"),
        ("%#010x", 255, "0x000000ff"),
        ("%#10x|", 255, "      0xff|"),
        ("%.8x", 255, "000000ff"),
        ("%ld", -1, "-1"),
        ("%lu", -1, "18446744073709551615"),
        ("%zx", -1, "ffffffffffffffff"),
        ("%p", 0, "(nil)"),
        ("%p", 0x1234, "0x1234"),
        ("%12p|", 0x1234, "      0x1234|"),
        ("%c", 65, "A"),
        ("%3c|", 65, "  A|"),
        ("%-3c|", 65, "A  |"),
    ];
    for (template, number, expected) in rows {
        let text = formatted(template, &[*number as Word]);
        assert_eq!(text.as_deref(), Ok(*expected), "{template} of {number}");
    }
}

#[test]
fn strings() {
    let rows = [
        ("%s!", 1, "hello!"),
        ("%8s|", 1, "   hello|"),
        ("%-8s|", 1, "hello   |"),
        ("%.3s", 1, "hel"),
        ("%2s", 2, "  "),
        ("%s", 0, "(null)"),
        ("%.5s", 0, ""),
        ("%.7s", 0, "(null)"),
    ];
    for (template, address, expected) in rows {
        assert_eq!(
            formatted(template, &[address]).as_deref(),
            Ok(expected),
            "{template}"
        );
    }
}

#[test]
fn widths_and_precisions_may_be_arguments() {
    let minus = |number: i32| Word::from(number as u32);
    assert_eq!(formatted("%*d|", &[4, 7]).as_deref(), Ok("   7|"));
    assert_eq!(formatted("%*d|", &[minus(-4), 7]).as_deref(), Ok("7   |"));
    assert_eq!(formatted("%.*d", &[3, 7]).as_deref(), Ok("007"));
    assert_eq!(formatted("%.*d", &[minus(-1), 7]).as_deref(), Ok("7"));
    assert_eq!(
        formatted("%*.*f", &[6, 1, 2.5f64.to_bits()]).as_deref(),
        Ok("   2.5")
    );
}

#[test]
fn text_stands_between_conversions() {
    assert_eq!(
        formatted("100%% of %d and %d", &[1, 2]).as_deref(),
        Ok("100% of 1 and 2")
    );
    assert_eq!(formatted("", &[]).as_deref(), Ok(""));
}

#[test]
fn digits_beyond_what_a_number_has_are_zeros() {
    let text = formatted("%.2000f", &[5e-324f64.to_bits()]).unwrap_or_default();
    assert_eq!(text.len(), 2002);
    assert!(text.ends_with("9382236272p".trim_end_matches('p')) || text.ends_with('0'));
}

#[test]
fn wide_characters_of_the_c_locale() {
    for template in ["[%3lc]", "[%3C]"] {
        assert_eq!(formatted(template, &[0x41]).as_deref(), Ok("[  A]"));
    }
    for template in ["[%.2ls]", "[%.2S]"] {
        assert_eq!(formatted(template, &[1]).as_deref(), Ok("[he]"));
        assert_eq!(formatted(template, &[0]).as_deref(), Ok("[]"));
    }
}

#[test]
fn what_is_right_but_not_supported_is_no_mistake_of_the_program() {
    let unsupported = [
        ("%-5Lf", "the conversion %-5Lf"),
        ("%5000000d", "a field of 5000000 characters"),
        ("%.5000000f", "a number of 5000000 digits"),
    ];
    for (template, message) in unsupported {
        let expected = Err(format!("unsupported: {message}"));
        assert_eq!(formatted(template, &[0]), expected);
    }
    let expected = Err("unsupported: a wide character that is not ASCII".into());
    assert_eq!(formatted("%lc", &[0xe9]), expected);
}

#[test]
fn what_is_wrong_is_refused() {
    let wrong = [
        ("%k", "%k is no conversion"),
        ("%Ls", "%Ls is no conversion"),
        ("%", "the format ends within a conversion"),
        ("%-", "the format ends within a conversion"),
    ];
    for (template, message) in wrong {
        assert_eq!(formatted(template, &[0]), Err(message.into()));
    }
    assert_eq!(formatted("%d", &[]), Err("no more".into()));
}
