//! Programs to be looked at, one after another or side by side, and what comes of all of them.
//!
//! A pool of workers takes programs in their order. Each has its own limits and its own page, and pages are printed in the order
//! of the programs, so that a report does not depend on who was done first. Workers that are not needed for programs are
//! given to the searches.

use crate::arguments::{CommonOptions, InputOptions, OutputOptions};
use crate::exit::Exit;
use crate::inputs::{self, Complaint, Input};
use crate::page::Page;
use crate::pictures::PictureOptions;
use crate::run::{complaint_text, print};
use crate::save::Saver;
use crate::view::view;
use crate::watch::Watch;
use answer::{Bound, ModelResult};
use check::{Control, Models, Options, guard};
use program::{Diagnostic, Program};
use report::{Command, Entry, Expected, Format, Report};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A question that is asked of programs.
pub trait Asks: Sync {
    /// Which one.
    fn command(&self) -> Command;

    /// What all questions have.
    fn common(&self) -> &CommonOptions;

    /// Files that are written beside what is printed.
    fn pictures(&self) -> &PictureOptions;

    /// The models that it is asked under.
    fn models(&self) -> Models;

    /// The size of the search is asked for.
    fn counts(&self) -> bool {
        false
    }

    /// Results are shown as for every question.
    fn shows_results(&self) -> bool {
        true
    }

    /// An option that does nothing for any program of the run, given whether C programs and litmus tests are among them.
    fn without_meaning(&self, _c: bool, _litmus: bool) -> Option<&'static str> {
        None
    }

    /// Asks it, and shows the answer.
    fn ask(&self, read: &Read) -> Result<Exit, Box<Diagnostic>>;
}

/// A program to be looked at.
#[derive(Clone)]
pub struct Job<'a> {
    /// The question.
    pub asks: &'a dyn Asks,
    /// The program.
    pub input: Input,
    /// Its name in a summary, if it is not that of its file.
    pub name: Option<String>,
    /// What should come of it under each model.
    pub expected: Expectations,
}

/// What should come of a program: for each model, or whatever the model.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Under these models.
    pub of_models: Vec<(memory::Model, Expected)>,
    /// Under all others.
    pub otherwise: Option<Expected>,
}

impl Expectations {
    fn under(&self, model: Option<memory::Model>) -> Option<Expected> {
        let mut of_models = self.of_models.iter();
        let own = of_models.find(|(one, _)| Some(*one) == model);
        own.map(|(_, expected)| *expected).or(self.otherwise)
    }

    fn is_some(&self) -> bool {
        !self.of_models.is_empty() || self.otherwise.is_some()
    }
}

/// A program, the time that it took to read it, and what is needed to ask about it.
pub struct Read {
    pub program: Arc<Program>,
    pub time: Duration,
    /// Where what is found is shown.
    pub page: Arc<Page>,
    /// Limits, with progress of its own.
    pub control: Control,
    /// Workers for its searches.
    jobs: usize,
    input: Input,
    index: usize,
    /// It is the only one.
    pub alone: bool,
    saver: Option<Arc<Saver>>,
    expected: Expectations,
    /// How results are printed.
    pub output: OutputOptions,
}

impl Read {
    /// Options for questions about the program.
    pub fn options(&self, asked: Options) -> Options {
        Options {
            control: self.control.clone(),
            jobs: self.jobs,
            spent: self.time,
            ..asked
        }
    }

    /// Shows what a question found of the program, once what is to be saved is.
    pub fn show(&self, asks: &dyn Asks, results: &[ModelResult], trace: Option<&str>) {
        let OutputOptions { format, quiet, .. } = self.output;
        let (command, program) = (asks.command(), &self.program);
        let mut view = view();
        if let Some(saver) = &self.saver {
            let inputs = &asks.common().inputs;
            let of = (command.name(), self.input.files(), inputs, trace);
            let saved = saver.keep(self.index, of, program, results);
            match saved {
                Ok(0) => {}
                Ok(_) => view.replay = Some(saver.command()),
                Err(text) => self.page.tell(&format!("fencepost: {text}")),
            }
        }
        let report = Report {
            command,
            program,
            reading: self.time,
            results,
            counts: asks.counts(),
            view: &view,
        };
        let mut entries = report::entries(&report);
        for entry in &mut entries {
            entry.expected = self.expected.under(entry.model);
        }
        // What was expected is in the summary.
        let is_news = !self.expected.is_some() || !entries.iter().all(Entry::is_good);
        if format == Format::Text && quiet {
            let lines = entries.iter().filter(|entry| !entry.is_good());
            let lines: Vec<String> = lines.map(Entry::line).collect();
            self.page.print(&lines.concat());
        } else if format == Format::Json || format == Format::Text && is_news {
            self.page.print(&format.show(&report));
        }
        asks.pictures().write(&report, &|text| {
            if self.output.is_full_text() {
                self.page.print(text);
            }
        });
        self.page.enter(entries);
    }
}

/// How programs are looked at.
pub struct Run<'a> {
    /// Workers.
    pub jobs: usize,
    /// How results are printed.
    pub output: &'a OutputOptions,
    /// Set by Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
    /// What all of them came to is printed in the end.
    pub summary: bool,
}

/// What came of a program.
struct Done {
    page: Arc<Page>,
    exit: Exit,
    entries: Vec<Entry>,
}

impl Run<'_> {
    /// Looks at all programs; what is wrong with one does not keep the others from being looked at.
    pub fn all(&self, jobs: &[Job<'_>]) -> Exit {
        let saver = match self.output.save.as_deref().map(Saver::new).transpose() {
            Ok(saver) => saver.map(Arc::new),
            Err(complaint) => return crate::run::complain(&complaint),
        };
        let workers = self.jobs.min(jobs.len()).max(1);
        let expects = jobs.iter().any(|job| job.expected.is_some());
        let mut exit = Exit::Holds;
        let mut entries: Vec<Entry> = Vec::new();
        let mut collect = |done: Done| {
            exit = exit.max(done.exit);
            entries.extend(done.entries);
        };
        if workers == 1 && !expects {
            for (index, job) in jobs.iter().enumerate() {
                if index > 0 && self.output.is_full_text() {
                    print("\n");
                }
                let page = Arc::new(Page::new(false));
                collect(self.one(job, index, page, self.jobs, &saver, jobs.len()));
            }
        } else {
            let mut first = true;
            self.side_by_side(jobs, workers, &saver, |done| {
                // A blank line stands between the reports on two programs.
                if done.page.has_output()
                    && !std::mem::take(&mut first)
                    && self.output.is_full_text()
                {
                    print("\n");
                }
                done.page.flush();
                collect(done);
            });
        }
        self.finish(&entries, saver.as_deref());
        exit
    }

    fn side_by_side(
        &self,
        jobs: &[Job<'_>],
        workers: usize,
        saver: &Option<Arc<Saver>>,
        mut shown: impl FnMut(Done),
    ) {
        let (next, finished) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let (send, done) = channel::<(usize, Done)>();
        let share = (self.jobs / workers).max(1);
        let at_work: Arc<Mutex<Vec<String>>> = Arc::default();
        let watch = {
            let (finished, all, at_work) = (finished.clone(), jobs.len(), at_work.clone());
            Watch::telling(move |time| {
                let names = at_work
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .join(", ");
                let (done, seconds) = (finished.load(Ordering::Relaxed), time.as_secs());
                format!("{done} of {all} programs, {seconds} s; at work: {names}; Ctrl-C stops")
            })
        };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (send, next, finished, at_work) = (send.clone(), &next, &finished, &at_work);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = jobs.get(index) else {
                            return;
                        };
                        let name = job.name();
                        let at_work = || at_work.lock().unwrap_or_else(PoisonError::into_inner);
                        at_work().push(name.clone());
                        let page = Arc::new(Page::new(true));
                        let done = self.one(job, index, page, share, saver, jobs.len());
                        at_work().retain(|one| *one != name);
                        finished.fetch_add(1, Ordering::Relaxed);
                        // Whoever prints is there until all are done.
                        let _ = send.send((index, done));
                    }
                });
            }
            drop(send);
            // Those that are done before one that comes earlier wait for it.
            let mut waiting: Vec<Option<Done>> = jobs.iter().map(|_| None).collect();
            let mut printed = 0;
            while let Ok((index, one)) = done.recv() {
                waiting[index] = Some(one);
                while let Some(one) = waiting.get_mut(printed).and_then(Option::take) {
                    watch.aside(|| shown(one));
                    printed += 1;
                }
            }
        });
    }

    /// Reads a program and asks about it.
    fn one(
        &self,
        job: &Job<'_>,
        index: usize,
        page: Arc<Page>,
        workers: usize,
        saver: &Option<Arc<Saver>>,
        all: usize,
    ) -> Done {
        let asked = AssertUnwindSafe(|| self.ask(job, index, &page, workers, saver, all));
        let exit = catch_unwind(asked).unwrap_or_else(|_| {
            page.tell(crate::run::BUG);
            page.enter([Entry::bad(
                job.asks.command().name(),
                &job.input.to_string(),
                "a bug in Fencepost",
                None,
            )]);
            Exit::BadInput
        });
        let mut entries = page.entries();
        for entry in &mut entries {
            entry.expected = job.expected.under(entry.model);
            entry.name = job.name();
        }
        let exit = match job.expected.is_some() {
            true => entries.iter().map(Exit::of_entry).max().unwrap_or(exit),
            false => exit,
        };
        Done {
            page,
            exit,
            entries,
        }
    }

    fn ask(
        &self,
        job: &Job<'_>,
        index: usize,
        page: &Arc<Page>,
        workers: usize,
        saver: &Option<Arc<Saver>>,
        all: usize,
    ) -> Exit {
        let (common, input) = (job.asks.common(), &job.input);
        let control = Control {
            interrupt: self.interrupt.clone(),
            ..common.options().control
        };
        if control.is_interrupted() {
            page.tell(&format!("fencepost: stopped before {input}"));
            return Exit::Undecided;
        }
        let started = Instant::now();
        let (named, by) = (input.clone(), common.inputs.clone());
        let read = inputs::read_within(&control, move |limit| inputs::read(&named, &by, limit));
        let of = |program: Program| Read {
            program: Arc::new(program),
            time: started.elapsed(),
            page: page.clone(),
            control: control.clone(),
            jobs: workers,
            input: input.clone(),
            index,
            alone: all == 1,
            saver: saver.clone(),
            expected: job.expected.clone(),
            output: self.output.clone(),
        };
        let done = match read {
            Ok(Ok(program)) => job.asks.ask(&of(program)).map_err(Complaint::from),
            Ok(Err(complaint)) => Err(complaint),
            Err(bound) => Ok(unread(job.asks, &of(inputs::nothing_of(input)), bound)),
        };
        done.unwrap_or_else(|complaint| self.complain(job, page, &complaint))
    }

    /// Says what is wrong with an input.
    fn complain(&self, job: &Job<'_>, page: &Page, complaint: &Complaint) -> Exit {
        page.tell(&complaint_text(complaint));
        let (message, found) = complaint.parts();
        let file = job.input.to_string();
        if self.output.format == Format::Json {
            page.print(&format!("{}\n", report::error_json(&file, &message, found)));
        }
        page.enter([Entry::bad(
            job.asks.command().name(),
            &file,
            &message,
            found,
        )]);
        match complaint {
            Complaint::Stopped => Exit::Undecided,
            _ => Exit::BadInput,
        }
    }

    /// Prints what is about all programs together.
    fn finish(&self, entries: &[Entry], saver: Option<&Saver>) {
        if let Some(document) = self.output.format.document(entries) {
            print(&document);
        } else if self.summary && self.output.format == Format::Text && !self.output.quiet {
            let apart = if entries.iter().all(|e| e.expected.is_some() && e.is_good()) {
                ""
            } else {
                "\n"
            };
            print(&format!("{apart}{}", report::summary_text(entries)));
        }
        if let Some(saver) = saver.filter(|saver| saver.is_empty()) {
            tell!(
                "fencepost: nothing is saved: there is no execution to show; {} is as it was",
                saver.path()
            );
        }
    }
}

impl Job<'_> {
    fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.input.to_string())
    }
}

/// Shows that there is no answer for a program that was not read before a limit was reached.
fn unread(asks: &dyn Asks, read: &Read, bound: Bound) -> Exit {
    if asks.shows_results() {
        let models = asks.models();
        let results = models.list.iter();
        let results = results.map(|model| guard::unread(*model, bound, read.time));
        read.show(asks, &results.collect::<Vec<_>>(), None);
    } else {
        read.page.tell(crate::run::NO_ESTIMATE);
    }
    Exit::Undecided
}

/// What is wrong with an option that does nothing for any of the programs.
pub fn idle_option(asks: &dyn Asks, inputs: &[Input]) -> Option<Complaint> {
    let c = inputs.iter().any(|input| matches!(input, Input::C(_)));
    let litmus = inputs.iter().any(|input| matches!(input, Input::Litmus(_)));
    let option = asks.without_meaning(c, litmus)?;
    let of = if c { "litmus tests" } else { "C programs" };
    Some(Complaint::Plain(format!(
        "{option} does nothing: it is for {of}, and there is none"
    )))
}

/// Asks about all programs that were named.
pub fn named(asks: &dyn Asks, interrupt: Arc<AtomicBool>) -> Exit {
    let common = asks.common();
    let inputs: &InputOptions = &common.inputs;
    let control = Control {
        interrupt: interrupt.clone(),
        ..common.options().control
    };
    let by = inputs.clone();
    let found = inputs::read_within(&control, move |limit| inputs::programs(&by, limit));
    let found = match found {
        Ok(Ok(found)) => found,
        Ok(Err(complaint)) => {
            let file = inputs.files.first().map(|file| file.display().to_string());
            return crate::run::complain_in(
                common.output.format,
                &file.unwrap_or_default(),
                &complaint,
            );
        }
        Err(_) => return crate::run::complain(&Complaint::Stopped),
    };
    let unfit = asks.pictures().check(found.len()).err();
    if let Some(complaint) = unfit.or_else(|| idle_option(asks, &found)) {
        return crate::run::complain_in(common.output.format, "", &complaint);
    }
    let jobs = found.into_iter().map(|input| Job {
        asks,
        input,
        name: None,
        expected: Expectations::default(),
    });
    let jobs: Vec<Job<'_>> = jobs.collect();
    let run = Run {
        jobs: common.options().jobs,
        output: &common.output,
        interrupt,
        summary: jobs.len() > 1 && asks.command() != Command::Outcomes && asks.shows_results(),
    };
    run.all(&jobs)
}
