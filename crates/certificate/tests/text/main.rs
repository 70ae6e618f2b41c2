//! Certificates written by hand, right and wrong.

use certificate::{FormulaSize, Proved, check};

/// One variable decides the order of two nodes, and must do so both ways.
const RIGHT: &str = "\
fencepost certificate 1
about two nodes that are each before the other
problem 2 2 2 2
c 1 2 0
c 2 -2 1 0
e 0 1 1 0
e 1 0 2 0
l 3 -1 -2 0 1 2 0
d 4 1 0 1 2 0
x 2 0
d 5 0 1 4 3 0
";

/// What a certificate of a formula proves.
fn size(text: &str) -> FormulaSize {
    match check(text.as_bytes()).unwrap().proved {
        Proved::NoSolution(size) => size,
        other => panic!("{other:?}"),
    }
}

/// The error that a text gives.
fn refused(text: &str) -> String {
    check(text.as_bytes())
        .expect_err("a wrong certificate")
        .to_string()
}

/// The error after one replacement in the right certificate.
fn changed(from: &str, to: &str) -> String {
    assert!(RIGHT.contains(from), "{from}");
    refused(&RIGHT.replacen(from, to, 1))
}

#[test]
fn a_right_certificate_is_summed_up() {
    let summary = check(RIGHT.as_bytes()).unwrap();
    assert_eq!(summary.about, ["two nodes that are each before the other"]);
    let size = size(RIGHT);
    assert_eq!((size.variables, size.nodes), (2, 2));
    assert_eq!((size.clauses, size.edges), (2, 2));
    assert_eq!((size.lemmas, size.steps), (1, 2));
}

#[test]
fn an_empty_clause_in_the_problem_is_enough() {
    let text = "fencepost certificate 1\nproblem 1 0 1 0\nc 7 0\n";
    assert_eq!(size(text).clauses, 1);
}

#[test]
fn a_node_before_itself_is_a_cycle() {
    let text = "fencepost certificate 1\nproblem 0 1 0 1\ne 0 0 0\nl 1 0 1 0\n";
    assert_eq!(size(text).lemmas, 1);
}

#[test]
fn each_error_names_its_line_and_reason() {
    let cases = [
        (
            "certificate 1",
            "certificate 2",
            "line 1: is not `fencepost certificate 1`",
        ),
        (
            "problem 2 2",
            "problem 1 2",
            "line 4: there is no variable 2",
        ),
        ("problem 2 2", "problem 2 1", "line 6: there is no node 1"),
        ("2 2 2 2", "2 2 3 2", "line 6: `e` is not expected here"),
        ("2 2 2 2", "2 2 2 1", "line 7: `e` is not expected here"),
        ("2 2 2 2", "2 2 2 2 2", "line 3: goes on after its end"),
        ("c 1 2 0", "c 2 2 0", "line 5: there already is a clause 2"),
        (
            "c 1 2 0",
            "c 0 2 0",
            "line 4: `0` is not a number that can stand here",
        ),
        ("c 1 2 0", "c 1 2", "line 4: ends too early"),
        (
            "c 1 2 0",
            "c 1 -2147483648 0",
            "line 4: `-2147483648` is not a number that can stand here",
        ),
        (
            "c 1 2 0",
            "c 1 9999999999 0",
            "line 4: `9999999999` is not a number that can stand here",
        ),
        ("c 1 2 0", "", "line 4: ends too early"),
        (
            "e 1 0 2 0",
            "e 1 1 2 0",
            "line 8: edge 1 does not begin where the edge before it ends",
        ),
        ("0 1 2 0", "0 1 3 0", "line 8: there is no edge 3"),
        (
            "0 1 2 0",
            "0 1 0",
            "line 8: edge 1 does not begin where the edge before it ends",
        ),
        ("0 1 2 0", "0 0", "line 8: names no edges"),
        (
            "l 3 -1 -2 0",
            "l 3 -1 0",
            "line 8: lacks the literal -2 because of edge 2",
        ),
        (
            "d 4 1 0 1 2 0",
            "d 4 1 0 2 0",
            "line 9: does not follow from the clauses that it names",
        ),
        (
            "d 4 1 0 1 2 0",
            "d 4 1 0 3 2 0",
            "line 9: clause 3 has more than one literal that is not false",
        ),
        (
            "d 4 1 0 1 2 0",
            "d 4 1 0 1 9 0",
            "line 9: there is no clause 9",
        ),
        ("x 2 0", "x 4 0", "line 11: there is no clause 4"),
        ("x 2 0", "x 9 0", "line 10: there is no clause 9"),
        (
            "d 5 0 1 4 3 0\n",
            "",
            "line 11: the proof ends without the empty clause",
        ),
        (
            "d 5 0 1 4 3 0",
            "d 5 0 1 4 3 0\nx 1 0",
            "line 12: `x` is not expected here",
        ),
    ];
    for (from, to, error) in cases {
        assert_eq!(changed(from, to), error);
    }
    assert_eq!(refused(""), "line 1: is not `fencepost certificate 1`");
}

#[test]
fn large_numbers_take_no_memory() {
    let text = "fencepost certificate 1\nproblem 18446744073709551615 18446744073709551615 1 1\n\
                c 18446744073709551615 2147483647 0\ne 18446744073709551614 0 0\n";
    let error = refused(text);
    assert_eq!(error, "line 5: the proof ends without the empty clause");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error = check(&b"fencepost certificate 1\nabout \xff\n"[..]).unwrap_err();
    assert_eq!(error.line, 2);
}
