//! What becomes of each instruction and terminator of the source.

use super::*;

impl<'p> Specialiser<'_, 'p> {
    /// The operand of an instruction in a frame: its register here, or what is known of it.
    pub(super) fn operand(&self, frame: usize, operand: Operand) -> Operand {
        match operand {
            Operand::Register(register) => {
                let register = self.register_of(frame, register);
                substitute(&self.known, register.into())
            }
            Operand::Constant(_) | Operand::Address(_) => operand,
        }
    }

    pub(super) fn expression(&mut self, frame: usize, value: Expression) -> Expression {
        use Expression::*;
        let of = |operand| self.operand(frame, operand);
        match value {
            Copy(a) => Copy(of(a)),
            SignExtend(width, a) => SignExtend(width, of(a)),
            Unary(operation, width, a) => Unary(operation, width, of(a)),
            Convert(conversion, width, a) => Convert(conversion, width, of(a)),
            Binary(operation, width, a, b) => Binary(operation, width, of(a), of(b)),
            Select(a, b, c) => Select(of(a), of(b), of(c)),
            Own(address) => Copy(Operand::Address(self.own(address))),
        }
    }

    /// The address in the thread's own copy of an object.
    pub(super) fn own(&mut self, address: Address) -> Address {
        let object = match self.own.get(&address.object) {
            Some(object) => *object,
            None => {
                let model = self.draft.objects[address.object.index()].clone();
                let object = self.draft.add_object(&model.name, 0, model.span);
                let copy = &mut self.draft.objects[object.index()];
                (copy.initial, copy.zeros) = (model.initial, model.zeros);
                self.own.insert(address.object, object);
                object
            }
        };
        Address { object, ..address }
    }

    pub(super) fn instruction(
        &mut self,
        frame: usize,
        block: BlockId,
        index: usize,
        kind: &Kind,
    ) -> Result<Next, NotFlat> {
        let of = |this: &Self, operand| this.operand(frame, operand);
        let to = |this: &Self, register| this.register_of(frame, register);
        match *kind {
            Kind::Assign { target, value } => {
                let value = self.expression(frame, value);
                self.assign(to(self, target), value)?;
            }
            Kind::Load {
                target,
                address,
                width,
                access,
            } => self.load_known(to(self, target), of(self, address), width, access),
            Kind::Store {
                address,
                value,
                width,
                access,
            } => self.store_known(of(self, address), of(self, value), width, access),
            Kind::Update {
                target,
                operation,
                address,
                operand,
                width,
                access,
            } => self.push(Kind::Update {
                target: to(self, target),
                operation,
                address: of(self, address),
                operand: of(self, operand),
                width,
                access,
            }),
            Kind::CompareExchange { .. } => self.compare_exchange(frame, kind),
            Kind::Fence(orderings) => self.push(Kind::Fence(orderings)),
            Kind::Call {
                callee,
                ref targets,
                ref arguments,
            } => return self.call((frame, block, index), callee, targets, arguments),
            Kind::Allocate {
                target,
                size,
                ref name,
                ..
            } => {
                let size = of(self, size);
                let object = self.local(frame, block, index, size, name)?;
                let address = Operand::Address(Address::of(object));
                self.set(to(self, target), Expression::Copy(address));
            }
            Kind::Assert { condition } => return Ok(self.assert(of(self, condition))),
            Kind::Assume { condition } => self.assume(of(self, condition)),
            Kind::Choose { target, count } => self.choose(to(self, target), of(self, count))?,
            Kind::Observe { ref name, value } => {
                let value = of(self, value);
                let register = self.observer(name)?;
                self.push(Kind::Assign {
                    target: register,
                    value: Expression::Copy(value),
                });
            }
            Kind::AtomicBegin | Kind::AtomicEnd => return refuse("an atomic section", self.span),
        }
        Ok(Next::On)
    }

    fn assign(&mut self, target: RegisterId, value: Expression) -> Result<(), NotFlat> {
        let width = self.registers[target.index()].width;
        if value.may_fail() && fold(&value, width, &self.draft.objects).is_none() {
            return refuse("a division by something that is computed", self.span);
        }
        self.set(target, value);
        Ok(())
    }

    fn choose(&mut self, target: RegisterId, count: Operand) -> Result<(), NotFlat> {
        if !matches!(count, Operand::Constant(1..=0xffff)) {
            let text = "a choice among a number of values that is computed";
            return refuse(text, self.span);
        }
        self.push(Kind::Choose { target, count });
        Ok(())
    }

    /// A load, unless what it gives is known.
    fn load_known(&mut self, target: RegisterId, address: Operand, width: Width, access: Access) {
        let known = self.known_load(address, width);
        // What it orders is ordered, whatever it loads.
        if known.is_none() || access.order.is_ordering() {
            let target = match known {
                None => target,
                Some(_) => self.register("unused", width),
            };
            self.push(Kind::Load {
                target,
                address,
                width,
                access,
            });
        }
        if let Some(value) = known {
            self.set(target, Expression::Copy(value));
        }
    }

    /// A store, which sets a register if it is to a private local.
    pub fn store_known(&mut self, address: Operand, value: Operand, width: Width, access: Access) {
        let register = match address {
            Operand::Address(address) => self.private_register(address, width),
            Operand::Register(_) | Operand::Constant(_) => None,
        };
        if let Some(register) = register {
            self.set(register, Expression::Copy(value));
        }
        if register.is_none() || access.order.is_ordering() {
            self.push(Kind::Store {
                address,
                value,
                width,
                access,
            });
        }
    }

    fn assert(&mut self, condition: Operand) -> Next {
        match condition {
            Operand::Constant(0) => {
                self.fail();
                return Next::Left;
            }
            Operand::Register(_) => self.push(Kind::Assert { condition }),
            Operand::Constant(_) | Operand::Address(_) => {}
        }
        Next::On
    }

    fn assume(&mut self, condition: Operand) {
        match condition {
            Operand::Register(_) | Operand::Constant(0) => self.push(Kind::Assume { condition }),
            Operand::Constant(_) | Operand::Address(_) => {}
        }
    }

    /// The register that holds what is observed under a name.
    pub(super) fn observer(&mut self, name: &str) -> Result<RegisterId, NotFlat> {
        if let Some(register) = self.observers.get(name) {
            return Ok(*register);
        }
        let register = self.register(&format!("observed {name}"), Width::W64);
        self.observers.insert(name.to_owned(), register);
        let observed = &self.draft.program.observed;
        if let Some(number) = observed
            .iter()
            .position(|observable| observable.name == name)
        {
            let observer = &mut self.draft.observers[number];
            if observer.is_some() {
                return refuse(format!("{name} is observed by two threads"), self.span);
            }
            *observer = Some((self.thread, register));
        }
        Ok(register)
    }

    /// What a load gives without one.
    pub(super) fn known_load(&mut self, address: Operand, width: Width) -> Option<Operand> {
        let Operand::Address(location) = address else {
            return None;
        };
        if let Some(register) = self.private_register(location, width) {
            return Some(substitute(&self.known, register.into()));
        }
        let object = self.draft.objects.get(location.object.index())?;
        let constant =
            object.kind == ObjectKind::Constant || self.facts.constant.contains(&location.object);
        let value = constant.then(|| initial(&self.draft.objects, location, width))?;
        value.and_then(|value| cut(value, width))
    }

    /// The register that stands for a location of a private local.
    pub(super) fn private_register(
        &mut self,
        location: Address,
        width: Width,
    ) -> Option<RegisterId> {
        self.private_objects.get(&location.object)?;
        let end = u64::from(location.offset) + u64::from(width.bytes());
        if end > self.draft.objects[location.object.index()].size() {
            return None;
        }
        if let Some((register, known)) = self.private.get(&location) {
            return (*known == width).then_some(*register);
        }
        let name = self.draft.objects[location.object.index()].name.clone();
        let register = self.register(&name, width);
        self.private.insert(location, (register, width));
        Some(register)
    }

    /// The object of a local.
    pub(super) fn local(
        &mut self,
        frame: usize,
        block: BlockId,
        index: usize,
        size: Operand,
        name: &str,
    ) -> Result<ObjectId, NotFlat> {
        let first = block == BlockId(0);
        if let Some(object) = self.locals.get(&(frame, index)).filter(|_| first) {
            return Ok(*object);
        }
        let Operand::Constant(size @ 0..=0xffff) = size else {
            return refuse("a local whose size is computed", self.span);
        };
        if !first {
            self.only_once("a local");
        }
        let function = self.frames[frame].function;
        let name = match name {
            "" => format!(
                "local of {}",
                self.draft.program.functions[function.index()].shown_name()
            ),
            _ => name.to_owned(),
        };
        let object = self.draft.add_object(&name, size as u32, self.span);
        let made_at = (function, block, index);
        if self.facts.private.contains(&made_at) {
            self.private_objects.insert(object, frame);
        }
        if first {
            self.locals.insert((frame, index), object);
        }
        self.draft.locals.push(Local { object, made_at });
        Ok(object)
    }

    pub(super) fn compare_exchange(&mut self, frame: usize, kind: &Kind) {
        let Kind::CompareExchange {
            target,
            address,
            expected,
            desired,
            width,
            access,
            failure,
            weak,
            succeeded,
        } = *kind
        else {
            return;
        };
        let [address, expected, desired] =
            [address, expected, desired].map(|operand| self.operand(frame, operand));
        let old = self.register("old", width);
        let wrote = self.register("wrote", Width::BIT);
        let failing = weak.then(|| {
            let choice = self.register("succeeds", Width::BIT);
            self.push(Kind::Choose {
                target: choice,
                count: Operand::Constant(2),
            });
            self.branch_off(choice.into())
        });
        self.push(Kind::CompareExchange {
            target: old,
            address,
            expected,
            desired,
            width,
            access,
            failure,
            weak: false,
            succeeded: None,
        });
        let equal = Expression::Binary(Binary::Eq, width, old.into(), expected);
        self.push(Kind::Assign {
            target: wrote,
            value: equal,
        });
        if let Some(failing) = failing {
            // A failed exchange is ordered like one that writes, and counts as a store. One
            // that at most writes what is there is just that.
            let done = self.switch_to(failing);
            self.push(Kind::CompareExchange {
                target: old,
                address,
                expected,
                desired: expected,
                width,
                access,
                failure,
                weak: false,
                succeeded: None,
            });
            // That it did not write still depends on the access.
            let value = Expression::Binary(Binary::Ne, width, old.into(), old.into());
            self.push(Kind::Assign {
                target: wrote,
                value,
            });
            self.join(done);
        }
        let target = self.register_of(frame, target);
        self.set(target, Expression::Copy(old.into()));
        if let Some(succeeded) = succeeded {
            let succeeded = self.register_of(frame, succeeded);
            self.set(succeeded, Expression::Copy(wrote.into()));
        }
    }

    pub(super) fn call(
        &mut self,
        at: (usize, BlockId, usize),
        callee: Callee,
        targets: &[RegisterId],
        arguments: &[Operand],
    ) -> Result<Next, NotFlat> {
        let (frame, block, index) = at;
        let values: Vec<Operand> = arguments.iter().map(|a| self.operand(frame, *a)).collect();
        let function = match callee {
            Callee::Function(function) => function,
            Callee::Pointer(pointer) => {
                let pointer = self.operand(frame, pointer);
                match self.function_at(pointer) {
                    Some(function) => function,
                    None => return refuse("a call through a pointer", self.span),
                }
            }
            Callee::Routine(routine) => {
                let live = &self.draft.live[self.frames[frame].function.index()];
                let live = live.before(block.index(), index + 1);
                let target = targets.iter().find(|target| live.contains(**target));
                let target = target.map(|target| self.register_of(frame, *target));
                return self.routine(routine, &values, target, self.span);
            }
        };
        let code = &self.draft.program.functions[function.index()];
        let mut caller = Some(frame);
        while let Some(above) = caller {
            if self.frames[above].function == function {
                return refuse(format!("recursion through {}", code.name), self.span);
            }
            caller = self.frames[above].caller.map(|(frame, ..)| frame);
        }
        if code.parameters as usize != values.len() {
            return refuse(
                format!("a call of {} with other parameters", code.name),
                self.span,
            );
        }
        let key = (frame, block, index, function);
        let inner = match self.callees.get(&key) {
            Some(inner) => *inner,
            None => {
                let inner = self.frame(function, Some(at));
                self.callees.insert(key, inner);
                inner
            }
        };
        for (number, value) in values.into_iter().enumerate() {
            let parameter = self.register_of(inner, RegisterId::from(number));
            self.set(parameter, Expression::Copy(value));
        }
        let first = self.target(inner, BlockId(0), 0)?;
        self.end(Terminator::Jump(first));
        Ok(Next::Left)
    }

    /// The function at a known address.
    pub fn function_at(&self, pointer: Operand) -> Option<FunctionId> {
        let Operand::Address(Address { object, offset: 0 }) = pointer else {
            return None;
        };
        match self.draft.objects.get(object.index())?.kind {
            ObjectKind::Code(function) => Some(function),
            _ => None,
        }
    }

    pub(super) fn terminator(
        &mut self,
        frame: usize,
        terminator: &Terminator,
    ) -> Result<(), NotFlat> {
        match terminator {
            Terminator::Jump(block) => {
                let target = self.target(frame, *block, 0)?;
                self.end(Terminator::Jump(target));
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match self.operand(frame, *condition) {
                condition @ Operand::Register(_) => {
                    let then = self.target(frame, *then, 0)?;
                    let otherwise = self.target(frame, *otherwise, 0)?;
                    self.end(Terminator::Branch {
                        condition,
                        then,
                        otherwise,
                    });
                }
                value => {
                    let zero = value == Operand::Constant(0);
                    let next = if zero { otherwise } else { then };
                    let target = self.target(frame, *next, 0)?;
                    self.end(Terminator::Jump(target));
                }
            },
            Terminator::Switch {
                value,
                cases,
                otherwise,
            } => {
                let value = self.operand(frame, *value);
                self.switch(frame, value, cases, *otherwise)?;
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|value| self.operand(frame, *value));
                let values: Vec<Operand> = values.collect();
                self.leave(frame, &values)?;
            }
            Terminator::Unreachable => self.fail(),
        }
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        frame: usize,
        value: Operand,
        cases: &[(Word, BlockId)],
        otherwise: BlockId,
    ) -> Result<(), NotFlat> {
        if let Operand::Constant(word) = value {
            let found = cases.iter().find(|(case, _)| *case == word);
            let block = found.map_or(otherwise, |(_, block)| *block);
            let target = self.target(frame, block, 0)?;
            self.end(Terminator::Jump(target));
            return Ok(());
        }
        for (case, block) in cases {
            let case = Operand::Constant(*case);
            let equal = Expression::Binary(Binary::Eq, Width::W64, value, case);
            let is = self.register("case", Width::BIT);
            self.push(Kind::Assign {
                target: is,
                value: equal,
            });
            let then = self.target(frame, *block, 0)?;
            let next = self.block("next case");
            self.end(Terminator::Branch {
                condition: is.into(),
                then,
                otherwise: next,
            });
            self.current = next;
        }
        let target = self.target(frame, otherwise, 0)?;
        self.end(Terminator::Jump(target));
        Ok(())
    }

    /// Returns from a function.
    pub(super) fn leave(&mut self, frame: usize, values: &[Operand]) -> Result<(), NotFlat> {
        let Some((caller, block, index)) = self.frames[frame].caller else {
            self.end_thread(values.first().copied().unwrap_or(Operand::Constant(0)));
            return Ok(());
        };
        let function = self.frames[caller].function;
        let program = self.draft.program;
        let code = &program.functions[function.index()].blocks[block.index()];
        let targets: Vec<RegisterId> = code.instructions[index].kind.targets().collect();
        for (number, target) in targets.into_iter().enumerate() {
            let Some(value) = values.get(number) else {
                return refuse("a call whose result is not there", self.span);
            };
            let target = self.register_of(caller, target);
            self.set(target, Expression::Copy(*value));
        }
        let target = self.target(caller, block, index + 1)?;
        self.end(Terminator::Jump(target));
        Ok(())
    }
}
