//! X86 instructions do to registers, flags and memory what the processor does. Generated
//! sequences of them are assembled by gcc and run; the litmus test of the same sequence must
//! end with the same values.

mod reading;

use memory::Model;
use reading::{litmus, run};
use states::Options;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// Numbers from a seed.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Values at which carries, signs and halves change.
    fn value(&mut self) -> u64 {
        let edges = [
            0,
            1,
            2,
            u64::MAX,
            0x7f,
            0x80,
            0xff,
            0x7fff,
            0x8000,
            0xffff,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x1_0000_0005,
            1 << 63,
            i64::MAX as u64,
        ];
        match self.below(3) {
            0 => self.0.u64(..),
            _ => self.pick(&edges),
        }
    }
}

/// Each register in 64, 32, 16 and 8 bits.
const REGISTERS: [[&str; 4]; 6] = [
    ["RAX", "EAX", "AX", "AL"],
    ["RBX", "EBX", "BX", "BL"],
    ["RCX", "ECX", "CX", "CL"],
    ["RDX", "EDX", "DX", "DL"],
    ["RSI", "ESI", "SI", "SIL"],
    ["R8", "R8D", "R8W", "R8B"],
];
const HIGH: [&str; 4] = ["AH", "BH", "CH", "DH"];
/// Locations of 64, 32, 16 and 8 bits, with their types and what the assembler calls them.
const LOCATIONS: [(&str, &str, &str); 4] = [
    ("m64", "uint64_t", "QWORD"),
    ("m32", "uint32_t", "DWORD"),
    ("m16", "uint16_t", "WORD"),
    ("m8", "uint8_t", "BYTE"),
];
const CONDITIONS: [&str; 30] = [
    "O", "NO", "B", "C", "NAE", "NB", "NC", "AE", "E", "Z", "NE", "NZ", "BE", "NA", "NBE", "A",
    "S", "NS", "P", "PE", "NP", "PO", "L", "NGE", "NL", "GE", "LE", "NG", "NLE", "G",
];

/// An instruction as a litmus test has it, and as the assembler does.
struct Line {
    litmus: String,
    native: String,
}

fn both(text: String) -> Line {
    Line {
        litmus: text.clone(),
        native: text,
    }
}

impl Random {
    /// A register; size 0 is 64 bits, 3 is 8.
    fn register(&mut self, size: usize) -> &'static str {
        match size {
            3 if self.below(3) == 0 => self.pick(&HIGH),
            _ => self.pick(&REGISTERS)[size],
        }
    }

    fn constant(&mut self, size: usize) -> String {
        let value = self.value();
        match size {
            0 => (value as i32).to_string(),
            1 => (value as u32).to_string(),
            2 => (value as i16).to_string(),
            _ => (value as u8).to_string(),
        }
    }

    /// The operands of an instruction: as the litmus test and as the assembler write
    /// them. The second byte of a register cannot stand beside `SIL` or `R8B`.
    fn operands(&mut self, size: usize, constant: bool, from_memory: bool) -> (Line, bool) {
        let (name, _, word) = LOCATIONS[size];
        let memory = Line {
            litmus: format!("[{name}]"),
            native: format!("{word} PTR {name}[rip]"),
        };
        let (mut first, mut second) = (self.register(size), self.register(size));
        while HIGH.contains(&first) || HIGH.contains(&second) {
            let needs_prefix = |name: &str| ["SIL", "R8B"].contains(&name);
            if !needs_prefix(first) && !needs_prefix(second) {
                break;
            }
            (first, second) = (self.register(size), self.register(size));
        }
        let join = |a: &str, b: &str| format!("{a},{b}");
        match self.below(4) {
            0 if constant => {
                let constant = self.constant(size);
                let litmus = join(first, &format!("${constant}"));
                let native = join(first, &constant);
                (Line { litmus, native }, false)
            }
            1 => {
                let litmus = join(&memory.litmus, second);
                let native = join(&memory.native, second);
                (Line { litmus, native }, true)
            }
            2 if from_memory => {
                let litmus = join(first, &memory.litmus);
                let native = join(first, &memory.native);
                (Line { litmus, native }, false)
            }
            _ => (both(join(first, second)), false),
        }
    }

    fn line(&mut self) -> Line {
        let size = self.below(4);
        let prefixed = |mnemonic: &str, operands: Line| Line {
            litmus: format!("{mnemonic} {}", operands.litmus),
            native: format!("{mnemonic} {}", operands.native),
        };
        match self.below(16) {
            0..=3 => {
                let mnemonics = ["ADD", "SUB", "AND", "OR", "XOR", "CMP", "TEST", "MOV"];
                let mnemonic = self.pick(&mnemonics);
                let (operands, to_memory) = self.operands(size, true, mnemonic != "TEST");
                let lockable = to_memory && !["CMP", "TEST", "MOV"].contains(&mnemonic);
                let lock = lockable && self.below(2) == 0;
                prefixed(
                    &format!("{}{mnemonic}", if lock { "LOCK " } else { "" }),
                    operands,
                )
            }
            4 | 5 => {
                let mnemonic = self.pick(&["INC", "DEC", "NEG", "NOT"]);
                if self.below(2) == 0 {
                    let register = self.register(size);
                    return both(format!("{mnemonic} {register}"));
                }
                let (name, _, word) = LOCATIONS[size];
                let lock = if mnemonic != "NEG" && self.below(2) == 0 {
                    "LOCK "
                } else {
                    ""
                };
                Line {
                    litmus: format!("{lock}{mnemonic} {word} PTR [{name}]"),
                    native: format!("{lock}{mnemonic} {word} PTR {name}[rip]"),
                }
            }
            6 | 7 => {
                let mnemonic = self.pick(&["XADD", "XCHG"]);
                let (operands, to_memory) = self.operands(size, false, false);
                let lock = if to_memory && self.below(2) == 0 {
                    "LOCK "
                } else {
                    ""
                };
                prefixed(&format!("{lock}{mnemonic}"), operands)
            }
            8 | 9 => {
                let (operands, to_memory) = self.operands(size, false, false);
                let lock = if to_memory && self.below(2) == 0 {
                    "LOCK "
                } else {
                    ""
                };
                prefixed(&format!("{lock}CMPXCHG"), operands)
            }
            10 => {
                let condition = self.pick(&CONDITIONS);
                let register = self.register(3);
                both(format!("SET{condition} {register}"))
            }
            11 => {
                let condition = self.pick(&CONDITIONS);
                let (a, b) = (self.register(size.min(2)), self.register(size.min(2)));
                both(format!("CMOV{condition} {a},{b}"))
            }
            12 => {
                let to = self.below(3);
                let from = match self.below(2) {
                    0 => 3,
                    _ => (to + 1).max(2),
                };
                let (target, source) = (self.register(to), self.pick(&REGISTERS)[from]);
                let signed = if self.below(2) == 0 { "MOVSX" } else { "MOVZX" };
                match self.below(2) {
                    0 => both(format!("{signed} {target},{source}")),
                    _ => {
                        let (name, _, word) = LOCATIONS[from];
                        Line {
                            litmus: format!("{signed} {target},{word} PTR [{name}]"),
                            native: format!("{signed} {target},{word} PTR {name}[rip]"),
                        }
                    }
                }
            }
            13 => {
                let target = self.pick(&REGISTERS)[0];
                let source = self.pick(&REGISTERS)[1];
                both(format!("MOVSXD {target},{source}"))
            }
            14 => {
                let size = self.below(2);
                let (target, wide) = (self.register(size), self.below(2));
                let (a, b) = (self.pick(&REGISTERS)[wide], self.pick(&REGISTERS)[wide]);
                let (scale, offset) = (self.pick(&[1, 2, 4, 8]), self.below(200));
                both(format!("LEA {target},[{a}+{b}*{scale}+{offset}]"))
            }
            _ => {
                let target = self.pick(&REGISTERS)[0];
                let value = self.value();
                Line {
                    litmus: format!("MOV {target},${value}"),
                    native: format!("MOVABS {target},{value}"),
                }
            }
        }
    }
}

struct Sequence {
    lines: Vec<Line>,
    registers: [u64; 6],
    memory: [u64; 4],
}

impl Sequence {
    fn of(random: &mut Random) -> Self {
        let length = 1 + random.below(8);
        Sequence {
            lines: (0..length).map(|_| random.line()).collect(),
            registers: std::array::from_fn(|_| random.value()),
            memory: std::array::from_fn(|size| random.value() & (u64::MAX >> (64 - (64 >> size)))),
        }
    }

    /// The litmus test.
    fn litmus(&self) -> String {
        let mut text = "X86_64 native\n{ ".to_owned();
        for ((name, kind, _), value) in LOCATIONS.iter().zip(self.memory) {
            write!(text, "{kind} {name}={value}; ").unwrap();
        }
        for (names, value) in REGISTERS.iter().zip(self.registers) {
            write!(text, "0:{}={value}; ", names[0]).unwrap();
        }
        text.push_str("}\n P0 ;\n");
        for line in &self.lines {
            writeln!(text, " {} ;", line.litmus).unwrap();
        }
        text.push_str("locations [");
        for names in REGISTERS {
            write!(text, "0:{}; ", names[0]).unwrap();
        }
        for (name, ..) in LOCATIONS {
            write!(text, "{name}; ").unwrap();
        }
        text.push_str("]\n");
        text
    }

    /// Assembly code that runs the sequence, then writes registers and memory to `out`.
    fn assembly(&self, number: usize) -> String {
        let mut text = format!("test{number}:\n push rbx\n");
        for ((name, _, word), value) in LOCATIONS.iter().zip(self.memory) {
            let part =
                ["RAX", "EAX", "AX", "AL"][LOCATIONS.iter().position(|l| l.0 == *name).unwrap()];
            writeln!(
                text,
                " movabs rax,{value}\n mov {word} PTR {name}[rip],{part}"
            )
            .unwrap();
        }
        // Flags start cleared.
        text.push_str(" or rsp,rsp\n xor eax,eax\n inc eax\n");
        for (names, value) in REGISTERS.iter().zip(self.registers) {
            writeln!(text, " movabs {},{value}", names[0]).unwrap();
        }
        for line in &self.lines {
            writeln!(text, " {}", line.native).unwrap();
        }
        for (index, names) in REGISTERS.iter().enumerate() {
            writeln!(text, " mov QWORD PTR out[rip+{}],{}", 8 * index, names[0]).unwrap();
        }
        text.push_str(" pop rbx\n ret\n");
        text
    }
}

fn natively(sequences: &[Sequence]) -> Vec<Vec<u64>> {
    let mut assembly = ".intel_syntax noprefix\n.text\n".to_owned();
    for (number, sequence) in sequences.iter().enumerate() {
        assembly.push_str(&sequence.assembly(number));
    }
    assembly.push_str(".globl tests\n.section .data.rel.ro,\"aw\"\n.align 8\ntests:\n");
    for number in 0..sequences.len() {
        writeln!(assembly, " .quad test{number}").unwrap();
    }
    assembly.push_str(" .quad 0\n.section .note.GNU-stack,\"\",@progbits\n");
    let main = "#include <inttypes.h>\n#include <stdio.h>\nuint64_t out[6];\nuint64_t m64; uint32_t m32; \
        uint16_t m16; uint8_t m8;\nextern void (*tests[])(void);\nint main(void) {\n\
        for (int i = 0; tests[i]; i++) {\n tests[i]();\n for (int r = 0; r < 6; r++) \
        printf(\"%\" PRIu64 \" \", out[r]);\n printf(\"%\" PRIu64 \" %\" PRIu32 \" %u %u\\n\", \
        m64, m32, m16, m8);\n }\n}\n";
    let directory: PathBuf =
        std::env::temp_dir().join(format!("fencepost-x86-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("tests.s"), assembly).unwrap();
    std::fs::write(directory.join("main.c"), main).unwrap();
    let program = directory.join("program");
    let gcc = Command::new("gcc")
        .args(["main.c", "tests.s", "-o", "program"])
        .current_dir(&directory)
        .output()
        .expect("gcc");
    assert!(
        gcc.status.success(),
        "{}",
        String::from_utf8_lossy(&gcc.stderr)
    );
    let output = Command::new(&program).output().expect("the program runs");
    assert!(output.status.success());
    std::fs::remove_dir_all(&directory).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let number = |word: &str| word.parse().unwrap();
    text.lines()
        .map(|line| line.split_whitespace().map(number).collect())
        .collect()
}

#[cfg(target_arch = "x86_64")]
#[test]
fn instructions_do_what_the_processor_does() {
    let count = std::env::var("FENCEPOST_SEQUENCES").ok();
    let count = count.and_then(|text| text.parse().ok()).unwrap_or(1500);
    let mut random = Random(fastrand::Rng::with_seed(0x5eed_0b57));
    let sequences: Vec<Sequence> = (0..count).map(|_| Sequence::of(&mut random)).collect();
    let expected = natively(&sequences);
    assert_eq!(expected.len(), sequences.len());
    let mut wrong = Vec::new();
    for (sequence, expected) in sequences.iter().zip(expected) {
        let text = sequence.litmus();
        let result = run(&litmus(&text), Model::Tso, &Options::default());
        let [outcome] = &result.outcomes[..] else {
            panic!("one thread, {} outcomes\n{text}", result.outcomes.len());
        };
        let program = litmus(&text);
        let value = |name: &str| {
            let index = program
                .observed
                .iter()
                .position(|o| o.name == name)
                .unwrap();
            outcome.0[index]
        };
        let mut found: Vec<u64> = REGISTERS
            .iter()
            .map(|names| value(&format!("0:{}", names[0])))
            .collect();
        found.extend(LOCATIONS.iter().map(|(name, ..)| value(name)));
        if found != expected {
            wrong.push((
                sequence.lines.len(),
                format!("{text}here:     {found:x?}\nnatively: {expected:x?}\n"),
            ));
        }
    }
    wrong.sort();
    let shown: Vec<String> = wrong.iter().take(4).map(|(_, text)| text.clone()).collect();
    assert!(
        wrong.is_empty(),
        "{} of {count} differ, such as\n{}",
        wrong.len(),
        shown.join("\n")
    );
}
