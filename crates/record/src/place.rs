//! Places that threads share.

use crate::Recorder;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// A place that threads share, in the stead of an atomic; every access to it is recorded.
#[derive(Debug)]
pub struct Recorded<'a, T, W: Write = BufWriter<File>> {
    recorder: &'a Recorder<W>,
    name: String,
    value: Mutex<T>,
}

/// Numbers that can be added to, as atomics do it.
pub trait Add: Copy {
    /// The sum, which wraps around.
    fn add(self, more: Self) -> Self;
}

macro_rules! add {
    ($($number:ty)*) => {
        $(impl Add for $number {
            fn add(self, more: Self) -> Self {
                self.wrapping_add(more)
            }
        })*
    };
}

add!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<'a, T: Copy, W: Write> Recorded<'a, T, W> {
    /// A place with this value. The log knows it by a number.
    pub fn new(recorder: &'a Recorder<W>, value: T) -> Self {
        let name = recorder.new_place().to_string();
        Recorded::named(recorder, &name, value)
    }

    /// A place that the log knows by a name, which no other place should have.
    pub fn named(recorder: &'a Recorder<W>, name: &str, value: T) -> Self {
        Recorded {
            recorder,
            name: match name.contains([',', '"', '\n', '\r']) {
                true => format!(
                    "\"{}\"",
                    name.replace('"', "\"\"").replace(['\n', '\r'], " ")
                ),
                false => name.to_owned(),
            },
            value: Mutex::new(value),
        }
    }

    /// Reads it.
    #[track_caller]
    pub fn load(&self) -> T {
        self.access(|value| ("load", *value))
    }

    /// Writes it.
    #[track_caller]
    pub fn store(&self, new: T) {
        self.access(|value| {
            *value = new;
            ("store", ())
        });
    }

    /// Writes it, and gives what was there.
    #[track_caller]
    pub fn swap(&self, new: T) -> T {
        self.access(|value| ("interlocked", std::mem::replace(value, new)))
    }

    /// Writes it if it is `current`. Gives what was there, as an error if it was something else.
    #[track_caller]
    pub fn compare_exchange(&self, current: T, new: T) -> Result<T, T>
    where
        T: PartialEq,
    {
        self.access(|value| match *value == current {
            true => ("interlocked", Ok(std::mem::replace(value, new))),
            false => ("failed-cas", Err(*value)),
        })
    }

    /// Adds to it, and gives what was there.
    #[track_caller]
    pub fn fetch_add(&self, more: T) -> T
    where
        T: Add,
    {
        self.access(|value| {
            let new = value.add(more);
            ("interlocked", std::mem::replace(value, new))
        })
    }

    #[track_caller]
    fn access<R>(&self, act: impl FnOnce(&mut T) -> (&'static str, R)) -> R {
        let at = Location::caller();
        let mut held = self.recorder.lock();
        let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        let (operation, result) = act(&mut value);
        held.write(operation, &self.name, at);
        result
    }
}
