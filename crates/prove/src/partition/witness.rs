//! A trace that can be run, as an execution of the program.

use super::edges::{Action, Wrong};
use super::refine::chosen;
use super::steps::{Effect, Next, Step, Threads};
use super::term::{Term, Terms, Valuation, Variable};
use answer::{AccessEvent, Event, MemoryAccess, Step as Shown, Violation};
use machine::Cell;
use program::{Orderings, Span, Word};
use std::rc::Rc;

/// What a trace is run with.
pub struct Run<'a, 'p> {
    pub terms: &'a mut Terms,
    pub threads: &'a Threads<'p>,
    pub initial: &'a Valuation,
    pub chosen: &'a Valuation,
}

impl Run<'_, '_> {
    /// What goes wrong at the end, and the steps.
    pub fn steps(
        mut self,
        trace: &[Step],
        effects: &[Rc<Effect>],
    ) -> (Option<Violation>, Vec<Shown>) {
        let mut state = self.initial.clone();
        let mut buffers: Vec<Vec<(Cell, Word)>> = vec![Vec::new(); self.threads.automata.len()];
        let mut shown = Vec::new();
        let mut violation = None;
        for (position, (step, effect)) in trace.iter().zip(effects).enumerate() {
            let (span, event) = self.event(step, &state, &mut buffers);
            let mut with_read = state.clone();
            if let (Some(Event::Access(access)), Some(cell)) = (&event, self.read(step)) {
                let width = self.threads.cells.width(cell);
                with_read.insert(Variable::Read(width), access.value.word);
            }
            let id = step.thread.into();
            shown.extend(event.map(|event| Shown::new(id, span, event)));
            if let Next::Wrong(wrong) = step.next {
                let (span, event, found) = match wrong {
                    Wrong::Assertion(span) => (
                        span,
                        Event::AssertFailed,
                        Violation::Assertion { thread: id, span },
                    ),
                    Wrong::BadAccess(span, address) => {
                        let address = self.value(address, position, &with_read);
                        let found = Violation::BadAccess {
                            thread: id,
                            span,
                            address,
                        };
                        (span, Event::BadAccess { address }, found)
                    }
                };
                shown.push(Shown::new(id, span, event));
                violation = Some(found);
            }
            let updates = effect.updates.iter();
            let updates: Vec<(Variable, Word)> = updates
                .map(|(variable, term)| (*variable, self.value(*term, position, &state)))
                .collect();
            state.extend(updates);
        }
        (violation, shown)
    }

    fn value(&mut self, term: Term, position: usize, state: &Valuation) -> Word {
        let mut values = state.clone();
        for variable in self.terms.variables(term).to_vec() {
            if let Some(chosen) = chosen(self.terms, position, variable) {
                values.insert(variable, self.terms.value(chosen, self.chosen));
            }
        }
        self.terms.value(term, &values)
    }

    /// The cell that a step reads.
    fn read(&self, step: &Step) -> Option<Cell> {
        match self.threads.edge(step)?.action {
            Action::Load(cell) | Action::Update(cell, _) => Some(cell),
            Action::Skip | Action::Store(..) | Action::Fence => None,
        }
    }

    fn event(
        &mut self,
        step: &Step,
        state: &Valuation,
        buffers: &mut [Vec<(Cell, Word)>],
    ) -> (Span, Option<Event>) {
        let cells = self.threads.cells;
        let access = |kind, cell, value, written| {
            let access = MemoryAccess::of_cell(kind, cells.address(cell), value, written);
            Some(Event::Access(access))
        };
        let held = |cell: Cell| {
            state
                .get(&Variable::Cell(cell.0))
                .copied()
                .unwrap_or_default()
        };
        let buffer = &mut buffers[step.thread];
        let Some(edge) = self.threads.edge(step) else {
            let (cell, value) = buffer.remove(0);
            return (
                Span::NOWHERE,
                access(AccessEvent::Commit, cell, value, None),
            );
        };
        let event = match edge.action {
            Action::Skip => None,
            Action::Fence => Some(Event::Fence(Orderings::ALL)),
            Action::Load(cell) => {
                let own = buffer.iter().rev().find(|(waiting, _)| *waiting == cell);
                match own {
                    Some((_, value)) => access(AccessEvent::Forward, cell, *value, None),
                    None => access(AccessEvent::Load, cell, held(cell), None),
                }
            }
            Action::Store(cell, term) => {
                let value = self.terms.value(term, state);
                if self.threads.bound() == 0 {
                    access(AccessEvent::Commit, cell, value, None)
                } else {
                    buffer.push((cell, value));
                    access(AccessEvent::Buffer, cell, value, None)
                }
            }
            Action::Update(cell, written) => {
                let old = held(cell);
                let mut values = state.clone();
                values.insert(Variable::Read(cells.width(cell)), old);
                let written = written.map(|term| self.terms.value(term, &values));
                access(AccessEvent::Update, cell, old, written)
            }
        };
        (edge.span, event)
    }
}
