//! Atomic sections: all accesses of one are one step.

use super::flow::Flow;
use super::instructions::At;
use super::{AtomicSection, Unroller, When};
use memory::Effects;
use program::{InstructionKind, Orderings};

impl Unroller<'_> {
    /// Control begins an atomic section, or another within it.
    pub(super) fn begin_section(&mut self, flow: &mut Flow, at: At) {
        let (step, depth) = flow.section.unwrap_or((self.steps, 0));
        if depth == 0 {
            self.fence_at_section(at, Effects::of(&InstructionKind::AtomicBegin).before);
            self.steps += 1;
            let begin = self.next_point(at.thread);
            self.unrolled.sections.push(AtomicSection {
                step,
                guard: flow.guard,
                begin,
                ends: Vec::new(),
                may_stay: false,
            });
            self.stays_before.insert(step, self.stays);
        }
        flow.section = Some((step, depth + 1));
    }

    /// Control ends the innermost atomic section that it is in.
    pub(super) fn end_section(&mut self, flow: &mut Flow, at: At) {
        if let Some((step, depth @ 2..)) = flow.section {
            flow.section = Some((step, depth - 1));
            return;
        }
        if let Some((step, 1)) = flow.section.take() {
            let end = self.next_point(at.thread);
            let before = self.stays_before.get(&step).copied();
            let mut sections = self.unrolled.sections.iter_mut().rev();
            if let Some(section) = sections.find(|section| section.step == step) {
                section.ends.push((flow.guard, end));
                section.may_stay |= before != Some(self.stays);
            }
        }
        let after = Effects::of(&InstructionKind::AtomicEnd).after;
        self.fence_at_section(flow.at(at.thread, at.span), after);
    }

    fn next_point(&mut self, thread: usize) -> When {
        self.position += 1;
        let position = self.position;
        When { thread, position }
    }

    /// In the paper on Relaxed atomic blocks order nothing else.
    fn fence_at_section(&mut self, at: At, orders: Orderings) {
        if self.model.has_machine() {
            self.fence(at, orders);
        }
    }
}
