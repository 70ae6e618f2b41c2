//! Calls of library functions on strings and memory, by a program of one thread.

use crate::process::{End, Image, Limits, Process};
use ::memory::Model;
use answer::FaultKind;
use program::{Address, Callee, InstructionKind, Object, ObjectId, ObjectKind};
use program::{Operand, ProgramBuilder, Routine, Span, Terminator, Width, Word};

/// Where the objects of a test lie.
const A: ObjectId = ObjectId(0);
const B: ObjectId = ObjectId(1);

fn at(object: ObjectId, offset: u32) -> Operand {
    Operand::Address(Address { object, offset })
}

fn object(name: &str, cell: Width, initial: Vec<Word>) -> Object {
    Object {
        name: name.into(),
        cell,
        initial,
        zeros: 0,
        kind: ObjectKind::Shared,
        layout: None,
        signed: false,
        span: Span::NOWHERE,
    }
}

#[derive(Debug, PartialEq)]
struct Ran {
    /// What the calls returned.
    results: Vec<Word>,
    a: Vec<u8>,
    b: Vec<u8>,
    printed: Vec<u8>,
    fault: Option<FaultKind>,
}

/// Calls functions one after the other, with `a` and `b` in memory: in slices, and word by
/// word, which makes no difference.
fn run(a: &[u8], b: &[u8], calls: &[(Routine, &[Operand])]) -> Ran {
    let ran = run_once(a, b, calls, false);
    assert_eq!(ran, run_once(a, b, calls, true));
    ran
}

fn run_once(a: &[u8], b: &[u8], calls: &[(Routine, &[Operand])], logging: bool) -> Ran {
    let mut program = ProgramBuilder::new("calls");
    for (name, bytes) in [("a", a), ("b", b)] {
        let words = bytes.iter().map(|byte| Word::from(*byte)).collect();
        program.add_object(object(name, Width::W8, words));
    }
    let results = program.add_object(object("results", Width::W64, vec![0; calls.len()]));
    let mut thread = program.thread();
    let register = thread.register("result", Width::W64);
    for (number, (routine, arguments)) in calls.iter().enumerate() {
        thread.push(InstructionKind::Call {
            targets: vec![register],
            callee: Callee::Routine(*routine),
            arguments: arguments.to_vec(),
        });
        thread.store(at(results, 8 * number as u32), register, Width::W64);
    }
    thread.terminate(Terminator::Return(vec![]));
    thread.finish();
    let image = Image::new(program.program(), Model::Tso);
    let limits = Limits::default();
    let mut process = Process::new(&image, &limits, logging, true);
    Ran {
        results: held(&process, results)
            .chunks(8)
            .map(|word| Word::from_le_bytes(word.try_into().unwrap_or_default()))
            .collect(),
        a: held(&process, A),
        b: held(&process, B),
        printed: process.take_output().output,
        fault: match process.end() {
            Some(End::Fault(_, _, fault)) => Some(fault.kind),
            _ => None,
        },
    }
}

fn address(object: ObjectId, offset: u32) -> Word {
    Address { object, offset }.to_word()
}

fn held(process: &Process, object: ObjectId) -> Vec<u8> {
    process.bytes_at(address(object, 0))
}

fn int(number: i32) -> Word {
    Word::from(number as u32)
}

#[test]
fn strings_are_measured_and_compared() {
    use Routine::*;
    let (a, b) = (at(A, 0), at(B, 0));
    let ran = run(
        b"abcb\0",
        b"abD\0",
        &[
            (StringLength, &[a]),
            (StringBoundedLength, &[a, 2u64.into()]),
            (StringCompare, &[a, b]),
            (StringBoundedCompare, &[a, b, 2u64.into()]),
            (StringCaseCompare, &[a, b]),
            (MemoryCompare, &[b, a, 3u64.into()]),
            (StringSpan, &[a, b]),
        ],
    );
    assert_eq!(ran.fault, None);
    assert_eq!(ran.results, [4, 2, int(31), 0, int(-1), int(-31), 2]);
}

#[test]
fn characters_are_found() {
    use Routine::*;
    let (a, b) = (at(A, 0), at(B, 0));
    let letter = |letter: u8| Operand::Constant(letter.into());
    let ran = run(
        b"abcb\0",
        b"cb\0",
        &[
            (StringFind, &[a, letter(b'b')]),
            (StringFindLast, &[a, letter(b'b')]),
            (StringFind, &[a, letter(0)]),
            (StringFind, &[a, letter(b'x')]),
            (StringFindString, &[a, b]),
            (StringFindAny, &[a, b]),
            (StringComplementSpan, &[a, b]),
            (MemoryFind, &[a, letter(b'c'), 100u64.into()]),
        ],
    );
    assert_eq!(ran.fault, None);
    let place = |offset| address(A, offset);
    let expected = [
        place(1),
        place(3),
        place(4),
        0,
        place(2),
        place(1),
        1,
        place(2),
    ];
    assert_eq!(ran.results, expected);
}

#[test]
fn tokens_are_cut_off() {
    use Routine::StringToken;
    let (start, rest) = ([at(A, 0), at(B, 0)], [0u64.into(), at(B, 0)]);
    let calls: [(Routine, &[Operand]); 4] = [
        (StringToken, &start),
        (StringToken, &rest),
        (StringToken, &rest),
        (StringToken, &rest),
    ];
    let ran = run(b",x,,yz\0", b",\0", &calls);
    assert_eq!(ran.results, [address(A, 1), address(A, 4), 0, 0]);
    assert_eq!(ran.a, b",x\0,yz\0");
}

#[test]
fn copies_reach_as_far_as_they_should() {
    use Routine::*;
    let (a, b) = (at(A, 0), at(B, 0));
    let copied = |routine, arguments: &[Operand]| {
        let ran = run(b"12\x003456", b"xy\0z", &[(routine, arguments)]);
        (ran.a, ran.fault)
    };
    let good = |bytes: &[u8]| (bytes.to_vec(), None);
    assert_eq!(copied(StringCopy, &[a, b]), good(b"xy\x003456"));
    assert_eq!(
        copied(StringBoundedCopy, &[a, b, 5u64.into()]),
        good(b"xy\0\0\x0056")
    );
    assert_eq!(copied(StringAppend, &[a, b]), good(b"12xy\x0056"));
    assert_eq!(
        copied(StringBoundedAppend, &[a, b, 1u64.into()]),
        good(b"12x\x00456")
    );
    assert_eq!(copied(MemoryCopy, &[a, b, 4u64.into()]), good(b"xy\0z456"));
    assert_eq!(
        copied(MemoryMove, &[at(A, 1), a, 4u64.into()]),
        good(b"112\x00356")
    );
    let zero = 0u64.into();
    assert_eq!(
        copied(MemorySet, &[at(A, 3), zero, 2u64.into()]),
        good(b"12\0\0\x0056")
    );
}

#[test]
fn wrong_calls_are_faults() {
    use Routine::*;
    let (a, b) = (at(A, 0), at(B, 0));
    let wrong =
        |routine, arguments: &[Operand]| run(b"abcd", b"x\0", &[(routine, arguments)]).fault;
    let null = 0u64.into();
    assert_eq!(wrong(StringLength, &[a]), Some(FaultKind::Bounds));
    assert_eq!(wrong(StringLength, &[null]), Some(FaultKind::Null));
    assert_eq!(
        wrong(MemoryCopy, &[a, at(A, 1), 2u64.into()]),
        Some(FaultKind::Misuse)
    );
    assert_eq!(
        wrong(MemoryCopy, &[a, b, 3u64.into()]),
        Some(FaultKind::Bounds)
    );
    assert_eq!(
        wrong(MemorySet, &[a, null, 5u64.into()]),
        Some(FaultKind::Bounds)
    );
    assert_eq!(
        wrong(MemorySet, &[a, null, Word::MAX.into()]),
        Some(FaultKind::Bounds)
    );
    assert_eq!(wrong(StringPrint, &[a, b, null]), Some(FaultKind::Null));
    assert_eq!(
        wrong(FilePutString, &[b, 7u64.into()]),
        Some(FaultKind::Misuse)
    );
}

#[test]
fn prints_go_to_the_output() {
    use Routine::*;
    // A `va_list` that has nothing left in registers, and what it has on the stack.
    let list = |stack: u32| {
        let offsets = 176u64 << 32 | 48;
        [offsets, address(A, stack), 0]
            .map(Word::to_le_bytes)
            .concat()
    };
    let five = (-5i64).to_le_bytes();
    let slots = [b"n=%d\n\0\0\0".as_slice(), &list(32), &five].concat();
    let (format, arguments) = (at(A, 0), at(A, 8));
    let ran = run(
        &slots,
        b"end\0",
        &[
            (Print, &[format, arguments]),
            (FilePrint, &[3u64.into(), format, arguments]),
            (PutString, &[at(B, 0)]),
            (PutCharacter, &[Operand::Constant(b'!'.into())]),
            (
                FileWrite,
                &[at(B, 0), 1u64.into(), 2u64.into(), 2u64.into()],
            ),
            (BoundedPrint, &[at(B, 0), 3u64.into(), format, arguments]),
        ],
    );
    assert_eq!(ran.fault, None);
    assert_eq!(ran.results, [5, 5, 4, b'!'.into(), 2, 5]);
    assert_eq!(String::from_utf8_lossy(&ran.printed), "n=-5\nend\n!en");
    let nothing = [b"%d\0\0\0\0\0\0".as_slice(), &list(32)].concat();
    let without = run(&nothing, b"", &[(Print, &[format, arguments])]);
    assert_eq!(without.fault, Some(FaultKind::Uninitialised));
}

#[test]
fn numbers_say_where_they_end() {
    use Routine::*;
    let end = at(B, 0);
    let ran = run(
        b" 12x\0",
        &[0; 8],
        &[
            (StringToSigned, &[at(A, 0), end, 10u64.into()]),
            (StringToInt, &[at(A, 1)]),
            (StringToDouble, &[at(A, 2)]),
        ],
    );
    assert_eq!(ran.fault, None);
    assert_eq!(ran.results, [12, 12, 2f64.to_bits()]);
    assert_eq!(ran.b, address(A, 3).to_le_bytes());
}
