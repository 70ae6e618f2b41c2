//! The grammar has everything that can be written: the words come from the tables of the reader
//! and from `docs/reference/litmus.md`, so that one which is added there and not to the grammar fails here.

use frontend::vocabulary;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The texts of many tests and of their shapes, by language.
struct Texts {
    x86: String,
    sparc: String,
}

fn texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(generated)
}

fn generated() -> Texts {
    let mut texts = Texts {
        x86: String::new(),
        sparc: String::new(),
    };
    for seed in 0..32_000 {
        let test = generate::litmus(seed);
        let all = generate::chosen(&test, seed, 2);
        for text in all
            .iter()
            .map(|shape| shape.test.text())
            .chain([test.text()])
        {
            match text.starts_with("X86") {
                true => texts.x86.push_str(&text),
                false => texts.sparc.push_str(&text),
            }
        }
    }
    texts
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect()
}

/// An operand without names: `[a+ECX*4]` is `[x+R*N]`.
fn form(operand: &str) -> String {
    let registers = vocabulary::x86_registers();
    let mut form = String::new();
    let mut word = String::new();
    for c in operand.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' || c == '%' {
            word.push(c);
            continue;
        }
        let upper = word.to_ascii_uppercase();
        match word.chars().next() {
            None => {}
            Some('%') => form.push('R'),
            Some(first) if first.is_ascii_digit() => form.push('N'),
            Some(_) if registers.contains(&upper.as_str()) => form.push('R'),
            Some(_) if ["BYTE", "WORD", "DWORD", "QWORD", "PTR"].contains(&upper.as_str()) => {
                form.push_str(&upper);
            }
            Some(_) => form.push('x'),
        }
        word.clear();
        if c != ' ' {
            form.push(c);
        }
    }
    form
}

/// The forms of all operands in the code of tests.
fn forms(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for cell in text.lines().flat_map(|line| line.split(['|', ';'])) {
        let instruction = cell.rsplit(": ").next().unwrap_or(cell).trim();
        let Some((_, operands)) = instruction.split_once(' ') else {
            continue;
        };
        found.extend(operands.split(',').map(|operand| form(operand.trim())));
    }
    found
}

/// What stands in backquotes in a text.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The rows of tables in a section of the documentation, each as its first two cells.
fn rows<'a>(docs: &'a str, section: &str) -> Vec<(&'a str, &'a str)> {
    let (_, rest) = docs
        .split_once(&format!("\n## {section}\n"))
        .expect("the section");
    let own = rest.split("\n## ").next().unwrap_or(rest);
    let rows = own.lines().filter_map(|line| line.strip_prefix("| "));
    rows.filter_map(|row| row.split_once(" | ")).collect()
}

fn documentation() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/litmus.md"
    );
    std::fs::read_to_string(path).expect("the page")
}

#[test]
fn generated_tests_have_everything() {
    let texts = texts();
    let (x86, sparc) = (words(&texts.x86), words(&texts.sparc));
    let mut missing: Vec<String> = Vec::new();
    let mut need = |words: &BTreeSet<&str>, word: &str| {
        if !words.contains(word) {
            missing.push(word.to_owned());
        }
    };
    let mut names = vocabulary::x86_mnemonics();
    names.extend(vocabulary::x86_sized_mnemonics());
    // No register of 8 or 16 bits takes an address.
    names.retain(|name| !["LEAB", "LEAW"].contains(&name.as_str()));
    names.iter().for_each(|name| need(&x86, name));
    for name in vocabulary::x86_registers() {
        need(&x86, name);
    }
    let orderings = vocabulary::sparc_orderings().into_iter();
    for name in orderings.chain(vocabulary::sparc_mnemonics()) {
        need(&sparc, name);
    }
    for (name, _) in vocabulary::types() {
        need(&x86, name);
        need(&sparc, name);
    }
    assert!(missing.is_empty(), "{missing:?}");
    the_page_is_covered(texts);
}

/// An example of an operand, or a list of registers, from the page.
fn has_operand(
    text: &str,
    words: &BTreeSet<&str>,
    forms: &BTreeSet<String>,
    example: &str,
) -> bool {
    let registers = vocabulary::x86_registers();
    let mut names = example.split(' ');
    if example.ends_with("PTR") {
        return example == "PTR" || text.contains(example);
    }
    if example.contains(' ') && names.all(|name| registers.contains(&name)) {
        return example.split(' ').all(|name| words.contains(name));
    }
    // `mov x, %p`
    let operands = match example.split_once(' ') {
        Some((_, operands)) if example.contains(", ") => operands,
        _ => example,
    };
    let mut operands = operands.split(',').map(|operand| form(operand.trim()));
    operands.all(|form| forms.contains(&form))
}

/// Everything that the tables of the page name.
fn the_page_is_covered(texts: &Texts) {
    let docs = documentation();
    let mut missing: Vec<String> = Vec::new();
    let mut count = 0;
    for (section, text) in [("X86", &texts.x86), ("SPARC", &texts.sparc)] {
        let (known, forms) = (words(text), forms(text));
        for (first, second) in rows(&docs, section) {
            let quotes = quoted(first);
            // Operands are in the second cell, instructions in the first.
            if quotes.is_empty() {
                let quotes = quoted(second).into_iter();
                let new = quotes.filter(|quote| !has_operand(text, &known, &forms, quote));
                missing.extend(new.map(|quote| format!("{section} operand {quote}")));
            }
            let lock = quotes.first() == Some(&"LOCK");
            for word in quotes.iter().flat_map(|quote| quote.split(' ')) {
                count += 1;
                let found = match word {
                    "LOCK" => true,
                    _ if lock => text.contains(&format!("LOCK {word}")),
                    _ if word.ends_with("cc") && section == "X86" => true,
                    _ => known.contains(word),
                };
                if !found {
                    missing.push(format!("{section} {word}"));
                }
            }
        }
    }
    for (first, _) in rows(&docs, "Statements") {
        for quote in quoted(first) {
            // `exists F`, `locations [x; 0:EAX;]`
            let statement = quote.split([' ', '[']).take_while(|word| *word != "F");
            let statement = statement.collect::<Vec<&str>>().join(" ");
            let start = statement.split("  ").next().unwrap_or_default();
            let start = if start.starts_with("locations") {
                "locations"
            } else {
                start
            };
            count += 1;
            let written = texts.x86.lines().any(|line| line.starts_with(start));
            if !written && quote.contains(" F") {
                missing.push(format!("statement {start}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(count > 90, "only {count} words were found on the page");
}

/// What the page says in words rather than in tables.
#[test]
fn generated_tests_have_every_layout_and_formula() {
    let texts = texts();
    let all = format!("{}{}", texts.x86, texts.sparc);
    for part in [
        " /\\ ",
        " && ",
        " and ",
        " \\/ ",
        " || ",
        " or ",
        " => ",
        "~",
        "!",
        "not ",
        "==",
        "!=",
        "<>",
        "<=",
        ">=",
        "true",
        "false",
        "@end",
        "@L0",
        "@C0",
        "@S1",
        "=&x",
        "=[y]",
        "a[1]",
        "P0:",
        "[y]=0",
        "={",
        "*C",
        "volatile",
        "unsigned long",
        "X86 ",
        "X86_64 ",
    ] {
        let part = part.replace("*C", "int * q");
        assert!(all.contains(&part), "no {part}");
    }
    for part in [
        "Processor 0..1",
        "Processor 0,1",
        "z(i)",
        "P0 | P1 ;",
        "1: ",
        " 1f",
        " 1b",
        "be,a ",
        "bne,a,pt ",
        ",pn ",
        "%icc,",
        "ba,a ",
        "bn,a ",
        "%g0",
        "#LoadLoad|#",
        "#LoadLoad,#",
        "#LoadLoad #",
    ] {
        assert!(texts.sparc.contains(part), "no {part}");
    }
}
