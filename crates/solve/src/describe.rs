//! Names of places and texts of values, as people read them.

use crate::unroll::Unrolled;
use answer::{part_name, pointee_name};
use program::{Address, Program, Width, Word};

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
    part_name(&program.types, name, object.layout, place.offset.into())
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
    let offset = place.map_or(0, |place| place.offset.into());
    let pointed_to = |word: Word| {
        let place = Address::from_word(word)?;
        let object = unrolled.objects.get(place.object.index())?;
        let (name, layout) = (object.name.as_str(), object.layout);
        Some(pointee_name(
            &program.types,
            name,
            layout,
            place.offset.into(),
        ))
    };
    answer::value_text(&program.types, layout, offset, width, value, pointed_to)
}
