//! `fencepost monitor`: looks through an event log as it is read.

use crate::arguments::{Format, MonitorOptions};
use crate::exit::Exit;
use crate::inputs::Complaint;
use crate::patient::Patient;
use crate::run::{complain, print};
use crate::watch::{Watch, interrupts};
use explore::monitor::{Borderline, Monitor};
use frontend::log::{self, Log};
use program::{LogOperation, LogPlace, LogPoint, LogReport, LogResult, LogSite};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Events between two tellings of how far the reading is.
const EVENTS_AT_ONCE: u64 = 4096;
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
    let mut finders: Vec<Finder> = options
        .model
        .list
        .iter()
        .filter_map(|model| Some(Finder::new(Monitor::new(*model)?, options)))
        .collect();
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
    let (mut events, mut complete) = (0, false);
    while !interrupt.load(Ordering::Relaxed) {
        let event = match log.next() {
            Ok(Some(event)) => event,
            Ok(None) => {
                complete = true;
                break;
            }
            // Nothing came any more.
            Err(_) if interrupt.load(Ordering::Relaxed) => break,
            Err(error) => return Err(error.into()),
        };
        if log.threads() > Monitor::THREADS {
            let most = Monitor::THREADS;
            let complaint = format!("{name}:{}: more than {most} threads", event.line);
            return Err(Complaint::Plain(complaint));
        }
        events += 1;
        for finder in &mut finders {
            if let Some(point) = finder.monitor.event(&event) {
                finder.add(&log, name, &point);
            }
        }
        if events % EVENTS_AT_ONCE == 0 {
            progress.events.store(events, Ordering::Relaxed);
            progress.bytes.store(log.bytes(), Ordering::Relaxed);
        }
    }
    drop(watch);
    if events == 0 && complete {
        return Err(Complaint::Plain(format!("{name} has no events")));
    }
    let report = LogReport {
        file: name.to_owned(),
        events,
        threads: log.threads() as u64,
        locations: log.locations() as u64,
        complete,
        time: started.elapsed(),
        results: finders.into_iter().map(Finder::finish).collect(),
    };
    match options.format {
        Format::Json => print(&format!("{}\n", report::monitor_json(&report))),
        Format::Text => print(&report::monitor_text(&report)),
    }
    let verdicts = report.results.iter().map(|result| report.verdict(result));
    Ok(verdicts.map(Exit::from).max().unwrap_or(Exit::Holds))
}

/// A monitor, and what it has found so far.
struct Finder {
    monitor: Monitor,
    result: LogResult,
    /// What a place is known by: operation and positions of the access and of the write.
    places: Vec<(LogOperation, u32, u32)>,
    max: usize,
    /// Whether points are printed as they are found.
    prints: bool,
}

impl Finder {
    fn new(monitor: Monitor, options: &MonitorOptions) -> Self {
        let result = LogResult {
            model: monitor.model().name(),
            count: 0,
            points: Vec::new(),
            places: Vec::new(),
            looks_back: Monitor::WRITES,
            forgotten: 0,
        };
        Finder {
            monitor,
            result,
            places: Vec::new(),
            max: options.max,
            prints: options.format == Format::Text,
        }
    }

    fn add<R: BufRead>(&mut self, log: &Log<R>, name: &str, point: &Borderline) {
        let result = &mut self.result;
        result.count += 1;
        if result.points.len() < self.max {
            let shown = self::point(log, point);
            if self.prints {
                print(&report::point_text(name, result.model, &shown));
            }
            result.points.push(shown);
        }
        if log.position(point.event.at).is_none() || log.position(point.write.at).is_none() {
            return;
        }
        let place = (point.event.operation, point.event.at, point.write.at);
        if let Some(index) = self.places.iter().position(|known| *known == place) {
            result.places[index].points += 1;
        } else if self.places.len() < self.max {
            self.places.push(place);
            result.places.push(LogPlace {
                first: self::point(log, point),
                points: 1,
            });
        }
    }

    fn finish(self) -> LogResult {
        LogResult {
            forgotten: self.monitor.forgotten(),
            ..self.result
        }
    }
}

/// A borderline point in the words of the log.
fn point<R: BufRead>(log: &Log<R>, point: &Borderline) -> LogPoint {
    let (event, write) = (&point.event, &point.write);
    LogPoint {
        access: LogSite {
            thread: log.thread(event.thread),
            operation: event.operation,
            line: event.line,
            at: log.position(event.at),
        },
        address: log.location(event.address),
        write: LogSite {
            thread: log.thread(write.thread),
            operation: match write.interlocked {
                true => LogOperation::Interlocked,
                false => LogOperation::Store,
            },
            line: write.line,
            at: log.position(write.at),
        },
    }
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
