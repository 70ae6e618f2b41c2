//! Pages in Markdown: their code blocks, and the commands in them.

use std::ops::Range;

/// What a line of an indented block begins with if it is a command.
const COMMANDS: [&str; 5] = ["fencepost ", "cargo ", "scripts/", "cc ", "FENCEPOST_"];

/// A fenced code block.
#[derive(Debug)]
pub struct Block<'a> {
    /// What stands behind the opening fence: the language, then perhaps a file name.
    pub info: &'a str,
    /// The lines between the fences, by their numbers in the page, from 0 on.
    pub lines: Range<usize>,
}

impl<'a> Block<'a> {
    /// The file whose text the block shows, if it names one: ```` ```c lock.c ````.
    pub fn file(&self) -> Option<&'a str> {
        self.info.split_once(' ').map(|(_, file)| file)
    }
}

/// A command, and what the page shows of its output.
#[derive(Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// The command, as somebody would type it.
    pub command: String,
    /// The lines behind it that show what it prints, by their numbers in the page.
    pub shown: Range<usize>,
    /// Those lines.
    pub output: Vec<&'a str>,
}

/// Every fenced block of a page.
pub fn blocks<'a>(lines: &[&'a str]) -> Vec<Block<'a>> {
    let mut found = Vec::new();
    let mut number = 0;
    while number < lines.len() {
        let Some(info) = lines[number].strip_prefix("```") else {
            number += 1;
            continue;
        };
        let start = number + 1;
        let length = lines[start..].iter().position(|line| *line == "```");
        let end = start + length.unwrap_or_else(|| panic!("line {start}: the block has no end"));
        found.push(Block {
            info,
            lines: start..end,
        });
        number = end + 1;
    }
    found
}

/// Every command of a page: those behind `$ ` in blocks called `console`, and indented lines
/// that begin with a command, of which nothing is shown.
pub fn examples<'a>(lines: &[&'a str]) -> Vec<Example<'a>> {
    let blocks = blocks(lines);
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if blocks.iter().any(|block| block.lines.contains(&number)) {
            continue;
        }
        let Some(command) = line.strip_prefix("    ") else {
            continue;
        };
        if COMMANDS.iter().any(|start| command.starts_with(start)) && !is_synopsis(command) {
            found.push(Example {
                command: command.to_owned(),
                shown: number + 1..number + 1,
                output: Vec::new(),
            });
        }
    }
    for block in blocks.iter().filter(|block| block.info == "console") {
        found.extend(session(lines, block.lines.clone()));
    }
    found.sort_by_key(|example| example.shown.start);
    found
}

/// The commands of one block.
fn session<'a>(lines: &[&'a str], block: Range<usize>) -> Vec<Example<'a>> {
    let mut found: Vec<Example<'a>> = Vec::new();
    for number in block.clone() {
        let line = lines[number];
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Example {
                command: command.to_owned(),
                shown: number + 1..number + 1,
                output: Vec::new(),
            }),
            // A command that ends with a backslash goes on.
            (None, Some(example))
                if example.output.is_empty() && example.command.ends_with('\\') =>
            {
                example.command += "\n";
                example.command += line.strip_prefix("> ").unwrap_or(line);
                example.shown = number + 1..number + 1;
            }
            (None, Some(example)) => {
                example.output.push(line);
                example.shown.end = number + 1;
            }
            (None, None) => panic!("line {}: a console begins with a command", number + 1),
        }
    }
    // An empty line before the next command belongs to neither.
    for example in &mut found {
        while example.output.last() == Some(&"") {
            example.output.pop();
            example.shown.end -= 1;
        }
    }
    found
}

/// Whether a line says how a command is used, rather than being one.
fn is_synopsis(line: &str) -> bool {
    line.contains('…') || line.contains("[-") || line.contains(" FILE")
}

/// The commands `fencepost …` within sentences.
pub fn inline_commands<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let blocks = blocks(lines);
    let outside = |number| !blocks.iter().any(|block| block.lines.contains(&number));
    let prose = lines.iter().enumerate().filter(|(n, _)| outside(*n));
    let spans = prose.flat_map(|(_, line)| line.split('`').skip(1).step_by(2));
    spans
        .filter(|span| span.starts_with("fencepost "))
        .collect()
}
