//! Executions of processes that are run again, or looked for with a guide.

use answer::{
    AccessEvent, Event, Execution, Fault, FaultKind, MemoryAccess, Outcome, Step, Violation,
};
use machine::{
    End, Guided, Image, Limits, Process, ReplayError, Transition, guided_replay, replay,
};
use memory::Model;
use program::{Address, ObjectId, Program, Span, ThreadId, parse};

/// A message and the flag that announces it. Under PSO the reader may see the flag without the message.
fn message() -> Program {
    let text = "process \"test\" from \"test\"\nobject x: i32 = 0\nobject y: i32 = 0\n\
         fn P0() {\nentry:\n  store i32 &x, 1 @1:1+1\n  store i32 &y, 1 @2:1+1\n  return\n}\n\
         fn P1() {\nregister flag, seen: i32\nregister ok: i1\nentry:\n  flag = load i32 &y @3:1+1\n\
         \x20 seen = load i32 &x @4:1+1\n  ok = ule i32 flag, seen\n  assert ok @5:1+1\n\
         \x20 observe \"seen\" = seen\n  return\n}\n\
         thread 0: P0 runs P0\nthread 1: P1 runs P1\nobserve seen = observation as i32\n";
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What an engine says is wrong.
fn claim(program: &Program) -> Violation {
    let function = program.threads[1].function;
    let blocks = &program.functions[function.index()].blocks;
    let mut code = blocks.iter().flat_map(|block| &block.instructions);
    let is_assertion = |kind: &_| matches!(kind, program::InstructionKind::Assert { .. });
    let assertion = code.find(|instruction| is_assertion(&instruction.kind));
    Violation::Fault {
        thread: ThreadId(1),
        span: assertion.expect("an assertion").span,
        fault: Fault::new(FaultKind::Assertion, "assertion failed"),
    }
}

fn guided(program: &Program, model: Model, claim: &Violation, guide: &Execution) -> Guided {
    let image = Image::with_buffers(program, model).expect("a model with store buffers");
    guided_replay(&image, &Limits::default(), claim, guide, &[])
}

#[test]
fn a_violation_is_found_where_the_machine_has_it() {
    let program = message();
    let Guided::Replayed(violation, replayed) = guided(
        &program,
        Model::Pso,
        &claim(&program),
        &Execution::default(),
    ) else {
        panic!("not replayed");
    };
    // The machine's own words, and its own steps.
    let Violation::Fault { thread, fault, .. } = *violation else {
        panic!("{violation:?}");
    };
    assert_eq!(thread, ThreadId(1));
    assert_eq!(fault.message, "the assertion fails");
    let buffered = |step: &Step| matches!(&step.event, Event::Access(access) if access.kind == AccessEvent::Buffer);
    assert!(replayed.steps.iter().any(buffered));
    assert!(replayed.execution(&program).replayed);
}

#[test]
fn a_violation_is_refused_where_the_machine_has_none() {
    let program = message();
    for model in [Model::Sc, Model::Tso] {
        let found = guided(&program, model, &claim(&program), &Execution::default());
        assert!(matches!(found, Guided::Refused), "{model}: {found:?}");
    }
    let unseen = Violation::NotSerial(Outcome(vec![7]));
    let found = guided(&program, Model::Tso, &unseen, &Execution::default());
    assert!(matches!(found, Guided::Refused), "{found:?}");
    let seen = Violation::NotSerial(Outcome(vec![1]));
    let found = guided(&program, Model::Tso, &seen, &Execution::default());
    assert!(matches!(found, Guided::Replayed(..)), "{found:?}");
    // Another fault may be in the way of what was claimed.
    let found = guided(&program, Model::Pso, &unseen, &Execution::default());
    assert!(matches!(found, Guided::Open), "{found:?}");
}

/// The accesses at these lines of the message, in memory order.
fn guide(lines: [u32; 4]) -> Execution {
    let step = |line: u32| {
        let (thread, kind) = match line {
            1 | 2 => (0, AccessEvent::Commit),
            _ => (1, AccessEvent::Load),
        };
        let access = MemoryAccess::of_cell(kind, Address::of(ObjectId(0)), 0, None);
        let event = Event::Access(access);
        Step::new(ThreadId(thread), Span::new(line, 1, 1), event)
    };
    Execution {
        steps: lines.map(step).into(),
        ..Execution::default()
    }
}

#[test]
fn the_guide_is_followed() {
    let program = message();
    // The message is seen with the flag, or without.
    let seen = Violation::NotSerial(Outcome(vec![1]));
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        for lines in [[1, 2, 3, 4], [3, 1, 2, 4], [1, 3, 2, 4], [1, 3, 4, 2]] {
            let found = guided(&program, model, &seen, &guide(lines));
            let Guided::Replayed(_, replayed) = found else {
                panic!("{model}: {found:?}");
            };
            let in_memory = replayed.steps.iter().filter(|step| match &step.event {
                Event::Access(access) => access.kind != AccessEvent::Buffer,
                _ => false,
            });
            let happened: Vec<u32> = in_memory.map(|step| step.span.line).collect();
            assert_eq!(happened, lines, "{model}");
        }
    }
}

/// Any way to the failed assertion, and the fault that is met there.
fn way(image: &Image, limits: &Limits) -> (Vec<Transition>, Violation) {
    let mut open = vec![(Process::new(image, limits, false, false), Vec::new())];
    while let Some((mut process, path)) = open.pop() {
        if let Some(End::Fault(thread, span, fault)) = process.end() {
            let fault = (**fault).clone();
            let (thread, span) = (*thread, *span);
            return (
                path,
                Violation::Fault {
                    thread,
                    span,
                    fault,
                },
            );
        }
        for transition in process.transitions() {
            let mut next = process.clone();
            next.perform(transition);
            open.push((next, [&path[..], &[transition]].concat()));
        }
    }
    panic!("no way to the assertion");
}

#[test]
fn a_replay_checks_each_step_and_the_violation() {
    let program = message();
    let image = Image::with_buffers(&program, Model::Pso).expect("a model with store buffers");
    let limits = Limits::default();
    let (path, violation) = way(&image, &limits);
    let run = |path: &[Transition], violation: &Violation| {
        let mut path = path.iter().copied();
        replay(&image, &limits, violation, |_| path.next())
    };
    let replayed = run(&path, &violation).expect("the way that was found");
    let last = replayed.steps.last().map(|step| &step.event);
    assert!(matches!(last, Some(Event::Fault(_))), "{last:?}");

    let short = &path[..path.len() - 1];
    assert_eq!(run(short, &violation), Err(ReplayError::Differs));
    let elsewhere = Violation::Fault {
        thread: ThreadId(0),
        span: Span::NOWHERE,
        fault: Fault::new(FaultKind::Assertion, "the assertion fails"),
    };
    assert_eq!(run(&path, &elsewhere), Err(ReplayError::Differs));
    assert_eq!(
        run(&path, &Violation::Deadlock(Vec::new())),
        Err(ReplayError::Differs)
    );
    let mut impossible = path.clone();
    impossible[0] = Transition::Commit(ThreadId(0), 77);
    assert_eq!(
        run(&impossible, &violation),
        Err(ReplayError::Impossible { step: 0 })
    );
    let longer = [&path[..], &path[..1]].concat();
    let step = path.len();
    assert_eq!(
        run(&longer, &violation),
        Err(ReplayError::Impossible { step })
    );
}
