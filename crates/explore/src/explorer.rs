//! The exploration: one execution for each trace, and no other.
//!
//! # The tree
//!
//! A scheduler that only looks at the node (the first thread that can go on) picks at every
//! *node* a thread `p`. In the executions below the node, the next event of `p` comes in
//! *versions*, which differ in what happens before it; each version is a child of the node. The
//! scheduler's own version comes first; another one comes after the steps that have to happen
//! first, its *segment*. The event itself is *primary*, those of the segment are *secondary*.
//! Every trace has exactly one path through this tree: at each node the version of `p`'s next event
//! in the trace. If in the trace something keeps `p` from going on (another thread takes the
//! mutex), the segment ends with the first such event and no primary follows.
//!
//! # Finding the children
//!
//! Versions other than the scheduler's are found by races: a primary `e`, and a later event `f` of
//! another thread in conflict with it and with nothing in between. The version of `e` after `f` has
//! the segment of `e`, then what happens before `f`, then `f`. The same version would be found in
//! many executions below `e`; it is taken from exactly one of them, by two rules that need nothing
//! but the execution at hand:
//!
//! 1. every secondary event after `e` happens before `f`: whatever `f` does not need is as the
//!    scheduler would have it;
//! 2. of the last events of the new segment, `f` is the last in an order that does not depend on the
//!    execution (thread, then kind of step): each version is found from one smaller version.
//!
//! Rule 2 speaks of those last events only that could be missing from the segment. A thread's own
//! update cannot if the primary comes after a load of the thread only because the load reads that
//! store; nor can what makes a step of several accesses use what another last event writes.
//!
//! So nothing has to be remembered of what was explored: no sleep sets, no wakeup trees, and
//! subtrees can be explored anywhere in any order. A thread that waits (for a mutex, or for what
//! it reads in a loop) takes part in races from the moment it begins to wait: if `e` keeps
//! it from going on, its step comes before `e` in another version.

use crate::child::{Child, Pending};
use crate::commuting::Clash;
use crate::ends::{Ended, Ends};
use crate::robust::Monitor;
use crate::schedule::Scheduled;
use crate::trace::{EventId, Trace};
use crate::versions::Grown;
use crate::waiting::Waiters;
use answer::Bound;
use machine::{End, Image, Limits, Process, StoreMode};
use memory::Buffering;
use program::ThreadId;

/// Looks at executions while they are explored.
pub trait Visitor {
    /// A step ended its thread for good; false to stop.
    fn ended(&mut self, explorer: &mut Explorer<'_>, end: End) -> bool;
    /// Nothing can happen any more but spurious wake-ups; false to stop.
    fn stuck(&mut self, explorer: &mut Explorer<'_>) -> bool;
    /// Nothing can happen any more; false to stop.
    fn leaf(&mut self, explorer: &mut Explorer<'_>) -> bool;
}

/// Explores executions sequentially, taking steps back in between.
pub struct Explorer<'a> {
    /// The machine in its current state.
    pub process: Process<'a>,
    /// What happened so far.
    pub trace: Trace,
    /// Finds out what store buffers would show, if the machine has none.
    pub(crate) monitor: Option<Box<Monitor>>,
    /// Children of the nodes of the execution that were not explored yet.
    pub(crate) pending: Pending,
    pub(crate) waiters: Waiters,
    /// Secondary events.
    pub(crate) secondaries: Vec<EventId>,
    /// Events that take another choice than the first.
    pub(crate) chosen: Vec<EventId>,
    /// Last events of segments that use more than they would after the primary.
    pub(crate) grown: Vec<Grown>,
    pub(crate) ends: Ends,
    /// Iterations that were taken back, but whose reads were kept for the search for races: the number of events before each, and
    /// its thread.
    pub(crate) kept_reads: Vec<(EventId, ThreadId)>,
    /// The thread that is left at the end and the steps that it takes, which are no events.
    pub(crate) finish: Option<(ThreadId, usize)>,
    /// Events in all executions.
    pub events: u64,
    /// Children that turned out not to be possible.
    pub redundant: u64,
    /// Most events of an execution.
    pub(crate) most_events: usize,
    /// The visitor wants no more.
    pub(crate) stopped: bool,
    /// Two operations that were taken to commute do not.
    pub clash: Option<Clash>,
    /// A thread stopped inside an atomic section, or a step used locations that depend on what it
    /// reads.
    pub stopped_in_section: bool,
}

impl<'a> Explorer<'a> {
    /// An exploration of a program from its start.
    pub fn new(image: &'a Image, limits: &'a Limits, most_events: usize) -> Self {
        let mut process = Process::new(image, limits, false, false);
        let mut ends = Ends::default();
        let mut waiters = Waiters::default();
        for (thread, end) in process.take_ends() {
            if let Some(thread) = thread {
                waiters.of(thread).ended = true;
            }
            ends.at_start.push(end);
        }
        process.keep_journal();
        let (buffering, mut monitor) = match limits.store_mode {
            StoreMode::Immediate => {
                let monitor = Monitor::new(image.buffering());
                (Buffering::None, Some(Box::new(monitor)))
            }
            StoreMode::Buffered => (image.buffering(), None),
        };
        let mut trace = Trace::new(buffering, limits.unread.clone());
        trace.begin(process.acts());
        if let Some(monitor) = &mut monitor {
            monitor.begin(process.acts());
        }
        process.forget_acts();
        Explorer {
            process,
            trace,
            monitor,
            pending: Pending::default(),
            waiters,
            secondaries: Vec::new(),
            chosen: Vec::new(),
            grown: Vec::new(),
            ends,
            kept_reads: Vec::new(),
            finish: None,
            events: 0,
            redundant: 0,
            most_events,
            stopped: false,
            clash: None,
            stopped_in_section: false,
        }
    }

    /// Explores everything below `child` of the node here (or below the node itself), and, where
    /// events before the node are reversed, below those; false if the visitor stopped it.
    pub fn explore(&mut self, child: Option<&Child>, visitor: &mut impl Visitor) -> bool {
        self.stopped = false;
        self.clash = None;
        let went_on = match child {
            Some(child) => self.enter(self.trace.len(), child, visitor),
            None => self.report_ended_at_start(visitor) && self.descend(visitor),
        };
        if !went_on {
            return false;
        }
        while let Some((node, child)) = self.pending.pop() {
            self.back_to(node + self.shared_steps(node, &child));
            if !self.enter(node, &child, visitor) {
                return false;
            }
        }
        true
    }

    /// Goes on as the scheduler would, to the end of the execution; false to stop.
    pub(crate) fn descend(&mut self, visitor: &mut impl Visitor) -> bool {
        loop {
            if self.is_cut() {
                return visitor.leaf(self);
            }
            if self.ends.by_event.is_empty() && self.ends.at_start.is_empty() {
                let mark = self.process.mark();
                if let Some(finish) = self.process.run_out() {
                    let go_on = self.finished(finish, visitor);
                    self.process.undo(mark);
                    self.finish = None;
                    return go_on;
                }
            }
            match self.schedule(visitor) {
                Scheduled::Step => {}
                Scheduled::Stopped => return false,
                Scheduled::Nothing => return visitor.leaf(self),
            }
        }
    }

    /// The last thread joined the others and ran to its end, without anything that could be in a
    /// race; false to stop.
    fn finished(&mut self, finish: (ThreadId, usize), visitor: &mut impl Visitor) -> bool {
        self.finish = Some(finish);
        let end = self.process.take_end();
        self.ends.at_finish = end.as_ref().map(Ended::of);
        let go_on = end.is_none_or(|end| visitor.ended(self, end)) && visitor.leaf(self);
        self.ends.at_finish = None;
        go_on
    }

    /// The limit that was reached, if one was.
    pub fn stopped_by_limit(&self) -> Option<Bound> {
        self.process.limits().stop.as_ref()?.reached()
    }

    /// The limit that is reached now, if one is.
    pub fn look_at_limits(&self) -> Option<Bound> {
        self.process.limits().stop.as_ref()?.look()
    }

    /// True if the execution is as long as it may get.
    pub fn is_cut(&self) -> bool {
        self.trace.len() >= self.most_events
    }
}
