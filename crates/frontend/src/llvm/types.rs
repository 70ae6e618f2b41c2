//! Types: reading, interning, printing.
//!
//! A typed pointer of LLVM 14 and before is read and becomes a plain pointer.

use super::lexer::{Kind, Token};
use super::module::{Module, Type, TypeId};
use super::reader::{Read, Reader, decimal};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// A named type and whether its definition was met.
struct Named {
    id: TypeId,
    defined: bool,
    token: Token,
}

/// Finds the id of a type.
#[derive(Default)]
pub(super) struct TypeTable<'a> {
    interned: FxHashMap<Type, TypeId>,
    named: FxHashMap<Cow<'a, [u8]>, Named>,
    /// `i0` … `i128`, which most types are.
    integers: Vec<Option<TypeId>>,
    pointer: Option<TypeId>,
}

/// LLVM's own limit.
const MAX_BITS: u64 = (1 << 23) - 1;

/// By-value nesting of types deeper than this is refused, as is a struct in itself.
const MAX_NESTING: u32 = 200;

impl<'a> Reader<'a> {
    /// The id of a type.
    pub fn intern(&mut self, new: Type) -> TypeId {
        if let Some(&id) = self.types.interned.get(&new) {
            return id;
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(new.clone());
        self.types.interned.insert(new, id);
        id
    }

    pub fn integer_type(&mut self, bits: u32) -> TypeId {
        if self.types.integers.is_empty() {
            self.types.integers = vec![None; 129];
        }
        if let Some(Some(id)) = self.types.integers.get(bits as usize) {
            return *id;
        }
        let id = self.intern(Type::Integer(bits));
        if let Some(slot) = self.types.integers.get_mut(bits as usize) {
            *slot = Some(id);
        }
        id
    }

    pub fn pointer_type(&mut self, address_space: u32) -> TypeId {
        if address_space != 0 {
            return self.intern(Type::Pointer { address_space });
        }
        if let Some(id) = self.types.pointer {
            return id;
        }
        let id = self.intern(Type::Pointer { address_space });
        self.types.pointer = Some(id);
        id
    }

    /// Whether the next token may begin a type.
    pub fn at_type(&self) -> bool {
        match self.token.kind {
            Kind::Local | Kind::Punctuation(b'[' | b'{' | b'<') => true,
            Kind::Word => is_type_word(self.body()),
            _ => false,
        }
    }

    /// Any type.
    pub fn value_type(&mut self) -> Read<TypeId> {
        self.nested(|reader| {
            let base = reader.base_type()?;
            reader.type_suffixes(base)
        })
    }

    fn base_type(&mut self) -> Read<TypeId> {
        match self.token.kind {
            Kind::Word => self.type_word(),
            Kind::Local => {
                let token = self.advance();
                Ok(self.named_type(token))
            }
            Kind::Punctuation(b'[') => {
                self.advance();
                let count = self.expect_number("a number of elements")?;
                self.expect_word("x")?;
                let element = self.value_type()?;
                self.expect(b']')?;
                Ok(self.intern(Type::Array { count, element }))
            }
            Kind::Punctuation(b'{') => self.struct_type(None, false),
            Kind::Punctuation(b'<') => {
                self.advance();
                if !self.is(b'{') {
                    return self.vector_type();
                }
                let id = self.struct_type(None, true)?;
                self.expect(b'>')?;
                Ok(id)
            }
            _ => Err(self.unexpected(format_args!("a type"))),
        }
    }

    fn type_word(&mut self) -> Read<TypeId> {
        let word = self.body();
        if let [b'i', digits @ ..] = word
            && let Some(bits) = decimal(digits)
        {
            if bits == 0 || bits > MAX_BITS {
                return Err(self.problem(self.token, "no integer has this width", ""));
            }
            self.advance();
            return Ok(self.integer_type(bits as u32));
        }
        let simple = match word {
            b"ptr" => {
                self.advance();
                let address_space = self.address_space()?;
                return Ok(self.pointer_type(address_space));
            }
            b"target" => {
                self.advance();
                self.expect_open()?;
                let name = self.expect_text("the name of a type")?;
                while !self.is(b')') && self.token.kind != Kind::End {
                    self.advance();
                }
                self.expect(b')')?;
                return Ok(self.intern(Type::Target { name }));
            }
            _ => simple_type(word),
        };
        let Some(simple) = simple else {
            return Err(self.unexpected(format_args!("a type")));
        };
        self.advance();
        Ok(self.intern(simple))
    }

    fn expect_open(&mut self) -> Read<()> {
        self.expect(b'(')
    }

    /// `addrspace(3)`, or nothing for 0.
    pub fn address_space(&mut self) -> Read<u32> {
        if !self.take_word("addrspace") {
            return Ok(0);
        }
        self.expect_open()?;
        let number = if self.token.kind == Kind::Text {
            // `addrspace("A")`: the spaces that the data layout names.
            self.advance();
            u64::from(u32::MAX)
        } else {
            self.expect_number("an address space")?
        };
        self.expect(b')')?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// `*`, `addrspace(1)*` and `(i32, ...)` behind a type.
    fn type_suffixes(&mut self, mut id: TypeId) -> Read<TypeId> {
        loop {
            match self.token.kind {
                Kind::Punctuation(b'*') => {
                    self.advance();
                    id = self.pointer_type(0);
                }
                Kind::Punctuation(b'(') => id = self.function_type(id)?,
                Kind::Word if self.body() == b"addrspace" => {
                    let address_space = self.address_space()?;
                    self.expect(b'*')?;
                    id = self.pointer_type(address_space);
                }
                _ => return Ok(id),
            }
        }
    }

    fn function_type(&mut self, result: TypeId) -> Read<TypeId> {
        if matches!(self.type_kind(result), Type::Function { .. }) {
            return Err(self.problem(self.token, "a function cannot return a function", ""));
        }
        self.expect_open()?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.is(b')') {
            if self.token.kind == Kind::Ellipsis {
                self.advance();
                variadic = true;
                break;
            }
            parameters.push(self.value_type()?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(self.intern(Type::Function {
            result,
            parameters,
            variadic,
        }))
    }

    fn vector_type(&mut self) -> Read<TypeId> {
        let scalable = self.take_word("vscale");
        if scalable {
            self.expect_word("x")?;
        }
        let count = self.expect_number("a number of elements")?;
        self.expect_word("x")?;
        let element = self.value_type()?;
        self.expect(b'>')?;
        Ok(self.intern(Type::Vector {
            count,
            element,
            scalable,
        }))
    }

    /// `{ … }`; a named struct is not interned but put in its place.
    fn struct_type(&mut self, place: Option<(TypeId, Box<str>)>, packed: bool) -> Read<TypeId> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        while !self.is(b'}') {
            fields.push(self.value_type()?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        let Some((id, name)) = place else {
            return Ok(self.intern(Type::Struct {
                name: None,
                packed,
                fields,
            }));
        };
        self.module.types[id.index()] = Type::Struct {
            name: Some(name),
            packed,
            fields,
        };
        Ok(id)
    }

    /// The type behind `%name`, opaque until it is defined.
    fn named_type(&mut self, token: Token) -> TypeId {
        let name = self.unescaped(token);
        if let Some(named) = self.types.named.get(&name) {
            return named.id;
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(Type::Opaque {
            name: String::from_utf8_lossy(&name).into(),
        });
        let defined = false;
        self.types.named.insert(name, Named { id, defined, token });
        id
    }

    /// `%name = type …`
    pub fn type_definition(&mut self) -> Read<()> {
        let token = self.advance();
        let name = self.unescaped(token);
        self.expect(b'=')?;
        self.expect_word("type")?;
        let known = self.types.named.get_mut(&name);
        let known = known.map(|named| (std::mem::replace(&mut named.defined, true), named.id));
        if let Some((true, _)) = known {
            return Err(self.problem(token, "this type is defined twice", ""));
        }
        let packed = self.is(b'<');
        if !packed && !self.is(b'{') && !self.is_word("opaque") {
            return self.type_synonym(token, known.is_some());
        }
        let id = self.named_type(token);
        if let Some(named) = self.types.named.get_mut(&name) {
            named.defined = true;
        }
        if self.take_word("opaque") {
            return Ok(());
        }
        if packed {
            self.advance();
            if !self.is(b'{') {
                let id = self.vector_type()?;
                return self.bind_synonym(token, id, known.is_some());
            }
        }
        let place = Some((id, String::from_utf8_lossy(&name).into()));
        self.struct_type(place, packed)?;
        if packed {
            self.expect(b'>')?;
        }
        Ok(())
    }

    /// `%name = type [4 x i32]`: a name for a type that is not a struct. It must come
    /// before its uses.
    fn type_synonym(&mut self, token: Token, used: bool) -> Read<()> {
        let id = self.value_type()?;
        let used = used || self.types.named.contains_key(&self.unescaped(token));
        self.bind_synonym(token, id, used)
    }

    fn bind_synonym(&mut self, token: Token, id: TypeId, used: bool) -> Read<()> {
        if used {
            return Err(self.problem(token, "a type that is not a struct is used before", ""));
        }
        let name = self.unescaped(token);
        let defined = true;
        self.types.named.insert(name, Named { id, defined, token });
        Ok(())
    }

    /// Refuses structs that contain themselves or are nested too deep, so that sizes
    /// can be computed by plain recursion.
    pub fn check_types(&self) -> Read<()> {
        let Some(id) = too_deep(&self.module.types) else {
            return Ok(());
        };
        let named = self.types.named.values().find(|named| named.id == id);
        let token = named.map_or(self.token, |named| named.token);
        let message = match &self.module.types[id.index()] {
            Type::Struct {
                name: Some(name), ..
            } => format!("`%{name}` contains itself, or is nested too deep"),
            _ => "a type is nested too deep".to_string(),
        };
        Err(self.problem(token, message, ""))
    }
}

/// A type in a circle, or one that is nested deeper than `MAX_NESTING`.
fn too_deep(types: &[Type]) -> Option<TypeId> {
    // Height of each type: 0 not known, u32::MAX being computed.
    let mut heights = vec![0u32; types.len()];
    for start in 0..types.len() {
        let mut stack = vec![(TypeId(start as u32), false)];
        while let Some((id, done)) = stack.pop() {
            let parts = types[id.index()].parts();
            if done {
                let deepest = parts.clone().map(|part| heights[part.index()]).max();
                let height = deepest.unwrap_or(0) + 1;
                if height > MAX_NESTING {
                    return Some(id);
                }
                heights[id.index()] = height;
                continue;
            }
            match heights[id.index()] {
                0 => {}
                u32::MAX => return Some(id),
                _ => continue,
            }
            heights[id.index()] = u32::MAX;
            stack.push((id, true));
            for part in parts {
                match heights[part.index()] {
                    0 => stack.push((part, false)),
                    u32::MAX => return Some(part),
                    _ => {}
                }
            }
        }
    }
    None
}

impl Type {
    /// The types that a type is made of. What a pointer points to is not one of them.
    pub(super) fn parts(&self) -> impl Iterator<Item = TypeId> + Clone {
        let (one, many): (_, &[TypeId]) = match self {
            Type::Struct { fields, .. } => (None, fields),
            Type::Array { element, .. } | Type::Vector { element, .. } => (Some(*element), &[]),
            Type::Function {
                result, parameters, ..
            } => (Some(*result), parameters),
            _ => (None, &[]),
        };
        one.into_iter().chain(many.iter().copied())
    }

    /// Changes each of the parts.
    pub(super) fn map_parts(&mut self, map: impl Fn(TypeId) -> TypeId) {
        match self {
            Type::Struct { fields, .. } => fields.iter_mut().for_each(|field| *field = map(*field)),
            Type::Array { element, .. } | Type::Vector { element, .. } => *element = map(*element),
            Type::Function {
                result, parameters, ..
            } => {
                *result = map(*result);
                parameters.iter_mut().for_each(|part| *part = map(*part));
            }
            _ => {}
        }
    }
}

fn simple_type(word: &[u8]) -> Option<Type> {
    Some(match word {
        b"void" => Type::Void,
        b"half" => Type::Half,
        b"bfloat" => Type::BFloat,
        b"float" => Type::Float,
        b"double" => Type::Double,
        b"x86_fp80" => Type::X86Fp80,
        b"fp128" => Type::Fp128,
        b"ppc_fp128" => Type::PpcFp128,
        b"label" => Type::Label,
        b"metadata" => Type::Metadata,
        b"token" => Type::Token,
        b"x86_mmx" | b"x86_amx" => Type::Target {
            name: String::from_utf8_lossy(word).into(),
        },
        _ => return None,
    })
}

fn is_type_word(word: &[u8]) -> bool {
    match word {
        [b'i', digits @ ..] if decimal(digits).is_some() => true,
        b"ptr" | b"target" => true,
        _ => simple_type(word).is_some(),
    }
}

/// A type as LLVM writes it.
pub(super) fn describe(module: &Module, id: TypeId) -> String {
    let mut text = String::new();
    write_type(module, id, &mut text);
    text
}

// The reader bounds how deep types without a name are nested.
fn write_type(module: &Module, id: TypeId, text: &mut String) {
    let list = |ids: &[TypeId], text: &mut String| {
        for (index, &id) in ids.iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            write_type(module, id, text);
        }
    };
    let _ = match module.type_of(id) {
        Type::Integer(bits) => write!(text, "i{bits}"),
        Type::Pointer { address_space: 0 } => write!(text, "ptr"),
        Type::Pointer { address_space } => write!(text, "ptr addrspace({address_space})"),
        Type::Vector {
            count,
            element,
            scalable,
        } => {
            let _ = write!(
                text,
                "<{}{count} x ",
                if *scalable { "vscale x " } else { "" }
            );
            write_type(module, *element, text);
            write!(text, ">")
        }
        Type::Array { count, element } => {
            let _ = write!(text, "[{count} x ");
            write_type(module, *element, text);
            write!(text, "]")
        }
        Type::Struct {
            name: Some(name), ..
        }
        | Type::Opaque { name } => write!(text, "%{name}"),
        Type::Struct { packed, fields, .. } => {
            text.push_str(if *packed { "<{ " } else { "{ " });
            list(fields, text);
            text.push_str(if *packed { " }>" } else { " }" });
            Ok(())
        }
        Type::Function {
            result,
            parameters,
            variadic,
        } => {
            write_type(module, *result, text);
            text.push_str(" (");
            list(parameters, text);
            match (variadic, parameters.is_empty()) {
                (true, true) => text.push_str("..."),
                (true, false) => text.push_str(", ..."),
                _ => {}
            }
            write!(text, ")")
        }
        Type::Void => write!(text, "void"),
        Type::Half => write!(text, "half"),
        Type::BFloat => write!(text, "bfloat"),
        Type::Float => write!(text, "float"),
        Type::Double => write!(text, "double"),
        Type::X86Fp80 => write!(text, "x86_fp80"),
        Type::Fp128 => write!(text, "fp128"),
        Type::PpcFp128 => write!(text, "ppc_fp128"),
        Type::Label => write!(text, "label"),
        Type::Metadata => write!(text, "metadata"),
        Type::Token => write!(text, "token"),
        Type::Target { name } => write!(text, "{name}"),
    };
}

#[cfg(test)]
mod tests {
    use crate::llvm::{Type, parse};
    use program::Source;

    /// The type of `@x` as it is printed again.
    fn reprint(written: &str) -> String {
        let text = format!("%s = type {{ i32 }}\n@x = external global {written}\n");
        let module = parse(&Source::new("x.ll", text)).unwrap();
        module.describe(module.globals[0].value_type)
    }

    #[test]
    fn types_are_printed_as_they_are_written() {
        for written in [
            "i1",
            "ptr addrspace(3)",
            "<4 x float>",
            "<vscale x 2 x i64>",
            "[3 x [2 x %s]]",
            "{ i32, ptr }",
            "<{ i8, x86_fp80 }>",
        ] {
            assert_eq!(reprint(written), written);
        }
    }

    #[test]
    fn typed_pointers_are_pointers() {
        for written in ["i8*", "%s**", "void (i32, ...)*", "[2 x i8*]*", "%none*"] {
            assert_eq!(reprint(written), "ptr");
        }
        assert_eq!(reprint("i8 addrspace(1)*"), "ptr addrspace(1)");
        assert_eq!(reprint("{ i8*, void ()* }"), "{ ptr, ptr }");
    }

    #[test]
    fn a_named_type_may_come_later() {
        let text = "@x = external global %s\n%s = type <{ i8, %t }>\n%t = type opaque\n";
        let module = parse(&Source::new("x.ll", text)).unwrap();
        let found = module.type_of(module.globals[0].value_type);
        assert!(
            matches!(found, Type::Struct { name: Some(name), packed: true, fields } if &**name == "s" && fields.len() == 2)
        );
    }
}
