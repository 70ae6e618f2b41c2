//! A directory that lives as long as its owner.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory for one user and one purpose. It and all that is in it go when it is
/// dropped, also when a panic passes by.
#[derive(Debug)]
pub(super) struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// How many names are tried; those in use are left over from processes that were killed.
    const TRIES: u32 = 1000;

    /// Makes a directory that nobody else had and nobody else may read.
    pub fn new() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let parent = std::env::temp_dir();
        for _ in 0..Self::TRIES {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("fencepost-{}-{number}", std::process::id()));
            match make(&path) {
                Ok(()) => return Ok(TemporaryDirectory(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(unix)]
fn make(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make(path: &Path) -> io::Result<()> {
    std::fs::create_dir(path)
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // If it cannot be removed there is nobody to tell.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_goes_with_its_owner_and_all_that_is_in_it() {
        let directory = TemporaryDirectory::new().expect("a directory");
        let path = directory.path().to_owned();
        std::fs::create_dir(path.join("inner")).expect("a directory");
        std::fs::write(path.join("inner/file"), "text").expect("a file");
        assert!(path.is_dir());
        drop(directory);
        assert!(!path.exists());
    }

    #[test]
    fn a_directory_goes_when_its_owner_panics() {
        let (sent, received) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let directory = TemporaryDirectory::new().expect("a directory");
            sent.send(directory.path().to_owned()).expect("a listener");
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(thread.join().is_err());
        assert!(!received.recv().expect("a path").exists());
    }

    #[test]
    fn two_directories_are_two() {
        let [one, other] = [(); 2].map(|()| TemporaryDirectory::new().expect("a directory"));
        assert_ne!(one.path(), other.path());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let directory = TemporaryDirectory::new().expect("a directory");
        let mode = directory
            .path()
            .metadata()
            .expect("it is there")
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
    }
}
