//! Large and deep input: read or refused, without taking long over it.

use program::{Address, Program, Source};

fn read(text: String) -> Result<Program, String> {
    frontend::read(&Source::new("t", text)).map_err(|diagnostic| diagnostic.to_string())
}

fn x86(rows: impl Iterator<Item = String>, rest: &str) -> String {
    let rows: String = rows.collect();
    format!("X86 t\n{{ }}\n P0 ;\n{rows}{rest}")
}

const MANY: usize = 20_000;

#[test]
fn many_labels_and_jumps() {
    let labels = (0..MANY).map(|number| format!(" L{number}: JNE L0 ;\n"));
    assert_eq!(
        read(x86(labels, "")).map(|p| p.functions[0].blocks.len()),
        Ok(MANY + 1)
    );
    let jumps = (0..MANY).map(|_| " JNE end ; JMP end ; NOP ;\n".to_owned());
    assert!(read(x86(jumps, " end: ;\n")).is_ok());
    let annulled = " be,a l\n inc %a\n".repeat(MANY);
    assert!(read(format!("SPARC t\nProcessor 0\nl:\n{annulled}")).is_ok());
}

/// Addresses fit 32-bit registers, so there is an end to locations.
#[test]
fn many_locations() {
    let rows = |count| (0..count).map(|number| format!(" MOV [x{number}],$1 ;\n"));
    let most = Address::MAX_SMALL_OBJECTS;
    assert_eq!(
        read(x86(rows(most), "")).map(|program| program.objects.len()),
        Ok(most)
    );
    assert_eq!(
        read(x86(rows(most + 1), "")).unwrap_err(),
        "t:3076:6: more than 3072 locations"
    );
}

#[test]
fn many_statements() {
    let row = || std::iter::once(" MOV [x],$1 ;\n".to_owned());
    assert!(read(x86(row(), &"invariant x<2\n".repeat(MANY))).is_ok());
    let twice = read(x86(row(), &"exists x=1\n".repeat(MANY)));
    assert_eq!(
        twice.unwrap_err(),
        "t:6:1: a second condition on final states"
    );
    let long = "x=1 /\\ ".repeat(MANY);
    assert!(read(x86(row(), &format!("exists {long} true"))).is_ok());
    let negations = "~".repeat(MANY);
    assert!(read(x86(row(), &format!("exists {negations} x=1"))).is_ok());
}

#[test]
fn deep_parentheses_and_comments() {
    let row = || std::iter::once(" MOV [x],$1 ;\n".to_owned());
    let (open, close) = ("~(".repeat(MANY), ")".repeat(MANY));
    let deep = read(x86(row(), &format!("exists {open}x=1{close}")));
    assert_eq!(
        deep.unwrap_err(),
        "t:5:410: more than 200 parentheses and negations in each other"
    );
    let (open, close) = ("(*".repeat(MANY), "*)".repeat(MANY));
    assert!(read(x86(row(), &format!("{open}{close}"))).is_ok());
}

#[test]
fn long_names_numbers_and_quotes() {
    let long = "1".repeat(100_000);
    let expected =
        "a name or number of 100000 characters starts here (expected at most 1000 characters)";
    let number = std::iter::once(format!(" MOV [x],${long} ;\n"));
    assert_eq!(
        read(x86(number, "")).unwrap_err(),
        format!("t:4:11: {expected}")
    );
    let name = std::iter::once(format!(" MOV [{}],$1 ;\n", long.replace('1', "a")));
    assert_eq!(
        read(x86(name, "")).unwrap_err(),
        format!("t:4:7: {expected}")
    );
    let number = std::iter::once(format!(" MOV [x],${} ;\n", &long[..60]));
    assert_eq!(
        read(x86(number, "")).unwrap_err(),
        format!(
            "t:4:11: `{}…` is no number of at most 64 bits (expected a number or a location)",
            &long[..40]
        )
    );
    let quoted = std::iter::once(format!("\"{long}\n\" ;\n"));
    assert_eq!(
        read(x86(quoted, "")).unwrap_err(),
        format!(
            "t:4:1: unexpected `\"{}…` (expected an instruction)",
            &long[..39]
        )
    );
}

/// Every start of a test is a test or gets a complaint; nothing panics.
#[test]
fn cut_off_anywhere() {
    let tests = [
        "X86 t\n\"d\"\n{ x=1; int a[2]={1,2}; 0:EAX=x; }\n P0 | P1 ;\n L: LOCK XADD [x],EAX | \
         MOV EBX,[a+4] ;\n CMP EAX,$-1 | ;\n JNE L | ;\nlocations [x;]\nfilter (x=1)\n\
         ~exists (x=0x1 /\\ ~(0:EAX=1 => P0@L))\n",
        "SPARC t\n{ 0:p=x; }\nProcessor 0..1\n1: ldstub [l],%a ! c\n be,a,pt %icc,1b\n \
         st %a,[X(i)+%p] -- d\n membar #LoadLoad|#StoreStore\n cas [m],%a,%b\n\
         always eventually !(X0 <> 1) \\/ P1@end\n",
    ];
    for text in tests {
        assert_eq!(read(text.to_owned()).err(), None);
        for (end, _) in text.char_indices() {
            let _ = read(text[..end].to_owned());
            let _ = read(format!("{}{}", &text[..end], &text[end + 1..]));
        }
    }
}
