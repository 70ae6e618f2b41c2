//! The names within one function.
//!
//! Values and blocks without a name share one row of numbers: parameters first, then
//! blocks and results in the order of the text; the first block has a number too,
//! though it is not written. A name may be used before it is defined.

use super::lexer::Token;
use super::module::{BlockId, Local, LocalId, TypeId};
use super::reader::{Read, Reader, decimal};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A name, or the number of what has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name<'a> {
    Text(Cow<'a, [u8]>),
    Number(u32),
}

#[derive(Default)]
pub(super) struct Scope<'a> {
    /// Whether a function is being read.
    pub active: bool,
    pub locals: Vec<Local>,
    /// For each local, whether it is defined, and its first use.
    uses: Vec<(bool, Token)>,
    local_names: FxHashMap<Name<'a>, LocalId>,
    block_names: FxHashMap<Name<'a>, BlockId>,
    /// For each block in the order of their first use: its place in the text, once it
    /// is known, and its first use.
    pub blocks: Vec<(Option<u32>, Token)>,
    placed: u32,
    next_number: u32,
}

impl<'a> Scope<'a> {
    /// An empty scope for the next function.
    pub fn restart(&mut self) {
        self.active = true;
        self.locals.clear();
        self.uses.clear();
        // Clearing a map takes time that grows with the largest function so far.
        if self.local_names.capacity() > 1 << 12 {
            self.local_names = FxHashMap::default();
            self.block_names = FxHashMap::default();
        }
        self.local_names.clear();
        self.block_names.clear();
        self.blocks.clear();
        self.placed = 0;
        self.next_number = 0;
    }
}

impl<'a> Reader<'a> {
    fn name(&self, token: Token) -> Read<Name<'a>> {
        let body = self.lexer.body(token);
        if !token.quoted && body.first().is_some_and(u8::is_ascii_digit) {
            let number = decimal(body).and_then(|number| u32::try_from(number).ok());
            return match number {
                Some(number) => Ok(Name::Number(number)),
                None => Err(self.problem(token, "neither a name nor a number", "")),
            };
        }
        Ok(Name::Text(self.unescaped(token)))
    }

    /// The value of this name and type.
    pub fn local(&mut self, token: Token, value_type: TypeId) -> Read<LocalId> {
        if !self.scope.active {
            return Err(self.problem(token, "a local value outside of a function", ""));
        }
        let name = self.name(token)?;
        if let Some(&id) = self.scope.local_names.get(&name) {
            self.same_type(token, id, value_type)?;
            return Ok(id);
        }
        let id = self.new_local(&name, value_type, (false, token));
        self.scope.local_names.insert(name, id);
        Ok(id)
    }

    fn new_local(&mut self, name: &Name, value_type: TypeId, used: (bool, Token)) -> LocalId {
        let id = LocalId(self.scope.locals.len() as u32);
        let (name, number) = match name {
            Name::Text(name) => (Some(String::from_utf8_lossy(name).into()), None),
            Name::Number(number) => (None, Some(*number)),
        };
        self.scope.locals.push(Local {
            name,
            number,
            value_type,
        });
        self.scope.uses.push(used);
        id
    }

    fn same_type(&self, token: Token, id: LocalId, value_type: TypeId) -> Read<()> {
        let local = &self.scope.locals[id.index()];
        if local.value_type == value_type {
            return Ok(());
        }
        let message = format!(
            "`{local}` is of type `{}` here and of type `{}` elsewhere",
            self.module.describe(value_type),
            self.module.describe(local.value_type)
        );
        Err(self.problem(token, message, ""))
    }

    /// Defines a value; without a token it gets the next number.
    pub fn define_local(&mut self, token: Option<Token>, value_type: TypeId) -> Read<LocalId> {
        let name = match token {
            Some(token) => self.name(token)?,
            None => Name::Number(self.scope.next_number),
        };
        let token = token.unwrap_or(self.token);
        if let Name::Number(number) = name {
            self.take_number(token, number)?;
        }
        match self.scope.local_names.get(&name) {
            Some(&id) => {
                self.same_type(token, id, value_type)?;
                let slot = &mut self.scope.uses[id.index()].0;
                if std::mem::replace(slot, true) {
                    return Err(self.problem(token, "this value is defined twice", ""));
                }
                Ok(id)
            }
            None => {
                let id = self.new_local(&name, value_type, (true, token));
                self.scope.local_names.insert(name, id);
                Ok(id)
            }
        }
    }

    /// Numbers rise; newer versions of LLVM allow gaps.
    fn take_number(&mut self, token: Token, number: u32) -> Read<()> {
        if number < self.scope.next_number {
            let message = format!("expected a number from {} on", self.scope.next_number);
            return Err(self.problem(token, message, ""));
        }
        self.scope.next_number = number.saturating_add(1);
        Ok(())
    }

    /// The block behind a label that is used.
    pub fn block(&mut self, token: Token) -> Read<BlockId> {
        let name = self.name(token)?;
        let next = BlockId(self.scope.blocks.len() as u32);
        let id = *self.scope.block_names.entry(name).or_insert(next);
        if id == next {
            self.scope.blocks.push((None, token));
        }
        Ok(id)
    }

    /// Places a block here; without a label it gets the next number.
    pub fn define_block(&mut self, token: Option<Token>) -> Read<BlockId> {
        let name = match token {
            Some(token) => self.name(token)?,
            None => Name::Number(self.scope.next_number),
        };
        let token = token.unwrap_or(self.token);
        if let Name::Number(number) = name {
            self.take_number(token, number)?;
        }
        let next = BlockId(self.scope.blocks.len() as u32);
        let id = *self.scope.block_names.entry(name).or_insert(next);
        if id == next {
            self.scope.blocks.push((None, token));
        }
        let placed = self.scope.placed;
        let slot = &mut self.scope.blocks[id.index()].0;
        if slot.is_some() {
            return Err(self.problem(token, "this block is defined twice", ""));
        }
        *slot = Some(placed);
        self.scope.placed += 1;
        Ok(id)
    }

    /// Everything used must be defined by the end of the function.
    pub fn check_scope(&self) -> Read<()> {
        for (local, (defined, token)) in self.scope.locals.iter().zip(&self.scope.uses) {
            if !defined {
                let message = format!("the value `{local}` is used and never made");
                return Err(self.problem(*token, message, ""));
            }
        }
        for (place, token) in &self.scope.blocks {
            if place.is_none() {
                let name = String::from_utf8_lossy(self.lexer.body(*token));
                let message = format!("there is no block `%{name}`");
                return Err(self.problem(*token, message, ""));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::llvm::{Function, parse};
    use program::Source;

    fn function(text: &str) -> Result<Function, String> {
        match parse(&Source::new("x.ll", text)) {
            Ok(mut module) => Ok(module.functions.remove(0)),
            Err(complaint) => Err(complaint.to_string()),
        }
    }

    #[test]
    fn values_and_blocks_share_their_numbers() {
        // The parameter is %0, the first block %1.
        let text = "define i32 @f(i32) {\n  br label %2\n2:\n  %3 = add i32 %0, 1\n\
                    \n  add i32 %3, 1\n  ret i32 %4\n}\n";
        let function = function(text).unwrap();
        let names: Vec<_> = function.locals.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["%0", "%3", "%4"]);
        assert_eq!(function.blocks.len(), 2);
    }

    #[test]
    fn a_value_may_be_used_before_it_is_made() {
        let text = "define void @f() {\n  br label %a\nb:\n  store i32 %x, ptr null\n\
                    \n  ret void\na:\n  %x = add i32 1, 2\n  br label %b\n}\n";
        assert_eq!(function(text).unwrap().locals.len(), 1);
    }

    #[test]
    fn names_are_made_once_and_of_one_type() {
        let body = |lines: &str| function(&format!("define void @f() {{\n{lines}\nret void\n}}\n"));
        let twice = body("%a = add i32 1, 2\n%a = add i32 1, 2").unwrap_err();
        assert_eq!(twice, "x.ll:3:1: this value is defined twice");
        let types = body("%a = add i32 1, 2\n%b = add i64 %a, 2").unwrap_err();
        assert_eq!(
            types,
            "x.ll:3:14: `%a` is of type `i64` here and of type `i32` elsewhere"
        );
        let back = body("%5 = add i32 1, 2\n%3 = add i32 1, 2").unwrap_err();
        assert_eq!(back, "x.ll:3:1: expected a number from 6 on");
    }
}
