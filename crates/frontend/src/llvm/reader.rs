//! The reader: a place in the text, the module so far, and what to say if something
//! is not as expected.

use super::lexer::{Kind, Lexer, Token, unescape};
use super::metadata::Metadata;
use super::module::{
    Constant, GlobalId, MetadataId, Module, Operand, Symbol, SymbolId, SymbolTarget, Type, TypeId,
    Value,
};
use super::scope::Scope;
use super::types::TypeTable;
use program::{Diagnostic, Source, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// What is wrong, and which bytes of the text are to blame.
pub(super) struct Problem {
    start: u32,
    end: u32,
    message: String,
    label: String,
}

pub(super) type Read<T> = Result<T, Box<Problem>>;

/// Types and constants nested deeper are refused, so that nobody runs out of stack.
const MAX_DEPTH: u32 = 200;

pub(super) struct Reader<'a> {
    pub lexer: Lexer<'a>,
    /// The token that is read next.
    pub token: Token,
    pub module: Module,
    pub types: TypeTable<'a>,
    pub scope: Scope<'a>,
    symbols: FxHashMap<Cow<'a, [u8]>, SymbolId>,
    /// For each symbol, what it names once that is known, and its first use.
    targets: Vec<(Option<SymbolTarget>, Token)>,
    /// The nodes by their numbers, which are dense in what compilers print.
    nodes: Vec<Option<MetadataId>>,
    /// The nodes whose number is too large for the length of the text.
    sparse_nodes: FxHashMap<u32, MetadataId>,
    length: usize,
    /// The groups of attributes with `noreturn`.
    pub no_return: FxHashSet<u32>,
    /// `!DIExpression()`, which is everywhere.
    pub empty_expression: Option<MetadataId>,
    depth: u32,
}

impl<'a> Reader<'a> {
    pub fn new(source: &'a Source) -> Self {
        let mut lexer = Lexer::new(&source.text);
        let token = lexer.next();
        Reader {
            lexer,
            token,
            module: Module {
                sources: vec![source.clone()],
                source_filenames: vec![Box::default()],
                ..Module::default()
            },
            types: TypeTable::default(),
            scope: Scope::default(),
            symbols: FxHashMap::default(),
            targets: Vec::new(),
            nodes: Vec::new(),
            sparse_nodes: FxHashMap::default(),
            length: source.text.len(),
            no_return: FxHashSet::default(),
            empty_expression: None,
            depth: 0,
        }
    }

    // Moving on.

    pub fn advance(&mut self) -> Token {
        let token = self.token;
        self.token = self.lexer.next();
        token
    }

    /// Goes to the first token of the next line.
    pub fn skip_line(&mut self) {
        self.lexer.skip_line();
        self.token = self.lexer.next();
    }

    pub fn body(&self) -> &'a [u8] {
        self.lexer.body(self.token)
    }

    /// Whether the next token begins a line, or nothing is left.
    pub fn at_line_end(&self) -> bool {
        self.token.first || self.token.kind == Kind::End
    }

    pub fn is(&self, punctuation: u8) -> bool {
        self.token.kind == Kind::Punctuation(punctuation)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Word && self.body() == word.as_bytes()
    }

    pub fn take(&mut self, punctuation: u8) -> bool {
        let found = self.is(punctuation);
        if found {
            self.advance();
        }
        found
    }

    pub fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, punctuation: u8) -> Read<()> {
        if self.take(punctuation) {
            return Ok(());
        }
        Err(self.unexpected(format_args!("`{}`", punctuation as char)))
    }

    pub fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.take_word(word) {
            return Ok(());
        }
        Err(self.unexpected(format_args!("`{word}`")))
    }

    pub fn expect_kind(&mut self, kind: Kind, what: &str) -> Read<Token> {
        if self.token.kind == kind {
            return Ok(self.advance());
        }
        Err(self.unexpected(format_args!("{what}")))
    }

    /// An unsigned number of at most 64 bits.
    pub fn expect_number(&mut self, what: &str) -> Read<u64> {
        let token = self.expect_kind(Kind::Number, what)?;
        decimal(self.lexer.body(token))
            .ok_or_else(|| self.problem(token, format!("expected {what}"), ""))
    }

    /// Skips what is in brackets, from an opening one to the matching closing one.
    pub fn skip_balanced(&mut self) -> Read<()> {
        let open = self.token;
        let mut depth = 0u64;
        loop {
            match self.token.kind {
                Kind::Punctuation(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punctuation(b')' | b']' | b'}' | b'>') => depth = depth.saturating_sub(1),
                Kind::End => return Err(self.problem(open, "bracket without end", "")),
                Kind::Unterminated => return Err(self.unexpected(format_args!("`\"`"))),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Runs `read` one level deeper; too deep is a problem.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.problem(
                self.token,
                format!("nested deeper than {MAX_DEPTH} levels"),
                "",
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    // Texts.

    /// A token's body as text, escapes resolved.
    pub fn string(&self, token: Token) -> Box<str> {
        let bytes = self.lexer.body(token);
        match self.unescaped(token) {
            Cow::Borrowed(_) => String::from_utf8_lossy(bytes).into(),
            Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into(),
        }
    }

    /// A token's body as bytes, escapes resolved.
    pub fn unescaped(&self, token: Token) -> Cow<'a, [u8]> {
        let bytes = self.lexer.body(token);
        if token.quoted && bytes.contains(&b'\\') {
            Cow::Owned(unescape(bytes))
        } else {
            Cow::Borrowed(bytes)
        }
    }

    /// `"text"`
    pub fn expect_text(&mut self, what: &str) -> Read<Box<str>> {
        let token = self.expect_kind(Kind::Text, what)?;
        Ok(self.string(token))
    }

    // Symbols and metadata, which may be used before they are defined.

    pub fn symbol(&mut self, token: Token) -> SymbolId {
        let name = self.unescaped(token);
        if let Some(&id) = self.symbols.get(&name) {
            return id;
        }
        let id = SymbolId(self.targets.len() as u32);
        self.targets.push((None, token));
        self.module.symbols.push(Symbol {
            name: String::from_utf8_lossy(&name).into(),
            target: SymbolTarget::Global(GlobalId(0)),
        });
        self.symbols.insert(name, id);
        id
    }

    pub fn define_symbol(&mut self, token: Token, target: SymbolTarget) -> Read<SymbolId> {
        let id = self.symbol(token);
        let slot = &mut self.targets[id.index()];
        if slot.0.is_some() {
            let name = &self.module.symbols[id.index()].name;
            return Err(self.problem(token, format!("`@{name}` is defined twice"), ""));
        }
        *slot = (Some(target), token);
        self.module.symbols[id.index()].target = target;
        Ok(id)
    }

    /// Every symbol must stand for something.
    pub fn check_symbols(&self) -> Read<()> {
        for ((target, token), symbol) in self.targets.iter().zip(&self.module.symbols) {
            if target.is_none() {
                let message = format!("`@{}` is neither defined nor declared", symbol.name);
                return Err(self.problem(*token, message, ""));
            }
        }
        Ok(())
    }

    /// The node of a number, `Missing` until it is defined.
    pub fn node(&mut self, number: Token) -> Read<MetadataId> {
        let Some(value) = decimal(self.lexer.body(number)).and_then(|n| u32::try_from(n).ok())
        else {
            return Err(self.problem(number, "not a number of metadata", ""));
        };
        let next = MetadataId(self.module.metadata.len() as u32);
        let index = value as usize;
        let id = if index < self.length / 8 {
            if index >= self.nodes.len() {
                self.nodes.resize(index + 1, None);
            }
            *self.nodes[index].get_or_insert(next)
        } else {
            *self.sparse_nodes.entry(value).or_insert(next)
        };
        if id == next {
            self.module.metadata.push(Metadata::Missing);
        }
        Ok(id)
    }

    /// A node without a number.
    pub fn new_node(&mut self, node: Metadata) -> MetadataId {
        let id = MetadataId(self.module.metadata.len() as u32);
        self.module.metadata.push(node);
        id
    }

    // Operands.

    /// A type and a value.
    pub fn operand(&mut self) -> Read<Operand> {
        let value_type = self.value_type()?;
        let value = self.value(value_type)?;
        Ok(Operand { value_type, value })
    }

    /// A value of a type that is known.
    pub fn value(&mut self, value_type: TypeId) -> Read<Value> {
        match self.token.kind {
            Kind::Local => {
                let token = self.advance();
                Ok(Value::Local(self.local(token, value_type)?))
            }
            _ => Ok(Value::Constant(self.constant(value_type)?)),
        }
    }

    /// A constant operand, for places where no other is allowed.
    pub fn constant_operand(&mut self) -> Read<(TypeId, Constant)> {
        let value_type = self.value_type()?;
        Ok((value_type, self.constant(value_type)?))
    }

    pub fn type_kind(&self, id: TypeId) -> &Type {
        &self.module.types[id.index()]
    }

    // Problems.

    pub fn unexpected(&self, expected: std::fmt::Arguments<'_>) -> Box<Problem> {
        let message = match self.token.kind {
            Kind::End => "unexpected end of the file".to_string(),
            Kind::Unterminated => "string without end".to_string(),
            _ => format!("unexpected `{}`", self.quote(self.token)),
        };
        self.problem(self.token, message, format!("expected {expected}"))
    }

    /// A token as it stands in the text, cut if long.
    fn quote(&self, token: Token) -> String {
        let whole = Token {
            body: token.start,
            body_end: token.body_end + u32::from(token.quoted),
            ..token
        };
        let text = String::from_utf8_lossy(self.lexer.body(whole));
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.into_owned(),
        }
    }

    pub fn problem(
        &self,
        at: Token,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Box<Problem> {
        Box::new(Problem {
            start: at.start,
            end: at.body_end + u32::from(at.quoted),
            message: message.into(),
            label: label.into(),
        })
    }
}

impl Problem {
    /// Finds the line and column.
    pub fn diagnostic(self, source: &Source) -> Diagnostic {
        let before = source.text.get(..self.start as usize).unwrap_or_default();
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[line_start..].chars().count() + 1;
        let text = source.text.get(self.start as usize..self.end as usize);
        let length = text.map_or(1, |text| text.chars().count().max(1));
        Diagnostic {
            source: source.clone(),
            message: self.message,
            span: Span::new(line as u32, column as u32, length as u32),
            label: self.label,
            others: Vec::new(),
            help: None,
        }
    }
}

/// An unsigned decimal number.
pub(super) fn decimal(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u64, |number, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number.checked_mul(10)?.checked_add(digit.into())
    })
}
