//! What the search for a repair learns from an answer: clauses, sets of orderings of which every repair has one.
//!
//! A clause is believed only because an engine said "violated": it is the complement of a set of orderings with
//! all of which the program still violates the question. That set is guessed from the execution at hand ([`Order`]), and
//! the question is asked with all of it. Where the guess is wrong, a more careful one is tried, and in the end the set that was
//! asked about anyway. So "minimum" rests on answers of `check` and on one fact: more fences allow no more executions.
//!
//! A clause may also come from an answer that is [open](crate::ask): of its orderings one must be there for loops to have bounds. It is
//! marked as such, since a cheaper set without any of them need not be wrong.

use crate::ask::{Asked, Budget, is_open};
use crate::candidate::Candidate;
use crate::hitting::Item;
use crate::order::{Bit, Order};
use crate::place::{PlaceId, Placement};
use crate::search::{Answer, Question, Search};
use answer::{ModelResult, Verdict};

/// Clauses that are taken from one execution at most.
const CLAUSES_OF_EXECUTION: usize = 8;

/// A set of orderings of which every repair has one, and what shows it.
pub(crate) struct Clause {
    pub items: Vec<Item>,
    pub result: ModelResult,
    /// Loops go on without all of them. Nothing is known to be wrong.
    pub is_open: bool,
}

impl Search<'_> {
    /// Adds clauses that a set of fences misses, with which the question was answered by a violation.
    pub(crate) fn learn(&mut self, placement: &Placement, asked: Asked) -> Answer<()> {
        let Asked {
            part,
            result,
            budget,
        } = asked;
        let before = self.clauses.len();
        let mut front: Vec<Bit> = Vec::new();
        let order = self.order(placement, part, &result);
        for _ in 0..CLAUSES_OF_EXECUTION {
            let Some(order) = &order else { break };
            let rest = self.bits.iter().filter(|bit| !front.contains(bit));
            let bits: Vec<Bit> = front.iter().chain(rest).copied().collect();
            let grown = order.grown(placement, &bits);
            if self.is_known(&grown) {
                break;
            }
            let Some(confirmed) = self.confirmed(grown, part, budget)? else {
                break;
            };
            let short = self.short(budget, 0);
            let (grown, shown) = self.thickened(confirmed, part, short, |result| {
                result.verdict == Verdict::Violated
            })?;
            let left: Vec<Bit> = self.left_out(&grown).collect();
            let clause = Clause {
                items: self.items_of(&left),
                result: shown,
                is_open: false,
            };
            self.clauses.push(clause);
            if left.is_empty() {
                return Ok(());
            }
            front.splice(0..0, left);
        }
        if self.clauses.len() > before {
            return Ok(());
        }
        // A more careful guess, then none at all.
        let kept = order.map(|order| order.kept(placement, &self.bits));
        let confirmed = match kept {
            Some(kept) if kept != *placement => self.confirmed(kept, part, budget)?,
            _ => None,
        };
        let (missed, result) = confirmed.unwrap_or_else(|| (placement.clone(), result));
        let left: Vec<Bit> = self.left_out(&missed).collect();
        let items = self.items_of(&left);
        self.clauses.push(Clause {
            items,
            result,
            is_open: false,
        });
        Ok(())
    }

    /// A set of orderings with which the question is still answered by a violation, at least as large as the one given; nothing if that
    /// one is too large.
    fn confirmed(
        &mut self,
        mut grown: Placement,
        part: usize,
        budget: Budget,
    ) -> Answer<Option<(Placement, ModelResult)>> {
        let mut known = None;
        loop {
            let result = self.ask_part(&grown, part, self.short(budget, 1))?;
            if result.verdict != Verdict::Violated {
                return Ok(known);
            }
            let order = self.order(&grown, part, &result);
            let more = order.map(|order| order.grown(&grown, &self.bits));
            match more {
                Some(more) if more != grown => {
                    known = Some((grown, result));
                    grown = more;
                }
                _ => return Ok(Some((grown, result))),
            }
        }
    }

    /// Adds a clause that a set of fences misses, with which a part of the question is open.
    pub(crate) fn learn_open(&mut self, placement: &Placement, asked: Asked) -> Answer<()> {
        let Asked {
            part,
            result,
            budget,
        } = asked;
        let short = self.short(budget, 1);
        let mut known = (placement.clone(), result);
        // With what the loop goes on in this execution, and in those that are found with that.
        while let Some(order) = self.order(&known.0, part, &known.1) {
            let grown = order.grown(&known.0, &self.bits);
            if grown == known.0 {
                break;
            }
            let result = self.ask_part(&grown, part, budget)?;
            if !is_open(&result, budget) {
                break;
            }
            known = (grown, result);
        }
        let (grown, mut result) =
            self.thickened(known, part, short, |result| is_open(result, budget))?;
        result.execution = None;
        let left: Vec<Bit> = self.left_out(&grown).collect();
        self.clauses.push(Clause {
            items: self.items_of(&left),
            result,
            is_open: true,
        });
        Ok(())
    }

    /// A larger set of orderings with which a part of a question still has such an answer, by asking rather than from an execution:
    /// all that is left out is added at half of its places, then at a quarter, and so on. One test of many is worth
    /// the work, as each clause spares asking all of them.
    fn thickened(
        &mut self,
        (mut grown, mut shown): (Placement, ModelResult),
        part: usize,
        budget: Budget,
        is_same: impl Fn(&ModelResult) -> bool,
    ) -> Answer<(Placement, ModelResult)> {
        let places = |search: &Self, grown: &Placement| {
            let mut places: Vec<PlaceId> = search.left_out(grown).map(|(place, _)| place).collect();
            places.dedup();
            places
        };
        if !self.question.goal.has_tests() {
            return Ok((grown, shown));
        }
        let mut size = places(self, &grown).len() / 2;
        while size > 0 {
            let mut at = 0;
            loop {
                let left = places(self, &grown);
                if at >= left.len() || size >= left.len() {
                    break;
                }
                let chunk = &left[at..left.len().min(at + size)];
                let more = self
                    .left_out(&grown)
                    .filter(|(place, _)| chunk.contains(place));
                let more: Placement = grown.iter().chain(more).collect();
                let result = self.ask_part(&more, part, budget)?;
                if is_same(&result) {
                    (grown, shown) = (more, result);
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
        Ok((grown, shown))
    }

    /// What the execution of a violation asks of the memory order, as far as its program order can be known.
    fn order(&self, placement: &Placement, part: usize, result: &ModelResult) -> Option<Order> {
        let Question { model, marked, .. } = *self.question;
        let process = marked.program().process;
        let of = |result: &ModelResult| {
            let execution = result.execution.as_ref()?;
            Order::new(execution, model, &self.flow, process)
        };
        of(result).or_else(|| {
            let program = self.program(placement);
            let spent = self.started.elapsed();
            let goal = self.question.goal;
            let solved = goal.ask_solver(&program, model, spent, Some(part))?;
            of(&solved).filter(|_| solved.verdict == Verdict::Violated)
        })
    }

    /// True if every repair is known to have something that a set of orderings does not have.
    fn is_known(&self, placement: &Placement) -> bool {
        let left: Vec<Bit> = self.left_out(placement).collect();
        let items = self.items_of(&left);
        let mut known = self.clauses.iter();
        known.any(|clause| clause.items.iter().all(|item| items.contains(item)))
    }

    fn left_out<'p>(&'p self, placement: &'p Placement) -> impl Iterator<Item = Bit> + 'p {
        let bits = self.bits.iter().copied();
        bits.filter(|(place, ordering)| !placement.at(*place).contains(*ordering))
    }

    /// The candidates that have one of some orderings.
    fn items_of(&self, bits: &[Bit]) -> Vec<Item> {
        let wanted: Placement = bits.iter().copied().collect();
        let has = |candidate: &Candidate| {
            let mut own = candidate.placement.iter();
            own.any(|(place, orderings)| {
                let both = wanted.at(place);
                both.minus(orderings) != both
            })
        };
        let candidates = self.question.candidates.iter().enumerate();
        candidates
            .filter(|(_, candidate)| has(candidate))
            .map(|(index, _)| index)
            .collect()
    }
}
