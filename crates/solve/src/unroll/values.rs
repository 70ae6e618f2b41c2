//! Values: what registers hold, what they come from, and what is computed from them.

use super::flow::Flow;
use super::frame::Frame;
use super::instructions::At;
use super::{Dependences, Failure, Object, Result, Unroller, refuse};
use crate::guard::Guard;
use crate::term::{EventId, TermId, Terms};
use answer::{Fault, FaultKind};
use program::{Binary, Expression, ObjectKind, Operand, RegisterId, Span, UpdateOp, Width, Word};
use std::rc::Rc;

/// What a register holds, and the loads that it comes from.
#[derive(Clone, Debug)]
pub struct Value {
    /// The term.
    pub term: TermId,
    /// The loads, if dependences are followed.
    pub depends: Option<Rc<Dependences>>,
}

impl Value {
    /// A value that comes from no load.
    pub fn new(term: TermId) -> Self {
        Value {
            term,
            depends: None,
        }
    }

    /// The value of a register where control comes from two sides.
    pub fn join(
        &mut self,
        other: &Value,
        choice: Guard,
        mine: Guard,
        theirs: Guard,
        terms: &mut Terms,
    ) {
        let same_loads = match (&self.depends, &other.depends) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        if !same_loads {
            let mut loads = Dependences::new();
            for (depends, guard) in [(&self.depends, mine), (&other.depends, theirs)] {
                for &(event, when) in depends.iter().flat_map(|depends| depends.iter()) {
                    let when = terms.guards.and(when, guard);
                    depend(&mut loads, event, when, terms);
                }
            }
            self.depends = Some(Rc::new(loads));
        }
        self.term = terms.select(choice, self.term, other.term);
    }
}

/// Adds a load to those that something depends on.
pub fn depend(loads: &mut Dependences, event: EventId, when: Guard, terms: &mut Terms) {
    match loads.binary_search_by_key(&event, |&(event, _)| event) {
        Ok(found) => loads[found].1 = terms.guards.or(loads[found].1, when),
        Err(index) => loads.insert(index, (event, when)),
    }
}

impl<'a> Unroller<'a> {
    pub(super) fn operand(&mut self, flow: &Flow, operand: Operand) -> Value {
        let terms = &mut self.unrolled.terms;
        match operand {
            Operand::Register(register) => flow.registers[register.index()].clone(),
            Operand::Constant(word) => Value::new(terms.constant(word, Width::W64)),
            Operand::Address(address) => Value::new(terms.constant(address.to_word(), Width::W64)),
        }
    }

    pub(super) fn width(&self, frame: &Frame, register: RegisterId) -> Width {
        frame.function.registers[register.index()].width
    }

    pub(super) fn set(&mut self, frame: &Frame, flow: &mut Flow, to: RegisterId, value: Value) {
        let width = self.width(frame, to);
        flow.registers[to.index()] = Value {
            term: self.unrolled.terms.copy(value.term, width),
            ..value
        };
    }

    /// The loads that one of these comes from.
    pub(super) fn merge(&mut self, values: &[&Value]) -> Option<Rc<Dependences>> {
        let mut with = values.iter().filter_map(|value| value.depends.as_ref());
        let first = with.next()?.clone();
        let mut all: Option<Dependences> = None;
        for depends in with.filter(|depends| !Rc::ptr_eq(depends, &first)) {
            let all = all.get_or_insert_with(|| first.to_vec());
            for &(event, when) in depends.iter() {
                depend(all, event, when, &mut self.unrolled.terms);
            }
        }
        Some(all.map_or(first, Rc::new))
    }

    /// A choice that is decided here: the guard under which it is yes.
    pub(super) fn decide(&mut self, at: At, value: &Value) -> Guard {
        self.check_defined(at, value);
        self.depend_on_branch(at, value);
        self.unrolled.terms.holds(value.term)
    }

    /// Stores that come later are decided by these loads.
    pub(super) fn depend_on_branch(&mut self, at: At, value: &Value) {
        for &(event, when) in value.depends.iter().flat_map(|depends| depends.iter()) {
            let when = self.unrolled.terms.guards.and(when, at.guard);
            let decided = &mut self.decided[at.thread];
            depend(decided, event, when, &mut self.unrolled.terms);
        }
    }

    /// It is wrong to decide on what is undefined.
    pub(super) fn check_defined(&mut self, at: At, value: &Value) {
        self.fail_if_undefined(at, value.term, || {
            let text = "a decision depends on an uninitialised value";
            Fault::new(FaultKind::Uninitialised, text)
        });
    }

    pub(super) fn fail_if_undefined(
        &mut self,
        at: At,
        term: TermId,
        fault: impl FnOnce() -> Fault,
    ) {
        if self.program.process && self.unrolled.terms.known(term).is_none() {
            let what = Failure::Undefined(term, fault());
            self.fail(at.thread, at.span, at.guard, what);
        }
    }

    pub(super) fn evaluate(
        &mut self,
        frame: &Frame,
        flow: &mut Flow,
        expression: Expression,
        to: Width,
        span: Span,
    ) -> Result<Value> {
        let operands: Vec<Value> = expression
            .operands()
            .map(|operand| self.operand(flow, operand))
            .collect();
        let mut depends = self.merge(&operands.iter().collect::<Vec<_>>());
        let term = |index: usize| operands[index].term;
        let terms = &mut self.unrolled.terms;
        let value = match expression {
            Expression::Copy(_) => terms.copy(term(0), to),
            Expression::SignExtend(from, _) => terms.sign_extend(from, term(0), to),
            Expression::Unary(operation, width, _) => terms.unary(operation, width, term(0), to),
            Expression::Convert(how, width, _) => terms.convert(how, width, term(0), to),
            Expression::Binary(operation, width, ..) => {
                if expression.may_fail() {
                    let what = Failure::Division(operation, width, term(0), term(1));
                    self.fail(frame.thread, span, flow.guard, what);
                }
                self.unrolled
                    .terms
                    .binary(operation, width, term(0), term(1), to)
            }
            Expression::Select(..) => {
                self.check_defined(flow.at(frame.thread, span), &operands[0]);
                let terms = &mut self.unrolled.terms;
                let guard = terms.holds(term(0));
                let [a, b] = [1, 2].map(|index| terms.copy(term(index), to));
                terms.select(guard, a, b)
            }
            Expression::Own(address) => {
                depends = None;
                let own = self.own_copy(frame.thread, address.object.index());
                let word = own + Word::from(address.offset);
                self.unrolled.terms.constant(word, to)
            }
        };
        let term = value;
        Ok(Value { term, depends })
    }

    /// The address of a thread's own copy of an object.
    fn own_copy(&mut self, thread: usize, object: usize) -> Word {
        let number = match self.own.get(&(thread, object)) {
            Some(&number) => number,
            None => {
                let copy = Object {
                    kind: ObjectKind::Shared,
                    // It ends with its thread; what main has lives as long as the program.
                    local: thread > 0,
                    ..self.unrolled.objects[object].clone()
                };
                let number = self.unrolled.objects.len();
                self.make(copy);
                self.own.insert((thread, object), number);
                number
            }
        };
        program::Address::of(program::ObjectId::from(number)).to_word()
    }

    /// What a read-modify-write stores.
    pub(super) fn update(
        &mut self,
        operation: UpdateOp,
        width: Width,
        old: TermId,
        operand: TermId,
        span: Span,
    ) -> Result<TermId> {
        let terms = &mut self.unrolled.terms;
        let operand = terms.copy(operand, width);
        let mut binary = |op: Binary, to: Width| terms.binary(op, width, old, operand, to);
        Ok(match operation {
            UpdateOp::Exchange => operand,
            UpdateOp::Add => binary(Binary::Add, width),
            UpdateOp::Sub => binary(Binary::Sub, width),
            UpdateOp::And => binary(Binary::And, width),
            UpdateOp::Or => binary(Binary::Or, width),
            UpdateOp::Xor => binary(Binary::Xor, width),
            UpdateOp::Nand => {
                let and = binary(Binary::And, width);
                let ones = terms.constant(Word::MAX, width);
                terms.binary(Binary::Xor, width, and, ones, width)
            }
            UpdateOp::Max | UpdateOp::Min | UpdateOp::Umax | UpdateOp::Umin => {
                let less = match operation {
                    UpdateOp::Max | UpdateOp::Min => Binary::Slt,
                    _ => Binary::Ult,
                };
                let less = binary(less, Width::BIT);
                let less = terms.holds(less);
                match operation {
                    UpdateOp::Max | UpdateOp::Umax => terms.select(less, operand, old),
                    _ => terms.select(less, old, operand),
                }
            }
            _ => return refuse(format!("an atomic {}", operation.name()), span),
        })
    }
}
