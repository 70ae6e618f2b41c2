//! What engines did that worked on an answer side by side.

use crate::json::counts_json;
use crate::measures::{size_of, time};
use answer::{Did, Engine, ModelResult, Part, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

/// The preferred engine is no news if it took no longer.
const SHORT: Duration = Duration::from_secs(1);

/// A line on who decided, and on what the others did; nothing if one engine was alone, or nearly so.
pub(crate) fn portfolio_line(result: &ModelResult) -> String {
    let preferred = result.portfolio.first();
    let preferred = preferred.is_some_and(|part| part.did == Did::Decided);
    if result.portfolio.is_empty() || (preferred && result.time < SHORT) {
        return String::new();
    }
    parts_text(&result.portfolio)
}

fn parts_text(parts: &[Part]) -> String {
    let is_decided = |part: &&Part| part.did == Did::Decided;
    let decided = parts.iter().filter(is_decided).map(|part| {
        let size = size_of(part.engine, &part.counts);
        format!("decided by {} ({size}, {})", part.engine, time(part.time))
    });
    let others = parts.iter().filter(|part| !is_decided(part)).map(other);
    let all: Vec<String> = decided.chain(others).collect();
    all.join("; ") + "\n"
}

/// What an engine did that did not decide.
fn other(part: &Part) -> String {
    let engine = part.engine;
    let reached = || {
        // A solver that was stopped says nothing of how far it was.
        let known = engine != Engine::Sat || part.counts.events > 0;
        let size = known.then(|| size_of(engine, &part.counts) + ", ");
        size.unwrap_or_default()
    };
    let time = time(part.time);
    match &part.did {
        Did::Decided => format!("{engine}: decided"),
        Did::Stopped => format!("{engine}: {}stopped after {time}", reached()),
        Did::Refused(why) => format!("{engine}: refused ({why})"),
        Did::Ended { verdict, covers } => {
            let covers = match verdict {
                Verdict::Violated => String::new(),
                Verdict::Holds | Verdict::Undecided => format!(" ({covers})"),
            };
            format!("{engine}: {}{verdict}{covers} in {time}", reached())
        }
    }
}

/// The same as data.
pub(crate) fn portfolio_json(parts: &[Part]) -> Vec<Value> {
    parts.iter().map(part_json).collect()
}

fn part_json(part: &Part) -> Value {
    let (did, verdict, covers, reason) = match &part.did {
        Did::Decided => ("decided", None, None, None),
        Did::Stopped => ("stopped", None, None, None),
        Did::Refused(why) => ("refused", None, None, Some(why)),
        Did::Ended { verdict, covers } => ("ended", Some(verdict.to_string()), Some(covers), None),
    };
    json!({
        "engine": part.engine.name(),
        "did": did,
        "verdict": verdict,
        "covers": covers,
        "reason": reason,
        "counts": counts_json(part.engine, &part.counts),
        "seconds": part.time.as_secs_f64(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::Counts;

    fn part(engine: Engine, did: Did, counts: Counts) -> Part {
        Part {
            engine,
            did,
            counts,
            time: Duration::from_millis(41),
            loops: Vec::new(),
        }
    }

    #[test]
    fn one_line_says_who_decided() {
        let explored = Counts {
            executions: 12_345,
            ..Counts::default()
        };
        let searched = Counts {
            states: 93,
            ..Counts::default()
        };
        let parts = [
            part(Engine::Explore, Did::Stopped, explored),
            part(Engine::States, Did::Decided, searched),
            part(
                Engine::Sat,
                Did::Refused("why".to_owned()),
                Counts::default(),
            ),
        ];
        assert_eq!(
            parts_text(&parts),
            "decided by states (93 states, 41 ms); explore: 12345 executions, stopped after 41 ms; \
             sat: refused (why)\n"
        );
        let mut result = ModelResult {
            portfolio: parts.to_vec(),
            ..ModelResult::undecided(memory::Model::Sc, Engine::States)
        };
        assert_eq!(portfolio_line(&result), parts_text(&parts));
        result.portfolio[0].did = Did::Decided;
        assert_eq!(portfolio_line(&result), "");
    }

    #[test]
    fn what_no_engine_decides_is_told_of_each() {
        let ended = |covers: &str, verdict| Did::Ended {
            verdict,
            covers: covers.to_owned(),
        };
        let parts = [
            part(
                Engine::Explore,
                ended("the executions seen in 1 s", Verdict::Undecided),
                Counts::default(),
            ),
            part(
                Engine::Sat,
                ended("values that are defined", Verdict::Holds),
                Counts::default(),
            ),
        ];
        assert_eq!(
            parts_text(&parts),
            "explore: 0 executions, undecided (the executions seen in 1 s) in 41 ms; \
             sat: holds (values that are defined) in 41 ms\n"
        );
        assert_eq!(portfolio_json(&parts)[1]["verdict"], "holds");
    }
}
