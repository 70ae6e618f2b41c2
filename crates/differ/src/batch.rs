//! Many programs compiled at once.
//!
//! A call of clang takes longer than most programs take to be decided, so programs are compiled together,
//! each with names of its own, and each is then lowered from its own `main`.

use crate::library::HEAD;
use crate::print::{Target, print, print_operations};
use crate::sketch::Sketch;
use frontend::c::{Batch, Compiler, Entry};
use program::Program;
use std::path::{Path, PathBuf};

/// Compiles programs together.
pub struct BatchCompiler {
    compiler: Compiler,
    directory: PathBuf,
    /// Counts files, so that workers do not share any.
    number: u32,
}

impl BatchCompiler {
    /// A compiler with a directory for its files.
    pub fn new(directory: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(directory).map_err(|error| error.to_string())?;
        Ok(BatchCompiler {
            compiler: Compiler::find(None).map_err(|error| error.to_string())?,
            directory: directory.to_owned(),
            number: 0,
        })
    }

    /// The programs of sketches, or why one is none.
    pub fn programs(&mut self, sketches: &[&Sketch]) -> Vec<Result<Program, String>> {
        let mut text = HEAD.to_owned();
        for (index, sketch) in sketches.iter().enumerate() {
            let prefix = format!("p{index}_");
            match sketch.is_data_type() {
                true => text.push_str(&print_operations(sketch, &prefix)),
                false => text.push_str(&print(sketch, &prefix, Target::Checker).text),
            }
        }
        self.number += 1;
        let file = self.directory.join(format!("{}.c", self.number % 4));
        if let Err(error) = std::fs::write(&file, text) {
            return sketches.iter().map(|_| Err(error.to_string())).collect();
        }
        let options = ["-w".to_owned(), "-Wno-everything".to_owned()];
        match Batch::read(&file, &options, &self.compiler) {
            Ok(batch) => (0..sketches.len())
                .map(|index| {
                    let program = match sketches[index].is_data_type() {
                        true => batch.program(Entry::OperationsOf(&format!("p{index}_"))),
                        false => batch.program(Entry::Function(&format!("p{index}_main"))),
                    };
                    program.map_err(|diagnostic| diagnostic.to_string())
                })
                .collect(),
            Err(error) if sketches.len() == 1 => vec![Err(format!("no C: {error}"))],
            Err(_) => {
                let (left, right) = sketches.split_at(sketches.len() / 2);
                let mut programs = self.programs(left);
                programs.extend(self.programs(right));
                programs
            }
        }
    }
}
