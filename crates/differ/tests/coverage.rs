//! The grammar has everything that the library promises.

use differ::families::{FAMILIES, generate};
use differ::print::{Target, print};
use differ::random::Random;
use program::ROUTINES;
use std::collections::BTreeSet;

/// Names that occur only as what a header makes of another name.
const BEHIND: &[(&str, &str)] = &[
    ("__assert_fail", "assert"),
    ("__errno_location", "errno"),
    ("__ctype_b_loc", "isalpha"),
];

/// Names that no program has: what fortified headers, other versions of the C library, or programs before
/// C99 call functions that occur under another name of their row.
const ABSENT: &[&str] = &[
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "__strcpy_chk",
    "__strncpy_chk",
    "__strcat_chk",
    "__strncat_chk",
    "__strtok_r",
    "__strdup",
    "__strndup",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "__printf_chk",
    "__fprintf_chk",
    "__sprintf_chk",
    "__vsprintf_chk",
    "__snprintf_chk",
    "__vsnprintf_chk",
    "_IO_putc",
    "cfree",
];

fn words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for family in FAMILIES {
        for number in 0..1_500 {
            let sketch = generate(family, &mut Random::new(7, number));
            let text = print(&sketch, "", Target::Checker).text;
            let split = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.extend(split.map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_library_function_occurs() {
    let words = words();
    let occurs = |name: &str| {
        let behind = BEHIND.iter().find(|(hidden, _)| *hidden == name);
        words.contains(behind.map_or(name, |(_, shown)| shown))
    };
    let rows = ROUTINES
        .iter()
        .filter(|row| !row.names.iter().any(|name| occurs(name)));
    let missing: Vec<&str> = rows.map(|row| row.names[0]).collect();
    assert_eq!(missing, [""; 0], "rows of which nothing occurs");
    let names = ROUTINES.iter().flat_map(|row| row.names);
    let missing: Vec<&&str> = names
        .filter(|name| !occurs(name) && !ABSENT.contains(name))
        .collect();
    assert_eq!(missing, [&""; 0], "names that do not occur");
}

#[test]
fn every_make_of_access_and_fence_occurs() {
    let words = words();
    let wanted = [
        "__atomic_load_n",
        "__atomic_store_n",
        "__atomic_exchange_n",
        "__atomic_fetch_add",
        "__atomic_fetch_sub",
        "__atomic_fetch_and",
        "__atomic_fetch_or",
        "__atomic_fetch_xor",
        "__atomic_fetch_nand",
        "__atomic_compare_exchange_n",
        "__atomic_thread_fence",
        "atomic_signal_fence",
        "fp_fence",
        "__sync_synchronize",
        "mfence",
        "sfence",
        "lfence",
        "__ATOMIC_RELAXED",
        "__ATOMIC_ACQUIRE",
        "__ATOMIC_RELEASE",
        "__ATOMIC_ACQ_REL",
        "__ATOMIC_SEQ_CST",
        "atomic_flag_test_and_set_explicit",
        "fp_atomic_begin",
        "fp_assume",
        "assert",
        "volatile",
        "union",
        "struct",
    ];
    let missing: Vec<_> = wanted
        .iter()
        .filter(|word| !words.contains(**word))
        .collect();
    assert_eq!(missing, [&""; 0]);
}
