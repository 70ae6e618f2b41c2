//! The grammar: families of small programs, each around something that engines may get wrong.
//!
//! A family says how often which statements occur. Plain accesses occur in all of them, and sometimes something of
//! another family, so that every two features meet. Programs have two or three threads and
//! few statements, so that every engine decides most of them within a millisecond or two.

use crate::library::{GUARDS, SNIPPETS};
use crate::random::Random;
use crate::sketch::{
    Again, CELLS, CellType, End, Fence, Form, Location, Operator, Order, REGISTERS, Sketch,
    SpinKind, Statement, Value,
};

/// A family of programs.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// How often it occurs.
    pub weight: usize,
    /// How often an access to a cell occurs, of a hundred statements.
    accesses: usize,
    /// Its own statements, with weights.
    own: &'static [(usize, Kind)],
}

/// A kind of statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fence,
    If,
    Repeat,
    Await,
    AwaitBody,
    Stable,
    Insist,
    Retry,
    Spin,
    Guarded,
    /// A section with a plain mutex.
    Plain,
    Section,
    Check,
    Assume,
    Start,
    /// A call of this group.
    Call(&'static str),
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "access",
        weight: 12,
        accesses: 80,
        own: &[(5, Kind::Fence), (3, Kind::If), (1, Kind::Repeat)],
    },
    Family {
        name: "sizes",
        weight: 6,
        accesses: 85,
        own: &[(3, Kind::Fence), (3, Kind::If)],
    },
    Family {
        name: "spin",
        weight: 10,
        accesses: 45,
        own: &[
            (8, Kind::Spin),
            (1, Kind::Fence),
            (1, Kind::Check),
            (1, Kind::If),
        ],
    },
    Family {
        name: "retry",
        weight: 8,
        accesses: 50,
        own: &[
            (8, Kind::Retry),
            (1, Kind::Fence),
            (1, Kind::If),
            (1, Kind::Check),
        ],
    },
    Family {
        name: "await",
        weight: 12,
        accesses: 50,
        own: &[
            (6, Kind::Await),
            (3, Kind::AwaitBody),
            (2, Kind::Stable),
            (2, Kind::Insist),
            (1, Kind::Fence),
            (1, Kind::Check),
        ],
    },
    Family {
        name: "section",
        weight: 7,
        accesses: 45,
        own: &[
            (8, Kind::Section),
            (2, Kind::Fence),
            (1, Kind::Check),
            (1, Kind::Await),
        ],
    },
    Family {
        name: "lock",
        weight: 9,
        accesses: 45,
        own: &[
            (10, Kind::Guarded),
            (2, Kind::Call("locks")),
            (1, Kind::Check),
            (1, Kind::Fence),
        ],
    },
    Family {
        name: "condition",
        weight: 9,
        accesses: 25,
        own: &[
            (6, Kind::Call("condition")),
            (3, Kind::Call("condition11")),
            (3, Kind::Call("timed wait")),
            (1, Kind::Check),
            (2, Kind::Guarded),
        ],
    },
    Family {
        name: "semaphore",
        weight: 6,
        accesses: 45,
        own: &[(8, Kind::Call("semaphore")), (1, Kind::Check)],
    },
    Family {
        name: "barrier",
        weight: 4,
        accesses: 50,
        own: &[
            (6, Kind::Call("barrier")),
            (3, Kind::Call("once")),
            (1, Kind::Check),
        ],
    },
    Family {
        name: "heap",
        weight: 7,
        accesses: 15,
        own: &[(10, Kind::Call("heap")), (1, Kind::Check), (1, Kind::Await)],
    },
    Family {
        name: "node",
        weight: 7,
        accesses: 20,
        own: &[(10, Kind::Call("node")), (2, Kind::Spin), (1, Kind::Check)],
    },
    Family {
        name: "frame",
        weight: 6,
        accesses: 20,
        own: &[
            (6, Kind::Call("frame")),
            (4, Kind::Call("storage")),
            (1, Kind::Await),
        ],
    },
    Family {
        name: "destroy",
        weight: 5,
        accesses: 15,
        own: &[
            (4, Kind::Call("destroy")),
            (2, Kind::Guarded),
            (1, Kind::Call("condition")),
            (1, Kind::Call("semaphore")),
            (1, Kind::Call("barrier")),
            (1, Kind::Await),
        ],
    },
    Family {
        name: "thread",
        weight: 6,
        accesses: 40,
        own: &[
            (6, Kind::Call("threads")),
            (3, Kind::Call("thread end")),
            (4, Kind::Start),
        ],
    },
    Family {
        name: "key",
        weight: 4,
        accesses: 25,
        own: &[
            (8, Kind::Call("key")),
            (1, Kind::Call("keys deleted")),
            (2, Kind::Call("thread end")),
        ],
    },
    Family {
        name: "check",
        weight: 9,
        accesses: 50,
        own: &[
            (4, Kind::Check),
            (4, Kind::Assume),
            (3, Kind::Call("choose")),
            (1, Kind::Call("values")),
            (2, Kind::Await),
            (1, Kind::If),
        ],
    },
    Family {
        name: "copy",
        weight: 5,
        accesses: 15,
        own: &[
            (7, Kind::Call("copy")),
            (1, Kind::Call("whole")),
            (5, Kind::Call("mixed")),
            (1, Kind::Fence),
        ],
    },
    Family {
        name: "call",
        weight: 5,
        accesses: 35,
        own: &[(8, Kind::Call("call")), (1, Kind::Repeat), (1, Kind::Fence)],
    },
    Family {
        name: "library",
        weight: 4,
        accesses: 25,
        own: &[
            (5, Kind::Call("pure")),
            (4, Kind::Call("string")),
            (2, Kind::Call("output")),
            (1, Kind::Call("time")),
            (1, Kind::Call("fixed")),
        ],
    },
    Family {
        name: "refine",
        weight: 4,
        accesses: 55,
        own: &[
            (3, Kind::Spin),
            (2, Kind::Section),
            (2, Kind::Retry),
            (2, Kind::Plain),
            (1, Kind::Fence),
            (1, Kind::If),
        ],
    },
    Family {
        name: "end",
        weight: 4,
        accesses: 40,
        own: &[
            (4, Kind::Call("program end")),
            (3, Kind::Call("thread end")),
            (2, Kind::Check),
            (2, Kind::Await),
            (1, Kind::Call("key")),
        ],
    },
];

/// A program of a family.
pub fn generate(family: &Family, random: &mut Random) -> Sketch {
    let threads = match family.name == "refine" || random.percent(75) {
        true => 2,
        false => 3,
    };
    let cells = [1, 2, 2, 2, 3][random.below(5)];
    let mut maker = Maker {
        random,
        family,
        cells,
        mixed: family.name == "sizes",
        threads,
        started: vec![false; threads],
        thread: 0,
        known: 0,
        left: 0,
    };
    let budget = if threads == 2 { 4 } else { 3 };
    let mut lists = Vec::new();
    for thread in 0..threads {
        maker.thread = thread;
        maker.known = 0;
        maker.left = maker.random.from(1, budget);
        lists.push(maker.list(0));
    }
    maker.thread = threads;
    maker.known = 0;
    let mut own = |share: usize| {
        maker.left = if maker.random.percent(share) { 1 } else { 0 };
        maker.list(1)
    };
    let (mut before, mut after) = (own(8), own(12));
    if family.name == "refine" {
        (before, after) = (Vec::new(), Vec::new());
    }
    let end = match random.below(100) {
        _ if family.name == "refine" => End::Join,
        0..=4 => End::Return,
        5..=7 => End::ThreadExit,
        8 => End::Exit,
        _ if family.name == "end" && random.percent(40) => {
            *random.pick(&[End::Return, End::ThreadExit, End::Exit])
        }
        _ => End::Join,
    };
    let mut initial = [0; CELLS as usize];
    for cell in &mut initial {
        *cell = if random.percent(12) {
            random.from(1, 2) as u8
        } else {
            0
        };
    }
    let cell = match random.below(100) {
        _ if family.name == "sizes" => CellType::Union,
        0..=2 => CellType::Char,
        3..=5 => CellType::Short,
        6..=10 => CellType::Long,
        _ => CellType::Int,
    };
    let mut sketch = Sketch {
        family: family.name,
        cell,
        initial,
        before,
        threads: lists,
        after,
        end,
        spurious: false,
        form: Form::usual(threads),
    };
    let loops = waits_in_loop(&sketch);
    sketch.spurious = family.name == "condition" && !loops && random.percent(30);
    sketch
}

/// Whether a thread waits on a condition variable in a loop. If it were alone and woke up spuriously it would do so for
/// ever: such executions have no end.
pub fn waits_in_loop(sketch: &Sketch) -> bool {
    sketch.any(|statement| match statement {
        Statement::Snippet { snippet, .. } => SNIPPETS[*snippet].code.contains("while (!$full) "),
        Statement::Await { body, .. } | Statement::Stable { body, .. } => !body.is_empty(),
        _ => false,
    })
}

/// What retry loops expect after a failure.
const AGAIN: [Again; 3] = [Again::Found, Again::Reload, Again::Head];

/// How a spin lock is made.
const SPINS: [SpinKind; 10] = [
    SpinKind::Exchange,
    SpinKind::CompareExchange { weak: false },
    SpinKind::CompareExchange { weak: true },
    SpinKind::TestAndTestAndSet,
    SpinKind::Ticket,
    SpinKind::Flag,
    SpinKind::Backoff,
    SpinKind::Mcs,
    SpinKind::Clh,
    SpinKind::Array,
];

/// The orders of what takes a spin lock, some of them too weak.
const TAKES: [Order; 6] = [
    Order::Acquire,
    Order::Acquire,
    Order::Sequential,
    Order::Relaxed,
    Order::AcquireRelease,
    Order::Release,
];

/// The orders of what gives it back.
const GIVES: [Order; 4] = [
    Order::Release,
    Order::Release,
    Order::Sequential,
    Order::Relaxed,
];

struct Maker<'a> {
    random: &'a mut Random,
    family: &'a Family,
    cells: u8,
    mixed: bool,
    threads: usize,
    started: Vec<bool>,
    thread: usize,
    /// Registers of the thread that were written so far.
    known: u8,
    /// Statements that the thread may still have.
    left: usize,
}

impl Maker<'_> {
    /// Statements, as many as are left.
    fn list(&mut self, depth: usize) -> Vec<Statement> {
        let mut list = Vec::new();
        while self.left > 0 {
            self.left -= 1;
            list.push(self.statement(depth));
        }
        list
    }

    /// One or two statements for a body.
    fn body(&mut self, depth: usize) -> Vec<Statement> {
        let count = if self.random.percent(65) { 1 } else { 2 };
        self.left = self.left.saturating_sub(count - 1);
        (0..count).map(|_| self.statement(depth + 1)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if self.random.percent(self.family.accesses) {
            return self.access();
        }
        let family = match self.random.percent(7) {
            true if self.family.name != "refine" => {
                let weights: Vec<usize> = FAMILIES.iter().map(|family| family.weight).collect();
                &FAMILIES[self.random.weighted(&weights)]
            }
            _ => self.family,
        };
        let weights: Vec<usize> = family.own.iter().map(|(weight, _)| *weight).collect();
        let kind = family.own[self.random.weighted(&weights)].1;
        self.made(kind, depth)
    }

    /// A statement of a kind; an access where that kind does not fit.
    fn made(&mut self, kind: Kind, depth: usize) -> Statement {
        let nests = depth < 2;
        match kind {
            Kind::Fence => Statement::Fence(self.fence()),
            Kind::If if nests && self.known > 0 => self.conditional(depth),
            // More iterations than flat programs follow one by one.
            Kind::Repeat if nests && self.random.below(4) == 0 => Statement::Repeat {
                times: 66,
                body: Vec::new(),
            },
            Kind::Repeat if nests => Statement::Repeat {
                times: 2,
                body: self.body(depth),
            },
            Kind::Await => {
                let count = [1, 1, 1, 2, 2, 3][self.random.below(6)];
                self.awaiting(count, Vec::new())
            }
            Kind::AwaitBody if nests => {
                let body = self.body(depth);
                self.awaiting(1, body)
            }
            Kind::Stable if nests => self.stable(),
            Kind::Insist => Statement::Insist {
                at: self.location(),
                constant: self.random.from(1, 2) as u8,
                order: self.update_order(),
            },
            Kind::Retry => {
                let (success, failure) = self.exchange_orders();
                Statement::Retry {
                    to: self.target(),
                    at: self.location(),
                    constant: self.random.from(1, 2) as u8,
                    weak: self.random.percent(50),
                    success,
                    failure,
                    first: match self.random.percent(25) {
                        true => Some(self.random.below(3) as u8),
                        false => None,
                    },
                    apart: self.random.percent(15),
                    again: *self.random.pick(&AGAIN),
                    also: match self.random.percent(25) {
                        true => Some(self.location()),
                        false => None,
                    },
                    odd: self.random.percent(8),
                    gives_up: self.random.percent(12),
                }
            }
            Kind::Spin if nests => Statement::Spin {
                kind: *self.random.pick(&SPINS),
                lock: u8::from(self.random.percent(15)),
                take: *self.random.pick(&TAKES),
                give: *self.random.pick(&GIVES),
                body: self.body(depth),
            },
            Kind::Guarded if nests => Statement::Guarded {
                guard: self.guard(),
                lock: u8::from(self.random.percent(25)),
                body: self.body(depth),
            },
            Kind::Plain if nests => Statement::Guarded {
                guard: 0,
                lock: 0,
                body: self.body(depth),
            },
            Kind::Section if nests => self.section(),
            Kind::Check | Kind::Assume if self.known > 0 => Statement::Check {
                assume: kind == Kind::Assume,
                register: self.known_register(),
                equal: self.random.percent(70),
                constant: self.random.below(4) as u8,
            },
            Kind::Start if depth == 0 && self.thread + 1 < self.threads => self.start(),
            Kind::Call(group) => self.call(group),
            Kind::If
            | Kind::Repeat
            | Kind::AwaitBody
            | Kind::Stable
            | Kind::Spin
            | Kind::Guarded
            | Kind::Plain
            | Kind::Section
            | Kind::Check
            | Kind::Assume
            | Kind::Start => self.access(),
        }
    }

    fn conditional(&mut self, depth: usize) -> Statement {
        let register = self.known_register();
        let then = self.body(depth);
        let otherwise = if self.random.percent(25) {
            self.body(depth)
        } else {
            Vec::new()
        };
        Statement::If {
            register,
            equal: self.random.percent(50),
            constant: self.random.below(3) as u8,
            then,
            otherwise,
        }
    }

    fn stable(&mut self) -> Statement {
        let at = self.location();
        let order = self.load_order();
        let body = if self.random.percent(40) {
            vec![self.access()]
        } else {
            Vec::new()
        };
        let to = self.target();
        Statement::Stable {
            to,
            at,
            order,
            body,
        }
    }

    /// A lock of the library: a plain mutex in half of all cases.
    fn guard(&mut self) -> usize {
        if self.random.percent(50) {
            0
        } else {
            self.random.below(GUARDS.len())
        }
    }

    fn section(&mut self) -> Statement {
        let count = self.random.from(1, 3);
        let body = (0..count).map(|_| {
            if self.random.percent(20) {
                Statement::Fence(self.fence())
            } else {
                self.access()
            }
        });
        Statement::Section {
            body: body.collect(),
        }
    }

    /// Starts a later thread, unless that was started before.
    fn start(&mut self) -> Statement {
        let thread = self.random.from(self.thread + 1, self.threads - 1);
        if std::mem::replace(&mut self.started[thread], true) {
            return self.access();
        }
        Statement::Start {
            thread,
            join: self.random.percent(40),
        }
    }

    fn call(&mut self, group: &str) -> Statement {
        let rows: Vec<usize> = (0..SNIPPETS.len())
            .filter(|row| SNIPPETS[*row].group == group)
            .collect();
        let snippet = *self.random.pick(&rows);
        let code = SNIPPETS[snippet].code;
        let to = match code.contains("{r}") {
            true if code.contains("({r}") && self.known > 0 => self.known_register(),
            true => self.target(),
            false => REGISTERS,
        };
        Statement::Snippet {
            snippet,
            to,
            constant: self.random.from(1, 3) as u8 + 4 * self.random.below(8) as u8,
            which: u8::from(self.random.percent(25)),
        }
    }

    fn awaiting(&mut self, count: usize, body: Vec<Statement>) -> Statement {
        Statement::Await {
            at: (0..count).map(|_| self.location()).collect(),
            order: self.load_order(),
            zero: self.random.percent(20),
            all: self.random.percent(35),
            body,
            to: self.target(),
        }
    }

    fn access(&mut self) -> Statement {
        let at = self.location();
        match self.random.weighted(&[15, 15, 4, 4]) {
            0 => {
                let order = self.load_order();
                Statement::Load {
                    to: self.target(),
                    at,
                    order,
                }
            }
            1 => Statement::Store {
                at,
                value: self.value(1),
                order: self.store_order(),
            },
            2 => {
                let operators = [
                    Operator::Exchange,
                    Operator::Exchange,
                    Operator::Add,
                    Operator::Add,
                    Operator::Subtract,
                    Operator::And,
                    Operator::Or,
                    Operator::Xor,
                    Operator::Nand,
                ];
                let operator = *self.random.pick(&operators);
                let (value, order) = (self.value(0), self.update_order());
                Statement::Update {
                    to: self.target(),
                    operator,
                    at,
                    value,
                    order,
                }
            }
            _ => {
                let (success, failure) = self.exchange_orders();
                let (expected, desired) = (self.value(0), self.value(1));
                Statement::CompareExchange {
                    to: self.target(),
                    at,
                    expected,
                    desired,
                    weak: self.random.percent(30),
                    success,
                    failure,
                }
            }
        }
    }

    fn location(&mut self) -> Location {
        let part = if self.mixed {
            self.random.below(7) as u8
        } else {
            0
        };
        let index = match self.known > 0 && self.cells > 1 && self.random.percent(8) {
            true => Some(self.known_register()),
            false => None,
        };
        Location {
            cell: self.random.below(usize::from(self.cells)) as u8,
            index,
            part,
        }
    }

    fn value(&mut self, low: usize) -> Value {
        let register = match self.known > 0 && self.random.percent(20) {
            true => Some(self.known_register()),
            false => None,
        };
        Value {
            constant: self.random.from(low, 2) as u8,
            register,
        }
    }

    fn target(&mut self) -> u8 {
        if self.known < REGISTERS && self.random.percent(85) {
            self.known += 1;
            return self.known - 1;
        }
        self.random.below(usize::from(self.known.max(1))) as u8
    }

    fn known_register(&mut self) -> u8 {
        self.random.below(usize::from(self.known.max(1))) as u8
    }

    fn fence(&mut self) -> Fence {
        match self.random.below(10) {
            0..=4 => {
                let orders = [
                    Order::Sequential,
                    Order::Sequential,
                    Order::Acquire,
                    Order::Release,
                    Order::AcquireRelease,
                ];
                Fence::Thread(*self.random.pick(&orders))
            }
            5 => Fence::Signal,
            6 | 7 => Fence::Kinds(self.random.from(1, 15) as u8),
            8 => Fence::Sync,
            _ => Fence::Assembly(self.random.below(3) as u8),
        }
    }

    fn load_order(&mut self) -> Order {
        [
            Order::Relaxed,
            Order::Plain,
            Order::Acquire,
            Order::Sequential,
        ][self.random.weighted(&[10, 3, 3, 2])]
    }

    fn store_order(&mut self) -> Order {
        [
            Order::Relaxed,
            Order::Plain,
            Order::Release,
            Order::Sequential,
        ][self.random.weighted(&[10, 3, 3, 2])]
    }

    fn update_order(&mut self) -> Order {
        [
            Order::Relaxed,
            Order::Acquire,
            Order::Release,
            Order::AcquireRelease,
            Order::Sequential,
        ][self.random.weighted(&[8, 2, 2, 2, 3])]
    }

    fn exchange_orders(&mut self) -> (Order, Order) {
        let failures = [
            Order::Relaxed,
            Order::Relaxed,
            Order::Acquire,
            Order::Sequential,
        ];
        (self.update_order(), *self.random.pick(&failures))
    }
}
