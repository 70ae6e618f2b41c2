//! The end of a path: the point where the thread rests, which knows the cell that is accessed next, or what is wrong.

use super::{Action, Builder, Edge, NoTraces, Path, Target, Wrong};
use crate::partition::solver::Answer;
use crate::partition::term::{Term, Variable};
use machine::{Cell, Op};
use program::{Address, RegisterId, Span, Width};

impl Builder<'_> {
    /// Ends a path where the thread rests.
    pub(super) fn arrive(
        &mut self,
        path: &Path,
        action: Action,
        span: Span,
        edges: &mut Vec<Edge>,
    ) -> Result<(), NoTraces> {
        let pc = path.pc;
        let Op::Access(access) = &self.code.ops[pc as usize] else {
            let target = Target::Point(self.number(Some((pc, None))));
            self.push(edges, target, action, span, path.clone());
            return Ok(());
        };
        let width = access.width;
        let address = self.code.operands[pc as usize][0];
        let address = self.operand(&address, &path.registers);
        let address = self.terms.resize(address, Width::W64);
        let here = self.code.spans[pc as usize];
        let cells = &self.executable.cells;
        if let Some(word) = self.terms.as_constant(address) {
            let target = match cells.resolve(word, width) {
                Some(cell) => Target::Point(self.number(Some((pc, Some(cell))))),
                None => Target::Wrong(Wrong::BadAccess(here, address)),
            };
            self.push(edges, target, action, span, path.clone());
            return Ok(());
        }
        let object = self.object(address);
        let candidates = (0..cells.initial.len() as u32).map(Cell).filter(|cell| {
            let at = cells.address(*cell);
            cells.width(*cell) == width && object.is_none_or(|object| object == at.object.index())
        });
        let mut elsewhere = path.guard;
        for cell in candidates.collect::<Vec<_>>() {
            let word = cells.address(cell).to_word();
            let word = self.terms.constant(word, Width::W64);
            let here = self.terms.equal(address, word);
            let guard = self.terms.and(path.guard, here);
            if !self.is_possible(guard)? {
                continue;
            }
            let not_here = self.terms.not(here);
            elsewhere = self.terms.and(elsewhere, not_here);
            let target = Target::Point(self.number(Some((pc, Some(cell)))));
            let path = Path {
                guard,
                ..path.clone()
            };
            self.push(edges, target, action, span, path);
        }
        if self.is_possible(elsewhere)? {
            let path = Path {
                guard: elsewhere,
                ..path.clone()
            };
            let wrong = Wrong::BadAccess(here, address);
            self.push(edges, Target::Wrong(wrong), action, span, path);
        }
        Ok(())
    }

    fn is_possible(&mut self, guard: Term) -> Result<bool, NoTraces> {
        Ok(match self.terms.as_constant(guard) {
            Some(word) => word != 0,
            None => {
                let answer = self.solver.ask(self.terms, &[guard])?;
                !matches!(answer, Answer::Unsatisfiable(_))
            }
        })
    }

    /// The object that an address is in if it is a known address plus something.
    fn object(&self, address: Term) -> Option<usize> {
        // An index may be negative before something is added to it.
        let known = self
            .terms
            .constant_part(address)?
            .wrapping_add(1 << (Address::OFFSET_BITS - 1));
        let object = Address::from_word(known)?.object.index();
        let cells = &self.executable.cells;
        let mut addresses = cells.addresses.iter();
        let exists = addresses.any(|address| address.object.index() == object);
        exists.then_some(object)
    }

    pub(super) fn push(
        &mut self,
        edges: &mut Vec<Edge>,
        target: Target,
        action: Action,
        span: Span,
        path: Path,
    ) {
        if self.terms.as_constant(path.guard) == Some(0) {
            return;
        }
        let live = match target {
            Target::Point(point) => match self.rests[point as usize] {
                Some((pc, cell)) => self.live(pc, cell),
                None => Vec::new(),
            },
            Target::Wrong(_) => Vec::new(),
        };
        let updates = live.into_iter().filter_map(|variable| {
            let Variable::Register(_, register) = variable else {
                return None;
            };
            let old = self.register(RegisterId(register));
            let new = path.registers[register as usize];
            (old != new).then_some((variable, new))
        });
        edges.push(Edge {
            target,
            action,
            guard: path.guard,
            updates: updates.collect(),
            span,
        });
    }
}
