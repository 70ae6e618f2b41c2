//! Running clang within the limits of the user.
//!
//! What clang does with a file can take any time and memory: macros that expand to gigabytes are a
//! few lines. So it runs in a process group of its own, which is ended when a [`Limit`] is
//! reached, with everything that it has started.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Time between two looks at the limit.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// The same for a process that has closed its output, and so is about to end.
const BEFORE_END: Duration = Duration::from_millis(1);

/// When to end a compiler that runs. Clones share the limit.
#[derive(Clone, Default)]
pub struct Limit(Option<Arc<dyn Fn(u32) -> bool + Send + Sync>>);

impl Limit {
    /// Reached when the function, which is given the process id of the compiler, returns true.
    pub fn new(reached: impl Fn(u32) -> bool + Send + Sync + 'static) -> Self {
        Limit(Some(Arc::new(reached)))
    }

    fn is_reached(&self, child: &Child) -> bool {
        self.0.as_ref().is_some_and(|reached| reached(child.id()))
    }
}

impl std::fmt::Debug for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Limit").field(&self.0.is_some()).finish()
    }
}

/// What a command prints, and how it ends; `None` if the limit was reached before it did.
pub fn output(mut command: Command, limit: &Limit) -> io::Result<Option<Output>> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    apart(&mut command);
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().map(drain);
    let stderr = child.stderr.take().map(drain);
    let mut read = |pipe: Option<Receiver<io::Result<Vec<u8>>>>| match pipe {
        Some(pipe) => received(&pipe, &mut child, limit),
        None => Ok(Some(Vec::new())),
    };
    let (Some(stdout), Some(stderr)) = (read(stdout)?, read(stderr)?) else {
        return Ok(None);
    };
    let status = ended(&mut child, limit)?;
    Ok(status.map(|status| Output {
        status,
        stdout,
        stderr,
    }))
}

/// Reads to the end, beside whoever waits for it.
fn drain(mut pipe: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.read_to_end(&mut bytes);
        // Nobody listens any more if the limit was reached.
        let _ = send.send(read.map(|_| bytes));
    });
    receive
}

fn received(
    pipe: &Receiver<io::Result<Vec<u8>>>,
    child: &mut Child,
    limit: &Limit,
) -> io::Result<Option<Vec<u8>>> {
    loop {
        match pipe.recv_timeout(BETWEEN_LOOKS) {
            Ok(read) => return read.map(Some),
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if limit.is_reached(child) {
            end(child);
            return Ok(None);
        }
    }
}

fn ended(child: &mut Child, limit: &Limit) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if limit.is_reached(child) {
            end(child);
            return Ok(None);
        }
        std::thread::sleep(BEFORE_END);
    }
}

/// Puts the command into a process group of its own, where there are such.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}

/// Ends a process and all of its group.
fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        // Its leader is not waited for yet, so the number is still that of this group.
        let group = nix::unistd::Pid::from_raw(child.id() as i32);
        let _ = killpg(group, Signal::SIGKILL);
    }
    // Where it has ended meanwhile there is nothing left to do.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn what_is_printed_comes_back() {
        let output = output(shell("echo out; echo err >&2; exit 3"), &Limit::default());
        let output = output.expect("a shell").expect("no limit");
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(
            (&*output.stdout, &*output.stderr),
            (&b"out\n"[..], &b"err\n"[..])
        );
    }

    #[test]
    fn a_limit_ends_all_that_was_started() {
        let (pids, started) = (Arc::new(std::sync::Mutex::new(Vec::new())), Instant::now());
        let seen = pids.clone();
        let limit = Limit::new(move |pid| {
            seen.lock().expect("no panic").push(pid);
            true
        });
        // The shell waits for a child, and one that has closed its output for nobody.
        for line in ["sleep 600; true", "exec >&- 2>&-; sleep 600; true"] {
            let output = output(shell(line), &limit).expect("a shell");
            assert!(output.is_none(), "{line}");
        }
        assert!(started.elapsed() < Duration::from_secs(300));
        for pid in pids.lock().expect("no panic").iter() {
            let group = nix::unistd::Pid::from_raw(*pid as i32);
            let there = || nix::sys::signal::killpg(group, None).is_ok();
            // What was killed is there until init has taken note.
            let gone = (0..1000).any(|_| {
                std::thread::sleep(Duration::from_millis(10));
                !there()
            });
            assert!(gone, "{pid}");
        }
    }

    #[test]
    fn what_does_not_start_is_an_error() {
        assert!(output(Command::new("no/such/command"), &Limit::default()).is_err());
    }
}
