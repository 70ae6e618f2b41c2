//! The steps of all threads together, with store buffers of at most some size.
//!
//! A [`Control`] is where the threads are and for which cells stores wait in their buffers; values are variables of the
//! state, also those in buffers (the renamed locals of symbolic TSO traces). A [`Step`] is an edge of a thread or a flush, as a guard and updates over
//! these variables. With buffers of 0 a store reaches memory at once: that is SC.
//!
//! Partial order reduction: where all that a thread does next is independent of what others ever do, only that is done (an *ample set*).
//! These are stores that find room in the buffer, and accesses of cells that no other thread accesses. The conditions, which
//! speak of control alone, so that abstracting values does not matter:
//!
//! 1. one of the edges can be taken, whatever the values are ([`Point::total`](super::edges::Point::total));
//! 2. they commute with every step of other threads, and with flushes of the own buffer;
//! 3. every cycle has a state where everything is done: a cycle of ample steps alone would bring a thread around a loop, by stores that
//!    no flush takes out of the buffer, or past a point that is never ample.
//!
//! What goes wrong in some order goes wrong in one that is explored, and a store that finds no room still does not.

use super::edges::{Action, Automaton, Edge, Point, Target, Wrong};
use super::term::{Term, Terms, Variable};
use machine::{Cell, Cells};
use program::Width;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The number of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ControlId(pub u32);

/// Where the threads are, and what waits in their buffers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    /// The point of each thread.
    pub points: Vec<u32>,
    /// The cells of the stores that wait in each thread's buffer, oldest first.
    pub buffers: Vec<Vec<Cell>>,
}

/// What the variables are after a step, and what they must be before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// When it can be done.
    pub guard: Term,
    /// What changes, all at once.
    pub updates: Vec<(Variable, Term)>,
}

impl Effect {
    /// What a variable is afterwards, if it changes.
    pub fn update(&self, variable: Variable) -> Option<Term> {
        let mut updates = self.updates.iter();
        updates.find_map(|(changed, term)| (*changed == variable).then_some(*term))
    }
}

/// The number of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EffectId(pub u32);

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To a control.
    Control(ControlId),
    /// Into something wrong.
    Wrong(Wrong),
}

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Whose step it is.
    pub thread: usize,
    /// The edge, as a point and a position there; none for a flush.
    pub edge: Option<(u32, usize)>,
    /// What it does to the variables.
    pub effect: EffectId,
    /// Where it leads.
    pub next: Next,
}

/// All threads together.
pub struct Threads<'p> {
    pub automata: &'p [Automaton],
    pub cells: &'p Cells,
    /// Stores in a buffer at most.
    bound: usize,
    /// Cells that only one thread accesses.
    private: FxHashSet<Cell>,
    controls: Vec<Control>,
    numbers: FxHashMap<Control, ControlId>,
    effects: Vec<Rc<Effect>>,
    effect_numbers: FxHashMap<Effect, EffectId>,
    steps: FxHashMap<ControlId, Rc<[Step]>>,
}

fn cell_of(action: Action) -> Option<Cell> {
    match action {
        Action::Load(cell) | Action::Store(cell, _) | Action::Update(cell, _) => Some(cell),
        Action::Skip | Action::Fence => None,
    }
}

impl<'p> Threads<'p> {
    pub const START: ControlId = ControlId(0);

    pub fn new(automata: &'p [Automaton], cells: &'p Cells) -> Self {
        let mut users: FxHashMap<Cell, FxHashSet<usize>> = FxHashMap::default();
        for (thread, automaton) in automata.iter().enumerate() {
            let edges = automaton.points.iter().flat_map(|point| &point.edges);
            for cell in edges.filter_map(|edge| cell_of(edge.action)) {
                users.entry(cell).or_default().insert(thread);
            }
        }
        let private = users.into_iter().filter(|(_, users)| users.len() == 1);
        let mut threads = Threads {
            automata,
            cells,
            bound: 0,
            private: private.map(|(cell, _)| cell).collect(),
            controls: Vec::new(),
            numbers: FxHashMap::default(),
            effects: Vec::new(),
            effect_numbers: FxHashMap::default(),
            steps: FxHashMap::default(),
        };
        threads.number(Control {
            points: vec![0; automata.len()],
            buffers: vec![Vec::new(); automata.len()],
        });
        threads
    }

    /// Lets buffers hold one store more. Effects keep their numbers.
    pub fn grow(&mut self) {
        self.bound += 1;
        self.steps.clear();
    }

    pub fn bound(&self) -> usize {
        self.bound
    }

    pub fn control(&self, control: ControlId) -> &Control {
        &self.controls[control.0 as usize]
    }

    pub fn effect(&self, effect: EffectId) -> Rc<Effect> {
        self.effects[effect.0 as usize].clone()
    }

    pub fn edge(&self, step: &Step) -> Option<&'p Edge> {
        let (point, position) = step.edge?;
        Some(&self.automata[step.thread].points[point as usize].edges[position])
    }

    fn point(&self, control: &Control, thread: usize) -> &'p Point {
        &self.automata[thread].points[control.points[thread] as usize]
    }

    /// Whether a thread's store finds no room.
    pub fn is_full(&self, control: ControlId) -> bool {
        let control = self.control(control);
        let stores = |edge: &Edge| matches!(edge.action, Action::Store(..));
        (0..self.automata.len()).any(|thread| {
            control.buffers[thread].len() >= self.bound
                && self.point(control, thread).edges.iter().any(stores)
        })
    }

    /// The variables that matter.
    pub fn is_live(&self, control: ControlId, variable: Variable) -> bool {
        let control = self.control(control);
        match variable {
            Variable::Cell(_) => true,
            Variable::Register(thread, _) => {
                let point = self.point(control, thread.into());
                point.live.contains(&variable)
            }
            Variable::Buffered(thread, position, width) => {
                let cell = control.buffers[usize::from(thread)].get(usize::from(position));
                cell.is_some_and(|cell| self.cells.width(*cell) == width)
            }
            Variable::Read(_) | Variable::Choice(..) | Variable::Chosen(..) => false,
        }
    }

    fn number(&mut self, control: Control) -> ControlId {
        if let Some(known) = self.numbers.get(&control) {
            return *known;
        }
        let number = ControlId(self.controls.len() as u32);
        self.controls.push(control.clone());
        self.numbers.insert(control, number);
        number
    }

    fn effect_number(&mut self, effect: Effect) -> EffectId {
        if let Some(known) = self.effect_numbers.get(&effect) {
            return *known;
        }
        let number = EffectId(self.effects.len() as u32);
        self.effects.push(Rc::new(effect.clone()));
        self.effect_numbers.insert(effect, number);
        number
    }

    /// What may happen next.
    pub fn steps(&mut self, terms: &mut Terms, at: ControlId) -> Rc<[Step]> {
        if let Some(known) = self.steps.get(&at) {
            return known.clone();
        }
        let control = self.control(at).clone();
        let threads = 0..self.automata.len();
        let ample = threads
            .clone()
            .find(|thread| self.is_ample(&control, *thread));
        let mut steps = Vec::new();
        for thread in threads.filter(|thread| ample.is_none_or(|ample| ample == *thread)) {
            let point = self.point(&control, thread);
            for position in 0..point.edges.len() {
                steps.extend(self.step(terms, &control, thread, position));
            }
            if ample.is_none() && !control.buffers[thread].is_empty() {
                steps.push(self.flush(terms, &control, thread));
            }
        }
        let steps: Rc<[Step]> = steps.into();
        self.steps.insert(at, steps.clone());
        steps
    }

    /// Whether it is enough to do what this thread does next; the conditions are at the head of the file.
    fn is_ample(&self, control: &Control, thread: usize) -> bool {
        let point = self.point(control, thread);
        let waiting = control.buffers[thread].len();
        let has_room = waiting < self.bound;
        let buffers = |edge: &Edge| matches!(edge.action, Action::Store(..)) && has_room;
        let is_private = |edge: &Edge| {
            let possible = match edge.action {
                Action::Skip | Action::Load(_) => true,
                Action::Store(..) => self.bound == 0,
                Action::Update(..) | Action::Fence => waiting == 0,
            };
            possible && cell_of(edge.action).is_none_or(|cell| self.private.contains(&cell))
        };
        let edges = &point.edges;
        !edges.is_empty()
            && point.total
            && (edges.iter().all(buffers) || (!point.comes_round && edges.iter().all(is_private)))
    }

    fn cell(&self, terms: &mut Terms, cell: Cell) -> Term {
        terms.variable(Variable::Cell(cell.0), self.cells.width(cell))
    }

    fn buffered(thread: usize, position: usize, width: Width) -> Variable {
        Variable::Buffered(thread as u16, position as u16, width)
    }

    fn step(
        &mut self,
        terms: &mut Terms,
        control: &Control,
        thread: usize,
        position: usize,
    ) -> Option<Step> {
        let point = self.point(control, thread);
        let edge = &point.edges[position];
        let buffer = &control.buffers[thread];
        let mut next = control.clone();
        // What is read: the newest store to the cell that waits, or memory.
        let read = match edge.action {
            Action::Load(cell) => {
                let newest = buffer.iter().rposition(|waiting| *waiting == cell);
                Some(match newest {
                    Some(index) => {
                        let width = self.cells.width(cell);
                        terms.variable(Self::buffered(thread, index, width), width)
                    }
                    None => self.cell(terms, cell),
                })
            }
            Action::Update(cell, _) => Some(self.cell(terms, cell)),
            _ => None,
        };
        let mut instance = |term: Term| {
            terms.substitute(term, &|variable| match variable {
                Variable::Read(_) => read,
                _ => None,
            })
        };
        let guard = instance(edge.guard);
        let mut updates: Vec<(Variable, Term)> = edge
            .updates
            .iter()
            .map(|(variable, term)| (*variable, instance(*term)))
            .collect();
        match edge.action {
            Action::Skip | Action::Load(_) | Action::Update(_, None) => {}
            Action::Fence => {}
            Action::Update(cell, Some(term)) => {
                updates.push((Variable::Cell(cell.0), instance(term)));
            }
            Action::Store(cell, term) if self.bound == 0 => {
                updates.push((Variable::Cell(cell.0), term));
            }
            Action::Store(cell, term) => {
                if buffer.len() >= self.bound {
                    return None;
                }
                let width = self.cells.width(cell);
                updates.push((Self::buffered(thread, buffer.len(), width), term));
                next.buffers[thread].push(cell);
            }
        }
        if matches!(edge.action, Action::Update(..) | Action::Fence) && !buffer.is_empty() {
            return None;
        }
        if terms.as_constant(guard) == Some(0) {
            return None;
        }
        let next = match edge.target {
            Target::Wrong(wrong) => Next::Wrong(wrong),
            Target::Point(point) => {
                next.points[thread] = point;
                Next::Control(self.number(next))
            }
        };
        Some(Step {
            thread,
            edge: Some((control.points[thread], position)),
            effect: self.effect_number(Effect { guard, updates }),
            next,
        })
    }

    /// The oldest store reaches memory, and the others move up.
    fn flush(&mut self, terms: &mut Terms, control: &Control, thread: usize) -> Step {
        let mut next = control.clone();
        let oldest = next.buffers[thread].remove(0);
        let width = self.cells.width(oldest);
        let value = terms.variable(Self::buffered(thread, 0, width), width);
        let mut updates = vec![(Variable::Cell(oldest.0), value)];
        for (position, cell) in next.buffers[thread].iter().enumerate() {
            let width = self.cells.width(*cell);
            let above = terms.variable(Self::buffered(thread, position + 1, width), width);
            updates.push((Self::buffered(thread, position, width), above));
        }
        let guard = terms.truth(true);
        Step {
            thread,
            edge: None,
            effect: self.effect_number(Effect { guard, updates }),
            next: Next::Control(self.number(next)),
        }
    }
}
