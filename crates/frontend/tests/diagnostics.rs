//! Bad input: what is said about it, and where.

use program::{Diagnostic, Source};

fn complaint(text: &str) -> Diagnostic {
    match frontend::read(&Source::new("t", text)) {
        Ok(_) => panic!("this was accepted:\n{text}"),
        Err(diagnostic) => diagnostic,
    }
}

/// X86 code for one processor, from line 4 on, and then `rest`.
fn x86(init: &str, code: &str, rest: &str) -> String {
    format!("X86 t\n{{ {init} }}\n P0 ;\n {code} ;\n{rest}")
}

fn sparc(code: &str, rest: &str) -> String {
    format!("SPARC t\nProcessor 0\n{code}\n{rest}")
}

/// Checks the one-line text and what the span quotes.
#[track_caller]
fn check(text: &str, quoted: &str, line: &str) {
    let found = complaint(text);
    assert_eq!(found.to_string(), line);
    assert_eq!(found.source.excerpt(found.span), quoted, "{line}");
}

#[test]
fn sections() {
    check(
        "",
        "",
        "t:1:1: the file is empty (expected `X86` or `SPARC`, then the test's name)",
    );
    check(
        "PPC t\n{ }\n P0 ;\n",
        "PPC",
        "t:1:1: unknown language `PPC` (expected `X86` or `SPARC`, then the test's name)",
    );
    check(
        "X86\n{ }\n P0 ;\n",
        "",
        "t:1:4: something is missing here (expected the test's name)",
    );
    check(
        "X86 t\nnonsense\n{ }\n",
        "nonsense",
        "t:2:1: unexpected `nonsense` (expected a line `Key=value`, a description in quotes, or the initial state `{ … }`)",
    );
    check(
        "X86 t\n{ x=1;\n P0 ;\n",
        "{",
        "t:2:1: this brace is not closed (expected a `}` after the initial state)",
    );
    check(
        "X86 t\n(* never\n{ }\n",
        "(*",
        "t:2:1: this comment does not end",
    );
    check(
        "X86 t\n{ }\n",
        "",
        "t:2:4: something is missing here (expected `P0`, the heading of the next column)",
    );
    check(
        "X86 t\n{ }\n P0 | P2 ;\n",
        "P2",
        "t:3:7: unexpected `P2` (expected `P1`, the heading of the next column)",
    );
    check(
        "X86 t\n{ }\n P0 ;\n NOP\nexists (x=1)\n",
        "",
        "t:4:5: something is missing here (expected `;` at the end of the row)",
    );
    check(
        "X86 t\n{ }\n P0 ;\n NOP | NOP ;\n",
        "NOP",
        "t:4:8: more columns than the heading has (expected 1 columns)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (x=1)\nforall (x=1)\n"),
        "forall",
        "t:6:1: a second condition on final states",
    );
}

#[test]
fn initial_states() {
    check(
        &x86("x=1 y=2;", "NOP", ""),
        "y",
        "t:2:7: unexpected `y` (expected `;`)",
    );
    check(
        &x86("x=;", "NOP", ""),
        ";",
        "t:2:5: unexpected `;` (expected a number or a location, whose address it is)",
    );
    check(
        &x86("x=99999999999;", "NOP", ""),
        "99999999999",
        "t:2:5: 99999999999 does not fit 32 bits",
    );
    check(
        &x86("x=18446744073709551616;", "NOP", ""),
        "18446744073709551616",
        "t:2:5: `18446744073709551616` is no number of at most 64 bits (expected a number or a location, whose address it is)",
    );
    check(
        &x86("x=1; x=2;", "NOP", ""),
        "x",
        "t:2:8: `x` is given twice",
    );
    check(
        &x86("inte x=1;", "NOP", ""),
        "inte",
        "t:2:3: unknown type `inte` (expected a type such as `int` or `uint64_t`)",
    );
    check(
        &x86("int x[0];", "NOP", ""),
        "0",
        "t:2:9: an array cannot have 0 cells (expected 1 to 4096)",
    );
    check(
        &x86("int x[2]={1,2,3};", "NOP", ""),
        "3",
        "t:2:17: more values than `x` has cells",
    );
    check(
        &x86("uint8_t x=y;", "NOP", ""),
        "y",
        "t:2:13: an address does not fit 8 bits (expected a number)",
    );
    check(
        &x86("0:EQX=1;", "NOP", ""),
        "EQX",
        "t:2:5: unknown register `EQX` (expected a register of X86)",
    );
    check(
        &x86("0:EAX=1; 0:RAX=2;", "NOP", ""),
        "RAX",
        "t:2:14: `RAX` is given twice",
    );
    check(
        &x86("3:EAX=1;", "NOP", ""),
        "EAX",
        "t:2:5: there is no processor 3 (expected a processor from 0 to 0)",
    );
}

#[test]
fn x86_code() {
    check(
        &x86("", "MUV EAX,$1", ""),
        "MUV",
        "t:4:2: unknown instruction `MUV` (expected an X86 instruction)",
    );
    check(
        &x86("", "MOV EAX", ""),
        "MOV EAX",
        "t:4:2: `MOV` has 2 operands, not 1",
    );
    check(
        &x86("", "MOV EAX,", ""),
        "",
        "t:4:10: something is missing here (expected a register, a constant such as `$1`, or memory such as `[x]`)",
    );
    check(
        &x86("", "MOV EAX $1", ""),
        "$",
        "t:4:10: unexpected `$` (expected `,`)",
    );
    check(
        &x86("", "MOV $1,EAX", ""),
        "$1",
        "t:4:6: `MOV` cannot have `$1` as operand here (expected a register or memory)",
    );
    check(
        &x86("", "MOV [x],[y]", ""),
        "[y]",
        "t:4:10: `MOV` cannot have `[y]` as operand here (expected a register or a constant beside the memory operand)",
    );
    check(
        &x86("", "MOV EAX,x", ""),
        "x",
        "t:4:10: unexpected `x` (expected a register, a constant such as `$1`, or memory such as `[x]`)",
    );
    check(
        &x86("", "MOV EAX,(EBX)", ""),
        "(",
        "t:4:10: unexpected `(` (expected a register, a constant such as `$1`, or memory such as `[x]`)",
    );
    check(
        &x86("", "MOV %eax,$1", ""),
        "%",
        "t:4:6: unexpected `%` (expected a register, a constant such as `$1`, or memory such as `[x]`)",
    );
    check(
        &x86("", "MOV EAX,[x", ""),
        "",
        "t:4:12: something is missing here (expected `]`)",
    );
    check(
        &x86("", "MOV EAX,[4]", ""),
        "[4]",
        "t:4:10: a number is no address here (expected a location or a register between the brackets)",
    );
    check(
        &x86("", "MOV EAX,[EBX*3]", ""),
        "EBX",
        "t:4:11: `EBX` cannot be scaled like this (expected a register times 1, 2, 4 or 8)",
    );
    check(
        &x86("", "MOV EAX,[BX]", ""),
        "[BX]",
        "t:4:10: these registers make no address (expected registers of 32 or of 64 bits)",
    );
    check(
        &x86("", "MOV EAX,[x+4]", ""),
        "[x+4]",
        "t:4:10: `x` has no cell at byte 4 (expected a multiple of 4 below 4)",
    );
    check(
        &x86("", "MOV EAX,BX", ""),
        "BX",
        "t:4:10: an operand of 16 bits beside one of 32 (expected an operand of 32 bits)",
    );
    check(
        &x86("", "MOVQ EAX,$1", ""),
        "EAX",
        "t:4:7: an operand of 32 bits beside one of 64 (expected an operand of 64 bits)",
    );
    check(
        &x86("", "MOV AL,$256", ""),
        "$256",
        "t:4:9: 256 does not fit 8 bits",
    );
    check(
        &x86("", "MOV EAX,$1x", ""),
        "1x",
        "t:4:11: `1x` is no number of at most 64 bits (expected a number or a location)",
    );
    check(
        &x86("", "LOCK MOV [x],$1", ""),
        "LOCK",
        "t:4:2: this instruction cannot have `LOCK` (expected `ADD SUB AND OR XOR INC DEC NOT XADD XCHG` or `CMPXCHG`)",
    );
    check(
        &x86("", "LOCK INC EAX", ""),
        "LOCK",
        "t:4:2: `LOCK` on an instruction that does not write memory (expected memory as its first operand)",
    );
    check(
        &x86("", "MFENCE EAX", ""),
        "MFENCE EAX",
        "t:4:2: `MFENCE` has 0 operands, not 1",
    );
    check(
        &x86("", "JMP nowhere", ""),
        "nowhere",
        "t:4:6: no label `nowhere` (expected a label of this processor)",
    );
    check(
        &x86("", "L: NOP ;\n L: NOP", ""),
        "L",
        "t:5:2: label `L` stands twice in this processor",
    );
    check(
        &x86("", "MOV EAX,[x] ;\n MOV RAX,[x]", ""),
        "MOV RAX,[x]",
        "t:5:2: `x` is accessed with 64 bits here, 32 elsewhere (expected an access of 32 bits)",
    );
    check(
        &x86("uint64_t x;", "MOV EAX,[x]", ""),
        "MOV EAX,[x]",
        "t:4:2: an access of 32 bits to `x`, which has 64 (expected an access of 64 bits)",
    );
    check(
        &x86("", "MOVZX EAX,[x]", ""),
        "[x]",
        "t:4:12: 32 bits cannot be extended to 32 (expected an operand narrower than the destination)",
    );
}

#[test]
fn sparc_code() {
    check(
        &sparc("ldd x, %r", ""),
        "ldd",
        "t:3:1: unknown instruction `ldd` (expected a SPARC instruction)",
    );
    check(
        &sparc("ld x", ""),
        "ld x",
        "t:3:1: this instruction does not have 1 operands (expected memory, then a register)",
    );
    check(
        &sparc("ld #1, %r", ""),
        "#1",
        "t:3:4: `#1` cannot stand here (expected memory such as `[lock]`)",
    );
    check(
        &sparc("st %r, %s", ""),
        "%s",
        "t:3:8: `%s` cannot stand here (expected memory such as `[lock]`)",
    );
    check(
        &sparc("stub #300, x", ""),
        "#300",
        "t:3:6: 300 does not fit 8 bits",
    );
    check(
        &sparc("membar", ""),
        "",
        "t:3:7: something is missing here (expected an ordering such as `#LoadLoad`)",
    );
    check(
        &sparc("membar #LoadLod", ""),
        "LoadLod",
        "t:3:9: unknown ordering `#LoadLod` (expected `LoadLoad`, `LoadStore`, `StoreLoad` or `StoreStore`)",
    );
    check(
        &sparc("out: be out", ""),
        "be out",
        "t:3:6: no instruction follows this branch (expected an instruction in its delay slot, such as `nop`)",
    );
    check(
        &sparc("out: be out\nba out\nnop", ""),
        "ba out",
        "t:4:1: a branch in the delay slot of another is not supported (expected another instruction, such as `nop`)",
    );
    check(
        &sparc("out: be out\nin: nop", ""),
        "in",
        "t:4:1: label `in` stands in a delay slot (expected the label after the instruction in the slot)",
    );
    check(
        &sparc("be,b out", ""),
        "b",
        "t:3:4: unexpected `b` (expected `a`, `pt` or `pn`)",
    );
    check(
        &sparc("ba 1f\nnop", ""),
        "1f",
        "t:3:4: no label `1f` (expected a label of this processor)",
    );
    check(
        &sparc("be %xcc, out\nnop\nout:", ""),
        "xcc",
        "t:3:5: unexpected `xcc` (expected `%icc`; other condition codes are not supported)",
    );
    check(
        &sparc("st #1, CM(j)", ""),
        "j",
        "t:3:11: unexpected `j` (expected `i`, which stands for the processor's number)",
    );
    check(
        &sparc("ld x, %_t1", ""),
        "%",
        "t:3:7: unexpected `%` (expected a register whose name starts with a letter)",
    );
    check(
        &sparc("Processor 0\nnop", ""),
        "0",
        "t:3:11: processor 0 has code already",
    );
    check(
        &sparc("Processor 2\nnop", ""),
        "2",
        "t:3:11: there is a processor 2 but no processor 1 (expected processors numbered from 0 without gaps)",
    );
    check(
        &sparc("Processor 99", ""),
        "99",
        "t:3:11: there cannot be a processor 99 (expected a number below 64)",
    );
    check(
        &sparc("Processor", ""),
        "",
        "t:3:10: something is missing here (expected a processor's number)",
    );
}

#[test]
fn conditions() {
    check(
        &x86("", "MOV [x],$1", "exists (y=1)"),
        "y",
        "t:5:9: unknown location `y` (expected a location of the test)",
    );
    check(
        &x86("", "MOV [lock],$1", "exists (lokc=1)"),
        "lokc",
        "t:5:9: unknown location `lokc` (expected a location of the test)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (EAX=1)"),
        "EAX",
        "t:5:9: unknown location `EAX` (expected a location of the test)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (1:EAX=1)"),
        "1:EAX",
        "t:5:9: there is no processor 1 (expected a processor from 0 to 0)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (0:r1=1)"),
        "0:r1",
        "t:5:9: unknown register `r1` (expected a register such as `EAX`)",
    );
    check(
        &sparc("ld x, %r1", "exists (0:r2=1)"),
        "0:r2",
        "t:4:9: P0 does not use register `r2` (expected a register of that processor's code)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (x=1"),
        "",
        "t:5:12: something is missing here (expected `)`)",
    );
    check(
        &x86("", "MOV [x],$1", "exists x"),
        "",
        "t:5:9: something is missing here (expected a comparison: `=`, `!=`, `<`, `<=`, `>` or `>=`)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (x=1) x=2"),
        "x",
        r"t:5:14: unexpected `x` (expected the end of the condition or a connective such as `/\`)",
    );
    check(
        &x86("", "MOV [x],$1", "exists (x=99999999999)"),
        "99999999999",
        "t:5:11: `x` has 32 bits and can never be 99999999999",
    );
    check(
        &x86("", "MOV [x],$1", "exists (x<x)"),
        "x",
        "t:5:11: `x` on the right stands for its address (expected a value)",
    );
    check(
        &x86("int a[2];", "MOV [a],$1", "exists (a=1)"),
        "a",
        "t:5:9: `a` is an array (expected one of its cells, such as `a[0]`)",
    );
    check(
        &x86("int a[2];", "MOV [a],$1", "exists (a[2]=1)"),
        "a[2]",
        "t:5:9: `a` has no cell 2 (expected a number below 2)",
    );
    check(
        &x86("", "crit: MOV [x],$1", "invariant P0@crti"),
        "P0@crti",
        "t:5:11: P0 has no label `crti` (expected a label of that processor, or `end`)",
    );
    check(
        &x86("", "MOV [x],$1", "locations [x y]"),
        "y",
        "t:5:14: unexpected `y` (expected `;`)",
    );
    check(
        &x86("", "MOV [x],$1", "exists"),
        "",
        "t:5:7: something is missing here (expected a location, a register such as `0:EAX`, or a number)",
    );
}

#[test]
fn both_sites_are_named() {
    let twice = complaint(&x86("", "MOV EAX,[x] ;\n MOV RAX,[x]", ""));
    let (other, what) = &twice.others[0];
    assert_eq!(twice.source.excerpt(*other), "MOV EAX,[x]");
    assert_eq!(what, "32 bits here");
    assert!(twice.help.unwrap().contains("uint32_t x;"));
    let labels = complaint(&x86("", "L: NOP ;\n L: NOP", ""));
    assert_eq!(labels.others[0].0.line, 4);
    let declared = complaint(&x86("uint64_t x;", "MOV EAX,[x]", ""));
    assert_eq!(declared.source.excerpt(declared.others[0].0), "uint64_t");
}

#[test]
fn slips_get_the_name_that_was_meant() {
    let help = |text: &str| complaint(text).help.unwrap_or_default();
    assert_eq!(help(&x86("", "MUV EAX,$1", "")), "did you mean `MOV`?");
    assert_eq!(
        help(&x86("", "MOV [lock],$1", "exists (lokc=1)")),
        "did you mean `lock`?"
    );
    assert_eq!(
        help(&x86("", "MOV [x],$1", "exist (x=1)")),
        "did you mean `exists`?"
    );
    assert_eq!(
        help(&sparc("membar #LoadLod", "")),
        "did you mean `LoadLoad`?"
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| {
        let formula = format!("exists {}x=1{}", "(".repeat(depth), ")".repeat(depth));
        x86("", "MOV [x],$1", &formula)
    };
    assert!(frontend::read(&Source::new("t", nested(200))).is_ok());
    assert_eq!(
        complaint(&nested(100_000)).message,
        "more than 200 parentheses and negations in each other"
    );
    let many = format!("exists {}x=1", "~".repeat(100_001));
    let program = frontend::read(&Source::new("t", x86("", "MOV [x],$1", &many))).unwrap();
    let condition = program.properties.condition.unwrap();
    assert_eq!(condition.property.formula.to_string(), "~(x=1)");
}

#[test]
fn names_that_would_be_read_as_something_else() {
    check(
        &x86("r8=1;", "MOV EAX,[r8]", ""),
        "r8",
        "t:2:3: `r8` is a register (expected a location, or a processor's register as in `0:EAX=1`)",
    );
    check(
        &x86("", "MOV [x],$EBX", ""),
        "$EBX",
        "t:4:10: `EBX` is a register (expected a location, or a processor's register as in `0:EAX=1`)",
    );
    check(
        &x86("", "NOP", "exist (x=1)"),
        "exist",
        "t:5:1: unexpected `exist` (expected an instruction, or a statement about the code)",
    );
}

#[test]
fn operands_in_the_order_of_another_assembler() {
    let found = complaint(&x86("", "movl $1,[x]", ""));
    assert_eq!(
        found.to_string(),
        "t:4:7: `movl` cannot have `$1` as operand here (expected a register or memory)"
    );
    assert!(
        found
            .help
            .is_some_and(|help| help.contains("destination first"))
    );
}

#[test]
fn sizes_and_ranges() {
    check(
        &x86("uint64_t a[513];", "NOP", ""),
        "a",
        "t:2:12: `a` has 4104 bytes (expected at most 4096 bytes)",
    );
    check(
        "SPARC t\nProcessor 2..0\n nop\n",
        "2",
        "t:2:11: no processors go from 2 to 0 (expected the smaller number first, as in `Processor 0..2`)",
    );
    let found = complaint(&x86("", "MOV [x],$1", "filter x=0\nfilter x=1"));
    assert_eq!(found.to_string(), "t:6:1: a second filter");
    assert_eq!(found.others.len(), 1);
    assert_eq!(found.others[0].0.line, 5);
}
