//! The fences that repair a program.

use crate::check::check_text;
use crate::json::{SCHEMA, result_json};
use crate::measures::{count, time};
use crate::sites::file_name;
use crate::view::View;
use crate::violation::sentence;
use answer::{ModelResult, Verdict};
use memory::Model;
use program::{Orderings, Program, Span};
use repair::{AccessSite, Change, Marked, Outcome, PlaceId, Repair};
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

/// A change as it is shown.
struct Shown<'r> {
    at: Span,
    function: &'r str,
    /// The accesses before and after it.
    around: [Option<String>; 2],
    /// What it keeps in order.
    orderings: Orderings,
    text: String,
    /// What the text stands in the place of.
    replaces: Option<String>,
}

impl Repaired<'_> {
    fn shown(&self, change: &Change) -> Shown<'_> {
        match change {
            Change::Fence { place, kind } => {
                let at = &self.marked.places[place.0];
                Shown {
                    at: at.at.unwrap_or(Span::NOWHERE),
                    function: &at.function,
                    around: self.around(Some(*place), Some(*place)),
                    orderings: kind.orderings,
                    text: kind.text.clone(),
                    replaces: None,
                }
            }
            Change::Order { access, order } => {
                let site = &self.marked.accesses[*access];
                let [before, after] = site.around;
                let (old, text) = (self.old_text(site), site.text(self.text(site.span), *order));
                Shown {
                    at: site.span,
                    function: &site.function,
                    around: self.around(before, after),
                    orderings: site.keeps(*order),
                    replaces: (old != text).then_some(old),
                    text,
                }
            }
            Change::Stays { fence, weaker } => {
                let site = &self.marked.fences[*fence];
                let old = self.program.excerpt(site.span).to_owned();
                Shown {
                    at: site.span,
                    function: &site.function,
                    around: self.around(site.place, site.place),
                    orderings: weaker
                        .as_ref()
                        .map_or(site.orderings, |kind| kind.orderings),
                    text: weaker
                        .as_ref()
                        .map_or_else(|| old.clone(), |kind| kind.text.clone()),
                    replaces: weaker.as_ref().map(|_| old),
                }
            }
        }
    }

    fn text(&self, at: Span) -> &str {
        self.program.file(at).map_or("", |source| &source.text)
    }

    fn old_text(&self, site: &AccessSite) -> String {
        site.old_text(self.text(site.span)).join("; ")
    }

    /// The accesses before a place and after another, as they are written.
    fn around(&self, before: Option<PlaceId>, after: Option<PlaceId>) -> [Option<String>; 2] {
        let before = before.and_then(|place| self.marked.around(place).0);
        let after = after.and_then(|place| self.marked.around(place).1);
        [before, after].map(|span| {
            let span = span.filter(|span| *span != Span::NOWHERE)?;
            Some(self.program.excerpt(span).to_owned())
        })
    }

    fn line(&self, change: &Change) -> String {
        let Shown {
            at,
            function,
            around: [before, after],
            text,
            replaces,
            ..
        } = self.shown(change);
        let file = file_name(self.program, at);
        let mut line = format!("{file}:{}: {text} in {function}", at.line);
        if let Some(old) = replaces {
            return format!("{line}, instead of `{old}`");
        }
        if let Some(before) = before {
            line += &format!(", after `{before}`");
        }
        if let Some(after) = after {
            line += &format!(", before `{after}`");
        }
        line
    }

    /// What the program can do without: where, what it is, and what is left of it.
    fn redundant(&self) -> Vec<(Span, &str, String, String)> {
        let Repaired {
            marked,
            model,
            repair,
            ..
        } = *self;
        if !repair.reduces || !matches!(repair.outcome, Outcome::Repaired) {
            return Vec::new();
        }
        let accesses = marked
            .accesses
            .iter()
            .enumerate()
            .filter_map(|(index, site)| {
                let left = repair::order_left(marked, index, &repair.changes, model);
                (left != site.order).then(|| {
                    let new = site.text(self.text(site.span), left);
                    (site.span, site.function.as_str(), self.old_text(site), new)
                })
            });
        let fences = marked
            .fences
            .iter()
            .enumerate()
            .filter_map(|(index, site)| {
                let left = repair::fence_left(marked, index, &repair.changes, model)?;
                let old = self.program.excerpt(site.span).to_owned();
                Some((site.span, site.function.as_str(), old, left.to_owned()))
            });
        let mut redundant: Vec<_> = accesses.chain(fences).collect();
        redundant.sort();
        redundant
    }

    /// Whether the program has anything that does something under the model and can be taken away.
    fn can_be_edited(&self) -> bool {
        let does_something = |orderings| !self.model.effective(orderings).is_empty();
        let mut fences = self.marked.fences.iter();
        let mut accesses = self.marked.accesses.iter();
        fences.any(|site| does_something(site.orderings))
            || accesses.any(|site| does_something(site.keeps(site.order)))
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
        Outcome::Repaired if repair.reduces => text += &reduced_text(repaired),
        Outcome::Repaired if repair.changes.is_empty() => text += "no fence is needed\n",
        Outcome::Repaired => text += &repaired_text(repaired),
        Outcome::WrongUnderSc(result) => {
            text += "wrong under sc: no fence helps\n";
            text += &updates_text(repaired);
            text += "\n";
            text += &check_text(program, result, &View::default());
            return text;
        }
        Outcome::NoFenceHelps(result) => {
            text += "wrong with fences at all places: no fence between statements helps\n";
            text += &updates_text(repaired);
            text += "\n";
            text += &check_text(program, result, &View::default());
            return text;
        }
        Outcome::WrongAsItIs(result) => {
            text += "wrong as it is: nothing can be taken away\n\n";
            text += &check_text(program, result, &View::default());
            return text;
        }
        Outcome::Undecided(result) => {
            let fences = count(repair.changes.len() as u64, "fence");
            text += &match result.verdict {
                Verdict::Undecided => {
                    let covers = result.covers();
                    let prove = match (goal, model) {
                        ("correct", Model::Tso | Model::Pso) => {
                            "--goal proved decides some loops that never end\n"
                        }
                        _ => "",
                    };
                    format!(
                        "not decided: the answer with {fences} is open, within {covers}\n{prove}"
                    )
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
        match repair.changes.is_empty() {
            _ if repair.reduces => "what is left",
            true => "no fence",
            false => "them",
        },
        repair.result.engine,
        repair.result.covers(),
    );
    text
}

fn repaired_text(repaired: &Repaired) -> String {
    let repair = repaired.repair;
    let is_order = |change: &&Change| matches!(change, Change::Order { .. });
    let orders = repair.changes.iter().filter(is_order).count();
    let fences = repair.changes.len() - orders;
    let (fences, orders) = match (fences, orders) {
        (fences, 0) => (count(fences as u64, "fence"), String::new()),
        (0, orders) => (count(orders as u64, "stronger order"), String::new()),
        (fences, orders) => (
            count(fences as u64, "fence"),
            format!(" and {}", count(orders as u64, "stronger order")),
        ),
    };
    let how = match repair.minimum {
        true => "the minimum of all placements",
        false if repair.open.is_some() => "the minimum of those that are known to be right",
        false if repair.same_code => "none can be left out",
        false => "perhaps not the minimum: the compiler makes other code of the text with places",
    };
    let mut text = format!("{fences}{orders}, cost {}, {how}:\n", repair.cost);
    text += &changes_text(repaired, "without such a change");
    if let Some(open) = &repair.open {
        let covers = open.covers();
        text += &format!(
            "a cheaper set is not known to be wrong: its answer is open, within {covers}\n"
        );
    }
    if repair.sets.len() > 1 {
        text += &format!("{} of that cost:\n", count(repair.sets.len() as u64, "set"));
        for (number, set) in repair.sets.iter().enumerate() {
            text += &format!("  set {}\n", number + 1);
            let lines = set.iter().map(|change| repaired.line(change));
            text += &lines
                .map(|line| format!("    {line}\n"))
                .collect::<String>();
        }
    }
    text
}

/// Each change with what goes wrong without it.
fn changes_text(repaired: &Repaired, without: &str) -> String {
    let mut text = String::new();
    for (index, change) in repaired.repair.changes.iter().enumerate() {
        text += &format!("  {}\n", repaired.line(change));
        let mut forced = repaired.repair.forced.iter();
        if let Some(forced) = forced.find(|forced| forced.change == index) {
            let without = match change {
                Change::Fence { .. } => "without such a fence",
                _ => without,
            };
            let violated = repaired.violated(&forced.result);
            text += &format!("    {without}: {violated}\n");
        }
    }
    text
}

/// What can go, and what stays.
fn reduced_text(repaired: &Repaired) -> String {
    let repair = repaired.repair;
    let redundant = repaired.redundant();
    let fixed = fixed_text(repaired);
    let mut text = match redundant.len() {
        0 if !repaired.can_be_edited() => {
            "no fence or order can be taken away: none is where it can be edited\n".to_owned()
        }
        0 => "no fence or order is redundant\n".to_owned(),
        1 => "1 fence or order is more than is needed:\n".to_owned(),
        number => format!("{number} fences or orders are more than is needed:\n"),
    };
    for (at, function, old, new) in redundant {
        let file = file_name(repaired.program, at);
        text += &match new.is_empty() {
            true => format!("  {file}:{}: {old} in {function} can go\n", at.line),
            false => format!("  {file}:{}: {old} in {function} can be {new}\n", at.line),
        };
    }
    if !repair.changes.is_empty() {
        let how = match repair.minimum {
            true => "the minimum of what can be left",
            false => "none can be left out",
        };
        text += &format!("left, cost {}, {how}:\n", repair.cost);
        text += &changes_text(repaired, "without it");
    }
    text + &fixed
}

/// What was not looked at, since its text cannot be edited.
fn fixed_text(repaired: &Repaired) -> String {
    let Repaired {
        program,
        marked,
        model,
        ..
    } = *repaired;
    let fixed = marked.fixed.iter();
    let fixed = fixed.filter(|(_, orderings)| !model.effective(*orderings).is_empty());
    let lines = fixed.map(|(at, _)| {
        let file = file_name(program, *at);
        format!("  {file}:{}: {}\n", at.line, program.excerpt(*at))
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => lines,
        false => format!("not looked at, as it cannot be edited:\n{lines}"),
    }
}

/// What helps instead.
fn updates_text(repaired: &Repaired) -> String {
    let Repaired {
        program, repair, ..
    } = *repaired;
    if repair.updates.is_empty() {
        return String::new();
    }
    let mut text =
        "it needs atomic read-modify-writes, and is right with these as one step each:\n"
            .to_owned();
    for update in &repair.updates {
        let at = |span: Span| {
            let file = file_name(program, span);
            format!("`{}` ({file}:{})", program.excerpt(span), span.line)
        };
        let (load, store) = (at(update.load), at(update.store));
        let function = &update.function;
        text += &match update.load == update.store {
            true => format!("  the load and the store of {load} in {function}\n"),
            false => format!("  the load of {load} and the store of {store} in {function}\n"),
        };
    }
    text
}

/// For programs.
pub fn fences_json(repaired: &Repaired) -> Value {
    let Repaired {
        program, repair, ..
    } = *repaired;
    let change_json = |change: &Change| {
        let shown = repaired.shown(change);
        let [after, before] = shown.around;
        json!({
            "file": file_name(program, shown.at),
            "line": shown.at.line,
            "function": shown.function,
            "after": after,
            "before": before,
            "kind": shown.orderings.to_string(),
            "text": shown.text,
            "replaces": shown.replaces,
        })
    };
    let list = |changes: &[Change]| changes.iter().map(change_json).collect::<Vec<_>>();
    let redundant = repaired.redundant().into_iter();
    let redundant = redundant.map(|(at, function, old, new)| {
        json!({
            "file": file_name(program, at),
            "line": at.line,
            "function": function,
            "text": old,
            "left": (!new.is_empty()).then_some(new),
        })
    });
    let fixed = repaired.marked.fixed.iter();
    let fixed = fixed.filter(|(_, orderings)| {
        repair.reduces && !repaired.model.effective(*orderings).is_empty()
    });
    let not_editable = fixed.map(|(at, _)| {
        json!({
            "file": file_name(program, *at),
            "line": at.line,
            "text": program.excerpt(*at),
        })
    });
    let updates = repair.updates.iter().map(|update| {
        json!({
            "file": file_name(program, update.load),
            "line": update.load.line,
            "store_line": update.store.line,
            "function": update.function,
        })
    });
    let (outcome, shown, verdict) = match &repair.outcome {
        Outcome::Repaired => ("repaired", &repair.result, repair.result.verdict),
        Outcome::WrongUnderSc(result) => ("wrong-under-sc", &**result, Verdict::Violated),
        Outcome::NoFenceHelps(result) => ("no-fence-helps", &**result, Verdict::Violated),
        Outcome::WrongAsItIs(result) => ("wrong-as-it-is", &**result, Verdict::Violated),
        Outcome::Undecided(result) => ("undecided", &**result, Verdict::Undecided),
    };
    let forced = repair.forced.iter().map(|forced| {
        json!({
            "fence": forced.change,
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
        "fences": list(&repair.changes),
        "redundant": redundant.collect::<Vec<_>>(),
        "not_editable": not_editable.collect::<Vec<_>>(),
        "updates": updates.collect::<Vec<_>>(),
        "cost": repair.cost,
        "minimum": repair.minimum,
        "open": repair.open.as_ref().map(|open| result_json(program, open)),
        "sets": repair.sets.iter().map(|set| list(set)).collect::<Vec<_>>(),
        "forced": forced.collect::<Vec<_>>(),
        "result": result_json(program, shown),
        "questions": repair.asked,
        "seconds": repair.time.as_secs_f64(),
    })
}
