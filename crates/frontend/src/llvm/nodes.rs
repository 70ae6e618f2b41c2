//! Nodes of metadata.
//!
//! A specialized node, `!DILocation(line: 7, scope: !3)`, is read into a list of
//! fields, whatever they are; then the node takes those it knows.

use super::lexer::{Kind, Token};
use super::metadata::{CompositeTag, DerivedTag, DwarfOperation, Encoding, Metadata};
use super::module::MetadataId;
use super::reader::{Read, Reader, decimal};

/// The value of a field.
#[derive(Clone, Copy)]
enum Field {
    Text(Token),
    /// A number or a word.
    Plain(Token),
    Node(Option<MetadataId>),
    /// Something that nothing asks for.
    Other,
}

/// The fields of a node, in the order of the text.
struct Fields<'a>(Vec<(&'a [u8], Field)>);

impl Fields<'_> {
    fn get(&self, name: &str) -> Option<Field> {
        let found = |field: &&(&[u8], Field)| field.0 == name.as_bytes();
        self.0.iter().find(found).map(|field| field.1)
    }

    fn node(&self, name: &str) -> Option<MetadataId> {
        match self.get(name) {
            Some(Field::Node(node)) => node,
            _ => None,
        }
    }
}

impl<'a> Reader<'a> {
    /// `!7 = distinct !{…}`
    pub fn numbered_node(&mut self) -> Read<()> {
        let number = self.advance();
        let id = self.node(number)?;
        self.expect(b'=')?;
        self.take_word("distinct");
        let node = match self.token.kind {
            Kind::Bang => self.tuple_or_string()?,
            Kind::MetadataName => self.specialized_node()?,
            _ if self.at_type() => Metadata::Value(self.operand()?),
            _ => return Err(self.unexpected(format_args!("metadata"))),
        };
        let slot = &mut self.module.metadata[id.index()];
        if *slot != Metadata::Missing {
            return Err(self.problem(number, "this metadata is defined twice", ""));
        }
        *slot = node;
        Ok(())
    }

    /// `!llvm.dbg.cu = !{!0}`
    pub fn named_nodes(&mut self) -> Read<()> {
        let name = self.advance();
        self.expect(b'=')?;
        self.expect_kind(Kind::Bang, "`!{`")?;
        let nodes = self.tuple()?;
        let name = self.string(name);
        let nodes = nodes.into_iter().flatten().collect();
        self.module.named_metadata.push((name, nodes));
        Ok(())
    }

    /// A node by its number, or one that is written in place; `null` is none.
    pub fn node_reference(&mut self) -> Read<Option<MetadataId>> {
        match self.token.kind {
            Kind::MetadataNumber => {
                let number = self.advance();
                Ok(Some(self.node(number)?))
            }
            Kind::Bang => {
                let node = self.nested(|reader| reader.tuple_or_string())?;
                Ok(Some(self.new_node(node)))
            }
            Kind::MetadataName => {
                let node = self.nested(|reader| reader.specialized_node())?;
                let empty = node == Metadata::Expression(Vec::new());
                if empty && self.empty_expression.is_some() {
                    return Ok(self.empty_expression);
                }
                let id = self.new_node(node);
                if empty {
                    self.empty_expression = Some(id);
                }
                Ok(Some(id))
            }
            Kind::Word if self.body() == b"null" => {
                self.advance();
                Ok(None)
            }
            _ => Err(self.unexpected(format_args!("metadata"))),
        }
    }

    fn tuple_or_string(&mut self) -> Read<Metadata> {
        self.advance();
        if self.token.kind == Kind::Text {
            let text = self.advance();
            return Ok(Metadata::String(self.string(text)));
        }
        Ok(Metadata::Tuple(self.tuple()?))
    }

    /// `{!1, null, i32 7}`
    fn tuple(&mut self) -> Read<Vec<Option<MetadataId>>> {
        self.expect(b'{')?;
        let mut nodes = Vec::new();
        while !self.is(b'}') {
            nodes.push(self.element()?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        Ok(nodes)
    }

    fn element(&mut self) -> Read<Option<MetadataId>> {
        if self.is_word("null") || !self.at_type() {
            return self.node_reference();
        }
        let operand = self.operand()?;
        Ok(Some(self.new_node(Metadata::Value(operand))))
    }

    fn specialized_node(&mut self) -> Read<Metadata> {
        let name = self.advance();
        match self.lexer.body(name) {
            b"DIExpression" => return self.dwarf_expression(),
            b"DIArgList" => return Ok(Metadata::ArgumentList(self.argument_list()?)),
            _ => {}
        }
        let fields = self.fields()?;
        Ok(self.make_node(name, &fields))
    }

    fn fields(&mut self) -> Read<Fields<'a>> {
        self.expect(b'(')?;
        let mut fields = Vec::new();
        while !self.is(b')') {
            // Some nodes of other kinds have values without names.
            let name = match self.token.kind {
                Kind::Word if self.lexer.after(self.token) == Some(b':') => {
                    let name = self.advance();
                    self.advance();
                    self.lexer.body(name)
                }
                _ => b"",
            };
            let field = self.field()?;
            fields.push((name, field));
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(Fields(fields))
    }

    fn field(&mut self) -> Read<Field> {
        let field = match self.token.kind {
            Kind::Text => Field::Text(self.advance()),
            Kind::Number => Field::Plain(self.advance()),
            Kind::Word if self.body() == b"null" => {
                self.advance();
                Field::Node(None)
            }
            Kind::Word => Field::Plain(self.advance()),
            Kind::MetadataNumber | Kind::MetadataName | Kind::Bang => {
                Field::Node(self.node_reference()?)
            }
            _ => Field::Other,
        };
        // `DIFlagA | DIFlagB`, `i32 7` and the like.
        while !self.is(b',') && !self.is(b')') {
            match self.token.kind {
                Kind::End | Kind::Unterminated => {
                    return Err(self.unexpected(format_args!("`)`")));
                }
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => self.skip_balanced()?,
                _ => {
                    self.advance();
                }
            }
        }
        Ok(field)
    }

    fn make_node(&self, kind: Token, fields: &Fields<'a>) -> Metadata {
        let node = |name| fields.node(name);
        let text = |name| self.text_field(fields, name);
        let number = |name| self.number_field(fields, name).unwrap_or(0) as u64;
        let small = |name| u32::try_from(number(name)).unwrap_or(0);
        match self.lexer.body(kind) {
            b"DILocation" => Metadata::Location {
                line: small("line"),
                column: small("column"),
                scope: node("scope"),
                inlined_at: node("inlinedAt"),
            },
            b"DIFile" => Metadata::File {
                filename: text("filename"),
                directory: text("directory"),
            },
            b"DICompileUnit" => Metadata::CompileUnit {
                file: node("file"),
                producer: text("producer"),
                language: text("language"),
                globals: node("globals"),
            },
            b"DISubprogram" => Metadata::Subprogram {
                name: text("name"),
                linkage_name: text("linkageName"),
                scope: node("scope"),
                file: node("file"),
                line: small("line"),
                subroutine: node("type"),
            },
            b"DILexicalBlock" | b"DILexicalBlockFile" => Metadata::LexicalBlock {
                scope: node("scope"),
                file: node("file"),
                line: small("line"),
                column: small("column"),
            },
            b"DILocalVariable" => Metadata::LocalVariable {
                name: text("name"),
                argument: small("arg"),
                scope: node("scope"),
                file: node("file"),
                line: small("line"),
                variable_type: node("type"),
            },
            b"DIGlobalVariable" => Metadata::GlobalVariable {
                name: text("name"),
                linkage_name: text("linkageName"),
                scope: node("scope"),
                file: node("file"),
                line: small("line"),
                variable_type: node("type"),
            },
            b"DIGlobalVariableExpression" => Metadata::GlobalVariableExpression {
                variable: node("var"),
                expression: node("expr"),
            },
            _ => self.make_type(kind, fields),
        }
    }

    fn make_type(&self, kind: Token, fields: &Fields<'a>) -> Metadata {
        let node = |name| fields.node(name);
        let text = |name| self.text_field(fields, name);
        let number = |name| self.number_field(fields, name).unwrap_or(0) as u64;
        let line = u32::try_from(number("line")).unwrap_or(0);
        let word = |name| match fields.get(name) {
            Some(Field::Plain(token)) => self.lexer.body(token),
            _ => b"",
        };
        match self.lexer.body(kind) {
            b"DIBasicType" => Metadata::BasicType {
                name: text("name"),
                size: number("size"),
                encoding: encoding(word("encoding")),
            },
            b"DIDerivedType" => Metadata::DerivedType {
                tag: derived_tag(word("tag")),
                name: text("name"),
                file: node("file"),
                line,
                base: node("baseType"),
                size: number("size"),
                offset: number("offset"),
                bit_field: self.is_bit_field(fields),
            },
            b"DICompositeType" => Metadata::CompositeType {
                tag: composite_tag(word("tag")),
                name: text("name"),
                file: node("file"),
                line,
                base: node("baseType"),
                size: number("size"),
                elements: node("elements"),
                identifier: text("identifier"),
            },
            b"DISubroutineType" => Metadata::SubroutineType {
                types: node("types"),
            },
            b"DISubrange" => Metadata::Subrange {
                count: self
                    .number_field(fields, "count")
                    .and_then(|count| u64::try_from(count).ok()),
            },
            b"DIEnumerator" => Metadata::Enumerator {
                name: text("name"),
                value: self.number_field(fields, "value").unwrap_or(0) as i64,
            },
            b"DINamespace" | b"DIModule" => Metadata::Namespace {
                scope: node("scope"),
                name: text("name"),
            },
            other => Metadata::Other(String::from_utf8_lossy(other).into()),
        }
    }

    /// Bit fields have `extraData`, the offset of their storage.
    fn is_bit_field(&self, fields: &Fields<'a>) -> bool {
        let flagged = match fields.get("flags") {
            Some(Field::Plain(token)) => self.lexer.body(token) == b"DIFlagBitField",
            _ => false,
        };
        flagged || matches!(fields.get("extraData"), Some(Field::Plain(_)))
    }

    fn text_field(&self, fields: &Fields<'a>, name: &str) -> Box<str> {
        match fields.get(name) {
            Some(Field::Text(token) | Field::Plain(token)) => self.string(token),
            _ => Box::default(),
        }
    }

    fn number_field(&self, fields: &Fields<'a>, name: &str) -> Option<i128> {
        let Some(Field::Plain(token)) = fields.get(name) else {
            return None;
        };
        match self.lexer.body(token) {
            [b'-', digits @ ..] => decimal(digits).map(|number| -i128::from(number)),
            digits => decimal(digits).map(i128::from),
        }
    }

    /// `(DW_OP_plus_uconst, 8, DW_OP_deref)`
    fn dwarf_expression(&mut self) -> Read<Metadata> {
        self.expect(b'(')?;
        let mut operations = Vec::new();
        while !self.is(b')') {
            let name = self.expect_kind(Kind::Word, "an operation")?;
            let mut numbers = Vec::new();
            while self.take(b',') {
                match self.token.kind {
                    Kind::Number => {
                        let token = self.advance();
                        // Negative ones occur in operations that are not interpreted.
                        numbers.push(decimal(self.lexer.body(token)).unwrap_or(0));
                    }
                    // `DW_OP_LLVM_convert, 32, DW_ATE_signed`
                    Kind::Word if self.body().starts_with(b"DW_ATE") => {
                        self.advance();
                    }
                    _ => break,
                }
            }
            operations.push(operation(self.lexer.body(name), numbers));
            if self.token.kind != Kind::Word {
                break;
            }
        }
        self.expect(b')')?;
        Ok(Metadata::Expression(operations))
    }
}

fn operation(name: &[u8], numbers: Vec<u64>) -> DwarfOperation {
    match (name, numbers.as_slice()) {
        (b"DW_OP_deref", []) => DwarfOperation::Dereference,
        (b"DW_OP_plus_uconst", [number]) => DwarfOperation::PlusConstant(*number),
        (b"DW_OP_constu", [number]) => DwarfOperation::Constant(*number),
        (b"DW_OP_stack_value", []) => DwarfOperation::StackValue,
        (b"DW_OP_LLVM_fragment", [offset, size]) => DwarfOperation::Fragment {
            offset: *offset,
            size: *size,
        },
        _ => DwarfOperation::Other(String::from_utf8_lossy(name).into(), numbers),
    }
}

fn encoding(word: &[u8]) -> Encoding {
    match word {
        b"DW_ATE_boolean" => Encoding::Boolean,
        b"DW_ATE_signed" => Encoding::Signed,
        b"DW_ATE_signed_char" => Encoding::SignedChar,
        b"DW_ATE_unsigned" => Encoding::Unsigned,
        b"DW_ATE_unsigned_char" => Encoding::UnsignedChar,
        b"DW_ATE_float" => Encoding::Float,
        b"DW_ATE_address" => Encoding::Address,
        b"DW_ATE_UTF" => Encoding::Utf,
        _ => Encoding::Other,
    }
}

fn derived_tag(word: &[u8]) -> DerivedTag {
    match word {
        b"DW_TAG_member" => DerivedTag::Member,
        b"DW_TAG_pointer_type" => DerivedTag::Pointer,
        b"DW_TAG_reference_type" | b"DW_TAG_rvalue_reference_type" => DerivedTag::Reference,
        b"DW_TAG_typedef" => DerivedTag::Typedef,
        b"DW_TAG_const_type" => DerivedTag::Const,
        b"DW_TAG_volatile_type" => DerivedTag::Volatile,
        b"DW_TAG_restrict_type" => DerivedTag::Restrict,
        b"DW_TAG_atomic_type" => DerivedTag::Atomic,
        b"DW_TAG_inheritance" => DerivedTag::Inheritance,
        _ => DerivedTag::Other,
    }
}

fn composite_tag(word: &[u8]) -> CompositeTag {
    match word {
        b"DW_TAG_structure_type" => CompositeTag::Structure,
        b"DW_TAG_class_type" => CompositeTag::Class,
        b"DW_TAG_union_type" => CompositeTag::Union,
        b"DW_TAG_array_type" => CompositeTag::Array,
        b"DW_TAG_enumeration_type" => CompositeTag::Enumeration,
        b"DW_TAG_variant_part" => CompositeTag::VariantPart,
        _ => CompositeTag::Other,
    }
}

#[cfg(test)]
mod tests {
    use crate::llvm::{DerivedTag, DwarfOperation, Metadata, Module, parse};
    use program::Source;

    /// The nodes of a text, by their numbers.
    fn nodes(text: &str) -> Module {
        let names: String = (0..text.lines().count())
            .map(|n| format!("!{n}, "))
            .collect();
        let text = format!("!all = !{{{}}}\n{text}", names.trim_end_matches(", "));
        parse(&Source::new("x.ll", text)).unwrap()
    }

    #[test]
    fn unknown_nodes_and_fields_are_skipped() {
        let module = nodes(
            "!0 = !DIFuture(a: {!1, (b)}, c: \"d\", 7)\n\
             !1 = !DIFile(filename: \"a\\22b\", later: !DIExpression(DW_OP_x, 1), directory: \".\")\n\
             !2 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !1, flags: A | B, size: 8)\n",
        );
        assert_eq!(module.metadata[0], Metadata::Other("DIFuture".into()));
        let Metadata::File { filename, .. } = &module.metadata[1] else {
            panic!();
        };
        assert_eq!(&**filename, "a\"b");
        let Metadata::DerivedType {
            tag, base, size, ..
        } = &module.metadata[2]
        else {
            panic!();
        };
        assert_eq!(
            (*tag, base.map(|id| id.0), *size),
            (DerivedTag::Atomic, Some(1), 8)
        );
    }

    #[test]
    fn expressions() {
        let module = nodes(
            "!0 = !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8, DW_OP_LLVM_convert, 32, \
             DW_ATE_signed, DW_OP_LLVM_fragment, 0, 32)\n",
        );
        let expected = vec![
            DwarfOperation::Dereference,
            DwarfOperation::PlusConstant(8),
            DwarfOperation::Other("DW_OP_LLVM_convert".into(), vec![32]),
            DwarfOperation::Fragment {
                offset: 0,
                size: 32,
            },
        ];
        assert_eq!(module.metadata[0], Metadata::Expression(expected));
    }

    #[test]
    fn a_node_that_nobody_defines_is_missing() {
        let module = nodes("!0 = distinct !{!0, !99, null, i32 7, !\"text\", !{}}\n");
        let Metadata::Tuple(elements) = &module.metadata[0] else {
            panic!();
        };
        let kind = |index: usize| elements[index].map(|id| module.node(id).clone());
        assert_eq!(elements[0].map(|id| id.0), Some(0));
        assert_eq!(kind(1), Some(Metadata::Missing));
        assert_eq!(kind(2), None);
        assert_eq!(kind(4), Some(Metadata::String("text".into())));
        assert_eq!(kind(5), Some(Metadata::Tuple(Vec::new())));
    }
}
