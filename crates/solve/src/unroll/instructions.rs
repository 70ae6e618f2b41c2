//! What instructions do: values, accesses, fences, assertions.

use super::flow::{Flow, Section};
use super::frame::Frame;
use super::values::{Value, depend};
use super::{
    AtomicSection, Dependences, Event, Failure, Fence, FenceAt, Object, Result, Stored, Unroller,
    When, refuse,
};
use crate::guard::Guard;
use crate::term::{EventId, Term, TermId};
use answer::FaultKind;
use memory::Effects;
use program::{
    Callee, FunctionId, InstructionKind as Kind, ObjectKind, Operand, Orderings, Place, RegisterId,
    Span, Width,
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
        let thread = frame.thread;
        let Effects { before, after, .. } = Effects::of(kind);
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
                self.fence(thread, flow, before, span);
                let value = self.access(flow.at(thread, span), access, None);
                self.fence(thread, flow, after, span);
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
                self.fence(thread, flow, before, span);
                self.access(flow.at(thread, span), access, Some((value, flow.guard)));
                self.fence(thread, flow, after, span);
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
                let operand = self.operand(flow, *operand);
                self.fence(thread, flow, before, span);
                let loaded = self.coming(access.width);
                let new = self.update(*operation, access.width, loaded, operand.term, span)?;
                let new = Value {
                    term: new,
                    depends: operand.depends,
                };
                let value = self.access(flow.at(thread, span), access, Some((new, flow.guard)));
                self.fence(thread, flow, after, span);
                self.set(frame, flow, *target, value);
            }
            Kind::CompareExchange { .. } => self.compare_exchange(frame, flow, kind, span),
            Kind::Fence(_) => self.fence(thread, flow, after, span),
            Kind::Call {
                targets,
                callee,
                arguments,
            } => {
                let arguments = arguments.iter();
                let arguments = arguments.map(|argument| self.operand(flow, *argument));
                let arguments: Vec<Value> = arguments.collect();
                let function = match callee {
                    Callee::Function(function) => *function,
                    Callee::Routine(routine) => {
                        return self.routine(frame, flow, *routine, arguments, targets, span);
                    }
                    Callee::Pointer(pointer) => {
                        let pointer = self.operand(flow, *pointer);
                        let known = self.unrolled.terms.known(pointer.term);
                        match known.and_then(|word| self.function_at(word)) {
                            Some(function) => function,
                            None => return refuse("a call of a function that is computed", span),
                        }
                    }
                };
                self.call_function(frame, flow, function, arguments, targets, span)?;
            }
            Kind::Allocate {
                target,
                size,
                name,
                layout,
            } => {
                let size = self.operand(flow, *size);
                let Some(size) = self.unrolled.terms.known(size.term) else {
                    return refuse("an array whose length is computed", span);
                };
                let address = self.make(Object {
                    name: name.clone(),
                    size,
                    of_program: None,
                    made_by: Some(thread),
                    local: true,
                    zeroed: false,
                    kind: ObjectKind::Shared,
                    layout: *layout,
                    span,
                });
                let address = Value::new(self.unrolled.terms.constant(address, Width::W64));
                self.set(frame, flow, *target, address);
            }
            Kind::Assert { condition } => {
                self.note_assertion(thread, flow.guard, span);
                let condition = self.operand(flow, *condition);
                self.check_defined(thread, flow, &condition, span);
                let holds = self.unrolled.terms.holds(condition.term);
                let fails = self.unrolled.terms.guards.minus(flow.guard, holds);
                self.fault(
                    thread,
                    span,
                    fails,
                    FaultKind::Assertion,
                    "assertion failed",
                );
                flow.guard = self.unrolled.terms.guards.and(flow.guard, holds);
            }
            Kind::Assume { condition } => {
                let condition = self.operand(flow, *condition);
                self.check_defined(thread, flow, &condition, span);
                let holds = self.unrolled.terms.holds(condition.term);
                self.assume(flow, holds);
            }
            Kind::Choose { target, count } => {
                let count = self.operand(flow, *count);
                let Some(count) = self.unrolled.terms.known(count.term) else {
                    return refuse("a choice whose number is computed", span);
                };
                let width = self.width(frame, *target);
                let choice = match count {
                    0 => return refuse("a choice of nothing", span),
                    1 => self.unrolled.terms.constant(0, width),
                    _ => self.unrolled.terms.choice(count, width),
                };
                self.set(frame, flow, *target, Value::new(choice));
            }
            Kind::Observe { name, value } => {
                self.noise += 1;
                let value = self.operand(flow, *value);
                let mut observed = self.program.observed.iter();
                let index = observed.position(|o| o.place == Place::Observation && o.name == *name);
                if let Some(index) = index {
                    let others = self.observers[index].replace(thread);
                    if others.is_some_and(|other| other != thread) {
                        return refuse(format!("`{name}`, which two threads observe"), span);
                    }
                    self.check_defined(thread, flow, &value, span);
                    let position = self.position;
                    let when = When { thread, position };
                    self.observations[index].push((flow.guard, value.term, when));
                }
            }
            Kind::AtomicBegin => {
                let (step, depth) = flow.section.unwrap_or((self.steps, 0));
                if depth == 0 {
                    self.around_section(thread, flow, span);
                    self.steps += 1;
                    self.begin_section(thread, flow.guard, step);
                }
                flow.section = Some((step, depth + 1));
            }
            Kind::AtomicEnd => {
                let outer = flow.section.filter(|&(_, depth)| depth == 1);
                let inner = flow.section.filter(|&(_, depth)| depth > 1);
                flow.section = inner.map(|(step, depth)| (step, depth - 1));
                if let Some((step, _)) = outer {
                    self.end_section(thread, flow.guard, step);
                }
                if flow.section.is_none() {
                    self.around_section(thread, flow, span);
                }
            }
        }
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        kind: &'a Kind,
        span: Span,
    ) {
        let thread = frame.thread;
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
        self.fence(thread, flow, before, span);
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
        let value = self.access(flow.at(thread, span), access, Some((new, stores)));
        if self.program.process {
            let what = Failure::Undefined(equal, "a comparison");
            self.fail(thread, span, flow.guard, what);
        }
        self.fence(thread, flow, after, span);
        if let Some(register) = succeeded {
            let [yes, no] = [1, 0].map(|n| self.unrolled.terms.constant(n, Width::BIT));
            let term = self.unrolled.terms.select(success, yes, no);
            let depends = self.merge(&[&value, &expected]);
            self.set(frame, flow, *register, Value { term, depends });
        }
        self.set(frame, flow, *target, value);
    }

    fn call_function(
        &mut self,
        frame: &mut Frame<'a>,
        flow: &mut Flow,
        function: FunctionId,
        arguments: Vec<Value>,
        targets: &[RegisterId],
        span: Span,
    ) -> Result<()> {
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

    fn begin_section(&mut self, thread: usize, guard: Guard, step: u32) {
        self.position += 1;
        let position = self.position;
        self.unrolled.sections.push(AtomicSection {
            step,
            guard,
            begin: When { thread, position },
            ends: Vec::new(),
            may_stay: false,
        });
        self.stays_before.insert(step, self.stays);
    }

    fn end_section(&mut self, thread: usize, guard: Guard, step: u32) {
        self.position += 1;
        let position = self.position;
        let before = self.stays_before.get(&step).copied();
        let mut sections = self.unrolled.sections.iter_mut().rev();
        if let Some(section) = sections.find(|section| section.step == step) {
            section.ends.push((guard, When { thread, position }));
            section.may_stay |= before != Some(self.stays);
        }
    }

    /// On machines no store waits when an atomic section begins or ends. In the paper on
    /// Relaxed atomic blocks order nothing else.
    fn around_section(&mut self, thread: usize, flow: &Flow, span: Span) {
        if self.model.has_machine() {
            self.fence(thread, flow, Orderings::ALL, span);
        }
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

    pub(super) fn fence(&mut self, thread: usize, flow: &Flow, orders: Orderings, span: Span) {
        let orders = self.model.effective(orders);
        if !orders.is_empty() {
            self.fence_at(thread, flow, orders, FenceAt::Nothing, span);
        }
    }

    pub(super) fn fence_at(
        &mut self,
        thread: usize,
        flow: &Flow,
        orders: Orderings,
        at: FenceAt,
        span: Span,
    ) {
        self.position += 1;
        self.unrolled.fences.push(Fence {
            thread,
            position: self.position,
            guard: flow.guard,
            orders,
            step: flow.section.map(|(step, _)| step),
            at,
            span,
        });
    }
}
