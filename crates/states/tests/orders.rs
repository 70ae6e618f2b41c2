//! Memory orders of C11 keep under every model what they promise, and no more.

mod reading;

use answer::Verdict;
use memory::Model;
use program::Program;
use reading::{both_machines, printed, run};
use states::Options;

/// Store buffering with these orders.
fn store_buffering(store: &str, load: &str) -> Program {
    let thread = |name: &str, mine: &str, other: &str| {
        format!(
            "fn {name}() {{\nregister r: i32\nentry:\nstore i32 {store} &{mine}, 1\n\
             r = load i32 {load} &{other}\nreturn\n}}\n"
        )
    };
    printed(&format!(
        "object x: i32 = 0\nobject y: i32 = 0\n{}{}thread 0: P0 runs P0\nthread 1: P1 runs P1\n\
         observe 0:r\nobserve 1:r\nexists 0:r=0 /\\ 1:r=0\n",
        thread("P0", "x", "y"),
        thread("P1", "y", "x"),
    ))
}

/// Message passing with these orders.
fn message_passing(store: &str, load: &str) -> Program {
    printed(&format!(
        "object data: i32 = 0\nobject flag: i32 = 0\n\
         fn P0() {{\nentry:\nstore i32 &data, 1\nstore i32 {store} &flag, 1\nreturn\n}}\n\
         fn P1() {{\nregister r, s: i32\nentry:\nr = load i32 {load} &flag\n\
         s = load i32 &data\nreturn\n}}\n\
         thread 0: P0 runs P0\nthread 1: P1 runs P1\nobserve 1:r\nobserve 1:s\n\
         exists 1:r=1 /\\ 1:s=0\n"
    ))
}

/// The models that allow what the condition asks for, on either machine.
fn allowing(program: &Program) -> Vec<Model> {
    let allows = |model: &Model| {
        let verdicts = both_machines(&Options::default());
        let [first, second] = verdicts.map(|options| run(program, *model, &options).verdict);
        assert_eq!(first, second);
        first == Verdict::Holds
    };
    Model::MACHINES.into_iter().filter(allows).collect()
}

#[test]
fn only_sequential_consistency_forbids_store_buffering() {
    let weak = [Model::Tso, Model::Pso, Model::Rmo];
    assert_eq!(allowing(&store_buffering("relaxed", "relaxed")), weak);
    assert_eq!(allowing(&store_buffering("release", "acquire")), weak);
    assert_eq!(allowing(&store_buffering("seq_cst", "seq_cst")), []);
}

#[test]
fn release_and_acquire_pass_messages() {
    let relaxed = message_passing("relaxed", "relaxed");
    assert_eq!(allowing(&relaxed), [Model::Pso, Model::Rmo]);
    assert_eq!(
        allowing(&message_passing("release", "relaxed")),
        [Model::Rmo]
    );
    let acquired = message_passing("relaxed", "acquire");
    assert_eq!(allowing(&acquired), [Model::Pso, Model::Rmo]);
    assert_eq!(allowing(&message_passing("release", "acquire")), []);
    assert_eq!(allowing(&message_passing("seq_cst", "seq_cst")), []);
}
