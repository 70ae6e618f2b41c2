//! An execution as a graph for Graphviz, with the relations that herd7 and GenMC draw: po, rf, co and fr.
//!
//! Each thread is a column; flushes are no events of their own. The critical cycle is drawn bold and red.

use crate::graph::{Edge, Graph, Node, NodeKind, relation_name};
use crate::view::View;
use answer::{LinkOrder, ModelResult};
use program::Program;

/// The execution of a result for Graphviz, if it has one.
pub fn dot_text(program: &Program, result: &ModelResult, view: &View) -> Option<String> {
    let graph = Graph::new(program, result, view)?;
    let title = format!("{} under {}", program.source.name, result.model);
    let mut lines = vec![
        format!("digraph {} {{", quoted(&program.name)),
        format!("  label={};", quoted(&title)),
        "  labelloc=t; rankdir=TB; splines=true; fontname=\"sans-serif\";".to_owned(),
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=monospace, fontsize=11];"
            .to_owned(),
        "  edge [fontname=\"sans-serif\", fontsize=10];".to_owned(),
    ];
    for (lane, thread) in graph.threads.iter().enumerate() {
        lines.push(format!("  subgraph cluster_{lane} {{"));
        lines.push(format!("    label={};", quoted(&thread.name)));
        lines.push("    color=gray60;".to_owned());
        let nodes = graph.nodes.iter().enumerate();
        let own = nodes.filter(|(_, node)| node.lane == lane && node.kind != NodeKind::Flush);
        lines.extend(own.map(|(index, node)| node_line(index, node)));
        lines.push("  }".to_owned());
    }
    lines.extend(graph.edges.iter().map(edge_line));
    lines.push("}".to_owned());
    Some(lines.join("\n") + "\n")
}

fn node_line(index: usize, node: &Node) -> String {
    let mut label = node.label.clone();
    if node.times > 1 {
        label += &format!(" ×{}", node.times);
    }
    if node.waits && node.flush.is_none() {
        label += ", never flushed";
    }
    if !node.source.is_empty() {
        label += &format!("\n{}", node.source);
    }
    let color = match (node.is_critical, node.kind) {
        (true, _) | (_, NodeKind::Fault) => ", color=crimson, penwidth=2",
        _ => "",
    };
    format!("    n{index} [label={}{color}];", quoted(&label))
}

fn edge_line(edge: &Edge) -> String {
    let name = relation_name(edge.order);
    let color = match edge.order {
        LinkOrder::Program => "gray30",
        LinkOrder::ReadsFrom => "forestgreen",
        LinkOrder::Coherence => "royalblue",
        LinkOrder::FromRead => "darkorange3",
    };
    let style = if edge.is_critical {
        "color=crimson, fontcolor=crimson, penwidth=2.5".to_owned()
    } else {
        format!("color={color}, fontcolor={color}")
    };
    // Program order alone says what stands above what.
    let above = match edge.order {
        LinkOrder::Program => "weight=10",
        _ => "constraint=false",
    };
    let Edge { from, to, .. } = edge;
    format!("  n{from} -> n{to} [label={name}, {style}, {above}];")
}

/// A text in quotation marks, whose lines end at the left.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            control if control.is_control() => quoted.push('\u{fffd}'),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}
