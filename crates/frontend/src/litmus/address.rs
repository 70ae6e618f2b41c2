//! Memory operands: a location, registers and a displacement, added up.

use super::code::Code;
use super::complaint::{Detail, complaint};
use super::locations::Locations;
use program::{Address, Binary, Diagnostic, Operand, Source, Span, Width};

/// A memory operand; `R` is a register of the language.
#[derive(Clone, Debug)]
pub struct Memory<R> {
    pub location: Option<String>,
    /// Registers, each with the number that it is multiplied by.
    pub registers: Vec<(R, u64)>,
    pub displacement: i128,
    pub span: Span,
}

impl<R> Memory<R> {
    /// The operand that names a location and nothing else.
    pub fn location(name: String, span: Span) -> Self {
        Memory {
            location: Some(name),
            registers: Vec::new(),
            displacement: 0,
            span,
        }
    }

    /// Something must be there to give an address.
    pub fn check(self, source: &Source) -> Result<Self, Diagnostic> {
        if self.location.is_none() && self.registers.is_empty() {
            let message = "a number is no address here";
            return Err(complaint(source, self.span, message)
                .expected("a location or a register between the brackets"));
        }
        Ok(self)
    }

    /// Computes the address. Arithmetic is done in `width`; `read` gives the
    /// value of a register.
    pub fn lower(
        &self,
        code: &mut Code,
        locations: &Locations<'_>,
        width: Width,
        mut read: impl FnMut(&mut Code, &R) -> Operand,
    ) -> Result<Operand, Diagnostic> {
        let mut rest = self.displacement;
        let mut sum = match &self.location {
            Some(name) if self.registers.is_empty() => {
                let place = locations.place(name, self.displacement, self.span)?;
                return Ok(Operand::Address(place));
            }
            Some(name) => {
                let mut place = locations.place(name, 0, self.span)?;
                if let Some(offset) = within_object(self.displacement) {
                    place.offset = offset;
                    rest = 0;
                }
                Some(Operand::Address(place))
            }
            None => None,
        };
        for (register, scale) in &self.registers {
            let mut value = read(code, register);
            if *scale != 1 {
                let factor = Operand::Constant(*scale);
                value = code.binary(Binary::Mul, width, value, factor).into();
            }
            sum = Some(match sum {
                Some(before) => code.binary(Binary::Add, width, before, value).into(),
                None => value,
            });
        }
        let sum = sum.unwrap_or(Operand::Constant(0));
        if rest == 0 {
            return Ok(sum);
        }
        let rest = Operand::Constant(width.truncate(rest as u64));
        Ok(code.binary(Binary::Add, width, sum, rest).into())
    }
}

/// A displacement that stays within every object's share of the addresses.
fn within_object(displacement: i128) -> Option<u32> {
    let offset = u32::try_from(displacement).ok()?;
    (offset < Address::MAX_OBJECT_SIZE).then_some(offset)
}
