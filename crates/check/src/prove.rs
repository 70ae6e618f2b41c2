//! Whether a program is safe for every buffer size.

use crate::engines::Prover;
use crate::guard;
use crate::options::Options;
use crate::proof::{Proof, Subject};
use crate::question::Question;
use crate::refusal::Refused;
use answer::{Engine, ModelResult};
use memory::Model;
use program::Program;
use std::path::PathBuf;
use std::sync::Arc;

/// Is a program with finite data safe, with loops that never end and store buffers of any size?
///
/// ```
/// # fn main() -> Result<(), Box<program::Diagnostic>> {
/// use check::{Prove, Question};
/// use memory::Model;
/// use answer::Verdict;
/// use program::Source;
///
/// // The first thread stores again and again; the second must see x no older than y.
/// let text = "X86 MP
///     { x=0; y=0; z=0; }
///      P0          | P1          ;
///      L:          | MOV EAX,[y] ;
///      MOV [x],$1  | MOV EBX,[x] ;
///      MOV [y],$1  | MOV [z],$1  ;
///      MOV ECX,[z] |             ;
///      CMP ECX,$0  |             ;
///      JE L        |             ;
///     ~exists (1:EAX=1 /\\ 1:EBX=0)";
/// let program = frontend::read(&Source::new("MP.litmus", text))?.into();
/// let proved = Prove::default().answers(&program, &Model::Tso.into())?;
/// assert_eq!(proved[0].verdict, Verdict::Holds);
/// assert_eq!(proved[0].covers(), "everything");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prove {
    /// How to search.
    pub options: Options,
    /// Any number of threads run these functions, like those that the program starts, besides what `fp_replicate` names.
    pub replicate: Vec<String>,
    /// Write a certificate to this file if nothing is wrong.
    pub certificate: Option<PathBuf>,
}

impl Question for Prove {
    fn options(&self) -> &Options {
        &self.options
    }

    fn run(&self, program: &Arc<Program>, model: Model) -> Result<ModelResult, Refused> {
        if self.options.buffer.is_some() {
            let text = "prove does not understand --buffer; it looks at buffers of any size";
            return Err(Refused::Engine(text.to_owned()));
        }
        let mut replicate = prove::replicated_in(program);
        replicate.extend(self.replicate.iter().cloned());
        replicate.sort();
        replicate.dedup();
        let prover = Prover {
            control: self.options.left(),
            explain: self.options.explain,
            replicate,
            beyond_finite: true,
            certificate: self.certificate.as_ref().map(|path| {
                let file = &program.source.name;
                let lines = [
                    format!("prove {file} --model {model}"),
                    "nothing goes wrong, with store buffers of any size".to_owned(),
                ];
                let proof = Proof {
                    path,
                    subject: Subject::prove(program, model),
                    about: &lines,
                };
                proof.certificate()
            }),
        };
        self.options.timed(|| {
            let progress = &prover.control.progress;
            let _running = self.options.listener.search(model, Engine::Prove, progress);
            guard::run(&prover, program, model)
        })
    }
}
