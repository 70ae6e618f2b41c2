//! Turns: how several searches share cores, each keeping its state while others run.
//!
//! Every search looks at its limits now and then, from each of its threads. A search whose [`Turn`] is paused stays in
//! that look until the turn is resumed, so that it stops where it is and goes on from there. Nothing is held meanwhile
//! that another search needs. Who pauses a search must resume it when a limit is reached or its work is of no use any
//! more: a paused search notices neither.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Whether a search may run now. All threads of the search share it.
#[derive(Debug, Default)]
pub struct Turn {
    /// What `lock` holds, for the look that finds nothing to wait for.
    paused: AtomicBool,
    lock: Mutex<bool>,
    resumed: Condvar,
    /// Looks so far.
    looks: AtomicU64,
}

impl Turn {
    /// Waits until the search may run; called wherever it looks at its limits.
    #[inline]
    pub(crate) fn wait(&self) {
        self.looks.fetch_add(1, Ordering::Relaxed);
        if self.paused.load(Ordering::Relaxed) {
            self.wait_for_resumption();
        }
    }

    #[cold]
    fn wait_for_resumption(&self) {
        let mut paused = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while *paused {
            let resumed = self.resumed.wait(paused);
            paused = resumed.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets the search wait from its next look on.
    pub fn pause(&self) {
        self.set(true);
    }

    /// Lets the search go on.
    pub fn resume(&self) {
        self.set(false);
        self.resumed.notify_all();
    }

    fn set(&self, pause: bool) {
        let mut paused = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        *paused = pause;
        self.paused.store(pause, Ordering::Relaxed);
    }

    /// How often the search has looked at its limits, by all its threads: a rough measure of how far it is.
    pub fn looks(&self) -> u64 {
        self.looks.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use crate::Control;
    use std::sync::mpsc::{TryRecvError, channel};

    #[test]
    fn a_paused_search_stays_in_its_look() {
        let control = Control::default();
        let stop = control.stop();
        control.turn.pause();
        let (send, looked) = channel();
        let search = std::thread::spawn(move || send.send(stop.look()));
        assert_eq!(looked.try_recv(), Err(TryRecvError::Empty));
        control.turn.resume();
        assert_eq!(looked.recv(), Ok(None));
        assert!(search.join().is_ok());
        assert_eq!(control.turn.looks(), 1);
    }

    #[test]
    fn whoever_watches_over_limits_is_not_paused() {
        let control = Control::default();
        control.turn.pause();
        assert_eq!(control.without_turn().stop().look(), None);
    }
}
