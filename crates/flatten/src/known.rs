//! What is known of registers while code is specialised: numbers and addresses.

use program::{Address, Binary, Expression, Object, Operand, RegisterId, Width, Word};
use std::collections::BTreeMap;

/// Registers whose value is the same whenever control comes to a point. Never holds
/// [`Operand::Register`].
pub(super) type Known = BTreeMap<RegisterId, Operand>;

/// The operand, or the value that is known of it.
pub(super) fn substitute(known: &Known, operand: Operand) -> Operand {
    match operand {
        Operand::Register(register) => known.get(&register).copied().unwrap_or(operand),
        Operand::Constant(_) | Operand::Address(_) => operand,
    }
}

/// A value as it is in a register of this width; none if that is not known.
pub(super) fn cut(value: Operand, width: Width) -> Option<Operand> {
    match value {
        Operand::Constant(word) => Some(Operand::Constant(width.truncate(word))),
        Operand::Address(_) if width == Width::W64 => Some(value),
        Operand::Address(_) | Operand::Register(_) => None,
    }
}

/// The value of an expression whose operands are substituted, in a register of this width.
pub(super) fn fold(value: &Expression, width: Width, objects: &[Object]) -> Option<Operand> {
    let words: Option<Vec<Word>> = value.operands().map(number).collect();
    if let Some(words) = words
        && !matches!(value, Expression::Own(_))
    {
        let fails = match *value {
            Expression::Binary(operation, bits, ..) => {
                operation.fails(bits, bits.truncate(words[0]), bits.truncate(words[1]))
            }
            _ => false,
        };
        return (!fails).then(|| Operand::Constant(value.evaluate(&words, width)));
    }
    match *value {
        Expression::Copy(operand) | Expression::SignExtend(Width::W64, operand) => {
            cut(operand, width)
        }
        Expression::Select(Operand::Constant(0), _, operand)
        | Expression::Select(Operand::Constant(_) | Operand::Address(_), operand, _) => {
            cut(operand, width)
        }
        Expression::Binary(operation, Width::W64, a, b) => {
            let value = on_addresses(operation, a, b, objects)?;
            cut(value, width)
        }
        _ => None,
    }
}

fn number(operand: Operand) -> Option<Word> {
    match operand {
        Operand::Constant(word) => Some(word),
        Operand::Register(_) | Operand::Address(_) => None,
    }
}

/// Arithmetic with an address, as far as it stays in its object.
fn on_addresses(operation: Binary, a: Operand, b: Operand, objects: &[Object]) -> Option<Operand> {
    let moved = |address: Address, by: Word| {
        let offset = Word::from(address.offset).wrapping_add(by);
        let size = objects.get(address.object.index())?.size();
        let offset = u32::try_from(offset)
            .ok()
            .filter(|o| u64::from(*o) <= size)?;
        Some(Operand::Address(Address { offset, ..address }))
    };
    let truth = |truth: bool| Some(Operand::Constant(truth.into()));
    match (operation, a, b) {
        (Binary::Add, Operand::Address(address), Operand::Constant(by))
        | (Binary::Add, Operand::Constant(by), Operand::Address(address)) => moved(address, by),
        (Binary::Sub, Operand::Address(address), Operand::Constant(by)) => {
            moved(address, by.wrapping_neg())
        }
        (Binary::Sub, Operand::Address(a), Operand::Address(b)) if a.object == b.object => {
            let difference = Word::from(a.offset).wrapping_sub(b.offset.into());
            Some(Operand::Constant(difference))
        }
        (Binary::Eq, Operand::Address(a), Operand::Address(b)) => truth(a == b),
        (Binary::Ne, Operand::Address(a), Operand::Address(b)) => truth(a != b),
        (Binary::Eq, Operand::Address(_), Operand::Constant(0))
        | (Binary::Eq, Operand::Constant(0), Operand::Address(_)) => truth(false),
        (Binary::Ne, Operand::Address(_), Operand::Constant(0))
        | (Binary::Ne, Operand::Constant(0), Operand::Address(_)) => truth(true),
        _ => None,
    }
}

/// What lies at a location of an object's initial bytes; an address if it is one.
pub(super) fn initial(objects: &[Object], address: Address, width: Width) -> Option<Operand> {
    let object = &objects[address.object.index()];
    let end = u64::from(address.offset) + u64::from(width.bytes());
    if object.cell != Width::W8 || end > object.size() {
        return None;
    }
    let mut word = 0;
    for index in 0..width.bytes() {
        let at = (address.offset + index) as usize;
        let byte = object.initial.get(at).copied().unwrap_or(0);
        word |= byte << (8 * index);
    }
    let pointer = Address::from_word(word).filter(|a| a.object.index() < objects.len());
    Some(match pointer {
        Some(pointer) if width == Width::W64 => Operand::Address(pointer),
        _ => Operand::Constant(word),
    })
}
