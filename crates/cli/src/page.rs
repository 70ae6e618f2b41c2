//! What is printed about one program: at once where programs are looked at one after another, or kept until those before it
//! are done where they are looked at side by side.

use report::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where something is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Errors,
}

/// What is printed about one program, and its entries in documents on the whole run.
pub struct Page {
    /// Whether texts are kept.
    keeps: bool,
    texts: Mutex<Vec<(Stream, String)>>,
    entries: Mutex<Vec<Entry>>,
}

impl Page {
    /// A page that prints at once, or keeps everything.
    pub fn new(keeps: bool) -> Self {
        Page {
            keeps,
            texts: Mutex::default(),
            entries: Mutex::default(),
        }
    }

    /// Prints a text on standard output.
    pub fn print(&self, text: &str) {
        self.add(Stream::Output, text);
    }

    /// Tells the user something on standard error.
    pub fn tell(&self, text: &str) {
        self.add(Stream::Errors, &format!("{text}\n"));
    }

    fn add(&self, stream: Stream, text: &str) {
        if self.keeps {
            locked(&self.texts).push((stream, text.to_owned()));
        } else {
            show(stream, text);
        }
    }

    /// Adds entries to the documents on the whole run.
    pub fn enter(&self, entries: impl IntoIterator<Item = Entry>) {
        locked(&self.entries).extend(entries);
    }

    /// True if there is something for standard output among what was kept.
    pub fn has_output(&self) -> bool {
        let texts = locked(&self.texts);
        texts
            .iter()
            .any(|(stream, text)| *stream == Stream::Output && !text.is_empty())
    }

    /// Prints what was kept.
    pub fn flush(&self) {
        for (stream, text) in std::mem::take(&mut *locked(&self.texts)) {
            show(stream, &text);
        }
    }

    /// The entries so far.
    pub fn entries(&self) -> Vec<Entry> {
        locked(&self.entries).clone()
    }
}

fn show(stream: Stream, text: &str) {
    match stream {
        Stream::Output => crate::run::print(text),
        Stream::Errors => crate::run::write_error(format_args!("{text}")),
    }
}

/// What a thread that panicked has left is still text.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
