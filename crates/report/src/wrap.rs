//! Text in lines that are not too long.

/// A space at which a line is not broken, while lines are made.
pub(crate) const UNBROKEN: &str = "\u{a0}";

/// `text` broken at spaces into lines of at most `limit` characters, as far as its words allow. All lines but the first
/// begin with `indent`.
pub(crate) fn wrapped(text: &str, limit: usize, indent: &str) -> String {
    lines(text, limit, indent).join("\n")
}

/// The same as lines.
pub(crate) fn lines(text: &str, limit: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
            Some(_) => lines.push(format!("{indent}{word}")),
        }
    }
    lines
        .iter()
        .map(|line| line.replace(UNBROKEN, " "))
        .collect()
}
