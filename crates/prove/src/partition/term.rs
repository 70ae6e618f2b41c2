//! Words as terms: what a trace computes, over the variables of a state.
//!
//! A term is a bit vector, as C's integers are: arithmetic wraps around. Conditions are terms of one bit. Equal terms have equal
//! numbers, and sums are kept in one form (each leaf once, with its coefficient, constants last), so `x + 1 == y + 1` is `x == y` and
//! predicates that say the same are mostly the same term.
//!
//! What a term means is said twice: by [`Terms::value`], with the arithmetic that the machines use, and by `solver`, in the language of
//! SMT solvers. A test compares the two.

mod sum;

use program::{Binary, Width, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// A term: its number in [`Terms`]. The parts of a term have smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A variable of a state, or something unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A memory cell.
    Cell(u32),
    /// A register of a thread.
    Register(u16, u32),
    /// The store at this position in a thread's store buffer, of a cell of this width.
    Buffered(u16, u16, Width),
    /// What the access that an edge begins with reads, of this width. Only in edges.
    Read(Width),
    /// A value that is chosen in a step: its place among the choices of the step.
    Choice(u32, Width),
    /// A value that was chosen in a trace.
    Chosen(u32, Width),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Constant(Word),
    Variable(Variable),
    Binary(Binary, Term, Term),
    /// Zero-extended, or cut.
    Resize(Term),
    SignExtend(Term),
    /// The second if the first, which is one bit, is 1, else the third.
    Select(Term, Term, Term),
}

/// A value for some variables; the others are 0.
pub type Valuation = FxHashMap<Variable, Word>;

/// All terms.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<(Node, Width)>,
    numbers: FxHashMap<(Node, Width), Term>,
    variables: Vec<Box<[Variable]>>,
}

/// The operations that terms have. Comparisons are by `Eq`, `Ult` and `Slt` alone.
pub(super) fn is_known(operation: Binary) -> bool {
    use Binary::*;
    let arithmetic = matches!(
        operation,
        Add | Sub | Mul | And | Or | Xor | Shl | Shr | Sar
    );
    let comparison = matches!(operation, Eq | Ne | Ult | Ule | Slt | Sle);
    arithmetic || comparison || operation.divides()
}

impl Terms {
    pub(super) fn node(&self, term: Term) -> Node {
        self.nodes[term.0 as usize].0
    }

    /// The width of a term.
    pub fn width(&self, term: Term) -> Width {
        self.nodes[term.0 as usize].1
    }

    /// The variables of a term, sorted.
    pub fn variables(&self, term: Term) -> &[Variable] {
        &self.variables[term.0 as usize]
    }

    /// The word that a term is, if it has no variables.
    pub fn as_constant(&self, term: Term) -> Option<Word> {
        match self.node(term) {
            Node::Constant(word) => Some(word),
            _ => None,
        }
    }

    fn parts(node: Node) -> [Option<Term>; 3] {
        match node {
            Node::Constant(_) | Node::Variable(_) => [None; 3],
            Node::Resize(a) | Node::SignExtend(a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }

    fn make(&mut self, node: Node, width: Width) -> Term {
        if let Some(known) = self.numbers.get(&(node, width)) {
            return *known;
        }
        let mut variables: Vec<Variable> = match node {
            Node::Variable(variable) => vec![variable],
            _ => {
                let parts = Self::parts(node).into_iter().flatten();
                parts
                    .flat_map(|part| self.variables(part).to_vec())
                    .collect()
            }
        };
        variables.sort_unstable();
        variables.dedup();
        let term = Term(self.nodes.len() as u32);
        self.nodes.push((node, width));
        self.variables.push(variables.into());
        self.numbers.insert((node, width), term);
        term
    }

    /// A constant.
    pub fn constant(&mut self, word: Word, width: Width) -> Term {
        self.make(Node::Constant(width.truncate(word)), width)
    }

    /// A condition that is known.
    pub fn truth(&mut self, truth: bool) -> Term {
        self.constant(truth.into(), Width::BIT)
    }

    /// A variable.
    pub fn variable(&mut self, variable: Variable, width: Width) -> Term {
        self.make(Node::Variable(variable), width)
    }

    /// Zero-extended, or cut.
    pub fn resize(&mut self, term: Term, width: Width) -> Term {
        let from = self.width(term);
        if from == width {
            return term;
        }
        match self.node(term) {
            Node::Constant(word) => self.constant(word, width),
            Node::Select(condition, a, b) => {
                let (a, b) = (self.resize(a, width), self.resize(b, width));
                self.select(condition, a, b)
            }
            Node::Resize(inner) | Node::SignExtend(inner)
                if width <= self.width(inner) && self.width(inner) <= from =>
            {
                self.resize(inner, width)
            }
            Node::Resize(inner) if self.width(inner) <= from && from <= width => {
                self.resize(inner, width)
            }
            // What is cut off of a sum does not matter for the rest.
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) if width < from => {
                let Node::Binary(operation, ..) = self.node(term) else {
                    return term;
                };
                let (a, b) = (self.resize(a, width), self.resize(b, width));
                self.binary(operation, a, b)
            }
            _ => self.make(Node::Resize(term), width),
        }
    }

    /// Sign-extended to at least its width.
    pub fn sign_extend(&mut self, term: Term, width: Width) -> Term {
        let from = self.width(term);
        if from >= width {
            return self.resize(term, width);
        }
        match self.node(term) {
            Node::Constant(word) => self.constant(from.signed(word) as Word, width),
            // The sign is 0.
            Node::Resize(inner) if self.width(inner) < from => self.resize(inner, width),
            Node::SignExtend(inner) => self.sign_extend(inner, width),
            _ => self.make(Node::SignExtend(term), width),
        }
    }

    /// The second if the first is 1, else the third.
    pub fn select(&mut self, condition: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        match (
            self.as_constant(condition),
            self.as_constant(a),
            self.as_constant(b),
        ) {
            (Some(0), ..) => b,
            (Some(_), ..) => a,
            (_, Some(1), Some(0)) if self.width(a) == Width::BIT => condition,
            (_, Some(0), Some(1)) if self.width(a) == Width::BIT => self.not(condition),
            _ => self.make(Node::Select(condition, a, b), self.width(a)),
        }
    }

    /// The opposite of a condition.
    pub fn not(&mut self, condition: Term) -> Term {
        let one = self.truth(true);
        self.binary(Binary::Xor, condition, one)
    }

    /// Whether one of two conditions holds.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Or, a, b)
    }

    /// Whether both conditions hold.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::And, a, b)
    }

    /// Whether two words of one width are equal.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Eq, a, b)
    }

    /// Whether a word is not 0.
    pub fn is_true(&mut self, term: Term) -> Term {
        let zero = self.constant(0, self.width(term));
        self.binary(Binary::Ne, term, zero)
    }

    /// A binary operation on two words of one width.
    pub fn binary(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let result = if operation.is_comparison() {
            Width::BIT
        } else {
            width
        };
        if let (Some(a), Some(b)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(operation.apply(width, a, b), result);
        }
        match operation {
            Binary::Add | Binary::Sub => self.sum(operation, a, b),
            Binary::Mul => self.product(a, b),
            Binary::Eq => self.equality(a, b),
            Binary::Ne => {
                let equal = self.equality(a, b);
                self.not(equal)
            }
            Binary::Ule => {
                let above = self.less(Binary::Ult, b, a);
                self.not(above)
            }
            Binary::Sle => {
                let above = self.less(Binary::Slt, b, a);
                self.not(above)
            }
            Binary::Ult | Binary::Slt => self.less(operation, a, b),
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(operation, a, b),
            Binary::Shl => match self.as_constant(b) {
                Some(by) if by < width.bits().into() => {
                    let factor = self.constant(1 << by, width);
                    self.product(a, factor)
                }
                _ => self.make(Node::Binary(operation, a, b), result),
            },
            _ => self.make(Node::Binary(operation, a, b), result),
        }
    }

    fn bitwise(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let ones = width.truncate(Word::MAX);
        // Constants come last.
        let (a, b) = if self.as_constant(a).is_some() || (a > b && self.as_constant(b).is_none()) {
            (b, a)
        } else {
            (a, b)
        };
        match (operation, self.as_constant(b)) {
            (Binary::And, Some(0)) => return b,
            (Binary::And, Some(word)) if word == ones => return a,
            (Binary::Or | Binary::Xor, Some(0)) => return a,
            (Binary::Or, Some(word)) if word == ones => return b,
            (Binary::And | Binary::Or, None) if a == b => return a,
            (Binary::Xor, None) if a == b => return self.constant(0, width),
            _ => {}
        }
        if width == Width::BIT {
            let not = |this: &Self, term| match this.node(term) {
                Node::Binary(Binary::Xor, x, y) if this.as_constant(y) == Some(1) => Some(x),
                _ => None,
            };
            if operation == Binary::Xor
                && self.as_constant(b) == Some(1)
                && let Some(inner) = not(self, a)
            {
                return inner;
            }
            if not(self, a) == Some(b) || not(self, b) == Some(a) {
                return self.truth(operation != Binary::And);
            }
        }
        self.make(Node::Binary(operation, a, b), width)
    }

    fn less(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        if a == b {
            return self.truth(false);
        }
        let unsigned = operation == Binary::Ult;
        if unsigned && self.as_constant(b) == Some(0) {
            return self.truth(false);
        }
        if unsigned && self.as_constant(b) == Some(1) {
            let zero = self.constant(0, self.width(a));
            return self.equality(a, zero);
        }
        if unsigned && self.as_constant(a) == Some(0) {
            return self.is_true(b);
        }
        if let Some((a, b)) = self.narrowed(a, b) {
            return self.less(Binary::Ult, a, b);
        }
        self.make(Node::Binary(operation, a, b), Width::BIT)
    }

    /// Two words that were zero-extended from one smaller width, or one that was and a constant that fits, before that. Their order
    /// is the same, and unsigned.
    fn narrowed(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let inner = |this: &Self, term: Term| match this.node(term) {
            Node::Resize(inner) if this.width(inner) < this.width(term) => Some(inner),
            _ => None,
        };
        match (inner(self, a), inner(self, b)) {
            (Some(a), Some(b)) if self.width(a) == self.width(b) => Some((a, b)),
            (Some(inner), None) => {
                let (word, width) = (self.as_constant(b)?, self.width(inner));
                let fits = width.truncate(word) == word;
                fits.then(|| (inner, self.constant(word, width)))
            }
            (None, Some(inner)) => {
                let (word, width) = (self.as_constant(a)?, self.width(inner));
                let fits = width.truncate(word) == word;
                fits.then(|| (self.constant(word, width), inner))
            }
            _ => None,
        }
    }

    /// The width of a variable that occurs in a term.
    pub fn width_of(&self, variable: Variable, term: Term) -> Width {
        let is_it = |part: &Term| self.node(*part) == Node::Variable(variable);
        let mut parts = self.with_parts(&[term], |_| false).into_iter();
        parts
            .find(is_it)
            .map_or(Width::W64, |part| self.width(part))
    }

    /// The conditions of which a condition is the conjunction.
    pub fn conjuncts(&self, condition: Term) -> Vec<Term> {
        let mut conjuncts = Vec::new();
        let mut waiting = vec![condition];
        while let Some(condition) = waiting.pop() {
            match self.node(condition) {
                Node::Binary(Binary::And, a, b) if self.width(condition) == Width::BIT => {
                    waiting.extend([b, a]);
                }
                _ => conjuncts.push(condition),
            }
        }
        conjuncts
    }

    /// The two words with variables that a condition says are different, if that is what it says.
    pub fn as_inequality(&self, condition: Term) -> Option<(Term, Term)> {
        let Node::Binary(Binary::Xor, inner, _) = self.node(condition) else {
            return None;
        };
        match self.node(inner) {
            Node::Binary(Binary::Eq, a, b) if !self.variables(b).is_empty() => Some((a, b)),
            _ => None,
        }
    }

    /// Some terms with all their parts, each after its parts.
    pub(super) fn with_parts(&self, terms: &[Term], known: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut found = FxHashSet::default();
        let mut waiting = terms.to_vec();
        while let Some(term) = waiting.pop() {
            if !known(term) && found.insert(term) {
                let parts = Self::parts(self.node(term));
                waiting.extend(parts.into_iter().flatten());
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The value of a term.
    pub fn value(&self, term: Term, valuation: &Valuation) -> Word {
        let mut values: FxHashMap<Term, Word> = FxHashMap::default();
        for part in self.with_parts(&[term], |_| false) {
            let of = |term: &Term| values[term];
            let width = self.width(part);
            let value = match self.node(part) {
                Node::Constant(word) => word,
                Node::Variable(variable) => {
                    width.truncate(valuation.get(&variable).copied().unwrap_or(0))
                }
                Node::Binary(operation, a, b) => operation.apply(self.width(a), of(&a), of(&b)),
                Node::Resize(a) => width.truncate(of(&a)),
                Node::SignExtend(a) => width.truncate(self.width(a).signed(of(&a)) as Word),
                Node::Select(a, b, c) => of(if of(&a) != 0 { &b } else { &c }),
            };
            values.insert(part, value);
        }
        values[&term]
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: Term, valuation: &Valuation) -> bool {
        self.value(condition, valuation) != 0
    }

    /// A term with other terms for its variables, which have the same widths.
    pub fn substitute(&mut self, term: Term, by: &impl Fn(Variable) -> Option<Term>) -> Term {
        let touched = |variable: &Variable| by(*variable).is_some();
        if !self.variables(term).iter().any(touched) {
            return term;
        }
        let mut new: FxHashMap<Term, Term> = FxHashMap::default();
        let untouched = |this: &Self, part: Term| !this.variables(part).iter().any(touched);
        for part in self.with_parts(&[term], |part| untouched(self, part)) {
            let of = |part: Term| new.get(&part).copied().unwrap_or(part);
            let width = self.width(part);
            let made = match self.node(part) {
                Node::Constant(_) => part,
                Node::Variable(variable) => by(variable).unwrap_or(part),
                Node::Binary(operation, a, b) => self.binary(operation, of(a), of(b)),
                Node::Resize(a) => self.resize(of(a), width),
                Node::SignExtend(a) => self.sign_extend(of(a), width),
                Node::Select(a, b, c) => self.select(of(a), of(b), of(c)),
            };
            new.insert(part, made);
        }
        new[&term]
    }
}
