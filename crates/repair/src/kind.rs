//! Kinds of fences that can be written, what they order, and what they and the orders of accesses cost.

use crate::access::AccessSite;
use crate::place::Place;
use crate::style;
use memory::{FENCES, Model};
use program::{MemoryOrder, Orderings, Program};

/// A fence as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its text, without what separates it from its neighbours.
    pub text: String,
    /// What it orders.
    pub orderings: Orderings,
}

/// What fences and orders cost. A set of them costs the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A fence that orders stores before loads.
    pub full: u64,
    /// Any other fence.
    pub one_sided: u64,
    /// Each ordering of such a fence beyond the first; an access that both acquires and releases.
    pub ordering: u64,
    /// Each loop that a fence or an access is in.
    pub in_loop: u64,
    /// An access that acquires.
    pub acquire: u64,
    /// An access that releases.
    pub release: u64,
    /// An access that is sequentially consistent.
    pub seq_cst: u64,
}

impl Default for Costs {
    /// A full fence is dearer than a one-sided one, and cheaper than two of those; an order is cheaper than a fence that does what it
    /// does, and two orders are dearer than such a fence; loops decide among equals.
    fn default() -> Self {
        Costs {
            full: 300,
            one_sided: 200,
            ordering: 10,
            in_loop: 1,
            acquire: 160,
            release: 160,
            seq_cst: 260,
        }
    }
}

impl Costs {
    /// The names of the costs, as they are set from outside.
    pub const NAMES: [&str; 7] = [
        "full",
        "one-sided",
        "ordering",
        "loop",
        "acquire",
        "release",
        "seq-cst",
    ];

    /// Sets the cost of this name, if there is one.
    pub fn set(&mut self, name: &str, cost: u64) -> bool {
        let costs = [
            &mut self.full,
            &mut self.one_sided,
            &mut self.ordering,
            &mut self.in_loop,
            &mut self.acquire,
            &mut self.release,
            &mut self.seq_cst,
        ];
        let named = Self::NAMES.into_iter().zip(costs);
        let mut named = named.filter(|(known, _)| *known == name);
        named.next().map(|(_, known)| *known = cost).is_some()
    }

    /// What a fence costs at a place. Nothing is free, so that no fence is without need.
    pub fn of(&self, kind: &Kind, place: &Place) -> u64 {
        let orderings = Orderings::NAMED.into_iter();
        let orderings = orderings.filter(|(single, _)| kind.orderings.contains(*single));
        let own = match kind.orderings.contains(Orderings::STORE_LOAD) {
            true => self.full,
            false => self.one_sided + self.ordering * (orderings.count() as u64).saturating_sub(1),
        };
        (own + self.in_loop * u64::from(place.depth)).max(1)
    }

    /// What the order of an access costs, for all its calls.
    pub(crate) fn of_order(&self, order: MemoryOrder, site: &AccessSite) -> u64 {
        let both = self.acquire.max(self.release) + self.ordering;
        let own = match order {
            MemoryOrder::Plain | MemoryOrder::Relaxed => 0,
            MemoryOrder::Acquire => self.acquire,
            MemoryOrder::Release => self.release,
            // Two orders of one access are written as one.
            MemoryOrder::AcquireRelease => both.min(self.acquire + self.release),
            MemoryOrder::SequentiallyConsistent => self.seq_cst,
        };
        let one = own + self.in_loop * u64::from(site.depth);
        (one * site.calls.len() as u64).max(1)
    }
}

/// How the fences of a program are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `MFENCE` and the others, in an X86 litmus test.
    X86,
    /// `membar`, in a SPARC litmus test.
    Sparc,
    /// Fences of a C program, without their semicolons.
    C(Vec<Kind>),
}

impl Dialect {
    /// How the fences of a program are written: in the way of its own files.
    pub fn of(program: &Program) -> Self {
        if program.process {
            return Dialect::C(style::fences(program));
        }
        let first = program.source.text.split_whitespace().next().unwrap_or("");
        match first.eq_ignore_ascii_case("SPARC") {
            true => Dialect::Sparc,
            false => Dialect::X86,
        }
    }

    /// Every fence that can be written.
    fn all(&self) -> Vec<Kind> {
        match self {
            Dialect::X86 => {
                let fences = FENCES.iter().filter(|fence| fence.name != "STBAR");
                let kind = |fence: &memory::FenceName| Kind {
                    text: fence.name.to_owned(),
                    orderings: fence.orders,
                };
                fences.map(kind).collect()
            }
            Dialect::Sparc => subsets(|orderings| format!("membar {orderings}")),
            Dialect::C(kinds) => kinds.clone(),
        }
    }

    /// The fences that do something under a model, the cheapest for each thing to do.
    pub fn kinds(&self, model: Model, costs: &Costs) -> Vec<Kind> {
        let place = Place::default();
        let mut kinds = self.all();
        kinds.sort_by_key(|kind| costs.of(kind, &place));
        let mut done = vec![Orderings::NONE];
        kinds.retain(|kind| {
            let effective = model.effective(kind.orderings);
            let new = !done.contains(&effective);
            done.push(effective);
            new
        });
        kinds
    }
}

/// A kind for each set of orderings, the smallest sets first.
pub(crate) fn subsets(text: impl Fn(Orderings) -> String) -> Vec<Kind> {
    let singles = Orderings::NAMED.map(|(single, _)| single);
    let mut sets: Vec<Orderings> = (1_u32..16)
        .map(|set| {
            let members = singles.iter().enumerate();
            let members = members.filter(|(index, _)| set >> index & 1 != 0);
            members.fold(Orderings::NONE, |all, (_, single)| all.union(*single))
        })
        .collect();
    let size = |set: &Orderings| singles.iter().filter(|s| set.contains(**s)).count();
    sets.sort_by_key(size);
    let kind = |orderings| Kind {
        text: text(orderings),
        orderings,
    };
    sets.into_iter().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_for_each_effect() {
        let costs = Costs::default();
        let texts = |dialect: &Dialect, model| -> Vec<String> {
            let kinds = dialect.kinds(model, &costs).into_iter();
            kinds.map(|kind| kind.text).collect()
        };
        assert_eq!(texts(&Dialect::X86, Model::Tso), ["MFENCE"]);
        assert_eq!(texts(&Dialect::X86, Model::Pso), ["SFENCE", "MFENCE"]);
        assert_eq!(texts(&Dialect::Sparc, Model::Tso), ["membar #StoreLoad"]);
        assert_eq!(texts(&Dialect::Sparc, Model::Rmo).len(), 15);
        assert!(texts(&Dialect::X86, Model::Sc).is_empty());
    }
}
