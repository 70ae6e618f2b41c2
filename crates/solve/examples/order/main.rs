//! How long searches take when the order is a theory, and when it is clauses.
//!
//! The problems look like programs under sequential consistency: threads of loads and stores,
//! where each load may read from a few stores: from the one that it reads from in a random
//! interleaving, and from those that come shortly before or after it. Every third load may not
//! read from the right one. The output says how many of the programs have no execution.
//!
//! `cargo run --release --example order -p fencepost-solve`

mod fibonacci;

use fastrand::Rng;
use fibonacci::fibonacci;
use solve::sat::{Answer, Lit, Node, OrderBy, Solver, never};
use std::time::{Duration, Instant};

/// The shape of a random program.
#[derive(Clone, Copy)]
struct Shape {
    threads: usize,
    accesses: usize,
    locations: usize,
    /// How far each load may look before and after the store that it should read from.
    slack: usize,
}

/// A load or store of a location.
struct Access {
    node: Node,
    location: usize,
    stores: bool,
}

/// A random program and which literal makes a load read from a store.
struct Program {
    solver: Solver,
    reads: Vec<Vec<Lit>>,
}

fn accesses(solver: &mut Solver, shape: Shape, random: &mut Rng) -> Vec<Access> {
    let starts = (0..shape.locations).map(|location| Access {
        node: solver.node(),
        location,
        stores: true,
    });
    let mut accesses: Vec<Access> = starts.collect();
    for _ in 0..shape.threads {
        for at in 0..shape.accesses {
            let access = Access {
                node: solver.node(),
                location: random.usize(..shape.locations),
                stores: random.usize(..5) < 2,
            };
            let before = if at == 0 {
                0..shape.locations
            } else {
                accesses.len() - 1..accesses.len()
            };
            before.for_each(|before| solver.edge(accesses[before].node, access.node, &[]));
            accesses.push(access);
        }
    }
    accesses
}

fn program(order: OrderBy, shape: Shape, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let mut solver = Solver::new(order);
    let accesses = accesses(&mut solver, shape, &mut random);
    let interleaving = interleaving(shape, &mut random);
    let mut reads = Vec::new();
    for location in 0..shape.locations {
        let here = || {
            interleaving
                .iter()
                .map(|&at| &accesses[at])
                .filter(|a| a.location == location)
        };
        let stores: Vec<Node> = here()
            .filter(|access| access.stores)
            .map(|a| a.node)
            .collect();
        let before = coherence(&mut solver, &stores);
        let mut stored: usize = 0;
        for access in here() {
            if access.stores {
                stored += 1;
                continue;
            }
            let from = load_from(&mut solver, access.node, &stores, &before);
            let near =
                stored.saturating_sub(1 + shape.slack)..(stored + shape.slack).min(from.len());
            solver.clause(&from[near]);
            if reads.len() % 3 == 2 {
                solver.clause(&[!from[stored - 1]]);
            }
            reads.push(from);
        }
    }
    Program { solver, reads }
}

/// The accesses in the order of a random interleaving.
fn interleaving(shape: Shape, random: &mut Rng) -> Vec<usize> {
    let mut done = vec![0; shape.threads];
    let mut interleaving: Vec<usize> = (0..shape.locations).collect();
    while interleaving.len() < shape.locations + shape.threads * shape.accesses {
        let thread = random.usize(..shape.threads);
        if done[thread] < shape.accesses {
            interleaving.push(shape.locations + thread * shape.accesses + done[thread]);
            done[thread] += 1;
        }
    }
    interleaving
}

/// Puts the stores of a location in order.
fn coherence(solver: &mut Solver, stores: &[Node]) -> Vec<Vec<Lit>> {
    let mut before = vec![vec![Lit::TRUE; stores.len()]; stores.len()];
    for second in 0..stores.len() {
        for first in 0..second {
            let lit = if first == 0 {
                Lit::TRUE
            } else {
                solver.variable()
            };
            (before[first][second], before[second][first]) = (lit, !lit);
            solver.edge(stores[first], stores[second], &[lit]);
            solver.edge(stores[second], stores[first], &[!lit]);
        }
    }
    before
}

/// Lets a load read from exactly one store.
fn load_from(solver: &mut Solver, load: Node, stores: &[Node], before: &[Vec<Lit>]) -> Vec<Lit> {
    let reads: Vec<Lit> = stores.iter().map(|_| solver.variable()).collect();
    solver.clause(&reads);
    for (from, &read) in reads.iter().enumerate() {
        solver.edge(stores[from], load, &[read]);
        for other in (0..stores.len()).filter(|&other| other != from) {
            solver.edge(load, stores[other], &[read, before[from][other]]);
        }
        reads[..from]
            .iter()
            .for_each(|&other| solver.clause(&[!read, !other]));
    }
    reads
}

/// Solves some programs and prints the time it takes.
fn measure(shape: Shape, order: OrderBy, programs: u64) -> Vec<Answer> {
    let (mut setup, mut search) = (Duration::ZERO, Duration::ZERO);
    let (mut conflicts, mut lemmas) = (0, 0);
    let mut answers = Vec::new();
    for seed in 0..programs {
        let start = Instant::now();
        let mut program = program(order, shape, seed);
        setup += start.elapsed();
        let start = Instant::now();
        answers.push(program.solver.solve(&[], &never()));
        search += start.elapsed();
        let statistics = program.solver.statistics();
        conflicts += statistics.conflicts;
        lemmas += statistics.lemmas;
    }
    let refuted = answers
        .iter()
        .filter(|&&answer| answer == Answer::Unsatisfiable)
        .count();
    let events = shape.threads * shape.accesses;
    println!(
        "{events:>5} events, slack {}, {:>9}: set up {setup:>9.1?}, search {search:>9.1?}, {refuted}/{programs} refuted, {conflicts} conflicts, {lemmas} lemmas",
        shape.slack,
        format!("{order:?}"),
    );
    answers
}

/// Asks one program about one load after the other, and prints the time per question.
fn questions(shape: Shape, order: OrderBy) {
    let mut program = program(order, shape, 1);
    let stop = never();
    program.solver.solve(&[], &stop);
    let (start, mut asked) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_millis(500) {
        for from in &program.reads {
            program.solver.solve(&[from[asked % from.len()]], &stop);
            asked += 1;
        }
    }
    let each = start.elapsed() / asked as u32;
    let events = shape.threads * shape.accesses;
    println!("{events:>5} events, {order:?}: {each:.1?} per question");
}

/// The time of a question about a problem with one variable.
fn trivial(order: OrderBy) {
    let mut solver = Solver::new(order);
    let nodes = [solver.node(), solver.node()];
    let lit = solver.variable();
    solver.edge(nodes[0], nodes[1], &[lit]);
    solver.edge(nodes[1], nodes[0], &[!lit]);
    let stop = never();
    let (start, asked) = (Instant::now(), 20_000);
    for turn in 0..asked {
        solver.solve(&[if turn % 2 == 0 { lit } else { !lit }], &stop);
    }
    println!(
        "one variable, {order:?}: {:.2?} per question",
        start.elapsed() / asked
    );
}

/// Prints how long it takes to find the largest number, and that there is no larger one.
fn additions(order: OrderBy, rounds: usize) {
    for (larger, expected) in [(false, Answer::Satisfiable), (true, Answer::Unsatisfiable)] {
        let start = Instant::now();
        let (answer, solver) = fibonacci(order, rounds, larger);
        assert_eq!(answer, expected);
        let (took, statistics) = (start.elapsed(), solver.statistics());
        println!(
            "{rounds} additions each, {order:?}: {answer:?} in {took:.1?}, {} conflicts, {} lemmas",
            statistics.conflicts, statistics.lemmas
        );
    }
}

fn main() {
    let orders = [OrderBy::Theory, OrderBy::Conflicts, OrderBy::Clauses];
    orders.into_iter().for_each(trivial);
    for rounds in [2, 3, 4, 5] {
        orders
            .into_iter()
            .for_each(|order| additions(order, rounds));
    }
    let shape = |threads, accesses, locations, slack| Shape {
        threads,
        accesses,
        locations,
        slack,
    };
    for accesses in [5, 15, 30, 50] {
        orders
            .into_iter()
            .for_each(|order| questions(shape(4, accesses, 6, 99), order));
    }
    for (threads, accesses, locations) in [(4, 15, 6), (4, 30, 8), (4, 50, 10)] {
        for slack in [1, 2, 3, 4] {
            let shape = shape(threads, accesses, locations, slack);
            let answers = orders.map(|order| measure(shape, order, 5));
            assert!(
                answers.iter().all(|other| *other == answers[0]),
                "different answers"
            );
        }
    }
}
