//! The locations of a test: which there are, how wide each is, what it holds at
//! the start.
//!
//! A location is as wide as its declared type says; without one, as wide as the
//! accesses that name it; if none does, as wide as the accesses through
//! registers; else 32 bits. Accesses that name a location must agree with its
//! type and with each other.

use super::Language;
use super::complaint::{Detail, complaint};
use super::init::{Declaration, Init, Type, Value};
use program::{Address, Diagnostic, Object, ObjectId, ObjectKind, Source, Span, Width, Word};
use std::collections::HashMap;

/// An access in the code.
pub struct Access<'a> {
    /// The location that it names; nothing for an access through a register.
    pub location: Option<&'a str>,
    /// Its width; nothing if that is the location's.
    pub width: Option<Width>,
    pub span: Span,
}

struct Location {
    name: String,
    /// Where it is first named.
    span: Span,
    type_: Option<Type>,
    cells: Option<usize>,
    values: Vec<Value>,
    width: Option<Width>,
}

/// All locations of a test. Their order is that of the program's objects.
pub struct Locations<'a> {
    source: &'a Source,
    language: Language,
    all: Vec<Location>,
    named: HashMap<String, usize>,
    /// Width of accesses through registers that do not tell theirs.
    through_registers: Width,
}

impl<'a> Locations<'a> {
    /// The locations that the initial state names.
    pub fn new(source: &'a Source, init: &Init, language: Language) -> Result<Self, Diagnostic> {
        let mut locations = Locations {
            source,
            language,
            all: Vec::new(),
            named: HashMap::new(),
            through_registers: Width::W32,
        };
        for declaration in &init.locations {
            locations.declare(declaration)?;
        }
        let in_cells = init.locations.iter().flat_map(|location| &location.values);
        let in_registers = init.registers.iter().map(|register| &register.value);
        for value in in_cells.chain(in_registers) {
            if let Value::Address(name, span) = value {
                locations.mention(name, *span)?;
            }
        }
        Ok(locations)
    }

    fn declare(&mut self, declaration: &Declaration) -> Result<(), Diagnostic> {
        let index = self.mention(&declaration.name, declaration.span)?;
        let location = &mut self.all[index];
        let again = (location.type_.is_some() && declaration.type_.is_some())
            || (location.cells.is_some() && declaration.cells.is_some())
            || (!location.values.is_empty() && !declaration.values.is_empty());
        if again {
            let message = format!("`{}` is given twice", declaration.name);
            return Err(complaint(self.source, declaration.span, message)
                .beside(location.span, "given here first"));
        }
        location.type_ = location.type_.or(declaration.type_);
        location.cells = location.cells.or(declaration.cells);
        location.values.extend_from_slice(&declaration.values);
        Ok(())
    }

    /// Makes sure that there is a location of this name. In X86 it must not be a
    /// register's, since nothing would tell the two apart.
    pub fn mention(&mut self, name: &str, span: Span) -> Result<usize, Diagnostic> {
        if let Some(index) = self.named.get(name) {
            return Ok(*index);
        }
        if self.language == Language::X86 && self.language.register(name).is_some() {
            let message = format!("`{name}` is a register");
            return Err(complaint(self.source, span, message)
                .expected("a location, or a processor's register as in `0:EAX=1`"));
        }
        self.all.push(Location {
            name: name.to_owned(),
            span,
            type_: None,
            cells: None,
            values: Vec::new(),
            width: None,
        });
        self.named.insert(name.to_owned(), self.all.len() - 1);
        Ok(self.all.len() - 1)
    }

    /// Settles the width of every location.
    pub fn settle(&mut self, accesses: &[Access<'_>]) -> Result<(), Diagnostic> {
        let mut first: HashMap<&str, (Width, Span)> = HashMap::new();
        let mut indirect = Vec::new();
        for access in accesses {
            match (access.location, access.width) {
                (Some(name), Some(width)) => {
                    self.check_type(name, width, access.span)?;
                    let (before, span) = *first.entry(name).or_insert((width, access.span));
                    if before != width {
                        return Err(self.disagreement(name, access, width, before, span));
                    }
                }
                (None, Some(width)) => indirect.push(width),
                (_, None) => {}
            }
        }
        indirect.sort_unstable();
        indirect.dedup();
        if let [width] = indirect[..] {
            self.through_registers = width;
        }
        for location in &mut self.all {
            let declared = location.type_.and_then(|type_| type_.width);
            let accessed = first.get(location.name.as_str()).map(|(width, _)| *width);
            location.width = declared.or(accessed).or(Some(self.through_registers));
        }
        Ok(())
    }

    fn check_type(&self, name: &str, width: Width, span: Span) -> Result<(), Diagnostic> {
        let Some(type_) = self.location(name).and_then(|location| location.type_) else {
            return Ok(());
        };
        match type_.width {
            Some(declared) if declared != width => {
                let message = format!(
                    "an access of {} bits to `{name}`, which has {}",
                    width.bits(),
                    declared.bits()
                );
                Err(complaint(self.source, span, message)
                    .expected(format!("an access of {} bits", declared.bits()))
                    .beside(type_.span, "declared here")
                    .help("accesses to part of a location are not supported: make type and accesses agree"))
            }
            _ => Ok(()),
        }
    }

    fn disagreement(
        &self,
        name: &str,
        access: &Access<'_>,
        width: Width,
        before: Width,
        span: Span,
    ) -> Diagnostic {
        let (width, before) = (width.bits(), before.bits());
        let message = format!("`{name}` is accessed with {width} bits here, {before} elsewhere");
        complaint(self.source, access.span, message)
            .expected(format!("an access of {before} bits"))
            .beside(span, format!("{before} bits here"))
            .help(format!(
                "declare its type, `uint{before}_t {name};` say, and let all accesses agree with it"
            ))
    }

    fn location(&self, name: &str) -> Option<&Location> {
        self.named.get(name).and_then(|index| self.all.get(*index))
    }

    /// The object of a location.
    pub fn object(&self, name: &str) -> Option<ObjectId> {
        self.named.get(name).map(|index| ObjectId::from(*index))
    }

    /// The width of an access that does not tell it.
    pub fn width_of(&self, location: Option<&str>) -> Width {
        location
            .and_then(|name| self.location(name)?.width)
            .unwrap_or(self.through_registers)
    }

    /// The place this many bytes into a location, if it is there.
    pub fn place(&self, name: &str, offset: i128, span: Span) -> Result<Address, Diagnostic> {
        let (Some(object), Some(location)) = (self.object(name), self.location(name)) else {
            return Err(complaint(
                self.source,
                span,
                format!("unknown location `{name}`"),
            ));
        };
        let cell = i128::from(self.width_of(Some(name)).bytes());
        let size = cell * location.cells.unwrap_or(1) as i128;
        match u32::try_from(offset) {
            Ok(bytes) if offset < size && offset % cell == 0 => Ok(Address {
                object,
                offset: bytes,
            }),
            _ => {
                let message = format!("`{name}` has no cell at byte {offset}");
                Err(complaint(self.source, span, message)
                    .expected(format!("a multiple of {cell} below {size}"))
                    .beside(location.span, "named here first")
                    .help(format!("declare an array, `int {name}[2];` say")))
            }
        }
    }

    /// The word that `value` is in a cell or register of `width`.
    pub fn word(&self, value: &Value, width: Width) -> Result<Word, Diagnostic> {
        match value {
            Value::Number(number, span) => match in_width(*number, width) {
                Some(word) => Ok(word),
                None => {
                    let message = format!("{number} does not fit {} bits", width.bits());
                    Err(complaint(self.source, *span, message))
                }
            },
            Value::Address(name, span) => match self.object(name) {
                Some(object) if width >= Width::W32 => Ok(Address::of(object).to_word()),
                Some(_) => {
                    let message = format!("an address does not fit {} bits", width.bits());
                    Err(complaint(self.source, *span, message).expected("a number"))
                }
                None => Err(complaint(
                    self.source,
                    *span,
                    format!("unknown location `{name}`"),
                )),
            },
        }
    }

    fn check_size(&self, location: &Location, cell: Width, cells: usize) -> Result<(), Diagnostic> {
        let bytes = cells.saturating_mul(cell.bytes() as usize);
        if bytes <= Address::MAX_OBJECT_SIZE as usize {
            return Ok(());
        }
        let message = format!("`{}` has {bytes} bytes", location.name);
        let wanted = format!("at most {} bytes", Address::MAX_OBJECT_SIZE);
        Err(complaint(self.source, location.span, message).expected(wanted))
    }

    /// The locations as memory objects.
    pub fn objects(&self) -> Result<Vec<Object>, Diagnostic> {
        if let Some(location) = self.all.get(Address::MAX_SMALL_OBJECTS) {
            let message = format!("more than {} locations", Address::MAX_SMALL_OBJECTS);
            return Err(complaint(self.source, location.span, message));
        }
        self.all
            .iter()
            .map(|location| {
                let cell = self.width_of(Some(&location.name));
                let cells = location.cells.unwrap_or(1);
                self.check_size(location, cell, cells)?;
                let values = location.values.iter();
                let mut initial: Vec<Word> = values
                    .map(|value| self.word(value, cell))
                    .collect::<Result<_, _>>()?;
                initial.resize(cells, 0);
                Ok(Object {
                    name: location.name.clone(),
                    cell,
                    initial,
                    zeros: 0,
                    kind: ObjectKind::Shared,
                    layout: None,
                    signed: match location.type_ {
                        Some(type_) => type_.signed,
                        // The bytes of SPARC are those of `ldub` and `ldstub`.
                        None => !(self.language == Language::Sparc && cell == Width::W8),
                    },
                    span: location.span,
                })
            })
            .collect()
    }
}

/// `number` as a word of `width`, if it fits as a signed or an unsigned number.
pub fn in_width(number: i128, width: Width) -> Option<Word> {
    let bits = width.bits();
    let fits = number < (1i128 << bits) && number >= -(1i128 << (bits - 1));
    fits.then(|| width.truncate(number as Word))
}
