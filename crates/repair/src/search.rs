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

use crate::candidate::{Candidate, Change};
use crate::flow::Flow;
use crate::goal::Goal;
use crate::hitting::{HittingSet, Item, NoSet};
use crate::order::{Bit, Order};
use crate::place::{Marked, PlaceId, Placement};
use crate::update::{self, Update};
use answer::{ModelResult, Verdict};
use control::Stop;
use memory::Model;
use program::{Diagnostic, Orderings, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Seconds for each part of a question, round by round, before one may take what is left.
const SLICES: [u64; 2] = [1, 8];

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

/// A set of orderings of which every repair has one, and what shows it.
struct Clause {
    items: Vec<Item>,
    result: ModelResult,
}

/// An answer about the first part of a question that does not hold, or about the last.
struct Asked {
    part: usize,
    result: ModelResult,
}

struct Search<'a> {
    question: &'a Question<'a>,
    flow: Flow,
    costs: Vec<u64>,
    /// Every ordering that a candidate has, one by one.
    bits: Vec<Bit>,
    /// Sets of orderings with which parts of the question have been answered by "holds", part by part.
    held: Vec<Vec<Placement>>,
    /// The parts in the order in which they are asked about: the last to be violated first, as it often is again.
    parts: Vec<usize>,
    clauses: Vec<Clause>,
    stop: Stop,
    started: Instant,
    asked: usize,
}

type Answer<T> = Result<T, Box<Diagnostic>>;

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
        let mut asked = self.ask(&Placement::default())?;
        let violated = asked.result.verdict == Verdict::Violated;
        if violated && !self.question.reduces && self.question.goal.asks_of_sc() {
            self.asked += 1;
            let (spent, part) = (self.started.elapsed(), Some(asked.part));
            let goal = self.question.goal;
            let sc = goal.ask(&as_it_is, Model::Sc, spent, part)?;
            if sc.verdict == Verdict::Violated {
                let updates = self.updates(&as_it_is, &sc, Model::Sc);
                let outcome = Outcome::WrongUnderSc(Box::new(sc));
                return Ok(Repair {
                    updates,
                    ..self.repair(outcome, Vec::new(), asked.result)
                });
            }
        }
        let mut set = Vec::new();
        while asked.result.verdict == Verdict::Violated {
            self.learn(&self.placement(&set), asked)?;
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
            asked = self.ask(&self.placement(&set))?;
        }
        let result = asked.result;
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

    /// The read-modify-writes that a program which is wrong in an execution needs, as far as that is known.
    fn updates(&mut self, program: &Program, shown: &ModelResult, model: Model) -> Vec<Update> {
        let goal = self.question.goal;
        let (started, mut asked) = (self.started, 0);
        let updates = update::needed(program, shown, |changed| {
            asked += 1;
            let subject = Arc::new(changed);
            goal.ask(&subject, model, started.elapsed(), None).ok()
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
            match without.result.verdict {
                Verdict::Holds => (set, result) = (less, without.result),
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
            match answer.result.verdict {
                Verdict::Holds => sets.push(set),
                Verdict::Violated => self.learn(&self.placement(&set), answer)?,
                Verdict::Undecided => break,
            }
        }
        let sets: Vec<Vec<Change>> = sets.iter().map(|set| self.changes(set)).collect();
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
    fn learn(&mut self, placement: &Placement, asked: Asked) -> Answer<()> {
        let Asked { part, result } = asked;
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
            let Some(confirmed) = self.confirmed(grown, part)? else {
                break;
            };
            let (grown, shown) = self.thickened(confirmed, part)?;
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
            Some(kept) if kept != *placement => self.confirmed(kept, part)?,
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
    fn confirmed(
        &mut self,
        mut grown: Placement,
        part: usize,
    ) -> Answer<Option<(Placement, ModelResult)>> {
        let mut known = None;
        loop {
            let slice = self.slices().into_iter().flatten().last();
            let result = self.ask_part(&grown, part, slice)?;
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

    /// A larger set of orderings with which a part of a question is still violated, by asking rather than from an execution: all that
    /// is left out is added at half of its places, then at a quarter, and so on. One test of many is worth the time, as each clause
    /// spares asking all of them.
    fn thickened(
        &mut self,
        (mut grown, mut shown): (Placement, ModelResult),
        part: usize,
    ) -> Answer<(Placement, ModelResult)> {
        let places = |search: &Self, grown: &Placement| {
            let mut places: Vec<PlaceId> = search.left_out(grown).map(|(place, _)| place).collect();
            places.dedup();
            places
        };
        let slice = match self.slices()[0] {
            None => return Ok((grown, shown)),
            slice => slice,
        };
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
                let result = self.ask_part(&more, part, slice)?;
                if result.verdict == Verdict::Violated {
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

    fn program(&self, placement: &Placement) -> Arc<Program> {
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

    /// Asks part by part, up to the first that does not hold. What holds with fewer fences is not asked again. A part that takes long
    /// waits for the others, since one of them may be violated sooner.
    fn ask(&mut self, placement: &Placement) -> Answer<Asked> {
        let parts = self.question.goal.parts();
        let is_held = |held: &Vec<Placement>| held.iter().any(|held| placement.contains(held));
        let known: Vec<bool> = self.held.iter().map(is_held).collect();
        // The last answer is shown, so that one is asked for in any case.
        let open = self.parts.iter().copied();
        let mut open: Vec<usize> = open.filter(|part| !known[*part]).collect();
        if open.is_empty() {
            open.push(parts - 1);
        }
        let mut last = None;
        for slice in self.slices() {
            for part in std::mem::take(&mut open) {
                let result = self.ask_part(placement, part, slice)?;
                match result.verdict {
                    Verdict::Violated => {
                        self.parts.retain(|other| *other != part);
                        self.parts.insert(0, part);
                        return Ok(Asked { part, result });
                    }
                    Verdict::Undecided if slice.is_some() => open.push(part),
                    Verdict::Undecided => return Ok(Asked { part, result }),
                    Verdict::Holds => {
                        self.held[part].push(placement.clone());
                        last = Some(Asked { part, result });
                    }
                }
            }
        }
        Ok(last.unwrap_or_else(|| Asked {
            part: 0,
            result: ModelResult::undecided(self.question.model, answer::Engine::Sat),
        }))
    }

    /// How long a part of the question may take before the others have their turn.
    fn slices(&self) -> Vec<Option<Duration>> {
        let several = self.question.goal.parts() > 1;
        let slices = SLICES
            .iter()
            .map(|seconds| Some(Duration::from_secs(*seconds)));
        let slices = slices.filter(|_| several);
        slices.chain([None]).collect()
    }

    /// Asks one part of the question.
    fn ask_part(
        &mut self,
        placement: &Placement,
        part: usize,
        slice: Option<Duration>,
    ) -> Answer<ModelResult> {
        self.asked += 1;
        let program = self.program(placement);
        let spent = self.started.elapsed();
        let Question { goal, model, .. } = *self.question;
        goal.within(slice, spent)
            .ask(&program, model, spent, Some(part))
    }

    fn ask_of(&mut self, program: &Arc<Program>, part: Option<usize>) -> Answer<ModelResult> {
        self.asked += 1;
        let spent = self.started.elapsed();
        let Question { goal, model, .. } = *self.question;
        goal.ask(program, model, spent, part)
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
        let Question {
            marked, program, ..
        } = *self.question;
        let same_code = self.question.reduces || marked.is_code_of(program);
        let searched = same_code && self.question.effort != Effort::Irredundant;
        Repair {
            forced: forced.collect(),
            changes: self.changes(&set),
            placement: self.placement(&set),
            cost: self.cost(&set),
            minimum: repaired && (searched || set.is_empty()),
            same_code,
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
