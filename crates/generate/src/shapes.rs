//! Other shapes of a test, and what they have in common with it.
//!
//! A shape changes how a test is written, not what it means, or makes something stronger. The
//! slot [`FRESH`] is left to shapes; it is not observed. Shapes that put more instructions
//! into a thread are left out where a statement speaks of labels, since control then stands elsewhere.

use crate::formula::Formula;
use crate::grammar::{counted, nothing};
use crate::instruction::{FRESH, Instruction, Language, Memory, Operand, Register};
use crate::random::Random;
use crate::rewrites::{
    exchanges_as_fences, exchanges_with_lock, fenced_everywhere, fenced_updates, loaded_first,
    locked, other_names, parted, slots_on_both_ways, slots_out_of_line, stored_from_register,
    written_out,
};
use crate::test::{Initial, Layout, Line, Test};
use frontend::vocabulary;

/// How the outcomes of a shape relate to those of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same, and so is the verdict. Its threads have the same steps, so that this is
    /// true within bounds as well.
    Identical,
    /// They are the same, and so is the verdict.
    Same,
    /// There are no others.
    NoMore,
    /// They are those of the test under SC.
    Sequential,
}

/// A shape of a test.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What was changed.
    pub name: &'static str,
    /// How its outcomes relate to those of the test.
    pub relation: Relation,
    /// The test in its other shape.
    pub test: Test,
}

/// All shapes that `test` has, with choices by `seed`.
pub fn shapes(test: &Test, seed: u64) -> Vec<Shape> {
    let random = &mut Random::new(!seed);
    let plain = test.separate();
    let mut found = Vec::new();
    let written_apart = test.layout.is_shared().then(|| plain.clone());
    let mut add = |relation, shapes: Vec<(&'static str, Option<Test>)>| {
        found.extend(shapes.into_iter().filter_map(|(name, test)| {
            Some(Shape {
                name,
                relation,
                test: test?,
            })
        }));
    };
    add(
        Relation::Identical,
        vec![("written for each thread", written_apart)],
    );
    add(Relation::Identical, identical(&plain, random));
    if !plain.watches_labels() {
        add(Relation::Same, same(&plain, random));
    }
    if !plain.watches_states() {
        add(Relation::NoMore, stronger(&plain, random));
        let fenced = Some(fenced_everywhere(&plain));
        add(Relation::Sequential, vec![("fences everywhere", fenced)]);
    }
    found
}

/// Shapes whose threads have the same steps.
fn identical(test: &Test, random: &mut Random) -> Vec<(&'static str, Option<Test>)> {
    let parentheses = Test {
        parentheses: true,
        ..test.clone()
    };
    vec![
        ("threads in another order", Some(turned(test))),
        ("other registers", Some(renamed(test, random))),
        ("labels that nobody goes to", Some(labelled(test))),
        ("another layout", laid_out(test)),
        ("all parentheses", Some(parentheses)),
        ("a condition the other way round", negated(test)),
        ("one more thread", Some(with_thread(test))),
        ("locations in another order", reordered(test)),
        ("wider locations", widened(test)),
        ("conditions by other names", other_names(test)),
        ("exchanges with and without LOCK", exchanges_with_lock(test)),
    ]
}

/// Shapes with other steps and the same outcomes.
fn same(test: &Test, random: &mut Random) -> Vec<(&'static str, Option<Test>)> {
    let nop = nothing(test.language);
    let mut found = vec![
        (
            "one more NOP",
            Some(inserted(test, random, vec![nop.into()])),
        ),
        ("code that is jumped over", Some(unreachable(test, random))),
        ("stores from a register", stored_from_register(test, false)),
        ("accesses by pointer", by_pointer(test, random)),
        (
            "accesses by an initial pointer",
            by_initial_pointer(test, random),
        ),
        ("a loop written out", unrolled(test)),
        ("fences in parts", parted(test)),
    ];
    if test.language == Language::Sparc {
        // In a reorder box `cmp` waits for its operands only if somebody reads its codes, and so
        // does `subcc`, but codes that are constant wait for nothing.
        found.push(("synthetic instructions written out", written_out(test)));
    }
    found.push(("slots on both ways", slots_on_both_ways(test)));
    found.push(("slots out of line", slots_out_of_line(test)));
    if test.language == Language::X86 {
        found.push(("memory operands loaded first", loaded_first(test)));
        found.push(("fences around locked updates", fenced_updates(test)));
        found.push(("exchanges as fences", exchanges_as_fences(test)));
    }
    found
}

/// Shapes with something stronger in them.
fn stronger(test: &Test, random: &mut Random) -> Vec<(&'static str, Option<Test>)> {
    let fence = fence(test, random);
    let fenced = inserted(test, random, vec![fence.into()]);
    vec![
        ("one more fence", Some(fenced)),
        ("stores that exchange", stored_from_register(test, true)),
        ("locked updates", locked(test)),
    ]
}

fn turned(test: &Test) -> Test {
    let mut turned = test.clone();
    turned.order.reverse();
    turned
}

/// Any registers, but `CMPXCHG` has its own idea of the first, and only four have a second byte.
fn renamed(test: &Test, random: &mut Random) -> Test {
    let mut renamed = test.clone();
    let mut names: Vec<usize> = (1..16).collect();
    if test
        .instructions()
        .any(|one| one.registers().iter().any(|r| r.high))
    {
        let first: Vec<usize> = shuffled(random, vec![1, 2, 3]);
        names = [first, shuffled(random, (4..16).collect())].concat();
    } else {
        names = shuffled(random, names);
    }
    for (slot, name) in names.into_iter().take(FRESH).enumerate() {
        renamed.registers.0[slot + 1] = name;
    }
    renamed
}

fn shuffled(random: &mut Random, mut items: Vec<usize>) -> Vec<usize> {
    for index in (1..items.len()).rev() {
        items.swap(index, random.below(index + 1));
    }
    items
}

fn labelled(test: &Test) -> Test {
    let mut labelled = test.clone();
    for (thread, lines) in labelled.threads.iter_mut().enumerate() {
        for (index, line) in lines.iter_mut().enumerate() {
            if !test.is_slot(thread, index) {
                line.labels.push(format!("extra{index}"));
            }
        }
        lines.push(Line::label("last"));
    }
    labelled
}

fn laid_out(test: &Test) -> Option<Test> {
    let layout = match (test.language, test.layout) {
        (Language::X86, _) => return None,
        (_, Layout::Columns) => Layout::Processors,
        _ => Layout::Columns,
    };
    Some(Test {
        layout,
        ..test.clone()
    })
}

/// `forall F` is `~exists ~F`, and so on.
fn negated(test: &Test) -> Option<Test> {
    let mut changed = test.clone();
    let (word, formula) = changed.statements.condition.as_mut()?;
    *word = match *word {
        "forall" => "~exists",
        "~exists" | "not exists" => "forall",
        _ => return None,
    };
    *formula = Formula::Not("not ", Box::new(formula.clone()));
    Some(changed)
}

/// A thread that does nothing.
fn with_thread(test: &Test) -> Test {
    let mut changed = test.clone();
    changed.order.push(test.threads.len());
    changed.threads.push(vec![nothing(test.language).into()]);
    changed
}

/// Addresses are numbers, and others then, so there must be none.
fn reordered(test: &Test) -> Option<Test> {
    let mut changed = test.clone();
    changed.locations.reverse();
    (!test.has_addresses()).then_some(changed)
}

/// Locations of 32 bits that constants are stored to and that are loaded, with 64 bits. What
/// is loaded is never negative.
fn widened(test: &Test) -> Option<Test> {
    let narrow = |name: &str| {
        let own = |one: &&Instruction| {
            one.memory().and_then(|memory| memory.location.as_deref()) == Some(name)
        };
        test.instructions().filter(own).all(|one| {
            let by_name = one.memory().is_some_and(Memory::is_plain) && one.suffix.is_empty();
            let loads = matches!(one.mnemonic.as_str(), "ld" | "lduw")
                || matches!(&one.operands[..], [Operand::Register(_), _] if one.mnemonic == "MOV");
            let stores = matches!(one.mnemonic.as_str(), "MOV" | "st" | "stw" | "stuw")
                && one
                    .operands
                    .iter()
                    .any(|operand| matches!(operand, Operand::Number(n) if (0..100).contains(n)));
            by_name && (loads || stores)
        })
    };
    if test.has_addresses() {
        return None;
    }
    let mut changed = test.clone();
    let mut any = false;
    for location in &mut changed.locations {
        if location.bits != 32 || location.cells.is_some() || !narrow(&location.name) {
            continue;
        }
        any = true;
        location.bits = 64;
        location.type_ = Some("uint64_t".to_owned());
        let name = location.name.clone();
        for instruction in instructions_mut(&mut changed.threads) {
            if instruction.memory().and_then(|m| m.location.as_ref()) != Some(&name) {
                continue;
            }
            match instruction.mnemonic.as_str() {
                "ld" | "lduw" => instruction.mnemonic = "ldx".to_owned(),
                "st" | "stw" | "stuw" => instruction.mnemonic = "stx".to_owned(),
                _ => {}
            }
            for operand in &mut instruction.operands {
                match operand {
                    Operand::Memory(memory) => memory.bits = 64,
                    Operand::Register(register) => register.bits = 64,
                    _ => {}
                }
            }
        }
    }
    // A formula may compare with a number that only 32 bits make negative.
    let signs = format!("{:?}", test.statements).contains("Number(-")
        || format!("{:?}", test.statements).contains("Number(4294967295)");
    (any && !signs).then_some(changed)
}

fn instructions_mut(threads: &mut [Vec<Line>]) -> impl Iterator<Item = &mut Instruction> {
    let lines = threads.iter_mut().flatten();
    lines.filter_map(|line| line.instruction.as_mut())
}

/// The test with more lines somewhere, but not before a delay slot.
fn inserted(test: &Test, random: &mut Random, lines: Vec<Line>) -> Test {
    let mut changed = test.clone();
    let thread = random.below(test.threads.len());
    let indices: Vec<usize> = (0..=test.threads[thread].len())
        .filter(|&index| !test.is_slot(thread, index))
        .collect();
    let index = *random.pick(&indices);
    changed.threads[thread].splice(index..index, lines);
    changed
}

fn unreachable(test: &Test, random: &mut Random) -> Test {
    let target = || vec![Operand::Label("over".to_owned())];
    let store = |mnemonic: &str| {
        let location = Operand::Memory(Memory::named(
            &test.locations[0].name,
            test.locations[0].bits,
        ));
        let mut operands = vec![location, Operand::Number(3)];
        if test.language == Language::Sparc {
            operands.reverse();
        }
        Instruction::new(mnemonic, operands)
    };
    let mut lines: Vec<Line> = match (test.language, test.locations[0].bits) {
        (Language::X86, _) => {
            let jump = Instruction::new("JMP", target());
            vec![jump.into(), store("MOV").into()]
        }
        (Language::Sparc, bits) => {
            let mut branch = Instruction::new("ba", target());
            branch.suffix = ",a".to_owned();
            let mnemonic = match bits {
                8 => "stb",
                16 => "sth",
                32 => "st",
                _ => "stx",
            };
            vec![branch.into(), store(mnemonic).into()]
        }
    };
    lines.push(Line::label("over"));
    inserted(test, random, lines)
}

/// A line that accesses a location by its name: its thread and index.
fn access_by_name(test: &Test, random: &mut Random) -> Option<(usize, usize)> {
    let mut found = Vec::new();
    for (thread, lines) in test.threads.iter().enumerate() {
        for (index, line) in lines.iter().enumerate() {
            let Some(one) = &line.instruction else {
                continue;
            };
            let plain = one.memory().is_some_and(Memory::is_plain);
            let in_code = one.mnemonic != "LEA" && !test.is_slot(thread, index);
            if plain && in_code {
                found.push((thread, index));
            }
        }
    }
    (!found.is_empty()).then(|| *random.pick(&found))
}

/// The locations have types, since accesses by pointer do not give them widths.
fn typed(test: &Test) -> Test {
    let mut typed = test.clone();
    for location in &mut typed.locations {
        let pointer = location.type_.as_deref().is_none_or(|t| t.contains('*'));
        if pointer {
            // Shown as before: bytes of SPARC are unsigned, others signed.
            let sign = match (test.language, location.bits) {
                (Language::Sparc, 8) => "u",
                _ => "",
            };
            location.type_ = Some(format!("{sign}int{}_t", location.bits));
        }
    }
    typed
}

/// A test in which one access goes through the fresh register; the thread and index of the access, and the
/// location whose address the register must hold.
fn through_register(test: &Test, random: &mut Random) -> Option<(Test, usize, usize, String)> {
    let (thread, index) = access_by_name(test, random)?;
    let mut changed = typed(test);
    let line = &mut changed.threads[thread][index];
    let memory = line.instruction.as_mut()?.memory_mut()?;
    let name = memory.location.clone()?;
    *memory = Memory::at(Register::new(FRESH, 64), memory.bits);
    Some((changed, thread, index, name))
}

/// One access goes through a register that an instruction before it sets.
fn by_pointer(test: &Test, random: &mut Random) -> Option<Test> {
    let (mut changed, thread, index, name) = through_register(test, random)?;
    let address = Operand::Address(name);
    let fresh = Operand::Register(Register::new(FRESH, 64));
    let set = match test.language {
        Language::X86 => Instruction::new("MOV", vec![fresh, address]),
        Language::Sparc => Instruction::new("mov", vec![address, fresh]),
    };
    // Labels stay in front of both.
    let access = changed.threads[thread][index].instruction.replace(set);
    changed.threads[thread].insert(index + 1, access?.into());
    Some(changed)
}

/// One access goes through a register that holds the address from the start.
fn by_initial_pointer(test: &Test, random: &mut Random) -> Option<Test> {
    let (mut changed, thread, _, name) = through_register(test, random)?;
    let fresh = Register::new(FRESH, 64);
    changed
        .initial
        .push((thread, fresh, Initial::Address(name)));
    Some(changed)
}

/// A loop that counts, as often as it is executed. In SPARC the slot is executed each time, or
/// with `,a` each time that the branch is taken.
fn unrolled(test: &Test) -> Option<Test> {
    for (thread, lines) in test.threads.iter().enumerate() {
        let Some(found) = counted(lines) else {
            continue;
        };
        let mut body: Vec<Line> = lines[found.start..found.branch].to_vec();
        let jumps = |line: &Line| {
            line.instruction
                .as_ref()
                .is_some_and(|i| i.label().is_some())
        };
        if body.iter().any(jumps) {
            continue;
        }
        body.iter_mut().for_each(|line| line.labels.clear());
        let branch = lines[found.branch].instruction.as_ref()?;
        let slot = test.is_slot(thread, found.branch + 1);
        let rest = found.branch + 1 + usize::from(slot);
        let mut written: Vec<Line> = lines[..found.start].to_vec();
        for iteration in 1..=found.times {
            written.extend(body.iter().cloned());
            let annulled = branch.suffix.contains(",a") && iteration == found.times;
            if slot && !annulled {
                written.push(lines[found.branch + 1].clone());
            }
        }
        written.extend_from_slice(&lines[rest..]);
        let mut changed = test.clone();
        changed.threads[thread] = written;
        return Some(changed);
    }
    None
}

fn fence(test: &Test, random: &mut Random) -> Instruction {
    match test.language {
        Language::X86 => Instruction::bare(*random.pick(&["MFENCE", "LFENCE", "SFENCE"])),
        Language::Sparc if random.one_in(5) => Instruction::bare("stbar"),
        Language::Sparc => {
            let name = *random.pick(&vocabulary::sparc_orderings());
            Instruction::new("membar", vec![Operand::Orderings(format!("#{name}"))])
        }
    }
}
