//! Sums, products by constants and equations in one form: each leaf once, with its coefficient, and the constant last. An equation has on its left a leaf
//! whose coefficient is 1, if there is one.

use super::{Node, Term, Terms};
use program::{Binary, Width, Word};
use std::collections::BTreeMap;

/// A sum: leaves with factors, and a constant.
#[derive(Clone, Debug, Default)]
struct Sum {
    leaves: BTreeMap<Term, Word>,
    constant: Word,
}

impl Sum {
    /// The sum with a term, this many times.
    fn plus(mut self, terms: &Terms, term: Term, factor: Word, width: Width) -> Self {
        let mut waiting = vec![(term, factor)];
        while let Some((term, factor)) = waiting.pop() {
            match terms.node(term) {
                Node::Constant(word) => {
                    self.constant = self.constant.wrapping_add(word.wrapping_mul(factor));
                }
                Node::Binary(Binary::Add, a, b) => waiting.extend([(a, factor), (b, factor)]),
                Node::Binary(Binary::Sub, a, b) => {
                    waiting.extend([(a, factor), (b, factor.wrapping_neg())]);
                }
                Node::Binary(Binary::Mul, a, b) if terms.as_constant(b).is_some() => {
                    let by = terms.as_constant(b).unwrap_or_default();
                    waiting.push((a, factor.wrapping_mul(by)));
                }
                _ => {
                    let known = self.leaves.entry(term).or_insert(0);
                    *known = width.truncate(known.wrapping_add(factor));
                }
            }
        }
        self.leaves.retain(|_, factor| *factor != 0);
        self
    }

    fn plus_times(self, terms: &Terms, term: Term, factor: Term) -> Self {
        let by = terms.as_constant(factor).unwrap_or_default();
        self.plus(terms, term, by, terms.width(term))
    }

    fn negated(mut self, width: Width) -> Self {
        for factor in self.leaves.values_mut() {
            *factor = width.truncate(factor.wrapping_neg());
        }
        self.constant = self.constant.wrapping_neg();
        self
    }
}

impl Terms {
    pub(super) fn product(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if self.as_constant(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        if self.as_constant(b).is_some() {
            let width = self.width(a);
            let sum = Sum::default()
                .plus(self, b, 0, width)
                .plus_times(self, a, b);
            return self.of_sum(sum, width);
        }
        let (a, b) = (a.min(b), a.max(b));
        self.make(Node::Binary(Binary::Mul, a, b), self.width(a))
    }

    pub(super) fn sum(&mut self, operation: Binary, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let factor = if operation == Binary::Add {
            1
        } else {
            Word::MAX
        };
        let sum = Sum::default()
            .plus(self, a, 1, width)
            .plus(self, b, factor, width);
        self.of_sum(sum, width)
    }

    fn of_sum(&mut self, sum: Sum, width: Width) -> Term {
        let mut total: Option<Term> = None;
        let minus = width.truncate(Word::MAX);
        // What is added comes before what is subtracted.
        let (less, more): (Vec<_>, Vec<_>) = sum
            .leaves
            .into_iter()
            .partition(|(_, factor)| *factor == minus && minus != 1);
        for (leaf, factor) in more {
            let part = match factor {
                1 => leaf,
                _ => {
                    let factor = self.constant(factor, width);
                    self.make(Node::Binary(Binary::Mul, leaf, factor), width)
                }
            };
            total = Some(match total {
                Some(total) => self.make(Node::Binary(Binary::Add, total, part), width),
                None => part,
            });
        }
        for (leaf, _) in less {
            let before = total.unwrap_or_else(|| self.constant(0, width));
            total = Some(self.make(Node::Binary(Binary::Sub, before, leaf), width));
        }
        let constant = self.constant(sum.constant, width);
        match total {
            None => constant,
            Some(total) if width.truncate(sum.constant) == 0 => total,
            Some(total) => self.make(Node::Binary(Binary::Add, total, constant), width),
        }
    }

    pub(super) fn equality(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == Width::BIT {
            let different = self.bitwise(Binary::Xor, a, b);
            return self.not(different);
        }
        let mut sum = Sum::default()
            .plus(self, a, 1, width)
            .plus(self, b, Word::MAX, width);
        let minus = width.truncate(Word::MAX);
        let mut leaves = sum.leaves.iter();
        let first = leaves.find(|(_, factor)| **factor == 1 || **factor == minus);
        let Some((leaf, factor)) = first.map(|(leaf, factor)| (*leaf, *factor)) else {
            if sum.leaves.is_empty() {
                return self.truth(width.truncate(sum.constant) == 0);
            }
            let left = self.of_sum(sum, width);
            let zero = self.constant(0, width);
            return self.make(Node::Binary(Binary::Eq, left, zero), Width::BIT);
        };
        sum.leaves.remove(&leaf);
        if factor == 1 {
            sum = sum.negated(width);
        }
        let right = self.of_sum(sum, width);
        if let Some(word) = self.as_constant(right) {
            match self.node(leaf) {
                Node::Resize(inner) if self.width(inner) < width => {
                    let narrow = self.width(inner);
                    if narrow.truncate(word) != word {
                        return self.truth(false);
                    }
                    let word = self.constant(word, narrow);
                    return self.binary(Binary::Eq, inner, word);
                }
                Node::Select(condition, x, y) => {
                    let found = (self.as_constant(x), self.as_constant(y));
                    if let (Some(x), Some(y)) = found {
                        return match (x == word, y == word) {
                            (true, true) => self.truth(true),
                            (true, false) => condition,
                            (false, true) => self.not(condition),
                            (false, false) => self.truth(false),
                        };
                    }
                }
                _ => {}
            }
        }
        if let Some((a, b)) = self.narrowed(leaf, right) {
            return self.binary(Binary::Eq, a, b);
        }
        self.make(Node::Binary(Binary::Eq, leaf, right), Width::BIT)
    }

    /// The constant that is added in a sum.
    pub fn constant_part(&self, term: Term) -> Option<Word> {
        let width = self.width(term);
        let sum = Sum::default().plus(self, term, 1, width);
        (sum.constant != 0).then(|| width.truncate(sum.constant))
    }
}
