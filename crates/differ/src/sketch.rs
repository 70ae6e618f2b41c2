//! Programs as plain data that shrinks well.
//!
//! A [`Sketch`] has threads of [`Statement`]s over a few shared cells and the objects of the
//! library that the statements name. [`Form`] says how the same program is written down: in which order
//! threads are created, who runs them, where the cells are, how accesses are spelled. Everything that a
//! program needs (declarations, initialisation) follows from its statements when it is
//! printed, so any statement may be removed and what is left is still a program.

/// Shared cells.
pub const CELLS: u8 = 3;
/// Registers of a thread.
pub const REGISTERS: u8 = 4;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sketch {
    /// Which family made it.
    pub family: &'static str,
    /// The type of the cells.
    pub cell: CellType,
    /// What the cells hold at first.
    pub initial: [u8; CELLS as usize],
    /// What `main` does before the threads start.
    pub before: Vec<Statement>,
    /// The threads; a thread that [`Statement::Start`] names is started there and not by `main`.
    pub threads: Vec<Vec<Statement>>,
    /// What `main` does after they have been joined.
    pub after: Vec<Statement>,
    /// How `main` ends.
    pub end: End,
    /// Waits on condition variables may end spuriously.
    pub spurious: bool,
    /// How it is written down.
    pub form: Form,
}

/// How `main` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It joins all threads, and observes the cells.
    Join,
    /// It returns at once.
    Return,
    /// It calls `pthread_exit`.
    ThreadExit,
    /// It calls `exit`.
    Exit,
}

/// The type of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellType {
    /// `int`
    Int,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `long`
    Long,
    /// A union of an `int`, two `short`s and four `char`s, so that accesses have mixed sizes.
    Union,
}

/// How a program is written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The order in which threads are created.
    pub order: Vec<usize>,
    /// The thread that `main` runs itself, if any.
    pub main_runs: Option<usize>,
    /// A thread that another thread starts, which then waits for it.
    pub nested: Option<usize>,
    /// Threads are those of C11.
    pub c11: bool,
    /// Where cells are.
    pub storage: Storage,
    /// How accesses are spelled.
    pub spelling: Spelling,
    /// Statements that do nothing stand between the others.
    pub padded: bool,
    /// Counted loops are written out.
    pub unrolled: bool,
}

impl Form {
    /// The usual form of a program with this many threads.
    pub fn usual(threads: usize) -> Self {
        Form {
            order: (0..threads).collect(),
            main_runs: None,
            nested: None,
            c11: false,
            storage: Storage::Static,
            spelling: Spelling::Builtin,
            padded: false,
            unrolled: false,
        }
    }
}

/// Where the shared cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Static objects.
    Static,
    /// On the heap, found through static pointers.
    Heap,
    /// In the frame of `main`.
    Frame,
    /// In thread-local storage of `main`.
    ThreadLocal,
}

/// How accesses are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `__atomic_load_n` and its like.
    Builtin,
    /// `atomic_load_explicit` and its like.
    C11,
    /// Each by a call of a function, one for all accesses of its kind.
    Function,
    /// The same, through a pointer to the function.
    Pointer,
}

/// A memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Not atomic.
    Plain,
    /// Relaxed.
    Relaxed,
    /// Acquire.
    Acquire,
    /// Release.
    Release,
    /// Both.
    AcquireRelease,
    /// Sequentially consistent.
    Sequential,
}

/// A cell, or part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Which cell.
    pub cell: u8,
    /// The cell is this one or the next, by the lowest bit of a register.
    pub index: Option<u8>,
    /// Which part, if cells are unions: all, the lower or upper half, one of the bytes.
    pub part: u8,
}

/// A constant, plus the value of a register if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The constant.
    pub constant: u8,
    /// The register.
    pub register: Option<u8>,
}

/// What a read-modify-write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `exchange`
    Exchange,
    /// `fetch_add`
    Add,
    /// `fetch_sub`
    Subtract,
    /// `fetch_and`
    And,
    /// `fetch_or`
    Or,
    /// `fetch_xor`
    Xor,
    /// `fetch_nand`
    Nand,
}

/// A fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fence {
    /// `atomic_thread_fence`
    Thread(Order),
    /// `atomic_signal_fence`, which orders nothing here.
    Signal,
    /// `fp_fence` of these kinds.
    Kinds(u8),
    /// `__sync_synchronize`
    Sync,
    /// `mfence`, `sfence` or `lfence` in inline assembly.
    Assembly(u8),
}

/// How a lock made of atomic accesses is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpinKind {
    /// By exchanges.
    Exchange,
    /// By weak or strong compare-and-exchange.
    CompareExchange {
        /// It may fail spuriously.
        weak: bool,
    },
    /// By loads until it is free, then an exchange.
    TestAndTestAndSet,
    /// By tickets.
    Ticket,
    /// By `atomic_flag`.
    Flag,
    /// By compare-and-exchange in a function that gives up, with a pause in between.
    Backoff,
    /// By a queue of nodes; each waits for a store to its own (Mellor-Crummey and Scott).
    Mcs,
    /// By a queue of nodes; each waits for a store to the one before (Craig, Landin, Hagersten).
    Clh,
    /// By a queue of places in an array (Anderson).
    Array,
}

/// One statement of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// A load.
    Load {
        /// The register loaded.
        to: u8,
        /// Where from.
        at: Location,
        /// Its order.
        order: Order,
    },
    /// A store.
    Store {
        /// Where to.
        at: Location,
        /// What.
        value: Value,
        /// Its order.
        order: Order,
    },
    /// A read-modify-write.
    Update {
        /// Gets the old value.
        to: u8,
        /// What is done.
        operator: Operator,
        /// Where.
        at: Location,
        /// With what.
        value: Value,
        /// Its order.
        order: Order,
    },
    /// A compare-and-exchange.
    CompareExchange {
        /// Gets 16 if it worked, plus the value found.
        to: u8,
        /// Where.
        at: Location,
        /// What is expected.
        expected: Value,
        /// What is stored.
        desired: Value,
        /// It may fail spuriously.
        weak: bool,
        /// The order if it succeeds.
        success: Order,
        /// The order if it fails.
        failure: Order,
    },
    /// A fence.
    Fence(Fence),
    /// Runs one of the bodies.
    If {
        /// A register.
        register: u8,
        /// Whether it must be equal to the constant.
        equal: bool,
        /// The constant.
        constant: u8,
        /// If so.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
    /// Runs the body this many times.
    Repeat {
        /// How often.
        times: u8,
        /// What.
        body: Vec<Statement>,
    },
    /// Loads all locations until one of them, or all, are not zero (or are zero).
    Await {
        /// Gets the value of the last.
        to: u8,
        /// What is loaded.
        at: Vec<Location>,
        /// The order of the loads.
        order: Order,
        /// Waits for zeros.
        zero: bool,
        /// Waits for all of them.
        all: bool,
        /// Runs in each iteration before the loads.
        body: Vec<Statement>,
    },
    /// Loads a location twice until both loads agree.
    Stable {
        /// Gets the value.
        to: u8,
        /// What is loaded.
        at: Location,
        /// Its order.
        order: Order,
        /// Runs between the loads.
        body: Vec<Statement>,
    },
    /// Stores a value until it is read back.
    Insist {
        /// Where.
        at: Location,
        /// What.
        constant: u8,
        /// The order of both.
        order: Order,
    },
    /// Adds by compare-and-exchange until that works.
    Retry {
        /// Gets the value found.
        to: u8,
        /// Where.
        at: Location,
        /// What is added.
        constant: u8,
        /// May fail spuriously.
        weak: bool,
        /// The order if it succeeds.
        success: Order,
        /// The order if it fails.
        failure: Order,
        /// What the first attempt expects: this, or what is there.
        first: Option<u8>,
        /// The first attempt stands before the loop, and adds one more.
        apart: bool,
        /// What later ones expect.
        again: Again,
        /// What each attempt loads before its exchange; it is part of the result.
        also: Option<Location>,
        /// Each attempt expects an odd number.
        odd: bool,
        /// Gives up after two failures; how many there were is part of the result.
        gives_up: bool,
    },
    /// Runs the body with a lock made of atomic accesses.
    Spin {
        /// How the lock is made.
        kind: SpinKind,
        /// Which of two locks.
        lock: u8,
        /// The order of what takes it.
        take: Order,
        /// The order of what gives it back.
        give: Order,
        /// What is done.
        body: Vec<Statement>,
    },
    /// Runs the body with a lock of the library, an entry of [`GUARDS`](crate::library::GUARDS).
    Guarded {
        /// Which.
        guard: usize,
        /// Which of two locks.
        lock: u8,
        /// What is done.
        body: Vec<Statement>,
    },
    /// Runs the body without any other thread in between.
    Section {
        /// What is done.
        body: Vec<Statement>,
    },
    /// Fails, or does not count, if a register has a value.
    Check {
        /// It is an assumption.
        assume: bool,
        /// The register.
        register: u8,
        /// Equal or not equal is wrong.
        equal: bool,
        /// The value.
        constant: u8,
    },
    /// Starts another thread, and perhaps waits for it.
    Start {
        /// Which.
        thread: usize,
        /// Waits for it.
        join: bool,
    },
    /// A call of the library, an entry of [`SNIPPETS`](crate::library::SNIPPETS).
    Snippet {
        /// Which.
        snippet: usize,
        /// The register that gets what it gives.
        to: u8,
        /// A small number.
        constant: u8,
        /// Which of two objects.
        which: u8,
    },
}

impl Statement {
    /// The statements in it, if it has any.
    pub fn bodies(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Statement::Repeat { body, .. }
            | Statement::Await { body, .. }
            | Statement::Stable { body, .. }
            | Statement::Spin { body, .. }
            | Statement::Guarded { body, .. }
            | Statement::Section { body } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Statement::Repeat { body, .. }
            | Statement::Await { body, .. }
            | Statement::Stable { body, .. }
            | Statement::Spin { body, .. }
            | Statement::Guarded { body, .. }
            | Statement::Section { body } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The register that it writes, if any.
    pub fn target(&self) -> Option<u8> {
        match self {
            Statement::Load { to, .. }
            | Statement::Update { to, .. }
            | Statement::CompareExchange { to, .. }
            | Statement::Await { to, .. }
            | Statement::Stable { to, .. }
            | Statement::Retry { to, .. } => Some(*to),
            Statement::Snippet { to, .. } => Some(*to).filter(|to| *to < REGISTERS),
            _ => None,
        }
    }
}

/// What a retry loop expects after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Again {
    /// What the exchange found.
    Found,
    /// What is loaded then.
    Reload,
    /// What is loaded where each attempt begins, the first one, too.
    Head,
}

/// Every statement of a list, those inside others included.
pub fn each<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in statements {
        visit(statement);
        for body in statement.bodies() {
            each(body, visit);
        }
    }
}

impl Sketch {
    /// The lists of statements: of `main` before and after, and of the threads.
    pub fn lists(&self) -> Vec<&Vec<Statement>> {
        let ends = [&self.before, &self.after];
        ends.into_iter().chain(&self.threads).collect()
    }

    /// The same, to be changed.
    pub fn lists_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        let ends = [&mut self.before, &mut self.after];
        ends.into_iter().chain(&mut self.threads).collect()
    }

    /// True if some statement is such.
    pub fn any(&self, mut wanted: impl FnMut(&Statement) -> bool) -> bool {
        let mut found = false;
        for list in self.lists() {
            each(list, &mut |statement| found |= wanted(statement));
        }
        found
    }

    /// Statements in all.
    pub fn size(&self) -> usize {
        let mut size = 0;
        for list in self.lists() {
            each(list, &mut |_| size += 1);
        }
        size
    }
}

impl Statement {
    /// The registers that it reads.
    pub fn reads(&self, visit: &mut dyn FnMut(u8)) {
        self.locations(&mut |at| {
            if let Some(register) = at.index {
                visit(register);
            }
        });
        match self {
            Statement::Store { value, .. } | Statement::Update { value, .. } => {
                value.register.into_iter().for_each(visit);
            }
            Statement::CompareExchange {
                expected, desired, ..
            } => {
                expected.register.into_iter().for_each(&mut *visit);
                desired.register.into_iter().for_each(visit);
            }
            Statement::If { register, .. } | Statement::Check { register, .. } => visit(*register),
            _ => {}
        }
    }

    /// The cells that it accesses.
    pub fn locations(&self, visit: &mut dyn FnMut(Location)) {
        match self {
            Statement::Load { at, .. }
            | Statement::Store { at, .. }
            | Statement::Update { at, .. }
            | Statement::CompareExchange { at, .. }
            | Statement::Stable { at, .. }
            | Statement::Insist { at, .. } => visit(*at),
            Statement::Retry { at, also, .. } => {
                visit(*at);
                also.iter().copied().for_each(visit);
            }
            Statement::Await { at, .. } => at.iter().copied().for_each(visit),
            _ => {}
        }
    }
}

impl Sketch {
    /// Whether it is a data type rather than a program.
    pub fn is_data_type(&self) -> bool {
        self.family == "refine"
    }

    /// Whether a thread is started by another one, and if so, whether that one joins it.
    pub fn starter(&self, wanted: usize) -> Option<bool> {
        let mut found = None;
        for list in self.lists() {
            each(list, &mut |statement| {
                if let Statement::Start { thread, join } = statement
                    && *thread == wanted
                {
                    found = Some(*join);
                }
            });
        }
        found
    }
}
