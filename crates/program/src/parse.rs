//! Reading printed programs back.
//!
//! Reads what `Display` of [`Program`] prints (see `print.rs` for the text). A
//! first pass declares objects, functions, registers and labels, so that the
//! second can look up any name wherever it stands.
//!
//! Never panics, whatever the text. Formulas nested deeper than
//! [`formula::DEEPEST`] are refused.

mod cursor;
mod formula;
mod instruction;

use crate::{
    Address, Block, BlockId, Condition, Function, FunctionId, Instruction, Liveness, Object,
    ObjectId, ObjectKind, Observable, ObservedLocation, Program, Property, Quantifier, Register,
    Source, Span, Terminator, Thread, ThreadId, Width, Word,
};
use cursor::{Cursor, Read};
use instruction::Code;
use std::fmt;

/// What is wrong with the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a program as its `Display` prints it, and validates it.
///
/// The program comes back as it was but for what is not printed: the texts of its source
/// files come back empty, and layouts ([`Program::types`]) do not come back.
///
/// ```
/// let text = r#"program "one store" from "example"
/// object x: i32 = 0
/// fn P0() {
/// entry:
///   store i32 &x, 1
///   return
/// }
/// thread 0: P0 runs P0
/// observe x
/// forall x=1
/// "#;
/// let program = program::parse(text).unwrap();
/// assert_eq!(program.to_string(), text);
/// ```
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| Cursor::new(line, index + 1))
        .filter(|line| !line.is_empty());
    let Some(mut first) = lines.next() else {
        let message = "no program".to_owned();
        return Err(ParseError { line: 1, message });
    };
    let process = first.eat_word("process");
    if !process {
        first.expect_word("program")?;
    }
    let name = first.quoted()?;
    first.expect_word("from")?;
    let source = Source::new(first.quoted()?, "");
    let mut included = Vec::new();
    while first.eat(",") {
        included.push(Source::new(first.quoted()?, ""));
    }
    first.end()?;
    let mut reader = Reader::new(name, process, source, included);
    reader.declare(&mut lines)?;
    reader.fill()?;
    let Reader {
        program,
        function_lines,
        ..
    } = reader;
    match program.validate() {
        Ok(()) => Ok(program),
        Err(error) => {
            let function = error.function.as_deref();
            let function = function.and_then(|name| program.function_named(name));
            let line = function.map_or(first.line(), |id| function_lines[id.index()]);
            let message = error.to_string();
            Err(ParseError { line, message })
        }
    }
}

/// A program half read: declared things are in it, and the rest of their lines waits.
struct Reader<'a> {
    program: Program,
    function_lines: Vec<usize>,
    /// What objects are and hold.
    contents: Vec<Cursor<'a>>,
    /// Lines of code.
    code: Vec<(FunctionId, BlockId, Cursor<'a>)>,
    /// Labels.
    labels: Vec<(FunctionId, BlockId, Cursor<'a>)>,
    /// Threads, observed values and properties.
    rest: Vec<Cursor<'a>>,
}

/// Declarations.
impl<'a> Reader<'a> {
    fn new(name: String, process: bool, source: Source, included: Vec<Source>) -> Self {
        Reader {
            program: Program {
                process,
                included,
                ..Program::empty(name, source)
            },
            function_lines: Vec::new(),
            contents: Vec::new(),
            code: Vec::new(),
            labels: Vec::new(),
            rest: Vec::new(),
        }
    }

    fn declare(&mut self, lines: &mut impl Iterator<Item = Cursor<'a>>) -> Read<()> {
        while let Some(mut line) = lines.next() {
            if line.eat_word("object") {
                self.declare_object(line)?;
            } else if line.eat_word("fn") {
                self.declare_function(line, lines)?;
            } else {
                self.rest.push(line);
            }
        }
        Ok(())
    }

    fn declare_object(&mut self, mut line: Cursor<'a>) -> Read<()> {
        let name = line.name("the object's name")?;
        line.expect(":")?;
        self.contents.push(line);
        self.program.objects.push(Object {
            name,
            cell: Width::W8,
            initial: Vec::new(),
            zeros: 0,
            kind: ObjectKind::Shared,
            layout: None,
            signed: false,
            span: Span::NOWHERE,
        });
        Ok(())
    }

    fn declare_function(
        &mut self,
        mut header: Cursor<'a>,
        lines: &mut impl Iterator<Item = Cursor<'a>>,
    ) -> Read<()> {
        let mut function = Function {
            name: header.name("the function's name")?,
            parameters: 0,
            registers: Vec::new(),
            blocks: Vec::new(),
        };
        header.expect("(")?;
        while !header.eat(")") {
            if function.parameters > 0 {
                header.expect(",")?;
            }
            let name = header.name("a parameter or `)`")?;
            header.expect(":")?;
            let width = header.width()?;
            function.registers.push(Register { name, width });
            function.parameters += 1;
        }
        header.expect("{")?;
        header.end()?;
        self.function_lines.push(header.line());
        let id = FunctionId::from(self.program.functions.len());
        for mut line in lines {
            if line.eat("}") {
                line.end()?;
                self.program.functions.push(function);
                return Ok(());
            }
            if line.eat_word("register") {
                declare_registers(&mut function, line)?;
            } else if let Some(label) = label_of(line) {
                function.blocks.push(Block {
                    label,
                    instructions: Vec::new(),
                    terminator: Terminator::Return(Vec::new()),
                    terminator_span: Span::NOWHERE,
                });
                let block = BlockId::from(function.blocks.len() - 1);
                self.labels.push((id, block, line));
            } else {
                match function.blocks.len().checked_sub(1) {
                    Some(block) => self.code.push((id, BlockId::from(block), line)),
                    None => return Err(line.error("code before the first label")),
                }
            }
        }
        Err(header.error("a function without its closing `}`"))
    }
}

fn declare_registers(function: &mut Function, mut line: Cursor<'_>) -> Read<()> {
    let first = function.registers.len();
    loop {
        function.registers.push(Register {
            name: line.name("a register")?,
            width: Width::W64,
        });
        if !line.eat(",") {
            break;
        }
    }
    line.expect(":")?;
    let width = line.width()?;
    for register in &mut function.registers[first..] {
        register.width = width;
    }
    line.end()
}

/// The label, if the line is one.
fn label_of(mut line: Cursor<'_>) -> Option<String> {
    let label = line.name("a label").ok()?;
    (line.eat(":") && line.is_empty()).then_some(label)
}

/// Everything that looks up names.
impl Reader<'_> {
    fn fill(&mut self) -> Read<()> {
        for (index, line) in std::mem::take(&mut self.contents).into_iter().enumerate() {
            self.fill_object(index, line)?;
        }
        self.fill_code()?;
        for line in std::mem::take(&mut self.rest) {
            self.property_line(line)?;
        }
        Ok(())
    }

    fn fill_object(&mut self, index: usize, mut line: Cursor<'_>) -> Read<()> {
        let kind = if line.eat_word("constant") {
            ObjectKind::Constant
        } else if line.eat_word("own") {
            ObjectKind::PerThread
        } else if line.eat_word("code") {
            ObjectKind::Code(self.function(&mut line)?)
        } else {
            ObjectKind::Shared
        };
        let (cell, signed) = line.signed_width()?;
        line.expect("=")?;
        let initial = self.initial(&mut line, cell)?;
        let mut zeros = 0;
        if line.eat_word("and") {
            zeros = line.count("a number of cells")?;
            line.expect_word("zeros")?;
        }
        let span = line.span()?;
        let object = &mut self.program.objects[index];
        *object = Object {
            name: std::mem::take(&mut object.name),
            cell,
            initial,
            zeros,
            kind,
            layout: None,
            signed,
            span,
        };
        Ok(())
    }

    fn fill_code(&mut self) -> Read<()> {
        let mut code = std::mem::take(&mut self.code).into_iter().peekable();
        for (function, block, label) in std::mem::take(&mut self.labels) {
            let mut ended = false;
            while let Some((_, _, mut line)) =
                code.next_if(|(f, b, _)| (*f, *b) == (function, block))
            {
                if ended {
                    return Err(line.error("the block has already ended: a label is missing"));
                }
                let read = self.code(function, &mut line)?;
                let span = line.span()?;
                let block = &mut self.program.functions[function.index()].blocks[block.index()];
                match read {
                    Code::Instruction(kind) => block.instructions.push(Instruction { kind, span }),
                    Code::Terminator(terminator) => {
                        block.terminator = terminator;
                        block.terminator_span = span;
                        ended = true;
                    }
                }
            }
            if !ended {
                return Err(label.error("the block lacks its end, such as `jump` or `return`"));
            }
        }
        Ok(())
    }

    /// One value, or several in brackets.
    fn initial(&self, line: &mut Cursor<'_>, cell: Width) -> Read<Vec<Word>> {
        if !line.eat("[") {
            return Ok(vec![self.cell_value(line, cell)?]);
        }
        let mut initial = Vec::new();
        while !line.eat("]") {
            if !initial.is_empty() {
                line.expect(",")?;
            }
            initial.push(self.cell_value(line, cell)?);
        }
        Ok(initial)
    }

    fn cell_value(&self, line: &mut Cursor<'_>, cell: Width) -> Read<Word> {
        if line.starts_with("&") {
            return Ok(self.address(line)?.to_word());
        }
        let number = line.number()?;
        let range = -(1i128 << (cell.bits() - 1))..1i128 << cell.bits();
        match range.contains(&number) {
            true => Ok(cell.truncate(number as Word)),
            false => Err(line.error(format!("{number} does not fit {cell}"))),
        }
    }

    fn address(&self, line: &mut Cursor<'_>) -> Read<Address> {
        line.expect("&")?;
        let name = line.name("an object")?;
        let object: ObjectId = match self.program.object_named(&name) {
            Some(object) => object,
            None => return Err(line.error(format!("there is no object {name}"))),
        };
        let offset = if line.eat("+") {
            line.count("an offset")?
        } else {
            0
        };
        Ok(Address { object, offset })
    }

    fn function(&self, line: &mut Cursor<'_>) -> Read<FunctionId> {
        let name = line.name("a function")?;
        let found = self.program.function_named(&name);
        found.ok_or_else(|| line.error(format!("there is no function {name}")))
    }

    /// The number of a thread, and the function that it runs.
    fn thread(&self, line: &mut Cursor<'_>) -> Read<(ThreadId, &Function)> {
        let id = ThreadId(line.count("a thread's number")?);
        match self.program.threads.get(id.index()) {
            Some(_) => Ok((id, self.program.function_of(id))),
            None => Err(line.error(format!("there is no thread {}", id.0))),
        }
    }

    fn property_line(&mut self, mut line: Cursor<'_>) -> Read<()> {
        for quantifier in [
            Quantifier::NotExists,
            Quantifier::Exists,
            Quantifier::Forall,
        ] {
            if line.eat(&quantifier.to_string()) {
                let property = self.property(&mut line)?;
                let condition = &mut self.program.properties.condition;
                if condition.is_some() {
                    return Err(line.error("a second condition"));
                }
                *condition = Some(Condition {
                    quantifier,
                    property,
                });
                return Ok(());
            }
        }
        match line.word() {
            "thread" => self.thread_line(line)?,
            "observe" => self.observe_line(line)?,
            "filter" => {
                let formula = self.formula(&mut line)?;
                line.end()?;
                if self.program.properties.filter.replace(formula).is_some() {
                    return Err(line.error("a second filter"));
                }
            }
            "invariant" => {
                let invariant = self.property(&mut line)?;
                self.program.properties.invariants.push(invariant);
            }
            word @ ("always" | "eventually") => {
                let repeatedly = word == "always";
                if repeatedly {
                    line.expect_word("eventually")?;
                }
                let property = self.property(&mut line)?;
                self.program.properties.liveness.push(Liveness {
                    repeatedly,
                    property,
                });
            }
            word => return Err(line.error(format!("no line starts with `{word}`"))),
        }
        Ok(())
    }

    fn property(&self, line: &mut Cursor<'_>) -> Read<Property> {
        let formula = self.formula(line)?;
        let span = line.span()?;
        Ok(Property { formula, span })
    }

    fn thread_line(&mut self, mut line: Cursor<'_>) -> Read<()> {
        let next = self.program.threads.len();
        if line.count("the thread's number")? as usize != next {
            return Err(line.error(format!("the next thread is number {next}")));
        }
        line.expect(":")?;
        let name = line.name("the thread's name")?;
        line.expect_word("runs")?;
        let id = self.function(&mut line)?;
        let function = &self.program.functions[id.index()];
        let mut initial = Vec::new();
        if line.eat_word("with") {
            loop {
                let register = instruction::register(function, &mut line)?;
                line.expect("=")?;
                let word = match line.starts_with("&") {
                    true => self.address(&mut line)?.to_word(),
                    false => line.word_number()?,
                };
                initial.push((register, word));
                if !line.eat(",") {
                    break;
                }
            }
        }
        line.end()?;
        let function = id;
        self.program.threads.push(Thread {
            name,
            function,
            initial,
        });
        Ok(())
    }

    fn observe_line(&mut self, mut line: Cursor<'_>) -> Read<()> {
        let name = line.observable_name()?;
        let observable = if line.eat("=") {
            self.spelled_out(name, &mut line)?
        } else {
            let whole = self.program.whole_observable(&name);
            whole.ok_or_else(|| line.error(format!("there is no {name}")))?
        };
        line.end()?;
        self.program.observed.push(observable);
        Ok(())
    }

    /// What follows the name and `=` of an observable.
    fn spelled_out(&self, name: String, line: &mut Cursor<'_>) -> Read<Observable> {
        let location = if line.starts_with("&") {
            ObservedLocation::Memory(self.address(line)?)
        } else if line.eat_word("observation") {
            ObservedLocation::Observation
        } else {
            let (thread, function) = self.thread(line)?;
            line.expect(":")?;
            ObservedLocation::Register(thread, instruction::register(function, line)?)
        };
        line.expect_word("as")?;
        let (width, signed) = line.signed_width()?;
        Ok(Observable {
            name,
            location,
            width,
            signed,
        })
    }
}
