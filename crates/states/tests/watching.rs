//! Steps that no property can see are taken together with others. That changes no
//! verdict: with every step a state of its own, invariants and liveness come out
//! the same.

mod reading;

use answer::Verdict;
use memory::Model;
use oracle::generate::{GeneratedProgram, Statement, build, sequence};
use program::{
    BlockId, Comparison, Formula, Liveness, Position, Program, Property, Span, Term, Terminator,
    ThreadId, UpdateOp,
};
use reading::{both_machines, run};
use states::Options;

fn compare_with_number(left: Term, number: i128) -> Formula {
    Formula::Compare(Comparison::Equal, left, Term::Number(number))
}

/// Formulas about registers, memory and control that hold now and then.
fn formulas(program: &Program, number: usize) -> Vec<Formula> {
    let register = |thread: usize, register: usize, value| {
        let observable = program.observable_register(thread.into(), register.into());
        compare_with_number(Term::Value(observable), value)
    };
    let cell = |value| {
        let observable = program.observable_cell(0.into(), 0);
        compare_with_number(Term::Value(observable), value)
    };
    let blocks = &program.function_of(ThreadId(0)).blocks;
    let block = BlockId::from(number % blocks.len());
    let label = Position::Label(block, blocks[block.index()].label.clone());
    let at = |thread, position| Formula::At(ThreadId(thread), position);
    let value = number as i128 % 3;
    vec![
        Formula::And(vec![register(0, 0, value), register(1, 0, 1)]),
        Formula::And(vec![register(0, 1, 1), cell(value)]),
        Formula::And(vec![at(0, label), cell(1)]),
        Formula::And(vec![at(0, Position::End), register(1, 0, value)]),
        Formula::And(vec![
            at(1, Position::End),
            at(0, Position::End),
            cell(value),
        ]),
    ]
}

fn property(formula: Formula) -> Property {
    let span = Span::NOWHERE;
    Property { formula, span }
}

fn verdicts(program: &Program, model: Model, options: &Options) -> [Verdict; 2] {
    [false, true].map(|every_step| {
        let options = Options {
            every_step,
            explain: false,
            ..options.clone()
        };
        run(program, model, &options).verdict
    })
}

#[test]
fn invariants_see_all_that_they_speak_of() {
    let (mut holds, mut violated) = (0, 0);
    let programs = sequence(21).filter(|generated| generated.accesses() <= 5);
    for (number, generated) in programs.take(60).enumerate() {
        let mut program = build(&generated);
        for formula in formulas(&program, number) {
            let never = Formula::Not(Box::new(formula));
            program.properties.invariants = vec![property(never)];
            for model in Model::MACHINES {
                for (index, options) in both_machines(&Options::default()).iter().enumerate() {
                    if (index == 1 || model == Model::Rmo) && generated.accesses() > 3 {
                        continue; // too many states with every step a state
                    }
                    let [together, apart] = verdicts(&program, model, options);
                    assert_eq!(together, apart, "{model}\n{program}");
                    match together {
                        Verdict::Violated => violated += 1,
                        _ => holds += 1,
                    }
                }
            }
        }
    }
    assert!(holds > 200 && violated > 200, "{holds}, {violated}");
}

/// Values stay small.
fn is_tame(statement: &Statement) -> bool {
    !matches!(statement, Statement::Update { operation, .. } if *operation != UpdateOp::Exchange)
}

#[test]
fn liveness_sees_all_that_it_speaks_of() {
    let (mut holds, mut violated) = (0, 0);
    let options = Options {
        buffer: Some(2),
        ..Options::default()
    };
    let programs = sequence(22)
        .filter(|generated| generated.threads.len() == 2 && generated.accesses() <= 5)
        .filter(|generated| generated.threads.iter().flatten().all(is_tame));
    for (number, generated) in programs.take(30).enumerate() {
        let mut program = looping(&generated, number);
        for formula in formulas(&program, number) {
            for repeatedly in [false, true] {
                program.properties.liveness = vec![Liveness {
                    repeatedly,
                    property: property(Formula::Not(Box::new(formula.clone()))),
                }];
                let mut both = vec![program.clone()];
                program.properties.liveness[0].property.formula = formula.clone();
                both.push(program.clone());
                for program in both {
                    for model in [Model::Sc, Model::Tso, Model::Pso] {
                        let [together, apart] = verdicts(&program, model, &options);
                        assert_eq!(together, apart, "{model}\n{program}");
                        match together {
                            Verdict::Violated => violated += 1,
                            _ => holds += 1,
                        }
                    }
                }
            }
        }
    }
    assert!(holds > 200 && violated > 200, "{holds}, {violated}");
}

/// The program, with one thread that starts again where it ends.
fn looping(generated: &GeneratedProgram, number: usize) -> Program {
    let mut program = build(generated);
    for block in &mut program.functions[number % 2].blocks {
        if matches!(block.terminator, Terminator::Return(_)) {
            block.terminator = Terminator::Jump(BlockId(0));
        }
    }
    program
}
