//! Small modules and the programs they become.

use crate::read_llvm;
use program::{ObjectKind, Program, Source};

fn program(text: &str) -> Program {
    read_llvm(&Source::new("test.ll", text)).unwrap_or_else(|complaint| panic!("{complaint}"))
}

/// The printed program without spans, registers and blanks at the start of lines.
fn lowered(text: &str) -> String {
    let printed = program(text).to_string();
    let lines = printed.lines().map(|line| {
        let line = line.rsplit_once(" @").map_or(line, |(line, _)| line);
        line.trim()
    });
    let kept = lines.filter(|line| !line.starts_with("register ") && !line.is_empty());
    kept.collect::<Vec<_>>().join("\n")
}

/// The body of `main` in a module whose `main` has these instructions.
fn main_of(globals: &str, code: &str) -> Vec<String> {
    let text = format!("{globals}\ndefine i32 @main() {{\nentry:\n{code}\n}}\n");
    let printed = lowered(&text);
    let body = printed.split("fn main() {\n").nth(1).unwrap_or("");
    let body = body.split("\n}").next().unwrap_or("");
    body.lines().skip(1).map(str::to_owned).collect()
}

fn complaint(globals: &str, code: &str) -> String {
    let text = format!("{globals}\ndefine i32 @main() {{\nentry:\n{code}\n}}\n");
    match read_llvm(&Source::new("test.ll", text.as_str())) {
        Ok(program) => panic!("lowered:\n{program}"),
        Err(complaint) => complaint.message,
    }
}

#[test]
fn variables_become_registers() {
    let body = main_of(
        "",
        "%x = alloca i32
         store i32 5, ptr %x
         %old = load i32, ptr %x
         %new = add i32 %old, 1
         store i32 %new, ptr %x
         %middle = load i32, ptr %x
         store i32 %old, ptr %x
         %last = load i32, ptr %x
         %sum = add i32 %middle, %last
         ret i32 %sum",
    );
    // Values that are used after the variable is written are kept.
    let expected = [
        "x = 5",
        "new = add i32 x, 1",
        "old = x",
        "x = new",
        "middle = x",
        "x = old",
        "sum = add i32 middle, x",
        "return sum",
    ];
    assert_eq!(body, expected);
}

#[test]
fn variables_whose_address_escapes_stay_in_memory() {
    let body = main_of(
        "declare i32 @puts(ptr)",
        "%x = alloca [2 x i8]
         store i8 65, ptr %x
         %end = getelementptr i8, ptr %x, i64 1
         store i8 0, ptr %end
         %r = call i32 @puts(ptr %x)
         ret i32 0",
    );
    let expected = [
        "\"&x\" = allocate x 2",
        "store i8 plain \"&x\", 65",
        "end = add i64 \"&x\", 1",
        "store i8 plain end, 0",
        "r = call library puts(\"&x\")",
        "return 0",
    ];
    assert_eq!(
        body,
        expected.map(|line| line
            .replace("end =", "\"end\" =")
            .replace("plain end", "plain \"end\""))
    );
}

#[test]
fn variables_are_lent_to_functions_that_do_not_keep_their_address() {
    let body = main_of(
        "define void @put(ptr %out, i32 %value) {
           %out.addr = alloca ptr
           store ptr %out, ptr %out.addr
           %known = load ptr, ptr %out.addr
           %some = icmp ne ptr %known, null
           br i1 %some, label %then, label %end
         then:
           %again = load ptr, ptr %out.addr
           store i32 %value, ptr %again
           br label %end
         end:
           ret void
         }",
        "%x = alloca i32
         %p = alloca ptr
         store ptr %x, ptr %p
         %at = load ptr, ptr %p
         call void @put(ptr %at, i32 7)
         %r = load i32, ptr %x
         ret i32 %r",
    );
    // What `x` was before does not matter.
    let expected = ["t1 = call \"put'\"(0, 7)", "x = t1", "return x"];
    assert_eq!(body, expected);
}

#[test]
fn variables_stay_in_memory_where_a_function_keeps_their_address() {
    let keeps = [
        "store ptr %p, ptr @kept",
        "%next = getelementptr i32, ptr %p, i64 1
         store i32 1, ptr %next",
        "call void @f(ptr %p)",
        "%number = ptrtoint ptr %p to i64
         store i64 %number, ptr @kept",
        "store atomic i32 1, ptr %p monotonic, align 4",
        "store volatile i32 1, ptr %p",
        "br label %loop
         loop:
         store i32 1, ptr %p
         br i1 undef, label %loop, label %end
         end:",
    ];
    for code in keeps {
        let globals = format!(
            "@kept = global i64 0
             define void @f(ptr %p) {{
               {code}
               ret void
             }}"
        );
        let main = "%x = alloca i32
                    call void @f(ptr %x)
                    ret i32 0";
        let body = main_of(&globals, main);
        assert!(
            body.iter().any(|line| line.contains("allocate x")),
            "{code}: {body:?}"
        );
    }
}

#[test]
fn structs_are_copied_part_by_part() {
    let body = main_of(
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         @g = constant { i32, i32 } { i32 1, i32 2 }",
        "%p = alloca { i32, i32 }
         %q = alloca { i32, i32 }
         call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @g, i64 8, i1 false)
         call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
         %f = getelementptr { i32, i32 }, ptr %q, i32 0, i32 1
         %r = load i32, ptr %f
         ret i32 %r",
    );
    assert!(
        !body.iter().any(|line| line.contains("allocate")),
        "{body:?}"
    );
    assert_eq!(body.last().map(String::as_str), Some("return \"q.4\""));
}

#[test]
fn structs_that_are_passed_as_integers_are_registers() {
    let body = main_of(
        "%pair = type { i32, i32 }
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        "%p = alloca %pair
         %q = alloca %pair
         call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
         store i32 7, ptr %p
         %whole = load i64, ptr %p
         store i64 %whole, ptr %q
         %second = getelementptr %pair, ptr %q, i32 0, i32 1
         %last = load i32, ptr %second
         ret i32 %last",
    );
    // What is overwritten, or never read, is left out.
    let expected = [
        "\"p.4\" = 0",
        "\"p.0\" = 7",
        "t1 = \"p.0\"",
        "t2 = and i64 t1, 0xffffffff",
        "t3 = \"p.4\"",
        "t4 = and i64 t3, 0xffffffff",
        "t5 = shl i64 t4, 32",
        "whole = or i64 t2, t5",
        "t7 = shr i64 whole, 32",
        "t8 = t7",
        "\"q.4\" = t8",
        "return \"q.4\"",
    ];
    assert_eq!(body, expected);
}

#[test]
fn phis_swap() {
    let text = "define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %done = icmp eq i32 %a, 7
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %b
}";
    let printed = lowered(text);
    assert!(
        printed.contains("loop_loop:\nt1 = a\na = b\nb = t1\njump loop"),
        "{printed}"
    );
}

#[test]
fn wide_integers_are_words() {
    let body = main_of(
        "@w = global i128 0",
        "%x = load i128, ptr @w
         %y = add i128 %x, 18446744073709551617
         %z = lshr i128 %y, 64
         store i128 %z, ptr @w
         ret i32 0",
    );
    let expected = [
        "\"x.0\" = load i64 plain align 8 &w",
        "\"x.1\" = load i64 plain align 8 &w+8",
        "\"y.0\" = add i64 \"x.0\", 1",
        "t1 = ult i64 \"y.0\", \"x.0\"",
        "t2 = add i64 \"x.1\", 1",
        "t3 = t1",
        "\"y.1\" = add i64 t2, t3",
        "store i64 plain align 8 &w, \"y.1\"",
        "store i64 plain align 8 &w+8, 0",
        "return 0",
    ];
    assert_eq!(body, expected);
}

#[test]
fn wide_division_is_a_function() {
    let printed = lowered(
        "@w = global i128 0
         define i32 @main() {
           %x = load i128, ptr @w
           %y = udiv i128 %x, 10
           store i128 %y, ptr @w
           ret i32 0
         }",
    );
    assert!(printed.contains("fn divide_i128(a_low: i64, a_high: i64, b_low: i64, b_high: i64)"));
}

#[test]
fn vectors_are_elements() {
    let body = main_of(
        "@v = global <2 x i32> zeroinitializer",
        "%x = load <2 x i32>, ptr @v
         %y = add <2 x i32> %x, <i32 1, i32 2>
         %z = shufflevector <2 x i32> %y, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
         %b = bitcast <2 x i32> %z to i64
         %e = extractelement <2 x i32> %z, i32 0
         store i64 %b, ptr @v
         ret i32 %e",
    );
    assert!(
        body.contains(&"\"y.0\" = add i32 \"x.0\", 1".to_owned()),
        "{body:?}"
    );
    assert!(body.contains(&"return \"y.1\"".to_owned()), "{body:?}");
}

#[test]
fn atomics_keep_their_order() {
    let body = main_of(
        "@x = global i32 0",
        "%a = load atomic i32, ptr @x acquire, align 4
         store atomic i32 %a, ptr @x release, align 4
         %o = atomicrmw add ptr @x, i32 1 seq_cst
         %c = cmpxchg weak ptr @x, i32 1, i32 2 acq_rel monotonic
         fence acq_rel
         fence syncscope(\"singlethread\") seq_cst
         %v = load volatile i32, ptr @x
         ret i32 0",
    );
    let expected = [
        "a = load i32 acquire align 4 &x",
        "store i32 release align 4 &x, a",
        "o = atomic add i32 seq_cst align 4 &x, 1",
        "\"c.0\", \"c.1\" = cmpxchg weak i32 acq_rel align 4 &x, 1, 2",
        "fence #LoadLoad #LoadStore #StoreStore",
        "v = load i32 align 4 &x",
        "return 0",
    ];
    assert_eq!(body, expected);
}

#[test]
fn variadic_calls_pass_an_area() {
    let text = "declare i32 @printf(ptr, ...)
declare void @llvm.va_start(ptr)
@f = private constant [3 x i8] c\"%d\\00\"
define void @log(i32 %n, ...) {
  %list = alloca [24 x i8]
  call void @llvm.va_start(ptr %list)
  ret void
}
define i32 @main() {
  call void (i32, ...) @log(i32 1, i32 7, double 1.0)
  %r = call i32 (ptr, ...) @printf(ptr @f)
  ret i32 0
}";
    let printed = lowered(text);
    assert!(
        printed.contains("\"variable arguments\" = allocate \"variable arguments\" 176"),
        "{printed}"
    );
    assert!(
        printed.contains("call log(1, \"variable arguments\")"),
        "{printed}"
    );
    let list = "call library printf(&f, \"list of arguments\")";
    assert!(printed.contains(list), "{printed}");
    assert!(
        printed.contains("fn log(n: i32, arguments: i64)"),
        "{printed}"
    );
}

#[test]
fn checking_functions_are_instructions() {
    let body = main_of(
        "declare void @fp_assume(i32)
         declare i32 @fp_choose(i32)
         declare void @fp_observe(ptr, i64)
         declare void @fp_fence(i32)
         @n = private constant [2 x i8] c\"r\\00\"",
        "%c = call i32 @fp_choose(i32 3)
         call void @fp_assume(i32 %c)
         call void @fp_fence(i32 12)
         call void @fp_observe(ptr @n, i64 4)
         ret i32 0",
    );
    let expected = [
        "c = choose 3",
        "assume c",
        "fence #StoreLoad #StoreStore",
        "observe r = 4",
        "return 0",
    ];
    assert_eq!(body, expected);
}

#[test]
fn inline_assembly_orders() {
    let body = main_of(
        "",
        "call void asm sideeffect \"\", \"~{memory}\"()
         call void asm sideeffect \"mfence\", \"~{memory}\"()
         call void asm sideeffect \"lock; addl $$0,0(%rsp)\", \"~{memory}\"()
         call void asm sideeffect \"rep; nop\", \"\"()
         call void asm sideeffect \"membar #StoreLoad|#StoreStore\", \"\"()
         call void asm sideeffect \"dmb ishld\", \"\"()
         ret i32 0",
    );
    let all = "fence #LoadLoad #StoreLoad #LoadStore #StoreStore";
    let rest = [
        "fence #StoreLoad #StoreStore",
        "fence #LoadLoad #LoadStore",
        "return 0",
    ];
    assert_eq!(body, [&[all, all][..], &rest].concat());
}

#[test]
fn inline_assembly_accesses_memory() {
    let body = main_of(
        "@x = global i32 0",
        "%old = call i32 asm sideeffect \"movl $1, $0\", \"=r,*m\"(ptr elementtype(i32) @x)
         call void asm sideeffect \"movl $1, $0\", \"=*m,ir\"(ptr elementtype(i32) @x, i32 7)
         call void asm sideeffect \"lock; addl $1, $0\", \"=*m,ir,*m\"(ptr elementtype(i32) @x, i32 7, ptr elementtype(i32) @x)
         ret i32 %old",
    );
    let expected = [
        "t1 = load i32 acquire align 4 &x",
        "old = t1",
        "store i32 release align 4 &x, 7",
        "t2 = atomic add i32 seq_cst align 4 &x, 7",
        "return old",
    ];
    assert_eq!(body, expected);
}

#[test]
fn inline_assembly_is_refused_by_what_is_wrong_with_it() {
    for (code, expected) in [
        (
            "call void asm sideeffect \"cpuid\", \"\"()",
            "the instruction `cpuid` in `cpuid`",
        ),
        (
            "call void asm sideeffect \"movl $$1, %ebx\", \"\"()",
            "`movl $1, %ebx` writes %rbx, which is neither an output nor clobbered",
        ),
        (
            "%r = call i32 asm \"movl $$1, $0; addl $1, $0\", \"=r,r\"(i32 2)",
            "%0 is written before %1 is read, and may be the same register: it needs `=&` (in `addl %1, %0`)",
        ),
        (
            "call void asm \"incl $0\", \"r\"(i32 2)",
            "`incl %0` writes %0, which is an input",
        ),
        (
            "call void asm \"addl $0, %rax\", \"r,~{rax}\"(i32 2)",
            "a register of 64 bits where 32 are meant",
        ),
        (
            "call void asm \"incl %gs:0\", \"\"()",
            "the register `%gs` in `incl %gs:0`",
        ),
        (
            "%r = call double asm \"addsd $0, $0\", \"=x\"()",
            "the constraint `=x`",
        ),
    ] {
        let message = complaint("", &format!("{code}\n ret i32 0"));
        let start = format!("inline assembly is not supported: {expected}");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[test]
fn functions_that_are_not_known_are_named() {
    let code = "%r = call i32 @pthread_creat()\n ret i32 0";
    let text = format!("declare i32 @pthread_creat()\ndefine i32 @main() {{\n{code}\n}}");
    let complaint = read_llvm(&Source::new("test.ll", text.as_str())).unwrap_err();
    assert_eq!(
        complaint.message,
        "`main` calls `pthread_creat`, which is not supported"
    );
    let help = complaint.help.unwrap_or_default();
    assert!(help.ends_with("did you mean `pthread_create`?"), "{help}");
    assert_eq!(
        complaint.source.excerpt(complaint.span),
        "%r = call i32 @pthread_creat()"
    );
}

#[test]
fn what_main_does_not_reach_is_left_out() {
    let text = "declare void @unknown()
@unused = global ptr @dead
define void @dead() {
  call void @unknown()
  ret void
}
define i32 @main() {
ret i32 0
}";
    let program = program(text);
    assert_eq!((program.functions.len(), program.objects.len()), (1, 0));
}

#[test]
fn programs_without_main_are_refused() {
    let source = Source::new(
        "test.ll",
        "define void @f() {
ret void
}",
    );
    let complaint = read_llvm(&source).unwrap_err();
    assert_eq!(complaint.message, "the program has no function `main`");
}

#[test]
fn initial_values_hold_addresses() {
    let program = program(
        "@x = global i32 7
         @p = global { i8, ptr } { i8 1, ptr getelementptr (i8, ptr @x, i64 2) }
         @f = global ptr @callee
         define void @callee() {
ret void
}
         define i32 @main() {
           %a = load ptr, ptr @p
           %b = load ptr, ptr @f
           ret i32 0
         }",
    );
    let object = |name: &str| {
        let id = program
            .object_named(name)
            .unwrap_or_else(|| panic!("no {name}"));
        &program.objects[id.index()]
    };
    let pointer = &object("p").initial[8..];
    assert_eq!(pointer[0], 2);
    assert_eq!(object("p").size(), 16);
    assert!(matches!(object("callee").kind, ObjectKind::Code(_)));
}

#[test]
fn large_objects_keep_their_room() {
    let program = program(
        "@big = global [2097152 x i8] zeroinitializer
         @next = global i8 0
         define i32 @main() {
           store i8 1, ptr @big
           store i8 1, ptr @next
           ret i32 0
         }",
    );
    let names: Vec<_> = program
        .objects
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["big", "big (continued 1)", "next"]);
}

#[test]
fn thread_local_variables_are_the_threads_own() {
    let body = main_of(
        "@t = thread_local global i32 0
         declare ptr @llvm.threadlocal.address.p0(ptr)",
        "%p = call ptr @llvm.threadlocal.address.p0(ptr @t)
         store i32 1, ptr %p
         ret i32 0",
    );
    assert_eq!(
        body,
        ["p = own &t", "store i32 plain align 4 p, 1", "return 0"]
    );
}

#[test]
fn labels_have_addresses() {
    let text = "define i32 @main() {
entry:
  %p = alloca ptr
  store ptr blockaddress(@main, %b), ptr %p
  %t = load ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}";
    let printed = lowered(text);
    assert!(
        printed.contains("p = 1\nswitch p, nowhere, 2 a, 1 b"),
        "{printed}"
    );
}

#[test]
fn arguments_of_main_are_made_up() {
    let printed = lowered(
        "define i32 @main(i32 %argc, ptr %argv) {
ret i32 %argc
}",
    );
    assert!(
        printed.contains("status = call main(1, &argv)"),
        "{printed}"
    );
    assert!(printed.contains("thread 0: main runs start"), "{printed}");
}

#[test]
fn types_that_machines_lack_are_refused() {
    let code = "%x = alloca x86_fp80
                %y = load x86_fp80, ptr %x
                ret i32 0";
    assert_eq!(complaint("", code), "the type `x86_fp80` is not supported");
}

#[test]
fn calls_with_other_arguments_are_refused() {
    let globals = "define void @f(i32 %x) {
ret void
}";
    let code = "call void (...) @f(i32 1, i32 2)\n ret i32 0";
    assert_eq!(
        complaint(globals, code),
        "`f` is called with 2 arguments, but it has 1 parameters"
    );
}

#[test]
fn error_functions_of_the_program_are_the_librarys() {
    let printed = lowered(
        "define void @reach_error() {
ret void
}
         define i32 @main() {
           call void @reach_error()
           ret i32 0
         }",
    );
    assert!(printed.contains("call library reach_error()"), "{printed}");
    assert!(!printed.contains("fn reach_error"), "{printed}");
}
