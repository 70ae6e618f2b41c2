//! Making diagnostics, and guessing which name was meant.

use program::{Diagnostic, Source, Span};

/// A complaint about the text under `span`.
pub fn complaint(source: &Source, span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic {
        source: source.clone(),
        message: message.into(),
        span,
        label: String::new(),
        others: Vec::new(),
        help: None,
    }
}

/// The start of a text, short enough for a message.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    let mut start: String = line.chars().take(MOST).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// What a complaint can say beside its message.
pub trait Detail: Sized {
    /// What should have stood there.
    fn expected(self, what: impl Into<String>) -> Self;
    /// Another place that has to do with it.
    fn beside(self, span: Span, what: impl Into<String>) -> Self;
    /// What to do about it.
    fn help(self, advice: impl Into<String>) -> Self;

    /// The name among `known` that was probably meant.
    fn meant<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(name, known) {
            Some(found) => self.help(format!("did you mean `{found}`?")),
            None => self,
        }
    }
}

impl Detail for Diagnostic {
    fn expected(mut self, what: impl Into<String>) -> Self {
        self.label = format!("expected {}", what.into());
        self
    }

    fn beside(mut self, span: Span, what: impl Into<String>) -> Self {
        self.others.push((span, what.into()));
        self
    }

    fn help(mut self, advice: impl Into<String>) -> Self {
        self.help = Some(advice.into());
        self
    }
}

/// The name in `known` that differs from `name` in at most two letters, and in
/// fewer than it has.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .filter_map(|candidate| {
            let distance = edits(name, candidate)?;
            let shorter = name.chars().count().min(candidate.chars().count());
            (distance <= 2 && distance < shorter).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters to change, add or take away to make one name the other, ignoring
/// case; nothing for names too long to be a slip.
fn edits(a: &str, b: &str) -> Option<usize> {
    let [a, b] = [a, b].map(|name| name.to_lowercase().chars().collect::<Vec<char>>());
    if a.len().max(b.len()) > 40 {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (to, above) in b.iter().zip(&row[1..]) {
            left = (diagonal + usize::from(from != to))
                .min(above + 1)
                .min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("lokc", ["clock", "lock", "x"]), Some("lock"));
        assert_eq!(nearest("EAX", ["EBX", "x"]), Some("EBX"));
        assert_eq!(nearest("z", ["x", "y"]), None);
        assert_eq!(nearest("MOW", ["JMP", "MOV"]), Some("MOV"));
    }
}
