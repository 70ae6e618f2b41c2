//! Which source variable is where: `#dbg_*` records and `llvm.dbg.*` calls, which say
//! the same.

use super::functions::Body;
use super::lexer::Kind;
use super::metadata::{DebugKind, DebugVariable, Metadata};
use super::module::{BlockId, Constant, MetadataId, Operand, Type, Value};
use super::reader::{Read, Reader};

impl<'a> Reader<'a> {
    /// Whether `@llvm.dbg.…` is called next.
    pub fn at_debug_intrinsic(&self) -> bool {
        self.token.kind == Kind::Symbol && self.body().starts_with(b"llvm.dbg.")
    }

    /// `#dbg_value(i32 %0, !1, !DIExpression(), !2)`
    pub fn debug_record(&mut self, body: &mut Body) -> Read<()> {
        let kind = match self.body() {
            b"dbg_declare" => DebugKind::Declare,
            b"dbg_value" => DebugKind::Value,
            b"dbg_assign" => DebugKind::Assign,
            // `dbg_label`, and what is not known yet.
            _ => {
                self.advance();
                if !self.is(b'(') {
                    return Err(self.unexpected(format_args!("`(`")));
                }
                return self.skip_balanced();
            }
        };
        self.advance();
        self.expect(b'(')?;
        let mut variable = self.debug_variable(kind, body)?;
        if kind == DebugKind::Assign {
            self.expect(b',')?;
            self.node_reference()?;
            self.expect(b',')?;
            variable.address = self.debug_values()?.pop();
            self.expect(b',')?;
            self.node_reference()?;
        }
        self.expect(b',')?;
        variable.location = self.node_reference()?;
        self.expect(b')')?;
        body.variables.push(variable);
        Ok(())
    }

    /// `@llvm.dbg.value(metadata i32 %0, metadata !1, metadata !DIExpression()), !dbg !2`
    pub fn debug_call(&mut self, body: &mut Body) -> Read<()> {
        let token = self.advance();
        self.symbol(token);
        let kind = match self.lexer.body(token) {
            b"llvm.dbg.declare" | b"llvm.dbg.addr" => Some(DebugKind::Declare),
            b"llvm.dbg.value" => Some(DebugKind::Value),
            b"llvm.dbg.assign" => Some(DebugKind::Assign),
            _ => None,
        };
        let Some(kind) = kind else {
            if !self.is(b'(') {
                return Err(self.unexpected(format_args!("`(`")));
            }
            self.skip_balanced()?;
            self.function_attributes()?;
            self.trailer()?;
            return Ok(());
        };
        self.expect(b'(')?;
        let mut variable = self.debug_variable(kind, body)?;
        if kind == DebugKind::Assign {
            self.expect(b',')?;
            self.debug_node()?;
            self.expect(b',')?;
            variable.address = self.debug_values()?.pop();
            self.expect(b',')?;
            self.debug_node()?;
        }
        self.expect(b')')?;
        self.function_attributes()?;
        variable.location = self.trailer()?.debug;
        body.variables.push(variable);
        Ok(())
    }

    /// The value, the variable and the expression.
    fn debug_variable(&mut self, kind: DebugKind, body: &Body) -> Read<DebugVariable> {
        let values = self.debug_values()?;
        self.expect(b',')?;
        let token = self.token;
        let variable = self.debug_node()?;
        self.expect(b',')?;
        let expression = self.debug_node()?;
        let Some(variable) = variable else {
            return Err(self.problem(token, "no variable", ""));
        };
        let position = body.blocks.last().map_or(0, |b| b.instructions.len());
        Ok(DebugVariable {
            kind,
            values,
            address: None,
            variable,
            expression,
            location: None,
            block: BlockId(body.blocks.len().saturating_sub(1) as u32),
            position: position as u32,
        })
    }

    /// A node, behind `metadata` if in a call.
    fn debug_node(&mut self) -> Read<Option<MetadataId>> {
        self.take_word("metadata");
        self.node_reference()
    }

    /// The values that a variable is computed from; none if there is nothing to know.
    fn debug_values(&mut self) -> Read<Vec<Operand>> {
        self.take_word("metadata");
        if self.token.kind == Kind::MetadataName && self.body() == b"DIArgList" {
            self.advance();
            return self.argument_list();
        }
        if matches!(
            self.token.kind,
            Kind::Bang | Kind::MetadataName | Kind::MetadataNumber
        ) {
            self.node_reference()?;
            return Ok(Vec::new());
        }
        let operand = self.operand()?;
        let known = !matches!(
            operand.value,
            Value::Constant(Constant::Undefined | Constant::Poison)
        );
        Ok(known.then_some(operand).into_iter().collect())
    }

    /// `(i32 %0, i32 7)` behind `!DIArgList`.
    pub fn argument_list(&mut self) -> Read<Vec<Operand>> {
        self.expect(b'(')?;
        let mut operands = Vec::new();
        while !self.is(b')') {
            operands.push(self.operand()?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(operands)
    }

    /// The metadata argument of an intrinsic, behind the word `metadata`.
    pub fn metadata_operand(&mut self) -> Read<MetadataId> {
        match self.token.kind {
            Kind::Bang | Kind::MetadataName | Kind::MetadataNumber => {
                let node = self.node_reference()?;
                Ok(node.unwrap_or_else(|| self.new_node(Metadata::Tuple(Vec::new()))))
            }
            _ => {
                let operand = self.operand()?;
                if matches!(self.type_kind(operand.value_type), Type::Metadata) {
                    return Err(self.unexpected(format_args!("a value")));
                }
                Ok(self.new_node(Metadata::Value(operand)))
            }
        }
    }
}
