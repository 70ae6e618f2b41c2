#![no_std]
use core::sync::atomic::{AtomicU32, Ordering, fence};
pub static READY: AtomicU32 = AtomicU32::new(0);
#[unsafe(no_mangle)]
pub fn publish(value: u32) -> Option<u32> {
    READY.store(value, Ordering::Release);
    fence(Ordering::SeqCst);
    match READY.compare_exchange(1, 2, Ordering::AcqRel, Ordering::Relaxed) { Ok(old) => Some(old), Err(_) => None }
}
