//! Files with proofs.

use crate::arguments::CommonOptions;
use crate::inputs::{self, Complaint};
use crate::run::print;
use check::Models;
use report::Format;
use std::path::Path;

/// Complains early: a proof is of one program under one model.
pub fn one(path: Option<&Path>, common: &CommonOptions, models: &Models) -> Result<(), Complaint> {
    let Some(path) = path else {
        return Ok(());
    };
    let files = inputs::inputs(&common.inputs)?.len();
    if files > 1 || models.list.len() > 1 {
        let text = "--proof takes one program and one model; a proof is of one question";
        return Err(Complaint::Plain(text.to_owned()));
    }
    room_for(path)
}

/// Complains early about a file that cannot be there.
pub fn room_for(path: &Path) -> Result<(), Complaint> {
    let directory = path
        .parent()
        .filter(|directory| *directory != Path::new(""));
    let missing = directory.is_some_and(|directory| !directory.is_dir());
    if missing || path.is_dir() {
        let text = format!("cannot write {}: no such directory", path.display());
        let directory = format!("cannot write {}: it is a directory", path.display());
        return Err(Complaint::Plain(if missing { text } else { directory }));
    }
    Ok(())
}

/// Says whether there is one.
pub fn tell(path: &Path, proved: bool, format: Format) {
    let path = path.display();
    if !proved {
        tell!("fencepost: no proof is written: what does not hold has none");
    } else if format == Format::Text {
        print(&format!(
            "the proof is in {path}; `fencepost certify {path}` checks it\n"
        ));
    }
}
