//! What instructions do: values, accesses, fences, calls, assertions.

use super::flow::{Flow, Section};
use super::frame::Frame;
use super::library::LibraryCall;
use super::values::{Value, depend};
use super::{
    Dependences, Event, Failure, Fence, FenceAt, Object, Result, Stored, Unroller, When, refuse,
};
use crate::guard::Guard;
use crate::term::{EventId, Term, TermId};
use answer::{Fault, FaultKind};
use memory::Effects;
use program::{
    Callee, InstructionKind as Kind, ObjectKind, ObservedLocation, Operand, Orderings, RegisterId,
    Span, TypeId, Width,
};
use std::rc::Rc;

/// Where and when something is done.
#[derive(Clone, Copy)]
pub struct At {
    pub thread: usize,
    pub span: Span,
    pub guard: Guard,
    pub section: Section,
}

impl Flow {
    pub(super) fn at(&self, thread: usize, span: Span) -> At {
        At {
            thread,
            span,
            guard: self.guard,
            section: self.section,
        }
    }
}

/// An access that is about to be made.
pub struct Access {
    pub address: Value,
    pub width: Width,
    pub alignment: u8,
    pub loads: bool,
}

impl<'a> Unroller<'a> {
    pub(super) fn instruction(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        kind: &'a Kind,
        span: Span,
    ) -> Result<()> {
        let at = flow.at(frame.thread, span);
        match kind {
            Kind::Assign { target, value } => {
                let value = self.evaluate(frame, flow, *value, self.width(frame, *target), span)?;
                self.set(frame, flow, *target, value);
            }
            Kind::Load {
                target,
                address,
                width,
                access,
            } => {
                let access = self.access_to(flow, *address, *width, access.alignment, true);
                let value = self.fenced_access(at, kind, access, None);
                self.set(frame, flow, *target, value);
            }
            Kind::Store {
                address,
                value,
                width,
                access,
            } => {
                let access = self.access_to(flow, *address, *width, access.alignment, false);
                let value = self.operand(flow, *value);
                self.fenced_access(at, kind, access, Some((value, flow.guard)));
            }
            Kind::Update {
                target,
                operation,
                address,
                operand,
                width,
                access,
            } => {
                let access = self.access_to(flow, *address, *width, access.alignment, true);
                let mut new = self.operand(flow, *operand);
                let loaded = self.coming(access.width);
                new.term = self.update(*operation, access.width, loaded, new.term, span)?;
                let value = self.fenced_access(at, kind, access, Some((new, flow.guard)));
                self.set(frame, flow, *target, value);
            }
            Kind::CompareExchange { .. } => self.compare_exchange(frame, flow, kind, span),
            Kind::Fence(_) => self.fence(at, Effects::of(kind).after),
            Kind::Call {
                targets,
                callee,
                arguments,
            } => return self.call_callee(frame, flow, *callee, arguments, targets, span),
            Kind::Allocate {
                target,
                size,
                name,
                layout,
            } => {
                let size = self.operand(flow, *size);
                let address = self.local(at, &size, name, *layout)?;
                self.set(frame, flow, *target, address);
            }
            Kind::Assert { condition } => self.assert(flow, at, *condition),
            Kind::Assume { condition } => {
                // The thread goes on only if it holds, as behind a branch.
                let value = self.operand(flow, *condition);
                self.depend_on_branch(at, &value);
                let holds = self.defined_condition(flow, at, *condition);
                self.assume(flow, holds);
            }
            Kind::Choose { target, count } => {
                let choice = self.choose(flow, *count, self.width(frame, *target), span)?;
                self.set(frame, flow, *target, choice);
            }
            Kind::Observe { name, value } => return self.observe(flow, at, name, *value),
            Kind::AtomicBegin => self.begin_section(flow, at),
            Kind::AtomicEnd => self.end_section(flow, at),
        }
        Ok(())
    }

    /// Makes the access of an instruction, between the fences that its order becomes; the value
    /// that it loads.
    fn fenced_access(
        &mut self,
        at: At,
        kind: &Kind,
        access: Access,
        stored: Option<(Value, Guard)>,
    ) -> Value {
        let Effects { before, after, .. } = Effects::of(kind);
        self.fence(at, before);
        let value = self.access(at, access, stored);
        self.fence(at, after);
        value
    }

    fn compare_exchange(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        kind: &'a Kind,
        span: Span,
    ) {
        let at = flow.at(frame.thread, span);
        let Effects { before, after, .. } = Effects::of(kind);
        let Kind::CompareExchange {
            target,
            address,
            expected,
            desired,
            width,
            access,
            weak,
            succeeded,
            ..
        } = kind
        else {
            return;
        };
        let access = self.access_to(flow, *address, *width, access.alignment, true);
        let [expected, desired] = [*expected, *desired].map(|o| self.operand(flow, o));
        self.fence(at, before);
        let loaded = self.coming(access.width);
        let wanted = self.unrolled.terms.copy(expected.term, access.width);
        let equal = self.unrolled.terms.equal(loaded, wanted);
        let mut success = self.unrolled.terms.holds(equal);
        if *weak {
            let fails = self.unrolled.terms.choice(2, Width::BIT);
            let fails = self.unrolled.terms.holds(fails);
            success = self.unrolled.terms.guards.minus(success, fails);
        }
        let stores = self.unrolled.terms.guards.and(flow.guard, success);
        let new = Value {
            term: desired.term,
            depends: self.merge(&[&expected, &desired]),
        };
        let value = self.access(at, access, Some((new, stores)));
        if self.program.process {
            let text = "a comparison depends on an uninitialised value";
            let what = Failure::Undefined(equal, Fault::new(FaultKind::Uninitialised, text));
            self.fail(at.thread, span, flow.guard, what);
        }
        self.fence(at, after);
        if let Some(register) = succeeded {
            let [yes, no] = [1, 0].map(|n| self.unrolled.terms.constant(n, Width::BIT));
            let term = self.unrolled.terms.select(success, yes, no);
            let depends = self.merge(&[&value, &expected]);
            self.set(frame, flow, *register, Value { term, depends });
        }
        self.set(frame, flow, *target, value);
    }

    fn call_callee(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        callee: Callee,
        arguments: &[Operand],
        targets: &[RegisterId],
        span: Span,
    ) -> Result<()> {
        let arguments = arguments.iter();
        let arguments = arguments.map(|argument| self.operand(flow, *argument));
        let arguments: Vec<Value> = arguments.collect();
        let function = match callee {
            Callee::Function(function) => function,
            Callee::Routine(routine) => {
                let call = LibraryCall {
                    thread: frame.thread,
                    routine,
                    arguments,
                    span,
                };
                let result = self.routine(flow, &call)?;
                if let Some(target) = targets.first() {
                    self.set(frame, flow, *target, result);
                }
                return Ok(());
            }
            Callee::Pointer(pointer) => {
                let pointer = self.operand(flow, pointer);
                let known = self.unrolled.terms.known(pointer.term);
                match known.and_then(|word| self.function_at(word)) {
                    Some(function) => function,
                    None => return refuse("a call of a function that is computed", span),
                }
            }
        };
        let code = &self.program.functions[function.index()];
        if code.parameters as usize != arguments.len() {
            return refuse(format!("{} with other parameters", code.name), span);
        }
        let parameters = code
            .registers
            .iter()
            .zip(arguments)
            .map(|(register, value)| {
                let term = self.unrolled.terms.copy(value.term, register.width);
                Value { term, ..value }
            });
        let parameters = parameters.collect();
        let end = self.call(frame.thread, function, parameters, flow.guard, flow.section)?;
        flow.guard = end.guard;
        flow.section = end.section;
        for (target, value) in targets.iter().zip(end.values) {
            self.set(frame, flow, *target, value);
        }
        Ok(())
    }

    /// The address of a new local, whose size must be known.
    fn local(&mut self, at: At, size: &Value, name: &str, layout: Option<TypeId>) -> Result<Value> {
        let Some(size) = self.unrolled.terms.known(size.term) else {
            return refuse("an array whose length is computed", at.span);
        };
        let address = self.make(Object {
            name: name.to_owned(),
            size,
            of_program: None,
            made_by: Some(at.thread),
            local: true,
            zeroed: false,
            kind: ObjectKind::Shared,
            layout,
            span: at.span,
        });
        let address = self.unrolled.terms.constant(address, Width::W64);
        Ok(Value::new(address))
    }

    /// When a condition, which must be defined, holds.
    fn defined_condition(&mut self, flow: &Flow, at: At, condition: Operand) -> Guard {
        let condition = self.operand(flow, condition);
        self.check_defined(at, &condition);
        self.unrolled.terms.holds(condition.term)
    }

    /// Where the condition does not hold, the execution goes wrong and its thread ends here.
    fn assert(&mut self, flow: &mut Flow, at: At, condition: Operand) {
        self.note_assertion(at.thread, flow.guard, at.span);
        let holds = self.defined_condition(flow, at, condition);
        let fails = self.unrolled.terms.guards.minus(flow.guard, holds);
        let text = "assertion failed";
        self.fault(at.thread, at.span, fails, FaultKind::Assertion, text);
        flow.guard = self.unrolled.terms.guards.and(flow.guard, holds);
    }

    /// Any of `count` values, 0 upwards.
    fn choose(&mut self, flow: &Flow, count: Operand, width: Width, span: Span) -> Result<Value> {
        let count = self.operand(flow, count);
        let Some(count) = self.unrolled.terms.known(count.term) else {
            return refuse("a choice whose number is computed", span);
        };
        let choice = match count {
            0 => return refuse("a choice of nothing", span),
            1 => self.unrolled.terms.constant(0, width),
            _ => self.unrolled.terms.choice(count, width),
        };
        Ok(Value::new(choice))
    }

    /// Keeps a value under a name, if the program's results have that name.
    fn observe(&mut self, flow: &Flow, at: At, name: &str, value: Operand) -> Result<()> {
        self.noise += 1;
        let value = self.operand(flow, value);
        let mut observed = self.program.observed.iter();
        let index =
            observed.position(|o| o.location == ObservedLocation::Observation && o.name == *name);
        let Some(index) = index else {
            return Ok(());
        };
        let thread = at.thread;
        let others = self.observers[index].replace(thread);
        if others.is_some_and(|other| other != thread) {
            return refuse(format!("`{name}`, which two threads observe"), at.span);
        }
        self.check_defined(at, &value);
        let position = self.position;
        let when = When { thread, position };
        self.observations[index].push((at.guard, value.term, when));
        Ok(())
    }

    /// Executions that do not satisfy this do not count; their thread ends here.
    pub(super) fn assume(&mut self, flow: &mut Flow, holds: Guard) {
        let guards = &mut self.unrolled.terms.guards;
        let dropped = guards.minus(flow.guard, holds);
        if dropped != Guard::FALSE {
            self.stays += 1;
            self.unrolled.dropped.push(dropped);
        }
        flow.guard = guards.and(flow.guard, holds);
    }

    /// The term that the next access will load.
    pub(super) fn coming(&mut self, width: Width) -> TermId {
        let next = EventId(self.unrolled.events.len() as u32);
        self.unrolled.terms.term(Term::Loaded(next), width)
    }

    pub(super) fn access_to(
        &mut self,
        flow: &Flow,
        address: Operand,
        width: Width,
        alignment: u8,
        loads: bool,
    ) -> Access {
        Access {
            address: self.operand(flow, address),
            width,
            alignment,
            loads,
        }
    }

    /// Makes an access; the value that it loads.
    pub(super) fn access(
        &mut self,
        at: At,
        access: Access,
        stored: Option<(Value, Guard)>,
    ) -> Value {
        let At {
            thread,
            span,
            guard,
            section,
        } = at;
        if stored.is_none()
            && let Some(value) = self.constant_at(&access)
        {
            return value;
        }
        let id = EventId(self.unrolled.events.len() as u32);
        let mut depends = Dependences::new();
        if self.model.row().dependences {
            let none = Dependences::new();
            let control = stored.as_ref().and(self.decided.get(thread));
            let value = stored
                .as_ref()
                .and_then(|(value, _)| value.depends.as_deref());
            let all = [access.address.depends.as_deref(), value, control];
            for &(event, when) in all.iter().flat_map(|d| d.unwrap_or(&none).iter()) {
                depend(&mut depends, event, when, &mut self.unrolled.terms);
            }
        }
        let step = match section {
            Some((step, _)) => step,
            None => {
                self.steps += 1;
                self.steps - 1
            }
        };
        self.position += 1;
        let terms = &mut self.unrolled.terms;
        let stored = stored.map(|(value, guard)| Stored {
            value: terms.copy(value.term, access.width),
            guard,
        });
        self.unrolled.events.push(Event {
            thread,
            position: self.position,
            step,
            span,
            guard,
            address: access.address.term,
            width: access.width,
            alignment: access.alignment,
            loads: access.loads,
            stored,
            depends,
        });
        self.fail(thread, span, guard, Failure::Access(id));
        let term = self.unrolled.terms.term(Term::Loaded(id), access.width);
        let depends = self
            .model
            .row()
            .dependences
            .then(|| Rc::new(vec![(id, guard)]));
        Value { term, depends }
    }

    /// What a load of a constant object gives, where its address is known.
    fn constant_at(&mut self, access: &Access) -> Option<Value> {
        let address = self.unrolled.terms.known(access.address.term)?;
        let (object, _) = self.unrolled.locate(address)?;
        if self.unrolled.objects[object].kind != ObjectKind::Constant {
            return None;
        }
        let (word, undefined) =
            self.unrolled
                .initial(self.program, address, access.width.bytes())?;
        (undefined == 0).then(|| Value::new(self.unrolled.terms.constant(word, access.width)))
    }

    pub(super) fn fence(&mut self, at: At, orders: Orderings) {
        let orders = self.model.effective(orders);
        if !orders.is_empty() {
            self.fence_of(at, orders, FenceAt::Nothing);
        }
    }

    /// A fence at the start or join of a thread, or on its own.
    pub(super) fn fence_of(&mut self, at: At, orders: Orderings, of: FenceAt) {
        self.position += 1;
        self.unrolled.fences.push(Fence {
            thread: at.thread,
            position: self.position,
            guard: at.guard,
            orders,
            step: at.section.map(|(step, _)| step),
            at: of,
            span: at.span,
        });
    }
}
