//! SPARC V9 as Park and Dill's paper writes it, in its layout or in columns.
//!
//! Registers have any name after a `%`, 64 bits, and start at 0; `%g0` is always
//! 0. Condition codes are registers of one bit.

mod branches;
mod lower;
mod mnemonics;
mod operands;
mod processors;

use super::code::Code;
use super::columns::{Listing, columns};
use super::complaint::{Detail, complaint};
use super::init::{Init, RegisterValue};
use super::locations::{Access, Locations};
use super::scope::RegisterView;
use super::sections::Part;
use super::{Draft, Language};
use lower::Lowering;
pub use mnemonics::{Operation, When, mnemonic, names};
pub use operands::ordering_names;
use operands::{Instruction, What};
use processors::Layout;
use program::{Diagnostic, RegisterId, Source, Width, Word};

/// The register of this name without `%`. Names that start with `_` are
/// temporaries of the translation, and `g0` holds nothing.
pub fn register(name: &str) -> Option<RegisterView> {
    let name = name.to_ascii_lowercase();
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    (starts_well && name != "g0").then(|| RegisterView {
        register: name.clone(),
        name,
        width: Width::W64,
    })
}

/// Translates the code.
pub fn translate(source: &Source, code: Part<'_>, init: &Init) -> Result<Draft, Diagnostic> {
    let Layout {
        listings,
        processors,
    } = layout(source, code)?;
    let mut threads: Vec<Vec<Instruction>> = Vec::new();
    for (number, listing) in processors.iter().enumerate() {
        let lines = listings[*listing].instructions.iter();
        let instructions = lines.map(|line| operands::instruction(source, line, number));
        threads.push(instructions.collect::<Result<_, _>>()?);
    }
    let mut locations = Locations::new(source, init, Language::Sparc)?;
    settle(&mut locations, &threads)?;
    let mut draft = Draft::new(locations.objects()?);
    for (number, instructions) in threads.iter().enumerate() {
        let listing = &listings[processors[number]];
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

fn layout<'a>(source: &'a Source, code: Part<'a>) -> Result<Layout<'a>, Diagnostic> {
    if processors::applies(source, code) {
        return processors::processors(source, code);
    }
    let listings = columns(source, code)?;
    Ok(Layout {
        processors: (0..listings.len()).collect(),
        listings,
    })
}

/// Finds all locations and their widths.
fn settle(locations: &mut Locations<'_>, threads: &[Vec<Instruction>]) -> Result<(), Diagnostic> {
    let mut accesses = Vec::new();
    for instruction in threads.iter().flatten() {
        let width = match instruction.operation {
            Operation::Load(width) | Operation::Store(width) | Operation::CompareSwap(width) => {
                Some(width)
            }
            Operation::LoadStore => Some(Width::W8),
            Operation::Swap | Operation::Clear => Some(Width::W32),
            _ => None,
        };
        // What a store stores may be a location's address, which is no access.
        let value = matches!(instruction.operation, Operation::Store(_));
        for (index, argument) in instruction.arguments.iter().enumerate() {
            let width = width.filter(|_| !(value && index == 0));
            let location = match &argument.what {
                What::Location(name) => Some(name.as_str()),
                What::Memory(memory) => memory.location.as_deref(),
                _ => continue,
            };
            if let Some(name) = location {
                locations.mention(name, argument.span)?;
            }
            accesses.push(Access {
                location,
                width,
                span: instruction.span,
            });
        }
    }
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
    let mut lowering = Lowering {
        source,
        locations,
        labels: &listing.labels,
        code: Code::new(&listing.labels),
        loaded: Vec::new(),
    };
    lowering.all(instructions)?;
    let Lowering {
        mut code, loaded, ..
    } = lowering;
    let mine = init.registers.iter().filter(|r| r.thread == number as u64);
    let initial = initial_values(source, locations, &mut code, mine)?;
    draft.add_thread(code, initial, loaded, &listing.labels);
    Ok(())
}

fn initial_values<'i>(
    source: &Source,
    locations: &Locations<'_>,
    code: &mut Code,
    init: impl Iterator<Item = &'i RegisterValue>,
) -> Result<Vec<(RegisterId, Word)>, Diagnostic> {
    let mut values: Vec<(RegisterId, Word)> = Vec::new();
    for given in init {
        let Some(view) = register(&given.name) else {
            let message = format!("`{}` cannot have a value", given.name);
            return Err(
                complaint(source, given.span, message).expected("a register other than `%g0`")
            );
        };
        let register = code.register(&view.register, Width::W64);
        if values.iter().any(|(known, _)| *known == register) {
            let message = format!("`{}` is given twice", given.name);
            return Err(complaint(source, given.span, message));
        }
        values.push((register, locations.word(&given.value, Width::W64)?));
    }
    Ok(values)
}
