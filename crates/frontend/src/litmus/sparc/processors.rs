//! The paper's layout: `Processor 0` on a line, its instructions below, one to a
//! line, then `Processor 1`. A heading may name several processors, which then
//! run the same code: `Processor 0,1` or `Processor 0..2`.

use crate::litmus::columns::{Listing, MAX_PROCESSORS};
use crate::litmus::complaint::{Detail, complaint};
use crate::litmus::cursor::Cursor;
use crate::litmus::sections::Part;
use program::{Diagnostic, Source, Span};

/// The listings, and which of them each processor runs.
pub struct Layout<'a> {
    pub listings: Vec<Listing<'a>>,
    pub processors: Vec<usize>,
}

/// True if the code is laid out like this.
pub fn applies(source: &Source, code: Part<'_>) -> bool {
    code.cursor(source).sees_word("Processor")
}

/// Reads the code.
pub fn processors<'a>(source: &'a Source, code: Part<'a>) -> Result<Layout<'a>, Diagnostic> {
    let mut cursor = code.cursor(source);
    let mut listings: Vec<Listing> = Vec::new();
    let mut headings: Vec<(usize, usize, Span)> = Vec::new();
    while let Some(token) = cursor.peek() {
        if token.first && token.is_word("Processor") {
            for (number, span) in heading(&mut cursor)? {
                add_processor(source, &mut headings, number, listings.len(), span)?;
            }
            listings.push(Listing::default());
            continue;
        }
        let line = statement(&mut cursor);
        if let Some(listing) = listings.last_mut() {
            listing.add(source, line)?;
        }
    }
    headings.sort_unstable();
    for (wanted, (number, _, span)) in headings.iter().enumerate() {
        if *number != wanted {
            let message = format!("there is a processor {number} but no processor {wanted}");
            return Err(complaint(source, *span, message)
                .expected("processors numbered from 0 without gaps"));
        }
    }
    let processors = headings.iter().map(|(_, listing, _)| *listing).collect();
    Ok(Layout {
        listings,
        processors,
    })
}

/// Takes the tokens up to the end of the line or a `;`.
fn statement<'a>(cursor: &mut Cursor<'a>) -> &'a [crate::litmus::text::Token] {
    let start = cursor.clone();
    let line = cursor.here().line;
    while cursor
        .peek()
        .is_some_and(|t| t.span.line == line && !t.is(";"))
    {
        cursor.take();
    }
    let tokens = cursor.since(&start);
    cursor.eat(";");
    tokens
}

/// Takes `Processor 0,1` or `Processor 0..2`.
fn heading(cursor: &mut Cursor<'_>) -> Result<Vec<(usize, Span)>, Diagnostic> {
    let line = cursor.here().line;
    cursor.take();
    let mut found = Vec::new();
    loop {
        let span = cursor.here();
        let first = processor(cursor, line)?;
        let last = match cursor.eat("..") {
            true => processor(cursor, line)?,
            false => first,
        };
        if last < first {
            let message = format!("no processors go from {first} to {last}");
            return Err(complaint(cursor.source, span, message)
                .expected("the smaller number first, as in `Processor 0..2`"));
        }
        found.extend((first..=last).map(|number| (number, span)));
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.eat(":");
    match cursor.peek() {
        Some(token) if token.span.line == line => {
            Err(cursor.unexpected("the end of the line after the processors' numbers"))
        }
        _ => Ok(found),
    }
}

fn processor(cursor: &mut Cursor<'_>, line: u32) -> Result<usize, Diagnostic> {
    let span = cursor.here();
    if span.line != line {
        let head = complaint(cursor.source, span, "the heading has no number");
        return Err(head.expected("a processor's number, as in `Processor 0`"));
    }
    let number = cursor.number("a processor's number")?;
    match usize::try_from(number) {
        Ok(number) if number < MAX_PROCESSORS => Ok(number),
        _ => {
            let message = format!("there cannot be a processor {number}");
            let wanted = format!("a number below {MAX_PROCESSORS}");
            Err(complaint(cursor.source, span, message).expected(wanted))
        }
    }
}

fn add_processor(
    source: &Source,
    headings: &mut Vec<(usize, usize, Span)>,
    number: usize,
    listing: usize,
    span: Span,
) -> Result<(), Diagnostic> {
    if let Some((_, _, before)) = headings.iter().find(|(known, ..)| *known == number) {
        let message = format!("processor {number} has code already");
        return Err(complaint(source, span, message).beside(*before, "here"));
    }
    headings.push((number, listing, span));
    Ok(())
}
