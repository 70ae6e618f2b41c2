//! The general registers of x86-64: sixteen families, and the parts of each that have names.

use program::Width;

/// A whole register of 64 bits, by its number in machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Family(u8);

impl Family {
    /// How many there are.
    pub const COUNT: usize = 16;
    /// `rax`
    pub const A: Family = Family(0);
    /// `rcx`
    pub const C: Family = Family(1);
    /// `rdx`
    pub const D: Family = Family(2);
    /// `rbx`
    pub const B: Family = Family(3);
    /// `rsp`
    pub const STACK: Family = Family(4);
    /// `rbp`
    pub const FRAME: Family = Family(5);
    /// `rsi`
    pub const SOURCE: Family = Family(6);
    /// `rdi`
    pub const DESTINATION: Family = Family(7);

    /// Its number.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The family of this number, below [`Family::COUNT`].
    pub fn of_index(index: usize) -> Family {
        Family(index as u8 % Family::COUNT as u8)
    }

    /// Every family.
    pub fn all() -> impl Iterator<Item = Family> {
        (0..Family::COUNT).map(Family::of_index)
    }

    /// The name of all its 64 bits.
    pub fn name(self) -> String {
        match self.0 {
            0..8 => format!("r{}", LEGACY[self.index()]),
            number => format!("r{number}"),
        }
    }
}

/// Which bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lowest 8, 16, 32 or 64.
    Low(Width),
    /// Bits 8 to 15, as in `ah`.
    High,
}

impl Part {
    /// How many bits.
    pub fn width(self) -> Width {
        match self {
            Part::Low(width) => width,
            Part::High => Width::W8,
        }
    }
}

/// A named part of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// The register.
    pub family: Family,
    /// The part of it.
    pub part: Part,
}

/// The names of the first eight with 16 bits, by number.
const LEGACY: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];

/// The register of a name, such as `eax`, `r8d` or `bh`, in lower case.
pub fn named(name: &str) -> Option<Register> {
    let register = |number: usize, part| {
        let family = Family::of_index(number);
        Some(Register { family, part })
    };
    let legacy = |name: &str| LEGACY.iter().position(|known| *known == name);
    if let Some(number) = legacy(name) {
        return register(number, Part::Low(Width::W16));
    }
    match name.split_at_checked(1)? {
        ("e", rest) if legacy(rest).is_some() => register(legacy(rest)?, Part::Low(Width::W32)),
        ("r", rest) if legacy(rest).is_some() => register(legacy(rest)?, Part::Low(Width::W64)),
        ("r", rest) => {
            let digits = rest.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
            let number = digits
                .parse()
                .ok()
                .filter(|number| (8..16).contains(number))?;
            let width = match &rest[digits.len()..] {
                "" => Width::W64,
                "d" => Width::W32,
                "w" => Width::W16,
                "b" | "l" => Width::W8,
                _ => return None,
            };
            register(number, Part::Low(width))
        }
        (first, "l") => {
            let number = ["a", "c", "d", "b"]
                .iter()
                .position(|known| *known == first)?;
            register(number, Part::Low(Width::W8))
        }
        (first, "h") => {
            let number = ["a", "c", "d", "b"]
                .iter()
                .position(|known| *known == first)?;
            register(number, Part::High)
        }
        _ => register(legacy(name.strip_suffix('l')?)?, Part::Low(Width::W8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known() {
        let low = |name: &str| match named(name).map(|register| (register.family, register.part)) {
            Some((family, Part::Low(width))) => (family.index(), width.bits()),
            other => panic!("{name}: {other:?}"),
        };
        for (names, bits) in [
            (
                [
                    "al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r15b",
                ],
                8,
            ),
            (
                [
                    "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r15w",
                ],
                16,
            ),
            (
                [
                    "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r15d",
                ],
                32,
            ),
            (
                [
                    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r15",
                ],
                64,
            ),
        ] {
            for (name, number) in names.iter().zip([0, 1, 2, 3, 4, 5, 6, 7, 8, 15]) {
                assert_eq!(low(name), (number, bits), "{name}");
            }
        }
        let high = named("bh").expect("a register");
        assert_eq!((high.family, high.part), (Family::B, Part::High));
        for name in [
            "", "x", "xl", "r7", "r16", "eal", "rip", "xmm0", "r8x", "sph", "é",
        ] {
            assert_eq!(named(name), None, "{name}");
        }
        assert_eq!(
            [Family::A, Family::of_index(9)].map(Family::name),
            ["rax", "r9"]
        );
    }
}
