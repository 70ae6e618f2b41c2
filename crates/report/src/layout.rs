//! Where the nodes and edges of a graph stand in a picture: a column for each thread, time from top to bottom.
//!
//! A store that waits has a bar at the right of its column, from where it is issued to where it is flushed, or to the bottom. Relations that go
//! through memory lead from and to flushes, so that they point downwards wherever steps are listed as they happened.
//! Lengths are those of pixels; texts are measured in characters of a monospaced font.

use crate::graph::{Edge, Graph, Item, Node, NodeKind};
use crate::rows::cut;
use answer::LinkOrder;
use std::collections::{HashMap, HashSet};

/// The width of a character of a label.
const CHARACTER: f32 = 7.3;
/// The width of a character of source text.
const SMALL_CHARACTER: f32 = 6.4;
const PADDING: f32 = 10.0;
const NARROWEST: f32 = 120.0;
const WIDEST: f32 = 246.0;
/// The room at the left of a column, for program order.
const GUTTER: f32 = 26.0;
/// The room that a bar takes.
const SLOT: f32 = 9.0;
/// The room between columns, for relations.
const BETWEEN: f32 = 44.0;
const MARGIN: f32 = 12.0;
const HEADER: f32 = 44.0;
const GAP: f32 = 13.0;
/// The distance of edges that meet a node at the same side.
const SPREAD: f32 = 6.0;

/// A graph with coordinates.
pub(crate) struct Layout {
    pub width: f32,
    pub height: f32,
    pub lanes: Vec<LaneBox>,
    /// For each node of the graph.
    pub boxes: Vec<NodeBox>,
    pub bars: Vec<Bar>,
    pub remarks: Vec<(f32, String)>,
    /// For each edge that is drawn: its number in the graph, and its way.
    pub ways: Vec<(usize, Way)>,
}

/// The column of a thread.
pub(crate) struct LaneBox {
    pub left: f32,
    pub width: f32,
    /// Where the bars begin.
    pub bars: f32,
    pub title: String,
}

/// A rectangle with up to two lines of text.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeBox {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    pub label: String,
    pub source: String,
}

impl NodeBox {
    fn middle(&self) -> f32 {
        self.top + self.height / 2.0
    }

    fn bottom(&self) -> f32 {
        self.top + self.height
    }

    fn right(&self) -> f32 {
        self.left + self.width
    }
}

/// The time that a store waits in the store buffer.
pub(crate) struct Bar {
    pub node: usize,
    pub x: f32,
    pub top: f32,
    pub bottom: f32,
    /// It is never flushed.
    pub open: bool,
}

/// The way of an edge: a Bézier curve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub points: [(f32, f32); 4],
    /// A line from a node to the next one of its thread.
    pub straight: bool,
}

impl Way {
    /// The point in its middle.
    pub fn middle(&self) -> (f32, f32) {
        let [a, b, c, d] = self.points;
        let of = |a: f32, b: f32, c: f32, d: f32| (a + 3.0 * b + 3.0 * c + d) / 8.0;
        (of(a.0, b.0, c.0, d.0), of(a.1, b.1, c.1, d.1))
    }
}

impl Layout {
    pub fn new(graph: &Graph) -> Self {
        let slots = slots(graph);
        let lanes = lanes(graph, &slots);
        let (boxes, remarks, bottom) = boxes(graph, &lanes);
        let bars = bars(graph, &lanes, &boxes, &slots, bottom);
        let is_open = bars.iter().any(|bar| bar.open);
        let mut layout = Layout {
            width: lanes.last().map_or(0.0, |lane| lane.left + lane.width) + MARGIN,
            height: bottom + if is_open { 30.0 } else { MARGIN },
            lanes,
            boxes,
            bars,
            remarks,
            ways: Vec::new(),
        };
        layout.ways = layout.route(graph);
        layout
    }

    fn route(&self, graph: &Graph) -> Vec<(usize, Way)> {
        let mut anchors: Vec<(Anchor, Anchor)> = Vec::new();
        let mut drawn = Vec::new();
        let reads = graph
            .edges
            .iter()
            .filter(|edge| edge.order == LinkOrder::ReadsFrom);
        let reads: HashSet<(usize, usize)> = reads.map(|edge| (edge.from, edge.to)).collect();
        for (index, edge) in graph.edges.iter().enumerate() {
            let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
            let own = from.lane == to.lane;
            // Of what a thread reads and writes itself, program order says enough.
            let implied = own && edge.order != LinkOrder::Program && !edge.is_critical;
            // An update overwrites what it reads.
            let is_co = edge.order == LinkOrder::Coherence && !edge.is_critical;
            let twice = is_co && reads.contains(&(edge.from, edge.to));
            if implied && to.kind != NodeKind::Forward || twice {
                continue;
            }
            drawn.push((index, own));
            anchors.push(self.anchors(graph, edge));
        }
        // Edges that meet a box at the same side stand apart, in their order.
        let mut beside: HashMap<(usize, bool), Vec<usize>> = HashMap::new();
        let drawn_at_sides = drawn.iter().zip(&anchors).enumerate();
        for (number, ((index, _), (from, to))) in drawn_at_sides {
            if !self.is_straight(graph, &graph.edges[*index]) {
                beside.entry(from.side_of()).or_default().push(2 * number);
                beside.entry(to.side_of()).or_default().push(2 * number + 1);
            }
        }
        let offset = |anchor: &Anchor, number: usize| {
            let here = &beside[&anchor.side_of()];
            let at = here.binary_search(&number).unwrap_or(0);
            let spread = at as f32 - (here.len() as f32 - 1.0) / 2.0;
            (spread * SPREAD).clamp(-anchor.room, anchor.room)
        };
        let ways = drawn.iter().zip(&anchors).enumerate();
        let ways = ways.map(|(number, ((index, own), (from, to)))| {
            let edge = &graph.edges[*index];
            let straight = self.is_straight(graph, edge);
            if straight {
                let x = from.x + GUTTER / 2.0;
                let (one, other) = (&self.boxes[edge.from], &self.boxes[edge.to]);
                let (y, end) = (one.bottom(), other.top);
                let points = [(x, y), (x, y), (x, end), (x, end)];
                return (*index, Way { points, straight });
            }
            let start = (from.x, from.y + offset(from, 2 * number));
            let end = (to.x, to.y + offset(to, 2 * number + 1));
            let reach = if *own {
                (12.0 + (end.1 - start.1).abs() * 0.04).min(GUTTER)
            } else {
                ((end.0 - start.0).abs() * 0.45).max(28.0)
            };
            let points = [
                start,
                (start.0 + from.side * reach, start.1),
                (end.0 + to.side * reach, end.1),
                end,
            ];
            (*index, Way { points, straight })
        });
        ways.collect()
    }

    /// True for program order with nothing of the thread between its ends, but perhaps flushes.
    fn is_straight(&self, graph: &Graph, edge: &Edge) -> bool {
        let own =
            |node: &&Node| node.lane == graph.nodes[edge.from].lane && node.kind != NodeKind::Flush;
        let between = graph.nodes.get(edge.from + 1..edge.to);
        edge.order == LinkOrder::Program
            && between.is_some_and(|between| between.iter().find(own).is_none())
    }

    fn anchors(&self, graph: &Graph, edge: &Edge) -> (Anchor, Anchor) {
        let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
        let in_memory = edge.order != LinkOrder::Program && to.kind != NodeKind::Forward;
        let place = |node: usize| {
            let (flush, lane) = (graph.nodes[node].flush, graph.nodes[node].lane);
            if let (true, Some(flush)) = (in_memory, flush) {
                return (flush, self.boxes[flush].middle());
            }
            // What is never flushed reaches memory at the end, if it does.
            let bar = self.bars.iter().find(|bar| bar.node == node && bar.open);
            match bar.filter(|_| in_memory) {
                Some(bar) => (self.boxes.len() + lane, bar.bottom),
                None => (node, self.boxes[node].middle()),
            }
        };
        let side = match from.lane.cmp(&to.lane) {
            std::cmp::Ordering::Less => 1.0,
            _ => -1.0,
        };
        let sides = if from.lane == to.lane {
            (side, side)
        } else {
            (side, -side)
        };
        let anchor = |node: usize, lane: usize, side: f32| {
            let (place, y) = place(node);
            let (left, right) = match self.boxes.get(place) {
                Some(of) => (of.left, of.right()),
                None => {
                    let lane = &self.lanes[lane];
                    (lane.left + GUTTER, lane.bars)
                }
            };
            let room = self
                .boxes
                .get(place)
                .map_or(2.0, |of| of.height / 2.0 - 4.0);
            Anchor {
                place,
                side,
                x: if side > 0.0 { right } else { left },
                y,
                room,
            }
        };
        (
            anchor(edge.from, from.lane, sides.0),
            anchor(edge.to, to.lane, sides.1),
        )
    }
}

/// Where an edge meets a node.
struct Anchor {
    /// The box; beyond those the end of the bars of a thread.
    place: usize,
    /// 1 for the right side, -1 for the left.
    side: f32,
    x: f32,
    y: f32,
    /// How far from its middle.
    room: f32,
}

impl Anchor {
    fn side_of(&self) -> (usize, bool) {
        (self.place, self.side > 0.0)
    }
}

/// For each node that waits the slot of its bar.
fn slots(graph: &Graph) -> Vec<Option<usize>> {
    // For each thread the node at which each slot becomes free.
    let mut free: Vec<Vec<usize>> = graph.threads.iter().map(|_| Vec::new()).collect();
    let nodes = graph.nodes.iter().enumerate();
    let slots = nodes.map(|(index, node)| {
        if !node.waits {
            return None;
        }
        let end = node.flush.unwrap_or(usize::MAX);
        let slots = &mut free[node.lane];
        let slot = slots.iter().position(|free| *free < index);
        let slot = slot.unwrap_or_else(|| {
            slots.push(0);
            slots.len() - 1
        });
        slots[slot] = end;
        Some(slot)
    });
    slots.collect()
}

fn lanes(graph: &Graph, slots: &[Option<usize>]) -> Vec<LaneBox> {
    let mut left = MARGIN;
    let lanes = graph.threads.iter().enumerate().map(|(index, lane)| {
        let own = |node: &&(&Node, &Option<usize>)| node.0.lane == index;
        let nodes: Vec<(&Node, &Option<usize>)> = graph.nodes.iter().zip(slots).collect();
        let widths = nodes.iter().filter(own).map(|(node, _)| {
            let label = width_of(&label(node), CHARACTER);
            label.max(width_of(&node.source, SMALL_CHARACTER))
        });
        let title = width_of(&lane.name, CHARACTER);
        let widest = widths.chain([title]).fold(0.0, f32::max);
        let width = (widest + 2.0 * PADDING).clamp(NARROWEST, WIDEST);
        let slots = nodes.iter().filter(own).filter_map(|(_, slot)| **slot);
        let slots = slots.max().map_or(0, |most| most + 1);
        let strip = match slots {
            0 => 0.0,
            slots => slots as f32 * SLOT + 8.0,
        };
        let lane = LaneBox {
            left,
            width: GUTTER + width + strip + 8.0,
            bars: left + GUTTER + width,
            title: cut(&lane.name, (width / CHARACTER) as usize + 3),
        };
        left += lane.width + BETWEEN;
        lane
    });
    lanes.collect()
}

fn width_of(text: &str, character: f32) -> f32 {
    text.chars().count() as f32 * character
}

/// What is written on a node.
fn label(node: &Node) -> String {
    match node.times {
        1 => node.label.clone(),
        times => format!("{} ×{times}", node.label),
    }
}

/// The boxes, remarks between them, and the bottom.
fn boxes(graph: &Graph, lanes: &[LaneBox]) -> (Vec<NodeBox>, Vec<(f32, String)>, f32) {
    let mut boxes = vec![NodeBox::default(); graph.nodes.len()];
    let mut remarks = Vec::new();
    let mut y = HEADER;
    for item in &graph.items {
        match item {
            Item::Remark(text) => {
                remarks.push((y + 8.0, text.clone()));
                y += 16.0 + GAP;
            }
            Item::Node(index) => {
                let node = &graph.nodes[*index];
                let lane = &lanes[node.lane];
                let (left, right) = (lane.left + GUTTER, lane.bars);
                let is_flush = node.kind == NodeKind::Flush;
                let label = label(node);
                let own = width_of(&label, CHARACTER) + 2.0 * PADDING;
                // A flush stands at its bar, and leaves room for program order.
                let width = match is_flush {
                    true => own.min(right - left - GUTTER),
                    false => right - left,
                };
                let fits = |character: f32| ((width - 2.0 * PADDING) / character) as usize + 1;
                let has_source = !node.source.is_empty();
                let height = match (is_flush, has_source) {
                    (true, _) => 22.0,
                    (false, true) => 40.0,
                    (false, false) => 26.0,
                };
                boxes[*index] = NodeBox {
                    left: if is_flush { right - width } else { left },
                    top: y,
                    width,
                    height,
                    label: cut(&label, fits(CHARACTER)),
                    source: cut(&node.source, fits(SMALL_CHARACTER)),
                };
                y += height + GAP;
            }
        }
    }
    (boxes, remarks, y)
}

fn bars(
    graph: &Graph,
    lanes: &[LaneBox],
    boxes: &[NodeBox],
    slots: &[Option<usize>],
    bottom: f32,
) -> Vec<Bar> {
    let waiting = slots
        .iter()
        .enumerate()
        .filter_map(|(node, slot)| Some((node, (*slot)?)));
    let bars = waiting.map(|(node, slot)| {
        let flush = graph.nodes[node].flush;
        Bar {
            node,
            x: lanes[graph.nodes[node].lane].bars + 8.0 + slot as f32 * SLOT,
            top: boxes[node].middle(),
            bottom: flush.map_or(bottom, |flush| boxes[flush].middle()),
            open: flush.is_none(),
        }
    });
    bars.collect()
}
