//! What a page shows of a command's output, beside what the command prints.
//!
//! A line `…` stands for any lines that are left out. Times are not compared, and neither are lines that
//! are printed only where a machine is slow.

/// The line that stands for lines left out.
const OMISSION: &str = "…";

/// The line that asks for the whole output.
const WANTED: &str = "?";

/// Whether the page shows what is printed.
pub fn agrees(shown: &[&str], printed: &[&str]) -> bool {
    if shown.is_empty() {
        return true;
    }
    let printed: Vec<String> = lasting(printed).iter().map(|line| masked(line)).collect();
    let shown: Vec<String> = lasting(shown).iter().map(|line| masked(line)).collect();
    let parts: Vec<&[String]> = shown.split(|line| line.trim() == OMISSION).collect();
    let (first, rest) = parts.split_first().expect("a part");
    let Some(mut left) = printed.strip_prefix(*first) else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return left.is_empty();
    };
    for part in middle {
        // The earliest place leaves most for the parts behind it.
        let place = (0..=left.len()).find(|from| left[*from..].starts_with(part));
        match place {
            Some(from) => left = &left[from + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

/// What the page should show instead: as much of each part as before. Lines that differ in a time only stay
/// as they are.
pub fn corrected(shown: &[&str], printed: &[&str]) -> Vec<String> {
    if agrees(shown, printed) {
        return shown.iter().map(|line| (*line).to_owned()).collect();
    }
    let printed = lasting(printed);
    let before: Vec<(String, &str)> = shown.iter().map(|line| (masked(line), *line)).collect();
    let kept = |line: &&str| {
        let mask = masked(line);
        let same = before.iter().find(|(old, _)| *old == mask);
        same.map_or_else(|| (*line).to_owned(), |(_, old)| (*old).to_owned())
    };
    let parts: Vec<&[&str]> = shown.split(|line| line.trim() == OMISSION).collect();
    if shown == [WANTED] || parts.len() == 1 {
        return printed.iter().map(kept).collect();
    }
    let mut lines = Vec::new();
    let mut from = 0;
    for (index, part) in parts.iter().enumerate() {
        let length = part.len().min(printed.len() - from);
        let start = match index {
            0 => 0,
            _ if index == parts.len() - 1 => printed.len() - length,
            _ => likeliest(part, &printed, from),
        };
        let end = (start + length).min(printed.len());
        if index > 0 {
            lines.push(OMISSION.to_owned());
        }
        lines.extend(printed[start..end].iter().map(kept));
        from = end;
    }
    lines
}

/// Where in the lines from `from` on a part stands that has changed: where most of its lines are as they were.
fn likeliest(part: &[&str], printed: &[&str], from: usize) -> usize {
    let alike = |start: usize| {
        let pairs = part.iter().zip(&printed[start..]);
        pairs
            .filter(|(old, new)| masked(old) == masked(new))
            .count()
    };
    let last = printed.len().saturating_sub(part.len()).max(from);
    // Of equals the first.
    (from..=last)
        .rev()
        .max_by_key(|start| alike(*start))
        .unwrap_or(from)
}

/// The lines without those that depend on how fast the machine is.
fn lasting<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let depends = |line: &str| line.starts_with("decided by ") || line.ends_with(" for reading");
    let lines = lines.iter().copied().filter(|line| !depends(line));
    lines.map(str::trim_end).collect()
}

/// The line with each time in it replaced: a number and a unit.
fn masked(line: &str) -> String {
    const UNITS: [&str; 8] = [
        "ms", "s", "seconds", "second", "minutes", "minute", "µs", "min",
    ];
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('(');
        !digits.is_empty()
            && digits
                .chars()
                .all(|c| c.is_ascii_digit() || c == '.' || c == ',')
    };
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let unit = word.trim_end_matches([',', ';', '.', ':', ')']);
        let timed = words.last().is_some_and(|number| is_number(number));
        if timed && UNITS.contains(&unit) {
            words.pop();
            words.push(word.replacen(unit, "[time]", 1));
        } else {
            words.push(word.to_owned());
        }
    }
    let mut line = words.join(" ");
    if line.contains("[time]") {
        // Columns move with the length of a time.
        line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // JSON has times as numbers.
    match line.split_once("seconds\": ") {
        Some((start, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "-.e".contains(c));
            format!("{start}seconds\": [time]{rest}")
        }
        None => line,
    }
}

#[test]
fn parts_are_found_in_order() {
    let printed = ["a", "b in 3 ms", "c", "d in 1.20 s", "e"];
    assert!(agrees(
        &["a", "b in 5 ms", "c", "d in 0.3 ms", "e"],
        &printed
    ));
    assert!(agrees(&["a", "…", "c", "…", "e"], &printed));
    assert!(agrees(&["…", "e"], &printed));
    assert!(agrees(&["a", "…"], &printed));
    assert!(!agrees(&["a", "c", "…"], &printed));
    assert!(!agrees(&["…", "d in 1 s"], &printed));
    assert!(!agrees(&["a", "…", "e", "…", "c", "e"], &printed));
    assert!(!agrees(&["a"], &printed));
}

#[test]
fn a_correction_agrees_and_keeps_times() {
    let printed = ["a", "b in 3 ms", "c", "d in 1.20 s", "e"];
    for shown in [
        &["?"][..],
        &["x", "…", "y"],
        &["a", "b in 7 ms", "…", "x"],
        &["…", "b in 7 ms", "x", "…", "e"],
        &["x", "y", "z", "…", "x", "y", "…", "x", "y", "z"],
    ] {
        let corrected = corrected(shown, &printed);
        let lines: Vec<&str> = corrected.iter().map(String::as_str).collect();
        assert!(agrees(&lines, &printed), "{shown:?} {lines:?}");
    }
    let corrected = corrected(&["a", "b in 7 ms", "…", "x"], &printed);
    assert_eq!(corrected, ["a", "b in 7 ms", "…", "e"]);
}
