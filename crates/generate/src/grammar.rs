//! Tests from seeds.
//!
//! Every mnemonic, register, type, ordering, addressing form, layout and kind of statement of
//! `docs/reference/litmus.md` occurs; `tests/generated.rs` holds the grammar to the tables of the reader
//! and of that page. Tests are small: one to three threads of a few instructions, two to five
//! locations of any width, values from 0 to 3 and those at the edges of a width. Most tests
//! have no loops, some count to two or three, a few wait for another thread. In two of three tests
//! threads are [skeletons](skeleton), which meet at `x` and `y`; in others anything follows anything.

use crate::instruction::{
    DATA, INDEX, Instruction, Language, Memory, Operand, POINTER, Register, Registers,
};
use crate::questions::statements;
use crate::random::Random;
use crate::setting::Setting;
use crate::test::{Initial, Layout, Line, Statements, Test};
use crate::{skeleton, sparc, x86};

/// The test of a seed, in one of these languages.
pub fn test(seed: u64, languages: &[Language]) -> Test {
    let random = &mut Random::new(seed);
    let language = *random.pick(languages);
    let count = match random.below(8) {
        0 => 1,
        1 => 3,
        _ => 2,
    };
    let shared = language == Language::Sparc && random.one_in(8);
    // Threads with the same code are one thread to some reductions.
    let alike = shared || random.one_in(10);
    let setting = Setting::new(random, language, count, shared);
    let skeletons = !random.one_in(3);
    let mut spins = false;
    let mut threads: Vec<Vec<Line>> = Vec::new();
    for number in 0..count {
        let most = if count == 3 { 2 } else { 3 };
        let length = 1 + random.below(most);
        let lines = match threads.first() {
            Some(first) if alike && number > 0 => first.clone(),
            _ if skeletons => skeleton::thread(random, language, &setting, most),
            _ => thread(random, language, &setting, length, &mut spins),
        };
        threads.push(lines);
    }
    let initial = registers(random, language, &setting, count, alike);
    let mut test = Test {
        language,
        locations: setting.locations,
        initial,
        threads,
        statements: Statements::default(),
        spins,
        layout: match language {
            _ if shared => *random.pick(&[Layout::Range, Layout::List]),
            Language::X86 => Layout::Columns,
            Language::Sparc => *random.pick(&[Layout::Processors, Layout::Columns]),
        },
        order: (0..count).collect(),
        registers: Registers::default(),
        parentheses: false,
        observed: Vec::new(),
    };
    untype(random, &mut test);
    test.observe();
    test.statements = statements(random, &test);
    test
}

/// Registers that do not start at 0: pointers and indices, and some others.
fn registers(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    count: usize,
    alike: bool,
) -> Vec<(usize, Register, Initial)> {
    let mut initial = Vec::new();
    for thread in 0..count {
        if let Some(pointed) = &setting.pointed {
            let target = random.pick(&setting.targets(pointed)).clone();
            let register = Register::new(POINTER, 64);
            initial.push((thread, register, Initial::Address(target)));
        }
        if random.one_in(3) && !alike {
            let bits = match language {
                Language::X86 => *random.pick(&[32, 32, 64, 16, 8]),
                Language::Sparc => 64,
            };
            let register = Register::new(DATA[random.below(4)], bits);
            let value = Initial::Number(random.below(3) as i128);
            initial.push((thread, register, value));
        }
        if random.one_in(4) {
            initial.push((thread, Register::new(INDEX, 64), Initial::Number(1)));
        }
    }
    initial
}

/// Takes the types of some locations away, where an access that tells its width names them.
fn untype(random: &mut Random, test: &mut Test) {
    for index in 0..test.locations.len() {
        let name = test.locations[index].name.clone();
        let tells = |instruction: &Instruction| {
            let Some(memory) = instruction.memory() else {
                return false;
            };
            let register = instruction
                .operands
                .iter()
                .any(|operand| matches!(operand, Operand::Register(_)));
            memory.location.as_ref() == Some(&name)
                && instruction.mnemonic != "LEA"
                && (test.language == Language::Sparc || memory.marked || register)
        };
        let told = test.instructions().any(tells);
        match told {
            true if random.one_in(3) => test.locations[index].type_ = None,
            // A pointer without accesses has no width of its own.
            false if name == "q" => test.locations[index].type_ = Some("uintptr_t".to_owned()),
            _ => {}
        }
    }
}

/// The lines of a thread.
fn thread(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    length: usize,
    spins: &mut bool,
) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for number in 0..length {
        let new = match language {
            Language::X86 => x86::lines(random, setting),
            Language::Sparc => sparc::lines(random, setting),
        };
        let new: Vec<Line> = new.into_iter().map(Line::from).collect();
        let mut new = match random.below(14) {
            0 => {
                *spins = true;
                spin(random, language, setting, number)
            }
            1 | 2 => skip(random, language, setting, new, number),
            3 => count(random, language, setting, new, number),
            _ => new,
        };
        if random.one_in(2) && new[0].labels.is_empty() {
            new[0].labels.push(format!("L{number}"));
        }
        lines.extend(new);
    }
    lines
}

/// A label and how branches name it; in SPARC now and then a number.
fn label(random: &mut Random, language: Language, name: String, back: bool) -> (String, String) {
    if language == Language::Sparc && random.one_in(5) {
        let direction = if back { "b" } else { "f" };
        return ("1".to_owned(), format!("1{direction}"));
    }
    (name.clone(), name)
}

/// A branch over some lines.
fn skip(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    over: Vec<Line>,
    number: usize,
) -> Vec<Line> {
    let (label, target) = label(random, language, format!("S{number}"), false);
    let mut lines: Vec<Line> = Vec::new();
    let compares = !random.one_in(4);
    match language {
        Language::X86 => {
            if compares {
                lines.push(x86::comparison(random).into());
            }
            let mnemonic = match random.one_in(8) {
                true => "JMP".to_owned(),
                false => format!("J{}", x86::condition(random)),
            };
            lines.push(Instruction::new(mnemonic, vec![Operand::Label(target)]).into());
        }
        Language::Sparc => {
            if compares {
                lines.push(sparc::comparison(random).into());
            }
            let mnemonic = match random.one_in(5) {
                true => *random.pick(&["b", "ba", "bn"]),
                false => sparc::condition(random),
            };
            let branch = sparc::branch(random, mnemonic, &target);
            let always = matches!(mnemonic, "b" | "ba") && branch.suffix.contains(",a");
            lines.push(branch.into());
            if !always {
                lines.push(sparc::slot(random, setting).into());
            }
        }
    }
    lines.extend(over);
    let mut end = match random.one_in(2) {
        true => Line::default(),
        false => Line::from(nothing(language)),
    };
    end.labels.push(label);
    lines.push(end);
    lines
}

/// The instruction that does nothing.
pub fn nothing(language: Language) -> Instruction {
    Instruction::bare(match language {
        Language::X86 => "NOP",
        Language::Sparc => "nop",
    })
}

/// A loop that waits for another thread.
fn spin(random: &mut Random, language: Language, setting: &Setting, number: usize) -> Vec<Line> {
    let (label, target) = label(random, language, format!("W{number}"), true);
    let place = &setting.locations[random.below(2)];
    let memory = Memory::named(&place.name, place.bits);
    let bits = match language {
        Language::X86 => place.bits,
        Language::Sparc => 64,
    };
    let register = Register::new(DATA[1], bits);
    let (load, test) = match language {
        Language::X86 => (
            Instruction::new(
                "MOV",
                vec![Operand::Register(register), Operand::Memory(memory)],
            ),
            Instruction::new(
                "TEST",
                vec![Operand::Register(register), Operand::Register(register)],
            ),
        ),
        Language::Sparc => (
            sparc::load_from(random, memory, register),
            Instruction::new("tst", vec![Operand::Register(register)]),
        ),
    };
    let mut lines: Vec<Line> = vec![load.into(), test.into()];
    match language {
        Language::X86 => {
            let mnemonic = *random.pick(&["JE", "JNE"]);
            lines.push(Instruction::new(mnemonic, vec![Operand::Label(target)]).into());
        }
        Language::Sparc => {
            let mnemonic = *random.pick(&["be", "bne"]);
            lines.push(sparc::branch(random, mnemonic, &target).into());
            lines.push(Instruction::bare("nop").into());
        }
    }
    lines[0].labels.push(label);
    lines
}

/// Some lines two or three times, by a loop that counts down. [`counted`] finds it again.
fn count(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    body: Vec<Line>,
    number: usize,
) -> Vec<Line> {
    let times = 2 + random.below(2);
    let (label, target) = (format!("C{number}"), format!("C{number}"));
    let (set, decrement) = match language {
        Language::X86 => x86::counter(times),
        Language::Sparc => sparc::counter(times),
    };
    let mut lines: Vec<Line> = vec![set.into()];
    lines.extend(body);
    lines[1].labels.push(label);
    lines.push(decrement.into());
    match language {
        Language::X86 => {
            let mnemonic = *random.pick(&["JNE", "JNZ", "JG", "JNLE"]);
            lines.push(Instruction::new(mnemonic, vec![Operand::Label(target)]).into());
        }
        Language::Sparc => {
            let mnemonic = *random.pick(&["bne", "bnz", "bg"]);
            lines.push(sparc::branch(random, mnemonic, &target).into());
            lines.push(sparc::slot(random, setting).into());
        }
    }
    lines
}

/// A loop that counts, in the lines of a thread.
pub struct Counted {
    /// Its first line.
    pub start: usize,
    /// The line of its branch.
    pub branch: usize,
    pub times: usize,
}

/// The first loop that counts.
pub fn counted(lines: &[Line]) -> Option<Counted> {
    let branch = lines.iter().position(|line| {
        let label = line.instruction.as_ref().and_then(Instruction::label);
        label.is_some_and(|label| label.starts_with('C'))
    })?;
    let label = lines[branch].instruction.as_ref()?.label()?;
    let start = lines
        .iter()
        .position(|line| line.labels.iter().any(|own| own == label))?;
    let set = lines.get(start.checked_sub(1)?)?.instruction.as_ref()?;
    let times = set.operands.iter().find_map(|operand| match operand {
        Operand::Number(number) => usize::try_from(*number).ok(),
        _ => None,
    })?;
    Some(Counted {
        start,
        branch,
        times,
    })
}
