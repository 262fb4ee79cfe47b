//! What commands print: tables for people and JSON for programs.

use kalah_command::output::json_line;
use kalah_command::table::table;
use serde::Serialize;

fn column(cells: &[&str]) -> Vec<String> {
    let rows = cells.iter().map(|&cell| ["name".to_owned(), cell.to_owned()]);
    let text = table(["", "number"], 1, rows).to_string();
    let cells = text.lines().skip(2).filter_map(|line| line.split('|').nth(2));
    cells.map(str::to_owned).collect()
}

#[test]
fn numbers_are_aligned_by_their_decimal_points() {
    let cells = column(&["-12.3 %", "1,234", "-", "", "+0.25 %", "x 7"]);
    let aligned = [
        "   -12.3 %  ",
        " 1,234      ",
        "     -      ",
        "            ",
        "    +0.25 % ",
        "   x 7      ",
    ];
    assert_eq!(cells, aligned);
}

#[test]
fn other_cells_stay_right_aligned() {
    assert_eq!(column(&["[-3, 12]", "4 to 24", "7"]), [" [-3, 12] ", "  4 to 24 ", "        7 "]);
    assert_eq!(column(&["5", "1000"]), ["      5 ", "   1000 "]);
}

#[test]
fn a_document_is_one_line_that_nothing_obeys() -> anyhow::Result<()> {
    #[derive(Serialize)]
    struct Content {
        text: &'static str,
    }
    let line = json_line("kalah-test", &Content { text: "a\n\u{1b}\u{202e}" })?;
    let expected = r#"{"format":"kalah-test","version":1,"text":"a\n\u001b\u202e"}"#;
    assert_eq!(line.trim_end(), expected);
    assert_eq!(line.matches('\n').count(), 1);
    Ok(())
}
