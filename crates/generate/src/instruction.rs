//! Instructions as data, so that [shapes](crate::shapes()), the shrinker and the assembler can
//! change them without reading text.
//!
//! Registers are *slots*; which register of the language a slot is belongs to the test
//! ([`Registers`]), so that another shape of the test can use others.

use frontend::vocabulary;
use std::fmt::Write;

/// The language of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// X86, in columns.
    X86,
    /// SPARC, in columns or processors under each other.
    Sparc,
}

impl Language {
    /// Both.
    pub const ALL: [Language; 2] = [Language::X86, Language::Sparc];

    /// The name that the command line has for it.
    pub fn name(self) -> &'static str {
        match self {
            Language::X86 => "x86",
            Language::Sparc => "sparc",
        }
    }
}

/// Slots for data; in X86 these have a second byte with a name of its own.
pub const DATA: [usize; 4] = [0, 1, 2, 3];
/// The slot that holds an address, if any does.
pub const POINTER: usize = 4;
/// The slot that holds 0 or 1 to index arrays with.
pub const INDEX: usize = 5;
/// The slot that counts iterations.
pub const COUNTER: usize = 6;
/// The slot that the grammar leaves to shapes.
pub const FRESH: usize = 7;
/// The number of slots.
pub const SLOTS: usize = 8;

/// The registers of X86 by their numbers in the reader's table, the base and stack pointers not among the first eight.
const X86: [usize; 16] = [0, 1, 2, 3, 4, 5, 8, 9, 6, 7, 10, 11, 12, 13, 14, 15];
const SPARC: [&str; 16] = [
    "r1",
    "r2",
    "l0",
    "o1",
    "p",
    "slot",
    "n",
    "fresh",
    "g1",
    "i7",
    "item",
    "l7",
    "o5",
    "sp2",
    "r31",
    "Long_name",
];

/// The register that each slot is: an index into the registers of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers(pub [usize; SLOTS]);

impl Default for Registers {
    fn default() -> Self {
        Registers([0, 1, 2, 3, 4, 5, 6, 7])
    }
}

/// A register, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    pub slot: usize,
    /// 64 in SPARC.
    pub bits: u32,
    /// The second byte: `AH`.
    pub high: bool,
}

impl Register {
    pub fn new(slot: usize, bits: u32) -> Self {
        Register {
            slot,
            bits,
            high: false,
        }
    }

    /// Its name, without `%`.
    pub fn name(self, language: Language, registers: &Registers) -> &'static str {
        let index = registers.0[self.slot];
        match language {
            Language::Sparc => SPARC[index],
            Language::X86 => {
                let view = match (self.bits, self.high) {
                    (_, true) => 4,
                    (64, _) => 0,
                    (32, _) => 1,
                    (16, _) => 2,
                    _ => 3,
                };
                vocabulary::x86_register_views()[X86[index]][view]
            }
        }
    }
}

/// A memory operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    pub location: Option<String>,
    /// Registers, each with its scale.
    pub registers: Vec<(Register, u32)>,
    pub displacement: i64,
    /// The width of the access.
    pub bits: u32,
    /// X86: the width is written (`DWORD PTR`). SPARC: brackets are left out.
    pub marked: bool,
}

impl Memory {
    /// The location itself.
    pub fn named(location: impl Into<String>, bits: u32) -> Self {
        Memory {
            location: Some(location.into()),
            registers: Vec::new(),
            displacement: 0,
            bits,
            marked: false,
        }
    }

    /// The location that a register points to.
    pub fn at(register: Register, bits: u32) -> Self {
        Memory {
            location: None,
            registers: vec![(register, 1)],
            displacement: 0,
            bits,
            marked: true,
        }
    }

    /// True if it is `[x]`.
    pub fn is_plain(&self) -> bool {
        self.location.is_some() && self.registers.is_empty() && self.displacement == 0
    }

    fn text(&self, language: Language, registers: &Registers) -> String {
        let mut summands: Vec<String> = self.location.iter().cloned().collect();
        for (register, scale) in &self.registers {
            let name = register.name(language, registers);
            summands.push(match (language, scale) {
                (Language::Sparc, _) => format!("%{name}"),
                (Language::X86, 1) => name.to_owned(),
                (Language::X86, _) => format!("{name}*{scale}"),
            });
        }
        let mut sum = summands.join("+");
        if self.displacement != 0 {
            let _ = write!(sum, "{:+}", self.displacement);
        }
        match language {
            Language::Sparc if self.marked && self.is_plain() => sum,
            Language::X86 if self.marked => format!("{} PTR [{sum}]", size_word(self.bits)),
            _ => format!("[{sum}]"),
        }
    }
}

/// What X86 calls a width.
pub fn size_word(bits: u32) -> &'static str {
    match bits {
        8 => "BYTE",
        16 => "WORD",
        32 => "DWORD",
        _ => "QWORD",
    }
}

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    Register(Register),
    Number(i128),
    /// The address of a location.
    Address(String),
    Memory(Memory),
    Label(String),
    /// The orderings of a `membar`.
    Orderings(String),
    /// `%g0` of SPARC.
    Zero,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub lock: bool,
    pub mnemonic: String,
    /// The suffix of X86, or the options of a branch of SPARC.
    pub suffix: String,
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// An instruction without `LOCK` or suffix.
    pub fn new(mnemonic: impl Into<String>, operands: Vec<Operand>) -> Self {
        Instruction {
            lock: false,
            mnemonic: mnemonic.into(),
            suffix: String::new(),
            operands,
        }
    }

    /// One without operands.
    pub fn bare(mnemonic: impl Into<String>) -> Self {
        Instruction::new(mnemonic, Vec::new())
    }

    /// The memory operand.
    pub fn memory(&self) -> Option<&Memory> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Memory(memory) => Some(memory),
            _ => None,
        })
    }

    /// The memory operand.
    pub fn memory_mut(&mut self) -> Option<&mut Memory> {
        self.operands.iter_mut().find_map(|operand| match operand {
            Operand::Memory(memory) => Some(memory),
            _ => None,
        })
    }

    /// The label that it may go to.
    pub fn label(&self) -> Option<&str> {
        match self.operands.last() {
            Some(Operand::Label(label)) => Some(label),
            _ => None,
        }
    }

    /// All registers that it names.
    pub fn registers(&self) -> Vec<Register> {
        let mut found = Vec::new();
        for operand in &self.operands {
            match operand {
                Operand::Register(register) => found.push(*register),
                Operand::Memory(memory) => {
                    found.extend(memory.registers.iter().map(|(register, _)| *register));
                }
                _ => {}
            }
        }
        found
    }

    /// Its text.
    pub fn text(&self, language: Language, registers: &Registers) -> String {
        let mut text = String::new();
        if self.lock {
            text.push_str("LOCK ");
        }
        text.push_str(&self.mnemonic);
        text.push_str(&self.suffix);
        let operand = |operand: &Operand| match (operand, language) {
            (Operand::Register(register), Language::X86) => {
                register.name(language, registers).to_owned()
            }
            (Operand::Register(register), Language::Sparc) => {
                format!("%{}", register.name(language, registers))
            }
            (Operand::Number(number), _) => {
                let sign = match language {
                    // The sign may be left out.
                    _ if *number == 2 => "",
                    Language::X86 => "$",
                    Language::Sparc => "#",
                };
                match *number > 9 {
                    true => format!("{sign}0x{number:x}"),
                    false => format!("{sign}{number}"),
                }
            }
            (Operand::Address(name), Language::X86) => format!("${name}"),
            (Operand::Memory(memory), _) => memory.text(language, registers),
            (Operand::Address(text) | Operand::Label(text) | Operand::Orderings(text), _) => {
                text.clone()
            }
            (Operand::Zero, _) => "%g0".to_owned(),
        };
        let operands: Vec<String> = self.operands.iter().map(operand).collect();
        let between = match language {
            Language::X86 => ",",
            Language::Sparc => ", ",
        };
        if !operands.is_empty() {
            text.push(' ');
            text.push_str(&operands.join(between));
        }
        text
    }
}
