//! What X86 instructions do, against plain arithmetic.

mod interpreter;

use interpreter::{Ended, run};

/// Runs lines of code on one processor.
fn x86(init: &str, lines: &[&str]) -> Ended {
    let rows: String = lines.iter().map(|line| format!(" {line} ;\n")).collect();
    run(&format!("X86_64 test\n{{ {init} }}\n P0 ;\n{rows}"))
}

const VALUES: [i64; 12] = [
    0,
    1,
    2,
    -1,
    -2,
    i8::MAX as i64,
    i8::MIN as i64,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
    0x1234_5678_9abc,
];

/// Zero, sign, carry, overflow and parity.
type Flags = (bool, bool, bool, bool, bool);

/// The conditions and what they say of the flags.
type Condition = fn(Flags) -> bool;
const CONDITIONS: [(&str, Condition); 16] = [
    ("JE", |(z, ..)| z),
    ("JNE", |(z, ..)| !z),
    ("JS", |(_, s, ..)| s),
    ("JNS", |(_, s, ..)| !s),
    ("JB", |(_, _, c, ..)| c),
    ("JAE", |(_, _, c, ..)| !c),
    ("JO", |(_, _, _, o, _)| o),
    ("JNO", |(_, _, _, o, _)| !o),
    ("JL", |(_, s, _, o, _)| s != o),
    ("JGE", |(_, s, _, o, _)| s == o),
    ("JLE", |(z, s, _, o, _)| z || s != o),
    ("JG", |(z, s, _, o, _)| !z && s == o),
    ("JBE", |(z, _, c, ..)| c || z),
    ("JA", |(z, _, c, ..)| !c && !z),
    ("JP", |(.., p)| p),
    ("JNP", |(.., p)| !p),
];

/// The result and the flags of an operation on numbers of a type.
macro_rules! expected {
    ($signed:ty, $unsigned:ty, $operation:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a as $signed, $b as $signed);
        let (ua, ub) = (a as $unsigned, b as $unsigned);
        let (result, carry, overflow) = match $operation {
            "ADD" => (
                a.wrapping_add(b),
                ua.overflowing_add(ub).1,
                a.overflowing_add(b).1,
            ),
            "SUB" | "CMP" => (
                a.wrapping_sub(b),
                ua.overflowing_sub(ub).1,
                a.overflowing_sub(b).1,
            ),
            "AND" | "TEST" => (a & b, false, false),
            "OR" => (a | b, false, false),
            _ => (a ^ b, false, false),
        };
        let parity = (result as u8).count_ones() % 2 == 0;
        let flags = (result == 0, result < 0, carry, overflow, parity);
        (result as $unsigned as u64, flags)
    }};
}

#[test]
fn arithmetic_sets_results_and_every_condition() {
    let operations = ["ADD", "SUB", "CMP", "AND", "OR", "XOR", "TEST"];
    for (bits, a_name, b_name) in [(8, "AL", "BL"), (32, "EAX", "EBX"), (64, "RAX", "RBX")] {
        for operation in operations {
            for a in VALUES {
                for b in VALUES {
                    let (result, flags) = match bits {
                        8 => expected!(i8, u8, operation, a, b),
                        32 => expected!(i32, u32, operation, a, b),
                        _ => expected!(i64, u64, operation, a, b),
                    };
                    // The upper part stays for 8 bits and goes for 32.
                    let whole = match (operation, bits) {
                        ("CMP" | "TEST", _) => a as u64,
                        (_, 8) => (a as u64 & !0xff) | result,
                        _ => result,
                    };
                    check_one(operation, (a_name, a), (b_name, b), whole, flags);
                }
            }
        }
    }
}

/// All conditions in one program: bit n of RCX says whether the nth jump jumped.
fn check_one(operation: &str, a: (&str, i64), b: (&str, i64), whole: u64, flags: Flags) {
    let init = format!("0:RAX={}; 0:RBX={};", a.1, b.1);
    let mut lines = vec![format!("{operation} {},{}", a.0, b.0)];
    for (number, (jump, _)) in CONDITIONS.iter().enumerate() {
        lines.push(format!("MOV EDX,${}", 1 << number));
        lines.push(format!("{jump} L{number}"));
        lines.push("MOV EDX,$0".to_owned());
        // Sums without ADD, which would spoil the flags.
        lines.push(format!("L{number}: LEA ECX,[ECX+EDX]"));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let ended = x86(&init, &lines);
    let wanted: u64 = (0..)
        .zip(CONDITIONS)
        .map(|(number, (_, holds))| u64::from(holds(flags)) << number)
        .sum();
    let what = format!("{operation} {} {} , {} {}", a.0, a.1, b.0, b.1);
    assert_eq!(ended.register("RAX"), whole, "{what}");
    assert_eq!(ended.register("RCX"), wanted, "{what}: {flags:?}");
}

#[test]
fn increment_and_decrement_keep_the_carry() {
    for (instruction, start, result, overflow) in [
        ("INC", 0x7fff_ffffu64, 0x8000_0000u64, true),
        ("INC", 0xffff_ffff, 0, false),
        ("DEC", 0x8000_0000, 0x7fff_ffff, true),
        ("DEC", 0, 0xffff_ffff, false),
    ] {
        for carry in [0, 1] {
            let init = format!("0:EAX={start};");
            let set_carry = format!("CMP EBX,${carry}");
            let instruction = format!("{instruction} EAX");
            let ended = x86(&init, &[&set_carry, &instruction, "SETC CL", "SETO DL"]);
            assert_eq!(ended.register("RAX"), result, "{instruction}");
            assert_eq!(ended.register("RCX"), carry, "{instruction}");
            assert_eq!(ended.register("RDX"), u64::from(overflow), "{instruction}");
        }
    }
}

#[test]
fn parts_of_registers() {
    let init = "0:RAX=0x1122334455667788;";
    let after = |line: &str| x86(init, &[line]).register("RAX");
    assert_eq!(after("MOV AL,$1"), 0x1122_3344_5566_7701);
    assert_eq!(after("MOV AH,$1"), 0x1122_3344_5566_0188);
    assert_eq!(after("MOV AX,$1"), 0x1122_3344_5566_0001);
    assert_eq!(after("MOV EAX,$-1"), 0xffff_ffff);
    assert_eq!(after("MOV RAX,$-1"), u64::MAX);
    assert_eq!(after("MOV EAX,EAX"), 0x5566_7788);
    assert_eq!(after("XCHG AL,AH"), 0x1122_3344_5566_8877);
    assert_eq!(after("MOVZX EAX,AL"), 0x88);
    assert_eq!(after("MOVSX EAX,AL"), 0xffff_ff88);
    assert_eq!(after("MOVSX RAX,AL"), 0xffff_ffff_ffff_ff88);
    assert_eq!(after("NOT EAX"), 0xaa99_8877);
    assert_eq!(after("NEG RAX"), 0x1122_3344_5566_7788u64.wrapping_neg());
}

#[test]
fn negation_sets_flags() {
    for (value, carry, overflow) in [(0i64, 0, 0), (5, 1, 0), (i64::from(i32::MIN), 1, 1)] {
        let init = format!("0:EAX={value};");
        let ended = x86(&init, &["NEG EAX", "SETC CL", "SETO DL"]);
        assert_eq!(ended.register("RCX"), carry);
        assert_eq!(ended.register("RDX"), overflow);
    }
}

#[test]
fn read_modify_writes_on_memory() {
    for lock in ["", "LOCK "] {
        let on_x = |line: &str| {
            let line = format!("{lock}{line}");
            let ended = x86("x=12; 0:EAX=10;", &[&line, "SETZ BL", "SETS CL"]);
            let flags = (ended.register("RBX"), ended.register("RCX"));
            (ended.location("x"), ended.register("RAX"), flags)
        };
        assert_eq!(on_x("INC [x]"), (13, 10, (0, 0)));
        assert_eq!(on_x("DEC [x]"), (11, 10, (0, 0)));
        assert_eq!(on_x("ADD [x],$-12"), (0, 10, (1, 0)));
        assert_eq!(on_x("SUB [x],$13"), (0xffff_ffff, 10, (0, 1)));
        assert_eq!(on_x("AND [x],EAX"), (8, 10, (0, 0)));
        assert_eq!(on_x("OR [x],EAX"), (14, 10, (0, 0)));
        assert_eq!(on_x("XOR [x],EAX"), (6, 10, (0, 0)));
        assert_eq!(on_x("NOT [x]"), (0xffff_fff3, 10, (0, 0)));
        assert_eq!(on_x("XADD [x],EAX"), (22, 12, (0, 0)));
        assert_eq!(on_x("XCHG [x],EAX"), (10, 12, (0, 0)));
        assert_eq!(on_x("XCHG EAX,[x]"), (10, 12, (0, 0)));
    }
}

#[test]
fn compare_exchange() {
    for lock in ["", "LOCK "] {
        let line = format!("{lock}CMPXCHG [x],ECX");
        let run = |expected: &str| {
            let init = format!("x=5; 0:ECX=7; 0:EAX={expected};");
            let ended = x86(&init, &[&line, "SETE BL"]);
            let equal = ended.register("RBX");
            (ended.location("x"), ended.register("RAX"), equal)
        };
        assert_eq!(run("5"), (7, 5, 1));
        assert_eq!(run("6"), (5, 5, 0));
    }
    let byte = x86("char x=5; 0:CL=7; 0:RAX=0x1205;", &["LOCK CMPXCHG [x],CL"]);
    assert_eq!((byte.location("x"), byte.register("RAX")), (7, 0x1205));
    let registers = x86("0:EAX=1; 0:EBX=1; 0:ECX=9;", &["CMPXCHG EBX,ECX"]);
    assert_eq!(registers.register("RBX"), 9);
}

#[test]
fn addresses() {
    let init = "int a[4]={10,11,12,13}; 0:EBX=a; 0:ECX=2;";
    let load = |operand: &str| x86(init, &[&format!("MOV EAX,{operand}")]).register("RAX");
    assert_eq!(load("[a]"), 10);
    assert_eq!(load("[a+4]"), 11);
    assert_eq!(load("[EBX]"), 10);
    assert_eq!(load("[EBX+8]"), 12);
    assert_eq!(load("[EBX+ECX*4+4]"), 13);
    assert_eq!(load("[a+ECX*4]"), 12);
    assert_eq!(load("[a+ECX*4-4]"), 11);
    assert_eq!(load("DWORD PTR [EBX+4*ECX]"), 12);
    let chased = x86("int *p=x; x=3;", &["MOV RBX,[p]", "MOV EAX,[RBX]"]);
    assert_eq!(chased.register("RAX"), 3);
    let taken = x86("x=3;", &["MOV EBX,$x", "LEA ECX,[x]", "MOV EAX,[EBX]"]);
    assert_eq!(taken.register("RAX"), 3);
    assert_eq!(taken.register("RBX"), taken.register("RCX"));
}

#[test]
fn moves_with_and_without_suffix() {
    let ended = x86(
        "uint64_t q; short w; char b;",
        &[
            "MOVQ [q],$-1",
            "MOV [w],$0x1234",
            "movb [b],$7",
            "MOV AX,[w]",
            "mov bl,[b]",
        ],
    );
    assert_eq!(ended.location("q"), u64::MAX);
    assert_eq!(ended.register("RAX"), 0x1234);
    assert_eq!(ended.register("RBX"), 7);
}

#[test]
fn conditional_moves_and_jumps_back() {
    let ended = x86(
        "0:EAX=1; 0:EBX=9;",
        &["CMP EAX,$1", "CMOVE ECX,EBX", "CMOVNE EDX,EBX"],
    );
    assert_eq!((ended.register("RCX"), ended.register("RDX")), (9, 0));
    let sum = x86(
        "",
        &[
            "MOV ECX,$4",
            "L: ADD EAX,ECX",
            "DEC ECX",
            "JNZ L",
            "JMP end",
            "INC EAX",
            "end:",
        ],
    );
    assert_eq!(sum.register("RAX"), 10);
}
