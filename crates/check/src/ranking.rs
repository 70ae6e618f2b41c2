//! Whose answer counts when several engines work on one question.
//!
//! Answers must not depend on time: the same question has the same verdict and shows the same execution on a slow machine
//! and a fast one, with any number of workers. Verdicts agree anyway, since engines are sound. Executions do not: each engine
//! finds another one. So answers are ranked by **work**, not by time. Every engine counts its work in a unit of its
//! own, in a way that depends neither on its workers nor on pauses ([`Progress::work`](control::Progress)): events, states and their
//! successors, looks of the solver at its limits. Work comes in *tiers*, each as large as all before it. The answer that
//! counts is that of the lowest tier, and within a tier that of the engine that is first in the portfolio's order.
//!
//! An answer that shows something therefore waits for engines that could still come before it: until they have passed
//! its tier, or end. Units are chosen such that engines pass tiers at about the same speed on most programs, so that
//! an answer waits for about as long as it took, at most. An answer that shows nothing does not wait.
//!
//! Not guaranteed: on a program on which one engine passes its tiers many times slower than another, the portfolio
//! gives up waiting (`portfolio::patience`), and then the answer that is there counts.

use answer::Engine;

/// Milliseconds of the first tier, at the usual pace of an engine.
const FIRST_TIER: u64 = 16;

/// How far an engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Its tier now, or when it ended.
    pub tier: u32,
    /// What it has come to.
    pub state: State,
}

/// What an engine has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is at work, or will be.
    Working,
    /// It has an answer that would do.
    Answered,
    /// It has ended without one.
    Out,
}

/// The tier of an engine that has done this work.
pub(crate) fn tier(engine: Engine, process: bool, work: u64) -> u32 {
    let first = FIRST_TIER * pace(engine, process);
    work.checked_div(first).map_or(0, |times| match times {
        0 => 0,
        times => 1 + times.ilog2(),
    })
}

/// Work that an engine usually does in a millisecond, in its unit.
fn pace(engine: Engine, process: bool) -> u64 {
    match engine {
        // Events.
        Engine::Explore | Engine::Monitor => 250,
        // States and successors of C programs; states of litmus tests.
        Engine::States if process => 60,
        Engine::States => 5_000,
        // Looks at the limits.
        Engine::Sat => 10,
        Engine::Prove | Engine::None => 1,
    }
}

/// The answer that counts, given how far engines are, in the order of the portfolio: its index. If others could still come
/// before it, their indices.
pub(crate) fn rank(standings: &[Standing]) -> Option<(usize, Vec<usize>)> {
    let order = |index: usize| (standings[index].tier, index);
    let are = |state| {
        let indices = 0..standings.len();
        indices.filter(move |&index| standings[index].state == state)
    };
    let first = are(State::Answered).min_by_key(|&index| order(index))?;
    let before = are(State::Working).filter(|&index| order(index) < order(first));
    Some((first, before.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tier_is_as_large_as_all_before_it() {
        let tiers = [0, 3_999, 4_000, 7_999, 8_000, 16_000];
        let tiers = tiers.map(|work| tier(Engine::Explore, true, work));
        assert_eq!(tiers, [0, 0, 1, 1, 2, 3]);
        assert_eq!(tier(Engine::Sat, true, u64::MAX), 57);
    }

    /// Engines that come to an answer, or give up, after this many tiers.
    struct Simulated {
        ends: u32,
        answers: bool,
    }

    /// Whose answer counts if engines advance as `speeds` say, in tiers for each step.
    fn winner(engines: &[Simulated], speeds: &[u32]) -> Option<usize> {
        for step in 0.. {
            let standing = |(engine, speed): (&Simulated, &u32)| {
                let reached = step * speed;
                Standing {
                    tier: reached.min(engine.ends),
                    state: match (reached >= engine.ends, engine.answers) {
                        (false, _) => State::Working,
                        (true, true) => State::Answered,
                        (true, false) => State::Out,
                    },
                }
            };
            let standings: Vec<Standing> = engines.iter().zip(speeds).map(standing).collect();
            match rank(&standings) {
                Some((first, before)) if before.is_empty() => return Some(first),
                None if standings.iter().all(|s| s.state == State::Out) => return None,
                _ => {}
            }
        }
        None
    }

    /// The answer that counts is the same however fast engines are.
    #[test]
    fn speed_does_not_matter() {
        for ends in 0..6u32.pow(3) {
            for answers in 0..8u32 {
                let engines = [0, 1, 2].map(|index| Simulated {
                    ends: ends / 6u32.pow(index) % 6,
                    answers: answers >> index & 1 == 1,
                });
                let expected = winner(&engines, &[1, 1, 1]);
                for speeds in [[1, 2, 3], [3, 2, 1], [1, 50, 1], [50, 1, 7], [1, 1, 50]] {
                    assert_eq!(winner(&engines, &speeds), expected, "{ends} {answers}");
                }
            }
        }
    }

    #[test]
    fn earlier_engines_come_first_within_a_tier() {
        let answered = |tier| Standing {
            tier,
            state: State::Answered,
        };
        let working = |tier| Standing {
            tier,
            state: State::Working,
        };
        assert_eq!(rank(&[working(2), working(2)]), None);
        assert_eq!(rank(&[answered(2), answered(2)]), Some((0, vec![])));
        assert_eq!(rank(&[answered(2), answered(1)]), Some((1, vec![])));
        assert_eq!(rank(&[working(2), answered(2)]), Some((1, vec![0])));
        assert_eq!(rank(&[working(3), answered(2)]), Some((1, vec![])));
        assert_eq!(rank(&[answered(2), working(2)]), Some((0, vec![])));
        assert_eq!(rank(&[answered(2), working(1)]), Some((0, vec![1])));
    }
}
