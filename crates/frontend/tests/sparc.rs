//! What SPARC instructions do: delay slots, condition codes, atomics, layout.

mod interpreter;

use interpreter::{Ended, run};
use program::{Operand, Source, ThreadId};

fn sparc(init: &str, lines: &[&str]) -> Ended {
    run(&format!(
        "SPARC test\n{{ {init} }}\nProcessor 0\n{}\n",
        lines.join("\n")
    ))
}

#[test]
fn the_delay_slot_runs_before_the_branch_takes_effect() {
    let slot = |branch: &str, flag: u64| {
        let init = format!("0:%f={flag}; 0:%slot=0;");
        let lines = ["tst %f", branch, "inc %slot", "inc %fell", "out: nop"];
        let ended = sparc(&init, &lines);
        (ended.register("slot"), ended.register("fell"))
    };
    // Slot and fall-through: taken when f is 0.
    assert_eq!(slot("be out", 0), (1, 0));
    assert_eq!(slot("be out", 1), (1, 1));
    assert_eq!(slot("be,a out", 0), (1, 0));
    assert_eq!(slot("be,a out", 1), (0, 1));
    assert_eq!(slot("ba out", 0), (1, 0));
    assert_eq!(slot("bn out", 0), (1, 1));
    assert_eq!(slot("bn,a out", 0), (0, 1));
    assert_eq!(slot("bne,pt %icc, out", 1), (1, 0));
}

#[test]
fn conditions_may_name_registers_of_a_slot_that_is_never_executed() {
    let ended = sparc(
        "",
        &[
            "bn,a out",
            "st %r1, [%p]",
            "out: nop",
            "exists 0:r1=0 /\\ 0:p=0",
        ],
    );
    assert_eq!((ended.register("r1"), ended.register("p")), (0, 0));
}

#[test]
fn an_annulled_jump_has_no_slot() {
    let ended = sparc(
        "",
        &["ba,a out", "inc %a", "out: inc %b", "ba,a end", "end:"],
    );
    assert_eq!((ended.register("a"), ended.register("b")), (0, 1));
}

#[test]
fn the_slot_does_not_change_the_decision() {
    let lines = [
        "cmp %a, #0",
        "be out",
        "cmp %a, #1",
        "inc %fell",
        "out:",
        "be eq",
        "nop",
        "inc %ne",
        "eq:",
    ];
    let ended = sparc("0:a=0;", &lines);
    assert_eq!((ended.register("fell"), ended.register("ne")), (0, 1));
}

#[test]
fn a_slot_can_be_jumped_to() {
    let lines = [
        "ba,a in",
        "back: tst %g0",
        "bne out",
        "in: inc %n",
        "cmp %n, #1",
        "be back",
        "nop",
        "out:",
    ];
    assert_eq!(sparc("", &lines).register("n"), 2);
}

type Relation = fn(i32, i32) -> bool;

#[test]
fn conditions_after_a_comparison() {
    let branches: [(&str, Relation); 12] = [
        ("be", |a, b| a == b),
        ("bne", |a, b| a != b),
        ("bl", |a, b| a < b),
        ("ble", |a, b| a <= b),
        ("bg", |a, b| a > b),
        ("bge", |a, b| a >= b),
        ("blu", |a, b| (a as u32) < b as u32),
        ("bleu", |a, b| a as u32 <= b as u32),
        ("bgu", |a, b| a as u32 > b as u32),
        ("bgeu", |a, b| a as u32 >= b as u32),
        ("bneg", |a, b| a.wrapping_sub(b) < 0),
        ("bvs", |a, b| a.checked_sub(b).is_none()),
    ];
    let values = [0, 1, -1, i32::MAX, i32::MIN, 77];
    for (branch, holds) in branches {
        for a in values {
            for b in values {
                let init = format!("0:a={a}; 0:b={b};");
                let jump = format!("{branch} yes");
                let lines = [
                    "cmp %a, %b",
                    &jump,
                    "nop",
                    "ba,a end",
                    "yes: inc %r",
                    "end:",
                ];
                let jumped = sparc(&init, &lines).register("r") == 1;
                assert_eq!(jumped, holds(a, b), "{branch} {a} {b}");
            }
        }
    }
}

#[test]
fn arithmetic_and_the_zero_register() {
    let lines = [
        "mov #5, %a",
        "add %a, #-7, %b",
        "sub %a, %b, %c",
        "xor %c, 0xff, %d",
        "and %d, 15, %e",
        "or %e, %a, %f",
        "add %a, %a, %g0",
        "mov %g0, %g",
        "clr %a",
        "dec 2, %f",
        "inc %f",
    ];
    let ended = sparc("", &lines);
    assert_eq!(ended.register("b"), -2i64 as u64);
    assert_eq!(ended.register("c"), 7);
    assert_eq!(ended.register("d"), 0xf8);
    assert_eq!(ended.register("e"), 8);
    assert_eq!(ended.register("f"), 12);
    assert_eq!(ended.register("g"), 0);
    assert_eq!(ended.register("a"), 0);
}

#[test]
fn atomics() {
    let ended = sparc("", &["ldstub [lock], %a", "ldstub [lock], %b"]);
    assert_eq!((ended.register("a"), ended.register("b")), (0, 0xff));
    let ended = sparc("x=3; 0:r=4;", &["swap [x], %r"]);
    assert_eq!((ended.location("x"), ended.register("r")), (4, 3));
    let cas = |expected: u64| {
        let init = format!("x=3; 0:p=x; 0:e={expected}; 0:r=9;");
        let ended = sparc(&init, &["cas [%p], %e, %r"]);
        (ended.location("x"), ended.register("r"))
    };
    assert_eq!(cas(3), (9, 3));
    assert_eq!(cas(4), (3, 3));
}

#[test]
fn memory_operands() {
    let lines = [
        "set a, %p",
        "ld [%p+4], %x",
        "ld [a+8], %y",
        "mov 8, %i",
        "ld [%p+%i], %z",
        "ld [a+%i], %w",
        "st #1, [%p]",
        "ld a, %v",
    ];
    let ended = sparc("int a[3]={10,11,12};", &lines);
    let values = ["x", "y", "z", "w", "v"].map(|name| ended.register(name));
    assert_eq!(values, [11, 12, 12, 12, 1]);
}

#[test]
fn numbered_labels() {
    let lines = [
        "1: inc %n",
        "cmp %n, #3",
        "bl 1b",
        "nop",
        "ba,a 1f",
        "inc %n",
        "1:",
    ];
    assert_eq!(sparc("", &lines).register("n"), 3);
}

#[test]
fn one_text_for_several_processors() {
    let text = "SPARC t\nProcessor 0..1\n st #1, [CM(i)]\nProcessor 2\n ld CM(i), %r\n";
    let program = frontend::read(&Source::new("t", text)).unwrap();
    let stored: Vec<String> = (0..3)
        .map(|thread| {
            let block = &program.function_of(ThreadId(thread)).blocks[0];
            match block.instructions[0].kind.operands().next().unwrap() {
                Operand::Address(address) => program.location_name(address),
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert_eq!(stored, ["CM0", "CM1", "CM2"]);
}

#[test]
fn comments_separators_and_columns() {
    let text = "SPARC t -- not a comment here\n\
        ! a comment\n{ x=1; } -- another\n\
        P0 | P1 ;\n\
        membar #LoadLoad|#StoreStore | membar #LoadStore, #StoreLoad ;\n\
        stbar | membar #Sync ;\n\
        ld x, %r | nop ; ! the end\n\
        exists (0:%r!=0) -- done\n";
    let program = frontend::read(&Source::new("t", text)).unwrap();
    let printed: Vec<String> = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks[0].instructions)
        .filter_map(|instruction| match instruction.kind {
            program::InstructionKind::Fence(orderings) => Some(orderings.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(
        printed,
        [
            "#LoadLoad #StoreStore",
            "#StoreStore",
            "#StoreLoad #LoadStore",
            "#LoadLoad #StoreLoad #LoadStore #StoreStore",
            "#None", // `nop`: a step without effect
        ]
    );
    assert_eq!(program.observed[0].name, "0:r");
}
