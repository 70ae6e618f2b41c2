//! How CaDiCaL is set up.

/// Options that differ from CaDiCaL's own defaults.
///
/// Measured, and left as they are because they make no difference to short searches and help
/// long ones a little: `inprocessing`, `stabilize`.
pub const OPTIONS: [(&str, i32); 3] = [
    // Problems here are small and mostly have no model: one way of choosing variables is enough.
    ("stabilizeonly", 1),
    // Literals stay on the trail in the order of their levels, as the theory sees them.
    ("chrono", 0),
    // Models that are found by luck do not have the preferred values.
    ("lucky", 0),
];
