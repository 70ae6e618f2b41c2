//! Names of places and texts of values, as people read them.

use crate::unroll::Unrolled;
use program::{Address, Program, ScalarKind, Type, Width, Word, part_at};

/// The name of the place at an address.
pub fn place_name(program: &Program, unrolled: &Unrolled, word: Word) -> String {
    let place = Address::from_word(word);
    let object = place.and_then(|place| unrolled.objects.get(place.object.index()));
    let (Some(place), Some(object)) = (place, object) else {
        return format!("{word:#x}");
    };
    if !program.process {
        return program.place_name(place);
    }
    let name = match object.name.as_str() {
        "" => "a temporary",
        name => name,
    };
    let (path, rest) = match object.layout {
        Some(layout) => {
            let part = part_at(&program.types, layout, place.offset.into());
            (part.path, part.offset)
        }
        None => (String::new(), place.offset.into()),
    };
    match rest {
        0 => format!("{name}{path}"),
        offset => format!("{name}{path}+{offset}"),
    }
}

/// A value of a width at a place, as its type says.
pub fn value_text(
    program: &Program,
    unrolled: &Unrolled,
    at: Word,
    width: Width,
    value: Word,
) -> String {
    let place = Address::from_word(at);
    let object = place.and_then(|place| unrolled.objects.get(place.object.index()));
    let layout = object.and_then(|object| object.layout);
    let part = layout
        .zip(place)
        .map(|(layout, place)| part_at(&program.types, layout, place.offset.into()));
    let scalar = part.and_then(|part| program.types.get(part.layout.index()));
    let pointer = |word: Word| match word {
        0 => "NULL".to_owned(),
        _ if Address::from_word(word)
            .is_some_and(|a| a.object.index() < unrolled.objects.len()) =>
        {
            format!("&{}", place_name(program, unrolled, word))
        }
        _ if word >> 32 == 0 => word.to_string(),
        _ => format!("{word:#x}"),
    };
    match scalar {
        Some(Type::Scalar { size, signed, kind }) if *size == u64::from(width.bytes()) => {
            match kind {
                ScalarKind::Float if width == Width::W32 => {
                    f32::from_bits(value as u32).to_string()
                }
                ScalarKind::Float => f64::from_bits(value).to_string(),
                ScalarKind::Pointer(_) => pointer(value),
                ScalarKind::Integer if *signed => width.signed(value).to_string(),
                ScalarKind::Integer => value.to_string(),
            }
        }
        _ if width == Width::W64 && value >> Address::OFFSET_BITS != 0 => pointer(value),
        _ => width.signed(value).to_string(),
    }
}
