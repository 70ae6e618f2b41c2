//! Places of C programs: points between statements, found in the compiled code by compiling a copy with marks.
//!
//! A copy of each C file gets a mark at every point where a statement may stand; clang compiles the copies once, and the marks are
//! then wherever a fence would be if it were written there. Spans are translated back, so that what is
//! reported names the user's files. The copies lie in a directory of their own, and what they include is looked for where
//! the originals lie.

use crate::access::{Orders, marked};
use crate::place::Marked;
use crate::statements::{Point, points};
use frontend::c::{self, Compiler};
use program::{Instruction, InstructionKind, Orderings, Program, Source, Span};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The stack of the thread that reads a program, in bytes.
const STACK: usize = 64 << 20;

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
    /// Reads the program, with other texts for some of its files.
    pub fn read(&self, texts: &[Source], options: &[String]) -> Result<Program, c::Error> {
        let copies = Copies::new(&self.files, texts).map_err(c::Error::NoDirectory)?;
        let mut all = copies.options();
        all.extend(self.options.iter().chain(options).cloned());
        let read = match self.operations {
            true => c::read_operations,
            false => c::read_c,
        };
        let mut program = read(&copies.files, &all, self.compiler.as_ref())?;
        let sources = program.included.iter_mut();
        for source in sources.chain([&mut program.source]) {
            copies.rename(&self.files, source);
        }
        Ok(program)
    }

    /// The program, and the same with marks at its places: clang compiles both at once.
    pub fn read_and_mark(&self) -> Result<(Program, Marked), c::Error> {
        let text = |file: &PathBuf| {
            let text = std::fs::read_to_string(file).ok()?;
            Some(Source::new(file.display().to_string(), text))
        };
        // What cannot be read is for clang to complain about.
        let texts: Vec<Source> = self.files.iter().filter_map(text).collect();
        let (program, with_marks) = std::thread::scope(|scope| {
            let other = std::thread::Builder::new().stack_size(STACK);
            let plain = other.spawn_scoped(scope, || self.read(&[], &[]));
            let with_marks = self.read_with_marks(&texts);
            let plain = match plain.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(plain)) => plain,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => self.read(&[], &[]),
            };
            (plain, with_marks)
        });
        let program = program?;
        let originals: Vec<Source> = self.named(&program).cloned().collect();
        let with_marks = match originals.iter().all(|original| texts.contains(original)) {
            true => with_marks?,
            false => self.read_with_marks(&originals)?,
        };
        let marked = self.marked(with_marks, &originals);
        Ok((program, marked))
    }

    /// The program with marks in these of its texts.
    fn read_with_marks(&self, originals: &[Source]) -> Result<Program, c::Error> {
        let texts = originals.iter();
        let texts = texts.map(|s| Source::new(s.name.clone(), marked_text(&s.text)));
        self.read(&texts.collect::<Vec<_>>(), &["-w".to_owned()])
    }

    /// Marks of a program whose texts had some.
    fn marked(&self, mut with_marks: Program, originals: &[Source]) -> Marked {
        let count = with_marks.included.len() + 1;
        for file in 0..count {
            let source = match file {
                0 => &mut with_marks.source,
                file => &mut with_marks.included[file - 1],
            };
            if let Some(original) = originals.iter().find(|o| o.name == source.name) {
                *source = original.clone();
                let marks = Marks::new(&original.text);
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

fn marked_text(text: &str) -> String {
    let mut marked = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for Point { offset, .. } in points(text) {
        marked += &text[done..offset];
        marked += MARK;
        done = offset;
    }
    marked + &text[done..]
}

/// Where marks were put into a text: by line, the columns of the original that they come before.
struct Marks(Vec<Vec<u32>>);

impl Marks {
    fn new(text: &str) -> Self {
        let mut lines = vec![Vec::new(); text.lines().count() + 1];
        for point in points(text) {
            let (line, column) = position(text, point.offset);
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

    fn rename(&self, originals: &[PathBuf], source: &mut Source) {
        for (copy, original) in self.files.iter().zip(originals) {
            if *source.name == *copy.display().to_string() {
                source.name = original.display().to_string().into();
            }
        }
    }
}
