//! The library that C programs may call: one table.
//!
//! The front end looks names up here, the machine gives each row its meaning, and
//! `docs/reference/library.md` and `fencepost functions` are made from it.

use crate::Allocation::{Aligned, Bytes, Zeroed};
use crate::Standard::{C11, Posix};
use crate::{Allocation, MemoryOrder, Standard};

/// How a function synchronises: the accesses to its object (a lock, a semaphore) that
/// implementations make, in the order that they give them.
///
/// Machines and formulas do what stands here, so that a store behind a call stays in the store
/// buffer where hardware would let it. As an atomic access of a program, each of these becomes
/// an access with the fences of its order. POSIX says of most of these functions that they
/// "synchronize memory with respect to other threads"; no implementation makes each a full
/// fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Synchronisation {
    /// None: no access that others can see, or plain loads and stores.
    Nothing,
    /// A load.
    Load(MemoryOrder),
    /// A store, which may wait in the store buffer.
    Store(MemoryOrder),
    /// A read-modify-write, whether the call succeeds or fails.
    Update(MemoryOrder),
    /// A relaxed load. If it shows that there is something to do, a read-modify-write.
    Attempt(MemoryOrder, Sought),
    /// What its code in the prelude says.
    Prelude,
    /// Everything before the call is in memory before anything after it.
    Full,
}

impl Synchronisation {
    /// The order of the access that it makes.
    pub fn order(self) -> MemoryOrder {
        match self {
            Synchronisation::Load(order)
            | Synchronisation::Store(order)
            | Synchronisation::Update(order)
            | Synchronisation::Attempt(order, _) => order,
            Synchronisation::Nothing | Synchronisation::Prelude => MemoryOrder::Relaxed,
            Synchronisation::Full => MemoryOrder::SequentiallyConsistent,
        }
    }

    /// Whether it looks before it makes its access.
    pub fn looks_first(self) -> bool {
        match self {
            Synchronisation::Attempt(..) => true,
            Synchronisation::Nothing
            | Synchronisation::Load(_)
            | Synchronisation::Store(_)
            | Synchronisation::Update(_)
            | Synchronisation::Prelude
            | Synchronisation::Full => false,
        }
    }

    /// In words, for documentation.
    pub fn description(self) -> String {
        let ordered = |what: &str, order: MemoryOrder| format!("{what}, {}", order.name());
        match self {
            Synchronisation::Nothing => String::new(),
            Synchronisation::Load(order) => ordered("load", order),
            Synchronisation::Store(order) => ordered("store", order),
            Synchronisation::Update(order) => ordered("read-modify-write", order),
            Synchronisation::Attempt(order, _) => {
                format!("relaxed load, then {}", ordered("read-modify-write", order))
            }
            Synchronisation::Prelude => "as its code".to_owned(),
            Synchronisation::Full => "full fence".to_owned(),
        }
    }
}

/// What a call that looks first looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// A mutex that is free.
    FreeMutex,
    /// A read-write lock without a writer.
    NoWriter,
    /// A read-write lock without readers or a writer.
    FreeReadWriteLock,
    /// A semaphore above 0.
    Semaphore,
    /// A thread that has ended, or cannot be joined.
    EndedThread,
    /// A thread that waits on a condition variable.
    Waiter,
}

/// The functions under one heading: those that have to do with one kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Threads.
    Threads,
    /// Mutexes.
    Mutexes,
    /// Spin locks.
    SpinLocks,
    /// Read-write locks.
    ReadWriteLocks,
    /// Condition variables.
    Conditions,
    /// Barriers, and what is done once.
    Barriers,
    /// Keys of a thread's own values.
    Keys,
    /// Semaphores.
    Semaphores,
    /// The heap.
    Heap,
    /// Bytes.
    Memory,
    /// Strings and characters.
    Strings,
    /// Output.
    Output,
    /// Ends of the program.
    Ending,
    /// Time and chance.
    Chance,
    /// Arithmetic.
    Arithmetic,
    /// What programs tell the checker.
    Checking,
}

impl Family {
    /// The heading.
    pub fn heading(self) -> &'static str {
        match self {
            Family::Threads => "Threads",
            Family::Mutexes => "Mutexes",
            Family::SpinLocks => "Spin locks",
            Family::ReadWriteLocks => "Read-write locks",
            Family::Conditions => "Condition variables",
            Family::Barriers => "Barriers and once",
            Family::Keys => "Keys",
            Family::Semaphores => "Semaphores",
            Family::Heap => "Heap",
            Family::Memory => "Memory",
            Family::Strings => "Strings",
            Family::Output => "Output",
            Family::Ending => "Ending",
            Family::Chance => "Time and chance",
            Family::Arithmetic => "Arithmetic",
            Family::Checking => "Checking",
        }
    }
}

/// The number of values that `__VERIFIER_nondet_int` and the like choose from, 0 upwards.
pub const ANY_VALUES: u32 = 4;

/// When a call happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// With the step before it: nobody else can notice.
    Ahead,
    /// With the step before it, unless it prints what others can reach.
    Prints,
    /// As a step of its own.
    Step,
    /// As a step of its own, in one of N ways.
    Choice(u32),
}

/// What of memory a call reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Footprint {
    /// It only stores, or ends objects, where its arguments say. What it looks at to find misuse, no
    /// implementation loads: a fence for loads does not hold it back.
    Stores,
    /// What its arguments say, and the state of its object.
    Fixed,
    /// As `Fixed`, but without an object, where its first argument is null, it loads nothing.
    Object,
    /// What it reads may decide where else it reads or writes.
    Contents,
}

/// What a call may have to wait for. A timed call of a lock or semaphore never
/// waits: it takes what there is, or its time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// Nothing.
    Never,
    /// The end of a thread.
    Join,
    /// A mutex.
    Mutex,
    /// A spin lock.
    Spin,
    /// A read-write lock without a writer.
    ReadLock,
    /// A read-write lock without readers or a writer.
    WriteLock,
    /// A wake-up, and then a mutex.
    Condition,
    /// A wake-up or the end of its time, and then a mutex.
    TimedCondition,
    /// Nothing; each choice of the thread to wake is a way.
    Signal,
    /// The others at a barrier.
    Barrier,
    /// A semaphore.
    Semaphore,
}

/// What a function is to the engines that do not run processes: those that make formulas, or flat programs, of
/// calls. Functions of one class differ there in their arguments, results and ordering at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Only a process can call it; other engines refuse it.
    Process,
    /// Starts a thread.
    CreateThread(Standard),
    /// Waits for a thread's end, and stores its result.
    JoinThread(Standard),
    /// Gives up joining a thread.
    DetachThread,
    /// The caller's handle.
    OwnThread,
    /// Ends the caller.
    EndThread,
    /// Makes a lock free.
    InitialiseLock,
    /// Ends the life of a mutex, and loads its owner.
    DestroyMutex,
    /// Ends the life of a spin lock.
    DestroySpin,
    /// Waits for a lock.
    Lock,
    /// Takes a lock, or fails.
    TryLock(Standard),
    /// Takes a lock, or fails at some time.
    TimedLock(Standard),
    /// Makes a lock free that the caller holds.
    Unlock,
    /// Sets a semaphore.
    InitialiseSemaphore,
    /// Waits for a semaphore.
    TakeSemaphore,
    /// Takes from a semaphore, or fails.
    TryTakeSemaphore,
    /// Adds to a semaphore.
    PostSemaphore,
    /// Reads a semaphore.
    ReadSemaphore,
    /// Wakes threads that wait on a condition variable.
    Signal,
    /// Initialises an object of which only a process runs the other functions.
    Initialise,
    /// Ends the life of an object, without an access.
    Destroy,
    /// A new key.
    CreateKey,
    /// A new object.
    Allocate(Allocation),
    /// Ends an object's life.
    Free,
    /// Does nothing.
    Nothing,
    /// Prints, which nobody waits for.
    Print,
    /// A failed assertion.
    FailAssertion,
    /// An error of the program.
    Abort,
    /// Ends all threads.
    Exit,
    /// 0 or 1.
    ChooseBool,
}

/// What a row of the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutineRow {
    /// The routine.
    pub routine: Routine,
    /// The family that it belongs to.
    pub family: Family,
    /// Its names in C.
    pub names: &'static [&'static str],
    /// Number of parameters, before the variable ones.
    pub parameters: u8,
    /// Whether further arguments follow. They arrive as one: the address of a `va_list` of
    /// x86-64.
    pub variadic: bool,
    /// Whether it has a result.
    pub result: bool,
    /// When a call happens.
    pub timing: Timing,
    /// What of memory it reads and writes.
    pub footprint: Footprint,
    /// What it may have to wait for.
    pub blocking: Blocking,
    /// What it is to the engines that do not run it.
    pub class: Class,
    /// Whether it changes nothing, so that a loop that calls it may wait.
    pub pure: bool,
    /// What it does, as far as a reader of C would not expect.
    pub summary: &'static str,
    /// How it synchronises.
    pub synchronises: Synchronisation,
    /// Why: what implementations do.
    pub reason: &'static str,
}

macro_rules! first {
    ($first:expr $(, $rest:expr)*) => {
        $first
    };
}

macro_rules! is_pure {
    (pure) => {
        true
    };
}

macro_rules! routines {
    ($($family:ident { $($routine:ident $names:tt $parameters:literal $variadic:literal $result:literal $timing:ident $(($ways:expr))? $footprint:ident $blocking:ident $class:ident $(($detail:ident))? $($pure:ident)? $summary:literal $(=> $synchronises:ident $(($order:ident $(, $sought:ident)?))? $reason:literal)?;)* })*) => {
        /// A function of the library.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Routine {
            $($(#[doc = $summary] $routine,)*)*
        }

        /// The functions of each family, so that a match on them is exhaustive.
        pub mod in_family {
            $(
                #[doc = concat!("Functions of the family `", stringify!($family), "`.")]
                #[derive(Clone, Copy, Debug, PartialEq, Eq)]
                pub enum $family {
                    $(#[doc = $summary] $routine,)*
                }
            )*
        }

        /// A function, by its family.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum InFamily {
            $(#[doc = concat!("Of the family `", stringify!($family), "`.")] $family(in_family::$family),)*
        }

        impl Routine {
            /// The function among those of its family.
            pub fn in_family(self) -> InFamily {
                match self {
                    $($(Routine::$routine => InFamily::$family(in_family::$family::$routine),)*)*
                }
            }
        }

        /// The table, in the order of the documentation.
        pub const ROUTINES: &[RoutineRow] = &[
            $($(RoutineRow {
                routine: Routine::$routine,
                family: Family::$family,
                names: &$names,
                parameters: $parameters,
                variadic: $variadic,
                result: $result,
                timing: Timing::$timing $(($ways))?,
                footprint: Footprint::$footprint,
                blocking: Blocking::$blocking,
                class: Class::$class $(($detail))?,
                pure: first!($(is_pure!($pure),)? false),
                summary: $summary,
                synchronises: first!(
                    $(Synchronisation::$synchronises $((MemoryOrder::$order $(, Sought::$sought)?))?,)?
                    Synchronisation::Nothing
                ),
                reason: first!($($reason,)? ""),
            },)*)*
        ];
    };
}

impl Routine {
    /// The routine of this name in C.
    pub fn named(name: &str) -> Option<Routine> {
        let row = ROUTINES.iter().find(|row| row.names.contains(&name));
        row.map(|row| row.routine)
    }

    /// Its row of the table.
    pub fn row(self) -> &'static RoutineRow {
        &ROUTINES[self as usize]
    }

    /// Its first name in C.
    pub fn name(self) -> &'static str {
        self.row().names[0]
    }
}

routines! {
    Threads {
        ThreadCreate ["pthread_create"] 4 false true Step Fixed Never CreateThread(Posix) "Starts a thread. The attributes' detach state counts, nothing else of them." => Full "a system call; the new thread sees everything before it";
        ThreadJoin ["pthread_join"] 2 false true Step Fixed Join JoinThread(Posix) "Waits for a thread and takes its result." => Update(Acquire) "a locked exchange marks the thread as joined; what the thread did happened before, but own stores may still wait";
        ThreadTryJoin ["pthread_tryjoin_np"] 2 false true Step Fixed Never Process "As pthread_join, or EBUSY where the thread has not ended." => Attempt(Acquire, EndedThread) "a thread that has not ended is seen by a load";
        ThreadTimedJoin ["pthread_timedjoin_np"] 3 false true Step Fixed Never Process "As pthread_join, or ETIMEDOUT where the thread has not ended." => Update(Acquire) "as pthread_join, also where it fails";
        ThreadDetach ["pthread_detach"] 1 false true Step Fixed Never DetachThread "Gives up joining a thread." => Update(Acquire) "a locked exchange marks the thread as detached";
        ThreadExit ["pthread_exit"] 1 false false Ahead Fixed Never EndThread "Ends the calling thread. The process goes on after the main thread.";
        ThreadSelf ["pthread_self", "thrd_current"] 0 false true Ahead Fixed Never OwnThread pure "The calling thread.";
        ThreadEqual ["pthread_equal", "thrd_equal"] 2 false true Ahead Fixed Never Process pure "Whether two threads are one.";
        AttributesInit ["pthread_attr_init"] 1 false true Step Stores Never Process "Attributes of a thread that can be joined.";
        AttributesSetDetached ["pthread_attr_setdetachstate"] 2 false true Step Stores Never Process "Sets whether threads start detached.";
        AttributesIgnored ["pthread_attr_destroy", "pthread_mutexattr_destroy", "pthread_condattr_init", "pthread_condattr_destroy", "pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "pthread_barrierattr_init", "pthread_barrierattr_destroy"] 1 false true Ahead Fixed Never Process "Does nothing.";
        AttributesSetIgnored ["pthread_attr_setstacksize", "pthread_attr_setguardsize", "pthread_attr_setscope", "pthread_attr_setinheritsched", "pthread_condattr_setclock", "pthread_condattr_setpshared", "pthread_mutexattr_setpshared", "pthread_mutexattr_setprotocol", "pthread_mutexattr_setrobust", "pthread_rwlockattr_setpshared", "pthread_barrierattr_setpshared", "pthread_setname_np"] 2 false true Ahead Fixed Never Process "Does nothing.";
        C11ThreadCreate ["thrd_create"] 3 false true Step Fixed Never CreateThread(C11) "Starts a thread." => Full "a system call; the new thread sees everything before it";
        C11ThreadJoin ["thrd_join"] 2 false true Step Fixed Join JoinThread(C11) "Waits for a thread and takes its result." => Update(Acquire) "as pthread_join";
        C11ThreadDetach ["thrd_detach"] 1 false true Step Fixed Never DetachThread "Gives up joining a thread." => Update(Acquire) "as pthread_detach";
        C11ThreadExit ["thrd_exit"] 1 false false Ahead Fixed Never EndThread "Ends the calling thread.";
    }
    Mutexes {
        MutexInit ["pthread_mutex_init"] 2 false true Step Fixed Never InitialiseLock "A free mutex of the kind that the attributes say.";
        MutexDestroy ["pthread_mutex_destroy"] 1 false true Step Fixed Never DestroyMutex "An error if the mutex is held or waited for. Using the mutex afterwards is one, too.";
        MutexLock ["pthread_mutex_lock"] 1 false true Step Fixed Mutex Lock "Waits for the mutex. A deadlock if its owner locks a normal mutex again." => Update(Acquire) "one compare-and-exchange. Locking a recursive mutex again, or failing with EDEADLK, only looks at the own number";
        MutexTryLock ["pthread_mutex_trylock"] 1 false true Step Fixed Never TryLock(Posix) "EBUSY if the mutex is held." => Attempt(Acquire, FreeMutex) "glibc looks first; that the mutex is held is seen by a load";
        MutexTimedLock ["pthread_mutex_timedlock", "pthread_mutex_clocklock"] 2 false true Step Fixed Never TimedLock(Posix) "Takes the mutex; where it is held, fails with ETIMEDOUT, or waits." => Update(Acquire) "as pthread_mutex_lock, also where it fails";
        MutexUnlock ["pthread_mutex_unlock"] 1 false true Step Fixed Never Unlock "An error if the caller does not hold the mutex, but EPERM for an error-checking or recursive one." => Update(Release) "an exchange that also tells whether somebody waits. Giving a recursive mutex back but once only counts";
        MutexAttributesInit ["pthread_mutexattr_init"] 1 false true Step Stores Never Process "Attributes of a normal mutex.";
        MutexAttributesSetType ["pthread_mutexattr_settype"] 2 false true Step Stores Never Process "Normal, recursive or error-checking.";
        MutexAttributesGetType ["pthread_mutexattr_gettype"] 2 false true Step Fixed Never Process "The type that was set.";
        C11MutexInit ["mtx_init"] 2 false true Step Stores Never InitialiseLock "A free mutex of this kind.";
        C11MutexDestroy ["mtx_destroy"] 1 false false Step Fixed Never DestroyMutex "An error if the mutex is held or waited for. Using the mutex afterwards is one, too.";
        C11MutexLock ["mtx_lock"] 1 false true Step Fixed Mutex Lock "Waits for the mutex." => Update(Acquire) "as pthread_mutex_lock";
        C11MutexTryLock ["mtx_trylock"] 1 false true Step Fixed Never TryLock(C11) "thrd_busy if the mutex is held." => Attempt(Acquire, FreeMutex) "as pthread_mutex_trylock";
        C11MutexTimedLock ["mtx_timedlock"] 2 false true Step Fixed Never TimedLock(C11) "Takes the mutex; where it is held, fails with thrd_timedout, or waits." => Update(Acquire) "as pthread_mutex_timedlock";
        C11MutexUnlock ["mtx_unlock"] 1 false true Step Fixed Never Unlock "An error if the caller does not hold the mutex." => Update(Release) "as pthread_mutex_unlock";
    }
    SpinLocks {
        SpinInit ["pthread_spin_init"] 2 false true Step Stores Never InitialiseLock "A free spin lock.";
        SpinDestroy ["pthread_spin_destroy"] 1 false true Step Stores Never DestroySpin "An error if the lock is held. Using the lock afterwards is one, too.";
        SpinLock ["pthread_spin_lock"] 1 false true Step Fixed Spin Lock "Waits for the lock." => Update(Acquire) "one locked instruction";
        SpinTryLock ["pthread_spin_trylock"] 1 false true Step Fixed Never TryLock(Posix) "EBUSY if the lock is held." => Update(Acquire) "one locked instruction";
        SpinUnlock ["pthread_spin_unlock"] 1 false true Step Stores Never Unlock "An error if the lock is free." => Store(Release) "a plain move on x86: later loads overtake it, though POSIX says that it synchronizes memory";
    }
    ReadWriteLocks {
        RwInit ["pthread_rwlock_init"] 2 false true Step Stores Never Initialise "A free lock.";
        RwDestroy ["pthread_rwlock_destroy"] 1 false true Step Stores Never Destroy "An error if the lock is held. Using the lock afterwards is one, too.";
        RwReadLock ["pthread_rwlock_rdlock"] 1 false true Step Fixed ReadLock Process "Waits until no writer holds the lock. EDEADLK if the caller is the writer." => Update(Acquire) "counts the readers";
        RwTryReadLock ["pthread_rwlock_tryrdlock"] 1 false true Step Fixed Never Process "EBUSY if a writer holds the lock." => Attempt(Acquire, NoWriter) "a writer is seen by a load";
        RwTimedReadLock ["pthread_rwlock_timedrdlock"] 2 false true Step Fixed Never Process "Takes the lock; where a writer holds it, fails with ETIMEDOUT, or waits." => Update(Acquire) "as pthread_rwlock_rdlock, also where it fails";
        RwWriteLock ["pthread_rwlock_wrlock"] 1 false true Step Fixed WriteLock Process "Waits until nobody holds the lock. EDEADLK if the caller holds it for writing, a deadlock if it holds it for reading, as in glibc." => Update(Acquire) "marks the lock as taken";
        RwTryWriteLock ["pthread_rwlock_trywrlock"] 1 false true Step Fixed Never Process "EBUSY if somebody holds the lock." => Attempt(Acquire, FreeReadWriteLock) "who holds the lock is seen by a load";
        RwTimedWriteLock ["pthread_rwlock_timedwrlock"] 2 false true Step Fixed Never Process "Takes the lock; where somebody holds it, fails with ETIMEDOUT, or waits." => Update(Acquire) "as pthread_rwlock_wrlock, also where it fails";
        RwUnlock ["pthread_rwlock_unlock"] 1 false true Step Fixed Never Process "An error if the caller does not hold the lock." => Update(Release) "readers count down, a writer clears its mark in one instruction";
    }
    Conditions {
        ConditionInit ["pthread_cond_init"] 2 false true Step Stores Never Initialise "A condition variable without waiters.";
        ConditionDestroy ["pthread_cond_destroy"] 1 false true Step Fixed Never Destroy "An error if a thread waits on it. Using it afterwards is one, too.";
        ConditionWait ["pthread_cond_wait"] 2 false true Step Fixed Condition Process "Gives the mutex up, waits to be woken, takes the mutex again. Wakes up by itself only with --spurious." => Update(AcquireRelease) "registers, and gives the mutex back as pthread_mutex_unlock does; takes it again as pthread_mutex_lock does";
        ConditionTimedWait ["pthread_cond_timedwait", "pthread_cond_clockwait"] 3 false true Step Fixed TimedCondition Process "As pthread_cond_wait, or fails with ETIMEDOUT: both are tried. In glibc a signal sent as a wait times out may wake a later wait instead, which counts as a spurious wake-up here (`--spurious`)." => Update(AcquireRelease) "as pthread_cond_wait";
        ConditionSignal ["pthread_cond_signal"] 1 false true Step Fixed Signal Signal "Wakes one waiter; every choice of it is tried." => Attempt(AcquireRelease, Waiter) "without waiters only a load of their number, though POSIX says that it synchronizes memory";
        ConditionBroadcast ["pthread_cond_broadcast"] 1 false true Step Fixed Never Signal "Wakes all waiters." => Attempt(AcquireRelease, Waiter) "as pthread_cond_signal";
        C11ConditionInit ["cnd_init"] 1 false true Step Stores Never Process "A condition variable without waiters.";
        C11ConditionDestroy ["cnd_destroy"] 1 false false Step Fixed Never Process "An error if a thread waits on it. Using it afterwards is one, too.";
        C11ConditionWait ["cnd_wait"] 2 false true Step Fixed Condition Process "Gives the mutex up, waits to be woken, takes the mutex again." => Update(AcquireRelease) "as pthread_cond_wait";
        C11ConditionTimedWait ["cnd_timedwait"] 3 false true Step Fixed TimedCondition Process "As cnd_wait, or fails with thrd_timedout: both are tried." => Update(AcquireRelease) "as pthread_cond_wait";
        C11ConditionSignal ["cnd_signal"] 1 false true Step Fixed Signal Signal "Wakes one waiter; every choice of it is tried." => Attempt(AcquireRelease, Waiter) "as pthread_cond_signal";
        C11ConditionBroadcast ["cnd_broadcast"] 1 false true Step Fixed Never Signal "Wakes all waiters." => Attempt(AcquireRelease, Waiter) "as pthread_cond_signal";
    }
    Barriers {
        BarrierInit ["pthread_barrier_init"] 3 false true Step Stores Never Initialise "A barrier for this many threads.";
        BarrierDestroy ["pthread_barrier_destroy"] 1 false true Step Fixed Never Destroy "An error if a thread waits at it. Using it afterwards is one, too.";
        BarrierWait ["pthread_barrier_wait"] 1 false true Step Fixed Barrier Process "Waits for the others. The last to come gets PTHREAD_BARRIER_SERIAL_THREAD." => Update(AcquireRelease) "counts the threads that came: what any of them did before happens before what any does after";
        Once ["pthread_once", "call_once"] 2 false true Step Fixed Never Process "Calls the function if nobody has; waits for who does." => Prelude "an acquire load once the function was called; else a compare-and-exchange, acquire, the call, a release store";
    }
    Keys {
        KeyCreate ["pthread_key_create", "tss_create"] 2 false true Step Fixed Never CreateKey "A new key; its destructor runs at a thread's end." => Update(Acquire) "takes an entry of the table of keys";
        KeyDelete ["pthread_key_delete", "tss_delete"] 1 false true Step Fixed Never Process "Gives a key up. Using it afterwards is an error." => Update(Acquire) "gives an entry of the table of keys back";
        KeyGet ["pthread_getspecific", "tss_get"] 1 false true Step Fixed Never Process pure "The thread's own value of a key.";
        KeySet ["pthread_setspecific", "tss_set"] 2 false true Step Fixed Never Process "Sets the thread's own value of a key.";
    }
    Semaphores {
        SemaphoreInit ["sem_init"] 3 false true Step Stores Never InitialiseSemaphore "A semaphore of this value. A thread that waits for it already goes on if it can; in glibc it may stay blocked, a deadlock that is not found.";
        SemaphoreDestroy ["sem_destroy"] 1 false true Step Stores Never Destroy "Using the semaphore afterwards is an error, also for a thread that waits for it.";
        SemaphoreWait ["sem_wait"] 1 false true Step Fixed Semaphore TakeSemaphore "Waits for a value above 0 and takes 1." => Update(Acquire) "a compare-and-exchange";
        SemaphoreTryWait ["sem_trywait"] 1 false true Step Fixed Never TryTakeSemaphore "Fails with EAGAIN if the value is 0." => Attempt(Acquire, Semaphore) "a value of 0 is seen by a load";
        SemaphoreTimedWait ["sem_timedwait", "sem_clockwait"] 2 false true Step Fixed Never TryTakeSemaphore "Takes 1; where the value is 0, fails with ETIMEDOUT, or waits." => Update(Acquire) "as sem_wait; where it fails it was counted among the waiters";
        SemaphorePost ["sem_post"] 1 false true Step Fixed Never PostSemaphore "Adds 1." => Update(Release) "a compare-and-exchange";
        SemaphoreValue ["sem_getvalue"] 2 false true Step Fixed Never ReadSemaphore "The value." => Load(Relaxed) "a load";
    }
    Heap {
        Malloc ["malloc"] 1 false true Ahead Fixed Never Allocate(Bytes) "A new object, uninitialised. Never fails.";
        Calloc ["calloc"] 2 false true Ahead Fixed Never Allocate(Zeroed) "A new object of zeros.";
        Realloc ["realloc"] 2 false true Step Object Never Process "A new object with the old one's contents; the old one is gone.";
        Free ["free", "cfree"] 1 false false Step Stores Never Free "Ends an object's life. Double and invalid frees are errors.";
        AlignedAlloc ["aligned_alloc", "memalign"] 2 false true Ahead Fixed Never Allocate(Aligned) "A new object, uninitialised; all objects are aligned.";
        PosixMemalign ["posix_memalign"] 3 false true Step Stores Never Process "A new object, uninitialised; all objects are aligned.";
        UsableSize ["malloc_usable_size"] 1 false true Step Object Never Process "The size asked for.";
    }
    Memory {
        MemoryCopy ["memcpy", "__memcpy_chk"] 3 false true Step Fixed Never Process "Copies; an error if the two overlap. More than 64 bytes happen in one step.";
        MemoryMove ["memmove", "__memmove_chk"] 3 false true Step Fixed Never Process "Copies. More than 64 bytes happen in one step.";
        MemorySet ["memset", "__memset_chk"] 3 false true Step Stores Never Process "Fills. More than 64 bytes happen in one step.";
        MemoryCompare ["memcmp", "bcmp"] 3 false true Step Fixed Never Process "Compares, in one step.";
        MemoryFind ["memchr"] 3 false true Step Contents Never Process "Finds a byte.";
        MemoryFindLast ["memrchr"] 3 false true Step Contents Never Process "Finds the last such byte.";
    }
    Strings {
        StringLength ["strlen"] 1 false true Step Contents Never Process "The length. String functions read and write in one step.";
        StringBoundedLength ["strnlen"] 2 false true Step Contents Never Process "The length, at most so much.";
        StringCopy ["strcpy", "__strcpy_chk"] 2 false true Step Contents Never Process "Copies.";
        StringCopyEnd ["stpcpy"] 2 false true Step Contents Never Process "Copies, and points at the end.";
        StringBoundedCopy ["strncpy", "__strncpy_chk"] 3 false true Step Contents Never Process "Copies at most so much, and fills up with zeros.";
        StringAppend ["strcat", "__strcat_chk"] 2 false true Step Contents Never Process "Appends.";
        StringBoundedAppend ["strncat", "__strncat_chk"] 3 false true Step Contents Never Process "Appends at most so much.";
        StringCompare ["strcmp", "strcoll"] 2 false true Step Contents Never Process "Compares.";
        StringBoundedCompare ["strncmp"] 3 false true Step Contents Never Process "Compares at most so much.";
        StringCaseCompare ["strcasecmp"] 2 false true Step Contents Never Process "Compares without regard to case.";
        StringBoundedCaseCompare ["strncasecmp"] 3 false true Step Contents Never Process "Compares at most so much without regard to case.";
        StringFind ["strchr", "index"] 2 false true Step Contents Never Process "Finds the first such character.";
        StringFindLast ["strrchr", "rindex"] 2 false true Step Contents Never Process "Finds the last such character.";
        StringFindString ["strstr"] 2 false true Step Contents Never Process "Finds a string in another.";
        StringSpan ["strspn"] 2 false true Step Contents Never Process "Length of the start made of these characters.";
        StringComplementSpan ["strcspn"] 2 false true Step Contents Never Process "Length of the start made of other characters.";
        StringFindAny ["strpbrk"] 2 false true Step Contents Never Process "Finds the first of these characters.";
        StringToken ["strtok"] 2 false true Step Contents Never Process "Cuts off the next token; its memory is one for all threads.";
        StringTokenReentrant ["strtok_r", "__strtok_r"] 3 false true Step Contents Never Process "Cuts off the next token.";
        StringDuplicate ["strdup", "__strdup"] 1 false true Step Contents Never Process "A copy in a new object.";
        StringBoundedDuplicate ["strndup", "__strndup"] 2 false true Step Contents Never Process "A copy of at most so much in a new object.";
        StringToInt ["atoi"] 1 false true Step Contents Never Process "The number at the start.";
        StringToLong ["atol", "atoll"] 1 false true Step Contents Never Process "The number at the start.";
        StringToDouble ["atof"] 1 false true Step Contents Never Process "The number at the start.";
        StringToSigned ["strtol", "strtoll", "__isoc23_strtol", "__isoc23_strtoll", "strtoimax"] 3 false true Step Contents Never Process "The number at the start, in a base.";
        StringToUnsigned ["strtoul", "strtoull", "__isoc23_strtoul", "__isoc23_strtoull", "strtoumax"] 3 false true Step Contents Never Process "The number at the start, in a base.";
        StringToFloat ["strtod"] 2 false true Step Contents Never Process "The number at the start.";
        IsAlpha ["isalpha"] 1 false true Ahead Contents Never Process "Whether it is a letter. All of ctype.h speaks of the C locale.";
        IsDigit ["isdigit"] 1 false true Ahead Contents Never Process "Whether it is a digit.";
        IsAlnum ["isalnum"] 1 false true Ahead Contents Never Process "Whether it is a letter or digit.";
        IsSpace ["isspace"] 1 false true Ahead Contents Never Process "Whether it is white space.";
        IsUpper ["isupper"] 1 false true Ahead Contents Never Process "Whether it is an upper-case letter.";
        IsLower ["islower"] 1 false true Ahead Contents Never Process "Whether it is a lower-case letter.";
        IsPunct ["ispunct"] 1 false true Ahead Contents Never Process "Whether it is printable and no letter, digit or space.";
        IsPrint ["isprint"] 1 false true Ahead Contents Never Process "Whether it is printable.";
        IsGraph ["isgraph"] 1 false true Ahead Contents Never Process "Whether it is printable and no space.";
        IsCntrl ["iscntrl"] 1 false true Ahead Contents Never Process "Whether it is a control character.";
        IsXdigit ["isxdigit"] 1 false true Ahead Contents Never Process "Whether it is a hexadecimal digit.";
        IsBlank ["isblank"] 1 false true Ahead Contents Never Process "Whether it is a space or tab.";
        ToUpper ["toupper"] 1 false true Ahead Contents Never Process "The upper-case letter.";
        ToLower ["tolower"] 1 false true Ahead Contents Never Process "The lower-case letter.";
        CharacterTable ["__ctype_b_loc"] 0 false true Ahead Contents Never Process "The table behind ctype.h.";
        LowerTable ["__ctype_tolower_loc"] 0 false true Ahead Contents Never Process "The table behind tolower.";
        UpperTable ["__ctype_toupper_loc"] 0 false true Ahead Contents Never Process "The table behind toupper.";
        Sort ["qsort"] 4 false false Step Contents Never Process "Sorts, by calls of the comparison.";
        Search ["bsearch"] 5 false true Step Contents Never Process "Finds by bisection, by calls of the comparison.";
    }
    Output {
        Print ["printf", "__printf_chk", "vprintf"] 1 true true Prints Contents Never Print "Formats into the execution that is shown; prints only under `fencepost run`. Orders nothing.";
        FilePrint ["fprintf", "__fprintf_chk", "vfprintf"] 2 true true Prints Contents Never Print "As printf, on stdout or stderr.";
        DescriptorPrint ["dprintf", "vdprintf"] 2 true true Prints Contents Never Process "As printf, on 1 or 2.";
        StringPrint ["sprintf", "__sprintf_chk", "vsprintf", "__vsprintf_chk"] 2 true true Step Contents Never Process "Formats into memory.";
        BoundedPrint ["snprintf", "__snprintf_chk", "vsnprintf", "__vsnprintf_chk"] 3 true true Step Contents Never Process "Formats into memory, at most so much.";
        PutString ["puts"] 1 false true Prints Contents Never Print "As printf of a line.";
        PutCharacter ["putchar", "putchar_unlocked"] 1 false true Ahead Contents Never Print "As printf of a character.";
        FilePutCharacter ["putc", "fputc", "_IO_putc"] 2 false true Ahead Contents Never Print "As printf of a character, on stdout or stderr.";
        FilePutString ["fputs"] 2 false true Prints Contents Never Print "As printf of a string, on stdout or stderr.";
        FileWrite ["fwrite"] 4 false true Prints Contents Never Print "As printf of bytes, on stdout or stderr.";
        Flush ["fflush"] 1 false true Ahead Contents Never Nothing "Does nothing.";
        PrintError ["perror"] 1 false false Prints Contents Never Print "As printf on stderr.";
    }
    Ending {
        Abort ["abort"] 0 false false Ahead Fixed Never Abort "An error of the program.";
        Exit ["exit", "_exit", "_Exit", "quick_exit"] 1 false false Step Fixed Never Exit "Ends the execution, all threads with it. What was wrong before stays wrong." => Full "the process ends with everything in memory";
        AssertFail ["__assert_fail"] 4 false false Ahead Fixed Never FailAssertion "A failed assertion.";
        ReachError ["reach_error", "__VERIFIER_error"] 0 false false Ahead Fixed Never Abort "An error of the program, also where the program defines reach_error itself.";
    }
    Chance {
        Yield ["sched_yield", "pthread_yield", "thrd_yield"] 0 false true Ahead Fixed Never Nothing pure "Does nothing.";
        Sleep ["usleep", "sleep"] 1 false true Ahead Fixed Never Nothing pure "Does nothing; threads are slow and fast as it is.";
        NanoSleep ["nanosleep", "thrd_sleep"] 2 false true Ahead Fixed Never Nothing pure "Does nothing.";
        Time ["time"] 1 false true Step Fixed Never Process pure "Always 0.";
        Clock ["clock"] 0 false true Ahead Fixed Never Process pure "Always 0.";
        ClockTime ["clock_gettime", "timespec_get", "gettimeofday"] 2 false true Step Fixed Never Process "Always 0.";
        ErrorNumber ["__errno_location"] 0 false true Ahead Fixed Never Process pure "Where the thread's own errno lies.";
        Random ["rand", "random"] 0 false true Ahead Fixed Never Process "A fixed sequence for each thread, the same in every execution.";
        RandomSeed ["srand", "srandom"] 1 false false Ahead Fixed Never Nothing "Does nothing.";
        RandomReentrant ["rand_r"] 1 false true Step Fixed Never Process "A fixed sequence, through the seed.";
        Environment ["getenv"] 1 false true Ahead Fixed Never Process "Always NULL.";
        ProcessId ["getpid"] 0 false true Ahead Fixed Never Process "Always 1.";
    }
    Arithmetic {
        Absolute ["abs"] 1 false true Ahead Fixed Never Process "Absolute value.";
        LongAbsolute ["labs", "llabs"] 1 false true Ahead Fixed Never Process "Absolute value.";
        Divide ["div", "ldiv", "lldiv"] 2 false true Step Fixed Never Process "Quotient and remainder.";
        Power ["pow"] 2 false true Ahead Fixed Never Process "As the host's.";
        Exponential ["exp"] 1 false true Ahead Fixed Never Process "As the host's.";
        Logarithm ["log"] 1 false true Ahead Fixed Never Process "As the host's.";
        Sine ["sin"] 1 false true Ahead Fixed Never Process "As the host's.";
        Cosine ["cos"] 1 false true Ahead Fixed Never Process "As the host's.";
    }
    Checking {
        Assume ["fp_assume", "__VERIFIER_assume"] 1 false false Step Fixed Never Process "The execution does not count unless the condition holds.";
        Choose ["fp_choose"] 1 false true Step Fixed Never Process "Any number below the argument; all are tried.";
        Observe ["fp_observe"] 2 false false Step Fixed Never Process "Makes a value part of the outcome, under a name.";
        ObserveArgument ["fp_argument"] 2 false true Step Fixed Never Process "Any number below the second argument; all are tried. It is part of the outcome, under the label.";
        ObserveResult ["fp_result"] 2 false false Step Fixed Never Process "Makes a value part of the outcome, under a label.";
        Retry ["fp_retry"] 0 false false Ahead Fixed Never Nothing pure "Does nothing. Where a primed operation of a client comes here, the execution does not count.";
        Replicate ["fp_replicate"] 1 false false Ahead Fixed Never Nothing pure "Does nothing. `fencepost prove` takes any number of threads to run the function.";
        Fence ["fp_fence"] 1 false false Step Fixed Never Process "A fence of these kinds.";
        AtomicBegin ["fp_atomic_begin", "__VERIFIER_atomic_begin"] 0 false false Step Fixed Never Process "No other thread runs from here.";
        AtomicEnd ["fp_atomic_end", "__VERIFIER_atomic_end"] 0 false false Step Fixed Never Process "Others run again.";
        AnyBool ["__VERIFIER_nondet_bool", "__VERIFIER_nondet__Bool"] 0 false true Choice(2) Fixed Never ChooseBool "0 or 1; both are tried.";
        AnyValue ["__VERIFIER_nondet_int", "__VERIFIER_nondet_uint", "__VERIFIER_nondet_char", "__VERIFIER_nondet_uchar", "__VERIFIER_nondet_short", "__VERIFIER_nondet_ushort", "__VERIFIER_nondet_long", "__VERIFIER_nondet_ulong", "__VERIFIER_nondet_size_t", "__VERIFIER_nondet_unsigned_int"] 0 false true Choice(ANY_VALUES) Fixed Never Process "0 to 3, and the result says that it was cut to these; fp_choose says which values matter.";
    }
}
