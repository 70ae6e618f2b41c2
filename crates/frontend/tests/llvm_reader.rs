//! Reads what compilers print: `sample.c` by three versions of clang, `sample.rs` by
//! rustc, and a file by hand with every instruction.

use frontend::llvm::{
    AtomicOrdering, Callee, Constant, DebugKind, DwarfOperation, Function, InstructionKind,
    Linkage, Metadata, Module, Passing, SymbolTarget, UpdateOperation, Value, link, parse,
};
use program::Source;
use std::collections::BTreeSet;

fn read(name: &str) -> Module {
    let path = format!("{}/tests/ll/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    parse(&Source::new(name, text)).unwrap_or_else(|complaint| panic!("{complaint}"))
}

fn function<'a>(module: &'a Module, name: &str) -> &'a Function {
    &module.functions[module.function(name).unwrap().index()]
}

fn kinds(function: &Function) -> impl Iterator<Item = &InstructionKind> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.map(|instruction| &instruction.kind)
}

const CLANG: [&str; 6] = [
    "clang14-O0.ll",
    "clang14-O2.ll",
    "clang16-O0.ll",
    "clang16-O2.ll",
    "clang19-O0.ll",
    "clang19-O2.ll",
];

/// Whatever the version and level, the same atomic accesses are there.
#[test]
fn atomics_of_every_version() {
    for name in CLANG {
        let module = read(name);
        let publish = function(&module, "publish");
        let mut seen = BTreeSet::new();
        for kind in kinds(publish) {
            match kind {
                InstructionKind::Store { access, .. } if access.ordering.is_some() => {
                    assert_eq!(access.ordering, Some(AtomicOrdering::Release));
                    assert_eq!(access.align, Some(4));
                    seen.insert("store");
                }
                InstructionKind::CompareExchange {
                    weak,
                    failure,
                    access,
                    ..
                } => {
                    assert!(*weak);
                    assert_eq!(*failure, AtomicOrdering::Monotonic);
                    assert_eq!(access.ordering, Some(AtomicOrdering::AcquireRelease));
                    seen.insert("exchange");
                }
                InstructionKind::AtomicUpdate { operation, .. } => {
                    assert_eq!(*operation, UpdateOperation::Add);
                    seen.insert("add");
                }
                InstructionKind::Fence {
                    ordering,
                    single_thread,
                } => {
                    let expected = match single_thread {
                        true => AtomicOrdering::Acquire,
                        false => AtomicOrdering::SequentiallyConsistent,
                    };
                    assert_eq!(*ordering, expected);
                    seen.insert(if *single_thread { "signal" } else { "fence" });
                }
                InstructionKind::Call(call) => {
                    if let Callee::Assembly(code) = &call.callee {
                        assert_eq!(&*code.text, "mfence");
                        assert!(code.constraints.starts_with("~{memory}"));
                        assert!(code.side_effect);
                        seen.insert("assembly");
                    }
                }
                _ => {}
            }
        }
        let all = ["add", "assembly", "exchange", "fence", "signal", "store"];
        assert_eq!(Vec::from_iter(seen), all, "{name}");
    }
}

#[test]
fn globals_of_every_version() {
    for name in CLANG {
        let module = read(name);
        let global = |name: &str| {
            let named = |symbol: &&frontend::llvm::Symbol| &*symbol.name == name;
            match module.symbols.iter().find(named).unwrap().target {
                SymbolTarget::Global(id) => &module.globals[id.index()],
                other => panic!("{other:?}"),
            }
        };
        assert!(global("mine").thread_local, "{name}");
        assert_eq!(global("ready").linkage, Linkage::External);
        let ratio = Constant::Float(0.1f64.to_bits());
        assert_eq!(global("ratio").initial, Some(ratio));
        assert_eq!(global("data").linkage, Linkage::Internal);
        let Metadata::GlobalVariableExpression {
            variable: Some(variable),
            ..
        } = module.node(global("ready").debug[0])
        else {
            panic!("{name}");
        };
        let Metadata::GlobalVariable {
            name: called, line, ..
        } = module.node(*variable)
        else {
            panic!("{name}");
        };
        assert_eq!((&**called, *line), ("ready", 4));
    }
}

/// Every instruction with a place has one in `sample.c`, and `sum` is inlined at -O2.
#[test]
fn places_of_every_version() {
    for name in CLANG {
        let module = read(name);
        let publish = function(&module, "publish");
        let mut inlined = false;
        for instruction in publish.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(location) = instruction.debug else {
                continue;
            };
            let places = module.places(location);
            assert!(!places.is_empty(), "{name}:{}", instruction.line);
            for place in &places {
                assert_eq!((&*place.filename, &*place.directory), ("sample.c", "."));
                assert!(place.line <= 23);
            }
            inlined |= places.len() == 2 && &*places[0].function == "sum";
            assert_eq!(&*places[places.len() - 1].function, "publish");
        }
        assert_eq!(inlined, name.ends_with("O2.ll"), "{name}");
        let variables: BTreeSet<&str> = publish
            .variables
            .iter()
            .filter_map(|variable| match module.node(variable.variable) {
                Metadata::LocalVariable { name, .. } => Some(&**name),
                _ => None,
            })
            .collect();
        for expected in ["value", "b", "expected", "i"] {
            assert!(variables.contains(expected), "{name}: {variables:?}");
        }
    }
}

#[test]
fn a_struct_is_passed_by_value() {
    for name in CLANG {
        let module = read(name);
        let publish = function(&module, "publish");
        let Passing::ByValue(of) = publish.parameters[1].passing else {
            panic!("{name}");
        };
        assert_eq!(module.describe(of), "%struct.big");
    }
}

#[test]
fn rust_is_read() {
    let module = read("rustc.ll");
    let publish = function(&module, "publish");
    let exchanges = kinds(publish)
        .filter(|kind| kind.name() == "cmpxchg")
        .count();
    assert_eq!(exchanges, 1);
    let inlined = |kind: &frontend::llvm::Instruction| {
        kind.debug
            .map(|debug| module.places(debug))
            .is_some_and(|places| {
                places.len() > 1
                    && places
                        .last()
                        .is_some_and(|place| &*place.filename == "sample.rs")
            })
    };
    let mut instructions = publish.blocks.iter().flat_map(|block| &block.instructions);
    assert!(instructions.any(inlined));
}

#[test]
fn exceptions_are_read() {
    let module = read("clang19-throw.ll");
    let names: BTreeSet<_> = module
        .functions
        .iter()
        .flat_map(kinds)
        .map(|k| k.name())
        .collect();
    assert!(names.contains("invoke") && names.contains("landingpad") && names.contains("resume"));
}

#[test]
fn every_instruction() {
    let module = read("every.ll");
    let every = function(&module, "every");
    let names: BTreeSet<_> = kinds(every).map(|kind| kind.name()).collect();
    let expected = "add addrspacecast alloca and ashr atomicrmw br call callbr cmpxchg \
        extractelement extractvalue fadd fcmp fdiv fence fmul fneg fpext fptosi freeze frem fsub \
        getelementptr icmp indirectbr insertelement insertvalue inttoptr invoke landingpad load \
        lshr mul or phi ptrtoint resume ret sdiv select sext shl shufflevector srem store sub \
        switch trunc udiv uitofp unreachable urem va_arg xor zext";
    assert_eq!(Vec::from_iter(names).join(" "), expected);
    assert_eq!(every.blocks.len(), 9);
    let labels: Vec<_> = every
        .blocks
        .iter()
        .map(|block| block.name.as_deref())
        .collect();
    assert_eq!(labels[1..4], [Some("start"), Some("jumps"), Some("done")]);
    assert_eq!(labels[8], Some("odd label"));
    // Blocks count in the order of the text, though `start` is used before the others.
    let InstructionKind::Branch {
        positive, negative, ..
    } = every.blocks[3].instructions[0].kind
    else {
        panic!();
    };
    assert_eq!((positive.index(), negative.index()), (4, 8));
    let InstructionKind::Phi { incoming, .. } = &every.blocks[1].instructions[0].kind else {
        panic!();
    };
    let before: Vec<_> = incoming.iter().map(|(_, block)| block.index()).collect();
    assert_eq!(before, [0, 1]);
    assert!(!every.no_return);
    assert!(function(&module, "stop").no_return);
    assert!(function(&module, "printf").no_return && function(&module, "printf").variadic);
}

#[test]
fn variables_by_record_and_by_call() {
    let module = read("every.ll");
    let every = function(&module, "every");
    let kinds: Vec<_> = every
        .variables
        .iter()
        .map(|v| (v.kind, v.values.len()))
        .collect();
    let expected = [
        (DebugKind::Value, 2),
        (DebugKind::Value, 0),
        (DebugKind::Declare, 1),
        (DebugKind::Value, 1),
        (DebugKind::Assign, 1),
    ];
    assert_eq!(kinds, expected);
    assert!(every.variables[4].address.is_some());
    let Metadata::Expression(steps) = module.node(every.variables[2].expression.unwrap()) else {
        panic!();
    };
    let expected = [DwarfOperation::PlusConstant(8), DwarfOperation::Dereference];
    assert_eq!(steps[..], expected);
    for variable in &every.variables {
        let places = module.places(variable.location.unwrap());
        let functions: Vec<_> = places.iter().map(|place| &*place.function).collect();
        assert_eq!(functions, ["every", "caller"]);
    }
}

#[test]
fn every_constant() {
    let module = read("every.ll");
    let initial = |name: &str| {
        let named = |global: &&frontend::llvm::Global| &*module.symbol(global.symbol).name == name;
        module.globals.iter().find(named).unwrap().initial.as_ref()
    };
    assert_eq!(initial("0"), Some(&Constant::Bytes((*b"a\"\0\xFF").into())));
    assert_eq!(
        initial("quoted \"name\""),
        Some(&Constant::Integer(0xFFFF_FFFF))
    );
    assert_eq!(initial("outer"), None);
    assert_eq!(
        initial("wide"),
        Some(&Constant::Wide(Box::new([0, 1 << 63])))
    );
    let Some(Constant::Aggregate(floats)) = initial("floats") else {
        panic!();
    };
    let one = Value::Constant(Constant::Float(1f64.to_bits()));
    assert_eq!((&floats[0].value, &floats[1].value), (&one, &one));
    let Some(Constant::Expression(address)) = initial("address") else {
        panic!();
    };
    let InstructionKind::GetElementPointer { indices, .. } = &**address else {
        panic!();
    };
    assert_eq!(indices.len(), 4);
    assert_eq!(module.assembly.len(), 2);
    assert_eq!(module.aliases.len(), 2);
}

/// All operands have the type that their value has elsewhere, and all ids are in range.
#[test]
fn linking_all_samples_with_renamed_functions() {
    let rename = |name: &str, number: usize| {
        let path = format!("{}/tests/ll/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut text = std::fs::read_to_string(path).unwrap();
        for symbol in ["publish", "ready", "greeting", "mine", "ratio"] {
            text = text.replace(&format!("@{symbol}"), &format!("@{symbol}{number}"));
        }
        parse(&Source::new(name, text)).unwrap()
    };
    let modules: Vec<_> = CLANG
        .into_iter()
        .enumerate()
        .map(|(n, name)| rename(name, n))
        .collect();
    let single: usize = modules.iter().map(|module| module.metadata.len()).sum();
    let linked = link(modules).unwrap();
    assert_eq!(linked.metadata.len(), single);
    assert_eq!(linked.sources.len(), 6);
    let internal = linked
        .symbols
        .iter()
        .filter(|s| s.name.starts_with("data"))
        .count();
    assert_eq!(internal, 6);
    for (number, name) in CLANG.into_iter().enumerate() {
        let publish = function(&linked, &format!("publish{number}"));
        assert_eq!(&*linked.sources[publish.source.index()].name, name);
        let Some(Metadata::Subprogram { name, line, .. }) =
            publish.debug.map(|debug| linked.node(debug))
        else {
            panic!();
        };
        assert_eq!((&**name, *line), ("publish", 11));
    }
    let printf = linked
        .symbols
        .iter()
        .filter(|s| &*s.name == "printf")
        .count();
    assert_eq!(printf, 1);
}

#[test]
fn complaints_say_what_and_where() {
    let complaint = |text: &str| parse(&Source::new("x.ll", text)).unwrap_err().to_string();
    let body = |line: &str| complaint(&format!("define void @f() {{\n  {line}\n  ret void\n}}\n"));
    let cases = [
        (
            body("frobnicate i32 1"),
            "x.ll:2:3: unknown instruction `frobnicate`",
        ),
        (
            body("fence quickly"),
            "x.ll:2:9: unexpected `quickly` (expected an ordering)",
        ),
        (
            body("%a = atomicrmw swap ptr null, i32 0 seq_cst"),
            "x.ll:2:18: unknown atomic operation `swap`",
        ),
        (
            body("store i32 %a, ptr null"),
            "x.ll:2:13: the value `%a` is used and never made",
        ),
        (body("br label %a"), "x.ll:2:12: there is no block `%a`"),
        (
            body("call void @g()"),
            "x.ll:2:13: `@g` is neither defined nor declared",
        ),
        (
            complaint("@x = global i32 \"a\"\n"),
            "x.ll:1:17: unexpected `\"a\"` (expected the value of a global)",
        ),
        (
            complaint("%a = type { %b }\n%b = type { [2 x %a] }\n"),
            "x.ll:1:1: `%a` contains itself, or is nested too deep",
        ),
        (
            complaint("hello"),
            "x.ll:1:1: unexpected `hello` (expected a definition)",
        ),
        (
            complaint("define void @f() {\n"),
            "x.ll:2:1: unexpected end of the file (expected an instruction)",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}
