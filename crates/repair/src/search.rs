//! The search for a cheapest set of fences: implicit hitting sets.
//!
//! A *clause* is a set of orderings at places of which every repair has at least one. The search takes a cheapest set of fences
//! that hits all clauses known so far ([`HittingSet`]), puts it in and asks the question. If it holds, nothing cheaper
//! can: every repair hits all clauses. Otherwise the violation gives new clauses, which the set does not hit. This is the
//! scheme of Reiter's diagnoses and of MaxSAT by hitting sets (Davies and Bacchus, 2011), with memory models in
//! the place of the solver; counterexamples become fences as in section 5.1 of the paper on proofs by trace partitioning.
//!
//! A clause is believed only because an engine said "violated": it is the complement of a set of orderings with
//! all of which the program still violates the question. That set is guessed from the execution at hand ([`Order`]), and
//! the question is asked with all of it. Where the guess is wrong, a more careful one is tried, and in the end the set that was
//! asked about anyway. So "minimum" rests on answers of `check` and on one fact: more fences allow no more executions.
//!
//! Invariant: each clause is missed by no repair; each round adds one that the last set of fences misses, so
//! the search ends.
//!
//! Not guaranteed: anything beyond the places and kinds of fences that are given. If a limit keeps a question from being
//! answered, the search ends without an answer.

use crate::flow::Flow;
use crate::goal::Goal;
use crate::hitting::{HittingSet, Item, NoSet};
use crate::kind::{Costs, Kind};
use crate::order::{Bit, Order};
use crate::place::{Marked, PlaceId, Placement};
use answer::{ModelResult, Verdict};
use control::Stop;
use memory::Model;
use program::{Diagnostic, Orderings, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Clauses that are taken from one execution at most.
const CLAUSES_OF_EXECUTION: usize = 8;

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A set of minimum cost.
    #[default]
    Minimum,
    /// All sets of minimum cost.
    AllMinimum,
    /// A set of which no fence can be left out.
    Irredundant,
}

/// A question: which fences make a program do what it must.
#[derive(Debug)]
pub struct Question<'a> {
    /// The program as it is.
    pub program: &'a Program,
    /// The program with its places.
    pub marked: &'a Marked,
    /// What must hold.
    pub goal: &'a Goal,
    /// The memory model.
    pub model: Model,
    /// The fences that can be written; see [`Dialect::kinds`](crate::Dialect::kinds).
    pub kinds: &'a [Kind],
    /// What they cost.
    pub costs: Costs,
    /// How far to go.
    pub effort: Effort,
}

/// A fence that is put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// Where.
    pub place: PlaceId,
    /// What.
    pub kind: Kind,
}

/// An execution that shows why a fence is needed.
#[derive(Clone, Debug)]
pub struct Forced {
    /// The fence, by its index in the repair.
    pub fence: usize,
    /// What goes wrong with every fence but such ones as this.
    pub result: ModelResult,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Nothing is wrong with the fences of the repair; if it has none, nothing was wrong before.
    Repaired,
    /// It is wrong under sequential consistency, as this shows.
    WrongUnderSc(Box<ModelResult>),
    /// It is wrong with fences at all places.
    NoFenceHelps(Box<ModelResult>),
    /// A limit was in the way of this answer.
    Undecided(Box<ModelResult>),
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What came of it.
    pub outcome: Outcome,
    /// The fences, in the order of their places.
    pub fences: Vec<Fence>,
    /// What they cost.
    pub cost: u64,
    /// No cheaper set will do.
    pub minimum: bool,
    /// The program has the code of the one with places ([`Marked::is_code_of`]). If not, the fences may be more than it needs.
    pub same_code: bool,
    /// All sets of minimum cost, if they were asked for, this one first.
    pub sets: Vec<Vec<Fence>>,
    /// Executions without each fence.
    pub forced: Vec<Forced>,
    /// The last answer: of the repaired program, if it is repaired.
    pub result: ModelResult,
    /// How many questions were asked of programs with fences and without.
    pub asked: usize,
    /// The time that it took.
    pub time: Duration,
}

impl Question<'_> {
    /// The answer.
    pub fn answer(&self) -> Result<Repair, Box<Diagnostic>> {
        Search::new(self).run()
    }
}

/// A set of orderings of which every repair has one, and what shows it.
struct Clause {
    items: Vec<Item>,
    result: ModelResult,
}

struct Search<'a> {
    question: &'a Question<'a>,
    flow: Flow,
    /// Every fence at every place.
    items: Vec<(PlaceId, usize)>,
    costs: Vec<u64>,
    /// Every ordering at every place.
    bits: Vec<Bit>,
    clauses: Vec<Clause>,
    stop: Stop,
    started: Instant,
    asked: usize,
}

type Answer<T> = Result<T, Box<Diagnostic>>;

impl<'a> Search<'a> {
    fn new(question: &'a Question<'a>) -> Self {
        let places = (0..question.marked.places.len()).map(PlaceId);
        let items = places.flat_map(|place| (0..question.kinds.len()).map(move |k| (place, k)));
        let items: Vec<(PlaceId, usize)> = items.collect();
        let cost = |(place, kind): &(PlaceId, usize)| {
            let place = &question.marked.places[place.0];
            question.costs.of(&question.kinds[*kind], place)
        };
        let everywhere = question.marked.everywhere(question.model);
        let bits = everywhere.iter().flat_map(|(place, orderings)| {
            let singles = Orderings::NAMED.into_iter().map(|(single, _)| single);
            let singles = singles.filter(move |single| orderings.contains(*single));
            singles.map(move |single| (place, single))
        });
        let options = question.goal.options();
        Search {
            flow: Flow::new(question.marked),
            costs: items.iter().map(cost).collect(),
            items,
            bits: bits.collect(),
            clauses: Vec::new(),
            stop: options.control.after(options.spent).stop(),
            started: Instant::now(),
            asked: 0,
            question,
        }
    }

    fn run(mut self) -> Answer<Repair> {
        let mut result = self.ask(&Placement::default())?;
        if result.verdict == Verdict::Violated && self.question.goal.asks_of_sc() {
            let plain = self.program(&Placement::default());
            self.asked += 1;
            let spent = self.started.elapsed();
            let sc = self.question.goal.ask(&plain, Model::Sc, spent)?;
            if sc.verdict == Verdict::Violated {
                let outcome = Outcome::WrongUnderSc(Box::new(sc));
                return Ok(self.repair(outcome, Vec::new(), result));
            }
        }
        let mut set = Vec::new();
        while result.verdict == Verdict::Violated {
            self.learn(&self.placement(&set), result)?;
            let next = match self.question.effort {
                Effort::Irredundant => self.hitting_set(&[]).greedy().ok_or(NoSet::None),
                _ => self
                    .hitting_set(&[])
                    .minimum(&self.stop)
                    .map(|(set, _)| set),
            };
            set = match next {
                Ok(next) => next,
                Err(no_set) => return Ok(self.without_repair(no_set)),
            };
            result = self.ask(&self.placement(&set))?;
        }
        if result.verdict == Verdict::Undecided {
            let outcome = Outcome::Undecided(Box::new(result.clone()));
            return Ok(self.repair(outcome, set, result));
        }
        match self.question.effort {
            Effort::Minimum => Ok(self.repair(Outcome::Repaired, set, result)),
            Effort::Irredundant => self.thinned(set, result),
            Effort::AllMinimum => self.all(set, result),
        }
    }

    /// No set of fences hits all clauses, or the time is up.
    fn without_repair(self, no_set: NoSet) -> Repair {
        let last = self.clauses.last().map(|clause| clause.result.clone());
        let empty = self.clauses.iter().find(|clause| clause.items.is_empty());
        let shown = empty.map(|clause| clause.result.clone()).or(last);
        let model = self.question.model;
        let result = shown.unwrap_or_else(|| ModelResult::undecided(model, answer::Engine::Sat));
        let shown = Box::new(result.clone());
        let outcome = match no_set {
            NoSet::None => Outcome::NoFenceHelps(shown),
            NoSet::Stopped => Outcome::Undecided(shown),
        };
        self.repair(outcome, Vec::new(), result)
    }

    /// Leaves out fences as long as it holds.
    fn thinned(mut self, mut set: Vec<Item>, mut result: ModelResult) -> Answer<Repair> {
        // The dearest first.
        let mut order = set.clone();
        order.sort_by_key(|item| std::cmp::Reverse(self.costs[*item]));
        for item in order {
            let less: Vec<Item> = set.iter().copied().filter(|other| *other != item).collect();
            let without = self.ask(&self.placement(&less))?;
            match without.verdict {
                Verdict::Holds => (set, result) = (less, without),
                Verdict::Violated => self.learn(&self.placement(&less), without)?,
                Verdict::Undecided => {}
            }
        }
        Ok(self.repair(Outcome::Repaired, set, result))
    }

    /// All other sets that cost as much as the first.
    fn all(mut self, first: Vec<Item>, result: ModelResult) -> Answer<Repair> {
        let cost = self.cost(&first);
        let mut sets = vec![first.clone()];
        while let Ok((set, _)) = {
            let found = self.hitting_set(&sets).minimum(&self.stop);
            found.and_then(|found| {
                if found.1 == cost {
                    Ok(found)
                } else {
                    Err(NoSet::None)
                }
            })
        } {
            let answer = self.ask(&self.placement(&set))?;
            match answer.verdict {
                Verdict::Holds => sets.push(set),
                Verdict::Violated => self.learn(&self.placement(&set), answer)?,
                Verdict::Undecided => break,
            }
        }
        let sets: Vec<Vec<Fence>> = sets.iter().map(|set| self.fences(set)).collect();
        Ok(Repair {
            sets,
            ..self.repair(Outcome::Repaired, first, result)
        })
    }

    fn hitting_set<'h>(&'h self, excluded: &'h [Vec<Item>]) -> HittingSet<'h> {
        HittingSet {
            costs: &self.costs,
            clauses: self.clauses.iter().map(|c| c.items.clone()).collect(),
            excluded,
        }
    }

    /// Adds clauses that a set of fences misses, with which the question was answered by a violation.
    fn learn(&mut self, placement: &Placement, result: ModelResult) -> Answer<()> {
        let before = self.clauses.len();
        let mut front: Vec<Bit> = Vec::new();
        let order = self.order(placement, &result);
        for _ in 0..CLAUSES_OF_EXECUTION {
            let Some(order) = &order else { break };
            let rest = self.bits.iter().filter(|bit| !front.contains(bit));
            let bits: Vec<Bit> = front.iter().chain(rest).copied().collect();
            let grown = order.grown(placement, &bits);
            if self.is_known(&grown) {
                break;
            }
            let Some((grown, shown)) = self.confirmed(grown)? else {
                break;
            };
            let left: Vec<Bit> = self.left_out(&grown).collect();
            let clause = Clause {
                items: self.items_of(&left),
                result: shown,
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
            Some(kept) if kept != *placement => self.confirmed(kept)?,
            _ => None,
        };
        let (missed, result) = confirmed.unwrap_or_else(|| (placement.clone(), result));
        let left: Vec<Bit> = self.left_out(&missed).collect();
        let items = self.items_of(&left);
        self.clauses.push(Clause { items, result });
        Ok(())
    }

    /// A set of orderings with which the question is still answered by a violation, at least as large as the one given; nothing if that
    /// one is too large.
    fn confirmed(&mut self, mut grown: Placement) -> Answer<Option<(Placement, ModelResult)>> {
        let mut known = None;
        loop {
            let result = self.ask(&grown)?;
            if result.verdict != Verdict::Violated {
                return Ok(known);
            }
            let order = self.order(&grown, &result);
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

    /// What the execution of a violation asks of the memory order, as far as its program order can be known.
    fn order(&self, placement: &Placement, result: &ModelResult) -> Option<Order> {
        let Question { model, marked, .. } = *self.question;
        let process = marked.program().process;
        let of = |result: &ModelResult| {
            let execution = result.execution.as_ref()?;
            Order::new(execution, model, &self.flow, process)
        };
        of(result).or_else(|| {
            let program = self.program(placement);
            let spent = self.started.elapsed();
            let solved = self.question.goal.ask_solver(&program, model, spent)?;
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

    /// The fences that have one of some orderings.
    fn items_of(&self, bits: &[Bit]) -> Vec<Item> {
        let has = |(place, kind): &(PlaceId, usize)| {
            let orderings = self.question.kinds[*kind].orderings;
            let mut bits = bits.iter();
            bits.any(|(at, ordering)| at == place && orderings.contains(*ordering))
        };
        let items = self.items.iter().enumerate();
        items
            .filter(|(_, item)| has(item))
            .map(|(index, _)| index)
            .collect()
    }

    fn placement(&self, set: &[Item]) -> Placement {
        let fences = set.iter().map(|item| {
            let (place, kind) = self.items[*item];
            (place, self.question.kinds[kind].orderings)
        });
        fences.collect()
    }

    fn cost(&self, set: &[Item]) -> u64 {
        set.iter().map(|item| self.costs[*item]).sum()
    }

    fn fences(&self, set: &[Item]) -> Vec<Fence> {
        let fence = |item: &Item| {
            let (place, kind) = self.items[*item];
            Fence {
                place,
                kind: self.question.kinds[kind].clone(),
            }
        };
        set.iter().map(fence).collect()
    }

    fn program(&self, placement: &Placement) -> Arc<Program> {
        let Question {
            program, marked, ..
        } = *self.question;
        let program = match placement.iter().next() {
            None => program.clone(),
            Some(_) => marked.with(placement),
        };
        self.question.goal.subject(program)
    }

    fn ask(&mut self, placement: &Placement) -> Answer<ModelResult> {
        self.asked += 1;
        let spent = self.started.elapsed();
        let program = self.program(placement);
        self.question.goal.ask(&program, self.question.model, spent)
    }

    /// The answer with a set of fences, each with an execution that only fences like it forbid.
    fn repair(self, outcome: Outcome, set: Vec<Item>, result: ModelResult) -> Repair {
        let needs = |index: usize, item: Item| {
            let alone = |clause: &&Clause| {
                let mut others = set.iter().filter(|other| **other != item);
                clause.items.contains(&item) && !others.any(|o| clause.items.contains(o))
            };
            let clause = self.clauses.iter().find(alone)?;
            Some(Forced {
                fence: index,
                result: clause.result.clone(),
            })
        };
        let forced = set.iter().enumerate();
        let forced = forced.filter_map(|(index, item)| needs(index, *item));
        let repaired = matches!(outcome, Outcome::Repaired);
        let Question {
            marked, program, ..
        } = *self.question;
        let same_code = marked.is_code_of(program);
        let searched = same_code && self.question.effort != Effort::Irredundant;
        Repair {
            forced: forced.collect(),
            fences: self.fences(&set),
            cost: self.cost(&set),
            minimum: repaired && (searched || set.is_empty()),
            same_code,
            sets: Vec::new(),
            outcome,
            result,
            asked: self.asked,
            time: self.started.elapsed(),
        }
    }
}
