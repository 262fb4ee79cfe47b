//! Pages in HTML: a file each, which loads nothing from elsewhere.

use kalah::printable::printable_lines;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

/// The text of a page. `style` is its style sheet beside that of all pages, `page.css`, which has their
/// colours and tables.
pub fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    printable_lines(&page.into_string()).into_owned()
}

/// A table of a class, which may be empty. All columns after the first `names` are numbers. Without a header the first
/// column names the rows.
pub fn table<C: Render>(
    class: &str,
    header: &[impl Render],
    names: usize,
    rows: impl IntoIterator<Item = Vec<C>>,
) -> Markup {
    let number = |column: usize| (column >= names).then_some("number");
    html! {
        div.wide {
            table class=[Some(class).filter(|class| !class.is_empty())] {
                @if !header.is_empty() {
                    thead {
                        tr { @for (column, cell) in header.iter().enumerate() { th class=[number(column)] { (cell) } } }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.into_iter().enumerate() {
                                @if column == 0 && header.is_empty() {
                                    th { (cell) }
                                } @else {
                                    td class=[number(column)] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
