//! The clients of a data type that the user asks for.

use crate::arguments::InputOptions;
use crate::inputs::{self, Complaint, Input};
use check::DataType;
use frontend::c;
use frontend::client::{self, Client, Test, TestError};
use program::{Diagnostic, Source, Span};
use report::Invoked;
use std::path::{Path, PathBuf};

/// The data type that the user named.
pub fn read(options: &InputOptions, limit: &c::Limit) -> Result<DataType, Complaint> {
    match inputs::inputs(options)?.as_slice() {
        [Input::C(files)] => read_files(files, options, limit),
        _ => {
            let text = "refine takes one data type, the files of a C program";
            Err(Complaint::Plain(text.to_owned()))
        }
    }
}

/// The data type in these files.
pub fn read_files(
    files: &[PathBuf],
    options: &InputOptions,
    limit: &c::Limit,
) -> Result<DataType, Complaint> {
    let compiler = inputs::compiler(files, options, limit)?;
    let program = c::read_operations(files, &options.compiler_options.list, compiler.as_ref())?;
    Ok(DataType::new(program))
}

/// The tests that the user wrote, on the command line or in files.
pub fn tests(
    data_type: &DataType,
    written: &[String],
    files: &[PathBuf],
) -> Result<Vec<Test>, Complaint> {
    let mut tests = Vec::new();
    for text in written {
        let test = client::read_test(text, &data_type.operations);
        tests.push(test.map_err(|error| complaint(&Source::new("--test", text.as_str()), error))?);
    }
    for path in files {
        let source = text_of(path)?;
        let read = client::read_tests(&source.text, &data_type.operations);
        let read = read.map_err(|error| complaint(&source, error))?;
        if read.is_empty() {
            let text = format!("{} has no tests", path.display());
            return Err(Complaint::Plain(text));
        }
        tests.extend(read);
    }
    Ok(tests)
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
