//! Executions of SC as event logs: the monitor of logs finds a borderline point in one of them exactly
//! if the monitor beside the exploration does.

use crate::sketch::Sketch;
use crate::{ACCESSES, for_all, same, text};
use explore::{NonSequential, Options, Steps};
use machine::{Act, ActKind, Bytes};
use memory::Model;
use monitor::Monitor;
use program::{LogEvent, LogOperation, Orderings};
use std::collections::HashMap;

/// Bytes of a cell, which a location of a log stands for as a whole.
const CELL: u32 = 4;

/// An execution as a log; `None` if it uses parts of cells.
fn log(steps: &Steps) -> Option<Vec<LogEvent>> {
    let mut log = Vec::new();
    let mut locations: HashMap<u64, u32> = HashMap::new();
    for acts in steps {
        for (index, act) in acts.iter().enumerate() {
            let rest = &acts[index + 1..];
            let (operation, bytes) = match act.kind {
                ActKind::Read(bytes, _) if follows_wait(acts, index) => {
                    let wrote = next_of(rest, act).is_some_and(writes);
                    let operation = match wrote {
                        true => LogOperation::Interlocked,
                        false => LogOperation::FailedInterlocked,
                    };
                    (operation, Some(bytes))
                }
                ActKind::Read(bytes, _) => (LogOperation::Load, Some(bytes)),
                ActKind::Store(bytes) | ActKind::Prepare(bytes) => {
                    (LogOperation::Store, Some(bytes))
                }
                ActKind::Drain if !next_of(rest, act).is_some_and(reads) => {
                    (LogOperation::Fence, None)
                }
                ActKind::Fence(orderings) => (fence(orderings), None),
                ActKind::Start(_) => (LogOperation::Start, None),
                ActKind::Join(_) => (LogOperation::Join, None),
                _ => continue,
            };
            let next = locations.len() as u32;
            let address = match (act.kind, bytes) {
                (ActKind::Start(other) | ActKind::Join(other), _) => other.0,
                (_, Some(bytes)) if bytes.address < Bytes::FIRST => continue,
                (_, Some(bytes)) if bytes.size != CELL || bytes.address % 4 != 0 => return None,
                (_, Some(bytes)) => *locations.entry(bytes.address).or_insert(next),
                _ => 0,
            };
            log.push(LogEvent {
                thread: act.thread.0,
                operation,
                address,
                line: log.len() as u32 + 1,
                at: LogEvent::NOWHERE,
            });
        }
    }
    Some(log)
}

/// True for a read of a read-modify-write: it waited for stores right before.
fn follows_wait(acts: &[Act], index: usize) -> bool {
    let before = index.checked_sub(1).map(|before| acts[before]);
    before.is_some_and(|before| {
        let waits = matches!(before.kind, ActKind::Drain | ActKind::Settle(_));
        waits && before.thread == acts[index].thread
    })
}

fn next_of<'a>(rest: &'a [Act], act: &Act) -> Option<&'a Act> {
    rest.first().filter(|next| next.thread == act.thread)
}

fn reads(act: &Act) -> bool {
    matches!(act.kind, ActKind::Read(bytes, _) if bytes.address >= Bytes::FIRST)
}

fn writes(act: &Act) -> bool {
    matches!(act.kind, ActKind::Write(_) | ActKind::Change(_))
}

fn fence(orderings: Orderings) -> LogOperation {
    let keeps = |ordering| orderings.contains(ordering);
    match (keeps(Orderings::STORE_LOAD), keeps(Orderings::STORE_STORE)) {
        (true, true) => LogOperation::Fence,
        (true, false) => LogOperation::StoreLoadFence,
        _ => LogOperation::StoreStoreFence,
    }
}

fn logs_agree(sketch: &Sketch) -> Result<(), String> {
    let program = text::program(sketch);
    let options = Options {
        all: true,
        monitor: true,
        robust: NonSequential::ReportOnly,
        ..Options::default()
    };
    for model in [Model::Tso, Model::Pso] {
        let Ok(result) = explore::run(&program, model, &options) else {
            continue;
        };
        let traces = explore::traces(&program, model, &options);
        let traces = traces.expect("the model is supported");
        let mut found = false;
        for (steps, _) in &traces {
            let Some(log) = log(steps) else {
                return Ok(());
            };
            let mut monitor = Monitor::new(model).expect("a model with store buffers");
            found |= log.iter().any(|event| monitor.event(event).is_some());
        }
        same(
            model,
            "borderline in logs",
            found,
            result.counts.borderline > 0,
        )?;
    }
    Ok(())
}

#[test]
fn logs_of_executions_are_borderline_where_these_are() {
    for_all(ACCESSES, 50, logs_agree);
}
