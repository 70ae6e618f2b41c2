//! Links in Markdown, and pages that code and messages name.

use super::{all_pages, page, repository};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where the links of a text go: what stands between `](` and `)`, outside of code.
fn links<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let blocks = page::blocks(lines);
    let outside = |number| !blocks.iter().any(|block| block.lines.contains(&number));
    let prose = lines
        .iter()
        .enumerate()
        .filter(|(number, _)| outside(*number));
    let mut found = Vec::new();
    for (_, line) in prose.filter(|(_, line)| !line.starts_with("    ")) {
        let ends = line.split("](").skip(1);
        found.extend(ends.filter_map(|rest| Some(rest.split_once(')')?.0)));
    }
    found
}

/// The anchors of a page: its headings, in lower case, blanks as dashes, without other signs.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let slug = |heading: &str| {
        let text: String = heading.trim_start_matches('#').trim().chars().collect();
        let text: String = text.chars().filter(kept).collect();
        text.to_lowercase().replace(' ', "-")
    };
    headings.map(slug).collect()
}

/// A path without `.` and `..`.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = all_pages();
    let others = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"];
    pages.extend(others.map(str::to_owned));
    let mut broken = Vec::new();
    let mut seen = 0;
    for name in pages {
        let text = fs::read_to_string(repository().join(&name)).expect("the page");
        let lines: Vec<&str> = text.lines().collect();
        for link in links(&lines) {
            seen += 1;
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let directory = Path::new(&name).parent().expect("a directory");
            let target = match file {
                "" => PathBuf::from(&name),
                file => plain(&directory.join(file)),
            };
            let target = repository().join(target);
            let is_there = target.exists();
            let has_anchor = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                anchors(&text).iter().any(|known| known == anchor)
            };
            if !is_there || !(anchor.is_empty() || has_anchor()) {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(seen > 100, "only {seen} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
