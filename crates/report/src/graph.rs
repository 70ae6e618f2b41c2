//! An execution as a graph, which all pictures draw: what the threads did, the relations between it, and the critical cycle.
//!
//! Nodes are the events of the rows that the table of the execution shows, so what is folded there has no node here. A store that waits in a
//! store buffer has two: where it is issued, and where it is flushed. Relations lead from and to where a store is issued; a picture of time
//! draws those that go through memory at the flush.

use crate::explanation::Explanation;
use crate::fold::{Focus, Shown, fold};
use crate::frames::Frames;
use crate::hint::critical_cycle;
use crate::measures::count;
use crate::rows::{Row, effect, line_text, one_line, order, rows};
use crate::sites::thread_name;
use crate::view::View;
use answer::{
    AccessEvent, Event, Execution, LinkOrder, MemoryAccess, ModelResult, Relation, Step, StepId,
    Violation, Waiting,
};
use program::{Program, Span, ThreadId};
use std::collections::{HashMap, HashSet, VecDeque};

/// An execution as a graph.
pub(crate) struct Graph {
    /// The threads that do something, in their order.
    pub threads: Vec<Lane>,
    /// Nodes, and what stands between them, in the order of the execution.
    pub items: Vec<Item>,
    /// The nodes in their order.
    pub nodes: Vec<Node>,
    /// What comes before what.
    pub edges: Vec<Edge>,
}

/// A thread.
pub(crate) struct Lane {
    pub thread: ThreadId,
    pub name: String,
}

/// A node, or something between nodes.
pub(crate) enum Item {
    /// The node of this number.
    Node(usize),
    /// A remark: rows that are folded, or the begin of a loop.
    Remark(String),
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A load from memory.
    Load,
    /// A load of a store of its own thread that waits in the store buffer.
    Forward,
    /// A store.
    Store,
    /// The flush of a store that waited.
    Flush,
    /// A read-modify-write.
    Update,
    /// A fence.
    Fence,
    /// What goes wrong.
    Fault,
    /// A call of the library, a branch, a choice, an output.
    Other,
}

/// Something that a thread did.
pub(crate) struct Node {
    /// Its steps, in their order; none for a thread that waits for ever.
    pub steps: Vec<StepId>,
    /// The number of its thread in the graph.
    pub lane: usize,
    pub kind: NodeKind,
    /// What happened, in short: `W x=1`, `R y=0`.
    pub label: String,
    /// What happened, in words.
    pub effect: String,
    /// How often in a row.
    pub times: u32,
    /// Where it is in the user's own code.
    pub span: Span,
    /// The line, and the text there; empty where the node before has the same.
    pub source: String,
    /// For a store that waits: the node of its flush, if it has one.
    pub flush: Option<usize>,
    /// It is a store that waits in the store buffer.
    pub waits: bool,
    /// The violation depends on it.
    pub is_focus: bool,
    /// It is on the critical cycle.
    pub is_critical: bool,
}

/// One node comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    pub order: LinkOrder,
    /// It is on the critical cycle.
    pub is_critical: bool,
}

/// The short name of a relation, as in herd7.
pub(crate) fn relation_name(order: LinkOrder) -> &'static str {
    match order {
        LinkOrder::Program => "po",
        LinkOrder::ReadsFrom => "rf",
        LinkOrder::Coherence => "co",
        LinkOrder::FromRead => "fr",
    }
}

impl Graph {
    /// The graph of the execution of a result, if it has one.
    pub fn new(program: &Program, result: &ModelResult, view: &View) -> Option<Self> {
        let execution = result.execution.as_ref()?;
        let relations = execution.relations();
        let cycle = cycle(program, result, execution, &relations);
        let explanation = Explanation::new(program, result);
        let mut focus = match (&result.violation, &explanation) {
            (Some(violation), Some(explanation)) => Focus::of(violation, explanation, execution),
            _ => Focus::end(execution),
        };
        focus.add(cycle.iter().flat_map(|link| [link.from, link.to]));
        let frames = Frames::new(program);
        let rows = rows(program, &frames, execution, view.full);
        let shown = if view.full {
            (0..rows.len()).map(Shown::Row).collect()
        } else {
            fold(program, execution, &rows, &focus).0
        };
        let mut making = Making {
            program,
            result,
            execution,
            frames,
            lanes: Vec::new(),
            items: Vec::new(),
            nodes: Vec::new(),
            of_step: HashMap::new(),
        };
        making.add_rows(&rows, &shown, &focus);
        if let Some(Violation::Deadlock(waiting)) = &result.violation {
            making.add_waiting(waiting);
        }
        Some(making.finish(&relations, &cycle))
    }
}

/// The critical cycle as relations between steps; a way through several writes of a location is spelled out.
fn cycle(
    program: &Program,
    result: &ModelResult,
    execution: &Execution,
    relations: &[Relation],
) -> Vec<Relation> {
    let accesses = critical_cycle(program, result).accesses;
    let next = accesses.iter().cycle().skip(1);
    let links = accesses.iter().zip(next).flat_map(|(&from, &to)| {
        let thread = |step: StepId| execution.steps[step].thread;
        if thread(from) == thread(to) {
            let order = LinkOrder::Program;
            return vec![Relation { from, to, order }];
        }
        path(relations, from, to)
    });
    links.collect()
}

/// A shortest way from one access to another.
fn path(relations: &[Relation], from: StepId, to: StepId) -> Vec<Relation> {
    let mut reached: HashMap<StepId, Relation> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front().filter(|_| !reached.contains_key(&to)) {
        let start = relations.partition_point(|relation| relation.from < at);
        let leaving = relations[start..].iter();
        for relation in leaving.take_while(|relation| relation.from == at) {
            if relation.to != from && !reached.contains_key(&relation.to) {
                reached.insert(relation.to, *relation);
                queue.push_back(relation.to);
            }
        }
    }
    let mut path = Vec::new();
    let mut at = to;
    while let Some(relation) = reached.get(&at) {
        path.push(*relation);
        at = relation.from;
    }
    path.reverse();
    path
}

/// A graph under construction.
struct Making<'a> {
    program: &'a Program,
    result: &'a ModelResult,
    execution: &'a Execution,
    frames: Frames<'a>,
    lanes: Vec<Lane>,
    items: Vec<Item>,
    nodes: Vec<Node>,
    of_step: HashMap<StepId, usize>,
}

impl Making<'_> {
    fn add_rows(&mut self, rows: &[Row], shown: &[Shown], focus: &Focus) {
        let mut threads: Vec<ThreadId> = if self.program.process {
            Vec::new()
        } else {
            (0..self.program.threads.len())
                .map(ThreadId::from)
                .collect()
        };
        threads.extend(shown.iter().filter_map(|shown| match shown {
            Shown::Row(index) => Some(rows[*index].thread),
            Shown::Gap(..) => None,
        }));
        if let Some(Violation::Deadlock(waiting)) = &self.result.violation {
            threads.extend(waiting.iter().map(|waiting| waiting.thread));
        }
        threads.sort_unstable();
        threads.dedup();
        let lanes = threads.iter().map(|thread| Lane {
            thread: *thread,
            name: self.name(*thread),
        });
        self.lanes = lanes.collect();
        let mut loop_start = self.execution.repeats_from;
        for shown in shown {
            match shown {
                Shown::Row(index) => {
                    let row = &rows[*index];
                    if loop_start.is_some_and(|start| row.steps[0] >= start) {
                        let remark = "repeats for ever from here".to_owned();
                        self.items.push(Item::Remark(remark));
                        loop_start = None;
                    }
                    self.add_row(row, focus.has(row));
                }
                Shown::Gap(rows, threads) => {
                    let names = threads.iter().map(|thread| {
                        let name = self.name(*thread);
                        name.split(" (").next().unwrap_or(&name).to_owned()
                    });
                    let names: Vec<String> = names.collect();
                    let rows = count(*rows as u64, "row");
                    self.items
                        .push(Item::Remark(format!("{rows} of {}", names.join(", "))));
                }
            }
        }
    }

    fn name(&self, thread: ThreadId) -> String {
        thread_name(self.program, &self.result.started, thread)
    }

    /// The nodes of a row: one for each of its events.
    fn add_row(&mut self, row: &Row, is_focus: bool) {
        let lane = self.lanes.iter().position(|lane| lane.thread == row.thread);
        let first = self.nodes.len();
        for &id in &row.steps {
            let step = &self.execution.steps[id];
            let (kind, label) = event(self.program, step);
            // A flush of the same row is no event of its own.
            let issue = self.execution.issue(id);
            if let Some(&store) = self.of_step.get(&issue).filter(|store| **store >= first) {
                self.nodes[store].steps.push(id);
                self.nodes[store].effect = effect(self.program, step);
                self.nodes[store].waits = false;
                self.of_step.insert(id, store);
                continue;
            }
            let effect = effect(self.program, step) + &order(self.program, step);
            let node = self.nodes.len();
            let last = self.nodes[first..].last_mut();
            let is_write = matches!(kind, NodeKind::Store | NodeKind::Flush);
            let is_same = |last: &&mut Node| last.kind == kind && last.effect == effect;
            if let Some(last) = last.filter(is_same).filter(|_| !is_write) {
                last.steps.push(id);
                last.times += 1;
                self.of_step.insert(id, node - 1);
                continue;
            }
            if kind == NodeKind::Flush
                && let Some(&store) = self.of_step.get(&issue)
            {
                self.nodes[store].flush = Some(node);
            }
            self.of_step.insert(id, node);
            self.items.push(Item::Node(node));
            self.nodes.push(Node {
                steps: vec![id],
                lane: lane.unwrap_or(0),
                kind,
                label,
                effect,
                times: 1,
                span: self.frames.span(step),
                source: if node == first && kind != NodeKind::Flush {
                    self.source(row.span, row.source.clone())
                } else {
                    String::new()
                },
                flush: None,
                waits: matches!(&step.event, Event::Access(a) if a.kind == AccessEvent::Buffer),
                is_focus,
                is_critical: false,
            });
        }
    }

    /// At the end of a deadlock the threads that wait.
    fn add_waiting(&mut self, waiting: &[Waiting]) {
        for waiting in waiting {
            let node = self.nodes.len();
            let lanes = self.lanes.iter();
            let lane = lanes
                .map(|lane| lane.thread)
                .position(|thread| thread == waiting.thread);
            let label = match waiting.reason.as_str() {
                "" => "waits for ever".to_owned(),
                reason => reason.to_owned(),
            };
            self.items.push(Item::Node(node));
            self.nodes.push(Node {
                steps: Vec::new(),
                lane: lane.unwrap_or(0),
                kind: NodeKind::Fault,
                effect: label.clone(),
                label,
                times: 1,
                span: waiting.span,
                source: self.source(waiting.span, one_line(self.program.excerpt(waiting.span))),
                flush: None,
                waits: false,
                is_focus: true,
                is_critical: false,
            });
        }
    }

    /// `42: flag[0] = 1`; the lines of a test say themselves which they are.
    fn source(&self, span: Span, text: String) -> String {
        match line_text(self.program, span).as_str() {
            line if self.program.process && !line.is_empty() => format!("{line}: {text}"),
            _ => text,
        }
    }

    fn finish(mut self, relations: &[Relation], cycle: &[Relation]) -> Graph {
        let mut edges: Vec<Edge> = Vec::new();
        let mut known = HashSet::new();
        let mut add = |relation: Relation, is_critical: bool| {
            let node = |step: StepId| self.of_step.get(&step).copied();
            let (Some(from), Some(to)) = (node(relation.from), node(relation.to)) else {
                return;
            };
            if from != to && known.insert((from, to, relation.order)) {
                edges.push(Edge {
                    from,
                    to,
                    order: relation.order,
                    is_critical,
                });
            }
        };
        // First the cycle, so that its edges are known as such.
        cycle.iter().for_each(|relation| add(*relation, true));
        for thread in self.execution.program_order().values() {
            let thread: Vec<StepId> = thread
                .iter()
                .copied()
                .filter(|step| self.of_step.contains_key(step))
                .collect();
            for pair in thread.windows(2) {
                let order = LinkOrder::Program;
                let (from, to) = (pair[0], pair[1]);
                add(Relation { from, to, order }, false);
            }
        }
        relations.iter().for_each(|relation| add(*relation, false));
        // Who waits for ever does so behind all else.
        for (waiting, node) in self.nodes.iter().enumerate() {
            let before = self.nodes[..waiting].iter();
            let own = |other: &Node| other.lane == node.lane && other.kind != NodeKind::Flush;
            if let Some(last) = before.rev().position(own).filter(|_| node.steps.is_empty()) {
                edges.push(Edge {
                    from: waiting - 1 - last,
                    to: waiting,
                    order: LinkOrder::Program,
                    is_critical: false,
                });
            }
        }
        for edge in edges.iter().filter(|edge| edge.is_critical) {
            self.nodes[edge.from].is_critical = true;
            self.nodes[edge.to].is_critical = true;
        }
        Graph {
            threads: self.lanes,
            items: self.items,
            nodes: self.nodes,
            edges,
        }
    }
}

/// What a node of a step is, and what it says.
fn event(program: &Program, step: &Step) -> (NodeKind, String) {
    let words = || one_line(&effect(program, step));
    match &step.event {
        Event::Access(access) => access_event(access),
        Event::Fence(_) | Event::FenceWaits(_) => (NodeKind::Fence, "F".to_owned()),
        Event::Fault(_) | Event::AssertFailed | Event::BadAccess { .. } => {
            (NodeKind::Fault, words())
        }
        _ => (NodeKind::Other, words()),
    }
}

fn access_event(access: &MemoryAccess) -> (NodeKind, String) {
    let (name, value) = (&access.location.name, &access.value);
    match (access.kind, &access.written) {
        (AccessEvent::Load, _) => (NodeKind::Load, format!("R {name}={value}")),
        (AccessEvent::Forward, _) => (NodeKind::Forward, format!("R {name}={value}")),
        (AccessEvent::Commit, _) if access.issued_by.is_some() => {
            (NodeKind::Flush, format!("{name}={value}"))
        }
        (AccessEvent::Buffer | AccessEvent::Commit, _) => {
            (NodeKind::Store, format!("W {name}={value}"))
        }
        (AccessEvent::Update, Some(new)) => (NodeKind::Update, format!("U {name}: {value}→{new}")),
        (AccessEvent::Update, None) => (NodeKind::Update, format!("U {name}: {value}, unchanged")),
    }
}
