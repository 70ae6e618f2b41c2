//! What people and programs see of results: text and JSON.
//!
//! Renderers read data types of the `program` and `answer` crates and give back text; they
//! run nothing and print nothing. [`Format::show`] has them by their name on the command line. One file
//! per renderer:
//!
//! | renderer | shows |
//! | --- | --- |
//! | [`diagnostic()`] | what is wrong with an input file, with the text underlined |
//! | [`outcomes_text`] | all final states, models side by side |
//! | [`check_text`] | the verdict under one model, in herd7's words and in plain ones |
//! | [`counts_text`] | the sizes of searches, models side by side |
//! | [`bound_text`] | what one bound on preemptions came to |
//! | [`estimate_text`] | how large a search is likely to be |
//! | [`Explanation`] | why a violation happens, as data for all renderers |
//! | [`code_text`] | a kind of violations, with an example |
//! | [`execution_text`] | an execution, one column per thread |
//! | [`fences_text`], [`fences_json`] | the fences that repair a program |
//! | [`library_text`], [`library_markdown`] | the functions that C programs may call |
//! | [`refine_text`], [`work_text`] | whether a data type looks atomic to a client, and what it took to tell |
//! | [`robust_text`] | whether store buffers show anything that SC does not |
//! | [`monitor_text`], [`point_text`] | what a monitor found in an event log |
//! | [`html_text`], [`refined_html`] | everything on a page, with executions to step through |
//! | [`dot_text`], [`svg_text`] | an execution as a graph |
//! | [`summary_text`] | what several programs came to, a line each |
//! | [`replay_text`] | an execution that was saved and has been run again |
//! | [`Format::Sarif`], [`Format::Junit`], [`Format::Github`] | the findings of a whole run, for CI |
//! | [`Format::Json`] | everything, for programs; see `docs/reference/json.md` |

mod check;
mod codes;
mod counts;
mod diagnostic;
mod dot;
mod entry;
mod estimate;
mod execution;
mod explanation;
mod explanation_text;
mod fences;
mod fold;
mod format;
mod frames;
mod github;
mod graph;
mod hint;
mod html;
mod json;
mod junit;
mod layout;
mod library;
mod measures;
mod monitor;
mod operands;
mod outcomes;
mod palette;
mod portfolio;
mod refine;
mod related;
mod replay;
mod robust;
mod rows;
mod sarif;
mod sites;
mod steps;
mod svg;
mod table;
mod values;
mod view;
mod violation;
mod wrap;

pub use check::{bound_text, check_text};
pub use codes::{CODES, Code, code_text, codes_text};
pub use counts::counts_text;
pub use diagnostic::diagnostic;
pub use dot::dot_text;
pub use entry::{Answer, Entry, Expected, FilePlace, Finding, entries, summary_text};
pub use estimate::estimate_text;
pub use execution::{caption, execution_text};
pub use explanation::{Accessed, Buffered, Delayed, Explanation, Place};
pub use fences::{Repaired, fences_json, fences_text};
pub use format::{Command, Format, Report};
pub use html::{Section, html_text, refined_html, refined_section};
pub use json::{error_json, estimates_json, explanation_of as explanation_json};
pub use library::{library_markdown, library_text};
pub use measures::{grouped, time as duration};
pub use monitor::{monitor_json, monitor_text, point_text};
pub use outcomes::{outcome_rows, outcomes_text};
pub use refine::{Invoked, Refined, Work, refine_json, refine_text, refined_json, work_text};
pub use replay::{Replayed, replay_line, replay_text};
pub use robust::robust_text;
pub use serde_json::Value as Json;
pub use steps::steps;
pub use svg::svg_text;
pub use view::View;
