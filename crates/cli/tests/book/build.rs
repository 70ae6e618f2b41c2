//! The book as mdbook makes it: it can be built, has every page, and no broken link.

use super::links::plain;
use super::{pages_in, repository};
use mdbook_driver::MDBook;
use std::fs;
use std::path::{Path, PathBuf};

/// The values of an attribute in a page of HTML.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let parts = html.split(attribute).skip(1);
    parts
        .filter_map(|rest| Some(rest.strip_prefix("=\"")?.split_once('"')?.0))
        .collect()
}

/// The pages of a built book, by their paths in it.
fn html_in(root: &Path, directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            html_in(root, &path, found);
        } else if path.extension().is_some_and(|end| end == "html") {
            found.push(path.strip_prefix(root).expect("below").to_owned());
        }
    }
}

#[test]
fn the_book_is_built_without_broken_links() {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book-as-html");
    if built.exists() {
        fs::remove_dir_all(&built).expect("an old book goes");
    }
    let mut book = MDBook::load(repository()).expect("book.toml and docs/SUMMARY.md");
    book.config.build.build_dir = built.clone();
    book.build().expect("a book");

    let mut pages = Vec::new();
    html_in(&built, &built, &mut pages);
    for source in pages_in("docs") {
        let name = source.trim_start_matches("docs/").trim_end_matches(".md");
        let page = PathBuf::from(format!("{name}.html"));
        let listed = pages.contains(&page) || name == "SUMMARY";
        assert!(listed, "{source} is not in docs/SUMMARY.md");
    }

    let mut broken = Vec::new();
    let mut seen = 0;
    for page in &pages {
        let html = fs::read_to_string(built.join(page)).expect("a page");
        let links = values(&html, " href")
            .into_iter()
            .chain(values(&html, " src"));
        for link in links.filter(|link| !link.contains(':')) {
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            // The book is made in `book`, so that links to files of the repository go there as well.
            let here = Path::new("book").join(page);
            let target = match file {
                "" => here,
                file => plain(&here.parent().expect("a directory").join(file)),
            };
            let target = match target.strip_prefix("book") {
                Ok(inside) => built.join(inside),
                Err(_) => repository().join(target),
            };
            let has_anchor = || {
                let html = fs::read_to_string(&target).unwrap_or_default();
                values(&html, " id").contains(&anchor)
            };
            if !target.exists() || !(anchor.is_empty() || has_anchor()) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(seen > 500, "only {seen} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
