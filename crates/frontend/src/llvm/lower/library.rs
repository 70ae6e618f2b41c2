//! Calls of the library: those that are instructions of the program, and the rest, which
//! the machine runs.

use super::Lowering;
use super::calls::Argument;
use super::functions::{Coder, Lowered};
use super::memory::width_of_bytes;
use super::types::chunks;
use crate::llvm::{Argument as CallArgument, Call, Callee as LlvmCallee, LocalId, Value};
use program::{
    Access, Binary, Callee, InstructionKind as Kind, MemoryOrder, Operand, Orderings, Routine,
    Unary, Width,
};

/// Functions of `math.h` that are one operation, without the `f` of those on floats.
const UNARY: &[(&str, Unary)] = &[
    ("fabs", Unary::Fabs),
    ("sqrt", Unary::Fsqrt),
    ("floor", Unary::Ffloor),
    ("ceil", Unary::Fceil),
    ("trunc", Unary::Ftrunc),
    ("round", Unary::Fround),
    ("rint", Unary::Frint),
    ("nearbyint", Unary::Frint),
];
const BINARY: &[(&str, Binary)] = &[
    ("fmin", Binary::Fmin),
    ("fmax", Binary::Fmax),
    ("fmod", Binary::Frem),
    ("copysign", Binary::CopySign),
];

/// Arguments that the routine does not take, as flags, clocks and known sizes.
const DROPPED: &[(&str, &[usize])] = &[
    ("__printf_chk", &[0]),
    ("__fprintf_chk", &[1]),
    ("__sprintf_chk", &[1, 2]),
    ("__vsprintf_chk", &[1, 2]),
    ("__snprintf_chk", &[2, 3]),
    ("__vsnprintf_chk", &[2, 3]),
    ("__memcpy_chk", &[3]),
    ("__memmove_chk", &[3]),
    ("__memset_chk", &[3]),
    ("__strcpy_chk", &[2]),
    ("__strncpy_chk", &[3]),
    ("__strcat_chk", &[2]),
    ("__strncat_chk", &[3]),
    ("pthread_mutex_clocklock", &[1]),
    ("pthread_cond_clockwait", &[2]),
    ("sem_clockwait", &[1]),
];

/// Names that end in a `va_list`.
const LISTS: &[&str] = &[
    "vprintf",
    "vfprintf",
    "vdprintf",
    "vsprintf",
    "__vsprintf_chk",
    "vsnprintf",
    "__vsnprintf_chk",
];

/// Copies of up to this many bytes are loads and stores.
const MAX_UNROLLED: u64 = 64;

impl Lowering<'_> {
    /// Whether the library has a function of this name.
    pub fn is_library(&self, name: &str) -> bool {
        self.routines.contains_key(name)
            || unary_named(name).is_some()
            || binary_named(name).is_some()
            || name.starts_with("__atomic_")
            || matches!(name, "mmap" | "mmap64" | "munmap")
    }
}

fn row<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, operation)| *operation)
}

fn unary_named(name: &str) -> Option<Unary> {
    row(UNARY, name).or_else(|| row(UNARY, name.strip_suffix('f')?))
}

fn binary_named(name: &str) -> Option<Binary> {
    row(BINARY, name).or_else(|| row(BINARY, name.strip_suffix('f')?))
}

impl<'m> Coder<'_, 'm> {
    /// A call of the library; none if it has no function of this name.
    pub fn library(
        &mut self,
        name: &str,
        arguments: &[Argument<'m>],
        result: &[Width],
    ) -> Lowered<Option<Vec<Operand>>> {
        if let Some(parts) = self.mathematics(name, arguments, result) {
            return Ok(Some(parts));
        }
        match name {
            "mmap" | "mmap64" => return self.map_memory(arguments).map(Some),
            "munmap" => {
                let Some(address) = arguments.first().and_then(Argument::scalar) else {
                    return Err(self.refuse("a call with too few arguments"));
                };
                self.emit_call(Callee::Routine(Routine::Free), vec![address], &[]);
                return Ok(Some(vec![Operand::Constant(0)]));
            }
            _ => {}
        }
        let Some(routine) = self.lowering.routines.get(name).copied() else {
            return self.atomic_library(name, arguments, result);
        };
        let scalar = |index: usize| arguments.get(index).and_then(Argument::scalar);
        match (routine, scalar(0)) {
            (Routine::Assume, Some(condition)) => {
                self.body.push(Kind::Assume { condition });
                Ok(Some(Vec::new()))
            }
            (Routine::Choose, Some(Operand::Constant(0))) => {
                let message = "a choice among nothing".to_owned();
                Err(self.complain(message, "fp_choose(n) gives a number below n"))
            }
            (Routine::Choose, Some(count)) => Ok(Some(self.choice(count, result))),
            (Routine::AnyBool, _) => Ok(Some(self.choice(Operand::Constant(2), result))),
            (Routine::Fence, Some(kinds)) => self.fence_of_kinds(kinds).map(Some),
            (Routine::AtomicBegin, _) => {
                self.body.push(Kind::AtomicBegin);
                Ok(Some(Vec::new()))
            }
            (Routine::AtomicEnd, _) => {
                self.body.push(Kind::AtomicEnd);
                Ok(Some(Vec::new()))
            }
            (Routine::MemoryCopy | Routine::MemoryMove | Routine::MemorySet, Some(to)) => {
                match (scalar(1), scalar(2)) {
                    (Some(second), Some(Operand::Constant(size))) if size <= MAX_UNROLLED => {
                        self.unrolled_memory(routine, to, second, size);
                        Ok(Some(vec![to]))
                    }
                    _ => self.routine(routine, name, arguments, result).map(Some),
                }
            }
            (Routine::ClockTime, _) => self.clock(name, arguments, result).map(Some),
            (Routine::Exit | Routine::ThreadExit | Routine::C11ThreadExit, Some(_)) => {
                self.call_hooks(name)?;
                self.routine(routine, name, arguments, result).map(Some)
            }
            _ => self.routine(routine, name, arguments, result).map(Some),
        }
    }

    /// `fp_fence`: each bit of its argument is a kind of ordering.
    fn fence_of_kinds(&mut self, kinds: Operand) -> Lowered<Vec<Operand>> {
        let Operand::Constant(kinds) = kinds else {
            let message = "a fence whose kinds are computed".to_owned();
            return Err(self.complain(message, "fp_fence takes a constant"));
        };
        let mut orderings = Orderings::NONE;
        let known = [
            Orderings::LOAD_LOAD,
            Orderings::LOAD_STORE,
            Orderings::STORE_LOAD,
            Orderings::STORE_STORE,
        ];
        for (bit, ordering) in known.into_iter().enumerate() {
            if kinds >> bit & 1 != 0 {
                orderings = orderings.union(ordering);
            }
        }
        self.body.push(Kind::Fence(orderings));
        Ok(Vec::new())
    }

    /// A copy, move or fill of a few bytes, as loads and stores.
    fn unrolled_memory(&mut self, routine: Routine, to: Operand, second: Operand, size: u64) {
        if routine == Routine::MemorySet {
            self.fill_memory(to, second, size, self.known_align(to));
            return;
        }
        if routine == Routine::MemoryCopy {
            self.refuse_overlap(to, second, size);
        }
        let align = self.known_align(to).min(self.known_align(second));
        self.move_memory(to, second, size, align);
    }

    fn mathematics(
        &mut self,
        name: &str,
        arguments: &[Argument<'m>],
        result: &[Width],
    ) -> Option<Vec<Operand>> {
        let [width] = *result else {
            return None;
        };
        if width != Width::W32 && width != Width::W64 {
            return None;
        }
        let a = arguments.first().and_then(Argument::scalar)?;
        if let Some(operation) = unary_named(name) {
            return Some(vec![self.body.unary(operation, width, a)]);
        }
        let operation = binary_named(name)?;
        let b = arguments.get(1).and_then(Argument::scalar)?;
        Some(vec![self.body.binary(operation, width, a, b)])
    }

    /// Whether a call gives any value of which only matters whether it is zero: both cases are all there is.
    pub fn is_any_condition(&self, call: &Call, result: Option<LocalId>) -> bool {
        let callee = match &call.callee {
            LlvmCallee::Value(Value::Constant(constant)) => self.lowering.called(constant),
            _ => None,
        };
        let (Some(callee), Some(result)) = (callee, result) else {
            return false;
        };
        let name = self.lowering.function_name(callee);
        let is_any = self.lowering.routines.get(name) == Some(&Routine::AnyValue);
        let function = &self.lowering.module.functions[callee.index()];
        is_any && function.is_declaration() && self.uses.is_condition(result)
    }

    /// `mmap` of memory that is no file: new memory of zeros, which `munmap` frees.
    fn map_memory(&mut self, arguments: &[Argument<'m>]) -> Lowered<Vec<Operand>> {
        const ANONYMOUS: u64 = 0x20;
        let scalar = |index: usize| arguments.get(index).and_then(Argument::scalar);
        match (scalar(1), scalar(3)) {
            (Some(size), Some(Operand::Constant(flags))) if flags & ANONYMOUS != 0 => {
                let callee = Callee::Routine(Routine::Calloc);
                Ok(self.emit_call(callee, vec![Operand::Constant(1), size], &[Width::W64]))
            }
            _ => Err(self.refuse("`mmap` of a file, or with flags that are computed,")),
        }
    }

    pub fn choice(&mut self, count: Operand, result: &[Width]) -> Vec<Operand> {
        let width = result.first().copied().unwrap_or(Width::W32);
        let target = self.body.register(width);
        self.body.push(Kind::Choose { target, count });
        vec![Operand::Register(target)]
    }

    /// `clock_gettime`, `timespec_get` and `gettimeofday`: one routine, with the
    /// location last.
    fn clock(
        &mut self,
        name: &str,
        arguments: &[Argument<'m>],
        result: &[Width],
    ) -> Lowered<Vec<Operand>> {
        let (Some(a), Some(b)) = (
            arguments.first().and_then(Argument::scalar),
            arguments.get(1).and_then(Argument::scalar),
        ) else {
            return Err(self.refuse("a call with too few arguments"));
        };
        let values = match name {
            "clock_gettime" => vec![a, b],
            "timespec_get" => vec![b, a],
            _ => vec![Operand::Constant(0), a],
        };
        let callee = Callee::Routine(Routine::ClockTime);
        let parts = self.emit_call(callee, values, &result[..result.len().min(1)]);
        match name {
            // Its result is the base that it was given.
            "timespec_get" => Ok(vec![b]),
            _ => Ok(parts),
        }
    }

    /// A call that the machine runs.
    fn routine(
        &mut self,
        routine: Routine,
        name: &str,
        arguments: &[Argument<'m>],
        result: &[Width],
    ) -> Lowered<Vec<Operand>> {
        let row_of = routine.row();
        let dropped = row(DROPPED, name).unwrap_or(&[]);
        let kept = arguments.iter().enumerate();
        let kept = kept.filter(|(index, _)| !dropped.contains(index));
        let kept: Vec<_> = kept.map(|(_, argument)| argument.clone()).collect();
        let fixed = usize::from(row_of.parameters);
        if kept.len() < fixed || (kept.len() > fixed && !row_of.variadic && !is_error(routine)) {
            let given = arguments.len();
            let message = format!("`{name}` is called with {given} arguments");
            let label = format!("{name} takes {}", fixed + dropped.len());
            let help = format!("{label}; include the header that declares it");
            return Err(self.complain(message, &help));
        }
        let (named, extra) = kept.split_at(fixed);
        let mut values = Vec::with_capacity(fixed + 1);
        for argument in named {
            match argument.scalar() {
                Some(value) => values.push(value),
                None => return Err(self.refuse("an argument of an unexpected type")),
            }
        }
        if row_of.variadic {
            let list = extra.first().and_then(Argument::scalar);
            let list = match (LISTS.contains(&name), list) {
                (true, Some(list)) => list,
                (true, None) => return Err(self.refuse("a call with too few arguments")),
                (false, _) => self.argument_list(named, extra)?,
            };
            values.push(list);
        }
        let results = match row_of.result {
            true => &result[..result.len().min(1)],
            false => &[],
        };
        Ok(self.emit_call(Callee::Routine(routine), values, results))
    }

    /// `fp_observe(name, value)` and `fp_result(label, value)`
    pub fn observe(&mut self, routine: Routine, call: &'m Call) -> Lowered<Vec<Operand>> {
        let (name, value) = self.label_and_value(routine, call)?;
        let width = self.widths(value.value_type)?;
        let parts = self.value(value.value_type, &value.value)?;
        let ([width], [part]) = (&width[..], &parts[..]) else {
            return Err(self.refuse("an observation of this type"));
        };
        let value = self.body.sign_extend(*width, Width::W64, *part);
        self.lowering.observe(&name);
        self.body.push(Kind::Observe { name, value });
        Ok(Vec::new())
    }

    /// `fp_argument(label, n)`: a choice, and the observation of it right behind, by which
    /// [clients](crate::client) know arguments.
    pub fn observe_argument(&mut self, call: &'m Call) -> Lowered<Vec<Operand>> {
        let (name, count) = self.label_and_value(Routine::ObserveArgument, call)?;
        let count = self.scalar_value(count.value_type, &count.value)?;
        if count == Operand::Constant(0) {
            let message = "a choice among nothing".to_owned();
            return Err(self.complain(message, "fp_argument(label, n) gives a number below n"));
        }
        let result = self.widths(call.result)?;
        let chosen = self.choice(count, &result);
        self.lowering.observe(&name);
        let value = chosen[0];
        self.body.push(Kind::Observe { name, value });
        Ok(chosen)
    }

    fn label_and_value(
        &mut self,
        routine: Routine,
        call: &'m Call,
    ) -> Lowered<(String, &'m CallArgument)> {
        let function = routine.name();
        let [name, value] = &call.arguments[..] else {
            return Err(self.refuse(&format!("{function} with other than two arguments")));
        };
        let text = match &name.value {
            Value::Constant(constant) => self.lowering.string(constant),
            _ => None,
        };
        let Some(text) = text else {
            let message = "the name of an observation must be a string constant".to_owned();
            return Err(self.complain(message, &format!("write {function}(\"name\", …)")));
        };
        Ok((text, value))
    }

    /// What the alignment of an address is known to be.
    pub fn known_align(&self, address: Operand) -> u64 {
        match address {
            // Objects start at multiples of 2^20.
            Operand::Address(address) => match address.offset {
                0 => 8,
                offset => 1 << offset.trailing_zeros().min(3),
            },
            Operand::Register(register) if self.is_object(register) => 8,
            _ => 1,
        }
    }

    /// Copies memory that does not overlap; in one step if it is much.
    pub fn copy_memory(
        &mut self,
        to: Operand,
        from: Operand,
        size: u64,
        align: u64,
    ) -> Lowered<()> {
        if size <= MAX_UNROLLED {
            self.move_memory(to, from, size, align);
            return Ok(());
        }
        let arguments = vec![to, from, Operand::Constant(size)];
        let callee = Callee::Routine(Routine::MemoryCopy);
        self.emit_call(callee, arguments, &[Width::W64]);
        Ok(())
    }

    /// An error if two stretches of memory overlap without being the same.
    pub fn refuse_overlap(&mut self, to: Operand, from: Operand, size: u64) {
        let apart = matches!((to, from), (Operand::Address(a), Operand::Address(b)) if a.object != b.object);
        if apart || size < 2 {
            return;
        }
        let word = Width::W64;
        let mut far = |a: Operand, b: Operand| {
            let distance = self.body.binary(Binary::Sub, word, a, b);
            let far = Operand::Constant(size - 1);
            self.body.binary(Binary::Ult, word, far, distance)
        };
        let (above, below) = (far(to, from), far(from, to));
        let same = self.body.binary(Binary::Eq, word, to, from);
        let apart = self.body.binary(Binary::And, Width::BIT, above, below);
        let condition = self.body.binary(Binary::Or, Width::BIT, apart, same);
        self.body.push(Kind::Assert { condition });
    }

    /// Loads, then stores.
    pub fn move_memory(&mut self, to: Operand, from: Operand, size: u64, align: u64) {
        let align = align.clamp(1, 8);
        let mut loaded = Vec::new();
        for (offset, bytes) in chunks(size, align) {
            let width = width_of_bytes(bytes);
            let at = self.body.offset(from, offset);
            let value = self.load_leaf(at, width, MemoryOrder::Plain, bytes);
            loaded.push((offset, width, value));
        }
        for (offset, width, value) in loaded {
            let at = self.body.offset(to, offset);
            self.body.push(Kind::Store {
                address: at,
                value,
                width,
                access: Access::plain(width.bytes().into()),
            });
        }
    }

    /// Stores a byte again and again.
    pub fn fill_memory(&mut self, to: Operand, byte: Operand, size: u64, align: u64) {
        if size == 0 {
            return;
        }
        let word = self.repeated(byte, Width::W64);
        for (offset, bytes) in chunks(size, align.clamp(1, 8)) {
            let width = width_of_bytes(bytes);
            let value = self.body.resize(width, word);
            let at = self.body.offset(to, offset);
            self.body.push(Kind::Store {
                address: at,
                value,
                width,
                access: Access::plain(bytes),
            });
        }
    }
}

/// Whether the program may declare the routine as it likes.
fn is_error(routine: Routine) -> bool {
    routine == Routine::ReachError
}
