//! An execution as a picture: the graph with the coordinates of its layout, as SVG.
//!
//! The same picture stands alone, with its own style for light and dark, and in the HTML report, whose style it takes over. Nodes carry the
//! number of the node in `data-node`, so that a script can follow them.

use crate::graph::{Edge, Graph, Node, NodeKind, relation_name};
use crate::layout::{Layout, NodeBox, Way};
use crate::palette::resolved;
use crate::view::View;
use answer::{LinkOrder, ModelResult};
use program::Program;
use std::fmt::Write;

/// The style of graphs.
pub(crate) const STYLE: &str = include_str!("html/graph.css");

/// Colours of threads.
pub(crate) const THREAD_COLORS: usize = 6;

/// The execution of a result as a picture, if it has one.
pub fn svg_text(program: &Program, result: &ModelResult, view: &View) -> Option<String> {
    let graph = Graph::new(program, result, view)?;
    let title = format!("{} under {}", program.source.name, result.model);
    Some(svg(&graph, "", &title, Some(&resolved(STYLE))))
}

/// Text as it stands in XML: what it has no characters for is replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\t' | '\n' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            control if control.is_control() => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The picture. `prefix` keeps the names in it apart from those of other pictures on the page.
pub(crate) fn svg(graph: &Graph, prefix: &str, title: &str, style: Option<&str>) -> String {
    let layout = Layout::new(graph);
    let mut drawing = Drawing {
        graph,
        layout: &layout,
        prefix,
        text: String::new(),
    };
    drawing.open(title, style);
    drawing.lanes();
    drawing.bars();
    drawing.edges();
    drawing.nodes();
    drawing.remarks();
    drawing.text + "</svg>\n"
}

struct Drawing<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
    prefix: &'a str,
    text: String,
}

impl Drawing<'_> {
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a text does not fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    fn open(&mut self, title: &str, style: Option<&str>) {
        let (width, height) = (self.layout.width, self.layout.height);
        let title = escaped(title);
        // Smaller it cannot be read.
        let least = width * 0.7;
        self.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="execution" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" style="min-width:{least:.0}px" role="img" aria-label="the execution of {title} as a graph">"#
        ));
        self.add(format_args!("<title>{title}</title>"));
        if let Some(style) = style {
            self.add(format_args!("<style>{style}</style>"));
            self.add(format_args!(
                r#"<rect class="paper" width="100%" height="100%"/>"#
            ));
        }
        self.add(format_args!("<defs>"));
        let prefix = self.prefix;
        for order in ORDERS {
            let name = relation_name(order);
            self.add(format_args!(
                r#"<marker id="{prefix}{name}" class="head {name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.8 8 4 0 7.2Z"/></marker>"#
            ));
        }
        self.add(format_args!("</defs>"));
    }

    fn lanes(&mut self) {
        for (index, lane) in self.layout.lanes.iter().enumerate() {
            let color = index % THREAD_COLORS;
            let (left, width) = (lane.left, lane.width);
            let height = self.layout.height - 12.0;
            let title = escaped(&lane.title);
            let name = escaped(&self.graph.threads[index].name);
            self.add(format_args!(
                r#"<g class="lane t{color}"><rect x="{left:.1}" y="6" width="{width:.1}" height="{height:.1}" rx="8"/><path d="M{left:.1} 34h{width:.1}"/><text x="{:.1}" y="25">{title}<title>{name}</title></text></g>"#,
                left + 12.0
            ));
        }
    }

    fn bars(&mut self) {
        for bar in &self.layout.bars {
            let node = &self.graph.nodes[bar.node];
            let mut class = format!("bar t{}", node.lane % THREAD_COLORS);
            if node.is_critical {
                class += " critical";
            }
            if bar.open {
                class += " open";
            }
            let what = escaped(&node.label);
            let until = if bar.open {
                "is never flushed"
            } else {
                "waits in the store buffer"
            };
            self.add(format_args!(
                r#"<path class="{class}" data-node="{}" d="M{x:.1} {:.1}V{:.1}"><title>{what} {until}</title></path>"#,
                bar.node,
                bar.top,
                bar.bottom,
                x = bar.x
            ));
        }
        self.never_flushed();
    }

    /// At the bottom of a thread what is still in its store buffer.
    fn never_flushed(&mut self) {
        for (index, lane) in self.layout.lanes.iter().enumerate() {
            let nodes = &self.graph.nodes;
            let open = self.layout.bars.iter().filter(|bar| bar.open);
            let own = open.filter(|bar| nodes[bar.node].lane == index);
            let (count, bottom) = own.fold((0, 0.0), |(n, _), bar| (n + 1, bar.bottom));
            if count > 0 {
                let what = match count {
                    1 => "1 store never flushed".to_owned(),
                    count => format!("{count} stores never flushed"),
                };
                self.add(format_args!(
                    r#"<text class="pending" x="{:.1}" y="{:.1}" text-anchor="end">{what}</text>"#,
                    lane.left + lane.width - 8.0,
                    bottom + 15.0
                ));
            }
        }
    }

    fn edges(&mut self) {
        // The cycle lies above the others.
        for critical in [false, true] {
            for (index, way) in &self.layout.ways {
                let edge = self.graph.edges[*index];
                if edge.is_critical == critical {
                    self.edge(edge, way);
                }
            }
        }
    }

    fn edge(&mut self, edge: Edge, way: &Way) {
        let (name, prefix) = (relation_name(edge.order), self.prefix);
        let [a, b, c, d] = way.points;
        let path = if way.straight {
            format!("M{:.1} {:.1}V{:.1}", a.0, a.1, d.1)
        } else {
            format!(
                "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
            )
        };
        let critical = if edge.is_critical { " critical" } else { "" };
        self.add(format_args!(
            r#"<g class="edge {name}{critical}" data-from="{}" data-to="{}">"#,
            self.moment(edge, edge.from),
            self.moment(edge, edge.to)
        ));
        if edge.is_critical {
            self.add(format_args!(r#"<path class="halo" d="{path}"/>"#));
        }
        self.add(format_args!(
            r#"<path d="{path}" marker-end="url(#{prefix}{name})"/>"#
        ));
        if edge.is_critical || edge.order != LinkOrder::Program {
            let (x, y) = way.middle();
            let x = if way.straight { x - 10.0 } else { x };
            self.add(format_args!(
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{name}</text>"#,
                y + 3.5
            ));
        }
        self.add(format_args!("</g>"));
    }

    /// The node at which an end of an edge is drawn: that of the flush if the edge goes through memory.
    fn moment(&self, edge: Edge, node: usize) -> usize {
        match edge.order {
            LinkOrder::Program => node,
            _ if self.graph.nodes[edge.to].kind == NodeKind::Forward => node,
            _ => self.graph.nodes[node].flush.unwrap_or(node),
        }
    }

    fn nodes(&mut self) {
        for (index, (node, place)) in self.graph.nodes.iter().zip(&self.layout.boxes).enumerate() {
            self.node(index, node, place);
        }
    }

    fn node(&mut self, index: usize, node: &Node, place: &NodeBox) {
        let mut classes = format!(
            "node {} t{}",
            kind_class(node.kind),
            node.lane % THREAD_COLORS
        );
        for (is, class) in [
            (node.is_critical, " critical"),
            (node.is_focus, " focus"),
            (node.waits, " waits"),
        ] {
            if is {
                classes += class;
            }
        }
        let title = match node.source.as_str() {
            "" => escaped(&node.effect),
            source => format!("{}\n{}", escaped(source), escaped(&node.effect)),
        };
        let NodeBox {
            left,
            top,
            width,
            height,
            ..
        } = place;
        self.add(format_args!(
            r#"<g class="{classes}" data-node="{index}"><title>{title}</title>"#
        ));
        let round = if node.kind == NodeKind::Flush {
            11.0
        } else {
            5.0
        };
        self.add(format_args!(
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="{round}"/>"#
        ));
        let label = escaped(&place.label);
        let baseline = match place.source.is_empty() {
            true => top + height / 2.0 + 4.2,
            false => top + 16.5,
        };
        self.add(format_args!(
            r#"<text class="label" x="{:.1}" y="{baseline:.1}">{label}</text>"#,
            left + 10.0
        ));
        if !place.source.is_empty() {
            let source = escaped(&place.source);
            self.add(format_args!(
                r#"<text class="source" x="{:.1}" y="{:.1}">{source}</text>"#,
                left + 10.0,
                top + 31.5
            ));
        }
        self.add(format_args!("</g>"));
    }

    fn remarks(&mut self) {
        for (y, text) in &self.layout.remarks {
            let (width, text) = (self.layout.width, escaped(text));
            self.add(format_args!(
                r#"<g class="remark"><path d="M12 {y:.1}H{:.1}"/><text x="{:.1}" y="{:.1}" text-anchor="middle">{text}</text></g>"#,
                width - 12.0,
                width / 2.0,
                y + 4.0
            ));
        }
    }
}

const ORDERS: [LinkOrder; 4] = [
    LinkOrder::Program,
    LinkOrder::ReadsFrom,
    LinkOrder::Coherence,
    LinkOrder::FromRead,
];

fn kind_class(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Load => "load",
        NodeKind::Forward => "forward",
        NodeKind::Store => "store",
        NodeKind::Flush => "flush",
        NodeKind::Update => "update",
        NodeKind::Fence => "fence",
        NodeKind::Fault => "fault",
        NodeKind::Other => "other",
    }
}
