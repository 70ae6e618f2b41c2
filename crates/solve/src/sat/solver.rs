//! The solver.

use super::edge::{Edge, Node};
use super::lit::Lit;
use super::options::OPTIONS;
use super::ranking::rank;
use super::recorder::Recorder;
use super::statistics::Statistics;
use super::theory::Theory;
use super::transitivity::Transitivity;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// What keeps the order acyclic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OrderBy {
    /// A theory that watches the search.
    Theory,
    /// The same theory, which finds conflicts but does not set literals. For comparison.
    Conflicts,
    /// Clauses for each three nodes. Slow, for comparison.
    Clauses,
}

/// What is known about a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// It has a model.
    Satisfiable,
    /// It has no model.
    Unsatisfiable,
    /// The search was told to stop.
    Stopped,
}

/// Asked now and then whether to stop a search.
pub type Stop = Rc<dyn Fn() -> bool>;

/// Lets a search run to its end.
pub fn never() -> Stop {
    Rc::new(|| false)
}

/// What the solver can be asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Changed,
    Satisfiable,
    Unsatisfiable,
    /// One of the assumptions was the constant false.
    AssumedFalse,
}

enum Order {
    Theory(Rc<RefCell<Theory>>),
    Clauses(Transitivity),
}

/// A problem of clauses and one acyclic order, and the search for its models.
///
/// More can be added to the problem after each answer.
pub struct Solver {
    cadical: RefCell<CaDiCal>,
    order: Order,
    recorder: Option<Rc<RefCell<Recorder>>>,
    stop: Rc<RefCell<Stop>>,
    state: State,
    variables: u32,
    /// The variables up to here stay as they are.
    frozen: u32,
    clauses: u64,
    numbers: Vec<i32>,
}

/// Passes the question whether to stop on to whoever solves.
struct Asker(Rc<RefCell<Stop>>);

impl Terminator for Asker {
    fn terminated(&mut self) -> bool {
        self.0.borrow()()
    }
}

impl Solver {
    /// An empty problem.
    pub fn new(order: OrderBy) -> Solver {
        Solver::create(order, None)
    }

    /// An empty problem whose proof is written to a sink if it turns out to have no model.
    ///
    /// The `subject` says by names and values, each one line, what is proved, the lines of `about`
    /// in words. Such a problem can be solved once, without assumptions.
    pub fn with_certificate(
        order: OrderBy,
        subject: &[(String, String)],
        about: &[String],
        sink: Box<dyn Write>,
    ) -> Solver {
        Solver::create(order, Some(Recorder::new(subject, about, sink)))
    }

    fn create(order: OrderBy, recorder: Option<Recorder>) -> Solver {
        let mut cadical = CaDiCal::new();
        for (name, value) in OPTIONS {
            assert!(cadical.set(name, value), "CaDiCaL has no option {name}");
        }
        let recorder = recorder.map(|recorder| Rc::new(RefCell::new(recorder)));
        if let Some(recorder) = &recorder {
            cadical.connect_proof_tracer1(recorder.clone(), true, false);
        }
        let order = match order {
            OrderBy::Clauses => Order::Clauses(Transitivity::default()),
            OrderBy::Theory | OrderBy::Conflicts => {
                let theory = Theory::new(order == OrderBy::Theory, recorder.clone());
                let theory = Rc::new(RefCell::new(theory));
                cadical.connect_external_propagator(theory.clone());
                Order::Theory(theory)
            }
        };
        let stop = Rc::new(RefCell::new(never()));
        cadical.connect_terminator(Asker(stop.clone()));
        Solver {
            cadical: RefCell::new(cadical),
            order,
            recorder,
            stop,
            state: State::Changed,
            variables: Lit::TRUE.variable(),
            frozen: Lit::TRUE.variable(),
            clauses: 0,
            numbers: Vec::new(),
        }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::of(self.variables)
    }

    /// Asks for one of some literals to be true.
    pub fn clause(&mut self, literals: &[Lit]) {
        if literals.contains(&Lit::TRUE) {
            return;
        }
        self.change();
        let open = literals.iter().filter(|&&lit| lit != Lit::FALSE);
        self.numbers.clear();
        self.numbers.extend(open.map(|lit| lit.number()));
        self.clauses += 1;
        let cadical = self.cadical.get_mut();
        match self.numbers.is_empty() {
            true => cadical.add(0),
            false => cadical.clause6(&self.numbers),
        }
    }

    /// A new node of the order.
    pub fn node(&mut self) -> Node {
        self.change();
        match &mut self.order {
            Order::Theory(theory) => Node(theory.borrow_mut().node()),
            Order::Clauses(transitivity) => {
                let variables = &mut self.variables;
                let (node, clauses) = transitivity.node(|| {
                    *variables += 1;
                    Lit::of(*variables)
                });
                clauses.iter().for_each(|clause| self.clause(clause));
                Node(node)
            }
        }
    }

    /// Says that one node comes before another whenever all of `when` are true: up to two
    /// literals that are not constant.
    pub fn edge(&mut self, from: Node, to: Node, when: &[Lit]) {
        let Some(edge) = Edge::new(from, to, when) else {
            return;
        };
        self.change();
        match &mut self.order {
            Order::Clauses(transitivity) => {
                let clause = transitivity.edge(edge);
                self.clause(&clause);
            }
            Order::Theory(theory) => {
                let when = edge.when();
                theory.borrow_mut().edge(edge);
                let cadical = self.cadical.get_mut();
                when.for_each(|lit| cadical.add_observed_var(Lit::of(lit.variable()).number()));
            }
        }
    }

    /// Looks for a model in which the assumptions are true as well.
    pub fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answer {
        self.begin_certificate(assumptions);
        self.state = State::Changed;
        if assumptions.contains(&Lit::FALSE) {
            self.state = State::AssumedFalse;
            return Answer::Unsatisfiable;
        }
        if stop() {
            return Answer::Stopped;
        }
        *self.stop.borrow_mut() = stop.clone();
        self.freeze();
        let cadical = self.cadical.get_mut();
        for lit in assumptions.iter().filter(|&&lit| lit != Lit::TRUE) {
            cadical.assume(lit.number());
        }
        match cadical.solve() {
            Status::SATISFIABLE => {
                self.state = State::Satisfiable;
                Answer::Satisfiable
            }
            Status::UNSATISFIABLE => {
                self.state = State::Unsatisfiable;
                Answer::Unsatisfiable
            }
            Status::UNKNOWN => Answer::Stopped,
        }
    }

    /// Keeps CaDiCaL from replacing variables, because edges may come to depend on them.
    fn freeze(&mut self) {
        if let Order::Theory(_) = self.order {
            let cadical = self.cadical.get_mut();
            (self.frozen + 1..=self.variables)
                .for_each(|new| cadical.freeze(Lit::of(new).number()));
            self.frozen = self.variables;
        }
    }

    fn begin_certificate(&mut self, assumptions: &[Lit]) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        assert!(
            assumptions.is_empty(),
            "a certificate needs a problem without assumptions"
        );
        let mut recorder = recorder.borrow_mut();
        assert!(!recorder.has_begun(), "a certificate is about one search");
        match &self.order {
            Order::Clauses(_) => recorder.begin(self.variables, 0, &[]),
            Order::Theory(theory) => {
                let theory = theory.borrow();
                recorder.begin(self.variables, theory.nodes(), theory.edges());
            }
        }
    }

    /// Makes sure that the certificate is written, and tells if it could not be.
    pub fn finish_certificate(&mut self) -> io::Result<()> {
        match &self.recorder {
            Some(recorder) => recorder.borrow_mut().finish(),
            None => Ok(()),
        }
    }

    /// The value of a literal in the model. To be asked after [`Answer::Satisfiable`] and before
    /// the problem changes.
    pub fn value(&self, lit: Lit) -> bool {
        assert!(self.state == State::Satisfiable, "there is no model");
        match lit.is_constant() {
            Some(value) => value,
            None => self.cadical.borrow_mut().val(lit.number()) == lit.number(),
        }
    }

    /// Whether an assumption was used to show that there is no model. To be asked after
    /// [`Answer::Unsatisfiable`] and before the problem changes.
    pub fn failed(&self, lit: Lit) -> bool {
        match (self.state, lit.is_constant()) {
            (State::AssumedFalse, _) => lit == Lit::FALSE,
            (State::Unsatisfiable, Some(_)) => false,
            (State::Unsatisfiable, None) => self.cadical.borrow_mut().failed(lit.number()),
            _ => panic!("there may be a model"),
        }
    }

    /// The position of each node in an order that respects all edges that hold in the model.
    /// To be asked after [`Answer::Satisfiable`] and before the problem changes.
    pub fn order(&self) -> Vec<u32> {
        let ranked = |nodes: u32, edges: &[Edge]| {
            let edges = (0..).zip(edges);
            let held = edges.filter(|(_, edge)| edge.when().all(|lit| self.value(lit)));
            rank(nodes, &held.collect::<Vec<_>>()).expect("the edges of a model make no cycle")
        };
        match &self.order {
            Order::Theory(theory) => ranked(theory.borrow().nodes(), theory.borrow().edges()),
            Order::Clauses(order) => ranked(order.nodes(), order.edges()),
        }
    }

    /// Makes the search try this value of a variable first.
    pub fn phase(&mut self, lit: Lit) {
        if lit.is_constant().is_none() {
            self.change();
            self.cadical.get_mut().phase(lit.number());
        }
    }

    /// The size of the problem and the work done on it.
    pub fn statistics(&self) -> Statistics {
        let (nodes, edges, lemmas) = match &self.order {
            Order::Theory(theory) => {
                let theory = theory.borrow();
                (theory.nodes(), theory.edges().len(), theory.lemmas())
            }
            Order::Clauses(order) => (order.nodes(), order.edges().len(), 0),
        };
        let conflicts = self.cadical.borrow().get_statistic_value("conflicts");
        Statistics {
            variables: u64::from(self.variables),
            clauses: self.clauses,
            nodes: u64::from(nodes),
            edges: edges as u64,
            conflicts: u64::try_from(conflicts).unwrap_or(0),
            lemmas,
        }
    }

    /// The last answer does not count any more.
    fn change(&mut self) {
        self.state = State::Changed;
        if let Some(recorder) = &self.recorder {
            assert!(
                !recorder.borrow().has_begun(),
                "a certificate is about one search"
            );
        }
    }
}
