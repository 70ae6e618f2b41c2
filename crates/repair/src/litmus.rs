//! Places of litmus tests: after each access, and before the first access of a block that control jumps to.

use crate::access::{Orders, marked};
use crate::place::Marked;
use memory::Effects;
use program::{Block, Instruction, InstructionKind, Orderings, Program, Span};

/// A litmus test with marks at its places.
pub fn mark(program: &Program) -> Marked {
    let mut marked = program.clone();
    for function in &mut marked.functions {
        for (index, block) in function.blocks.iter_mut().enumerate() {
            mark_block(block, index > 0);
        }
    }
    Marked::at_marks(marked)
}

/// A litmus test without its fences, with marks where they were.
pub fn weakened(program: &Program) -> Marked {
    marked(program.clone(), Orders::Dropped, |_| true)
}

/// Whether the text of a place is before an instruction, which starts there, rather than after one, which ends there.
pub(crate) fn is_before(program: &Program, at: Span) -> bool {
    let mut instructions = program.functions.iter().flat_map(|function| {
        let blocks = function.blocks.iter();
        blocks.flat_map(|block| block.instructions.iter())
    });
    instructions.any(|instruction| {
        let span = instruction.span;
        span.length > 0 && (span.line, span.column) == (at.line, at.column)
    })
}

fn mark_block(block: &mut Block, has_predecessors: bool) {
    let instructions = std::mem::take(&mut block.instructions);
    let mut at_start = has_predecessors;
    // An instruction of the text may be several of the program.
    for group in instructions.chunk_by(|one, next| one.span == next.span) {
        let span = group[0].span;
        let accesses = group.iter().any(|i| Effects::of(&i.kind).access.is_some());
        let named = span.length > 0;
        if accesses && at_start && named {
            block.instructions.push(a_mark(Span { length: 0, ..span }));
        }
        block.instructions.extend(group.iter().cloned());
        if accesses && named {
            let column = span.column + span.length;
            block.instructions.push(a_mark(Span {
                column,
                length: 0,
                ..span
            }));
        }
        at_start &= !accesses;
    }
}

fn a_mark(span: Span) -> Instruction {
    Instruction {
        kind: InstructionKind::Fence(Orderings::NONE),
        span,
    }
}
