//! What CaDiCaL asks of the theory.

use super::{Assigned, Reason, Theory};
use crate::sat::lit::Lit;
use crate::sat::ranking::rank;
use cadical_sys::ExternalPropagator;

impl ExternalPropagator for Theory {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.trail.extend(lits.iter().map(|&number| Assigned {
            lit: Lit::numbered(number),
            new: false,
            reach: 0,
            paths: 0,
        }));
    }

    fn notify_new_decision_level(&mut self) {
        // Edges of a level must not come in under the next one.
        self.catch_up();
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.backtrack(new_level);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let mut values = vec![false; self.values.len()];
        for &number in model {
            values[number.unsigned_abs() as usize] = number > 0;
        }
        let holds = |lit: Lit| values[lit.variable() as usize] == lit.is_positive();
        let edges = (0..).zip(&self.edges);
        let held: Vec<_> = edges.filter(|(_, edge)| edge.when().all(holds)).collect();
        let Err(cycle) = rank(self.nodes, &held) else {
            return true;
        };
        self.conflict = Some(cycle);
        false
    }

    fn cb_propagate(&mut self) -> i32 {
        self.catch_up();
        if self.conflict.is_some() {
            return 0;
        }
        while let Some((lit, reason)) = self.queue.pop_front() {
            if self.is_due(lit, reason) {
                self.reasons[lit.variable() as usize] = reason;
                return lit.number();
            }
        }
        0
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if !self.reading {
            let Reason { edge, paths } = self.reasons[propagated.unsigned_abs() as usize];
            let cycle = self.cycle(edge, paths);
            self.send(cycle);
        }
        self.next_outgoing()
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        self.catch_up();
        *is_forgettable = true;
        let Some(cycle) = self.conflict.take() else {
            return false;
        };
        self.send(cycle);
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.next_outgoing()
    }
}
