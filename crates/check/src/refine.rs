//! Whether a data type looks atomic to its clients.
//!
//! The specification of a client is what it observes when its operations run sequentially;
//! it is mined once for all models. Then each model is asked for an execution that shows
//! something else.

use crate::confirm::confirmed;
use crate::engines::{Effort, SatOptions};
use crate::guard::{self, unsolved};
use crate::mine::{Serial, mine};
use crate::options::Options;
use crate::proof::{Proof, Subject};
use crate::refusal::Refused;
use crate::specification::Specifications;
use answer::{ModelResult, Outcome, Verdict};
use frontend::client::{self, Client, ClientError, Operation, Test};
use memory::Model;
use program::{Diagnostic, Program, Source, Span, Word};
use solve::{Included, Mined, Specification};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A data type: the program with its operations.
#[derive(Clone, Debug)]
pub struct DataType {
    /// The code of the operations.
    pub program: Program,
    /// What clients may call.
    pub operations: Vec<Operation>,
}

impl DataType {
    /// The data type whose operations a program declares.
    pub fn new(program: Program) -> Self {
        let operations = client::operations(&program);
        DataType {
            program,
            operations,
        }
    }

    /// A client; with `serial` its operations are atomic.
    pub fn client(&self, test: &Test, serial: bool) -> Result<Client, Box<Diagnostic>> {
        client::client(&self.program, test, serial).map_err(|error| self.no_client(&error))
    }

    /// The client with one thread that does what the threads of a test do in every order, if
    /// there is such a program.
    fn in_one_thread(&self, test: &Test) -> Result<Option<Client>, Box<Diagnostic>> {
        client::serial_client(&self.program, test).map_err(|error| self.no_client(&error))
    }

    fn no_client(&self, error: &ClientError) -> Box<Diagnostic> {
        let help = match error {
            ClientError::Parameters(_) => Some("FP_OPERATION(name) { … } declares one"),
            _ => None,
        };
        about(&self.program.source, error.to_string(), help)
    }
}

/// About a file as a whole.
fn about(source: &Source, message: String, help: Option<&str>) -> Box<Diagnostic> {
    Box::new(Diagnostic {
        source: source.clone(),
        message,
        span: Span::NOWHERE,
        label: String::new(),
        others: Vec::new(),
        help: help.map(str::to_owned),
    })
}

/// Does a data type look atomic to its clients?
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use check::{DataType, Refine};
/// use frontend::c::{Compiler, read_operations};
/// use frontend::client::read_test;
/// use memory::Model;
/// use answer::Verdict;
///
/// let text = r#"
///     #include <stdatomic.h>
///     #include "fencepost.h"
///     static atomic_int counter;
///     FP_OPERATION(increment) {
///         int old = atomic_load(&counter);
///         atomic_store(&counter, old + 1); // another thread may have been here meanwhile
///         fp_observe("old", old);
///     }
/// "#;
/// let file = std::env::temp_dir().join(format!("counter-{}.c", std::process::id()));
/// std::fs::write(&file, text)?;
/// let program = read_operations(&[file.clone()], &[], Some(&Compiler::find(None)?));
/// std::fs::remove_file(&file)?;
/// let refine = Refine::new(DataType::new(program?));
/// let test = read_test("(increment|increment)", &refine.data_type.operations)?;
/// let mut verdicts = Vec::new();
/// refine.test(&test, &[Model::Sc], |refined| verdicts.push(refined.result.verdict))?;
/// assert_eq!(verdicts, [Verdict::Violated]); // both may return 0
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Refine {
    /// How to solve. The time is that of all clients together.
    pub options: Options,
    /// The data type that is checked.
    pub data_type: Arc<DataType>,
    /// The data type whose operations, run sequentially, are the specification; the one that is checked if there is
    /// no other.
    pub reference: Option<Arc<DataType>>,
    /// What clients may observe, if that is given and not mined.
    pub known: Option<Specifications>,
    /// Write a proof to this file if a client sees atomic operations; for one test and one model only.
    pub proof: Option<PathBuf>,
    begun: Instant,
}

/// An answer about one client under one model.
#[derive(Debug)]
pub struct Refined {
    /// The model; SC if the operations already fail when they run sequentially.
    pub model: Model,
    /// The client that was run.
    pub client: Arc<Client>,
    /// What it may observe.
    pub specification: Arc<Specification>,
    /// The operations already fail when they run sequentially, or it is not known what clients may observe.
    pub serial: bool,
    /// What was found.
    pub result: ModelResult,
    /// What is observed in an execution that is wrong, by columns of the specification.
    pub observed: Vec<Option<Word>>,
    /// The size of the formula.
    pub effort: Effort,
    /// Time for mining, with the first model.
    pub mining: Duration,
    /// Time in all.
    pub total: Duration,
}

/// What came of a client under all models.
#[derive(Debug, Default)]
pub struct Tested {
    /// What it may observe, unless that is not known.
    pub specification: Option<Arc<Specification>>,
    /// Models under which it does not look atomic.
    pub violated: Vec<Model>,
    /// There is a model under which it is not known.
    pub undecided: bool,
}

impl Tested {
    fn add(&mut self, verdict: Verdict, models: &[Model]) {
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated => self.violated.extend(models),
            Verdict::Undecided => self.undecided = true,
        }
    }
}

/// What came of all clients up to a size.
#[derive(Debug)]
pub struct SuiteTested {
    /// Clients that were looked at.
    pub clients: u64,
    /// Those of them that are not decided under a model.
    pub undecided: u64,
    /// Models under which none has failed.
    pub models: Vec<Model>,
    /// A limit was reached before all clients were looked at.
    pub stopped: bool,
}

/// Why there is no answer about a client.
#[derive(Debug)]
pub enum NoClient {
    /// A limit was reached before it was made.
    Stopped,
    /// There is no such client, or no formula for it.
    Refused(Box<Diagnostic>),
}

impl From<Box<Diagnostic>> for NoClient {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        NoClient::Refused(diagnostic)
    }
}

impl std::fmt::Display for NoClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoClient::Stopped => f.write_str("a limit was reached before the client was made"),
            NoClient::Refused(diagnostic) => diagnostic.fmt(f),
        }
    }
}

impl std::error::Error for NoClient {}

/// What a client may observe.
struct Allowed {
    specification: Arc<Specification>,
    /// Why it is not known from sequential runs what a client may observe, if it is not.
    failure: Option<Failure>,
}

struct Failure {
    serial: Arc<Client>,
    result: ModelResult,
    observed: Vec<Option<Word>>,
}

impl Refine {
    /// The question whether a data type looks like itself with atomic operations. The time of its options begins
    /// now.
    pub fn new(data_type: DataType) -> Self {
        Refine {
            options: Options::default(),
            data_type: Arc::new(data_type),
            reference: None,
            known: None,
            proof: None,
            begun: Instant::now(),
        }
    }

    /// Time since the question was asked, with what was spent before.
    pub fn elapsed(&self) -> Duration {
        self.options.spent + self.begun.elapsed()
    }

    /// True if the time is over, or the user wants to stop.
    pub fn is_over(&self) -> bool {
        let control = &self.options.control;
        let late = |time: Duration| self.elapsed() >= time;
        control.is_interrupted() || control.max_time.is_some_and(late)
    }

    /// All clients up to a size, the smallest first, under each model up to the first that fails. `each` is given every
    /// answer, `tested` what came of each client.
    pub fn suite(
        &self,
        most: usize,
        models: &[Model],
        mut each: impl FnMut(&Test, Refined),
        mut tested: impl FnMut(&Test, &Tested),
    ) -> Result<SuiteTested, NoClient> {
        let mut suite = SuiteTested {
            clients: 0,
            undecided: 0,
            models: models.to_vec(),
            stopped: false,
        };
        for test in client::suite(&self.data_type.operations, most) {
            if suite.models.is_empty() || self.is_over() {
                break;
            }
            let models = suite.models.clone();
            let found = match self.test(&test, &models, |refined| each(&test, refined)) {
                Err(NoClient::Stopped) => break,
                found => found?,
            };
            suite.undecided += u64::from(found.undecided);
            suite.models.retain(|model| !found.violated.contains(model));
            tested(&test, &found);
            suite.clients += 1;
        }
        suite.stopped = self.is_over() && !suite.models.is_empty();
        Ok(suite)
    }

    /// One client, under each model; `each` is given every answer.
    pub fn test(
        &self,
        test: &Test,
        models: &[Model],
        mut each: impl FnMut(Refined),
    ) -> Result<Tested, NoClient> {
        let started = Instant::now();
        let client = Arc::new(self.client(&self.data_type, test, false)?);
        let allowed = self.allowed(test, &client)?;
        // What is given is not mined.
        let mut mining = match self.known {
            None => started.elapsed(),
            Some(_) => Duration::ZERO,
        };
        let mut tested = Tested::default();
        if let Some(failure) = allowed.failure {
            tested.add(failure.result.verdict, models);
            each(Refined {
                model: Model::Sc,
                client: failure.serial,
                specification: allowed.specification,
                serial: true,
                result: failure.result,
                observed: failure.observed,
                effort: Effort::default(),
                mining,
                total: mining,
            });
            return Ok(tested);
        }
        tested.specification = Some(allowed.specification.clone());
        for &model in models {
            let started = Instant::now();
            let included = self.include(test, &client, model, &allowed.specification)?;
            tested.add(included.result.verdict, &[model]);
            each(Refined {
                model,
                client: client.clone(),
                specification: allowed.specification.clone(),
                serial: false,
                result: included.result,
                observed: included.observed,
                effort: included.effort,
                mining,
                total: mining + started.elapsed(),
            });
            // The specification is mined once.
            mining = Duration::ZERO;
        }
        Ok(tested)
    }

    /// What a client may observe, and what went wrong in finding out.
    fn allowed(&self, test: &Test, client: &Client) -> Result<Allowed, NoClient> {
        let columns: Vec<String> = client.columns.iter().map(|c| c.name.clone()).collect();
        if let Some(known) = &self.known {
            let specification = known.of(&test.to_string(), &columns)?;
            return Ok(Allowed {
                specification: Arc::new(specification.clone()),
                failure: None,
            });
        }
        let data_type = self.reference.as_ref().unwrap_or(&self.data_type);
        let serial = Arc::new(self.client(data_type, test, true)?);
        let order = same_columns(data_type, &serial, client)?;
        let (of, made) = (data_type.clone(), test.clone());
        let alone = self.make(move || of.in_one_thread(&made))?;
        let mined = self
            .mine(&serial, alone)
            .map_err(|refused| refused.diagnostic(&serial.program, Model::Sc))?;
        let mut result = mined.result;
        self.options.name_whole_time(&mut result);
        // Whatever there is would be among no observations.
        if result.verdict == Verdict::Holds && mined.specification.observations.is_empty() {
            result.verdict = Verdict::Undecided;
        }
        let failed = result.verdict != Verdict::Holds;
        Ok(Allowed {
            specification: Arc::new(reordered(mined.specification, &columns, &order)),
            failure: failed.then_some(Failure {
                serial,
                result,
                observed: mined.observed,
            }),
        })
    }

    /// A client; with `serial` its operations are atomic.
    fn client(
        &self,
        data_type: &Arc<DataType>,
        test: &Test,
        serial: bool,
    ) -> Result<Client, NoClient> {
        let (data_type, test) = (data_type.clone(), test.clone());
        self.make(move || data_type.client(&test, serial))
    }

    /// Makes something within what is left of the limits.
    fn make<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> Result<T, Box<Diagnostic>> + Send + 'static,
    ) -> Result<T, NoClient> {
        match guard::within(&self.sat().control, make) {
            Ok(made) => Ok(made?),
            Err(_) => Err(NoClient::Stopped),
        }
    }

    /// What a client observes when its operations are atomic.
    fn mine(&self, serial: &Arc<Client>, alone: Option<Client>) -> Result<Mined, Refused> {
        let options = self.sat();
        let (mined, asked) = (serial.clone(), options.clone());
        let done = guard::within(&options.control, move || {
            let serial = Serial {
                program: &mined.program,
                in_one_thread: alone.as_ref().map(|client| &client.program),
                swaps: &mined.swaps,
            };
            mine(serial, &asked)
        });
        done.unwrap_or_else(|bound| {
            Ok(Mined {
                specification: Specification::default(),
                result: unsolved(Model::Sc, bound, &options),
                observed: Vec::new(),
                effort: Effort::default(),
            })
        })
    }

    /// Asks for an execution that shows something else.
    fn include(
        &self,
        test: &Test,
        client: &Arc<Client>,
        model: Model,
        specification: &Arc<Specification>,
    ) -> Result<Included, Box<Diagnostic>> {
        let observations = specification.observations.len();
        let mut options = self.sat();
        if let Some(path) = &self.proof {
            let file = &client.program.source.name;
            let about = [
                format!("refine {file} --test '{test}' --model {model}"),
                format!(
                    "{test} looks atomic under {model}: each execution shows one of {observations} observations"
                ),
            ];
            let proof = Proof {
                path,
                subject: Subject::refine(
                    &self.data_type.program,
                    &test.to_string(),
                    model,
                    specification,
                ),
                about: &about,
            };
            options = proof.wanted(options);
        }
        // A specification by hand may tell threads apart that do the same.
        let symmetric = is_closed(specification, &client.swaps);
        let (looked_at, known, asked) = (client.clone(), specification.clone(), options.clone());
        let done = guard::within(&options.control, move || {
            let swaps: &[Vec<usize>] = if symmetric { &looked_at.swaps } else { &[] };
            let program = &looked_at.program;
            let included = solve::include(program, model, &known, swaps, &asked)?;
            let found = confirmed(program, model, &asked.control, included.result);
            Ok::<Included, Refused>(Included {
                result: found.result,
                observed: found.observed.unwrap_or(included.observed),
                ..included
            })
        });
        let included = done.unwrap_or_else(|bound| {
            Ok(Included {
                result: unsolved(model, bound, &options),
                observed: Vec::new(),
                effort: Effort::default(),
            })
        });
        let mut included =
            included.map_err(|refused| refused.diagnostic(&client.program, model))?;
        self.options.name_whole_time(&mut included.result);
        Ok(included)
    }

    /// The options of a search that begins now.
    fn sat(&self) -> SatOptions {
        self.options.sat(self.options.control.after(self.elapsed()))
    }
}

/// True if exchanging columns changes nothing.
fn is_closed(specification: &Specification, swaps: &[Vec<usize>]) -> bool {
    let observations = &specification.observations;
    observations.iter().all(|outcome| {
        swaps.iter().all(|swap| {
            let swapped = Outcome(swap.iter().map(|&column| outcome.0[column]).collect());
            observations.contains(&swapped)
        })
    })
}

/// Where the reference has what the client observes, which must be the same.
fn same_columns(
    reference: &DataType,
    serial: &Client,
    client: &Client,
) -> Result<Vec<usize>, Box<Diagnostic>> {
    let complain = |message: String| {
        let help = "a reference has the same operations, arguments and results";
        about(&reference.program.source, message, Some(help))
    };
    let called = |column: &client::Column| {
        let kind = if column.argument {
            "argument"
        } else {
            "result"
        };
        format!("{kind} `{}` of {}", column.label, column.operation)
    };
    let known = |columns: &[client::Column], wanted: &client::Column| {
        columns.iter().position(|column| column == wanted)
    };
    if let Some(more) = serial
        .columns
        .iter()
        .find(|column| known(&client.columns, column).is_none())
    {
        let message = format!("the {} is not there in what is checked", called(more));
        return Err(complain(message));
    }
    let mut order = Vec::new();
    for column in &client.columns {
        match known(&serial.columns, column) {
            Some(index) => order.push(index),
            None => {
                let message = format!("the reference has no {}", called(column));
                return Err(complain(message));
            }
        }
    }
    Ok(order)
}

/// The specification with its columns in the order of the client's.
fn reordered(mined: Specification, columns: &[String], order: &[usize]) -> Specification {
    let outcome = |outcome: Outcome| Outcome(order.iter().map(|&i| outcome.0[i]).collect());
    Specification {
        columns: columns.to_vec(),
        observations: mined.observations.into_iter().map(outcome).collect(),
    }
}
