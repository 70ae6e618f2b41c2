//! Minimum-cost hitting sets, by branch and bound.
//!
//! Given items with costs and clauses (sets of items), a *hitting set* has an item of each clause. The search branches on the
//! items of a clause that is not hit yet, the one with the fewest; a branch excludes the items of the branches before it, so that no
//! set is visited twice. The bound is the cost so far and the cheapest items of clauses that have
//! no item in common. Exact; the time is exponential in the number of clauses in the worst case, and clauses here are few and small.
//!
//! Among sets of equal cost the first that is found is taken; which that is depends on the clauses and their order only.

use control::Stop;

/// An item: its index in the list of costs.
pub type Item = usize;

/// The question.
#[derive(Debug)]
pub struct HittingSet<'a> {
    /// What each item costs, at least 1.
    pub costs: &'a [u64],
    /// Sets of items, each sorted.
    pub clauses: Vec<Vec<Item>>,
    /// Sets that do not count, sorted: those that are known already.
    pub excluded: &'a [Vec<Item>],
}

/// Why there is no hitting set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSet {
    /// A clause has no item, or all sets are excluded.
    None,
    /// A limit was reached.
    Stopped,
}

impl HittingSet<'_> {
    /// A hitting set of minimum cost, sorted, and its cost.
    pub fn minimum(&self, stop: &Stop) -> Result<(Vec<Item>, u64), NoSet> {
        // Sets that do not count may be the reason for an item that is no better than another.
        let simpler = self.excluded.is_empty().then(|| self.simplified());
        let mut search = Branching {
            question: simpler.as_ref().unwrap_or(self),
            stop,
            chosen: Vec::new(),
            barred: vec![false; self.costs.len()],
            best: None,
            looks: 0,
        };
        search.branch(0)?;
        search.best.ok_or(NoSet::None)
    }

    /// The same question without items that are no better than others, and without clauses that contain others.
    fn simplified(&self) -> HittingSet<'_> {
        let mut clauses = self.clauses.clone();
        loop {
            let before = clauses.iter().map(Vec::len).sum::<usize>();
            clauses.sort_by_key(Vec::len);
            let mut least: Vec<Vec<Item>> = Vec::new();
            for clause in clauses {
                let mut known = least.iter();
                if !known.any(|other| other.iter().all(|item| clause.contains(item))) {
                    least.push(clause);
                }
            }
            clauses = least;
            let hits: Vec<Vec<usize>> = (0..self.costs.len())
                .map(|item| {
                    let numbered = clauses.iter().enumerate();
                    let hit = numbered.filter(|(_, clause)| clause.contains(&item));
                    hit.map(|(index, _)| index).collect()
                })
                .collect();
            let is_worse = |item: Item, other: Item| {
                let (own, others) = (&hits[item], &hits[other]);
                let (cost, other_cost) = (self.costs[item], self.costs[other]);
                let as_good = own.iter().all(|clause| others.contains(clause));
                let same = own.len() == others.len() && cost == other_cost;
                item != other && as_good && other_cost <= cost && (!same || other < item)
            };
            for clause in &mut clauses {
                let all = clause.clone();
                clause.retain(|item| !all.iter().any(|other| is_worse(*item, *other)));
            }
            if clauses.iter().map(Vec::len).sum::<usize>() == before {
                return HittingSet {
                    costs: self.costs,
                    clauses,
                    excluded: &[],
                };
            }
        }
    }

    /// A hitting set that is quick to find: again and again the item that hits most per cost.
    pub fn greedy(&self) -> Option<Vec<Item>> {
        let mut open: Vec<&Vec<Item>> = self.clauses.iter().collect();
        let mut chosen = Vec::new();
        while !open.is_empty() {
            let hits =
                |item: Item| open.iter().filter(|clause| clause.contains(&item)).count() as u64;
            let items = open.iter().flat_map(|clause| clause.iter().copied());
            // Hits per cost, compared without division.
            let best = items.reduce(|best, item| {
                let (a, b) = (hits(item) * self.costs[best], hits(best) * self.costs[item]);
                if (a, best) > (b, item) && a >= b {
                    item
                } else {
                    best
                }
            })?;
            chosen.push(best);
            open.retain(|clause| !clause.contains(&best));
        }
        chosen.sort_unstable();
        Some(chosen)
    }
}

struct Branching<'a> {
    question: &'a HittingSet<'a>,
    stop: &'a Stop,
    chosen: Vec<Item>,
    barred: Vec<bool>,
    best: Option<(Vec<Item>, u64)>,
    looks: u32,
}

impl Branching<'_> {
    fn branch(&mut self, cost: u64) -> Result<(), NoSet> {
        self.looks = self.looks.wrapping_add(1);
        if self.looks.is_multiple_of(1024) && self.stop.look().is_some() {
            return Err(NoSet::Stopped);
        }
        let Some((clause, rest)) = self.next_clause() else {
            self.found(cost);
            return Ok(());
        };
        if self
            .best
            .as_ref()
            .is_some_and(|(_, best)| cost + rest >= *best)
        {
            return Ok(());
        }
        let mut tried = Vec::new();
        let mut result = Ok(());
        for item in clause {
            self.chosen.push(item);
            result = self.branch(cost + self.question.costs[item]);
            self.chosen.pop();
            if result.is_err() {
                break;
            }
            self.barred[item] = true;
            tried.push(item);
        }
        for item in tried {
            self.barred[item] = false;
        }
        result
    }

    fn found(&mut self, cost: u64) {
        let mut set = self.chosen.clone();
        set.sort_unstable();
        if self.question.excluded.contains(&set) {
            return;
        }
        if self.best.as_ref().is_none_or(|(_, best)| cost < *best) {
            self.best = Some((set, cost));
        }
    }

    /// The items to try for the clause with the fewest that is not hit yet, and what hitting all costs at least.
    fn next_clause(&self) -> Option<(Vec<Item>, u64)> {
        let hit = |clause: &&Vec<Item>| clause.iter().any(|item| self.chosen.contains(item));
        let open = self.question.clauses.iter().filter(|clause| !hit(clause));
        let allowed = |clause: &Vec<Item>| -> Vec<Item> {
            let items = clause.iter().copied();
            items.filter(|item| !self.barred[*item]).collect()
        };
        let mut open: Vec<Vec<Item>> = open.map(allowed).collect();
        open.sort_by_key(Vec::len);
        let mut seen: Vec<Item> = Vec::new();
        let mut least = 0;
        for clause in &open {
            if !clause.iter().any(|item| seen.contains(item)) {
                let costs = clause.iter().map(|item| self.question.costs[*item]);
                least += costs.min().unwrap_or(0);
                seen.extend(clause);
            }
        }
        open.into_iter().next().map(|clause| (clause, least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::Control;

    fn minimum(
        costs: &[u64],
        clauses: &[&[Item]],
        excluded: &[Vec<Item>],
    ) -> Result<(Vec<Item>, u64), NoSet> {
        let clauses: Vec<Vec<Item>> = clauses.iter().map(|clause| clause.to_vec()).collect();
        let question = HittingSet {
            costs,
            clauses,
            excluded,
        };
        question.minimum(&Control::default().stop())
    }

    #[test]
    fn one_dear_item_against_two_cheap_ones() {
        let clauses: [&[Item]; 2] = [&[0, 1], &[0, 2]];
        assert_eq!(minimum(&[3, 1, 1], &clauses, &[]), Ok((vec![1, 2], 2)));
        assert_eq!(minimum(&[1, 1, 1], &clauses, &[]), Ok((vec![0], 1)));
        assert_eq!(
            minimum(&[2, 1, 1], &clauses, &[vec![0]]),
            Ok((vec![1, 2], 2))
        );
    }

    #[test]
    fn no_clause_needs_nothing_and_an_empty_one_has_no_set() {
        assert_eq!(minimum(&[1], &[], &[]), Ok((vec![], 0)));
        assert_eq!(minimum(&[1], &[&[]], &[]), Err(NoSet::None));
    }

    /// All subsets of up to twelve items, for clauses that a generator makes.
    #[test]
    fn the_cost_is_that_of_the_best_of_all_subsets() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let items = 3 + random(8) as usize;
            let costs: Vec<u64> = (0..items).map(|_| 1 + random(5)).collect();
            let clauses: Vec<Vec<Item>> = (0..1 + random(6))
                .map(|_| (0..items).filter(|_| random(3) == 0).collect())
                .filter(|clause: &Vec<Item>| !clause.is_empty())
                .collect();
            let cost = |set: u32| -> u64 {
                let chosen = (0..items).filter(|item| set >> item & 1 != 0);
                chosen.map(|item| costs[item]).sum()
            };
            let hits = |set: u32| {
                let mut clauses = clauses.iter();
                clauses.all(|clause| clause.iter().any(|item| set >> item & 1 != 0))
            };
            let least = (0..1_u32 << items).filter(|set| hits(*set)).map(cost).min();
            let slices: Vec<&[Item]> = clauses.iter().map(Vec::as_slice).collect();
            let found = minimum(&costs, &slices, &[]).map(|(_, cost)| cost);
            assert_eq!(found.ok(), least);
            let question = HittingSet {
                costs: &costs,
                clauses: clauses.clone(),
                excluded: &[],
            };
            let greedy = question.greedy().expect("a set");
            assert!(hits(greedy.iter().map(|item| 1 << item).sum()));
        }
    }
}
