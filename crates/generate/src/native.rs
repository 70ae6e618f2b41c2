//! X86 tests run on the processor: what is observed must be among the outcomes for TSO.
//!
//! Many tests are assembled into one executable (`assembly`) with a harness in C
//! (`harness.c`). There are many instances of a test's locations, each on cache lines of its own, below
//! 4 GB so that 32-bit registers can hold addresses. Threads stay on different cores as far as there are
//! so many; two threads meet before each instance, and start a few instructions apart, by random.
//!
//! Only tests that end are run, that is without loops that wait.

use crate::instruction::{
    Instruction, Language, Memory, Operand, Register, Registers, SLOTS, size_word,
};
use crate::test::{Initial, Location, Test};
use program::{Address, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Bytes from one location to the next.
const LINE: usize = 64;
/// What the harness adds to the offset of an address, to tell it from a number.
const ADDRESS: u64 = 0xadd7 << 48;

/// What the processor showed of a test.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// How often each combination of values was seen, in the order of
    /// [`Test::observed_names`].
    pub outcomes: BTreeMap<Vec<u64>, u64>,
    /// How often the test was run.
    pub runs: u64,
}

impl Observed {
    /// An outcome that is not among these.
    pub fn beyond(&self, known: &BTreeSet<Vec<u64>>) -> Option<&Vec<u64>> {
        self.outcomes
            .keys()
            .find(|outcome| !known.contains(*outcome))
    }
}

/// Whether a test can be assembled, ends, and has all its outcomes listed.
pub fn is_native(test: &Test) -> bool {
    test.language == Language::X86
        && test.statements.filter.is_none()
        && !test.spins
        && test.registers == Registers::default()
        && test.threads.len() <= 3
        && test.instructions().all(is_encodable)
        && named_locations(test).all(|name| test.locations.iter().any(|l| l.name == name))
}

/// The locations that the code and the initial state name.
fn named_locations(test: &Test) -> impl Iterator<Item = &str> {
    let operands = test.instructions().flat_map(|one| &one.operands);
    let in_code = operands.filter_map(|operand| match operand {
        Operand::Address(name) => Some(name.as_str()),
        Operand::Memory(memory) => memory.location.as_deref(),
        _ => None,
    });
    let registers = test.initial.iter().map(|(_, _, value)| value);
    let values = test.locations.iter().flat_map(|location| &location.initial);
    let addresses = registers.chain(values).filter_map(|value| match value {
        Initial::Address(name) => Some(name.as_str()),
        Initial::Number(_) => None,
    });
    in_code.chain(addresses)
}

/// The second byte of a register cannot stand beside registers that came with 64 bits.
fn is_encodable(instruction: &Instruction) -> bool {
    let registers = instruction.registers();
    let high = registers.iter().any(|register| register.high);
    let new = |register: &Register| register.slot > 5 || (register.slot > 3 && register.bits == 8);
    let indexed = instruction
        .memory()
        .is_some_and(|memory| memory.location.is_some() && !memory.registers.is_empty());
    !(high && (indexed || registers.iter().any(new)))
}

/// Runs tests that [are native](is_native), each for about so long. Where one does not end,
/// there is nothing.
pub fn run(
    tests: &[&Test],
    each: Duration,
    directory: &Path,
) -> Result<Vec<Option<Observed>>, String> {
    let text = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(directory).map_err(text)?;
    let mut main = include_str!("harness.c").to_owned();
    let mut assembly = ".intel_syntax noprefix\n.text\n".to_owned();
    let mut table = String::new();
    for (number, test) in tests.iter().enumerate() {
        let assembler = Assembler { test, number };
        main.push_str(&assembler.declarations());
        let _ = writeln!(table, "    {},", assembler.row());
        for thread in 0..test.threads.len() {
            assembly.push_str(&assembler.thread(thread));
        }
    }
    assembly.push_str(".section .note.GNU-stack,\"\",@progbits\n");
    let _ = write!(
        main,
        "static const struct test tests[] = {{\n{table}}};\nint main(int count, char **words) {{ (void)count; return run_all(tests, atoi(words[1]), {}, {}); }}\n",
        tests.len(),
        each.as_micros(),
    );
    std::fs::write(directory.join("main.c"), main).map_err(text)?;
    std::fs::write(directory.join("tests.s"), assembly).map_err(text)?;
    let compiled = Command::new("gcc")
        .args(["-O1", "-w", "-pthread", "main.c", "tests.s", "-o", "tests"])
        .current_dir(directory)
        .output()
        .map_err(|error| format!("cannot run gcc: {error}"))?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut found: Vec<Option<Observed>> = tests.iter().map(|_| None).collect();
    let mut first = 0;
    while first < tests.len() {
        for line in execute(&directory.join("tests"), first, each)?.lines() {
            take(line, tests, &mut found);
        }
        // One that crashed or did not end keeps those after it from being run.
        let stuck = found[first..].iter().position(Option::is_none);
        first = stuck.map_or(tests.len(), |stuck| first + stuck + 1);
    }
    Ok(found)
}

/// Takes a line: the test, how often, and the observed values.
fn take(line: &str, tests: &[&Test], found: &mut [Option<Observed>]) {
    let words = line.split_whitespace();
    let numbers: Vec<u64> = words
        .filter_map(|word| u64::from_str_radix(word, 16).ok())
        .collect();
    let [index, runs, values @ ..] = &numbers[..] else {
        return;
    };
    let test = tests[*index as usize];
    if values.len() != test.observed_names().len() {
        return;
    }
    let values = values.iter().map(|value| word(test, *value)).collect();
    let own = found[*index as usize].get_or_insert_default();
    own.runs += runs;
    *own.outcomes.entry(values).or_default() += runs;
}

/// A value as the program representation has it: addresses are other numbers there.
fn word(test: &Test, value: u64) -> u64 {
    let offset = (value ^ ADDRESS) as usize;
    let Some(location) = test
        .locations
        .get(offset / LINE)
        .filter(|_| value >> 48 == 0xadd7)
    else {
        return value;
    };
    let program = frontend::read(&program::Source::new("test.litmus", test.text()));
    let object = program
        .ok()
        .and_then(|program: Program| program.object_named(&location.name));
    object.map_or(value, |object| {
        let address = Address {
            object,
            offset: (offset % LINE) as u32,
        };
        address.to_word()
    })
}

/// Runs the executable from a test on; what it printed before it was done, or was stopped since no
/// test ended for long.
fn execute(program: &Path, first: usize, each: Duration) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    let output = program.with_extension("out");
    let mut child = Command::new(program)
        .arg(first.to_string())
        .stdout(std::fs::File::create(&output).map_err(text)?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(text)?;
    let limit = each * 20 + Duration::from_secs(20);
    let mut ended = Instant::now();
    let mut printed = 0;
    while let Ok(None) = child.try_wait() {
        let length = std::fs::metadata(&output).map_err(text)?.len();
        if length > printed {
            (printed, ended) = (length, Instant::now());
        }
        if ended.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::read_to_string(&output).map_err(text)
}

/// Writes one test. `RBP` holds the address of the locations, `R14` and `R15` are spare.
struct Assembler<'a> {
    test: &'a Test,
    number: usize,
}

impl Assembler<'_> {
    fn offset(&self, name: &str) -> usize {
        let named = |location: &Location| location.name == name;
        LINE * self.test.locations.iter().position(named).unwrap_or(0)
    }

    /// The function that puts the locations back, and those of the threads.
    fn declarations(&self) -> String {
        let number = self.number;
        let mut text = format!("static void setup{number}(char *at) {{\n");
        for location in &self.test.locations {
            let bytes = location.bits as usize / 8;
            for cell in 0..location.cells.unwrap_or(1) {
                let value = match location.initial.get(cell) {
                    None => "0".to_owned(),
                    Some(Initial::Number(value)) => value.to_string(),
                    Some(Initial::Address(name)) => {
                        format!("(uint64_t)(at + {})", self.offset(name))
                    }
                };
                let place = self.offset(&location.name) + cell * bytes;
                let bits = location.bits;
                let _ = writeln!(text, "    *(uint{bits}_t *)(at + {place}) = {value};");
            }
        }
        text.push_str("}\n");
        for thread in 0..self.test.threads.len() {
            let _ = writeln!(text, "extern thread_code t{number}_{thread};");
        }
        text
    }

    /// The row of the table: threads, and what is observed.
    fn row(&self) -> String {
        let number = self.number;
        let count = self.test.threads.len();
        let threads: Vec<String> = (0..count).map(|at| format!("t{number}_{at}")).collect();
        let mut places: Vec<(String, usize, u32)> = Vec::new();
        for location in &self.test.locations {
            for (cell, name) in location.cell_names().into_iter().enumerate() {
                let place = self.offset(&location.name) + cell * location.bits as usize / 8;
                places.push((name, place, location.bits));
            }
        }
        places.sort();
        let cells = places
            .iter()
            .map(|(_, place, bits)| format!("{{{bits}, {place}}}"));
        let registers = self.test.observed.iter();
        let registers = registers.map(|(thread, slot)| format!("{{0, {}}}", thread * SLOTS + slot));
        let observed: Vec<String> = cells.chain(registers).collect();
        format!(
            "{{setup{number}, {count}, {{{}}}, {}, {}, {{{}}}}}",
            threads.join(", "),
            LINE * self.test.locations.len(),
            observed.len(),
            observed.join(", "),
        )
    }

    /// The code of a thread, as a function of the locations and of where registers go.
    fn thread(&self, thread: usize) -> String {
        let name = format!("t{}_{thread}", self.number);
        let mut text = format!(
            ".globl {name}\n{name}:\n push rbx\n push rbp\n push r14\n push r15\n push rsi\n mov rbp,rdi\n"
        );
        // All flags are clear after this.
        text.push_str(" xor eax,eax\n inc eax\n");
        for slot in 0..SLOTS {
            let given = self.test.initial.iter();
            let mut given =
                given.filter(|(of, register, _)| *of == thread && register.slot == slot);
            let register = native(Register::new(slot, 64));
            let _ = match given.next() {
                None => writeln!(text, " mov {register},0"),
                Some((_, at, Initial::Number(value))) => {
                    let value = *value as u64 & (u64::MAX >> (64 - at.bits));
                    writeln!(text, " movabs {register},{value}")
                }
                Some((_, _, Initial::Address(name))) => {
                    writeln!(text, " lea {register},[rbp+{}]", self.offset(name))
                }
            };
        }
        for line in &self.test.threads[thread] {
            for label in &line.labels {
                let _ = writeln!(text, ".L{name}_{label}:");
            }
            if let Some(instruction) = &line.instruction {
                self.instruction(instruction, &name, &mut text);
            }
        }
        text.push_str(" mov r15,[rsp]\n");
        for slot in 0..SLOTS {
            let register = native(Register::new(slot, 64));
            let _ = writeln!(text, " mov [r15+{}],{register}", 8 * slot);
        }
        text.push_str(" add rsp,8\n pop r15\n pop r14\n pop rbp\n pop rbx\n ret\n");
        text
    }

    fn instruction(&self, one: &Instruction, function: &str, text: &mut String) {
        let address = one.operands.iter().find_map(|operand| match operand {
            Operand::Address(name) => Some(self.offset(name)),
            _ => None,
        });
        let to_register = matches!(one.operands.first(), Some(Operand::Register(_)));
        if let (Some(offset), true) = (address, to_register) {
            if let Some(Operand::Register(register)) = one.operands.first() {
                let _ = writeln!(text, " lea {},[rbp+{offset}]", native(*register));
            }
            return;
        }
        if let Some(offset) = address {
            let _ = writeln!(text, " lea r14,[rbp+{offset}]");
        }
        let with_size = one.mnemonic != "LEA";
        let mut operands: Vec<String> = Vec::new();
        for operand in &one.operands {
            operands.push(match operand {
                Operand::Register(register) => native(*register),
                Operand::Number(number) => number.to_string(),
                Operand::Address(_) => "r14".to_owned(),
                Operand::Memory(memory) => self.memory(memory, with_size, text),
                Operand::Label(label) => format!(".L{function}_{label}"),
                Operand::Orderings(_) | Operand::Zero => String::new(),
            });
        }
        // The assembler wants memory first beside `LOCK`.
        if one.mnemonic == "XCHG" && to_register && one.memory().is_some() {
            operands.reverse();
        }
        let lock = if one.lock { "lock " } else { "" };
        let mnemonic = one.mnemonic.to_ascii_lowercase();
        let _ = writeln!(text, " {lock}{mnemonic} {}", operands.join(","));
    }

    /// A memory operand; an index into a location is computed before the instruction.
    fn memory(&self, memory: &Memory, with_size: bool, text: &mut String) -> String {
        let mut summands: Vec<String> = Vec::new();
        let mut displacement = memory.displacement;
        match &memory.location {
            Some(name) => {
                summands.push("rbp".to_owned());
                displacement += self.offset(name) as i64;
                let mut before = "";
                for (register, scale) in &memory.registers {
                    let spare = if register.bits == 32 { "r14d" } else { "r14" };
                    let index = native(*register);
                    let plus = if before.is_empty() { "" } else { "+" };
                    let _ = writeln!(text, " lea {spare},[{before}{plus}{index}*{scale}]");
                    before = spare;
                }
                if !before.is_empty() {
                    summands.push("r14".to_owned());
                }
            }
            None => {
                for (register, scale) in &memory.registers {
                    let name = native(*register);
                    summands.push(match scale {
                        1 => name,
                        _ => format!("{name}*{scale}"),
                    });
                }
            }
        }
        let size = match with_size {
            true => format!("{} PTR ", size_word(memory.bits)),
            false => String::new(),
        };
        format!("{size}[{}{displacement:+}]", summands.join("+"))
    }
}

fn native(register: Register) -> String {
    let name = register.name(Language::X86, &Registers::default());
    name.to_ascii_lowercase()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::instruction::DATA;
    use crate::test::{Layout, Line, Statements};

    /// Two threads store, then load what the other stores, with instructions in between.
    fn store_buffering(between: &[&str]) -> Test {
        let location = |name: &str| Location {
            name: name.to_owned(),
            bits: 32,
            cells: None,
            initial: Vec::new(),
            type_: Some("int".to_owned()),
        };
        let thread = |own: &str, other: &str| -> Vec<Line> {
            let memory = |name: &str| Operand::Memory(Memory::named(name, 32));
            let register = Operand::Register(Register::new(DATA[0], 32));
            let store = Instruction::new("MOV", vec![memory(own), Operand::Number(1)]);
            let load = Instruction::new("MOV", vec![register, memory(other)]);
            let between = between.iter().map(|name| Instruction::bare(*name));
            let all = std::iter::once(store).chain(between);
            all.chain([load]).map(Line::from).collect()
        };
        let mut test = Test {
            language: Language::X86,
            locations: vec![location("x"), location("y")],
            initial: Vec::new(),
            threads: vec![thread("x", "y"), thread("y", "x")],
            statements: Statements::default(),
            spins: false,
            layout: Layout::Columns,
            order: vec![0, 1],
            registers: Registers::default(),
            parentheses: false,
            observed: Vec::new(),
        };
        test.observe();
        test
    }

    /// Store buffers show, and a fence hides them: the runs are effective, and compared with
    /// the right outcomes. One core alone shows nothing; on cores that are busy it takes longer.
    #[test]
    fn store_buffers_show_on_two_cores() {
        let tests = [store_buffering(&["NOP"]), store_buffering(&["MFENCE"])];
        let name = format!("fencepost-store-buffers-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let both: Vec<&Test> = tests.iter().collect();
        // x=1, y=1, and both registers 0.
        let buffered = vec![1, 1, 0, 0];
        let mut shown = [0, 0];
        for _ in 0..20 {
            let seen = run(&both, Duration::from_millis(300), &directory).expect("gcc is there");
            for (index, (test, seen)) in tests.iter().zip(&seen).enumerate() {
                let judged = check(test, 0, 0).expect("engines agree");
                let seen = seen.as_ref().expect("it ends");
                assert_eq!(seen.beyond(&judged.tso.expect("it ends")), None);
                shown[index] += seen.outcomes.get(&buffered).copied().unwrap_or(0);
            }
            if shown[0] > 0 {
                break;
            }
        }
        let _ = std::fs::remove_dir_all(&directory);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(shown[0] > 0 || cores < 2);
        assert_eq!(shown[1], 0);
    }
}
