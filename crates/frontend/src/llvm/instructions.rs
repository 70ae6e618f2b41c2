//! Instructions that compute, and those that end a block. Accesses to memory are in
//! `accesses`, calls in `calls`.

use super::functions::Body;
use super::instruction::{
    ArithmeticFlags, BinaryOperation, CastOperation, FloatPredicate, Instruction, InstructionKind,
    IntegerPredicate,
};
use super::lexer::Kind;
use super::module::{BlockId, MetadataId, Operand, Type, TypeId, Value};
use super::reader::{Read, Reader};

/// An instruction, and the type of the value it makes; none if it makes none.
pub(super) type Made = (InstructionKind, Option<TypeId>);

/// What may follow an instruction: `, align 4, !dbg !7`.
#[derive(Default)]
pub(super) struct Trailer {
    pub align: Option<u64>,
    pub debug: Option<MetadataId>,
}

impl<'a> Reader<'a> {
    /// One instruction with everything behind it.
    pub fn instruction(&mut self, body: &mut Body) -> Read<()> {
        let start = self.token;
        let result = match self.token.kind {
            Kind::Local => {
                let token = self.advance();
                self.expect(b'=')?;
                Some(token)
            }
            _ => None,
        };
        if self.token.kind != Kind::Word {
            return Err(self.unexpected(format_args!("an instruction")));
        }
        if self.at_call() {
            return self.call_instruction(body, result, start.line);
        }
        let (mut kind, value_type) = self.operation()?;
        let trailer = self.trailer()?;
        kind.set_align(trailer.align);
        let result = match (value_type, result) {
            (Some(value_type), token) => Some(self.define_local(token, value_type)?),
            (None, None) => None,
            (None, Some(token)) => {
                let message = format!("`{}` makes no value", kind.name());
                return Err(self.problem(token, message, ""));
            }
        };
        let instruction = Instruction {
            result,
            kind,
            debug: trailer.debug,
            line: start.line,
        };
        self.push(body, instruction);
        Ok(())
    }

    /// `, align 4, !dbg !7`, up to the end of the line.
    pub fn trailer(&mut self) -> Read<Trailer> {
        let mut trailer = Trailer::default();
        while !self.at_line_end() {
            if !self.take(b',') {
                return Err(self.unexpected(format_args!("the end of the line")));
            }
            match self.token.kind {
                Kind::MetadataName => {
                    let debug = self.attachment()?;
                    trailer.debug = trailer.debug.or(debug);
                }
                Kind::Word if self.body() == b"align" => {
                    self.advance();
                    trailer.align = Some(self.expect_number("an alignment")?);
                }
                Kind::Word if self.body() == b"addrspace" => {
                    self.address_space()?;
                }
                _ => return Err(self.unexpected(format_args!("`align` or metadata"))),
            }
        }
        Ok(trailer)
    }

    fn operation(&mut self) -> Read<Made> {
        let word = self.body();
        match word {
            b"load" | b"store" | b"alloca" | b"atomicrmw" | b"cmpxchg" | b"fence" => self.access(),
            b"getelementptr" => self.address(),
            b"icmp" | b"fcmp" => self.comparison(),
            b"br" | b"ret" | b"switch" | b"indirectbr" | b"unreachable" | b"resume" => {
                Ok((self.terminator()?, None))
            }
            b"phi" => self.phi(),
            b"select" | b"extractelement" | b"insertelement" | b"shufflevector" => {
                self.advance();
                self.skip_to_type()?;
                let kind = self.vector_access(word)?;
                let made = self.vector_result(&kind);
                Ok((kind, made))
            }
            b"extractvalue" | b"insertvalue" => {
                self.advance();
                let start = self.token;
                let kind = self.aggregate_access(word)?;
                let made = self.aggregate_result(&kind);
                match made {
                    Some(made) => Ok((kind, Some(made))),
                    None => Err(self.problem(start, "an index that the type does not have", "")),
                }
            }
            b"freeze" | b"fneg" => {
                self.advance();
                self.skip_to_type()?;
                let operand = self.operand()?;
                let made = Some(operand.value_type);
                match word {
                    b"freeze" => Ok((InstructionKind::Freeze(operand), made)),
                    _ => Ok((InstructionKind::FloatNegate(operand), made)),
                }
            }
            b"va_arg" => {
                self.advance();
                let list = self.operand()?;
                self.expect(b',')?;
                let value_type = self.value_type()?;
                let kind = InstructionKind::VariadicArgument { list, value_type };
                Ok((kind, Some(value_type)))
            }
            b"landingpad" => self.landing_pad(),
            b"catchswitch" | b"catchpad" | b"cleanuppad" | b"catchret" | b"cleanupret" => {
                self.funclet()
            }
            _ => self.arithmetic(),
        }
    }

    fn arithmetic(&mut self) -> Read<Made> {
        let word = self.body();
        if let Some(operation) = BinaryOperation::from_word(word) {
            self.advance();
            let mut flags = ArithmeticFlags::default();
            while !self.at_type() && self.token.kind == Kind::Word && !self.at_line_end() {
                flags.add(self.body());
                self.advance();
            }
            let (value_type, left, right) = self.two_values()?;
            let kind = InstructionKind::Binary {
                operation,
                flags,
                value_type,
                left,
                right,
            };
            return Ok((kind, Some(value_type)));
        }
        if let Some(operation) = CastOperation::from_word(word) {
            self.advance();
            self.skip_to_type()?;
            let operand = self.operand()?;
            self.expect_word("to")?;
            let to = self.value_type()?;
            let kind = InstructionKind::Cast {
                operation,
                operand,
                to,
            };
            return Ok((kind, Some(to)));
        }
        let text = String::from_utf8_lossy(word);
        Err(self.problem(self.token, format!("unknown instruction `{text}`"), ""))
    }

    /// `i32 %a, %b`
    fn two_values(&mut self) -> Read<(TypeId, Value, Value)> {
        let value_type = self.value_type()?;
        let left = self.value(value_type)?;
        self.expect(b',')?;
        let right = self.value(value_type)?;
        Ok((value_type, left, right))
    }

    fn comparison(&mut self) -> Read<Made> {
        let float = self.is_word("fcmp");
        self.advance();
        let mut integer_predicate = None;
        let mut float_predicate = None;
        while self.token.kind == Kind::Word && !self.at_type() && !self.at_line_end() {
            let word = self.body();
            integer_predicate = integer_predicate.or(IntegerPredicate::from_word(word));
            float_predicate = float_predicate.or(FloatPredicate::from_word(word));
            self.advance();
        }
        let start = self.token;
        let (value_type, left, right) = self.two_values()?;
        let made = self.truth_type(value_type);
        let kind = match (float, float_predicate, integer_predicate) {
            (true, Some(predicate), _) => InstructionKind::FloatCompare {
                predicate,
                value_type,
                left,
                right,
            },
            (false, _, Some(predicate)) => InstructionKind::Compare {
                predicate,
                value_type,
                left,
                right,
            },
            _ => return Err(self.problem(start, "a comparison of an unknown kind", "")),
        };
        Ok((kind, Some(made)))
    }

    /// `i1`, or a vector of them.
    fn truth_type(&mut self, compared: TypeId) -> TypeId {
        let truth = self.integer_type(1);
        self.like(compared, truth)
    }

    /// `element`, or a vector of them if `shape` is a vector.
    fn like(&mut self, shape: TypeId, element: TypeId) -> TypeId {
        match *self.type_kind(shape) {
            Type::Vector {
                count, scalable, ..
            } => self.intern(Type::Vector {
                count,
                element,
                scalable,
            }),
            _ => element,
        }
    }

    fn address(&mut self) -> Read<Made> {
        self.advance();
        let mut in_bounds = false;
        while !self.at_type() && !self.at_line_end() && self.token.kind == Kind::Word {
            in_bounds |= self.is_word("inbounds");
            self.skip_attribute()?;
        }
        let element = self.value_type()?;
        self.expect(b',')?;
        let base = self.operand()?;
        let mut indices = Vec::new();
        let mut made = base.value_type;
        while self.is(b',') && !self.before_metadata() {
            self.advance();
            let index = self.operand()?;
            if !matches!(self.type_kind(made), Type::Vector { .. }) {
                made = self.like(index.value_type, made);
            }
            indices.push(index);
        }
        let kind = InstructionKind::GetElementPointer {
            element,
            base,
            indices,
            in_bounds,
        };
        Ok((kind, Some(made)))
    }

    /// Whether the next token is a comma with metadata behind it.
    pub fn before_metadata(&self) -> bool {
        self.is(b',') && self.lexer.next_is_metadata()
    }

    /// `select`, `extractelement`, `insertelement` or `shufflevector`.
    pub fn vector_access(&mut self, word: &[u8]) -> Read<InstructionKind> {
        let first = self.operand()?;
        self.expect(b',')?;
        let second_token = self.token;
        let second = self.operand()?;
        if word == b"extractelement" {
            return Ok(InstructionKind::ExtractElement {
                vector: first,
                index: second,
            });
        }
        self.expect(b',')?;
        let third = self.operand()?;
        let same = match word {
            b"select" => second.value_type == third.value_type,
            b"shufflevector" => first.value_type == second.value_type,
            _ => true,
        };
        if !same {
            return Err(self.problem(second_token, "operands of different types", ""));
        }
        Ok(match word {
            b"select" => InstructionKind::Select {
                condition: first,
                positive: second,
                negative: third,
            },
            b"insertelement" => InstructionKind::InsertElement {
                vector: first,
                element: second,
                index: third,
            },
            _ => InstructionKind::ShuffleVector {
                left: first,
                right: second,
                mask: third,
            },
        })
    }

    fn vector_result(&mut self, kind: &InstructionKind) -> Option<TypeId> {
        let element = |reader: &Self, vector: &Operand| match reader.type_kind(vector.value_type) {
            Type::Vector { element, .. } => *element,
            _ => vector.value_type,
        };
        Some(match kind {
            InstructionKind::Select { positive, .. } => positive.value_type,
            InstructionKind::InsertElement { vector, .. } => vector.value_type,
            InstructionKind::ExtractElement { vector, .. } => element(self, vector),
            InstructionKind::ShuffleVector { left, mask, .. } => {
                let element = element(self, left);
                self.like(mask.value_type, element)
            }
            _ => return None,
        })
    }

    /// `extractvalue` or `insertvalue`.
    pub fn aggregate_access(&mut self, word: &[u8]) -> Read<InstructionKind> {
        let aggregate = self.operand()?;
        let element = match word {
            b"insertvalue" => {
                self.expect(b',')?;
                Some(self.operand()?)
            }
            _ => None,
        };
        let mut indices = Vec::new();
        while self.is(b',') && !self.before_metadata() {
            self.advance();
            let token = self.token;
            let number = self.expect_number("an index")?;
            match u32::try_from(number) {
                Ok(number) => indices.push(number),
                Err(_) => return Err(self.problem(token, "this index is too large", "")),
            }
        }
        Ok(match element {
            Some(element) => InstructionKind::InsertValue {
                aggregate,
                element,
                indices,
            },
            None => InstructionKind::ExtractValue { aggregate, indices },
        })
    }

    fn aggregate_result(&self, kind: &InstructionKind) -> Option<TypeId> {
        let (aggregate, indices, insert) = match kind {
            InstructionKind::ExtractValue { aggregate, indices } => (aggregate, indices, None),
            InstructionKind::InsertValue {
                aggregate,
                element,
                indices,
            } => (aggregate, indices, Some(element)),
            _ => return None,
        };
        let mut inner = aggregate.value_type;
        for &index in indices {
            inner = match self.type_kind(inner) {
                Type::Struct { fields, .. } => *fields.get(index as usize)?,
                Type::Array { element, count } if u64::from(index) < *count => *element,
                _ => return None,
            };
        }
        match insert {
            None => Some(inner),
            Some(element) => (element.value_type == inner).then_some(aggregate.value_type),
        }
    }

    fn phi(&mut self) -> Read<Made> {
        self.advance();
        self.skip_to_type()?;
        let value_type = self.value_type()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.value(value_type)?;
            self.expect(b',')?;
            let block = self.expect_kind(Kind::Local, "a block")?;
            let block = self.block(block)?;
            self.expect(b']')?;
            incoming.push((value, block));
            if self.before_metadata() || !self.take(b',') {
                break;
            }
        }
        let kind = InstructionKind::Phi {
            value_type,
            incoming,
        };
        Ok((kind, Some(value_type)))
    }

    fn terminator(&mut self) -> Read<InstructionKind> {
        let word = self.lexer.body(self.token);
        self.advance();
        match word {
            b"ret" => {
                let value_type = self.value_type()?;
                if self.is_void(value_type) {
                    return Ok(InstructionKind::Return(None));
                }
                let value = self.value(value_type)?;
                Ok(InstructionKind::Return(Some(Operand { value_type, value })))
            }
            b"br" => {
                if self.is_word("label") {
                    return Ok(InstructionKind::Jump(self.label()?));
                }
                let condition = self.operand()?.value;
                self.expect(b',')?;
                let positive = self.label()?;
                self.expect(b',')?;
                let negative = self.label()?;
                Ok(InstructionKind::Branch {
                    condition,
                    positive,
                    negative,
                })
            }
            b"switch" => self.switch(),
            b"indirectbr" => {
                let address = self.operand()?;
                self.expect(b',')?;
                let targets = self.labels()?;
                Ok(InstructionKind::IndirectJump { address, targets })
            }
            b"resume" => Ok(InstructionKind::Resume(self.operand()?)),
            _ => Ok(InstructionKind::Unreachable),
        }
    }

    fn switch(&mut self) -> Read<InstructionKind> {
        let value = self.operand()?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.is(b']') {
            let (_, case) = self.constant_operand()?;
            self.expect(b',')?;
            cases.push((Value::Constant(case), self.label()?));
        }
        self.advance();
        Ok(InstructionKind::Switch {
            value,
            default,
            cases,
        })
    }

    /// `label %x`
    pub fn label(&mut self) -> Read<BlockId> {
        self.expect_word("label")?;
        let token = self.expect_kind(Kind::Local, "a block")?;
        self.block(token)
    }

    /// `[label %x, label %y]`
    pub fn labels(&mut self) -> Read<Vec<BlockId>> {
        self.expect(b'[')?;
        let mut labels = Vec::new();
        while !self.is(b']') {
            labels.push(self.label()?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(labels)
    }

    fn landing_pad(&mut self) -> Read<Made> {
        self.advance();
        let value_type = self.value_type()?;
        let mut cleanup = false;
        let mut clauses = 0;
        loop {
            if self.take_word("cleanup") {
                cleanup = true;
            } else if self.take_word("catch") || self.take_word("filter") {
                self.constant_operand()?;
                clauses += 1;
            } else {
                break;
            }
        }
        let kind = InstructionKind::LandingPad {
            value_type,
            cleanup,
            clauses,
        };
        Ok((kind, Some(value_type)))
    }

    /// Instructions for exceptions of Windows: only their name is kept.
    fn funclet(&mut self) -> Read<Made> {
        const NAMES: [&str; 5] = [
            "catchswitch",
            "catchpad",
            "cleanuppad",
            "catchret",
            "cleanupret",
        ];
        let word = self.body();
        let name = NAMES.into_iter().find(|name| name.as_bytes() == word);
        self.advance();
        while !self.at_line_end() && !self.before_metadata() {
            self.advance();
        }
        let token = self.intern(Type::Token);
        let name = name.unwrap_or("catchpad");
        let makes = matches!(name, "catchswitch" | "catchpad" | "cleanuppad");
        Ok((InstructionKind::Funclet { name }, makes.then_some(token)))
    }
}
