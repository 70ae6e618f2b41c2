//! What a library function can touch: its call, memory, threads, keys.
//!
//! Functions of the library (`crate::library`) are methods of [`Caller`], and the process behind it is private to this
//! directory. So whatever a function reads or changes goes through a method here, which records it: as an act for
//! traces, in the journal for taking it back, in the log for people. A function that forgot to would not compile.
//! What is not to be recorded, or not as a load, is asked for by name: [`Caller::unrecorded`], [`Caller::looking`].

mod copies;
mod heap;
mod memory;
mod threads;
mod waiting;

use super::value::Value;
use super::{Act, Process, Run};
use answer::{Event, Fault, FaultKind};
use program::{FunctionId, Routine, Span, ThreadId, Word};
use std::ops::Deref;

/// What a call came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It returns this.
    Returns(Word),
    /// It returns nothing.
    Done,
    /// It goes on later, or never returns.
    Stays,
}

/// A call of a library function.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    /// The thread that calls.
    pub id: ThreadId,
    /// The function.
    pub routine: Routine,
    /// Its arguments.
    pub arguments: &'c [Value],
    /// Which of the ways to go on.
    pub choice: u32,
    /// Where the call stands.
    pub span: Span,
}

impl Call<'_> {
    /// An argument, which must be defined.
    pub fn word(&self, index: usize) -> Run<Word> {
        let value = self.value(index);
        if value.is_defined() {
            return Ok(value.word);
        }
        let name = self.routine.name();
        let message = format!("argument {} of {name} is uninitialised", index + 1);
        Err(Box::new(Fault::new(FaultKind::Uninitialised, message)))
    }

    /// An argument.
    pub fn value(&self, index: usize) -> Value {
        self.arguments.get(index).copied().unwrap_or_default()
    }

    /// A fault of ours: the front end replaces calls of the function, so that none is left.
    pub fn not_replaced(&self) -> Box<Fault> {
        self.misuse("the front end has not replaced this call")
    }

    /// A fault: the function is used wrongly.
    pub fn misuse(&self, message: impl std::fmt::Display) -> Box<Fault> {
        let message = format!("{}: {message}", self.routine.name());
        Box::new(Fault::new(FaultKind::Misuse, message))
    }
}

/// A library function that runs, and all that it can touch.
pub(crate) struct Caller<'c, 'a> {
    process: &'c mut Process<'a>,
    call: Call<'c>,
}

impl<'c> Deref for Caller<'c, '_> {
    type Target = Call<'c>;

    fn deref(&self) -> &Call<'c> {
        &self.call
    }
}

impl<'a> Process<'a> {
    /// The interface to the process of a call.
    pub(super) fn caller<'c>(&'c mut self, call: Call<'c>) -> Caller<'c, 'a> {
        Caller {
            process: self,
            call,
        }
    }
}

impl<'a> Caller<'_, 'a> {
    /// Does something that is not recorded in traces: only to be used where no other thread can observe it, or where
    /// another access stands for it.
    pub fn unrecorded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let dry_run = std::mem::replace(&mut self.process.dry_run, true);
        let result = work(self);
        self.process.dry_run = dry_run;
        result
    }

    /// Does something that reads only to find misuse: recorded, but not as loads ([`ActKind::Look`](super::ActKind::Look)).
    pub fn looking<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let first = self.process.acts.len();
        let result = work(self);
        self.process.acts[first..].iter_mut().for_each(Act::look);
        result
    }

    /// Logs what happened, if somebody wants to know.
    pub fn note(&mut self, event: impl FnOnce(&Names) -> Event) {
        let Call { id, span, .. } = self.call;
        self.process
            .note(id, span, |process| event(&Names { process }));
    }

    /// The names of objects, threads and functions.
    pub fn names(&self) -> Names<'_, 'a> {
        Names {
            process: self.process,
        }
    }

    /// True if condition variables may wake up spuriously.
    pub fn has_spurious_wakeups(&self) -> bool {
        self.process.limits.spurious
    }

    /// The function at an address, which must be one that the library can call.
    pub fn callback(&self, address: Word) -> Run<FunctionId> {
        let function = self.process.function_at(address)?;
        self.process.check_callback(function)?;
        Ok(function)
    }

    /// Ends the execution as `exit` does.
    pub fn exit(&mut self, status: Word) {
        self.process.exit(status);
    }

    /// Notes that a value without a range was cut to a few.
    pub fn note_cut_values(&mut self) {
        self.process.values_cut = true;
    }

    /// The state of the thread's own generator of random numbers.
    pub fn random_state(&mut self) -> &mut u32 {
        &mut self.process.threads[self.call.id.index()].random
    }

    /// Prints on standard output or standard error.
    pub fn print(&mut self, bytes: &[u8], error: bool) {
        if let Some(printed) = &mut self.process.output {
            let stream = if error {
                &mut printed.errors
            } else {
                &mut printed.output
            };
            stream.extend_from_slice(bytes);
        }
        self.note(|_| Event::Print(String::from_utf8_lossy(bytes).into_owned()));
    }
}

/// Keys, and where `strtok` goes on: see [`super::shared`].
impl Caller<'_, '_> {
    /// A new key.
    pub fn create_key(&mut self, destructor: Word) -> u32 {
        self.process.create_key(self.call.id, destructor)
    }

    /// Deletes a key.
    pub fn delete_key(&mut self, key: u32) {
        self.process.delete_key(self.call.id, key);
    }

    /// The destructor of a key: none if no such key was created, `Some(None)` if it was deleted.
    pub fn key_destructor(&mut self, key: u32) -> Option<Option<Word>> {
        self.process.key_destructor(self.call.id, key)
    }

    /// The thread's own values of keys, sorted.
    pub fn key_values(&mut self) -> &mut Vec<(u32, Word)> {
        &mut self.process.threads[self.call.id.index()].keys
    }

    /// Where `strtok` goes on.
    pub fn token_rest(&mut self) -> Word {
        self.process.token_rest(self.call.id)
    }

    /// Sets where `strtok` goes on.
    pub fn set_token_rest(&mut self, rest: Word) {
        self.process.set_token_rest(self.call.id, rest);
    }
}

/// What things are called, for messages and logs.
pub(crate) struct Names<'n, 'a> {
    process: &'n Process<'a>,
}

impl Names<'_, '_> {
    /// The object of the library at an address: a mutex, not its first field.
    pub fn object(&self, address: Word) -> String {
        let name = self.process.name_of(address);
        // Layouts know the C library's own fields, which are nobody's business.
        match name.find(".__") {
            Some(end) => name[..end].to_owned(),
            None => name,
        }
    }

    /// An object of the heap.
    pub fn allocation(&self, address: Word) -> String {
        self.process.object_name(address)
    }

    /// A thread.
    pub fn thread(&self, id: ThreadId) -> String {
        self.process.thread_name(id)
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &str {
        &self.process.image.functions[id.index()].name
    }
}
