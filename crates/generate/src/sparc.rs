//! Instructions of SPARC: every mnemonic, width, addressing form and ordering of
//! `docs/reference/litmus.md`.

use crate::instruction::{COUNTER, DATA, INDEX, Instruction, Memory, Operand, POINTER, Register};
use crate::random::Random;
use crate::setting::Setting;
use frontend::vocabulary;

/// One or more instructions, none of them a branch.
pub fn lines(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    match random.below(16) {
        0 if setting.pointed.is_some() => vec![pointer(random, setting)],
        1 | 2 => index(random, setting),
        _ => vec![one(random, setting)],
    }
}

/// One instruction that may stand anywhere, in a delay slot as well.
pub fn one(random: &mut Random, setting: &Setting) -> Instruction {
    match random.below(26) {
        0..=5 => store(random, setting),
        6..=10 => load(random, setting),
        11..=14 => update(random, setting),
        15..=17 => fence(random),
        18..=20 => arithmetic(random),
        21 => step(random),
        22 => moved(random),
        23 => compare(random),
        24 => clear(random, setting),
        _ => Instruction::bare("nop"),
    }
}

fn data(random: &mut Random) -> Operand {
    let slot = *random.pick(&[DATA[0], DATA[0], DATA[1], DATA[1], DATA[2], DATA[3]]);
    Operand::Register(Register::new(slot, 64))
}

/// A register that is read; `%g0` now and then.
fn read(random: &mut Random) -> Operand {
    match random.one_in(12) {
        true => Operand::Zero,
        false => data(random),
    }
}

fn constant(random: &mut Random, bits: u32) -> Operand {
    Operand::Number(match random.below(12) {
        0 => -1,
        1 => 1 << (bits - 1),
        2 => (1 << (bits - 1)) - 1,
        _ => random.below(4) as i128,
    })
}

/// A memory operand for data.
fn memory(random: &mut Random, setting: &Setting) -> Memory {
    let pointed = setting.pointed.as_ref();
    if let Some(pointed) = pointed.filter(|_| random.one_in(3)) {
        let mut memory = Memory::at(Register::new(POINTER, 64), pointed.bits);
        if pointed.cells.is_some() {
            match random.below(4) {
                0 => memory.displacement = i64::from(pointed.bits / 8),
                // The index is 0 or 1, so that only bytes can be reached with it.
                1 if pointed.bits == 8 => memory.registers.push((Register::new(INDEX, 64), 1)),
                _ => {}
            }
        }
        return memory;
    }
    let location = setting.data(random);
    let mut memory = Memory::named(&location.name, location.bits);
    memory.marked = random.one_in(4);
    if location.cells.is_some() {
        let index = (Register::new(INDEX, 64), 1);
        match random.below(4) {
            0 => memory.displacement = i64::from(location.bits / 8),
            1 if location.bits == 8 => memory.registers.push(index),
            _ => {}
        }
    }
    memory
}

fn loads(bits: u32) -> &'static [&'static str] {
    match bits {
        8 => &["ldub"],
        16 => &["lduh"],
        32 => &["ld", "lduw"],
        _ => &["ldx"],
    }
}

/// Stores of a width.
pub fn stores(bits: u32) -> &'static [&'static str] {
    match bits {
        8 => &["stb", "stub"],
        16 => &["sth", "stuh"],
        32 => &["st", "stw", "stuw"],
        _ => &["stx"],
    }
}

fn store(random: &mut Random, setting: &Setting) -> Instruction {
    let memory = memory(random, setting);
    let value = match random.below(4) {
        0 => read(random),
        _ => constant(random, memory.bits),
    };
    let mnemonic = *random.pick(stores(memory.bits));
    Instruction::new(mnemonic, vec![value, Operand::Memory(memory)])
}

fn load(random: &mut Random, setting: &Setting) -> Instruction {
    let memory = memory(random, setting);
    let mnemonic = *random.pick(loads(memory.bits));
    Instruction::new(mnemonic, vec![Operand::Memory(memory), data(random)])
}

/// An atomic update, where there is one of the width.
fn update(random: &mut Random, setting: &Setting) -> Instruction {
    let memory = memory(random, setting);
    let bits = memory.bits;
    let memory = Operand::Memory(memory);
    match bits {
        8 => Instruction::new("ldstub", vec![memory, data(random)]),
        32 if random.one_in(2) => Instruction::new("swap", vec![memory, data(random)]),
        32 => Instruction::new("cas", vec![memory, read(random), data(random)]),
        64 => Instruction::new("casx", vec![memory, read(random), data(random)]),
        _ => load(random, setting),
    }
}

/// A `membar` with orderings in any spelling.
pub fn fence(random: &mut Random) -> Instruction {
    if random.one_in(6) {
        return Instruction::bare("stbar");
    }
    let names = vocabulary::sparc_orderings();
    let mut some: Vec<String> = names
        .iter()
        .filter(|_| random.one_in(4))
        .map(|name| format!("#{name}"))
        .collect();
    if some.is_empty() {
        some.push(format!("#{}", random.pick(&names)));
    }
    let between = *random.pick(&["|", ",", " ", " | "]);
    let orderings = Operand::Orderings(some.join(between));
    Instruction::new("membar", vec![orderings])
}

fn arithmetic(random: &mut Random) -> Instruction {
    let mnemonic = *random.pick(&["add", "sub", "and", "or", "xor"]);
    let codes = *random.pick(&["", "cc"]);
    let second = match random.one_in(2) {
        true => read(random),
        false => constant(random, 32),
    };
    let to = read(random);
    Instruction::new(format!("{mnemonic}{codes}"), vec![read(random), second, to])
}

fn step(random: &mut Random) -> Instruction {
    let mnemonic = *random.pick(&["inc", "dec"]);
    match random.one_in(2) {
        true => Instruction::new(mnemonic, vec![data(random)]),
        false => Instruction::new(mnemonic, vec![constant(random, 8), data(random)]),
    }
}

fn moved(random: &mut Random) -> Instruction {
    let mnemonic = *random.pick(&["mov", "set"]);
    let from = match random.one_in(2) {
        true => read(random),
        false => constant(random, 64),
    };
    Instruction::new(mnemonic, vec![from, data(random)])
}

fn compare(random: &mut Random) -> Instruction {
    match random.below(3) {
        0 => Instruction::new("tst", vec![data(random)]),
        1 => Instruction::new("cmp", vec![data(random), read(random)]),
        _ => Instruction::new("cmp", vec![data(random), constant(random, 32)]),
    }
}

fn clear(random: &mut Random, setting: &Setting) -> Instruction {
    let words = setting.of_width(32);
    let what = match words.first() {
        Some(word) if random.one_in(2) => Operand::Memory(Memory::named(&word.name, 32)),
        _ => data(random),
    };
    Instruction::new("clr", vec![what])
}

/// Addresses from one place to another.
fn pointer(random: &mut Random, setting: &Setting) -> Instruction {
    let Some(pointed) = &setting.pointed else {
        return store(random, setting);
    };
    let target = Operand::Address(random.pick(&setting.targets(pointed)).clone());
    let register = Operand::Register(Register::new(POINTER, 64));
    let cell = setting.pointer.as_ref();
    let cell = cell.map(|cell| Operand::Memory(Memory::named(cell, 64)));
    match (random.below(4), cell) {
        (0, Some(cell)) => Instruction::new("stx", vec![target, cell]),
        (1, Some(cell)) => Instruction::new("stx", vec![register, cell]),
        (2, Some(cell)) => Instruction::new("ldx", vec![cell, register]),
        _ => Instruction::new(*random.pick(&["mov", "set"]), vec![target, register]),
    }
}

/// A loaded value, cut to a cell of an array, as an index: an address that depends on a load.
fn index(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let location = setting.data(random);
    let source = Memory::named(&location.name, location.bits);
    let index = Operand::Register(Register::new(INDEX, 64));
    let Some(array) = setting.locations.iter().find(|l| l.cells.is_some()) else {
        return vec![one(random, setting)];
    };
    let bytes = i128::from(array.bits / 8);
    let mask = Operand::Number(bytes);
    let mut cell = Memory::named(&array.name, array.bits);
    cell.registers = vec![(Register::new(INDEX, 64), 1)];
    let cell = Operand::Memory(cell);
    let access = match random.one_in(2) {
        true => Instruction::new(*random.pick(loads(array.bits)), vec![cell, data(random)]),
        false => Instruction::new(*random.pick(stores(array.bits)), vec![data(random), cell]),
    };
    let load = *random.pick(loads(location.bits));
    let mut found = vec![
        Instruction::new(load, vec![Operand::Memory(source), index.clone()]),
        Instruction::new("and", vec![index.clone(), mask, index.clone()]),
        access,
    ];
    // What follows may count on 0 or 1.
    if bytes > 1 {
        let one = Operand::Number(1);
        found.push(Instruction::new("and", vec![index.clone(), one, index]));
    }
    found
}

/// An instruction for a delay slot: nothing, anything, or one that sets the codes that the branch
/// has looked at.
pub fn slot(random: &mut Random, setting: &Setting) -> Instruction {
    match random.below(6) {
        0 | 1 => Instruction::bare("nop"),
        2 => compare(random),
        _ => one(random, setting),
    }
}

/// A branch with its options.
pub fn branch(random: &mut Random, mnemonic: &str, label: &str) -> Instruction {
    let mut branch = Instruction::new(mnemonic, vec![Operand::Label(label.to_owned())]);
    let options = ["", "", ",a", ",a", ",pt", ",pn", ",a,pt", ",a,pn"];
    branch.suffix = random.pick(&options).to_string();
    if random.one_in(4) {
        branch.suffix.push_str(" %icc,");
    }
    branch
}

/// A branch that looks at condition codes.
pub fn condition(random: &mut Random) -> &'static str {
    let all = vocabulary::sparc_conditional_branches();
    all[random.below(all.len())]
}

/// A test of something, after which a conditional branch makes sense.
pub fn comparison(random: &mut Random) -> Instruction {
    let a = Operand::Register(Register::new(DATA[0], 64));
    match random.one_in(3) {
        true => Instruction::new("tst", vec![a]),
        false => Instruction::new("cmp", vec![a, Operand::Number(random.below(2) as i128)]),
    }
}

/// Sets the counter of a loop; counts it down, with condition codes.
pub fn counter(count: usize) -> (Instruction, Instruction) {
    let counter = || Operand::Register(Register::new(COUNTER, 64));
    (
        Instruction::new("mov", vec![Operand::Number(count as i128), counter()]),
        Instruction::new("subcc", vec![counter(), Operand::Number(1), counter()]),
    )
}

/// Loads a location.
pub fn load_from(random: &mut Random, memory: Memory, to: Register) -> Instruction {
    let mnemonic = *random.pick(loads(memory.bits));
    Instruction::new(
        mnemonic,
        vec![Operand::Memory(memory), Operand::Register(to)],
    )
}
