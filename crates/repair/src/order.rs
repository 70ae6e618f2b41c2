//! Which fences an execution would still be there with.
//!
//! An execution is what its loads read and in which order its stores reach memory. It is an execution of the program with more
//! fences if and only if some memory order has what that asks for, what the model keeps, and what
//! the fences order; that is, if these together have no cycle: the *critical cycles* of Shasha and Snir (1988), from
//! which the paper on proofs by trace partitioning (section 5.1) computes fences. [`Order::grown`] adds orderings at places one by one as long as there is
//! no cycle. What is left out is a set of which every repair has at least one ordering.
//!
//! Deviations: (1) cycles are not listed; a fence is tried and rejected. That gives one smallest set of orderings that
//! this execution asks for at a time, and other orders of trying give other sets. (2) Dependences under RMO, calls of the library and the start of
//! threads are not known exactly; whatever they could keep in order stays in the order of the execution.
//!
//! Not guaranteed: that the execution is really there with the fences. [`Flow`] may miss a place. So the
//! search asks again before it believes any of it.

use crate::flow::{Between, Flow, Site};
use crate::place::{PlaceId, Placement};
use answer::{AccessEvent, Event, Execution, MemoryAccess, Step, StepId};
use memory::Model;
use program::{AccessKind, Orderings, Span, ThreadId};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// One ordering at one place.
pub(crate) type Bit = (PlaceId, Orderings);

/// An access, or a call of the library.
struct Node {
    thread: ThreadId,
    /// What it does to memory; nothing for a call.
    kind: Option<AccessKind>,
    site: Site,
    /// First byte and the byte after the last.
    bytes: (u64, u64),
    writes: bool,
    /// When it reaches memory; a store that never does has the largest number.
    when: StepId,
    /// The step that put a store into the store buffer, or the access itself.
    issued: StepId,
    /// For a load of a store of its own thread that waits: the step of the store.
    forwarded: Option<StepId>,
}

impl Node {
    fn overlaps(&self, other: &Node) -> bool {
        self.bytes.0 < other.bytes.1 && other.bytes.0 < self.bytes.1
    }

    fn loads(&self) -> bool {
        self.kind.is_some_and(|kind| kind.load)
    }
}

/// What an execution asks of the memory order.
pub(crate) struct Order {
    nodes: Vec<Node>,
    /// The nodes of each thread in program order.
    threads: Vec<Vec<usize>>,
    /// What lies between a node of a thread and the next one.
    gaps: Vec<Vec<Rc<Between>>>,
    edges: Vec<Vec<usize>>,
}

impl Order {
    /// What an execution asks for; nothing if its program order is not known.
    pub fn new(execution: &Execution, model: Model, flow: &Flow, process: bool) -> Option<Self> {
        let mut order = Order::of_accesses(execution, model, flow)?;
        order.add_calls(process && has_positions(execution));
        Some(order)
    }

    /// The same, whatever calls of the library may keep in order.
    pub fn of_accesses(execution: &Execution, model: Model, flow: &Flow) -> Option<Self> {
        let is_out_of_order = |step: &Step| step.ahead_of.is_some() || step.speculative;
        if !has_positions(execution) && execution.steps.iter().any(is_out_of_order) {
            return None;
        }
        let nodes = nodes(execution);
        let mut by_thread: BTreeMap<ThreadId, Vec<usize>> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            by_thread.entry(node.thread).or_default().push(index);
        }
        let mut threads: Vec<Vec<usize>> = by_thread.into_values().collect();
        for thread in &mut threads {
            thread.sort_by_key(|index| {
                let issued = nodes[*index].issued;
                (execution.steps[issued].position, issued)
            });
        }
        let gaps = threads.iter().map(|thread| gaps(&nodes, thread, flow));
        let mut order = Order {
            gaps: gaps.collect(),
            edges: vec![Vec::new(); nodes.len()],
            nodes,
            threads,
        };
        order.add_program_order(model);
        order.add_communication();
        Some(order)
    }

    /// For each node those that come after it, by what the model keeps or by what was read and written.
    pub fn edges(&self) -> &[Vec<usize>] {
        &self.edges
    }

    /// Accesses of a thread, the earlier one first, that nothing keeps in program order.
    pub fn unordered(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let earlier = self.threads.iter().flat_map(|thread| {
            let nodes = thread.iter().enumerate();
            nodes.map(move |(index, node)| (*node, &thread[index + 1..]))
        });
        earlier.flat_map(move |(earlier, later)| {
            let later = later.iter().copied();
            let later = later.filter(move |later| !self.edges[earlier].contains(later));
            later.map(move |later| (earlier, later))
        })
    }

    /// Whether orderings keep one access before another.
    pub fn keeps(&self, orderings: Orderings, earlier: usize, later: usize) -> bool {
        orders(orderings, &self.nodes[earlier], &self.nodes[later])
    }

    /// Whether an access of a thread reached memory after a later one of that thread.
    pub fn is_overtaken(&self, earlier: usize, later: usize) -> bool {
        let (earlier, later) = (&self.nodes[earlier], &self.nodes[later]);
        earlier.thread == later.thread && earlier.when > later.when
    }

    /// The step of a node.
    pub fn step(&self, node: usize) -> StepId {
        self.nodes[node].issued
    }

    /// The orderings with which the execution is still there: those of `first`, then as many of `bits` as possible, tried in
    /// this order.
    pub fn grown(&self, first: &Placement, bits: &[Bit]) -> Placement {
        // The execution is there with the first. If it seems not to be, too much was taken to lie between some accesses.
        let mut grown = match self.is_acyclic_with(first) {
            true => first.clone(),
            false => Placement::default(),
        };
        for &(place, ordering) in bits {
            if grown.at(place).contains(ordering) || first.at(place).contains(ordering) {
                continue;
            }
            let mut more = grown.clone();
            more.add(place, ordering);
            if self.is_acyclic_with(&more) {
                grown = more;
            }
        }
        first.iter().chain(grown.iter()).collect()
    }

    /// The orderings that the execution keeps as it is listed, without another memory order.
    pub fn kept(&self, first: &Placement, bits: &[Bit]) -> Placement {
        let is_kept = |place: PlaceId, ordering: Orderings| {
            let mut pairs = self.pairs(place, ordering);
            pairs.all(|(earlier, later)| self.nodes[earlier].when < self.nodes[later].when)
        };
        let kept = bits.iter().copied();
        let kept = kept.filter(|(place, ordering)| is_kept(*place, *ordering));
        first.iter().chain(kept).collect()
    }

    /// The accesses that an ordering at a place would keep in order.
    fn pairs(
        &self,
        place: PlaceId,
        ordering: Orderings,
    ) -> impl Iterator<Item = (usize, usize)> + '_ {
        let threads = self.threads.iter().zip(&self.gaps);
        threads.flat_map(move |(thread, gaps)| {
            let gaps = gaps.iter().enumerate();
            let passed = gaps.filter(move |(_, gap)| gap.places.contains(&place));
            passed.flat_map(move |(gap, _)| {
                let (before, after) = thread.split_at(gap + 1);
                before.iter().flat_map(move |earlier| {
                    let later = after.iter().filter(move |later| {
                        orders(ordering, &self.nodes[*earlier], &self.nodes[**later])
                    });
                    later.map(move |later| (*earlier, *later))
                })
            })
        })
    }

    fn is_acyclic_with(&self, placement: &Placement) -> bool {
        let mut edges = self.edges.clone();
        for (place, orderings) in placement.iter() {
            for (single, _) in Orderings::NAMED {
                if orderings.contains(single) {
                    self.add_fence(&mut edges, place, single);
                }
            }
        }
        is_acyclic(&edges)
    }

    /// Adds a node for each time that a thread passes a place, between what the fence there orders.
    fn add_fence(&self, edges: &mut Vec<Vec<usize>>, place: PlaceId, ordering: Orderings) {
        for (thread, gaps) in self.threads.iter().zip(&self.gaps) {
            for (gap, _) in gaps
                .iter()
                .enumerate()
                .filter(|(_, gap)| gap.places.contains(&place))
            {
                let fence = edges.len();
                let (before, after) = thread.split_at(gap + 1);
                for earlier in before.iter().filter(|earlier| {
                    let kind = self.nodes[**earlier].kind;
                    kind.is_some_and(|kind| ordering.orders(kind, AccessKind::UPDATE))
                }) {
                    edges[*earlier].push(fence);
                }
                let after = after.iter().copied().filter(|later| {
                    let kind = self.nodes[*later].kind;
                    kind.is_some_and(|kind| ordering.orders(AccessKind::UPDATE, kind))
                });
                edges.push(after.collect());
            }
        }
    }

    /// What the model, the program's own fences and what cannot be known keep in program order.
    fn add_program_order(&mut self, model: Model) {
        let row = model.row();
        for (thread, gaps) in self.threads.iter().zip(&self.gaps) {
            for (first, &earlier) in thread.iter().enumerate() {
                let mut fences = Orderings::NONE;
                for (later, gap) in thread[first + 1..].iter().zip(&gaps[first..]) {
                    fences = fences.union(gap.orderings);
                    let (a, b) = (&self.nodes[earlier], &self.nodes[*later]);
                    let kept = orders(row.keeps.union(fences), a, b)
                        || a.overlaps(b) && b.writes
                        || row.dependences && a.loads();
                    if kept && a.when < b.when {
                        self.edges[earlier].push(*later);
                    }
                }
            }
        }
    }

    /// Reads-from, coherence and from-read.
    fn add_communication(&mut self) {
        let nodes = &self.nodes;
        let written: HashMap<StepId, StepId> = nodes.iter().map(|n| (n.issued, n.when)).collect();
        for (r, read) in nodes.iter().enumerate() {
            for (w, write) in nodes.iter().enumerate() {
                if r == w || !write.writes || !read.overlaps(write) {
                    continue;
                }
                let own = read.thread == write.thread;
                if read.writes && write.when < read.when {
                    self.edges[w].push(r);
                }
                if !read.loads() {
                    continue;
                }
                let reads = read.forwarded.and_then(|store| written.get(&store));
                let (seen, since) = match reads {
                    // A store that waits is read before it is coherence-ordered with those of others.
                    Some(store) => (false, *store),
                    None => (write.when < read.when, read.when),
                };
                if seen && !own {
                    self.edges[w].push(r);
                } else if !seen && !own && write.when > since {
                    self.edges[r].push(w);
                }
            }
        }
    }

    /// Keeps calls of the library in order, and what their threads do before and after them. Where calls are not listed, all that the first
    /// thread does keeps its order with what the others do.
    fn add_calls(&mut self, first_thread_only: bool) {
        let nodes = &self.nodes;
        let mut last: Option<usize> = None;
        let mut calls: Vec<usize> = (0..nodes.len())
            .filter(|i| nodes[*i].kind.is_none())
            .collect();
        calls.sort_by_key(|call| nodes[*call].when);
        for call in calls {
            if let Some(last) = last.replace(call) {
                self.edges[last].push(call);
            }
            for (other, node) in nodes.iter().enumerate() {
                if node.thread != nodes[call].thread || other == call {
                    continue;
                }
                if node.issued < nodes[call].issued && node.when < nodes[call].when {
                    self.edges[other].push(call);
                } else if node.issued > nodes[call].issued {
                    self.edges[call].push(other);
                }
            }
        }
        if !first_thread_only {
            return;
        }
        for (a, one) in nodes
            .iter()
            .enumerate()
            .filter(|(_, n)| n.thread == ThreadId(0))
        {
            for (b, other) in nodes
                .iter()
                .enumerate()
                .filter(|(_, n)| n.thread != ThreadId(0))
            {
                if one.when < other.when {
                    self.edges[a].push(b);
                } else {
                    self.edges[b].push(a);
                }
            }
        }
    }
}

/// Whether steps say where they stand in their threads.
fn has_positions(execution: &Execution) -> bool {
    execution.steps.iter().any(|step| step.position.is_some())
}

fn orders(orderings: Orderings, earlier: &Node, later: &Node) -> bool {
    match (earlier.kind, later.kind) {
        (Some(earlier), Some(later)) => orderings.orders(earlier, later),
        _ => false,
    }
}

fn gaps(nodes: &[Node], thread: &[usize], flow: &Flow) -> Vec<Rc<Between>> {
    let pairs = thread.windows(2);
    pairs
        .map(|pair| flow.between(nodes[pair[0]].site, nodes[pair[1]].site))
        .collect()
}

/// The accesses and calls of an execution. A store that waits and its flush are one.
fn nodes(execution: &Execution) -> Vec<Node> {
    let steps = execution.steps.iter().enumerate();
    steps.filter_map(|(id, step)| node(id, step)).collect()
}

/// Statements of loads and stores of a thread to one location, between which another thread has stored to it.
pub(crate) fn lost_updates(execution: &Execution) -> Vec<(Span, Span)> {
    let nodes = nodes(execution);
    let mut lost = Vec::new();
    for (index, load) in nodes.iter().enumerate().filter(|(_, node)| node.loads()) {
        let rest = nodes[index + 1..].iter();
        let mut own = rest.filter(|node| node.thread == load.thread && node.overlaps(load));
        let Some(store) = own.find(|node| node.writes) else {
            continue;
        };
        let between = |node: &&Node| {
            let meanwhile = load.when < node.when && node.when < store.when;
            node.thread != load.thread && node.writes && node.overlaps(load) && meanwhile
        };
        let pair = (load.site.span, store.site.span);
        if nodes.iter().any(|node| between(&node)) && !lost.contains(&pair) {
            lost.push(pair);
        }
    }
    lost
}

fn node(id: StepId, step: &Step) -> Option<Node> {
    let access = match &step.event {
        Event::Access(access) => access,
        Event::Call(_) => {
            return Some(Node {
                thread: step.thread,
                kind: None,
                site: Site {
                    span: step.span,
                    kind: AccessKind::LOAD,
                },
                bytes: (0, 0),
                writes: false,
                when: id,
                issued: id,
                forwarded: None,
            });
        }
        _ => return None,
    };
    if access.kind == AccessEvent::Commit && access.issued_by.is_some() {
        return None;
    }
    let site = Site::new(step.span, access.kind);
    let start = access.location.address;
    Some(Node {
        thread: step.thread,
        kind: Some(site.kind),
        site,
        bytes: (start, start.saturating_add(access.location.size.into())),
        writes: writes(access),
        when: match access.kind {
            AccessEvent::Buffer => access.flushed_by.unwrap_or(StepId::MAX),
            _ => id,
        },
        issued: id,
        forwarded: access
            .reads_from
            .filter(|_| access.kind == AccessEvent::Forward),
    })
}

fn writes(access: &MemoryAccess) -> bool {
    match access.kind {
        AccessEvent::Buffer | AccessEvent::Commit => true,
        AccessEvent::Update => access.written.is_some(),
        AccessEvent::Load | AccessEvent::Forward => false,
    }
}

/// Kahn's algorithm: every node has its turn once all before it had theirs.
fn is_acyclic(edges: &[Vec<usize>]) -> bool {
    let mut before = vec![0_u32; edges.len()];
    for to in edges.iter().flatten() {
        before[*to] += 1;
    }
    let mut ready: Vec<usize> = (0..edges.len()).filter(|node| before[*node] == 0).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &to in &edges[node] {
            before[to] -= 1;
            if before[to] == 0 {
                ready.push(to);
            }
        }
    }
    done == edges.len()
}
