//! A whole run as JUnit XML: a test suite for each program, a test case for each model.

use crate::entry::{Answer, Entry};
use answer::Verdict;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The document.
pub fn junit(entries: &[Entry]) -> String {
    let mut report = Report::new("fencepost");
    for suite in entries.chunk_by(|one, other| one.name == other.name) {
        let mut cases = TestSuite::new(suite[0].name.as_str());
        cases.set_time(suite.iter().map(|entry| entry.time).sum::<Duration>());
        cases.add_test_cases(suite.iter().map(case));
        report.add_test_suite(cases);
    }
    // Only characters that XML does not have could be in the way, and those are left out.
    report.to_string().unwrap_or_default()
}

fn case(entry: &Entry) -> TestCase {
    let name = match entry.model {
        Some(model) => format!("{} {model}", entry.command),
        None => entry.command.to_owned(),
    };
    let mut case = TestCase::new(name, status(entry));
    case.set_classname(entry.name.as_str());
    case.set_time(entry.time);
    if entry.is_good() {
        case.set_system_out(entry.text.as_str());
    }
    case
}

fn status(entry: &Entry) -> TestCaseStatus {
    if entry.is_good() {
        return TestCaseStatus::success();
    }
    let kind = match entry.answer {
        Answer::BadInput | Answer::Verdict(Verdict::Undecided) => NonSuccessKind::Error,
        Answer::Verdict(_) => NonSuccessKind::Failure,
    };
    let complaints = entry.complaints();
    let code = complaints.iter().find_map(|complaint| complaint.code);
    let message = match complaints.first() {
        Some(complaint) => complaint.message.clone(),
        None => format!("{}: it covers only {}", entry.answer, entry.covers),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(code.map_or(entry.answer.to_string(), ToString::to_string));
    status.set_message(message);
    status.set_description(entry.text.as_str());
    status
}
