//! Instructions of X86: every mnemonic, width, addressing form and condition code of
//! `docs/reference/litmus.md`, with operands that the processor has as well.

use crate::instruction::{COUNTER, DATA, INDEX, Instruction, Memory, Operand, POINTER, Register};
use crate::random::Random;
use crate::setting::Setting;
use frontend::vocabulary;

/// One or more instructions.
pub fn lines(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let found = match random.below(36) {
        0..=5 => store(random, setting),
        6..=10 => load(random, setting),
        11..=17 => update(random, setting),
        18 | 19 => from_memory(random, setting),
        20 | 21 => vec![fence(random)],
        22 => set(random, setting),
        23 => conditional_move(random, setting),
        24 => address(random, setting),
        25 => extend(random, setting),
        26..=29 => in_registers(random),
        30 | 31 => pointer(random, setting),
        32 | 33 => index(random, setting),
        34 => vec![Instruction::bare(*random.pick(&["NOP", "PAUSE"]))],
        _ => vec![constant_move(random)],
    };
    found
        .into_iter()
        .map(|instruction| spelled(random, instruction))
        .collect()
}

/// A condition code.
pub fn condition(random: &mut Random) -> &'static str {
    let codes = vocabulary::x86_conditions();
    codes[random.below(codes.len())]
}

/// Sometimes with a suffix or a size word where none is needed.
fn spelled(random: &mut Random, mut instruction: Instruction) -> Instruction {
    let mut widths: Vec<u32> = Vec::new();
    for operand in &instruction.operands {
        match operand {
            Operand::Register(register) => widths.push(register.bits),
            Operand::Memory(memory) => widths.push(memory.bits),
            _ => {}
        }
    }
    let bits = widths.first().copied();
    let fixed = ["MOVZX", "MOVSX", "MOVSXD", "LEA"].contains(&instruction.mnemonic.as_str())
        || instruction.mnemonic.starts_with("SET");
    if random.one_in(4)
        && !fixed
        && let Some(bits) = bits
        && widths.iter().all(|width| *width == bits)
    {
        instruction.suffix = match bits {
            8 => "B",
            16 => "W",
            32 => "L",
            _ => "Q",
        }
        .to_owned();
    }
    if instruction.mnemonic == "LEA" && random.one_in(4) {
        instruction.suffix = if bits == Some(32) { "L" } else { "Q" }.to_owned();
    }
    let mark = random.one_in(4) && instruction.mnemonic != "LEA";
    if let Some(memory) = instruction.memory_mut() {
        memory.marked |= mark;
    }
    instruction
}

/// A register for data; of 8 bits, sometimes the second byte of one.
fn data(random: &mut Random, bits: u32) -> Register {
    let slot = *random.pick(&[DATA[0], DATA[0], DATA[1], DATA[1], DATA[2], DATA[3]]);
    Register {
        slot,
        bits,
        high: bits == 8 && random.one_in(4),
    }
}

fn register(random: &mut Random, bits: u32) -> Operand {
    Operand::Register(data(random, bits))
}

/// A constant; now and then one at the edge of the width.
fn constant(random: &mut Random, bits: u32) -> Operand {
    let small = random.below(4) as i128;
    Operand::Number(match random.below(12) {
        0 => -1,
        1 if bits <= 32 => 1 << (bits - 1),
        2 => (1 << (bits.min(32) - 1)) - 1,
        _ => small,
    })
}

/// A memory operand for data.
fn memory(random: &mut Random, setting: &Setting) -> Memory {
    let pointed = setting.pointed.as_ref();
    if let Some(pointed) = pointed.filter(|_| random.one_in(3)) {
        let pointer = Register::new(POINTER, *random.pick(&[32, 64, 64]));
        let mut memory = Memory::at(pointer, pointed.bits);
        if pointed.cells.is_some() {
            let bytes = i64::from(pointed.bits / 8);
            match random.below(4) {
                0 => memory.displacement = bytes,
                1 => memory
                    .registers
                    .push((Register::new(INDEX, pointer.bits), bytes as u32)),
                _ => {}
            }
        }
        return memory;
    }
    let location = setting.data(random);
    let mut memory = Memory::named(&location.name, location.bits);
    if location.cells.is_some() {
        let bytes = i64::from(location.bits / 8);
        let index = Register::new(INDEX, *random.pick(&[32, 64]));
        match random.below(5) {
            0 => memory.displacement = bytes,
            1 | 2 => memory.registers = vec![(index, bytes as u32)],
            3 if bytes > 1 => {
                memory.registers = vec![(index, bytes as u32 / 2), (index, bytes as u32 / 2)];
            }
            _ => {}
        }
    }
    memory
}

fn store(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let memory = memory(random, setting);
    let value = match random.below(4) {
        0 => register(random, memory.bits),
        _ => constant(random, memory.bits),
    };
    vec![Instruction::new(
        "MOV",
        vec![Operand::Memory(memory), value],
    )]
}

fn load(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let memory = memory(random, setting);
    let to = register(random, memory.bits);
    vec![Instruction::new("MOV", vec![to, Operand::Memory(memory)])]
}

const ARITHMETIC: [&str; 5] = ["ADD", "SUB", "AND", "OR", "XOR"];

/// A read-modify-write of memory.
fn update(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let mut memory = memory(random, setting);
    let bits = memory.bits;
    let other = register(random, bits);
    let mut found = match random.below(8) {
        0 | 1 => {
            let mut operands = vec![Operand::Memory(memory), other];
            if random.one_in(2) {
                operands.reverse();
            }
            Instruction::new("XCHG", operands)
        }
        2 => Instruction::new("XADD", vec![Operand::Memory(memory), other]),
        3 | 4 => Instruction::new("CMPXCHG", vec![Operand::Memory(memory), other]),
        5 | 6 => {
            let value = match random.one_in(2) {
                true => other,
                false => constant(random, bits),
            };
            let operands = vec![Operand::Memory(memory), value];
            Instruction::new(*random.pick(&ARITHMETIC), operands)
        }
        _ => {
            memory.marked = true;
            let mnemonic = *random.pick(&["INC", "DEC", "NOT", "NEG"]);
            Instruction::new(mnemonic, vec![Operand::Memory(memory)])
        }
    };
    found.lock = found.mnemonic != "NEG" && !random.one_in(3);
    vec![found]
}

/// Arithmetic and comparisons that read memory.
fn from_memory(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let memory = memory(random, setting);
    let bits = memory.bits;
    let (memory, other) = (Operand::Memory(memory), register(random, bits));
    let found = match random.below(5) {
        0 | 1 => Instruction::new(*random.pick(&ARITHMETIC), vec![other, memory]),
        2 => Instruction::new("CMP", vec![other, memory]),
        3 => Instruction::new("CMP", vec![memory, constant(random, bits)]),
        _ => Instruction::new("TEST", vec![memory, other]),
    };
    vec![found]
}

/// A fence.
pub fn fence(random: &mut Random) -> Instruction {
    Instruction::bare(*random.pick(&["MFENCE", "MFENCE", "LFENCE", "SFENCE"]))
}

fn set(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let bytes = setting.of_width(8);
    let to = match bytes.first() {
        Some(location) if random.one_in(2) => Operand::Memory(Memory::named(&location.name, 8)),
        _ => register(random, 8),
    };
    vec![Instruction::new(
        format!("SET{}", condition(random)),
        vec![to],
    )]
}

fn conditional_move(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let memory = memory(random, setting);
    let mnemonic = format!("CMOV{}", condition(random));
    let operands = match memory.bits {
        bits @ (16 | 32 | 64) if random.one_in(2) => {
            vec![register(random, bits), Operand::Memory(memory)]
        }
        _ => {
            let bits = *random.pick(&[16, 32, 64]);
            vec![register(random, bits), register(random, bits)]
        }
    };
    vec![Instruction::new(mnemonic, operands)]
}

/// `LEA`, which computes with data; addresses go to their own register.
fn address(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    if let Some(pointed) = &setting.pointed
        && random.one_in(3)
    {
        let to = Register::new(POINTER, *random.pick(&[32, 64]));
        let from = Memory::named(&pointed.name, pointed.bits);
        return vec![Instruction::new(
            "LEA",
            vec![Operand::Register(to), Operand::Memory(from)],
        )];
    }
    let bits = *random.pick(&[32, 64]);
    let mut any = || Register::new(DATA[random.below(4)], bits);
    let (a, b) = (any(), any());
    let from = Memory {
        location: None,
        registers: match random.below(3) {
            0 => vec![(a, 1)],
            1 => vec![(a, *random.pick(&[1, 2, 4, 8]))],
            _ => vec![(a, 1), (b, *random.pick(&[1, 2, 4, 8]))],
        },
        displacement: random.below(5) as i64 - 2,
        bits: 32,
        marked: false,
    };
    let to = Register::new(DATA[random.below(4)], *random.pick(&[32, 64]));
    vec![Instruction::new(
        "LEA",
        vec![Operand::Register(to), Operand::Memory(from)],
    )]
}

/// `MOVZX`, `MOVSX`, `MOVSXD`.
fn extend(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let narrow = *random.pick(&[8, 8, 16, 32]);
    let mnemonic = match narrow {
        32 => "MOVSXD",
        _ => *random.pick(&["MOVZX", "MOVSX"]),
    };
    let wide = match narrow {
        8 => *random.pick(&[16, 32, 64]),
        16 => *random.pick(&[32, 64]),
        _ => 64,
    };
    let from = match setting.of_width(narrow).first() {
        Some(location) => {
            let mut memory = Memory::named(&location.name, narrow);
            memory.marked = true;
            Operand::Memory(memory)
        }
        None => Operand::Register(Register::new(DATA[random.below(4)], narrow)),
    };
    let to = Register::new(DATA[random.below(4)], wide);
    vec![Instruction::new(
        mnemonic,
        vec![Operand::Register(to), from],
    )]
}

/// Computing and comparing in registers.
fn in_registers(random: &mut Random) -> Vec<Instruction> {
    let bits = *random.pick(&[32, 32, 64, 16, 8]);
    let (a, b) = (register(random, bits), register(random, bits));
    let found = match random.below(8) {
        0 | 1 => Instruction::new(*random.pick(&ARITHMETIC), vec![a, b]),
        2 => Instruction::new(*random.pick(&ARITHMETIC), vec![a, constant(random, bits)]),
        3 => Instruction::new(*random.pick(&["CMP", "TEST"]), vec![a, b]),
        4 => Instruction::new(*random.pick(&["INC", "DEC", "NEG", "NOT"]), vec![a]),
        5 => Instruction::new(*random.pick(&["XCHG", "XADD", "CMPXCHG"]), vec![a, b]),
        6 => Instruction::new("MOV", vec![a, b]),
        _ => Instruction::new("CMP", vec![a, constant(random, bits)]),
    };
    vec![found]
}

fn constant_move(random: &mut Random) -> Instruction {
    let bits = *random.pick(&[8, 16, 32, 64]);
    let value = match bits {
        64 if random.one_in(2) => Operand::Number(0x1_0000_0001),
        _ => constant(random, bits),
    };
    Instruction::new("MOV", vec![register(random, bits), value])
}

/// Addresses from one place to another.
fn pointer(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let Some(pointed) = &setting.pointed else {
        return store(random, setting);
    };
    let target = setting.targets(pointed);
    let name = random.pick(&target).to_string();
    let to = |bits| Operand::Register(Register::new(POINTER, bits));
    let cell = setting.pointer.clone();
    let found = match (random.below(4), cell) {
        (0, Some(cell)) => Instruction::new(
            "MOV",
            vec![
                Operand::Memory(Memory::named(cell, 64)),
                Operand::Address(name),
            ],
        ),
        (1, Some(cell)) => Instruction::new(
            "MOV",
            vec![Operand::Memory(Memory::named(cell, 64)), to(64)],
        ),
        (2, Some(cell)) => Instruction::new(
            "MOV",
            vec![to(64), Operand::Memory(Memory::named(cell, 64))],
        ),
        _ => Instruction::new(
            "MOV",
            vec![to(*random.pick(&[32, 64])), Operand::Address(name)],
        ),
    };
    vec![found]
}

/// A loaded value, cut to 0 or 1, as an index: an address that depends on a load.
fn index(random: &mut Random, setting: &Setting) -> Vec<Instruction> {
    let location = setting.data(random);
    let mut memory = Memory::named(&location.name, location.bits);
    let index = |bits| Operand::Register(Register::new(INDEX, bits));
    let one = Operand::Number(1);
    if random.one_in(3) {
        return vec![Instruction::new(
            "MOV",
            vec![
                index(*random.pick(&[32, 64])),
                Operand::Number(random.below(2) as i128),
            ],
        )];
    }
    let first = match location.bits {
        8 | 16 => {
            memory.marked = true;
            Instruction::new("MOVZX", vec![index(32), Operand::Memory(memory)])
        }
        bits => Instruction::new("MOV", vec![index(bits), Operand::Memory(memory)]),
    };
    let array = setting.locations.iter().find(|l| l.cells.is_some());
    let mut found = vec![first, Instruction::new("AND", vec![index(64), one])];
    if let Some(array) = array {
        let mut cell = Memory::named(&array.name, array.bits);
        cell.registers = vec![(Register::new(INDEX, 64), array.bits / 8)];
        let to = register(random, array.bits);
        let mut operands = vec![to, Operand::Memory(cell)];
        if random.one_in(2) {
            operands.reverse();
        }
        found.push(Instruction::new("MOV", operands));
    }
    found
}

/// A test of something, after which a conditional jump makes sense.
pub fn comparison(random: &mut Random) -> Instruction {
    let a = Operand::Register(Register::new(DATA[0], 32));
    match random.one_in(3) {
        true => Instruction::new("TEST", vec![a.clone(), a]),
        false => Instruction::new("CMP", vec![a, Operand::Number(random.below(2) as i128)]),
    }
}

/// Sets the counter of a loop; counts it down, with flags.
pub fn counter(count: usize) -> (Instruction, Instruction) {
    let counter = || Operand::Register(Register::new(COUNTER, 32));
    (
        Instruction::new("MOV", vec![counter(), Operand::Number(count as i128)]),
        Instruction::new("DEC", vec![counter()]),
    )
}
