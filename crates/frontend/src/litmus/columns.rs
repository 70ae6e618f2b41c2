//! Code in columns: `P0 | P1 ;` and rows of instructions below.

use super::code::Labels;
use super::complaint::{Detail, complaint, nearest};
use super::cursor::Cursor;
use super::init::thread_name;
use super::sections::{KEYWORDS, Part};
use super::text::{Kind, Token};
use program::{Diagnostic, Source};

/// The largest number of processors.
pub const MAX_PROCESSORS: usize = 64;

/// The code of one processor, still in tokens.
#[derive(Default)]
pub struct Listing<'a> {
    /// Instructions without their labels.
    pub instructions: Vec<&'a [Token]>,
    pub labels: Labels,
}

impl<'a> Listing<'a> {
    /// Adds a line of code: labels, then an instruction or nothing.
    pub fn add(&mut self, source: &Source, mut line: &'a [Token]) -> Result<(), Diagnostic> {
        while let [label, colon, rest @ ..] = line {
            let may_be_label = matches!(label.kind, Kind::Word | Kind::Number);
            if !may_be_label || !colon.is(":") {
                break;
            }
            self.labels.add(source, label, self.instructions.len())?;
            line = rest;
        }
        if !line.is_empty() {
            self.instructions.push(line);
        }
        Ok(())
    }
}

/// Reads the columns, one listing per processor.
pub fn columns<'a>(source: &'a Source, code: Part<'a>) -> Result<Vec<Listing<'a>>, Diagnostic> {
    let mut cursor = code.cursor(source);
    let count = heading(&mut cursor)?;
    let mut listings: Vec<Listing> = Vec::new();
    listings.resize_with(count, Listing::default);
    while !cursor.at_end() {
        row(source, &mut cursor, &mut listings)?;
    }
    Ok(listings)
}

/// Reads `P0 | P1 ;` and returns how many there are.
fn heading(cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
    let mut count = 0;
    loop {
        let wanted = format!("`P{count}`, the heading of the next column");
        let number = cursor.peek().filter(|token| token.kind == Kind::Word);
        if number.and_then(thread_name) != Some(count as u64) {
            return Err(cursor.unexpected(wanted));
        }
        if count == MAX_PROCESSORS {
            let message = format!("more than {MAX_PROCESSORS} processors");
            return Err(complaint(cursor.source, cursor.here(), message));
        }
        cursor.take();
        count += 1;
        if cursor.eat(";") {
            return Ok(count);
        }
        if !cursor.eat("|") {
            return Err(cursor.unexpected("`|` or `;` after the column's heading"));
        }
    }
}

fn row<'a>(
    source: &Source,
    cursor: &mut Cursor<'a>,
    listings: &mut [Listing<'a>],
) -> Result<(), Diagnostic> {
    let mut column = 0;
    let first = cursor.clone();
    loop {
        let start = cursor.clone();
        while !cursor.at_end() && !cursor.sees(";") && !ends_cell(cursor) {
            cursor.take();
        }
        let cell = cursor.since(&start);
        match listings.get_mut(column) {
            Some(listing) => listing.add(source, cell)?,
            None if cell.is_empty() && cursor.sees(";") => {}
            None => {
                let message = "more columns than the heading has";
                return Err(complaint(source, start.here(), message)
                    .expected(format!("{} columns", listings.len())));
            }
        }
        column += 1;
        if cursor.eat(";") {
            return Ok(());
        }
        if !cursor.eat("|") {
            let word = first.peek().map_or("", |token| token.text.as_str());
            if nearest(word, KEYWORDS).is_some() {
                let wanted = "an instruction, or a statement about the code";
                return Err(first.unexpected(wanted).meant(word, KEYWORDS));
            }
            return Err(cursor.unexpected("`;` at the end of the row"));
        }
    }
}

/// A bar ends a cell, but not the one in `membar #LoadLoad|#StoreStore`.
fn ends_cell(cursor: &Cursor<'_>) -> bool {
    cursor.sees("|") && !cursor.peek_at(1).is_some_and(|next| next.is("#"))
}
