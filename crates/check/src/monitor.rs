//! Looks through an event log for points where store buffers could make a difference.

use answer::{LogPlace, LogPoint, LogReport, LogResult};
use frontend::log::{Error, Log};
use memory::Model;
use program::{LogOperation, LogSite};
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub use monitor::{Borderline, Monitor};

/// Events between two reports of how far the reading is.
const EVENTS_BETWEEN_REPORTS: u64 = 4096;

/// What is asked of an event log.
#[derive(Clone, Debug)]
pub struct LogQuestion {
    /// Models with store buffers; others are left out.
    pub models: Vec<Model>,
    /// The most points under each model, and the most locations in the source, that are kept; the others are
    /// counted.
    pub max: usize,
}

/// What happens while a log is read.
#[derive(Clone, Copy, Debug)]
pub enum LogHeard<'a> {
    /// One of the points that are kept was found under a model.
    Point(Model, &'a LogPoint),
    /// This many events, and bytes, have been read.
    Read(u64, u64),
}

/// Why there is no report on a log.
#[derive(Debug)]
pub enum LogRefused {
    /// It cannot be read.
    Log(Error),
    /// It has more threads than monitors follow; the row with the first of them.
    TooManyThreads(u32),
}

impl LogQuestion {
    /// Looks through a log until it ends or the flag is set.
    pub fn look_through<R: BufRead>(
        &self,
        name: &str,
        log: &mut Log<R>,
        interrupt: &AtomicBool,
        mut hears: impl FnMut(LogHeard<'_>),
    ) -> Result<LogReport, LogRefused> {
        let started = Instant::now();
        let models = self.models.iter();
        let mut finders: Vec<Finder> = models
            .filter_map(|model| Some(Finder::new(Monitor::new(*model)?, self.max)))
            .collect();
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
                Err(error) => return Err(LogRefused::Log(error)),
            };
            if log.threads() > Monitor::THREADS {
                return Err(LogRefused::TooManyThreads(event.line));
            }
            events += 1;
            for finder in &mut finders {
                if let Some(point) = finder.monitor.event(&event) {
                    finder.add(log, &point, &mut hears);
                }
            }
            if events % EVENTS_BETWEEN_REPORTS == 0 {
                hears(LogHeard::Read(events, log.bytes()));
            }
        }
        Ok(LogReport {
            file: name.to_owned(),
            events,
            threads: log.threads() as u64,
            locations: log.locations() as u64,
            complete,
            time: started.elapsed(),
            results: finders.into_iter().map(Finder::finish).collect(),
        })
    }
}

/// A monitor, and what it has found so far.
struct Finder {
    monitor: Monitor,
    result: LogResult,
    /// What a location in the source is known by: operation and positions of the access and of the write.
    places: Vec<(LogOperation, u32, u32)>,
    max: usize,
}

impl Finder {
    fn new(monitor: Monitor, max: usize) -> Self {
        let result = LogResult {
            model: monitor.model(),
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
            max,
        }
    }

    fn add<R: BufRead>(
        &mut self,
        log: &Log<R>,
        point: &Borderline,
        hears: &mut impl FnMut(LogHeard<'_>),
    ) {
        let result = &mut self.result;
        result.count += 1;
        if result.points.len() < self.max {
            let shown = self::point(log, point);
            hears(LogHeard::Point(self.monitor.model(), &shown));
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
