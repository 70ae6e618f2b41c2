//! The fields of a row, and what may stand in them.

use program::LogOperation;
use std::borrow::Cow;
use std::ops::Range;

/// What may stand in `operation`: the names that reports use, and others.
pub const OPERATIONS: [(&str, LogOperation); 23] = [
    ("load", LogOperation::Load),
    ("ld", LogOperation::Load),
    ("read", LogOperation::Load),
    ("store", LogOperation::Store),
    ("st", LogOperation::Store),
    ("write", LogOperation::Store),
    ("interlocked", LogOperation::Interlocked),
    ("il", LogOperation::Interlocked),
    ("rmw", LogOperation::Interlocked),
    ("exchange", LogOperation::Interlocked),
    ("cas", LogOperation::Interlocked),
    ("fetch-add", LogOperation::Interlocked),
    ("failed-cas", LogOperation::FailedInterlocked),
    ("fence", LogOperation::Fence),
    ("mfence", LogOperation::Fence),
    ("store-store-fence", LogOperation::StoreStoreFence),
    ("sfence", LogOperation::StoreStoreFence),
    ("membar #StoreStore", LogOperation::StoreStoreFence),
    ("store-load-fence", LogOperation::StoreLoadFence),
    ("membar #StoreLoad", LogOperation::StoreLoadFence),
    ("start", LogOperation::Start),
    ("join", LogOperation::Join),
    ("membar #Sync", LogOperation::Fence),
];

/// What is wrong with a row.
#[derive(Debug)]
pub struct Flaw {
    /// The bytes of the line that it is about.
    pub place: Range<usize>,
    pub message: String,
    /// What was expected there; may be empty.
    pub label: String,
}

impl Flaw {
    pub fn new(place: Range<usize>, message: impl Into<String>) -> Self {
        Flaw {
            place,
            message: message.into(),
            label: String::new(),
        }
    }

    pub fn expected(mut self, what: impl Into<String>) -> Self {
        self.label = format!("expected {}", what.into());
        self
    }

    pub fn not_utf8() -> Self {
        Flaw::new(0..0, "not UTF-8 text")
    }
}

/// What stands in a field, and where.
#[derive(Debug)]
pub struct Field<'a> {
    pub text: Cow<'a, str>,
    pub place: Range<usize>,
}

/// The fields of a row that mean something.
#[derive(Debug, Default)]
pub struct Row<'a> {
    pub thread: Option<Field<'a>>,
    pub operation: Option<Field<'a>>,
    pub address: Option<Field<'a>>,
    pub index: Option<Field<'a>>,
    pub at: Option<Field<'a>>,
    /// The whole row.
    pub place: Range<usize>,
}

impl<'a> Row<'a> {
    /// The names of its fields, in the order of a header.
    pub const FIELDS: [&'static str; 5] = ["thread", "operation", "address", "index", "at"];

    /// The field of this name, if it means something.
    pub fn field(&mut self, name: &str) -> Option<&mut Option<Field<'a>>> {
        Some(match name {
            "thread" => &mut self.thread,
            "operation" => &mut self.operation,
            "address" => &mut self.address,
            "index" => &mut self.index,
            "at" => &mut self.at,
            _ => return None,
        })
    }

    pub fn thread(&self) -> Result<&Field<'a>, Flaw> {
        self.needed(&self.thread, "thread", "a number or a name")
    }

    /// The address, which names `what`.
    pub fn address(&self, what: &str) -> Result<&Field<'a>, Flaw> {
        self.needed(
            &self.address,
            "address",
            &format!("{what}, a number or a name"),
        )
    }

    pub fn operation(&self) -> Result<LogOperation, Flaw> {
        let field = self.needed(&self.operation, "operation", "one such as load or store")?;
        let name = &*field.text;
        let known = OPERATIONS.iter().find(|(known, _)| *known == name);
        let known = known.or_else(|| {
            let same = |known: &str| known.eq_ignore_ascii_case(&name.replace('_', "-"));
            OPERATIONS.iter().find(|(known, _)| same(known))
        });
        known.map(|(_, operation)| *operation).ok_or_else(|| {
            let names = LogOperation::NAMED.map(|(_, name)| name).join(", ");
            Flaw::new(field.place.clone(), format!("unknown operation `{name}`")).expected(names)
        })
    }

    /// The index, which all accesses have, or none; `wanted` tells which, once it is known.
    pub fn index(&self, wanted: Option<bool>) -> Result<Option<u32>, Flaw> {
        let field = self.index.as_ref().filter(|field| !field.text.is_empty());
        match (field, wanted) {
            (None, Some(true)) => {
                let flaw = Flaw::new(self.place.clone(), "this access has no `index`");
                Err(flaw.expected("one, as the accesses before it have"))
            }
            (Some(field), Some(false)) => {
                let flaw = Flaw::new(field.place.clone(), "an `index` all of a sudden");
                Err(flaw.expected("none, as the accesses before it have none"))
            }
            (None, _) => Ok(None),
            (Some(field), _) => match field.text.parse() {
                Ok(index) => Ok(Some(index)),
                Err(_) => {
                    let message = format!("`{}` is no index", field.text);
                    Err(Flaw::new(field.place.clone(), message).expected("a number from 0 on"))
                }
            },
        }
    }

    fn needed<'f>(
        &self,
        field: &'f Option<Field<'a>>,
        name: &str,
        what: &str,
    ) -> Result<&'f Field<'a>, Flaw> {
        let missing = || Flaw::new(self.place.clone(), format!("no `{name}`")).expected(what);
        let empty = |place: &Range<usize>| {
            Flaw::new(place.clone(), format!("`{name}` is empty")).expected(what)
        };
        match field {
            None => Err(missing()),
            Some(field) if field.text.is_empty() => Err(empty(&field.place)),
            Some(field) => Ok(field),
        }
    }
}
