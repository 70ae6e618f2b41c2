//! What a monitor found in an event log.

use crate::json::SCHEMA;
use crate::measures::{count, grouped, time};
use answer::{LogPlace, LogPoint, LogReport, LogResult, Verdict};
use program::{LogOperation, LogSite};
use serde_json::{Value, json};

/// One line on a borderline point, beginning with its place in the log.
pub fn point_text(file: &str, model: &str, point: &LogPoint) -> String {
    let LogPoint {
        access,
        address,
        write,
    } = point;
    format!(
        "{file}:{}: {} of {address} by thread {}{} could {} the {} in line {} by thread {}{} ({model})\n",
        access.line,
        access.operation.name(),
        access.thread,
        at(access),
        could(access.operation),
        write.operation.name(),
        write.line,
        write.thread,
        at(write),
    )
}

/// What an access could do to a write that is still waiting.
fn could(access: LogOperation) -> &'static str {
    match access.writes() {
        true => "come before",
        false => "miss",
    }
}

fn at(site: &LogSite) -> String {
    let at = site.at.as_ref();
    at.map_or(String::new(), |at| format!(" at {at}"))
}

/// What all points came to; the points themselves have been shown.
pub fn monitor_text(report: &LogReport) -> String {
    let mut text = String::new();
    for result in &report.results {
        rest_text(&mut text, result);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for result in &report.results {
        let model = result.model;
        text += &match report.verdict(result) {
            Verdict::Violated => format!("violated under {model}: {}\n", points(result.count)),
            Verdict::Holds => format!("holds under {model}: no borderline point\n"),
            Verdict::Undecided => format!("no borderline point under {model} so far\n"),
        };
        if result.forgotten > 0 {
            text += &format!(
                "  looked back at most {} writes of a location: {} may have been missed\n",
                result.looks_back,
                match result.forgotten {
                    1 => "an older one".to_owned(),
                    forgotten => format!("any of {} older ones", grouped(forgotten)),
                },
            );
        }
    }
    let stopped = if report.complete {
        ""
    } else {
        ", stopped before the end"
    };
    text + &format!(
        "{} event{}, {}, {}, {}{stopped}\n",
        grouped(report.events),
        if report.events == 1 { "" } else { "s" },
        count(report.threads, "thread"),
        count(report.locations, "location"),
        time(report.time),
    )
}

fn points(number: u64) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} borderline point{plural}", grouped(number))
}

/// What has not been shown, and the places in the source where all of it is.
fn rest_text(text: &mut String, result: &LogResult) {
    let more = result.count - result.points.len() as u64;
    if more == 0 {
        return;
    }
    *text += &format!("and {} more under {}\n", grouped(more), result.model);
    for place in &result.places {
        let LogPlace { first, points } = place;
        *text += &format!(
            "  {} point{}: {}{} could {} the {}{}\n",
            grouped(*points),
            if *points == 1 { "" } else { "s" },
            first.access.operation.name(),
            at(&first.access),
            could(first.access.operation),
            first.write.operation.name(),
            at(&first.write),
        );
    }
}

/// One object with everything.
pub fn monitor_json(report: &LogReport) -> Value {
    let results = report.results.iter().map(|result| {
        json!({
            "model": result.model.name(),
            "verdict": report.verdict(result).to_string(),
            "count": result.count,
            "points": result.points.iter().map(point_json).collect::<Vec<_>>(),
            "places": result.places.iter().map(place_json).collect::<Vec<_>>(),
            "looks_back": result.looks_back,
            "forgotten": result.forgotten,
        })
    });
    json!({
        "schema": SCHEMA,
        "command": "monitor",
        "file": report.file,
        "events": report.events,
        "threads": report.threads,
        "locations": report.locations,
        "complete": report.complete,
        "seconds": report.time.as_secs_f64(),
        "results": results.collect::<Vec<_>>(),
    })
}

fn point_json(point: &LogPoint) -> Value {
    let mut fields = site_json(&point.access);
    fields["address"] = json!(point.address);
    fields["write"] = site_json(&point.write);
    fields
}

fn place_json(place: &LogPlace) -> Value {
    json!({
        "operation": place.first.access.operation.name(),
        "at": place.first.access.at,
        "write_operation": place.first.write.operation.name(),
        "write_at": place.first.write.at,
        "line": place.first.access.line,
        "points": place.points,
    })
}

fn site_json(site: &LogSite) -> Value {
    json!({
        "line": site.line,
        "thread": site.thread,
        "operation": site.operation.name(),
        "at": site.at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn point() -> LogPoint {
        let site = |thread: &str, operation, line, at: &str| LogSite {
            thread: thread.to_owned(),
            operation,
            line,
            at: Some(at.to_owned()),
        };
        LogPoint {
            access: site("2", LogOperation::Load, 9, "lock.c:7"),
            address: "x".to_owned(),
            write: site("1", LogOperation::Store, 4, "lock.c:5"),
        }
    }

    fn report(count: u64, forgotten: u64) -> LogReport {
        LogReport {
            file: "a.csv".to_owned(),
            events: 12_345,
            threads: 2,
            locations: 1,
            complete: true,
            time: Duration::from_millis(20),
            results: vec![LogResult {
                model: memory::Model::Tso,
                count,
                points: vec![point(); count.min(1) as usize],
                places: vec![LogPlace {
                    first: point(),
                    points: count,
                }],
                looks_back: 64,
                forgotten,
            }],
        }
    }

    #[test]
    fn a_point_names_both_rows_and_both_places() {
        assert_eq!(
            point_text("a.csv", "tso", &point()),
            "a.csv:9: load of x by thread 2 at lock.c:7 could miss the store in line 4 by thread 1 \
             at lock.c:5 (tso)\n"
        );
    }

    #[test]
    fn points_that_are_not_shown_are_told_by_their_places() {
        assert_eq!(
            monitor_text(&report(1001, 0)),
            "and 1,000 more under tso\n  \
               1,001 points: load at lock.c:7 could miss the store at lock.c:5\n\n\
             violated under tso: 1,001 borderline points\n\
             12,345 events, 2 threads, 1 location, 20 ms\n"
        );
    }

    #[test]
    fn what_may_have_been_missed_is_said() {
        let text = monitor_text(&report(0, 3));
        assert!(
            text.starts_with("holds under tso: no borderline point\n"),
            "{text}"
        );
        let missed =
            "looked back at most 64 writes of a location: any of 3 older ones may have been missed";
        assert!(text.contains(missed), "{text}");
    }
}
