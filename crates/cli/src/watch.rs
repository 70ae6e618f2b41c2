//! Progress on long searches, and stopping them.

use indicatif::{ProgressBar, ProgressStyle};
use states::Progress;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process.
pub fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    // Without a handler Ctrl-C ends the process, which is no worse.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}

/// Shows how far a search is, on a terminal, until dropped.
pub struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Shows `progress` of the search under `model`, once it has taken a second.
    pub fn over(progress: &Arc<Progress>, model: &'static str) -> Self {
        progress.states.store(0, Ordering::Relaxed);
        if !std::io::stderr().is_terminal() {
            return Watch {
                end: None,
                thread: None,
            };
        }
        let (end, ended) = channel();
        let progress = progress.clone();
        let started = Instant::now();
        let thread = std::thread::spawn(move || {
            let quiet = ended.recv_timeout(Duration::from_secs(1));
            if quiet != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let states = progress.states.load(Ordering::Relaxed);
                let depth = progress.depth.load(Ordering::Relaxed);
                let rate = states as f64 / started.elapsed().as_secs_f64();
                bar.set_message(format!(
                    "{model}: {states} states, {rate:.0} a second, depth {depth}; Ctrl-C stops"
                ));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Watch {
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It only draws; if it failed, nothing is lost.
            let _ = thread.join();
        }
    }
}
