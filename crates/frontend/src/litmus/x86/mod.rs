//! X86 in Intel's syntax, as herd7 writes it.
//!
//! Each register of 64 bits is one register of the program, its narrower names
//! are views of it. Flags are registers of one bit.

mod lower;
pub mod mnemonics;
mod operands;
mod places;
pub mod registers;

use super::code::Code;
use super::columns::{Listing, columns};
use super::complaint::{Detail, complaint};
use super::init::{Init, RegisterValue};
use super::locations::{Access, Locations};
use super::scope::RegisterView;
use super::sections::Part;
use super::{Draft, Language};
use lower::Lowering;
use operands::{Instruction, What};
use program::{Diagnostic, Source, Width, Word};
use std::collections::{BTreeMap, HashSet};

/// The register of this name, if it can be observed: not the second byte of one.
pub fn register(name: &str) -> Option<RegisterView> {
    let view = registers::view(name).filter(|view| !view.high)?;
    Some(RegisterView {
        name: view.name.to_owned(),
        register: view.register.to_owned(),
        width: view.width,
    })
}

/// Translates the code.
pub fn translate(source: &Source, code: Part<'_>, init: &Init) -> Result<Draft, Diagnostic> {
    let listings = columns(source, code)?;
    let threads = listings
        .iter()
        .map(|listing| {
            let lines = listing.instructions.iter();
            lines
                .map(|line| operands::instruction(source, line))
                .collect()
        })
        .collect::<Result<Vec<Vec<Instruction>>, Diagnostic>>()?;
    let mut locations = Locations::new(source, init, Language::X86)?;
    settle(&mut locations, &threads)?;
    let mut draft = Draft::new(locations.objects()?);
    for (number, (listing, instructions)) in listings.iter().zip(&threads).enumerate() {
        thread(
            source,
            &mut draft,
            &locations,
            init,
            number,
            listing,
            instructions,
        )?;
    }
    Ok(draft)
}

/// Finds all locations and their widths.
fn settle(locations: &mut Locations<'_>, threads: &[Vec<Instruction>]) -> Result<(), Diagnostic> {
    let instructions = || threads.iter().flatten();
    for argument in instructions().flat_map(|instruction| &instruction.arguments) {
        match &argument.what {
            What::Address(name) => {
                locations.mention(name, argument.span)?;
            }
            What::Memory(memory, _) => {
                if let Some(name) = &memory.location {
                    locations.mention(name, memory.span)?;
                }
            }
            What::Register(_) | What::Number(_) | What::Label(_) => {}
        }
    }
    let accesses: Vec<Access> = instructions()
        .filter_map(|instruction| {
            let (memory, width) = instruction.access()?;
            Some(Access {
                location: memory.location.as_deref(),
                width,
                span: instruction.span,
            })
        })
        .collect();
    locations.settle(&accesses)
}

fn thread(
    source: &Source,
    draft: &mut Draft,
    locations: &Locations<'_>,
    init: &Init,
    number: usize,
    listing: &Listing<'_>,
    instructions: &[Instruction],
) -> Result<(), Diagnostic> {
    let mine = init.registers.iter().filter(|r| r.thread == number as u64);
    let mine: Vec<&RegisterValue> = mine.collect();
    let mut lowering = Lowering {
        source,
        locations,
        labels: &listing.labels,
        code: Code::new(&listing.labels),
        wide: wide_registers(instructions, &mine),
        loaded: Vec::new(),
    };
    for (position, instruction) in instructions.iter().enumerate() {
        lowering.instruction(instruction, position)?;
    }
    lowering.code.reach(instructions.len());
    let Lowering {
        mut code, loaded, ..
    } = lowering;
    let values = initial_values(source, locations, &mine)?;
    let initial = values
        .into_iter()
        .map(|(name, value)| (code.register(name, Width::W64), value))
        .collect();
    let loaded = loaded.into_iter().map(str::to_owned).collect();
    draft.add_thread(code, initial, loaded, &listing.labels);
    Ok(())
}

/// Registers that the thread uses in all their 64 bits.
fn wide_registers(instructions: &[Instruction], init: &[&RegisterValue]) -> HashSet<&'static str> {
    let arguments = instructions.iter().flat_map(|i| &i.arguments);
    let in_code = arguments.filter_map(|argument| match argument.what {
        What::Register(view) => Some(view),
        _ => None,
    });
    let in_init = init.iter().filter_map(|value| registers::view(&value.name));
    let wide = in_code.chain(in_init).filter(|v| v.width == Width::W64);
    let mut names: HashSet<&'static str> = wide.map(|view| view.register).collect();
    if instructions.iter().any(|i| i.width == Some(Width::W64)) {
        names.insert(registers::accumulator(Width::W64).register);
    }
    names
}

fn initial_values(
    source: &Source,
    locations: &Locations<'_>,
    init: &[&RegisterValue],
) -> Result<BTreeMap<&'static str, Word>, Diagnostic> {
    let mut values = BTreeMap::new();
    for (index, register) in init.iter().enumerate() {
        let Some(view) = registers::view(&register.name) else {
            let message = format!("unknown register `{}`", register.name);
            return Err(complaint(source, register.span, message)
                .expected("a register of X86")
                .meant(&register.name, registers::names()));
        };
        let same = |other: &&&RegisterValue| {
            registers::view(&other.name).is_some_and(|known| known.register == view.register)
        };
        if let Some(before) = init[..index].iter().find(same) {
            let message = format!("`{}` is given twice", register.name);
            return Err(
                complaint(source, register.span, message).beside(before.span, "given here first")
            );
        }
        let word = locations.word(&register.value, view.width)?;
        values.insert(view.register, if view.high { word << 8 } else { word });
    }
    Ok(values)
}
