//! The SMT solver: z3, as a process of its own.
//!
//! It is asked whether conditions can hold together. What it does not decide within [`MOST_TIME`] is
//! unknown, and whoever asks goes on without the answer. So limits are looked at between questions.

use super::term::{Node, Term, Terms, Valuation, Variable};
use easy_smt::{Context, ContextBuilder, Response, SExpr};
use program::{Binary, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io;

/// The solver's command.
pub const COMMAND: &str = "z3";
/// Milliseconds for one question.
const MOST_TIME: u32 = 2_000;

/// Whether conditions can hold together.
pub enum Answer {
    /// They can, for these values.
    Satisfiable(Valuation),
    /// They cannot, because of the conditions at these positions.
    Unsatisfiable(Vec<usize>),
    /// Nobody knows.
    Unknown,
}

/// The solver.
pub struct Solver {
    context: Context,
    /// What is known to the solver by a name.
    defined: FxHashMap<Term, SExpr>,
    declared: FxHashSet<Variable>,
}

impl Solver {
    /// Starts it, with at most so many bytes of memory. When it takes more it ends, and does not answer any more.
    pub fn start(most_bytes: Option<u64>) -> io::Result<Self> {
        let mut builder = ContextBuilder::new();
        builder.solver(COMMAND);
        let mut arguments = vec!["-smt2".to_owned(), "-in".to_owned()];
        arguments.extend(most_bytes.map(|bytes| format!("-memory:{}", (bytes >> 20).max(1))));
        builder.solver_args(arguments);
        let mut context = builder.build()?;
        let on = context.true_();
        context.set_option(":produce-unsat-cores", on)?;
        context.set_logic("QF_BV")?;
        let most = context.numeral(MOST_TIME);
        context.set_option(":timeout", most)?;
        Ok(Solver {
            context,
            defined: FxHashMap::default(),
            declared: FxHashSet::default(),
        })
    }

    /// Whether conditions can hold together.
    pub fn ask(&mut self, terms: &Terms, conditions: &[Term]) -> io::Result<Answer> {
        for part in terms.with_parts(conditions, |part| self.defined.contains_key(&part)) {
            self.define(terms, part)?;
        }
        self.context.push()?;
        let answer = self.within(terms, conditions);
        self.context.pop()?;
        answer
    }

    fn within(&mut self, terms: &Terms, conditions: &[Term]) -> io::Result<Answer> {
        for (position, condition) in conditions.iter().enumerate() {
            let one = self.context.binary(1, 1u8);
            let holds = self.context.eq(self.defined[condition], one);
            let named = self.context.named(format!("c{position}"), holds);
            self.context.assert(named)?;
        }
        match self.context.check()? {
            Response::Unknown => Ok(Answer::Unknown),
            Response::Unsat => {
                let core = self.context.get_unsat_core()?;
                let names = self.context.get_list(core).unwrap_or_default();
                let position = |name: &SExpr| {
                    self.context
                        .get_atom(*name)?
                        .strip_prefix('c')?
                        .parse()
                        .ok()
                };
                let positions: Option<Vec<usize>> = names.iter().map(position).collect();
                // A part of the core would claim more than was shown.
                let positions = positions.filter(|positions| !positions.is_empty());
                let text = || format!("the solver says {}", self.context.display(core));
                let positions = positions.ok_or_else(|| io::Error::other(text()))?;
                Ok(Answer::Unsatisfiable(positions))
            }
            Response::Sat => {
                let mut variables: Vec<Variable> = conditions
                    .iter()
                    .flat_map(|condition| terms.variables(*condition).iter().copied())
                    .collect();
                variables.sort_unstable();
                variables.dedup();
                if variables.is_empty() {
                    return Ok(Answer::Satisfiable(Valuation::default()));
                }
                let atoms = variables
                    .iter()
                    .map(|v| self.context.atom(name(*v)))
                    .collect();
                let values = self.context.get_value(atoms)?;
                let values = values.iter().map(|(_, value)| {
                    let text = self.context.display(*value).to_string();
                    parsed(&text).ok_or_else(|| io::Error::other(format!("the solver says {text}")))
                });
                let values = values.collect::<io::Result<Vec<Word>>>()?;
                Ok(Answer::Satisfiable(
                    variables.into_iter().zip(values).collect(),
                ))
            }
        }
    }

    /// Gives a term a name, whose parts have names.
    fn define(&mut self, terms: &Terms, term: Term) -> io::Result<()> {
        let width = terms.width(term);
        let context = &mut self.context;
        let bits = context.numeral(width.bits());
        let sort = context.bit_vec_sort(bits);
        let text = match terms.node(term) {
            Node::Variable(variable) => {
                let name = name(variable);
                let atom = context.atom(&name);
                if self.declared.insert(variable) {
                    context.declare_const(name, sort)?;
                }
                self.defined.insert(term, atom);
                return Ok(());
            }
            Node::Constant(word) => context.binary(width.bits() as usize, word),
            Node::Resize(a) => {
                let (from, inner) = (terms.width(a).bits(), self.defined[&a]);
                if from > width.bits() {
                    context.extract(width.bits() as i32 - 1, 0, inner)
                } else {
                    extended(context, "zero_extend", width.bits() - from, inner)
                }
            }
            Node::SignExtend(a) => {
                let by = width.bits() - terms.width(a).bits();
                extended(context, "sign_extend", by, self.defined[&a])
            }
            Node::Select(a, b, c) => {
                let one = context.binary(1, 1u8);
                let condition = context.eq(self.defined[&a], one);
                context.ite(condition, self.defined[&b], self.defined[&c])
            }
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.defined[&a], self.defined[&b]);
                let applied = context.list(vec![context.atom(function(operation)), a, b]);
                if operation.is_comparison() {
                    let (one, zero) = (context.binary(1, 1u8), context.binary(1, 0u8));
                    context.ite(applied, one, zero)
                } else {
                    applied
                }
            }
        };
        let name = format!("t{}", self.defined.len());
        let defined = context.define_const(name, sort, text)?;
        self.defined.insert(term, defined);
        Ok(())
    }
}

fn extended(context: &Context, how: &str, by: u32, inner: SExpr) -> SExpr {
    let by = context.numeral(by);
    let underscore = context.atom("_");
    let how = context.atom(how);
    let function = context.list(vec![underscore, how, by]);
    context.list(vec![function, inner])
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::Cell(cell) => format!("m{cell}"),
        Variable::Register(thread, register) => format!("r{thread}_{register}"),
        Variable::Buffered(thread, position, width) => {
            format!("b{thread}_{position}_{}", width.bits())
        }
        Variable::Read(width) => format!("read_{}", width.bits()),
        Variable::Choice(index, width) => format!("choice{index}_{}", width.bits()),
        Variable::Chosen(index, width) => format!("chosen{index}_{}", width.bits()),
    }
}

/// What the solver calls an operation; division is by what is not 0.
fn function(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "bvadd",
        Binary::Sub => "bvsub",
        Binary::Mul => "bvmul",
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
        Binary::Shl => "bvshl",
        Binary::Shr => "bvlshr",
        Binary::Sar => "bvashr",
        Binary::Eq => "=",
        Binary::Ult => "bvult",
        Binary::Ule => "bvule",
        Binary::Slt => "bvslt",
        Binary::Sle => "bvsle",
        Binary::Udiv => "bvudiv",
        Binary::Sdiv => "bvsdiv",
        Binary::Urem => "bvurem",
        Binary::Srem => "bvsrem",
        // Terms are not made of the others (`term::is_known`).
        _ => "distinct",
    }
}

fn parsed(text: &str) -> Option<Word> {
    if let Some(digits) = text.strip_prefix("#x") {
        return Word::from_str_radix(digits, 16).ok();
    }
    Word::from_str_radix(text.strip_prefix("#b")?, 2).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::Width;

    /// What a term is worth here is what it is worth to the solver, for all operations, widths and simplifications.
    #[test]
    fn the_solver_computes_as_the_machine_does() {
        let operations: Vec<Binary> = Binary::ALL
            .iter()
            .copied()
            .filter(|operation| super::super::term::is_known(*operation))
            .collect();
        let mut seed = 7u64;
        let mut below = |count: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % count
        };
        let mut solver = Solver::start(None).expect("a solver");
        let mut terms = Terms::default();
        let mut compared = 0;
        for round in 0..150 {
            let width = [Width::W8, Width::W16, Width::W32, Width::W64][below(4) as usize];
            let variables = [0, 1, 2].map(|index| Variable::Register(round, index));
            let mut made: Vec<Term> = Vec::new();
            for variable in variables {
                made.push(terms.variable(variable, width));
            }
            for _ in 0..12 {
                let a = made[below(made.len() as u64) as usize];
                let b = made[below(made.len() as u64) as usize];
                let b = terms.resize(b, terms.width(a));
                let operation = operations[below(operations.len() as u64) as usize];
                let constant = terms.constant(1 + below(20), terms.width(a));
                let narrow = Width::of_bits(1 + below(16) as u32).expect("a width");
                let condition = terms.is_true(b);
                made.push(match below(6) {
                    0 => terms.resize(a, narrow),
                    1 => {
                        let low = terms.resize(a, narrow);
                        terms.sign_extend(low, Width::W64)
                    }
                    2 => terms.select(condition, a, constant),
                    // A divisor is a constant.
                    _ if operation.divides() && terms.width(a) > Width::W8 => {
                        terms.binary(operation, a, constant)
                    }
                    _ if operation.divides() => terms.not(condition),
                    3 => terms.binary(operation, a, constant),
                    _ => terms.binary(operation, a, b),
                });
            }
            let words =
                [0, 1, 2].map(|_| [below(4), below(1 << 31) * below(1 << 31)][below(2) as usize]);
            let words = words.map(|word| width.truncate(word));
            let valuation: Valuation = variables.into_iter().zip(words).collect();
            let mut asked: Vec<Term> = Vec::new();
            for (variable, word) in variables.into_iter().zip(words) {
                let (variable, word) =
                    (terms.variable(variable, width), terms.constant(word, width));
                asked.push(terms.equal(variable, word));
            }
            let last = made[made.len() - 1];
            let value = terms.value(last, &valuation);
            let value = terms.constant(value, terms.width(last));
            let equal = terms.equal(last, value);
            asked.push(terms.not(equal));
            let answer = solver.ask(&terms, &asked).expect("an answer");
            assert!(!matches!(answer, Answer::Satisfiable(_)), "round {round}");
            compared += usize::from(matches!(answer, Answer::Unsatisfiable(_)));
        }
        assert!(compared > 100, "{compared}");
    }
    /// Whether two factors of 32 bits have this product of 64 bits, which takes megabytes to find out.
    fn factors(terms: &mut Terms) -> Vec<Term> {
        let [a, b] = [0, 1].map(|index| {
            let half = terms.variable(Variable::Register(0, index), Width::W32);
            terms.resize(half, Width::W64)
        });
        let product = terms.binary(Binary::Mul, a, b);
        let given = terms.constant(0xfedc_ba98_7654_3211, Width::W64);
        vec![terms.equal(product, given)]
    }

    #[test]
    fn a_solver_that_needs_more_memory_than_it_may_take_does_not_answer() {
        for megabytes in [1, 20] {
            let mut terms = Terms::default();
            let conditions = factors(&mut terms);
            // It may end before the first question.
            let Ok(mut solver) = Solver::start(Some(megabytes << 20)) else {
                continue;
            };
            assert!(solver.ask(&terms, &conditions).is_err(), "{megabytes} MB");
            let nothing = [terms.constant(1, Width::BIT)];
            assert!(solver.ask(&terms, &nothing).is_err(), "{megabytes} MB");
        }
    }
}
