//! What a call does to the word of its lock, semaphore or condition variable, access by access.
//!
//! This is the one place that decides it: formulas and flat programs interpret
//! these steps, and know nothing else of a lock. They are those of a plain lock; other kinds of mutexes are refused by
//! these engines. The machine interprets them for spin locks and semaphores; its mutexes have kinds and are glibc's.

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
    pub steps: [Option<CallStep>; 2],
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
            Class::InitialiseLock | Class::Initialise => (one(Store(free, order)), Never),
            Class::Lock => lock(Wait),
            Class::TryLock(standard) => lock(Return(standard.busy())),
            Class::TimedLock(standard) => lock(Return(standard.timed_out())),
            Class::Unlock => {
                let steps = match row.synchronises {
                    Synchronisation::Store(_) => {
                        [Some(Look(Condition::HELD)), Some(Store(free, order))]
                    }
                    Synchronisation::Update(_)
                    | Synchronisation::Attempt(..)
                    | Synchronisation::Load(_)
                    | Synchronisation::Nothing
                    | Synchronisation::Prelude
                    | Synchronisation::Full => one(Update(Condition::HELD, free, order)),
                };
                let text = "a mutex is unlocked that the thread does not hold";
                (steps, Misuse(text))
            }
            Class::DestroyMutex => {
                let text = "a mutex is destroyed that is held";
                (one(Look(Condition::FREE)), Misuse(text))
            }
            Class::InitialiseSemaphore => (one(Store(NewWord::Argument(2), order)), Never),
            Class::TakeSemaphore => take(Wait),
            Class::TryTakeSemaphore => take(Return(FAILED)),
            Class::PostSemaphore => {
                let post = Update(Condition::Always, NewWord::OneMore, order);
                (one(post), Never)
            }
            Class::ReadSemaphore => ([Some(Look(Condition::Always)), Some(Report(1))], Never),
            // Waiting on a condition variable is refused where these steps are used, so no thread waits.
            Class::Signal => (one(Look(Condition::Always)), Never),
            Class::Process
            | Class::CreateThread(_)
            | Class::JoinThread(_)
            | Class::DetachThread
            | Class::OwnThread
            | Class::EndThread
            | Class::DestroySpin
            | Class::Destroy
            | Class::CreateKey
            | Class::Allocate(_)
            | Class::Free
            | Class::Nothing
            | Class::Print
            | Class::FailAssertion
            | Class::Abort
            | Class::Exit
            | Class::ChooseBool => ([None; 2], Never),
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
) -> ([Option<CallStep>; 2], Failure) {
    let synchronises = routine.row().synchronises;
    let update = CallStep::Update(condition, new, synchronises.order());
    let steps = if synchronises.looks_first() {
        [Some(CallStep::Look(condition)), Some(update)]
    } else {
        one(update)
    };
    (steps, failure)
}

fn one(step: CallStep) -> [Option<CallStep>; 2] {
    [Some(step), None]
}
