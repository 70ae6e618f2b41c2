//! The log, and the lock that puts its rows into order.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::Location;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers recorders, as a thread may meet several.
static RECORDERS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The thread's number with each recorder that it has met.
    static NUMBERS: RefCell<Vec<(u64, u64)>> = const { RefCell::new(Vec::new()) };
}

/// Writes an event log.
#[derive(Debug)]
pub struct Recorder<W: Write = BufWriter<File>> {
    number: u64,
    places: AtomicU64,
    log: Mutex<Log<W>>,
}

#[derive(Debug)]
struct Log<W> {
    out: W,
    threads: u64,
    /// The first thing that went wrong with writing.
    failed: Option<io::Error>,
}

impl Recorder {
    /// A recorder that writes a new file.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Recorder::to(BufWriter::new(File::create(path)?)))
    }
}

impl<W: Write> Recorder<W> {
    /// A recorder that writes to `out`.
    pub fn to(mut out: W) -> Self {
        let failed = out.write_all(b"thread,operation,address,at\n").err();
        Recorder {
            number: RECORDERS.fetch_add(1, Ordering::Relaxed),
            places: AtomicU64::new(0),
            log: Mutex::new(Log {
                out,
                threads: 0,
                failed,
            }),
        }
    }

    /// Ends the log, and gives what it was written to, or the first thing that went wrong.
    pub fn finish(self) -> io::Result<W> {
        let mut log = self
            .log
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = log.failed {
            return Err(error);
        }
        log.out.flush()?;
        Ok(log.out)
    }

    /// A fence that orders everything.
    #[track_caller]
    pub fn fence(&self) {
        self.row("fence", "");
    }

    /// A fence that orders stores before stores.
    #[track_caller]
    pub fn store_store_fence(&self) {
        self.row("store-store-fence", "");
    }

    /// A fence that orders stores before loads.
    #[track_caller]
    pub fn store_load_fence(&self) {
        self.row("store-load-fence", "");
    }

    #[track_caller]
    pub(crate) fn row(&self, operation: &str, address: &str) {
        let at = Location::caller();
        self.lock().write(operation, address, at);
    }

    /// The name of a new place.
    pub(crate) fn new_place(&self) -> u64 {
        self.places.fetch_add(1, Ordering::Relaxed)
    }

    /// A number for a thread that is about to start.
    pub(crate) fn new_thread(&self) -> u64 {
        let mut held = self.lock();
        held.log.threads += 1;
        held.log.threads
    }

    /// Gives the calling thread a number.
    pub(crate) fn be(&self, thread: u64) {
        NUMBERS.with_borrow_mut(|numbers| numbers.push((self.number, thread)));
    }

    /// Keeps all others from accessing recorded places.
    pub(crate) fn lock(&self) -> Held<'_, W> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let known = NUMBERS.with_borrow(|numbers| {
            let known = numbers
                .iter()
                .find(|(recorder, _)| *recorder == self.number);
            known.map(|(_, thread)| *thread)
        });
        let thread = known.unwrap_or_else(|| {
            log.threads += 1;
            self.be(log.threads);
            log.threads
        });
        Held { log, thread }
    }
}

/// The log, while nobody else has it.
pub(crate) struct Held<'a, W: Write> {
    log: MutexGuard<'a, Log<W>>,
    /// The thread that has it.
    thread: u64,
}

impl<W: Write> Held<'_, W> {
    pub fn write(&mut self, operation: &str, address: &str, at: &Location<'_>) {
        let (thread, line) = (self.thread, at.line());
        let file = at.file().replace('"', "\"\"");
        let row = writeln!(
            self.log.out,
            "{thread},{operation},{address},\"{file}:{line}\""
        );
        if let (Err(error), None) = (row, &self.log.failed) {
            self.log.failed = Some(error);
        }
    }
}
