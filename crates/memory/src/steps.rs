//! What a call does to the word of its lock, semaphore or condition variable, access by access.
//!
//! This is the one place that decides it for the engines that do not run the library: formulas and flat programs interpret
//! these steps, and know nothing else of a lock. They are those of a plain lock; other kinds of mutexes are refused by
//! these engines. The machine runs glibc's locks, with their kinds, and has only the conditions from here.

use program::codes::FAILED;
use program::{Class, Family, MemoryOrder, Routine, Synchronisation, ThreadId, Word};

/// Whom the word of a lock names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The lock is free.
    Nobody,
    /// The thread that makes the call.
    Caller,
}

impl Owner {
    /// What the word is then, in a call of this thread.
    pub fn word(self, caller: ThreadId) -> Word {
        match self {
            Owner::Nobody => 0,
            Owner::Caller => caller.handle(),
        }
    }
}

/// What a step asks of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// That it names this owner.
    Owned(Owner),
    /// That there is something to take.
    Positive,
}

impl Condition {
    /// That a lock is free.
    pub const FREE: Condition = Condition::Owned(Owner::Nobody);
    /// That the caller holds a lock.
    pub const HELD: Condition = Condition::Owned(Owner::Caller);

    /// Whether it holds of a word, in a call of this thread.
    pub fn holds(self, word: Word, caller: ThreadId) -> bool {
        match self {
            Condition::Always => true,
            Condition::Owned(owner) => word == owner.word(caller),
            Condition::Positive => word > 0,
        }
    }
}

/// What a step stores in the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewWord {
    /// The name of this owner.
    Owner(Owner),
    /// What it loaded, less one.
    OneLess,
    /// What it loaded, and one more.
    OneMore,
    /// The argument of this number.
    Argument(usize),
}

/// One access of a call. If its condition does not hold, the steps after it are left out, and the call
/// [fails](CallSteps::failure).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStep {
    /// Loads the word, relaxed.
    Look(Condition),
    /// Loads the word, and stores the new one if the condition holds, in one read-modify-write of this order.
    Update(Condition, NewWord, MemoryOrder),
    /// Stores a word in this order.
    Store(NewWord, MemoryOrder),
    /// Stores the word that the step before loaded where the argument of this number points.
    Report(usize),
}

/// What becomes of a call one of whose conditions does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is none.
    Never,
    /// It waits until the condition holds.
    Wait,
    /// It returns this number instead of 0.
    Return(Word),
    /// The program is wrong.
    Misuse(&'static str),
}

/// What a call does to the word of its object, which is where its first argument points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSteps {
    /// Its accesses.
    pub steps: Vec<CallStep>,
    /// What becomes of it if it fails.
    pub failure: Failure,
    /// The argument that gives the kind of a mutex, and must be 0: that of a plain one.
    pub kind: Option<usize>,
}

impl CallSteps {
    /// The steps of a function; none if it has no such word.
    pub fn of(routine: Routine) -> Self {
        use CallStep::{Look, Report, Store, Update};
        use Failure::{Misuse, Never, Return, Wait};
        let row = routine.row();
        let order = row.synchronises.order();
        let [free, caller] = [Owner::Nobody, Owner::Caller].map(NewWord::Owner);
        let lock = |failure| attempt(routine, Condition::FREE, caller, failure);
        let take = |failure| attempt(routine, Condition::Positive, NewWord::OneLess, failure);
        let (steps, failure) = match row.class {
            // Of the objects of the second class, only the word of a condition variable is ever looked at here.
            Class::InitialiseLock | Class::Initialise => (vec![Store(free, order)], Never),
            Class::Lock => lock(Wait),
            Class::TryLock | Class::TimedLock => lock(Return(routine.not_locked())),
            Class::Unlock => {
                let steps = match row.synchronises {
                    Synchronisation::Store(_) => vec![Look(Condition::HELD), Store(free, order)],
                    _ => vec![Update(Condition::HELD, free, order)],
                };
                let text = "a mutex is unlocked that the thread does not hold";
                (steps, Misuse(text))
            }
            Class::DestroyMutex => {
                let text = "a mutex is destroyed that is held";
                (vec![Look(Condition::FREE)], Misuse(text))
            }
            Class::InitialiseSemaphore => (vec![Store(NewWord::Argument(2), order)], Never),
            Class::TakeSemaphore => take(Wait),
            Class::TryTakeSemaphore => take(Return(FAILED)),
            Class::PostSemaphore => {
                let post = Update(Condition::Always, NewWord::OneMore, order);
                (vec![post], Never)
            }
            Class::ReadSemaphore => (vec![Look(Condition::Always), Report(1)], Never),
            // Waiting on a condition variable is refused where these steps are used, so no thread waits.
            Class::Signal => (vec![Look(Condition::Always)], Never),
            Class::Process
            | Class::CreateThread
            | Class::JoinThread
            | Class::DetachThread
            | Class::OwnThread
            | Class::EndThread
            | Class::DestroySpin
            | Class::Destroy
            | Class::CreateKey
            | Class::Allocate
            | Class::AllocateAligned
            | Class::Free
            | Class::Nothing
            | Class::Print
            | Class::FailAssertion
            | Class::Abort
            | Class::Exit
            | Class::ChooseBool => (Vec::new(), Never),
        };
        let has_kind = row.class == Class::InitialiseLock && row.family == Family::Mutexes;
        CallSteps {
            steps,
            failure,
            kind: has_kind.then_some(1),
        }
    }
}

/// The steps that take something. Some functions look first, and make no read-modify-write if it cannot be had.
fn attempt(
    routine: Routine,
    condition: Condition,
    new: NewWord,
    failure: Failure,
) -> (Vec<CallStep>, Failure) {
    let synchronises = routine.row().synchronises;
    let update = CallStep::Update(condition, new, synchronises.order());
    let steps = match synchronises {
        Synchronisation::Attempt(..) => vec![CallStep::Look(condition), update],
        _ => vec![update],
    };
    (steps, failure)
}
