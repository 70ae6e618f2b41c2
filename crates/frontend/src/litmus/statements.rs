//! The statements after the code: what is observed and what must hold.

use super::complaint::{Detail, complaint};
use super::condition::{self, Sentence};
use super::scope::Scope;
use super::sections::{Keyword, Statement};
use super::text::span_of;
use super::{Draft, Language};
use program::{
    Condition, Diagnostic, Liveness, Observable, ObservedLocation, Program, Property, Register,
    Source, ThreadId, Width,
};

/// Adds to the draft's program what the statements say.
pub fn add(
    draft: &mut Draft,
    source: &Source,
    language: Language,
    statements: &[Statement<'_>],
) -> Result<(), Diagnostic> {
    let is_condition = |keyword| matches!(keyword, Keyword::Condition(_));
    once(
        source,
        statements,
        "condition on final states",
        is_condition,
    )?;
    once(source, statements, "filter", |keyword| {
        keyword == Keyword::Filter
    })?;
    let mut sentences = Vec::new();
    let mut named = Vec::new();
    let mut observes = false;
    for statement in statements {
        let mut cursor = statement.body.cursor(source);
        if statement.keyword == Keyword::Locations {
            named.extend(condition::locations(&mut cursor)?);
            observes = true;
        } else {
            let sentence = condition::sentence(&mut cursor)?;
            if language == Language::X86 {
                add_registers(&mut draft.program, &sentence);
            }
            sentences.push((statement, sentence));
        }
    }
    if language == Language::X86 {
        for side in &named {
            if let condition::Thing::Register { thread, name } = &side.what {
                add_register(&mut draft.program, *thread, name);
            }
        }
    }
    for (statement, sentence) in &sentences {
        observes |= is_condition(statement.keyword);
        property(draft, source, language, statement, sentence)?;
    }
    let scope = scope(draft, source, language);
    let mut observed = Vec::new();
    for side in &named {
        observed.extend(scope.observables(side)?);
    }
    if let Some(condition) = &draft.program.properties.condition {
        let in_condition = condition.property.formula.observables();
        observed.extend(in_condition.into_iter().cloned());
    }
    if !observes {
        observed = everything(draft, language);
    }
    draft.program.observed = sorted(&draft.program, observed);
    Ok(())
}

/// At most one statement may have such a keyword.
fn once(
    source: &Source,
    statements: &[Statement<'_>],
    what: &str,
    counts: impl Fn(Keyword) -> bool,
) -> Result<(), Diagnostic> {
    let mut found = statements.iter().filter(|s| counts(s.keyword));
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => {
            Err(complaint(source, second.head, format!("a second {what}"))
                .beside(first.head, "the first one"))
        }
        _ => Ok(()),
    }
}

fn scope<'a>(draft: &'a Draft, source: &'a Source, language: Language) -> Scope<'a> {
    Scope {
        source,
        program: &draft.program,
        language,
        aliases: &draft.aliases,
    }
}

fn property(
    draft: &mut Draft,
    source: &Source,
    language: Language,
    statement: &Statement<'_>,
    sentence: &Sentence,
) -> Result<(), Diagnostic> {
    let property = Property {
        formula: scope(draft, source, language).formula(sentence)?,
        span: span_of(statement.body.tokens),
    };
    let properties = &mut draft.program.properties;
    match statement.keyword {
        Keyword::Condition(quantifier) => {
            properties.condition = Some(Condition {
                quantifier,
                property,
            });
        }
        Keyword::Filter => properties.filter = Some(property.formula),
        Keyword::Invariant => properties.invariants.push(property),
        Keyword::Eventually { repeatedly } => properties.liveness.push(Liveness {
            repeatedly,
            property,
        }),
        Keyword::Locations => {}
    }
    Ok(())
}

/// X86 has a fixed set of registers: one that the code does not use exists all
/// the same, and holds 0.
fn add_registers(program: &mut Program, sentence: &Sentence) {
    sentence.registers(&mut |thread, name| add_register(program, thread, name));
}

fn add_register(program: &mut Program, thread: u64, name: &str) {
    let Some(view) = Language::X86.register(name) else {
        return;
    };
    let thread = usize::try_from(thread).ok();
    let Some(thread) = thread.and_then(|index| program.threads.get(index)) else {
        return;
    };
    let function = &mut program.functions[thread.function.index()];
    if function.register_named(&view.register).is_none() {
        function.registers.push(Register {
            name: view.register,
            width: Width::W64,
        });
    }
}

/// What is observed of a test that does not say: the registers that receive
/// values from memory, and all locations.
fn everything(draft: &Draft, language: Language) -> Vec<Observable> {
    let program = &draft.program;
    let mut found = Vec::new();
    for (index, names) in draft.loaded.iter().enumerate() {
        let thread = ThreadId::from(index);
        for name in names {
            let view = language.register(name);
            found.extend(view.and_then(|view| {
                let register = program.function_of(thread).register_named(&view.register)?;
                Some(Observable {
                    name: format!("{index}:{}", view.name),
                    location: ObservedLocation::Register(thread, register),
                    width: view.width,
                    signed: true,
                })
            }));
        }
    }
    for (index, object) in program.objects.iter().enumerate() {
        let cells = 0..object.cells();
        found.extend(cells.map(|cell| program.observable_cell(index.into(), cell)));
    }
    found
}

/// Registers by thread and name, then locations by name and cell; each once.
fn sorted(program: &Program, mut observed: Vec<Observable>) -> Vec<Observable> {
    observed.sort_by_cached_key(|observable| match observable.location {
        ObservedLocation::Register(thread, _) => (false, thread.0, observable.name.clone(), 0),
        ObservedLocation::Memory(address) => {
            let object = program.objects.get(address.object.index());
            let name = object.map_or(String::new(), |object| object.name.clone());
            (true, 0, name, address.offset)
        }
        ObservedLocation::Observation => (true, 0, observable.name.clone(), 0),
    });
    observed.dedup();
    observed
}
