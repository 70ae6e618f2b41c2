//! Making programs flat: what becomes of them, and what stands in the way.

use flatten::{NotFlat, flatten};
use program::{InstructionKind, Program, Width, parse};

/// A process with these objects, and main with this code; a thread's function `work` and
/// one that calls itself stand by.
fn process(objects: &str, registers: &str, code: &str) -> Program {
    let text = format!(
        "process \"test\" from \"test.c\"\nobject worker: code work unsigned i8 = []\n{objects}\n\
         fn main() {{\n{registers}\nentry:\n{code}\n}}\n\
         fn work(arg: i64) {{\nregister me: i32\nentry:\nme = load i32 arg\n\
         store i32 arg, me\nreturn 0\n}}\n\
         fn again() {{\nentry:\ncall again() @9:1+3\nreturn\n}}\n\
         thread 0: main runs main\n"
    );
    parse(&text).expect("a program")
}

fn flat(objects: &str, registers: &str, code: &str) -> Program {
    let program = flatten(&process(objects, registers, code)).expect("a flat program");
    program.validate().expect("a program that hangs together");
    program
}

fn refusal(objects: &str, registers: &str, code: &str) -> (String, u32) {
    let NotFlat { message, span } =
        flatten(&process(objects, registers, code)).expect_err("nothing flat");
    (message, span.line)
}

fn refused(objects: &str, registers: &str, code: &str, message: &str, line: u32) {
    let expected = (message.to_owned(), line);
    assert_eq!(refusal(objects, registers, code), expected);
}

fn accesses(program: &Program, thread: usize) -> usize {
    let blocks = program.functions[thread].blocks.iter();
    let instructions = blocks.flat_map(|block| &block.instructions);
    let accesses = instructions.filter(|instruction| {
        use InstructionKind::*;
        matches!(
            instruction.kind,
            Load { .. } | Store { .. } | Update { .. } | CompareExchange { .. }
        )
    });
    accesses.count()
}

const X: &str = "object x: i8 = [] and 4 zeros";
const T: &str = "object t: i8 = [] and 8 zeros";

#[test]
fn every_start_of_a_thread_is_a_thread() {
    let objects = format!("{X}\n{T}");
    let code = "c = call library pthread_create(&t, 0, &worker, &x)\n\
                c = call library pthread_create(&t, 0, &worker, &x)\nreturn 0";
    let program = flat(&objects, "register c: i32", code);
    let names: Vec<&str> = program
        .threads
        .iter()
        .map(|thread| thread.name.as_str())
        .collect();
    assert_eq!(names, ["main", "thread 1 (work)", "thread 2 (work)"]);
    // Its start, a load and a store; nobody waits for its end.
    assert_eq!(accesses(&program, 1), 3);
    let x = program.object_named("x").expect("x");
    assert_eq!(program.objects[x.index()].cell, Width::W32);
}

#[test]
fn counted_loops_are_unrolled() {
    let code = "i = 0\njump again\nagain:\nstore i32 &x, i\ni = add i32 i, 1\nb = ult i32 i, 3\n\
                branch b, again, out\nout:\nreturn 0";
    let program = flat(X, "register i: i32\nregister b: i1", code);
    assert!(!program.functions[0].has_loop());
    assert_eq!(accesses(&program, 0), 3);
}

#[test]
fn loops_that_wait_are_cut_and_others_are_not() {
    let wait = "jump again\nagain:\ni = load i32 &x\nbranch i, out, again\nout:\n\
                store i32 &x, 1\nreturn 0";
    assert!(!flat(X, "register i: i32", wait).functions[0].has_loop());
    let count = "i = load i32 &x\njump again\nagain:\ni = add i32 i, 1\nj = load i32 &x\n\
                 branch j, out, again\nout:\nstore i32 &x, i\nreturn 0";
    assert!(flat(X, "register i, j: i32", count).functions[0].has_loop());
    let write = "jump again\nagain:\nstore i32 &x, 2\ni = load i32 &x\nbranch i, out, again\n\
                 out:\nreturn 0";
    assert!(flat(X, "register i: i32", write).functions[0].has_loop());
}

#[test]
fn locals_that_stay_are_registers() {
    let code = "p = allocate seen 4\ni = load i32 &x\nstore i32 p, i\ni = load i32 p\n\
                store i32 &x, i\nreturn 0";
    let program = flat(X, "register p: i64\nregister i: i32", code);
    assert_eq!(accesses(&program, 0), 2);
}

#[test]
fn fields_of_two_widths_that_keep_apart_are_cells() {
    let objects = "object node: i8 = [0, 0, 0, 0, 0, 0, 0, 0, 5] and 7 zeros";
    let code = "store i64 &node, 1\ni = load i32 align 8 &node+8\nstore i32 &node+8, i\nreturn 0";
    let program = flat(objects, "register i: i32", code);
    let node = program.object_named("node").expect("node");
    let node = &program.objects[node.index()];
    assert_eq!((node.cell, &node.initial[..]), (Width::W64, &[0, 5][..]));
}

#[test]
fn what_does_not_fit_is_named() {
    let c = "register c: i32";
    refused(
        X,
        c,
        "call again() @3:1+2\nreturn 0",
        "recursion through again",
        9,
    );
    let wide = "store i32 &x, 1\nstore i16 &x, 1 @4:1+2\nreturn 0";
    refused(X, c, wide, "x is accessed with 2 and 4 bytes", 4);
    let rest = "call library fp_atomic_begin() @5:1+2\nreturn 0";
    refused(X, c, rest, "fp_atomic_begin", 5);
    let sized = "register p, n: i64\nregister c: i32";
    let code = "c = load i32 &x\nn = c\nstore i32 &x, 1\np = call library malloc(n) @6:1+2\n\
                store i64 p, n\nreturn 0";
    refused(X, sized, code, "malloc of a size that is computed", 6);
    let constant = "object x: constant i8 = [1] and 3 zeros";
    let code = "store i32 &x, 1 @7:1+2\nreturn 0";
    refused(
        constant,
        c,
        code,
        "a write that may go to the constant x",
        7,
    );
}

#[test]
fn threads_must_be_started_once_and_always() {
    let objects = format!("{X}\n{T}");
    let registers = "register c: i32";
    let start = "c = call library pthread_create(&t, 0, &worker, &x) @8:1+2";
    let code = format!(
        "jump again\nagain:\n{start}\nc = load i32 &x\nbranch c, again, out\nout:\nreturn 0"
    );
    refused(
        &objects,
        registers,
        &code,
        "a thread is started in a loop",
        8,
    );
    let code = format!(
        "c = load i32 &x\nbranch c, start, out\nstart:\n{start}\njump out\nout:\nstore i32 &x, 1\nreturn 0"
    );
    let message = "whether a thread is started depends on values";
    refused(&objects, registers, &code, message, 8);
}
