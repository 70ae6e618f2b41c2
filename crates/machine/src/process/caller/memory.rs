//! Memory, as library functions read and write it: words, bytes, strings, fields of objects of the library.

use super::{Caller, Run};
use crate::process::image::Access;
use crate::process::memory::Location;
use crate::process::races::Looked;
use crate::process::value::Value;
use ::memory::Effects;
use answer::{Fault, FaultKind};
use program::{MemoryOrder, Span, Word};

/// The key of the object that holds `errno`.
const ERRNO: u32 = 0;

impl Caller<'_, '_> {
    /// Where a use of `size` bytes at an address goes. A use that is wrong is recorded as well: the
    /// end of the object comes before it.
    pub(super) fn reach(&mut self, address: Word, size: u64, writes: bool) -> Run<Location> {
        let id = self.id;
        match self.process.check(address, size, writes) {
            Ok(at) => {
                self.process.notice_escape(id, at.block);
                self.process.reached_shared |= !self.process.is_private(id, at.block);
                Ok(at)
            }
            Err(fault) => {
                self.process.reached_shared = true;
                let size = size.clamp(1, 1 << 20) as u32;
                self.process.act_on_address(id, address, size);
                Err(fault)
            }
        }
    }

    /// Checks that bytes can be written, before anything else is done.
    pub fn check_writable(&mut self, address: Word, size: u64) -> Run<()> {
        self.reach(address, size, true).map(|_| ())
    }

    /// Reads up to 8 bytes as the thread sees them.
    pub fn read_word(&mut self, address: Word, size: u32) -> Run<Value> {
        let at = self.reach(address, size.into(), false)?;
        let id = self.id;
        self.process.act_read(id, at, size, MemoryOrder::Plain);
        Ok(self.process.peek(id, at, size).0)
    }

    /// Writes up to 8 bytes, through the store buffer if there is one.
    pub fn write_word(&mut self, address: Word, size: u32, value: Value) -> Run<()> {
        let at = self.reach(address, size.into(), true)?;
        let value = value.truncate(crate::process::access::width(size as u8));
        self.store(at, size, MemoryOrder::Plain, value)
    }

    /// Writes a word, unless the call is only tried to see what it reaches: that it writes is all there is to see.
    pub fn write_unless_tried(&mut self, address: Word, size: u32, word: Word) -> Run<()> {
        if self.process.dry_run {
            self.process.reached_shared = true;
            return Ok(());
        }
        self.write_word(address, size, Value::new(word))
    }

    fn store(&mut self, at: Location, size: u32, order: MemoryOrder, value: Value) -> Run<()> {
        let access = Access {
            size: size as u8,
            alignment: 0,
            order,
        };
        let (id, span) = (self.id, self.span);
        self.process.store(id, span, at, access, value)
    }

    /// Reads bytes as the thread sees them, each with its undefined bits.
    pub fn read_bytes(&mut self, address: Word, size: u64) -> Run<Vec<(u8, u8)>> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let at = self.reach(address, size, false)?;
        let id = self.id;
        self.process
            .act_read(id, at, size as u32, MemoryOrder::Plain);
        self.look_for_races(at, size)?;
        let byte = |index: u64| {
            let offset = at.offset + index;
            let (value, _) = self.process.peek(id, Location { offset, ..at }, 1);
            (value.word as u8, value.undefined as u8)
        };
        Ok((0..size).map(byte).collect())
    }

    /// Looks for races with a read.
    fn look_for_races(&mut self, at: Location, size: u64) -> Run<()> {
        let looked = Looked {
            at,
            size,
            writes: false,
            order: MemoryOrder::Plain,
            span: self.process.span_of(self.id),
        };
        self.process.races_look(self.call.id, looked)
    }

    /// Writes bytes, each with its undefined bits, in pieces of up to 8.
    pub fn write_bytes(&mut self, address: Word, bytes: &[(u8, u8)]) -> Run<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.check_writable(address, bytes.len() as u64)?;
        let mut done = 0;
        while done < bytes.len() {
            let here = address + done as u64;
            // Pieces do not cross multiples of 8, so that words stay whole.
            let room = (8 - here % 8).min((bytes.len() - done) as u64) as usize;
            let fits = |size: &usize| *size <= room && here.is_multiple_of(*size as u64);
            let piece = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
            let mut value = Value::default();
            for (index, (byte, undefined)) in bytes[done..done + piece].iter().enumerate() {
                value.word |= u64::from(*byte) << (8 * index);
                value.undefined |= u64::from(*undefined) << (8 * index);
            }
            value.word &= !value.undefined;
            self.write_word(here, piece as u32, value)?;
            done += piece;
        }
        Ok(())
    }

    /// Writes defined bytes.
    pub fn write_defined(&mut self, address: Word, bytes: &[u8]) -> Run<()> {
        let bytes: Vec<(u8, u8)> = bytes.iter().map(|byte| (*byte, 0)).collect();
        self.write_bytes(address, &bytes)
    }

    /// The string at an address, without its end. At most `most` bytes of it are read.
    pub fn string(&mut self, address: Word, most: u64) -> Run<Vec<u8>> {
        let bytes = self.characters(address, most, 1)?;
        Ok(bytes.into_iter().map(|byte| byte as u8).collect())
    }

    /// The characters of some size from an address on up to a zero, at most this many.
    pub fn characters(&mut self, address: Word, most: u64, size: u32) -> Run<Vec<Word>> {
        let mut characters = Vec::new();
        while (characters.len() as u64) < most {
            let at = address.wrapping_add(characters.len() as u64 * u64::from(size));
            let value = self.read_word(at, size)?;
            if !value.is_defined() {
                let message = "a string function reads an uninitialised character";
                return Err(Box::new(Fault::new(FaultKind::Uninitialised, message)));
            }
            if self.process.races.is_some() {
                let at = self.process.check(at, size.into(), false)?;
                self.look_for_races(at, size.into())?;
            }
            if value.word == 0 {
                break;
            }
            characters.push(value.word);
        }
        Ok(characters)
    }

    /// The string at an address as text, for messages.
    pub fn text(&mut self, address: Word) -> Run<String> {
        let bytes = self.string(address, 4096)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Objects of the library: mutexes, semaphores.
impl Caller<'_, '_> {
    /// A field, which must be initialised.
    pub fn field(&mut self, address: Word, size: u32) -> Run<Word> {
        let value = self.read_word(address, size)?;
        if value.is_defined() {
            return Ok(value.word);
        }
        // One that was destroyed is undefined again.
        Err(self.misuse("the object is not initialised"))
    }

    /// A field of 4 bytes, if it is there and initialised.
    pub fn field_if_initialised(&mut self, address: Word) -> Option<Word> {
        let value = self.read_word(address, 4).ok()?;
        value.is_defined().then_some(value.word)
    }

    /// Sets a field in one step with reading it: the thread's own stores to it are in memory.
    pub fn set_field(&mut self, address: Word, size: u32, word: Word) -> Run<()> {
        let at = self.record_update(address, size)?;
        self.process.memory.write(at, size, Value::new(word));
        Ok(())
    }

    /// Records the update of a field that stands for a whole object.
    pub fn record_update(&mut self, address: Word, size: u32) -> Run<Location> {
        let at = self.reach(address, size.into(), true)?;
        self.process
            .act_write(self.call.id, at, size, MemoryOrder::Plain);
        Ok(at)
    }

    /// Stores a field of 4 bytes in the order that the table gives the function.
    pub fn store_field(&mut self, address: Word, word: Word) -> Run<()> {
        let order = self.routine.row().synchronises.order();
        let Effects { before, after, .. } = Effects::of_routine(self.routine);
        let at = self.reach(address, 4, true)?;
        self.process.fence(self.call.id, before);
        self.store(at, 4, order, Value::new(word))?;
        self.process.fence(self.call.id, after);
        Ok(())
    }

    /// What happens after releases of the object at an address happens after them, for the search for races.
    pub fn acquire(&mut self, object: Word) {
        self.process.races_acquire(self.call.id, object);
    }

    /// What happened so far happens before acquires of the object at an address.
    pub fn release(&mut self, object: Word) {
        self.process.races_release(self.call.id, object);
    }
}

/// Objects that the library makes for itself.
impl Caller<'_, '_> {
    /// The address of an object that the library made for the thread, made on first use.
    pub fn library_table(&mut self, key: u32, make: impl FnOnce() -> Vec<u8>) -> Run<Word> {
        let id = self.id;
        let mut tables = self.process.tables.iter();
        let known = tables.find(|(thread, known, _)| (*thread, *known) == (id, key));
        if let Some((_, _, address)) = known {
            return Ok(*address);
        }
        let bytes = make();
        let memory = &mut self.process.memory;
        let made = memory.allocate(id, bytes.len() as u64, true, Span::NOWHERE, None);
        let Some(address) = made else {
            let message = "no room for an object of the library";
            return Err(Box::new(Fault::new(FaultKind::Misuse, message)));
        };
        let at = self.process.check(address, bytes.len() as u64, true)?;
        for (index, byte) in bytes.iter().enumerate() {
            let offset = at.offset + index as u64;
            let at = Location { offset, ..at };
            self.process.memory.write(at, 1, Value::new((*byte).into()));
        }
        self.process.note_tables();
        self.process.tables.push((id, key, address));
        Ok(address)
    }

    /// Where the thread's `errno` lies.
    pub fn errno_address(&mut self) -> Run<Word> {
        self.library_table(ERRNO, || vec![0; 4])
    }

    /// Sets the thread's `errno`.
    pub fn set_errno(&mut self, code: Word) -> Run<()> {
        let address = self.errno_address()?;
        self.write_word(address, 4, Value::new(code))
    }
}
