//! Instructions that touch memory.

use super::instruction::{Access, AtomicOrdering, InstructionKind, UpdateOperation};
use super::instructions::Made;
use super::lexer::Kind;
use super::module::{Operand, Type};
use super::reader::{Read, Reader};

impl<'a> Reader<'a> {
    pub fn access(&mut self) -> Read<Made> {
        let word = self.body();
        self.advance();
        match word {
            b"load" => self.load(),
            b"store" => self.store(),
            b"alloca" => self.allocation(),
            b"atomicrmw" => self.update(),
            b"cmpxchg" => self.exchange(),
            _ => {
                let single_thread = self.single_thread()?;
                let ordering = self.expect_ordering()?;
                let kind = InstructionKind::Fence {
                    ordering,
                    single_thread,
                };
                Ok((kind, None))
            }
        }
    }

    fn load(&mut self) -> Read<Made> {
        let atomic = self.take_word("atomic");
        let volatile = self.take_word("volatile");
        let value_type = self.value_type()?;
        self.expect(b',')?;
        let pointer = self.pointer()?;
        let access = self.end_of_access(atomic, volatile)?;
        let kind = InstructionKind::Load {
            value_type,
            pointer,
            access,
        };
        Ok((kind, Some(value_type)))
    }

    fn store(&mut self) -> Read<Made> {
        let atomic = self.take_word("atomic");
        let volatile = self.take_word("volatile");
        let value = self.operand()?;
        self.expect(b',')?;
        let pointer = self.pointer()?;
        let access = self.end_of_access(atomic, volatile)?;
        let kind = InstructionKind::Store {
            value,
            pointer,
            access,
        };
        Ok((kind, None))
    }

    /// The ordering of an atomic access, if it is one. The alignment comes later.
    fn end_of_access(&mut self, atomic: bool, volatile: bool) -> Read<Access> {
        let mut access = Access {
            volatile,
            ..Access::default()
        };
        if atomic {
            access.single_thread = self.single_thread()?;
            access.ordering = Some(self.expect_ordering()?);
        }
        Ok(access)
    }

    fn allocation(&mut self) -> Read<Made> {
        self.take_word("inalloca");
        self.take_word("swifterror");
        let element = self.value_type()?;
        let mut count = None;
        let mut made = self.pointer_type(0);
        let mut align = None;
        while self.is(b',') && !self.before_metadata() {
            self.advance();
            if self.take_word("align") {
                align = Some(self.expect_number("an alignment")?);
            } else if self.is_word("addrspace") {
                let space = self.address_space()?;
                made = self.pointer_type(space);
            } else {
                count = Some(self.operand()?);
            }
        }
        let kind = InstructionKind::Allocate {
            element,
            count,
            align,
        };
        Ok((kind, Some(made)))
    }

    fn update(&mut self) -> Read<Made> {
        let volatile = self.take_word("volatile");
        let token = self.expect_kind(Kind::Word, "an operation")?;
        let word = self.lexer.body(token);
        let Some(operation) = UpdateOperation::from_word(word) else {
            let word = String::from_utf8_lossy(word);
            return Err(self.problem(token, format!("unknown atomic operation `{word}`"), ""));
        };
        let pointer = self.pointer()?;
        self.expect(b',')?;
        let value = self.operand()?;
        let access = self.end_of_access(true, volatile)?;
        let made = value.value_type;
        let kind = InstructionKind::AtomicUpdate {
            operation,
            pointer,
            value,
            access,
        };
        Ok((kind, Some(made)))
    }

    fn exchange(&mut self) -> Read<Made> {
        let weak = self.take_word("weak");
        let volatile = self.take_word("volatile");
        let pointer = self.pointer()?;
        self.expect(b',')?;
        let expected = self.operand()?;
        self.expect(b',')?;
        let token = self.token;
        let new = self.operand()?;
        if expected.value_type != new.value_type {
            return Err(self.problem(token, "operands of different types", ""));
        }
        let access = self.end_of_access(true, volatile)?;
        let failure = self.expect_ordering()?;
        let truth = self.integer_type(1);
        let made = self.intern(Type::Struct {
            name: None,
            packed: false,
            fields: vec![new.value_type, truth],
        });
        let kind = InstructionKind::CompareExchange {
            pointer,
            expected,
            new,
            weak,
            failure,
            access,
        };
        Ok((kind, Some(made)))
    }

    fn pointer(&mut self) -> Read<Operand> {
        let token = self.token;
        let pointer = self.operand()?;
        match self.type_kind(pointer.value_type) {
            Type::Pointer { .. } => Ok(pointer),
            _ => Err(self.problem(token, "not a pointer", "")),
        }
    }

    /// `syncscope("singlethread")`. Scopes of other names are those of devices: within
    /// one, all threads see the access.
    fn single_thread(&mut self) -> Read<bool> {
        if !self.take_word("syncscope") {
            return Ok(false);
        }
        self.expect(b'(')?;
        let scope = self.expect_text("a scope")?;
        self.expect(b')')?;
        Ok(&*scope == "singlethread")
    }

    fn expect_ordering(&mut self) -> Read<AtomicOrdering> {
        let ordering = match self.token.kind {
            Kind::Word => self.body(),
            _ => b"",
        };
        let ordering = match ordering {
            b"unordered" => AtomicOrdering::Unordered,
            b"monotonic" => AtomicOrdering::Monotonic,
            b"acquire" => AtomicOrdering::Acquire,
            b"release" => AtomicOrdering::Release,
            b"acq_rel" => AtomicOrdering::AcquireRelease,
            b"seq_cst" => AtomicOrdering::SequentiallyConsistent,
            _ => return Err(self.unexpected(format_args!("an ordering"))),
        };
        self.advance();
        Ok(ordering)
    }
}

impl InstructionKind {
    /// Sets the alignment that was written behind an access.
    pub(super) fn set_align(&mut self, given: Option<u64>) {
        match self {
            InstructionKind::Load { access, .. }
            | InstructionKind::Store { access, .. }
            | InstructionKind::AtomicUpdate { access, .. }
            | InstructionKind::CompareExchange { access, .. } => access.align = given,
            InstructionKind::Allocate { align, .. } => *align = align.or(given),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UpdateOperation;
    use crate::llvm::{AtomicOrdering, Instruction, InstructionKind, parse};
    use program::Source;

    fn first(line: &str) -> Instruction {
        let text = format!("define void @f(ptr %p) {{\n  {line}\n  ret void\n}}\n");
        let mut module = parse(&Source::new("x.ll", text)).unwrap();
        module.functions[0].blocks[0].instructions.remove(0)
    }

    #[test]
    fn every_update() {
        let words = "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin \
                     uinc_wrap udec_wrap usub_cond usub_sat";
        for word in words.split_whitespace() {
            let of = if word.starts_with('f') {
                "double 1.0"
            } else {
                "i32 1"
            };
            let made = first(&format!(
                "%1 = atomicrmw {word} ptr %p, {of} monotonic, align 8"
            ));
            let InstructionKind::AtomicUpdate {
                operation, access, ..
            } = made.kind
            else {
                panic!("{word}");
            };
            assert_eq!(
                operation,
                UpdateOperation::from_word(word.as_bytes()).unwrap()
            );
            assert_eq!(access.ordering, Some(AtomicOrdering::Monotonic));
            assert_eq!(access.align, Some(8));
        }
    }

    #[test]
    fn a_fence_for_signal_handlers() {
        let made = first("fence syncscope(\"singlethread\") acquire");
        let expected = InstructionKind::Fence {
            ordering: AtomicOrdering::Acquire,
            single_thread: true,
        };
        assert_eq!(made.kind, expected);
    }
}
