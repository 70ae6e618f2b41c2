//! Calls: `call`, `invoke` and `callbr`.

use super::functions::Body;
use super::instruction::{
    Argument, Call, Callee, InlineAssembly, Instruction, InstructionKind, TailKind,
};
use super::lexer::{Kind, Token};
use super::module::{Constant, Type, TypeId, Value};
use super::reader::{Read, Reader};

impl<'a> Reader<'a> {
    pub fn at_call(&self) -> bool {
        matches!(
            self.body(),
            b"call" | b"tail" | b"musttail" | b"notail" | b"invoke" | b"callbr"
        )
    }

    pub fn call_instruction(
        &mut self,
        body: &mut Body,
        result: Option<Token>,
        line: u32,
    ) -> Read<()> {
        let tail = match self.body() {
            b"tail" => TailKind::Tail,
            b"musttail" => TailKind::MustTail,
            b"notail" => TailKind::NoTail,
            _ => TailKind::None,
        };
        if tail != TailKind::None {
            self.advance();
        }
        let word = self.body();
        if !matches!(word, b"call" | b"invoke" | b"callbr") {
            return Err(self.unexpected(format_args!("`call`")));
        }
        self.advance();
        self.skip_to_type()?;
        let (result_type, function_type) = self.called_type()?;
        if word == b"call" && self.at_debug_intrinsic() {
            return self.debug_call(body);
        }
        let callee = self.callee()?;
        let arguments = self.arguments()?;
        let no_return = self.function_attributes()?;
        let bundles = self.bundles()?;
        let call = Box::new(Call {
            callee,
            result: result_type,
            function_type,
            arguments,
            tail,
            no_return,
            bundles,
        });
        let kind = match word {
            b"call" => InstructionKind::Call(call),
            b"invoke" => {
                self.expect_word("to")?;
                let normal = self.label()?;
                self.expect_word("unwind")?;
                let unwind = self.label()?;
                InstructionKind::Invoke {
                    call,
                    normal,
                    unwind,
                }
            }
            _ => {
                self.expect_word("to")?;
                let normal = self.label()?;
                let targets = self.labels()?;
                InstructionKind::CallBranch {
                    call,
                    normal,
                    targets,
                }
            }
        };
        let debug = self.trailer()?.debug;
        let result = match (self.is_void(result_type), result) {
            (true, None) => None,
            (true, Some(token)) => {
                return Err(self.problem(token, "a call that returns nothing", ""));
            }
            (false, token) => Some(self.define_local(token, result_type)?),
        };
        let instruction = Instruction {
            result,
            kind,
            debug,
            line,
        };
        self.push(body, instruction);
        Ok(())
    }

    /// The type before the callee: that of the result, or the whole function's.
    fn called_type(&mut self) -> Read<(TypeId, Option<TypeId>)> {
        let written = self.value_type()?;
        Ok(match self.type_kind(written) {
            Type::Function { result, .. } => (*result, Some(written)),
            _ => (written, None),
        })
    }

    fn callee(&mut self) -> Read<Callee> {
        if !self.take_word("asm") {
            let pointer = self.pointer_type(0);
            let value = match self.token.kind {
                Kind::Symbol => {
                    let token = self.advance();
                    Value::Constant(Constant::Symbol(self.symbol(token)))
                }
                _ => self.value(pointer)?,
            };
            return Ok(Callee::Value(value));
        }
        let mut side_effect = false;
        let mut intel = false;
        while self.token.kind == Kind::Word {
            side_effect |= self.is_word("sideeffect");
            intel |= self.is_word("inteldialect");
            self.advance();
        }
        let text = self.expect_text("assembly code")?;
        self.expect(b',')?;
        let constraints = self.expect_text("constraints")?;
        Ok(Callee::Assembly(Box::new(InlineAssembly {
            text,
            constraints,
            side_effect,
            intel,
        })))
    }

    fn arguments(&mut self) -> Read<Vec<Argument>> {
        self.expect(b'(')?;
        let mut arguments = Vec::new();
        while !self.is(b')') {
            // A `musttail` call in a variadic function passes on what it got.
            if self.token.kind == Kind::Ellipsis {
                self.advance();
                break;
            }
            let value_type = self.value_type()?;
            if matches!(self.type_kind(value_type), Type::Metadata) {
                let node = self.metadata_operand()?;
                arguments.push(Argument {
                    value_type,
                    value: Value::Metadata(node),
                    passing: Default::default(),
                    align: None,
                });
            } else {
                let (passing, align) = self.argument_attributes()?;
                let value = self.value(value_type)?;
                arguments.push(Argument {
                    value_type,
                    value,
                    passing,
                    align,
                });
            }
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(arguments)
    }

    /// `[ "tag"(i32 7) ]`
    fn bundles(&mut self) -> Read<Vec<Box<str>>> {
        let mut tags = Vec::new();
        if self.at_line_end() || !self.take(b'[') {
            return Ok(tags);
        }
        while !self.is(b']') {
            tags.push(self.expect_text("the tag of a bundle")?);
            if !self.is(b'(') {
                return Err(self.unexpected(format_args!("`(`")));
            }
            self.skip_balanced()?;
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(tags)
    }
}
