//! Steps of an execution, named so that they mean the same in every execution that has them.

use program::ThreadId;

/// A step of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    pub thread: ThreadId,
    pub kind: StepKind,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StepKind {
    /// The thread does what it stopped before, with the choice of this number.
    Run(u32),
    /// Its store of this number is flushed.
    Commit(u32),
}

impl Step {
    /// The same step with another choice.
    pub fn choosing(self, choice: u32) -> Self {
        match self.kind {
            StepKind::Run(_) => Step {
                kind: StepKind::Run(choice),
                ..self
            },
            StepKind::Commit(_) => self,
        }
    }

    /// Which of several choices the step takes.
    pub fn choice(self) -> u32 {
        match self.kind {
            StepKind::Run(choice) => choice,
            StepKind::Commit(_) => 0,
        }
    }
}
