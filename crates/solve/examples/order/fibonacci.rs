//! Two threads that add two shared numbers to each other: `i += j` and `j += i`, some times each.
//!
//! The largest value that `i` or `j` can reach is a Fibonacci number. To prove that none is
//! larger, a solver has to go through all interleavings in its own way (as in `fib_bench` of the
//! SV-COMP programs).

use solve::sat::{Answer, Lit, Node, OrderBy, Solver, never};

const BITS: usize = 10;

type Word = Vec<Lit>;

/// A store and the word that it stores.
struct Store {
    node: Node,
    word: Word,
}

/// Asks whether a number can become larger than the largest one, or just that large.
pub fn fibonacci(order: OrderBy, rounds: usize, larger: bool) -> (Answer, Solver) {
    let mut solver = Solver::new(order);
    let start = solver.node();
    let one = |place: usize| if place == 0 { Lit::TRUE } else { Lit::FALSE };
    let mut stores: Vec<Vec<Store>> = Vec::new();
    for _ in 0..2 {
        let word = (0..BITS).map(one).collect();
        stores.push(vec![Store { node: start, word }]);
    }
    let mut loads: Vec<Vec<(Node, Word)>> = vec![Vec::new(), Vec::new()];
    for (thread, stores) in stores.iter_mut().enumerate() {
        let mut last = start;
        for _ in 0..rounds {
            let words = [thread, 1 - thread].map(|number| {
                let node = next(&mut solver, &mut last);
                let word: Word = (0..BITS).map(|_| solver.variable()).collect();
                loads[number].push((node, word.clone()));
                word
            });
            let word = sum(&mut solver, &words[0], &words[1]);
            let node = next(&mut solver, &mut last);
            stores.push(Store { node, word });
        }
    }
    for number in 0..2 {
        read(&mut solver, &stores[number], &loads[number]);
    }
    let limit = largest(rounds) + usize::from(larger);
    let reached: Vec<Lit> = (0..2)
        .map(|number| {
            let last = &stores[number][rounds].word.clone();
            at_least(&mut solver, last, limit)
        })
        .collect();
    solver.clause(&reached);
    (solver.solve(&[], &never()), solver)
}

/// The next event of a thread.
fn next(solver: &mut Solver, last: &mut Node) -> Node {
    let node = solver.node();
    solver.edge(*last, node, &[]);
    *last = node;
    node
}

/// The largest number that can be reached.
fn largest(rounds: usize) -> usize {
    let (mut first, mut second) = (1, 1);
    for _ in 0..rounds {
        first += second;
        second += first;
    }
    second
}

/// Lets each load read from one store. All stores of a number are by one thread, in order.
fn read(solver: &mut Solver, stores: &[Store], loads: &[(Node, Word)]) {
    for (load, word) in loads {
        let reads: Vec<Lit> = stores.iter().map(|_| solver.variable()).collect();
        solver.clause(&reads);
        for (from, store) in stores.iter().enumerate() {
            solver.edge(store.node, *load, &[reads[from]]);
            if let Some(after) = stores.get(from + 1) {
                solver.edge(*load, after.node, &[reads[from]]);
            }
            for (&stored, &loaded) in store.word.iter().zip(word) {
                solver.clause(&[!reads[from], !stored, loaded]);
                solver.clause(&[!reads[from], stored, !loaded]);
            }
        }
    }
}

fn sum(solver: &mut Solver, left: &[Lit], right: &[Lit]) -> Word {
    let mut carry = Lit::FALSE;
    let mut word = Word::new();
    for (&left, &right) in left.iter().zip(right) {
        let (bit, next) = (solver.variable(), solver.variable());
        for ones in 0..8 {
            let set = |at: usize, lit: Lit| if ones >> at & 1 == 1 { !lit } else { lit };
            let inputs = [set(0, left), set(1, right), set(2, carry)];
            let count = (ones as u32).count_ones();
            let clause = |out: Lit, value: bool| {
                [
                    inputs[0],
                    inputs[1],
                    inputs[2],
                    if value { out } else { !out },
                ]
            };
            solver.clause(&clause(bit, count % 2 == 1));
            solver.clause(&clause(next, count >= 2));
        }
        word.push(bit);
        carry = next;
    }
    word
}

/// Whether a word is as large as a number.
fn at_least(solver: &mut Solver, word: &[Lit], number: usize) -> Lit {
    let mut reached = Lit::TRUE;
    for (place, &bit) in word.iter().enumerate() {
        let next = solver.variable();
        match number >> place & 1 == 1 {
            true => [vec![!next, bit], vec![!next, reached]],
            false => [vec![!next, bit, reached], vec![]],
        }
        .iter()
        .filter(|clause| !clause.is_empty())
        .for_each(|clause| solver.clause(clause));
        reached = next;
    }
    reached
}
