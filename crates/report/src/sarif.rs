//! A whole run as SARIF 2.1.0: a result for each violation, with the places that have to do with it; what was not decided and what is wrong with
//! inputs as notifications of the tool.
//!
//! What was expected is no result. A verdict that was not expected is one of the rule `verdict`.

use crate::codes::{CODES, Code};
use crate::entry::{Answer, Entry, FilePlace, Finding};
use answer::Verdict;
use serde_json::json;
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, Message, MultiformatMessageString, Notification,
    PhysicalLocation, Region, ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif,
    Tool, ToolComponent,
};

/// Where the format is defined.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The rule of verdicts that were not expected.
const VERDICT: &str = "verdict";

/// The document.
pub fn sarif(entries: &[Entry]) -> String {
    let driver = ToolComponent::builder()
        .name("fencepost")
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(rules())
        .build();
    let bad = entries.iter().any(|entry| entry.answer == Answer::BadInput);
    let invocation = Invocation::builder()
        .execution_successful(!bad)
        .tool_execution_notifications(entries.iter().filter_map(notification).collect::<Vec<_>>())
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation])
        .results(entries.iter().flat_map(results).collect::<Vec<_>>())
        .column_kind(json!("unicodeCodePoints"))
        .build();
    let document = Sarif::builder()
        .schema(SCHEMA)
        .version(json!("2.1.0"))
        .runs(vec![run])
        .build();
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn message(text: &str) -> Message {
    Message::builder().text(text).build()
}

fn multiformat(text: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(text).build()
}

/// A rule for each kind of violation, at its number less one, and one for verdicts.
fn rules() -> Vec<ReportingDescriptor> {
    let rule = |code: &Code| {
        ReportingDescriptor::builder()
            .id(code.to_string())
            .name(code.name)
            .short_description(multiformat(code.title))
            .full_description(multiformat(code.meaning))
            .help(multiformat(code.remedy))
            .build()
    };
    let verdict = ReportingDescriptor::builder()
        .id(VERDICT)
        .short_description(multiformat("the verdict is not the expected one"))
        .build();
    CODES.iter().map(rule).chain([verdict]).collect()
}

fn results(entry: &Entry) -> Vec<SarifResult> {
    if entry.answer == Answer::BadInput {
        return Vec::new();
    }
    let complaints = entry.complaints();
    let complaints = complaints.iter();
    complaints.map(|finding| result(entry, finding)).collect()
}

fn result(entry: &Entry, finding: &Finding) -> SarifResult {
    let index = match finding.code {
        Some(code) => i64::from(code.number) - 1,
        None => CODES.len() as i64,
    };
    let places = finding.primary.iter().map(|place| location(place, None));
    let mut locations: Vec<Location> = places.collect();
    if locations.is_empty() {
        locations.push(whole(&entry.file));
    }
    let related = finding.secondary.iter().zip(1..);
    let related = related.map(|(place, id)| location(place, Some(id)));
    SarifResult::builder()
        .rule_id(finding.code.map_or(VERDICT.to_owned(), ToString::to_string))
        .rule_index(index)
        .level(match entry.answer {
            Answer::Verdict(Verdict::Undecided) => ResultLevel::Warning,
            _ => ResultLevel::Error,
        })
        .message(message(&format!("{}{}", finding.message, of_model(entry))))
        .locations(locations)
        .related_locations(related.collect::<Vec<_>>())
        .build()
}

/// ` (check under tso)`.
fn of_model(entry: &Entry) -> String {
    format!(" ({}{})", entry.command, entry.under())
}

/// What is undecided, or no program.
fn notification(entry: &Entry) -> Option<Notification> {
    let (level, text, place) = match entry.answer {
        _ if entry.is_good() => return None,
        Answer::Verdict(Verdict::Undecided) => {
            let text = format!("undecided: the search covers only {}", entry.covers);
            ("warning", text, None)
        }
        Answer::Verdict(_) => return None,
        Answer::BadInput => {
            let place = entry.findings.first().and_then(|f| f.primary.as_ref());
            ("error", entry.covers.clone(), place)
        }
    };
    let place = place.map_or_else(|| whole(&entry.file), |place| location(place, None));
    Some(
        Notification::builder()
            .level(json!(level))
            .message(message(&format!("{text}{}", of_model(entry))))
            .locations(vec![place])
            .build(),
    )
}

fn artifact(file: &str) -> ArtifactLocation {
    ArtifactLocation::builder().uri(uri(file)).build()
}

fn whole(file: &str) -> Location {
    let place = PhysicalLocation::builder().artifact_location(artifact(file));
    Location::builder().physical_location(place.build()).build()
}

fn location(place: &FilePlace, id: Option<i64>) -> Location {
    let line = i64::from(place.line.max(1));
    let column = i64::from(place.column.max(1));
    let region = Region::builder()
        .start_line(line)
        .start_column(column)
        .end_column(column + i64::from(place.length));
    let physical = PhysicalLocation::builder()
        .artifact_location(artifact(&place.file))
        .region(region.build());
    let mut location = Location::builder()
        .physical_location(physical.build())
        .build();
    location.id = id;
    location.message = Some(message(&place.label)).filter(|_| !place.label.is_empty());
    location
}

/// A relative path as a reference, an absolute one as a URI: what is neither a letter, a digit nor one of a few signs is escaped.
fn uri(file: &str) -> String {
    let mut uri = match file.starts_with('/') {
        true => "file://".to_owned(),
        false => String::new(),
    };
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/usr/x.h"), "file:///usr/x.h");
    }

    #[test]
    fn rules_are_found_by_their_index() {
        for (index, rule) in rules().iter().take(CODES.len()).enumerate() {
            assert_eq!(rule.id, CODES[index].to_string());
            assert_eq!(index as u16 + 1, CODES[index].number);
        }
    }
}
