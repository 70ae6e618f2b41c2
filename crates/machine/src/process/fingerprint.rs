//! A hash of a whole state, wide enough that two states never share it in practice: with
//! the 128 bits of SipHash-1-3, a billion states collide with a probability below 10^-20.
//!
//! The state is written down as bytes, which are hashed at once: that is quicker than to hash it piece by piece. What is written can be
//! read back in one way only, so different states have different bytes. Large objects, of which most stay the same from
//! state to state, are written as their hashes.

use super::Process;
use super::image::Pc;
use super::memory::{Bytes, Life};
use super::thread::Thread;
use super::value::Value;
use siphasher::sip128::SipHasher13;
use std::hash::{Hash, Hasher};

/// Objects up to this many bytes are written down as they are: hashing one takes longer than writing it.
const SMALL: u64 = 32;

/// What is hashed.
struct Written(Vec<u8>);

impl Written {
    fn new() -> Self {
        Written(Vec::with_capacity(1024))
    }

    fn hash(&self) -> u128 {
        SipHasher13::new().hash(&self.0).as_u128()
    }

    /// Most numbers are small and take one byte.
    #[inline]
    fn number(&mut self, number: u64) {
        let short = number.min(0xff) as u8;
        self.0.push(short);
        if short == 0xff {
            self.write(&number.to_le_bytes());
        }
    }

    fn bytes(&mut self, bytes: &Bytes) {
        let undefined = bytes.undefined.iter().any(|byte| *byte != 0);
        self.number(u64::from(undefined) << 1 | u64::from(bytes.life == Life::Alive));
        // Their lengths follow from what is written already.
        self.write(&bytes.data);
        if undefined {
            self.write(&bytes.undefined);
        }
    }
}

impl Hasher for Written {
    fn finish(&self) -> u64 {
        self.hash() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn write_u32(&mut self, number: u32) {
        self.number(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.number(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.number(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.number(number as u64);
    }
}

impl Process<'_> {
    /// A hash of everything that decides what may happen from here on.
    pub fn fingerprint(&mut self) -> u128 {
        self.races_normalise();
        let mut written = Written::new();
        written.write_usize(self.threads.len());
        for thread in &self.threads {
            self.write_thread(thread, &mut written);
        }
        self.observed.hash(&mut written);
        self.section_owner.hash(&mut written);
        written.write_u32(self.sections);
        self.shared.hash(&mut written);
        self.races.hash(&mut written);
        let end = self.end().map(|end| format!("{end:?}"));
        end.hash(&mut written);
        self.memory.changeable_blocks(|region, index, block| {
            written.write_usize(region);
            written.write_u32(index);
            written.write_u64(block.bytes.size);
            if block.bytes.size <= SMALL {
                written.bytes(&block.bytes);
                return;
            }
            let hash = block.hash.get_or_insert_with(|| {
                let mut whole = Written::new();
                whole.bytes(&block.bytes);
                whole.hash()
            });
            written.write_u128(*hash);
        });
        written.hash()
    }

    fn write_thread(&self, thread: &Thread, written: &mut Written) {
        thread.result.hash(written);
        written.write_usize(thread.frames.len());
        for (depth, frame) in thread.frames.iter().enumerate() {
            let top = depth + 1 == thread.frames.len();
            frame.function.hash(written);
            written.write_u32(frame.pc);
            // A thread's function that has returned reads no register any more: what runs are destructors.
            if depth == 0 && thread.result.is_some() {
                continue;
            }
            // A caller's program counter is already behind the call.
            let at = if top { frame.pc } else { frame.pc - 1 };
            let end = thread.frames.get(depth + 1).map(|next| next.base as usize);
            let end = end.unwrap_or(thread.registers.len());
            self.write_registers(at, &thread.registers[frame.base as usize..end], written);
        }
        thread.buffer.hash(written);
        thread.standing.hash(written);
        thread.detached.hash(written);
        thread.phase.hash(written);
        thread.awaiting.hash(written);
        thread.read_locks.hash(written);
        thread.keys.hash(written);
        written.write_u32(thread.random);
        thread.left.hash(written);
        if self.limits.unroll.is_some() {
            written.write_usize(thread.iterations.len());
            for iteration in &thread.iterations {
                written.write_u32(iteration.number);
                written.write_u32(iteration.count);
            }
        }
    }

    /// Which registers these are follows from the operation.
    fn write_registers(&self, pc: Pc, registers: &[Value], written: &mut Written) {
        let live = self.image.live(pc);
        for (index, value) in registers.iter().enumerate() {
            if live.is_none_or(|live| live.contains(index.into())) {
                written.write_u64(value.word);
                written.write_u64(value.undefined);
            }
        }
    }
}
