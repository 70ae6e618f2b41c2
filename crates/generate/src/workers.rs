//! Workers that run side by side.

/// Runs `jobs` workers, each with its number, until all have ended; returns the first error.
pub fn in_parallel(
    jobs: usize,
    work: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let work = &work;
    std::thread::scope(|scope| {
        let workers = (0..jobs.max(1)).map(|job| scope.spawn(move || work(job)));
        let workers: Vec<_> = workers.collect();
        let mut ends = workers.into_iter();
        ends.try_for_each(|worker| worker.join().expect("no worker panics"))
    })
}
