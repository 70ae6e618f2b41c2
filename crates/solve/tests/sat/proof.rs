//! Certificates as text.

use crate::sketch::{Built, Part};
use solve::sat::{Answer, OrderBy, Solver, never};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Keeps what is written where the test can read it.
#[derive(Clone, Default)]
struct Paper(Rc<RefCell<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The certificate of a problem, if it has no model.
pub fn proof(order: OrderBy, state: impl FnOnce(&mut Solver)) -> Option<String> {
    let paper = Paper::default();
    let about = ["a test".to_owned(), "in two\nor three lines".to_owned()];
    let mut solver = Solver::with_certificate(order, &[], &about, Box::new(paper.clone()));
    state(&mut solver);
    let answer = solver.solve(&[], &never());
    solver.finish_certificate().expect("paper takes everything");
    let text = String::from_utf8(paper.0.borrow().clone()).expect("a text");
    (answer == Answer::Unsatisfiable).then_some(text)
}

/// The certificate of a sketch, if it has no model.
pub fn proof_of(order: OrderBy, parts: &[Part]) -> Option<String> {
    proof(order, |solver| {
        let mut built = Built::of(std::mem::replace(solver, Solver::new(order)));
        parts.iter().for_each(|part| built.add(part));
        *solver = built.solver;
    })
}
