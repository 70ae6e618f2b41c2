//! Records what a running Rust program does to shared memory, as an event log for `fencepost monitor`.
//!
//! [`Recorded`] stands in the place of an atomic. An access and its row in the log are made under one
//! lock of the [`Recorder`], so the rows stand in the order of the execution, which is sequentially
//! consistent. All of a program's shared places that are not protected otherwise have to be recorded.
//!
//! ```
//! use record::{Recorded, Recorder};
//!
//! let recorder = Recorder::to(Vec::new());
//! let (x, y) = (Recorded::new(&recorder, 0), Recorded::new(&recorder, 0));
//! x.store(1);
//! recorder.scope(|scope| {
//!     scope.spawn(|| {
//!         y.store(1);
//!         x.load()
//!     });
//!     y.load();
//! });
//! let text = String::from_utf8(recorder.finish()?).expect("a log is text");
//! let mut rows = text.lines();
//! assert_eq!(rows.next(), Some("thread,operation,address,at"));
//! assert!(rows.next().is_some_and(|row| row.starts_with("1,store,0,\"")));
//! assert_eq!(rows.count(), 4);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Limitations
//!
//! Threads take turns while they access recorded places, which makes some interleavings rarer.

mod place;
mod recorder;
mod scope;

pub use place::{Add, Recorded};
pub use recorder::Recorder;
pub use scope::{Join, Scope};
