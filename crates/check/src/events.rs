//! What a caller hears while a question is answered.

use answer::{Engine, ModelResult};
use control::Progress;
use memory::Model;
use std::fmt;
use std::sync::Arc;

/// Something that happens while a question is answered.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An engine begins to search under a model. The numbers of [`Progress`] are its numbers now.
    Started {
        /// The model that was asked for.
        model: Model,
        /// The engine.
        engine: Engine,
    },
    /// It has ended.
    Ended,
    /// There are too many executions: those with few preemptions are explored first.
    TooMany {
        /// The model.
        model: Model,
        /// The number of executions after which the search ended; none if one execution does not end.
        executions: Option<u64>,
    },
    /// A search of a series has ended.
    Bounded {
        /// Its bound on preemptions.
        preemptions: u32,
        /// What it found.
        result: &'a ModelResult,
    },
    /// The series has ended.
    SeriesEnded,
    /// A model is left out, as there is no answer under it and all models that have one were asked for.
    LeftOut {
        /// The model.
        model: Model,
        /// Why.
        reason: &'a str,
    },
}

/// Who hears of events: a function, or nobody. It is called by the thread that asks.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Hears>>);

type Hears = dyn Fn(Event<'_>) + Send + Sync;

impl Listener {
    /// Calls a function with each event.
    pub fn new(hears: impl Fn(Event<'_>) + Send + Sync + 'static) -> Self {
        Listener(Some(Arc::new(hears)))
    }

    pub(crate) fn tell(&self, event: Event<'_>) {
        if let Some(hears) = &self.0 {
            hears(event);
        }
    }

    /// A search begins; it ends when the value is dropped.
    pub(crate) fn search(&self, model: Model, engine: Engine, progress: &Progress) -> Running<'_> {
        progress.reset();
        self.tell(Event::Started { model, engine });
        Running(self)
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "a listener"
        } else {
            "nobody"
        })
    }
}

/// A search that has begun.
pub(crate) struct Running<'a>(&'a Listener);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.tell(Event::Ended);
    }
}
