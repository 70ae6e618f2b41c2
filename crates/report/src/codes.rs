//! The kinds of violations: each with a number for users to look up, what it means, what usually helps, and a program that
//! has it. `fencepost explain` prints them; tests check every example.

use answer::Violation;
use std::fmt;

/// A kind of violations.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Its number, which it keeps for ever.
    pub number: u16,
    /// Its name in JSON: the `kind` of a violation.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What usually helps.
    pub remedy: &'static str,
    /// A program that has it.
    pub example: &'static str,
    /// The command that finds it, with `FILE` for the program; its extension is that of the file.
    pub command: &'static str,
}

macro_rules! codes {
    ($($number:literal $name:literal $title:literal $meaning:literal $remedy:literal $command:literal $example:literal,)*) => {
        /// Every kind, by number.
        pub const CODES: &[Code] = &[$(Code {
            number: $number,
            name: $name,
            title: $title,
            meaning: $meaning,
            remedy: $remedy,
            command: $command,
            example: include_str!($example),
        },)*];
    };
}

codes! {
    1 "assertion" "an assertion fails"
        "The condition of an `assert` is false in some execution that the memory model allows."
        "If sequential consistency does not have the violation, a fence or a stronger memory order is missing: the report names \
         the accesses that it has to keep in order, and `fencepost fences` finds a cheapest set. Otherwise the algorithm itself \
         is wrong, or the assertion asks for too much."
        "fencepost check FILE.c" "../../../tests/c/explore/lost_update.c",
    2 "abort" "the program aborts"
        "`abort`, `reach_error` or a trap is reached."
        "Read the execution backwards from the call, to the branch that led to it."
        "fencepost check FILE.c" "../../../tests/c/errors/abort_is_judged.c",
    3 "deadlock" "deadlock"
        "No thread can go on, and not all have ended: each waits for a lock, a wake-up, a value or another thread that never comes."
        "Take locks in one order everywhere. Wait on a condition variable in a loop that checks what it waits for, and change that \
         under the mutex before the signal. Join only threads that end."
        "fencepost check FILE.c" "../../../tests/c/errors/deadlock_ab_ba.c",
    4 "race" "data race"
        "Two threads access the same location, at least one writes, at least one access is not atomic, and nothing orders one \
         before the other. C gives such a program no meaning."
        "Protect both accesses by the same lock, or make them atomic. A relaxed atomic flag does not order what it announces: \
         store it with release, load it with acquire."
        "fencepost check --races FILE.c" "../../../tests/c/errors/race_plain.c",
    5 "null" "access through a null pointer"
        "A pointer is null where it is dereferenced."
        "Check the pointer, or find the store that should have set it: under a weak memory model a pointer may be seen before what \
         it points to is initialised."
        "fencepost check FILE.c" "../../../tests/c/errors/null_pointer.c",
    6 "wild" "access to where nothing is"
        "The address belongs to no object of the program."
        "Look where the pointer comes from. Addresses of devices and other fixed addresses do not exist here: use a variable in their place."
        "fencepost check FILE.c" "codes/wild.c",
    7 "dangling" "use after free"
        "The object was freed, or went out of scope, before this access."
        "Free only what no thread can reach any more: unlink first, then wait until no reader is left, then free."
        "fencepost check FILE.c" "../../../tests/c/errors/use_after_free.c",
    8 "out-of-bounds" "access outside an object"
        "The pointer points to an object, and the access is before its first byte or behind its last."
        "Check the index. With several threads, check that it is read once, not once for the check and again for the access."
        "fencepost check FILE.c" "../../../tests/c/errors/out_of_bounds.c",
    9 "misaligned" "misaligned access"
        "The address is no multiple of the alignment of the type that is accessed."
        "Copy the bytes with `memcpy`, or align the object."
        "fencepost check FILE.c" "../../../tests/c/errors/misaligned.c",
    10 "read-only" "write to a constant"
        "The program writes to a constant, a string literal or code."
        "Copy it to an object of your own."
        "fencepost check FILE.c" "../../../tests/c/errors/write_to_constant.c",
    11 "double-free" "double free"
        "The object was freed already."
        "Decide which thread owns the object. An exchange that takes the pointer and leaves null lets only one thread free it."
        "fencepost check FILE.c" "../../../tests/c/errors/double_free.c",
    12 "invalid-free" "free of what was not allocated"
        "`free` or `realloc` gets a pointer that no allocation returned."
        "Keep the pointer that `malloc` returned: one into the middle of an object cannot be freed."
        "fencepost check FILE.c" "../../../tests/c/errors/invalid_free.c",
    13 "uninitialised" "use of an uninitialised value"
        "A branch, an address or a library function depends on a value that was never written."
        "Initialise the object. If another thread does that, the load is not ordered behind it: a release store and an acquire load, or a \
         fence, are missing."
        "fencepost check FILE.c" "../../../tests/c/errors/uninitialised_branch.c",
    14 "division" "division without a result"
        "The divisor is zero, or the quotient does not fit its type."
        "Check the divisor before."
        "fencepost check FILE.c" "../../../tests/c/errors/division_by_zero.c",
    15 "misuse" "misuse of the library"
        "A mutex, a condition variable, a barrier, a semaphore or another function of the library is used as its specification forbids."
        "Initialise the object before its first use, unlock only what the thread has locked, destroy only what nobody uses."
        "fencepost check FILE.c" "../../../tests/c/errors/unlock_not_held.c",
    16 "bad-call" "call through a pointer to something else"
        "The pointer points to no function, or to one of another type."
        "Look where the pointer comes from."
        "fencepost check FILE.c" "../../../tests/c/errors/bad_function_pointer.c",
    17 "unreachable" "unreachable code is reached"
        "The execution comes to `__builtin_unreachable`, or to the end of a function that should return a value."
        "Handle the case, or find out why it occurs."
        "fencepost check FILE.c" "../../../tests/c/errors/unreachable_code.c",
    18 "stack-overflow" "recursion without end"
        "Calls are nested without end."
        "Make sure that the recursion ends for every argument."
        "fencepost check FILE.c" "../../../tests/c/errors/endless_recursion.c",
    19 "endless" "endless loop"
        "A loop never ends, whatever other threads do."
        "Make sure that something in the loop changes its condition."
        "fencepost check FILE.c" "../../../tests/c/errors/endless_loop.c",
    20 "final-state" "a final state breaks the condition"
        "A final state is reached that `~exists` forbids, or that does not satisfy `forall`."
        "The report names the accesses that are out of order, and the fence that forbids it."
        "fencepost check FILE.litmus" "codes/final_state.litmus",
    21 "no-witness" "no final state satisfies the condition"
        "`exists` asks for a final state, and the memory model allows no such state."
        "If that is what you expect, ask with `~exists`. Otherwise try a weaker model."
        "fencepost check FILE.litmus" "codes/no_witness.litmus",
    22 "invariant" "a reachable state breaks the invariant"
        "The formula behind `invariant` is false in a state on the way."
        "The last step of the execution leads to that state; the report names what is out of order before it."
        "fencepost check FILE.litmus" "codes/invariant.litmus",
    23 "liveness" "what should happen need not happen"
        "A fair execution never satisfies, or from some time on no longer satisfies, what `eventually` asks for. The execution ends in a \
         loop, which is marked."
        "Look for a thread in the loop that keeps missing its chance."
        "fencepost check FILE.litmus" "codes/liveness.litmus",
    24 "not-sequential" "an execution that sequential consistency does not have"
        "Store buffers show an execution that no interleaving has: its accesses form a cycle. That need not be wrong, but reasoning in interleavings \
         misses it."
        "A fence between the store that waits and the access that overtakes it; `fencepost fences --goal robust` finds a cheapest set."
        "fencepost robust FILE.c" "codes/not_sequential.c",
    25 "not-serial" "operations do not look atomic"
        "A client of the data type observes something that it cannot observe if operations happen one after another, in any order."
        "The report shows what each operation returned, and what it could have returned. A lock, a compare-and-exchange or a \
         fence is missing."
        "fencepost refine FILE.c --test '(add|add)'" "codes/not_serial.c",
    26 "bad-access" "access to no location of the test"
        "A litmus test accesses an address that is none of its locations, or a location in a width that is not its own."
        "Check how the address is computed."
        "fencepost check FILE.litmus" "codes/bad_access.litmus",
}

impl Code {
    /// The code of a violation.
    pub fn of(violation: &Violation) -> &'static Code {
        let name = kind(violation);
        let mut codes = CODES.iter();
        // A test makes sure that every kind has one.
        codes.find(|code| code.name == name).unwrap_or(&CODES[0])
    }

    /// The code that a user means: `FP012`, `fp12`, `12`, or its name.
    pub fn named(name: &str) -> Option<&'static Code> {
        let lower = name.to_lowercase();
        let digits = lower.strip_prefix("fp").unwrap_or(&lower);
        let number = digits.parse().ok();
        let mut codes = CODES.iter();
        codes.find(|code| Some(code.number) == number || code.name == lower)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("FP{:03}", self.number))
    }
}

/// The kind of a violation, as JSON names it.
pub(crate) fn kind(violation: &Violation) -> &'static str {
    match violation {
        Violation::FinalState(_) => "final-state",
        Violation::NoWitness => "no-witness",
        Violation::Invariant(_) => "invariant",
        Violation::Liveness(_) => "liveness",
        Violation::Deadlock(_) => "deadlock",
        Violation::Fault { fault, .. } => fault.kind.name(),
        Violation::NotSequential(_) => "not-sequential",
        Violation::NotSerial(_) => "not-serial",
        Violation::Assertion { .. } => "assertion",
        Violation::BadAccess { .. } => "bad-access",
    }
}

/// What `fencepost explain` prints of a kind.
pub fn code_text(code: &Code, width: usize) -> String {
    let Code {
        title,
        meaning,
        remedy,
        example,
        command,
        ..
    } = code;
    let file = command
        .split_whitespace()
        .find(|word| word.starts_with("FILE"));
    let file = file.unwrap_or("FILE");
    let lines = example.trim_end().lines().map(|line| format!("    {line}"));
    let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    let paragraphs = [
        format!("{code}: {title}"),
        crate::wrap::wrapped(meaning, width, ""),
        crate::wrap::wrapped(remedy, width, ""),
        format!("An example, {file}, which `{command}` finds:"),
        lines.join("\n"),
    ];
    paragraphs.join("\n\n") + "\n"
}

/// All kinds, a line each.
pub fn codes_text() -> String {
    let lines = CODES.iter();
    let lines = lines.map(|code| format!("{code}  {:15} {}\n", code.name, code.title));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::FaultKind;

    #[test]
    fn numbers_are_given_once_and_in_order() {
        let numbers: Vec<u16> = CODES.iter().map(|code| code.number).collect();
        let expected: Vec<u16> = (1..=CODES.len() as u16).collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn every_kind_has_a_code() {
        let violations = FaultKind::ALL
            .iter()
            .filter(|kind| **kind != FaultKind::Unsupported);
        for name in violations.map(|kind| kind.name()).chain([
            "final-state",
            "no-witness",
            "invariant",
            "liveness",
            "deadlock",
            "not-sequential",
            "not-serial",
            "bad-access",
        ]) {
            assert_eq!(Code::named(name).map(|code| code.name), Some(name));
        }
    }

    #[test]
    fn users_may_write_a_code_in_several_ways() {
        for name in ["FP012", "fp012", "FP12", "12", "invalid-free"] {
            assert_eq!(
                Code::named(name).map(|code| code.number),
                Some(12),
                "{name}"
            );
        }
        assert_eq!(Code::named("FP999"), None);
        assert_eq!(Code::named("nonsense"), None);
    }
}
