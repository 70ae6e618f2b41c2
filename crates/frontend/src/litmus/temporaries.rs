//! Removing what the translation wrote in passing: flags that nothing reads, and
//! the temporaries for them.
//!
//! Writes to the registers of the language all stay: a formula that comes later,
//! from the command line, may speak of any of them in any state.

use super::Language;
use program::{Expression, Function, InstructionKind, Operand, Program, RegisterId, Terminator};

/// Removes dead writes to flags and temporaries, then those of them that are not
/// used at all. Every thread must have a function of its own.
pub fn remove(program: &mut Program, language: Language) {
    let keep = |name: &str| language.is_register(name);
    program.remove_dead_writes(|register| keep(&register.name));
    for index in 0..program.threads.len() {
        let function = program.threads[index].function.index();
        let renamed = remove_unused(&mut program.functions[function], keep);
        for (register, _) in &mut program.threads[index].initial {
            *register = renamed[register.index()];
        }
    }
}

/// Removes registers that no instruction names, unless `keep` says otherwise.
/// Returns the new id of every register that stays.
fn remove_unused(function: &mut Function, keep: impl Fn(&str) -> bool) -> Vec<RegisterId> {
    let registers = function.registers.iter();
    let mut used: Vec<bool> = registers.map(|register| keep(&register.name)).collect();
    rename(function, &mut |register| {
        used[register.index()] = true;
        register
    });
    let mut next = 0;
    let mut renamed = Vec::new();
    for stays in &used {
        renamed.push(RegisterId::from(next));
        next += usize::from(*stays);
    }
    rename(function, &mut |register| renamed[register.index()]);
    let mut stays = used.into_iter();
    function.registers.retain(|_| stays.next().unwrap_or(true));
    renamed
}

/// Replaces every register that the code names.
fn rename(function: &mut Function, new: &mut impl FnMut(RegisterId) -> RegisterId) {
    for block in &mut function.blocks {
        for instruction in &mut block.instructions {
            if let Some(target) = target(&mut instruction.kind) {
                *target = new(*target);
            }
            for operand in operands(&mut instruction.kind) {
                rename_operand(operand, new);
            }
        }
        if let Terminator::Branch { condition, .. } = &mut block.terminator {
            rename_operand(condition, new);
        }
    }
}

fn rename_operand(operand: &mut Operand, new: &mut impl FnMut(RegisterId) -> RegisterId) {
    if let Operand::Register(register) = operand {
        *register = new(*register);
    }
}

fn target(kind: &mut InstructionKind) -> Option<&mut RegisterId> {
    match kind {
        InstructionKind::Assign { target, .. }
        | InstructionKind::Load { target, .. }
        | InstructionKind::Update { target, .. }
        | InstructionKind::CompareExchange { target, .. } => Some(target),
        _ => None,
    }
}

/// The operands of the instructions that litmus tests are made of.
fn operands(kind: &mut InstructionKind) -> Vec<&mut Operand> {
    match kind {
        InstructionKind::Assign { value, .. } => match value {
            Expression::Copy(a)
            | Expression::SignExtend(_, a)
            | Expression::Unary(_, _, a)
            | Expression::Convert(_, _, a) => vec![a],
            Expression::Binary(_, _, a, b) => vec![a, b],
            Expression::Select(a, b, c) => vec![a, b, c],
            Expression::Own(_) => vec![],
        },
        InstructionKind::Load { address, .. } => vec![address],
        InstructionKind::Store { address, value, .. } => vec![address, value],
        InstructionKind::Update {
            address, operand, ..
        } => vec![address, operand],
        InstructionKind::CompareExchange {
            address,
            expected,
            desired,
            ..
        } => vec![address, expected, desired],
        _ => Vec::new(),
    }
}
