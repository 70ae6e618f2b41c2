//! SPARC
use super::Draft;
use super::init::Init;
use super::scope::RegisterView;
use super::sections::Part;
use program::{Diagnostic, Source};
pub fn register(_name: &str) -> Option<RegisterView> { None }
pub fn translate(_source: &Source, _code: Part<'_>, _init: &Init) -> Result<Draft, Diagnostic> { todo!() }
