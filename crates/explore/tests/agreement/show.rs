//! Sketches and traces in short, for messages.

use crate::sketch::{Order, Part, Place, Sketch, Statement, Value};
use crate::trace::{Access, Trace, Write};
use program::Word;
use std::fmt;

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, thread) in self.threads.iter().enumerate() {
            writeln!(f, "T{number}: {}", Body(thread))?;
        }
        for (number, thread) in self.children.iter().enumerate() {
            writeln!(f, "child of T{number}: {}", Body(thread))?;
        }
        let joins = if self.joins { "join all" } else { "join none" };
        let forgets = if self.forgets { ", forget" } else { "" };
        writeln!(f, "main: start all; {}{joins}{forgets}", Body(&self.main))
    }
}

struct Body<'a>(&'a [Statement]);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|one| write!(f, "{one}; "))
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Load {
                target,
                place,
                order,
            } => write!(f, "r{target} = {place}{order}"),
            Statement::Store {
                place,
                value,
                order,
            } => write!(f, "{place}{order} = {value}"),
            Statement::Update {
                target,
                adds,
                place,
                value,
                order,
            } => {
                let name = if *adds { "add" } else { "exchange" };
                write!(f, "r{target} = {name}({place}{order}, {value})")
            }
            Statement::CompareExchange {
                target,
                place,
                expected,
                desired,
                order,
                weak,
            } => {
                let weak = if *weak { "weak_" } else { "" };
                write!(
                    f,
                    "r{target} = {weak}cas({place}{order}, {expected}, {desired})"
                )
            }
            Statement::Fence(order) => write!(f, "fence{order}"),
            Statement::If {
                register,
                equal,
                constant,
                body,
            } => {
                let sign = if *equal { "==" } else { "!=" };
                write!(f, "if (r{register} {sign} {constant}) {{ {}}}", Body(body))
            }
            Statement::Guarded { guard, body } => write!(f, "{guard:?} {{ {}}}", Body(body)),
            Statement::Atomic { body } => write!(f, "atomic {{ {}}}", Body(body)),
            Statement::Post => write!(f, "post"),
            Statement::Wait => write!(f, "wait"),
            Statement::Check {
                fails,
                register,
                constant,
            } => {
                let name = if *fails { "assert" } else { "assume" };
                write!(f, "{name}(r{register} != {constant})")
            }
            Statement::Publish { order, again, .. } => {
                let again = if *again { " and write again" } else { "" };
                write!(f, "publish {order:?}{again}")
            }
            Statement::Count => write!(f, "count"),
            Statement::Follow {
                target,
                writes,
                reads,
            } => match (writes, reads) {
                (true, true) => write!(f, "*object = 5; r{target} = *object"),
                (true, false) => write!(f, "*object = 5"),
                (false, _) => write!(f, "r{target} = *object"),
            },
            Statement::AwaitObject { constant } => write!(f, "await(*object == {constant})"),
            Statement::Barrier => write!(f, "barrier"),
            Statement::Sleep => write!(f, "sleep"),
            Statement::Wake { all } => write!(f, "{}", if *all { "broadcast" } else { "signal" }),
            Statement::AwaitEqual { first, second } => write!(f, "await({first} == {second})"),
            Statement::Spinning {
                exchanges,
                order,
                body,
            } => {
                let how = if *exchanges { "exchange" } else { "cas" };
                write!(f, "spin on {how}{order} {{ {}}}", Body(body))
            }
            Statement::Retire => write!(f, "free"),
            Statement::Accumulate {
                operation,
                place,
                value,
                order,
            } => write!(f, "{place} {operation:?}= {value}{order}"),
            Statement::Retry {
                place,
                value,
                order,
                weak,
                reloads,
                note,
            } => {
                let weak = if *weak { "weak " } else { "" };
                let reloads = if *reloads { ", reloading" } else { "" };
                write!(
                    f,
                    "retry {weak}{place} += {value}{order}{reloads}, note {note:?}"
                )
            }
            Statement::Await { place, zero } => {
                let sign = if *zero { "==" } else { "!=" };
                write!(f, "await({place} {sign} 0)")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "{}", char::from(b'x' + self.cell))?,
            Some(register) => write!(f, "(r{register} & 1 ? y : x)")?,
        }
        match self.part {
            Part::Whole => Ok(()),
            Part::Half => write!(f, "[0..2]"),
            Part::First => write!(f, "[0]"),
            Part::Second => write!(f, "[1]"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.register {
            None => write!(f, "{}", self.constant),
            Some(register) => write!(f, "r{register} + {}", self.constant),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Plain => ".plain",
            Order::Relaxed => "",
            Order::Ordered => ".ordered",
            Order::Sequential => ".seq_cst",
        })
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, thread) in self.threads.iter().enumerate() {
            write!(f, "\n  thread {number}:")?;
            let mut accesses = thread.iter().peekable();
            let mut writes = 0;
            while let Some(access) = accesses.next() {
                match access {
                    Access::Read(address, from) => {
                        let mut next = *address;
                        while accesses.peek() == Some(&&Access::Read(next + 1, *from)) {
                            next += 1;
                            accesses.next();
                        }
                        write!(f, " R{} from {};", Range(*address, next), Source(*from))?;
                    }
                    Access::Write(address, size) => {
                        let last = address + Word::from(*size) - 1;
                        write!(f, " W{}{};", writes, Range(*address, last))?;
                        writes += 1;
                    }
                    other => write!(f, " {other:?};")?,
                }
            }
        }
        let mut orders = self.coherence.iter().peekable();
        write!(f, "\n  coherence:")?;
        while let Some((address, order)) = orders.next() {
            let mut last = *address;
            while orders.peek() == Some(&(&(last + 1), order)) {
                last += 1;
                orders.next();
            }
            if order.len() > 1 {
                let order: Vec<String> =
                    order.iter().map(|w| Source(Some(*w)).to_string()).collect();
                write!(f, " {} {};", Range(*address, last), order.join(" < "))?;
            }
        }
        Ok(())
    }
}

/// Bytes, the first and the last.
struct Range(Word, Word);

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:x}..={:x}]", self.0, self.1 & 0xff)
    }
}

/// A write, or the initial value.
struct Source(Option<Write>);

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some((thread, number)) => write!(f, "{thread}.W{number}"),
            None => write!(f, "the start"),
        }
    }
}
