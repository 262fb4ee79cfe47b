//! What fits on a screen.

use kalah_lab::{ScreenTable, ScreenText};

/// Lines of a usual terminal, without that of the next prompt.
const LINES: usize = 23;

fn table(rows: usize, group: usize, keeps_last: bool) -> ScreenTable {
    let rows = (1..=rows).map(|row| [format!("row {row}")]);
    ScreenTable { keeps_last, ..ScreenTable::new(["name"], 1, rows, group) }
}

fn printed(all: bool, tables: Vec<ScreenTable>) -> String {
    let mut screen = ScreenText::new(all);
    for table in tables {
        screen.add_table("caption", table);
    }
    screen.add_text("the end");
    screen.to_string()
}

#[test]
fn a_screen_is_not_exceeded_and_all_is_all() {
    for (first, second) in [(1, 1), (15, 0), (16, 1), (30, 30), (300, 1), (1, 300)] {
        let tables = || vec![table(first, 1, false), table(second, 4, true)];
        let (some, all) = (printed(false, tables()), printed(true, tables()));
        assert!(some.lines().count() <= LINES, "{some}");
        assert_eq!(all.matches("row ").count(), first + second);
        assert_eq!(some == all, all.lines().count() <= LINES);
        let kept = some.matches("| row ").count();
        let note = format!("{} of {} rows are left out", first + second - kept, first + second);
        assert_eq!(some.contains(&note), some != all, "{some}");
        assert!(some.contains("the end\n"));
    }
}

#[test]
fn groups_stay_whole_and_the_last_rows_can_be_kept() {
    let first = printed(false, vec![table(50, 7, false)]);
    assert!(first.contains("row 14 ") && !first.contains("row 15"), "{first}");
    let last = printed(false, vec![table(50, 7, true)]);
    assert!(last.contains("row 37 ") && !last.contains("row 36 "), "{last}");
}
