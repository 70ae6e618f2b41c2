//! `fencepost monitor`: looks through an event log as it is read.

use crate::arguments::MonitorOptions;
use crate::exit::Exit;
use crate::inputs::Complaint;
use crate::patient::Patient;
use crate::run::{complain, print};
use crate::watch::{Watch, interrupts};
use answer::LogReport;
use check::monitor::{LogHeard, LogQuestion, LogRefused, Monitor};
use frontend::log::{self, Log};
use report::Format;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

impl From<log::Error> for Complaint {
    fn from(error: log::Error) -> Self {
        match error {
            log::Error::Row(diagnostic) | log::Error::NotSequential(diagnostic) => {
                Complaint::Diagnostic(diagnostic)
            }
            other => Complaint::Plain(other.to_string()),
        }
    }
}

/// Looks through the log.
pub fn monitor(options: &MonitorOptions) -> Exit {
    let interrupt = interrupts();
    let path = &options.log;
    let name = path.display().to_string();
    let done = if path == Path::new("-") {
        let input = Patient::new(std::io::stdin(), BUFFER, &interrupt);
        let input = BufReader::with_capacity(BUFFER, input);
        look_through(options, "<stdin>", input, 0, &interrupt)
    } else {
        let file = File::open(path).and_then(|file| {
            let known = file.metadata()?;
            Ok((file, known))
        });
        match file {
            Ok((file, known)) if known.is_file() => {
                let input = BufReader::with_capacity(BUFFER, file);
                look_through(options, &name, input, known.len(), &interrupt)
            }
            Ok((pipe, _)) => {
                let input = Patient::new(pipe, BUFFER, &interrupt);
                let input = BufReader::with_capacity(BUFFER, input);
                look_through(options, &name, input, 0, &interrupt)
            }
            Err(error) => Err(Complaint::Plain(format!("cannot read {name}: {error}"))),
        }
    };
    done.unwrap_or_else(|complaint| complain(&complaint))
}

fn look_through(
    options: &MonitorOptions,
    name: &str,
    input: impl BufRead,
    length: u64,
    interrupt: &AtomicBool,
) -> Result<Exit, Complaint> {
    let started = Instant::now();
    let progress = Arc::new(Progress::default());
    let shown = progress.clone();
    let watch = Watch::telling(move |time| shown.message(length, time));
    let mut log = match Log::open(name, input) {
        Ok(log) => log,
        Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(Exit::Undecided),
        Err(error @ log::Error::NotSequential(_)) => {
            drop(watch);
            complain(&error.into());
            return Ok(Exit::Violated);
        }
        Err(error) => return Err(error.into()),
    };
    let question = LogQuestion {
        models: options.model.list.clone(),
        max: options.max,
    };
    let report = question.look_through(name, &mut log, interrupt, |heard| match heard {
        LogHeard::Point(model, point) if options.format == Format::Text => {
            print(&report::point_text(name, model.name(), point));
        }
        LogHeard::Point(..) => {}
        LogHeard::Read(events, bytes) => {
            progress.events.store(events, Ordering::Relaxed);
            progress.bytes.store(bytes, Ordering::Relaxed);
        }
    });
    drop(watch);
    let report = report.map_err(|refused| match refused {
        LogRefused::Log(error) => error.into(),
        LogRefused::TooManyThreads(line) => {
            let most = Monitor::THREADS;
            Complaint::Plain(format!("{name}:{line}: more than {most} threads"))
        }
    })?;
    if report.events == 0 && report.complete {
        return Err(Complaint::Plain(format!("{name} has no events")));
    }
    let report = LogReport {
        time: started.elapsed(),
        ..report
    };
    if options.format == Format::Json {
        print(&format!("{}\n", report::monitor_json(&report)));
    } else {
        print(&report::monitor_text(&report));
    }
    let verdicts = report.results.iter().map(|result| report.verdict(result));
    Ok(verdicts.map(Exit::from).max().unwrap_or(Exit::Holds))
}

/// How far the reading is.
#[derive(Default)]
struct Progress {
    events: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    /// In a few words; `length` is the size of the file, or 0.
    fn message(&self, length: u64, time: Duration) -> String {
        let events = self.events.load(Ordering::Relaxed);
        let rate = report::grouped((events as f64 / time.as_secs_f64()) as u64);
        let events = report::grouped(events);
        let bytes = self.bytes.load(Ordering::Relaxed);
        match (bytes * 100).checked_div(length) {
            Some(percent) => format!("{percent} %, {events} events, {rate} a second; Ctrl-C stops"),
            None => format!("{events} events, {rate} a second; Ctrl-C stops"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_tells_the_share_of_a_file() {
        let progress = Progress {
            events: 3000.into(),
            bytes: 500.into(),
        };
        let told = |length| progress.message(length, Duration::from_secs(2));
        assert_eq!(
            told(2000),
            "25 %, 3,000 events, 1,500 a second; Ctrl-C stops"
        );
        assert_eq!(told(0), "3,000 events, 1,500 a second; Ctrl-C stops");
    }
}
