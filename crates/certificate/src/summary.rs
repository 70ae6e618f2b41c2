//! What a certificate proves.

/// What a certificate proves, and how large it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// What is proved: names and values, each name once.
    pub subject: Vec<(String, String)>,
    /// The words about what is proved.
    pub about: Vec<String>,
    /// The proof.
    pub proved: Proved,
}

/// The two kinds of proofs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proved {
    /// A problem has no solution.
    NoSolution(FormulaSize),
    /// A system of automata reaches none of its goals, with store buffers of any size.
    Unreachable(InvariantSize),
}

/// How large a problem and the proof that it has no solution are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FormulaSize {
    /// The variables of the problem.
    pub variables: u64,
    /// The nodes of the problem.
    pub nodes: u64,
    /// The clauses of the problem.
    pub clauses: u64,
    /// The edges of the problem.
    pub edges: u64,
    /// The clauses that hold because some edges make a cycle.
    pub lemmas: u64,
    /// The clauses that follow from others.
    pub steps: u64,
}

/// How large a system and its inductive invariant are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InvariantSize {
    /// A hash of the lines of the system, its goals included.
    pub system: String,
    /// The threads of the system.
    pub threads: u64,
    /// The transitions of all threads.
    pub transitions: u64,
    /// What must not be reached.
    pub goals: u64,
    /// States with store buffers.
    pub states: u64,
    /// States in which older stores are merged.
    pub merged: u64,
    /// States with sets of values.
    pub sets: u64,
    /// Elements with load buffers.
    pub elements: u64,
}

impl Summary {
    /// A value of the subject.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut subject = self.subject.iter();
        let found = subject.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}
