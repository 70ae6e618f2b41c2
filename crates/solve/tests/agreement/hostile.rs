//! Generated C programs of what goes wrong beside something else: atomic sections with fences and
//! read-modify-writes, compare-and-exchanges with every pair of orders, loops that store the
//! value that is there, threads that hang or fail an assumption while another one fails.
//!
//! Under SC, TSO and PSO the answers are those of `states`, under RMO as well where the program can
//! do without calls; and a weaker model never shows less.

use answer::{Bound, FaultKind, ModelResult, Violation};
use control::Control;
use memory::Model;
use program::{Program, Source, Word};
use solve::Options;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// Numbers from a seed.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// What programs may have.
#[derive(Clone, Copy)]
struct Shape {
    sections: bool,
    loops: bool,
    assumptions: bool,
}

const LOADS: [&str; 3] = ["monotonic", "acquire", "seq_cst"];
const STORES: [&str; 3] = ["monotonic", "release", "seq_cst"];
const UPDATES: [&str; 5] = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"];
const FENCES: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];
const REGISTERS: usize = 2;
const CELLS: usize = 2;

/// A function in the making, as LLVM IR.
struct Body<'a> {
    text: String,
    names: u32,
    random: &'a mut Random,
    shape: Shape,
}

impl Body<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn value(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("%{name} = {text}"));
        format!("%{name}")
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn cell(&mut self) -> String {
        format!("@c{}", self.random.below(CELLS))
    }

    fn register(&mut self) -> String {
        format!("%r{}", self.random.below(REGISTERS))
    }

    fn load(&mut self, cell: &str) -> String {
        let order = self.random.pick(&LOADS);
        self.value(&format!("load atomic i32, ptr {cell} {order}, align 4"))
    }

    fn keep(&mut self, value: &str) {
        let register = self.register();
        self.line(&format!("store i32 {value}, ptr {register}, align 4"));
    }

    fn store(&mut self, cell: &str, value: usize) {
        let order = self.random.pick(&STORES);
        self.line(&format!(
            "store atomic i32 {value}, ptr {cell} {order}, align 4"
        ));
    }

    fn update(&mut self, cell: &str) -> String {
        let operation = self.random.pick(&["xchg", "add", "or"]);
        let order = self.random.pick(&UPDATES);
        let number = self.random.below(3);
        self.value(&format!(
            "atomicrmw {operation} ptr {cell}, i32 {number} {order}, align 4"
        ))
    }

    /// A compare-and-exchange; whether it succeeded.
    fn exchange(&mut self, cell: &str) -> String {
        let weak = if self.random.below(4) == 0 {
            "weak "
        } else {
            ""
        };
        let (success, failure) = (self.random.pick(&UPDATES), self.random.pick(&LOADS));
        let (expected, desired) = (self.random.below(3), 1 + self.random.below(2));
        let pair = self.value(&format!(
            "cmpxchg {weak}ptr {cell}, i32 {expected}, i32 {desired} {success} {failure}, align 4"
        ));
        let old = self.value(&format!("extractvalue {{ i32, i1 }} {pair}, 0"));
        self.keep(&old);
        self.value(&format!("extractvalue {{ i32, i1 }} {pair}, 1"))
    }

    fn access(&mut self) {
        let cell = self.cell();
        match self.random.below(8) {
            0 | 1 => {
                let value = self.load(&cell);
                self.keep(&value);
            }
            2..=4 => {
                let number = self.random.below(3);
                self.store(&cell, number);
            }
            5 => {
                let value = self.update(&cell);
                self.keep(&value);
            }
            6 => {
                self.exchange(&cell);
            }
            _ => {
                let order = self.random.pick(&FENCES);
                self.line(&format!("fence {order}"));
            }
        }
    }

    /// That a register has a number.
    fn compare(&mut self) -> String {
        let register = self.register();
        let value = self.value(&format!("load i32, ptr {register}, align 4"));
        let number = self.random.below(3);
        self.value(&format!("icmp eq i32 {value}, {number}"))
    }

    /// Something under a condition.
    fn when(&mut self, condition: &str, inside: impl FnOnce(&mut Self)) {
        let [then, after] = [self.name(), self.name()];
        self.line(&format!("br i1 {condition}, label %{then}, label %{after}"));
        self.label(&then);
        inside(self);
        self.line(&format!("br label %{after}"));
        self.label(&after);
    }

    /// A loop that ends when `leaves`, a condition that is computed in it, holds.
    fn repeat(&mut self, leaves: impl FnOnce(&mut Self) -> String) {
        let [again, after] = [self.name(), self.name()];
        self.line(&format!("br label %{again}"));
        self.label(&again);
        let leaves = leaves(self);
        self.line(&format!("br i1 {leaves}, label %{after}, label %{again}"));
        self.label(&after);
    }

    fn waiting_loop(&mut self) {
        let cell = self.cell();
        let number = self.random.below(3);
        let is =
            |this: &mut Self, value: &str| this.value(&format!("icmp eq i32 {value}, {number}"));
        match self.random.below(6) {
            // Waits for a value.
            0 => self.repeat(|this| {
                let value = this.load(&cell);
                is(this, &value)
            }),
            // Stores, and looks whether that is still there.
            1 => self.repeat(|this| {
                this.store(&cell, number);
                let value = this.load(&cell);
                is(this, &value)
            }),
            // Takes a lock by writing what may be there already.
            2 => self.repeat(|this| {
                let order = this.random.pick(&UPDATES);
                let old = this.value(&format!(
                    "atomicrmw xchg ptr {cell}, i32 1 {order}, align 4"
                ));
                this.value(&format!("icmp eq i32 {old}, 0"))
            }),
            // Tries again until it succeeds.
            3 => self.repeat(|this| this.exchange(&cell)),
            // Writes nothing new to one location, and waits for another.
            4 => self.repeat(|this| {
                let other = this.cell();
                this.value(&format!(
                    "atomicrmw or ptr {other}, i32 0 monotonic, align 4"
                ));
                let value = this.load(&cell);
                is(this, &value)
            }),
            // Waits with a store to memory of its own.
            _ => self.repeat(|this| {
                let value = this.load(&cell);
                this.line(&format!("store volatile i32 {value}, ptr %own, align 4"));
                is(this, &value)
            }),
        }
        if self.random.below(3) == 0 {
            let own = self.value("load volatile i32, ptr %own, align 4");
            self.keep(&own);
        }
    }

    fn statement(&mut self, depth: u32) {
        let shape = self.shape;
        match self.random.below(14) {
            0 | 1 if shape.sections => {
                self.line("call void @__VERIFIER_atomic_begin()");
                for _ in 0..1 + self.random.below(4) {
                    self.access();
                }
                match self.random.below(5) {
                    0 if shape.assumptions => self.assumption(),
                    1 => self.assertion(),
                    _ => {}
                }
                self.line("call void @__VERIFIER_atomic_end()");
            }
            2 | 3 if shape.loops => self.waiting_loop(),
            4 if shape.assumptions => self.assumption(),
            5 | 6 => self.assertion(),
            7 if depth == 0 => {
                let condition = self.compare();
                self.when(&condition, |this| this.statement(1));
            }
            _ => self.access(),
        }
    }

    fn assumption(&mut self) {
        let condition = self.compare();
        let number = self.value(&format!("zext i1 {condition} to i32"));
        self.line(&format!("call void @fp_assume(i32 {number})"));
    }

    fn assertion(&mut self) {
        let [a, b] = [self.compare(), self.compare()];
        let both = self.value(&format!("and i1 {a}, {b}"));
        self.when(&both, |this| this.line("call void @abort()"));
    }
}

const HEAD: &str = "\
target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"
target triple = \"x86_64-pc-linux-gnu\"
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @fp_observe(ptr, i64)
declare void @fp_assume(i32)
declare void @abort()
declare void @__VERIFIER_atomic_begin()
declare void @__VERIFIER_atomic_end()
@c0 = global i32 0, align 4
@c1 = global i32 0, align 4
@n0 = private constant [2 x i8] c\"a\\00\"
@n1 = private constant [2 x i8] c\"b\\00\"
@n2 = private constant [2 x i8] c\"x\\00\"
@n3 = private constant [2 x i8] c\"y\\00\"
";

/// A program of two threads, and what it is like.
fn generate(random: &mut Random, shape: Shape) -> String {
    let mut text = HEAD.to_owned();
    for thread in 0..2 {
        let statements = 2 + random.below(3);
        let mut body = Body {
            text: "entry:\n".to_owned(),
            names: 0,
            random,
            shape,
        };
        for register in (0..REGISTERS)
            .map(|r| format!("%r{r}"))
            .chain(["%own".to_owned()])
        {
            body.line(&format!("{register} = alloca i32, align 4"));
            body.line(&format!("store i32 0, ptr {register}, align 4"));
        }
        for _ in 0..statements {
            body.statement(0);
        }
        let [a, b] = [0, 1].map(|r| body.value(&format!("load i32, ptr %r{r}, align 4")));
        let high = body.value(&format!("mul i32 {b}, 8"));
        let sum = body.value(&format!("add i32 {a}, {high}"));
        let wide = body.value(&format!("zext i32 {sum} to i64"));
        let result = body.value(&format!("inttoptr i64 {wide} to ptr"));
        body.line(&format!("ret ptr {result}"));
        let _ = write!(
            text,
            "\ndefine ptr @t{thread}(ptr %argument) {{\n{}}}\n",
            body.text
        );
    }
    text + "
define i32 @main() {
  %h0 = alloca i64, align 8
  %h1 = alloca i64, align 8
  %result = alloca i64, align 8
  call i32 @pthread_create(ptr %h0, ptr null, ptr @t0, ptr null)
  call i32 @pthread_create(ptr %h1, ptr null, ptr @t1, ptr null)
  %a = load i64, ptr %h0, align 8
  call i32 @pthread_join(i64 %a, ptr %result)
  %ra = load i64, ptr %result, align 8
  call void @fp_observe(ptr @n0, i64 %ra)
  %b = load i64, ptr %h1, align 8
  call i32 @pthread_join(i64 %b, ptr %result)
  %rb = load i64, ptr %result, align 8
  call void @fp_observe(ptr @n1, i64 %rb)
  %x = load atomic i32, ptr @c0 monotonic, align 4
  %wx = zext i32 %x to i64
  call void @fp_observe(ptr @n2, i64 %wx)
  %y = load atomic i32, ptr @c1 monotonic, align 4
  %wy = zext i32 %y to i64
  call void @fp_observe(ptr @n3, i64 %wy)
  ret i32 0
}
"
}

/// What is compared of a result: whether something fails, if that is known, and the outcomes.
#[derive(Clone, PartialEq, Eq)]
struct Answer {
    fails: Option<bool>,
    outcomes: BTreeSet<Vec<Word>>,
}

fn answer(result: &ModelResult) -> Answer {
    let fails = match &result.violation {
        None => Some(false),
        // The first violation that is found is told; others may be hidden by it.
        Some(Violation::Deadlock(_)) => None,
        Some(Violation::Fault { fault, .. }) => Some(fault.kind != FaultKind::Endless),
        Some(_) => Some(true),
    };
    Answer {
        fails,
        outcomes: result.outcomes.iter().map(|o| o.0.clone()).collect(),
    }
}

fn by_states(program: &Program, model: Model) -> Option<Answer> {
    let options = states::Options {
        stop_at_violation: false,
        explain: false,
        control: Control::default().with_states(Some(100_000)),
        ..states::Options::default()
    };
    let result = states::run(program, model, &options).ok()?;
    let complete = |bound: &Bound| matches!(bound, Bound::Waiting | Bound::Lifetimes);
    result.bounds.iter().all(complete).then(|| answer(&result))
}

fn by_sat(program: &Program, model: Model) -> Option<Answer> {
    let options = Options {
        control: Control::default().with_time(Some(Duration::from_secs(5))),
        most_iterations: 4,
        ..Options::default()
    };
    let result = solve::run(program, model, &options, true).ok()?;
    let complete = |bound: &Bound| {
        matches!(
            bound,
            Bound::Waiting | Bound::Lifetimes | Bound::NoExecution
        )
    };
    result.bounds.iter().all(complete).then(|| answer(&result))
}

/// Compares; whether something was compared.
fn check(program: &Program, shape: Shape) -> Result<bool, String> {
    let mut compared = false;
    let mut stronger: Option<(Model, Answer)> = None;
    for model in Model::ALL {
        let Some(found) = by_sat(program, model) else {
            continue;
        };
        if let Some((other, before)) = &stronger {
            if before.fails == Some(true) && found.fails == Some(false) {
                return Err(format!("fails under {other}, not under {model}"));
            }
            if let Some(missing) = before.outcomes.difference(&found.outcomes).next() {
                return Err(format!("{missing:?} under {other}, not under {model}"));
            }
        }
        if model.has_machine()
            && let Some(expected) = by_states(program, model)
        {
            compared = true;
            // Where an assumption fails, a machine may not see what happens beside it.
            let more = shape.assumptions && found.fails == Some(true);
            if expected.fails.is_some() && found.fails != expected.fails && !more {
                return Err(format!(
                    "{model}: fails is {:?}, not {:?}",
                    found.fails, expected.fails
                ));
            }
            if found.outcomes != expected.outcomes {
                let missing: Vec<_> = expected.outcomes.difference(&found.outcomes).collect();
                let extra: Vec<_> = found.outcomes.difference(&expected.outcomes).collect();
                return Err(format!("{model}: missing {missing:?}, extra {extra:?}"));
            }
        }
        stronger = Some((model, found));
    }
    Ok(compared)
}

fn for_all(shape: Shape, seed: u64, least: u64) {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases: u64 = asked("FENCEPOST_HOSTILE").unwrap_or(20);
    let more: u64 = asked("FENCEPOST_SEED").unwrap_or(1);
    let seed = seed ^ more.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let mut compared = 0;
    for case in 0..cases {
        let text = generate(&mut random, shape);
        let source = Source::new("hostile.ll", text.clone());
        let program = match frontend::read_llvm(&source) {
            Ok(program) => program,
            Err(complaint) => panic!("{complaint}\n{text}"),
        };
        match check(&program, shape) {
            Ok(some) => compared += u64::from(some),
            Err(complaint) => panic!("case {case}: {complaint}\n{text}"),
        }
    }
    assert!(compared * least >= cases, "{compared} of {cases} compared");
}

#[test]
fn orders_of_exchanges() {
    for_all(
        Shape {
            sections: false,
            loops: false,
            assumptions: false,
        },
        11,
        2,
    );
}

#[test]
fn sections_with_fences() {
    for_all(
        Shape {
            sections: true,
            loops: false,
            assumptions: false,
        },
        12,
        2,
    );
}

#[test]
fn threads_that_hang_while_others_fail() {
    for_all(
        Shape {
            sections: false,
            loops: true,
            assumptions: false,
        },
        13,
        4,
    );
}

#[test]
fn assumptions_beside_failures() {
    for_all(
        Shape {
            sections: true,
            loops: true,
            assumptions: true,
        },
        14,
        4,
    );
}
