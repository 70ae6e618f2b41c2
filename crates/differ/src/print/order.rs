//! Memory orders and operations by name.

use crate::sketch::{Operator, Order};

pub(super) fn c11(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcquireRelease => "memory_order_acq_rel",
        Order::Sequential => "memory_order_seq_cst",
    }
}

pub(super) fn builtin(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcquireRelease => "__ATOMIC_ACQ_REL",
        Order::Sequential => "__ATOMIC_SEQ_CST",
    }
}

pub(super) fn short(order: Order) -> &'static str {
    match order {
        Order::Plain => "plain",
        Order::Relaxed => "relaxed",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcquireRelease => "acqrel",
        Order::Sequential => "sequential",
    }
}

pub(super) fn order_named(name: &str) -> Option<Order> {
    let all = [
        Order::Plain,
        Order::Relaxed,
        Order::Acquire,
        Order::Release,
        Order::AcquireRelease,
        Order::Sequential,
    ];
    all.into_iter().find(|order| short(*order) == name)
}

impl Operator {
    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::Exchange => "exchange",
            Operator::Add => "fetch_add",
            Operator::Subtract => "fetch_sub",
            Operator::And => "fetch_and",
            Operator::Or => "fetch_or",
            Operator::Xor => "fetch_xor",
            Operator::Nand => "fetch_nand",
        }
    }
}

pub(super) fn store_part(order: Order) -> Order {
    match order {
        Order::Acquire => Order::Relaxed,
        Order::AcquireRelease => Order::Release,
        other => other,
    }
}

pub(super) fn load_part(order: Order) -> Order {
    match order {
        Order::Release => Order::Relaxed,
        Order::AcquireRelease => Order::Acquire,
        other => other,
    }
}
