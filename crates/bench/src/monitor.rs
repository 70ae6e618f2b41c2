//! How fast an event log is looked through, from the file on: ten million rows of eight threads and ten
//! thousand locations.

use crate::peak;
use check::monitor::Monitor;
use frontend::log::Log;
use memory::Model;
use std::fs::File;
use std::io::{BufReader, BufWriter, Result, Write};
use std::path::Path;
use std::time::Instant;

const EVENTS: u64 = 10_000_000;
const THREADS: u64 = 8;
const LOCATIONS: u64 = 10_000;

/// Measures both shapes under both models.
pub fn measure() {
    println!("\nan event log of {EVENTS} rows, {THREADS} threads, {LOCATIONS} locations, one core");
    println!("  shape  model     MB  seconds  events/second  peak MB   points");
    for shape in ["csv", "json"] {
        let suffix = format!(".{shape}");
        let file = tempfile::Builder::new().suffix(&suffix).tempfile();
        let file = file.expect("a temporary file can be made");
        generate(file.path(), shape == "json").expect("a temporary file can be written");
        for model in [Model::Tso, Model::Pso] {
            row(file.path(), shape, model);
        }
    }
}

fn row(path: &Path, shape: &str, model: Model) {
    peak::forget();
    let start = Instant::now();
    let file = File::open(path).expect("the log is there");
    let size = file.metadata().map_or(0, |data| data.len()) as f64 / 1e6;
    let mut log = Log::open("log", BufReader::with_capacity(1 << 18, file)).expect("a good log");
    let mut monitor = Monitor::new(model).expect("a model with store buffers");
    let mut points = 0;
    while let Some(event) = log.next().expect("a good log") {
        points += u64::from(monitor.event(&event).is_some());
    }
    let seconds = start.elapsed().as_secs_f64();
    let (rate, peak) = (
        EVENTS as f64 / seconds,
        peak::kilobytes().unwrap_or(0) / 1000,
    );
    println!(
        "  {shape:5}  {model:5}  {size:5.0}  {seconds:7.2}  {rate:13.0}  {peak:7}  {points:7}"
    );
}

/// Writes a log of random accesses.
fn generate(path: &Path, json: bool) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    };
    if !json {
        writeln!(out, "thread,operation,address,at")?;
    }
    for _ in 0..EVENTS {
        let thread = random(THREADS);
        let operation = match random(100) {
            0..60 => "load",
            60..90 => "store",
            90..98 => "interlocked",
            _ => "fence",
        };
        let address = 0x7f00_0000 + 8 * random(LOCATIONS);
        let line = random(500);
        match json {
            true => writeln!(
                out,
                r#"{{"thread":{thread},"operation":"{operation}","address":"{address:#x}","at":"queue.c:{line}"}}"#
            )?,
            false => writeln!(out, "{thread},{operation},{address:#x},queue.c:{line}")?,
        }
    }
    out.flush()
}
