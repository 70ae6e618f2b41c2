//! Tables of text. Widths count characters.

use anstyle::Style;

/// How the cells of a column stand.
#[derive(Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
    Center,
}

/// A column.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub align: Align,
    /// A bar separates it from the column before it.
    pub bar: bool,
}

enum Row {
    /// Cells, each of one or more lines and with a style; without styles, none has one.
    Cells(Vec<Vec<String>>, Vec<Style>),
    /// A line across, with a text in it.
    Rule(String),
}

/// A table; short rows are filled up with empty cells.
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Column {
    pub fn new(align: Align) -> Self {
        let bar = false;
        Column { align, bar }
    }

    pub fn behind_bar(align: Align) -> Self {
        let bar = true;
        Column { align, bar }
    }

    fn gap(self) -> &'static str {
        if self.bar { " │ " } else { "  " }
    }
}

impl Table {
    pub fn new(columns: Vec<Column>) -> Self {
        let rows = Vec::new();
        Table { columns, rows }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.tall_row(cells.into_iter().map(|cell| vec![cell]));
    }

    /// A row whose cells may have several lines.
    pub fn tall_row(&mut self, cells: impl IntoIterator<Item = Vec<String>>) {
        self.styled_row(cells, []);
    }

    /// A row whose cells have styles, which [`Table::render_styled`] shows.
    pub fn styled_row(
        &mut self,
        cells: impl IntoIterator<Item = Vec<String>>,
        styles: impl IntoIterator<Item = Style>,
    ) {
        let mut cells: Vec<Vec<String>> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Vec::new());
        self.rows
            .push(Row::Cells(cells, styles.into_iter().collect()));
    }

    pub fn rule(&mut self, text: &str) {
        self.rows.push(Row::Rule(text.to_owned()));
    }

    /// The lines of the table, without space at their ends.
    pub fn render(&self) -> String {
        self.render_as(false)
    }

    /// The same with the styles of its cells.
    pub fn render_styled(&self) -> String {
        self.render_as(true)
    }

    fn render_as(&self, styled: bool) -> String {
        let widths: Vec<usize> = (0..self.columns.len()).map(|c| self.width(c)).collect();
        let mut text = String::new();
        for row in &self.rows {
            match row {
                Row::Rule(label) => push_line(&mut text, &self.rule_line(&widths, label)),
                Row::Cells(cells, styles) => {
                    let styles = if styled { styles.as_slice() } else { &[] };
                    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
                    for line in 0..height {
                        push_line(&mut text, &self.cells_line(&widths, cells, styles, line));
                    }
                }
            }
        }
        text
    }

    fn width(&self, column: usize) -> usize {
        let rows = self.rows.iter().filter_map(|row| match row {
            Row::Cells(cells, _) => Some(&cells[column]),
            Row::Rule(_) => None,
        });
        let lines = rows.flatten().map(|line| line.chars().count());
        lines.max().unwrap_or(0)
    }

    fn cells_line(
        &self,
        widths: &[usize],
        cells: &[Vec<String>],
        styles: &[Style],
        line: usize,
    ) -> String {
        let mut text = String::new();
        for (index, ((column, width), cell)) in
            self.columns.iter().zip(widths).zip(cells).enumerate()
        {
            let cell = cell.get(line).map_or("", String::as_str);
            text += column.gap();
            let free = width.saturating_sub(cell.chars().count());
            let before = match column.align {
                Align::Left => 0,
                Align::Right => free,
                Align::Center => free / 2,
            };
            text += &" ".repeat(before);
            match styles
                .get(index)
                .filter(|style| !style.is_plain() && !cell.is_empty())
            {
                Some(style) => text += &format!("{style}{cell}{style:#}"),
                None => text += cell,
            }
            text += &" ".repeat(free - before);
        }
        text
    }

    /// A line across all columns, with crossings at the bars.
    fn rule_line(&self, widths: &[usize], label: &str) -> String {
        let mut line: Vec<char> = Vec::new();
        for (column, width) in self.columns.iter().zip(widths) {
            let gap = if column.bar { "─┼─" } else { "──" };
            line.extend(gap.chars());
            line.extend(std::iter::repeat_n('─', *width));
        }
        for blank in line.iter_mut().take(2) {
            *blank = ' ';
        }
        if label.is_empty() {
            return line.into_iter().collect();
        }
        let label: String = format!("  ── {label} ");
        let rest = line.into_iter().skip(label.chars().count());
        label.chars().chain(rest).collect()
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}
