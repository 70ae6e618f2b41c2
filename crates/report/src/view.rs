//! How reports are shown: where they have to fit, and how much of them.

/// How a report is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Characters in a line.
    pub width: usize,
    /// With colours.
    pub color: bool,
    /// Every step of an execution, also those that do not matter.
    pub full: bool,
    /// The command that shows the same again.
    pub replay: Option<String>,
}

impl Default for View {
    fn default() -> Self {
        View {
            width: 100,
            color: false,
            full: false,
            replay: None,
        }
    }
}
