//! Three roads to whether store buffers show anything that SC does not: the monitor on executions
//! of SC, the number of traces, and a cycle in one of them.

use super::sketch::{Shape, Sketch};
use super::{ACCESSES, CHECKS, LOCKS, OBJECTS, SECTIONS, SLEEPS, for_all, same, text};
use answer::ModelResult;
use control::Control;
use explore::{NonSequential, Options};
use memory::Model;
use program::Program;

/// Programs with more executions than this are passed over.
const MOST_EXECUTIONS: u64 = 20_000;

fn explore(program: &Program, model: Model, monitor: bool) -> Option<ModelResult> {
    let options = Options {
        control: Control::default().with_states(Some(MOST_EXECUTIONS)),
        all: true,
        monitor,
        robust: NonSequential::ReportOnly,
        ..Options::default()
    };
    let result = explore::run(program, model, &options).ok()?;
    let stopped = result.bounds.iter().any(|bound| bound.stops_search());
    (!stopped).then_some(result)
}

fn three_roads_agree(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    let Some(sc) = explore(&program, Model::Sc, false) else {
        return Ok(());
    };
    let all = |result: &ModelResult| result.counts.executions + result.counts.blocked;
    for model in [Model::Tso, Model::Pso] {
        let Some(buffered) = explore(&program, model, false) else {
            continue;
        };
        let Some(monitored) = explore(&program, model, true) else {
            return Err(format!("{model}: not monitored"));
        };
        let cyclic = buffered.counts.not_sequential > 0;
        same(model, "more traces", all(&buffered) > all(&sc), cyclic)?;
        same(model, "borderline", monitored.counts.borderline > 0, cyclic)?;
        same(model, "traces of SC", all(&monitored), all(&sc))?;
    }
    Ok(())
}

const AWAITS: Shape = Shape {
    awaits: true,
    ..ACCESSES
};

#[test]
fn three_roads_to_robustness_agree() {
    for_all(ACCESSES, 50, three_roads_agree);
    for_all(OBJECTS, 25, three_roads_agree);
    for_all(LOCKS, 25, three_roads_agree);
    for_all(SLEEPS, 10, three_roads_agree);
    for_all(SECTIONS, 10, three_roads_agree);
    for_all(CHECKS, 10, three_roads_agree);
    for_all(AWAITS, 25, three_roads_agree);
}
