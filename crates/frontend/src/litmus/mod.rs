//! From the text of a litmus test to a program.
//!
//! [`text`] cuts it into tokens, [`sections`] into sections; [`init`] reads the
//! initial state, [`columns`] and [`sparc`]'s own layout find the code of each
//! processor; [`x86`] and [`sparc`] translate it, with [`locations`], [`address`]
//! and [`code`] in common; [`condition`] reads formulas and [`scope`] finds what
//! their names stand for.

mod address;
mod code;
mod columns;
mod complaint;
mod condition;
mod cursor;
mod flags;
mod init;
mod locations;
mod scope;
mod sections;
mod sparc;
mod statements;
mod temporaries;
mod text;
pub mod vocabulary;
mod x86;

use code::{Code, Labels};
use complaint::{Detail, complaint};
use cursor::Cursor;
use init::Init;
use program::{
    Diagnostic, Formula, FunctionId, Object, Program, Properties, RegisterId, Source, Span, Thread,
    ThreadId, Word,
};
use scope::{Alias, RegisterView, Scope};
use text::{Kind, Token};

/// The languages of litmus tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    X86,
    Sparc,
}

impl Language {
    fn named(word: &str) -> Option<Language> {
        match word {
            "X86" | "X86_64" => Some(Language::X86),
            // The layout of Park and Dill's paper, without a heading.
            "SPARC" | "Processor" => Some(Language::Sparc),
            _ => None,
        }
    }

    /// The register of this name, with or without `%` in SPARC.
    fn register(self, name: &str) -> Option<RegisterView> {
        match self {
            Language::X86 => x86::register(name),
            Language::Sparc => sparc::register(name),
        }
    }

    /// True for the whole registers of the language, which flags and temporaries
    /// of a translated program are not.
    fn is_register(self, name: &str) -> bool {
        self.register(name)
            .is_some_and(|view| view.register == name)
    }

    fn registers_expected(self) -> &'static str {
        match self {
            Language::X86 => "a register such as `EAX`",
            Language::Sparc => "a register such as `%r1`",
        }
    }
}

/// A program without name and properties, as a language's translator makes it.
pub struct Draft {
    program: Program,
    /// For each thread the names of the registers that receive values from memory.
    loaded: Vec<Vec<String>>,
    aliases: Vec<Alias>,
}

impl Draft {
    fn new(objects: Vec<Object>) -> Self {
        Draft {
            program: Program {
                name: String::new(),
                process: false,
                source: Source::new("", ""),
                included: Vec::new(),
                types: Vec::new(),
                allocations: Vec::new(),
                objects,
                functions: Vec::new(),
                threads: Vec::new(),
                observed: Vec::new(),
                properties: Properties::default(),
            },
            loaded: Vec::new(),
            aliases: Vec::new(),
        }
    }

    /// Adds the next thread.
    fn add_thread(
        &mut self,
        code: Code,
        initial: Vec<(RegisterId, Word)>,
        loaded: Vec<String>,
        labels: &Labels,
    ) {
        let number = self.program.threads.len();
        let name = ThreadId::from(number).to_string();
        let aliases = labels.aliases();
        self.aliases
            .extend(aliases.map(|(label, first)| (number, label.to_owned(), first.to_owned())));
        self.loaded.push(loaded);
        self.program.threads.push(Thread {
            name: name.clone(),
            function: FunctionId::from(number),
            initial,
        });
        self.program.functions.push(code.finish(name));
    }
}

/// Reads a litmus test.
pub fn read(source: &Source) -> Result<Program, Diagnostic> {
    let mut tokens = text::tokens(source)?;
    let language = language_of(source, tokens.first())?;
    if language == Language::Sparc {
        tokens = sections::without_line_comments(tokens);
    }
    let sections = sections::sections(source, &tokens, language)?;
    let init = match sections.init {
        Some(part) => init::init(source, part, language)?,
        None => Init::default(),
    };
    let mut draft = match language {
        Language::X86 => x86::translate(source, sections.code, &init)?,
        Language::Sparc => sparc::translate(source, sections.code, &init)?,
    };
    check_threads(source, &init, draft.program.threads.len())?;
    draft.program.name = sections.name;
    draft.program.source = source.clone();
    temporaries::remove(&mut draft.program, language);
    statements::add(&mut draft, source, language, &sections.statements)?;
    match draft.program.validate() {
        Ok(()) => Ok(draft.program),
        Err(error) => {
            let span = error.span.max(Span::new(1, 1, 0));
            Err(complaint(source, span, error.to_string()))
        }
    }
}

fn language_of(source: &Source, first: Option<&Token>) -> Result<Language, Diagnostic> {
    let known = first.filter(|token| token.kind == Kind::Word);
    if let Some(language) = known.and_then(|token| Language::named(&token.text)) {
        return Ok(language);
    }
    let span = first.map_or(Span::new(1, 1, 0), |token| token.span);
    let message = match first {
        Some(token) => format!("unknown language `{}`", token.text),
        None => "the file is empty".to_owned(),
    };
    Err(complaint(source, span, message)
        .expected("`X86` or `SPARC`, then the test's name")
        .help("supported are X86 (`X86`, `X86_64`) and SPARC V9 (`SPARC`)"))
}

fn check_threads(source: &Source, init: &Init, count: usize) -> Result<(), Diagnostic> {
    match init.registers.iter().find(|r| r.thread >= count as u64) {
        Some(register) => {
            let message = format!("there is no processor {}", register.thread);
            let wanted = format!("a processor from 0 to {}", count.saturating_sub(1));
            Err(complaint(source, register.span, message).expected(wanted))
        }
        None => Ok(()),
    }
}

/// Reads a formula about the states of `program`.
pub fn formula(text: &Source, program: &Program) -> Result<Formula, Diagnostic> {
    let program_tokens = text::tokens(&program.source)?;
    let language = language_of(&program.source, program_tokens.first())?;
    let tokens = text::tokens(text)?;
    let mut cursor = Cursor::new(text, &tokens, Span::new(1, 1, 0));
    let sentence = condition::sentence(&mut cursor)?;
    let scope = Scope {
        source: text,
        program,
        language,
        aliases: &[],
    };
    scope.formula(&sentence)
}
