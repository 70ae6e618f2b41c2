//! Programs run on the processor: what is observed must be among the outcomes for TSO.
//!
//! Many programs are compiled into one executable. Two threads stay on two cores; between runs the first puts the
//! objects of the program back, and both meet at a barrier. Threads start a few instructions apart, by
//! random, so that runs differ. A program is run for a few milliseconds, and what was observed is printed, each
//! combination once.
//!
//! Only programs of two threads are run that no engine calls wrong, so that they end and have no undefined behaviour,
//! except that plain accesses race; those are volatile here.

use crate::library::{HEAD, SNIPPETS};
use crate::print::print_native;
use crate::sketch::{Sketch, Statement};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Groups of calls that do the same on the processor as under the checker, whatever the schedule. Left out are calls that are
/// one step for the checker only (`memcmp` of glibc may read a byte twice), and timed waits (in glibc a signal sent as a wait times out may
/// wake a later one).
const GROUPS: &[&str] = &[
    "semaphore",
    "condition",
    "condition11",
    "barrier",
    "once",
    "heap",
    "node",
    "locks",
    "copy",
    "mixed",
    "call",
    "pure",
    "destroy",
];

/// What the processor showed of a program.
pub struct Observed {
    /// The names of what is observed.
    pub names: Vec<String>,
    /// Combinations of values, in the order of the sorted names.
    pub outcomes: BTreeSet<Vec<i128>>,
    /// How often it was run.
    pub runs: u64,
}

/// Whether a program does the same on the processor.
pub fn is_native(sketch: &Sketch) -> bool {
    let foreign = sketch.any(|statement| match statement {
        Statement::Section { .. } | Statement::Start { .. } => true,
        Statement::Check { assume, .. } => *assume,
        Statement::Snippet { snippet, .. } => {
            let row = &SNIPPETS[*snippet];
            // A thread that waits for a semaphore as it is initialised may be lost there, as its row says.
            !GROUPS.contains(&row.group) || row.code.contains("sem_init")
        }
        _ => false,
    });
    // Waits hardly ever end spuriously there, and a program may count on it to end.
    !foreign && !sketch.spurious && print_native(sketch, "").is_some()
}

/// Runs programs that [are native](is_native), each for about so long.
pub fn run(
    sketches: &[&Sketch],
    each: Duration,
    directory: &Path,
) -> Result<Vec<Option<Observed>>, String> {
    std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    let mut text = HEAD.replace("#include <fencepost.h>\n", "");
    text.push_str(HARNESS);
    let mut names = Vec::new();
    let mut table = String::new();
    for (index, sketch) in sketches.iter().enumerate() {
        let prefix = format!("p{index}_");
        let printed = print_native(sketch, &prefix).ok_or("a program that is not native")?;
        text.push_str(&printed.text);
        let _ = writeln!(
            text,
            "extern char __start_{prefix}data[], __stop_{prefix}data[];"
        );
        let _ = writeln!(
            table,
            "    {{{prefix}setup, {prefix}t0, {prefix}t1, {prefix}after, __start_{prefix}data, __stop_{prefix}data, {}}},",
            printed.observed.len(),
        );
        names.push(printed.observed);
    }
    let _ = write!(
        text,
        "static const struct test tests[] = {{\n{table}}};\nint main(int count, char **words) {{ return run_all(tests, atoi(words[1]), {}, {}); }}\n",
        sketches.len(),
        each.as_micros(),
    );
    let (source, program) = (directory.join("native.c"), directory.join("native"));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    // Without optimisation the accesses are those that the checker reads: gcc splits copies of structs.
    let compiled = Command::new("clang")
        .args(["-O0", "-w", "-pthread", "-o"])
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .output()
        .map_err(|error| format!("cannot run clang: {error}"))?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut found: Vec<Option<Observed>> = names.iter().map(|_| None).collect();
    let mut first = 0;
    while first < sketches.len() {
        let left = (sketches.len() - first) as u32;
        let limit = each * left * 4 + Duration::from_secs(3);
        for line in execute(&program, first, limit)?.lines() {
            take(line, &names, &mut found);
        }
        // One that crashed or did not end keeps those after it from being run.
        let stuck = found[first..].iter().position(Option::is_none);
        first = stuck.map_or(sketches.len(), |stuck| first + stuck + 1);
    }
    Ok(found)
}

/// Takes a line: the program, how often, and the values in the order of the names.
fn take(line: &str, names: &[Vec<String>], found: &mut [Option<Observed>]) {
    let words = line.split(' ');
    let numbers: Vec<i128> = words.filter_map(|word| word.parse().ok()).collect();
    let [index, runs, values @ ..] = &numbers[..] else {
        return;
    };
    let index = *index as usize;
    let own = found[index].get_or_insert_with(|| Observed {
        names: names[index].clone(),
        outcomes: BTreeSet::new(),
        runs: 0,
    });
    own.runs += *runs as u64;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|at| &names[index][*at]);
    let values = order.into_iter().map(|at| values[at]);
    own.outcomes.insert(values.collect());
}

/// Runs the executable from a program on; what it printed before it was done or was stopped.
fn execute(program: &Path, first: usize, limit: Duration) -> Result<String, String> {
    let output = program.with_extension("out");
    let file = std::fs::File::create(&output).map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .arg(first.to_string())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let started = Instant::now();
    while let Ok(None) = child.try_wait() {
        if started.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::read_to_string(&output).map_err(|error| error.to_string())
}

/// The part of the file that runs the programs.
const HARNESS: &str = r#"
#define fp_choose(n) ((unsigned)rand() % (n))
#define fp_fence(kinds) __sync_synchronize()
#define fp_retry() ((void)0)
struct test { void (*setup)(void); void *(*first)(void *); void *(*second)(void *); void (*after)(void); char *start, *stop; int observed; };
static long recorded[64];
#define fp_record(index, value) (recorded[index] = (value))
static int arrived[2], running, current;
static const struct test *chosen;
static unsigned seed[2] = {1, 2};
static void meet(int who) {
    int count = arrived[who] + 1;
    __atomic_store_n(&arrived[who], count, __ATOMIC_SEQ_CST);
    for (int spins = 0; __atomic_load_n(&arrived[1 - who], __ATOMIC_SEQ_CST) < count; spins++)
        if (spins > 2000) { sched_yield(); spins = 0; }
}
static void wait_a_little(int who) {
    seed[who] = seed[who] * 1103515245 + 12345;
    for (volatile unsigned n = (seed[who] >> 16) & 31; n; n--) ;
}
static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}
static void *partner(void *a) {
    pin(1);
    for (;;) {
        meet(1);
        if (!running) return 0;
        const struct test *test = chosen;
        wait_a_little(1);
        test->second(0);
        meet(1);
    }
}
static long microseconds(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000L + t.tv_nsec / 1000; }
static int run_all(const struct test *tests, int from, int count, long each) {
    static long seen[256][64];
    static long times[256];
    pthread_t other;
    pin(0);
    running = 1;
    pthread_create(&other, 0, partner, 0);
    for (int i = from; i < count; i++) {
        const struct test *test = &tests[i];
        long size = test->stop - test->start, bytes = test->observed * sizeof(long);
        char *fresh = malloc(size);
        int known = 0;
        memcpy(fresh, test->start, size);
        long end = microseconds() + each;
        for (long run = 1; (run & 63) || microseconds() < end; run++) {
            memcpy(test->start, fresh, size);
            memset(recorded, 0, bytes);
            test->setup();
            chosen = test;
            meet(0);
            wait_a_little(0);
            test->first(0);
            meet(0);
            test->after();
            int at = 0;
            while (at < known && memcmp(seen[at], recorded, bytes)) at++;
            if (at == 256) continue;
            if (at == known) { memcpy(seen[known], recorded, bytes); times[known++] = 0; }
            times[at]++;
        }
        for (int at = 0; at < known; at++) {
            printf("%d %ld", i, times[at]);
            for (int o = 0; o < test->observed; o++) printf(" %ld", seen[at][o]);
            printf("\n");
        }
        fflush(stdout);
        free(fresh);
    }
    running = 0;
    meet(0);
    pthread_join(other, 0);
    return 0;
}
"#;
