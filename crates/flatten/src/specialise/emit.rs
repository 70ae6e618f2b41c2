//! Writing the result: registers, blocks and instructions.

use super::*;
use memory::c11;

impl<'p> Specialiser<'_, 'p> {
    /// A new register.
    pub fn register(&mut self, name: &str, width: Width) -> RegisterId {
        let mut unique = name.to_owned();
        let mut number = 1;
        while !self.names.insert(unique.clone()) {
            number += 1;
            unique = format!("{name} {number}");
        }
        self.registers.push(Register {
            name: unique,
            width,
        });
        RegisterId::from(self.registers.len() - 1)
    }

    pub(super) fn frame(
        &mut self,
        function: FunctionId,
        caller: Option<(usize, BlockId, usize)>,
    ) -> usize {
        let code = &self.draft.program.functions[function.index()];
        let registers = self.registers.len() as u32;
        for register in &code.registers {
            let name = format!("{}.{}", code.name, register.name);
            self.register(&name, register.width);
        }
        self.frames.push(Frame {
            function,
            registers,
            caller,
        });
        self.frames.len() - 1
    }

    pub(super) fn block(&mut self, label: &str) -> BlockId {
        let id = BlockId::from(self.blocks.len());
        self.blocks.push(Block {
            label: format!("{label} {}", id.0),
            instructions: Vec::new(),
            terminator: Terminator::Return(Vec::new()),
            terminator_span: self.span,
        });
        id
    }

    pub fn push(&mut self, kind: Kind) {
        let span = self.span;
        for target in kind.targets() {
            self.known.remove(&target);
        }
        self.blocks[self.current.index()]
            .instructions
            .push(Instruction { kind, span });
    }

    /// Gives a register a value, without code if it is known.
    pub fn set(&mut self, target: RegisterId, value: Expression) {
        let width = self.registers[target.index()].width;
        match fold(&value, width, &self.draft.objects) {
            Some(value) => {
                self.known.insert(target, value);
            }
            None => self.push(Kind::Assign { target, value }),
        }
    }

    /// Gives a new register a value.
    pub fn compute(&mut self, name: &str, width: Width, value: Expression) -> Operand {
        let register = self.register(name, width);
        self.set(register, value);
        substitute(&self.known, register.into())
    }

    pub fn load(&mut self, target: RegisterId, address: Operand, width: Width) {
        let access = Access::ordered(MemoryOrder::Relaxed, 1);
        self.push(Kind::Load {
            target,
            address,
            width,
            access,
        });
    }

    pub fn store(&mut self, address: Operand, value: Operand, width: Width) {
        let access = Access::ordered(MemoryOrder::Relaxed, 1);
        if let Operand::Address(location) = address
            && let Some(register) = self.private_register(location, width)
        {
            return self.set(register, Expression::Copy(value));
        }
        self.push(Kind::Store {
            address,
            value,
            width,
            access,
        });
    }

    pub fn full_fence(&mut self) {
        self.push(Kind::Fence(Orderings::ALL));
    }

    /// Gives the execution up unless the location holds something else than 0, and orders what comes later.
    pub fn wait_for(&mut self, address: Operand, after: Orderings) {
        let seen = self.register("seen", Width::W64);
        self.load(seen, address, Width::W64);
        self.push(Kind::Assume {
            condition: seen.into(),
        });
        self.push(Kind::Fence(after));
    }

    pub(super) fn wait_for_start(&mut self) {
        let started = self.draft.signal(self.draft.signals.started, self.thread);
        self.wait_for(started, c11::fence(MemoryOrder::Acquire));
    }

    pub(super) fn end(&mut self, terminator: Terminator) {
        let block = &mut self.blocks[self.current.index()];
        block.terminator = terminator;
        block.terminator_span = self.span;
    }

    /// Ends the thread.
    pub fn end_thread(&mut self, result: Operand) {
        if self.thread > 0 {
            let signals = self.draft.signals;
            if result != Operand::Constant(0) {
                let location = self.draft.signal(signals.result, self.thread);
                self.store(location, result, Width::W64);
            }
            self.full_fence();
            let location = self.draft.signal(signals.ended, self.thread);
            self.store(location, Operand::Constant(1), Width::W64);
        }
        self.end(Terminator::Return(Vec::new()));
    }

    /// The execution is wrong here.
    pub fn fail(&mut self) {
        self.push(Kind::Assert {
            condition: Operand::Constant(0),
        });
        self.end(Terminator::Return(Vec::new()));
    }

    /// Splits control: `then` goes on, if the condition holds; the other block is returned.
    pub fn branch_off(&mut self, condition: Operand) -> BlockId {
        let (then, otherwise) = (self.block("then"), self.block("else"));
        self.end(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        self.current = then;
        otherwise
    }

    /// Ends the current block and another one in a common new one, and goes on there.
    pub fn join(&mut self, other: BlockId) {
        let after = self.block("join");
        self.end(Terminator::Jump(after));
        self.current = other;
        self.end(Terminator::Jump(after));
        self.current = after;
    }

    /// Goes on in another block.
    pub fn switch_to(&mut self, block: BlockId) -> BlockId {
        std::mem::replace(&mut self.current, block)
    }
}
