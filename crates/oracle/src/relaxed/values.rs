//! Which values registers and cells may have.
//!
//! Section 3.4 of the paper: "we use a simple light-weight flow-insensitive analysis to
//! calculate for each SSA register *r* and each memory location *m* sets S_r, S_m that
//! conservatively approximate the values that *r* or *m* may contain during a valid
//! execution. […] First, initialize S_r and S_m to be the empty set. Then, keep propagating
//! values as follows until a fixpoint is reached:
//!
//! - constant assignments of the form r = c propagate the value c to the set S_r.
//! - assignments of the form r = f(r1, …, rk) propagate values from the sets S_r1, …, S_rk to
//!   the set S_r (applying the function).
//! - stores of the form *r' = r propagate values from the set S_r to the sets
//!   { S_m | m in S_r' }.
//! - loads of the form r = *r' propagate values from the sets { S_m | m in S_r' } to the set
//!   S_r.
//!
//! This analysis is sound for executions that do not have circular value dependencies. To
//! ensure termination, we need an additional mechanism. First, we count the number of
//! assignments in the test that have unbounded range. […] During the propagation of values,
//! we tag each value with the number of such functions it has traversed. If that number ever
//! exceeds the total number of such functions in the test, we can discard the value."
//!
//! Read as follows:
//!
//! 1. Initial values are in S_m. Branches and `Assume` refine nothing.
//! 2. An instruction that writes a register is an SSA register; a use takes the union of those
//!    that reach it.
//! 3. Only what computes with something loaded, and whose result gets into something stored,
//!    can make ever new values. Of such instructions all count but copies, selections,
//!    comparisons and exchanges. A value's tag is the least over all ways to make it, where a
//!    way through one that counts has one more than the largest tag of its operands.

use crate::path::{self, Cell};
use program::{
    Expression, Function, InstructionKind as Kind, Operand, Program, ThreadId, UpdateOp, Width,
    Word,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Values with their tags.
type Set = BTreeMap<Word, usize>;

/// An instruction: its thread, block and index.
pub type Site = (usize, usize, usize);

/// S_r and S_m.
#[derive(Clone, Default, PartialEq)]
pub struct Values {
    /// For each instruction that writes a register.
    registers: HashMap<Site, Set>,
    /// For each cell.
    memory: Vec<Set>,
    /// The largest tag.
    most: usize,
}

/// What an operand's value may come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Definition {
    Constant(Word),
    At(Site),
}

type Definitions = BTreeSet<Definition>;

/// An instruction, and what its operands may come from.
struct Found<'p> {
    site: Site,
    function: &'p Function,
    kind: &'p Kind,
    operands: Vec<Definitions>,
}

/// The sets of a program.
pub fn values(program: &Program, cells: &[Cell]) -> Values {
    let threads = 0..program.threads.len();
    let code: Vec<Found> = threads.flat_map(|t| instructions(program, t)).collect();
    let counted = counted(&code);
    let mut values = Values {
        registers: HashMap::new(),
        memory: cells.iter().map(|c| Set::from([(c.initial, 0)])).collect(),
        most: counted.len(),
    };
    loop {
        let before = values.clone();
        for found in &code {
            let tag = usize::from(counted.contains(&found.site));
            values.propagate(cells, found, tag);
        }
        if values == before {
            return values;
        }
    }
}

/// The instructions of a thread that control may reach, with reaching definitions.
fn instructions(program: &Program, thread: usize) -> Vec<Found<'_>> {
    let function = program.function_of(ThreadId::from(thread));
    let mut initial = vec![0; function.registers.len()];
    for (register, value) in &program.threads[thread].initial {
        initial[register.index()] = *value;
    }
    let constant = |word: Word| BTreeSet::from([Definition::Constant(word)]);
    // What reaches the start of each block: nothing at first.
    let mut entries = vec![vec![Definitions::new(); initial.len()]; function.blocks.len()];
    entries[0] = initial.into_iter().map(constant).collect();
    loop {
        let before = entries.clone();
        let mut code = Vec::new();
        for (block, found) in function.blocks.iter().enumerate() {
            let mut current = entries[block].clone();
            for (index, instruction) in found.instructions.iter().enumerate() {
                let site = (thread, block, index);
                let reaching = |operand| match operand {
                    Operand::Register(register) => current[register.index()].clone(),
                    Operand::Constant(word) => constant(word),
                    Operand::Address(address) => constant(address.to_word()),
                };
                let kind = &instruction.kind;
                let operands = kind.operands().map(reaching).collect();
                code.push(Found {
                    site,
                    function,
                    kind,
                    operands,
                });
                for target in kind.targets() {
                    current[target.index()] = BTreeSet::from([Definition::At(site)]);
                }
            }
            for next in found.terminator.successors() {
                for (all, more) in entries[next.index()].iter_mut().zip(&current) {
                    all.extend(more);
                }
            }
        }
        if entries == before {
            return code;
        }
    }
}

/// The instructions that count: see the head of this file.
fn counted(code: &[Found]) -> HashSet<Site> {
    let loads = |kind: &Kind| {
        let updates = matches!(kind, Kind::Update { .. } | Kind::CompareExchange { .. });
        updates || matches!(kind, Kind::Load { .. })
    };
    let mut loaded: HashSet<Site> = HashSet::new();
    let mut stored: HashSet<Site> = HashSet::new();
    loop {
        let before = (loaded.len(), stored.len());
        for found in code {
            let is_loaded = |definition: &Definition| matches!(definition, Definition::At(site) if loaded.contains(site));
            let computed = matches!(found.kind, Kind::Assign { .. });
            let passed = found.passed();
            if loads(found.kind) || computed && passed.iter().any(is_loaded) {
                loaded.insert(found.site);
            }
            if !computed || stored.contains(&found.site) {
                let sites = passed.iter().filter_map(|definition| match definition {
                    Definition::At(site) => Some(*site),
                    Definition::Constant(_) => None,
                });
                stored.extend(sites);
            }
        }
        if (loaded.len(), stored.len()) == before {
            break;
        }
    }
    let counts = |found: &&Found| match found.kind {
        Kind::Assign { value, .. } => {
            let computes = match value {
                Expression::Copy(_) | Expression::Select(..) => false,
                Expression::Binary(operation, ..) => !operation.is_comparison(),
                _ => true,
            };
            computes && loaded.contains(&found.site) && stored.contains(&found.site)
        }
        Kind::Update { operation, .. } => *operation != UpdateOp::Exchange,
        _ => false,
    };
    let counting = code.iter().filter(counts);
    counting.map(|found| found.site).collect()
}

impl Found<'_> {
    /// What the value comes from that the instruction computes or stores.
    fn passed(&self) -> Definitions {
        let operands = match self.kind {
            Kind::Assign { value, .. } => match value {
                Expression::Select(..) => &self.operands[1..],
                _ => &self.operands[..],
            },
            Kind::Store { .. } | Kind::Update { .. } => &self.operands[1..],
            Kind::CompareExchange { .. } => &self.operands[2..],
            _ => &[],
        };
        operands.iter().flatten().copied().collect()
    }
}

impl Values {
    /// Whether an instruction may write a value to its register.
    pub fn may_write(&self, site: Site, word: Word) -> bool {
        let set = self.registers.get(&site);
        set.is_some_and(|set| set.contains_key(&word))
    }

    /// Whether a cell may have a value.
    pub fn may_hold(&self, cell: usize, word: Word) -> bool {
        self.memory[cell].contains_key(&word)
    }

    /// The values that a cell may have.
    pub fn of_cell(&self, cell: usize) -> impl Iterator<Item = Word> {
        self.memory[cell].keys().copied()
    }

    fn propagate(&mut self, cells: &[Cell], found: &Found, tag: usize) {
        let (site, kind) = (found.site, found.kind);
        path::check_order(kind);
        let operands = found.operands.iter();
        let operands: Vec<Set> = operands.map(|d| self.of_definitions(d)).collect();
        let registers = &found.function.registers;
        let places = |address: &Set, width: Width| -> Vec<usize> {
            let is_there = |cell: &Cell| cell.width == width && address.contains_key(&cell.address);
            (0..cells.len()).filter(|c| is_there(&cells[*c])).collect()
        };
        match *kind {
            Kind::Assign { target, value } => {
                let width = registers[target.index()].width;
                for (words, most) in tuples(&operands) {
                    self.write(site, value.evaluate(&words, width), most + tag);
                }
            }
            Kind::Choose { target, .. } => {
                let width = registers[target.index()].width;
                for count in operands[0].keys() {
                    for choice in 0..*count {
                        self.write(site, width.truncate(choice), 0);
                    }
                }
            }
            Kind::Load { width, .. } => {
                for cell in places(&operands[0], width) {
                    self.load(site, cell);
                }
            }
            Kind::Store { width, .. } => {
                for cell in places(&operands[0], width) {
                    self.store(cell, width, &operands[1]);
                }
            }
            Kind::Update {
                operation, width, ..
            } => {
                for cell in places(&operands[0], width) {
                    self.load(site, cell);
                    let both = [self.memory[cell].clone(), operands[1].clone()];
                    for (words, most) in tuples(&both) {
                        let operand = width.truncate(words[1]);
                        let word = operation.apply(width, words[0], operand);
                        self.store(cell, width, &Set::from([(word, most + tag)]));
                    }
                }
            }
            Kind::CompareExchange { width, .. } => {
                for cell in places(&operands[0], width) {
                    self.load(site, cell);
                    self.store(cell, width, &operands[2]);
                }
            }
            Kind::Fence(_) | Kind::Assume { .. } => {}
            ref other => panic!("not supported by the oracle: {other:?}"),
        }
    }

    fn of_definitions(&self, definitions: &Definitions) -> Set {
        let mut set = Set::new();
        for definition in definitions {
            match definition {
                Definition::Constant(word) => add(&mut set, *word, 0),
                Definition::At(site) => {
                    for (word, tag) in self.registers.get(site).into_iter().flatten() {
                        add(&mut set, *word, *tag);
                    }
                }
            }
        }
        set
    }

    fn write(&mut self, site: Site, word: Word, tag: usize) {
        if tag <= self.most {
            add(self.registers.entry(site).or_default(), word, tag);
        }
    }

    fn load(&mut self, site: Site, cell: usize) {
        for (word, tag) in self.memory[cell].clone() {
            self.write(site, word, tag);
        }
    }

    fn store(&mut self, cell: usize, width: Width, set: &Set) {
        for (word, tag) in set {
            if *tag <= self.most {
                add(&mut self.memory[cell], width.truncate(*word), *tag);
            }
        }
    }
}

/// Adds a value, with the least of its tags.
fn add(set: &mut Set, word: Word, tag: usize) {
    let known = set.entry(word).or_insert(tag);
    *known = tag.min(*known);
}

/// Every way to take a value from each set, with the largest tag.
fn tuples(sets: &[Set]) -> Vec<(Vec<Word>, usize)> {
    sets.iter().fold(vec![(Vec::new(), 0)], |tuples, set| {
        let longer = tuples.iter().flat_map(|(words, most)| {
            set.iter().map(move |(word, tag)| {
                let words = [&words[..], &[*word]].concat();
                (words, *tag.max(most))
            })
        });
        longer.collect()
    })
}
