//! The functions that C programs may call: the table of [`ROUTINES`] as people read it.

use program::{ROUTINES, RoutineRow, Synchronisation};

/// The rows of the table, group by group.
fn groups() -> impl Iterator<Item = &'static [RoutineRow]> {
    ROUTINES.chunk_by(|one, next| one.family == next.family)
}

/// The table for a terminal.
pub fn library_text() -> String {
    let mut text = String::new();
    for group in groups() {
        text += &format!("{}\n", group[0].family.heading());
        for row in group {
            text += &format!("  {}\n      {}\n", row.names.join(", "), row.summary);
            if row.synchronises != Synchronisation::Nothing {
                let orders = row.synchronises.description();
                text += &format!("      Orders: {orders} ({}).\n", row.reason);
            }
        }
        text += "\n";
    }
    text + "Intrinsics of the compiler, __atomic_*, __sync_*, the functions of math.h that are one \
            operation\nand inline assembly of x86-64 work as well. Where a program \
            defines one of these\nfunctions itself, its own is called.\n"
}

/// The table as `docs/reference/library.md`.
pub fn library_markdown() -> String {
    let mut text = "# Library functions

What C programs may call without defining it. `fencepost functions` prints the same list; a
test holds this page to the table in `crates/program/src/routine.rs` that it is made from.
A program that calls anything else is refused, with the name of the function and the line
of the call.

Intrinsics of the compiler (`__builtin_*`), `__atomic_*`, `__sync_*`, the functions of `math.h`
that are one operation (`sqrt`, `fabs`, `floor`, …) and [inline assembly](c.md#inline-assembly)
work as well; [c.md](c.md) says more. Where a program defines one of these functions itself,
its own is called.

Some functions are C themselves, and run like the program's own: `atexit`, `at_quick_exit`, `qsort_r`,
`reallocarray`, `ffs`, `ffsl`, `ffsll`, `gettid`; `pthread_cleanup_push` and `pthread_cleanup_pop` (there is no cancellation); those that say where and how soon threads run and
do nothing here (`pthread_setaffinity_np`, `pthread_attr_setaffinity_np`, `pthread_setschedparam`, `pthread_setschedprio`,
`pthread_attr_setschedparam`, `pthread_attr_setschedpolicy`, `pthread_attr_setstack`, `pthread_setconcurrency`, `sched_setaffinity`, `sched_setscheduler`, and `sched_getcpu`,
which is 0); and [annotations of other checkers](c.md#annotations-of-other-checkers). `mmap` without a file gives memory of zeros, and `munmap` frees it.

## What they order

The column *orders* has the accesses that implementations make to the lock, semaphore or
condition variable that they are given, and their [order](models.md); where it is empty, a function makes no access
that others can see, or plain ones. A call does what such an access of the program would
do: under TSO a read-modify-write waits for an empty store buffer, as a locked
instruction of x86 does, a store goes through the store buffer, and a load waits for nothing. Under
PSO a read-modify-write waits for the thread's own stores to the same object, and if it releases,
for all. POSIX promises more: it lists most of these functions among those that
\"synchronize memory with respect to other threads\". glibc and musl do not make them full fences, and a
program that relies on that goes wrong on x86; so it is wrong here. A call that fails without an entry of its own
orders what it orders when it succeeds.
"
    .to_owned();
    for group in groups() {
        let orders = |row: &RoutineRow| row.synchronises != Synchronisation::Nothing;
        let ordered = group.iter().any(orders);
        text += &format!("\n## {}\n\n", group[0].family.heading());
        text += match ordered {
            true => "| function | | orders | why |\n| --- | --- | --- | --- |\n",
            false => "| function | |\n| --- | --- |\n",
        };
        for row in group {
            let names: Vec<String> = row.names.iter().map(|name| format!("`{name}`")).collect();
            text += &format!("| {} | {} |", names.join(", "), row.summary);
            if ordered {
                text += &format!(" {} | {} |", row.synchronises.description(), row.reason);
            }
            text += "\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_page_says_what_the_table_says() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/library.md");
        if std::env::var_os("FENCEPOST_BLESS").is_some() {
            std::fs::write(&path, library_markdown()).expect("a new file");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        let same = stored == library_markdown();
        assert!(
            same,
            "FENCEPOST_BLESS=1 writes docs/reference/library.md anew"
        );
    }

    #[test]
    fn every_function_is_listed_once() {
        let text = library_text();
        let lines = text.lines().filter(|line| line.starts_with("  "));
        let names = lines.filter(|line| !line.starts_with("   "));
        let names: Vec<&str> = names.flat_map(|line| line.trim().split(", ")).collect();
        let all: Vec<&str> = ROUTINES.iter().flat_map(|row| row.names).copied().collect();
        assert_eq!(names, all);
    }

    #[test]
    fn every_heading_stands_once() {
        let headings: Vec<&str> = groups().map(|group| group[0].family.heading()).collect();
        let mut once = headings.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), headings.len());
    }
}
