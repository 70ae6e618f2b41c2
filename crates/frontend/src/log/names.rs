//! Numbers for the names in a log.

use rustc_hash::FxHashMap;

/// Names in the order in which they were first met. `0x10` and `16` are the same name.
#[derive(Debug, Default)]
pub struct Names {
    numbers: FxHashMap<u64, u32>,
    texts: FxHashMap<Box<str>, u32>,
    shown: Vec<Name>,
}

#[derive(Debug)]
enum Name {
    Decimal(u64),
    Hexadecimal(u64),
    Text(Box<str>),
}

impl Names {
    pub fn len(&self) -> usize {
        self.shown.len()
    }

    /// The number of a name.
    pub fn number(&mut self, name: &str) -> u32 {
        let new = self.shown.len() as u32;
        let number = match parse(name) {
            Name::Decimal(value) | Name::Hexadecimal(value) => {
                *self.numbers.entry(value).or_insert(new)
            }
            Name::Text(_) => match self.texts.get(name) {
                Some(number) => *number,
                None => {
                    self.texts.insert(name.into(), new);
                    new
                }
            },
        };
        if number == new {
            self.shown.push(match parse(name) {
                Name::Text(_) => Name::Text(name.into()),
                number => number,
            });
        }
        number
    }

    /// The name that a number stands for.
    pub fn name(&self, number: u32) -> String {
        match self.shown.get(number as usize) {
            Some(Name::Decimal(value)) => value.to_string(),
            Some(Name::Hexadecimal(value)) => format!("{value:#x}"),
            Some(Name::Text(text)) => text.to_string(),
            None => "?".to_owned(),
        }
    }
}

/// A number, or an empty text for whatever is none.
fn parse(name: &str) -> Name {
    let hexadecimal = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X"));
    // A sign is no part of a number.
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = match hexadecimal {
        Some(rest) if digits(rest) => u64::from_str_radix(rest, 16).ok().map(Name::Hexadecimal),
        None if digits(name) => name.parse().ok().map(Name::Decimal),
        _ => None,
    };
    number.unwrap_or_else(|| Name::Text("".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_in_both_notations() {
        let mut names = Names::default();
        let given = [
            "0x10",
            "16",
            "x",
            "+16",
            "0X10",
            "X",
            "x",
            "18446744073709551616",
            "",
        ];
        let numbers = given.map(|name| names.number(name));
        assert_eq!(numbers, [0, 0, 1, 2, 0, 3, 1, 4, 5]);
        let shown: Vec<String> = (0..5).map(|number| names.name(number)).collect();
        assert_eq!(shown, ["0x10", "x", "+16", "X", "18446744073709551616"]);
    }
}
