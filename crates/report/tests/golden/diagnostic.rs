use crate::store_buffering::TEXT;
use program::{Diagnostic, Source, Span};
use report::diagnostic;

fn complaint(span: Span) -> Diagnostic {
    Diagnostic {
        source: Source::new("SB.litmus", TEXT),
        message: "EAZ is no register".to_owned(),
        span,
        label: "expected a register".to_owned(),
        others: vec![(Span::new(3, 2, 2), "in the code of P0".to_owned())],
        help: Some("did you mean EAX?".to_owned()),
    }
}

#[test]
fn underlines_the_text() {
    assert_eq!(
        diagnostic(&complaint(Span::new(5, 6, 3)), false),
        "\
error: EAZ is no register
 --> SB.litmus:5:6
  |
3 |  P0          | P1          ;
  |  -- in the code of P0
4 |  MOV [x],$1  | MOV [y],$1  ;
5 |  MOV EAX,[y] | MOV EAX,[x] ;
  |      ^^^ expected a register
  |
  = help: did you mean EAX?
"
    );
}

#[test]
fn label_others_and_help_may_be_missing() {
    let complaint = Diagnostic {
        label: String::new(),
        others: vec![],
        help: None,
        ..complaint(Span::new(1, 1, 3))
    };
    assert_eq!(
        diagnostic(&complaint, false),
        "\
error: EAZ is no register
 --> SB.litmus:1:1
  |
1 | X86 SB
  | ^^^
"
    );
}

#[test]
fn nowhere_names_the_file() {
    assert_eq!(
        diagnostic(&complaint(Span::NOWHERE), false),
        "\
error: EAZ is no register
--> SB.litmus
 = note: expected a register
 = note: in the code of P0
 = help: did you mean EAX?
"
    );
}

#[test]
fn columns_count_characters() {
    let complaint = Diagnostic {
        source: Source::new("é", "é→é\tx y\r\n"),
        others: vec![],
        help: None,
        ..complaint(Span::new(1, 5, 1))
    };
    assert_eq!(
        diagnostic(&complaint, false),
        "\
error: EAZ is no register
 --> é:1:5
  |
1 | é→é    x y
  |        ^ expected a register
"
    );
}

#[test]
fn spans_outside_the_text_show_its_end() {
    let underlined = |span| {
        let text = diagnostic(&complaint(span), false);
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.contains('^')).unwrap();
        lines[at - 1..=at].join("\n")
    };
    let end =
        "6 | exists (0:EAX=0 /\\ 1:EAX=0)\n  |                            ^ expected a register";
    assert_eq!(underlined(Span::new(6, 28, 0)), end);
    assert_eq!(underlined(Span::new(6, 500, 3)), end);
    assert_eq!(underlined(Span::new(7, 1, 1)), end);
    assert_eq!(underlined(Span::new(u32::MAX, u32::MAX, u32::MAX)), end);
    let empty = Diagnostic {
        source: Source::new("empty", ""),
        ..complaint(Span::new(1, 1, 1))
    };
    assert!(diagnostic(&empty, false).contains("--> empty:1:1"));
}

#[test]
fn color_is_only_color() {
    let complaint = complaint(Span::new(5, 6, 3));
    let colored = diagnostic(&complaint, true);
    assert!(colored.contains("\u{1b}["));
    let mut plain = String::new();
    for (index, part) in colored.split("\u{1b}[").enumerate() {
        let text = match index {
            0 => part,
            _ => part.split_once('m').unwrap().1,
        };
        plain.push_str(text);
    }
    assert_eq!(plain, diagnostic(&complaint, false));
}
