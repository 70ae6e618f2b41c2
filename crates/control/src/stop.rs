//! When to stop: the time, the memory of the process, and the user's wish.
//!
//! Every engine makes one [`Stop`] when it begins and shares it with all that works for it:
//! workers, the machines that run threads ahead, second searches for an execution to show.
//! [`Stop::look`] reads the clock and now and then the size of the process, so loops call it every
//! few thousand operations; [`Stop::reached`] is one load. Once a limit is reached it
//! stays reached: whoever notices may leave its loop in any state, and nobody has to pass
//! the news on.

use crate::Turn;
use answer::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Milliseconds between two looks at the size of the process.
const MEMORY_EVERY: u64 = 20;
/// Bytes of a page, in which Linux on the processors of today counts.
const PAGE: u64 = 4096;

/// When to stop.
#[derive(Debug)]
pub struct Stop {
    interrupt: Arc<AtomicBool>,
    started: Instant,
    max_time: Option<Duration>,
    max_bytes: Option<u64>,
    reached: OnceLock<Bound>,
    turn: Arc<Turn>,
}

impl Stop {
    /// The limits of work that begins now.
    pub fn new(
        interrupt: &Arc<AtomicBool>,
        max_time: Option<Duration>,
        max_bytes: Option<u64>,
    ) -> Self {
        Stop {
            interrupt: interrupt.clone(),
            started: Instant::now(),
            max_time,
            max_bytes,
            reached: OnceLock::new(),
            turn: Arc::default(),
        }
    }

    /// The same for work that pauses when its turn is over.
    pub(crate) fn with_turn(self, turn: &Arc<Turn>) -> Self {
        Stop {
            turn: turn.clone(),
            ..self
        }
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The limit that was found to be reached, if one was.
    #[inline]
    pub fn reached(&self) -> Option<Bound> {
        self.reached.get().copied()
    }

    /// The limit that is reached, if one is.
    pub fn look(&self) -> Option<Bound> {
        self.look_with(|| None)
    }

    /// The same while another process, such as a compiler, works for this one: what it takes beyond
    /// some bytes that it is allowed counts, too.
    pub fn look_beside(&self, process: u32, allowed: u64) -> Option<Bound> {
        let bytes = || read_resident_bytes(&process.to_string());
        self.look_with(|| Some(bytes()?.saturating_sub(allowed)))
    }

    fn look_with(&self, others: impl FnOnce() -> Option<u64>) -> Option<Bound> {
        self.turn.wait();
        if let Some(bound) = self.now(others).filter(|_| self.reached.get().is_none()) {
            // Somebody else may have found another one at the same moment.
            let _ = self.reached.set(bound);
        }
        self.reached()
    }

    fn now(&self, others: impl FnOnce() -> Option<u64>) -> Option<Bound> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Bound::Interrupted(0));
        }
        let late = |most: &Duration| self.started.elapsed() >= *most;
        if let Some(most) = self.max_time.filter(late) {
            return Some(Bound::Time(most));
        }
        let most = self.max_bytes?;
        let bytes = resident_bytes()? + others().unwrap_or(0);
        (bytes > most).then_some(Bound::Memory(most))
    }
}

/// The memory of this process that is in use, as it was some milliseconds ago at most; `None` where
/// the system does not tell.
pub fn resident_bytes() -> Option<u64> {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    // In milliseconds.
    static LOOKED: AtomicU64 = AtomicU64::new(0);
    static BYTES: AtomicU64 = AtomicU64::new(0);
    let now = STARTED.get_or_init(Instant::now).elapsed().as_millis() as u64;
    // Several threads may look for the first time at once; none of them may see a size of 0.
    let known = BYTES.load(Ordering::Relaxed);
    if known > 0 && now < LOOKED.load(Ordering::Relaxed) + MEMORY_EVERY {
        return Some(known);
    }
    LOOKED.store(now, Ordering::Relaxed);
    let bytes = read_resident_bytes("self")?;
    BYTES.store(bytes, Ordering::Relaxed);
    Some(bytes)
}

fn read_resident_bytes(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_stays_reached() {
        let interrupt = Arc::new(AtomicBool::new(false));
        let stop = Stop::new(&interrupt, None, None);
        assert_eq!(stop.look(), None);
        interrupt.store(true, Ordering::Relaxed);
        assert_eq!(stop.reached(), None);
        assert_eq!(stop.look(), Some(Bound::Interrupted(0)));
        interrupt.store(false, Ordering::Relaxed);
        assert_eq!(stop.look(), Some(Bound::Interrupted(0)));
    }

    #[test]
    fn no_time_is_over_at_once() {
        let stop = Stop::new(&Arc::default(), Some(Duration::ZERO), None);
        assert_eq!(stop.look(), Some(Bound::Time(Duration::ZERO)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_larger_than_a_page() {
        let stop = Stop::new(&Arc::default(), None, Some(PAGE));
        assert_eq!(stop.look(), Some(Bound::Memory(PAGE)));
        let stop = Stop::new(&Arc::default(), None, Some(1 << 50));
        assert_eq!(stop.look(), None);
        assert_eq!(stop.look_beside(std::process::id(), 0), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_process_counts() {
        // Both processes are this one, which may grow meanwhile, but not to so much.
        let (own, large) = (read_resident_bytes("self").expect("Linux tells"), 1 << 40);
        let process = std::process::id();
        let stop = Stop::new(&Arc::default(), None, Some(own + large));
        assert_eq!(stop.look_beside(process, large), None);
        let stop = Stop::new(&Arc::default(), None, Some(own + own / 8));
        assert!(stop.look_beside(process, 0).is_some());
    }
}
