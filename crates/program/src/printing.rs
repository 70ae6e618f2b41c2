//! Calls that print and do nothing else.
//!
//! Engines that run no process leave calls of [`Class::Print`] out. That is right if only the output shows whether a call
//! happened: nothing depends on its result, it writes nothing (`%n`), it is supported, and nothing is wrong with what it reads of
//! memory. [`Program::printing`] accepts constant texts, and constant formats that convert nothing but numbers. Whether those numbers
//! are defined is not looked at.

use crate::{
    Address, Callee, Class, InstructionKind, LiveAtStarts, ObjectKind, Program, Routine, Span,
    Width, Word,
};

/// Digits of a width or a precision at most, and bytes of a format: far below what a process prints in one call.
const MOST_DIGITS: usize = 3;
const MOST_BYTES: usize = 4096;

/// What a call does that prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printing {
    /// It prints a constant text.
    Text,
    /// It prints numbers.
    Numbers,
    /// It does more, or may go wrong.
    More,
}

impl Program {
    /// What a call of a routine of the class [`Class::Print`] does, apart from its result, given those of its arguments that are known.
    pub fn printing(&self, routine: Routine, arguments: &[Option<Word>]) -> Printing {
        let format = |address: Option<Word>| {
            let format = self.constant_text(address);
            format.map_or(Printing::More, |format| printing_of(&format))
        };
        match (routine, arguments) {
            (Routine::Print, [text, ..]) | (Routine::FilePrint, [_, text, ..]) => format(*text),
            (Routine::PutString | Routine::FilePutString | Routine::PrintError, [text, ..])
                if self.constant_text(*text).is_some() =>
            {
                Printing::Text
            }
            (Routine::PutCharacter | Routine::FilePutCharacter, [character, ..]) => match character
            {
                Some(_) => Printing::Text,
                None => Printing::Numbers,
            },
            _ => Printing::More,
        }
    }

    /// A call that prints and whose result something depends on.
    pub fn print_with_result(&self) -> Option<(Routine, Span)> {
        for function in &self.functions {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            if !instructions.clone().any(|one| print(&one.kind).is_some()) {
                continue;
            }
            let needed = LiveAtStarts::needed(function);
            for (number, block) in function.blocks.iter().enumerate() {
                let mut live = needed.at_terminator(function, number);
                for (position, instruction) in block.instructions.iter().enumerate().rev() {
                    let mut targets = instruction.kind.targets();
                    if let Some(routine) = print(&instruction.kind)
                        && targets.any(|target| live.contains(target))
                    {
                        return Some((routine, instruction.span));
                    }
                    needed.step_back(function, number, position, &mut live);
                }
            }
        }
        None
    }

    /// The constant text at an address, without the zero at its end.
    fn constant_text(&self, address: Option<Word>) -> Option<Vec<u8>> {
        let address = Address::from_word(address?)?;
        let object = self.objects.get(address.object.index())?;
        if object.kind != ObjectKind::Constant || object.cell != Width::W8 {
            return None;
        }
        let cells = object.initial.get(address.offset as usize..)?;
        let length = cells.iter().position(|cell| *cell == 0);
        let length = length.or((object.zeros > 0).then_some(cells.len()))?;
        Some(cells[..length].iter().map(|cell| *cell as u8).collect())
    }
}

/// The routine that an instruction calls, if it prints.
fn print(kind: &InstructionKind) -> Option<Routine> {
    match kind {
        InstructionKind::Call {
            callee: Callee::Routine(routine),
            ..
        } if routine.row().class == Class::Print => Some(*routine),
        _ => None,
    }
}

/// What a call with a format does.
fn printing_of(format: &[u8]) -> Printing {
    if format.len() > MOST_BYTES {
        return Printing::More;
    }
    let mut printing = Printing::Text;
    let mut pieces = format.split(|byte| *byte == b'%').skip(1);
    while let Some(piece) = pieces.next() {
        // Two signs stand for one.
        if piece.is_empty() {
            if pieces.next().is_none() {
                return Printing::More;
            }
            continue;
        }
        if !converts_a_number(piece) {
            return Printing::More;
        }
        printing = Printing::Numbers;
    }
    printing
}

/// True if a conversion specification, without its sign, is one of a number.
fn converts_a_number(piece: &[u8]) -> bool {
    let mut rest = skip(piece, b"-+ #0'");
    for part in 0..2 {
        if part == 1 {
            match rest.split_first() {
                Some((b'.', after)) => rest = after,
                _ => break,
            }
        }
        let after = skip(rest, b"0123456789");
        if rest.len() - after.len() > MOST_DIGITS {
            return false;
        }
        rest = after;
    }
    let after = skip(rest, b"hljzt");
    let plain = after.len() == rest.len();
    match after.first() {
        Some(b'c') => plain,
        Some(conversion) => b"diuoxXpaAeEfFgG".contains(conversion),
        None => false,
    }
}

/// What comes after leading bytes of a set.
fn skip<'a>(text: &'a [u8], set: &[u8]) -> &'a [u8] {
    let length = text.iter().take_while(|byte| set.contains(byte)).count();
    &text[length..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_numbers_only_print() {
        for (format, printing) in [
            ("done\n", Printing::Text),
            ("100%%", Printing::Text),
            ("%d, %-3lu%%", Printing::Numbers),
            ("%+.2f%c", Printing::Numbers),
            ("%s", Printing::More),
            ("%d%n", Printing::More),
            ("%*d", Printing::More),
            ("%1$d", Printing::More),
            ("%300000000d", Printing::More),
            ("%.5000d", Printing::More),
            ("%lc", Printing::More),
            ("%m", Printing::More),
            ("%", Printing::More),
            ("%%%", Printing::More),
        ] {
            assert_eq!(printing_of(format.as_bytes()), printing, "{format}");
        }
    }
}
