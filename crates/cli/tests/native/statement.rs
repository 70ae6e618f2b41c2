//! Statements: the body of a function.
//!
//! Invariants: every loop is bounded by a counter of its own, which nothing else
//! writes; calls stand alone, so that the order of evaluation does not matter; locals
//! are declared and initialised before the first label.

use crate::expression::{Expressions, Place, Scope};
use crate::random::Random;
use crate::scalar::{INT, Scalar, UNSIGNED};

/// How to call something: its name, the types of its parameters, and its result.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub parameters: Vec<Type>,
    pub result: Type,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Scalar(Scalar),
    Struct(usize),
    /// To a scalar.
    Pointer(Scalar),
}

impl Type {
    /// The declaration of a variable of this type.
    pub fn declare(self, name: &str) -> String {
        match self {
            Self::Scalar(scalar) => format!("{} {name}", scalar.name()),
            Self::Struct(number) => format!("struct s{number} {name}"),
            Self::Pointer(scalar) => format!("{} *{name}", scalar.name()),
        }
    }
}

pub struct Body<'a> {
    pub random: &'a mut Random,
    pub scope: &'a Scope,
    /// What may be called outside loops.
    pub callees: &'a [Signature],
    /// What is cheap enough to be called anywhere.
    pub cheap: &'a [Signature],
    pub lines: Vec<String>,
    indent: usize,
    loops: usize,
    names: usize,
}

impl<'a> Body<'a> {
    pub fn new(
        random: &'a mut Random,
        scope: &'a Scope,
        callees: &'a [Signature],
        cheap: &'a [Signature],
    ) -> Self {
        Self {
            random,
            scope,
            callees,
            cheap,
            lines: Vec::new(),
            indent: 1,
            loops: 0,
            names: 0,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        self.lines.push(format!("{:1$}{text}", "", 4 * self.indent));
    }

    fn expressions(&mut self) -> Expressions<'_> {
        Expressions {
            random: self.random,
            scope: self.scope,
        }
    }

    pub fn value(&mut self, scalar: Scalar, depth: usize) -> String {
        self.expressions().of(scalar, depth)
    }

    fn condition(&mut self) -> String {
        self.expressions().condition(2)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    pub fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// Statements in braces of their own.
    fn inner(&mut self, count: usize, depth: usize) {
        self.indent += 1;
        self.statements(count, depth);
        self.indent -= 1;
    }

    fn statement(&mut self, depth: usize) {
        let choice = self.random.below(if depth == 0 { 12 } else { 20 });
        match choice {
            0..=3 => self.assign(),
            4 | 5 => self.compound(),
            6 => self.copy_struct(),
            7 => self.move_pointer(),
            8 => self.copy_bytes(),
            9 => self.checked_or_atomic(),
            10 => self.call_cheap(),
            11 => self.call(),
            12 | 13 => self.branch(depth - 1),
            14 => self.count_up(depth - 1),
            15 => self.count_down(depth - 1),
            16 | 17 => self.switch(depth - 1),
            18 => self.jump_forward(depth - 1),
            _ => self.jump_back(depth - 1),
        }
    }

    fn target(&mut self, fits: impl Fn(&Place) -> bool) -> Option<Place> {
        if !self.scope.arrays.is_empty() && self.random.chance(30) {
            let element = self.expressions().element(2);
            if fits(&element) {
                return Some(element);
            }
        }
        self.fixed_target(fits)
    }

    /// A target without an index, which a call could change.
    fn fixed_target(&mut self, fits: impl Fn(&Place) -> bool) -> Option<Place> {
        let places = self.scope.places.iter();
        let fitting: Vec<_> = places.filter(|p| p.writable && fits(p)).cloned().collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting))
    }

    /// A value that may be put in the place.
    fn value_for(&mut self, place: &Place, depth: usize) -> String {
        let value = self.value(place.scalar, depth);
        match place.punned && place.scalar.is_floating() {
            true => format!("number_{}({value})", place.scalar.name()),
            false => value,
        }
    }

    fn assign(&mut self) {
        if let Some(place) = self.target(|_| true) {
            let value = self.value_for(&place, 3);
            self.line(format!("{} = {value};", place.text));
        }
    }

    fn compound(&mut self) {
        let Some(place) = self.target(|p| !(p.punned && p.scalar.is_floating())) else {
            return;
        };
        let (text, scalar) = (&place.text, place.scalar);
        if scalar.is_floating() {
            let operator = self.random.pick(&["+=", "-=", "*=", "/="]);
            let value = self.value(scalar, 2);
            return self.line(format!("{text} {operator} {value};"));
        }
        let plain = !scalar.is_signed() && scalar != Scalar::Bool;
        if plain && self.random.chance(20) {
            let step = self.random.pick(&["++", "--"]);
            return self.line(format!("{text}{step};"));
        }
        if scalar != Scalar::Bool && place.has_address && self.random.chance(20) {
            let (amount, mask) = (self.value(UNSIGNED, 2), scalar.bits() - 1);
            let operator = if plain && scalar.bits() >= 32 && self.random.chance(50) {
                "<<="
            } else {
                ">>="
            };
            return self.line(format!("{text} {operator} {amount} & {mask};"));
        }
        let operators = ["^=", "|=", "&=", "+=", "-=", "*="];
        let count = if scalar == Scalar::Bool { 3 } else { 6 };
        let operator = self.random.pick(&operators[..count]);
        // An unsigned right side makes the whole operation unsigned.
        let value = self.value(scalar.wrapping(), 2);
        self.line(format!("{text} {operator} {value};"));
    }

    fn copy_struct(&mut self) {
        if self.scope.structs.is_empty() {
            return self.assign();
        }
        let (to, number) = self.random.pick(&self.scope.structs);
        let same = self.scope.structs.iter().filter(|(_, n)| *n == number);
        let same: Vec<_> = same.map(|(text, _)| text.clone()).collect();
        let from = self.random.pick(&same);
        if to == from {
            return self.assign();
        }
        match self.random.chance(60) {
            true => self.line(format!("{to} = {from};")),
            false => self.line(format!("memcpy(&{to}, &{from}, sizeof {to});")),
        }
    }

    /// What a pointer to the type may point to.
    pub fn address(&mut self, scalar: Scalar) -> Option<String> {
        let fits = |p: &Place| p.scalar == scalar && p.has_address && p.text.starts_with('g');
        let place = self.target(fits)?;
        Some(format!("&{}", place.text))
    }

    fn move_pointer(&mut self) {
        if self.scope.pointers.is_empty() {
            return self.assign();
        }
        let (pointer, scalar) = self.random.pick(&self.scope.pointers);
        let Some(first) = self.address(scalar) else {
            return;
        };
        match self.address(scalar) {
            Some(second) if self.random.chance(50) => {
                let condition = self.condition();
                self.line(format!("{pointer} = {condition} ? {first} : {second};"));
            }
            _ => self.line(format!("{pointer} = {first};")),
        }
    }

    fn copy_bytes(&mut self) {
        let whole = |scalar: Scalar| scalar != Scalar::Bool && !scalar.is_floating();
        let arrays = self.scope.arrays.iter();
        let arrays: Vec<_> = arrays.filter(|a| whole(a.scalar)).cloned().collect();
        if arrays.is_empty() {
            return self.assign();
        }
        let array = self.random.pick(&arrays);
        let (text, half) = (&array.text, array.length / 2);
        match self.random.below(3) {
            0 => {
                let byte = self.value(INT, 1);
                self.line(format!("memset({text}, {byte}, {half} * sizeof *{text});"));
            }
            1 => self.line(format!(
                "memmove({text} + 1, {text}, {half} * sizeof *{text});"
            )),
            _ => self.line(format!(
                "memcpy({text} + {half}, {text}, {half} * sizeof *{text});"
            )),
        }
    }

    fn checked_or_atomic(&mut self) {
        let ordinary =
            |p: &Place| p.has_address && !p.scalar.is_floating() && p.scalar != Scalar::Bool;
        let Some(place) = self.target(ordinary) else {
            return;
        };
        let (text, scalar) = (&place.text, place.scalar);
        if scalar.bits() < 128 && self.random.chance(50) {
            let value = self.value(scalar, 2);
            let operator = self
                .random
                .pick(&["add", "sub", "and", "or", "xor", "nand"]);
            let order = self.random.pick(&["RELAXED", "ACQ_REL", "SEQ_CST"]);
            let call = format!("__atomic_fetch_{operator}(&{text}, {value}, __ATOMIC_{order})");
            return self.line(format!("printf(\"%d \", (int)(uint8_t){call});"));
        }
        let operator = self.random.pick(&["add", "sub", "mul"]);
        // Products of mixed 128-bit types need a run-time function of the compiler.
        let operand = if scalar.bits() == 128 {
            UNSIGNED
        } else {
            scalar
        };
        let (a, b) = (self.value(operand, 2), self.value(operand, 2));
        let operator = if scalar.bits() == 128 {
            "add"
        } else {
            operator
        };
        self.line(format!(
            "printf(\"%d \", __builtin_{operator}_overflow({a}, {b}, &{text}));"
        ));
    }

    /// Arguments for the parameters, or nothing if some pointer has no target.
    pub fn arguments(&mut self, parameters: &[Type]) -> Option<String> {
        let mut texts = Vec::new();
        for parameter in parameters {
            texts.push(match *parameter {
                Type::Scalar(scalar) => self.value(scalar, 2),
                Type::Pointer(scalar) => self.address(scalar)?,
                Type::Struct(number) => {
                    let same = self.scope.structs.iter().filter(|(_, n)| *n == number);
                    let same: Vec<_> = same.map(|(text, _)| text.clone()).collect();
                    self.random.pick(&same)
                }
            });
        }
        Some(texts.join(", "))
    }

    fn call_cheap(&mut self) {
        let signature = self.random.pick(self.cheap);
        self.call_of(&signature);
    }

    fn call(&mut self) {
        if self.callees.is_empty() || self.loops > 0 {
            return self.call_cheap();
        }
        let signature = self.random.pick(self.callees);
        self.call_of(&signature);
    }

    fn call_of(&mut self, signature: &Signature) {
        let Some(arguments) = self.arguments(&signature.parameters) else {
            return;
        };
        let call = format!("{}({arguments})", signature.name);
        match signature.result {
            Type::Struct(number) => {
                let same = self.scope.structs.iter().filter(|(_, n)| *n == number);
                let same: Vec<_> = same.map(|(text, _)| text.clone()).collect();
                let to = self.random.pick(&same);
                self.line(format!("{to} = {call};"));
            }
            Type::Scalar(scalar) => match self.fixed_target(|p| p.scalar == scalar && !p.punned) {
                Some(place) => self.line(format!("{} = {call};", place.text)),
                None => self.line(scalar.print(&call)),
            },
            Type::Pointer(scalar) => self.line(scalar.print(&format!("*{call}"))),
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.line(format!("if ({condition}) {{"));
        let count = self.random.between(1, 3);
        self.inner(count, depth);
        if self.random.chance(50) {
            self.line("} else {");
            self.inner(1, depth);
        }
        self.line("}");
    }

    fn repeated(&mut self, depth: usize) {
        self.loops += 1;
        let count = self.random.between(1, 3);
        self.inner(count, depth.min(1));
        if self.random.chance(40) {
            let (condition, way) = (self.condition(), self.random.pick(&["break", "continue"]));
            self.indent += 1;
            self.line(format!("if ({condition})"));
            self.line(format!("    {way};"));
            self.indent -= 1;
            self.inner(1, 0);
        }
        self.loops -= 1;
    }

    fn count_up(&mut self, depth: usize) {
        let (counter, times) = (self.name("i"), self.random.between(1, 6));
        let integer = self.random.pick(&["int", "uint8_t", "int64_t", "short"]);
        self.line(format!(
            "for ({integer} {counter} = 0; {counter} < {times}; {counter}++) {{"
        ));
        self.repeated(depth);
        self.line("}");
    }

    fn count_down(&mut self, depth: usize) {
        let (counter, times) = (self.name("n"), self.random.between(1, 5));
        self.line("{");
        self.indent += 1;
        self.line(format!("unsigned {counter} = {times};"));
        if self.random.chance(50) {
            self.line(format!("while ({counter}-- > 0) {{"));
            self.repeated(depth);
            self.line("}");
        } else {
            self.line("do {");
            self.repeated(depth);
            self.line(format!("}} while (--{counter} > 0);"));
        }
        self.indent -= 1;
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let scalar = loop {
            let scalar = Scalar::integer(self.random);
            if scalar.bits() < 128 {
                break scalar;
            }
        };
        let value = self.value(scalar, 2);
        let cases = self.random.between(2, 6);
        let near = self.random.chance(70);
        match near {
            // Most cases are met.
            true => self.line(format!("switch ({value} & 7) {{")),
            false => self.line(format!("switch ({value}) {{")),
        }
        let start = self.random.below(3);
        let default = self.random.below(cases + 2);
        for case in 0..cases {
            match case == default {
                true => self.line("default:;"),
                false if near => self.line(format!("case {}:;", start + case)),
                false => self.line(format!("case {}:;", case * case * 9)),
            }
            self.inner(1, depth.min(1));
            if self.random.chance(70) {
                self.line("    break;");
            }
        }
        self.line("}");
    }

    fn jump_forward(&mut self, depth: usize) {
        let (label, condition) = (self.name("over"), self.condition());
        self.line(format!("if ({condition})"));
        self.line(format!("    goto {label};"));
        let count = self.random.between(1, 3);
        self.statements(count, depth.min(1));
        self.line(format!("{label}:;"));
    }

    /// A loop made of a label. Its counter is set before, so it stands in braces.
    fn jump_back(&mut self, depth: usize) {
        let (label, counter) = (self.name("again"), self.name("left"));
        let times = self.random.between(1, 4);
        self.line("{");
        self.indent += 1;
        self.line(format!("int {counter} = {times};"));
        self.line(format!("{label}:;"));
        self.loops += 1;
        self.statements(2, depth.min(1));
        self.loops -= 1;
        self.line(format!("if (--{counter} > 0)"));
        self.line(format!("    goto {label};"));
        self.indent -= 1;
        self.line("}");
    }
}
