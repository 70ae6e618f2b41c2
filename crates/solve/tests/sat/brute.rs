//! Models by trying all assignments.

use crate::sketch::{NODES, Part, VARIABLES};

/// Whether a literal is true in an assignment, a bit per variable.
pub fn holds(assignment: u16, lit: i8) -> bool {
    let variable = lit.unsigned_abs();
    let value = variable > VARIABLES as u8 || assignment >> (variable - 1) & 1 == 1;
    value == (lit > 0)
}

/// Whether an assignment is a model.
pub fn is_model(parts: &[Part], assignment: u16) -> bool {
    let holds = |lit: &i8| holds(assignment, *lit);
    let mut reach = [[false; NODES as usize]; NODES as usize];
    for part in parts {
        match part {
            Part::Clause(literals) if !literals.iter().any(holds) => return false,
            Part::Edge(from, to, when) if when.iter().all(holds) => {
                reach[usize::from(*from)][usize::from(*to)] = true;
            }
            _ => {}
        }
    }
    let nodes = 0..usize::from(NODES);
    for middle in nodes.clone() {
        for from in nodes.clone() {
            for to in nodes.clone() {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    nodes.into_iter().all(|node| !reach[node][node])
}

/// Whether there is a model in which all assumptions are true.
pub fn satisfiable(parts: &[Part], assumptions: &[i8]) -> bool {
    (0..1 << VARIABLES).any(|assignment| {
        assumptions.iter().all(|&lit| holds(assignment, lit)) && is_model(parts, assignment)
    })
}
