//! `xchg`, `xadd`, `cmpxchg` and its wide forms.

use super::super::atomics::Target;
use super::super::functions::Lowered;
use super::Assembler;
use super::operands::Location;
use crate::llvm::asm::instructions::{Flag, Operation};
use crate::llvm::asm::registers::Family;
use crate::llvm::asm::statements::Instruction;
use program::{Binary, InstructionKind as Kind, MemoryOrder, Operand, UpdateOp, Width};

impl Assembler<'_, '_, '_> {
    pub fn exchanging(&mut self, instruction: &Instruction) -> Lowered<()> {
        match instruction.operation {
            Operation::Exchange => self.exchange(instruction),
            Operation::ExchangeAdd => self.exchange_add(instruction),
            Operation::CompareExchange => self.compare_exchange(instruction),
            Operation::CompareExchangePair(half) => self.compare_exchange_pair(instruction, half),
            _ => Err(self.refuse(&format!("`{}`", instruction.text))),
        }
    }

    fn exchange(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (first, second) = self.two(instruction, width)?;
        match (first, second) {
            (Location::Memory(address), register @ Location::Register(..))
            | (register @ Location::Register(..), Location::Memory(address)) => {
                let new = self.value(register, width);
                let old = self.locked(UpdateOp::Exchange, address, width, new);
                self.put(register, width, old)
            }
            (Location::Register(..), Location::Register(..)) => {
                let (a, b) = (self.value(first, width), self.value(second, width));
                let (a, b) = (self.keep(width, a), self.keep(width, b));
                self.put(first, width, b)?;
                self.put(second, width, a)
            }
            _ => Err(self.refuse(&format!("the operands of `{}`", instruction.text))),
        }
    }

    fn exchange_add(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (to, from) = self.two(instruction, width)?;
        let by = self.value(from, width);
        let by = self.keep(width, by);
        let old = match (instruction.locked, to) {
            (true, Location::Memory(address)) => self.locked(UpdateOp::Add, address, width, by),
            (true, _) => return Err(self.refuse("`lock` of what is not in memory")),
            (false, _) => self.value(to, width),
        };
        let old = self.keep(width, old);
        let sum = self.coder.body.binary(Binary::Add, width, old, by);
        self.added(width, old, by, sum);
        self.put(from, width, old)?;
        match instruction.locked {
            true => Ok(()),
            false => self.put(to, width, sum),
        }
    }

    fn compare_exchange(&mut self, instruction: &Instruction) -> Lowered<()> {
        let width = self.known_width(instruction)?;
        let (to, from) = self.two(instruction, width)?;
        if !matches!(from, Location::Register(..)) {
            return Err(self.refuse(&format!("the operands of `{}`", instruction.text)));
        }
        let desired = self.value(from, width);
        let expected = self.read_family(Family::A, width);
        let (old, wrote) = match (instruction.locked, to) {
            (true, Location::Memory(address)) => {
                self.locked_exchange(address, width, expected, desired)?
            }
            (true, _) => return Err(self.refuse("`lock` of what is not in memory")),
            (false, _) => {
                let old = self.value(to, width);
                let old = self.keep(width, old);
                let equal = self.coder.body.binary(Binary::Eq, width, expected, old);
                (old, equal)
            }
        };
        self.compared(width, expected, old);
        self.set(Flag::Zero, wrote);
        if !instruction.locked {
            // It writes in any case.
            let new = self.coder.body.select(width, wrote, desired, old);
            self.put(to, width, new)?;
        }
        self.take_old(Family::A, width, wrote, old);
        Ok(())
    }

    /// Leaves the old value where the expected one was, if they differ.
    fn take_old(&mut self, family: Family, width: Width, wrote: Operand, old: Operand) {
        match self.families[family.index()].map(|register| self.coder.body.width(register)) {
            // What is above 32 bits stays as it is where they are equal.
            Some(whole) if whole > width => {
                let before = self.read_family(family, whole);
                let before = self.keep(whole, before);
                self.write_family(family, width, old);
                let after = self.read_family(family, whole);
                let value = self.coder.body.select(whole, wrote, before, after);
                self.write_family(family, whole, value);
            }
            _ => self.write_family(family, width, old),
        }
    }

    /// `cmpxchg8b`, `cmpxchg16b`: the expected value is in `dx` and `ax`, the new one in `cx` and `bx`.
    fn compare_exchange_pair(&mut self, instruction: &Instruction, half: Width) -> Lowered<()> {
        let [operand] = self.exactly(instruction)?;
        let Location::Memory(address) = self.location(operand, half)? else {
            return Err(self.refuse(&format!("the operand of `{}`", instruction.text)));
        };
        if !instruction.locked {
            return Err(self.refuse(&format!("`{}` without `lock`", instruction.text)));
        }
        let same =
            |this: &Self, a: Family, b: Family| this.values[a.index()] == this.values[b.index()];
        let loads = same(self, Family::A, Family::B) && same(self, Family::D, Family::C);
        let read = |this: &mut Self, family| {
            let value = this.read_family(family, half);
            this.keep(half, value)
        };
        let [low, high] = [Family::A, Family::D].map(|family| read(self, family));
        let [new_low, new_high] = [Family::B, Family::C].map(|family| read(self, family));
        let (old, wrote) = match (half == Width::W64, loads) {
            (true, false) => self.exchange_pair(address, [low, high], [new_low, new_high])?,
            (true, true) => (self.load_pair(address)?, None),
            (false, _) => {
                let expected = self.together(low, high);
                let desired = self.together(new_low, new_high);
                let (old, wrote) = match loads {
                    true => {
                        let zero = Operand::Constant(0);
                        (self.locked(UpdateOp::Add, address, Width::W64, zero), None)
                    }
                    false => {
                        let (old, wrote) =
                            self.locked_exchange(address, Width::W64, expected, desired)?;
                        (old, Some(wrote))
                    }
                };
                let body = &mut self.coder.body;
                let upper = body.binary(Binary::Shr, Width::W64, old, Operand::Constant(32));
                let halves = [old, upper].map(|half| body.resize(Width::W32, half));
                (halves, wrote)
            }
        };
        let [old_low, old_high] = old;
        let wrote = match wrote {
            Some(wrote) => wrote,
            None => {
                let body = &mut self.coder.body;
                let same_low = body.binary(Binary::Eq, half, low, old_low);
                let same_high = body.binary(Binary::Eq, half, high, old_high);
                body.binary(Binary::And, Width::BIT, same_low, same_high)
            }
        };
        self.set(Flag::Zero, wrote);
        if loads {
            // Whether they were equal does not matter: they are now.
            self.write_family(Family::A, half, old_low);
            self.write_family(Family::D, half, old_high);
        } else {
            self.take_old(Family::A, half, wrote, old_low);
            self.take_old(Family::D, half, wrote, old_high);
        }
        Ok(())
    }

    fn together(&mut self, low: Operand, high: Operand) -> Operand {
        let word = Width::W64;
        let body = &mut self.coder.body;
        let [low, high] = [low, high].map(|half| body.resize(word, half));
        let high = body.binary(Binary::Shl, word, high, Operand::Constant(32));
        body.binary(Binary::Or, word, high, low)
    }

    fn exchange_pair(
        &mut self,
        address: Operand,
        expected: [Operand; 2],
        desired: [Operand; 2],
    ) -> Lowered<([Operand; 2], Option<Operand>)> {
        let target = self.pair_target(address);
        let widths = [Width::W64; 2];
        let (old, wrote) = (self.coder).exchange_if(&widths, target, &expected, &desired, false)?;
        Ok(([old[0], old[1]], Some(wrote)))
    }

    /// A compare-exchange that writes what it expects: whether or not it does, it loads 16 bytes and changes nothing. So it may expect
    /// anything, which programs make use of.
    fn load_pair(&mut self, address: Operand) -> Lowered<[Operand; 2]> {
        let target = self.pair_target(address);
        let zeros = [Operand::Constant(0); 2];
        let old = (self.coder).update(UpdateOp::Add, &[Width::W64; 2], target, &zeros)?;
        Ok([old[0], old[1]])
    }

    /// 16 bytes at a multiple of 16, where the processor wants them.
    fn pair_target(&mut self, address: Operand) -> Target {
        let body = &mut self.coder.body;
        let rest = body.binary(Binary::And, Width::W64, address, Operand::Constant(15));
        let condition = body.binary(Binary::Eq, Width::W64, rest, Operand::Constant(0));
        if condition != Operand::Constant(1) {
            body.push(Kind::Assert { condition });
        }
        let order = MemoryOrder::SequentiallyConsistent;
        Target {
            address,
            order,
            failure: order,
            align: 16,
        }
    }
}
