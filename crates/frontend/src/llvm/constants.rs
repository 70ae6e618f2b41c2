//! Constants and constant expressions.

use super::instruction::{
    ArithmeticFlags, BinaryOperation, CastOperation, FloatPredicate, InstructionKind,
    IntegerPredicate,
};
use super::lexer::Kind;
use super::module::{Constant, Operand, Type, TypeId, Value};
use super::numbers;
use super::reader::{Read, Reader};

impl<'a> Reader<'a> {
    /// Whether the next token may begin a value.
    pub fn at_value(&self) -> bool {
        match self.token.kind {
            Kind::Local | Kind::Symbol | Kind::Number | Kind::Bytes => true,
            Kind::Punctuation(b'[' | b'{' | b'<') => true,
            Kind::Word => is_value_word(self.body()),
            _ => false,
        }
    }

    /// A constant of this type.
    pub fn constant(&mut self, value_type: TypeId) -> Read<Constant> {
        match self.token.kind {
            Kind::Number => self.number(value_type),
            Kind::Symbol => {
                let token = self.advance();
                Ok(Constant::Symbol(self.symbol(token)))
            }
            Kind::Word => self.nested(|reader| reader.constant_word(value_type)),
            Kind::Bytes => {
                let token = self.advance();
                Ok(Constant::Bytes(self.unescaped(token).into()))
            }
            Kind::Punctuation(b'[') => self.nested(|reader| {
                reader.advance();
                reader.elements(b']')
            }),
            Kind::Punctuation(b'{') => self.nested(|reader| {
                reader.advance();
                reader.elements(b'}')
            }),
            Kind::Punctuation(b'<') => self.nested(|reader| {
                reader.advance();
                if !reader.take(b'{') {
                    return reader.elements(b'>');
                }
                let elements = reader.elements(b'}')?;
                reader.expect(b'>')?;
                Ok(elements)
            }),
            _ => Err(self.unexpected(format_args!("a value"))),
        }
    }

    fn elements(&mut self, close: u8) -> Read<Constant> {
        let mut elements = Vec::new();
        while !self.is(close) {
            let (value_type, constant) = self.constant_operand()?;
            let value = Value::Constant(constant);
            elements.push(Operand { value_type, value });
            if !self.take(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(Constant::Aggregate(elements.into()))
    }

    fn number(&mut self, value_type: TypeId) -> Read<Constant> {
        let text = self.body();
        let constant = match self.type_kind(value_type) {
            Type::Integer(bits) => numbers::integer(text, *bits),
            other => numbers::float(text, other),
        };
        let Some(constant) = constant else {
            let message = format!(
                "not a number of type `{}`",
                self.module.describe(value_type)
            );
            return Err(self.problem(self.token, message, ""));
        };
        self.advance();
        Ok(constant)
    }

    fn constant_word(&mut self, value_type: TypeId) -> Read<Constant> {
        let word = self.body();
        let simple = match word {
            b"true" => Constant::Integer(1),
            b"false" => Constant::Integer(0),
            b"null" => Constant::Null,
            b"undef" => Constant::Undefined,
            b"poison" => Constant::Poison,
            b"zeroinitializer" => Constant::Zero,
            b"none" => Constant::None,
            _ => return self.constant_form(value_type),
        };
        if matches!(simple, Constant::Integer(_))
            && !matches!(self.type_kind(value_type), Type::Integer(1))
        {
            return Err(self.problem(self.token, "a truth value that is not an `i1`", ""));
        }
        self.advance();
        Ok(simple)
    }

    fn constant_form(&mut self, value_type: TypeId) -> Read<Constant> {
        let word = self.body();
        match word {
            [b'u' | b's' | b'f', b'0', b'x', ..] => self.number(value_type),
            b"splat" => {
                self.advance();
                self.expect(b'(')?;
                let element = self.operand()?;
                self.expect(b')')?;
                Ok(Constant::Splat(Box::new(element)))
            }
            b"blockaddress" => {
                self.advance();
                self.expect(b'(')?;
                let function = self.expect_kind(Kind::Symbol, "a function")?;
                self.expect(b',')?;
                let block = self.expect_kind(Kind::Local, "a block")?;
                self.expect(b')')?;
                let function = self.symbol(function);
                let block = self.string(block);
                Ok(Constant::BlockAddress { function, block })
            }
            b"dso_local_equivalent" | b"no_cfi" => {
                self.advance();
                let function = self.expect_kind(Kind::Symbol, "a function")?;
                Ok(Constant::FunctionAddress(self.symbol(function)))
            }
            b"ptrauth" => {
                self.advance();
                self.expect(b'(')?;
                let pointer = self.operand()?;
                while self.take(b',') {
                    self.operand()?;
                }
                self.expect(b')')?;
                Ok(Constant::SignedPointer(Box::new(pointer)))
            }
            _ => {
                let expression = self.expression()?;
                Ok(Constant::Expression(Box::new(expression)))
            }
        }
    }

    /// An operation on constants, such as `getelementptr (i8, ptr @x, i64 8)`.
    fn expression(&mut self) -> Read<InstructionKind> {
        let token = self.token;
        let word = self.body();
        if let Some(operation) = BinaryOperation::from_word(word) {
            self.advance();
            let mut flags = ArithmeticFlags::default();
            while self.token.kind == Kind::Word {
                flags.add(self.body());
                self.advance();
            }
            let (left, right) = self.pair()?;
            return Ok(InstructionKind::Binary {
                operation,
                flags,
                value_type: left.value_type,
                left: left.value,
                right: right.value,
            });
        }
        if let Some(operation) = CastOperation::from_word(word) {
            self.advance();
            self.skip_words();
            self.expect(b'(')?;
            let operand = self.operand()?;
            self.expect_word("to")?;
            let to = self.value_type()?;
            self.expect(b')')?;
            return Ok(InstructionKind::Cast {
                operation,
                operand,
                to,
            });
        }
        match word {
            b"getelementptr" => self.address_expression(),
            b"icmp" | b"fcmp" => self.comparison_expression(word == b"fcmp"),
            b"select" | b"shufflevector" | b"insertelement" | b"extractelement" | b"fneg"
            | b"extractvalue" | b"insertvalue" => {
                self.advance();
                self.expect(b'(')?;
                let kind = match word {
                    b"fneg" => InstructionKind::FloatNegate(self.operand()?),
                    b"extractvalue" | b"insertvalue" => self.aggregate_access(word)?,
                    _ => self.vector_access(word)?,
                };
                self.expect(b')')?;
                Ok(kind)
            }
            _ => {
                let text = String::from_utf8_lossy(word);
                Err(self.problem(token, format!("unknown value `{text}`"), ""))
            }
        }
    }

    fn address_expression(&mut self) -> Read<InstructionKind> {
        self.advance();
        let mut in_bounds = false;
        while self.token.kind == Kind::Word {
            let inrange = self.is_word("inrange");
            in_bounds |= self.is_word("inbounds");
            self.advance();
            if inrange && self.is(b'(') {
                self.skip_balanced()?;
            }
        }
        self.expect(b'(')?;
        let element = self.value_type()?;
        self.expect(b',')?;
        let base = self.operand()?;
        let mut indices = Vec::new();
        while self.take(b',') {
            self.take_word("inrange");
            indices.push(self.operand()?);
        }
        self.expect(b')')?;
        Ok(InstructionKind::GetElementPointer {
            element,
            base,
            indices,
            in_bounds,
        })
    }

    fn comparison_expression(&mut self, float: bool) -> Read<InstructionKind> {
        self.advance();
        let word = self.expect_kind(Kind::Word, "a comparison")?;
        let body = self.lexer.body(word);
        let unknown = |reader: &Self| reader.problem(word, "unknown comparison", "");
        let (left, right) = self.pair()?;
        let value_type = left.value_type;
        let (left, right) = (left.value, right.value);
        if float {
            return Ok(InstructionKind::FloatCompare {
                predicate: FloatPredicate::from_word(body).ok_or_else(|| unknown(self))?,
                value_type,
                left,
                right,
            });
        }
        Ok(InstructionKind::Compare {
            predicate: IntegerPredicate::from_word(body).ok_or_else(|| unknown(self))?,
            value_type,
            left,
            right,
        })
    }

    /// `(T a, T b)`
    fn pair(&mut self) -> Read<(Operand, Operand)> {
        self.expect(b'(')?;
        let left = self.operand()?;
        self.expect(b',')?;
        let second = self.token;
        let right = self.operand()?;
        self.expect(b')')?;
        if left.value_type != right.value_type {
            return Err(self.problem(second, "operands of different types", ""));
        }
        Ok((left, right))
    }
}

impl ArithmeticFlags {
    /// Notes a flag; those that do not matter are dropped.
    pub(super) fn add(&mut self, word: &[u8]) {
        match word {
            b"nsw" => self.no_signed_wrap = true,
            b"nuw" => self.no_unsigned_wrap = true,
            b"exact" => self.exact = true,
            b"disjoint" => self.disjoint = true,
            _ => {}
        }
    }
}

fn is_value_word(word: &[u8]) -> bool {
    match word {
        b"true" | b"false" | b"null" | b"undef" | b"poison" | b"zeroinitializer" | b"none" => true,
        b"splat" | b"blockaddress" | b"dso_local_equivalent" | b"no_cfi" | b"ptrauth" => true,
        b"getelementptr" | b"icmp" | b"fcmp" | b"select" | b"shufflevector" | b"insertelement"
        | b"extractelement" | b"fneg" | b"extractvalue" | b"insertvalue" => true,
        [b'u' | b's' | b'f', b'0', b'x', ..] => true,
        _ => BinaryOperation::from_word(word).is_some() || CastOperation::from_word(word).is_some(),
    }
}
