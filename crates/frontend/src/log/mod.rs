//! Event logs: what the threads of a running program did to memory, one row each.
//!
//! A row is a JSON object on a line of its own, or a line of CSV under a header row. Its fields are
//! `thread`, `operation` ([`OPERATIONS`]) and `address`, and optionally `index` and `at`; others are skipped.
//! `docs/reference/monitor.md` is the reference.
//!
//! Without `index` the rows stand in the order in which the execution happened, and [`Log`] hands them out
//! as it reads them. With `index`, the number of the value that was read or written in the sequence of
//! values of its location, rows of different threads may stand in any order. Such a log is read whole
//! and put into an order in which it can have happened.
//!
//! ```
//! use frontend::log::Log;
//!
//! let text = "thread,operation,address\nmain,store,x\n2,load,0x10\n2,load,16\n";
//! let mut log = Log::open("log.csv", text.as_bytes())?;
//! let mut rows = Vec::new();
//! while let Some(event) = log.next()? {
//!     rows.push((log.thread(event.thread), event.address));
//! }
//! assert_eq!(rows, [("main".to_owned(), 0), ("2".to_owned(), 1), ("2".to_owned(), 1)]);
//! # Ok::<(), frontend::log::Error>(())
//! ```

mod csv;
mod error;
mod json;
mod names;
mod row;
mod sequence;

pub use error::Error;
pub use row::OPERATIONS;

use csv::Header;
use names::Names;
use program::{LogEvent, LogOperation};
use row::{Flaw, Row};
use std::io::{BufRead, Read};

/// Longest line that is read.
const LONGEST: u64 = 1 << 20;

/// A log that is being read.
pub struct Log<R> {
    name: String,
    input: R,
    /// The line at hand.
    text: Vec<u8>,
    line: u64,
    bytes: u64,
    shape: Shape,
    tables: Tables,
    /// Rows that were read ahead, the next one last.
    ahead: Vec<LogEvent>,
    /// Whether rows have an index; known from the first access on.
    indexed: Option<bool>,
}

enum Shape {
    Json,
    Csv(Header),
}

/// What numbers in events stand for.
#[derive(Default)]
struct Tables {
    threads: Names,
    locations: Names,
    positions: Names,
}

/// An event with the index of its value.
type Indexed = (LogEvent, Option<u32>);

impl<R: BufRead> Log<R> {
    /// Begins to read a log of this name.
    pub fn open(name: impl Into<String>, input: R) -> Result<Self, Error> {
        let mut log = Log {
            name: name.into(),
            input,
            text: Vec::new(),
            line: 0,
            bytes: 0,
            shape: Shape::Json,
            tables: Tables::default(),
            ahead: Vec::new(),
            indexed: None,
        };
        log.open_shape()?;
        log.look_ahead()?;
        Ok(log)
    }

    /// The next event of the execution.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<LogEvent>, Error> {
        if let Some(event) = self.ahead.pop() {
            return Ok(Some(event));
        }
        if self.indexed != Some(false) {
            return Ok(None);
        }
        Ok(self.read()?.map(|(event, _)| event))
    }

    /// The name of a thread.
    pub fn thread(&self, thread: u32) -> String {
        self.tables.threads.name(thread)
    }

    /// The name of a location.
    pub fn location(&self, location: u32) -> String {
        self.tables.locations.name(location)
    }

    /// The position in the source that rows have in `at`.
    pub fn position(&self, at: u32) -> Option<String> {
        (at != LogEvent::NOWHERE).then(|| self.tables.positions.name(at))
    }

    /// How many threads were named so far.
    pub fn threads(&self) -> usize {
        self.tables.threads.len()
    }

    /// How many locations were named so far.
    pub fn locations(&self) -> usize {
        self.tables.locations.len()
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Finds out whether the log is JSON or CSV, and reads the header.
    fn open_shape(&mut self) -> Result<(), Error> {
        loop {
            let buffer = self.input.fill_buf();
            let buffer = buffer.map_err(|error| Error::unreadable(&self.name, &error))?;
            let byte_order_mark = b"\xEF\xBB\xBF";
            match buffer.first() {
                Some(b'{') | None => return Ok(()),
                Some(0xEF) if buffer.starts_with(byte_order_mark) => {
                    self.input.consume(byte_order_mark.len());
                }
                Some(byte) if byte.is_ascii_whitespace() => {
                    self.line += u64::from(*byte == b'\n');
                    self.input.consume(1);
                }
                Some(_) => break,
            }
        }
        self.read_line()?;
        let text = std::str::from_utf8(&self.text);
        let header = text.map_err(|_| Flaw::not_utf8()).and_then(Header::read);
        self.shape = Shape::Csv(header.map_err(|flaw| self.complain(flaw))?);
        Ok(())
    }

    /// Reads up to the first access, which shows whether there are indices, and if so, everything.
    fn look_ahead(&mut self) -> Result<(), Error> {
        let mut rows = Vec::new();
        while self.indexed.is_none() {
            let Some(row) = self.read()? else {
                break;
            };
            rows.push(row);
        }
        let mut events = match self.indexed {
            Some(true) => {
                while let Some(row) = self.read()? {
                    rows.push(row);
                }
                sequence::sequence(&self.name, &self.tables, &rows)?
            }
            Some(false) | None => rows.into_iter().map(|(event, _)| event).collect(),
        };
        events.reverse();
        self.ahead = events;
        Ok(())
    }

    /// Reads a line that is not empty; false at the end.
    fn read_line(&mut self) -> Result<bool, Error> {
        loop {
            self.text.clear();
            let line = (&mut self.input)
                .take(LONGEST)
                .read_until(b'\n', &mut self.text);
            let read = line.map_err(|error| Error::unreadable(&self.name, &error))?;
            if read == 0 {
                return Ok(false);
            }
            self.line += 1;
            self.bytes += read as u64;
            if read as u64 == LONGEST && self.text.last() != Some(&b'\n') {
                self.text.clear();
                let flaw = Flaw::new(0..0, format!("the line is longer than {LONGEST} bytes"));
                return Err(self.complain(flaw));
            }
            while matches!(self.text.last(), Some(b'\n' | b'\r')) {
                self.text.pop();
            }
            if !self.text.trim_ascii().is_empty() {
                return Ok(true);
            }
        }
    }

    /// Reads a row.
    fn read(&mut self) -> Result<Option<Indexed>, Error> {
        if !self.read_line()? {
            return Ok(None);
        }
        let Ok(line) = u32::try_from(self.line) else {
            let flaw = Flaw::new(0..0, format!("there are more than {} lines", u32::MAX));
            return Err(self.complain(flaw));
        };
        let row = std::str::from_utf8(&self.text).map_err(|_| Flaw::not_utf8());
        let row = row.and_then(|text| match &self.shape {
            Shape::Json => json::read(text),
            Shape::Csv(header) => header.row(text),
        });
        let read = row.and_then(|row| event(&mut self.tables, line, &row, &mut self.indexed));
        read.map(Some).map_err(|flaw| self.complain(flaw))
    }

    fn complain(&self, flaw: Flaw) -> Error {
        let text = String::from_utf8_lossy(&self.text);
        Error::row(&self.name, self.line, &text, flaw)
    }
}

/// The event that a row tells of.
fn event(
    tables: &mut Tables,
    line: u32,
    row: &Row<'_>,
    indexed: &mut Option<bool>,
) -> Result<Indexed, Flaw> {
    let operation = row.operation()?;
    let thread = row.thread()?;
    let thread = tables.threads.number(&thread.text);
    let address = match operation {
        LogOperation::Fence | LogOperation::StoreStoreFence | LogOperation::StoreLoadFence => 0,
        LogOperation::Start | LogOperation::Join => tables
            .threads
            .number(&row.address("the other thread")?.text),
        _ => tables.locations.number(&row.address("the location")?.text),
    };
    let mut index = None;
    if operation.is_access() {
        index = row.index(*indexed)?;
        *indexed = Some(index.is_some());
    }
    let at = row.at.as_ref().filter(|at| !at.text.is_empty());
    let at = at.map_or(LogEvent::NOWHERE, |at| tables.positions.number(&at.text));
    let event = LogEvent {
        thread,
        operation,
        address,
        line,
        at,
    };
    Ok((event, index))
}
