//! A program as two versions of clang print it, and what becomes of it.

use program::{InstructionKind, ObjectKind, Program, Source, Span, part_at};

fn program(version: u32) -> Program {
    let name = format!("tests/lowering/message_passing.clang-{version}.ll");
    let text = std::fs::read_to_string(&name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let source = Source::new(name, text);
    frontend::read_llvm(&source).unwrap_or_else(|complaint| panic!("{complaint}"))
}

/// The statements that a function's memory accesses, calls and branches stand in.
fn statements(program: &Program, name: &str) -> Vec<String> {
    let id = program
        .function_named(name)
        .unwrap_or_else(|| panic!("no {name}"));
    let function = &program.functions[id.index()];
    let mut spans: Vec<Span> = Vec::new();
    for block in &function.blocks {
        let made = block.instructions.iter();
        let made = made.filter(|i| !matches!(i.kind, InstructionKind::Assign { .. }));
        spans.extend(made.map(|instruction| instruction.span));
        spans.push(block.terminator_span);
    }
    let mut texts: Vec<_> = spans
        .into_iter()
        .map(|span| program.excerpt(span).to_owned())
        .collect();
    texts.dedup();
    texts.retain(|text| !text.is_empty());
    texts
}

#[test]
fn both_versions_give_the_same_functions_and_threads() {
    for program in [program(14), program(19)] {
        let names: Vec<_> = program.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["main", "sender"]);
        assert_eq!(program.threads.len(), 1);
        assert_eq!(
            program.source.name.rsplit('/').next(),
            Some("message_passing.c")
        );
        assert_eq!(program.name, "message_passing");
    }
}

#[test]
fn spans_are_statements_of_the_source() {
    for program in [program(14), program(19)] {
        let expected = [
            "box.text = 42",
            "atomic_store_explicit(&box.ready, 1, memory_order_release)",
            "return unused",
        ];
        assert_eq!(statements(&program, "sender"), expected);
        let main = statements(&program, "main");
        for text in [
            "pthread_create(&thread, 0, sender, 0)",
            "for (int i = 0; i < 3; i++)",
            "seen += atomic_load(&box.ready)",
            "if (seen) assert(box.text == 42)",
            "return pthread_join(thread, 0)",
        ] {
            assert!(main.iter().any(|found| found == text), "{text}: {main:#?}");
        }
    }
}

#[test]
fn places_have_the_names_of_the_source() {
    for program in [program(14), program(19)] {
        let id = program
            .object_named("box")
            .expect("the global is an object");
        let object = &program.objects[id.index()];
        assert_eq!((object.kind, object.size()), (ObjectKind::Shared, 8));
        let layout = object.layout.expect("debug information tells the layout");
        assert_eq!(part_at(&program.types, layout, 4).path, ".ready");
        assert_eq!(program.excerpt(object.span), "static struct mail box;");
        let main = &program.functions[0];
        for name in ["seen", "i"] {
            assert!(main.register_named(name).is_some(), "no register {name}");
        }
        // The address of `thread` is passed on, so it stays in memory.
        let allocated = main.blocks.iter().flat_map(|block| &block.instructions);
        let names: Vec<_> = allocated
            .filter_map(|instruction| match &instruction.kind {
                InstructionKind::Allocate { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["thread"]);
    }
}

#[test]
fn a_source_that_is_gone_leaves_the_lines_of_the_ir() {
    let name = "tests/lowering/message_passing.clang-19.ll";
    let text = std::fs::read_to_string(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = text.replace("message_passing.c\"", "gone.c\"");
    let program = frontend::read_llvm(&Source::new(name, text)).expect("it is lowered");
    assert_eq!(&*program.source.name, name);
    let texts = statements(&program, "sender");
    assert!(texts[0].starts_with("store i32 42, ptr @box"), "{texts:?}");
}
