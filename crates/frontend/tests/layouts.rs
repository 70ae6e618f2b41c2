//! Odd but legal ways to write a test, each read like the plain one.

use program::{Program, Source};

fn read(text: &str) -> Program {
    frontend::read(&Source::new("t", text)).unwrap_or_else(|d| panic!("{d}\n{text}"))
}

/// The program without the places in the text, which stand after an `@`.
fn without_places(text: &str) -> Vec<String> {
    let printed = read(text).to_string();
    let lines = printed.lines();
    lines
        .map(|line| {
            line.split(" @")
                .next()
                .unwrap_or(line)
                .trim_end()
                .to_owned()
        })
        .collect()
}

/// Checks that both texts are the same program.
#[track_caller]
fn same(text: &str, plain: &str) {
    assert_eq!(without_places(text), without_places(plain), "{text}");
}

const PLAIN: &str = "X86 t\n{ x=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n\
                     locations [x; 1:EAX;]\nexists (x=1 /\\ 1:EAX=0)\n";

#[test]
fn line_ends_and_space() {
    same(&PLAIN.replace('\n', "\r\n"), PLAIN);
    same(&PLAIN.replace(' ', " \t "), PLAIN);
    same(&PLAIN.replace('\n', "  \n\n"), PLAIN);
    same(PLAIN.trim_end(), PLAIN);
    same(&format!("\u{feff}{PLAIN}"), PLAIN);
    same(
        "X86 t\n{x=0}\nP0|P1;MOV[x],$1|MOV EAX,[x];locations[x;1:EAX]exists(x=1/\\1:EAX=0)",
        PLAIN,
    );
}

#[test]
fn upper_and_lower_case() {
    let lower = PLAIN
        .replace("MOV", "mov")
        .replace(" | MOV EAX", " | Mov eax");
    same(&lower, PLAIN);
    same(&PLAIN.replace("P0 | P1", "p0 | p1"), PLAIN);
    same(&PLAIN.replace("1:EAX=0", "1:eax=0"), PLAIN);
}

#[test]
fn comments_and_descriptions_anywhere() {
    let commented = "(* a *) X86 t\n\"two\nlines\" (* b *)\n\"and | more\"\nHash=1\n\
                     { (* c\n (* d *) *) x=0 (* e *); } // f\n P0 (* g | h *) | P1 ;\n\
                     (* i *) MOV (* j *) [x],$1 | MOV EAX,[x] ; // k\n\
                     locations [x; (* l *) 1:EAX;]\nexists (* m *) (x=1 (* n *) /\\ 1:EAX=0)";
    same(commented, PLAIN);
}

#[test]
fn operands() {
    for store in [
        "MOV [x],1",
        "MOV DWORD PTR [x],$1",
        "mov dword ptr [x],0x1",
        "MOVL [x],$1",
        "MOV [ x ] , $ 1",
    ] {
        same(&PLAIN.replace("MOV [x],$1", store), PLAIN);
    }
    let exchanged = |text: &str| PLAIN.replace("MOV EAX,[x]", text);
    same(&exchanged("xchg [x],eax"), &exchanged("XCHG EAX,[x]"));
    same(&exchanged("lock xchg [x],eax"), &exchanged("XCHG EAX,[x]"));
    same(
        &exchanged("lock xaddl [x],eax"),
        &exchanged("LOCK XADD [x],EAX"),
    );
}

#[test]
fn conditions() {
    let with = |condition: &str| {
        let start = PLAIN.find("exists").unwrap_or_default();
        format!("{}{condition}\n", &PLAIN[..start])
    };
    let formula = |text: &str| {
        let program = read(&with(text));
        let condition = program.properties.condition.expect("a condition");
        format!("{} {}", condition.quantifier, condition.property.formula)
    };
    assert_eq!(formula("exists true"), "exists true");
    assert_eq!(formula("exists (true)"), "exists true");
    assert_eq!(formula("exists true => x=1"), "exists ~(true) \\/ x=1");
    assert_eq!(formula("exists x=1=>false"), "exists ~(x=1) \\/ (false)");
    assert_eq!(formula("~ exists ((x=0x1))"), "~exists x=1");
    assert_eq!(formula("not exists x = -1"), "~exists x=-1");
    assert_eq!(formula("exists ~~not x=1"), "exists ~(x=1)");
    assert_eq!(
        formula("forall x=1 => 1:EAX=0 => x=2"),
        "forall ~(x=1) \\/ ~(1:EAX=0) \\/ x=2"
    );
    assert_eq!(
        formula("exists (1:EAX=0 /\\ (1:EBX=1 \\/ ~(x=2)))"),
        "exists 1:EAX=0 /\\ (1:EBX=1 \\/ ~(x=2))"
    );
}

#[test]
fn cells_may_be_empty() {
    let program =
        read("X86 t\n{ }\n P0 | P1 | P2 ;\n | L: | MOV [x],$1 ;\n | | ;\n ;\nexists (x=1)");
    let sizes: Vec<usize> = (0..3)
        .map(|thread| program.functions[thread].blocks.iter())
        .map(|blocks| blocks.map(|block| block.instructions.len()).sum())
        .collect();
    assert_eq!(sizes, [0, 0, 1]);
}

#[test]
fn locations_may_have_the_names_of_statements() {
    let program = read(
        "X86 t\n{ filter=1; exists=2; }\n P0 ;\n MOV EAX,[filter] ;\n\
         locations [exists; filter]\nexists (filter=1 /\\ exists>1)",
    );
    let observed: Vec<&str> = program.observed.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(observed, ["exists", "filter"]);
}

#[test]
fn bytes_of_sparc_are_unsigned() {
    let program = read(
        "SPARC t\n{ int8_t s; }\nProcessor 0\n ldstub [lock],%a\n stub #1,[s]\n st #1,[word]\n",
    );
    let signed = |name: &str| {
        let object = program.object_named(name).expect("a location");
        program.objects[object.index()].signed
    };
    assert_eq!(["lock", "s", "word"].map(signed), [false, true, true]);
}

#[test]
fn a_test_in_the_papers_layout_needs_no_heading() {
    let code = "Processor 0\n st #1, A\nProcessor 1\n ld A, %r1\n";
    let source = Source::new("dir/fig.litmus", code);
    let program = frontend::read(&source).unwrap_or_else(|d| panic!("{d}"));
    assert_eq!(program.name, "fig");
    same(code, &format!("SPARC t\n{code}"));
}
