//! Files with pictures: the report as a page, the execution as a graph.

use crate::arguments::heading;
use crate::inputs::Complaint;
use crate::proof::room_for;
use crate::view::view;
use answer::ModelResult;
use clap::Args;
use program::Program;
use report::{Refined, Report, Section, View};
use std::path::{Path, PathBuf};

/// Which pictures are written, and where.
#[derive(Clone, Debug, Default, Args)]
pub struct PictureOptions {
    /// Write the report as a page to this file: executions to step through, with the source
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    html: Option<PathBuf>,

    /// Write the execution as a graph for Graphviz to this file
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    dot: Option<PathBuf>,

    /// Write the execution as a picture (SVG) to this file
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    svg: Option<PathBuf>,
}

impl PictureOptions {
    /// Complains early: about more than one program, and about files that cannot be there.
    pub fn check(&self, programs: usize) -> Result<(), Complaint> {
        let named = [
            ("--html", &self.html),
            ("--dot", &self.dot),
            ("--svg", &self.svg),
        ];
        match named.iter().find(|(_, path)| path.is_some()) {
            Some((option, _)) if programs > 1 => {
                Err(Complaint::Plain(format!("{option} takes one program")))
            }
            _ => self.check_room(),
        }
    }

    /// Complains early about files that cannot be there.
    pub fn check_room(&self) -> Result<(), Complaint> {
        let paths = [&self.html, &self.dot, &self.svg];
        paths
            .into_iter()
            .flatten()
            .try_for_each(|path| room_for(path))
    }

    /// Writes the pictures of a report, and says where they are.
    pub fn write(&self, report: &Report, say: &dyn Fn(&str)) {
        if let Some(path) = &self.html {
            write(path, &report::html_text(report), "the report", say);
        }
        let result = report.results.iter().find(|r| r.execution.is_some());
        match result {
            Some(result) => self.write_graphs(report.program, result, report.view, say),
            None => self.no_graphs(),
        }
    }

    fn write_graphs(
        &self,
        program: &Program,
        result: &ModelResult,
        view: &View,
        say: &dyn Fn(&str),
    ) {
        let what = format!("the execution under {}", result.model);
        if let (Some(path), Some(text)) = (&self.dot, report::dot_text(program, result, view)) {
            write(path, &text, &what, say);
        }
        if let (Some(path), Some(text)) = (&self.svg, report::svg_text(program, result, view)) {
            write(path, &text, &what, say);
        }
    }

    fn no_graphs(&self) {
        for path in [&self.dot, &self.svg].into_iter().flatten() {
            let path = path.display();
            tell!("fencepost: {path} is not written: there is no execution to draw");
        }
    }
}

/// The pictures of the clients of a data type, while they are looked at.
#[derive(Default)]
pub struct Drawing {
    sections: Vec<Section>,
    /// The graphs are written: those of the first execution.
    has_graphs: bool,
}

impl Drawing {
    /// Adds what a client came to.
    pub fn add(&mut self, options: &PictureOptions, refined: &Refined, say: &dyn Fn(&str)) {
        if options.html.is_some() {
            let section = report::refined_section(refined, self.sections.len(), &view());
            self.sections.push(section);
        }
        let result = refined.shown_result();
        if result.execution.is_some() && !self.has_graphs {
            self.has_graphs = true;
            options.write_graphs(refined.program, &result, &view(), say);
        }
    }

    /// Writes the page, and says what there is not.
    pub fn finish(&self, options: &PictureOptions, file: &str, say: &dyn Fn(&str)) {
        if let Some(path) = &options.html {
            let page = report::refined_html(file, &self.sections);
            write(path, &page, "the report", say);
        }
        if !self.has_graphs {
            options.no_graphs();
        }
    }
}

/// Writes a file, and says where it is. Ends the command if that is not possible.
fn write(path: &Path, text: &str, what: &str, say: &dyn Fn(&str)) {
    if let Err(error) = std::fs::write(path, text) {
        tell!("fencepost: cannot write {}: {error}", path.display());
        std::process::exit(2);
    }
    say(&format!("{what} is in {}\n", path.display()));
}
