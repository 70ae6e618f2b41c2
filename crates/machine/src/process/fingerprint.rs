//! A hash of a whole state, wide enough that two states never share it in practice: with
//! the 128 bits of SipHash-1-3, a billion states collide with a probability below 10^-20.

use super::Process;
use super::image::Pc;
use super::memory::Bytes;
use super::thread::Thread;
use super::value::Value;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::{Hash, Hasher};

fn bytes_hash(bytes: &Bytes) -> u128 {
    let mut hasher = SipHasher13::new();
    bytes.data.hash(&mut hasher);
    if bytes.undefined.iter().any(|byte| *byte != 0) {
        bytes.undefined.hash(&mut hasher);
    }
    hasher.write_u64(bytes.size);
    std::mem::discriminant(&bytes.life).hash(&mut hasher);
    hasher.finish128().into()
}

impl Process<'_> {
    /// A hash of everything that decides what may happen from here on.
    pub fn fingerprint(&mut self) -> u128 {
        self.races_normalise();
        let mut hasher = SipHasher13::new();
        hasher.write_usize(self.threads.len());
        for thread in &self.threads {
            self.hash_thread(thread, &mut hasher);
        }
        self.observed.hash(&mut hasher);
        self.section_owner.hash(&mut hasher);
        hasher.write_u64(self.sections.into());
        self.shared.hash(&mut hasher);
        self.races.hash(&mut hasher);
        if let Some(end) = self.end() {
            format!("{end:?}").hash(&mut hasher);
        }
        self.memory.hashes(bytes_hash, |id, hash| {
            hasher.write_u64(id);
            hasher.write_u64(hash as u64);
            hasher.write_u64((hash >> 64) as u64);
        });
        hasher.finish128().into()
    }

    fn hash_thread(&self, thread: &Thread, hasher: &mut SipHasher13) {
        hasher.write_u64(thread.frames.len() as u64);
        for (depth, frame) in thread.frames.iter().enumerate() {
            let top = depth + 1 == thread.frames.len();
            frame.function.hash(hasher);
            hasher.write_u64(frame.pc.into());
            // A thread's function that has returned reads no register any more: what runs are destructors.
            if depth == 0 && thread.result.is_some() {
                continue;
            }
            // A caller's program counter is already behind the call.
            let at = if top { frame.pc } else { frame.pc - 1 };
            let end = thread.frames.get(depth + 1).map(|next| next.base as usize);
            let end = end.unwrap_or(thread.registers.len());
            self.hash_registers(at, &thread.registers[frame.base as usize..end], hasher);
        }
        thread.buffer.hash(hasher);
        thread.standing.hash(hasher);
        thread.detached.hash(hasher);
        thread.phase.hash(hasher);
        thread.awaiting.hash(hasher);
        thread.read_locks.hash(hasher);
        thread.keys.hash(hasher);
        hasher.write_u64(thread.random.into());
        thread.result.hash(hasher);
        thread.left.hash(hasher);
        if self.limits.unroll.is_some() {
            hasher.write_usize(thread.iterations.len());
            for iteration in &thread.iterations {
                hasher.write_u64(u64::from(iteration.number) << 32 | u64::from(iteration.count));
            }
        }
    }

    fn hash_registers(&self, pc: Pc, registers: &[Value], hasher: &mut SipHasher13) {
        let live = self.image.live(pc);
        for (index, value) in registers.iter().enumerate() {
            if live.is_none_or(|live| live.contains(index.into())) {
                hasher.write_u64(index as u64);
                hasher.write_u64(value.word);
                hasher.write_u64(value.undefined);
            }
        }
    }
}
