//! Small modules and the programs they become.
