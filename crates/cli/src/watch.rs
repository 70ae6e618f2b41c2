//! Progress on long searches, and stopping them.

use crate::jobs::Read;
use answer::Engine;
use check::{Event, Listener, Progress, resident_bytes};
use indicatif::{ProgressBar, ProgressStyle};
use memory::Model;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
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

/// Shows how far each search is, on a terminal, reports which models are left out, and passes other events on.
pub fn listener(
    progress: &Arc<Progress>,
    read: &Read,
    also: impl Fn(Event<'_>) + Send + Sync + 'static,
) -> Listener {
    // Where several programs are looked at side by side there is one line for all of them.
    let (page, alone) = (read.page.clone(), read.alone);
    listening(
        progress,
        move |event| match event {
            Event::LeftOut { model, reason } => {
                page.tell(&format!("fencepost: {model} is left out: {reason}"));
            }
            other => also(other),
        },
        alone,
    )
}

/// Shows how far each search is, on a terminal, and passes other events on.
pub fn listening(
    progress: &Arc<Progress>,
    also: impl Fn(Event<'_>) + Send + Sync + 'static,
    shows: bool,
) -> Listener {
    let watch: Mutex<Option<Watch>> = Mutex::default();
    let progress = progress.clone();
    Listener::new(move |event| {
        let show = |shown: Option<Watch>| {
            // A watch that failed only draws; if it is poisoned, nothing is lost.
            if let Ok(mut watch) = watch.lock() {
                // What was shown before ends before anything else is.
                drop(watch.take());
                *watch = shown;
            }
        };
        match event {
            Event::Started { .. } if !shows => {}
            Event::Started {
                model,
                engine: Engine::Sat,
            } => show(Some(Watch::telling(move |time| {
                let (seconds, memory) = (time.as_secs(), memory());
                format!("{model}, sat: solving for {seconds} s{memory}; Ctrl-C stops")
            }))),
            Event::Started { model, engine } => {
                show(Some(Watch::over(&progress, model, engine)));
            }
            Event::Ended => show(None),
            other => also(other),
        }
    })
}

/// Shows how far a search is, on a terminal, until dropped.
pub struct Watch {
    bar: ProgressBar,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Shows `progress` of the search under `model`, once it has taken a second.
    fn over(progress: &Arc<Progress>, model: Model, engine: Engine) -> Self {
        let (shown, who) = (progress.clone(), format!("{model}, {engine}"));
        Watch::telling(move |time| message(&shown, &who, &memory(), time))
    }

    /// Shows what `message` says after each time, once a second has gone by.
    pub fn telling(message: impl Fn(Duration) -> String + Send + 'static) -> Self {
        if !std::io::stderr().is_terminal() {
            return Watch {
                bar: ProgressBar::hidden(),
                end: None,
                thread: None,
            };
        }
        let (end, ended) = channel();
        let started = Instant::now();
        let shown = ProgressBar::new_spinner();
        let bar = shown.clone();
        let thread = std::thread::spawn(move || {
            let quiet = ended.recv_timeout(Duration::from_secs(1));
            if quiet != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(message(started.elapsed()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Watch {
            bar: shown,
            end: Some(end),
            thread: Some(thread),
        }
    }
}

impl Watch {
    /// Does something that prints, without the line in its way.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }
}

/// The memory that the process takes, behind a comma, where the system tells.
fn memory() -> String {
    resident_bytes().map_or(String::new(), |bytes| {
        format!(", {} MB", report::grouped(bytes.div_ceil(1_000_000)))
    })
}

/// How far a search is after this time. No guess at the whole is part of it: one from few random walks is too often wrong, and
/// `check --estimate` makes a better one, with its range.
fn message(progress: &Progress, who: &str, memory: &str, time: Duration) -> String {
    let (of, number) = match progress.executions.load(Ordering::Relaxed) {
        0 => ("states", progress.states.load(Ordering::Relaxed)),
        executions => ("executions", executions),
    };
    let rate = report::grouped((number as f64 / time.as_secs_f64()) as u64);
    let depth = match progress.depth.load(Ordering::Relaxed) {
        0 => String::new(),
        depth => format!(", depth {depth}"),
    };
    let number = report::grouped(number);
    format!("{who}: {number} {of}, {rate} a second{depth}{memory}; Ctrl-C stops")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(states: u64, depth: u64, executions: u64) -> String {
        let progress = Progress {
            states: states.into(),
            depth: depth.into(),
            executions: executions.into(),
            ..Progress::default()
        };
        message(&progress, "tso, explore", ", 12 MB", Duration::from_secs(2))
    }

    #[test]
    fn a_search_through_states_tells_its_depth() {
        assert_eq!(
            told(3000, 7, 0),
            "tso, explore: 3,000 states, 1,500 a second, depth 7, 12 MB; Ctrl-C stops"
        );
    }

    #[test]
    fn a_search_through_executions_tells_how_many_there_were() {
        assert_eq!(
            told(0, 0, 120_000),
            "tso, explore: 120,000 executions, 60,000 a second, 12 MB; Ctrl-C stops"
        );
    }
}
