//! A directory that looks like the repository, in which the commands of one page are run.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What `cargo` is on a page: `cargo run` runs the command that is tested, which is installed already.
const CARGO: &str = "#!/bin/sh
case \"$1 $2 $3\" in
'run --release --') shift 3; exec fencepost \"$@\" ;;
'install --path crates/cli') exit 0 ;;
esac
echo \"cargo $*: a page runs nothing of cargo but the command\" >&2
exit 127
";

/// Where commands of a page run.
pub struct Shell {
    directory: PathBuf,
    programs: PathBuf,
    last_code: i32,
}

/// What a command has printed, on both outputs, and its exit code.
pub struct Printed {
    pub text: String,
    pub code: i32,
}

impl Shell {
    /// A new directory with the examples, which commands may change, and links to what they only read.
    pub fn new(repository: &Path, page: &str) -> io::Result<Self> {
        let pages = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
        let place = pages.join(page.replace('/', "_"));
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        let directory = place.join("here");
        let programs = place.join("bin");
        fs::create_dir_all(&directory)?;
        fs::create_dir_all(&programs)?;
        copy(&repository.join("examples"), &directory.join("examples"))?;
        for name in ["crates", "tests", "scripts"] {
            symlink(repository.join(name), directory.join(name))?;
        }
        symlink(env!("CARGO_BIN_EXE_fencepost"), programs.join("fencepost"))?;
        let cargo = programs.join("cargo");
        fs::write(&cargo, CARGO)?;
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755))?;
        Ok(Shell {
            directory,
            programs,
            last_code: 0,
        })
    }

    /// Writes a file that the page shows.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.directory.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)
    }

    /// Runs one command, which finds in `$?` how the one before has ended.
    pub fn run(&mut self, command: &str) -> io::Result<Printed> {
        let path = self.directory.with_file_name("printed");
        let output = File::create(&path)?;
        let search = std::env::var("PATH").unwrap_or_default();
        let script = format!("(exit {})\n{command}\n", self.last_code);
        let mut shell = Command::new("bash");
        shell
            .args(["-c", &script])
            .current_dir(&self.directory)
            .env("PATH", format!("{}:{search}", self.programs.display()))
            .env("CLANG", "clang-19")
            .env("COLUMNS", "100")
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        let status = shell.status()?;
        self.last_code = status.code().unwrap_or(-1);
        Ok(Printed {
            text: fs::read_to_string(path)?,
            code: self.last_code,
        })
    }
}

/// Copies a directory with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
