//! Load buffers, oldest message first, and their order.

use crate::automaton::{Location, Value};

/// A message of a load buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Message {
    /// Of this location.
    pub location: Location,
    /// Its value, then.
    pub value: Value,
    /// The thread itself wrote it.
    pub own: bool,
}

impl Message {
    pub(super) fn plain(location: Location, value: Value) -> Self {
        Message {
            location,
            value,
            own: false,
        }
    }

    pub(super) fn own(location: Location, value: Value) -> Self {
        Message {
            location,
            value,
            own: true,
        }
    }
}

/// The own messages of a buffer.
pub(super) fn own_messages(buffer: &[Message]) -> impl Iterator<Item = Message> + '_ {
    buffer.iter().copied().filter(|message| message.own)
}

/// What the thread last wrote to a location, if the message is still there.
pub(super) fn own_value(buffer: &[Message], location: Location) -> Option<Value> {
    let mut own = own_messages(buffer);
    let found = own.find(|message| message.location == location);
    found.map(|message| message.value)
}

/// The order ≤: true if a suffix of `large` has the own messages of `small`, and between them its plain messages as
/// subwords.
///
/// Both are read from the tail. A plain message of `small` is found in the same segment of `large`, as late as possible; the next own
/// message of `large` must be the next of `small`.
pub(super) fn is_below(small: &[Message], large: &[Message]) -> bool {
    let mut rest = large.iter().rev();
    small.iter().rev().all(|message| {
        let found = rest.find(|other| *other == message || other.own);
        found == Some(message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x1` is a plain message, `X1` an own one.
    fn buffer(text: &str) -> Vec<Message> {
        let words = text.split_whitespace();
        let message = |word: &str| {
            let (name, value) = word.split_at(1);
            let lower = name.to_lowercase();
            Message {
                location: Location(u16::from(lower.as_bytes()[0] - b'a')),
                value: Value(value.parse().expect("a number")),
                own: name != lower,
            }
        };
        words.map(message).collect()
    }

    fn below(small: &str, large: &str) -> bool {
        is_below(&buffer(small), &buffer(large))
    }

    #[test]
    fn plain_messages_are_subwords_between_own_ones() {
        assert!(below("", ""));
        assert!(below("", "X1 y2"));
        assert!(below("y1", "x1 y1 x2"));
        assert!(!below("y1 x1", "x1 y1"));
        assert!(below("X1 y1", "y2 X1 x2 y1"));
        assert!(!below("y1 X1", "X1 y1"));
        assert!(!below("X1", "Y1"));
        assert!(!below("y1", "y1 X1"));
        assert!(!below("X1", "X1 Y1"));
        assert!(below("Y1", "X1 Y1"));
        assert!(!below("x1 Y1", "x1 Z1 Y1"));
        assert!(below("x1 Y1", "Z1 x1 Y1"));
    }

    /// The order as it is defined, for all short buffers.
    #[test]
    fn the_order_is_its_definition() {
        fn segments(buffer: &[Message]) -> Vec<Vec<Message>> {
            let cut = buffer.split(|message| message.own);
            cut.map(<[Message]>::to_vec).collect()
        }
        fn subword(small: &[Message], large: &[Message]) -> bool {
            let mut large = large.iter();
            small
                .iter()
                .all(|message| large.any(|other| other == message))
        }
        fn defined(small: &[Message], large: &[Message]) -> bool {
            (0..=large.len()).any(|start| {
                let suffix = &large[start..];
                let own = own_messages(small).eq(own_messages(suffix));
                let pairs = || segments(small).into_iter().zip(segments(suffix));
                own && pairs().all(|(small, large)| subword(&small, &large))
            })
        }
        let letters = buffer("a0 a1 b0 A0 A1 B0");
        let mut words: Vec<Vec<Message>> = vec![Vec::new()];
        for start in 0.. {
            let Some(word) = words.get(start).filter(|word| word.len() < 4).cloned() else {
                break;
            };
            words.extend(letters.iter().map(|letter| {
                let mut longer = word.clone();
                longer.push(*letter);
                longer
            }));
        }
        assert_eq!(words.len(), 1555);
        for small in words.iter().filter(|word| word.len() <= 3) {
            for large in &words {
                assert_eq!(is_below(small, large), defined(small, large));
            }
        }
    }
}
