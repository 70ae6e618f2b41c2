//! What the code of a generated test may use: its locations, and where addresses point.

use crate::instruction::Language;
use crate::random::Random;
use crate::test::{Initial, Location};
use frontend::vocabulary;

/// The locations of a test, before its code is there.
pub struct Setting {
    pub locations: Vec<Location>,
    /// The location whose address registers hold at the start; others of its width and
    /// number of cells may take its place.
    pub pointed: Option<Location>,
    /// The location that holds an address, if there is one.
    pub pointer: Option<String>,
    /// Threads share one text, and each has a location `z(i)` of 32 bits of its own.
    pub own: bool,
}

impl Setting {
    /// Locations at random: `x` and `y` of any width, most often 32 bits; a byte `b`, an array
    /// `a` and a pointer `q` now and then.
    pub fn new(random: &mut Random, language: Language, threads: usize, shared: bool) -> Self {
        let width = |random: &mut Random| *random.pick(&[32, 32, 32, 32, 32, 64, 64, 16, 8]);
        let mut locations = Vec::new();
        let first = width(random);
        let second = if random.one_in(3) {
            width(random)
        } else {
            first
        };
        locations.push(location(random, "x", first, None));
        locations.push(location(random, "y", second, None));
        if random.one_in(3) {
            locations.push(location(random, "b", 8, None));
        }
        if random.one_in(3) {
            let bits = width(random);
            locations.push(location(random, "a", bits, Some(2)));
        }
        let own = shared && random.one_in(2);
        if own {
            for thread in 0..threads {
                let mut each = location(random, "z", 32, None);
                each.name = format!("z{thread}");
                locations.push(each);
            }
        }
        let mut pointed = None;
        let mut pointer = None;
        if random.one_in(3) {
            let arrays = locations.iter().filter(|l| l.cells.is_some());
            let candidates: Vec<&Location> = arrays.chain(&locations[..2]).collect();
            let chosen = (*random.pick(&candidates)).clone();
            if random.one_in(2) {
                pointer = Some("q".to_owned());
                locations.push(Location {
                    name: "q".to_owned(),
                    bits: 64,
                    cells: None,
                    initial: vec![Initial::Address(chosen.name.clone())],
                    type_: match language {
                        Language::X86 => random.pick(&[Some("int *"), None]).map(str::to_owned),
                        Language::Sparc => Some("uintptr_t".to_owned()),
                    },
                });
            }
            pointed = Some(chosen);
        }
        Setting {
            locations,
            pointed,
            pointer,
            own,
        }
    }

    /// A location for data.
    pub fn data(&self, random: &mut Random) -> Location {
        let is_data = |l: &&Location| Some(&l.name) != self.pointer.as_ref() && !is_own(l);
        let data: Vec<&Location> = self.locations.iter().filter(is_data).collect();
        if self.own && random.one_in(3) {
            let own = self.locations.iter().find(|l| is_own(l)).cloned();
            if let Some(mut own) = own {
                own.name = "z(i)".to_owned();
                return own;
            }
        }
        // Threads meet most often at `x` and `y`.
        match random.one_in(3) {
            true => (*random.pick(&data)).clone(),
            false => data[random.below(2)].clone(),
        }
    }

    /// Locations for data of a width that are no arrays.
    pub fn of_width(&self, bits: u32) -> Vec<&Location> {
        let fits = |l: &&Location| {
            l.bits == bits
                && l.cells.is_none()
                && Some(&l.name) != self.pointer.as_ref()
                && !is_own(l)
        };
        self.locations.iter().filter(fits).collect()
    }

    /// Names of locations that a pointer to `pointed` may point to as well.
    pub fn targets(&self, pointed: &Location) -> Vec<String> {
        let alike = |l: &&Location| {
            l.bits == pointed.bits
                && l.cells == pointed.cells
                && Some(&l.name) != self.pointer.as_ref()
                && !is_own(l)
        };
        let names = self.locations.iter().filter(alike);
        names.map(|location| location.name.clone()).collect()
    }
}

/// One of the locations that each thread has to itself.
fn is_own(location: &Location) -> bool {
    location.name.starts_with('z')
}

fn location(random: &mut Random, name: &str, bits: u32, cells: Option<usize>) -> Location {
    let mut initial = Vec::new();
    if random.one_in(3) {
        for _ in 0..cells.unwrap_or(1) {
            initial.push(Initial::Number(random.below(3) as i128));
        }
    }
    let named = vocabulary::types().into_iter();
    let mut types: Vec<String> = named
        .filter(|(_, width)| *width == bits)
        .map(|(name, _)| name.to_owned())
        .collect();
    types.extend(match bits {
        8 => Some("unsigned char".to_owned()),
        16 => Some("unsigned short".to_owned()),
        64 => Some("unsigned long".to_owned()),
        _ => None,
    });
    let mut type_ = random.pick(&types).clone();
    if random.one_in(6) {
        let qualifier = random.pick(&["volatile", "const", "_Atomic"]);
        type_ = format!("{qualifier} {type_}");
    }
    Location {
        name: name.to_owned(),
        bits,
        cells,
        initial,
        type_: Some(type_),
    }
}
