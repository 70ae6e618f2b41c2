//! Tests from seeds. Every instruction of `docs/litmus.md` occurs, and every kind of statement.
//!
//! Tests are small: two or three threads of a few instructions, locations `x`, `y` of 32 bits
//! and `b` of 8, values from 0 to 3. Most programs are free of loops; some spin or count.

use crate::random::Random;
use crate::test::{Language, Line, Statements, Test};

const CONDITIONS: [&str; 30] = [
    "O", "NO", "B", "C", "NAE", "NB", "NC", "AE", "E", "Z", "NE", "NZ", "BE", "NA", "NBE", "A",
    "S", "NS", "P", "PE", "NP", "PO", "L", "NGE", "NL", "GE", "LE", "NG", "NLE", "G",
];
const BRANCHES: [&str; 18] = [
    "be", "bz", "bne", "bnz", "bl", "ble", "bg", "bge", "bcs", "blu", "bcc", "bgeu", "bleu", "bgu",
    "bneg", "bpos", "bvs", "bvc",
];
const ORDERINGS: [&str; 4] = ["#LoadLoad", "#LoadStore", "#StoreLoad", "#StoreStore"];

/// The test of a seed.
pub fn test(seed: u64) -> Test {
    let random = &mut Random::new(seed);
    let language = match random.below(2) {
        0 => Language::X86,
        _ => Language::Sparc,
    };
    let count = match random.below(8) {
        0 => 1,
        1 => 3,
        _ => 2,
    };
    let mut loops = false;
    let threads: Vec<Vec<Line>> = (0..count)
        .map(|_| {
            let most = if count == 3 { 2 } else { 3 };
            let length = 1 + random.below(most);
            thread(random, language, length, &mut loops)
        })
        .collect();
    let mut init = vec![
        "int x".to_owned(),
        "int y".to_owned(),
        "uint8_t b".to_owned(),
    ];
    if random.one_in(3) {
        init[0] = format!("int x={}", random.below(3));
    }
    for thread in 0..count {
        if random.one_in(3) {
            let register = named(language, *random.pick(&['a', 'b', 'c']));
            init.push(format!("{{t{thread}}}:{register}={}", random.below(3)));
        }
    }
    let mut test = Test {
        language,
        init,
        statements: Statements::default(),
        loops,
        order: (0..count).collect(),
        registers: *b"abcd",
        threads,
    };
    test.statements = statements(random, &test);
    test
}

/// A register in conditions.
fn named(language: Language, register: char) -> String {
    match language {
        Language::X86 => format!("{{{register}32}}"),
        Language::Sparc => format!("{{{register}}}"),
    }
}

fn thread(random: &mut Random, language: Language, length: usize, loops: &mut bool) -> Vec<Line> {
    let mut lines = Vec::new();
    // All registers that conditions may name are there.
    if language == Language::Sparc {
        lines.push(Line::new("mov %{c}, %{c}"));
        if random.one_in(2) {
            lines.push(Line::new("add %{a}, %{b}, %{d}"));
        } else {
            lines.push(Line::new("xor %{b}, %{a}, %{d}"));
        }
    }
    for number in 0..length {
        let mut new = match language {
            Language::X86 => x86(random),
            Language::Sparc => sparc(random),
        };
        if random.one_in(12) {
            *loops = true;
            new = spin(random, language, number);
        } else if random.one_in(6) {
            new = skip(random, language, new, number);
        }
        if random.one_in(2) && new[0].labels.is_empty() {
            new[0].labels.push(format!("L{number}"));
        }
        lines.extend(new);
    }
    lines
}

/// A branch over some lines.
fn skip(random: &mut Random, language: Language, over: Vec<Line>, number: usize) -> Vec<Line> {
    let label = format!("S{number}");
    let mut lines = Vec::new();
    match language {
        Language::X86 => {
            let constant = random.below(2);
            lines.push(Line::new(format!("CMP {{a32}},${constant}")));
            let condition = random.pick(&CONDITIONS);
            lines.push(Line::new(format!("J{condition} {label}")));
        }
        Language::Sparc => {
            let constant = random.below(2);
            lines.push(Line::new(format!("cmp %{{a}}, #{constant}")));
            let branch = random.pick(&BRANCHES);
            let annul = random.pick(&["", ",a", ",pt"]);
            lines.push(Line::new(format!("{branch}{annul} {label}")));
            let slots = [
                "nop",
                "inc %{b}",
                "st #1, [y]",
                "ld [x], %{c}",
                "mov 2, %{a}",
            ];
            lines.push(Line::new(*random.pick(&slots)));
        }
    }
    lines.extend(over);
    let nothing = match language {
        Language::X86 => "NOP",
        Language::Sparc => "nop",
    };
    lines.push(Line {
        labels: vec![label],
        text: nothing.to_owned(),
    });
    lines
}

/// A loop that waits for another thread.
fn spin(random: &mut Random, language: Language, number: usize) -> Vec<Line> {
    let label = format!("W{number}");
    let place = random.pick(&["x", "y"]);
    let texts: Vec<String> = match language {
        Language::X86 => vec![
            format!("MOV {{b32}},[{place}]"),
            "TEST {b32},{b32}".to_owned(),
            format!("{} {label}", random.pick(&["JE", "JNE"])),
        ],
        Language::Sparc => vec![
            format!("ld [{place}], %{{b}}"),
            "tst %{b}".to_owned(),
            format!("{} {label}", random.pick(&["be", "bne"])),
            "nop".to_owned(),
        ],
    };
    let mut lines: Vec<Line> = texts.into_iter().map(Line::new).collect();
    lines[0].labels.push(label);
    lines
}

fn x86(random: &mut Random) -> Vec<Line> {
    let place = *random.pick(&["x", "x", "y"]);
    let constant = random.below(4);
    let r = *random.pick(&["{a32}", "{b32}", "{c32}"]);
    let s = *random.pick(&["{a32}", "{b32}", "{d32}"]);
    let lock = *random.pick(&["LOCK ", "LOCK ", ""]);
    let arithmetic = *random.pick(&["ADD", "SUB", "AND", "OR", "XOR"]);
    let condition = *random.pick(&CONDITIONS);
    let text = match random.below(26) {
        0..=3 => format!("MOV [{place}],${constant}"),
        4 => format!("MOV [{place}],{r}"),
        5..=8 => format!("MOV {r},[{place}]"),
        9 => format!("XCHG [{place}],{r}"),
        10 => format!("{lock}XADD [{place}],{r}"),
        11 => format!("{lock}CMPXCHG [{place}],{s}"),
        12 => format!("{lock}{arithmetic} [{place}],${constant}"),
        13 => {
            let operation = random.pick(&["INC", "DEC", "NOT"]);
            format!("{lock}{operation} DWORD PTR [{place}]")
        }
        14 => format!("{arithmetic} {r},[{place}]"),
        15 => random
            .pick(&["MFENCE", "LFENCE", "SFENCE", "NOP", "PAUSE"])
            .to_string(),
        16 => format!("{arithmetic} {r},{s}"),
        17 => format!("XCHG {r},{s}"),
        18 => format!("CMOV{condition} {r},{s}"),
        19 => format!("CMOV{condition} {r},[{place}]"),
        20 => format!("SET{condition} {{b8}}"),
        21 => format!("LEA {r},[{s}+{s}*2+{constant}]"),
        22 => format!("CMP [{place}],${constant}"),
        23 => random
            .pick(&[
                "MOV BYTE PTR [b],$3",
                "MOVZX {b32},BYTE PTR [b]",
                "MOVSX {c32},BYTE PTR [b]",
                "XCHG [b],{b8}",
                "MOV {c8},[b]",
                "LOCK DEC BYTE PTR [b]",
            ])
            .to_string(),
        24 => {
            let operation = random.pick(&["INC", "DEC", "NEG", "NOT"]);
            format!("{operation} {r}")
        }
        _ => random
            .pick(&[
                "XADD {b32},{c32}",
                "CMPXCHG {b32},{c32}",
                "MOV {b64},$0x100000001",
                "CMPXCHG {c32},{b32}",
                "NEG DWORD PTR [x]",
                "MOVSXD {c64},{b32}",
                "MOV {a32},$2",
            ])
            .to_string(),
    };
    vec![Line::new(text)]
}

fn sparc(random: &mut Random) -> Vec<Line> {
    let place = *random.pick(&["x", "x", "y"]);
    let constant = random.below(4);
    let r = *random.pick(&["%{a}", "%{b}", "%{c}"]);
    let s = *random.pick(&["%{a}", "%{b}", "%{d}"]);
    let arithmetic = *random.pick(&["add", "sub", "and", "or", "xor"]);
    let codes = *random.pick(&["", "cc"]);
    let text = match random.below(20) {
        0..=3 => {
            let mnemonic = random.pick(&["st", "stw", "stuw"]);
            format!("{mnemonic} #{constant}, [{place}]")
        }
        4 | 5 => format!("st {r}, [{place}]"),
        6..=9 => format!("{} [{place}], {r}", random.pick(&["ld", "lduw"])),
        10 => format!("ldstub [b], {r}"),
        11 => format!("swap [{place}], {r}"),
        12 => format!("cas [{place}], {r}, {s}"),
        13 | 14 => {
            let some: Vec<&str> = ORDERINGS.into_iter().filter(|_| random.one_in(2)).collect();
            match some.is_empty() {
                true => random
                    .pick(&["stbar", "membar #Sync", "membar #MemIssue"])
                    .to_string(),
                false => format!("membar {}", some.join("|")),
            }
        }
        15 => format!("{arithmetic}{codes} {r}, {s}, {r}"),
        16 => format!("{arithmetic}{codes} {r}, #{constant}, {s}"),
        17 => random
            .pick(&[
                "stub %{a}, [b]",
                "ldub [b], %{b}",
                "stb #255, [b]",
                "nop",
                "clr [x]",
            ])
            .to_string(),
        18 => {
            let mnemonic = random.pick(&["inc", "dec", "clr"]);
            format!("{mnemonic} {r}")
        }
        _ => random
            .pick(&[
                "mov 2, %{a}",
                "set 1, %{b}",
                "cmp %{a}, %{b}",
                "tst %{c}",
                "dec 2, %{b}",
            ])
            .to_string(),
    };
    vec![Line::new(text)]
}

fn statements(random: &mut Random, test: &Test) -> Statements {
    let mut found = Statements::default();
    let mut names = vec!["x".to_owned(), "y".to_owned(), "b".to_owned()];
    for thread in 0..test.threads.len() {
        for register in ['a', 'b', 'c', 'd'] {
            names.push(format!("{{t{thread}}}:{}", named(test.language, register)));
        }
    }
    found.locations = format!("locations [{};]", names.join("; "));
    if random.one_in(6) {
        found.filter = Some(format!("({})", formula(random, test, false, 1)));
    }
    match random.below(3) {
        0 => {
            let formula = formula(random, test, true, 2);
            found.of_all_states.push(format!("invariant ({formula})"));
        }
        1 if random.one_in(2) => {
            let formula = formula(random, test, true, 2);
            let word = random.pick(&["eventually", "always eventually"]);
            found.of_all_states.push(format!("{word} ({formula})"));
        }
        _ => {
            let formula = formula(random, test, false, 2);
            let word = random.pick(&["exists", "~exists", "forall"]);
            found.condition = Some(format!("{word} ({formula})"));
        }
    }
    found
}

fn formula(random: &mut Random, test: &Test, labels: bool, depth: usize) -> String {
    if depth == 0 || random.one_in(3) {
        return atom(random, test, labels);
    }
    let a = formula(random, test, labels, depth - 1);
    let b = formula(random, test, labels, depth - 1);
    match random.below(7) {
        0 => format!("~({a})"),
        1 | 2 => format!("{a} /\\ {b}"),
        3 | 4 => format!("{a} \\/ {b}"),
        5 => format!("({a}) => ({b})"),
        _ => format!("{a} => {b} /\\ x=1"),
    }
}

fn atom(random: &mut Random, test: &Test, labels: bool) -> String {
    let thread = random.below(test.threads.len());
    if labels && random.one_in(2) {
        let lines = test.threads[thread].iter();
        let mut known: Vec<&str> = lines
            .flat_map(|line| line.labels.iter().map(String::as_str))
            .collect();
        known.push("end");
        return format!("P{{t{thread}}}@{}", random.pick(&known));
    }
    let sign = random.pick(&["=", "=", "!=", "<", ">="]);
    let value = random.below(3);
    match random.below(3) {
        0 => format!("{}{sign}{value}", random.pick(&["x", "y"])),
        _ => {
            let register = named(test.language, *random.pick(&['a', 'b', 'c']));
            format!("{{t{thread}}}:{register}{sign}{value}")
        }
    }
}
