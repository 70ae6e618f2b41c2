//! How far an engine's "holds" goes.
//!
//! Everything that an engine reports as wrong is wrong. That it finds nothing says more or less: the solver and the machine
//! for RMO do not look for everything that the machine of C programs finds. This is the place that says so. "Holds" of an
//! engine that could have missed something is an answer only where no other engine looks for more.

use answer::{Bound, Engine, FaultKind, ModelResult};
use memory::Model;
use program::{Callee, Class, InstructionKind, Program};

/// What "holds" of an engine means beside the other engines for the same program and model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// It looked for all that any engine looks for.
    Full,
    /// Another engine looks for more, but may not come to an end: the answer is second to that engine's.
    Lesser,
    /// It may have missed what other engines find: no answer.
    Missing,
}

impl Coverage {
    /// That of a result which found nothing wrong.
    pub fn of(program: &Program, model: Model, result: &ModelResult) -> Self {
        let witnessed = program.properties.ask_only_for_a_witness()
            && result.observation.is_some_and(|seen| seen.positive > 0);
        match result.engine {
            // A witness is a witness, whatever else there may be.
            _ if witnessed => Coverage::Full,
            Engine::Explore | Engine::Monitor => Coverage::Full,
            // In C programs the solver also sees undefined values, which the machine for RMO does not.
            Engine::States if program.process && model == Model::Rmo => Coverage::Lesser,
            Engine::States => Coverage::Full,
            Engine::Sat if program.process && !model.row().buffering.is_of_stores() => {
                Coverage::Full
            }
            Engine::Sat if misses_nothing(program, result) => Coverage::Full,
            // Proofs are of assertions and conditions only.
            Engine::Sat | Engine::Prove | Engine::None => Coverage::Missing,
        }
    }
}

/// Whether the solver finds what is wrong in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finds {
    /// Always, or it refuses the program.
    Always,
    /// Unless its result has this bound.
    UnlessBounded(Bound),
    /// If only such functions of the library are called of which it knows every wrong use.
    InSimpleCalls,
    /// Questions about it are not asked to the solver.
    NotAsked,
}

/// Whether the solver finds faults of a kind.
fn solver_finds(kind: FaultKind) -> Finds {
    match kind {
        FaultKind::Assertion
        | FaultKind::Abort
        | FaultKind::Null
        | FaultKind::Wild
        | FaultKind::Bounds
        | FaultKind::Misaligned
        | FaultKind::ReadOnly
        | FaultKind::Uninitialised
        | FaultKind::Division
        | FaultKind::Unreachable => Finds::Always,
        // Calls of what is computed, and recursion without a bound, are refused.
        FaultKind::Call | FaultKind::StackOverflow => Finds::Always,
        FaultKind::Dangling | FaultKind::DoubleFree | FaultKind::InvalidFree => {
            Finds::UnlessBounded(Bound::Lifetimes)
        }
        FaultKind::Endless => Finds::UnlessBounded(DEADLOCK),
        FaultKind::Misuse => Finds::InSimpleCalls,
        FaultKind::Race => Finds::NotAsked,
        // Never a violation.
        FaultKind::Unsupported => Finds::Always,
    }
}

/// The bound of results of the solver for programs that could have a deadlock.
const DEADLOCK: Bound = Bound::Waiting;

/// Whether the solver would have found whatever the other engines find, given a result of it without a violation.
fn misses_nothing(program: &Program, result: &ModelResult) -> bool {
    let finds = |finds: Finds| match finds {
        Finds::Always | Finds::NotAsked => true,
        Finds::UnlessBounded(bound) => !result.bounds.contains(&bound),
        Finds::InSimpleCalls => calls(program).all(is_simple),
    };
    let faults = FaultKind::ALL.iter().map(|kind| solver_finds(*kind));
    let deadlock = Finds::UnlessBounded(DEADLOCK);
    // Whatever else a result leaves out counts as well.
    result.bounds.is_empty() && faults.chain([deadlock]).all(finds)
}

/// The classes of library functions that a program calls.
fn calls(program: &Program) -> impl Iterator<Item = Class> + '_ {
    let blocks = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    instructions.filter_map(|instruction| match &instruction.kind {
        InstructionKind::Call {
            callee: Callee::Routine(routine),
            ..
        } => Some(routine.row().class),
        _ => None,
    })
}

/// Whether the solver knows every wrong use of functions of a class. Of locks, semaphores, output and
/// others the machine checks more than the solver.
fn is_simple(class: Class) -> bool {
    match class {
        Class::CreateThread(_)
        | Class::JoinThread(_)
        | Class::OwnThread
        | Class::FailAssertion
        | Class::Abort
        | Class::ChooseBool => true,
        Class::Process
        | Class::DetachThread
        | Class::EndThread
        | Class::InitialiseLock
        | Class::DestroyMutex
        | Class::DestroySpin
        | Class::Lock
        | Class::TryLock(_)
        | Class::TimedLock(_)
        | Class::Unlock
        | Class::InitialiseSemaphore
        | Class::TakeSemaphore
        | Class::TryTakeSemaphore
        | Class::PostSemaphore
        | Class::ReadSemaphore
        | Class::Signal
        | Class::Initialise
        | Class::Destroy
        | Class::CreateKey
        | Class::Allocate(_)
        | Class::Free
        | Class::Nothing
        | Class::Print
        | Class::Exit => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::Verdict;

    fn program(process: &str, body: &str) -> Program {
        let text = format!(
            "{process} \"test\" from \"test\"\nobject x: i32 = 0\nfn main() {{\nentry:\n{body}  return\n}}\nthread 0: main runs main\n"
        );
        program::parse(&text).expect("a program")
    }

    fn coverage(program: &Program, model: Model, engine: Engine, bounds: &[Bound]) -> Coverage {
        let result = ModelResult {
            verdict: Verdict::Holds,
            bounds: bounds.to_vec(),
            ..ModelResult::undecided(model, engine)
        };
        Coverage::of(program, model, &result)
    }

    #[test]
    fn the_solver_may_have_missed_what_its_bounds_say() {
        let simple = program("process", "  store i32 &x, 1\n");
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let solved = |bounds: &[Bound]| coverage(&simple, model, Engine::Sat, bounds);
            assert_eq!(solved(&[]), Coverage::Full);
            for bound in [Bound::Waiting, Bound::Lifetimes, Bound::Values(2)] {
                assert_eq!(solved(&[bound]), Coverage::Missing);
            }
            for engine in [Engine::Explore, Engine::States] {
                assert_eq!(coverage(&simple, model, engine, &[]), Coverage::Full);
            }
        }
    }

    #[test]
    fn wrong_uses_of_the_library_may_be_missed() {
        let calls = program("process", "  call library sched_yield()\n");
        assert_eq!(
            coverage(&calls, Model::Tso, Engine::Sat, &[]),
            Coverage::Missing
        );
        assert_eq!(
            coverage(&calls, Model::Tso, Engine::Explore, &[]),
            Coverage::Full
        );
    }

    #[test]
    fn under_rmo_the_solver_looks_for_more() {
        let simple = program("process", "  store i32 &x, 1\n");
        let waiting = [Bound::Waiting];
        let rmo = |engine| coverage(&simple, Model::Rmo, engine, &waiting);
        assert_eq!(rmo(Engine::Sat), Coverage::Full);
        assert_eq!(rmo(Engine::States), Coverage::Lesser);
        let test = program("program", "  store i32 &x, 1\n");
        let states = coverage(&test, Model::Rmo, Engine::States, &[]);
        assert_eq!(states, Coverage::Full);
        let solved = coverage(&test, Model::Rmo, Engine::Sat, &waiting);
        assert_eq!(solved, Coverage::Missing);
    }
}
