//! CPU time of one worker, which does not change with what else the machine does.

use std::time::{Duration, Instant};

/// What is shorter is repeated.
const SHORTEST: Duration = Duration::from_millis(50);

/// CPU seconds of a run, the best of several rounds, and what it gave. A short run is repeated
/// until that has taken 50 ms. It must stay in this thread.
pub fn cpu_seconds<T>(rounds: u32, mut run: impl FnMut() -> T) -> (f64, T) {
    let before = Instant::now();
    let value = run();
    let first = before.elapsed();
    let times = (SHORTEST.as_nanos() / first.as_nanos().max(1) + 1) as u32;
    let round = |_| {
        let started = (cpu_time(), Instant::now());
        for _ in 0..times {
            run();
        }
        let taken = match (started.0, cpu_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => started.1.elapsed(),
        };
        taken.as_secs_f64() / f64::from(times)
    };
    let shortest = (0..rounds.max(1)).map(round).fold(f64::INFINITY, f64::min);
    (shortest, value)
}

/// CPU time of this thread so far, where Linux tells.
fn cpu_time() -> Option<Duration> {
    // Otherwise it is what the last tick of the system saw.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}
