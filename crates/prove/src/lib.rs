//! Safety for every buffer size.

pub mod automaton;
pub mod bounded;
pub mod dual;
pub mod forward;
pub mod goal;
