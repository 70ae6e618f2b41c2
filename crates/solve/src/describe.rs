//! Names of locations and texts of values, as people read them.

use crate::unroll::Unrolled;
use answer::{part_name, pointee_name};
use program::{Address, Program, Width, Word};

/// The name of the location at an address.
pub fn location_name(program: &Program, unrolled: &Unrolled, word: Word) -> String {
    let location = Address::from_word(word);
    let object = location.and_then(|location| unrolled.objects.get(location.object.index()));
    let (Some(location), Some(object)) = (location, object) else {
        return format!("{word:#x}");
    };
    if !program.process {
        return program.location_name(location);
    }
    let name = match object.name.as_str() {
        "" => "a temporary",
        name => name,
    };
    part_name(&program.types, name, object.layout, location.offset.into())
}

/// A value of a width at a location, as its type says.
pub fn value_text(
    program: &Program,
    unrolled: &Unrolled,
    at: Word,
    width: Width,
    value: Word,
) -> String {
    let location = Address::from_word(at);
    let object = location.and_then(|location| unrolled.objects.get(location.object.index()));
    let layout = object.and_then(|object| object.layout);
    let offset = location.map_or(0, |location| location.offset.into());
    let pointed_to = |word: Word| {
        let location = Address::from_word(word)?;
        let object = unrolled.objects.get(location.object.index())?;
        let (name, layout) = (object.name.as_str(), object.layout);
        Some(pointee_name(
            &program.types,
            name,
            layout,
            location.offset.into(),
        ))
    };
    answer::value_text(&program.types, layout, offset, width, value, pointed_to)
}
