//! Executions out of models of the formula.

use crate::describe::{location_name, value_text};
use crate::encode::Encoding;
use crate::unroll::FINALLY;
use answer::{AccessEvent, Datum, Event, Execution, Location, MemoryAccess, Step, Violation};
use program::{Address, Program, Span, ThreadId, Word};
use rustc_hash::FxHashMap;

/// One thing that happened, with its position in the memory order.
struct Happened {
    rank: (u32, u32),
    position: u32,
    /// The event of the formula.
    index: usize,
    step: Step,
}

impl Encoding {
    /// The execution that was found: its accesses in memory order. It ends with what goes
    /// wrong, if anything does.
    pub fn execution(&self, program: &Program) -> Execution {
        let order = self.solver.order();
        let mut happened = Vec::new();
        for (index, literals) in self.events.iter().enumerate() {
            let event = &self.unrolled.events[index];
            if event.thread == FINALLY || !self.solver.value(literals.executed) {
                continue;
            }
            let Some(node) = literals.node else {
                continue;
            };
            let address = self.value(&literals.address);
            let bytes = event.width.bytes();
            if self.unrolled.initial(program, address, bytes).is_none() {
                // No location: what is wrong is reported at the end.
                continue;
            }
            let access = Event::Access(self.access(program, index, address, &order));
            happened.push(Happened {
                rank: (order[node.index()], event.position),
                position: event.position,
                index,
                step: Step {
                    position: Some(event.position),
                    ..Step::new(ThreadId::from(event.thread), event.span, access)
                },
            });
        }
        happened.sort_by_key(|happened| happened.rank);
        self.mark_overtaking(&mut happened);
        self.link_reads(&mut happened);
        let mut steps: Vec<Step> = happened.into_iter().map(|happened| happened.step).collect();
        if let Some((_, thread, span, fault)) = self.first_wrong() {
            let event = Event::Fault(fault.message.clone());
            steps.push(Step::new(thread, span, event));
        }
        Execution::new(program, steps, None)
    }

    /// Links loads to the stores that they read.
    fn link_reads(&self, happened: &mut [Happened]) {
        let steps = happened.iter().enumerate();
        let steps: FxHashMap<usize, usize> = steps.map(|(step, h)| (h.index, step)).collect();
        let read = self
            .reads_from
            .iter()
            .filter(|(reads, ..)| self.solver.value(*reads));
        let links: Vec<_> = read
            .filter_map(|&(_, store, load)| Some((*steps.get(&load)?, *steps.get(&store)?)))
            .collect();
        for (load, store) in links {
            if let Event::Access(access) = &mut happened[load].step.event {
                access.reads_from = access.reads_from.max(Some(store));
            }
        }
    }

    /// Notes which accesses came before one that is earlier in their thread.
    fn mark_overtaking(&self, happened: &mut [Happened]) {
        for index in 0..happened.len() {
            let (thread, position) = (happened[index].step.thread, happened[index].position);
            let overtaken = happened[index + 1..]
                .iter()
                .filter(|later| later.step.thread == thread && later.position < position)
                .min_by_key(|later| later.position);
            happened[index].step.ahead_of = overtaken.map(|later| later.step.span);
        }
    }

    fn access(
        &self,
        program: &Program,
        index: usize,
        address: Word,
        order: &[u32],
    ) -> MemoryAccess {
        let (event, literals) = (&self.unrolled.events[index], &self.events[index]);
        let stores = self.solver.value(literals.stores);
        let read = literals.loaded.as_ref().map(|word| self.value(word));
        let written = literals
            .stored
            .as_ref()
            .filter(|_| stores)
            .map(|word| self.value(word));
        let kind = match (read, event.stored) {
            (Some(_), Some(_)) => AccessEvent::Update,
            (Some(_), None) if self.is_forwarded(index, order) => AccessEvent::Forward,
            (Some(_), None) => AccessEvent::Load,
            (None, _) => AccessEvent::Commit,
        };
        let value = read.or(written).unwrap_or(0);
        let written = written.filter(|_| read.is_some());
        if let Some(location) = Address::from_word(address).filter(|_| !program.process) {
            return MemoryAccess::of_cell(kind, location, value, written);
        }
        let text = |value: Word| {
            let text = value_text(program, &self.unrolled, address, event.width, value);
            Datum::text(value, text)
        };
        let source = literals.loaded.as_ref().or(literals.stored.as_ref());
        let undefined = source.is_some_and(|word| self.solver.value(word.undefined));
        let value = match undefined {
            true => Datum::text(value, "undefined".to_owned()),
            false => text(value),
        };
        let location = Location {
            address,
            size: event.width.bytes(),
            name: location_name(program, &self.unrolled, address),
        };
        MemoryAccess::new(kind, location, value, written.map(text))
    }

    /// True if a load reads a store of its thread that comes later in memory order.
    fn is_forwarded(&self, load: usize, order: &[u32]) -> bool {
        let rank = |event: usize| self.events[event].node.map(|node| order[node.index()]);
        self.reads_from.iter().any(|&(reads, store, of)| {
            of == load && self.solver.value(reads) && rank(store) > rank(load)
        })
    }

    /// What goes wrong first in the execution that was found: in memory order, as far as that
    /// tells, the thread, the location, and what.
    pub fn first_wrong(&self) -> Option<((u32, u32), ThreadId, Span, &answer::Fault)> {
        let order = self.solver.order();
        let wrongs = self
            .wrongs
            .iter()
            .filter(|wrong| self.solver.value(wrong.literal));
        let ranked = wrongs.map(|wrong| {
            let of = &self.unrolled.wrongs[wrong.wrong];
            // As late as the last access before it.
            let before = self.events.iter().enumerate().filter(|(index, literals)| {
                let event = &self.unrolled.events[*index];
                event.thread == of.thread
                    && event.position < of.position
                    && self.solver.value(literals.executed)
            });
            let ranks = before.filter_map(|(_, literals)| Some(order[literals.node?.index()]));
            let rank = ranks.max();
            let rank = (rank.unwrap_or(0), of.position);
            (rank, ThreadId::from(of.thread), of.span, &wrong.fault)
        });
        ranked.min_by_key(|(rank, ..)| *rank)
    }

    /// What is wrong with the execution that was found.
    pub fn violation(&self, program: &Program) -> Option<Violation> {
        let (_, thread, span, fault) = self.first_wrong()?;
        Some(match program.process {
            true => Violation::Fault {
                thread,
                span,
                fault: fault.clone(),
            },
            false if fault.kind == answer::FaultKind::Assertion => {
                Violation::Assertion { thread, span }
            }
            false => Violation::BadAccess {
                thread,
                span,
                address: self.bad_address(thread, span),
            },
        })
    }

    /// The address of a wrong access of a litmus test.
    fn bad_address(&self, thread: ThreadId, span: Span) -> Word {
        let mut events = self.events.iter().zip(&self.unrolled.events);
        let found = events.find(|(literals, event)| {
            event.thread == thread.index()
                && event.span == span
                && self.solver.value(literals.executed)
        });
        found.map_or(0, |(literals, _)| self.value(&literals.address))
    }

    /// Names of the threads beyond those that the program starts with.
    pub fn started(&self, program: &Program) -> Vec<String> {
        let threads = self.unrolled.threads.iter().skip(program.threads.len());
        threads.map(|thread| thread.name.clone()).collect()
    }
}
