//! Constraints: what the operands of a statement are.
//!
//! LLVM writes those of outputs first, then those of inputs, `!i` for labels, and `~{…}` for what is clobbered. An operand of
//! C's that is read and written (`+r`) is an output and an input that is tied to it, or two operands in memory at one address.

use super::Parsed;
use super::instructions::Condition;
use super::registers::{self, Family};

/// What stands for an operand in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A register, any or a certain one.
    Register(Option<Family>),
    /// A constant.
    Immediate,
    /// A constant where it is one, else a register.
    Either(Option<Family>),
    /// Memory at the address that is passed.
    Memory,
    /// A flag, as in `=@ccz`.
    Flag(Condition),
    /// What stands for an output, by its number.
    Tied(usize),
    /// A label of the function.
    Label,
}

/// What one operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What stands for it.
    pub class: Class,
    /// Whether it is written.
    pub output: bool,
    /// Whether it is written before all inputs are read (`&`), so that no input shares its register.
    pub early: bool,
}

/// The operands of a statement, and the registers that it clobbers.
#[derive(Debug, Default)]
pub struct Constraints {
    /// The operands, by number.
    pub operands: Vec<Constraint>,
    /// Registers clobbered.
    pub clobbered: Vec<Family>,
}

/// Reads LLVM's constraints.
pub fn parse(text: &str) -> Parsed<Constraints> {
    let mut constraints = Constraints::default();
    for one in text.split(',').filter(|one| !one.is_empty()) {
        match one.strip_prefix('~') {
            Some(clobber) => {
                let name = clobber.trim_matches(['{', '}']);
                let register = registers::named(name).map(|register| register.family);
                constraints.clobbered.extend(register);
            }
            None => constraints.operands.push(operand(one)?),
        }
    }
    Ok(constraints)
}

fn operand(text: &str) -> Parsed<Constraint> {
    let unsupported = || format!("the constraint `{}`", text.trim_start_matches('*'));
    let mut constraint = Constraint {
        class: Class::Immediate,
        output: text.starts_with('='),
        early: text.contains('&'),
    };
    let codes = text.trim_start_matches(['=', '&', '%']);
    if let Some(name) = codes
        .strip_prefix("{@cc")
        .and_then(|rest| rest.strip_suffix('}'))
    {
        let condition = Condition::named(name).ok_or_else(unsupported)?;
        constraint.class = Class::Flag(condition);
        return Ok(constraint);
    }
    if codes.starts_with('*') {
        constraint.class = Class::Memory;
        return Ok(constraint);
    }
    if codes == "!i" {
        constraint.class = Class::Label;
        return Ok(constraint);
    }
    if let Ok(tied) = codes.parse() {
        constraint.class = Class::Tied(tied);
        return Ok(constraint);
    }
    constraint.class = class(codes).ok_or_else(unsupported)?;
    Ok(constraint)
}

/// The class of all that the codes allow.
fn class(codes: &str) -> Option<Class> {
    let (mut immediate, mut any, mut certain) = (false, false, Vec::new());
    let mut rest = codes;
    while let Some(code) = rest.chars().next() {
        rest = &rest[code.len_utf8()..];
        match code {
            '{' => {
                let (name, after) = rest.split_once('}')?;
                certain.push(registers::named(name)?.family);
                rest = after;
            }
            'a' => certain.push(Family::A),
            'b' => certain.push(Family::B),
            'c' => certain.push(Family::C),
            'd' => certain.push(Family::D),
            'S' => certain.push(Family::SOURCE),
            'D' => certain.push(Family::DESTINATION),
            'r' | 'q' | 'Q' | 'R' | 'l' | 'p' => any = true,
            'i' | 'n' | 's' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'e' | 'Z' => {
                immediate = true;
            }
            'g' | 'X' => (immediate, any) = (true, true),
            // A value that is passed directly is in a register where it may be, or in memory that is the compiler's.
            'm' | 'o' | 'V' => any = true,
            '|' => {}
            _ => return None,
        }
    }
    let family = match certain[..] {
        [family] if !any => Some(family),
        _ => None,
    };
    match (immediate, any || !certain.is_empty()) {
        (true, false) => Some(Class::Immediate),
        (true, true) => Some(Class::Either(family)),
        (false, true) => Some(Class::Register(family)),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<Class> {
        let constraints = parse(text).expect("constraints");
        let operands = constraints.operands.iter();
        operands.map(|operand| operand.class).collect()
    }

    #[test]
    fn operands_of_all_kinds() {
        let found =
            classes("=&r,={ax},=*m,={@ccnz},ir,{rdx},0,*m,i,g,qm,ad,!i,~{memory},~{r8},~{cc}");
        let expected = [
            Class::Register(None),
            Class::Register(Some(Family::A)),
            Class::Memory,
            Class::Flag(Condition::named("ne").expect("a condition")),
            Class::Either(None),
            Class::Register(Some(Family::D)),
            Class::Tied(0),
            Class::Memory,
            Class::Immediate,
            Class::Either(None),
            Class::Register(None),
            Class::Register(None),
            Class::Label,
        ];
        assert_eq!(found, expected);
        let constraints = parse("=&r,=r,~{r8},~{memory},~{flags}").expect("constraints");
        assert_eq!(constraints.clobbered, [Family::of_index(8)]);
        let [first, second] = constraints.operands[..] else {
            panic!()
        };
        assert!(first.early && first.output && !second.early && second.output);
    }

    #[test]
    fn others_are_named() {
        for text in ["x", "=x", "={st}", "={@ccq}", "^Yk", "A"] {
            let message = parse(text).expect_err("not supported");
            assert_eq!(message, format!("the constraint `{text}`"));
        }
    }
}
