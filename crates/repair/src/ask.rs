//! How the search for a repair asks its question: part by part, and with care for those that take long.
//!
//! A data type is asked about test by test, and one test that fails is enough to go on. With too few fences a test often neither fails nor
//! ends: a loop that tries again may do so any number of times. So each part is first asked about with few iterations, then with more, and with
//! a limit on work before it may take all that it needs. Those limits count iterations and work, never time, so that the
//! answers, their order, and all that is learned from them are the same each time.
//!
//! A part whose loops go on beyond the last bound is *open*. That is monotone, as violations are: with fewer fences they still do. So sets of
//! fences with which a part is open can be learned from in the same way, and the search ends with fences for which
//! all loops have bounds ([`Asked::is_open`]).

use crate::place::Placement;
use crate::search::{Answer, Search};
use answer::{Bound, Engine, ModelResult, Verdict};
use program::Program;
use std::sync::Arc;

/// Iterations of a loop that are looked at first.
const FIRST_ITERATIONS: u32 = 2;

/// Iterations of a loop beyond which a part is open, as long as others are bounded.
pub(crate) const MOST_ITERATIONS: u32 = 8;

/// Work for a part of a question, round by round, before one may take what it needs; see [`check::Options::max_work`].
const WORK: [u64; 2] = [20_000, 160_000];

/// What a part of a question may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Most iterations of a loop.
    pub iterations: Option<u32>,
    /// Most work.
    pub work: Option<u64>,
}

/// An answer about the first part of a question that does not hold, or about the last.
pub(crate) struct Asked {
    pub part: usize,
    pub result: ModelResult,
    pub budget: Budget,
}

impl Asked {
    /// Loops go on beyond the bound of the budget, and nothing else is in the way of an answer.
    pub fn is_open(&self) -> bool {
        is_open(&self.result, self.budget)
    }

    /// Whether it is violated.
    pub fn is_violated(&self) -> bool {
        self.result.verdict == Verdict::Violated
    }
}

/// Whether an answer is open only because of the bound that a budget has.
pub(crate) fn is_open(result: &ModelResult, budget: Budget) -> bool {
    let Some(most) = budget.iterations else {
        return false;
    };
    let goes_on =
        |bound: &Bound| matches!(bound, Bound::Unroll(iterations, _) if *iterations >= most);
    let stopped = |bound: &Bound| {
        matches!(
            bound,
            Bound::Interrupted(_) | Bound::Time(_) | Bound::Memory(_)
        )
    };
    let bounds = &result.bounds;
    result.verdict == Verdict::Undecided
        && bounds.iter().any(goes_on)
        && !bounds.iter().any(stopped)
}

impl Search<'_> {
    /// Asks part by part, up to the first that is violated. What holds with fewer fences is not asked again. Where none is
    /// violated, but some are open, the first of those is the answer.
    pub(crate) fn ask(&mut self, placement: &Placement) -> Answer<Asked> {
        let parts = self.question.goal.parts();
        let is_held = |held: &Vec<Placement>| held.iter().any(|held| placement.contains(held));
        let known: Vec<bool> = self.held.iter().map(is_held).collect();
        // The last answer is shown, so that one is asked for in any case.
        let waiting = self.parts.iter().copied();
        let mut waiting: Vec<usize> = waiting.filter(|part| !known[*part]).collect();
        if waiting.is_empty() {
            waiting.push(parts - 1);
        }
        let (mut last, mut open) = (None, None::<Asked>);
        for budget in self.budgets() {
            let is_last = budget == self.last_budget();
            if is_last {
                waiting.sort_unstable();
            }
            for part in std::mem::take(&mut waiting) {
                if is_last && open.is_some() {
                    break;
                }
                let result = self.ask_part(placement, part, budget)?;
                let asked = Asked {
                    part,
                    result,
                    budget,
                };
                match asked.result.verdict {
                    Verdict::Violated => {
                        self.parts.retain(|other| *other != part);
                        self.parts.insert(0, part);
                        return Ok(asked);
                    }
                    Verdict::Holds => {
                        self.held[part].push(placement.clone());
                        last = Some(asked);
                    }
                    Verdict::Undecided if budget.iterations == self.bound && asked.is_open() => {
                        // The smallest part, which is the quickest to learn from.
                        if open.as_ref().is_none_or(|open| part < open.part) {
                            open = Some(asked);
                        }
                    }
                    Verdict::Undecided if is_last => return Ok(asked),
                    Verdict::Undecided => waiting.push(part),
                }
            }
            if let Some(open) = open.take() {
                return Ok(open);
            }
        }
        Ok(last.unwrap_or_else(|| Asked {
            part: 0,
            result: ModelResult::undecided(self.question.model, Engine::Sat),
            budget: self.last_budget(),
        }))
    }

    /// What the parts of the question may take, round by round. A question without parts takes what it needs.
    fn budgets(&self) -> Vec<Budget> {
        let iterations = self.bound;
        let [little, more] = WORK.map(|work| Budget {
            iterations,
            work: Some(work),
        });
        let first = Budget {
            iterations: Some(FIRST_ITERATIONS),
            ..little
        };
        match self.question.goal.has_tests() {
            true => vec![first, little, more, self.last_budget()],
            false => vec![self.last_budget()],
        }
    }

    fn last_budget(&self) -> Budget {
        Budget {
            iterations: self.bound,
            work: None,
        }
    }

    /// A budget for a question of which it is only worth knowing whether it is answered soon.
    pub(crate) fn short(&self, budget: Budget, round: usize) -> Budget {
        match self.question.goal.has_tests() {
            true => Budget {
                work: Some(WORK[round]),
                ..budget
            },
            false => budget,
        }
    }

    /// Asks one part of the question.
    pub(crate) fn ask_part(
        &mut self,
        placement: &Placement,
        part: usize,
        budget: Budget,
    ) -> Answer<ModelResult> {
        self.asked += 1;
        let program = self.program(placement);
        let spent = self.started.elapsed();
        let goal = self.question.goal;
        goal.ask(&program, self.question.model, spent, Some(part), budget)
    }

    /// Asks the whole question, or one part of it, of another program.
    pub(crate) fn ask_of(
        &mut self,
        program: &Arc<Program>,
        part: Option<usize>,
    ) -> Answer<ModelResult> {
        self.asked += 1;
        let spent = self.started.elapsed();
        let goal = self.question.goal;
        goal.ask(program, self.question.model, spent, part, Budget::default())
    }
}
