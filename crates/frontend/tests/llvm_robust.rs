//! No text makes the reader, the linker or the lowering panic: the samples are cut, mutated and
//! spliced by a seeded generator. `FENCEPOST_FUZZ_SECONDS=60` goes on for that long.

use fastrand::Rng;
use frontend::llvm::{link, parse};
use program::Source;
use std::time::{Duration, Instant};

/// Rounds when no time is given.
const ROUNDS: u64 = 2_000;

fn pick<'a, T: ?Sized>(generator: &mut Rng, items: &[&'a T]) -> &'a T {
    items[generator.usize(..items.len())]
}

fn samples() -> Vec<String> {
    let directory = format!("{}/tests/ll", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ll"))
        .collect();
    paths.sort();
    let read = |path| std::fs::read_to_string(path).unwrap();
    paths.into_iter().map(read).collect()
}

/// Pieces that are likely to confuse a reader.
const PIECES: [&str; 36] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "!",
    "%",
    "@",
    "#",
    ",",
    "=",
    "...",
    "*",
    ":",
    "99999999999999999999",
    "-1",
    "4294967295",
    "%0",
    "@0",
    "!0",
    "i8388607",
    "i99999999",
    "ptr",
    "x",
    "label",
    "to",
    "null",
    "c\"\\",
    "0xK",
    "\n",
    "ü",
    "!DIExpression(",
];

/// A text with a few changes.
fn mutate(generator: &mut Rng, texts: &[String]) -> String {
    let mut bytes = texts[generator.usize(..texts.len())].clone().into_bytes();
    for _ in 0..1 + generator.usize(..6) {
        let at = generator.usize(..bytes.len() + 1);
        let end = (at + generator.usize(..40)).min(bytes.len());
        match generator.usize(..7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, pick(generator, &PIECES).bytes())),
            3 => drop(bytes.splice(at..end, pick(generator, &PIECES).bytes())),
            4 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = generator.u8(..);
                }
            }
            5 => {
                // A line of any sample.
                let other = &texts[generator.usize(..texts.len())];
                let lines: Vec<&str> = other.lines().collect();
                let line = format!("\n{}\n", pick(generator, &lines));
                bytes.splice(at..at, line.into_bytes());
            }
            _ => {
                // One word for another.
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let words: Vec<&str> = text.split_whitespace().collect();
                if words.is_empty() {
                    continue;
                }
                let (old, new) = (pick(generator, &words), pick(generator, &words));
                bytes = text
                    .replacen(old, new, 1 + generator.usize(..3))
                    .into_bytes();
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check(text: String) -> bool {
    let source = Source::new("mutant.ll", text);
    if let Err(complaint) = frontend::read_llvm(&source) {
        assert!(!complaint.message.starts_with("internal"), "{complaint}");
    }
    match parse(&source) {
        Ok(module) => {
            for index in 0..module.types.len() {
                module.describe(frontend::llvm::TypeId(index as u32));
            }
            let functions = module.functions.iter();
            let blocks = functions.flat_map(|function| &function.blocks);
            for instruction in blocks.clone().flat_map(|block| &block.instructions) {
                instruction.debug.map(|debug| module.places(debug));
            }
            for block in blocks {
                let mut ends = block.instructions.iter().map(|i| i.kind.is_terminator());
                assert_eq!(ends.clone().filter(|end| *end).count(), 1);
                assert_eq!(ends.next_back(), Some(true));
            }
            let other = "@x = global i32 0\ndeclare i32 @publish()\n@y = alias i32, ptr @x\n";
            let other = parse(&Source::new("other.ll", other)).unwrap();
            if let Err(complaint) = link(vec![module, other]) {
                assert!(!complaint.to_string().is_empty());
            }
            true
        }
        Err(complaint) => {
            assert!(complaint.span.line > 0 && complaint.span.column > 0);
            let lines = source.text.split('\n').count();
            assert!(complaint.span.line as usize <= lines, "{complaint}");
            source.excerpt(complaint.span);
            false
        }
    }
}

#[test]
fn mutants_never_panic() {
    let seconds = std::env::var("FENCEPOST_FUZZ_SECONDS").ok();
    let seconds: Option<u64> = seconds.and_then(|text| text.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let texts = samples();
    let mut read = 0u64;
    let mut round = 0u64;
    while end.map_or(round < ROUNDS, |end| Instant::now() < end) {
        let mut generator = Rng::with_seed(round);
        let text = mutate(&mut generator, &texts);
        read += u64::from(check(text));
        round += 1;
    }
    println!("{round} mutants, {read} of them read");
    assert!(read > round / 200, "mutants should not all be nonsense");
}

/// Every prefix of the hand-written sample.
#[test]
fn every_prefix() {
    let texts = samples();
    let text = texts.iter().find(|text| text.contains("by hand")).unwrap();
    for end in (0..text.len())
        .filter(|end| text.is_char_boundary(*end))
        .step_by(7)
    {
        check(text[..end].to_string());
    }
}

/// What would need too much stack or memory is refused.
#[test]
fn depth_and_size_are_bounded() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000))
    };
    let refused = [
        format!("@x = global {} zeroinitializer\n", deep("[1 x ", "i8", "]")),
        format!("@x = global {} zeroinitializer\n", deep("{", "i8", "}")),
        format!("@x = global i8 {}\n", deep("[i8 ", "0", "]")),
        format!("@x = global i8 {}\n", deep("add (i8 ", "0", ", i8 0)")),
        format!("@x = global void {} null\n", "()".repeat(100_000)),
        format!("!0 = {}\n", deep("!{", "null", "}")),
        format!("!0 = {}\n", deep("!A(a: ", "null", ")")),
        format!("@x = global i8388607 {}\n", "9".repeat(1_000_000)),
        "@x = global i8388608 0\n".to_string(),
        "%a = type { %a }\n".to_string(),
        "%a = type { void (%a) }\n".to_string(),
    ];
    for text in refused {
        let head: String = text.chars().take(40).collect();
        assert!(!check(text), "{head}");
    }
    let chain: String = (0..10_000)
        .map(|n| format!("%t{n} = type {{ %t{} }}\n", n + 1))
        .collect();
    assert!(!check(chain));
    let read = [
        "@x = global [18446744073709551615 x i8] zeroinitializer\n",
        "@x = global <9999999999 x i8> zeroinitializer\n",
        "!4294967295 = !{!4294967294}\n",
        "define void @f() {\n4294967295:\n ret void\n}\n",
        "@x = global i32* null\n!0 = !DIFile(filename: \"\")\n",
    ];
    for text in read {
        assert!(check(text.to_string()), "{text}");
    }
}
