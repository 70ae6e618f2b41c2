//! Time, chance and arithmetic: the same in every execution, except for what is chosen.

use super::{Call, Caller, Flow, Run};
use crate::process::value::Value;
use answer::Event;
use program::Word;
use program::in_family::{Arithmetic, Chance, Checking};

/// Words below this are never addresses.
const FIRST_ADDRESS: Word = 1 << 20;

impl Caller<'_, '_> {
    pub(super) fn chance_routine(&mut self, routine: Chance) -> Run<Flow> {
        use Chance::*;
        let word = match routine {
            Yield | Sleep | NanoSleep | Clock | Environment => 0,
            ProcessId => 1,
            Time => self.time()?,
            ClockTime => self.clock_time()?,
            ErrorNumber => self.errno_address()?,
            Random => next_random(self.random_state()),
            RandomSeed => return Ok(Flow::Done),
            RandomReentrant => self.random_reentrant()?,
        };
        Ok(Flow::Returns(word))
    }

    pub(super) fn checking_routine(&mut self, routine: Checking) -> Run<Flow> {
        use Checking::*;
        match routine {
            AnyBool => Ok(Flow::Returns(self.chosen())),
            AnyValue => {
                self.note_cut_values();
                Ok(Flow::Returns(self.chosen()))
            }
            Retry | Replicate => Ok(Flow::Done),
            Assume | Choose | Observe | ObserveArgument | ObserveResult | Fence | AtomicBegin
            | AtomicEnd => Err(self.not_replaced()),
        }
    }

    fn time(&mut self) -> Run<Word> {
        let to = self.word(0)?;
        if to != 0 {
            self.write_word(to, 8, Value::new(0))?;
        }
        Ok(0)
    }

    /// `clock_gettime(clock, to)`, `gettimeofday(to, zone)` and
    /// `timespec_get(to, base)`, told apart by which argument is an address. The last
    /// returns its base.
    fn clock_time(&mut self) -> Run<Word> {
        let (first, second) = (self.word(0)?, self.word(1)?);
        let (to, result) = match (first >= FIRST_ADDRESS, second >= FIRST_ADDRESS) {
            (true, true) => (first, 0),
            (true, false) => (first, second),
            (false, true) => (second, 0),
            (false, false) => return Ok(0),
        };
        self.write_defined(to, &[0; 16])?;
        Ok(result)
    }

    fn random_reentrant(&mut self) -> Run<Word> {
        let to = self.word(0)?;
        let mut seed = self.field(to, 4)? as u32;
        let number = next_random(&mut seed);
        self.write_word(to, 4, Value::new(seed.into()))?;
        Ok(number)
    }

    fn chosen(&mut self) -> Word {
        let value = self.choice.into();
        self.note(|_| Event::Choose { value });
        value
    }
}

/// The generator that the C standard gives as an example.
fn next_random(state: &mut u32) -> Word {
    *state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
    Word::from(*state / 65_536 % 32_768)
}

pub(super) fn arithmetic(call: &Call, routine: Arithmetic) -> Run<Flow> {
    let word = call.word(0)?;
    let number = f64::from_bits(word);
    let real = |number: f64| number.to_bits();
    Ok(Flow::Returns(match routine {
        Arithmetic::Absolute => Word::from((word as i32).unsigned_abs()),
        Arithmetic::LongAbsolute => (word as i64).unsigned_abs(),
        Arithmetic::Power => real(number.powf(f64::from_bits(call.word(1)?))),
        Arithmetic::Exponential => real(number.exp()),
        Arithmetic::Logarithm => real(number.ln()),
        Arithmetic::Sine => real(number.sin()),
        Arithmetic::Cosine => real(number.cos()),
        Arithmetic::Divide => return Err(call.not_replaced()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_those_of_the_standard() {
        let mut state = 1;
        let numbers: Vec<Word> = (0..4).map(|_| next_random(&mut state)).collect();
        assert_eq!(numbers, [16838, 5758, 10113, 17515]);
    }
}
