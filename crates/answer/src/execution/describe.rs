//! Names of locations and texts of values: what people read in every report, made in one place.

use super::{Datum, Event, Shown, Step};
use program::{Address, Program, ScalarKind, Type, TypeId, Width, Word, part_at};

/// Names what engines left unnamed: accesses to cells of the program.
pub(super) fn describe(program: &Program, steps: &mut [Step]) {
    for step in steps {
        let Event::Access(access) = &mut step.event else {
            continue;
        };
        let (true, Some(location)) = (access.location.name.is_empty(), access.cell()) else {
            continue;
        };
        let (width, signed) = match program.cell_at(location) {
            Some((object, _)) => (object.cell, object.signed),
            None => (Width::W64, false),
        };
        access.location.name = program.location_name(location);
        access.location.size = width.bytes();
        for datum in std::iter::once(&mut access.value).chain(&mut access.written) {
            *datum = Datum::of_cell(program, datum.word, width, signed);
        }
    }
}

impl Datum {
    /// A value of a cell of the program: the name of the cell that it is the address of, or a number.
    pub fn of_cell(program: &Program, word: Word, width: Width, signed: bool) -> Self {
        let cut = width.truncate(word);
        let pointed_to = Address::from_word(cut).filter(|to| program.cell_at(*to).is_some());
        let shown = match pointed_to {
            Some(address) => Shown::Text(program.location_name(address)),
            None if signed => Shown::Signed(width.signed(cut)),
            None => Shown::Unsigned(cut),
        };
        Datum { word, shown }
    }
}

/// The name of a part of an object, as far as its layout tells: `queue.tail`, `buffer[3]`, `queue+5`. An object that is
/// larger than its layout is an array of it.
pub fn part_name(types: &[Type], object: &str, layout: Option<TypeId>, offset: u64) -> String {
    let Some(layout) = layout else {
        return sum(object.to_owned(), offset);
    };
    let (element, offset) = element(types, object, layout, offset);
    let part = part_at(types, layout, offset);
    sum(element + &part.path, part.offset)
}

/// The same for what a pointer points to: an object rather than its first part.
pub fn pointee_name(types: &[Type], object: &str, layout: Option<TypeId>, offset: u64) -> String {
    match layout.map(|layout| element(types, object, layout, offset)) {
        Some((element, 0)) => element,
        _ => part_name(types, object, layout, offset),
    }
}

/// The element of an array of a layout at an offset, and the offset in it. The first is the object itself.
fn element(types: &[Type], object: &str, layout: TypeId, offset: u64) -> (String, u64) {
    let size = types.get(layout.index()).map_or(0, Type::size);
    match (offset.checked_div(size), offset.checked_rem(size)) {
        (Some(0), _) | (None, _) | (_, None) => (object.to_owned(), offset),
        (Some(index), Some(rest)) => (format!("{object}[{index}]"), rest),
    }
}

fn sum(name: String, offset: u64) -> String {
    match offset {
        0 => name,
        offset => format!("{name}+{offset}"),
    }
}

/// A value at an offset of an object, as its layout says. `pointer` names what a word points to.
pub fn value_text(
    types: &[Type],
    layout: Option<TypeId>,
    offset: u64,
    width: Width,
    word: Word,
    pointer: impl Fn(Word) -> Option<String>,
) -> String {
    let pointer_text = || match pointer(word) {
        _ if word == 0 => "NULL".to_owned(),
        Some(name) => format!("&{name}"),
        None if word >> 32 == 0 => word.to_string(),
        None => format!("{word:#x}"),
    };
    let part = layout.map(|layout| part_at(types, layout, element(types, "", layout, offset).1));
    let scalar = part.and_then(|part| types.get(part.layout.index()));
    match scalar {
        Some(Type::Scalar { size, signed, kind }) if *size == u64::from(width.bytes()) => {
            match kind {
                ScalarKind::Float if width == Width::W32 => f32::from_bits(word as u32).to_string(),
                ScalarKind::Float => f64::from_bits(word).to_string(),
                ScalarKind::Pointer(_) => pointer_text(),
                ScalarKind::Integer if *signed => width.signed(word).to_string(),
                ScalarKind::Integer => word.to_string(),
            }
        }
        _ if width == Width::W64 && word >> Address::OFFSET_BITS != 0 => pointer_text(),
        _ => width.signed(word).to_string(),
    }
}
