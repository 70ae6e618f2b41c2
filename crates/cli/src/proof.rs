//! Files with proofs.

use crate::inputs::Complaint;
use crate::run::print;
use report::Format;
use std::path::Path;

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
