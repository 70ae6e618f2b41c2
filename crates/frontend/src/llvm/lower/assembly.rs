//! Inline assembly: fences, hints, and the atomic instructions of x86 that code from
//! before C11 uses. Anything else is refused.

use super::atomics::Target;
use super::functions::{Coder, Lowered};
use crate::llvm::{Call, InlineAssembly};
use program::{InstructionKind as Kind, MemoryOrder, Operand, Orderings, UpdateOp, Width};

/// What an operand of the code stands for.
#[derive(Clone, Copy)]
enum Place {
    /// A result, by its number, and what it holds before.
    Output(usize, Option<Operand>),
    /// Memory at an address.
    Memory(Operand),
    /// A value.
    Input(Operand),
}

/// Instructions of x86 that read and write memory at once.
const UPDATES: &[(&str, UpdateOp)] = &[
    ("xadd", UpdateOp::Add),
    ("xchg", UpdateOp::Exchange),
    ("inc", UpdateOp::Add),
    ("dec", UpdateOp::Sub),
    ("add", UpdateOp::Add),
    ("sub", UpdateOp::Sub),
    ("and", UpdateOp::And),
    ("or", UpdateOp::Or),
    ("xor", UpdateOp::Xor),
];

impl<'m> Coder<'_, 'm> {
    /// Lowers inline assembly; its results.
    pub fn assembly(
        &mut self,
        call: &'m Call,
        assembly: &'m InlineAssembly,
    ) -> Lowered<Vec<Operand>> {
        let code = instructions(&assembly.text);
        let fences: Option<Vec<Orderings>> = code.iter().map(|line| fence(line)).collect();
        if let Some(fences) = fences {
            for orderings in fences.into_iter().filter(|orderings| !orderings.is_empty()) {
                self.body.push(Kind::Fence(orderings));
            }
            return self.untouched(call, assembly);
        }
        match self.atomic_code(call, assembly, &code)? {
            Some(parts) => Ok(parts),
            None => {
                let text = code.join("; ");
                let message = format!("inline assembly is not supported: `{text}`");
                let help = "fences, `pause` and simple `lock`ed instructions are; \
                            use <stdatomic.h> for the rest";
                Err(self.complain(message, help))
            }
        }
    }

    /// The results of code that does nothing: what went in.
    fn untouched(&mut self, call: &'m Call, assembly: &'m InlineAssembly) -> Lowered<Vec<Operand>> {
        let places = self.places(call, assembly)?;
        let widths = self.widths(call.result)?;
        let mut results = Vec::new();
        for place in places {
            if let Place::Output(_, before) = place {
                let Some(width) = widths.get(results.len()) else {
                    break;
                };
                results.push(before.unwrap_or_else(|| self.body.undefined(*width)));
            }
        }
        match results.len() == widths.len() {
            true => Ok(results),
            false => self.undefined(call.result),
        }
    }

    /// What each operand of the code is.
    fn places(&mut self, call: &'m Call, assembly: &InlineAssembly) -> Lowered<Vec<Place>> {
        let mut places = Vec::new();
        let (mut next, mut outputs) = (0, 0);
        for constraint in assembly.constraints.split(',') {
            if constraint.starts_with('~') || constraint.is_empty() {
                continue;
            }
            if let Some(rest) = constraint.strip_prefix('=')
                && !rest.trim_start_matches(['&', '%']).starts_with('*')
            {
                places.push(Place::Output(outputs, None));
                outputs += 1;
                continue;
            }
            let Some(argument) = call.arguments.get(next) else {
                return Err(self.refuse("inline assembly with operands like these"));
            };
            next += 1;
            let value = match self.value(argument.value_type, &argument.value)?[..] {
                [part] => part,
                _ => return Err(self.refuse("inline assembly with operands like these")),
            };
            let indirect = constraint
                .trim_start_matches(['=', '&', '%'])
                .starts_with('*');
            places.push(match indirect {
                true => Place::Memory(value),
                false => Place::Input(value),
            });
            // An input in the place of an output.
            if let Ok(tied) = constraint.parse::<usize>()
                && let Some(Place::Output(_, before)) = places.get_mut(tied)
            {
                *before = Some(value);
            }
        }
        Ok(places)
    }

    /// One atomic instruction, and `sete` for a compare-exchange.
    fn atomic_code(
        &mut self,
        call: &'m Call,
        assembly: &'m InlineAssembly,
        code: &[String],
    ) -> Lowered<Option<Vec<Operand>>> {
        let Some(first) = code.first().filter(|_| !assembly.intel) else {
            return Ok(None);
        };
        let (locked, text) = match first.strip_prefix("lock ") {
            Some(rest) => (true, rest),
            None => (false, first.as_str()),
        };
        let (mnemonic, rest) = text.split_once(' ').unwrap_or((text, ""));
        let places = self.places(call, assembly)?;
        let operands: Option<Vec<Place>> = rest
            .split(',')
            .filter(|text| !text.trim().is_empty())
            .map(|text| operand(text.trim(), &places))
            .collect();
        let (Some(operands), widths) = (operands, self.widths(call.result)?) else {
            return Ok(None);
        };
        let outputs: Vec<Option<Operand>> = places
            .iter()
            .filter_map(|place| match place {
                Place::Output(_, before) => Some(*before),
                _ => None,
            })
            .collect();
        if outputs.len() != widths.len() {
            return Ok(None);
        }
        let mut results = outputs;
        let done = match code.len() {
            1 if mnemonic.starts_with("cmpxchg") => self
                .compare_code(locked, mnemonic, &operands, &widths, &mut results)?
                .is_some(),
            1 => self.simple(locked, mnemonic, &operands, &widths, &mut results)?,
            2 if mnemonic.starts_with("cmpxchg") => {
                let flag = code[1]
                    .split_once(' ')
                    .filter(|(name, _)| matches!(*name, "sete" | "setz"));
                let flag = flag.and_then(|(_, text)| operand(text.trim(), &places));
                let made = self.compare_code(locked, mnemonic, &operands, &widths, &mut results)?;
                match (flag, made) {
                    (Some(Place::Output(index, _)), Some(succeeded)) => {
                        results[index] = Some(self.body.resize(widths[index], succeeded));
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        let results: Option<Vec<Operand>> = results.into_iter().collect();
        Ok(results.filter(|_| done))
    }

    fn code_target(&self, address: Operand, width: Width) -> Target {
        Target {
            address,
            order: MemoryOrder::SequentiallyConsistent,
            failure: MemoryOrder::SequentiallyConsistent,
            align: width.bytes().into(),
        }
    }

    fn simple(
        &mut self,
        locked: bool,
        mnemonic: &str,
        operands: &[Place],
        widths: &[Width],
        results: &mut [Option<Operand>],
    ) -> Lowered<bool> {
        let Some((operation, stem, suffix)) = UPDATES.iter().find_map(|(stem, operation)| {
            let suffix = mnemonic.strip_prefix(stem)?;
            matches!(suffix, "" | "b" | "w" | "l" | "q").then_some((*operation, *stem, suffix))
        }) else {
            return Ok(false);
        };
        if !locked && stem != "xchg" {
            return Ok(false);
        }
        // `xchg` takes its operands in either order.
        let (value, address) = match *operands {
            [value, Place::Memory(address)] => (Some(value), address),
            [Place::Memory(address), value] if stem == "xchg" => (Some(value), address),
            [Place::Memory(address)] if matches!(stem, "inc" | "dec") => (None, address),
            _ => return Ok(false),
        };
        let swaps = matches!(stem, "xadd" | "xchg");
        let (operand, output) = match value {
            None => (Operand::Constant(1), None),
            Some(Place::Output(index, Some(before))) if swaps => (before, Some(index)),
            Some(Place::Input(value)) if !swaps => (value, None),
            _ => return Ok(false),
        };
        let of_output = output.and_then(|index| widths.get(index).copied());
        let Some(width) = width_of(suffix).or(of_output) else {
            return Ok(false);
        };
        let target = self.code_target(address, width);
        let old = self.update(operation, &[width], target, &[operand])?;
        if let Some(index) = output {
            results[index] = Some(self.body.resize(widths[index], old[0]));
        }
        Ok(true)
    }

    /// `cmpxchg new, memory`, with the expected value in the first tied output; whether
    /// it wrote.
    fn compare_code(
        &mut self,
        locked: bool,
        mnemonic: &str,
        operands: &[Place],
        widths: &[Width],
        results: &mut [Option<Operand>],
    ) -> Lowered<Option<Operand>> {
        let suffix = mnemonic.strip_prefix("cmpxchg").unwrap_or("?");
        let [Place::Input(new), Place::Memory(address)] = *operands else {
            return Ok(None);
        };
        let found = results.iter().position(Option::is_some);
        let (Some(index), true) = (found, locked) else {
            return Ok(None);
        };
        let Some(expected) = results[index] else {
            return Ok(None);
        };
        let width = match suffix {
            "" => Some(widths[index]),
            suffix => width_of(suffix),
        };
        let Some(width) = width.filter(|width| width.is_access()) else {
            return Ok(None);
        };
        let target = self.code_target(address, width);
        let (old, succeeded) = self.exchange_if(&[width], target, &[expected], &[new], false)?;
        results[index] = Some(self.body.resize(widths[index], old[0]));
        Ok(Some(succeeded))
    }
}

fn width_of(suffix: &str) -> Option<Width> {
    Some(match suffix {
        "b" => Width::W8,
        "w" => Width::W16,
        "l" => Width::W32,
        "q" => Width::W64,
        _ => return None,
    })
}

/// `$0`, `${1:b}`, `$$7`
fn operand(text: &str, places: &[Place]) -> Option<Place> {
    if let Some(number) = text.strip_prefix("$$") {
        return number
            .parse()
            .ok()
            .map(|word| Place::Input(Operand::Constant(word)));
    }
    let text = text.strip_prefix('$')?;
    let number = match text.strip_prefix('{') {
        Some(inner) => inner.split([':', '}']).next()?,
        None => text,
    };
    places.get(number.parse::<usize>().ok()?).copied()
}

/// The instructions of the code, with one space between words and prefixes in front.
fn instructions(text: &str) -> Vec<String> {
    let mut code: Vec<String> = Vec::new();
    let mut prefix = String::new();
    for line in text.split([';', '\n']) {
        let line = line.split('#').next().unwrap_or("").to_owned()
            + &line
                .split_once('#')
                .filter(|_| line.contains("membar"))
                .map_or(String::new(), |(_, rest)| format!("#{rest}"));
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.strip_prefix("{").unwrap_or(&words).to_lowercase();
        match words.as_str() {
            "" => {}
            "lock" | "rep" => prefix = format!("{words} "),
            _ => code.push(std::mem::take(&mut prefix) + &words),
        }
    }
    code
}

/// What an instruction orders that does nothing else.
fn fence(line: &str) -> Option<Orderings> {
    let loads = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
    if let Some(kinds) = line.strip_prefix("membar ") {
        let kinds = kinds.split(['|', ',', ' ']).filter(|kind| !kind.is_empty());
        return kinds
            .map(|kind| match kind.trim_start_matches('#') {
                "sync" | "memissue" => Some(Orderings::ALL),
                kind => Orderings::named(kind),
            })
            .try_fold(Orderings::NONE, |all, kind| Some(all.union(kind?)));
    }
    if let Some((mnemonic, operands)) = line.strip_prefix("lock ").and_then(|l| l.split_once(' '))
        && matches!(
            mnemonic,
            "addl" | "addq" | "orl" | "orq" | "addb" | "orb" | "add" | "or"
        )
        && matches!(operands.split(',').next(), Some("$$0" | "$$0x0"))
    {
        return Some(Orderings::ALL);
    }
    Some(match line {
        "mfence" | "dmb ish" | "dmb sy" | "dsb ish" | "dsb sy" | "dmb" | "dsb" => Orderings::ALL,
        "lfence" | "dmb ishld" | "dsb ishld" | "dmb ld" | "dsb ld" => loads,
        "sfence" | "dmb ishst" | "dsb ishst" | "dmb st" | "dsb st" => Orderings::STORE_STORE,
        "pause" | "rep nop" | "rep; nop" | "nop" | "yield" | "isb" | "isb sy" => Orderings::NONE,
        _ => return None,
    })
}
