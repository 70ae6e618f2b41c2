//! How the component numbers of a state are packed into a key.

use crate::table::Key;

/// Where one component stands in the key.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

/// How a state's components are packed into `W` words. The last component is
/// memory, stored plus one, so that no key is all zeros.
#[derive(Clone, Debug)]
pub struct Layout<const W: usize> {
    fields: Vec<Field>,
}

/// The number of bits that each component gets.
#[derive(Clone, Debug)]
pub struct Widths(Vec<u32>);

impl Widths {
    /// Equal shares of one word, or as much of several as makes sense, for
    /// `components` components.
    pub fn first(components: usize) -> Self {
        let share = (64 / components as u32).clamp(8, 32);
        Widths(vec![share; components])
    }

    /// Wider, after the components have been seen to come in `counts` kinds.
    pub fn grown(&self, counts: &[usize]) -> Self {
        let wanted = |(bits, count): (&u32, &usize)| {
            let needed = usize::BITS - (count + 1).leading_zeros();
            if needed >= *bits {
                (needed + 3).min(32)
            } else {
                (needed + 2).min(*bits)
            }
        };
        let mut widths = Widths(self.0.iter().zip(counts).map(wanted).collect());
        // What is left over of the last word goes to the components by turns.
        let words = widths.words();
        for index in (0..widths.0.len()).cycle().take(64 * widths.0.len()) {
            if widths.0[index] < 32 {
                widths.0[index] += 1;
                if widths.words() > words {
                    widths.0[index] -= 1;
                }
            }
        }
        widths
    }

    /// The number of words that a key needs.
    pub fn words(&self) -> usize {
        self.fields().last().map_or(1, |field| field.word + 1)
    }

    fn fields(&self) -> Vec<Field> {
        let mut word = 0;
        let mut shift = 0;
        let place = |&bits: &u32| {
            if shift + bits > 64 {
                word += 1;
                shift = 0;
            }
            let field = Field { word, shift, bits };
            shift += bits;
            field
        };
        self.0.iter().map(place).collect()
    }
}

impl<const W: usize> Layout<W> {
    /// The layout with these widths, which must fit `W` words.
    pub fn new(widths: &Widths) -> Self {
        assert!(widths.words() <= W);
        Layout {
            fields: widths.fields(),
        }
    }

    /// The number of components, memory included.
    pub fn components(&self) -> usize {
        self.fields.len()
    }

    /// True if component `index` can have the number `id`.
    #[inline]
    pub fn fits(&self, index: usize, id: u32) -> bool {
        u64::from(id) + 1 < 1 << self.fields[index].bits
    }

    /// The key of a state, if every component fits.
    pub fn pack(&self, ids: &[u32]) -> Option<Key<W>> {
        let mut key = [0; W];
        for (index, &id) in ids.iter().enumerate() {
            if !self.fits(index, id) {
                return None;
            }
            self.set(&mut key, index, id);
        }
        Some(key)
    }

    /// The number of component `index`.
    #[inline]
    pub fn get(&self, key: &Key<W>, index: usize) -> u32 {
        let field = self.fields[index];
        let raw = (key[field.word] >> field.shift) & ((1 << field.bits) - 1);
        (raw as u32).wrapping_sub((index + 1 == self.fields.len()) as u32)
    }

    /// Gives component `index`, which is zero in a fresh key, the number `id`.
    pub fn set(&self, key: &mut Key<W>, index: usize, id: u32) {
        let field = self.fields[index];
        let mask = ((1u64 << field.bits) - 1) << field.shift;
        let raw = u64::from(id) + (index + 1 == self.fields.len()) as u64;
        key[field.word] = (key[field.word] & !mask) | (raw << field.shift);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_back_out() {
        let widths = Widths::first(3).grown(&[10, 3_000_000, 2]);
        let layout = Layout::<2>::new(&widths);
        let mut key = [0; 2];
        for (index, id) in [7, 2_999_999, 0].into_iter().enumerate() {
            assert!(layout.fits(index, id));
            layout.set(&mut key, index, id);
        }
        let ids: Vec<u32> = (0..3).map(|index| layout.get(&key, index)).collect();
        assert_eq!(ids, [7, 2_999_999, 0]);
        assert_ne!(key, [0; 2]);
    }

    #[test]
    fn growth_ends_with_room_for_every_component() {
        let mut widths = Widths::first(7);
        for count in [600, 9_000, 1_000_000] {
            let counts = vec![count; 7];
            widths = widths.grown(&counts);
            let layout = Layout::<8>::new(&widths);
            assert!((0..7).all(|index| layout.fits(index, count as u32)));
        }
    }
}
