//! Sketches as LLVM IR.
//!
//! Registers are locals whose address stays at home. A thread returns a number made from all
//! its registers, which `main` observes when it joins the thread, so that outcomes tell what
//! was loaded without a step that other threads could notice.

use crate::sketch::{
    CELLS, Guard, Note, Operation, Order, Part, Place, REGISTERS, Sketch, Statement, Value,
};
use program::{Program, Source};
use std::fmt::Write;

/// The program of a sketch.
pub fn program(sketch: &Sketch) -> Program {
    let text = text(sketch);
    let source = Source::new("sketch.ll", text.clone());
    match frontend::read_llvm(&source) {
        Ok(program) => program,
        Err(complaint) => panic!("{complaint}\n{text}"),
    }
}

/// The text of a sketch.
pub fn text(sketch: &Sketch) -> String {
    let mut text = DECLARATIONS.to_owned();
    let _ = writeln!(text, "@cells = global [{CELLS} x i32] zeroinitializer");
    let names = observed(sketch);
    for (number, name) in names.iter().enumerate() {
        let length = name.len() + 1;
        let _ = writeln!(
            text,
            "@name{number} = private constant [{length} x i8] c\"{name}\\00\""
        );
    }
    for (number, thread) in sketch.threads.iter().enumerate() {
        let mut body = Body::new();
        body.publishes = number == 0;
        body.registers();
        let child = sketch.children.get(number).filter(|it| !it.is_empty());
        if let Some(child) = child {
            text += &child_of(number, child);
            body.start_child(number);
        }
        body.statements(thread);
        if child.is_some() {
            body.join_child();
        }
        let result = body.result();
        let pointer = body.value(format!("inttoptr i64 {result} to ptr"));
        body.line(format!("ret ptr {pointer}"));
        let _ = write!(
            text,
            "\ndefine ptr @t{number}(ptr %argument) {{\n{}}}\n",
            body.text
        );
    }
    let _ = write!(text, "\ndefine i32 @main() {{\n{}}}\n", main(sketch).text);
    text
}

/// The function of the thread that a thread starts.
fn child_of(number: usize, statements: &[Statement]) -> String {
    let mut body = Body::new();
    body.registers();
    body.statements(statements);
    let result = body.result();
    let pointer = body.value(format!("inttoptr i64 {result} to ptr"));
    body.line(format!("ret ptr {pointer}"));
    format!(
        "\ndefine ptr @child{number}(ptr %argument) {{\n{}}}\n",
        body.text
    )
}

/// The names of what is observed, in order.
fn observed(sketch: &Sketch) -> Vec<String> {
    if !sketch.joins {
        return Vec::new();
    }
    let threads = (0..sketch.threads.len()).map(|thread| format!("t{thread}"));
    let cells = 0..if sketch.forgets { 0 } else { CELLS };
    let cells = cells.map(|cell| format!("c{cell}"));
    threads.chain(["main".to_owned()]).chain(cells).collect()
}

const DECLARATIONS: &str = "\
target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"
target triple = \"x86_64-pc-linux-gnu\"
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_spin_lock(ptr)
declare i32 @pthread_spin_unlock(ptr)
declare i32 @pthread_rwlock_rdlock(ptr)
declare i32 @pthread_rwlock_wrlock(ptr)
declare i32 @pthread_rwlock_trywrlock(ptr)
declare i32 @pthread_rwlock_unlock(ptr)
declare i32 @sem_init(ptr, i32, i32)
declare i32 @sem_post(ptr)
declare i32 @sem_wait(ptr)
declare i32 @pthread_barrier_init(ptr, ptr, i32)
declare i32 @pthread_barrier_wait(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare void @fp_observe(ptr, i64)
declare void @fp_assume(i32)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare void @abort()
declare void @__VERIFIER_atomic_begin()
declare void @__VERIFIER_atomic_end()
@mutex0 = global [40 x i8] zeroinitializer, align 8
@mutex1 = global [40 x i8] zeroinitializer, align 8
@spin = global i32 0, align 4
@rw = global [56 x i8] zeroinitializer, align 8
@semaphore = global [32 x i8] zeroinitializer, align 8
@barrier = global [32 x i8] zeroinitializer, align 8
@object = global ptr null, align 8
@condition = global [48 x i8] zeroinitializer, align 8
@lock = global i32 0, align 4
define i32 @look(ptr %place) {
entry:
  %value = load atomic i32, ptr %place monotonic, align 4
  ret i32 %value
}
";

fn main(sketch: &Sketch) -> Body {
    let mut body = Body::new();
    body.registers();
    let threads = 0..sketch.threads.len();
    for thread in threads.clone() {
        body.line(format!("%handle{thread} = alloca i64, align 8"));
    }
    body.line("%result = alloca ptr, align 8".to_owned());
    body.line("call i32 @sem_init(ptr @semaphore, i32 0, i32 0)".to_owned());
    body.line("call i32 @pthread_barrier_init(ptr @barrier, ptr null, i32 2)".to_owned());
    for thread in threads.clone() {
        body.line(format!(
            "call i32 @pthread_create(ptr %handle{thread}, ptr null, ptr @t{thread}, ptr null)"
        ));
    }
    body.statements(&sketch.main);
    if sketch.joins {
        for thread in threads.clone() {
            let handle = body.value(format!("load i64, ptr %handle{thread}, align 8"));
            body.line(format!("call i32 @pthread_join(i64 {handle}, ptr %result)"));
            let result = body.value("load i64, ptr %result, align 8".to_owned());
            body.observe(thread, &result);
        }
        let result = body.result();
        body.observe(threads.len(), &result);
        for cell in 0..if sketch.forgets { 0 } else { CELLS } {
            let place = Place::of(cell);
            let word = body.load(place, Order::Plain);
            let word = body.value(format!("zext i32 {word} to i64"));
            body.observe(threads.len() + 1 + usize::from(cell), &word);
        }
    }
    body.line("ret i32 0".to_owned());
    body
}

impl Place {
    /// A whole cell.
    pub fn of(cell: u8) -> Place {
        Place {
            cell,
            index: None,
            part: Part::Whole,
        }
    }
}

impl Part {
    fn offset(self) -> u8 {
        u8::from(self == Part::Second)
    }

    fn kind(self) -> &'static str {
        match self {
            Part::Whole => "i32",
            Part::Half => "i16",
            Part::First | Part::Second => "i8",
        }
    }

    fn alignment(self) -> u8 {
        match self {
            Part::Whole => 4,
            Part::Half => 2,
            Part::First | Part::Second => 1,
        }
    }
}

/// The body of a function in the making.
struct Body {
    text: String,
    /// Names of values and labels so far.
    names: u32,
    /// In so many bodies of the first mutex.
    holds: u32,
    /// It is the first thread's, which makes objects.
    publishes: bool,
}

impl Body {
    fn new() -> Self {
        Body {
            text: "entry:\n".to_owned(),
            names: 0,
            holds: 0,
            publishes: false,
        }
    }

    fn line(&mut self, line: String) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn call(&mut self, function: &str, object: &str) {
        self.line(format!("call i32 @{function}(ptr @{object})"));
    }

    /// A new name for a value or a label.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// Gives a name to what an instruction computes.
    fn value(&mut self, instruction: String) -> String {
        let name = self.name();
        self.line(format!("%{name} = {instruction}"));
        format!("%{name}")
    }

    /// Makes the registers.
    fn registers(&mut self) {
        if self.publishes {
            self.line("%count = call ptr @calloc(i64 1, i64 4)".to_owned());
            self.line("store i32 1, ptr %count, align 4".to_owned());
        }
        for register in 0..REGISTERS {
            self.line(format!("%r{register} = alloca i32, align 4"));
            self.line(format!("store i32 0, ptr %r{register}, align 4"));
        }
    }

    fn register(&mut self, register: u8) -> String {
        self.value(format!("load i32, ptr %r{register}, align 4"))
    }

    fn set(&mut self, register: u8, value: &str) {
        self.line(format!("store i32 {value}, ptr %r{register}, align 4"));
    }

    /// A number of 20 bits made from all registers.
    fn result(&mut self) -> String {
        let mut sum = "0".to_owned();
        for register in 0..REGISTERS {
            let register = self.register(register);
            sum = self.value(format!("mul i32 {sum}, 1021"));
            sum = self.value(format!("add i32 {sum}, {register}"));
        }
        let cut = self.value(format!("and i32 {sum}, 1048575"));
        self.value(format!("zext i32 {cut} to i64"))
    }

    fn observe(&mut self, number: usize, value: &str) {
        self.line(format!(
            "call void @fp_observe(ptr @name{number}, i64 {value})"
        ));
    }

    fn address(&mut self, place: Place) -> String {
        let offset = place.part.offset();
        let offset = match place.index {
            None => (4 * place.cell + offset).to_string(),
            Some(register) => {
                let index = self.register(register);
                let bit = self.value(format!("and i32 {index}, 1"));
                let bytes = self.value(format!("mul i32 {bit}, 4"));
                let bytes = self.value(format!("add i32 {bytes}, {offset}"));
                self.value(format!("zext i32 {bytes} to i64"))
            }
        };
        self.value(format!("getelementptr i8, ptr @cells, i64 {offset}"))
    }

    /// A value, cut to the width of a place.
    fn operand(&mut self, value: Value, part: Part) -> String {
        let mut word = value.constant.to_string();
        if let Some(register) = value.register {
            let register = self.register(register);
            word = self.value(format!("add i32 {register}, {word}"));
            if part != Part::Whole {
                word = self.value(format!("trunc i32 {word} to {}", part.kind()));
            }
        }
        word
    }

    /// A value of the width of a place, made as wide as a register.
    fn widened(&mut self, value: String, part: Part) -> String {
        match part {
            Part::Whole => value,
            _ => self.value(format!("zext {} {value} to i32", part.kind())),
        }
    }

    fn load(&mut self, place: Place, order: Order) -> String {
        let address = self.address(place);
        let (kind, alignment) = (place.part.kind(), place.part.alignment());
        let value = match order {
            Order::Plain => format!("load {kind}, ptr {address}, align {alignment}"),
            _ => {
                let order = ordered(order, "acquire");
                format!("load atomic {kind}, ptr {address} {order}, align {alignment}")
            }
        };
        let value = self.value(value);
        self.widened(value, place.part)
    }

    fn store(&mut self, place: Place, value: Value, order: Order) {
        let address = self.address(place);
        let value = self.operand(value, place.part);
        let (kind, alignment) = (place.part.kind(), place.part.alignment());
        self.line(match order {
            Order::Plain => format!("store {kind} {value}, ptr {address}, align {alignment}"),
            _ => {
                let order = ordered(order, "release");
                format!("store atomic {kind} {value}, ptr {address} {order}, align {alignment}")
            }
        });
    }

    fn start_child(&mut self, number: usize) {
        self.line("%child = alloca i64, align 8".to_owned());
        self.line("%returned = alloca ptr, align 8".to_owned());
        self.line(format!(
            "call i32 @pthread_create(ptr %child, ptr null, ptr @child{number}, ptr null)"
        ));
    }

    /// Joins the thread that was started; what it returned goes into a register.
    fn join_child(&mut self) {
        let handle = self.value("load i64, ptr %child, align 8".to_owned());
        self.line(format!(
            "call i32 @pthread_join(i64 {handle}, ptr %returned)"
        ));
        let result = self.value("load i64, ptr %returned, align 8".to_owned());
        let result = self.value(format!("trunc i64 {result} to i32"));
        let scaled = self.value(format!("mul i32 {result}, 7919"));
        let register = self.register(0);
        let sum = self.value(format!("add i32 {register}, {scaled}"));
        self.set(0, &sum);
    }

    /// A loop of compare-exchanges that add to a place.
    fn retry(
        &mut self,
        place: Place,
        value: u8,
        order: Order,
        (weak, reloads): (bool, bool),
        note: Note,
    ) {
        let own = self.value("call ptr @calloc(i64 1, i64 4)".to_owned());
        let (kind, alignment) = (place.part.kind(), place.part.alignment());
        let address = self.address(place);
        let load = format!("load atomic {kind}, ptr {address} monotonic, align {alignment}");
        let known = self.value(format!("alloca {kind}, align {alignment}"));
        if !reloads {
            let first = self.value(load.clone());
            self.line(format!(
                "store {kind} {first}, ptr {known}, align {alignment}"
            ));
        }
        let orders = [ordered(order, "acq_rel"), ordered(order, "acquire")].join(" ");
        let weak = if weak { "weak " } else { "" };
        self.repeat(|turn| {
            let old = match reloads {
                true => turn.value(load.clone()),
                false => turn.value(format!("load {kind}, ptr {known}, align {alignment}")),
            };
            let noted = match note {
                Note::Nothing => None,
                Note::Last | Note::Linked => Some(old.clone()),
                Note::Count => {
                    let before = turn.value(format!("load {kind}, ptr {own}, align {alignment}"));
                    Some(turn.value(format!("add {kind} {before}, 1")))
                }
            };
            if let Some(noted) = noted {
                turn.line(format!(
                    "store {kind} {noted}, ptr {own}, align {alignment}"
                ));
            }
            let new = turn.value(format!("add {kind} {old}, {value}"));
            let pair = turn.value(format!(
                "cmpxchg {weak}ptr {address}, {kind} {old}, {kind} {new} {orders}"
            ));
            if !reloads {
                let found = turn.value(format!("extractvalue {{ {kind}, i1 }} {pair}, 0"));
                turn.line(format!(
                    "store {kind} {found}, ptr {known}, align {alignment}"
                ));
            }
            let done = turn.value(format!("extractvalue {{ {kind}, i1 }} {pair}, 1"));
            turn.value(format!("xor i1 {done}, true"))
        });
        if note == Note::Linked {
            self.line(format!(
                "store atomic ptr {own}, ptr @object monotonic, align 8"
            ));
        } else {
            let noted = self.value(format!("load i32, ptr {own}, align 4"));
            self.set(0, &noted);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Load {
                target,
                place,
                order,
            } => {
                let value = self.load(*place, *order);
                self.set(*target, &value);
            }
            Statement::Store {
                place,
                value,
                order,
            } => self.store(*place, *value, *order),
            Statement::Update {
                target,
                adds,
                place,
                value,
                order,
            } => {
                let address = self.address(*place);
                let value = self.operand(*value, place.part);
                let operation = if *adds { "add" } else { "xchg" };
                let kind = place.part.kind();
                let order = ordered(*order, "acq_rel");
                let old = self.value(format!(
                    "atomicrmw {operation} ptr {address}, {kind} {value} {order}"
                ));
                let old = self.widened(old, place.part);
                self.set(*target, &old);
            }
            Statement::CompareExchange {
                target,
                place,
                expected,
                desired,
                order,
                weak,
            } => {
                let address = self.address(*place);
                let expected = self.operand(*expected, place.part);
                let desired = self.operand(*desired, place.part);
                let weak = if *weak { "weak " } else { "" };
                let kind = place.part.kind();
                let orders = [ordered(*order, "acq_rel"), ordered(*order, "acquire")].join(" ");
                let pair = self.value(format!(
                    "cmpxchg {weak}ptr {address}, {kind} {expected}, {kind} {desired} {orders}"
                ));
                let old = self.value(format!("extractvalue {{ {kind}, i1 }} {pair}, 0"));
                let old = self.widened(old, place.part);
                self.set(*target, &old);
            }
            Statement::Fence(order) => {
                let order = match order {
                    Order::Sequential => "seq_cst",
                    _ => "acq_rel",
                };
                self.line(format!("fence {order}"));
            }
            Statement::If {
                register,
                equal,
                constant,
                body,
            } => {
                let register = self.register(*register);
                let predicate = if *equal { "eq" } else { "ne" };
                let condition = self.value(format!("icmp {predicate} i32 {register}, {constant}"));
                self.branch(&condition, |inside| inside.statements(body));
            }
            Statement::Check {
                fails,
                register,
                constant,
            } => {
                let register = self.register(*register);
                let predicate = if *fails { "eq" } else { "ne" };
                let condition = self.value(format!("icmp {predicate} i32 {register}, {constant}"));
                if *fails {
                    self.branch(&condition, |inside| {
                        inside.line("call void @abort()".to_owned())
                    });
                } else {
                    let condition = self.value(format!("zext i1 {condition} to i32"));
                    self.line(format!("call void @fp_assume(i32 {condition})"));
                }
            }
            Statement::Guarded { guard, body } => self.guarded(*guard, body),
            Statement::Atomic { body } => {
                self.line("call void @__VERIFIER_atomic_begin()".to_owned());
                self.statements(body);
                self.line("call void @__VERIFIER_atomic_end()".to_owned());
            }
            Statement::Post => self.call("sem_post", "semaphore"),
            Statement::Wait => self.call("sem_wait", "semaphore"),
            Statement::Publish { .. } if !self.publishes => {}
            Statement::Publish {
                constant,
                order,
                again,
            } => {
                let object = self.value("call ptr @calloc(i64 1, i64 4)".to_owned());
                let write = |value: u8| {
                    format!("store atomic i32 {value}, ptr {object} monotonic, align 4")
                };
                self.line(write(*constant));
                let order = ordered(*order, "release");
                self.line(format!(
                    "store atomic ptr {object}, ptr @object {order}, align 8"
                ));
                if *again {
                    self.line(write(constant + 1));
                }
            }
            Statement::Count if !self.publishes => {}
            Statement::Count => {
                self.value("atomicrmw add ptr %count, i32 1 monotonic".to_owned());
            }
            Statement::Follow {
                target,
                writes,
                reads,
            } => {
                let object =
                    self.value("load atomic ptr, ptr @object monotonic, align 8".to_owned());
                let there = self.value(format!("icmp ne ptr {object}, null"));
                self.branch(&there, |inside| {
                    if *writes {
                        let at = format!("ptr {object} monotonic, align 4");
                        inside.line(format!("store atomic i32 5, {at}"));
                    }
                    if *reads {
                        let load = format!("load atomic i32, ptr {object} monotonic, align 4");
                        let value = inside.value(load);
                        inside.set(*target, &value);
                    }
                });
            }
            Statement::Barrier => self.call("pthread_barrier_wait", "barrier"),
            Statement::Sleep if self.holds == 0 => {}
            Statement::Sleep => {
                self.line("call i32 @pthread_cond_wait(ptr @condition, ptr @mutex0)".to_owned())
            }
            Statement::Wake { all: false } => self.call("pthread_cond_signal", "condition"),
            Statement::Wake { all: true } => self.call("pthread_cond_broadcast", "condition"),
            Statement::AwaitObject { constant } => {
                let object =
                    self.value("load atomic ptr, ptr @object monotonic, align 8".to_owned());
                let there = self.value(format!("icmp ne ptr {object}, null"));
                self.branch(&there, |inside| {
                    inside.repeat(|turn| {
                        let load = format!("load atomic i32, ptr {object} monotonic, align 4");
                        let value = turn.value(load);
                        turn.value(format!("icmp ne i32 {value}, {constant}"))
                    });
                });
            }
            Statement::Await { place, zero } => self.wait(*place, *zero),
            Statement::AwaitEqual { first, second } => self.repeat(|turn| {
                let address = turn.address(*first);
                let first = turn.value(format!("call i32 @look(ptr {address})"));
                let address = turn.address(*second);
                let second = turn.value(format!("call i32 @look(ptr {address})"));
                turn.value(format!("icmp ne i32 {first}, {second}"))
            }),
            Statement::Spinning {
                exchanges,
                order,
                body,
            } => {
                let (both, load) = (ordered(*order, "acq_rel"), ordered(*order, "acquire"));
                self.repeat(|turn| match exchanges {
                    true => {
                        let old = turn.value(format!("atomicrmw xchg ptr @lock, i32 1 {both}"));
                        turn.value(format!("icmp ne i32 {old}, 0"))
                    }
                    false => {
                        let pair = format!("cmpxchg ptr @lock, i32 0, i32 1 {both} {load}");
                        let pair = turn.value(pair);
                        let taken = turn.value(format!("extractvalue {{ i32, i1 }} {pair}, 1"));
                        turn.value(format!("xor i1 {taken}, true"))
                    }
                });
                self.statements(body);
                let release = ordered(*order, "release");
                self.line(format!("store atomic i32 0, ptr @lock {release}, align 4"));
            }
            Statement::Accumulate {
                operation,
                place,
                value,
                order,
            } => {
                let address = self.address(*place);
                let value = self.operand(*value, place.part);
                let operation = match operation {
                    Operation::Add => "add",
                    Operation::Sub => "sub",
                    Operation::Or => "or",
                    Operation::Xor => "xor",
                    Operation::Max => "max",
                };
                let kind = place.part.kind();
                let order = ordered(*order, "acq_rel");
                let old = self.value(format!(
                    "atomicrmw {operation} ptr {address}, {kind} {value} {order}"
                ));
                // As clang does for a call whose result is not used.
                let unused = self.value(format!("alloca {kind}, align 4"));
                self.line(format!("store {kind} {old}, ptr {unused}, align 4"));
                self.value(format!("load {kind}, ptr {unused}, align 4"));
            }
            Statement::Retry {
                place,
                value,
                order,
                weak,
                reloads,
                note,
            } => self.retry(*place, *value, *order, (*weak, *reloads), *note),
            Statement::Retire if !self.publishes => {}
            Statement::Retire => {
                let object = "load atomic ptr, ptr @object monotonic, align 8".to_owned();
                let object = self.value(object);
                self.line("store atomic ptr null, ptr @object monotonic, align 8".to_owned());
                self.line(format!("call void @free(ptr {object})"));
            }
        }
    }

    /// Runs what `inside` writes if the condition holds.
    fn branch(&mut self, condition: &str, inside: impl FnOnce(&mut Self)) {
        let (then, after) = (self.name(), self.name());
        self.line(format!("br i1 {condition}, label %{then}, label %{after}"));
        self.label(&then);
        inside(self);
        self.line(format!("br label %{after}"));
        self.label(&after);
    }

    fn guarded(&mut self, guard: Guard, body: &[Statement]) {
        let (lock, unlock, object) = match guard {
            Guard::Mutex(second) => ("mutex_lock", "mutex_unlock", mutex(second)),
            Guard::TryMutex(second) => ("mutex_trylock", "mutex_unlock", mutex(second)),
            Guard::Spin => ("spin_lock", "spin_unlock", "spin"),
            Guard::Read => ("rwlock_rdlock", "rwlock_unlock", "rw"),
            Guard::Write => ("rwlock_wrlock", "rwlock_unlock", "rw"),
            Guard::TryWrite => ("rwlock_trywrlock", "rwlock_unlock", "rw"),
        };
        let code = self.value(format!("call i32 @pthread_{lock}(ptr @{object})"));
        let taken = self.value(format!("icmp eq i32 {code}, 0"));
        let holds = u32::from(object == mutex(false));
        self.branch(&taken, |inside| {
            inside.holds += holds;
            inside.statements(body);
            inside.holds -= holds;
            inside.call(&format!("pthread_{unlock}"), object);
        });
    }

    /// A loop that ends when a place is not zero, or is.
    fn wait(&mut self, place: Place, zero: bool) {
        self.repeat(|turn| {
            let value = turn.load(place, Order::Relaxed);
            let predicate = if zero { "ne" } else { "eq" };
            turn.value(format!("icmp {predicate} i32 {value}, 0"))
        });
    }

    /// Repeats what `turn` writes as long as the condition that it returns holds.
    fn repeat(&mut self, turn: impl FnOnce(&mut Self) -> String) {
        let (start, after) = (self.name(), self.name());
        self.line(format!("br label %{start}"));
        self.label(&start);
        let again = turn(self);
        self.line(format!("br i1 {again}, label %{start}, label %{after}"));
        self.label(&after);
    }
}

fn mutex(second: bool) -> &'static str {
    if second { "mutex1" } else { "mutex0" }
}

/// The name of an order, where `both` is what acquire and release are called.
fn ordered(order: Order, both: &'static str) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "monotonic",
        Order::Ordered => both,
        Order::Sequential => "seq_cst",
    }
}
