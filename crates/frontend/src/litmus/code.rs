//! Laying out the code of one thread: labels, blocks and temporary registers.

use super::complaint::{Detail, complaint};
use super::text::Token;
use program::{
    Binary, Block, BlockId, Diagnostic, Expression, Function, Instruction, InstructionKind,
    Operand, Orderings, Register, RegisterId, Source, Span, Terminator, Width,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The labels of one thread. A label stands before the instruction of its
/// position; the position after the last instruction is the end.
#[derive(Default)]
pub struct Labels {
    /// In the order of the text, so that positions never decrease.
    all: Vec<(Token, usize)>,
    /// The positions that each name labels.
    positions: HashMap<String, Vec<usize>>,
    /// The first label at each position.
    first: BTreeMap<usize, Token>,
}

impl Labels {
    /// Adds a label, which no other may be called. Numbers may come again.
    pub fn add(
        &mut self,
        source: &Source,
        label: &Token,
        position: usize,
    ) -> Result<(), Diagnostic> {
        let positions = self.positions.entry(label.text.clone()).or_default();
        if !positions.is_empty() && label.number().is_none() {
            let message = format!("label `{}` stands twice in this processor", label.text);
            let mut same = self
                .all
                .iter()
                .filter(|(other, _)| other.text == label.text);
            let before = same.next().map_or(label.span, |(other, _)| other.span);
            return Err(complaint(source, label.span, message).beside(before, "here first"));
        }
        positions.push(position);
        self.first.entry(position).or_insert_with(|| label.clone());
        self.all.push((label.clone(), position));
        Ok(())
    }

    /// The position that a jump at `from` to `target` goes to. `1b` and `1f` are
    /// the nearest `1` before and after.
    pub fn position(
        &self,
        source: &Source,
        target: &Token,
        from: usize,
    ) -> Result<usize, Diagnostic> {
        let name = target.text.as_str();
        let numbered = |suffix: char| name.strip_suffix(suffix).filter(|n| is_number(n));
        let named = |name: &str| self.positions.get(name).map_or(&[][..], Vec::as_slice);
        let found = if let Some(number) = numbered('b') {
            let before = named(number).iter().take_while(|at| **at <= from);
            before.last()
        } else if let Some(number) = numbered('f') {
            named(number).iter().find(|at| **at > from)
        } else if let [only] = named(name) {
            Some(only)
        } else {
            None
        };
        found.copied().ok_or_else(|| {
            let known = self.all.iter().map(|(label, _)| label.text.as_str());
            complaint(source, target.span, format!("no label `{name}`"))
                .expected("a label of this processor")
                .meant(name, known)
        })
    }

    /// The first label at a position.
    pub fn first_at(&self, position: usize) -> Option<&Token> {
        self.first.get(&position)
    }

    /// Labels that stand where another one stands before them, with that one.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().filter_map(|(label, position)| {
            let first = self.first_at(*position)?;
            (first.text != label.text).then_some((label.text.as_str(), first.text.as_str()))
        })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// The code of one thread, as far as it is laid out.
pub struct Code {
    registers: Vec<Register>,
    named: HashMap<String, RegisterId>,
    blocks: Vec<Block>,
    /// Blocks in the order in which they are laid out.
    order: Vec<BlockId>,
    /// Blocks that a label starts, by position.
    labelled: BTreeMap<usize, BlockId>,
    /// The names of labels and blocks.
    names: HashSet<String>,
    /// For each stem the number that its next fresh name may have.
    fresh: HashMap<String, usize>,
    /// The block that instructions go to; nothing after a jump.
    current: Option<BlockId>,
    span: Span,
    words: usize,
    bits: usize,
}

impl Code {
    /// Code with these labels and nothing else yet.
    pub fn new(labels: &Labels) -> Self {
        let mut code = Code {
            registers: Vec::new(),
            named: HashMap::new(),
            blocks: Vec::new(),
            order: Vec::new(),
            labelled: BTreeMap::new(),
            names: labels.positions.keys().cloned().collect(),
            fresh: HashMap::new(),
            current: None,
            span: Span::NOWHERE,
            words: 0,
            bits: 0,
        };
        if labels.first_at(0).is_none() {
            let entry = code.fresh("entry");
            code.start(entry);
        }
        let mut taken = HashSet::new();
        for (position, label) in &labels.first {
            // A number may label several places.
            let block = match taken.insert(&label.text) {
                true => code.block(label.text.clone()),
                false => code.fresh(&label.text),
            };
            code.labelled.insert(*position, block);
        }
        code
    }

    fn block(&mut self, label: String) -> BlockId {
        self.names.insert(label.clone());
        self.blocks.push(Block {
            label,
            instructions: Vec::new(),
            terminator: Terminator::Return(Vec::new()),
            terminator_span: Span::NOWHERE,
        });
        BlockId::from(self.blocks.len() - 1)
    }

    /// A block with a name like `stem` that no label has.
    pub fn fresh(&mut self, stem: &str) -> BlockId {
        loop {
            let number = self.fresh.entry(stem.to_owned()).or_default();
            let name = match *number {
                0 => stem.to_owned(),
                number => format!("{stem}_{number}"),
            };
            *number += 1;
            if !self.names.contains(&name) {
                return self.block(name);
            }
        }
    }

    /// Goes on at the instruction of this position, which a label may start.
    pub fn reach(&mut self, position: usize) {
        if let Some(block) = self.labelled.get(&position).copied() {
            self.start(block);
        }
    }

    /// Goes on in `block`, falling through from the one before.
    pub fn start(&mut self, block: BlockId) {
        self.at(Span::NOWHERE);
        if self.current.is_some() {
            self.end(Terminator::Jump(block));
        }
        self.order.push(block);
        self.current = Some(block);
    }

    /// The block that a jump to `position` goes to.
    pub fn target(&mut self, position: usize) -> BlockId {
        if let Some(block) = self.labelled.get(&position) {
            return *block;
        }
        let block = self.fresh("next");
        self.labelled.insert(position, block);
        block
    }

    /// Sets the span of what is added from here on.
    pub fn at(&mut self, span: Span) {
        self.span = span;
        self.words = 0;
        self.bits = 0;
    }

    /// The register of this name, made if there is none yet.
    pub fn register(&mut self, name: &str, width: Width) -> RegisterId {
        if let Some(register) = self.named.get(name) {
            return *register;
        }
        let register = RegisterId::from(self.registers.len());
        self.registers.push(Register {
            name: name.to_owned(),
            width,
        });
        self.named.insert(name.to_owned(), register);
        register
    }

    /// A register for a word that nothing reads after the current instruction.
    pub fn word(&mut self) -> RegisterId {
        self.words += 1;
        self.register(&format!("_t{}", self.words), Width::W64)
    }

    /// The same for one bit.
    pub fn bit(&mut self) -> RegisterId {
        self.bits += 1;
        self.register(&format!("_b{}", self.bits), Width::BIT)
    }

    /// Adds an instruction.
    pub fn push(&mut self, kind: InstructionKind) {
        let span = self.span;
        let block = match self.current {
            Some(block) => block,
            None => {
                // Code after a jump that no label leads to.
                let block = self.fresh("unreachable");
                self.order.push(block);
                self.current = Some(block);
                block
            }
        };
        let instructions = &mut self.blocks[block.index()].instructions;
        instructions.push(Instruction { kind, span });
    }

    /// Adds what stands for an instruction that has no effect, or only one that may turn
    /// out to be dead: executing it is a step of the thread all the same.
    pub fn mark(&mut self) {
        self.push(InstructionKind::Fence(Orderings::NONE));
    }

    /// Adds an assignment.
    pub fn assign(&mut self, target: RegisterId, value: Expression) {
        self.push(InstructionKind::Assign { target, value });
    }

    /// A binary operation into a temporary register.
    pub fn binary(
        &mut self,
        operation: Binary,
        width: Width,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
    ) -> RegisterId {
        let target = match operation.is_comparison() || width == Width::BIT {
            true => self.bit(),
            false => self.word(),
        };
        self.assign(
            target,
            Expression::Binary(operation, width, a.into(), b.into()),
        );
        target
    }

    /// Ends the current block.
    pub fn end(&mut self, terminator: Terminator) {
        if let Some(block) = self.current.take() {
            let block = &mut self.blocks[block.index()];
            block.terminator = terminator;
            block.terminator_span = self.span;
        }
    }

    /// Ends the current block with a branch, and goes on where `otherwise` starts
    /// if that is nowhere else.
    pub fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId) {
        self.end(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
    }

    /// The function, with its blocks in the order of the text.
    pub fn finish(mut self, name: String) -> Function {
        if self.order.is_empty() {
            let entry = self.fresh("entry");
            self.order.push(entry);
        }
        let laid_out: HashSet<BlockId> = self.order.iter().copied().collect();
        let all = (0..self.blocks.len()).map(BlockId::from);
        self.order
            .extend(all.filter(|block| !laid_out.contains(block)));
        let mut places = vec![BlockId(0); self.blocks.len()];
        for (place, block) in self.order.iter().enumerate() {
            places[block.index()] = BlockId::from(place);
        }
        let laid_out = self.order.iter().map(|block| &self.blocks[block.index()]);
        let moved = |block: BlockId| places[block.index()];
        let blocks = laid_out
            .map(|block| Block {
                terminator: match &block.terminator {
                    Terminator::Jump(target) => Terminator::Jump(moved(*target)),
                    Terminator::Branch {
                        condition,
                        then,
                        otherwise,
                    } => Terminator::Branch {
                        condition: *condition,
                        then: moved(*then),
                        otherwise: moved(*otherwise),
                    },
                    Terminator::Switch {
                        value,
                        cases,
                        otherwise,
                    } => Terminator::Switch {
                        value: *value,
                        cases: cases.iter().map(|(word, to)| (*word, moved(*to))).collect(),
                        otherwise: moved(*otherwise),
                    },
                    Terminator::Return(values) => Terminator::Return(values.clone()),
                    Terminator::Unreachable => Terminator::Unreachable,
                },
                ..block.clone()
            })
            .collect();
        Function {
            name,
            parameters: 0,
            registers: self.registers,
            blocks,
        }
    }
}
