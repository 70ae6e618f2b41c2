//! Terms as words of literals.

mod gates;
mod words;

pub use gates::Gates;
pub use words::{Bits, constant, resize};
