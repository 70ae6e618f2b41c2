//! Clients of a data type: small programs that call its operations.
//!
//! A C file declares operations through `fencepost.h`; [`c::read_operations`](crate::c::read_operations)
//! reads it. A [`Test`] such as `e(ed|de)` says which operations run before the threads
//! start and in which thread the others do. [`client`] makes an ordinary program of both,
//! which every engine for C programs runs, and whose outcomes are the *observations* of
//! CheckFence (Burckhardt, Alur, Martin, PLDI 2007): the arguments and results of all
//! operations. With `serial`, operations happen one at a time, and the outcomes are the
//! specification.
//!
//! [`suite`] lists all tests of a data type, smallest first.
//!
//! ```
//! use frontend::client::{Operation, read_test, suite};
//! use program::FunctionId;
//!
//! let operations = ["e", "d"].map(|name| Operation {
//!     name: name.to_owned(),
//!     function: FunctionId(0),
//! });
//! let test = read_test("e ( e'd | d )", &operations).unwrap();
//! assert_eq!(test.to_string(), "e(e'd|d)");
//! assert!(test.threads[0][0].primed);
//!
//! let small: Vec<String> = suite(&operations, 2).map(|test| test.to_string()).collect();
//! assert_eq!(small, ["(e|e)", "(e|d)", "(d|d)"]);
//! ```

mod copy;
mod one_thread;
mod program;
mod suite;
mod test;

pub use self::program::{Client, ClientError, Column, client, serial_client};
pub use suite::{Suite, suite};
pub use test::{Invocation, Test, TestError, read_test, read_tests};

use ::program::{FunctionId, Program};

/// What the names of operations begin with in C.
pub const OPERATION: &str = "fp_operation_";
/// The name in C of what runs before the first operation.
pub const INITIALISATION: &str = "fp_initialise";

/// An operation of a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name in tests.
    pub name: String,
    /// What it runs.
    pub function: FunctionId,
}

/// The operations that a program declares, in its order.
pub fn operations(program: &Program) -> Vec<Operation> {
    let functions = program.functions.iter().enumerate();
    let operations = functions.filter_map(|(index, function)| {
        let name = function.name.strip_prefix(OPERATION)?;
        Some(Operation {
            name: name.to_owned(),
            function: index.into(),
        })
    });
    operations.collect()
}
