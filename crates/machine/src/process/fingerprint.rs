//! A hash of a whole state, wide enough that two states never share it in practice: with
//! 128 bits, a billion states collide with a probability below 10^-20.

use super::Process;
use super::image::Pc;
use super::memory::Bytes;
use super::thread::Thread;
use super::value::Value;
use std::hash::{Hash, Hasher};

/// Two lanes of multiply-and-fold, with different keys.
struct Lanes {
    low: u64,
    high: u64,
}

const KEYS: [u64; 4] = [
    0x2d35_8dcc_aa6c_78a5,
    0x8bb8_4b93_962e_acc9,
    0x4b33_a62e_d433_d4a3,
    0x4d5a_2da5_1de1_aa47,
];

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Lanes {
    fn new() -> Self {
        Lanes {
            low: KEYS[0],
            high: KEYS[1],
        }
    }

    fn mix(&mut self, word: u64) {
        self.low = fold(self.low ^ word, KEYS[2] ^ self.low.rotate_left(29));
        self.high = fold(
            self.high ^ word.rotate_left(32),
            KEYS[3] ^ self.high.rotate_left(17),
        );
    }

    fn finish128(&self) -> u128 {
        u128::from(fold(self.low, KEYS[1])) << 64 | u128::from(fold(self.high, KEYS[0]))
    }
}

impl Hasher for Lanes {
    fn finish(&self) -> u64 {
        self.low ^ self.high
    }

    fn write(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}

fn bytes_hash(bytes: &Bytes) -> u128 {
    let mut lanes = Lanes::new();
    lanes.write(&bytes.data);
    if bytes.undefined.iter().any(|byte| *byte != 0) {
        lanes.write(&bytes.undefined);
    }
    lanes.mix(bytes.size);
    std::mem::discriminant(&bytes.life).hash(&mut lanes);
    lanes.finish128()
}

impl Process<'_> {
    /// A hash of everything that decides what may happen from here on.
    pub fn fingerprint(&mut self) -> u128 {
        self.races_normalise();
        let mut lanes = Lanes::new();
        for thread in &self.threads {
            self.hash_thread(thread, &mut lanes);
        }
        self.observed.hash(&mut lanes);
        self.section_owner.hash(&mut lanes);
        lanes.mix(self.sections.into());
        self.shared.hash(&mut lanes);
        self.races.hash(&mut lanes);
        if let Some(end) = &self.end {
            format!("{end:?}").hash(&mut lanes);
        }
        self.memory.hashes(bytes_hash, |id, hash| {
            lanes.mix(id);
            lanes.mix(hash as u64);
            lanes.mix((hash >> 64) as u64);
        });
        lanes.finish128()
    }

    fn hash_thread(&self, thread: &Thread, lanes: &mut Lanes) {
        lanes.mix(thread.frames.len() as u64);
        for (depth, frame) in thread.frames.iter().enumerate() {
            let top = depth + 1 == thread.frames.len();
            frame.function.hash(lanes);
            lanes.mix(frame.pc.into());
            // A thread's function that has returned reads no register any more: what runs are destructors.
            if depth == 0 && thread.result.is_some() {
                continue;
            }
            // A caller's program counter is already behind the call.
            let at = if top { frame.pc } else { frame.pc - 1 };
            let end = thread.frames.get(depth + 1).map(|next| next.base as usize);
            let end = end.unwrap_or(thread.registers.len());
            self.hash_registers(at, &thread.registers[frame.base as usize..end], lanes);
        }
        thread.buffer.hash(lanes);
        thread.standing.hash(lanes);
        thread.detached.hash(lanes);
        thread.phase.hash(lanes);
        thread.awaiting.hash(lanes);
        thread.read_locks.hash(lanes);
        thread.keys.hash(lanes);
        lanes.mix(thread.random.into());
        thread.result.hash(lanes);
        thread.left.hash(lanes);
        if self.limits.unroll.is_some() {
            for iteration in &thread.iterations {
                lanes.mix(u64::from(iteration.number) << 32 | u64::from(iteration.count));
            }
        }
    }

    fn hash_registers(&self, pc: Pc, registers: &[Value], lanes: &mut Lanes) {
        let live = self.image.live(pc);
        for (index, value) in registers.iter().enumerate() {
            if live.is_none_or(|live| live.contains(index.into())) {
                lanes.mix(index as u64);
                lanes.mix(value.word);
                lanes.mix(value.undefined);
            }
        }
    }
}
