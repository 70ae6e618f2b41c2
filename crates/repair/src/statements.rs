//! Where a fence can be written in C: between statements.
//!
//! The text is read token by token, without preprocessing: comments, strings and directives are skipped, braces are matched, and a brace
//! opens a block if a function, a control statement or nothing stands before it. A point is the end of a statement, or the start of
//! a block, or a label, wherever another statement may stand. The body of an `if` or a loop without braces has no point of its own.
//! A macro with arguments before a brace is taken for the head of a loop.
//!
//! Not guaranteed: that the text compiles with a fence at each point. Where macros hide braces it may not; clang says so.

/// Where a statement may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// The byte of the text that it comes before.
    pub offset: usize,
    /// A byte of the line whose indentation a new line takes.
    pub indented_as: usize,
}

/// A word, or a character of something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    Word(&'t str),
    Sign(char),
}

enum Open {
    /// In a statement that had so many tokens.
    Parenthesis(usize),
    /// A block, and the first word of its statement.
    Block { is_do: bool },
    /// Members, or an initialiser.
    Other,
}

/// A statement that is being read.
#[derive(Default)]
struct Statement<'t> {
    start: usize,
    words: Vec<&'t str>,
    /// Anything but words was in it.
    signs: bool,
    last: Option<Token<'t>>,
    /// Tokens so far.
    tokens: usize,
    /// It is a word with something in parentheses, such as the head of a loop that is a macro.
    is_call: bool,
}

impl<'t> Statement<'t> {
    fn starts_with(&self, words: &[&str]) -> bool {
        self.words
            .first()
            .is_some_and(|first| words.contains(first))
    }

    fn add(&mut self, at: usize, token: Token<'t>) {
        if self.last.is_none() {
            self.start = at;
        }
        self.tokens += 1;
        self.is_call = false;
        match token {
            Token::Word(word) => self.words.push(word),
            Token::Sign(_) => self.signs = true,
        }
        self.last = Some(token);
    }

    /// Adds the parenthesis that closes one which was opened when it had a number of tokens.
    fn close(&mut self, at: usize, token: Token<'t>, opened: usize) {
        self.add(at, token);
        self.is_call = opened == 1 && !self.words.is_empty() && token == Token::Sign(')');
    }

    /// Whether a brace that follows opens a block.
    fn opens_block(&self, in_function: bool) -> bool {
        let parenthesis = self.last == Some(Token::Sign(')'));
        if in_function {
            let control = ["if", "while", "for", "switch", "else"];
            self.last.is_none()
                || parenthesis && self.starts_with(&control)
                || self.is_call && !self.starts_with(&["sizeof"])
                || matches!(self.last, Some(Token::Word("else" | "do")))
        } else {
            parenthesis && !self.words.contains(&"typedef")
                || self.words.len() == 1
                    && !self.signs
                    && !self.starts_with(&["struct", "union", "enum"])
        }
    }

    /// Whether a colon that follows makes it a label.
    fn is_label(&self) -> bool {
        self.starts_with(&["case", "default"]) || self.words.len() == 1 && !self.signs
    }
}

/// Where statements may be added to a C text.
pub(crate) fn points(text: &str) -> Vec<Point> {
    let tokens = tokens(text);
    let mut open: Vec<Open> = Vec::new();
    let mut statement = Statement::default();
    let mut points = Vec::new();
    for (index, &(at, token)) in tokens.iter().enumerate() {
        let following = tokens.get(index + 1);
        let next = following.map_or(text.len(), |(at, _)| *at);
        let is_next = |word| following.is_some_and(|(_, token)| *token == Token::Word(word));
        let in_block = matches!(open.last(), Some(Open::Block { .. }));
        let point = |start| Point {
            offset: at + 1,
            indented_as: start,
        };
        match token {
            Token::Sign('(' | '[') => {
                open.push(Open::Parenthesis(statement.tokens));
                statement.add(at, token);
            }
            Token::Sign(')' | ']') => {
                let opened = match open.pop() {
                    Some(Open::Parenthesis(opened)) => opened,
                    _ => 0,
                };
                statement.close(at, token, opened);
            }
            Token::Sign('{') if open.is_empty() || in_block => {
                let is_switch = statement.starts_with(&["switch"]);
                if statement.opens_block(in_block) {
                    let is_do = matches!(statement.last, Some(Token::Word("do")));
                    open.push(Open::Block { is_do });
                    statement = Statement::default();
                    if !is_switch {
                        points.push(point(next));
                    }
                } else {
                    statement.add(at, token);
                    open.push(Open::Other);
                }
            }
            Token::Sign('{') => open.push(Open::Other),
            Token::Sign('}') => match open.pop() {
                Some(Open::Block { is_do }) => {
                    statement = Statement::default();
                    let inside = matches!(open.last(), Some(Open::Block { .. }));
                    if is_do {
                        statement.add(at, Token::Word("do"));
                    } else if inside && !is_next("else") {
                        points.push(point(at));
                    }
                }
                _ => statement.add(at, token),
            },
            Token::Sign(';') if open.is_empty() => statement = Statement::default(),
            Token::Sign(';') if in_block => {
                let leaves = statement.starts_with(&["return", "break", "continue", "goto"]);
                let body_of_do = statement.starts_with(&["do"]) && is_next("while");
                if body_of_do {
                    continue;
                }
                let start = match statement.last {
                    None => at,
                    Some(_) => statement.start,
                };
                if !leaves && !is_next("else") {
                    points.push(point(start));
                }
                statement = Statement::default();
            }
            Token::Sign(':') if in_block && statement.is_label() => {
                statement = Statement::default();
                points.push(point(next));
            }
            _ => statement.add(at, token),
        }
    }
    points
}

/// The tokens of a C text with their first bytes, without comments, strings and directives.
pub(crate) fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let rest = &text[at..];
        let step = match bytes[at] {
            b'\n' => {
                line_start = true;
                1
            }
            byte if byte.is_ascii_whitespace() => 1,
            b'#' if line_start => directive(rest),
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            quote @ (b'"' | b'\'') => {
                // A literal is a part of its statement.
                tokens.push((at, Token::Sign('"')));
                line_start = false;
                literal(rest, quote)
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let end = end.unwrap_or(rest.len());
                tokens.push((at, Token::Word(&rest[..end])));
                line_start = false;
                end
            }
            _ => {
                let sign = rest.chars().next().unwrap_or(' ');
                tokens.push((at, Token::Sign(sign)));
                line_start = false;
                sign.len_utf8()
            }
        };
        at += step;
    }
    tokens
}

/// The length of a directive with the lines that continue it.
fn directive(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            // The end of the line starts the next one.
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

fn literal(rest: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote || byte == b'\n' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with a bar at each point.
    fn barred(text: &str) -> String {
        let mut barred = text.to_owned();
        for point in points(text).iter().rev() {
            barred.insert(point.offset, '|');
        }
        barred
    }

    #[test]
    fn points_are_between_statements_of_functions() {
        let text = "int x = 1; struct s { int a; } y = { 2 };\nvoid f(void) { x = 1; g(1, 2); }";
        let expected =
            "int x = 1; struct s { int a; } y = { 2 };\nvoid f(void) {| x = 1;| g(1, 2);| }";
        assert_eq!(barred(text), expected);
    }

    #[test]
    fn bodies_without_braces_have_none() {
        let text = "void f(void) { if (a) b(); else c(); while (d) ; for (;;) { e(); } do { x(); } while (y); do z(); while (1); }";
        let expected = "void f(void) {| if (a) b(); else c();| while (d) ;| for (;;) {| e();| }| do {| x();| } while (y);| do z(); while (1);| }";
        assert_eq!(barred(text), expected);
    }

    #[test]
    fn what_looks_like_a_call_before_a_brace_is_the_head_of_a_loop() {
        let text = "void f(void) { each(i, 2) { a[i] = 1; } x = sizeof(int); g((struct p){ 1 }); lock (l) b(); }";
        let expected = "void f(void) {| each(i, 2) {| a[i] = 1;| }| x = sizeof(int);| g((struct p){ 1 });| lock (l) b();| }";
        assert_eq!(barred(text), expected);
    }

    #[test]
    fn what_cannot_be_reached_has_none() {
        let text = "int f(int n) { switch (n) { case 1: g(); break; default: return 2; } l: h(); goto l; }";
        let expected = "int f(int n) {| switch (n) { case 1:| g();| break; default:| return 2; }| l:| h();| goto l; }";
        assert_eq!(barred(text), expected);
    }

    #[test]
    fn comments_strings_and_directives_are_skipped() {
        let text = "#define A {; \\\n ;}\n/* { ; */ char *s = \"{;\"; // {\nFP_INIT { c = ';'; int a[] = { 1 }; int b = ({ 2; }); }";
        let expected = "#define A {; \\\n ;}\n/* { ; */ char *s = \"{;\"; // {\nFP_INIT {| c = ';';| int a[] = { 1 };| int b = ({ 2; });| }";
        assert_eq!(barred(text), expected);
    }
}
