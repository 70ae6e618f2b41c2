//! The search for a cheapest set of fences: implicit hitting sets.
//!
//! A *clause* is a set of orderings at places of which every repair has at least one. The search takes a cheapest set of fences
//! that hits all clauses known so far ([`HittingSet`]), puts it in and asks the question. If it holds, nothing cheaper
//! can: every repair hits all clauses. Otherwise the violation gives new clauses, which the set does not hit. This is the
//! scheme of Reiter's diagnoses and of MaxSAT by hitting sets (Davies and Bacchus, 2011), with memory models in
//! the place of the solver; counterexamples become fences as in section 5.1 of the paper on proofs by trace partitioning.
//!
//! Answers are asked for in [`ask`](crate::ask), clauses are learned in [`clauses`](crate::clauses). A clause that
//! rests on an open answer may be one that a right repair misses; the end of the search looks for sets that are cheaper without such
//! clauses ([`Search::cheaper`]), and if one stays open the answer is no minimum.
//!
//! Invariant: a clause is missed by no repair, or by none for which loops have bounds; each round adds one that the last set of fences misses, so
//! the search ends.
//!
//! Not guaranteed: anything beyond the places and kinds of fences that are given. If a limit keeps a question from being
//! answered, the search ends without an answer.

use crate::ask::{Budget, MOST_ITERATIONS};
use crate::candidate::{Candidate, Change};
use crate::clauses::Clause;
use crate::flow::Flow;
use crate::goal::Goal;
use crate::hitting::{HittingSet, Item, NoSet};
use crate::order::Bit;
use crate::place::{Marked, Placement};
use crate::update::{self, Update};
use answer::{ModelResult, Verdict};
use control::Stop;
use memory::Model;
use program::{Diagnostic, Orderings, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    /// What a repair may consist of; see [`repairs`](crate::repairs) and [`remains`](crate::remains).
    pub candidates: &'a [Candidate],
    /// The marked program has lost fences and orders, and the question is which of them it needs.
    pub reduces: bool,
    /// How far to go.
    pub effort: Effort,
}

/// An execution that shows why a change is needed.
#[derive(Clone, Debug)]
pub struct Forced {
    /// The change, by its index in the repair.
    pub change: usize,
    /// What goes wrong with everything but such changes as this.
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
    /// It is wrong with all its fences and orders, so there is nothing to take away.
    WrongAsItIs(Box<ModelResult>),
    /// A limit was in the way of this answer.
    Undecided(Box<ModelResult>),
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What came of it.
    pub outcome: Outcome,
    /// The changes, in the order of the candidates.
    pub changes: Vec<Change>,
    /// The orderings that they add.
    pub placement: Placement,
    /// What they cost.
    pub cost: u64,
    /// No cheaper set will do.
    pub minimum: bool,
    /// What is known with a cheaper set of which it is not known whether it will do, if that is why this is no minimum.
    pub open: Option<ModelResult>,
    /// The changes are what is left of the program's fences and orders.
    pub reduces: bool,
    /// The program has the code of the one with places ([`Marked::is_code_of`]). If not, the fences may be more than it needs.
    pub same_code: bool,
    /// All sets of minimum cost, if they were asked for, this one first.
    pub sets: Vec<Vec<Change>>,
    /// Executions without each change.
    pub forced: Vec<Forced>,
    /// Loads and stores that have to be one step each: what helps if no fence does, as far as it is known.
    pub updates: Vec<Update>,
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

/// The search for an answer. How it asks and what it learns have files of their own.
pub(crate) struct Search<'a> {
    pub question: &'a Question<'a>,
    pub flow: Flow,
    costs: Vec<u64>,
    /// Every ordering that a candidate has, one by one.
    pub bits: Vec<Bit>,
    /// Sets of orderings with which parts of the question have been answered by "holds", part by part.
    pub held: Vec<Vec<Placement>>,
    /// The parts in the order in which they are asked about: the last to be violated first, as it often is again.
    pub parts: Vec<usize>,
    pub clauses: Vec<Clause>,
    /// Iterations of a loop beyond which a part is open; nothing if it may take all that it needs.
    pub bound: Option<u32>,
    /// Sequential consistency has been asked about.
    asked_of_sc: bool,
    stop: Stop,
    pub started: Instant,
    pub asked: usize,
}

pub(crate) type Answer<T> = Result<T, Box<Diagnostic>>;

impl<'a> Search<'a> {
    fn new(question: &'a Question<'a>) -> Self {
        let all = question.candidates.iter();
        let all = all.flat_map(|candidate| candidate.placement.iter());
        let everywhere: Placement = all.collect();
        let bits = everywhere.iter().flat_map(|(place, orderings)| {
            let orderings = question.model.effective(orderings);
            let singles = Orderings::NAMED.into_iter().map(|(single, _)| single);
            let singles = singles.filter(move |single| orderings.contains(*single));
            singles.map(move |single| (place, single))
        });
        let options = question.goal.options();
        Search {
            flow: Flow::new(question.marked),
            costs: question.candidates.iter().map(|c| c.cost).collect(),
            bits: bits.collect(),
            held: vec![Vec::new(); question.goal.parts()],
            parts: (0..question.goal.parts()).collect(),
            clauses: Vec::new(),
            bound: question.goal.has_tests().then_some(MOST_ITERATIONS),
            asked_of_sc: false,
            stop: options.control.after(options.spent).stop(),
            started: Instant::now(),
            asked: 0,
            question,
        }
    }

    fn run(mut self) -> Answer<Repair> {
        let as_it_is = self.question.goal.subject(self.question.program.clone());
        if self.question.reduces {
            let result = self.ask_of(&as_it_is, None)?;
            match result.verdict {
                Verdict::Holds => {}
                Verdict::Violated => {
                    let outcome = Outcome::WrongAsItIs(Box::new(result.clone()));
                    return Ok(self.repair(outcome, Vec::new(), result));
                }
                Verdict::Undecided => {
                    let outcome = Outcome::Undecided(Box::new(result.clone()));
                    return Ok(self.repair(outcome, Vec::new(), result));
                }
            }
        }
        let mut set = Vec::new();
        let result = loop {
            let placement = self.placement(&set);
            let asked = self.ask(&placement)?;
            if asked.is_violated() {
                if let Some(sc) = self.wrong_under_sc(&as_it_is, asked.part)? {
                    let updates = self.updates(&as_it_is, &sc, Model::Sc);
                    let outcome = Outcome::WrongUnderSc(Box::new(sc));
                    return Ok(Repair {
                        updates,
                        ..self.repair(outcome, Vec::new(), asked.result)
                    });
                }
                self.learn(&placement, asked)?;
            } else if asked.is_open() {
                self.learn_open(&placement, asked)?;
            } else {
                break asked.result;
            }
            set = match self.next_set() {
                Ok(next) => next,
                Err(no_set) => return Ok(self.without_repair(no_set)),
            };
        };
        if result.verdict == Verdict::Undecided {
            let outcome = Outcome::Undecided(Box::new(result.clone()));
            return Ok(self.repair(outcome, set, result));
        }
        match self.question.effort {
            Effort::Minimum => {
                let open = self.cheaper(&set)?;
                Ok(Repair {
                    minimum: open.is_none() && self.has_same_code(),
                    open,
                    ..self.repair(Outcome::Repaired, set, result)
                })
            }
            Effort::Irredundant => self.thinned(set, result),
            Effort::AllMinimum => self.all(set, result),
        }
    }

    /// The answer under sequential consistency for the part that is violated, if it is violated there, too. That is asked once.
    fn wrong_under_sc(
        &mut self,
        as_it_is: &Arc<Program>,
        part: usize,
    ) -> Answer<Option<ModelResult>> {
        let goal = self.question.goal;
        if self.asked_of_sc || self.question.reduces || !goal.asks_of_sc() {
            return Ok(None);
        }
        self.asked_of_sc = true;
        self.asked += 1;
        let (spent, part) = (self.started.elapsed(), Some(part));
        let sc = goal.ask(as_it_is, Model::Sc, spent, part, Budget::default())?;
        Ok((sc.verdict == Verdict::Violated).then_some(sc))
    }

    /// A set that hits all clauses. If none does, loops may go on for longer, and clauses that rest on their bound are forgotten.
    fn next_set(&mut self) -> Result<Vec<Item>, NoSet> {
        let find = |search: &Self| match search.question.effort {
            Effort::Irredundant => search.hitting_set(&[]).greedy().ok_or(NoSet::None),
            _ => {
                let found = search.hitting_set(&[]).minimum(&search.stop);
                found.map(|(set, _)| set)
            }
        };
        let found = find(self);
        if found != Err(NoSet::None) || self.bound.take().is_none() {
            return found;
        }
        self.clauses.retain(|clause| !clause.is_open);
        find(self)
    }

    /// What is known with a set that is cheaper than a repair and is not known to be wrong, if there is one.
    fn cheaper(&mut self, repair: &[Item]) -> Answer<Option<ModelResult>> {
        let cost = self.cost(repair);
        while self.clauses.iter().any(|clause| clause.is_open) {
            let mut certain = self.hitting_set(&[]);
            let clauses = self.clauses.iter().filter(|clause| !clause.is_open);
            certain.clauses = clauses.map(|clause| clause.items.clone()).collect();
            let Ok((set, less)) = certain.minimum(&self.stop) else {
                break;
            };
            if less >= cost {
                break;
            }
            let placement = self.placement(&set);
            let mut asked = self.ask(&placement)?;
            if !asked.is_violated() {
                // An execution in which a loop goes on shows nothing wrong.
                asked.result.execution = None;
                return Ok(Some(asked.result));
            }
            self.learn(&placement, asked)?;
        }
        Ok(None)
    }

    /// The read-modify-writes that a program which is wrong in an execution needs, as far as that is known.
    fn updates(&mut self, program: &Program, shown: &ModelResult, model: Model) -> Vec<Update> {
        let goal = self.question.goal;
        let (started, mut asked) = (self.started, 0);
        let updates = update::needed(program, shown, |changed| {
            asked += 1;
            let subject = Arc::new(changed);
            let spent = started.elapsed();
            goal.ask(&subject, model, spent, None, Budget::default())
                .ok()
        });
        self.asked += asked;
        updates
    }

    /// No set of fences hits all clauses, or the time is up.
    fn without_repair(mut self, no_set: NoSet) -> Repair {
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
        let mut updates = Vec::new();
        if no_set == NoSet::None && self.question.goal.asks_of_sc() {
            let everywhere = self.program(&self.bits.iter().copied().collect());
            updates = self.updates(&everywhere, &result, model);
        }
        Repair {
            updates,
            ..self.repair(outcome, Vec::new(), result)
        }
    }

    /// Leaves out fences as long as it holds.
    fn thinned(mut self, mut set: Vec<Item>, mut result: ModelResult) -> Answer<Repair> {
        // The dearest first.
        let mut order = set.clone();
        order.sort_by_key(|item| std::cmp::Reverse(self.costs[*item]));
        for item in order {
            let less: Vec<Item> = set.iter().copied().filter(|other| *other != item).collect();
            let without = self.ask(&self.placement(&less))?;
            if without.result.verdict == Verdict::Holds {
                (set, result) = (less, without.result);
            } else if without.is_violated() {
                self.learn(&self.placement(&less), without)?;
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
            let placement = self.placement(&set);
            let asked = self.ask(&placement)?;
            if asked.result.verdict == Verdict::Holds {
                sets.push(set);
            } else if asked.is_violated() {
                self.learn(&placement, asked)?;
            } else if asked.is_open() {
                self.learn_open(&placement, asked)?;
            } else {
                break;
            }
        }
        let open = self.cheaper(&first)?;
        let sets: Vec<Vec<Change>> = sets.iter().map(|set| self.changes(set)).collect();
        Ok(Repair {
            sets,
            minimum: open.is_none() && self.has_same_code(),
            open,
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

    /// Whether what is known of the program with places is known of the program.
    fn has_same_code(&self) -> bool {
        let Question {
            marked,
            program,
            reduces,
            ..
        } = *self.question;
        reduces || marked.is_code_of(program)
    }

    fn placement(&self, set: &[Item]) -> Placement {
        let chosen = set.iter().map(|item| &self.question.candidates[*item]);
        chosen
            .flat_map(|candidate| candidate.placement.iter())
            .collect()
    }

    fn cost(&self, set: &[Item]) -> u64 {
        set.iter().map(|item| self.costs[*item]).sum()
    }

    fn changes(&self, set: &[Item]) -> Vec<Change> {
        let chosen = set.iter().map(|item| &self.question.candidates[*item]);
        chosen.map(|candidate| candidate.change.clone()).collect()
    }

    pub(crate) fn program(&self, placement: &Placement) -> Arc<Program> {
        let Question {
            program,
            marked,
            reduces,
            ..
        } = *self.question;
        let program = match placement.iter().next() {
            None if !reduces => program.clone(),
            _ => marked.with(placement),
        };
        self.question.goal.subject(program)
    }

    /// The answer with a set of candidates, each with an execution that only such ones forbid.
    fn repair(self, outcome: Outcome, set: Vec<Item>, result: ModelResult) -> Repair {
        let needs = |index: usize, item: Item| {
            let alone = |clause: &&Clause| {
                let mut others = set.iter().filter(|other| **other != item);
                clause.items.contains(&item) && !others.any(|o| clause.items.contains(o))
            };
            let clause = self.clauses.iter().find(alone)?;
            Some(Forced {
                change: index,
                result: clause.result.clone(),
            })
        };
        let forced = set.iter().enumerate();
        let forced = forced.filter_map(|(index, item)| needs(index, *item));
        let repaired = matches!(outcome, Outcome::Repaired);
        Repair {
            forced: forced.collect(),
            changes: self.changes(&set),
            placement: self.placement(&set),
            cost: self.cost(&set),
            minimum: repaired && set.is_empty(),
            open: None,
            same_code: self.has_same_code(),
            reduces: self.question.reduces,
            sets: Vec::new(),
            updates: Vec::new(),
            outcome,
            result,
            asked: self.asked,
            time: self.started.elapsed(),
        }
    }
}
