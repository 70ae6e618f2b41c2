//! What must hold of a program: final conditions, invariants, liveness.

use crate::{Address, BlockId, RegisterId, Span, ThreadId, Width, Word};
use std::cmp::Ordering;
use std::fmt;

/// Everything that a program promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// Only final states that satisfy this count.
    pub filter: Option<Formula>,
    /// The condition on final states.
    pub condition: Option<Condition>,
    /// Formulas that hold in every reachable state.
    pub invariants: Vec<Property>,
    /// Formulas that every fair execution satisfies at some time.
    pub liveness: Vec<Liveness>,
}

impl Properties {
    /// True if all that is asked is whether some final state satisfies the condition.
    pub fn ask_only_for_a_witness(&self) -> bool {
        let condition = self.condition.as_ref();
        condition.is_some_and(|condition| condition.quantifier == Quantifier::Exists)
            && self.formulas_of_all_states().next().is_none()
    }

    /// Every formula that may speak of states other than final ones.
    pub fn formulas_of_all_states(&self) -> impl Iterator<Item = &Formula> {
        let liveness = self.liveness.iter().map(|liveness| &liveness.property);
        self.invariants
            .iter()
            .chain(liveness)
            .map(|property| &property.formula)
    }
}

/// A formula and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The formula.
    pub formula: Formula,
    /// Where it stands in the source.
    pub span: Span,
}

/// A condition on final states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How many final states must satisfy it.
    pub quantifier: Quantifier,
    /// What they must satisfy.
    pub property: Property,
}

/// How many final states must satisfy a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one.
    Exists,
    /// None.
    NotExists,
    /// All.
    Forall,
}

impl fmt::Display for Quantifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantifier::Exists => "exists",
            Quantifier::NotExists => "~exists",
            Quantifier::Forall => "forall",
        })
    }
}

/// A liveness property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    /// `always eventually`: again and again, not just once.
    pub repeatedly: bool,
    /// What must come true.
    pub property: Property,
}

impl fmt::Display for Liveness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let always = if self.repeatedly { "always " } else { "" };
        write!(f, "{always}eventually {}", self.property.formula)
    }
}

/// Something with a value in every state: a memory cell or a thread's register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observable {
    /// Its name as the source spells it: `x`, `0:EAX`.
    pub name: String,
    /// Where its value is.
    pub location: ObservedLocation,
    /// The width in which it is read: the low bits of the location.
    pub width: Width,
    /// Read its value as a signed number.
    pub signed: bool,
}

/// A location that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObservedLocation {
    /// A memory cell.
    Memory(Address),
    /// The value last observed under the observable's name.
    Observation,
    /// A register of a thread.
    Register(ThreadId, RegisterId),
}

/// A formula over one state. Conjunctions and disjunctions may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// A comparison.
    Compare(Comparison, Term, Term),
    /// A thread's control stands at a label, or at its end.
    At(ThreadId, Position),
    /// Not.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
}

/// Where a thread's control may stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Position {
    /// At the start of a block, with the label that the source gives it.
    Label(BlockId, String),
    /// Past its last instruction.
    End,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A value of the state.
    Value(Observable),
    /// A number.
    Number(i128),
    /// The address of a location, with the location's name.
    Address(Address, String),
}

/// How two terms compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Different.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
}

impl Comparison {
    /// Every comparison with its sign.
    pub const SIGNS: [(Comparison, &'static str); 6] = [
        (Comparison::Equal, "="),
        (Comparison::NotEqual, "!="),
        (Comparison::Less, "<"),
        (Comparison::LessOrEqual, "<="),
        (Comparison::Greater, ">"),
        (Comparison::GreaterOrEqual, ">="),
    ];

    /// The comparison's sign.
    pub fn sign(self) -> &'static str {
        Self::SIGNS
            .iter()
            .find(|(comparison, _)| *comparison == self)
            .map_or("=", |(_, sign)| sign)
    }

    fn accepts(self, order: Ordering) -> bool {
        match self {
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// What formulas are evaluated in.
///
/// `None` means that the value is not known yet: the load that will give it is
/// still waiting in a reorder box.
pub trait StateView {
    /// The value of a location.
    fn value(&self, location: ObservedLocation) -> Option<Word>;
    /// Whether a thread's control stands there.
    fn at(&self, thread: ThreadId, position: &Position) -> Option<bool>;
}

impl Observable {
    /// The number that `word`, the content of the location, is read as.
    pub fn number(&self, word: Word) -> i128 {
        let word = self.width.truncate(word);
        if self.signed {
            i128::from(self.width.signed(word))
        } else {
            i128::from(word)
        }
    }
}

impl Term {
    /// The value as a number. A number beside an observable is read in the
    /// observable's width and signedness, as an assembler would.
    fn evaluate(&self, other: &Term, state: &impl StateView) -> Option<i128> {
        match self {
            Term::Value(observable) => state
                .value(observable.location)
                .map(|word| observable.number(word)),
            Term::Number(number) => Some(match other {
                Term::Value(observable) => observable.number(*number as Word),
                _ => *number,
            }),
            Term::Address(address, _) => Some(i128::from(address.to_word())),
        }
    }
}

impl Formula {
    /// Whether the formula holds; `None` if that hangs on values not known yet.
    pub fn evaluate(&self, state: &impl StateView) -> Option<bool> {
        match self {
            Formula::Compare(comparison, a, b) => {
                let (left, right) = (a.evaluate(b, state)?, b.evaluate(a, state)?);
                Some(comparison.accepts(left.cmp(&right)))
            }
            Formula::At(thread, position) => state.at(*thread, position),
            Formula::Not(inner) => inner.evaluate(state).map(|holds| !holds),
            Formula::And(parts) => Self::any(parts, state, false).map(|found| !found),
            Formula::Or(parts) => Self::any(parts, state, true),
        }
    }

    /// Whether some part evaluates to `wanted`.
    fn any(parts: &[Formula], state: &impl StateView, wanted: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match part.evaluate(state) {
                Some(value) if value == wanted => return Some(true),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(false)
    }

    /// Calls `visit` on this formula and all its parts.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Formula)) {
        visit(self);
        match self {
            Formula::Not(inner) => inner.visit(visit),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| part.visit(visit));
            }
            Formula::Compare(..) | Formula::At(..) => {}
        }
    }

    /// Every observable that the formula names, in order, repeats included.
    pub fn observables(&self) -> Vec<&Observable> {
        let mut found = Vec::new();
        self.visit(&mut |formula| {
            if let Formula::Compare(_, a, b) = formula {
                for term in [a, b] {
                    if let Term::Value(observable) = term {
                        found.push(observable);
                    }
                }
            }
        });
        found
    }

    /// Every thread whose registers or control the formula speaks of.
    pub fn threads(&self) -> Vec<ThreadId> {
        let mut found = Vec::new();
        self.visit(&mut |formula| {
            if let Formula::At(thread, _) = formula {
                found.push(*thread);
            }
        });
        found.extend(self.observables().iter().filter_map(|o| match o.location {
            ObservedLocation::Register(thread, _) => Some(thread),
            ObservedLocation::Memory(_) | ObservedLocation::Observation => None,
        }));
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(observable) => f.write_str(&observable.name),
            Term::Number(number) => write!(f, "{number}"),
            Term::Address(_, name) => write!(f, "&{name}"),
        }
    }
}

/// In herd7's notation: `0:EAX=1 /\ (x=1 \/ ~(y=2))`.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Formula], sign: &str, empty: &str| {
            if parts.is_empty() {
                return f.write_str(empty);
            }
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    write!(f, " {sign} ")?;
                }
                match part {
                    Formula::And(_) | Formula::Or(_) => write!(f, "({part})")?,
                    _ => write!(f, "{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Formula::Compare(comparison, a, b) => write!(f, "{a}{}{b}", comparison.sign()),
            Formula::At(thread, Position::Label(_, label)) => write!(f, "{thread}@{label}"),
            Formula::At(thread, Position::End) => write!(f, "{thread}@end"),
            Formula::Not(inner) => write!(f, "~({inner})"),
            Formula::And(parts) => list(f, parts, "/\\", "true"),
            Formula::Or(parts) => list(f, parts, "\\/", "false"),
        }
    }
}
