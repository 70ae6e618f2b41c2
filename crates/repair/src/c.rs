//! Places of C programs: points between statements, found in the compiled code by compiling a copy with marks.
//!
//! A copy of each C file gets a mark at every point where a statement may stand; clang compiles the copies once, and the marks are
//! then wherever a fence would be if it were written there. Spans are translated back, so that what is
//! reported names the user's files. The copies lie in a directory of their own, and what they include is looked for where
//! the originals lie.
//!
//! Clang takes longer than most searches, so the program itself is the one with marks, without them ([`CFiles::mark`]); whoever edits the
//! text has it read again, and compares. An optimising compiler may make other code of a text with marks, and then both are compiled
//! ([`CFiles::read_and_mark`]).
//!
//! Where macros hide braces, clang refuses some of the marks. Those are left out.

use crate::access::{Orders, marked};
use crate::place::Marked;
use crate::statements::{Point, points};
use frontend::c::{self, Compiler};
use program::{Instruction, InstructionKind, Orderings, Program, Source, Span};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A mark: a statement wherever a statement may stand.
const MARK: &str = "{ void fp_fence(int); fp_fence(0); }";

/// The files of a C program, and how they are compiled.
#[derive(Clone, Debug)]
pub struct CFiles {
    /// The files, in C.
    pub files: Vec<PathBuf>,
    /// Options for clang.
    pub options: Vec<String>,
    /// The compiler, if a file needs one.
    pub compiler: Option<Compiler>,
    /// The files are those of a data type, not of a program with threads.
    pub operations: bool,
}

impl CFiles {
    /// Reads the program.
    pub fn read(&self) -> Result<Program, c::Error> {
        self.read_with(&[], &[], self.compiler.as_ref())
    }

    /// Reads the program with other texts for some of its files. What clang says of them is not shown, unless it refuses one.
    pub fn read_edited(&self, texts: &[Source]) -> Result<Program, c::Error> {
        let compiler = self.compiler.as_ref().map(Compiler::for_copies);
        self.read_with(texts, &[], compiler.as_ref())
    }

    fn read_with(
        &self,
        texts: &[Source],
        options: &[String],
        compiler: Option<&Compiler>,
    ) -> Result<Program, c::Error> {
        let copies = Copies::new(&self.files, texts).map_err(c::Error::NoDirectory)?;
        let mut all = copies.options();
        all.extend(self.options.iter().chain(options).cloned());
        let read = match self.operations {
            true => c::read_operations,
            false => c::read_c,
        };
        let mut program = read(&copies.files, &all, compiler).map_err(|error| match error {
            c::Error::RefusedCopy { path, messages } => {
                let (path, messages) = copies.named_as_originals(&self.files, path, &messages);
                c::Error::RefusedCopy { path, messages }
            }
            other => other,
        })?;
        let sources = program.included.iter_mut();
        for source in sources.chain([&mut program.source]) {
            copies.rename(&self.files, source);
        }
        Ok(program)
    }

    /// Whether the code of a text with marks is that of the text, apart from marks, as long as nobody optimises it.
    pub fn has_plain_code(&self) -> bool {
        let mut options = self.options.iter();
        !options.any(|option| option.starts_with("-O") && option != "-O0")
    }

    /// The program with marks at its places.
    pub fn mark(&self) -> Result<Marked, c::Error> {
        let text = |file: &PathBuf| {
            let text = std::fs::read_to_string(file).ok()?;
            Some(Source::new(file.display().to_string(), text))
        };
        let texts: Vec<Source> = self.files.iter().filter_map(text).collect();
        // What cannot be read is for clang to complain about.
        if texts.len() < self.files.len() {
            self.read()?;
        }
        self.mark_texts(&texts)
    }

    /// The program, and the same with marks at its places, compiled by itself.
    pub fn read_and_mark(&self) -> Result<(Program, Marked), c::Error> {
        let program = self.read()?;
        let originals: Vec<Source> = self.named(&program).cloned().collect();
        let marked = self.mark_texts(&originals)?;
        Ok((program, marked))
    }

    fn mark_texts(&self, originals: &[Source]) -> Result<Marked, c::Error> {
        let mut texts: Vec<MarkedText> = originals.iter().map(MarkedText::new).collect();
        let compiler = self.compiler.as_ref().map(Compiler::for_copies);
        let read = |texts: &[MarkedText]| {
            let texts: Vec<Source> = texts.iter().map(MarkedText::source).collect();
            self.read_with(&texts, &["-w".to_owned()], compiler.as_ref())
        };
        let mut found = read(&texts);
        let mut is_right = false;
        while let Err(error) = &found {
            if !is_right {
                // What is wrong with the user's own text is said of that.
                self.read()?;
                is_right = true;
            }
            let c::Error::RefusedCopy { messages, .. } = error else {
                break;
            };
            let mut left_out = false;
            for text in &mut texts {
                left_out |= text.leave_out(messages);
            }
            if !left_out {
                break;
            }
            found = read(&texts);
        }
        Ok(self.marked(found?, &texts))
    }

    /// Marks of a program whose texts had some.
    fn marked(&self, mut with_marks: Program, texts: &[MarkedText]) -> Marked {
        let count = with_marks.included.len() + 1;
        for file in 0..count {
            let source = match file {
                0 => &mut with_marks.source,
                file => &mut with_marks.included[file - 1],
            };
            if let Some(text) = texts.iter().find(|text| text.original.name == source.name) {
                *source = text.original.clone();
                let marks = Marks::new(text);
                translate(&mut with_marks, file as u16, &marks);
            }
        }
        marked(with_marks, Orders::Kept, |source| self.is_named(source))
    }

    /// The program without the fences and orders that can be taken out, with marks where they were.
    pub fn weakened(&self, program: &Program) -> Marked {
        marked(program.clone(), Orders::Dropped, |source| {
            self.is_named(source)
        })
    }

    fn named<'p>(&'p self, program: &'p Program) -> impl Iterator<Item = &'p Source> {
        let sources = program.included.iter().chain([&program.source]);
        sources.filter(|source| self.is_named(source))
    }

    /// Headers are not edited.
    fn is_named(&self, source: &Source) -> bool {
        let mut files = self.files.iter();
        files.any(|file| *source.name == *file.display().to_string())
    }
}

/// A text, and where it has marks.
struct MarkedText<'t> {
    original: &'t Source,
    points: Vec<Point>,
}

impl<'t> MarkedText<'t> {
    fn new(original: &'t Source) -> Self {
        MarkedText {
            original,
            points: points(&original.text),
        }
    }

    /// The text with its marks.
    fn source(&self) -> Source {
        let text = &self.original.text;
        let mut marked = String::with_capacity(text.len() * 2);
        let mut done = 0;
        for Point { offset, .. } in &self.points {
            marked += &text[done..*offset];
            marked += MARK;
            done = *offset;
        }
        Source::new(self.original.name.clone(), marked + &text[done..])
    }

    /// Leaves out the marks of lines that clang complains about, or the last one before such a line. Tells whether there were any.
    fn leave_out(&mut self, messages: &str) -> bool {
        let count = self.points.len();
        for message in messages.lines() {
            let place = message.strip_prefix(&*self.original.name);
            let place = place.and_then(|rest| rest.strip_prefix(':'));
            let line = place.and_then(|rest| rest.split(':').next()?.parse::<u32>().ok());
            let Some(line) = line.filter(|_| message.contains("error: ")) else {
                continue;
            };
            let line_of = |point: &Point| position(&self.original.text, point.offset).0;
            let lines = self.points.iter().map(line_of);
            let Some(last) = lines.filter(|at| *at <= line).max() else {
                continue;
            };
            let text = &self.original.text;
            self.points
                .retain(|point| position(text, point.offset).0 != last);
        }
        self.points.len() < count
    }
}

/// Where marks were put into a text: by line, the columns of the original that they come before.
struct Marks(Vec<Vec<u32>>);

impl Marks {
    fn new(text: &MarkedText) -> Self {
        let original = &text.original.text;
        let mut lines = vec![Vec::new(); original.lines().count() + 1];
        for point in &text.points {
            let (line, column) = position(original, point.offset);
            lines[line as usize - 1].push(column);
        }
        Marks(lines)
    }

    /// The column of the original that a column of the marked text stands for, and whether it is in a mark.
    fn original(&self, line: u32, column: u32) -> (u32, bool) {
        let length = MARK.chars().count() as u32;
        let marks = self.0.get((line as usize).wrapping_sub(1));
        let mut shift = 0;
        for &mark in marks.into_iter().flatten() {
            let start = mark + shift;
            if column < start {
                break;
            }
            if column < start + length {
                return (mark, true);
            }
            shift += length;
        }
        (column - shift, false)
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() as u32 + 1;
    (line, before[start..].chars().count() as u32 + 1)
}

/// Translates all spans of a file back.
fn translate(program: &mut Program, file: u16, marks: &Marks) {
    let back = |span: &mut Span| -> bool {
        if span.file != file || *span == Span::NOWHERE {
            return false;
        }
        let (start, in_mark) = marks.original(span.line, span.column);
        let (end, _) = marks.original(span.line, span.column + span.length);
        span.column = start;
        span.length = end.saturating_sub(start);
        in_mark
    };
    for function in &mut program.functions {
        for block in &mut function.blocks {
            for Instruction { kind, span } in &mut block.instructions {
                let in_mark = back(span);
                if in_mark && *kind == InstructionKind::Fence(Orderings::NONE) {
                    span.length = 0;
                }
            }
            back(&mut block.terminator_span);
        }
    }
    for object in &mut program.objects {
        back(&mut object.span);
    }
    for (span, _) in &mut program.allocations {
        back(span);
    }
}

/// Copies of files, gone when this is dropped.
struct Copies {
    directory: TempDir,
    files: Vec<PathBuf>,
    /// Where the originals lie.
    parents: Vec<PathBuf>,
}

impl Copies {
    fn new(files: &[PathBuf], texts: &[Source]) -> io::Result<Self> {
        let mut copies = Copies {
            directory: tempfile::tempdir()?,
            files: Vec::new(),
            parents: Vec::new(),
        };
        for (index, file) in files.iter().enumerate() {
            let name = file.display().to_string();
            let text = texts.iter().find(|text| *text.name == *name);
            let (Some(text), Some(end)) = (text, file.file_name()) else {
                copies.files.push(file.clone());
                continue;
            };
            let own = copies.directory.path().join(index.to_string());
            std::fs::create_dir(&own)?;
            let copy = own.join(end);
            std::fs::write(&copy, &*text.text)?;
            copies.files.push(copy);
            let parent = file.parent().filter(|parent| *parent != Path::new(""));
            let parent = parent.unwrap_or(Path::new(".")).to_owned();
            copies.parents.push(parent);
        }
        Ok(copies)
    }

    /// Options by which clang finds what the originals include.
    fn options(&self) -> Vec<String> {
        let parents = self.parents.iter();
        let quoted = parents.flat_map(|p| ["-iquote".to_owned(), p.display().to_string()]);
        quoted.collect()
    }

    /// What clang said, with the names of the originals.
    fn named_as_originals(
        &self,
        originals: &[PathBuf],
        path: PathBuf,
        messages: &str,
    ) -> (PathBuf, String) {
        let (mut name, mut said) = (path.clone(), messages.to_owned());
        for (copy, original) in self.files.iter().zip(originals) {
            let shown = original.display().to_string();
            said = said.replace(&copy.display().to_string(), &shown);
            if *copy == path {
                name = original.clone();
            }
        }
        (name, said)
    }

    fn rename(&self, originals: &[PathBuf], source: &mut Source) {
        for (copy, original) in self.files.iter().zip(originals) {
            if *source.name == *copy.display().to_string() {
                source.name = original.display().to_string().into();
            }
        }
    }
}
