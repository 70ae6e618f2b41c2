//! `fencepost refine`: whether a data type looks atomic to its clients.

use crate::arguments::RefineOptions;
use crate::clients::{self, invoked, text_of};
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input, read_within};
use crate::pictures::Drawing;
use crate::proof;
use crate::run::{complain, print};
use crate::save::Saver;
use crate::watch::{Watch, interrupts};
use answer::{Engine, Verdict};
use check::proof::is_proved;
use check::specification::{self, Specifications};
use check::{NoClient, Refine, Refined, SuiteTested, Tested};
use frontend::client::Test;
use memory::Model;
use program::Program;
use report::{Format, Work};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Looks at every client that is asked for.
pub fn refine(options: &RefineOptions) -> Exit {
    run(options).unwrap_or_else(|complaint| complain(&complaint))
}

fn run(options: &RefineOptions) -> Result<Exit, Complaint> {
    let started = Instant::now();
    let mut search = options.options();
    search.control.interrupt = interrupts();
    let (inputs, spec) = (options.inputs.clone(), options.spec.clone());
    let read = read_within(&search.control, move |limit| {
        let data_type = clients::read(&inputs, limit)?;
        let reference = spec.map(|path| clients::read_files(&[path], &inputs, limit));
        Ok((data_type, reference.transpose()?))
    });
    let Ok(read) = read else {
        return Ok(unread(options, started));
    };
    let (data_type, reference) = read?;
    let tests = clients::tests(&data_type, &options.test, &options.tests)?;
    check_proof(options, &tests)?;
    options.pictures.check_room()?;
    if let Some(path) = &options.save_spec {
        proof::room_for(path)?;
    }
    let saver = options.save.as_deref().map(Saver::new).transpose()?;
    let known = options.use_spec.as_ref().map(|path| {
        let source = text_of(path)?;
        Ok::<_, Complaint>(Specifications::read(&source)?)
    });
    let known = known.transpose()?;
    search.spent = started.elapsed();
    let mut question = Refine::new(data_type);
    question.options = search;
    question.reference = reference.map(Arc::new);
    question.known = known;
    question.proof = options.proof.clone();
    let shown = Shown {
        options,
        saver,
        parts: Vec::new(),
        rows: Vec::new(),
        results: Vec::new(),
        execution_last: false,
        drawing: Drawing::default(),
        exit: Exit::Holds,
    };
    answer(&question, &tests, shown)
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
    proof::room_for(path)
}

fn answer(question: &Refine, tests: &[Test], mut shown: Shown) -> Result<Exit, Complaint> {
    let options = shown.options;
    let models = &options.model.list;
    let reading = question.options.spent;
    if options.format == Format::Text {
        let file = &question.data_type.program.source.name;
        let (names, engine) = (names(models), Engine::Sat);
        print(&format!("{file} under {names}, engine {engine}\n"));
    }
    for test in tests {
        if question.is_over() {
            tell!("fencepost: stopped before {test}");
            shown.exit = shown.exit.max(Exit::Undecided);
            break;
        }
        let label = test.to_string();
        let mut watch = Some(Watch::telling(move |time| {
            format!("{label}: {} s; Ctrl-C stops", time.as_secs())
        }));
        let tested = question.test(test, models, |refined| {
            drop(watch.take());
            shown.note(test, &refined, true);
        });
        drop(watch);
        match tested {
            Err(NoClient::Stopped) => {
                tell!("fencepost: stopped before the client {test} was made");
                shown.exit = shown.exit.max(Exit::Undecided);
                break;
            }
            tested => shown.keep(test, &tested?),
        }
    }
    if let Some(most) = options.suite {
        suite(question, most.into(), &mut shown)?;
    }
    shown.finish(question, reading)?;
    Ok(shown.exit)
}

/// All clients up to a size, the smallest first, under each model up to the first that fails.
fn suite(question: &Refine, most: usize, shown: &mut Shown) -> Result<(), Complaint> {
    let done = Arc::new(AtomicU64::new(0));
    let counted = done.clone();
    let watch = Watch::telling(move |time| {
        let clients = report::grouped(counted.load(Ordering::Relaxed));
        let seconds = time.as_secs();
        format!("{clients} clients look atomic after {seconds} s; Ctrl-C stops")
    });
    let options = shown.options;
    // Both closures change what is shown.
    let shared = std::cell::RefCell::new(shown);
    let found = question.suite(
        most,
        &options.model.list,
        |test, refined| {
            let news = refined.result.verdict != Verdict::Holds || refined.serial;
            shared.borrow_mut().note(test, &refined, news);
        },
        |test, tested| {
            shared.borrow_mut().keep(test, tested);
            done.fetch_add(1, Ordering::Relaxed);
        },
    )?;
    drop(watch);
    let shown = shared.into_inner();
    if found.stopped {
        shown.exit = shown.exit.max(Exit::Undecided);
    }
    if options.format == Format::Text && !found.models.is_empty() {
        print(&suite_text(&found, most, question.elapsed()));
    }
    Ok(())
}

/// A line on all clients up to a size.
fn suite_text(found: &SuiteTested, most: usize, time: Duration) -> String {
    let (time, names) = (report::duration(time), names(&found.models));
    let sure = found.clients - found.undecided;
    let of = match (found.stopped, found.undecided) {
        (true, _) => "; the search was stopped there".to_owned(),
        (false, 0) => format!(": all with at most {most} operations"),
        (false, _) => format!(" of {} with at most {most} operations", found.clients),
    };
    let clients = if sure == 1 {
        "client looks"
    } else {
        "clients look"
    };
    format!("{sure} {clients} atomic under {names}, in {time}{of}\n")
}

fn names(models: &[Model]) -> String {
    let names: Vec<&str> = models.iter().map(|model| model.name()).collect();
    names.join(", ")
}

/// What is printed, or kept to be printed in the end.
struct Shown<'a> {
    options: &'a RefineOptions,
    saver: Option<Saver>,
    /// Of the file of specifications.
    parts: Vec<String>,
    rows: Vec<(String, &'static str, Work)>,
    results: Vec<report::Json>,
    /// An execution was printed last.
    execution_last: bool,
    drawing: Drawing,
    exit: Exit,
}

impl Shown<'_> {
    /// Keeps an answer, and prints it if it is news.
    fn note(&mut self, test: &Test, refined: &Refined, news: bool) {
        let result = &refined.result;
        self.exit = self.exit.max(result.verdict.into());
        let label = test.to_string();
        let (invocations, work) = (invoked(test, &refined.client), work(refined));
        let told = report::Refined {
            name: &test.name,
            test: &label,
            model: refined.model.name(),
            program: &refined.client.program,
            invocations: &invocations,
            specification: &refined.specification.observations,
            serial: refined.serial,
            result,
            observed: &refined.observed,
            work,
        };
        let row = match test.name.as_str() {
            "" => label.clone(),
            name => name.to_owned(),
        };
        self.rows.push((row, result.model.name(), work));
        if self.options.format == Format::Json {
            self.save(test, refined);
            self.results.push(report::refined_json(&told));
        } else if news {
            // What follows an execution stands apart from it.
            if std::mem::replace(&mut self.execution_last, result.execution.is_some()) {
                print("\n");
            }
            let mut view = crate::view::view();
            view.replay = self.save(test, refined);
            print(&report::refine_text(&told, &view));
        }
        if news {
            let say = |text: &str| say(self.options, text);
            self.drawing.add(&self.options.pictures, &told, &say);
        }
        if let Some(path) = self.options.proof.as_ref().filter(|_| !refined.serial) {
            proof::tell(path, is_proved(result), self.options.format);
        }
    }

    /// Saves the execution of an answer; the command that shows it again. Operations of another file that fail one after another are not saved: they
    /// are not of the data type that was named.
    fn save(&self, test: &Test, refined: &Refined) -> Option<String> {
        let saver = self.saver.as_ref()?;
        let (program, result) = (&refined.client.program, &refined.result);
        if refined.serial && self.options.spec.is_some() {
            return None;
        }
        let inputs = &self.options.inputs;
        let question = save::Question {
            command: "refine".to_owned(),
            model: result.model,
            engine: result.engine,
            inputs: inputs.files.clone(),
            clang: inputs.clang.clone(),
            clang_options: inputs.compiler_options.list.clone(),
            test: Some(test.to_string()),
            serial: refined.serial,
            trace: None,
        };
        let explanation = report::explanation_json(program, result);
        let mut run = save::SavedRun::new(question, program, result, explanation)?;
        run.specification = refined.specification.observations.iter().cloned().collect();
        run.observed.clone_from(&refined.observed);
        let saved = saver.add(self.rows.len(), run, &Arc::new(program.clone()), result);
        match saved {
            Ok(()) => Some(saver.command()),
            Err(text) => {
                tell!("fencepost: {text}");
                None
            }
        }
    }

    /// Keeps the specification of a client, if it is to be saved.
    fn keep(&mut self, test: &Test, tested: &Tested) {
        let specification = tested.specification.as_ref();
        if let Some(specification) = specification.filter(|_| self.options.save_spec.is_some()) {
            let part = specification::part(&test.to_string(), specification);
            self.parts.push(part);
        }
    }

    /// Prints and saves what is known of all clients together.
    fn finish(&mut self, question: &Refine, reading: Duration) -> Result<(), Complaint> {
        let program: &Program = &question.data_type.program;
        if self.options.format == Format::Json {
            let results = std::mem::take(&mut self.results);
            let json = report::refine_json(program, reading, results);
            print(&format!("{json}\n"));
        } else if self.options.stats {
            print(&format!("\n{}", report::work_text(&self.rows)));
        }
        let file = &program.source.name;
        let options = self.options;
        let say = |text: &str| say(options, text);
        self.drawing.finish(&options.pictures, file, &say);
        if let Some(path) = &self.options.save_spec {
            let mined = question.reference.as_ref().unwrap_or(&question.data_type);
            let about = format!("what clients of {} observe", mined.program.source.name);
            let text = specification::file(&about, &self.parts);
            std::fs::write(path, text).map_err(|error| {
                Complaint::Plain(format!("cannot write {}: {error}", path.display()))
            })?;
        }
        Ok(())
    }
}

/// The work for an answer.
fn work(refined: &Refined) -> Work {
    let effort = &refined.effort;
    Work {
        observations: refined.specification.observations.len(),
        instructions: effort.instructions,
        loads: effort.loads,
        stores: effort.stores,
        variables: effort.variables,
        clauses: effort.clauses,
        rounds: effort.rounds,
        mining: refined.mining,
        encoding: effort.encoding,
        solving: effort.solving,
        total: refined.total,
    }
}

/// Prints what is only for people.
fn say(options: &RefineOptions, text: &str) {
    if options.format == Format::Text {
        print(text);
    }
}
