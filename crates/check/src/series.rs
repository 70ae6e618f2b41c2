//! A series of searches, each with one preemption more than the one before.

use crate::engines::Explore;
use crate::events::{Event, Listener};
use answer::{Bound, ModelResult, Verdict};
use std::time::{Duration, Instant};

/// Explores from `first` preemptions on, within the time of `exploration`, and reports each bound.
pub(crate) fn explore_series<E>(
    exploration: &Explore,
    listener: &Listener,
    first: u32,
    explore: impl Fn(&Explore) -> Result<ModelResult, E>,
) -> Result<ModelResult, E> {
    let mut options = exploration.clone();
    let result = series(first, exploration.control.max_time, |most, left| {
        options.preemptions = Some(most);
        options.control.max_time = left;
        let result = explore(&options)?;
        listener.tell(Event::Bounded {
            preemptions: most,
            result: &result,
        });
        Ok(result)
    });
    listener.tell(Event::SeriesEnded);
    result
}

/// Searches from `first` preemptions on, until something is wrong or nothing is left out.
///
/// `search` is given the bound and what is left of the time. The result is that of the last
/// search, unless that one was stopped: then it is that of the one before, if there is one.
fn series<E>(
    first: u32,
    time: Option<Duration>,
    mut search: impl FnMut(u32, Option<Duration>) -> Result<ModelResult, E>,
) -> Result<ModelResult, E> {
    let started = Instant::now();
    let mut before = None;
    let mut most = first;
    loop {
        let left = match before {
            None => time,
            Some(_) => time.map(|time| time.saturating_sub(started.elapsed())),
        };
        let result = search(most, left)?;
        // What does not end does so with more preemptions as well.
        let ends = |bound: &Bound| bound.stops_search() || matches!(bound, Bound::Events(_));
        let stopped = result.bounds.iter().any(ends);
        let over = time.is_some_and(|time| started.elapsed() >= time);
        let bounded = result.bounds.contains(&Bound::Preemptions(most));
        if result.verdict == Verdict::Violated {
            return Ok(result);
        }
        if stopped {
            return Ok(before.unwrap_or(result));
        }
        if !bounded || over {
            return Ok(result);
        }
        before = Some(result);
        most += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn result(verdict: Verdict, bounds: &[Bound]) -> ModelResult {
        ModelResult {
            verdict,
            bounds: bounds.to_vec(),
            ..ModelResult::undecided(memory::Model::Tso, answer::Engine::Explore)
        }
    }

    /// The result of a series of searches that leave something out before this bound, where
    /// they come to something else; and how many there were.
    fn found(first: u32, last: u32, verdict: Verdict, bounds: &[Bound]) -> (ModelResult, u32) {
        let mut searches = 0;
        let result = series::<Infallible>(first, None, |most, _| {
            searches += 1;
            Ok(match most == last {
                true => result(verdict, bounds),
                false => result(Verdict::Holds, &[Bound::Preemptions(most)]),
            })
        });
        let Ok(result) = result;
        (result, searches)
    }

    #[test]
    fn it_ends_when_nothing_is_left_out() {
        let (result, searches) = found(0, 3, Verdict::Holds, &[]);
        assert_eq!((result.bounds.len(), searches), (0, 4));
        let (_, searches) = found(2, 3, Verdict::Holds, &[Bound::Values(4)]);
        assert_eq!(searches, 2);
    }

    #[test]
    fn it_ends_at_a_violation() {
        let bounds = [Bound::Preemptions(2)];
        let (result, searches) = found(0, 2, Verdict::Violated, &bounds);
        assert_eq!((result.verdict, searches), (Verdict::Violated, 3));
    }

    #[test]
    fn a_search_that_is_stopped_leaves_the_result_before() {
        let bounds = [Bound::Preemptions(2), Bound::Interrupted(5)];
        let (result, searches) = found(0, 2, Verdict::Undecided, &bounds);
        assert_eq!((result.verdict, searches), (Verdict::Holds, 3));
        assert_eq!(result.bounds, [Bound::Preemptions(1)]);
        let (result, _) = found(2, 2, Verdict::Undecided, &bounds);
        assert_eq!(result.verdict, Verdict::Undecided);
    }

    #[test]
    fn time_is_that_of_all_searches() {
        let most = Duration::from_secs(60);
        let mut times = Vec::new();
        let result = series::<Infallible>(0, Some(most), |bound, left| {
            times.extend(left);
            Ok(match bound {
                0 => result(Verdict::Holds, &[Bound::Preemptions(0)]),
                _ => result(Verdict::Holds, &[]),
            })
        });
        assert!(result.is_ok());
        assert!(times.len() == 2 && times[0] == most && times[1] <= most);
    }
}
