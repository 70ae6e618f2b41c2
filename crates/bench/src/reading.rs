//! How fast textual LLVM IR is read: functions as clang prints them for a loop with
//! atomic accesses, without and with debug information.

use crate::best;
use frontend::llvm::parse;
use program::Source;
use std::fmt::Write;

/// Measures both kinds of text.
pub fn measure(rounds: u32) {
    println!("\nreading LLVM IR, one core");
    println!("  text             MB    MB/s");
    for (name, debug) in [("code", false), ("code and lines", true)] {
        let source = Source::new("generated.ll", generate(20_000, debug));
        let (time, module) = best(rounds, || parse(&source).expect("generated text is read"));
        assert_eq!(module.functions.len(), 20_001);
        let size = source.text.len() as f64 / 1e6;
        println!("  {name:14} {size:5.1}  {:6.1}", size / time.as_secs_f64());
    }
}

/// A module of this many functions.
fn generate(functions: usize, debug: bool) -> String {
    let mut text = String::from(
        "target triple = \"x86_64-pc-linux-gnu\"\n\
         %struct.node = type { ptr, i32, [4 x i8] }\n\
         @ready = dso_local global i32 0, align 4\n\
         declare i32 @printf(ptr noundef, ...) #1\n",
    );
    let mut nodes = String::new();
    let mut next = 10;
    for number in 0..functions {
        function(&mut text, &mut nodes, number, debug.then_some(&mut next));
    }
    text.push_str(
        "attributes #0 = { noinline nounwind uwtable \"frame-pointer\"=\"all\" }\n\
         attributes #1 = { \"frame-pointer\"=\"all\" }\n\
         !0 = !DIFile(filename: \"generated.c\", directory: \".\")\n\
         !1 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n",
    );
    text + &nodes
}

fn function(text: &mut String, nodes: &mut String, number: usize, debug: Option<&mut u32>) {
    const CODE: [&str; 17] = [
        "  %3 = alloca ptr, align 8",
        "  %4 = alloca i32, align 4",
        "  store ptr %0, ptr %3, align 8",
        "  store i32 %1, ptr %4, align 4",
        "  br label %5",
        "5:",
        "  %6 = load i32, ptr %4, align 4",
        "  %7 = icmp slt i32 %6, 10",
        "  br i1 %7, label %8, label %14",
        "8:",
        "  %9 = load ptr, ptr %3, align 8",
        "  %10 = getelementptr inbounds %struct.node, ptr %9, i32 0, i32 1",
        "  store atomic i32 1, ptr %10 release, align 4",
        "  %11 = atomicrmw add ptr @ready, i32 %6 seq_cst, align 4",
        "  %12 = cmpxchg weak ptr @ready, i32 0, i32 %11 acq_rel monotonic, align 4",
        "  %13 = call i32 (ptr, ...) @printf(ptr noundef @ready, i32 noundef %11)",
        "  br label %5",
    ];
    let mut place = String::new();
    let mut attach = |nodes: &mut String, next: &mut u32, scope: u32| {
        place.clear();
        let _ = write!(place, ", !dbg !{next}");
        let _ = writeln!(
            nodes,
            "!{next} = !DILocation(line: {next}, column: 3, scope: !{scope})"
        );
        *next += 1;
        place.clone()
    };
    let _ = write!(
        text,
        "\ndefine dso_local i32 @f{number}(ptr noundef %0, i32 noundef %1) #0 "
    );
    let Some(next) = debug else {
        text.push_str("{\n");
        for line in CODE {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("14:\n  ret i32 0\n}\n");
        return;
    };
    let scope = *next;
    *next += 1;
    let _ = writeln!(
        nodes,
        "!{scope} = distinct !DISubprogram(name: \"f{number}\", scope: !0, file: !0, \
         line: {number}, scopeLine: {number}, flags: DIFlagPrototyped, \
         spFlags: DISPFlagDefinition)"
    );
    let _ = writeln!(text, "!dbg !{scope} {{");
    for line in CODE {
        text.push_str(line);
        if !line.ends_with(':') {
            text.push_str(&attach(nodes, next, scope));
        }
        text.push('\n');
    }
    let _ = writeln!(text, "14:\n  ret i32 0{}\n}}", attach(nodes, next, scope));
}
