//! Accesses to memory.
//!
//! A `mov` is an atomic access that acquires where it loads and releases where it stores: what x86 keeps of the order of its
//! loads and stores. So it orders nothing under SC and TSO, which keep that anyway, and under weaker models means what an x86 program
//! means by it. An instruction with `lock`, and `xchg`, is a full fence and one read-modify-write; without `lock` it is a load and a store.
//!
//! Every access has to be at a multiple of its size: others are no single access.

use super::super::atomics::Target;
use super::super::functions::Lowered;
use super::Assembler;
use program::{Access, InstructionKind as Kind, MemoryOrder, Operand, Orderings, UpdateOp, Width};

impl Assembler<'_, '_, '_> {
    /// Loads as `mov` does.
    pub fn load(&mut self, address: Operand, width: Width) -> Operand {
        let target = self.coder.body.register(width);
        self.coder.body.push(Kind::Load {
            target,
            address,
            width,
            access: Access::ordered(MemoryOrder::Acquire, width.bytes().into()),
        });
        target.into()
    }

    /// Stores as `mov` does.
    pub fn store(&mut self, address: Operand, width: Width, value: Operand) {
        self.coder.body.push(Kind::Store {
            address,
            value,
            width,
            access: Access::ordered(MemoryOrder::Release, width.bytes().into()),
        });
    }

    /// A read-modify-write with `lock`; the old value.
    pub fn locked(
        &mut self,
        operation: UpdateOp,
        address: Operand,
        width: Width,
        operand: Operand,
    ) -> Operand {
        let target = self.coder.body.register(width);
        self.coder.body.push(Kind::Update {
            target,
            operation,
            address,
            operand,
            width,
            access: full(width),
        });
        target.into()
    }

    /// A compare-exchange with `lock`: the old value, and whether it wrote.
    pub fn locked_exchange(
        &mut self,
        address: Operand,
        width: Width,
        expected: Operand,
        desired: Operand,
    ) -> Lowered<(Operand, Operand)> {
        let order = MemoryOrder::SequentiallyConsistent;
        let target = Target {
            address,
            order,
            failure: order,
            align: width.bytes().into(),
        };
        let (old, wrote) =
            (self.coder).exchange_if(&[width], target, &[expected], &[desired], false)?;
        Ok((old[0], wrote))
    }

    /// A read-modify-write with `lock` of what no single operation does; the old value.
    pub fn locked_section(
        &mut self,
        address: Operand,
        width: Width,
        change: impl FnOnce(&mut Self, Operand) -> Operand,
    ) -> Operand {
        let body = &mut self.coder.body;
        body.push(Kind::Fence(Orderings::ALL));
        body.push(Kind::AtomicBegin);
        let old = self.load(address, width);
        let new = change(self, old);
        self.store(address, width, new);
        let body = &mut self.coder.body;
        body.push(Kind::AtomicEnd);
        body.push(Kind::Fence(Orderings::ALL));
        old
    }
}

/// What `lock` makes of an access.
fn full(width: Width) -> Access {
    Access::ordered(MemoryOrder::SequentiallyConsistent, width.bytes().into())
}
