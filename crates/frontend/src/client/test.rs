//! Tests as people write them: `e(ed|de)`.

use super::Operation;
use std::fmt;

/// A call of an operation in a test.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Invocation {
    /// The operation's name.
    pub operation: String,
    /// Executions in which it starts over (`fp_retry`) do not count.
    pub primed: bool,
}

/// Which operations a client calls, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Test {
    /// Its name; may be empty.
    pub name: String,
    /// Called one after another before the threads start.
    pub initial: Vec<Invocation>,
    /// What each thread calls, one after another.
    pub threads: Vec<Vec<Invocation>>,
}

/// What is wrong with a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestError {
    /// The line of a file of tests, from 1.
    pub line: usize,
    /// The place in the line, in characters from 1.
    pub column: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for TestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TestError {}

impl Test {
    /// All invocations with their thread, 0 for the initial ones, and their position in it,
    /// from 1.
    pub fn invocations(&self) -> impl Iterator<Item = (usize, usize, &Invocation)> {
        let threads = std::iter::once(&self.initial).chain(&self.threads);
        threads.enumerate().flat_map(|(thread, invocations)| {
            let numbered = invocations.iter().enumerate();
            numbered.map(move |(index, invocation)| (thread, index + 1, invocation))
        })
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.operation)?;
        f.write_str(if self.primed { "'" } else { "" })
    }
}

/// The test without its name. Where an operation's name is longer than a letter, blanks stand
/// between invocations.
impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.invocations();
        let long = all.any(|(_, _, invocation)| invocation.operation.chars().count() > 1);
        let between = if long { " " } else { "" };
        let sequence = |invocations: &[Invocation]| {
            let texts: Vec<String> = invocations.iter().map(Invocation::to_string).collect();
            texts.join(between)
        };
        let threads: Vec<String> = self.threads.iter().map(|thread| sequence(thread)).collect();
        write!(f, "{}({})", sequence(&self.initial), threads.join("|"))
    }
}

/// Reads a test: initial operations, then threads in parentheses with `|` between them, or
/// only the operations of one thread. Of several operations that could be meant the one with
/// the longest name is; blanks end names. `'` behind a name makes the operation primed.
pub fn read_test(text: &str, operations: &[Operation]) -> Result<Test, TestError> {
    let mut reader = Reader {
        text,
        at: 0,
        operations,
    };
    reader.test()
}

/// Reads a file of tests: one in each line, `name = test` or only the test. Lines may be
/// empty; what stands behind `#` is a comment.
pub fn read_tests(text: &str, operations: &[Operation]) -> Result<Vec<Test>, TestError> {
    let mut tests: Vec<Test> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        let (name, start) = match line.split_once('=') {
            Some((name, _)) => (name.trim(), name.len() + 1),
            None => ("", 0),
        };
        let at = |column, message| TestError {
            line: index + 1,
            column,
            message,
        };
        if start > 0 && name.is_empty() {
            return Err(at(1, "a test without a name before `=`".to_owned()));
        }
        if !name.is_empty() && tests.iter().any(|test| test.name == name) {
            return Err(at(1, format!("two tests are called `{name}`")));
        }
        let mut reader = Reader {
            text: line,
            at: start,
            operations,
        };
        let test = reader
            .test()
            .map_err(|error| at(error.column, error.message))?;
        tests.push(Test {
            name: name.to_owned(),
            ..test
        });
    }
    Ok(tests)
}

struct Reader<'a> {
    text: &'a str,
    /// What is read so far, in bytes.
    at: usize,
    operations: &'a [Operation],
}

impl<'a> Reader<'a> {
    /// What follows, without blanks before it.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn complain<T>(&self, message: impl Into<String>) -> Result<T, TestError> {
        Err(TestError {
            line: 1,
            column: self.text[..self.at].chars().count() + 1,
            message: message.into(),
        })
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn test(&mut self) -> Result<Test, TestError> {
        let first = self.sequence()?;
        if self.rest().is_empty() {
            return match first.is_empty() {
                true => self.complain("a test without operations"),
                false => Ok(Test {
                    threads: vec![first],
                    ..Test::default()
                }),
            };
        }
        let mut threads = Vec::new();
        if !self.takes('(') {
            return self.complain("expected an operation or `(`");
        }
        loop {
            let thread = self.sequence()?;
            if thread.is_empty() {
                return self.complain("expected an operation");
            }
            threads.push(thread);
            if self.takes(')') {
                break;
            }
            if !self.takes('|') {
                return self.complain("expected an operation, `|` or `)`");
            }
        }
        match self.rest().is_empty() {
            true => Ok(Test {
                name: String::new(),
                initial: first,
                threads,
            }),
            false => self.complain("expected nothing behind the threads"),
        }
    }

    /// Invocations up to something that is none.
    fn sequence(&mut self) -> Result<Vec<Invocation>, TestError> {
        let mut invocations = Vec::new();
        loop {
            let rest = self.rest();
            let names = self.operations.iter().map(|operation| &*operation.name);
            let named = names.filter(|name| rest.starts_with(name));
            let Some(name) = named.max_by_key(|name| name.len()) else {
                break;
            };
            self.at += name.len();
            let primed = self.text[self.at..].starts_with('\'');
            self.at += usize::from(primed);
            invocations.push(Invocation {
                operation: name.to_owned(),
                primed,
            });
        }
        let rest = self.rest();
        match rest.chars().next() {
            Some(letter) if letter.is_alphanumeric() || letter == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                let known: Vec<&str> = self.operations.iter().map(|o| &*o.name).collect();
                let known = known.join(", ");
                self.complain(format!("no operation `{word}`; there are {known}"))
            }
            _ => Ok(invocations),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::program::FunctionId;

    fn operations(names: &str) -> Vec<Operation> {
        let operation = |name: &str| Operation {
            name: name.to_owned(),
            function: FunctionId(0),
        };
        names.split(' ').map(operation).collect()
    }

    fn complaint(text: &str) -> (usize, String) {
        let error = read_test(text, &operations("e d")).expect_err("a bad test");
        (error.column, error.message)
    }

    #[test]
    fn tests_are_read_and_printed() {
        let read = |text, names| read_test(text, &operations(names)).map(|test| test.to_string());
        assert_eq!(read(" e ( e d|d e ) ", "e d"), Ok("e(ed|de)".to_owned()));
        assert_eq!(read("(e|e|d|d)", "e d"), Ok("(e|e|d|d)".to_owned()));
        assert_eq!(read("e'd d'", "e d"), Ok("(e'dd')".to_owned()));
        let deque = "al ar rl rr";
        assert_eq!(
            read("alal(rrrr|rl rl')", deque),
            Ok("al al(rr rr|rl rl')".to_owned())
        );
        let longest = read_test("aal", &operations("a al")).unwrap();
        let names = longest.threads[0].iter().map(|i| &*i.operation);
        assert_eq!(names.collect::<Vec<_>>(), ["a", "al"]);
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for (text, names) in [("e(ed|de)", "e d"), ("al rr(ar'|rl)", "al ar rl rr")] {
            let operations = operations(names);
            let test = read_test(text, &operations).unwrap();
            assert_eq!(read_test(&test.to_string(), &operations), Ok(test));
        }
    }

    #[test]
    fn bad_tests_are_complained_about() {
        let expected = |column, message: &str| (column, message.to_owned());
        assert_eq!(complaint(""), expected(1, "a test without operations"));
        assert_eq!(complaint("e(|d)"), expected(3, "expected an operation"));
        assert_eq!(
            complaint("(e|d"),
            expected(5, "expected an operation, `|` or `)`")
        );
        assert_eq!(
            complaint("(e|d)e"),
            expected(6, "expected nothing behind the threads")
        );
        assert_eq!(
            complaint("e|d"),
            expected(2, "expected an operation or `(`")
        );
        assert_eq!(
            complaint("é(e)"),
            expected(1, "no operation `é`; there are e, d")
        );
        assert_eq!(
            complaint("(ex|d)"),
            expected(3, "no operation `x`; there are e, d")
        );
        assert_eq!(
            complaint("(e 'd)"),
            expected(4, "expected an operation, `|` or `)`")
        );
    }

    #[test]
    fn files_have_a_test_in_each_line() {
        let operations = operations("e d");
        let text = "# queues\nT0 = (e|d)\n\n  e(ed|de) # unnamed\n";
        let tests = read_tests(text, &operations).unwrap();
        let shown = tests.iter().map(|test| (&*test.name, test.to_string()));
        let expected = [("T0", "(e|d)".to_owned()), ("", "e(ed|de)".to_owned())];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        let error = |text| read_tests(text, &operations).unwrap_err().to_string();
        assert_eq!(
            error("\nT0 = (e|x)"),
            "2:9: no operation `x`; there are e, d"
        );
        assert_eq!(error("a = e\na = d"), "2:1: two tests are called `a`");
        assert_eq!(error("= e"), "1:1: a test without a name before `=`");
    }
}
