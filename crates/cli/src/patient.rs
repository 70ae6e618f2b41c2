//! Reading what may never come, with an eye on the user's wish to stop.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Time between two looks at the wish to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Blocks that are read ahead.
const BLOCKS_AHEAD: usize = 4;

/// A source that another thread reads, block by block. Reading fails when the user wants to
/// stop, though nothing comes: a system call that waits for a pipe would go on waiting.
pub struct Patient {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// Bytes of the block that are read.
    read: usize,
    interrupt: Arc<AtomicBool>,
}

impl Patient {
    /// Begins to read, this many bytes at once.
    pub fn new(
        mut source: impl Read + Send + 'static,
        at_once: usize,
        interrupt: &Arc<AtomicBool>,
    ) -> Self {
        let (send, blocks) = sync_channel(BLOCKS_AHEAD);
        std::thread::spawn(move || {
            loop {
                let mut block = vec![0; at_once];
                let read = match source.read(&mut block) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let last = !matches!(read, Ok(1..));
                let read = read.map(|length| {
                    block.truncate(length);
                    block
                });
                if send.send(read).is_err() || last {
                    return;
                }
            }
        });
        Patient {
            blocks,
            block: Vec::new(),
            read: 0,
            interrupt: interrupt.clone(),
        }
    }
}

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.read == self.block.len() {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(io::Error::other("interrupted"));
            }
            match self.blocks.recv_timeout(BETWEEN_LOOKS) {
                Ok(block) => {
                    self.block = block?;
                    self.read = 0;
                    if self.block.is_empty() {
                        return Ok(0);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // It was at its end.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let rest = &self.block[self.read..];
        let length = rest.len().min(bytes.len());
        bytes[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_read() {
        let mut text = String::new();
        let mut patient = Patient::new("some text".as_bytes(), 4, &Arc::default());
        patient.read_to_string(&mut text).expect("text");
        assert_eq!(text, "some text");
        assert_eq!(patient.read(&mut [0]).ok(), Some(0));
    }

    #[test]
    fn what_never_comes_is_given_up() {
        struct Never(Receiver<()>);
        impl Read for Never {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                let _ = self.0.recv();
                Ok(0)
            }
        }
        let (_keep, never) = std::sync::mpsc::channel();
        let interrupt = Arc::new(AtomicBool::new(true));
        let mut patient = Patient::new(Never(never), 4, &interrupt);
        assert!(patient.read(&mut [0]).is_err());
    }
}
