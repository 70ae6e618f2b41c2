//! Pictures: the report as a page, in a real browser, and executions as graphs, as Graphviz reads them.

#[path = "pictures/browser.rs"]
mod browser;

use browser::{Browser, END, HOME, LEFT, RIGHT};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Store buffering, in a file with a text that would end a script, an attribute or a label.
const HOSTILE: &str = r#"X86 SB
"</script><img src=x onerror=fail()> <!-- \ ' & {{ }} ]]>"
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=0 /\ 1:EAX=0)
"#;

/// A program that prints such a text, and has it as a label of an assertion.
const HOSTILE_C: &str = r#"#include <assert.h>
#include <stdio.h>
int main(void) {
    printf("</script><script>fail()</script> \\ &amp; ]]>");
    assert(!"</script><img src=x onerror=fail()>");
}
"#;

fn example(name: &str) -> PathBuf {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name)
}

fn fencepost(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(arguments).output().expect("the command runs")
}

/// The page on a file, and the directory that it is in.
fn page(subcommand: &str, file: &Path, options: &[&str]) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let page = directory.path().join("report.html");
    let (file, path) = (file.to_string_lossy(), page.to_string_lossy());
    let arguments = [subcommand, &file, "--html", &path];
    let output = fencepost(&[&arguments, options].concat());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(page.exists(), "{complaint}");
    (directory, page)
}

fn store_buffering() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let test = directory.path().join("<script>&'x'.litmus");
    std::fs::write(&test, HOSTILE).expect("a file");
    page("check", &test, &["--model", "sc,tso"])
}

fn assert_silent(browser: &Browser) {
    let (console, requests) = (browser.console(), browser.requests());
    assert!(console.is_empty(), "{console:?}");
    // The browser begins with a page of its own.
    let own = |url: &&String| {
        let schemes = ["file:", "data:", "chrome:"];
        schemes.iter().any(|scheme| url.starts_with(scheme))
    };
    let others: Vec<&String> = requests.iter().filter(|url| !own(url)).collect();
    assert!(others.is_empty(), "{others:?}");
    // Requests are seen at all.
    assert!(!requests.is_empty());
}

#[test]
fn steps_show_memory_buffers_and_registers() {
    let (_directory, page) = store_buffering();
    let browser = Browser::open(&page, 1280, 900);
    // The part of the model that has an execution is the one that is shown.
    assert_eq!(browser.text(".overview [aria-current] b"), "tso");
    assert_eq!(browser.count("article:not([hidden])"), 1);
    let memory = |name: &str| {
        browser.text(&format!(
            "article:not([hidden]) [data-location='{name}'] .value"
        ))
    };
    let thread =
        |row: &str| browser.text(&format!("article:not([hidden]) [data-thread='0'] .{row}"));
    let shown = "article:not([hidden])";
    let at = || browser.text(&format!("{shown} .count"));
    let last = at().split_once(" of ").expect("both").1.to_owned();
    assert_eq!(at(), format!("{last} of {last}"));
    browser.click(&format!("{shown} [data-go=first]"));
    assert_eq!(at(), format!("0 of {last}"));
    assert_eq!((memory("x"), memory("y")), ("0".to_owned(), "0".to_owned()));
    assert_eq!(thread("buffer"), "bufferempty");
    // The first step puts the store of the first thread into its buffer.
    browser.click(&format!("{shown} [data-go=next]"));
    assert_eq!(thread("buffer"), "bufferx=1");
    assert_eq!(memory("x"), "0");
    assert_eq!(browser.count(&format!("{shown} .node.now")), 1);
    assert_eq!(
        browser
            .text(&format!("{shown} .line.here code"))
            .trim_start()
            .get(..3),
        Some("MOV")
    );
    // In the end every register has what the final state says.
    browser.click(&format!("{shown} [data-go=last]"));
    assert_eq!(thread("registers"), "registersRAX=0");
    assert_eq!(browser.count(&format!("{shown} .node.future")), 0);
    // And back again.
    browser.click(&format!("{shown} [data-go=first]"));
    assert_eq!(thread("buffer"), "bufferempty");
    assert_silent(&browser);
}

#[test]
fn keys_step_and_the_cycle_stands_out() {
    let (_directory, page) = store_buffering();
    let browser = Browser::open(&page, 1280, 900);
    let at = || browser.text("article:not([hidden]) .count");
    let last = at();
    browser.press(HOME);
    assert!(at().starts_with("0 of "));
    browser.press(RIGHT);
    browser.press(RIGHT);
    browser.press(LEFT);
    assert!(at().starts_with("1 of "));
    browser.press(END);
    assert_eq!(at(), last);
    // Two program orders and two from-reads, through four nodes.
    let critical =
        |class: &str| browser.count(&format!("article:not([hidden]) .edge.{class}.critical"));
    assert_eq!((critical("po"), critical("fr"), critical("rf")), (2, 2, 0));
    let nodes = "article:not([hidden]) .node.critical:not(.flush)";
    assert_eq!(browser.count(nodes), 4);
    let stroke = |selector: &str| {
        let script =
            format!("return getComputedStyle(document.querySelector('{selector}')).stroke;");
        browser.run(&script).to_string()
    };
    let of_cycle = stroke("article:not([hidden]) .edge.critical .halo");
    assert_ne!(
        of_cycle,
        stroke("article:not([hidden]) .edge.critical path:not(.halo)")
    );
    // The switch of the theme changes the paper.
    let paper = || {
        browser
            .run("return getComputedStyle(document.body).backgroundColor;")
            .to_string()
    };
    browser.click("#theme");
    let light = paper();
    browser.click("#theme");
    assert_ne!(paper(), light);
    // A relation can be left out, but not of the cycle.
    browser.click("article:not([hidden]) [data-edges=po]");
    assert_eq!(browser.count("article:not([hidden]) .no-po"), 1);
    assert_silent(&browser);
}

/// Nothing is as wide as to push the page beyond a phone, whatever is wide scrolls on its own.
#[test]
fn a_phone_is_wide_enough() {
    let (_directory, page) = page("check", &example("c/dekker.c"), &["--jobs", "1"]);
    let browser = Browser::open(&page, 390, 844);
    let widths = browser.run(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth];",
    );
    assert_eq!(widths[0], widths[1], "{widths}");
    assert_eq!(widths[1], 390);
    let wide = browser.run("const pane = document.querySelector('.scroll'); return pane.scrollWidth > pane.clientWidth;");
    assert_eq!(wide, true);
    browser.click("[data-go=back]");
    assert_eq!(browser.count(".line.here"), 1);
    assert_silent(&browser);
}

/// What a program is called is text, wherever it stands.
#[test]
fn names_do_not_break_out() {
    let (_directory, page) = store_buffering();
    let browser = Browser::open(&page, 1280, 900);
    assert_eq!(browser.count("script"), 2);
    assert_eq!(browser.count("img"), 0);
    assert!(
        browser
            .text("article:not([hidden]) section.source")
            .contains("</script><img src=x onerror=fail()>")
    );
    assert_silent(&browser);
}

#[test]
fn outcomes_stand_side_by_side() {
    let (_directory, page) = page(
        "outcomes",
        &example("x86/SB.litmus"),
        &["--model", "sc,tso"],
    );
    let browser = Browser::open(&page, 1280, 900);
    assert_eq!(browser.count(".outcomes tbody tr"), 4);
    assert_eq!(
        (
            browser.count(".outcomes .yes"),
            browser.count(".outcomes .no")
        ),
        (7, 1)
    );
    assert_silent(&browser);
}

#[test]
fn output_does_not_break_out_of_the_data() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("hostile.c");
    std::fs::write(&file, HOSTILE_C).expect("a file");
    let (_directory, page) = page("check", &file, &[]);
    let browser = Browser::open(&page, 1280, 900);
    assert_eq!((browser.count("script"), browser.count("img")), (2, 0));
    assert_eq!(
        browser.text(".output"),
        r"</script><script>fail()</script> \ &amp; ]]>"
    );
    assert!(browser.text(".now").contains("<img src=x onerror=fail()>"));
    assert_silent(&browser);
}

/// Graphviz draws what `--dot` writes, also of hostile names, and has the cycle in it.
#[test]
fn graphviz_reads_the_graph() {
    let directory = tempfile::tempdir().expect("a directory");
    let test = directory.path().join("hostile.litmus");
    std::fs::write(&test, HOSTILE).expect("a file");
    let [dot, svg] = ["graph.dot", "graph.svg"].map(|name| directory.path().join(name));
    let [file, dot_path, svg_path] = [&test, &dot, &svg].map(|path| path.to_string_lossy());
    let output = fencepost(&["check", &file, "--dot", &dot_path, "--svg", &svg_path]);
    assert_eq!(output.status.code(), Some(1));
    let text = std::fs::read_to_string(&dot).expect("the graph");
    assert_eq!(
        text.matches("color=crimson, fontcolor").count(),
        4,
        "{text}"
    );
    let drawn = Command::new("dot")
        .args(["-Tplain", &dot_path])
        .stdin(Stdio::null())
        .output()
        .expect("dot runs; scripts/setup --tests installs graphviz");
    let complaint = String::from_utf8_lossy(&drawn.stderr);
    assert!(
        drawn.status.success() && complaint.is_empty(),
        "{complaint}"
    );
    let plain = String::from_utf8_lossy(&drawn.stdout);
    let edges = |kind: &str| {
        plain
            .lines()
            .filter(|line| line.starts_with("edge") && line.contains(&format!(" {kind} ")))
            .count()
    };
    assert_eq!((edges("po"), edges("fr")), (2, 2), "{plain}");
    // The picture is read by a browser, with the same cycle.
    let browser = Browser::open(&svg, 1280, 900);
    assert_eq!(browser.count(".edge.critical"), 4);
    assert_eq!(
        browser.run("return document.documentElement.tagName;"),
        "svg"
    );
    let fill = "return getComputedStyle(document.querySelector('.node rect')).fill;";
    assert_eq!(browser.run(fill), "rgb(255, 255, 255)");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("graph.dot");
    let path = path.to_string_lossy();
    let file = example("x86/SB.litmus");
    let other = example("x86/MP.litmus");
    let [file, other] = [&file, &other].map(|file| file.to_string_lossy());
    let says = |arguments: &[&str], code: i32, what: &str| {
        let output = fencepost(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{complaint}");
        assert!(complaint.contains(what), "{complaint}");
    };
    says(
        &["outcomes", &file, "--dot", &path],
        0,
        "there is no execution to draw",
    );
    says(
        &["check", &file, &other, "--svg", &path],
        2,
        "--svg takes one program",
    );
    says(
        &["check", &file, "--html", "no/such/place.html"],
        2,
        "no such directory",
    );
    says(
        &["check", &file, "--estimate", "--html", &path],
        2,
        "cannot be used with",
    );
}
