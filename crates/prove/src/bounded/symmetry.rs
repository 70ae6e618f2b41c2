//! Threads with the same automaton: states in which they have changed places are one state.
//!
//! A thread is its place in the lists of controls and buffers, and nothing else: events name locations, never threads. So a permutation of threads with equal
//! automata takes steps to steps, and the start, where all stand alike, to itself. Of the states that are permutations of each other the search keeps
//! the one in which these threads are sorted by control and buffer. A goal names threads; it is met in such a state if it is met in one of its permutations.
//!
//! Each state remembers where its threads stood in the state before, so that a run can be told with each thread in one place throughout.

use super::{Configuration, RunStep};
use crate::automaton::{StateId, System};
use crate::goal::Goal;

/// For each thread of a sorted state, its place before it was sorted; nothing if none has moved.
pub(super) type Moved = Option<Box<[u8]>>;

/// The threads with equal automata.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetry {
    /// invariant: each has two threads or more, in order.
    groups: Vec<Vec<usize>>,
}

impl Symmetry {
    pub fn of(system: &System) -> Self {
        let automata = &system.automata;
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // Places are kept as bytes.
        for thread in 0..automata.len().min(usize::from(u8::MAX)) {
            let known = groups.iter_mut();
            match known
                .into_iter()
                .find(|group| automata[group[0]] == automata[thread])
            {
                Some(group) => group.push(thread),
                None => groups.push(vec![thread]),
            }
        }
        groups.retain(|group| group.len() > 1);
        Symmetry { groups }
    }

    /// The threads that are like this one, itself included.
    pub fn like(&self, thread: usize) -> &[usize] {
        let mut groups = self.groups.iter();
        groups
            .find(|group| group.contains(&thread))
            .map_or(&[], Vec::as_slice)
    }

    /// Sorts the threads of a state.
    pub fn sort(&self, state: &mut Configuration) -> Moved {
        let mut moved: Moved = None;
        for group in &self.groups {
            let key = |thread: &usize| (state.controls[*thread], &state.buffers[*thread]);
            if group.is_sorted_by_key(key) {
                continue;
            }
            let mut places = group.clone();
            places.sort_by_key(key);
            let threads = state.controls.len();
            let moved =
                moved.get_or_insert_with(|| (0..threads).map(|thread| thread as u8).collect());
            let before = state.clone();
            for (thread, place) in group.iter().zip(places) {
                moved[*thread] = place as u8;
                state.controls[*thread] = before.controls[place];
                state.buffers[*thread].clone_from(&before.buffers[place]);
            }
        }
        moved
    }

    /// Whether a goal is met with threads in other places: for each thread that the goal names, the one that stands as it says.
    pub fn meets(&self, goal: &Goal, state: &Configuration) -> Option<Vec<(usize, usize)>> {
        let mut taken = vec![false; goal.controls.len()];
        let mut cast = Vec::new();
        for (role, control) in goal.controls.iter().enumerate() {
            let Some(control) = control else { continue };
            let fits = |thread: &usize| state.controls[*thread] == *control && !taken[*thread];
            let others = self.like(role).iter().copied();
            let thread = [role].into_iter().chain(others).find(fits)?;
            taken[thread] = true;
            cast.push((role, thread));
        }
        // What is left of the goal is memory.
        let rest = Goal {
            controls: vec![None; goal.controls.len()],
            memory: goal.memory.clone(),
        };
        state.meets(&rest).then_some(cast)
    }

    /// Tells a run, and where it ends, with each thread in one place, so that the threads of `cast` have the places that the goal names.
    pub fn untangle(
        &self,
        steps: Vec<(RunStep, &Moved)>,
        cast: &[(usize, usize)],
        last: &Configuration,
    ) -> (Vec<RunStep>, Vec<StateId>) {
        let mut places: Vec<usize> = (0..last.controls.len()).collect();
        let mut run = Vec::with_capacity(steps.len());
        for (mut step, moved) in steps {
            step.thread = places[step.thread];
            run.push(step);
            if let Some(moved) = moved {
                places = moved
                    .iter()
                    .map(|before| places[usize::from(*before)])
                    .collect();
            }
        }
        let mut names: Vec<usize> = (0..places.len()).collect();
        for (role, thread) in cast {
            let at = names.iter().position(|name| name == role);
            names.swap(places[*thread], at.unwrap_or(*role));
        }
        for step in &mut run {
            step.thread = names[step.thread];
        }
        let mut controls = last.controls.clone();
        for (place, control) in places.iter().zip(&last.controls) {
            controls[names[*place]] = *control;
        }
        (run, controls)
    }
}
