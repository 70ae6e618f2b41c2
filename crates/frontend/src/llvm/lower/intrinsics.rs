//! Intrinsics: `llvm.…`.

use super::functions::{Coder, Lowered};
use crate::llvm::{Argument as LlvmArgument, Call, Type, TypeId};
use program::{
    Binary, Callee, Conversion, Expression, InstructionKind as Kind, MemoryOrder, Operand,
    Orderings, Routine, Unary, Width,
};

/// Intrinsics that do nothing here.
const NO_OPERATION: &[&str] = &[
    "lifetime.start",
    "lifetime.end",
    "assume",
    "prefetch",
    "sideeffect",
    "donothing",
    "stackrestore",
    "va_end",
    "invariant.end",
    "var.annotation",
    "experimental.noalias.scope.decl",
    "x86.sse2.pause",
    "clear_cache",
    "dbg.label",
    "pseudoprobe",
    "fake.use",
];

/// Intrinsics whose result is 0.
const ZERO: &[&str] = &[
    "is.constant",
    "returnaddress",
    "frameaddress",
    "addressofreturnaddress",
    "stacksave",
    "invariant.start",
    "get.dynamic.area.offset",
    "sponentry",
];

/// Intrinsics whose result is their first argument.
const FIRST_ARGUMENT: &[&str] = &[
    "expect",
    "expect.with.probability",
    "threadlocal.address",
    "ssa.copy",
    "launder.invariant.group",
    "strip.invariant.group",
    "annotation",
    "ptr.annotation",
    "arithmetic.fence",
];

/// The name without the types at its end: `memcpy` for `memcpy.p0.p0.i64`.
fn stem(name: &str) -> &str {
    let is_type = |word: &str| {
        let rest = match word.as_bytes().first() {
            Some(b'p' | b'i' | b'f' | b'v') => &word[1..],
            _ => return false,
        };
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut stem = name;
    while let Some((front, last)) = stem.rsplit_once('.')
        && is_type(last)
    {
        stem = front;
    }
    stem
}

/// The alignment that an argument's attribute says.
fn written_align(argument: &LlvmArgument) -> u64 {
    1 << argument.align.unwrap_or(1).max(1).trailing_zeros().min(3)
}

impl<'m> Coder<'_, 'm> {
    /// A call of an intrinsic; `name` is without `llvm.`.
    pub fn intrinsic(&mut self, name: &str, call: &'m Call) -> Lowered<Vec<Operand>> {
        let nothing = Ok(Vec::new());
        let stem = stem(name);
        let result = call.result;
        match stem {
            _ if NO_OPERATION.contains(&stem) => return nothing,
            _ if ZERO.contains(&stem) => return Ok(vec![Operand::Constant(0)]),
            _ if FIRST_ARGUMENT.contains(&stem) => return self.argument(call, 0),
            "objectsize" => {
                let least = matches!(self.argument(call, 1)?[..], [Operand::Constant(1)]);
                let width = self.widths(result)?;
                let word = if least { 0 } else { u64::MAX };
                return Ok(width
                    .iter()
                    .map(|width| Operand::Constant(width.truncate(word)))
                    .collect());
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                self.emit_call(Callee::Routine(Routine::Abort), Vec::new(), &[]);
                return nothing;
            }
            "memcpy" | "memcpy.inline" | "memmove" | "memset" | "memset.inline" => {
                return self.memory_intrinsic(stem, call);
            }
            "va_start" => {
                let list = self.pointer(call, 0)?;
                self.start_list(list)?;
                return nothing;
            }
            "va_copy" => {
                let (to, from) = (self.pointer(call, 0)?, self.pointer(call, 1)?);
                self.copy_list(to, from)?;
                return nothing;
            }
            "load.relative" => return self.load_relative(call),
            "x86.sse2.mfence" => return self.hardware_fence(Orderings::ALL),
            "x86.sse2.lfence" => {
                let loads = Orderings::LOAD_LOAD.union(Orderings::LOAD_STORE);
                return self.hardware_fence(loads);
            }
            "x86.sse.sfence" => return self.hardware_fence(Orderings::STORE_STORE),
            _ => {}
        }
        if let Some(operation) = stem.strip_prefix("vector.reduce.") {
            return self.reduce(operation, call);
        }
        if let Some(parts) = self.overflowing(stem, call)? {
            return Ok(parts);
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for index in 0..call.arguments.len() {
            arguments.push(self.argument(call, index)?);
        }
        let of = call.arguments.first().map_or(result, |a| a.value_type);
        if let Some(parts) = self.float_intrinsic(stem, result, &arguments)? {
            return Ok(parts);
        }
        match stem {
            "fptosi.sat" | "fptoui.sat" => {
                let operation = match stem {
                    "fptosi.sat" => crate::llvm::CastOperation::FloatToSigned,
                    _ => crate::llvm::CastOperation::FloatToUnsigned,
                };
                return self.cast(operation, of, result, &arguments[0]);
            }
            "is.fpclass" => return self.float_class(of, &arguments),
            _ => {}
        }
        self.integer_intrinsic(stem, of, result, &arguments, name)
    }

    /// The address that a base and the 32 bits at an offset from it give.
    fn load_relative(&mut self, call: &'m Call) -> Lowered<Vec<Operand>> {
        let (base, offset) = (self.pointer(call, 0)?, self.pointer(call, 1)?);
        let from = self.widths(call.arguments[1].value_type)?[0];
        let offset = self.body.sign_extend(from, Width::W64, offset);
        let at = self.body.binary(Binary::Add, Width::W64, base, offset);
        let step = self.load_leaf(at, Width::W32, MemoryOrder::Plain, 4);
        let step = self.body.sign_extend(Width::W32, Width::W64, step);
        Ok(vec![self.body.binary(Binary::Add, Width::W64, base, step)])
    }

    fn hardware_fence(&mut self, orderings: Orderings) -> Lowered<Vec<Operand>> {
        self.body.push(Kind::Fence(orderings));
        Ok(Vec::new())
    }

    fn argument(&mut self, call: &'m Call, index: usize) -> Lowered<Vec<Operand>> {
        match call.arguments.get(index) {
            Some(LlvmArgument {
                value_type, value, ..
            }) => self.value(*value_type, value),
            None => Err(self.refuse("an intrinsic with too few arguments")),
        }
    }

    fn pointer(&mut self, call: &'m Call, index: usize) -> Lowered<Operand> {
        match self.argument(call, index)?[..] {
            [part] => Ok(part),
            _ => Err(self.refuse("an argument of an unexpected type")),
        }
    }

    fn memory_intrinsic(&mut self, stem: &str, call: &'m Call) -> Lowered<Vec<Operand>> {
        let to = self.pointer(call, 0)?;
        let second = self.pointer(call, 1)?;
        let size = self.pointer(call, 2)?;
        let fills = stem.starts_with("memset");
        let align = |coder: &Self, index: usize, operand: Operand| {
            let written = written_align(&call.arguments[index]);
            coder.known_align(operand).max(written)
        };
        let mut known = align(self, 0, to);
        if !fills {
            known = known.min(align(self, 1, second));
        }
        match (size, fills) {
            (Operand::Constant(size), false) if size <= 64 => {
                if stem != "memmove" {
                    self.refuse_overlap(to, second, size);
                }
                self.move_memory(to, second, size, known);
            }
            (Operand::Constant(size), true) if size <= 64 => {
                self.fill_memory(to, second, size, known);
            }
            _ => {
                let routine = match stem {
                    "memmove" => Routine::MemoryMove,
                    _ if fills => Routine::MemorySet,
                    _ => Routine::MemoryCopy,
                };
                let second = match fills {
                    true => self.body.resize(Width::W32, second),
                    false => second,
                };
                let size = self.body.resize(Width::W64, size);
                let arguments = vec![to, second, size];
                self.emit_call(Callee::Routine(routine), arguments, &[Width::W64]);
            }
        }
        Ok(Vec::new())
    }

    /// `vector.reduce.…`
    fn reduce(&mut self, operation: &str, call: &'m Call) -> Lowered<Vec<Operand>> {
        // Sums and products of floating-point numbers have a start value.
        let from = usize::from(matches!(operation, "fadd" | "fmul"));
        let Some(vector) = call.arguments.get(from) else {
            return Err(self.refuse("an intrinsic with too few arguments"));
        };
        let (_, element, widths) = self.lanes(vector.value_type)?;
        let parts = self.argument(call, from)?;
        let mut lanes = parts.chunks(widths.len().max(1));
        let mut value = match from {
            0 => lanes.next().unwrap_or(&[]).to_vec(),
            _ => self.argument(call, 0)?,
        };
        let binary = match operation {
            "add" => crate::llvm::BinaryOperation::Add,
            "mul" => crate::llvm::BinaryOperation::Multiply,
            "and" => crate::llvm::BinaryOperation::And,
            "or" => crate::llvm::BinaryOperation::Or,
            "xor" => crate::llvm::BinaryOperation::Xor,
            "fadd" => crate::llvm::BinaryOperation::FloatAdd,
            "fmul" => crate::llvm::BinaryOperation::FloatMultiply,
            other => {
                let stem = match other {
                    "fmin" => "minnum",
                    "fmax" => "maxnum",
                    other => other,
                };
                for lane in lanes {
                    let arguments = [value, lane.to_vec()];
                    let made = self.float_intrinsic(stem, element, &arguments)?;
                    value = match made {
                        Some(value) => value,
                        None => {
                            let name = format!("vector.reduce.{other}");
                            self.integer_intrinsic(stem, element, element, &arguments, &name)?
                        }
                    };
                }
                return Ok(value);
            }
        };
        for lane in lanes {
            value = self.binary(binary, element, &value, lane)?;
        }
        Ok(value)
    }

    fn float_intrinsic(
        &mut self,
        stem: &str,
        result: TypeId,
        arguments: &[Vec<Operand>],
    ) -> Lowered<Option<Vec<Operand>>> {
        let unary = match stem {
            "fabs" => Unary::Fabs,
            "sqrt" => Unary::Fsqrt,
            "floor" => Unary::Ffloor,
            "ceil" => Unary::Fceil,
            "trunc" => Unary::Ftrunc,
            "round" => Unary::Fround,
            "rint" | "nearbyint" | "roundeven" => Unary::Frint,
            _ => return self.float_operation(stem, result, arguments),
        };
        match arguments {
            [a] => self.unary(unary, result, a).map(Some),
            _ => Ok(None),
        }
    }

    fn float_operation(
        &mut self,
        stem: &str,
        result: TypeId,
        arguments: &[Vec<Operand>],
    ) -> Lowered<Option<Vec<Operand>>> {
        let lengths = arguments.iter().map(Vec::len);
        let known = matches!(
            stem,
            "minnum"
                | "maxnum"
                | "minimum"
                | "maximum"
                | "copysign"
                | "fma"
                | "fmuladd"
                | "pow"
                | "powi"
                | "exp"
                | "log"
                | "sin"
                | "cos"
        );
        if !known {
            return Ok(None);
        }
        let widths = self.widths(result)?;
        if stem != "powi" && lengths.clone().any(|length| length != widths.len()) {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(widths.len());
        for (index, width) in widths.iter().copied().enumerate() {
            let take = |argument: usize| {
                let parts = arguments.get(argument)?;
                parts.get(index).or(parts.first()).copied()
            };
            let (Some(a), b, c) = (take(0), take(1), take(2)) else {
                return Ok(None);
            };
            let routine = match stem {
                "pow" | "powi" => Some(Routine::Power),
                "exp" => Some(Routine::Exponential),
                "log" => Some(Routine::Logarithm),
                "sin" => Some(Routine::Sine),
                "cos" => Some(Routine::Cosine),
                _ => None,
            };
            if let Some(routine) = routine {
                let whole = stem == "powi";
                parts.push(self.host_function(routine, width, a, b, whole));
                continue;
            }
            let Some(b) = b else {
                return Ok(None);
            };
            let body = &mut self.body;
            parts.push(match (stem, c) {
                ("minnum", _) => body.binary(Binary::Fmin, width, a, b),
                ("maxnum", _) => body.binary(Binary::Fmax, width, a, b),
                ("copysign", _) => body.binary(Binary::CopySign, width, a, b),
                ("fma" | "fmuladd", Some(c)) => {
                    let product = body.binary(Binary::Fmul, width, a, b);
                    body.binary(Binary::Fadd, width, product, c)
                }
                ("minimum" | "maximum", _) => {
                    let operation = if stem == "minimum" {
                        Binary::Fmin
                    } else {
                        Binary::Fmax
                    };
                    let number = body.binary(operation, width, a, b);
                    let neither = body.binary(Binary::Funordered, width, a, b);
                    let nan = body.binary(Binary::Fadd, width, a, b);
                    body.select(width, neither, nan, number)
                }
                _ => return Ok(None),
            });
        }
        Ok(Some(parts))
    }

    /// A routine on doubles, also for floats.
    fn host_function(
        &mut self,
        routine: Routine,
        width: Width,
        a: Operand,
        b: Option<Operand>,
        whole: bool,
    ) -> Operand {
        let convert =
            |from| move |value| Expression::Convert(Conversion::FloatToFloat, from, value);
        let double = |coder: &mut Self, value: Operand| match width == Width::W64 {
            true => value,
            false => coder.body.compute(Width::W64, convert(width)(value)),
        };
        let mut arguments = vec![double(self, a)];
        if let Some(b) = b
            && routine == Routine::Power
        {
            let b = match whole {
                true => {
                    let from = Conversion::SignedToFloat;
                    let value = Expression::Convert(from, Width::W32, b);
                    self.body.compute(Width::W64, value)
                }
                false => double(self, b),
            };
            arguments.push(b);
        }
        let made = self.emit_call(Callee::Routine(routine), arguments, &[Width::W64]);
        match width == Width::W64 {
            true => made[0],
            false => self.body.compute(width, convert(Width::W64)(made[0])),
        }
    }

    /// `is.fpclass`: whether a number is of one of the kinds in a set.
    fn float_class(&mut self, of: TypeId, arguments: &[Vec<Operand>]) -> Lowered<Vec<Operand>> {
        let [values, mask] = arguments else {
            return Err(self.refuse("`llvm.is.fpclass` like this"));
        };
        let ([Operand::Constant(mask)], widths) = (&mask[..], self.widths(of)?) else {
            return Err(self.refuse("`llvm.is.fpclass` like this"));
        };
        let mut parts = Vec::with_capacity(values.len());
        for (width, value) in widths.iter().copied().zip(values) {
            let fraction = if width == Width::W64 { 52 } else { 23 };
            let sign = 1u64 << (width.bits() - 1);
            let infinity = sign - (1 << fraction);
            let quiet = infinity | 1 << (fraction - 1);
            // The first and last encoding of each kind, in the order of the set's bits.
            let top = sign - 1;
            let (normal, tiny) = ((1 << fraction, infinity - 1), (1, (1 << fraction) - 1));
            let minus = |(low, high): (u64, u64)| (sign | low, sign | high);
            let kinds = [
                vec![(infinity + 1, quiet - 1), minus((infinity + 1, quiet - 1))],
                vec![(quiet, top), minus((quiet, top))],
                vec![minus((infinity, infinity))],
                vec![minus(normal)],
                vec![minus(tiny)],
                vec![(sign, sign)],
                vec![(0, 0)],
                vec![tiny],
                vec![normal],
                vec![(infinity, infinity)],
            ];
            let mut any = Operand::Constant(0);
            let chosen = kinds.iter().enumerate();
            let chosen = chosen.filter(|(bit, _)| mask >> bit & 1 != 0);
            for (low, high) in chosen.flat_map(|(_, ranges)| ranges).copied() {
                let body = &mut self.body;
                let from = Operand::Constant(low);
                let distance = body.binary(Binary::Sub, width, *value, from);
                let range = Operand::Constant(high - low);
                let inside = body.binary(Binary::Ule, width, distance, range);
                any = body.binary(Binary::Or, Width::BIT, any, inside);
            }
            parts.push(any);
        }
        Ok(parts)
    }

    /// Arithmetic with a bit that tells whether it overflowed.
    fn overflowing(&mut self, stem: &str, call: &'m Call) -> Lowered<Option<Vec<Operand>>> {
        let Some(operation) = stem.strip_suffix(".with.overflow") else {
            return Ok(None);
        };
        let of = call.arguments.first().map_or(call.result, |a| a.value_type);
        let (_, _, widths) = self.lanes(of)?;
        let (a, b) = (self.argument(call, 0)?, self.argument(call, 1)?);
        let size = widths.len().max(1);
        if a.len() != b.len() || size > 2 {
            return Err(self.refuse("arithmetic of integers this wide"));
        }
        let (mut values, mut bits) = (Vec::new(), Vec::new());
        for (a, b) in a.chunks(size).zip(b.chunks(size)) {
            let (value, bit) = match widths[..] {
                [width] => match self.body.overflow(operation, width, a[0], b[0]) {
                    Some((value, bit)) => (vec![value], bit),
                    None => return Ok(None),
                },
                _ => match self.body.wide_overflow(operation, &widths, a, b) {
                    Some(found) => found,
                    None => return Err(self.refuse("arithmetic of integers this wide")),
                },
            };
            values.extend(value);
            bits.push(bit);
        }
        values.extend(bits);
        Ok(Some(values))
    }

    fn integer_intrinsic(
        &mut self,
        stem: &str,
        of: TypeId,
        result: TypeId,
        arguments: &[Vec<Operand>],
        name: &str,
    ) -> Lowered<Vec<Operand>> {
        let (_, element, widths) = self.lanes(of)?;
        let (_, _, results) = self.lanes(result)?;
        let size = widths.len().max(1);
        let integer = matches!(
            self.lowering.module.type_of(element),
            Type::Integer(_) | Type::Pointer { .. }
        );
        let count = arguments.first().map_or(0, Vec::len) / size;
        let mut parts = Vec::new();
        for lane in 0..count {
            let take = |index: usize| {
                let all = arguments.get(index)?;
                let lane = if all.len() == size { 0 } else { lane };
                all.get(lane * size..(lane + 1) * size)
            };
            let operands = [take(0), take(1), take(2)];
            let made = match (integer, &widths[..]) {
                (true, [width]) => {
                    let operands = operands.map(|parts| parts.map(|parts| parts[0]));
                    let to = results.first().copied().unwrap_or(*width);
                    self.body
                        .integer_operation(stem, *width, to, operands)
                        .map(|a| vec![a])
                }
                (true, [_, _]) => self.body.wide_operation(stem, &widths, operands),
                _ => None,
            };
            match made {
                Some(made) => parts.extend(made),
                None => {
                    let message = format!("the intrinsic `llvm.{name}` is not supported");
                    return Err(self.complain(message, ""));
                }
            }
        }
        match arguments.is_empty() {
            false => Ok(parts),
            true => {
                let message = format!("the intrinsic `llvm.{name}` is not supported");
                Err(self.complain(message, ""))
            }
        }
    }
}
