//! What all questions have in common.

use crate::options::{Models, Options};
use crate::refusal::{Refused, each_model};
use answer::ModelResult;
use memory::Model;
use program::{Diagnostic, Program};
use std::sync::Arc;

/// A question about a program, asked under one memory model at a time.
pub trait Question {
    /// How to search.
    fn options(&self) -> &Options;

    /// The answer under one model.
    fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused>;

    /// The answer under each model; see [`each_model`].
    fn answers(
        &self,
        program: &Arc<Program>,
        models: &Models,
    ) -> Result<Vec<ModelResult>, Box<Diagnostic>> {
        each_model(program, models, &self.options().listener, |model| {
            self.run(program, model)
        })
    }
}
