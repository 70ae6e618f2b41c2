//! What is read from a test: locations, names, labels, formulas, spans.

use program::{
    Formula, InstructionKind, Operand, Orderings, Position, Program, Quantifier, Source, Span,
    Terminator, ThreadId, Width,
};

fn read(text: &str) -> Program {
    frontend::read(&Source::new("t", text)).unwrap_or_else(|d| panic!("{d}"))
}

fn names(program: &Program) -> Vec<&str> {
    program.observed.iter().map(|o| o.name.as_str()).collect()
}

#[test]
fn a_whole_test() {
    let program = read(
        "X86 name with words\n\"doc | string\"\nCycle=Rfe PodRR Fre\nOrig=http://x (* y *)\n\
         (* a comment (* in a comment *) *)\n{ x=1; int y=-2; uint64_t z; 0:EAX=x; }\n\
         P0 | P1 ; // heading\n MOV EBX,[EAX] | l: MOV [y],$1 ;\n | JMP l ;\n | MOV RAX,[z] ;\n\
         locations [z; 1:RAX;]\nfilter y=1\nexists\n  (0:EBX=1 \\/ [x]=2)\n  /\\ true\n\
         invariant ~(P1@l) || x>=0\nalways eventually P0@end\neventually 1@l => false\n",
    );
    assert_eq!(program.name, "name with words");
    assert_eq!(names(&program), ["0:EBX", "1:RAX", "x", "z"]);
    let widths: Vec<(&str, u32, bool)> = program
        .objects
        .iter()
        .map(|o| (o.name.as_str(), o.cell.bits(), o.signed))
        .collect();
    assert_eq!(widths, [("x", 32, true), ("y", 32, true), ("z", 64, false)]);
    assert_eq!(program.objects[1].initial, [0xffff_fffe]);
    let properties = &program.properties;
    let condition = properties.condition.as_ref().unwrap();
    assert_eq!(condition.quantifier, Quantifier::Exists);
    assert_eq!(
        condition.property.formula.to_string(),
        "(0:EBX=1 \\/ x=2) /\\ (true)"
    );
    assert_eq!(condition.property.span, Span::new(14, 3, 18));
    assert_eq!(properties.filter.as_ref().unwrap().to_string(), "y=1");
    assert_eq!(
        properties.invariants[0].formula.to_string(),
        "~(P1@l) \\/ x>=0"
    );
    assert_eq!(
        properties.liveness[0].to_string(),
        "always eventually P0@end"
    );
    assert_eq!(
        properties.liveness[1].to_string(),
        "eventually ~(P1@l) \\/ (false)"
    );
}

#[test]
fn spans_quote_exactly_the_instruction() {
    let program = read(
        "X86 t\n{ }\n P0                 | P1 ;\n   L: M1: MOV [x],$1   | LOCK  INC [x] (* c *) ;\n JNE L | ;\n",
    );
    let instructions = |thread| {
        let blocks = &program.function_of(ThreadId(thread)).blocks;
        blocks.iter().flat_map(|block| &block.instructions)
    };
    let texts: Vec<&str> = instructions(0)
        .map(|i| program.source.excerpt(i.span))
        .collect();
    assert_eq!(texts, ["MOV [x],$1", "JNE L"]);
    for instruction in instructions(1) {
        assert_eq!(program.source.excerpt(instruction.span), "LOCK  INC [x]");
    }
    let block = &program.function_of(ThreadId(0)).blocks[0];
    assert_eq!(program.source.excerpt(block.terminator_span), "JNE L");
    assert_eq!(block.label, "L");
}

#[test]
fn locked_instructions_are_updates_between_fences() {
    let kinds = |line: &str| {
        let program = read(&format!("X86 t\n{{ }}\n P0 ;\n {line} ;\n"));
        let block = &program.functions[0].blocks[0];
        block
            .instructions
            .iter()
            .map(|i| i.kind.clone())
            .collect::<Vec<_>>()
    };
    for line in [
        "LOCK INC [x]",
        "XCHG [x],EAX",
        "LOCK XADD [x],EAX",
        "LOCK CMPXCHG [x],EBX",
    ] {
        let kinds = kinds(line);
        let fence = InstructionKind::Fence(Orderings::ALL);
        assert_eq!(kinds.len(), 3, "{line}: {kinds:?}");
        assert_eq!((&kinds[0], &kinds[2]), (&fence, &fence), "{line}");
        assert!(matches!(
            kinds[1],
            InstructionKind::Update { .. } | InstructionKind::CompareExchange { .. }
        ));
    }
    assert!(matches!(
        kinds("INC [x]")[..],
        [
            InstructionKind::Load { .. },
            InstructionKind::Assign { .. },
            InstructionKind::Store { .. }
        ]
    ));
}

#[test]
fn dependencies_are_not_folded() {
    let program = read("X86 t\n{ }\n P0 ;\n XOR ECX,ECX ;\n ADD EBX,ECX ;\n");
    let function = &program.functions[0];
    let instructions = &function.blocks[0].instructions;
    assert_eq!(instructions.len(), 2);
    let ecx = Operand::Register(function.register_named("RCX").unwrap());
    assert!(instructions[0].kind.operands().eq([ecx, ecx]));
    assert!(
        instructions[1]
            .kind
            .operands()
            .any(|operand| operand == ecx)
    );
    // Nothing is left of flags and temporaries.
    let names: Vec<&str> = function.registers.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["RCX", "RBX"]);
}

#[test]
fn a_jump_to_the_next_instruction_is_a_branch() {
    let program = read("X86 t\n{ }\n P0 ;\n CMP EAX,$1 ;\n JNE L ;\n L: NOP ;\n");
    let blocks = &program.functions[0].blocks;
    assert!(matches!(blocks[0].terminator, Terminator::Branch { .. }));
}

#[test]
fn widths_come_from_types_then_accesses() {
    let width = |init: &str, line: &str| {
        let text = format!("X86 t\n{{ {init} }}\n P0 ;\n {line} ;\n exists (x=0)\n");
        read(&text).objects[0].cell
    };
    assert_eq!(width("x=1;", "MOV [x],$1"), Width::W32);
    assert_eq!(width("", "MOV AL,[x]"), Width::W8);
    assert_eq!(width("", "MOVQ [x],$1"), Width::W64);
    assert_eq!(width("unsigned char x;", "MOV [x],$1"), Width::W8);
    assert_eq!(width("long x;", "INC [x]"), Width::W64);
    assert_eq!(width("0:RBX=x;", "MOV RAX,[RBX]"), Width::W64);
    assert_eq!(width("0:EBX=x;", "NOP"), Width::W32);
}

#[test]
fn what_is_observed_without_being_named() {
    let program = read(
        "X86 t\n{ int a[2]; }\n P0 | P1 ;\n MOV AX,[w] | MOV [a+4],$1 ;\n MOV EBX,$1 | XCHG ECX,[a] ;\n",
    );
    assert_eq!(names(&program), ["0:AX", "1:ECX", "a[0]", "a[1]", "w"]);
}

#[test]
fn registers_are_observed_as_spelled() {
    let program = read(
        "X86 t\n{ }\n P0 ;\n MOV EAX,[x] ;\n locations [P0:rax; x]\n exists (0:eax=-1 /\\ 0:esi=0)\n",
    );
    assert_eq!(names(&program), ["0:EAX", "0:ESI", "0:RAX", "x"]);
    let widths: Vec<u32> = program.observed.iter().map(|o| o.width.bits()).collect();
    assert_eq!(widths, [32, 32, 64, 32]);
    // All three are views of registers that the thread has.
    assert_eq!(program.functions[0].registers.len(), 2);
}

#[test]
fn formulas_of_the_command_line() {
    let program = read(
        "X86 t\n{ x=0; y=0; 0:EBX=y; }\n P0 ;\n a: b: MOV EAX,[x] ;\n ADD ECX,$2 ;\n exists (x=0)\n",
    );
    let formula = |text: &str| {
        let typed = Source::new("typed", text);
        frontend::formula(&typed, &program)
            .map(|f| f.to_string())
            .unwrap_or_else(|d| d.to_string())
    };
    assert_eq!(
        formula("0:ECX=2 && x!=1 || !(y<3)"),
        "(0:ECX=2 /\\ x!=1) \\/ ~(y<3)"
    );
    assert_eq!(formula("0:EBX=y"), "0:EBX=&y");
    assert_eq!(formula("0:EBX=&y"), "0:EBX=&y");
    assert_eq!(formula("x=[y] and x==0:EAX"), "x=y /\\ x=0:EAX");
    assert_eq!(
        formula("x<>1 => y=1 => x=0x10"),
        "~(x!=1) \\/ ~(y=1) \\/ x=16"
    );
    assert_eq!(formula("P0@a"), "P0@a");
    assert_eq!(formula("P0@end"), "P0@end");
    assert_eq!(
        formula("0:EDX=1"),
        "typed:1:1: P0 does not use register `EDX` (expected a register of that processor's code)"
    );
    assert_eq!(
        formula(""),
        "typed:1:1: something is missing here (expected a location, a register such as `0:EAX`, or a number)"
    );
    // The write to a register that nothing in the test names is still there.
    let block = &program.functions[0].blocks[0];
    assert_eq!(block.instructions.len(), 2);
}

#[test]
fn labels_at_one_place_and_at_the_end() {
    let program = read(
        "X86 t\n{ }\n P0 ;\n a: ;\n b: MOV EAX,[x] ;\n JMP z ;\n z: ;\n invariant P0@a\n invariant P0@b\n invariant P0@z\n",
    );
    let formulas: Vec<&Formula> = program
        .properties
        .invariants
        .iter()
        .map(|p| &p.formula)
        .collect();
    let [
        Formula::At(_, Position::Label(a, _)),
        Formula::At(_, Position::Label(b, _)),
        Formula::At(_, z),
    ] = formulas[..]
    else {
        panic!("{formulas:?}");
    };
    assert_eq!(a, b);
    assert_eq!(*z, Position::End);
}

#[test]
fn a_label_called_entry() {
    let program = read("X86 t\n{ }\n P0 ;\n NOP ;\n entry: MOV EAX,[x] ;\n JMP entry ;\n");
    let labels: Vec<&str> = program.functions[0]
        .blocks
        .iter()
        .map(|b| b.label.as_str())
        .collect();
    assert_eq!(labels, ["entry_1", "entry"]);
}
