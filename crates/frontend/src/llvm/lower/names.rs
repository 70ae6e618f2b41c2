//! Names that are distinct.

use std::collections::HashMap;

/// Names given out so far.
#[derive(Default)]
pub(super) struct Names {
    /// Each name, with the number that the next one like it gets.
    taken: HashMap<String, u32>,
}

impl Names {
    /// `wanted`, or something like it if that is taken.
    pub fn unique(&mut self, wanted: &str) -> String {
        let Some(next) = self.taken.get(wanted).copied() else {
            self.taken.insert(wanted.to_owned(), 2);
            return wanted.to_owned();
        };
        let mut number = next;
        let name = loop {
            let name = match wanted.strip_suffix('"') {
                Some(_) => format!("{wanted} ({number})"),
                None => format!("{wanted}_{number}"),
            };
            number += 1;
            if !self.taken.contains_key(&name) {
                break name;
            }
        };
        self.taken.insert(wanted.to_owned(), number);
        self.taken.insert(name.clone(), 2);
        name
    }

    /// A name that users know as `wanted`: with marks that [`program::Function::shown_name`] leaves out.
    pub fn variant(&mut self, wanted: &str) -> String {
        let mut name = format!("{wanted}'");
        while !self.is_free(&name) {
            name.push('\'');
        }
        self.unique(&name)
    }

    /// Whether nothing has this name.
    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains_key(name)
    }
}
