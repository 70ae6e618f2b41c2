//! The monitor agrees with the definitions read literally, and with machines that have store buffers.
//!
//! `FENCEPOST_CASES=50000 cargo test --release -p fencepost-explore --test monitor` tries more programs,
//! and `FENCEPOST_SEED` makes others.

mod buffers;
mod clocks;
mod known;
mod long;
mod naive;
mod shuffled;
mod sketch;
mod wide;

use memory::Model;
use monitor::Monitor;
use program::LogEvent;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use sketch::{Sketch, sketches};
use std::fmt::Debug;

const MODELS: [Model; 2] = [Model::Tso, Model::Pso];

fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Checks random values, and shrinks the first that something is wrong with.
fn for_all<S: Strategy>(values: &S, cases: u32, check: impl Fn(&S::Value) -> Result<(), String>)
where
    S::Value: Debug,
{
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&asked("FENCEPOST_SEED").unwrap_or(1).to_le_bytes());
    let config = Config {
        cases: asked("FENCEPOST_CASES").map_or(cases, |cases| cases as u32),
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, random);
    let outcome = runner.run(values, |value| check(&value).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Programs with one of their interleavings.
fn interleavings(most: usize) -> impl Strategy<Value = (Sketch, Vec<LogEvent>)> {
    let choices = proptest::collection::vec(any::<prop::sample::Index>(), 1..24);
    (sketches(most, 3), choices).prop_map(|(sketch, choices)| {
        let events = sketch.interleaving(&choices);
        (sketch, events)
    })
}

fn monitored(model: Model, events: &[LogEvent]) -> Vec<(u32, u32)> {
    let mut monitor = Monitor::new(model).expect("a model with store buffers");
    let found = events.iter().filter_map(|event| monitor.event(event));
    let found = found
        .map(|point| (point.event.line, point.write.line))
        .collect();
    assert_eq!(monitor.forgotten(), 0);
    found
}

#[test]
fn the_monitor_finds_what_its_definition_finds() {
    for_all(&interleavings(12), 10_000, |(_, events)| {
        for model in MODELS {
            let (found, expected) = (monitored(model, events), naive::monitor(model, events));
            if found != expected {
                return Err(format!(
                    "{model}: {found:?} instead of {expected:?}: {events:#?}"
                ));
            }
        }
        Ok(())
    });
}

/// Whatever TSO lets a load miss, PSO lets it miss as well.
#[test]
fn what_is_borderline_under_tso_is_so_under_pso() {
    for_all(&interleavings(12), 10_000, |(_, events)| {
        let (tso, pso) = (monitored(Model::Tso, events), monitored(Model::Pso, events));
        match tso.iter().all(|point| pso.contains(point)) {
            true => Ok(()),
            false => Err(format!("{tso:?} but {pso:?}: {events:#?}")),
        }
    });
}

/// Soundness and completeness: some interleaving is borderline exactly if a machine with store buffers has
/// a trace that sequential consistency does not have.
#[test]
fn some_interleaving_is_borderline_exactly_if_store_buffers_show() {
    for model in MODELS {
        for_all(&sketches(4, 3), 1500, |sketch| agrees(sketch, model));
        for_all(&sketches(3, 2), 1500, |sketch| agrees(sketch, model));
    }
}

fn agrees(sketch: &Sketch, model: Model) -> Result<(), String> {
    let expected = buffers::has_other_trace(sketch, model);
    let found = sketch.interleavings(&mut |events| !monitored(model, events).is_empty());
    match found == expected {
        true => Ok(()),
        false => Err(format!(
            "{model}: borderline {found}, other traces {expected}"
        )),
    }
}
