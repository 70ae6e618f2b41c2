//! Layouts of C types from debug information, for the names of places in objects.

use crate::llvm::{CompositeTag, DerivedTag, Encoding, Metadata, MetadataId, Module};
use program::{ScalarKind, Type, TypeId};
use std::collections::HashMap;

/// The layouts made so far.
pub(super) struct Layouts<'m> {
    module: &'m Module,
    types: Vec<Type>,
    known: HashMap<MetadataId, TypeId>,
    /// Asked for, and not made yet.
    pending: Vec<(MetadataId, TypeId)>,
}

/// `typedef`s and the like in a row; longer ones are circles.
const MAX_CHAIN: usize = 64;

impl<'m> Layouts<'m> {
    pub fn new(module: &'m Module) -> Self {
        Layouts {
            module,
            types: Vec::new(),
            known: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// All layouts, in the order of their ids.
    pub fn into_types(self) -> Vec<Type> {
        self.types
    }

    /// The layouts so far.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The layout of a type; none for `void` and what has no size.
    pub fn of(&mut self, node: Option<MetadataId>) -> Option<TypeId> {
        let id = self.slot(node)?;
        // Types refer to each other in circles, so each is given its id first.
        while let Some((node, id)) = self.pending.pop() {
            self.types[id.index()] = self.make(node);
        }
        Some(id)
    }

    /// Whether a type is shown as a signed number.
    pub fn is_signed(&self, id: Option<TypeId>) -> bool {
        match id.and_then(|id| self.types.get(id.index())) {
            Some(Type::Scalar { signed, .. }) => *signed,
            _ => true,
        }
    }

    fn slot(&mut self, node: Option<MetadataId>) -> Option<TypeId> {
        let node = self.strip(node)?;
        if let Some(known) = self.known.get(&node) {
            return Some(*known);
        }
        let id = self.push(opaque(0));
        self.known.insert(node, id);
        self.pending.push((node, id));
        Some(id)
    }

    fn push(&mut self, made: Type) -> TypeId {
        self.types.push(made);
        TypeId::from(self.types.len() - 1)
    }

    /// The type without names and qualifiers.
    fn strip(&self, node: Option<MetadataId>) -> Option<MetadataId> {
        let mut at = node?;
        for _ in 0..MAX_CHAIN {
            match self.module.node(at) {
                Metadata::DerivedType { tag, base, .. }
                    if !matches!(tag, DerivedTag::Pointer | DerivedTag::Reference) =>
                {
                    at = (*base)?;
                }
                Metadata::BasicType { .. }
                | Metadata::DerivedType { .. }
                | Metadata::CompositeType { .. } => return Some(at),
                _ => return None,
            }
        }
        None
    }

    fn make(&mut self, node: MetadataId) -> Type {
        match self.module.node(node) {
            Metadata::BasicType { size, encoding, .. } => Type::Scalar {
                size: size / 8,
                signed: matches!(encoding, Encoding::Signed | Encoding::SignedChar),
                kind: match encoding {
                    Encoding::Float => ScalarKind::Float,
                    _ => ScalarKind::Integer,
                },
            },
            Metadata::DerivedType { base, size, .. } => Type::Scalar {
                size: if *size == 0 { 8 } else { size / 8 },
                signed: false,
                kind: ScalarKind::Pointer(self.slot(*base)),
            },
            Metadata::CompositeType {
                tag,
                name,
                base,
                size,
                elements,
                ..
            } => match tag {
                CompositeTag::Array => self.array(*base, *elements),
                CompositeTag::Enumeration => Type::Scalar {
                    size: size / 8,
                    signed: self.base_is_signed(*base),
                    kind: ScalarKind::Integer,
                },
                _ => Type::Struct {
                    name: name.to_string(),
                    size: size / 8,
                    fields: self.fields(*elements),
                },
            },
            _ => opaque(0),
        }
    }

    fn base_is_signed(&self, base: Option<MetadataId>) -> bool {
        let base = self.strip(base).map(|base| self.module.node(base));
        matches!(
            base,
            Some(Metadata::BasicType {
                encoding: Encoding::Signed | Encoding::SignedChar,
                ..
            })
        )
    }

    fn elements(&self, elements: Option<MetadataId>) -> &'m [Option<MetadataId>] {
        match elements.map(|elements| self.module.node(elements)) {
            Some(Metadata::Tuple(elements)) => elements,
            _ => &[],
        }
    }

    fn array(&mut self, base: Option<MetadataId>, elements: Option<MetadataId>) -> Type {
        let counts: Vec<u64> = self
            .elements(elements)
            .iter()
            .filter_map(|element| match self.module.node((*element)?) {
                Metadata::Subrange { count } => Some(count.unwrap_or(0)),
                _ => None,
            })
            .collect();
        let mut stride = self.size(base, 0);
        let mut element = self.slot(base).unwrap_or_else(|| self.push(opaque(1)));
        let Some((outermost, inner)) = counts.split_first() else {
            return opaque(0);
        };
        for count in inner.iter().rev() {
            let row = Type::Array {
                element,
                stride,
                count: *count,
            };
            element = self.push(row);
            stride = stride.saturating_mul(*count);
        }
        Type::Array {
            element,
            stride,
            count: *outermost,
        }
    }

    fn fields(&mut self, elements: Option<MetadataId>) -> Vec<(String, u64, TypeId)> {
        let mut fields: Vec<(String, u64, TypeId)> = Vec::new();
        for element in self.elements(elements).iter().flatten() {
            if let Metadata::DerivedType {
                tag: DerivedTag::Member | DerivedTag::Inheritance,
                name,
                base,
                offset,
                size,
                bit_field,
                ..
            } = self.module.node(*element)
            {
                // A bit field stands for the bytes that it starts in.
                let start = match (bit_field, self.size(*base, 0)) {
                    (true, storage) if storage > 0 => offset / 8 / storage * storage,
                    _ => offset / 8,
                };
                match fields.last_mut() {
                    Some((names, last, _)) if *bit_field && *last == start => {
                        *names += &format!("/{name}");
                        continue;
                    }
                    _ => {}
                }
                let layout = self
                    .slot(*base)
                    .unwrap_or_else(|| self.push(opaque(size / 8)));
                fields.push((name.to_string(), start, layout));
            }
        }
        fields
    }

    /// The size of a type in bytes.
    fn size(&self, node: Option<MetadataId>, depth: usize) -> u64 {
        let Some(node) = self.strip(node).filter(|_| depth < MAX_CHAIN) else {
            return 1;
        };
        match self.module.node(node) {
            Metadata::BasicType { size, .. } => size / 8,
            Metadata::DerivedType { size, .. } if *size == 0 => 8,
            Metadata::CompositeType {
                tag: CompositeTag::Array,
                size: 0,
                base,
                ..
            } => self.size(*base, depth + 1),
            Metadata::DerivedType { size, .. } | Metadata::CompositeType { size, .. } => size / 8,
            _ => 1,
        }
    }
}

fn opaque(size: u64) -> Type {
    Type::Scalar {
        size,
        signed: false,
        kind: ScalarKind::Integer,
    }
}
