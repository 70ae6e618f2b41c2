//! Layouts of C objects: what lies where, so that a location in one has the name that
//! the source gives it.

use crate::TypeId;

/// How (a part of) an object is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number, or something else without parts.
    Scalar {
        /// Its size in bytes.
        size: u64,
        /// Show it as a signed number.
        signed: bool,
        /// What it holds.
        kind: ScalarKind,
    },
    /// A row of parts of one type.
    Array {
        /// The parts' type.
        element: TypeId,
        /// A part's size in bytes.
        stride: u64,
        /// Number of parts.
        count: u64,
    },
    /// Named parts. Those of a union overlap.
    Struct {
        /// Its tag or type name; may be empty.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Name, byte offset and type of each part.
        fields: Vec<(String, u64, TypeId)>,
    },
}

impl Type {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Type::Scalar { size, .. } | Type::Struct { size, .. } => *size,
            Type::Array { stride, count, .. } => stride * count,
        }
    }
}

/// What a scalar holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// An integer, an enumeration, a truth value.
    Integer,
    /// A floating-point number.
    Float,
    /// A pointer, and the type of what it points to, if known.
    Pointer(Option<TypeId>),
}

/// A scalar found in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The way to it: `.next`, `[3].count`; empty for the whole.
    pub path: String,
    /// Its type.
    pub layout: TypeId,
    /// Bytes into it.
    pub offset: u64,
}

/// The part of `layout` at a byte offset; as far as the layout tells.
pub fn part_at(types: &[Type], layout: TypeId, offset: u64) -> Part {
    let mut part = Part {
        path: String::new(),
        layout,
        offset,
    };
    // Every iteration goes one level down; a layout that contains itself ends all the same.
    for _ in 0..64 {
        match types.get(part.layout.index()) {
            Some(Type::Array {
                element,
                stride,
                count,
            }) if *stride > 0 && part.offset / stride < (*count).max(1) => {
                part.path += &format!("[{}]", part.offset / stride);
                part.offset %= stride;
                part.layout = *element;
            }
            Some(Type::Struct { fields, .. }) => {
                let inside = |(_, start, _): &&(String, u64, TypeId)| *start <= part.offset;
                let Some((name, start, layout)) = fields.iter().filter(inside).max_by_key(|f| f.1)
                else {
                    break;
                };
                if !name.is_empty() {
                    part.path += &format!(".{name}");
                }
                part.offset -= start;
                part.layout = *layout;
            }
            _ => break,
        }
    }
    part
}
