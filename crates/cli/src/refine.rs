//! `fencepost refine`: whether a data type looks atomic to its clients.
//!
//! The specification of a client is what it observes when its operations run one after another;
//! it is mined once for all models. Then each model is asked for an execution that shows
//! something else.

use crate::arguments::{Format, RefineOptions};
use crate::clients::{DataType, invoked, plain, text_of};
use crate::engine::{not_solvable, tell_all_time};
use crate::exit::Exit;
use crate::guard::{Limits, unsolved, within};
use crate::inputs::{self, Complaint, Input, read_within};
use crate::proof::{Proof, Subject, is_proved};
use crate::run::{complain, print};
use crate::specification::{self, Specifications};
use crate::watch::{Watch, interrupts};
use frontend::client::{self, Client, Test};
use memory::Model;
use program::{ModelResult, Outcome, Program, Verdict, Word};
use report::{Refined, Work};
use solve::{Effort, Included, NotSolvable, Serial, Specification};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Looks at every client that is asked for.
pub fn refine(options: &RefineOptions) -> Exit {
    run(options).unwrap_or_else(|complaint| complain(&complaint))
}

fn run(options: &RefineOptions) -> Result<Exit, Complaint> {
    let started = Instant::now();
    let solving = solve::Options {
        interrupt: interrupts(),
        ..options.solving()
    };
    let (inputs, spec) = (options.inputs.clone(), options.spec.clone());
    let read = read_within(&Limits::from(&solving), move |limit| {
        let data_type = DataType::read(&inputs, limit)?;
        let reference = spec.map(|path| DataType::of(&[path], &inputs, limit));
        Ok((data_type, reference.transpose()?))
    });
    let Ok(read) = read else {
        return Ok(unread(options, started));
    };
    let (data_type, reference) = read?;
    let tests = data_type.tests(options)?;
    check_proof(options, &tests)?;
    if let Some(path) = &options.save_spec {
        Proof::room_for(path)?;
    }
    let known = options.use_spec.as_ref().map(|path| {
        let source = text_of(path)?;
        Specifications::read(&source)
    });
    let mut refinement = Refinement {
        options,
        reference: reference.map(Arc::new),
        known: known.transpose()?,
        solving,
        data_type: Arc::new(data_type),
        started,
        reading: started.elapsed(),
        parts: Vec::new(),
        rows: Vec::new(),
        results: Vec::new(),
        shown: false,
        exit: Exit::Holds,
    };
    refinement.answer(&tests)?;
    Ok(refinement.exit)
}

/// There is no answer, as a limit was reached before the data type was read.
fn unread(options: &RefineOptions, started: Instant) -> Exit {
    if options.format == Format::Json {
        let first = options.inputs.files.first().cloned().unwrap_or_default();
        let nothing = inputs::nothing_of(&Input::C(vec![first]));
        let json = report::refine_json(&nothing, started.elapsed(), Vec::new());
        print(&format!("{json}\n"));
    }
    complain(&Complaint::Stopped)
}

/// A proof is of one client under one model.
fn check_proof(options: &RefineOptions, tests: &[Test]) -> Result<(), Complaint> {
    let Some(path) = &options.proof else {
        return Ok(());
    };
    if tests.len() != 1 || options.model.list.len() != 1 {
        let text = "--proof takes one test and one model; a proof is of one question";
        return Err(Complaint::Plain(text.to_owned()));
    }
    Proof::room_for(path)
}

/// What is asked, and what came of it so far.
struct Refinement<'a> {
    options: &'a RefineOptions,
    data_type: Arc<DataType>,
    reference: Option<Arc<DataType>>,
    known: Option<Specifications>,
    solving: solve::Options,
    started: Instant,
    /// How long it took to read the data type.
    reading: Duration,
    /// Of the file of specifications.
    parts: Vec<String>,
    rows: Vec<(String, &'static str, Work)>,
    results: Vec<report::Json>,
    /// An execution was printed last.
    shown: bool,
    exit: Exit,
}

/// What a client may observe.
struct Mined {
    specification: Arc<Specification>,
    /// What went wrong, if anything.
    failure: Option<Failure>,
    time: Duration,
}

/// Why operations one after another do not say what a client may observe.
struct Failure {
    serial: Arc<Client>,
    result: ModelResult,
    observed: Vec<Option<Word>>,
}

impl Refinement<'_> {
    fn answer(&mut self, tests: &[Test]) -> Result<(), Complaint> {
        let models = &self.options.model.list;
        if self.options.format == Format::Text {
            let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
            let file = &self.data_type.program.source.name;
            let engine = solve::ENGINE;
            print(&format!(
                "{file} under {}, engine {engine}\n",
                names.join(", ")
            ));
        }
        for test in tests {
            if self.is_over() {
                tell!("fencepost: stopped before {test}");
                self.exit = self.exit.max(Exit::Undecided);
                break;
            }
            let label = test.to_string();
            let watch =
                Watch::telling(move |time| format!("{label}: {} s; Ctrl-C stops", time.as_secs()));
            match self.one(test, models, Some(watch)) {
                Err(Complaint::Stopped) => {
                    tell!("fencepost: stopped before the client {test} was made");
                    self.exit = self.exit.max(Exit::Undecided);
                    break;
                }
                done => done?,
            };
        }
        if let Some(most) = self.options.suite {
            self.suite(most.into())?;
        }
        self.finish()
    }

    /// All clients up to a size, the smallest first, under each model up to the first that fails.
    fn suite(&mut self, most: usize) -> Result<(), Complaint> {
        let done = Arc::new(AtomicU64::new(0));
        let shown = done.clone();
        let mut watch = Some(Watch::telling(move |time| {
            let clients = report::grouped(shown.load(Ordering::Relaxed));
            let seconds = time.as_secs();
            format!("{clients} clients look atomic after {seconds} s; Ctrl-C stops")
        }));
        let mut models = self.options.model.list.clone();
        let mut undecided = 0;
        let tests = client::suite(&self.data_type.operations, most);
        for test in tests {
            if models.is_empty() || self.is_over() {
                break;
            }
            let failed = match self.one(&test, &models, None) {
                Err(Complaint::Stopped) => break,
                failed => failed?,
            };
            undecided += failed.undecided;
            models.retain(|model| !failed.violated.contains(model));
            done.fetch_add(1, Ordering::Relaxed);
        }
        watch.take();
        let done = done.load(Ordering::Relaxed);
        let stopped = self.is_over() && !models.is_empty();
        if stopped {
            self.exit = self.exit.max(Exit::Undecided);
        }
        if self.options.format == Format::Text && !models.is_empty() {
            let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
            let time = report::duration(self.started.elapsed());
            let names = names.join(", ");
            let sure = done - undecided;
            let of = match (stopped, undecided) {
                (true, _) => "; the search was stopped there".to_owned(),
                (false, 0) => format!(": all with at most {most} operations"),
                (false, _) => format!(" of {done} with at most {most} operations"),
            };
            let clients = if sure == 1 {
                "client looks"
            } else {
                "clients look"
            };
            print(&format!(
                "{sure} {clients} atomic under {names}, in {time}{of}\n"
            ));
        }
        Ok(())
    }

    /// One client, under each model. With a watch, which ends before anything is printed, every
    /// answer is printed, without one only those that are no good news.
    fn one(
        &mut self,
        test: &Test,
        models: &[Model],
        watch: Option<Watch>,
    ) -> Result<Failed, Complaint> {
        let loud = watch.is_some();
        let started = Instant::now();
        let client = Arc::new(self.client(&self.data_type, test, false)?);
        let mut mined = self.specification(test, &client)?;
        // What is given is not mined.
        if self.known.is_none() {
            mined.time = started.elapsed();
        }
        let label = test.to_string();
        let mut failed = Failed::default();
        if let Some(failure) = &mined.failure {
            drop(watch);
            let work = Work {
                observations: mined.specification.observations.len(),
                mining: mined.time,
                total: mined.time,
                ..Work::default()
            };
            let invocations = invoked(test, &failure.serial);
            let refined = Refined {
                name: &test.name,
                test: &label,
                model: Model::Sc.name(),
                program: &failure.serial.program,
                invocations: &invocations,
                specification: &mined.specification.observations,
                serial: true,
                result: &failure.result,
                observed: &failure.observed,
                work,
            };
            self.note(&refined, true);
            failed.add(failure.result.verdict, models);
            return Ok(failed);
        }
        if self.options.save_spec.is_some() {
            let part = specification::part(&label, &mined.specification);
            self.parts.push(part);
        }
        let mut watch = watch;
        let mut mining = mined.time;
        for &model in models {
            let (
                Included {
                    result, observed, ..
                },
                work,
            ) = self.include(test, &client, model, &mined.specification, mining)?;
            // The specification is mined once.
            mining = Duration::ZERO;
            drop(watch.take());
            let invocations = invoked(test, &client);
            failed.add(result.verdict, &[model]);
            let refined = Refined {
                name: &test.name,
                test: &label,
                model: model.name(),
                program: &client.program,
                invocations: &invocations,
                specification: &mined.specification.observations,
                serial: false,
                result: &result,
                observed: &observed,
                work,
            };
            let news = loud || result.verdict != Verdict::Holds;
            self.note(&refined, news);
            if let Some(path) = &self.options.proof {
                Proof::tell(path, is_proved(&result), self.options.format);
            }
        }
        Ok(failed)
    }

    /// Remembers an answer, and prints it if it is news.
    fn note(&mut self, refined: &Refined, news: bool) {
        let result = refined.result;
        self.exit = self.exit.max(result.verdict.into());
        let label = match refined.name {
            "" => refined.test,
            name => name,
        };
        self.rows
            .push((label.to_owned(), result.model, refined.work));
        match self.options.format {
            Format::Json => self.results.push(report::refined_json(refined)),
            Format::Text if news => {
                // What follows an execution stands apart from it.
                if std::mem::replace(&mut self.shown, result.execution.is_some()) {
                    print("\n");
                }
                print(&report::refine_text(refined));
            }
            Format::Text => {}
        }
    }

    /// What a client may observe, and what went wrong in finding out.
    fn specification(&self, test: &Test, client: &Client) -> Result<Mined, Complaint> {
        let columns: Vec<String> = client.columns.iter().map(|c| c.name.clone()).collect();
        if let Some(known) = &self.known {
            let specification = known.of(&test.to_string(), &columns)?;
            return Ok(Mined {
                specification: Arc::new(specification.clone()),
                failure: None,
                time: Duration::ZERO,
            });
        }
        let data_type = self.reference.as_ref().unwrap_or(&self.data_type);
        let serial = Arc::new(self.client(data_type, test, true)?);
        let order = same_columns(data_type, &serial, client)?;
        let (of, made) = (data_type.clone(), test.clone());
        let alone = self.make(move || of.in_one_thread(&made))?;
        let mined = self
            .mine(&serial, alone)
            .map_err(|refusal| not_solvable(&serial.program, Model::Sc, &refusal))?;
        let mut result = mined.result;
        tell_all_time(&mut result, self.solving.max_time);
        // Whatever there is would be among no observations.
        if result.verdict == Verdict::Holds && mined.specification.observations.is_empty() {
            result.verdict = Verdict::Undecided;
        }
        let failed = result.verdict != Verdict::Holds;
        Ok(Mined {
            specification: Arc::new(reordered(mined.specification, &columns, &order)),
            failure: failed.then_some(Failure {
                serial,
                result,
                observed: mined.observed,
            }),
            time: Duration::ZERO,
        })
    }

    /// A client; with `serial` its operations are atomic.
    fn client(
        &self,
        data_type: &Arc<DataType>,
        test: &Test,
        serial: bool,
    ) -> Result<Client, Complaint> {
        let (data_type, test) = (data_type.clone(), test.clone());
        self.make(move || data_type.client(&test, serial))
    }

    /// Makes something within what is left of the limits.
    fn make<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> Result<T, Complaint> + Send + 'static,
    ) -> Result<T, Complaint> {
        let limits = Limits::from(&self.solving_for_now());
        within(&limits, make).unwrap_or(Err(Complaint::Stopped))
    }

    /// What a client observes when its operations are atomic.
    fn mine(
        &self,
        serial: &Arc<Client>,
        alone: Option<Client>,
    ) -> Result<solve::Mined, NotSolvable> {
        let options = self.solving_for_now();
        let (mined, asked) = (serial.clone(), options.clone());
        let done = within(&Limits::from(&options), move || {
            let serial = Serial {
                program: &mined.program,
                in_one_thread: alone.as_ref().map(|client| &client.program),
                swaps: &mined.swaps,
            };
            solve::mine(serial, &asked)
        });
        done.unwrap_or_else(|bound| {
            Ok(solve::Mined {
                specification: Specification::default(),
                result: unsolved(Model::Sc, bound, &options.without_certificate()),
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
        mining: Duration,
    ) -> Result<(Included, Work), Complaint> {
        let started = Instant::now();
        let observations = specification.observations.len();
        let mut options = self.solving_for_now();
        if let Some(path) = &self.options.proof {
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
        let done = within(&Limits::from(&options), move || {
            let swaps: &[Vec<usize>] = if symmetric { &looked_at.swaps } else { &[] };
            solve::include(&looked_at.program, model, &known, swaps, &asked)
        });
        let included = done.unwrap_or_else(|bound| {
            Ok(Included {
                result: unsolved(model, bound, &options),
                observed: Vec::new(),
                effort: Effort::default(),
            })
        });
        let mut included =
            included.map_err(|refusal| not_solvable(&client.program, model, &refusal))?;
        tell_all_time(&mut included.result, self.solving.max_time);
        let work = work(&included.effort, observations, mining, started.elapsed());
        Ok((included, work))
    }

    /// The options of a search that begins now.
    fn solving_for_now(&self) -> solve::Options {
        let left = |time: Duration| time.saturating_sub(self.started.elapsed());
        solve::Options {
            max_time: self.solving.max_time.map(left),
            ..self.solving.clone()
        }
    }

    fn is_over(&self) -> bool {
        let late = |time: Duration| self.started.elapsed() >= time;
        self.solving.interrupt.load(Ordering::Relaxed) || self.solving.max_time.is_some_and(late)
    }

    /// What is told of all clients together.
    fn finish(&mut self) -> Result<(), Complaint> {
        let program: &Program = &self.data_type.program;
        match self.options.format {
            Format::Json => {
                let results = std::mem::take(&mut self.results);
                print(&format!(
                    "{}\n",
                    report::refine_json(program, self.reading, results)
                ));
            }
            Format::Text if self.options.stats => {
                print(&format!("\n{}", report::work_text(&self.rows)));
            }
            Format::Text => {}
        }
        if let Some(path) = &self.options.save_spec {
            let mined = self.reference.as_ref().unwrap_or(&self.data_type);
            let about = format!("what clients of {} observe", mined.program.source.name);
            let text = specification::file(&about, &self.parts);
            std::fs::write(path, text).map_err(|error| {
                Complaint::Plain(format!("cannot write {}: {error}", path.display()))
            })?;
        }
        Ok(())
    }
}

/// Under which models a client does not look atomic.
#[derive(Default)]
struct Failed {
    violated: Vec<Model>,
    undecided: u64,
}

impl Failed {
    fn add(&mut self, verdict: Verdict, models: &[Model]) {
        match verdict {
            Verdict::Holds => {}
            Verdict::Violated => self.violated.extend(models),
            Verdict::Undecided => self.undecided = 1,
        }
    }
}

fn work(effort: &Effort, observations: usize, mining: Duration, time: Duration) -> Work {
    Work {
        observations,
        instructions: effort.instructions,
        loads: effort.loads,
        stores: effort.stores,
        variables: effort.variables,
        clauses: effort.clauses,
        rounds: effort.rounds,
        mining,
        encoding: effort.encoding,
        solving: effort.solving,
        total: mining + time,
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
) -> Result<Vec<usize>, Complaint> {
    let complain = |message: String| {
        let help = "a reference has the same operations, arguments and results";
        plain(&reference.program.source, message, Some(help))
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
