//! HTML reports of matches and tournaments.

use std::path::{Path, PathBuf};

use super::games_log::GamesLog;
use super::report_charts::{charts, left_out_charts};
use super::report_tables::{endings, faults, openings, ratings, time_use};
use super::spare_records;
use super::standings_html::cross_table;
use super::standings_text::{figures, match_title};
use crate::{Conditions, Entrant, PlayerSettings, SequentialTest, Standings};
use maud::{Markup, PreEscaped, html};

use kalah_charts::page::{page, table};
use kalah_command::new_file::NewFile;

/// The contents of a report.
pub(super) struct Report<'a> {
    pub conditions: &'a Conditions,
    /// The players that have played, in any order.
    pub entrants: &'a [Entrant],
    pub standings: &'a Standings,
    pub test: Option<&'a SequentialTest>,
    /// All games that count in the standings.
    pub log: &'a mut GamesLog,
}

/// Checks that a report can be written, and that it would not replace a record of this tournament or
/// another.
pub(super) fn prepare(report: &Path, records: &[PathBuf]) -> anyhow::Result<NewFile> {
    let file = NewFile::create(report)?;
    spare_records(&file, records)?;
    Ok(file)
}

impl Report<'_> {
    pub(super) fn write(self, file: NewFile) -> anyhow::Result<()> {
        self.log.sort();
        let page = page(&self.title(), include_str!("report.css"), &self.body());
        file.write(|file| Ok(file.write_all(page.as_bytes())?))
    }

    fn body(&self) -> Markup {
        let charts = charts(self.standings, self.test, &self.log.seeds_by_ply);
        let Conditions { houses, capture, players, .. } = self.conditions;
        let data = self.log.json(players, *houses, capture.name());
        html! {
            header {
                h1 { (self.title()) }
                p.note { (self.summary()) }
            }
            h2 { "Standing" }
            (self.standings())
            h2 { "Charts" }
            div.charts {
                @for chart in charts {
                    figure aria-label=(chart.title) { (PreEscaped(chart.svg())) }
                }
            }
            @if let Some(note) = left_out_charts(self.standings) { p.note { (note) } }
            h2 { "How games ended" }
            (endings(self.standings))
            h2 { "Faults" }
            (faults(self.standings))
            h2 { "Openings" }
            (openings(&self.log.openings()))
            h2 { "Time" }
            (time_use(players, &self.log.games))
            h2 { "Games" }
            section #games {
                noscript {
                    p.note { "The board needs a script; " code { "kalah games" } " lists the games of a record." }
                }
            }
            p.note {
                "Scores, depths and times of single moves are left out here: they are in the record, and "
                code { "kalah games --format board" } " shows them."
            }
            h2 { "Conditions" }
            (self.conditions())
            h2 { "Players" }
            (self.players())
            script #data type="application/json" { (PreEscaped(data)) }
            script { (PreEscaped(include_str!("report.js"))) }
        }
    }

    /// When and where the games were played, in a line.
    fn summary(&self) -> String {
        let Conditions { kalah, houses, seeds, .. } = self.conditions;
        let day = |begun: &str| begun.get(..10).unwrap_or(begun).to_owned();
        let dates = match self.log.dates().map(|(first, last)| (day(first), day(last))) {
            None => String::new(),
            Some((first, last)) if first == last => format!("played on {first}, "),
            Some((first, last)) => format!("played from {first} to {last}, "),
        };
        format!("Kalah({houses},{seeds}), {dates}refereed by kalah {kalah}")
    }

    fn title(&self) -> String {
        let standings = self.standings;
        match standings.players.len() {
            2 => match_title(standings),
            players => {
                let (games, format) = (standings.games().len(), self.conditions.format);
                format!("{players} players, {format}, {games} games")
            }
        }
    }

    fn standings(&self) -> Markup {
        let standings = self.standings;
        html! {
            @if standings.players.len() > 2 {
                (ratings(standings))
                h2 { "Points against each other" }
                (cross_table(standings))
            } @else {
                @let figures = figures(standings, self.test).into_iter();
                (pairs(figures.map(|([_, name], value)| (name, value))))
            }
        }
    }

    fn conditions(&self) -> Markup {
        let Conditions { kalah, format, houses, seeds, capture, .. } = self.conditions;
        let Conditions { openings, seed, resign, adjudicate, .. } = self.conditions;
        let resign = resign.map_or("never".to_owned(), |resign| resign.to_string());
        let adjudicate = adjudicate.map_or("never".to_owned(), |seeds| {
            format!("with {seeds} seeds in the houses or fewer, at the proven margin")
        });
        pairs([
            ("game", format!("Kalah({houses},{seeds}), capture {capture}")),
            ("openings", openings.to_string()),
            ("random seed", seed.to_string()),
            ("format", format.to_string()),
            ("resignation", resign),
            ("adjudication", adjudicate),
            ("version", format!("kalah {kalah}")),
        ])
    }

    fn players(&self) -> Markup {
        let rows = self.conditions.players.iter().map(|name| {
            let entrant = self.entrants.iter().find(|entrant| entrant.player.name == *name);
            let cells = entrant.map_or(
                [html! { "has not played yet" }, html! {}, html! {}, html! {}],
                |Entrant { player, id }| {
                    let limits = player.time_control.words().join(" ");
                    let settings = html! { code { (player) } };
                    [html! { (id) }, html! { (limits) }, html! { (options(player)) }, settings]
                },
            );
            [html! { (name) }].into_iter().chain(cells).collect()
        });
        table("", &["player", "engine", "limits", "options", "settings"], 5, rows)
    }
}

/// The options of a player as a list.
fn options(player: &PlayerSettings) -> String {
    let options = player.options.iter().map(|(name, value)| format!("{name}: {value}"));
    options.collect::<Vec<_>>().join(", ")
}

/// A table of names and values.
fn pairs(rows: impl IntoIterator<Item = (&'static str, String)>) -> Markup {
    table("", &[""; 0], 2, rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))
}
