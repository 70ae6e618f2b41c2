//! Values of options, read from text.

use check::{Choice, Models, Preemptions};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memory::{Buffering, Model};
use report::Format;
use std::time::Duration;

/// Which engine searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Auto,
    Explore,
    States,
    Sat,
}

impl From<Engine> for Choice {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Auto => Choice::Auto,
            Engine::Explore => Choice::Explore,
            Engine::States => Choice::States,
            Engine::Sat => Choice::Sat,
        }
    }
}

/// Formats, by name.
pub fn format(of: impl IntoIterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(of.into_iter().map(Format::name)).try_map(|name| {
        let mut formats = Format::ALL.iter().copied();
        let named = formats.find(|format| format.name() == name);
        named.ok_or("no such format")
    })
}

/// The formats of commands that answer something else than one question for each model.
pub const TEXT_OR_JSON: [Format; 2] = [Format::Text, Format::Json];

/// A time: a number of seconds, also a part of one, or a number with its unit.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let wrong = || "expected seconds, such as 10 or 0.5, or 500ms, 10s, 2m, 1h".to_owned();
    let unit = |(unit, seconds): &(&str, f64)| Some((text.strip_suffix(unit)?, *seconds));
    let (number, unit) = UNITS.iter().find_map(unit).unwrap_or((text, 1.0));
    // Rust reads "inf", "nan" and "1e3", too, which people do not mean.
    if !number.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(wrong());
    }
    let number: f64 = number.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| "that is too long".to_owned())
}

/// A bound on preemptions, or a series of them.
pub fn preemptions(text: &str) -> Result<Preemptions, String> {
    let number = |text: &str| {
        let complaint = |_| "expected a number, N.. or all".to_owned();
        text.parse().map_err(complaint)
    };
    match text.strip_suffix("..") {
        _ if text == "all" => Ok(Preemptions::From(0)),
        Some(first) => Ok(Preemptions::From(number(first)?)),
        None => Ok(Preemptions::AtMost(number(text)?)),
    }
}

/// Names of memory models with commas between them, or all.
pub fn models(text: &str) -> Result<Models, memory::UnknownModel> {
    let (mut list, mut all) = (Vec::new(), false);
    for name in text.split(',').map(str::trim) {
        if name.eq_ignore_ascii_case("all") {
            list.extend(Model::ALL);
            all = true;
        } else {
            list.push(name.parse()?);
        }
    }
    list.sort_unstable();
    list.dedup();
    Ok(Models { list, all })
}

/// Models whose threads have store buffers.
pub fn buffered_models(text: &str) -> Result<Models, String> {
    let models = models(text).map_err(|unknown| unknown.to_string())?;
    let buffered = |model: &Model| {
        let buffering = model.row().buffering;
        buffering.is_of_stores() && buffering != Buffering::None
    };
    match models.list.iter().find(|model| !buffered(model)) {
        Some(model) => {
            let names = Model::ALL.into_iter().filter(buffered).map(Model::name);
            let names = names.collect::<Vec<_>>().join(" and ");
            Err(format!("{model} has no store buffers; there are {names}"))
        }
        None => Ok(models),
    }
}

/// Bytes that the process may take: megabytes of the command line, or three quarters of the memory that is free.
pub fn limit_of_memory(megabytes: Option<u64>) -> Option<u64> {
    let given = megabytes.map(|mb| mb.saturating_mul(1_000_000));
    given.or_else(free_memory)
}

/// Three quarters of the memory that is free, in bytes, where Linux tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024 / 4 * 3)
}
