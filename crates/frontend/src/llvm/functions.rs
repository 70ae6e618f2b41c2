//! Functions: the header, the blocks, and what is settled once all of them are read.

use super::instruction::Instruction;
use super::lexer::{Kind, Token};
use super::module::{
    Block, BlockId, Function, FunctionId, Linkage, MetadataId, Parameter, SourceId, SymbolTarget,
    Type,
};
use super::reader::{Read, Reader};

/// A function whose blocks are being read.
pub(super) struct Body {
    pub blocks: Vec<Block>,
    pub variables: Vec<super::metadata::DebugVariable>,
    /// Whether the last block has its terminator.
    pub terminated: bool,
}

impl<'a> Reader<'a> {
    /// `define … { … }` or `declare …`
    pub fn function(&mut self, defined: bool) -> Read<()> {
        let line = self.advance().line;
        let mut debug = None;
        self.scope.restart();
        let mut linkage = Linkage::External;
        // `declare !dbg !5 i32 @f()`
        while !self.at_type() {
            if self.token.kind == Kind::MetadataName {
                debug = debug.or(self.attachment()?);
                continue;
            }
            linkage = self.linkage_word().unwrap_or(linkage);
            if !self.skip_attribute()? {
                return Err(self.unexpected(format_args!("the type of a result")));
            }
        }
        let result = self.value_type()?;
        let name = self.expect_kind(Kind::Symbol, "the name of a function")?;
        let target = SymbolTarget::Function(FunctionId(self.module.functions.len() as u32));
        let symbol = self.define_symbol(name, target)?;
        let (parameters, variadic) = self.parameters(defined)?;
        let no_return = self.header_end(defined, &mut debug)?;
        let mut function = Function {
            symbol,
            linkage,
            result,
            parameters,
            variadic,
            no_return,
            blocks: Vec::new(),
            locals: Vec::new(),
            variables: Vec::new(),
            debug,
            source: SourceId(0),
            line,
        };
        if defined {
            self.expect(b'{')?;
            let body = self.blocks()?;
            self.check_scope()?;
            function.blocks = body.blocks;
            function.variables = body.variables;
            function.locals = std::mem::take(&mut self.scope.locals);
            self.order_blocks(&mut function);
        }
        self.scope.active = false;
        self.module.functions.push(function);
        Ok(())
    }

    fn parameters(&mut self, defined: bool) -> Read<(Vec<Parameter>, bool)> {
        self.expect(b'(')?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.is(b')') {
            if self.token.kind == Kind::Ellipsis {
                self.advance();
                variadic = true;
                break;
            }
            let value_type = self.value_type()?;
            let passing = self.parameter_attributes()?;
            let name = match self.token.kind {
                Kind::Local => Some(self.advance()),
                _ => None,
            };
            let local = match defined {
                true => Some(self.define_local(name, value_type)?),
                false => None,
            };
            parameters.push(Parameter {
                value_type,
                local,
                passing,
            });
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((parameters, variadic))
    }

    /// Attributes, `!dbg` and the like, up to `{` or the end of the line.
    fn header_end(&mut self, defined: bool, debug: &mut Option<MetadataId>) -> Read<bool> {
        let mut no_return = false;
        while !(self.at_line_end() || defined && self.is(b'{')) {
            match self.token.kind {
                Kind::MetadataName => *debug = debug.or(self.attachment()?),
                Kind::Word if matches!(self.body(), b"personality" | b"prefix" | b"prologue") => {
                    self.advance();
                    self.constant_operand()?;
                }
                Kind::Word if self.body() == b"section" || self.body() == b"gc" => {
                    self.advance();
                    self.expect_text("a name")?;
                }
                Kind::Word if matches!(self.body(), b"addrspace" | b"comdat" | b"partition") => {
                    self.skip_attribute()?;
                }
                _ => {
                    let before = self.token.start;
                    no_return |= self.one_function_attribute()?;
                    if self.token.start == before {
                        return Err(self.unexpected(format_args!("the end of the line")));
                    }
                }
            }
        }
        Ok(no_return)
    }

    /// `!dbg !5`; of other attachments nothing is kept.
    pub fn attachment(&mut self) -> Read<Option<MetadataId>> {
        let debug = self.body() == b"dbg";
        self.advance();
        let node = self.node_reference()?;
        Ok(node.filter(|_| debug))
    }

    fn blocks(&mut self) -> Read<Body> {
        let mut body = Body {
            blocks: Vec::new(),
            variables: Vec::new(),
            terminated: true,
        };
        loop {
            match self.token.kind {
                Kind::Punctuation(b'}') => break,
                Kind::Word | Kind::Number | Kind::Text if self.at_label() => {
                    let label = self.advance();
                    self.expect(b':')?;
                    self.open_block(&mut body, Some(label))?;
                }
                Kind::Word if self.body().starts_with(b"uselistorder") => self.skip_line(),
                Kind::Record => {
                    if body.terminated {
                        self.open_block(&mut body, None)?;
                    }
                    self.debug_record(&mut body)?;
                }
                _ => {
                    if body.terminated {
                        self.open_block(&mut body, None)?;
                    }
                    self.instruction(&mut body)?;
                }
            }
        }
        if body.blocks.is_empty() {
            return Err(self.unexpected(format_args!("a block")));
        }
        if !body.terminated {
            return Err(self.unexpected(format_args!("the end of a block: `ret`, `br`, …")));
        }
        self.advance();
        Ok(body)
    }

    fn at_label(&self) -> bool {
        self.lexer.after(self.token) == Some(b':')
    }

    fn open_block(&mut self, body: &mut Body, label: Option<Token>) -> Read<()> {
        if !body.terminated {
            let label = label.unwrap_or(self.token);
            return Err(self.problem(label, "the block before this one does not end", ""));
        }
        body.terminated = false;
        self.define_block(label)?;
        let numbered =
            |token: Token| !token.quoted && self.lexer.body(token).iter().all(u8::is_ascii_digit);
        let name = label.filter(|token| !numbered(*token));
        body.blocks.push(Block {
            name: name.map(|token| self.string(token)),
            instructions: Vec::new(),
        });
        Ok(())
    }

    /// Adds an instruction to the last block.
    pub fn push(&mut self, body: &mut Body, instruction: Instruction) {
        body.terminated = instruction.kind.is_terminator();
        if let Some(block) = body.blocks.last_mut() {
            block.instructions.push(instruction);
        }
    }

    /// Blocks got their ids by first use; from here on they count in the order of the
    /// text.
    fn order_blocks(&mut self, function: &mut Function) {
        let places = &self.scope.blocks;
        let in_order =
            |(index, (place, _)): (usize, &(Option<u32>, Token))| *place == Some(index as u32);
        if places.iter().enumerate().all(in_order) {
            return;
        }
        for block in &mut function.blocks {
            for instruction in block.instructions.iter_mut() {
                instruction.kind.for_each_block(&mut |id: &mut BlockId| {
                    if let Some((Some(place), _)) = places.get(id.index()) {
                        *id = BlockId(*place);
                    }
                });
            }
        }
    }

    /// Whether a type is `void`.
    pub fn is_void(&self, id: super::module::TypeId) -> bool {
        matches!(self.type_kind(id), Type::Void)
    }
}
