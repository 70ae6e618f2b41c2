//! An execution as the moments that the report steps through: what happened at each node, and how memory, store buffers, registers and
//! output change.
//!
//! Steps that have no node belong to the moment after them, so that every state is that of the execution. Locations are told apart by their
//! bytes; a write to a part of a location leaves the whole unknown, since executions list no bytes.

use crate::graph::{Graph, Node};
use crate::rows::one_line;
use crate::wrap::UNBROKEN;
use answer::{AccessEvent, Event, Execution, ModelResult, RegisterWrite, StepId};
use program::{Address, Program, Span};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The moments of an execution, as data for the script.
pub(crate) fn moments_json(program: &Program, result: &ModelResult, graph: &Graph) -> Value {
    let Some(execution) = &result.execution else {
        return Value::Null;
    };
    // What runs ahead of other steps, or on a guess, says nothing of the registers at a moment.
    let registers = match is_in_order(execution) {
        true => execution.registers(program),
        false => Vec::new(),
    };
    let states = States {
        program,
        execution,
        graph,
        locations: Locations::of(program, execution, graph),
        registers: registers.iter().map(|write| (write.step, write)).collect(),
    };
    let moments = steps_of_nodes(execution, graph);
    let moments = moments.iter().enumerate();
    let moments = moments.map(|(index, steps)| states.moment(index, steps));
    let moments: Vec<Value> = moments.collect();
    let repeats = execution.repeats_from.and_then(|start| {
        let mut nodes = graph.nodes.iter();
        nodes.position(|node| node.steps.first().is_some_and(|first| *first >= start))
    });
    json!({
        "threads": states.threads(),
        "locations": states.locations.names,
        "initial": states.locations.initial,
        "moments": moments,
        "repeats": repeats,
    })
}

/// True if the steps of each thread are listed in program order.
fn is_in_order(execution: &Execution) -> bool {
    let threads = execution.program_order();
    !threads.is_empty() && threads.values().all(|steps| steps.is_sorted())
}

/// For each node its steps, behind those that have no node and come before it; what comes last belongs to the last.
fn steps_of_nodes(execution: &Execution, graph: &Graph) -> Vec<Vec<StepId>> {
    let own: HashMap<StepId, usize> = graph
        .nodes
        .iter()
        .enumerate()
        .flat_map(|(index, node)| node.steps.iter().map(move |step| (*step, index)))
        .collect();
    let mut moments: Vec<Vec<StepId>> = vec![Vec::new(); graph.nodes.len()];
    for step in (0..execution.steps.len()).filter(|step| !own.contains_key(step)) {
        let is_before = |node: &Node| node.steps.first().is_some_and(|first| *first < step);
        let next = graph.nodes.partition_point(is_before);
        let next = next.min(moments.len().saturating_sub(1));
        if let Some(moment) = moments.get_mut(next) {
            moment.push(step);
        }
    }
    for (moment, node) in moments.iter_mut().zip(&graph.nodes) {
        let first = node.steps.first().copied();
        let is_after = |step: &StepId| first.is_some_and(|first| *step > first);
        let after: Vec<StepId> = moment.extract_if(.., |step| is_after(step)).collect();
        moment.extend(node.steps.iter().copied());
        moment.extend(after);
    }
    moments
}

struct States<'a> {
    program: &'a Program,
    execution: &'a Execution,
    graph: &'a Graph,
    locations: Locations,
    registers: HashMap<StepId, &'a RegisterWrite>,
}

impl States<'_> {
    fn threads(&self) -> Vec<Value> {
        let threads = self.graph.threads.iter().map(|lane| {
            let thread = self.program.threads.get(lane.thread.index());
            let thread = thread.filter(|_| !self.program.process);
            let registers = thread.map_or(Vec::new(), |thread| {
                let initial = thread.initial.iter();
                let function = &self.program.functions[thread.function.index()];
                let named = initial.map(|(register, value)| {
                    let register = &function.registers[register.index()];
                    let value = self.program.word_text(*value, register.width, false);
                    json!([register.name, value])
                });
                named.collect()
            });
            json!({ "name": lane.name, "registers": registers })
        });
        threads.collect()
    }

    /// What happens at a node, and what that changes.
    fn moment(&self, index: usize, steps: &[StepId]) -> Value {
        let node = &self.graph.nodes[index];
        let (mut memory, mut buffer, mut registers) = (Vec::new(), Vec::new(), Vec::new());
        let mut printed = String::new();
        for &id in steps {
            let step = &self.execution.steps[id];
            let lane = self.lane(id);
            if let Event::Print(text) = &step.event {
                printed += text;
            }
            if let (Some(write), Some(lane)) = (self.registers.get(&id), lane) {
                let thread = &self.program.threads[step.thread.index()];
                let function = &self.program.functions[thread.function.index()];
                let name = &function.registers[write.register.index()].name;
                registers.push(json!([lane, name, write.value.to_string()]));
            }
            let Event::Access(access) = &step.event else {
                continue;
            };
            let name = &access.location.name;
            let value = match access.kind {
                AccessEvent::Buffer => {
                    let entry = format!("{name}={}", access.value);
                    buffer.push(json!(["in", lane, id, entry]));
                    continue;
                }
                AccessEvent::Commit => {
                    if let Some(issue) = access.issued_by {
                        buffer.push(json!(["out", lane, issue]));
                    }
                    Some(&access.value)
                }
                AccessEvent::Update => access.written.as_ref(),
                AccessEvent::Load | AccessEvent::Forward => None,
            };
            if let Some(value) = value {
                let of = (access.location.address, access.location.size);
                memory.extend(self.locations.write(of, &value.to_string()));
            }
        }
        let step = node.steps.first().map(|step| &self.execution.steps[*step]);
        let calls = step.into_iter().flat_map(|step| &step.stack);
        let calls: Vec<&str> = calls.map(|call| call.function.as_str()).collect();
        json!({
            "lane": node.lane,
            "at": place(node.span),
            "code": one_line(self.program.excerpt(node.span)),
            "what": node.effect.replace(UNBROKEN, " "),
            "calls": calls.join(" › "),
            "memory": memory,
            "buffer": buffer,
            "registers": registers,
            "printed": printed,
        })
    }

    fn lane(&self, step: StepId) -> Option<usize> {
        let thread = self.execution.steps[step].thread;
        let mut lanes = self.graph.threads.iter();
        lanes.position(|lane| lane.thread == thread)
    }
}

/// The line of a place, as the lines of source are called: file and line.
pub(crate) fn place(span: Span) -> Option<String> {
    (span != Span::NOWHERE).then(|| format!("{}:{}", span.file, span.line))
}

/// The locations that nodes access, by address and size.
struct Locations {
    names: Vec<String>,
    /// What each contains first, as far as that is known.
    initial: Vec<Option<String>>,
    bytes: Vec<(u64, u32)>,
}

impl Locations {
    fn of(program: &Program, execution: &Execution, graph: &Graph) -> Self {
        let mut locations = Locations {
            names: Vec::new(),
            initial: Vec::new(),
            bytes: Vec::new(),
        };
        for step in graph.nodes.iter().flat_map(|node| &node.steps) {
            let Event::Access(access) = &execution.steps[*step].event else {
                continue;
            };
            let bytes = (access.location.address, access.location.size);
            if !locations.bytes.contains(&bytes) {
                locations.bytes.push(bytes);
                locations.names.push(access.location.name.clone());
                let cell = access.cell().filter(|_| !program.process);
                let initial = cell.and_then(|cell| initial(program, cell));
                locations.initial.push(initial);
            }
        }
        locations.add_first_reads(execution);
        locations
    }

    /// What is read before anything was written was there first.
    fn add_first_reads(&mut self, execution: &Execution) {
        let mut written = vec![false; self.bytes.len()];
        for step in &execution.steps {
            let Event::Access(access) = &step.event else {
                continue;
            };
            let bytes = (access.location.address, access.location.size);
            let from_memory = matches!(access.kind, AccessEvent::Load | AccessEvent::Update);
            if let Some(index) = self.bytes.iter().position(|known| *known == bytes)
                && from_memory
                && access.reads_from.is_none()
                && !written[index]
            {
                self.initial[index] = Some(access.value.to_string());
            }
            let writes = access.kind == AccessEvent::Commit || access.written.is_some();
            if writes {
                for (index, known) in self.bytes.iter().enumerate() {
                    written[index] |= overlap(*known, bytes);
                }
            }
        }
    }

    /// What a write changes: the number of each location, and its value as far as that is known.
    fn write(&self, bytes: (u64, u32), value: &str) -> Vec<Value> {
        let known = self.bytes.iter().enumerate();
        let changed = known.filter(|(_, known)| overlap(**known, bytes));
        let changed = changed.map(|(index, known)| {
            let value = (*known == bytes).then_some(value);
            json!([index, value])
        });
        changed.collect()
    }
}

fn overlap(one: (u64, u32), other: (u64, u32)) -> bool {
    let end = |bytes: (u64, u32)| bytes.0.saturating_add(u64::from(bytes.1.max(1)));
    one.0 < end(other) && other.0 < end(one)
}

/// What a cell of a litmus test contains first.
fn initial(program: &Program, cell: Address) -> Option<String> {
    let (object, index) = program.cell_at(cell)?;
    let value = object.initial.get(index).copied().unwrap_or(0);
    Some(program.word_text(value, object.cell, object.signed))
}
