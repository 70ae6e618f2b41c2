//! Files with proofs.

use crate::arguments::Format;
use crate::inputs::Complaint;
use crate::run::print;
use std::path::Path;

/// Complains early about a file that cannot be there.
pub fn room_for(path: &Path) -> Result<(), Complaint> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let missing = folder.is_some_and(|folder| !folder.is_dir());
    if missing || path.is_dir() {
        let text = format!("cannot write {}: no such folder", path.display());
        let folder = format!("cannot write {}: it is a folder", path.display());
        return Err(Complaint::Plain(if missing { text } else { folder }));
    }
    Ok(())
}

/// Says whether there is one.
pub fn tell(path: &Path, proved: bool, format: Format) {
    let path = path.display();
    match (proved, format) {
        (true, Format::Text) => {
            print(&format!(
                "the proof is in {path}; `fencepost certify {path}` checks it\n"
            ));
        }
        (true, Format::Json) => {}
        (false, _) => {
            tell!("fencepost: no proof is written: what does not hold has none");
        }
    }
}
