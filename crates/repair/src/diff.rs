//! Unified diffs of texts that differ in a few lines.

use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 3;

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Same(usize, usize),
    Old(usize),
    New(usize),
}

/// A unified diff from one text of a file to another; empty if they are the same.
pub fn unified_diff(name: &str, old: &str, new: &str) -> String {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let lines = lines(&old, &new);
    let changed = |line: &Line| !matches!(line, Line::Same(..));
    let changes: Vec<usize> = (0..lines.len()).filter(|i| changed(&lines[*i])).collect();
    let mut diff = String::new();
    // Changes that are near each other are one hunk.
    for near in changes.chunk_by(|one, next| next - one <= 2 * CONTEXT) {
        if diff.is_empty() {
            diff = format!("--- a/{name}\n+++ b/{name}\n");
        }
        let start = near[0].saturating_sub(CONTEXT);
        let end = (near[near.len() - 1] + CONTEXT + 1).min(lines.len());
        hunk(&mut diff, &old, &new, &lines, start..end);
    }
    diff
}

fn hunk(
    diff: &mut String,
    old: &[&str],
    new: &[&str],
    lines: &[Line],
    range: std::ops::Range<usize>,
) {
    let is_old = |line: &&Line| !matches!(line, Line::New(_));
    let is_new = |line: &&Line| !matches!(line, Line::Old(_));
    let first_old = lines[..range.start].iter().filter(is_old).count() + 1;
    let first_new = lines[..range.start].iter().filter(is_new).count() + 1;
    let lines = &lines[range];
    let olds = lines.iter().filter(is_old).count();
    let news = lines.iter().filter(is_new).count();
    // Writing to a string does not fail.
    let _ = writeln!(diff, "@@ -{first_old},{olds} +{first_new},{news} @@");
    for line in lines {
        let (sign, text) = match *line {
            Line::Same(index, _) => (' ', old[index]),
            Line::Old(index) => ('-', old[index]),
            Line::New(index) => ('+', new[index]),
        };
        diff.push(sign);
        diff.push_str(text);
        if !text.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// What became of each line: a longest common subsequence, between what both begin and end with.
fn lines(old: &[&str], new: &[&str]) -> Vec<Line> {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev());
    let tail = rest.take_while(|(a, b)| a == b).count();
    let (o, n) = (&old[same..old.len() - tail], &new[same..new.len() - tail]);
    // The longest for each pair of ends.
    let mut longest = vec![vec![0_u32; n.len() + 1]; o.len() + 1];
    for i in (0..o.len()).rev() {
        for j in (0..n.len()).rev() {
            longest[i][j] = match o[i] == n[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let mut lines: Vec<Line> = (0..same).map(|index| Line::Same(index, index)).collect();
    let (mut i, mut j) = (0, 0);
    while i < o.len() || j < n.len() {
        if i < o.len() && j < n.len() && o[i] == n[j] {
            lines.push(Line::Same(same + i, same + j));
            (i, j) = (i + 1, j + 1);
        } else if i < o.len() && (j == n.len() || longest[i + 1][j] >= longest[i][j + 1]) {
            lines.push(Line::Old(same + i));
            i += 1;
        } else {
            lines.push(Line::New(same + j));
            j += 1;
        }
    }
    let tails = (old.len() - tail..old.len()).zip(new.len() - tail..new.len());
    lines.extend(tails.map(|(a, b)| Line::Same(a, b)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_added_is_shown_with_its_neighbours() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n";
        let expected = "--- a/f\n+++ b/f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+x\n 6\n 7\n 8\n";
        assert_eq!(unified_diff("f", old, new), expected);
        assert_eq!(unified_diff("f", old, old), "");
    }

    #[test]
    fn changes_far_apart_are_two_hunks() {
        let old: String = (0..30).map(|n| format!("{n}\n")).collect();
        let new = old.replace("\n3\n", "\nthree\n").replace("\n20\n", "\n");
        let diff = unified_diff("f", &old, &new);
        assert_eq!(diff.matches("@@ -").count(), 2);
        assert!(
            diff.contains("-3\n+three\n") && diff.contains("\n-20\n 21\n"),
            "{diff}"
        );
    }
}
