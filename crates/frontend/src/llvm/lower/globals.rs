//! Global variables and functions as objects of memory.

use super::functions::Coder;
use super::spans::Site;
use super::{Lowering, Work};
use crate::llvm::{
    Constant, FunctionId, GlobalId, Linkage, Metadata, MetadataId, Operand, SymbolId, SymbolTarget,
    Type, TypeId, Value,
};
use program::{Address, Diagnostic, Object, ObjectId, ObjectKind, Span, Width, Word};

/// Standard streams: the value of `FILE *` that each is known by.
pub(super) const STREAMS: [(&str, Word); 3] = [("stdin", 1), ("stdout", 2), ("stderr", 3)];

/// Text of a string constant that its name shows.
const SHOWN: usize = 24;

/// What a symbol is the address of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointed {
    Object(ObjectId),
    /// Each thread has its own.
    Own(ObjectId),
    Null,
    /// An alias: what it stands for must be computed.
    Alias(crate::llvm::AliasId),
}

impl<'m> Lowering<'m> {
    fn global_site(&self, global: GlobalId) -> Site {
        let global = &self.module.globals[global.index()];
        Site {
            debug: None,
            source: global.source,
            line: global.line,
        }
    }

    /// What a symbol points to; it is part of the program from then on.
    pub fn pointed(&mut self, symbol: SymbolId, site: Site) -> Result<Pointed, Diagnostic> {
        match self.module.symbol(symbol).target {
            SymbolTarget::Alias(alias) => Ok(Pointed::Alias(alias)),
            SymbolTarget::Function(function) => self.code_object(function, site),
            SymbolTarget::Global(global) => {
                let definition = &self.module.globals[global.index()];
                let missing = definition.initial.is_none();
                if missing && definition.linkage == Linkage::ExternWeak {
                    return Ok(Pointed::Null);
                }
                let object = self.global_object(global, site)?;
                Ok(match definition.thread_local {
                    true => Pointed::Own(object),
                    false => Pointed::Object(object),
                })
            }
        }
    }

    fn code_object(&mut self, function: FunctionId, site: Site) -> Result<Pointed, Diagnostic> {
        if let Some(object) = self.code[function.index()] {
            return Ok(Pointed::Object(object));
        }
        let definition = &self.module.functions[function.index()];
        let name = self.function_name(function);
        if definition.is_declaration() && !self.is_library(name) {
            if definition.linkage == Linkage::ExternWeak {
                return Ok(Pointed::Null);
            }
            return Err(self.unknown_function(name, None, site));
        }
        let made = self.function(function);
        let name = self.object_names.unique(name);
        let span = self.subprogram_span(definition.debug);
        let object = self.object(name, ObjectKind::Code(made), span);
        self.code[function.index()] = Some(object);
        Ok(Pointed::Object(object))
    }

    fn object(&mut self, name: String, kind: ObjectKind, span: Span) -> ObjectId {
        self.objects.push(Object {
            name,
            cell: Width::W8,
            initial: Vec::new(),
            zeros: 0,
            kind,
            layout: None,
            signed: false,
            span,
        });
        ObjectId::from(self.objects.len() - 1)
    }

    fn subprogram_span(&mut self, debug: Option<MetadataId>) -> Span {
        match debug.map(|debug| self.module.node(debug)) {
            Some(Metadata::Subprogram { file, line, .. }) => {
                self.spans.of_declaration(*file, *line)
            }
            _ => Span::NOWHERE,
        }
    }

    fn global_object(&mut self, global: GlobalId, site: Site) -> Result<ObjectId, Diagnostic> {
        if let Some(object) = self.globals[global.index()] {
            return Ok(object);
        }
        let definition = &self.module.globals[global.index()];
        let symbol = self.symbol_name(definition.symbol);
        let room = self.types.room(definition.value_type);
        let room = room.map_err(|what| self.refuse(site, &what))?;
        if definition.initial.is_none() && !STREAMS.iter().any(|(name, _)| *name == symbol) {
            return Err(self.spans.complain(
                site,
                format!("the global variable `{symbol}` is defined nowhere"),
                String::new(),
                Some("give the file that defines it as well".to_owned()),
            ));
        }
        if self.objects.len() as u64 + (room.size >> Address::OFFSET_BITS) + 1
            > Address::MAX_OBJECTS as u64
            || room.size > u64::from(u32::MAX)
        {
            return Err(self.refuse(site, "a program with so much memory"));
        }
        let (name, span, layout) = self.declaration(global);
        let name = match self.object_names.is_free(&name) {
            true => self.object_names.unique(&name),
            // Static variables of functions are told apart by the function's name.
            false => {
                let wanted = if name.starts_with('"') { &name } else { symbol };
                self.object_names.unique(wanted)
            }
        };
        let kind = match (definition.thread_local, definition.constant) {
            (true, _) => ObjectKind::PerThread,
            (false, true) => ObjectKind::Constant,
            (false, false) if definition.initial.is_none() => ObjectKind::Constant,
            (false, false) => ObjectKind::Shared,
        };
        let object = self.object(name.clone(), kind, span);
        let signed = self.layouts.is_signed(layout);
        let made = &mut self.objects[object.index()];
        made.layout = layout;
        made.signed = signed;
        made.zeros = room.size as u32;
        // Its addresses run on into those of the objects behind it.
        for number in 1..=(room.size.saturating_sub(1) >> Address::OFFSET_BITS) {
            let name = self
                .object_names
                .unique(&format!("{name} (continued {number})"));
            self.object(name, ObjectKind::Constant, span);
        }
        self.globals[global.index()] = Some(object);
        self.pending.push_back(Work::Global(global, object));
        Ok(object)
    }

    /// The name of a global in the source, where that stands, and its layout.
    pub fn declaration(&mut self, global: GlobalId) -> (String, Span, Option<program::TypeId>) {
        let definition = &self.module.globals[global.index()];
        let module = self.module;
        for node in &definition.debug {
            let Metadata::GlobalVariableExpression {
                variable: Some(variable),
                ..
            } = module.node(*node)
            else {
                continue;
            };
            if let Metadata::GlobalVariable {
                name,
                file,
                line,
                variable_type,
                ..
            } = module.node(*variable)
                && !name.is_empty()
            {
                let span = self.spans.of_declaration(*file, *line);
                let layout = self.layouts.of(*variable_type);
                return (name.to_string(), span, layout);
            }
        }
        let symbol = self.symbol_name(definition.symbol);
        let name = match &definition.initial {
            Some(Constant::Bytes(bytes)) if definition.constant && is_literal(symbol) => {
                quoted(bytes)
            }
            Some(Constant::Zero) if definition.constant && is_literal(symbol) => "\"\"".to_owned(),
            _ => symbol.to_owned(),
        };
        (name, Span::NOWHERE, None)
    }

    /// Gives an object its contents at the start.
    pub fn initialise(&mut self, global: GlobalId, object: ObjectId) -> Result<(), Diagnostic> {
        let definition = &self.module.globals[global.index()];
        let site = self.global_site(global);
        let room = self.types.room(definition.value_type);
        let size = room.map_err(|what| self.refuse(site, &what))?.size;
        let mut bytes = Bytes::default();
        match &definition.initial {
            None => {
                let symbol = self.symbol_name(definition.symbol);
                let stream = STREAMS.iter().find(|(name, _)| *name == symbol);
                bytes.put(0, &stream.map_or(0, |(_, word)| *word).to_le_bytes());
            }
            Some(initial) => {
                self.put_constant(definition.value_type, initial, 0, &mut bytes, site)?;
            }
        }
        let mut initial = bytes.0;
        initial.truncate(size as usize);
        while initial.last() == Some(&0) {
            initial.pop();
        }
        let made = &mut self.objects[object.index()];
        made.zeros = u32::try_from(size - initial.len() as u64).unwrap_or(u32::MAX);
        made.initial = initial;
        Ok(())
    }

    fn put_constant(
        &mut self,
        value_type: TypeId,
        constant: &'m Constant,
        at: u64,
        bytes: &mut Bytes,
        site: Site,
    ) -> Result<(), Diagnostic> {
        let module = self.module;
        match (constant, module.type_of(value_type)) {
            (Constant::Zero | Constant::Null | Constant::Undefined | Constant::Poison, _) => Ok(()),
            (Constant::Bytes(text), _) => {
                bytes.put(at, text);
                Ok(())
            }
            (Constant::Aggregate(elements), Type::Array { element, .. }) => {
                let stride = self.types.room(*element);
                let stride = stride.map_err(|what| self.refuse(site, &what))?.size;
                for (index, value) in elements.iter().enumerate() {
                    let start = at.saturating_add(stride.saturating_mul(index as u64));
                    self.put_operand(value, start, bytes, site)?;
                }
                Ok(())
            }
            (Constant::Aggregate(elements), Type::Struct { fields, .. })
                if elements.len() <= fields.len() =>
            {
                for (index, value) in elements.iter().enumerate() {
                    let start = self.types.field_offset(value_type, index);
                    let start = start.map_err(|what| self.refuse(site, &what))?;
                    self.put_operand(value, at + start, bytes, site)?;
                }
                Ok(())
            }
            (Constant::WideFloat(_), _) => {
                let what = format!("the type `{}`", module.describe(value_type));
                Err(self.refuse(site, &what))
            }
            (Constant::Float(bits), Type::Half | Type::BFloat) => {
                let _ = bits;
                let what = format!("the type `{}`", module.describe(value_type));
                Err(self.refuse(site, &what))
            }
            _ => self.put_leaves(value_type, constant, at, bytes, site),
        }
    }

    fn put_operand(
        &mut self,
        operand: &'m Operand,
        at: u64,
        bytes: &mut Bytes,
        site: Site,
    ) -> Result<(), Diagnostic> {
        match &operand.value {
            Value::Constant(constant) => {
                self.put_constant(operand.value_type, constant, at, bytes, site)
            }
            _ => Err(self.refuse(site, "an initial value that is not constant")),
        }
    }

    fn put_leaves(
        &mut self,
        value_type: TypeId,
        constant: &'m Constant,
        at: u64,
        bytes: &mut Bytes,
        site: Site,
    ) -> Result<(), Diagnostic> {
        let leaves = self.types.leaves(value_type);
        let leaves = leaves.map_err(|what| self.refuse(site, &what))?;
        if self.types.packs_bits(value_type) {
            return Err(self.refuse(site, "a vector of bits in memory"));
        }
        let words = Coder::constant_words(self, value_type, constant, site)?;
        for (leaf, word) in leaves.iter().zip(words) {
            let size = leaf.width.bytes() as usize;
            bytes.put(at + leaf.offset, &word.to_le_bytes()[..size]);
        }
        Ok(())
    }

    /// The text that a constant points to, if it is a string of the program.
    pub fn string(&self, constant: &Constant) -> Option<String> {
        let symbol = match constant {
            Constant::Symbol(symbol) => *symbol,
            Constant::Expression(kind) => match &**kind {
                crate::llvm::InstructionKind::GetElementPointer { base, indices, .. }
                    if indices.iter().all(|index| {
                        matches!(index.value, Value::Constant(Constant::Integer(0)))
                    }) =>
                {
                    match &base.value {
                        Value::Constant(inner) => return self.string(inner),
                        _ => return None,
                    }
                }
                crate::llvm::InstructionKind::Cast { operand, .. } => match &operand.value {
                    Value::Constant(inner) => return self.string(inner),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let SymbolTarget::Global(global) = self.module.symbol(symbol).target else {
            return None;
        };
        let global = &self.module.globals[global.index()];
        match &global.initial {
            Some(Constant::Bytes(bytes)) if global.constant => {
                let end = bytes.iter().position(|byte| *byte == 0)?;
                String::from_utf8(bytes[..end].to_vec()).ok()
            }
            _ => None,
        }
    }
}

/// Bytes of an object; those behind the last are zero.
#[derive(Default)]
struct Bytes(Vec<Word>);

impl Bytes {
    fn put(&mut self, at: u64, bytes: &[u8]) {
        let used = bytes
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        let at = at as usize;
        if used > 0 && self.0.len() < at + used {
            self.0.resize(at + used, 0);
        }
        for (index, byte) in bytes[..used].iter().enumerate() {
            self.0[at + index] = Word::from(*byte);
        }
    }
}

/// Whether a symbol is one that compilers give to string literals.
fn is_literal(symbol: &str) -> bool {
    symbol.starts_with(".str")
        || symbol.starts_with("str")
        || symbol.starts_with("__const")
        || symbol.parse::<u32>().is_ok()
        || symbol.starts_with("__PRETTY_FUNCTION__")
        || symbol.starts_with("__func__")
}

/// A string constant as its name shows it.
fn quoted(bytes: &[u8]) -> String {
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let text = String::from_utf8_lossy(text);
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    format!("\"{shown}\"")
}
