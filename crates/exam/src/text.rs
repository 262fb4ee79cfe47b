//! The results of an exam as text.

use std::fmt::Write;

use kalah::engine::{MAX_SKILL_LEVEL, skill_elo, skill_word};
use kalah::printable::{counted, printable};
use kalah_command::table::{MISSING, flexible_table, table};
use kalah_records::commands::percent;
use kalah_records::statistics::Estimate;

use crate::exam_json::ExamJson;
use crate::games::{LevelGames, level_of, nearest};
use crate::{FaultCounts, Group, Phase, Theme};

/// The interval of a share, as in `[78.0, 85.4]`.
pub(crate) fn percent_interval(estimate: &Estimate) -> String {
    format!("[{:.1}, {:.1}]", 100.0 * estimate.low, 100.0 * estimate.high)
}

pub(crate) fn seeds_interval(estimate: &Estimate) -> String {
    format!("[{:.2}, {:.2}]", estimate.low, estimate.high)
}

pub(crate) fn rating(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{value:.0} [{low:.0}, {high:.0}]")
}

/// Which level plays like a rating.
pub(crate) fn like_level(rating: f64) -> String {
    let nearest = level_of(nearest(rating));
    let word = skill_word(nearest);
    if rating < f64::from(skill_elo(0)) - 60.0 {
        "below level 0".to_owned()
    } else if rating > f64::from(skill_elo(MAX_SKILL_LEVEL)) + 60.0 {
        format!("above level {MAX_SKILL_LEVEL}")
    } else {
        format!("like level {nearest}, {word}")
    }
}

/// The kinds of faults that there were; `None` if there were none.
pub(crate) fn faults(faults: &FaultCounts) -> Option<String> {
    let FaultCounts { illegal, crashed, late, stalled } = *faults;
    let kinds = [(illegal, "illegal"), (crashed, "crashed"), (late, "late"), (stalled, "stalled")];
    let kinds = kinds.into_iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(count, kind)| format!("{count} {kind}")).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// The figures of an exam: names and values.
pub(crate) fn figures(results: &ExamJson) -> Vec<(&'static str, String)> {
    let positions = &results.positions;
    let Group { regret, best, results_lost, positions: asked, .. } = &positions.total;
    let mut figures = vec![
        ("positions", {
            let chosen = results.set.chosen;
            if *asked == chosen { asked.to_string() } else { format!("{asked} of {chosen}") }
        }),
        ("regret", format!("{:.2} seeds a move {}", regret.value, seeds_interval(regret))),
        ("best moves", format!("{} {}", percent(best.value), percent_interval(best))),
        (
            "results lost",
            format!("{} {}", percent(results_lost.value), percent_interval(results_lost)),
        ),
    ];
    if let Some(games) = &results.games {
        let (number, level) = (games.games, like_level(games.rating.value));
        let rating = rating(&games.rating);
        figures.push(("rating", format!("{rating} after {}, {level}", counted(number, "game"))));
    }
    let of_games = results.games.as_ref().map(|games| games.faults).unwrap_or_default();
    let in_games = faults(&of_games).map(|faults| format!("{faults} in games"));
    let all = [faults(&positions.faults), in_games].into_iter().flatten().collect::<Vec<_>>();
    figures.push(("faults", if all.is_empty() { "none".to_owned() } else { all.join("; ") }));
    let (mean, longest) = (positions.mean_milliseconds, positions.longest_milliseconds);
    if longest > 0.0 {
        figures.push(("time", format!("{mean:.1} ms a move, at most {longest:.1} ms")));
    }
    figures
}

/// The names of groups for people.
pub(crate) fn group_name(name: &str) -> String {
    name.replace('-', " ")
}

/// What a theme or a phase means, if its name does not say it.
pub(crate) fn theme_note(name: &str) -> &'static str {
    match name.parse() {
        Ok(Theme::ExtraTurn) => "only moves that earn an extra turn are best",
        Ok(Theme::Capture) => "only captures are best",
        Ok(Theme::Trap) => "the move that brings most at once gives four seeds or more away",
        Ok(Theme::Defence) => {
            "a threat of three seeds or more, and only quiet moves that meet it are best"
        }
        Ok(Theme::Counting) => "few seeds are left, and a single move is best",
        Ok(Theme::OnlyMove) => "a single move keeps the win, or the draw",
        Err(_) if name == Phase::FairStart.to_string() => "a draw with best play",
        Err(_) => "",
    }
}

/// The name of a column, and its text.
type Column = (&'static str, fn(&Group) -> String);

/// The columns of tables of groups after the name.
pub(crate) const GROUP_COLUMNS: [Column; 8] = [
    ("positions", |group| group.positions.to_string()),
    ("regret", |group| format!("{:.2}", group.regret.value)),
    ("95 %", |group| seeds_interval(&group.regret)),
    ("best moves", |group| percent(group.best.value)),
    ("95 %", |group| percent_interval(&group.best)),
    ("results lost", |group| percent(group.results_lost.value)),
    ("random", |group| format!("{:.2}", group.random_regret)),
    ("greedy", |group| format!("{:.2}", group.greedy_regret)),
];

/// All columns but two, which would make the table too wide for a terminal.
fn groups_text(title: &str, groups: &[Group]) -> String {
    let columns = [0, 1, 2, 3, 6, 7].map(|column| GROUP_COLUMNS[column]);
    let header = [title].into_iter().chain(columns.map(|(name, _)| name)).map(str::to_owned);
    let rows = groups.iter().map(|group| {
        [group_name(&group.name)].into_iter().chain(columns.map(|(_, text)| text(group)))
    });
    flexible_table(header.collect(), 1, rows).to_string()
}

pub(crate) fn level_row(level: &LevelGames) -> [String; 5] {
    let [wins, draws, losses] =
        [level.wins, level.draws, level.losses].map(|games| games.to_string());
    [format!("level {}", level.level), level.rating.to_string(), wins, draws, losses]
}

/// Everything but the answers.
pub(crate) fn text(results: &ExamJson) -> String {
    let mut text = String::new();
    let player = &results.player;
    let id = if player.id.is_empty() { String::new() } else { format!(" ({})", player.id) };
    let name = format!("{}{id}, {}", player.name, player.limits);
    let _ =
        writeln!(text, "Exam of {}, positions version {}\n", printable(&name), results.set.version);
    for (name, value) in figures(results) {
        let _ = writeln!(text, "{name:13}{}", printable(&value));
    }
    for left in &results.positions.left_out {
        let (positions, rules) = (counted(left.positions, "position"), left.rules);
        let _ = writeln!(text, "left out     {positions}, {rules}: {}", printable(&left.reason));
    }
    let positions = &results.positions;
    for (title, groups) in
        [("phase", &positions.phases), ("theme", &positions.themes), ("board", &positions.boards)]
    {
        let _ = writeln!(text, "\n{}", groups_text(title, groups));
    }
    if let Some(games) = &results.games {
        let header = ["games against", "rating", "won", "drawn", "lost"];
        let _ = writeln!(text, "\n{}", table(header, 1, games.levels.iter().map(level_row)));
    }
    let title = comparison_title(results);
    let header = [title.as_str(), "regret", "best moves", "rating"];
    let rows = comparison(results).into_iter().map(|(row, _)| row);
    let _ = writeln!(text, "\n{}", table(header, 1, rows));
    text
}

/// What the player is compared with.
pub(crate) fn comparison_title(results: &ExamJson) -> String {
    let all = results.set.positions;
    if results.positions.total.positions == all {
        "to compare".to_owned()
    } else {
        format!("to compare, others in all {all} positions")
    }
}

/// The player among the anchors, from the one that gives most away on; whether each is the player.
pub(crate) fn comparison(results: &ExamJson) -> Vec<([String; 4], bool)> {
    let total = &results.positions.total;
    let row = |name: &str, regret: f64, best: Option<f64>, rating: Option<(f64, f64)>| {
        let rating = rating.map(|(value, error)| format!("{value:.0} ± {error:.0}"));
        let [best, rating] =
            [best.map(percent), rating].map(|text| text.unwrap_or(MISSING.to_owned()));
        [name.to_owned(), format!("{regret:.2}"), best, rating]
    };
    let computed = |name, regret| (regret, row(name, regret, None, None), false);
    let anchors = results.anchors.iter().map(|anchor| {
        let error = anchor.rating_error.unwrap_or(f64::INFINITY);
        let rating = anchor.rating.map(|rating| (rating, error));
        (anchor.regret, row(&anchor.name, anchor.regret, Some(anchor.best), rating), false)
    });
    let mut rows: Vec<_> = anchors.collect();
    // Without answers all figures are 0, which would be the best.
    if total.positions > 0 {
        let rating = results.games.as_ref().map(|games| games.rating);
        let rating = rating.map(|Estimate { value, low, high }| (value, (high - low) / 2.0));
        let (regret, best) = (total.regret.value, Some(total.best.value));
        rows.extend([
            computed("random moves, computed", total.random_regret),
            computed("most seeds at once, computed", total.greedy_regret),
            (regret, row(&results.player.name, regret, best, rating), true),
        ]);
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.into_iter().map(|(_, row, is_player)| (row, is_player)).collect()
}
