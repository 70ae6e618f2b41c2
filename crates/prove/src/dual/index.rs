//! The elements that are known, so that it is cheap to find out whether one of them covers another.
//!
//! Elements are grouped by the states of their threads. What covers an element has the same states, but for threads that
//! are absent in it; so there is one group to look at for each subset of the threads that are present.

use super::element::Controls;
use super::element::Element;
use rustc_hash::FxHashMap;

/// Elements, none of which covers another of its group.
#[derive(Default)]
pub(super) struct Index {
    elements: Vec<Option<Element>>,
    groups: FxHashMap<Controls, Vec<u32>>,
}

impl Index {
    /// Elements that were ever inserted.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// An element, unless a later one has taken its place.
    pub fn get(&self, id: u32) -> Option<&Element> {
        self.elements[id as usize].as_ref()
    }

    /// The elements that no other covers.
    pub fn minimal(&self) -> Vec<Element> {
        let known = self.elements.iter().flatten();
        let minimal = known.filter(|element| {
            let controls = element.controls();
            !self.is_covered(element, &controls, 1)
        });
        minimal.cloned().collect()
    }

    /// Inserts an element, unless it is covered.
    pub fn insert(&mut self, element: Element) -> Option<u32> {
        let controls = element.controls();
        if self.is_covered(&element, &controls, 0) {
            return None;
        }
        let id = self.elements.len() as u32;
        let group = self.groups.entry(controls).or_default();
        group.retain(|other| {
            let covered = self.elements[*other as usize]
                .as_ref()
                .is_none_or(|other| element.covers(other));
            if covered {
                self.elements[*other as usize] = None;
            }
            !covered
        });
        group.push(id);
        self.elements.push(Some(element));
        Some(id)
    }

    /// Whether an element with some of the same threads, at least so many of them less, covers it.
    fn is_covered(&self, element: &Element, controls: &Controls, less: u32) -> bool {
        let present: Vec<usize> = (0..controls.len())
            .filter(|thread| controls[*thread].is_some())
            .collect();
        let mut key = controls.clone();
        let mut subsets = (0..1u64 << present.len()).filter(|absent| absent.count_ones() >= less);
        subsets.any(|absent| {
            for (bit, &thread) in present.iter().enumerate() {
                key[thread] = controls[thread].filter(|_| absent >> bit & 1 == 0);
            }
            self.groups.get(&key).is_some_and(|group| {
                let mut known = group.iter().filter_map(|id| self.get(*id));
                known.any(|known| known.covers(element))
            })
        })
    }
}
