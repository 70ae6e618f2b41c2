//! Threads that have something to do with each other: two or three accesses to `x` and `y` each, as in
//! store buffering, message passing, load buffering and the like, every access by any instruction that can
//! make it, with fences, dependences and other instructions between them. Each load has a register
//! to itself, so that no outcome is lost.

use crate::instruction::{DATA, Instruction, Language, Memory, Operand, Register};
use crate::random::Random;
use crate::setting::Setting;
use crate::test::{Line, Location};
use crate::{sparc, x86};

/// The lines of a thread.
pub fn thread(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    most: usize,
) -> Vec<Line> {
    let count = match most {
        3 if random.one_in(3) => 3,
        _ => 2,
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut at = random.below(2);
    let mut loaded: Option<Register> = None;
    for number in 0..count {
        let location = &setting.locations[at];
        let slot = DATA[(number + 1) % DATA.len()];
        let bits = match language {
            Language::X86 => location.bits,
            Language::Sparc => 64,
        };
        let register = Register::new(slot, bits);
        let access = match random.below(9) {
            0..=3 => {
                let read = read(random, language, location, register);
                loaded = Some(register);
                read
            }
            4..=7 => match loaded.filter(|last| last.bits == bits && random.one_in(3)) {
                Some(last) => vec![store(random, language, location, Operand::Register(last))],
                None => write(random, language, location, register),
            },
            _ => {
                loaded = Some(register);
                vec![update(random, language, location, register)]
            }
        };
        let mut new: Vec<Line> = access.into_iter().map(Line::from).collect();
        if let Some(last) = loaded.filter(|_| number > 0 && random.one_in(8)) {
            new = guarded(random, language, setting, last, new, number);
        }
        if random.one_in(2) && new[0].labels.is_empty() {
            new[0].labels.push(format!("L{number}"));
        }
        lines.extend(new);
        if number + 1 < count {
            lines.extend(
                between(random, language, setting)
                    .into_iter()
                    .map(Line::from),
            );
        }
        at = if random.one_in(8) { at } else { 1 - at };
    }
    lines
}

/// What may stand between two accesses: most often nothing, else a fence or anything.
fn between(random: &mut Random, language: Language, setting: &Setting) -> Vec<Instruction> {
    match (random.below(6), language) {
        (0 | 1, Language::X86) => vec![x86::fence(random)],
        (0 | 1, Language::Sparc) => vec![sparc::fence(random)],
        (2, Language::X86) => x86::lines(random, setting),
        (2, Language::Sparc) => sparc::lines(random, setting),
        _ => Vec::new(),
    }
}

fn value(random: &mut Random) -> Operand {
    Operand::Number(1 + random.below(2) as i128)
}

fn store(
    random: &mut Random,
    language: Language,
    location: &Location,
    value: Operand,
) -> Instruction {
    let memory = Operand::Memory(cell(random, location));
    match language {
        Language::X86 => Instruction::new("MOV", vec![memory, value]),
        Language::Sparc => {
            let mnemonic = *random.pick(sparc::stores(location.bits));
            Instruction::new(mnemonic, vec![value, memory])
        }
    }
}

/// The location, by its name.
fn cell(random: &mut Random, location: &Location) -> Memory {
    let mut memory = Memory::named(&location.name, location.bits);
    memory.marked = random.one_in(4);
    memory
}

/// A store, perhaps as part of an atomic update.
fn write(
    random: &mut Random,
    language: Language,
    location: &Location,
    register: Register,
) -> Vec<Instruction> {
    let value = value(random);
    let set = |mnemonic: &str| {
        let mut operands = vec![Operand::Register(register), value.clone()];
        if language == Language::Sparc {
            operands.reverse();
        }
        Instruction::new(mnemonic, operands)
    };
    let memory = Operand::Memory(cell(random, location));
    match (random.below(8), language) {
        (0, Language::X86) => vec![
            set("MOV"),
            Instruction::new("XCHG", vec![memory, Operand::Register(register)]),
        ],
        (1, Language::X86) => {
            let mnemonic = *random.pick(&["ADD", "OR", "XOR", "SUB"]);
            let mut update = Instruction::new(mnemonic, vec![memory, value]);
            update.lock = random.one_in(2);
            vec![update]
        }
        (0, Language::Sparc) if location.bits == 32 => vec![
            set("mov"),
            Instruction::new("swap", vec![memory, Operand::Register(register)]),
        ],
        (0 | 1, Language::Sparc) if location.bits >= 32 => {
            let mnemonic = if location.bits == 32 { "cas" } else { "casx" };
            let operands = vec![memory, Operand::Zero, Operand::Register(register)];
            vec![set("set"), Instruction::new(mnemonic, operands)]
        }
        (2, Language::X86) => {
            let from = Operand::Register(register);
            vec![set("MOV"), store(random, language, location, from)]
        }
        (2, Language::Sparc) => {
            let from = Operand::Register(register);
            vec![set("mov"), store(random, language, location, from)]
        }
        _ => vec![store(random, language, location, value)],
    }
}

/// A load, perhaps as part of something else.
fn read(
    random: &mut Random,
    language: Language,
    location: &Location,
    to: Register,
) -> Vec<Instruction> {
    let memory = cell(random, location);
    let target = Operand::Register(to);
    if language == Language::Sparc {
        return vec![sparc::load_from(random, memory, to)];
    }
    let marked = Operand::Memory(Memory {
        marked: true,
        ..memory.clone()
    });
    let memory = Operand::Memory(memory);
    let found = match (random.below(10), location.bits) {
        (0, _) => Instruction::new(*random.pick(&["ADD", "OR", "XOR"]), vec![target, memory]),
        (1, 8 | 16) => {
            let wide = Operand::Register(Register::new(to.slot, *random.pick(&[32, 64])));
            Instruction::new(*random.pick(&["MOVZX", "MOVSX"]), vec![wide, marked])
        }
        (1, 32) => {
            let wide = Operand::Register(Register::new(to.slot, 64));
            Instruction::new("MOVSXD", vec![wide, marked])
        }
        (2, 16..) => {
            let mnemonic = format!("CMOV{}", x86::condition(random));
            Instruction::new(mnemonic, vec![target, memory])
        }
        (3, _) => {
            let byte = Operand::Register(Register::new(to.slot, 8));
            let compare = Instruction::new("CMP", vec![memory, value(random)]);
            let set = format!("SET{}", x86::condition(random));
            return vec![compare, Instruction::new(set, vec![byte])];
        }
        _ => Instruction::new("MOV", vec![target, memory]),
    };
    vec![found]
}

/// An atomic update that a register receives the old value of; in X86 perhaps without `LOCK`.
fn update(
    random: &mut Random,
    language: Language,
    location: &Location,
    register: Register,
) -> Instruction {
    let memory = Operand::Memory(cell(random, location));
    let register = Operand::Register(register);
    match (language, location.bits) {
        (Language::X86, _) => {
            let mnemonic = *random.pick(&["XCHG", "XADD", "CMPXCHG"]);
            let mut update = Instruction::new(mnemonic, vec![memory, register]);
            update.lock = !random.one_in(3);
            update
        }
        (Language::Sparc, 8) => Instruction::new("ldstub", vec![memory, register]),
        (Language::Sparc, 32) if random.one_in(2) => {
            Instruction::new("swap", vec![memory, register])
        }
        (Language::Sparc, 32) => Instruction::new("cas", vec![memory, Operand::Zero, register]),
        (Language::Sparc, 64) => Instruction::new("casx", vec![memory, Operand::Zero, register]),
        _ => store(random, language, location, register),
    }
}

/// Some lines under a condition on what was loaded.
fn guarded(
    random: &mut Random,
    language: Language,
    setting: &Setting,
    loaded: Register,
    over: Vec<Line>,
    number: usize,
) -> Vec<Line> {
    let label = format!("S{number}");
    let register = Operand::Register(loaded);
    let mut lines: Vec<Line> = match language {
        Language::X86 => {
            let test = Instruction::new("TEST", vec![register.clone(), register]);
            let mnemonic = format!("J{}", x86::condition(random));
            let jump = Instruction::new(mnemonic, vec![Operand::Label(label.clone())]);
            vec![test.into(), jump.into()]
        }
        Language::Sparc => {
            let test = Instruction::new("tst", vec![register]);
            let mnemonic = sparc::condition(random);
            let branch = sparc::branch(random, mnemonic, &label);
            let slot = sparc::slot(random, setting);
            vec![test.into(), branch.into(), slot.into()]
        }
    };
    lines.extend(over);
    lines.push(Line::label(label));
    lines
}
