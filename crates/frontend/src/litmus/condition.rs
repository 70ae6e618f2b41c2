//! The syntax of formulas: `x=1 /\ (0:EAX=0 \/ not P1@crit)`.
//!
//! In order of binding, as in herd7 (`lib/stateParser.mly`: `%left OR`, `%left AND`,
//! `%right IMPLIES`, `%nonassoc NOT`): comparisons, `~` (`!`, `not`), `=>`, `/\`
//! (`&&`, `and`), `\/` (`||`, `or`). So `a /\ b => c` is `a /\ (b => c)`. Names are
//! looked up later, by [`super::scope`].

use super::complaint::complaint;
use super::cursor::Cursor;
use super::init::{thread_name, thread_number};
use super::text::{Kind, span_of};
use program::{Comparison, Diagnostic, Span};

/// How deeply parentheses and negations may nest.
const MAX_DEPTH: usize = 200;

/// A formula as written.
pub enum Sentence {
    Compare(Comparison, Side, Side),
    At {
        thread: u64,
        label: String,
        span: Span,
    },
    Not(Box<Sentence>),
    And(Vec<Sentence>),
    Or(Vec<Sentence>),
}

/// One side of a comparison.
pub struct Side {
    pub what: Thing,
    pub span: Span,
}

/// What stands on a side.
pub enum Thing {
    Number(i128),
    /// `0:EAX`.
    Register {
        thread: u64,
        name: String,
    },
    /// `x`, `x[1]`, or `[x]`.
    Cell {
        name: String,
        index: Option<i128>,
        /// In brackets, or with an index: never an address.
        certain: bool,
    },
    /// `&x`.
    Address(String),
}

impl Sentence {
    /// Calls `visit` on every register that the formula names.
    pub fn registers(&self, visit: &mut impl FnMut(u64, &str)) {
        match self {
            Sentence::Compare(_, a, b) => {
                for side in [a, b] {
                    if let Thing::Register { thread, name } = &side.what {
                        visit(*thread, name);
                    }
                }
            }
            Sentence::At { .. } => {}
            Sentence::Not(inner) => inner.registers(visit),
            Sentence::And(parts) | Sentence::Or(parts) => {
                parts.iter().for_each(|part| part.registers(visit));
            }
        }
    }
}

/// Reads a formula, which takes everything that is left.
pub fn sentence(cursor: &mut Cursor<'_>) -> Result<Sentence, Diagnostic> {
    let found = disjunction(cursor, 0)?;
    cursor.finish("the end of the condition or a connective such as `/\\`")?;
    Ok(found)
}

fn disjunction(cursor: &mut Cursor<'_>, depth: usize) -> Result<Sentence, Diagnostic> {
    if depth > MAX_DEPTH {
        let message = format!("more than {MAX_DEPTH} parentheses and negations in each other");
        return Err(complaint(cursor.source, cursor.here(), message));
    }
    let mut parts = vec![conjunction(cursor, depth)?];
    while cursor.eat("\\/") || cursor.eat("||") || cursor.eat_word("or") {
        parts.push(conjunction(cursor, depth)?);
    }
    Ok(one_or(parts, Sentence::Or))
}

fn conjunction(cursor: &mut Cursor<'_>, depth: usize) -> Result<Sentence, Diagnostic> {
    let mut parts = vec![implication(cursor, depth)?];
    while cursor.eat("/\\") || cursor.eat("&&") || cursor.eat_word("and") {
        parts.push(implication(cursor, depth)?);
    }
    Ok(one_or(parts, Sentence::And))
}

/// `a => b => c` is `a => (b => c)`, which is the same as `~a \/ ~b \/ c`.
fn implication(cursor: &mut Cursor<'_>, depth: usize) -> Result<Sentence, Diagnostic> {
    let mut last = negation(cursor, depth)?;
    let mut parts = Vec::new();
    while cursor.eat("=>") {
        parts.push(Sentence::Not(Box::new(last)));
        last = negation(cursor, depth)?;
    }
    if parts.is_empty() {
        return Ok(last);
    }
    parts.push(last);
    Ok(Sentence::Or(parts))
}

fn one_or(mut parts: Vec<Sentence>, several: fn(Vec<Sentence>) -> Sentence) -> Sentence {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            several(parts)
        }
    }
}

fn negation(cursor: &mut Cursor<'_>, depth: usize) -> Result<Sentence, Diagnostic> {
    let mut negations = 0;
    while cursor.eat("~") || cursor.eat("!") || cursor.eat_word("not") {
        negations += 1;
    }
    let mut found = if cursor.eat("(") {
        let inside = disjunction(cursor, depth + 1)?;
        cursor.expect(")")?;
        inside
    } else {
        atom(cursor)?
    };
    if negations % 2 == 1 {
        found = Sentence::Not(Box::new(found));
    }
    Ok(found)
}

fn atom(cursor: &mut Cursor<'_>) -> Result<Sentence, Diagnostic> {
    // A location may be called `true`; before `=>` it is none.
    let implies = cursor.peek_at(1).is_some_and(|next| next.is("="))
        && (cursor.peek_at(2)).is_some_and(|next| next.glued && next.is(">"));
    let compared = !implies
        && (cursor.peek_at(1))
            .is_some_and(|next| ["=", "<", ">", "!", "["].iter().any(|sign| next.is(sign)));
    if !compared && cursor.eat_word("true") {
        return Ok(Sentence::And(Vec::new()));
    }
    if !compared && cursor.eat_word("false") {
        return Ok(Sentence::Or(Vec::new()));
    }
    if cursor.peek_at(1).is_some_and(|next| next.is("@")) {
        return position(cursor);
    }
    let left = side(cursor)?;
    let comparison = comparison(cursor)?;
    let right = side(cursor)?;
    Ok(Sentence::Compare(comparison, left, right))
}

/// `P0@label`.
fn position(cursor: &mut Cursor<'_>) -> Result<Sentence, Diagnostic> {
    let start = cursor.clone();
    let Some(thread) = cursor.peek().and_then(thread_name) else {
        return Err(cursor.unexpected("a processor, as in `P0@label`"));
    };
    cursor.take();
    cursor.expect("@")?;
    let label = match cursor.peek() {
        Some(token) if matches!(token.kind, Kind::Word | Kind::Number) => token,
        _ => return Err(cursor.unexpected("a label")),
    };
    cursor.take();
    Ok(Sentence::At {
        thread,
        label: label.text.clone(),
        span: span_of(cursor.since(&start)),
    })
}

fn comparison(cursor: &mut Cursor<'_>) -> Result<Comparison, Diagnostic> {
    let signs = [
        ("==", Comparison::Equal),
        ("!=", Comparison::NotEqual),
        ("<>", Comparison::NotEqual),
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ];
    if !cursor.sees("=>") {
        for (sign, comparison) in signs {
            if cursor.eat(sign) {
                return Ok(comparison);
            }
        }
    }
    Err(cursor.unexpected("a comparison: `=`, `!=`, `<`, `<=`, `>` or `>=`"))
}

fn side(cursor: &mut Cursor<'_>) -> Result<Side, Diagnostic> {
    let start = cursor.clone();
    let what = thing(cursor)?;
    Ok(Side {
        what,
        span: span_of(cursor.since(&start)),
    })
}

const SIDE: &str = "a location, a register such as `0:EAX`, or a number";

fn thing(cursor: &mut Cursor<'_>) -> Result<Thing, Diagnostic> {
    if let Some(thread) = thread_number(cursor) {
        cursor.eat("%");
        let name = cursor.name("a register")?.text.clone();
        return Ok(Thing::Register { thread, name });
    }
    if cursor.eat("&") {
        return Ok(Thing::Address(cursor.name("a location")?.text.clone()));
    }
    let certain = cursor.eat("[");
    if !certain && (cursor.sees("-") || cursor.peek().is_some_and(|t| t.kind == Kind::Number)) {
        return Ok(Thing::Number(cursor.number(SIDE)?));
    }
    let name = cursor.name(SIDE)?.text.clone();
    let index = match cursor.sees("[") {
        true => Some(index(cursor)?),
        false => None,
    };
    if certain {
        cursor.expect("]")?;
    }
    Ok(Thing::Cell {
        name,
        index,
        certain: certain || index.is_some(),
    })
}

fn index(cursor: &mut Cursor<'_>) -> Result<i128, Diagnostic> {
    cursor.expect("[")?;
    let index = cursor.number("the number of a cell")?;
    cursor.expect("]")?;
    Ok(index)
}

/// Reads what a `locations` line names.
pub fn locations(cursor: &mut Cursor<'_>) -> Result<Vec<Side>, Diagnostic> {
    cursor.expect("[")?;
    let mut found = Vec::new();
    while !cursor.eat("]") {
        if cursor.eat(";") {
            continue;
        }
        found.push(side(cursor)?);
        if !cursor.sees("]") {
            cursor.expect(";")?;
        }
    }
    cursor.finish("the end of the line")?;
    Ok(found)
}
