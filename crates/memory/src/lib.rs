//! The memory models, each a row of one table.
//!
//! A model says which pairs of accesses of one thread reach memory in program
//! order, whether a load may see a store of its own thread that has not reached
//! memory yet, and how its stores wait. Machines and encodings read the rows;
//! none of them knows a model by name.
//!
//! The rules are those of the SPARC architecture as Park and Dill state them
//! (*An Executable Specification and Verifier for Relaxed Memory Order*, IEEE
//! Transactions on Computers 48(2), 1999). For accesses X before Y in program
//! order, X reaches memory before Y if
//!
//! - (m1) Y depends on X and X loads, where *depends* is the transitive closure of
//!   (d1) X decides a branch before the store Y, (d2) X writes a register that Y
//!   reads, (d3) X stores to the location that Y loads;
//! - (m2) a fence between them orders the kind of X before the kind of Y;
//! - (m3) both access the same location and Y stores;
//! - or the model's row [keeps](Row::keeps) the kind of X before the kind of Y.
//!
//! A load of a location returns the store to it that is last in memory order among
//! those before the load in memory order or in program order (the value axiom).
//! Every model has (m2) and (m3), and all but Relaxed [have](Row::dependences) (m1); under SC,
//! TSO and PSO the row alone implies it.
//!
//! Relaxed is that of Burckhardt, Alur and Martin (*CheckFence: Checking Consistency of
//! Concurrent Data Types on Relaxed Memory Models*, PLDI 2007), who made it as what several
//! architectures have in common. Its axiom 1 is (m3), its axioms 2 and 3 are the value axiom,
//! and its fences are (m2). Without dependences a value may come from nowhere: each of two
//! threads loads what the other stores, and stores what it loads. So no machine runs it, step
//! by step; encodings have to bound the values.

pub mod c11;
mod effects;
mod fences;
mod steps;

pub use effects::Effects;
pub use fences::{FENCES, FenceName, fence_named};
use program::Orderings;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
pub use steps::{CallStep, CallSteps, Condition, Failure, NewWord, Owner};

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order: X86, and SPARC as it usually runs.
    Tso,
    /// Partial store order.
    Pso,
    /// Relaxed memory order.
    Rmo,
    /// The model Relaxed of CheckFence: weaker than all others.
    Relaxed,
}

/// How the stores of a thread wait on their way to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffering {
    /// They do not wait.
    None,
    /// In one queue per thread.
    PerThread,
    /// In one queue per thread and location.
    PerLocation,
    /// Store buffers are not enough: other accesses wait as well.
    Everything,
    /// Waiting is not enough, either: no machine does what the axioms allow.
    NoMachine,
}

impl Buffering {
    /// Whether store buffers, or none, do all that the model allows.
    pub fn is_of_stores(self) -> bool {
        matches!(
            self,
            Buffering::None | Buffering::PerThread | Buffering::PerLocation
        )
    }
}

/// What a model allows.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The model.
    pub model: Model,
    /// Its name on the command line and in reports.
    pub name: &'static str,
    /// One line of explanation.
    pub summary: &'static str,
    /// Pairs of accesses, to whatever locations, that reach memory in program order.
    pub keeps: Orderings,
    /// Whether rule (m1) holds: what depends on a load reaches memory after it.
    pub dependences: bool,
    /// How stores wait.
    pub buffering: Buffering,
}

const LOADS_FIRST: Orderings = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);

/// The table, strongest model first.
pub const TABLE: &[Row] = &[
    Row {
        model: Model::Sc,
        name: "sc",
        summary: "sequential consistency: everything reaches memory in program order",
        keeps: Orderings::ALL,
        dependences: true,
        buffering: Buffering::None,
    },
    Row {
        model: Model::Tso,
        name: "tso",
        summary: "total store order: loads may overtake earlier stores",
        keeps: LOADS_FIRST.union(Orderings::STORE_STORE),
        dependences: true,
        buffering: Buffering::PerThread,
    },
    Row {
        model: Model::Pso,
        name: "pso",
        summary: "partial store order: stores may overtake stores to other locations, too",
        keeps: LOADS_FIRST,
        dependences: true,
        buffering: Buffering::PerLocation,
    },
    Row {
        model: Model::Rmo,
        name: "rmo",
        summary: "relaxed memory order: only dependences, fences and same-location stores order",
        keeps: Orderings::NONE,
        dependences: true,
        buffering: Buffering::Everything,
    },
    Row {
        model: Model::Relaxed,
        name: "relaxed",
        summary: "the model of CheckFence: only fences and same-location stores order",
        keeps: Orderings::NONE,
        dependences: false,
        buffering: Buffering::NoMachine,
    },
];

const fn has_machine(row: &Row) -> bool {
    !matches!(row.buffering, Buffering::NoMachine)
}

/// The number of models that machines run.
const fn machines() -> usize {
    let (mut index, mut count) = (0, 0);
    while index < TABLE.len() {
        count += has_machine(&TABLE[index]) as usize;
        index += 1;
    }
    count
}

/// The models of the table, or those that machines run.
const fn models<const COUNT: usize>(machines_only: bool) -> [Model; COUNT] {
    let mut models = [TABLE[0].model; COUNT];
    let (mut index, mut count) = (0, 0);
    while index < TABLE.len() {
        // `Model::row` finds a row by the model's number.
        assert!(TABLE[index].model as usize == index);
        if has_machine(&TABLE[index]) || !machines_only {
            models[count] = TABLE[index].model;
            count += 1;
        }
        index += 1;
    }
    models
}

impl Model {
    /// Every model, strongest first.
    pub const ALL: [Model; TABLE.len()] = models(false);

    /// The models that machines run, strongest first.
    pub const MACHINES: [Model; machines()] = models(true);

    /// The model's row of the table.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// The model's name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether a machine runs the model.
    pub fn has_machine(self) -> bool {
        has_machine(self.row())
    }

    /// What a fence still has to order under this model: the rest of it is kept anyway.
    pub fn effective(self, fence: Orderings) -> Orderings {
        fence.minus(self.row().keeps)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no model's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModel(pub String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Model::ALL.map(Model::name).join(", ");
        write!(f, "no memory model `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownModel {}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Model::ALL
            .into_iter()
            .find(|model| model.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_names_that_are_read_back() {
        for model in Model::ALL {
            assert_eq!(model.name().parse(), Ok(model));
        }
    }

    #[test]
    fn each_model_keeps_less_than_the_one_before() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].keeps.contains(pair[1].keeps));
            assert!(pair[0].dependences >= pair[1].dependences);
            let kept = |row: &Row| (row.keeps, row.dependences);
            assert_ne!(kept(&pair[0]), kept(&pair[1]));
        }
    }

    #[test]
    fn fences_that_a_model_does_not_need_order_nothing() {
        let fence = |name| fence_named(name).unwrap();
        assert!(Model::Tso.effective(fence("SFENCE")).is_empty());
        assert!(Model::Tso.effective(fence("LFENCE")).is_empty());
        assert_eq!(Model::Tso.effective(fence("MFENCE")), Orderings::STORE_LOAD);
        assert_eq!(
            Model::Pso.effective(fence("SFENCE")),
            Orderings::STORE_STORE
        );
        assert!(Model::Sc.effective(Orderings::ALL).is_empty());
        assert_eq!(Model::Rmo.effective(Orderings::ALL), Orderings::ALL);
    }
}
