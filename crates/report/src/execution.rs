//! An execution as a table: a row per thing that a thread did at one place, with the line, and what memory becomes.
//!
//! Each thread that does something has a column if that fits; otherwise there is one column, with the names of the threads. What does not
//! matter is folded ([`fold`](crate::fold)).

use crate::explanation::Explanation;
use crate::fold::{Focus, Shown, fold};
use crate::frames::Frames;
use crate::measures::count;
use crate::rows::{Row, cut, rows};
use crate::sites::thread_name;
use crate::table::{Align, Column, Table};
use crate::view::View;
use crate::wrap::{UNBROKEN, lines};
use anstyle::{AnsiColor, Style};
use answer::{Execution, ModelResult};
use program::{Program, ThreadId};

/// Narrower columns for threads are not readable.
const NARROWEST: usize = 26;
/// Wider ones have too much space in them.
const WIDEST: usize = 48;
/// Room for what memory becomes.
const MEMORY: usize = 24;
/// Room for source text beside what happened.
const SOURCE: usize = 40;

/// The line above an execution. One that was not replayed comes from the solver.
pub fn caption(what: &str, execution: &Execution) -> String {
    if execution.replayed {
        format!("\n{what}:\n\n")
    } else {
        format!("\n{what}, in memory order (not replayed on a machine):\n\n")
    }
}

/// The execution. `started` names the threads beyond those of the
/// program, as in [`ModelResult::started`](answer::ModelResult::started).
pub fn execution_text(
    program: &Program,
    started: &[String],
    execution: &Execution,
    view: &View,
) -> String {
    focused_text(program, started, execution, &Focus::end(execution), view)
}

/// The execution of a result, with what matters for its violation.
pub(crate) fn explained_execution(
    program: &Program,
    result: &ModelResult,
    explanation: Option<&Explanation>,
    execution: &Execution,
    view: &View,
) -> String {
    let focus = match (&result.violation, explanation) {
        (Some(violation), Some(explanation)) => Focus::of(violation, explanation, execution),
        _ => Focus::end(execution),
    };
    focused_text(program, &result.started, execution, &focus, view)
}

fn focused_text(
    program: &Program,
    started: &[String],
    execution: &Execution,
    focus: &Focus,
    view: &View,
) -> String {
    let frames = Frames::new(program);
    let rows = rows(program, &frames, execution, view.full);
    if rows.is_empty() && execution.repeats_from.is_none() {
        return "  (no steps)\n".to_owned();
    }
    let (shown, folded) = if view.full {
        ((0..rows.len()).map(Shown::Row).collect(), 0)
    } else {
        fold(program, execution, &rows, focus)
    };
    let drawing = Drawing {
        program,
        started,
        execution,
        rows: &rows,
        shown: &shown,
        focus,
        view,
        threads: threads(program, &rows, &shown),
    };
    let mut text = drawing.draw();
    let is_told = shown.iter().any(|shown| matches!(shown, Shown::Gap(..)));
    if folded > 0 && !is_told {
        let rows = count(folded as u64, "row");
        let (are, matter) = if folded == 1 {
            ("is", "matters")
        } else {
            ("are", "matter")
        };
        text += &format!("  {rows} that hardly {matter} {are} folded (--full shows all)\n");
    }
    text
}

/// The threads that have a column: those of a test, and those of a C program that a row is shown of.
fn threads(program: &Program, rows: &[Row], shown: &[Shown]) -> Vec<ThreadId> {
    let own = (0..program.threads.len()).map(ThreadId::from);
    let own = own.filter(|_| !program.process);
    let acting = shown.iter().filter_map(|shown| match shown {
        Shown::Row(index) => Some(rows[*index].thread),
        Shown::Gap(..) => None,
    });
    let mut threads: Vec<ThreadId> = own.chain(acting).collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

struct Drawing<'a> {
    program: &'a Program,
    started: &'a [String],
    execution: &'a Execution,
    rows: &'a [Row],
    shown: &'a [Shown],
    focus: &'a Focus,
    view: &'a View,
    threads: Vec<ThreadId>,
}

impl Drawing<'_> {
    fn draw(&self) -> String {
        match self.column_width() {
            Some(width) => self.columns(width),
            None => self.one_column(),
        }
    }

    fn name(&self, thread: ThreadId) -> String {
        thread_name(self.program, self.started, thread)
    }

    fn shown_rows(&self) -> impl Iterator<Item = &Row> {
        self.shown.iter().filter_map(|shown| match shown {
            Shown::Row(index) => Some(&self.rows[*index]),
            Shown::Gap(..) => None,
        })
    }

    /// The width of a thread's column, if all fit beside each other.
    fn column_width(&self) -> Option<usize> {
        let memory = self.shown_rows().map(|row| memory(row).chars().count());
        let memory = memory.chain(["memory".len()]).max().unwrap_or(0);
        let number = self.rows.len().to_string().len();
        let bars = 3 * self.threads.len();
        let left = self
            .view
            .width
            .checked_sub(2 + number + 2 + memory + bars)?;
        let width = left / self.threads.len().max(1);
        (width >= NARROWEST).then_some(width.min(WIDEST))
    }

    /// A column for each thread.
    fn columns(&self, width: usize) -> String {
        let threads = self.threads.len();
        let mut columns = vec![Column::new(Align::Right), Column::new(Align::Left)];
        columns.resize(1 + threads, Column::behind_bar(Align::Left));
        columns.push(Column::behind_bar(Align::Left));
        let mut table = Table::new(columns);
        let names = self
            .threads
            .iter()
            .map(|thread| vec![cut(&self.name(*thread), width)]);
        let header = [Vec::new()].into_iter().chain(names);
        let styles = self.threads.iter().map(|thread| self.style(*thread).bold());
        let styles = [Style::new()].into_iter().chain(styles);
        table.styled_row(
            header.chain([vec!["memory".to_owned()]]),
            styles.chain([Style::new()]),
        );
        table.rule("");
        self.fill(&mut table, |number, row| {
            let column = self.threads.iter().position(|thread| *thread == row.thread);
            let column = column.unwrap_or(0) + 1;
            let mut cells = vec![Vec::new(); threads + 2];
            cells[0] = vec![number.to_string()];
            cells[column] = self.cell(row, width, width);
            cells[1 + threads] = vec![memory(row)];
            let mut styles = vec![Style::new(); threads + 2];
            styles[column] = self.row_style(row);
            (cells, styles)
        });
        self.render(&table)
    }

    /// One column, with the names of the threads.
    fn one_column(&self) -> String {
        let mut table = Table::new(vec![
            Column::new(Align::Right),
            Column::new(Align::Left),
            Column::behind_bar(Align::Left),
        ]);
        let names = self
            .threads
            .iter()
            .map(|thread| self.name(*thread).chars().count());
        let number = self.rows.len().to_string().len();
        let names = names.max().unwrap_or(0).min(self.view.width / 3);
        let width = self
            .view
            .width
            .saturating_sub(2 + number + 2 + names + 3)
            .max(NARROWEST);
        self.fill(&mut table, |number, row| {
            let name = cut(&self.name(row.thread), names);
            let cells = vec![
                vec![number.to_string()],
                vec![name],
                self.cell(row, width, SOURCE.min(width)),
            ];
            let styles = vec![Style::new(), self.style(row.thread), self.row_style(row)];
            (cells, styles)
        });
        self.render(&table)
    }

    /// Adds what is shown to a table.
    fn fill(
        &self,
        table: &mut Table,
        cells: impl Fn(usize, &Row) -> (Vec<Vec<String>>, Vec<Style>),
    ) {
        let mut loop_start = self.execution.repeats_from;
        let mut how = " (--full shows all)";
        for shown in self.shown {
            match shown {
                Shown::Row(index) => {
                    let row = &self.rows[*index];
                    if loop_start.is_some_and(|start| row.steps[0] >= start) {
                        table.rule("repeats for ever from here");
                        loop_start = None;
                    }
                    let (cells, styles) = cells(index + 1, row);
                    table.styled_row(cells, styles);
                }
                Shown::Gap(rows, threads) => {
                    let names: Vec<String> = threads.iter().map(|t| self.short_name(*t)).collect();
                    let rows = count(*rows as u64, "row");
                    let how = std::mem::take(&mut how);
                    table.rule(&format!("{rows} of {}{how}", names.join(", ")));
                }
            }
        }
        if loop_start.is_some() {
            table.rule("repeats for ever from here, with nothing to show");
        }
    }

    fn render(&self, table: &Table) -> String {
        if self.view.color {
            table.render_styled()
        } else {
            table.render()
        }
    }

    /// The name without the function in it.
    fn short_name(&self, thread: ThreadId) -> String {
        let name = self.name(thread);
        name.split(" (").next().unwrap_or(&name).to_owned()
    }

    /// Line, source and effect, on one line if they fit and on more if not.
    fn cell(&self, row: &Row, width: usize, source: usize) -> Vec<String> {
        let effect = row.effect();
        if row.source.is_empty() && row.line.is_empty() {
            return lines(&effect, width, "");
        }
        if row.source.is_empty() {
            return lines(&effect, width, "  ");
        }
        // The lines of a test are short, and say themselves which they are.
        let line = match self.program.process {
            true if !row.line.is_empty() => format!("{}: ", row.line),
            _ => String::new(),
        };
        let one = format!("{line}{}  {effect}", row.source);
        if one.chars().count() <= width && row.source.chars().count() <= source {
            return vec![one.replace(UNBROKEN, " ")];
        }
        let most = source.saturating_sub(line.chars().count());
        let text = format!("{line}{}", cut(&row.source, most));
        let one = format!("{text}  {effect}");
        // Source that was cut to be beside its effect, rather than above it.
        if source < width && one.chars().count() <= width {
            return vec![one.replace(UNBROKEN, " ")];
        }
        let mut cell = vec![text];
        let effect = lines(&effect, width.saturating_sub(2), "");
        cell.extend(effect.into_iter().map(|line| format!("  {line}")));
        cell
    }

    /// A colour for each thread; the main thread of a program has none.
    fn style(&self, thread: ThreadId) -> Style {
        const COLORS: [AnsiColor; 5] = [
            AnsiColor::Cyan,
            AnsiColor::Magenta,
            AnsiColor::Yellow,
            AnsiColor::Green,
            AnsiColor::Blue,
        ];
        match thread
            .index()
            .checked_sub(usize::from(self.program.process))
        {
            None => Style::new(),
            Some(index) => COLORS[index % COLORS.len()].on_default(),
        }
    }

    /// What matters stands out.
    fn row_style(&self, row: &Row) -> Style {
        let style = self.style(row.thread);
        if self.focus.has(row) {
            style.bold()
        } else {
            style
        }
    }
}

/// What a row changes in memory.
fn memory(row: &Row) -> String {
    cut(&row.memory.join(", "), MEMORY)
}
