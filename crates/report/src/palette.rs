//! The colours of pictures, light and dark, by the names that style sheets call them: `var(--paper)`.

/// Name, in the light, in the dark.
const COLORS: &[(&str, &str, &str)] = &[
    ("paper", "#ffffff", "#14171c"),
    ("raised", "#f5f6f8", "#1c2027"),
    ("sunken", "#eaedf1", "#262c36"),
    ("line", "#cfd4dc", "#3a4250"),
    ("ink", "#1b1f27", "#e7eaf0"),
    ("soft", "#566070", "#a3acbb"),
    ("accent", "#2456c9", "#8ab0ff"),
    ("good", "#17703a", "#6fd492"),
    ("good-back", "#e2f5e8", "#14321f"),
    ("bad", "#b3132e", "#ff8b9b"),
    ("bad-back", "#fdeaed", "#421820"),
    ("open", "#845400", "#f2c45f"),
    ("open-back", "#fff3d6", "#3a2c0c"),
    ("po", "#7a8291", "#8b93a3"),
    ("rf", "#1d7f3c", "#62c983"),
    ("co", "#2a62d0", "#7ba7ff"),
    ("fr", "#c2540a", "#f59a57"),
    ("cycle", "#d6183f", "#ff5c7a"),
    ("t0", "#0b6e82", "#66d9e8"),
    ("t1", "#9c36b5", "#da9bef"),
    ("t2", "#945300", "#f0b866"),
    ("t3", "#287f38", "#8ce99a"),
    ("t4", "#3b5bdb", "#91a7ff"),
    ("t5", "#c2255c", "#faa2c1"),
];

/// The colours as variables of a page; `data-theme` of its root may choose one kind.
pub(crate) fn variables() -> String {
    let list = |color: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let declarations = COLORS.iter();
        let declarations = declarations.map(|entry| format!("--{}:{};", entry.0, color(entry)));
        declarations.collect::<String>()
    };
    let (light, dark) = (list(|entry| entry.1), list(|entry| entry.2));
    format!(
        ":root{{color-scheme:light;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n\
         :root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
    )
}

/// A style sheet with the colours in the place of their names, for viewers of pictures that know no variables.
pub(crate) fn resolved(style: &str) -> String {
    let with = |color: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let colors = COLORS.iter();
        colors.fold(style.to_owned(), |style, entry| {
            style.replace(&format!("var(--{})", entry.0), color(entry))
        })
    };
    let (light, dark) = (with(|entry| entry.1), with(|entry| entry.2));
    format!("{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n")
}
