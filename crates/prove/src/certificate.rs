//! The text of a proof, which the crate `certificate` checks: the format stands at its head.
//!
//! A proof has the automata, the goals, and an inductive invariant. The invariant has nothing that it does not need: the states with store
//! buffers are those that are reachable, those with merged stores are covered by no other, states with value sets are maximal, and elements with load buffers minimal.

use crate::automaton::{Event, StateId, System, Value};
use crate::bounded::{Configuration, Entry};
use crate::dual::Element;
use crate::forward::Abstract;
use crate::goal::Goal;
use memory::Model;
use program::Orderings;
use std::fmt::Write;

/// An invariant that no goal is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// All states with store buffers.
    StoreBuffers(Vec<Configuration>),
    /// States in which this many stores of a thread to a location wait one by one.
    MergedStores(usize, Vec<Configuration>),
    /// An over-approximation by sets of values.
    ValueSets(Vec<Abstract>),
    /// What is in none of the elements, where the sets of values do not exclude it.
    LoadBuffers(Vec<Abstract>, Vec<Element>),
}

/// FNV-1a of 128 bits: proofs and programs get mixed up by mistake, not on purpose.
pub fn hash(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mix = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.as_bytes().iter().fold(BASIS, mix))
}

/// The whole text, with what it is for by names and values, and in words.
pub fn text(
    subject: &[(String, String)],
    about: &[String],
    system: &str,
    invariant: &Invariant,
) -> String {
    let mut head = "fencepost certificate 1\n".to_owned();
    for (name, value) in subject {
        line(&mut head, format_args!("for {name} {value}"));
    }
    for words in about.iter().flat_map(|about| about.lines()) {
        line(&mut head, format_args!("about {words}"));
    }
    let mut body = system.to_owned();
    for text in invariant.lines() {
        line(&mut body, format_args!("{text}"));
    }
    let end = hash(&body);
    line(&mut body, format_args!("end {end}"));
    head + &body
}

/// Adds a line.
fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{words}");
}

/// The part of the text that says what the automata and the goals are.
pub fn system_text(system: &System, goals: &[Goal], model: Model) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("system {model}"));
    for location in &system.locations {
        let (values, initial) = (location.words.len(), location.initial.0);
        line(&mut text, format_args!("location {values} {initial}"));
    }
    for automaton in &system.automata {
        line(&mut text, format_args!("thread {}", automaton.states.len()));
        for (source, transition) in automaton.all_transitions() {
            let ends = format!("{} {}", source.0, transition.target.0);
            let words = match transition.event {
                Event::Skip => format!("skip {ends}"),
                Event::Fence => format!("fence {ends}"),
                Event::Barrier(orderings) => format!("barrier {ends} {}", held(orderings)),
                Event::Read(at, value) => format!("read {ends} {} {}", at.0, value.0),
                Event::Write(at, value) => format!("write {ends} {} {}", at.0, value.0),
                Event::Update {
                    location,
                    read,
                    written,
                } => {
                    let left = written.unwrap_or(read).0;
                    format!("update {ends} {} {} {left}", location.0, read.0)
                }
            };
            line(&mut text, format_args!("{words}"));
        }
    }
    for goal in goals {
        let words = partial(&goal.controls, &goal.memory);
        line(&mut text, format_args!("goal{words}"));
    }
    text
}

/// What a barrier holds back: 1 loads, 2 stores, 3 both.
fn held(orderings: Orderings) -> u8 {
    let loads = orderings.contains(Orderings::STORE_LOAD);
    let stores = orderings.contains(Orderings::STORE_STORE);
    u8::from(loads) + 2 * u8::from(stores)
}

/// Controls and memory, a star for what is open.
fn partial(controls: &[Option<StateId>], memory: &[Option<Value>]) -> String {
    let controls = controls.iter().map(|at| at.map(|at| at.0));
    let memory = memory.iter().map(|value| value.map(|v| u32::from(v.0)));
    let numbers = controls.chain(memory);
    let words = numbers.map(|number| number.map_or(" *".to_owned(), |n| format!(" {n}")));
    words.collect()
}

/// Controls and memory.
fn whole(controls: &[StateId], memory: &[Value]) -> String {
    let controls: Vec<_> = controls.iter().copied().map(Some).collect();
    let memory: Vec<_> = memory.iter().copied().map(Some).collect();
    partial(&controls, &memory)
}

impl Invariant {
    fn lines(&self) -> Vec<String> {
        match self {
            Invariant::StoreBuffers(states) => states.iter().map(state).collect(),
            Invariant::MergedStores(kept, states) => {
                let kept = format!("kept {kept}");
                [kept]
                    .into_iter()
                    .chain(states.iter().map(merged))
                    .collect()
            }
            Invariant::ValueSets(states) => states.iter().map(sets).collect(),
            Invariant::LoadBuffers(states, elements) => {
                let sets = states.iter().map(sets);
                sets.chain(elements.iter().map(element)).collect()
            }
        }
    }
}

fn merged(merged: &Configuration) -> String {
    "m".to_owned() + &state(merged)[1..]
}

fn state(state: &Configuration) -> String {
    let mut text = format!("s{}", whole(&state.controls, &state.memory));
    for buffer in &state.buffers {
        let _ = write!(text, " {}", buffer.len());
        for entry in buffer {
            let _ = match *entry {
                Entry::Store(location, value) => write!(text, " {} {}", location.0, value.0),
                Entry::Barrier(orderings) => write!(text, " b {}", held(orderings)),
                Entry::Older(location, value) => write!(text, " o {} {}", location.0, value.0),
            };
        }
    }
    text
}

fn sets(state: &Abstract) -> String {
    let sets = state.sets.iter().map(|set| match *set {
        u64::MAX => " *".to_owned(),
        set => format!(" {set}"),
    });
    let sets: String = sets.collect();
    format!("v{}{sets}", whole(&state.controls, &state.memory))
}

fn element(element: &Element) -> String {
    let threads = 0..element.locals.len();
    let controls: Vec<_> = threads.map(|thread| element.control(thread)).collect();
    let mut text = format!("e{}", partial(&controls, &element.memory));
    for local in element.locals.iter().flatten() {
        let _ = write!(text, " {}", local.buffer.len());
        for message in &local.buffer {
            let (location, value) = (message.location.0, message.value.0);
            let _ = write!(text, " {location} {value} {}", u8::from(message.own));
        }
    }
    text
}
