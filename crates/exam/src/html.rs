//! The results of an exam as a page in HTML: one file, without scripts.

use kalah::printable::counted;
use kalah_charts::page::{board_picture, table};
use kalah_charts::{Chart, Panel, Point, Series, SeriesStyle, short_name};
use kalah_command::table::signed;
use kalah_records::commands::percent;
use maud::{Markup, PreEscaped, html};

use crate::exam_json::ExamJson;
use crate::text::{
    GROUP_COLUMNS, comparison, comparison_title, figures, group_name, level_row, like_level,
    percent_interval, rating, seeds_interval, theme_note,
};
use crate::{Answer, Group, PositionSet};

/// The costliest answers that are shown.
const MAX_MISTAKES: usize = 9;

pub(crate) fn page(results: &ExamJson, set: &PositionSet) -> String {
    let title = format!("Exam: {}", results.player.name);
    let positions = &results.positions;
    let body = html! {
        header {
            h1 { (title) }
            p.note { (summary(results)) }
        }
        (verdict(results))
        div.two {
            section {
                h2 { "In figures" }
                (table("figures", &[""; 0], 2, figures(results).into_iter().map(|(name, value)| {
                    vec![name.to_owned(), value]
                })))
                @for left in &positions.left_out {
                    p.note {
                        "Left out: " (counted(left.positions, "position")) " under " (left.rules) " rules: " (left.reason)
                    }
                }
            }
            section {
                h2 { "Beside others" }
                (others(results))
            }
        }
        h2 { "By phase" }
        figure { (PreEscaped(phases_chart(results).svg())) }
        (groups("phase", &positions.phases))
        h2 { "By theme" }
        (groups("theme", &positions.themes))
        h2 { "By board" }
        (groups("board", &positions.boards))
        @if let Some(games) = &results.games {
            h2 { "Games" }
            (table("", &["opponent", "rating", "won", "drawn", "lost"], 1, games.levels.iter().map(|level| level_row(level).to_vec())))
            p.note {
                "Pairs of games of Kalah(6,4) from fair starts, one with each side, against the level nearest to what was "
                "known so far. Ratings of levels have a standard error of about 25."
            }
        }
        (mistakes(results, set))
        h2 { "How it was measured" }
        (method(results))
    };
    kalah_charts::page::page(&title, include_str!("exam.css"), &body)
}

fn summary(results: &ExamJson) -> String {
    let player = &results.player;
    let id = if player.id.is_empty() { String::new() } else { format!("{}, ", player.id) };
    let (limits, version) = (&player.limits, env!("CARGO_PKG_VERSION"));
    format!("{id}{limits}; examined by kalah {version} in {:.0} s", results.seconds)
}

/// The three figures that count.
fn verdict(results: &ExamJson) -> Markup {
    let total = &results.positions.total;
    let faults = results.positions.faults.total();
    html! {
        div.verdict {
            div {
                b { (format!("{:.2}", total.regret.value)) }
                span { "seeds given away a move" }
                small { "95 %: " (seeds_interval(&total.regret)) "; random moves " (format!("{:.2}", total.random_regret)) }
            }
            div {
                b { (percent(total.best.value)) }
                span { "best moves" }
                small { "95 %: " (percent_interval(&total.best)) "; " (counted(total.positions, "position")) }
            }
            @if let Some(games) = &results.games {
                div {
                    b { (format!("{:.0}", games.rating.value)) }
                    span { (like_level(games.rating.value)) }
                    small { "95 %: " (format!("[{:.0}, {:.0}]", games.rating.low, games.rating.high)) "; " (counted(games.games, "game")) }
                }
            }
            @if faults > 0 {
                div.bad {
                    b { (faults) }
                    span { "answers that were no move in time" }
                    small { "each counts as the worst move" }
                }
            }
        }
    }
}

fn others(results: &ExamJson) -> Markup {
    let rows = comparison(results).into_iter().map(|(row, is_player)| {
        let cell = |text: String| {
            html! { @if is_player { strong { (text) } } @else { (text) } }
        };
        row.into_iter().map(cell).collect()
    });
    let title = comparison_title(results);
    table("others", &[title.as_str(), "regret", "best moves", "rating"], 1, rows)
}

/// The regret by phase, beside random and greedy moves.
fn phases_chart(results: &ExamJson) -> Chart {
    let phases = &results.positions.phases;
    let marks = |name: &str, point: fn(f64, &Group) -> Point| {
        let points = (0..).map(f64::from).zip(phases).map(|(row, group)| point(row, group));
        Series::new(name, SeriesStyle::Marks, points)
    };
    let own = marks(&short_name(&results.player.name), |row, Group { regret, .. }| {
        Point::measured(row, regret.value, Some((regret.low, regret.high)))
    });
    let random = marks("random", |row, group| (row, group.random_regret).into());
    let greedy = marks("most at once", |row, group| (row, group.greedy_regret).into());
    let rows = phases.iter().map(|group| group_name(&group.name)).collect();
    let axes = ["", "seeds given away a move"];
    let panel = Panel { rows, ..Panel::new("", axes, [own, random, greedy]) };
    Chart::new("Regret by phase", [panel])
}

fn groups(title: &str, groups: &[Group]) -> Markup {
    let header: Vec<&str> =
        [title].into_iter().chain(GROUP_COLUMNS.map(|(name, _)| name)).collect();
    let rows = groups.iter().map(|group| {
        let note = theme_note(&group.name);
        let name = html! {
            (group_name(&group.name))
            @if !note.is_empty() { small.meaning { (note) } }
        };
        let numbers = GROUP_COLUMNS.map(|(_, text)| html! { (text(group)) });
        [name].into_iter().chain(numbers).collect()
    });
    table("groups", &header, 1, rows)
}

/// The answers that gave most away, on boards.
fn mistakes(results: &ExamJson, set: &PositionSet) -> Markup {
    let mut costly: Vec<&Answer> =
        results.answers.iter().filter(|answer| answer.loss > 0).collect();
    costly.sort_by_key(|answer| -answer.loss);
    costly.truncate(MAX_MISTAKES);
    html! {
        @if !costly.is_empty() {
            h2 { "The costliest answers" }
            div.cards { @for answer in costly { (mistake(answer, set)) } }
        }
    }
}

fn mistake(answer: &Answer, set: &PositionSet) -> Markup {
    let Some(position) = answer.position.checked_sub(1).and_then(|it| set.positions.get(it)) else {
        return html! {};
    };
    let best: Vec<String> = answer.best.chars().map(String::from).collect();
    let played = answer.letter.map_or(String::new(), String::from);
    let side = position.board.side().name();
    let margin = position.margin();
    html! {
        article {
            h3 { "Position " (answer.position) ": " (side) " to move" }
            (board_picture(&position.board, &played, &best))
            p {
                b { (best.join(" or ")) } " keeps " (signed(margin)) "; "
                @if answer.letter.is_some() {
                    (played) " leads to " (signed(margin - answer.loss)) " and gives away " (answer.loss) "."
                } @else {
                    "there was no move"
                    @if let Some(fault) = answer.fault { ": " (fault) } ", which counts as " (answer.loss) " given away."
                }
            }
            p.note { (position.game()) }
        }
    }
}

fn method(results: &ExamJson) -> Markup {
    let set = &results.set;
    html! {
        p.note {
            "All moves of the " (set.positions) " positions (version " (set.version) ", checksum " (set.checksum) ") have exact values, found by the "
            "solver: margins in seeds with best play of both sides. The regret of a move is the difference to the best one. A "
            "result is lost when a move changes who wins or gives a draw away. Intervals are 95 % intervals over positions. Random "
            "and greedy (the move that brings most seeds at once) are computed for the same positions."
        }
        @if let Some(games) = &results.games {
            p.note {
                "The rating " (rating(&games.rating)) " is on the scale of the levels of kalah, on which level 0 has 1000 and level 20 has 2279."
            }
        }
        p.note { "The player: " code { (results.player.settings) } }
    }
}
