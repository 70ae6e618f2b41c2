//! Event logs: what is read, and what is said of bad ones.

use frontend::log::{Error, Log, OPERATIONS};
use program::{LogEvent, LogOperation};
use proptest::prelude::*;

/// The events of a log.
fn read(text: &str) -> Result<Vec<LogEvent>, Error> {
    let mut log = Log::open("log", text.as_bytes())?;
    let mut events = Vec::new();
    while let Some(event) = log.next()? {
        events.push(event);
    }
    Ok(events)
}

fn rows(text: &str) -> Vec<(u32, LogOperation, u32)> {
    let events = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let row = |event: LogEvent| (event.thread, event.operation, event.address);
    events.into_iter().map(row).collect()
}

/// What is said of a bad log, in one line.
fn complaint(text: &str) -> String {
    read(text).expect_err("a bad log").to_string()
}

fn lines(text: &str) -> Vec<u32> {
    let events = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    events.iter().map(|event| event.line).collect()
}

mod json {
    use super::*;

    #[test]
    fn fields_stand_in_any_order_and_others_are_skipped() {
        let text = concat!(
            r#"{"thread": 7, "operation": "store", "address": "x", "value": {"a": [1, "}"], "b": null}}"#,
            "\n\n",
            r#"  {"at":"a.c:3","more":true,"address":"0x10","operation":"load","thread":"main","n":-1.5e3}  "#,
            "\r\n",
            r#"{"thread":7,"operation":"fence"}"#,
        );
        let expected = [
            (0, LogOperation::Store, 0),
            (1, LogOperation::Load, 1),
            (0, LogOperation::Fence, 0),
        ];
        assert_eq!(rows(text), expected);
        assert_eq!(lines(text), [1, 3, 4]);
    }

    #[test]
    fn names_may_have_escapes() {
        let text = r#"{"thread":1,"operation":"load","address":"a\"\u0041\\","at":"x\ty"}"#;
        let mut log = Log::open("log", text.as_bytes()).expect("a good log");
        let event = log.next().expect("a good log").expect("an event");
        assert_eq!(log.location(event.address), "a\"A\\");
        assert_eq!(log.position(event.at).as_deref(), Some("x\ty"));
    }

    #[test]
    fn bad_rows_are_told_with_their_place() {
        for (row, expected) in [
            (
                r#"{"thread":1,"operation":"load"}"#,
                "log:2:1: no `address` (expected the location, a number or a name)",
            ),
            (
                r#"{"thread":1,"address":"x"}"#,
                "log:2:1: no `operation` (expected one such as load or store)",
            ),
            (
                r#"{"operation":"load","address":"x"}"#,
                "log:2:1: no `thread` (expected a number or a name)",
            ),
            (
                r#"{"thread":null,"operation":"load","address":"x"}"#,
                "log:2:1: no `thread` (expected a number or a name)",
            ),
            (
                r#"{"thread":"","operation":"load","address":"x"}"#,
                "log:2:12: `thread` is empty (expected a number or a name)",
            ),
            (
                r#"{"thread":1.5,"operation":"load","address":"x"}"#,
                "log:2:11: `1.5` in `thread` (expected a whole number, not negative)",
            ),
            (
                r#"{"thread":[1],"operation":"load","address":"x"}"#,
                "log:2:11: `[` in the wrong place (expected a number or a string for `thread`)",
            ),
            (
                r#"{"thread":1,"thread":1}"#,
                "log:2:14: `thread` for the second time",
            ),
            (
                r#"{"thread":1"#,
                "log:2:12: the line ends too soon (expected `,` or `}`)",
            ),
            (
                r#"{"thread":"1"#,
                "log:2:11: a string without end (expected `\"`)",
            ),
            (
                r#"{"thread":"\x"}"#,
                "log:2:12: an escape that JSON does not have",
            ),
            (
                r#"{"thread":"\u12"}"#,
                "log:2:12: an escape that JSON does not have",
            ),
            (
                r#"{"a":[1}"#,
                "log:2:8: `}` in the wrong place (expected a value)",
            ),
            (
                r#"{} {}"#,
                "log:2:4: something after the object (expected one object per line)",
            ),
            (
                "thread,operation",
                "log:2:1: `t` in the wrong place (expected an object, as in {\"thread\": 1, \"operation\": \"load\", \"address\": \"x\"})",
            ),
        ] {
            let good = r#"{"thread":1,"operation":"load","address":"x"}"#;
            assert_eq!(complaint(&format!("{good}\n{row}\n")), expected);
        }
    }
}

mod csv {
    use super::*;

    #[test]
    fn columns_stand_in_any_order_and_others_are_skipped() {
        let text =
            "\u{feff}address,Value,Operation, thread\r\nx,1,st,1\r\n0x10, 2 ,ld , 2\n16,,rmw,1\n";
        let expected = [
            (0, LogOperation::Store, 0),
            (1, LogOperation::Load, 1),
            (0, LogOperation::Interlocked, 1),
        ];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn quotes_keep_commas() {
        let text = "thread,operation,address,at\n1,load,x,\"a, \"\"b\"\".c:3\"\n";
        let mut log = Log::open("log", text.as_bytes()).expect("a good log");
        let event = log.next().expect("a good log").expect("an event");
        assert_eq!(log.position(event.at).as_deref(), Some("a, \"b\".c:3"));
    }

    #[test]
    fn columns_at_the_end_may_be_missing() {
        let text = "thread,operation,address,at\n1,fence\n1,load,x\n";
        assert_eq!(rows(text).len(), 2);
    }

    #[test]
    fn bad_headers_and_rows_are_told_with_their_place() {
        for (text, expected) in [
            (
                "thread,operation\n",
                "log:1:1: no column `address` (expected a header with the columns thread, operation and address, or JSON objects)",
            ),
            (
                "thread,operation,address,thread\n",
                "log:1:26: a second column `thread`",
            ),
            (
                "thread,operation,address\n1,load\n",
                "log:2:1: no `address` (expected the location, a number or a name)",
            ),
            (
                "thread,operation,address\n1,load,,\n",
                "log:2:9: more than 3 columns",
            ),
            (
                "thread,operation,address\n,load,x\n",
                "log:2:1: `thread` is empty (expected a number or a name)",
            ),
            (
                "thread,operation,address\n1,load,\"x\n",
                "log:2:8: a quote without end (expected `\"`)",
            ),
            (
                "thread,operation,address\n1,load,\"x\"y\n",
                "log:2:11: text after a quote (expected `,`)",
            ),
        ] {
            assert_eq!(complaint(text), expected);
        }
        let unknown = complaint("thread,operation,address\n1,lod,x\n");
        assert!(
            unknown.starts_with("log:2:3: unknown operation `lod` (expected load, store,"),
            "{unknown}"
        );
    }
}

#[test]
fn every_operation_is_read() {
    for (name, operation) in OPERATIONS {
        let text = format!("thread,operation,address\n1,{name},x\n");
        assert_eq!(rows(&text)[0].1, operation);
        let shouted = name.to_uppercase().replace('-', "_");
        let text = format!("{{\"thread\":1,\"operation\":\"{shouted}\",\"address\":2}}");
        assert_eq!(rows(&text)[0].1, operation);
    }
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let text = b"thread,operation,address\n1,load,\xFF\n";
    let mut log = Log::open("log", &text[..]).err();
    let error = log.take().expect("a bad log");
    assert!(error.to_string().contains("not UTF-8 text"), "{error}");
}

#[test]
fn a_line_without_end_is_refused() {
    let text = format!("thread,operation,address\n1,load,{}\n", "x".repeat(2 << 20));
    assert!(complaint(&text).contains("line 2: the line is longer"));
}

mod index {
    use super::*;

    fn csv(rows: &[&str]) -> String {
        format!("thread,operation,address,index\n{}\n", rows.join("\n"))
    }

    /// Each thread after the other, though they took turns.
    #[test]
    fn rows_are_put_into_an_order_that_can_have_been() {
        let text = csv(&[
            "1,load,x,2",
            "1,store,y,1",
            "2,store,x,1",
            "2,store,x,2",
            "2,load,y,0",
        ]);
        assert_eq!(lines(&text), [4, 5, 2, 6, 3]);
    }

    #[test]
    fn starts_and_joins_are_kept() {
        let text = csv(&[
            "2,load,x,1",
            "1,store,x,1",
            "1,start,2,",
            "1,join,2,",
            "1,load,x,1",
        ]);
        assert_eq!(lines(&text), [3, 4, 2, 5, 6]);
    }

    #[test]
    fn an_execution_that_is_not_sequentially_consistent_is_told() {
        let text = csv(&["1,store,x,1", "1,load,y,0", "2,store,y,1", "2,load,x,0"]);
        let Err(Error::NotSequential(told)) = read(&text) else {
            panic!("it is not sequentially consistent");
        };
        assert_eq!(
            told.message,
            "line 2 shows that the execution is not sequentially consistent"
        );
        assert_eq!(
            told.help.as_deref(),
            Some(
                "line 2 (store 1 of x by thread 1) comes after line 5 (load 0 of x by thread 2); \
                 line 4 (store 1 of y by thread 2) comes after line 3 (load 0 of y by thread 1)"
            )
        );
    }

    #[test]
    fn a_thread_can_contradict_itself() {
        let text = csv(&["1,load,x,1", "1,store,x,1"]);
        assert!(matches!(read(&text), Err(Error::NotSequential(_))));
        let text = csv(&["1,join,1,", "1,store,x,1"]);
        assert!(matches!(read(&text), Err(Error::NotSequential(_))));
    }

    #[test]
    fn bad_indices_are_told() {
        for (rows, expected) in [
            (
                &["1,store,x,2"][..],
                "write 2 of x, which has 1 write, with indices from 1 on",
            ),
            (
                &["1,store,x,0"],
                "write 0 of x, which has 1 write, with indices from 1 on",
            ),
            (
                &["1,store,x,1", "2,store,x,1"],
                "write 1 of x stands in line 2 already",
            ),
            (&["1,load,x,1"], "there is no write 1 of x, only 0"),
            (
                &["1,start,2,", "1,start,2,", "1,load,x,0"],
                "thread 2 is started twice, first in line 2",
            ),
            (&["1,load,x,0", "1,load,x,"], "this access has no `index`"),
            (&["1,load,x,", "1,load,x,0"], "an `index` all of a sudden"),
            (&["1,load,x,-1"], "`-1` is no index"),
        ] {
            let told = complaint(&csv(rows));
            assert!(told.contains(expected), "{told}");
        }
    }
}

proptest! {
    /// Whatever a log is, there is no panic.
    #[test]
    fn anything_is_read_or_refused(
        start in prop_oneof![Just(""), Just("thread,operation,address,index\n"), Just("{\"thread\":1,")],
        text in r#"([a-z0-9{}\[\],:"\\ \n]|load|store|"thread"|"address"|\PC){0,80}"#,
    ) {
        let _ = read(&format!("{start}{text}"));
    }
}
