//! Newtypes for the indices that hold a program together.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            #[inline]
            fn from(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 of anything"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A memory object of the program.
    ObjectId "object";
    /// A function of the program.
    FunctionId "fn";
    /// A basic block of a function.
    BlockId "block";
    /// A register of a function.
    RegisterId "r";
    /// A layout: its index in [`Program::types`](crate::Program::types).
    TypeId "type";
    /// A thread: its index in [`Program::threads`](crate::Program::threads); threads that a
    /// program starts come after those.
    ThreadId "P";
}
