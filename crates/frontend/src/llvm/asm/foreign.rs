//! Fences of other processors: `membar` of SPARC, `dmb` and `dsb` of Arm.
//!
//! LLVM IR of other targets comes as text. Its memory is laid out as that of x86-64, so that
//! code without assembly means the same; of its assembly only fences do.

use program::Orderings;

/// What assembly code orders that consists of fences of other processors.
pub fn fences(template: &str) -> Option<Vec<Orderings>> {
    let lines = template.split([';', '\n']);
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<_> = words.filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return None;
    }
    let orderings = lines.iter().map(|line| fence(&line.to_lowercase()));
    orderings.collect()
}

fn fence(line: &str) -> Option<Orderings> {
    if let Some(kinds) = line.strip_prefix("membar ") {
        let kinds = kinds.split(['|', ',', ' ']).filter(|kind| !kind.is_empty());
        return kinds
            .map(|kind| match kind.trim_start_matches('#') {
                "sync" | "memissue" => Some(Orderings::ALL),
                kind => Orderings::named(kind),
            })
            .try_fold(Orderings::NONE, |all, kind| Some(all.union(kind?)));
    }
    Some(match line {
        "dmb ish" | "dmb sy" | "dsb ish" | "dsb sy" | "dmb" | "dsb" => Orderings::ALL,
        "dmb ishld" | "dsb ishld" | "dmb ld" | "dsb ld" => {
            Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE)
        }
        "dmb ishst" | "dsb ishst" | "dmb st" | "dsb st" => Orderings::STORE_STORE,
        "yield" | "isb" | "isb sy" => Orderings::NONE,
        _ => return None,
    })
}
