//! Which objects an access may touch, and how wide the cells of an object can be.
//!
//! A points-to analysis after Andersen: for every register, and for what every object holds in
//! every width, the objects that it may point into, each with what is known of the
//! [lowest bits](LowBits) of the offset. It does not look at the order of instructions.
//!
//! The cells of an object are as wide as its widest access. A narrower access touches a
//! whole cell, too, provided that each cell is accessed in one width: the fields of the
//! other width lie elsewhere in the object, and both are aligned to whole cells.
//!
//! Numbers are not taken for addresses. An access that can only go to a number is left as it
//! is; when it happens, there is no cell there.

use super::known::initial;
use super::low_bits::LowBits;
use super::{Local, MadeAt, NotFlat, refuse};
use program::{
    Access, Address, Binary, Expression, Instruction, InstructionKind as Kind, Object, ObjectId,
    ObjectKind, Operand, Program, Register, RegisterId, Span, UpdateOp, Width, Word,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a register or a location may hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Value {
    number: Option<LowBits>,
    /// Offsets into objects.
    pointers: BTreeMap<ObjectId, LowBits>,
}

fn join_bits(into: &mut Option<LowBits>, bits: LowBits) {
    *into = Some(into.map_or(bits, |known| known.join(bits)));
}

impl Value {
    fn number(bits: LowBits) -> Self {
        Value {
            number: Some(bits),
            pointers: BTreeMap::new(),
        }
    }

    fn point(&mut self, object: ObjectId, offset: LowBits) {
        let known = self.pointers.get(&object).copied();
        let offset = known.map_or(offset, |known| known.join(offset));
        self.pointers.insert(object, offset);
    }

    /// Adds what another may hold; true if that is more.
    fn join(&mut self, other: &Value) -> bool {
        let before = self.clone();
        if let Some(bits) = other.number {
            join_bits(&mut self.number, bits);
        }
        for (object, offset) in &other.pointers {
            self.point(*object, *offset);
        }
        *self != before
    }

    /// In a register or cell of a width. What is left of a pointer is any number.
    fn cut(mut self, width: Width) -> Self {
        if width < Width::W64 && !self.pointers.is_empty() {
            self.pointers.clear();
            self.number = Some(LowBits::ANY);
        }
        self.number = self.number.map(|bits| bits.cut(width));
        self
    }

    /// The same pointers with any offset, and any number.
    fn blurred(&self) -> Self {
        Value {
            number: Some(LowBits::ANY),
            pointers: self
                .pointers
                .keys()
                .map(|object| (*object, LowBits::ANY))
                .collect(),
        }
    }

    fn binary(operation: Binary, width: Width, a: &Value, b: &Value) -> Self {
        let mut result = Value::default();
        if let (Some(a), Some(b)) = (a.number, b.number) {
            result.number = Some(LowBits::binary(operation, width, a, b));
        }
        if operation.is_comparison() {
            return Value::number(LowBits::ANY);
        }
        let pointers = !a.pointers.is_empty() || !b.pointers.is_empty();
        if !pointers {
            return result;
        }
        if width < Width::W64 || !matches!(operation, Binary::Add | Binary::Sub) {
            result.join(&a.blurred());
            result.join(&b.blurred());
            return result.cut(width);
        }
        for (object, offset) in &a.pointers {
            if let Some(by) = b.number {
                result.point(*object, LowBits::binary(operation, width, *offset, by));
            }
        }
        for (object, offset) in &b.pointers {
            match (operation, a.number) {
                (Binary::Add, Some(by)) => {
                    result.point(*object, LowBits::binary(operation, width, *offset, by));
                }
                // A number less a pointer: it may become one again.
                (Binary::Sub, Some(_)) => result.point(*object, LowBits::ANY),
                _ => {}
            }
        }
        if !a.pointers.is_empty() && !b.pointers.is_empty() {
            // A distance; the sum of two pointers, less one of them, is the other.
            join_bits(&mut result.number, LowBits::ANY);
            if operation == Binary::Add {
                result.join(&a.blurred());
                result.join(&b.blurred());
            }
        }
        result
    }
}

/// An access, and where it may go.
struct Touch {
    function: usize,
    block: usize,
    index: usize,
    width: Width,
    writes: bool,
    /// The address is part of the instruction.
    fixed: bool,
    /// What may be at the address.
    to: Value,
    /// A load or store, not both in one.
    single: bool,
    span: Span,
}

/// What registers and objects may hold.
pub(super) struct Analysis<'p> {
    program: &'p Program,
    registers: Vec<Vec<Value>>,
    contents: HashMap<(ObjectId, Width), Value>,
    changed: bool,
}

impl<'p> Analysis<'p> {
    pub fn of(program: &'p Program) -> Self {
        let functions = program.functions.iter();
        let registers = functions.map(|f| vec![Value::default(); f.registers.len()]);
        let mut analysis = Analysis {
            program,
            registers: registers.collect(),
            contents: HashMap::new(),
            changed: true,
        };
        while std::mem::take(&mut analysis.changed) {
            for function in 0..program.functions.len() {
                for block in &program.functions[function].blocks {
                    for instruction in &block.instructions {
                        analysis.instruction(function, &instruction.kind);
                    }
                }
            }
        }
        analysis
    }

    fn value(&self, function: usize, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.registers[function][register.index()].clone(),
            Operand::Constant(word) => Value::number(LowBits::number(word)),
            Operand::Address(Address { object, offset }) => {
                let mut value = Value::default();
                value.point(object, LowBits::number(offset.into()));
                value
            }
        }
    }

    fn set(&mut self, function: usize, register: RegisterId, value: Value) {
        let width = self.program.functions[function].registers[register.index()].width;
        let known = &mut self.registers[function][register.index()];
        self.changed |= known.join(&value.cut(width));
    }

    /// What locations of a width in the objects pointed to may hold.
    fn read(&mut self, to: &Value, width: Width) -> Value {
        let mut value = Value::default();
        for object in to.pointers.keys() {
            value.join(self.content(*object, width));
        }
        value
    }

    fn content(&mut self, object: ObjectId, width: Width) -> &mut Value {
        let program = self.program;
        self.contents.entry((object, width)).or_insert_with(|| {
            let mut value = Value::default();
            let size = program.objects[object.index()].size().min(1 << 20) as u32;
            for offset in (0..size).step_by(width.bytes() as usize) {
                match initial(&program.objects, Address { object, offset }, width) {
                    Some(Operand::Constant(word)) => {
                        join_bits(&mut value.number, LowBits::number(word));
                    }
                    Some(Operand::Address(to)) => {
                        value.point(to.object, LowBits::number(to.offset.into()));
                    }
                    Some(Operand::Register(_)) | None => {}
                }
            }
            value
        })
    }

    fn write(&mut self, to: &Value, width: Width, value: Value) {
        let value = value.cut(width);
        for object in to.pointers.keys() {
            let changed = self.content(*object, width).join(&value);
            self.changed |= changed;
        }
    }

    fn instruction(&mut self, function: usize, kind: &Kind) {
        match *kind {
            Kind::Assign { target, value } => {
                let value = self.expression(function, value);
                self.set(function, target, value);
            }
            Kind::Load {
                target,
                address,
                width,
                ..
            } => {
                let to = self.value(function, address);
                let value = self.read(&to, width);
                self.set(function, target, value);
            }
            Kind::Store {
                address,
                value,
                width,
                ..
            } => {
                let (to, value) = (self.value(function, address), self.value(function, value));
                self.write(&to, width, value);
            }
            Kind::Update {
                target,
                operation,
                address,
                operand,
                width,
                ..
            } => {
                let to = self.value(function, address);
                let old = self.read(&to, width);
                let operand = self.value(function, operand);
                let new = match operation {
                    UpdateOp::Exchange => operand,
                    UpdateOp::Add => Value::binary(Binary::Add, width, &old, &operand),
                    UpdateOp::Sub => Value::binary(Binary::Sub, width, &old, &operand),
                    _ => {
                        let mut new = old.blurred();
                        new.join(&operand.blurred());
                        new
                    }
                };
                self.set(function, target, old);
                self.write(&to, width, new);
            }
            Kind::CompareExchange {
                target,
                address,
                desired,
                width,
                ..
            } => {
                let to = self.value(function, address);
                let old = self.read(&to, width);
                let desired = self.value(function, desired);
                self.set(function, target, old);
                self.write(&to, width, desired);
            }
            Kind::Choose { target, .. } => {
                self.set(function, target, Value::number(LowBits::ANY));
            }
            _ => {}
        }
    }

    fn expression(&self, function: usize, value: Expression) -> Value {
        let of = |operand| self.value(function, operand);
        match value {
            Expression::Copy(a) => of(a),
            Expression::SignExtend(Width::W64, a) => of(a),
            Expression::SignExtend(width, a) => {
                let mut value = of(a).cut(width);
                value.number = value.number.map(|bits| bits.extended(width));
                value
            }
            Expression::Binary(operation, width, a, b) => {
                Value::binary(operation, width, &of(a).cut(width), &of(b).cut(width))
            }
            Expression::Select(_, a, b) => {
                let mut value = of(a);
                value.join(&of(b));
                value
            }
            Expression::Unary(_, _, a) | Expression::Convert(_, _, a) => of(a).blurred(),
            Expression::Own(_) => Value::number(LowBits::ANY),
        }
    }

    /// Every access of the program.
    fn touches(&self) -> Vec<Touch> {
        let mut touches = Vec::new();
        for (function, code) in self.program.functions.iter().enumerate() {
            for (number, block) in code.blocks.iter().enumerate() {
                for (index, instruction) in block.instructions.iter().enumerate() {
                    let (address, width, writes, single) = match instruction.kind {
                        Kind::Load { address, width, .. } => (address, width, false, true),
                        Kind::Store { address, width, .. } => (address, width, true, true),
                        Kind::Update { address, width, .. }
                        | Kind::CompareExchange { address, width, .. } => {
                            (address, width, true, false)
                        }
                        _ => continue,
                    };
                    touches.push(Touch {
                        function,
                        block: number,
                        index,
                        width,
                        writes,
                        fixed: matches!(address, Operand::Address(_)),
                        to: self.value(function, address),
                        single,
                        span: instruction.span,
                    });
                }
            }
        }
        touches
    }

    /// The objects, of the first so many, that nothing writes to.
    pub fn never_written(&self, objects: usize) -> BTreeSet<ObjectId> {
        let mut constant: BTreeSet<ObjectId> = (0..objects).map(ObjectId::from).collect();
        let touches = self.touches();
        // Who knows where an address made of a number goes.
        if touches.iter().any(Touch::is_anywhere) {
            return BTreeSet::new();
        }
        for touch in touches.iter().filter(|touch| touch.writes) {
            for object in touch.to.pointers.keys() {
                constant.remove(object);
            }
        }
        constant
    }

    /// Where those locals are made whose address is nowhere but in loads and stores, each
    /// location in one width; and where the others are.
    pub fn private(&self, locals: &[Local]) -> (BTreeSet<MadeAt>, BTreeSet<MadeAt>) {
        let mut public: BTreeSet<ObjectId> = BTreeSet::new();
        for code in &self.program.functions {
            for block in &code.blocks {
                for Instruction { kind, .. } in &block.instructions {
                    let address = match kind {
                        Kind::Load { .. } | Kind::Store { .. } => 1,
                        _ => 0,
                    };
                    for operand in kind.operands().skip(address) {
                        if let Operand::Address(address) = operand {
                            public.insert(address.object);
                        }
                    }
                }
            }
        }
        let mut locations: BTreeMap<ObjectId, BTreeSet<(u64, u64)>> = BTreeMap::new();
        for touch in self.touches() {
            for (object, offset) in &touch.to.pointers {
                match offset.only() {
                    Some(offset) if touch.fixed && touch.single => {
                        let end = offset + u64::from(touch.width.bytes());
                        locations.entry(*object).or_default().insert((offset, end));
                    }
                    _ => {
                        public.insert(*object);
                    }
                }
            }
        }
        for (object, locations) in &locations {
            let locations: Vec<&(u64, u64)> = locations.iter().collect();
            let size = self.program.objects[object.index()].size();
            let apart = locations.windows(2).all(|pair| pair[0].1 <= pair[1].0);
            if !apart || locations.iter().any(|(_, end)| *end > size) {
                public.insert(*object);
            }
        }
        let all = locals.iter().map(|local| local.made_at);
        let shown = locals.iter().filter(|local| public.contains(&local.object));
        let shown: BTreeSet<_> = shown.map(|local| local.made_at).collect();
        let private = all.filter(|made_at| !shown.contains(made_at)).collect();
        (private, shown)
    }
}

impl Touch {
    /// The address is a number, and not one that is known.
    fn is_anywhere(&self) -> bool {
        let unknown = self.to.number.is_some_and(|number| number.only().is_none());
        self.to.pointers.is_empty() && unknown
    }
}

/// Drops stores to objects, from this one on, that nothing reads.
pub(super) fn drop_unread(flat: &mut Program, from: usize) {
    let touches = Analysis::of(flat).touches();
    let anywhere = touches.iter().any(Touch::is_anywhere);
    let loads = touches
        .iter()
        .filter(|touch| !touch.writes || !touch.single);
    let read: BTreeSet<ObjectId> = loads.flat_map(|t| t.to.pointers.keys().copied()).collect();
    let unread = |object: &ObjectId| object.index() >= from && !read.contains(object);
    for touch in touches
        .iter()
        .rev()
        .filter(|touch| touch.writes && !anywhere)
    {
        let mut pointers = touch.to.pointers.iter();
        let inside = |object: &ObjectId, offset: &LowBits| {
            let size = flat.objects[object.index()].size();
            let end = offset
                .only()
                .map(|offset| offset + u64::from(touch.width.bytes()));
            end.is_some_and(|end| end <= size)
        };
        let number = touch.to.number.is_some() || touch.to.pointers.is_empty();
        if !number && pointers.all(|(object, offset)| unread(object) && inside(object, offset)) {
            let block = &mut flat.functions[touch.function].blocks[touch.block];
            block.instructions.remove(touch.index);
        }
    }
}

/// Gives every object its cells.
pub(super) fn lay_out(mut flat: Program) -> Result<Program, NotFlat> {
    let touches = Analysis::of(&flat).touches();
    if let Some(touch) = touches.iter().find(|touch| touch.is_anywhere()) {
        return refuse("an address made of a number", touch.span);
    }
    let classes = classes(&touches, flat.objects.len());
    let mut widest: HashMap<usize, Width> = HashMap::new();
    let mut mixed: BTreeSet<usize> = BTreeSet::new();
    for touch in &touches {
        for object in touch.to.pointers.keys() {
            let class = classes[object.index()];
            let width = widest.entry(class).or_insert(touch.width);
            if *width != touch.width {
                mixed.insert(class);
            }
            *width = touch.width.max(*width);
        }
    }
    for (number, touch) in touches.iter().enumerate() {
        for (object, offset) in &touch.to.pointers {
            let class = classes[object.index()];
            check_kind(&flat, *object, touch)?;
            if mixed.contains(&class) {
                let before = touches[..number].iter();
                let before = before.filter_map(|t| Some((t, t.to.pointers.get(object)?)));
                let cell = widest[&class];
                check_mixed(&flat, *object, (touch, *offset), before, cell)?;
            }
        }
    }
    // From the back, since a widened load is followed by one more instruction.
    for touch in touches.iter().rev() {
        let object = touch.to.pointers.keys().next();
        let cell = object.map_or(touch.width, |object| widest[&classes[object.index()]]);
        widen(&mut flat, touch, cell);
    }
    for (object, class) in flat.objects.iter_mut().zip(&classes) {
        let cell = widest.get(class).copied();
        *object = with_cells(object, cell, mixed.contains(class));
    }
    Ok(flat)
}

/// For each object a number that those which one access may touch share.
fn classes(touches: &[Touch], objects: usize) -> Vec<usize> {
    let mut classes: Vec<usize> = (0..objects).collect();
    for touch in touches {
        let mut together = touch
            .to
            .pointers
            .keys()
            .map(|object| classes[object.index()]);
        let Some(first) = together.next() else {
            continue;
        };
        let others: BTreeSet<usize> = together.collect();
        for class in &mut classes {
            if others.contains(class) {
                *class = first;
            }
        }
    }
    classes
}

fn check_kind(flat: &Program, object: ObjectId, touch: &Touch) -> Result<(), NotFlat> {
    let found = &flat.objects[object.index()];
    match found.kind {
        ObjectKind::Constant if touch.writes => refuse(
            format!("a write that may go to the constant {}", found.name),
            touch.span,
        ),
        ObjectKind::Code(_) => refuse(
            format!("an access that may go to the code of {}", found.name),
            touch.span,
        ),
        _ if found.size() > Address::MAX_OBJECT_SIZE.into() => {
            let (name, most) = (&found.name, Address::MAX_OBJECT_SIZE);
            refuse(
                format!("{name}, which has more than {most} bytes"),
                touch.span,
            )
        }
        _ => Ok(()),
    }
}

/// Checks that an access fits the others to an object that is accessed in several widths.
fn check_mixed<'t>(
    flat: &Program,
    object: ObjectId,
    (touch, offset): (&Touch, LowBits),
    before: impl Iterator<Item = (&'t Touch, &'t LowBits)>,
    cell: Width,
) -> Result<(), NotFlat> {
    let name = &flat.objects[object.index()].name;
    let clash = |other: Width| {
        let (few, many) = (
            touch.width.min(other).bytes(),
            touch.width.max(other).bytes(),
        );
        refuse(
            format!("{name} is accessed with {few} and {many} bytes"),
            touch.span,
        )
    };
    for (other, location) in before {
        if other.width != touch.width && !offset.is_apart_from(*location) {
            return clash(other.width);
        }
    }
    let instruction = &flat.functions[touch.function].blocks[touch.block].instructions[touch.index];
    let plain = match instruction.kind {
        Kind::Update { operation, .. } => matches!(
            operation,
            UpdateOp::Exchange | UpdateOp::And | UpdateOp::Or | UpdateOp::Xor
        ),
        _ => true,
    };
    let registers = &flat.functions[touch.function].registers;
    let mut values = instruction.kind.operands().skip(1);
    let narrow = |value: Operand| match value {
        Operand::Register(register) => registers[register.index()].width <= touch.width,
        Operand::Constant(word) => touch.width.truncate(word) == word,
        Operand::Address(_) => touch.width == Width::W64,
    };
    let fits = touch.width == cell || (plain && values.all(narrow));
    match fits && offset.is_multiple_of(cell.bytes()) {
        true => Ok(()),
        false if touch.width == cell => {
            refuse(format!("a location in {name} that is computed"), touch.span)
        }
        false => clash(cell),
    }
}

/// Makes an access one of a whole cell.
fn widen(flat: &mut Program, touch: &Touch, cell: Width) {
    let code = &mut flat.functions[touch.function];
    let instructions = &mut code.blocks[touch.block].instructions;
    let wide = RegisterId::from(code.registers.len());
    let mut narrow = None;
    match &mut instructions[touch.index].kind {
        Kind::Load {
            target,
            width,
            access,
            ..
        }
        | Kind::Update {
            target,
            width,
            access,
            ..
        }
        | Kind::CompareExchange {
            target,
            width,
            access,
            ..
        } => {
            access.alignment = 0;
            if *width != cell {
                narrow = Some((std::mem::replace(target, wide), *width));
                *width = cell;
            }
        }
        Kind::Store {
            width,
            access: Access { alignment, .. },
            ..
        } => {
            *alignment = 0;
            *width = cell;
        }
        _ => {}
    }
    if let Some((target, width)) = narrow {
        let span = touch.span;
        // What an access in the narrow width would have given.
        let ones = Operand::Constant(width.truncate(u64::MAX));
        let value = Expression::Binary(Binary::And, cell, wide.into(), ones);
        let cut = RegisterId::from(code.registers.len() + 1);
        let assign = |target, value| Instruction {
            kind: Kind::Assign { target, value },
            span,
        };
        let back = [
            assign(cut, value),
            assign(target, Expression::Copy(cut.into())),
        ];
        instructions.splice(touch.index + 1..touch.index + 1, back);
        for part in ["cell", "part"] {
            let name = format!("{part} {}", code.registers.len());
            code.registers.push(Register { name, width: cell });
        }
    }
}

/// An object with its cells; without any, if nothing touches it.
fn with_cells(object: &Object, cell: Option<Width>, mixed: bool) -> Object {
    let bytes = u64::from(cell.map_or(1, Width::bytes));
    let cells = match (cell, mixed) {
        (None, _) => 0,
        (Some(_), false) => object.size() / bytes,
        // The last one may be that of a narrower location.
        (Some(_), true) => object.size().div_ceil(bytes),
    };
    let byte = |at: u64| object.initial.get(at as usize).copied().unwrap_or(0);
    let word = |cell: u64| {
        (0..bytes)
            .map(|index| byte(cell * bytes + index) << (8 * index))
            .sum()
    };
    let mut words: Vec<Word> = (0..cells).map(word).collect();
    let zeros = words.iter().rev().take_while(|word| **word == 0).count();
    words.truncate(words.len() - zeros);
    // Only bytes can be missing.
    let cell = cell.filter(|_| cells > 0).unwrap_or(Width::W8);
    Object {
        name: object.name.clone(),
        cell,
        initial: words,
        zeros: zeros as u32,
        kind: ObjectKind::Shared,
        layout: None,
        signed: object.signed,
        span: object.span,
    }
}
