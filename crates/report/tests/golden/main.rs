//! What every renderer makes of results built by hand, to the letter.

mod c;
mod check;
mod diagnostic;
mod execution;
mod explore;
mod json;
mod outcomes;
mod store_buffering;
