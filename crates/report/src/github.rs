//! What somebody has to look at as annotations of GitHub Actions: a line for each, which GitHub shows at the line of the source.
//!
//! The format is that of workflow commands: `::error file=…,line=…::message`, where line breaks, `%`, and in properties
//! also `:` and `,` are escaped.

use crate::entry::{Answer, Entry, FilePlace, Finding};
use answer::Verdict;

/// A line for each complaint.
pub fn github(entries: &[Entry]) -> String {
    entries.iter().map(annotations).collect()
}

fn annotations(entry: &Entry) -> String {
    let complaints = entry.complaints();
    if complaints.is_empty() && !entry.is_good() {
        let (name, under, covers) = (&entry.name, entry.under(), &entry.covers);
        let message = format!("{name} is undecided{under}: the search covers only {covers}");
        let file = property(&entry.file);
        return format!(
            "::warning file={file},title=undecided::{}\n",
            data(&message)
        );
    }
    let level = match entry.answer {
        Answer::Verdict(Verdict::Undecided) => "warning",
        _ => "error",
    };
    complaints
        .iter()
        .map(|finding| annotation(level, entry, finding))
        .collect()
}

fn annotation(level: &str, entry: &Entry, finding: &Finding) -> String {
    // Where a violation is of no one place, the first that has to do with it says most.
    let place = finding.primary.as_ref().or(finding.secondary.first());
    let at = match place {
        Some(FilePlace {
            file,
            line,
            column,
            length,
            ..
        }) => {
            let (file, end) = (property(file), column + length);
            format!("file={file},line={line},col={column},endColumn={end}")
        }
        None => format!("file={}", property(&entry.file)),
    };
    let title = match finding.code {
        Some(code) => format!("{code}: {}{}", code.title, entry.under()),
        None => entry.answer.to_string(),
    };
    let title = property(&title);
    format!("::{level} {at},title={title}::{}\n", data(&finding.message))
}

fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(data("50%\nof a:b"), "50%25%0Aof a:b");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
