//! What stands at the top level of a file: types, globals, aliases, functions,
//! attributes, metadata.

use super::lexer::{Kind, Token};
use super::module::{
    Alias, AliasId, Global, GlobalId, Linkage, Module, SourceId, SymbolTarget, TypeId,
};
use super::reader::{Problem, Read, Reader};
use program::{Diagnostic, Source, Span};

/// Reads a file of textual LLVM IR.
pub fn parse(source: &Source) -> Result<Module, Diagnostic> {
    if u32::try_from(source.text.len()).is_err() {
        return Err(Diagnostic {
            source: source.clone(),
            message: "the file is larger than 4 GB".to_string(),
            span: Span::NOWHERE,
            label: String::new(),
            others: Vec::new(),
            help: None,
        });
    }
    let mut reader = Reader::new(source);
    reader.scan_groups(&source.text);
    match reader.file() {
        Ok(()) => Ok(reader.module),
        Err(problem) => Err(Problem::diagnostic(*problem, source)),
    }
}

impl<'a> Reader<'a> {
    fn file(&mut self) -> Read<()> {
        while self.token.kind != Kind::End {
            self.entity()?;
        }
        self.check_symbols()?;
        self.check_types()
    }

    fn entity(&mut self) -> Read<()> {
        match self.token.kind {
            Kind::Word => self.keyword(),
            Kind::Symbol => self.symbol_definition(),
            Kind::Local => self.type_definition(),
            Kind::MetadataNumber => self.numbered_node(),
            Kind::MetadataName => self.named_nodes(),
            // `$x = comdat any`
            Kind::Comdat => {
                self.skip_line();
                Ok(())
            }
            Kind::Summary => {
                while !self.at_line_end() || self.token.kind == Kind::Summary {
                    if self.token.kind == Kind::End {
                        break;
                    }
                    self.skip_line();
                }
                Ok(())
            }
            _ => Err(self.unexpected(format_args!("a definition"))),
        }
    }

    fn keyword(&mut self) -> Read<()> {
        match self.body() {
            b"define" => self.function(true),
            b"declare" => self.function(false),
            b"source_filename" => {
                self.advance();
                self.expect(b'=')?;
                let name = self.expect_text("a file name")?;
                self.module.source_filenames = vec![name];
                Ok(())
            }
            b"target" => {
                self.advance();
                let layout = self.is_word("datalayout");
                self.expect_kind(Kind::Word, "`datalayout` or `triple`")?;
                self.expect(b'=')?;
                let text = self.expect_text("a text")?;
                if layout {
                    self.module.data_layout = text;
                } else {
                    self.module.triple = text;
                }
                Ok(())
            }
            b"module" => {
                self.advance();
                self.expect_word("asm")?;
                let text = self.expect_text("assembly code")?;
                self.module.assembly.push(text);
                Ok(())
            }
            // Groups of attributes were read before; orders of uses do not matter.
            b"attributes" | b"uselistorder" | b"uselistorder_bb" => {
                self.skip_line();
                Ok(())
            }
            _ => Err(self.unexpected(format_args!("a definition"))),
        }
    }

    /// `@x = … global i32 0`, `@y = alias …`
    fn symbol_definition(&mut self) -> Read<()> {
        let token = self.advance();
        self.expect(b'=')?;
        let mut linkage = None;
        let mut thread_local = false;
        let mut address_space = 0;
        loop {
            match self.token.kind {
                Kind::Word => {}
                _ => return Err(self.unexpected(format_args!("`global` or `constant`"))),
            }
            if let Some(found) = self.linkage_word() {
                linkage = Some((found, self.token));
            }
            match self.body() {
                b"global" | b"constant" => break,
                b"alias" | b"ifunc" => {
                    let linkage = linkage.map_or(Linkage::External, |(linkage, _)| linkage);
                    return self.alias(token, linkage);
                }
                b"thread_local" => thread_local = true,
                b"addrspace" => {
                    address_space = self.address_space()?;
                    continue;
                }
                _ => {}
            }
            if !self.skip_attribute()? {
                return Err(self.unexpected(format_args!("`global` or `constant`")));
            }
        }
        let constant = self.is_word("constant");
        self.advance();
        let value_type = self.value_type()?;
        let external = linkage
            .is_some_and(|(linkage, _)| matches!(linkage, Linkage::External | Linkage::ExternWeak));
        let initial = if !self.at_line_end() && self.at_value() {
            Some(self.constant(value_type)?)
        } else {
            None
        };
        if initial.is_none() && !external {
            return Err(self.unexpected(format_args!("the value of a global")));
        }
        let target = SymbolTarget::Global(GlobalId(self.module.globals.len() as u32));
        let symbol = self.define_symbol(token, target)?;
        let mut global = Global {
            symbol,
            value_type,
            initial,
            constant,
            thread_local,
            address_space,
            align: None,
            section: None,
            linkage: linkage.map_or(Linkage::External, |(linkage, _)| linkage),
            debug: Vec::new(),
            source: SourceId(0),
            line: token.line,
        };
        self.global_properties(&mut global)?;
        self.module.globals.push(global);
        Ok(())
    }

    /// `, section "x", comdat, align 4, !dbg !0`
    fn global_properties(&mut self, global: &mut Global) -> Read<()> {
        while !self.at_line_end() {
            match self.token.kind {
                Kind::Punctuation(b',') => {
                    self.advance();
                }
                Kind::MetadataName => {
                    let debug = self.body() == b"dbg";
                    self.advance();
                    let node = self.node_reference()?;
                    if debug {
                        global.debug.extend(node);
                    }
                }
                Kind::Word if self.body() == b"align" => {
                    self.advance();
                    global.align = Some(self.expect_number("an alignment")?);
                }
                Kind::Word if self.body() == b"section" => {
                    self.advance();
                    global.section = Some(self.expect_text("the name of a section")?);
                }
                _ => {
                    if !self.skip_attribute()? {
                        return Err(self.unexpected(format_args!("the end of the line")));
                    }
                }
            }
        }
        Ok(())
    }

    /// `alias i32, ptr @x`; the name and linkage are read already.
    fn alias(&mut self, token: Token, linkage: Linkage) -> Read<()> {
        let indirect = self.is_word("ifunc");
        self.advance();
        let value_type = self.value_type()?;
        self.expect(b',')?;
        // An expression may stand without a type.
        let target_type: TypeId = if self.at_type() {
            self.value_type()?
        } else {
            self.pointer_type(0)
        };
        let target = self.constant(target_type)?;
        while !self.at_line_end() {
            if !self.take(b',') && !self.skip_attribute()? {
                return Err(self.unexpected(format_args!("the end of the line")));
            }
        }
        let id = AliasId(self.module.aliases.len() as u32);
        let symbol = self.define_symbol(token, SymbolTarget::Alias(id))?;
        self.module.aliases.push(Alias {
            symbol,
            target,
            indirect,
            value_type,
            linkage,
            source: SourceId(0),
            line: token.line,
        });
        Ok(())
    }
}
