//! What a certificate proves.

/// What a certificate proves, and how large it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// What is proved: names and values, each name once.
    pub subject: Vec<(String, String)>,
    /// The words about what is proved.
    pub about: Vec<String>,
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

impl Summary {
    /// A value of the subject.
    pub fn value(&self, name: &str) -> Option<&str> {
        let mut subject = self.subject.iter();
        let found = subject.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}
