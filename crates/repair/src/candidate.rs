//! What a repair may consist of: fences at places, stronger orders on accesses, and what is left of the program's own fences and orders.

use crate::kind::{Costs, Kind};
use crate::place::{Marked, Place, PlaceId, Placement};
use memory::Model;
use program::MemoryOrder;

/// A change of a program's text; where fences and orders are dropped, something that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A fence is written at a place.
    Fence {
        /// The place.
        place: PlaceId,
        /// The fence.
        kind: Kind,
    },
    /// An access has an order.
    Order {
        /// Its index in [`Marked::accesses`].
        access: usize,
        /// The order.
        order: MemoryOrder,
    },
    /// A fence of the program stays.
    Stays {
        /// Its index in [`Marked::fences`].
        fence: usize,
        /// A weaker fence that is written instead.
        weaker: Option<Kind>,
    },
}

/// A change, what it keeps in order, and what it costs.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The change.
    pub change: Change,
    /// What it orders where.
    pub placement: Placement,
    /// Its cost, at least 1.
    pub cost: u64,
}

/// Fences at places.
pub fn fences(marked: &Marked, kinds: &[Kind], costs: &Costs) -> Vec<Candidate> {
    let places = marked.places.iter().enumerate();
    let places = places.filter(|(_, place)| place.at.is_some());
    let candidates = places.flat_map(|(index, place)| {
        kinds.iter().map(move |kind| Candidate {
            change: Change::Fence {
                place: PlaceId(index),
                kind: kind.clone(),
            },
            placement: [(PlaceId(index), kind.orderings)].into_iter().collect(),
            cost: costs.of(kind, place),
        })
    });
    candidates.collect()
}

/// All that a repair may consist of: orders that are stronger than those in the text, and fences.
pub fn repairs(marked: &Marked, kinds: &[Kind], model: Model, costs: &Costs) -> Vec<Candidate> {
    let mut candidates = orders(marked, model, costs, |access, order| {
        marked.accesses[access].strengthens(order)
    });
    candidates.extend(fences(marked, kinds, costs));
    candidates
}

/// All that may be left of a program whose fences and orders have been dropped.
pub fn remains(marked: &Marked, kinds: &[Kind], model: Model, costs: &Costs) -> Vec<Candidate> {
    let mut candidates = orders(marked, model, costs, |access, order| {
        marked.accesses[access].weakens(order)
    });
    for (index, fence) in marked.fences.iter().enumerate() {
        let Some(at) = fence.place else { continue };
        let place = Place {
            depth: fence.depth,
            ..Place::default()
        };
        let own = model.effective(fence.orderings);
        let mut add = |kind: &Kind, weaker: Option<Kind>| {
            candidates.push(Candidate {
                change: Change::Stays {
                    fence: index,
                    weaker,
                },
                placement: [(at, kind.orderings)].into_iter().collect(),
                cost: costs.of(kind, &place),
            });
        };
        let as_it_is = Kind {
            text: String::new(),
            orderings: fence.orderings,
        };
        if own.is_empty() {
            continue;
        }
        add(&as_it_is, None);
        for kind in kinds {
            let weaker = model.effective(kind.orderings);
            if own.contains(weaker) && weaker != own {
                add(kind, Some(kind.clone()));
            }
        }
    }
    candidates
}

/// Orders of accesses that do something under a model, the cheapest for each thing to do.
fn orders(
    marked: &Marked,
    model: Model,
    costs: &Costs,
    is_wanted: impl Fn(usize, MemoryOrder) -> bool,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (access, site) in marked.accesses.iter().enumerate() {
        let mut known = vec![Placement::default()];
        let mut orders: Vec<(u64, MemoryOrder, Placement)> = site
            .orders()
            .map(|(order, placement)| (costs.of_order(order, site), order, placement))
            .collect();
        orders.sort_by_key(|(cost, order, _)| (*cost, *order as usize));
        for (cost, order, placement) in orders {
            let effective = placement
                .iter()
                .map(|(at, orderings)| (at, model.effective(orderings)));
            let effective: Placement = effective.filter(|(_, o)| !o.is_empty()).collect();
            if !is_wanted(access, order) || known.contains(&effective) {
                continue;
            }
            known.push(effective.clone());
            candidates.push(Candidate {
                change: Change::Order { access, order },
                placement: effective,
                cost,
            });
        }
    }
    candidates
}
