//! The fences that repair a program.

use crate::check::check_text;
use crate::json::{SCHEMA, result_json};
use crate::measures::{count, time};
use crate::sites::file_name;
use crate::violation::sentence;
use answer::{ModelResult, Verdict};
use memory::Model;
use program::{Program, Span};
use repair::{Fence, Marked, Outcome, Repair};
use serde_json::{Value, json};

/// What came of a search for fences.
#[derive(Clone, Copy, Debug)]
pub struct Repaired<'r> {
    /// The program as it was.
    pub program: &'r Program,
    /// Its places.
    pub marked: &'r Marked,
    /// What was to hold.
    pub goal: &'r str,
    /// The model.
    pub model: Model,
    /// The answer.
    pub repair: &'r Repair,
}

impl Repaired<'_> {
    fn at(&self, fence: &Fence) -> Span {
        self.marked.places[fence.place.0].at
    }

    /// The accesses before and after a fence, as they are written.
    fn around(&self, fence: &Fence) -> [Option<String>; 2] {
        let (before, after) = self.marked.around(fence.place);
        [before, after].map(|span| {
            let span = span.filter(|span| *span != Span::NOWHERE)?;
            Some(self.program.excerpt(span).to_owned())
        })
    }

    fn fence_line(&self, fence: &Fence) -> String {
        let at = self.at(fence);
        let (file, function) = (
            file_name(self.program, at),
            &self.marked.places[fence.place.0].function,
        );
        let text = &fence.kind.text;
        let mut line = format!("{file}:{}: {text} in {function}", at.line);
        let [before, after] = self.around(fence);
        if let Some(before) = before {
            line += &format!(", after `{before}`");
        }
        if let Some(after) = after {
            line += &format!(", before `{after}`");
        }
        line
    }

    fn violated(&self, result: &ModelResult) -> String {
        let violation = result.violation.as_ref();
        violation.map_or_else(
            || "an execution is wrong".to_owned(),
            |violation| sentence(self.program, &result.started, violation),
        )
    }
}

/// For people.
pub fn fences_text(repaired: &Repaired) -> String {
    let Repaired {
        program,
        goal,
        model,
        repair,
        ..
    } = *repaired;
    let (file, asked) = (&program.source.name, count(repair.asked as u64, "question"));
    let time = time(repair.time);
    let mut text = format!("{file} under {model}, goal {goal}: {asked} in {time}\n");
    match &repair.outcome {
        Outcome::Repaired if repair.fences.is_empty() => text += "no fence is needed\n",
        Outcome::Repaired => text += &repaired_text(repaired),
        Outcome::WrongUnderSc(result) => {
            text += "wrong under sc: no fence helps\n\n";
            text += &check_text(program, result);
            return text;
        }
        Outcome::NoFenceHelps(result) => {
            text += "wrong with fences at all places: no fence between statements helps\n\n";
            text += &check_text(program, result);
            return text;
        }
        Outcome::Undecided(result) => {
            let fences = count(repair.fences.len() as u64, "fence");
            text += &match result.verdict {
                Verdict::Undecided => {
                    let covers = result.covers();
                    format!("not decided: the answer with {fences} is open, within {covers}\n")
                }
                _ => {
                    "not decided: a limit was reached before a set of fences was found\n".to_owned()
                }
            };
            return text;
        }
    }
    text += &format!(
        "{} with {}: {} covers {}\n",
        repair.result.verdict,
        if repair.fences.is_empty() {
            "no fence"
        } else {
            "them"
        },
        repair.result.engine,
        repair.result.covers(),
    );
    text
}

fn repaired_text(repaired: &Repaired) -> String {
    let repair = repaired.repair;
    let fences = count(repair.fences.len() as u64, "fence");
    let how = match repair.minimum {
        true => "the minimum of all placements",
        false if repair.same_code => "none can be left out",
        false => "perhaps not the minimum: the compiler makes other code of the text with places",
    };
    let mut text = format!("{fences}, cost {}, {how}:\n", repair.cost);
    for (index, fence) in repair.fences.iter().enumerate() {
        text += &format!("  {}\n", repaired.fence_line(fence));
        if let Some(forced) = repair.forced.iter().find(|forced| forced.fence == index) {
            let violated = repaired.violated(&forced.result);
            text += &format!("    without such a fence: {violated}\n");
        }
    }
    if repair.sets.len() > 1 {
        text += &format!("{} of that cost:\n", count(repair.sets.len() as u64, "set"));
        for (number, set) in repair.sets.iter().enumerate() {
            text += &format!("  set {}\n", number + 1);
            let lines = set.iter().map(|fence| repaired.fence_line(fence));
            text += &lines
                .map(|line| format!("    {line}\n"))
                .collect::<String>();
        }
    }
    text
}

/// For programs.
pub fn fences_json(repaired: &Repaired) -> Value {
    let Repaired {
        program, repair, ..
    } = *repaired;
    let fence_json = |fence: &Fence| {
        let at = repaired.at(fence);
        let [after, before] = repaired.around(fence);
        json!({
            "file": file_name(program, at),
            "line": at.line,
            "function": repaired.marked.places[fence.place.0].function,
            "after": after,
            "before": before,
            "kind": fence.kind.orderings.to_string(),
            "text": fence.kind.text,
        })
    };
    let list = |fences: &[Fence]| fences.iter().map(fence_json).collect::<Vec<_>>();
    let (outcome, shown, verdict) = match &repair.outcome {
        Outcome::Repaired => ("repaired", &repair.result, repair.result.verdict),
        Outcome::WrongUnderSc(result) => ("wrong-under-sc", &**result, Verdict::Violated),
        Outcome::NoFenceHelps(result) => ("no-fence-helps", &**result, Verdict::Violated),
        Outcome::Undecided(result) => ("undecided", &**result, Verdict::Undecided),
    };
    let forced = repair.forced.iter().map(|forced| {
        json!({
            "fence": forced.fence,
            "result": result_json(program, &forced.result),
        })
    });
    json!({
        "schema": SCHEMA,
        "command": "fences",
        "file": &*program.source.name,
        "test": program.name,
        "model": repaired.model.name(),
        "goal": repaired.goal,
        "outcome": outcome,
        "verdict": verdict.to_string(),
        "fences": list(&repair.fences),
        "cost": repair.cost,
        "minimum": repair.minimum,
        "sets": repair.sets.iter().map(|set| list(set)).collect::<Vec<_>>(),
        "forced": forced.collect::<Vec<_>>(),
        "result": result_json(program, shown),
        "questions": repair.asked,
        "seconds": repair.time.as_secs_f64(),
    })
}
