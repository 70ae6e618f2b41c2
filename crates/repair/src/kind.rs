//! Kinds of fences that can be written, what they order, and what they and the orders of accesses cost.

use crate::access::AccessSite;
use crate::place::Place;
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

const ACQUIRE: Orderings = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
const RELEASE: Orderings = Orderings::LOAD_STORE.union(Orderings::STORE_STORE);

impl Dialect {
    /// How the fences of a program are written: in the way of its own files.
    pub fn of(program: &Program) -> Self {
        if program.process {
            let texts = program.included.iter().chain([&program.source]);
            let texts: Vec<&str> = texts.map(|source| &*source.text).collect();
            return Dialect::C(c_kinds(&texts));
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
fn subsets(text: impl Fn(Orderings) -> String) -> Vec<Kind> {
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

/// The fences of C, in the way of these texts: by a macro of theirs, or as they write fences already, or as they write atomic
/// accesses; else by what every compiler understands.
fn c_kinds(texts: &[&str]) -> Vec<Kind> {
    let has = |word: &str| texts.iter().any(|text| text.contains(word));
    let four = |call: &str, order: &str, names: [&str; 4]| -> Vec<Kind> {
        let orderings = [ACQUIRE, RELEASE, ACQUIRE.union(RELEASE), Orderings::ALL];
        let kind = |(name, orderings)| Kind {
            text: format!("{call}({order}{name})"),
            orderings,
        };
        names.into_iter().zip(orderings).map(kind).collect()
    };
    let lower = ["acquire", "release", "acq_rel", "seq_cst"];
    let upper = ["ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"];
    let full = |text: &str| {
        vec![Kind {
            text: text.to_owned(),
            orderings: Orderings::ALL,
        }]
    };
    let mut kinds = if ["fp_fence(", "FP_LOAD_", "FP_STORE_"].into_iter().any(has) {
        subsets(fp_fence)
    } else if has("atomic_thread_fence(memory_order") {
        four("atomic_thread_fence", "memory_order_", lower)
    } else if has("__sync_synchronize") {
        full("__sync_synchronize()")
    } else if has("mfence") {
        FENCES
            .iter()
            .filter(|fence| fence.name != "STBAR")
            .map(|fence| Kind {
                text: format!(
                    "__asm__ volatile(\"{}\" ::: \"memory\")",
                    fence.name.to_lowercase()
                ),
                orderings: fence.orders,
            })
            .collect()
    } else if has("stdatomic.h") {
        four("atomic_thread_fence", "memory_order_", lower)
    } else {
        four("__atomic_thread_fence", "__ATOMIC_", upper)
    };
    for kind in &mut kinds {
        if let Some(name) = macro_for(texts, &kind.text) {
            kind.text = name;
        }
    }
    kinds
}

fn fp_fence(orderings: Orderings) -> String {
    if orderings == Orderings::ALL {
        return "fp_fence(FP_FULL)".to_owned();
    }
    let names = Orderings::NAMED.into_iter().zip([
        "FP_LOAD_LOAD",
        "FP_STORE_LOAD",
        "FP_LOAD_STORE",
        "FP_STORE_STORE",
    ]);
    let names = names.filter(|((single, _), _)| orderings.contains(*single));
    let names: Vec<&str> = names.map(|(_, name)| name).collect();
    format!("fp_fence({})", names.join(" | "))
}

/// The call of a macro without arguments that stands for a fence, if all its definitions do.
fn macro_for(texts: &[&str], fence: &str) -> Option<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let definitions = lines.filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?.trim_start();
        let (name, body) = rest.split_once("()")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = !name.is_empty() && name.chars().all(plain);
        named.then_some((name, body.trim()))
    });
    let definitions: Vec<(&str, &str)> = definitions.collect();
    let (name, _) = definitions.iter().find(|(_, body)| *body == fence)?;
    let mut same = definitions.iter().filter(|(other, _)| other == name);
    same.all(|(_, body)| *body == fence)
        .then(|| format!("{name}()"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts_of(source: &str) -> Vec<String> {
        let kinds = c_kinds(&[source]).into_iter();
        kinds.map(|kind| kind.text).collect()
    }

    #[test]
    fn a_file_has_fences_in_its_own_way() {
        assert_eq!(
            texts_of("x; __sync_synchronize(); y;"),
            ["__sync_synchronize()"]
        );
        assert!(
            texts_of("#include <stdatomic.h>")[3].contains("thread_fence(memory_order_seq_cst)")
        );
        assert!(texts_of("int x;")[3].starts_with("__atomic_thread_fence(__ATOMIC_SEQ_CST"));
        assert!(texts_of("asm(\"mfence\");")[0].contains("\"mfence\""));
        let own = "#include <stdatomic.h>\n#define mb() atomic_thread_fence(memory_order_seq_cst)";
        assert_eq!(texts_of(own)[3], "mb()");
        // A macro that may be nothing is none.
        let maybe = format!("{own}\n#define mb() ((void)0)");
        assert_ne!(texts_of(&maybe)[3], "mb()");
    }

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
