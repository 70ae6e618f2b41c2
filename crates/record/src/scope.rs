//! Threads whose start and end are recorded.

use crate::Recorder;
use std::io::Write;
use std::thread::{self, ScopedJoinHandle};

/// Where threads are started that end with it.
pub struct Scope<'scope, 'env, W: Write> {
    recorder: &'env Recorder<W>,
    inner: &'scope thread::Scope<'scope, 'env>,
}

/// A thread to wait for.
pub struct Join<'scope, 'env, T, W: Write> {
    recorder: &'env Recorder<W>,
    number: u64,
    handle: ScopedJoinHandle<'scope, T>,
}

impl<W: Write + Send> Recorder<W> {
    /// Runs `body`, as [`std::thread::scope`] does. Threads that nobody waited for by
    /// [`Join::join`] end with the scope, which is not recorded.
    pub fn scope<'env, R>(
        &'env self,
        body: impl for<'scope> FnOnce(&Scope<'scope, 'env, W>) -> R,
    ) -> R {
        thread::scope(|inner| {
            body(&Scope {
                recorder: self,
                inner,
            })
        })
    }
}

impl<'scope, 'env, W: Write + Send> Scope<'scope, 'env, W> {
    /// Starts a thread.
    #[track_caller]
    pub fn spawn<T: Send + 'scope>(
        &self,
        body: impl FnOnce() -> T + Send + 'scope,
    ) -> Join<'scope, 'env, T, W> {
        let recorder = self.recorder;
        let number = recorder.new_thread();
        recorder.row("start", &number.to_string());
        let handle = self.inner.spawn(move || {
            recorder.be(number);
            body()
        });
        Join {
            recorder,
            number,
            handle,
        }
    }
}

impl<T, W: Write> Join<'_, '_, T, W> {
    /// Waits for the thread's end.
    #[track_caller]
    pub fn join(self) -> thread::Result<T> {
        let at = std::panic::Location::caller();
        let result = self.handle.join();
        let mut held = self.recorder.lock();
        held.write("join", &self.number.to_string(), at);
        result
    }
}
