//! Atomic accesses and fences in C text: calls whose memory order can be written anew.
//!
//! The text is read token by token, without preprocessing, so the body of a macro has no calls, and a call by way of a macro of the file is none. What is found
//! is only text; [`access`](crate::access) compares it with the compiled code.

use crate::statements::{Token, tokens};
use program::{AccessKind, MemoryOrder};
use std::ops::Range;

/// A call of C's atomics or of a compiler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it does to memory.
    pub kind: AccessKind,
    /// It may fail, and has an order for that.
    fails: bool,
    /// Where its orders are written; without any it is sequentially consistent.
    orders: Vec<Range<usize>>,
    /// The end of its name.
    name_end: usize,
    /// What stands before the name of an order: `memory_order_` or `__ATOMIC_`.
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Standard,
    Builtin,
}

impl Style {
    fn name(self, order: MemoryOrder) -> String {
        match self {
            Style::Standard => format!("memory_order_{}", order.name()),
            Style::Builtin => format!("__ATOMIC_{}", order.name().to_uppercase()),
        }
    }
}

/// A change of a text: what is written in the place of some bytes.
pub(crate) type TextEdit = (Range<usize>, String);

impl Call {
    /// How the text changes if the call gets another order. `failure` is the order of a compare-and-exchange that fails.
    pub(crate) fn edits(&self, order: MemoryOrder, failure: MemoryOrder) -> Vec<TextEdit> {
        if self.orders.is_empty() {
            if order == MemoryOrder::SequentiallyConsistent {
                return Vec::new();
            }
            let mut orders = format!(", {}", self.style.name(order));
            if self.fails {
                orders += &format!(", {}", self.style.name(failure));
            }
            let (name, end) = (self.name_end, self.range.end - 1);
            return vec![(name..name, "_explicit".to_owned()), (end..end, orders)];
        }
        let orders = self.orders.iter().cloned().zip([order, failure]);
        orders
            .map(|(range, order)| (range, self.style.name(order)))
            .collect()
    }

    /// The call with another order.
    pub(crate) fn with(&self, text: &str, order: MemoryOrder, failure: MemoryOrder) -> String {
        let mut call = text[self.range.clone()].to_owned();
        for (range, new) in self.edits(order, failure).into_iter().rev() {
            let start = self.range.start;
            call.replace_range(range.start - start..range.end - start, &new);
        }
        call
    }
}

/// What the arguments of a function are.
struct Shape {
    kind: AccessKind,
    fails: bool,
    /// Arguments that are no orders.
    operands: usize,
    orders: usize,
    style: Style,
}

/// What a function does, if its accesses can have orders.
fn shape(name: &str) -> Option<Shape> {
    if let Some(rest) = name.strip_prefix("__c11_atomic_") {
        return standard(rest, true);
    }
    if let Some(rest) = name.strip_prefix("__atomic_") {
        return builtin(rest);
    }
    let rest = name.strip_prefix("atomic_")?;
    match rest.strip_suffix("_explicit") {
        Some(rest) => standard(rest, true),
        None => standard(rest, false),
    }
}

fn standard(rest: &str, explicit: bool) -> Option<Shape> {
    let (kind, operands) = match rest {
        "load" => (AccessKind::LOAD, 1),
        "store" => (AccessKind::STORE, 2),
        "exchange" | "fetch_add" | "fetch_sub" | "fetch_or" | "fetch_xor" | "fetch_and" => {
            (AccessKind::UPDATE, 2)
        }
        "compare_exchange_strong" | "compare_exchange_weak" => (AccessKind::UPDATE, 3),
        "flag_test_and_set" => (AccessKind::UPDATE, 1),
        "flag_clear" => (AccessKind::STORE, 1),
        _ => return None,
    };
    let fails = rest.starts_with("compare");
    Some(Shape {
        kind,
        fails,
        operands,
        orders: usize::from(explicit) * (1 + usize::from(fails)),
        style: Style::Standard,
    })
}

fn builtin(rest: &str) -> Option<Shape> {
    let (kind, operands) = match rest {
        "load_n" => (AccessKind::LOAD, 1),
        "load" => (AccessKind::LOAD, 2),
        "store_n" | "store" => (AccessKind::STORE, 2),
        "exchange_n" => (AccessKind::UPDATE, 2),
        "exchange" => (AccessKind::UPDATE, 3),
        "compare_exchange_n" | "compare_exchange" => (AccessKind::UPDATE, 4),
        "test_and_set" => (AccessKind::UPDATE, 1),
        "clear" => (AccessKind::STORE, 1),
        _ => {
            let operation = rest
                .strip_prefix("fetch_")
                .or(rest.strip_suffix("_fetch"))?;
            let known = ["add", "sub", "and", "xor", "or", "nand"].contains(&operation);
            (known.then_some(AccessKind::UPDATE)?, 2)
        }
    };
    let fails = rest.starts_with("compare");
    Some(Shape {
        kind,
        fails,
        operands,
        orders: 1 + usize::from(fails),
        style: Style::Builtin,
    })
}

/// The atomic accesses of a text.
pub(crate) fn calls(text: &str) -> Vec<Call> {
    let tokens = tokens(text);
    let found = (0..tokens.len()).filter_map(|index| {
        let (start, Token::Word(name)) = tokens[index] else {
            return None;
        };
        let shape = shape(name)?;
        let (arguments, end) = arguments(text, &tokens, index + 1)?;
        if arguments.len() != shape.operands + shape.orders {
            return None;
        }
        Some(Call {
            range: start..end,
            kind: shape.kind,
            fails: shape.fails,
            orders: arguments[shape.operands..].to_vec(),
            name_end: start + name.len(),
            style: shape.style,
        })
    });
    found.collect()
}

/// The arguments of a call whose parenthesis opens at a token, and the end of the call.
pub(crate) fn arguments(
    text: &str,
    tokens: &[(usize, Token)],
    open: usize,
) -> Option<(Vec<Range<usize>>, usize)> {
    if tokens.get(open)?.1 != Token::Sign('(') {
        return None;
    }
    let mut depth = 0;
    let mut start = tokens[open].0 + 1;
    let mut arguments = Vec::new();
    for &(at, token) in &tokens[open..] {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && token == Token::Sign(',') {
            arguments.push(trimmed(text, start..at));
            start = at + 1;
        }
        if depth == 0 {
            let none = arguments.len() == 1 && arguments[0].is_empty();
            return Some((if none { Vec::new() } else { arguments }, at + 1));
        }
    }
    None
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use MemoryOrder::{Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent};

    fn edited(text: &str, order: MemoryOrder, failure: MemoryOrder) -> String {
        let calls = calls(text);
        assert_eq!(calls.len(), 1, "{text}");
        calls[0].with(text, order, failure)
    }

    #[test]
    fn orders_are_written_in_the_way_of_the_call() {
        let rows = [
            (
                "atomic_store_explicit(&x[f(1, 2)], 1, memory_order_relaxed)",
                "atomic_store_explicit(&x[f(1, 2)], 1, memory_order_release)",
            ),
            (
                "__atomic_store_n(p, 1, __ATOMIC_RELAXED)",
                "__atomic_store_n(p, 1, __ATOMIC_RELEASE)",
            ),
            (
                "atomic_store(&x, 1)",
                "atomic_store_explicit(&x, 1, memory_order_release)",
            ),
            (
                "atomic_fetch_add(&x, 1)",
                "atomic_fetch_add_explicit(&x, 1, memory_order_release)",
            ),
            (
                "__atomic_add_fetch(&x, 1, RLX)",
                "__atomic_add_fetch(&x, 1, __ATOMIC_RELEASE)",
            ),
        ];
        for (old, new) in rows {
            assert_eq!(edited(old, Release, Relaxed), new);
        }
    }

    #[test]
    fn a_compare_and_exchange_has_two_orders() {
        let old = "atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_relaxed, memory_order_relaxed)";
        let new = "atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_acq_rel, memory_order_acquire)";
        assert_eq!(edited(old, AcquireRelease, Acquire), new);
        let implicit = "atomic_compare_exchange_strong(&x, &e, 1)";
        let explicit = "atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_release, memory_order_relaxed)";
        assert_eq!(edited(implicit, Release, Relaxed), explicit);
        assert_eq!(
            edited(implicit, SequentiallyConsistent, SequentiallyConsistent),
            implicit
        );
    }

    #[test]
    fn other_calls_macros_and_comments_have_none() {
        let text = "#define S(x) atomic_store(x, 1)\n/* atomic_load(&x) */ S(&x); atomic_init(&x, 0); \
            atomic_thread_fence(memory_order_seq_cst); atomic_load_explicit(&x); \"atomic_load(&x)\";";
        assert_eq!(calls(text), []);
    }
}
