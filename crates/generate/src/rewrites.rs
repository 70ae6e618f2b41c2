//! Shapes that write single instructions in another way.

use crate::instruction::{FRESH, Instruction, Language, Memory, Operand, Register};
use crate::test::{Line, Test};

/// The test with some instructions replaced by others. One in a delay slot stays what it is, since
/// only one instruction fits there.
fn rewritten(
    test: &Test,
    rewrite: impl Fn(&Instruction) -> Option<Vec<Instruction>>,
) -> Option<Test> {
    let mut changed = test.clone();
    let mut any = false;
    for (thread, lines) in changed.threads.iter_mut().enumerate() {
        let old = std::mem::take(lines);
        for (index, line) in old.into_iter().enumerate() {
            let instruction = line.instruction.as_ref();
            let new = instruction
                .filter(|_| !test.is_slot(thread, index))
                .and_then(&rewrite)
                .filter(|new| !new.is_empty());
            let Some(new) = new else {
                lines.push(line);
                continue;
            };
            any = true;
            let first = lines.len();
            lines.extend(new.into_iter().map(Line::from));
            lines[first].labels = line.labels;
        }
    }
    any.then_some(changed)
}

/// Constants are put into a register before they are stored; with `exchange` they are then
/// exchanged with memory: `MOV [x],$1` is `MOV R9D,$1` and `XCHG [x],R9D`.
pub fn stored_from_register(test: &Test, exchange: bool) -> Option<Test> {
    rewritten(test, |store| {
        let value = store.operands.iter().find_map(|operand| match operand {
            Operand::Number(number) => Some(*number),
            _ => None,
        })?;
        let memory = Operand::Memory(store.memory()?.clone());
        let bits = store.memory()?.bits;
        match test.language {
            Language::X86 if store.mnemonic == "MOV" => {
                let fresh = Operand::Register(Register::new(FRESH, bits));
                let mnemonic = if exchange { "XCHG" } else { "MOV" };
                Some(vec![
                    Instruction::new("MOV", vec![fresh.clone(), Operand::Number(value)]),
                    Instruction::new(mnemonic, vec![memory, fresh]),
                ])
            }
            Language::Sparc if store.mnemonic.starts_with("st") => {
                let fresh = Operand::Register(Register::new(FRESH, 64));
                let set = Instruction::new("mov", vec![Operand::Number(value), fresh.clone()]);
                let second = match (exchange, bits) {
                    (false, _) => Instruction::new(store.mnemonic.clone(), vec![fresh, memory]),
                    (true, 32) => Instruction::new("swap", vec![memory, fresh]),
                    _ => return None,
                };
                Some(vec![set, second])
            }
            _ => None,
        }
    })
}

/// Instructions that compute with memory are a load, a computation and a store:
/// `ADD [x],$1` is `MOV R9D,[x]`, `ADD R9D,$1` and `MOV [x],R9D`.
pub fn loaded_first(test: &Test) -> Option<Test> {
    const COMPARE: [&str; 2] = ["CMP", "TEST"];
    const COMPUTE: [&str; 9] = ["ADD", "SUB", "AND", "OR", "XOR", "INC", "DEC", "NEG", "NOT"];
    rewritten(test, |one| {
        let name = one.mnemonic.as_str();
        let computes = COMPUTE.contains(&name);
        if one.lock || !(computes || COMPARE.contains(&name)) {
            return None;
        }
        let memory: Memory = one.memory()?.clone();
        let fresh = Operand::Register(Register::new(FRESH, memory.bits));
        let memory = Operand::Memory(memory);
        let mut computation = one.clone();
        for operand in &mut computation.operands {
            if *operand == memory {
                *operand = fresh.clone();
            }
        }
        let mut new = vec![
            Instruction::new("MOV", vec![fresh.clone(), memory.clone()]),
            computation,
        ];
        if computes && one.operands.first() == Some(&memory) {
            new.push(Instruction::new("MOV", vec![memory, fresh]));
        }
        Some(new)
    })
}

/// The instructions that SPARC has other names for: `cmp %a, %b` is `subcc %a, %b, %g0`.
pub fn written_out(test: &Test) -> Option<Test> {
    rewritten(test, |one| {
        let new = match (one.mnemonic.as_str(), &one.operands[..]) {
            ("cmp", [a, b]) => ("subcc", vec![a.clone(), b.clone(), Operand::Zero]),
            // The manual's `orcc` gives the same codes, but carry and overflow of logic depend on nothing.
            ("tst", [a]) => ("subcc", vec![a.clone(), Operand::Zero, Operand::Zero]),
            ("mov" | "set", [a, to]) => ("or", vec![Operand::Zero, a.clone(), to.clone()]),
            ("inc", [to]) => ("add", vec![to.clone(), Operand::Number(1), to.clone()]),
            ("dec", [to]) => ("sub", vec![to.clone(), Operand::Number(1), to.clone()]),
            ("inc", [by, to]) => ("add", vec![to.clone(), by.clone(), to.clone()]),
            ("dec", [by, to]) => ("sub", vec![to.clone(), by.clone(), to.clone()]),
            ("clr", [to @ Operand::Register(_)]) => {
                ("or", vec![Operand::Zero, Operand::Zero, to.clone()])
            }
            ("clr", [to]) => ("st", vec![Operand::Zero, to.clone()]),
            ("stbar", []) => ("membar", vec![Operand::Orderings("#StoreStore".to_owned())]),
            ("membar", [Operand::Orderings(all)]) => {
                let four = "#LoadLoad|#StoreLoad|#LoadStore|#StoreStore";
                let waiting = ["#Sync", "#MemIssue"].into_iter();
                let mut new = all.replace("#Lookaside", "#StoreLoad");
                waiting.for_each(|name| new = new.replace(name, four));
                if new == *all {
                    return None;
                }
                ("membar", vec![Operand::Orderings(new)])
            }
            _ => return None,
        };
        Some(vec![Instruction::new(new.0, new.1)])
    })
}

/// Fences before and after what is a full fence itself.
pub fn fenced_updates(test: &Test) -> Option<Test> {
    rewritten(test, |one| {
        let exchanges = one.mnemonic == "XCHG" && one.memory().is_some();
        let fence = || Instruction::bare("MFENCE");
        (one.lock || exchanges).then(|| vec![fence(), one.clone(), fence()])
    })
}

/// Exchanges with a location that nobody looks at instead of full fences. Other locked updates
/// would change the flags.
pub fn exchanges_as_fences(test: &Test) -> Option<Test> {
    rewritten(test, |one| {
        let spare = Operand::Memory(Memory {
            marked: true,
            ..Memory::named("spare", 32)
        });
        let fresh = Operand::Register(Register::new(FRESH, 32));
        let exchange = Instruction::new("XCHG", vec![spare, fresh]);
        (one.mnemonic == "MFENCE").then(|| vec![exchange])
    })
}

/// `XCHG` with memory is atomic with and without `LOCK`.
pub fn exchanges_with_lock(test: &Test) -> Option<Test> {
    rewritten(test, |one| {
        let exchanges = one.mnemonic == "XCHG" && one.memory().is_some();
        let other = Instruction {
            lock: !one.lock,
            ..one.clone()
        };
        exchanges.then(|| vec![other])
    })
}

/// Full fences between all accesses, also where branches go to: no model can do more than SC.
pub fn fenced_everywhere(test: &Test) -> Test {
    let mut changed = test.clone();
    for (thread, lines) in changed.threads.iter_mut().enumerate() {
        let old = std::mem::take(lines);
        for (index, mut line) in old.into_iter().enumerate() {
            if !test.is_slot(thread, index) {
                let fence = match test.language {
                    Language::X86 => Instruction::bare("MFENCE"),
                    Language::Sparc => {
                        let all = Operand::Orderings("#Sync".to_owned());
                        Instruction::new("membar", vec![all])
                    }
                };
                let mut fence = Line::from(fence);
                fence.labels = std::mem::take(&mut line.labels);
                lines.push(fence);
            }
            if line.instruction.is_some() {
                lines.push(line);
            }
        }
    }
    changed
}

/// Names for the same condition, of the processors' manuals.
const CONDITIONS: [&[&str]; 12] = [
    &["B", "C", "NAE"],
    &["NB", "NC", "AE"],
    &["E", "Z"],
    &["NE", "NZ"],
    &["BE", "NA"],
    &["NBE", "A"],
    &["P", "PE"],
    &["NP", "PO"],
    &["L", "NGE"],
    &["NL", "GE"],
    &["LE", "NG"],
    &["NLE", "G"],
];
const BRANCHES: [&[&str]; 5] = [
    &["be", "bz"],
    &["bne", "bnz"],
    &["bcs", "blu"],
    &["bcc", "bgeu"],
    &["b", "ba"],
];

/// Conditions by another of their names.
pub fn other_names(test: &Test) -> Option<Test> {
    let next = |table: &[&[&'static str]], name: &str| {
        let names = table.iter().find(|names| names.contains(&name))?;
        let at = names.iter().position(|known| *known == name)?;
        Some(names[(at + 1) % names.len()])
    };
    rewritten(test, |one| {
        let mut new = one.clone();
        new.mnemonic = match test.language {
            Language::Sparc => next(&BRANCHES, &one.mnemonic)?.to_owned(),
            Language::X86 => {
                let prefixes = ["CMOV", "SET", "J"].into_iter();
                let mut codes = prefixes
                    .filter_map(|prefix| Some((prefix, one.mnemonic.strip_prefix(prefix)?)));
                let (prefix, code) = codes.next()?;
                format!("{prefix}{}", next(&CONDITIONS, code)?)
            }
        };
        Some(vec![new])
    })
}

/// A `membar` of several orderings as one for each.
pub fn parted(test: &Test) -> Option<Test> {
    rewritten(test, |one| match &one.operands[..] {
        [Operand::Orderings(all)] => {
            let parts = all.split(['|', ',', ' ']).filter(|part| !part.is_empty());
            let parts = parts.map(|part| Operand::Orderings(part.to_owned()));
            let fences: Vec<Instruction> = parts
                .map(|part| Instruction::new("membar", vec![part]))
                .collect();
            (fences.len() > 1).then_some(fences)
        }
        _ => None,
    })
}

/// Every update of memory that can have `LOCK` has it.
pub fn locked(test: &Test) -> Option<Test> {
    const LOCKABLE: [&str; 11] = [
        "ADD", "SUB", "AND", "OR", "XOR", "INC", "DEC", "NOT", "XADD", "XCHG", "CMPXCHG",
    ];
    rewritten(test, |one| {
        let to_memory = matches!(one.operands.first(), Some(Operand::Memory(_)));
        let lockable = LOCKABLE.contains(&one.mnemonic.as_str()) && to_memory && !one.lock;
        let locked = Instruction {
            lock: true,
            ..one.clone()
        };
        lockable.then(|| vec![locked])
    })
}

/// The instruction in the slot of a conditional branch is written twice: `be L` and its slot are
/// `be,a L`, the slot, and the same once more where the branch is not taken.
pub fn slots_on_both_ways(test: &Test) -> Option<Test> {
    let mut changed = test.clone();
    let mut any = false;
    for (thread, lines) in changed.threads.iter_mut().enumerate() {
        let old = std::mem::take(lines);
        for (index, mut line) in old.iter().cloned().enumerate() {
            let slot = old
                .get(index + 1)
                .filter(|_| test.is_slot(thread, index + 1));
            let delayed = line.instruction.as_mut().filter(|branch| {
                let decided = ["b", "ba", "bn"].contains(&branch.mnemonic.as_str());
                !decided && branch.label().is_some() && !branch.suffix.contains(",a")
            });
            if let (Some(branch), Some(slot)) = (delayed, slot) {
                any = true;
                branch.suffix = format!(",a{}", branch.suffix);
                lines.extend([line, slot.clone()]);
            } else {
                lines.push(line);
            }
        }
    }
    any.then_some(changed)
}

/// The instruction in the slot of an annulled branch is written at the end of the thread, from where
/// it goes on to the target.
pub fn slots_out_of_line(test: &Test) -> Option<Test> {
    let mut changed = test.clone();
    let mut any = false;
    for (thread, lines) in changed.threads.iter_mut().enumerate() {
        let jump = |label: &str| {
            let mut jump = Instruction::new("ba", vec![Operand::Label(label.to_owned())]);
            jump.suffix = ",a".to_owned();
            Line::from(jump)
        };
        let found = (0..lines.len()).find_map(|index| {
            let branch = lines[index].instruction.as_ref()?;
            let decided = ["b", "ba", "bn"].contains(&branch.mnemonic.as_str());
            let label = branch
                .label()
                .filter(|label| !label.starts_with('1'))?
                .to_owned();
            let annulled = !decided && branch.suffix.contains(",a");
            (annulled && test.is_slot(thread, index + 1)).then_some((index, label))
        });
        let Some((index, label)) = found else {
            continue;
        };
        any = true;
        let mut slot = std::mem::replace(&mut lines[index + 1], Instruction::bare("nop").into());
        slot.labels.push("slot".to_owned());
        if let Some(branch) = &mut lines[index].instruction {
            branch.operands = vec![Operand::Label("slot".to_owned())];
        }
        lines.extend([jump("after"), slot, jump(&label), Line::label("after")]);
    }
    any.then_some(changed)
}
