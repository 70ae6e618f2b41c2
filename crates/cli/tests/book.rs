//! The book, the README and the pages beside the examples: every command in them is run, and what
//! they show is what it prints; every link leads somewhere; the book can be built.
//!
//! A page shows commands in blocks called `console`, behind `$ `, with as much of the output below as the reader
//! needs: `…` alone on a line leaves out a part, and a command without output is run as well. A block with a
//! file name, ```` ```c lock.c ````, is that file. A file of the repository is shown as it is, or in part.
//!
//! `FENCEPOST_BLESS=1 cargo test -p fencepost --test book` writes what commands print now into the
//! pages, the whole output where a page has `?` below a command; read the difference before you keep it.

#[path = "book/build.rs"]
mod build;
mod command_line;
#[path = "book/links.rs"]
mod links;
#[path = "book/options.rs"]
mod options;
#[path = "book/page.rs"]
mod page;
#[path = "book/shell.rs"]
mod shell;
#[path = "book/shown.rs"]
mod shown;

use command_line::repository;
use shell::Shell;
use std::fs;
use std::path::Path;

/// Exit codes of commands of which nothing is shown: any answer, but no bad input.
const ANSWERS: [i32; 3] = [0, 1, 3];

/// The commands that are not run, since they run this test.
const NOT_RUN: [&str; 1] = ["scripts/test"];

/// Runs what a page shows, and complains of what it shows otherwise, or corrects it.
fn run(name: &str) {
    let path = repository().join(name);
    let text = fs::read_to_string(&path).expect("the page");
    let lines: Vec<&str> = text.lines().collect();
    let blocks = page::blocks(&lines);
    let files = blocks
        .iter()
        .filter_map(|block| Some((block, block.file()?)));
    let mut files = files.peekable();
    let mut shell = Shell::new(&repository(), name).expect("a new directory");
    let mut wrong = Vec::new();
    let mut corrected: Vec<String> = Vec::new();
    let mut done = 0;
    let examples = page::examples(&lines).into_iter();
    for example in examples.filter(|example| !NOT_RUN.contains(&&*example.command)) {
        while let Some((block, file)) =
            files.next_if(|(block, _)| block.lines.start < example.shown.start)
        {
            let text = lines[block.lines.clone()].join("\n") + "\n";
            wrong.extend(show(&shell, file, &text));
        }
        let command = &example.command;
        let printed = shell.run(command).expect("a shell");
        let output: Vec<&str> = printed.text.lines().collect();
        let expected = match example.output.is_empty() {
            true => ANSWERS.contains(&printed.code),
            false => (0..=3).contains(&printed.code),
        };
        if !expected || !shown::agrees(&example.output, &output) {
            let (code, text) = (printed.code, &printed.text);
            wrong.push(format!("$ {command}\n{text}(exit code {code})"));
        }
        let before = &lines[done..example.shown.start];
        corrected.extend(before.iter().map(|line| (*line).to_owned()));
        corrected.extend(shown::corrected(&example.output, &output));
        done = example.shown.end;
    }
    corrected.extend(lines[done..].iter().map(|line| (*line).to_owned()));
    let corrected = corrected.join("\n") + "\n";
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        if corrected != text {
            fs::write(&path, corrected).expect("the page can be written");
        }
    } else {
        let wrong = wrong.join("\n\n");
        assert!(
            wrong.is_empty(),
            "{name} shows something else than\n{wrong}"
        );
    }
}

/// Makes the file that a block shows, or compares it with the repository's, and complains if it differs.
fn show(shell: &Shell, file: &str, text: &str) -> Option<String> {
    match fs::read_to_string(repository().join(file)) {
        Ok(stored) if excerpt(text, &stored) => None,
        Ok(_) => Some(format!("{file} does not have this text:\n{text}")),
        Err(_) => {
            shell.write(file, text).expect("a new file");
            None
        }
    }
}

/// Whether a text is a file's, or parts of it with `…` between them.
fn excerpt(text: &str, stored: &str) -> bool {
    let mut rest = stored;
    text.split("…\n").all(|part| match rest.find(part) {
        Some(place) => {
            rest = &rest[place + part.len()..];
            true
        }
        None => false,
    })
}

/// One test for each page, so that they run side by side and can be asked for by name.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        /// Every page with commands.
        const PAGES: &[&str] = &[$($path),*];

        mod shows_what_the_command_prints {
            $(
                #[test]
                fn $name() {
                    super::run($path);
                }
            )*
        }
    };
}

pages! {
    readme: "README.md",
    examples: "examples/README.md",
    examples_c: "examples/c/README.md",
    examples_datatypes: "examples/datatypes/README.md",
    examples_prove: "examples/prove/README.md",
    examples_robust: "examples/robust/README.md",
    introduction: "docs/introduction.md",
    first_check: "docs/tutorial/first-check.md",
    counterexample: "docs/tutorial/counterexample.md",
    how_to_lock: "docs/how-to/lock.md",
    how_to_queue: "docs/how-to/queue.md",
    how_to_loops: "docs/how-to/loops.md",
    how_to_data_types: "docs/how-to/data-types.md",
    how_to_fences: "docs/how-to/fences.md",
    how_to_prove: "docs/how-to/prove.md",
    how_to_reports: "docs/how-to/reports.md",
    explanation_models: "docs/explanation/models.md",
    explanation_engines: "docs/explanation/engines.md",
    executions: "docs/explanation/executions.md",
    exploration: "docs/explanation/exploration.md",
    ci: "docs/how-to/ci.md",
    limitations: "docs/explanation/limitations.md",
    speed: "docs/explanation/speed.md",
    command_line_reference: "docs/reference/command-line.md",
    exit_codes: "docs/reference/exit-codes.md",
    project: "docs/reference/project.md",
    saved: "docs/reference/saved.md",
    rust: "docs/reference/rust.md",
    violations: "docs/reference/violations.md",
    c: "docs/reference/c.md",
    fences: "docs/reference/fences.md",
    json: "docs/reference/json.md",
    library: "docs/reference/library.md",
    litmus: "docs/reference/litmus.md",
    models: "docs/reference/models.md",
    monitor: "docs/reference/monitor.md",
    prove: "docs/reference/prove.md",
    refine: "docs/reference/refine.md",
    robust: "docs/reference/robust.md",
}

/// The pages below a directory, as the repository names them.
fn pages_in(directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    let entries = fs::read_dir(repository().join(directory)).expect("a directory");
    for entry in entries.map(|entry| entry.expect("an entry")) {
        let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.extend(pages_in(&name));
        } else if name.ends_with(".md") {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// Every page: the README, the book, and what stands beside the examples.
fn all_pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    pages.extend(pages_in("docs"));
    pages.extend(pages_in("examples"));
    pages
}

#[test]
fn every_page_is_run() {
    for page in all_pages() {
        let listed = PAGES.contains(&page.as_str());
        assert!(
            listed || page == "docs/SUMMARY.md",
            "{page} is not in the list of this test"
        );
    }
    for page in PAGES {
        assert!(Path::new(&repository()).join(page).is_file(), "{page}");
    }
}

#[test]
fn commands_stand_where_they_are_run() {
    for name in all_pages() {
        let text = fs::read_to_string(repository().join(&name)).expect("the page");
        let lines: Vec<&str> = text.lines().collect();
        let examples = page::examples(&lines).len();
        let typed = lines.iter().filter(|line| line.starts_with("$ ")).count();
        let consoles = page::blocks(&lines);
        let consoles = consoles.iter().filter(|block| block.info == "console");
        let in_consoles: usize = consoles
            .map(|block| &lines[block.lines.clone()])
            .map(|lines| lines.iter().filter(|line| line.starts_with("$ ")).count())
            .sum();
        assert_eq!(typed, in_consoles, "{name}: a command outside of a console");
        assert!(examples >= in_consoles, "{name}");
    }
}
