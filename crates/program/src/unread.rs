//! Memory that nobody reads, such as a counter for statistics that is only counted on.
//!
//! An object is *unread* if its address is used for nothing but loads, plain or relaxed stores, and read-modify-writes at constant offsets, and whatever they read of it
//! is used for nothing but to compute what is stored to unread objects. So no branch, address, assertion or observation depends
//! on what it holds. [`Program::without_unread`] makes a program in which it holds 0 for ever: its stores are left
//! out, under SC and TSO also plain and relaxed loads, and all other accesses go to a copy of it that each thread has of its own, where they
//! read and write 0.
//!
//! **Why that is right** under SC, TSO and PSO. Let `E` be an execution of the program, as an order of all accesses in memory. Without
//! the accesses that are left out it is one of the new program, for fewer accesses put fewer others in order, and nothing depends on the
//! values. Let `E'` be one of the new program. All accesses that stayed keep their points in memory, and now go to the object itself. A
//! store `w` that was left out gets a point after every access `x` that the model puts before it and before every `y` that
//! it puts after it. There is one, because `x` is before `y` without `w`, too. If `y` comes after `w` by a fence, or as a store
//! under TSO, that orders `x` and `y` as well, for `x` is a store, or a load, which comes before everything later in these models. If
//! `y` is a read-modify-write of the object, it waits for `w`, and `w` for the stores `x` before a StoreStore fence; for those it
//! waits anyway. The same for a load `w` that was left out: `x` is a load, or a store before a fence, and `y` anything later; under SC and TSO
//! `x` is before `y` anyway. (Under PSO a StoreLoad fence with a load behind it keeps stores in order, which it does not alone.) Every load of the object reads what is there at its point, and nothing depends on that. (Under RMO this is not so: a
//! load comes before a store that depends on it, and by a StoreStore fence before the next one, but only by way of that store.)
//!
//! Not for questions about traces, or data races: accesses that are left out are part of both.

use crate::{
    Address, Expression, Instruction, InstructionKind, LiveAtStarts, Object, ObjectId, ObjectKind,
    ObservedLocation, Operand, Program, Register, RegisterId, UpdateOp, Width,
};

impl Program {
    /// The program without what its unread objects hold, for SC and TSO, or, where `stores_overtake` each other, for PSO; none if it
    /// has no such objects.
    pub fn without_unread(&self, stores_overtake: bool) -> Option<Program> {
        let mut unread = self.never_exposed();
        while unread.contains(&true) {
            let mut program = self.clone();
            program.forget(&unread);
            if !program.still_needs(&mut unread) {
                program.leave_out(unread.len(), stores_overtake);
                program.remove_dead_writes(|_| false);
                program.find_own_copies(unread.len());
                return Some(program);
            }
        }
        None
    }

    /// Shared objects of which only accesses at constant offsets name the address, all of them in bounds.
    fn never_exposed(&self) -> Vec<bool> {
        let objects = self.objects.iter();
        let mut hidden: Vec<bool> = objects
            .map(|object| {
                object.kind == ObjectKind::Shared && object.size() < 1 << Address::OFFSET_BITS
            })
            .collect();
        let mut expose = |word: u64| {
            let pages = |word: u64| word >> Address::OFFSET_BITS;
            let object = pages(word).checked_sub(pages(Address::BASE));
            let object = object.and_then(|object| hidden.get_mut(object as usize));
            object.into_iter().for_each(|hidden| *hidden = false);
        };
        for observable in &self.observed {
            if let ObservedLocation::Memory(address) = observable.location {
                expose(address.to_word());
            }
        }
        let words = self.objects.iter().flat_map(words_in);
        words.for_each(&mut expose);
        for thread in &self.threads {
            thread.initial.iter().for_each(|(_, word)| expose(*word));
        }
        for function in &self.functions {
            for block in &function.blocks {
                for instruction in &block.instructions {
                    let accessed = accessed(&instruction.kind);
                    let sound = accessed.filter(|access| {
                        self.is_in_bounds(*access) && !is_ordering_store(&instruction.kind)
                    });
                    let skipped = usize::from(sound.is_some());
                    // The address comes first.
                    let others = instruction.kind.operands().skip(skipped);
                    others.filter_map(word_of).for_each(&mut expose);
                }
                let operands = block.terminator.operands().iter().copied();
                operands.filter_map(word_of).for_each(&mut expose);
            }
        }
        hidden
    }

    fn is_in_bounds(&self, (address, width, alignment): (Address, Width, u8)) -> bool {
        let object = &self.objects[address.object.index()];
        let end = u64::from(address.offset) + u64::from(width.bytes());
        width.is_access()
            && end <= object.size()
            && u64::from(address.offset) & ((1 << alignment) - 1) == 0
    }

    /// Gives each thread copies of unread objects, which hold 0 for ever.
    fn forget(&mut self, unread: &[bool]) {
        let mut places: Vec<ObjectId> = (0..unread.len()).map(ObjectId::from).collect();
        for index in (0..unread.len()).filter(|index| unread[*index]) {
            let object = &mut self.objects[index];
            object.zeros += object.initial.len() as u32;
            object.initial.clear();
            let own = Object {
                name: format!("{} of a thread", object.name),
                kind: ObjectKind::PerThread,
                ..object.clone()
            };
            places[index] = ObjectId::from(self.objects.len());
            self.objects.push(own);
        }
        let blocks = self
            .functions
            .iter_mut()
            .flat_map(|function| &mut function.blocks);
        for instruction in blocks.flat_map(|block| &mut block.instructions) {
            let accessed = accessed(&instruction.kind);
            let Some((to, ..)) = accessed.filter(|(to, ..)| unread[to.object.index()]) else {
                continue;
            };
            let place = Operand::Address(Address {
                object: places[to.object.index()],
                ..to
            });
            match &mut instruction.kind {
                InstructionKind::Load { address, .. } => *address = place,
                InstructionKind::Store { address, value, .. } => {
                    (*address, *value) = (place, Operand::Constant(0));
                }
                InstructionKind::Update {
                    address,
                    operation,
                    operand,
                    ..
                } => {
                    (*address, *operand) = (place, Operand::Constant(0));
                    *operation = UpdateOp::Or;
                }
                _ => {
                    unreachable!("no other instruction accesses memory by a constant address here")
                }
            }
        }
    }

    /// Takes those out of the unread objects whose value something needs; whether there are any. The program has been made to forget
    /// them.
    fn still_needs(&self, unread: &mut [bool]) -> bool {
        let copied = (0..unread.len()).filter(|index| unread[*index]);
        let copied: Vec<usize> = copied.collect();
        let mut some = false;
        for function in &self.functions {
            let needed = LiveAtStarts::needed(function);
            for (number, block) in function.blocks.iter().enumerate() {
                let mut live = needed.at_terminator(function, number);
                for (position, instruction) in block.instructions.iter().enumerate().rev() {
                    let mut targets = instruction.kind.targets();
                    if targets.any(|target| live.contains(target))
                        && let Some((to, ..)) = accessed(&instruction.kind)
                        && let Some(copy) = to.object.index().checked_sub(unread.len())
                    {
                        unread[copied[copy]] = false;
                        some = true;
                    }
                    needed.step_back(function, number, position, &mut live);
                }
            }
        }
        some
    }

    /// Leaves out accesses to the copies, which are all objects from this number on, unless they order something.
    fn leave_out(&mut self, first_copy: usize, stores_overtake: bool) {
        let blocks = self
            .functions
            .iter_mut()
            .flat_map(|function| &mut function.blocks);
        for block in blocks {
            block.instructions.retain(|instruction| {
                let accessed = accessed(&instruction.kind);
                let touched = accessed.is_some_and(|(to, ..)| to.object.index() >= first_copy);
                let orders = match &instruction.kind {
                    InstructionKind::Load { access, .. } => {
                        stores_overtake || access.order.is_ordering()
                    }
                    InstructionKind::Store { .. } => false,
                    _ => true,
                };
                !touched || orders
            });
        }
    }

    /// Lets each thread find its copies, which are all objects from this number on.
    fn find_own_copies(&mut self, first_copy: usize) {
        for function in &mut self.functions {
            let own = RegisterId::from(function.registers.len());
            let mut used = false;
            for block in &mut function.blocks {
                let mut instructions = Vec::with_capacity(block.instructions.len());
                for mut instruction in std::mem::take(&mut block.instructions) {
                    if let Some((to, ..)) = accessed(&instruction.kind)
                        && to.object.index() >= first_copy
                        && let Some(address) = address_of(&mut instruction.kind)
                    {
                        *address = Operand::Register(own);
                        used = true;
                        instructions.push(Instruction {
                            kind: InstructionKind::Assign {
                                target: own,
                                value: Expression::Own(to),
                            },
                            span: instruction.span,
                        });
                    }
                    instructions.push(instruction);
                }
                block.instructions = instructions;
            }
            if used {
                function.registers.push(Register {
                    name: "own copy".to_owned(),
                    width: Width::W64,
                });
            }
        }
    }
}

/// The address of a load, store or update.
fn address_of(kind: &mut InstructionKind) -> Option<&mut Operand> {
    match kind {
        InstructionKind::Load { address, .. }
        | InstructionKind::Store { address, .. }
        | InstructionKind::Update { address, .. } => Some(address),
        _ => None,
    }
}

/// The constant address that a load, store or update accesses, the width, and how the address is aligned.
fn accessed(kind: &InstructionKind) -> Option<(Address, Width, u8)> {
    let (InstructionKind::Load {
        address,
        width,
        access,
        ..
    }
    | InstructionKind::Store {
        address,
        width,
        access,
        ..
    }
    | InstructionKind::Update {
        address,
        width,
        access,
        ..
    }) = kind
    else {
        return None;
    };
    match address {
        Operand::Address(address) => Some((*address, *width, access.alignment)),
        Operand::Register(_) | Operand::Constant(_) => None,
    }
}

/// True for a store that orders other accesses, so that it cannot be left out.
fn is_ordering_store(kind: &InstructionKind) -> bool {
    matches!(kind, InstructionKind::Store { access, .. } if access.order.is_ordering())
}

fn word_of(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Register(_) => None,
        Operand::Constant(word) => Some(word),
        Operand::Address(address) => Some(address.to_word()),
    }
}

/// Every word that an object holds at the start, wherever it begins.
fn words_in(object: &Object) -> Vec<u64> {
    let bytes = object.initial.iter().flat_map(|cell| {
        let bytes = cell.to_le_bytes();
        bytes.into_iter().take(object.cell.bytes() as usize)
    });
    // Zeros at the end are not in the list.
    let bytes: Vec<u8> = bytes.chain([0; 7]).collect();
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    bytes.windows(8).map(word).collect()
}
