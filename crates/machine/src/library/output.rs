//! What programs print.

mod float;
mod format;

use self::format::{Arguments, NOT_ASCII, is_ascii};
use super::memory::uninitialised;
use super::{Call, Caller, Flow, Run};
use answer::{Fault, FaultKind};
use program::Word;
use program::in_family::Output;

/// The words that stand for `stdout` and `stderr`.
const STDOUT: Word = 2;
const STDERR: Word = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Output,
    Error,
}

impl Caller<'_, '_> {
    pub(super) fn output_routine(&mut self, routine: Output) -> Run<Flow> {
        use Output::*;
        let result = match routine {
            Print => self.print_formatted(Stream::Output, 0)?,
            FilePrint => self.print_formatted(stream(self, 0)?, 1)?,
            DescriptorPrint => self.print_formatted(descriptor(self)?, 1)?,
            StringPrint => self.print_into(Word::MAX, 1)?,
            BoundedPrint => self.print_into(self.word(1)?, 2)?,
            PutString => {
                let mut bytes = self.string(self.word(0)?, u64::MAX)?;
                bytes.push(b'\n');
                self.put(Stream::Output, &bytes)
            }
            PutCharacter => self.put_character(Stream::Output)?,
            FilePutCharacter => self.put_character(stream(self, 1)?)?,
            FilePutString => {
                let stream = stream(self, 1)?;
                let bytes = self.string(self.word(0)?, u64::MAX)?;
                self.put(stream, &bytes)
            }
            FileWrite => self.write_file()?,
            PrintError => {
                self.print_error()?;
                return Ok(Flow::Done);
            }
            Flush => {
                if self.word(0)? != 0 {
                    stream(self, 0)?;
                }
                0
            }
        };
        Ok(Flow::Returns(result))
    }

    /// Prints bytes; how many.
    fn put(&mut self, stream: Stream, bytes: &[u8]) -> Word {
        self.print(bytes, stream == Stream::Error);
        bytes.len() as Word
    }

    fn print_formatted(&mut self, stream: Stream, format: usize) -> Run<Word> {
        let bytes = self.formatted(format)?;
        Ok(self.put(stream, &bytes))
    }

    /// Formats into memory, at most `room` bytes with the one that ends the string.
    fn print_into(&mut self, room: u64, format: usize) -> Run<Word> {
        let to = self.word(0)?;
        let bytes = self.formatted(format)?;
        if room > 0 {
            let kept = usize::try_from(room - 1)
                .unwrap_or(usize::MAX)
                .min(bytes.len());
            let mut string = bytes[..kept].to_vec();
            string.push(0);
            self.write_defined(to, &string)?;
        }
        Ok(bytes.len() as Word)
    }

    /// The bytes that the format, which is this argument, makes of the arguments behind it.
    fn formatted(&mut self, format: usize) -> Run<Vec<u8>> {
        let template = self.string(self.word(format)?, u64::MAX)?;
        let list = self.word(format + 1)?;
        let mut slots = Slots {
            integers: self.field(list, 4)?,
            floats: self.field(list + 4, 4)?,
            stack: self.field(list + 8, 8)?,
            saved: self.field(list + 16, 8)?,
            fetched: 0,
            caller: self,
        };
        format::format(&template, &mut slots)
    }

    fn put_character(&mut self, stream: Stream) -> Run<Word> {
        let character = self.word(0)? as u8;
        self.put(stream, &[character]);
        Ok(character.into())
    }

    fn write_file(&mut self) -> Run<Word> {
        let (size, count) = (self.word(1)?, self.word(2)?);
        let stream = stream(self, 3)?;
        let Some(whole) = size.checked_mul(count) else {
            return Err(self.misuse(format!("{count} elements of {size} bytes")));
        };
        let bytes = self.read_bytes(self.word(0)?, whole)?;
        if bytes.iter().any(|(_, undefined)| *undefined != 0) {
            return Err(uninitialised("fwrite prints an uninitialised byte"));
        }
        let bytes: Vec<u8> = bytes.into_iter().map(|(byte, _)| byte).collect();
        self.put(stream, &bytes);
        Ok(if size == 0 { 0 } else { count })
    }

    fn print_error(&mut self) -> Run<()> {
        let mut bytes = match self.word(0)? {
            0 => Vec::new(),
            address => self.string(address, u64::MAX)?,
        };
        if !bytes.is_empty() {
            bytes.extend_from_slice(b": ");
        }
        let errno = self.errno_address()?;
        let code = self.field(errno, 4)? as i32;
        bytes.extend_from_slice(error_text(code).as_bytes());
        bytes.push(b'\n');
        self.put(Stream::Error, &bytes);
        Ok(())
    }
}

fn stream(call: &Call, argument: usize) -> Run<Stream> {
    match call.word(argument)? {
        STDOUT => Ok(Stream::Output),
        STDERR => Ok(Stream::Error),
        _ => Err(call.misuse("the stream is neither stdout nor stderr")),
    }
}

fn descriptor(call: &Call) -> Run<Stream> {
    match call.word(0)? as i32 {
        1 => Ok(Stream::Output),
        2 => Ok(Stream::Error),
        other => Err(call.misuse(format!("the descriptor {other} is neither 1 nor 2"))),
    }
}

/// What `perror` says of the codes that the library sets.
fn error_text(code: i32) -> String {
    let text = match code {
        0 => "Success",
        1 => "Operation not permitted",
        2 => "No such file or directory",
        3 => "No such process",
        4 => "Interrupted system call",
        5 => "Input/output error",
        9 => "Bad file descriptor",
        11 => "Resource temporarily unavailable",
        12 => "Cannot allocate memory",
        13 => "Permission denied",
        14 => "Bad address",
        16 => "Device or resource busy",
        17 => "File exists",
        22 => "Invalid argument",
        33 => "Numerical argument out of domain",
        34 => "Numerical result out of range",
        35 => "Resource deadlock avoided",
        75 => "Value too large for defined data type",
        95 => "Operation not supported",
        110 => "Connection timed out",
        _ => return format!("Unknown error {code}"),
    };
    text.into()
}

/// Offsets in a `va_list` of x86-64 from which on arguments are on the stack.
const INTEGERS_END: Word = 48;
const FLOATS_END: Word = 176;

/// Variable arguments: what a `va_list` of x86-64 has left.
struct Slots<'s, 'c, 'a> {
    caller: &'s mut Caller<'c, 'a>,
    /// Offsets of the next integer and the next floating-point number in what was in
    /// registers.
    integers: Word,
    floats: Word,
    /// What was on the stack, and in registers.
    stack: Word,
    saved: Word,
    fetched: u32,
}

impl Slots<'_, '_, '_> {
    fn fetch(&mut self, address: Word, size: u32) -> Run<Word> {
        self.fetched += 1;
        let value = self.caller.read_word(address, size);
        match value {
            Ok(value) if value.is_defined() => Ok(value.word),
            Err(fault) if fault.kind != FaultKind::Bounds => Err(fault),
            _ => {
                let (number, name) = (self.fetched, self.caller.routine.name());
                let message = format!(
                    "argument {number} behind the format of {name} is missing or uninitialised"
                );
                Err(uninitialised(message))
            }
        }
    }

    fn fetch_from_stack(&mut self, size: u32) -> Run<Word> {
        self.stack += 8;
        self.fetch(self.stack - 8, size)
    }
}

impl Arguments for Slots<'_, '_, '_> {
    type Error = Box<Fault>;

    fn next(&mut self, size: u32) -> Run<Word> {
        if self.integers >= INTEGERS_END {
            return self.fetch_from_stack(size);
        }
        self.integers += 8;
        self.fetch(self.saved + self.integers - 8, size)
    }

    fn next_float(&mut self) -> Run<Word> {
        if self.floats >= FLOATS_END {
            return self.fetch_from_stack(8);
        }
        self.floats += 16;
        self.fetch(self.saved + self.floats - 16, 8)
    }

    fn string(&mut self, address: Word, most: u64) -> Run<Vec<u8>> {
        self.caller.string(address, most)
    }

    fn wide_string(&mut self, address: Word, most: u64) -> Run<Vec<u8>> {
        let characters = self.caller.characters(address, most, 4)?;
        if !characters.iter().all(|character| is_ascii(*character)) {
            return Err(self.unsupported(NOT_ASCII.into()));
        }
        let bytes = characters.into_iter().map(|character| character as u8);
        Ok(bytes.collect())
    }

    fn choose(&mut self, number: usize) -> Run<()> {
        Err(self.refuse(format!("there is no argument {number}")))
    }

    fn write(&mut self, address: Word, size: u32, number: Word) -> Run<()> {
        self.caller.write_unless_tried(address, size, number)
    }

    fn error_text(&mut self) -> Run<Vec<u8>> {
        let errno = self.caller.errno_address()?;
        let code = self.caller.field(errno, 4)? as i32;
        Ok(error_text(code).into_bytes())
    }

    fn refuse(&self, message: String) -> Box<Fault> {
        self.caller.misuse(message)
    }

    fn unsupported(&self, message: String) -> Box<Fault> {
        let name = self.caller.routine.name();
        let message = format!("{name}: {message} is not supported");
        Box::new(Fault::new(FaultKind::Unsupported, message))
    }
}
