//! What a thread may do if its loads return any values.
//!
//! Condition (2) of section 2.3.1: "each instruction sequence w_i corresponds to a sequential
//! execution (under standard semantics) of the code for thread i".

use super::values::Values;
use crate::path::{self, Cell};
use program::{
    AccessKind, BlockId, InstructionKind as Kind, Operand, Orderings, Program, Terminator,
    ThreadId, Width, Word,
};
use std::collections::HashSet;

/// A thread from its start to its end, with all values.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its accesses and fences, in program order.
    pub items: Vec<Item>,
    /// The registers, at the end.
    pub registers: Vec<Word>,
}

#[derive(Clone, Copy, Debug)]
pub enum Item {
    Access(Access),
    Fence(Orderings),
}

/// An access with its values.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub cell: usize,
    /// What it loads.
    pub loads: Option<Word>,
    /// What it stores.
    pub stores: Option<Word>,
}

impl Access {
    pub fn kind(&self) -> AccessKind {
        AccessKind {
            load: self.loads.is_some(),
            store: self.stores.is_some(),
        }
    }
}

impl Run {
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.items.iter().filter_map(|item| match item {
            Item::Access(access) => Some(access),
            Item::Fence(_) => None,
        })
    }
}

/// A run so far.
#[derive(Clone)]
struct Walk {
    run: Run,
    block: BlockId,
    next: usize,
}

/// Every run of a thread with values of the sets only.
pub fn runs(program: &Program, cells: &[Cell], values: &Values, thread: ThreadId) -> Vec<Run> {
    let function = program.function_of(thread);
    assert!(
        !function.has_loop(),
        "the oracle does not support loops: {}",
        function.name
    );
    let mut registers = vec![0; function.registers.len()];
    for &(register, value) in &program.threads[thread.index()].initial {
        registers[register.index()] = value;
    }
    let mut open = vec![Walk {
        run: Run {
            items: Vec::new(),
            registers,
        },
        block: BlockId(0),
        next: 0,
    }];
    let mut ended = Vec::new();
    while let Some(mut walk) = open.pop() {
        let block = &function.blocks[walk.block.index()];
        if let Some(instruction) = block.instructions.get(walk.next) {
            let site = (thread.index(), walk.block.index(), walk.next);
            walk.next += 1;
            let targets: Vec<_> = instruction.kind.targets().collect();
            for (written, item) in walk.steps(program, cells, values, thread, &instruction.kind) {
                let mut longer = walk.clone();
                longer.run.items.extend(item);
                if let (Some(word), [target]) = (written, &targets[..]) {
                    let word = function.registers[target.index()].width.truncate(word);
                    longer.run.registers[target.index()] = word;
                    if !values.may_write(site, word) {
                        continue;
                    }
                }
                open.push(longer);
            }
            continue;
        }
        let next = match block.terminator {
            Terminator::Return(_) => {
                ended.push(walk.run);
                continue;
            }
            Terminator::Jump(target) => target,
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match walk.word(condition) {
                0 => otherwise,
                _ => then,
            },
            ref other => panic!("not supported by the oracle: {other:?}"),
        };
        walk.block = next;
        walk.next = 0;
        open.push(walk);
    }
    ended
}

/// What an instruction writes to its register, and its access or fence.
type Step = (Option<Word>, Option<Item>);

impl Walk {
    fn word(&self, operand: Operand) -> Word {
        match operand {
            Operand::Register(register) => self.run.registers[register.index()],
            Operand::Constant(word) => word,
            Operand::Address(address) => address.to_word(),
        }
    }

    /// The cell at an address. Bad accesses end the run without an outcome.
    fn cell_at(&self, cells: &[Cell], address: Operand, width: Width) -> Option<usize> {
        let address = self.word(address);
        let is_it = |cell: &Cell| cell.address == address && cell.width == width;
        cells.iter().position(is_it)
    }

    /// What an instruction may do.
    fn steps(
        &self,
        program: &Program,
        cells: &[Cell],
        values: &Values,
        thread: ThreadId,
        kind: &Kind,
    ) -> Vec<Step> {
        path::check_order(kind);
        let cell_at = |address: Operand, width: Width| self.cell_at(cells, address, width);
        match *kind {
            Kind::Assign { target, value } if path::computes(value) => {
                let function = program.function_of(thread);
                let width = function.registers[target.index()].width;
                let operands = value.operands();
                let operands: Vec<Word> = operands.map(|o| self.word(o)).collect();
                vec![(Some(value.evaluate(&operands, width)), None)]
            }
            Kind::Choose { count, .. } => {
                let choices = 0..self.word(count);
                choices.map(|choice| (Some(choice), None)).collect()
            }
            Kind::Assume { condition } => match self.word(condition) {
                0 => Vec::new(),
                _ => vec![(None, None)],
            },
            Kind::Fence(orderings) => vec![(None, Some(Item::Fence(orderings)))],
            Kind::Load { address, width, .. } => loads(values, cell_at(address, width), |_| None),
            Kind::Store {
                address,
                value,
                width,
                ..
            } => {
                let stored = width.truncate(self.word(value));
                let cell = cell_at(address, width);
                let cell = cell.filter(|cell| values.may_hold(*cell, stored));
                let access = cell.map(|cell| Access {
                    cell,
                    loads: None,
                    stores: Some(stored),
                });
                let step = |access| (None, Some(Item::Access(access)));
                access.map(step).into_iter().collect()
            }
            Kind::Update {
                operation,
                address,
                operand,
                width,
                ..
            } => {
                let operand = width.truncate(self.word(operand));
                loads(values, cell_at(address, width), |old| {
                    Some(operation.apply(width, old, operand))
                })
            }
            Kind::CompareExchange {
                address,
                expected,
                desired,
                width,
                ..
            } => {
                let [expected, desired] =
                    [expected, desired].map(|operand| width.truncate(self.word(operand)));
                loads(values, cell_at(address, width), |old| {
                    (old == expected).then_some(desired)
                })
            }
            ref other => panic!("not supported by the oracle: {other:?}"),
        }
    }
}

/// One step for each value that an access may load.
fn loads(values: &Values, cell: Option<usize>, stores: impl Fn(Word) -> Option<Word>) -> Vec<Step> {
    let Some(cell) = cell else {
        return Vec::new();
    };
    let accesses = values.of_cell(cell).map(|loaded| Access {
        cell,
        loads: Some(loaded),
        stores: stores(loaded),
    });
    let fits = |access: &Access| access.stores.is_none_or(|w| values.may_hold(cell, w));
    let step = |access: Access| (access.loads, Some(Item::Access(access)));
    accesses.filter(fits).map(step).collect()
}

/// Every way to choose a run of each thread in which whatever is loaded is stored by one of
/// them, or initial; others fit no memory order.
pub fn combinations<'a>(threads: &'a [Vec<Run>], cells: &[Cell]) -> Vec<Vec<&'a Run>> {
    let all: Vec<Vec<&Run>> = threads.iter().map(|runs| runs.iter().collect()).collect();
    let mut open = vec![(0, supported(all, cells))];
    let mut found = Vec::new();
    while let Some((thread, left)) = open.pop() {
        if left.iter().any(Vec::is_empty) {
            continue;
        }
        if thread == left.len() {
            found.push(left.concat());
            continue;
        }
        for run in &left[thread] {
            let mut chosen = left.clone();
            chosen[thread] = vec![*run];
            open.push((thread + 1, supported(chosen, cells)));
        }
    }
    found
}

/// Leaves out the runs that load something that no run stores, until there are none.
fn supported<'a>(mut threads: Vec<Vec<&'a Run>>, cells: &[Cell]) -> Vec<Vec<&'a Run>> {
    loop {
        let before: usize = threads.iter().map(Vec::len).sum();
        let initial = cells.iter().map(|cell| cell.initial).enumerate();
        let accesses = threads.iter().flatten().flat_map(|run| run.accesses());
        let stored = accesses.filter_map(|access| Some((access.cell, access.stores?)));
        let stored: HashSet<(usize, Word)> = initial.chain(stored).collect();
        let is_stored = |access: &Access| {
            let loaded = access.loads;
            loaded.is_none_or(|word| stored.contains(&(access.cell, word)))
        };
        for runs in &mut threads {
            runs.retain(|run| run.accesses().all(is_stored));
        }
        if threads.iter().map(Vec::len).sum::<usize>() == before {
            return threads;
        }
    }
}
