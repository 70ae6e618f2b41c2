//! The statements of inline assembly: labels and instructions.

use super::Parsed;
use super::instructions::{self, Operation};
use super::operands::{self, Operand};
use super::text::{self, Dialect, Line, Reference, Token};
use program::Width;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `1:`, `.Lend:`
    Label(LabelName),
    /// An instruction.
    Instruction(Instruction),
}

/// What a label is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelName {
    /// A name, which one label has.
    Name(String),
    /// A number, which many labels may have.
    Number(u64),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// The width that its mnemonic says.
    pub width: Option<Width>,
    /// Whether `lock` stands before it.
    pub locked: bool,
    /// Its operands, the destination first.
    pub operands: Vec<Operand>,
    /// As the C program has it.
    pub text: String,
}

/// The statements of a template. `width_of` is the width of an operand of the C statement, for `%z0`.
pub fn parse(
    template: &str,
    dialect: Dialect,
    width_of: impl Fn(usize) -> Option<Width>,
) -> Parsed<Vec<Statement>> {
    let mut reader = Reader {
        dialect,
        width_of,
        prefixes: Prefixes::default(),
        statements: Vec::new(),
    };
    for line in text::lines(template, dialect)? {
        let read = reader.line(&line);
        read.map_err(|what| format!("{what} in `{}`", line.text))?;
    }
    match reader.prefixes.text.is_empty() {
        true => Ok(reader.statements),
        false => Err(format!("`{}` without an instruction", reader.prefixes.text)),
    }
}

struct Reader<F> {
    dialect: Dialect,
    width_of: F,
    prefixes: Prefixes,
    statements: Vec<Statement>,
}

/// What stands before a mnemonic, which may be a line of its own.
#[derive(Default)]
struct Prefixes {
    locked: bool,
    repeated: bool,
    text: String,
}

impl<F: Fn(usize) -> Option<Width>> Reader<F> {
    fn line(&mut self, line: &Line) -> Parsed<()> {
        let mut tokens = &line.tokens[..];
        loop {
            tokens = match tokens {
                [Token::Word(name), Token::Sign(':'), rest @ ..] => {
                    self.label(LabelName::Name(name.clone()))?;
                    rest
                }
                [Token::Number(number), Token::Sign(':'), rest @ ..] => {
                    self.label(LabelName::Number(*number))?;
                    rest
                }
                [Token::Word(word), rest @ ..] if word == "lock" => {
                    self.prefixes.locked = true;
                    self.prefixes.text = "lock".to_owned();
                    rest
                }
                [Token::Word(word), rest @ ..] if matches!(&**word, "rep" | "repz" | "repe") => {
                    self.prefixes.repeated = true;
                    self.prefixes.text = word.clone();
                    rest
                }
                [] => return Ok(()),
                [Token::Word(word), rest @ ..] => {
                    return self.instruction(word, rest, line.text.clone());
                }
                _ => return Err("something that is no instruction".to_owned()),
            };
        }
    }

    fn label(&mut self, name: LabelName) -> Parsed<()> {
        let twice = self.statements.iter().any(|known| match (known, &name) {
            (Statement::Label(known), LabelName::Name(_)) => *known == name,
            _ => false,
        });
        if twice || !self.prefixes.text.is_empty() {
            return Err("a label".to_owned());
        }
        self.statements.push(Statement::Label(name));
        Ok(())
    }

    fn instruction(&mut self, word: &str, rest: &[Token], text: String) -> Parsed<()> {
        if matches!(word, ".align" | ".balign" | ".p2align") {
            return Ok(());
        }
        if word.starts_with('.') {
            return Err(format!("the directive `{word}`"));
        }
        let mut mnemonic = word.to_owned();
        let mut rest = rest;
        if let [
            Token::Operand(Reference {
                index,
                modifier: Some('z' | 'Z'),
            }),
            after @ ..,
        ] = rest
        {
            let width = (self.width_of)(*index);
            let letter = width
                .and_then(suffix)
                .ok_or("the suffix of an operand like this")?;
            mnemonic.push(letter);
            rest = after;
        }
        let known = instructions::decode(&mnemonic);
        let (operation, width) = known.ok_or_else(|| format!("the instruction `{mnemonic}`"))?;
        let Prefixes {
            locked, repeated, ..
        } = std::mem::take(&mut self.prefixes);
        if repeated && mnemonic != "nop" {
            return Err(format!("a repeated `{mnemonic}`"));
        }
        if locked && !operation.may_lock() {
            return Err(format!("`lock` before `{mnemonic}`"));
        }
        // What they take does not matter.
        let operands = match operation {
            Operation::Nothing => Vec::new(),
            _ => operands::parse(rest, self.dialect)?,
        };
        self.statements.push(Statement::Instruction(Instruction {
            operation,
            width,
            locked,
            operands,
            text,
        }));
        Ok(())
    }
}

/// The letter that says a width.
fn suffix(width: Width) -> Option<char> {
    let mut letters = ['b', 'w', 'l', 'q'].into_iter();
    letters.find(|letter| instructions::suffix_width(*letter) == Some(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(template: &str) -> Parsed<Vec<Statement>> {
        parse(template, Dialect::Att, |_| Some(Width::W16))
    }

    #[test]
    fn prefixes_may_stand_on_their_own() {
        for template in ["lock; incl $0", "lock\n\tincl $0", "LOCK INCL $0"] {
            let [Statement::Instruction(instruction)] = &statements(template).expect("code")[..]
            else {
                panic!("{template}");
            };
            assert!(instruction.locked, "{template}");
            assert_eq!(instruction.operation, Operation::Increment);
            assert_eq!(instruction.width, Some(Width::W32));
        }
    }

    #[test]
    fn the_suffix_of_an_operand() {
        let [Statement::Instruction(instruction)] = &statements("inc${0:z} $0").expect("code")[..]
        else {
            panic!();
        };
        assert_eq!(instruction.width, Some(Width::W16));
    }

    #[test]
    fn labels_and_what_follows() {
        let code = statements("1: .p2align 4\n rep; nop; jmp 1b").expect("code");
        assert_eq!(code.len(), 3);
        assert_eq!(code[0], Statement::Label(LabelName::Number(1)));
    }

    #[test]
    fn what_is_refused_is_named() {
        for (template, start) in [
            ("cpuid", "the instruction `cpuid` in `cpuid`"),
            (
                "lock; movl %eax, $0",
                "`lock` before `movl` in `movl %eax, %0`",
            ),
            ("lock", "`lock` without an instruction"),
            ("rep stosb", "the instruction `stosb`"),
            ("rep movl $0, %eax", "a repeated `movl`"),
            (".byte 0x0f", "the directive `.byte` in `.byte 0x0f`"),
            ("a: a: nop", "a label in `a: a: nop`"),
            ("%eax", "something that is no instruction"),
        ] {
            let message = statements(template).expect_err(template);
            assert!(message.starts_with(start), "{message}");
        }
    }
}
