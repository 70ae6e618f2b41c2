//! Where code stands in the user's files.
//!
//! With debug information a span is the statement in the C file. Without it, or where the
//! C file cannot be read, it is the line of the `.ll` file.

use super::statements::{self, Stretch};
use crate::llvm::{Metadata, MetadataId, Module, SourceId};
use program::{Diagnostic, Source, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// The text of a source file, given the directory that the compiler ran in and the
/// file's name.
pub type ReadSource<'a> = dyn Fn(&str, &str) -> Option<String> + 'a;

/// A place in the module: what debug information says of it, and the line of the `.ll`
/// file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub debug: Option<MetadataId>,
    pub source: SourceId,
    pub line: u32,
}

/// Finds spans.
pub(super) struct Spans<'m> {
    module: &'m Module,
    read: &'m ReadSource<'m>,
    /// Files in the order of use.
    files: Vec<Source>,
    /// The place of a file in `files`, by its path; none if it cannot be read.
    by_path: HashMap<String, Option<u16>>,
    /// The place of a `DIFile` in `files`.
    by_node: HashMap<MetadataId, Option<u16>>,
    known: HashMap<MetadataId, Span>,
    /// Spans point into `.ll` files, which are `files`.
    in_assembly: bool,
}

impl<'m> Spans<'m> {
    /// Spans of a module whose main file is that of `main`, a `DISubprogram`.
    pub fn new(
        module: &'m Module,
        read: &'m ReadSource<'m>,
        main: Option<MetadataId>,
    ) -> Spans<'m> {
        let mut spans = Spans {
            module,
            read,
            files: Vec::new(),
            by_path: HashMap::new(),
            by_node: HashMap::new(),
            known: HashMap::new(),
            in_assembly: false,
        };
        let file = main.and_then(|main| match module.node(main) {
            Metadata::Subprogram { file, .. } => *file,
            _ => None,
        });
        if file.and_then(|file| spans.file(file)).is_none() {
            spans.in_assembly = true;
            spans.files = module.sources.clone();
        }
        if spans.files.is_empty() {
            spans.files.push(Source::new("", ""));
        }
        spans
    }

    /// The program's own file, and the others.
    pub fn into_sources(self) -> (Source, Vec<Source>) {
        let mut sources = self.files.into_iter();
        let first = sources.next().unwrap_or_else(|| Source::new("", ""));
        (first, sources.collect())
    }

    /// Where something stands.
    pub fn at(&mut self, site: Site) -> Span {
        if self.in_assembly {
            return self.line_of_assembly(site);
        }
        let Some(debug) = site.debug else {
            return Span::NOWHERE;
        };
        if let Some(known) = self.known.get(&debug) {
            return *known;
        }
        let span = self.of_location(debug);
        self.known.insert(debug, span);
        span
    }

    fn line_of_assembly(&self, site: Site) -> Span {
        let file = site.source.0 as u16;
        let Some(line) = self
            .files
            .get(usize::from(file))
            .and_then(|f| f.line(site.line))
        else {
            return Span::NOWHERE;
        };
        span_of(file, site.line, line, statements::whole(line))
    }

    /// The statement at a line and column of a `DIFile`; the whole line for column 0.
    fn statement(&mut self, file: MetadataId, line: u32, column: u32) -> Option<Span> {
        let file = self.file(file)?;
        let text = self.files[usize::from(file)].line(line)?;
        let stretch = match column.checked_sub(1) {
            Some(at) => statements::statement_at(text, at as usize),
            None => statements::whole(text),
        };
        Some(span_of(file, line, text, stretch))
    }

    fn of_location(&mut self, location: MetadataId) -> Span {
        // The innermost place in a file of the user's, else the outermost.
        let mut best = None;
        let mut next = Some(location);
        for _ in 0..256 {
            let Some(Metadata::Location {
                line,
                column,
                scope,
                inlined_at,
            }) = next.map(|id| self.module.node(id))
            else {
                break;
            };
            if let Some(file) = self.file_of_scope(*scope) {
                best = Some((file, *line, *column));
                let (name, directory) = self.module.file(Some(file));
                if !is_system(&path(&directory, &name)) {
                    break;
                }
            }
            next = *inlined_at;
        }
        best.and_then(|(file, line, column)| self.statement(file, line, column))
            .unwrap_or(Span::NOWHERE)
    }

    fn file_of_scope(&self, scope: Option<MetadataId>) -> Option<MetadataId> {
        match self.module.node(scope?) {
            Metadata::LexicalBlock {
                file: Some(file), ..
            } => Some(*file),
            Metadata::Subprogram {
                file: Some(file), ..
            } => Some(*file),
            Metadata::LexicalBlock { scope, .. } => match self.module.node((*scope)?) {
                Metadata::Subprogram { file, .. } | Metadata::LexicalBlock { file, .. } => *file,
                _ => None,
            },
            _ => None,
        }
    }

    /// The span of a declaration.
    pub fn of_declaration(&mut self, file: Option<MetadataId>, line: u32) -> Span {
        if self.in_assembly {
            return Span::NOWHERE;
        }
        file.and_then(|file| self.statement(file, line, 0))
            .unwrap_or(Span::NOWHERE)
    }

    /// The place of a `DIFile` among the files.
    fn file(&mut self, node: MetadataId) -> Option<u16> {
        if let Some(known) = self.by_node.get(&node) {
            return *known;
        }
        let found = self.find_file(node);
        self.by_node.insert(node, found);
        found
    }

    fn find_file(&mut self, node: MetadataId) -> Option<u16> {
        let Metadata::File {
            filename,
            directory,
        } = self.module.node(node)
        else {
            return None;
        };
        let path = path(directory, filename);
        if let Some(known) = self.by_path.get(&path) {
            return *known;
        }
        let found = (self.read)(directory, filename).and_then(|text| {
            let number = u16::try_from(self.files.len()).ok()?;
            self.files.push(Source::new(Arc::from(&**filename), text));
            Some(number)
        });
        self.by_path.insert(path, found);
        found
    }

    /// A complaint about what stands at a place; in the C file if it is known, else in
    /// the `.ll` file.
    pub fn complain(
        &mut self,
        site: Site,
        message: String,
        label: String,
        help: Option<String>,
    ) -> Diagnostic {
        let span = self.at(site);
        let (source, span) = match span == Span::NOWHERE {
            false => {
                let source = self.files[usize::from(span.file)].clone();
                (source, Span { file: 0, ..span })
            }
            true => {
                let source = self.module.sources.get(site.source.index()).cloned();
                let source = source.unwrap_or_else(|| Source::new("", ""));
                let line = source.line(site.line).unwrap_or("");
                let span = span_of(0, site.line, line, statements::whole(line));
                (source, span)
            }
        };
        Diagnostic {
            source,
            message,
            span,
            label,
            others: Vec::new(),
            help,
        }
    }
}

fn span_of(file: u16, line: u32, text: &str, stretch: Stretch) -> Span {
    let count = |part: &str| part.chars().count() as u32;
    Span {
        file,
        line,
        column: count(&text[..stretch.start]) + 1,
        length: count(&text[stretch.start..stretch.end]),
    }
}

/// A file's path.
fn path(directory: &str, filename: &str) -> String {
    match filename.starts_with('/') || directory.is_empty() {
        true => filename.to_owned(),
        false => format!("{directory}/{filename}"),
    }
}

/// Whether a file belongs to the system rather than to the user.
fn is_system(path: &str) -> bool {
    path.starts_with("/usr/")
        || path.starts_with("/rustc/")
        || path.contains("/lib/clang/")
        || path.contains("/rustlib/")
}
