//! Generating, asking, judging, and making small what is wrong.

use crate::axioms;
use crate::batch::BatchCompiler;
use crate::engines::{Answer, Engine, Limits, Status, ask};
use crate::extra;
use crate::families::{FAMILIES, generate};
use crate::judge::{Between, Disagreement, Facts, between, within};
use crate::library::SNIPPETS;
use crate::native;
use crate::random::Random;
use crate::refine;
use crate::shapes::{Shape, shapes};
use crate::shrink::smaller;
use crate::sketch::{End, Sketch, Statement, each};
use generate::in_parallel;
use memory::Model;
use program::Program;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Programs that are compiled together, without their shapes.
const CHUNK: u64 = 60;
/// Disagreements of one kind that are made small.
const KEPT: usize = 4;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of programs, shapes included.
    pub programs: u64,
    /// The seed.
    pub seed: u64,
    /// The number of the first program.
    pub first: u64,
    /// Families by name; all if empty.
    pub families: Vec<String>,
    /// The models.
    pub models: Vec<Model>,
    /// The engines.
    pub engines: Vec<Engine>,
    /// Shapes of each program.
    pub shapes: usize,
    /// Workers.
    pub jobs: usize,
    /// Where temporary files are.
    pub directory: PathBuf,
    /// Limits of each search.
    pub limits: Limits,
    /// Run programs on the processor as well, each for this long.
    pub native: Option<Duration>,
    /// Leave out programs that cannot be run there.
    pub native_only: bool,
    /// Print how far it is.
    pub progress: bool,
}

/// A program, perhaps beside a shape of it, on which there is a disagreement.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the program.
    pub number: u64,
    /// The program.
    pub sketch: Sketch,
    /// The shape, if it matters.
    pub shape: Option<Shape>,
    /// What is wrong.
    pub disagreement: Disagreement,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// Programs, without shapes.
    pub programs: u64,
    /// Shapes of them.
    pub shapes: u64,
    /// Programs that a front end refused, by the reason.
    pub unread: BTreeMap<String, u64>,
    /// Complete answers by engine and model.
    pub complete: BTreeMap<(Engine, usize), u64>,
    /// Answers that a limit cut off.
    pub cut: BTreeMap<(Engine, usize), u64>,
    /// Answers that there were none, by engine and reason.
    pub refused: BTreeMap<(Engine, String), u64>,
    /// Pairs of answers that were compared.
    pub comparisons: u64,
    /// What is wrong, made small; the first few of each kind.
    pub cases: Vec<Case>,
    /// How often each kind of disagreement occurred.
    pub kinds: BTreeMap<String, u64>,
    /// Names of functions and objects that occurred.
    pub names: BTreeMap<String, u64>,
    /// Time spent asking each engine.
    pub spent: BTreeMap<Engine, Duration>,
    /// Programs that the processor ran, and how often in all.
    pub native: (u64, u64),
    /// The time that it took.
    pub time: Duration,
}

impl Summary {
    fn add(&mut self, other: Summary) {
        self.programs += other.programs;
        self.shapes += other.shapes;
        self.comparisons += other.comparisons;
        self.native.0 += other.native.0;
        self.native.1 += other.native.1;
        merge(&mut self.unread, other.unread);
        merge(&mut self.complete, other.complete);
        merge(&mut self.cut, other.cut);
        merge(&mut self.refused, other.refused);
        merge(&mut self.kinds, other.kinds);
        merge(&mut self.names, other.names);
        for (engine, time) in other.spent {
            *self.spent.entry(engine).or_default() += time;
        }
        self.cases.extend(other.cases);
    }
}

fn merge<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (key, count) in from {
        *into.entry(key).or_default() += count;
    }
}

/// Runs until all programs are done or `stop` is set.
pub fn run(options: &Options, stop: &AtomicBool) -> Result<Summary, String> {
    let started = Instant::now();
    let next = AtomicU64::new(options.first);
    let done = AtomicU64::new(0);
    let total = Mutex::new(Summary::default());
    let kept: Mutex<HashMap<String, usize>> = Mutex::new(HashMap::new());
    let processor = Mutex::new(());
    in_parallel(options.jobs, |job| {
        let mut worker = Worker {
            options,
            compiler: BatchCompiler::new(&options.directory.join(job.to_string()))?,
            directory: options.directory.join(format!("native{job}")),
            native: Vec::new(),
            processor: &processor,
            kept: &kept,
            stop,
            found: Summary::default(),
        };
        while !stop.load(Ordering::Relaxed) && done.load(Ordering::Relaxed) < options.programs {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            worker.chunk(first);
            let found = std::mem::take(&mut worker.found);
            done.fetch_add(found.programs + found.shapes, Ordering::Relaxed);
            let mut total = total.lock().expect("no worker panics with it");
            total.add(found);
            if options.progress {
                let count = total.programs + total.shapes;
                let seconds = started.elapsed().as_secs_f64();
                eprint!(
                    "\r{count} programs, {:.0} a second, {} disagreements of {} kinds ",
                    count as f64 / seconds,
                    total.kinds.values().sum::<u64>(),
                    total.kinds.len(),
                );
            }
        }
        Ok(())
    })?;
    if options.progress {
        eprintln!();
    }
    let mut total = total.into_inner().expect("no worker panicked");
    total.time = started.elapsed();
    total.cases.sort_by_key(|case| case.number);
    Ok(total)
}

/// A program with its number and its shapes.
type Made = (u64, Sketch, Vec<(Shape, Sketch)>);
/// A program for the processor, with its outcomes under TSO.
type ForProcessor = (u64, Sketch, BTreeSet<Vec<i128>>);

struct Worker<'a> {
    options: &'a Options,
    compiler: BatchCompiler,
    directory: PathBuf,
    native: Vec<ForProcessor>,
    /// Held while programs run natively: they need both cores.
    processor: &'a Mutex<()>,
    /// Cases kept of each kind.
    kept: &'a Mutex<HashMap<String, usize>>,
    stop: &'a AtomicBool,
    found: Summary,
}

/// The sketch of a number, and its shapes.
pub fn program(options: &Options, number: u64) -> (Sketch, Vec<(Shape, Sketch)>) {
    let mut random = Random::new(options.seed, number);
    let chosen: Vec<_> = FAMILIES
        .iter()
        .filter(|family| {
            options.families.is_empty() || options.families.iter().any(|name| name == family.name)
        })
        .collect();
    let weights: Vec<usize> = chosen.iter().map(|family| family.weight).collect();
    let family = chosen[random.weighted(&weights)];
    let sketch = generate(family, &mut random);
    let count = if sketch.is_data_type() {
        0
    } else {
        options.shapes
    };
    let others = shapes(&sketch, count, &mut random);
    (sketch, others)
}

fn facts(sketch: &Sketch) -> Facts {
    let mut form_matters = false;
    for list in sketch.lists() {
        each(list, &mut |statement| {
            form_matters |= matches!(statement, Statement::Section { .. });
            statement.locations(&mut |at| form_matters |= at.index.is_some());
        });
    }
    let calls = |group: &str| {
        sketch.any(|statement| match statement {
            Statement::Snippet { snippet, .. } => SNIPPETS[*snippet].group == group,
            _ => false,
        })
    };
    let exits = calls("program end") || sketch.end == End::Exit;
    Facts {
        joins: sketch.end == End::Join,
        form_matters,
        exits,
        leaves: exits || calls("thread end"),
    }
}

impl Worker<'_> {
    fn chunk(&mut self, first: u64) {
        let made: Vec<Made> = (first..first + CHUNK)
            .map(|number| {
                let (sketch, others) = program(self.options, number);
                (number, sketch, others)
            })
            .filter(|(_, sketch, _)| !self.options.native_only || native::is_native(sketch))
            .collect();
        let all: Vec<&Sketch> = made
            .iter()
            .flat_map(|(_, sketch, others)| {
                std::iter::once(sketch).chain(others.iter().map(|(_, other)| other))
            })
            .collect();
        let mut programs = self.compiler.programs(&all).into_iter();
        for (number, sketch, others) in &made {
            let own: Vec<Result<Program, String>> =
                programs.by_ref().take(1 + others.len()).collect();
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            self.one(*number, sketch, others, &own);
        }
        self.run_natively();
    }

    /// Remembers a program for the processor, if it may be run there: nothing is wrong with it.
    fn for_processor(&mut self, number: u64, sketch: &Sketch, answers: &[Answer]) {
        if self.options.native.is_none() || !native::is_native(sketch) {
            return;
        }
        let wrong = |answer: &Answer| answer.deadlock || !answer.faults.is_empty();
        if answers.iter().any(wrong) {
            return;
        }
        let known = answers.iter().find(|answer| {
            answer.model == Model::Tso
                && answer.status == Status::Complete
                && answer.all_outcomes
                && answer.engine != Engine::Sat
        });
        if let Some(answer) = known {
            self.native
                .push((number, sketch.clone(), answer.outcomes.clone()));
        }
    }

    fn run_natively(&mut self) {
        let programs = std::mem::take(&mut self.native);
        let Some(each) = self.options.native.filter(|_| !programs.is_empty()) else {
            return;
        };
        let sketches: Vec<&Sketch> = programs.iter().map(|(_, sketch, _)| sketch).collect();
        let observed = {
            let _both_cores = self.processor.lock().expect("no worker panics with it");
            native::run(&sketches, each, &self.directory)
        };
        let observed = match observed {
            Ok(observed) => observed,
            Err(text) => {
                *self
                    .found
                    .unread
                    .entry(format!("natively: {text}"))
                    .or_default() += 1;
                return;
            }
        };
        for ((number, sketch, outcomes), seen) in programs.into_iter().zip(observed) {
            let detail = match &seen {
                None => "it does not end".to_owned(),
                Some(seen) => {
                    self.found.native.0 += 1;
                    self.found.native.1 += seen.runs;
                    match seen.outcomes.difference(&outcomes).next() {
                        None => continue,
                        Some(outcome) => {
                            let mut names = seen.names.clone();
                            names.sort();
                            format!("{names:?} = {outcome:?}")
                        }
                    }
                }
            };
            let disagreement = Disagreement {
                what: "native".to_owned(),
                finder: (Engine::Processor, Model::Tso.name()),
                misser: (Engine::Explore, Model::Tso.name()),
                between: Between::Engines,
                detail,
            };
            self.keep(number, &sketch, None, disagreement);
        }
    }

    fn one(
        &mut self,
        number: u64,
        sketch: &Sketch,
        others: &[(Shape, Sketch)],
        programs: &[Result<Program, String>],
    ) {
        self.found.programs += 1;
        self.count_names(sketch);
        let Some(answers) = self.answers(sketch, &programs[0]) else {
            return;
        };
        let mut wrong = within(&answers, facts(sketch));
        if let Ok(program) = &programs[0] {
            // These questions take several more searches each.
            if sketch.is_data_type() || (wrong.is_empty() && number.is_multiple_of(4)) {
                wrong.extend(self.further(sketch, program, &answers));
            }
        }
        if let Some(disagreement) = wrong.drain(..).next() {
            self.keep(number, sketch, None, disagreement);
            return;
        }
        self.for_processor(number, sketch, &answers);
        for ((shape, other), program) in others.iter().zip(&programs[1..]) {
            self.found.shapes += 1;
            let Some(shaped) = self.answers(other, program) else {
                continue;
            };
            if let Some(disagreement) = within(&shaped, facts(other)).into_iter().next() {
                self.keep(number, other, None, disagreement);
                continue;
            }
            let relation = shape.relation(sketch);
            let wrong = between(&answers, &shaped, relation, facts(sketch));
            self.found.comparisons += shaped.len() as u64;
            if let Some(disagreement) = wrong.into_iter().next() {
                self.keep(number, sketch, Some(shape), disagreement);
            }
        }
    }

    /// What the questions other than verdicts and outcomes show.
    fn further(&self, sketch: &Sketch, program: &Program, answers: &[Answer]) -> Vec<Disagreement> {
        let limits = &self.options.limits;
        match sketch.is_data_type() {
            true => refine::disagreements(program, &self.options.models, limits),
            false => extra::disagreements(program, answers, limits),
        }
    }

    fn count_names(&mut self, sketch: &Sketch) {
        use crate::print::{Target, print};
        let text = print(sketch, "", Target::Checker).text;
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for name in text.split(|c| !word(c)) {
            if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                *self.found.names.entry(name.to_owned()).or_default() += 1;
            }
        }
    }

    /// What every engine answers; none if the program cannot be read.
    fn answers(
        &mut self,
        sketch: &Sketch,
        program: &Result<Program, String>,
    ) -> Option<Vec<Answer>> {
        let program = match program {
            Ok(program) => program,
            Err(reason) => {
                let reason = reason.split(": ").skip(1).collect::<Vec<_>>().join(": ");
                *self.found.unread.entry(reason).or_default() += 1;
                return None;
            }
        };
        let mut answers = Vec::new();
        if sketch.is_data_type() {
            return Some(answers);
        }
        for &engine in &self.options.engines {
            let started = Instant::now();
            let mut cut = false;
            for &model in &self.options.models {
                if !engine.has(model) {
                    continue;
                }
                let key = (engine, crate::judge::strength(model));
                // What is too large under a model is too large under weaker ones.
                if cut {
                    *self.found.cut.entry(key).or_default() += 1;
                    continue;
                }
                let answer = ask(
                    program,
                    engine,
                    model,
                    sketch.spurious,
                    &self.options.limits,
                );
                match &answer.status {
                    Status::Complete => *self.found.complete.entry(key).or_default() += 1,
                    Status::Cut(reason) => {
                        cut = answer.faults.is_empty() && !answer.deadlock;
                        *self.found.cut.entry(key).or_default() += 1;
                        let key = (engine, format!("cut: {reason}"));
                        *self.found.refused.entry(key).or_default() += 1;
                    }
                    Status::Refused(reason) => {
                        let key = (engine, reason.clone());
                        *self.found.refused.entry(key).or_default() += 1;
                    }
                    Status::Panicked(_) => {}
                }
                answers.push(answer);
            }
            if engine == Engine::Axioms {
                for answer in axioms::ask(sketch, &self.options.models) {
                    let key = (engine, crate::judge::strength(answer.model));
                    *self.found.complete.entry(key).or_default() += 1;
                    answers.push(answer);
                }
            }
            *self.found.spent.entry(engine).or_default() += started.elapsed();
        }
        self.found.comparisons += answers.len().saturating_sub(1) as u64;
        Some(answers)
    }

    /// Counts a disagreement, and makes it small if it is among the first of its kind.
    fn keep(
        &mut self,
        number: u64,
        sketch: &Sketch,
        shape: Option<&Shape>,
        disagreement: Disagreement,
    ) {
        let kind = kind(sketch, shape, &disagreement);
        *self.found.kinds.entry(kind.clone()).or_default() += 1;
        {
            let mut kept = self.kept.lock().expect("no worker panics with it");
            let count = kept.entry(kind).or_default();
            *count += 1;
            if *count > KEPT {
                return;
            }
        }
        let case = Case {
            number,
            sketch: sketch.clone(),
            shape: shape.cloned(),
            disagreement,
        };
        let case = match case.disagreement.finder.0 {
            Engine::Processor => case,
            _ => self.shrink(case),
        };
        self.found.cases.push(case);
    }

    fn shrink(&mut self, mut case: Case) -> Case {
        let started = Instant::now();
        'again: while started.elapsed() < Duration::from_secs(30)
            && !self.stop.load(Ordering::Relaxed)
        {
            let candidates: Vec<(Sketch, Option<Sketch>)> = smaller(&case.sketch)
                .into_iter()
                .filter_map(|sketch| match &case.shape {
                    None => Some((sketch, None)),
                    Some(shape) => {
                        let other = shape.apply(&sketch)?;
                        let same = shape.relation(&sketch) == shape.relation(&case.sketch);
                        same.then_some((sketch, Some(other)))
                    }
                })
                .collect();
            for part in candidates.chunks(24) {
                let all: Vec<&Sketch> = part
                    .iter()
                    .flat_map(|(sketch, other)| std::iter::once(sketch).chain(other))
                    .collect();
                let mut programs = self.compiler.programs(&all).into_iter();
                for (sketch, other) in part {
                    let program = programs.next();
                    let shaped = other.as_ref().and_then(|_| programs.next());
                    let shown = self.shows(&case, sketch, program, other.as_ref(), shaped);
                    if let Some(disagreement) = shown {
                        case.sketch = sketch.clone();
                        case.disagreement = disagreement;
                        continue 'again;
                    }
                }
            }
            break;
        }
        case
    }

    /// The disagreement of a case, if a smaller program shows it as well.
    fn shows(
        &self,
        case: &Case,
        sketch: &Sketch,
        program: Option<Result<Program, String>>,
        other: Option<&Sketch>,
        shaped: Option<Result<Program, String>>,
    ) -> Option<Disagreement> {
        let engines = [case.disagreement.finder.0, case.disagreement.misser.0];
        let answers = |sketch: &Sketch, program: &Program| {
            let mut answers = Vec::new();
            for &engine in &self.options.engines {
                if !engines.contains(&engine) {
                    continue;
                }
                if engine == Engine::Axioms {
                    answers.extend(axioms::ask(sketch, &self.options.models));
                }
                for &model in &self.options.models {
                    if engine.has(model) {
                        answers.push(ask(
                            program,
                            engine,
                            model,
                            sketch.spurious,
                            &self.options.limits,
                        ));
                    }
                }
            }
            answers
        };
        let program = program?.ok()?;
        let own = match sketch.is_data_type() {
            true => Vec::new(),
            false => answers(sketch, &program),
        };
        let signature = case.disagreement.signature();
        let asked_further = matches!(signature.0.as_str(), "robust" | "race" | "refine");
        let wrong = match other {
            None if asked_further || sketch.is_data_type() => self.further(sketch, &program, &own),
            None => within(&own, facts(sketch)),
            Some(other) => {
                let theirs = answers(other, &shaped?.ok()?);
                let relation = case.shape.as_ref()?.relation(sketch);
                between(&own, &theirs, relation, facts(sketch))
            }
        };
        wrong
            .into_iter()
            .find(|found| found.signature() == signature)
    }
}

/// What disagreements have in common that are likely to have one cause.
fn kind(sketch: &Sketch, shape: Option<&Shape>, disagreement: &Disagreement) -> String {
    let (finder, misser) = (disagreement.finder.0.name(), disagreement.misser.0.name());
    let what = &disagreement.what;
    let family = sketch.family;
    match (shape, disagreement.between) {
        (Some(shape), Between::ProgramShape | Between::ShapeProgram) => {
            let shape = format!("{shape:?}");
            let shape = shape.split('(').next().unwrap_or_default().to_owned();
            format!("{family}: {what}, shape {shape}, {finder} against {misser}")
        }
        _ => format!("{family}: {what}, {finder} against {misser}"),
    }
}
