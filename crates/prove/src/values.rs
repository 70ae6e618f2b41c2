//! Which values locations hold, where threads that are run alone cannot know.
//!
//! A thread alone that counts up under a lock finds every number there. So such locations are first taken to hold what they hold at the
//! start, and a thread that is about to write anything else has *escaped* there. Whether that can happen is a question like any other: if it can, the
//! location holds one value more, and the question is asked again; if it cannot, with buffers of any size, what the automata leave out does not happen,
//! and they have all that the threads do.
//!
//! This does not take the threads together, as `automaton/guided` does, and succeeds where they have too many states together. It ends after [`FEW_VALUES`] values of a
//! location, and is left to `guided` then.

use crate::automaton::{Allowed, FEW_VALUES, NotFinite, Standing, StateId, System};
use crate::bounded::{Bounded, BoundedSearch};
use crate::goal::Goal;
use crate::portfolio::{Decision, decide};
use crate::question::Question;
use crate::replicate::{ForAnyNumber, decide_any_number};
use control::{Control, Stop};
use memory::Model;
use program::{Address, Program, Word};

/// States of one question at most.
const MOST_STATES: u64 = 1_000_000;
/// States of a search for what goes wrong with few values.
const FEW_STATES: usize = 20_000;

/// The automata of a program without calls.
pub(crate) fn system(program: &Program, model: Model, stop: &Stop) -> Result<System, NotFinite> {
    let control = limited();
    let buffering = model.row().buffering;
    let reached = |system: &System, goals: &[Goal]| match decide(
        system, goals, buffering, false, &control, stop,
    )
    .decision
    {
        Decision::Unreachable => Some(None),
        Decision::Met(Bounded::Met { goal, .. }) | Decision::Reachable(goal) => Some(Some(goal)),
        Decision::Met(_) | Decision::Unknown(_) => None,
    };
    let fails = |system: &System, failures: &[Goal]| {
        let mut search = BoundedSearch::new(system, failures, buffering);
        matches!(search.run(FEW_STATES, stop), Bounded::Met { .. })
    };
    closed(program, model, reached, fails, || {
        System::of(program, model)
    })
}

/// The same for any number of copies of some threads.
pub(crate) fn system_for_any_number(
    program: &Program,
    model: Model,
    replicated: &[bool],
    stop: &Stop,
) -> Result<System, NotFinite> {
    let control = limited();
    let buffering = model.row().buffering;
    let reached = |system: &System, goals: &[Goal]| match decide_any_number(
        system, replicated, goals, buffering, &control, stop,
    ) {
        ForAnyNumber::Unreachable(..) => Some(None),
        ForAnyNumber::Wrong(wrong) => match wrong.decided.decision {
            Decision::Met(Bounded::Met { goal, .. }) | Decision::Reachable(goal) => {
                Some(Some(goal))
            }
            _ => None,
        },
        ForAnyNumber::Unknown(_) => None,
    };
    let unknown = |_: &System, _: &[Goal]| false;
    closed(program, model, reached, unknown, || {
        System::for_any_number(program, model)
    })
}

fn limited() -> Control {
    Control {
        max_states: Some(MOST_STATES),
        ..Control::default()
    }
}

/// Automata that nobody escapes from, or in which something goes wrong. `reached` says which goal is, if any, or nothing if that is not found out;
/// then the automata are made `otherwise`. `fails` looks for what goes wrong alone: where a counter grows without store buffers already, what takes
/// buffers would only be found once it has all its values.
fn closed(
    program: &Program,
    model: Model,
    reached: impl Fn(&System, &[Goal]) -> Option<Option<usize>>,
    fails: impl Fn(&System, &[Goal]) -> bool,
    otherwise: impl FnOnce() -> Result<System, NotFinite>,
) -> Result<System, NotFinite> {
    let mut allowed = Allowed::default();
    loop {
        let system = match System::within(program, model, &allowed) {
            Ok(system) => system,
            Err(NotFinite::Values { address, .. }) => {
                allowed.insert(address, Vec::new());
                continue;
            }
            Err(NotFinite::Unsupported(unsupported)) => return Err(unsupported.into()),
            Err(_) => return otherwise(),
        };
        if allowed.is_empty() {
            return Ok(system);
        }
        let (mut goals, values): (Vec<Goal>, Vec<_>) = escapes(&system).into_iter().unzip();
        let failures = Question::failures(&system).goals;
        let followed: usize = allowed.values().map(Vec::len).sum();
        if followed > 1 && followed.is_power_of_two() && fails(&system, &failures) {
            return Ok(system);
        }
        goals.extend(failures);
        let Some(met) = reached(&system, &goals) else {
            return otherwise();
        };
        // What goes wrong before anybody escapes does so in the program.
        let Some((address, word)) = met.and_then(|met| values.get(met).copied()) else {
            return Ok(system);
        };
        match allowed.get_mut(&address) {
            Some(held) if held.len() < FEW_VALUES => held.push(word),
            _ => return otherwise(),
        }
    }
}

/// Where threads escape, and which value of which location they are about to write.
fn escapes(system: &System) -> Vec<(Goal, (Address, Word))> {
    let mut found = Vec::new();
    for (thread, automaton) in system.automata.iter().enumerate() {
        for (index, state) in automaton.states.iter().enumerate() {
            if let Standing::Escaped(address, word) = state.standing {
                let goal = Goal::thread_at(system, thread, StateId(index as u32));
                found.push((goal, (address, word)));
            }
        }
    }
    found
}
