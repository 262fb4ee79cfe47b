//! HTML reports of matches and tournaments.

use std::path::{Path, PathBuf};

use anyhow::Context;
use kalah::arena::{Conditions, Entrant, SequentialTest, Standings};
use kalah::printable::printable_lines;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::chart::Panel;
use super::super::new_file::NewFile;
use super::report_charts::charts;
use super::spare_records;
use super::standings_text::{
    Columns, UNDETERMINED, crosstable, figures, match_title, percent, ranking,
};

/// The contents of a report.
pub(super) struct Report<'a> {
    pub conditions: &'a Conditions,
    /// The players that have played, in any order.
    pub entrants: &'a [Entrant],
    pub standings: &'a Standings,
    pub test: Option<&'a SequentialTest>,
}

/// Checks that a report can be written, and that it would not replace a record of this tournament or
/// another.
pub(super) fn prepare(report: &Path, records: &[PathBuf]) -> anyhow::Result<NewFile> {
    let file = NewFile::create(report)?;
    spare_records(&file, records)?;
    Ok(file)
}

impl Report<'_> {
    pub(super) fn write(&self, file: NewFile) -> anyhow::Result<()> {
        let page = self.page()?.into_string();
        file.write(|file| Ok(file.write_all(printable_lines(&page).as_bytes())?))
    }

    fn page(&self) -> anyhow::Result<Markup> {
        let charts = charts(self.standings);
        let drawn = charts.iter().map(Panel::svg).collect::<Result<Vec<_>, _>>();
        let drawn = drawn.context("cannot draw a chart")?;
        let title = self.title();
        Ok(html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    style { (PreEscaped(include_str!("report.css"))) }
                }
                body {
                    h1 { (title) }
                    h2 { "Standing" }
                    (self.standings())
                    h2 { "Charts" }
                    div.charts {
                        @for (chart, svg) in charts.iter().zip(drawn) {
                            figure aria-label=(chart.title) { (PreEscaped(svg)) }
                        }
                    }
                    h2 { "How games ended" }
                    (self.endings())
                    h2 { "Faults" }
                    (self.faults())
                    h2 { "Conditions" }
                    (self.conditions())
                    h2 { "Players" }
                    (self.players())
                }
            }
        })
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
                (table(ranking(standings)))
                @if !standings.ratings().determined { p { (UNDETERMINED) } }
                h2 { "Points against each other" }
                (table(crosstable(standings)))
            } @else {
                @let figures = figures(standings, self.test).into_iter();
                (pairs(figures.map(|([_, name], value)| (name, value))))
            }
        }
    }

    fn endings(&self) -> Markup {
        let total = self.standings.games().len() as f64;
        let rows = self.standings.reasons().into_iter().map(|(reason, games)| {
            vec![reason.to_string(), games.to_string(), percent(games as f64 / total)]
        });
        let header = ["", "games", "share"].map(str::to_owned).to_vec();
        table(Columns { header, names: 1, rows: rows.collect() })
    }

    fn faults(&self) -> Markup {
        let players = self.standings.players.iter().enumerate();
        let rows: Vec<Vec<String>> = players
            .flat_map(|(player, name)| {
                let kinds = self.standings.fault_kinds(player).into_iter();
                kinds.map(|(kind, games)| vec![name.clone(), kind.to_string(), games.to_string()])
            })
            .collect();
        let header = ["player", "fault", "games lost"].map(str::to_owned).to_vec();
        html! {
            @if rows.is_empty() {
                p { "No game was lost by a fault." }
            } @else {
                (table(Columns { header, names: 2, rows }))
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
        let entrant =
            |name: &String| self.entrants.iter().find(|entrant| entrant.player.name == *name);
        html! {
            div.wide {
                table {
                    thead { tr { th { "player" } th { "engine" } th { "settings" } } }
                    tbody {
                        @for name in &self.conditions.players {
                            tr {
                                td { (name) }
                                @match entrant(name) {
                                    Some(Entrant { player, id }) => {
                                        td { (id) }
                                        td { code { (player) } }
                                    }
                                    None => { td { "has not played yet" } td {} }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn table(Columns { header, names, rows }: Columns) -> Markup {
    let class = |column| (column >= names).then_some("number");
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        @for (column, cell) in header.iter().enumerate() {
                            th class=[class(column)] { (cell) }
                        }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                td class=[class(column)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table of names and values.
fn pairs(rows: impl IntoIterator<Item = (&'static str, String)>) -> Markup {
    html! {
        div.wide {
            table {
                tbody {
                    @for (name, value) in rows { tr { th { (name) } td { (value) } } }
                }
            }
        }
    }
}
