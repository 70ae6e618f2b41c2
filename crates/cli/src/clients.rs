//! The clients of a data type that the user asks for.

use crate::arguments::{InputOptions, RefineOptions};
use crate::inputs::{self, Complaint, Input};
use frontend::c;
use frontend::client::{self, Client, ClientError, Operation, Test, TestError};
use program::{Diagnostic, Program, Source, Span};
use report::Invoked;
use std::path::{Path, PathBuf};

/// A data type: the program with its operations.
pub struct DataType {
    /// What the C files are.
    pub program: Program,
    /// What clients may call.
    pub operations: Vec<Operation>,
}

impl DataType {
    /// The data type that the user named.
    pub fn read(options: &InputOptions, limit: &c::Limit) -> Result<Self, Complaint> {
        match inputs::inputs(options)?.as_slice() {
            [Input::C(files)] => DataType::of(files, options, limit),
            _ => {
                let text = "refine takes one data type, the files of a C program";
                Err(Complaint::Plain(text.to_owned()))
            }
        }
    }

    /// The data type in these files.
    pub fn of(
        files: &[PathBuf],
        options: &InputOptions,
        limit: &c::Limit,
    ) -> Result<Self, Complaint> {
        let compiler = inputs::compiler(files, options, limit)?;
        let program = c::read_operations(files, &options.compiler_options, compiler.as_ref())?;
        let operations = client::operations(&program);
        Ok(DataType {
            program,
            operations,
        })
    }

    /// A client; with `serial` its operations are atomic.
    pub fn client(&self, test: &Test, serial: bool) -> Result<Client, Complaint> {
        client::client(&self.program, test, serial).map_err(|error| self.no_client(&error))
    }

    /// The client with one thread that does what the threads of a test do in every order, if
    /// there is such a program.
    pub fn in_one_thread(&self, test: &Test) -> Result<Option<Client>, Complaint> {
        client::serial_client(&self.program, test).map_err(|error| self.no_client(&error))
    }

    fn no_client(&self, error: &ClientError) -> Complaint {
        let help = match error {
            ClientError::Parameters(_) => Some("FP_OPERATION(name) { … } declares one"),
            _ => None,
        };
        plain(&self.program.source, error.to_string(), help)
    }

    /// The tests that the user wrote, on the command line or in files.
    pub fn tests(&self, options: &RefineOptions) -> Result<Vec<Test>, Complaint> {
        let mut tests = Vec::new();
        for text in &options.test {
            let test = client::read_test(text, &self.operations);
            tests.push(
                test.map_err(|error| complaint(&Source::new("--test", text.as_str()), error))?,
            );
        }
        for path in &options.tests {
            let source = text_of(path)?;
            let read = client::read_tests(&source.text, &self.operations);
            let read = read.map_err(|error| complaint(&source, error))?;
            if read.is_empty() {
                let text = format!("{} has no tests", path.display());
                return Err(Complaint::Plain(text));
            }
            tests.extend(read);
        }
        Ok(tests)
    }
}

/// The text of a file.
pub fn text_of(path: &Path) -> Result<Source, Complaint> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(Complaint::Plain(format!("cannot read {name}: {error}"))),
    }
}

fn complaint(source: &Source, error: TestError) -> Complaint {
    Complaint::Diagnostic(Box::new(Diagnostic {
        source: source.clone(),
        message: "this is no test".to_owned(),
        span: Span::new(error.line as u32, error.column as u32, 1),
        label: error.message,
        others: Vec::new(),
        help: Some("a test is like e(ed|de): first e, then two threads".to_owned()),
    }))
}

/// A complaint about a file as a whole.
pub fn plain(source: &Source, message: String, help: Option<&str>) -> Complaint {
    Complaint::Diagnostic(Box::new(Diagnostic {
        source: source.clone(),
        message,
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help: help.map(str::to_owned),
    }))
}

/// The calls of a client, with what is observed of each.
pub fn invoked(test: &Test, client: &Client) -> Vec<Invoked> {
    let invocations = test.invocations().map(|(thread, position, invocation)| {
        let of = |argument: bool| {
            let columns = client.columns.iter().enumerate();
            let own = columns.filter(move |(_, column)| {
                (column.thread, column.position, column.argument) == (thread, position, argument)
            });
            own.map(|(index, column)| (column.label.clone(), index))
                .collect()
        };
        Invoked {
            thread,
            position,
            operation: invocation.to_string(),
            arguments: of(true),
            results: of(false),
        }
    });
    invocations.collect()
}
