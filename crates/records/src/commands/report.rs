//! HTML reports of matches and tournaments.

use kalah::board::Sowing;
use kalah::printable::counted;
use kalah_charts::page::{page, table};
use kalah_command::new_file::NewFile;
use kalah_command::table::grouped;
use maud::{Markup, PreEscaped, html};

use super::games_log::{GamesLog, LoggedGame, OpeningSummary, Usage};
use super::report_charts::{charts, left_out_charts};
use super::standings_html::{cross_table, standings_table};
use super::standings_json::RatedPlayers;
use super::standings_text::{figures, margin, match_title, percent};
use crate::statistics::{Estimate, Mean, RatingModel, Z_95, share_estimate};
use crate::{Conditions, Entrant, Standings, date_tags};

pub struct Report<'a> {
    pub conditions: &'a Conditions,
    /// The players that have played, in any order.
    pub entrants: &'a [Entrant],
    pub standings: &'a Standings,
    /// All games that count in the standings.
    pub log: &'a mut GamesLog,
}

impl Report<'_> {
    pub fn write(self, file: NewFile) -> anyhow::Result<()> {
        self.log.sort();
        file.write_bytes(page(&self.title(), include_str!("report.css"), &self.body()))
    }

    fn body(&self) -> Markup {
        let charts = charts(self.standings, &self.log.seeds_by_ply);
        let data = self.log.json(self.conditions);
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
            (time_use(&self.conditions.players, &self.log.games))
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
        let day = |begun: &str| match begun.parse() {
            Ok(begun) => date_tags(begun)[0].1.replace('.', "-"),
            Err(_) => begun.get(..10).unwrap_or(begun).to_owned(),
        };
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
                let games = counted(standings.games().len(), "game");
                format!("{players} players, {}, {games}", self.conditions.format)
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
                @let figures = figures(standings).into_iter();
                (pairs(figures.map(|([_, name], value)| (name, value))))
            }
        }
    }

    fn conditions(&self) -> Markup {
        let Conditions { kalah, format, houses, seeds, capture, sowing, .. } = self.conditions;
        let Conditions { openings, seed, resign, adjudicate, .. } = self.conditions;
        let rule = match sowing {
            Sowing::Single => format!("capture {capture}"),
            Sowing::Relay => "sowing relay".to_owned(),
        };
        let resign = resign.map_or("never".to_owned(), |resign| resign.to_string());
        let adjudicate = adjudicate.map_or("never".to_owned(), |seeds| {
            format!("with {} in the houses or fewer, at the proven margin", counted(seeds, "seed"))
        });
        pairs([
            ("game", format!("Kalah({houses},{seeds}), {rule}")),
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
                    let options = player.options.iter();
                    let options = options.map(|(name, value)| format!("{name}: {value}"));
                    let options = options.collect::<Vec<_>>().join(", ");
                    let settings = html! { code { (player) } };
                    [html! { (id) }, html! { (limits) }, html! { (options) }, settings]
                },
            );
            [html! { (name) }].into_iter().chain(cells).collect()
        });
        table("", &["player", "engine", "limits", "options", "settings"], 5, rows)
    }
}

fn pairs(rows: impl IntoIterator<Item = (&'static str, String)>) -> Markup {
    table("", &[""; 0], 2, rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))
}

const MAX_OPENINGS: usize = 40;

/// The players by rank: results, and ratings in both models.
fn ratings(standings: &Standings) -> Markup {
    let likely = RatedPlayers::new(standings, RatingModel::MaximumLikelihood, None);
    let is_rated = !likely.players.is_empty();
    let davidson = is_rated.then(|| standings.davidson_ratings(None));
    html! {
        (standings_table(standings, Some(&likely), davidson.as_ref()))
        @if let Some(note) = likely.note { p.note { (note) } }
        @if let Some(davidson) = davidson {
            p.note {
                "Ratings are in Elo, about a mean of 0: by maximum likelihood, and in Davidson's model with a prior, in which "
                "equal players draw " (percent(davidson.draw_rate)) " of their games. Bars are the 95 % intervals of the "
                "maximum likelihood ratings."
            }
        }
    }
}

fn endings(standings: &Standings) -> Markup {
    let total = standings.games().len() as f64;
    let rows = standings.reasons().into_iter().map(|(reason, games)| {
        vec![reason.to_string(), games.to_string(), percent(games as f64 / total)]
    });
    table("", &["", "games", "share"], 1, rows)
}

fn faults(standings: &Standings) -> Markup {
    let players = standings.players.iter().enumerate();
    let rows: Vec<Vec<String>> = players
        .flat_map(|(player, name)| {
            let kinds = standings.fault_kinds(player).iter();
            kinds.map(|(kind, games)| vec![name.clone(), kind.to_string(), games.to_string()])
        })
        .collect();
    html! {
        @if rows.is_empty() {
            p.note { "No game was lost by a fault." }
        } @else {
            (table("", &["player", "fault", "games lost"], 2, rows))
        }
    }
}

/// The most played openings from the view of South.
fn openings(openings: &[OpeningSummary]) -> Markup {
    let rows = openings.iter().take(MAX_OPENINGS).map(|opening| {
        let OpeningSummary { board, results, margins } = *opening;
        let (games, score) = (results.games(), results.score());
        let Estimate { low, high, .. } = share_estimate(score, games as f64);
        vec![
            board.to_owned(),
            games.to_string(),
            results.wins.to_string(),
            results.draws.to_string(),
            results.losses.to_string(),
            percent(score),
            format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high),
            margin(margins.value()),
        ]
    });
    let header =
        ["opening", "games", "South won", "drawn", "North won", "South's score", "95 %", "margin"];
    let more = openings.len().saturating_sub(MAX_OPENINGS);
    html! {
        (table("", &header, 1, rows))
        @if more > 0 {
            p.note { "The " (MAX_OPENINGS) " most played openings; " (grouped(more as u64)) " others are left out." }
        }
    }
}

fn time_use(players: &[String], games: &[LoggedGame]) -> Markup {
    let uses = || games.iter().flat_map(|game| game.summary.players.into_iter().zip(&game.usage));
    let mut usage = vec![Usage::default(); players.len()];
    for (player, used) in uses() {
        usage[player].merge(used);
    }
    // Moves of a game depend on each other, those of different games do not: the interval is that of a
    // quotient of two sums over games.
    let mut squares = vec![Mean::default(); players.len()];
    for (player, used) in uses() {
        let expected = usage[player].time.value().unwrap_or(0.0) * used.time.count as f64;
        squares[player].extend([(used.time.sum - expected).powi(2)]);
    }
    let error = |player: usize| {
        let Mean { sum, count } = squares[player];
        let games = count as f64;
        Z_95 * (sum * games / (games - 1.0)).sqrt() / usage[player].time.count as f64
    };
    let number = |value: Option<f64>, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
    };
    let rows =
        players.iter().zip(&usage).enumerate().filter(|(_, (_, usage))| usage.time.count > 0);
    let rows = rows.map(|(player, (name, usage))| {
        vec![
            name.clone(),
            grouped(usage.time.count),
            number(usage.time.value(), 1),
            number(Some(error(player)).filter(|error| error.is_finite()), 1),
            number(Some(usage.longest), 1),
            number(Some(usage.time.sum / 1000.0), 1),
            number(usage.depth.value(), 1),
            usage.nodes.value().map_or("–".to_owned(), |nodes| grouped(nodes.round() as u64)),
        ]
    });
    let header = [
        "player",
        "moves",
        "ms a move",
        "± 95 %",
        "longest, ms",
        "all moves, s",
        "mean depth",
        "mean nodes",
    ];
    table("", &header, 1, rows)
}
