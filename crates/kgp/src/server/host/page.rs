//! The page with the results.

use maud::{Markup, html};

use super::super::agent::Activity;
use super::super::referee::reason_word;
use super::super::results::LAST_GAMES;
use super::super::stages::{BegunStage, StageSettings};
use super::stages::Ranked;
use super::{GIVEN_UP, Host};
use kalah::board::Side;
use kalah::printable::counted;
use kalah_charts::page::{page, table};
use kalah_games::GameOutcome;
use kalah_records::Standings;
use kalah_records::commands::{RatedPlayers, cross_table, standings_table};
use kalah_records::statistics::RatingModel;

const TITLE: &str = "Kalah tournament";

/// Players with a rating. With more the page would be slow to make.
const MAX_RATED: usize = 200;

/// Rows of the lists of agents and of games that are being played.
const MAX_ROWS: usize = 100;

impl Host {
    /// The page as HTML; a live one also shows what goes on.
    pub fn page(&self, is_live: bool) -> String {
        let (standings, ranking) = (self.standings(), self.ranking());
        let body = html! {
            header {
                h1 { (TITLE) }
                p.note { (self.results.event) }
                (self.figures(is_live))
            }
            main {
                @if !ranking.is_empty() {
                    section { h2 { "Ranking" } (ranking_table(&ranking, &self.matchmaker.stages)) }
                    @for stage in self.matchmaker.begun.iter().rev() { (self.stage(stage)) }
                } @else {
                    section { h2 { "Standing" } (standing(&standings)) }
                    @if standings.players.len() > 1 {
                        section { h2 { "Points against each other" } (cross_table(&standings)) }
                    }
                }
                @if is_live {
                    div.columns {
                        section { h2 { "Being played" } (self.live_games()) }
                        section { h2 { "Connected" } (self.connected_agents()) }
                    }
                }
                section { h2 { "Last games" } (self.last_games()) }
            }
        };
        page(TITLE, include_str!("page.css"), &body)
    }

    fn figures(&self, is_live: bool) -> Markup {
        let (finished, total) = (self.results.finished_games(), self.matchmaker.games());
        let games = total.map_or(finished.to_string(), |total| format!("{finished} of {total}"));
        let [begun, stages] = [self.matchmaker.begun.len(), self.matchmaker.stages.len()];
        let has_more = begun < stages && stages > 1 && !self.is_complete();
        let share = total.filter(|&total| total > 0);
        let share = share.map(|total| 100.0 * finished.min(total) as f64 / total as f64);
        let connected = self.agents.values().filter(|agent| !agent.is_introducing()).count();
        html! {
            dl {
                div {
                    dt { "games over" @if has_more { " in the stages so far" } }
                    dd { (games) }
                }
                @if is_live {
                    div { dt { "being played" } dd { (self.games.len()) } }
                    div { dt { "connected" } dd { (connected) } }
                }
            }
            @if let Some(share) = share {
                div.progress role="progressbar" aria-label="games over"
                    aria-valuenow=(format!("{share:.0}")) aria-valuemin="0" aria-valuemax="100" {
                    div style=(format!("width:{share:.1}%")) {}
                }
            }
            @if !self.matchmaker.has_begun() {
                p.note { "The tournament begins when all players are there." }
            }
            @for name in self.given_up.values() { p.note { (name) " " (GIVEN_UP) "." } }
        }
    }

    /// The results of a stage.
    fn stage(&self, stage: &BegunStage) -> Markup {
        let standings = self.results.standings_of(&stage.players, Some(stage.index));
        html! {
            section.stage {
                h2 { "Stage " (stage.index + 1) }
                p.note { (stage.settings) }
                @if stage.settings.examiner().is_some() {
                    (self.exam(stage))
                } @else {
                    (standing(&standings))
                    h3 { "Points against each other" }
                    (cross_table(&standings))
                }
            }
        }
    }

    fn exam(&self, stage: &BegunStage) -> Markup {
        let passed = stage.survivors(&self.results);
        let rows = stage.ranking(&self.results).into_iter().map(|player| {
            let games = self.results.games.iter();
            let games = games.filter(|game| {
                game.scheduled.stage == stage.index && game.scheduled.players[0] == player
            });
            let (played, late) =
                games.fold((0, 0), |(games, late), game| (games + 1, late + game.late[0]));
            let wins = stage.exam_wins(player, &self.results);
            let verdict = match wins {
                None => "illegal move",
                _ if passed.contains(&player) => "passed",
                _ => "not passed",
            };
            let wins = wins.map_or("–".to_owned(), |wins| wins.to_string());
            let name = self.results.name(player).to_owned();
            vec![name, verdict.to_owned(), played.to_string(), wins, late.to_string()]
        });
        table("", &["agent", "", "games", "wins", "late moves"], 2, rows)
    }

    fn live_games(&self) -> Markup {
        let rows = self.games.iter().map(|(number, game)| {
            let [south, north] = game.scheduled.players.map(|player| self.results.name(player));
            let [own, other] = Side::ALL.map(|side| game.referee.board.store(side));
            html! {
                span.players { (south) span.versus { " – " } (north) }
                span.detail { "game " (number) ", ply " (game.referee.game.moves.len()) }
                span.score { (own) " : " (other) }
            }
        });
        list("No game is being played.", rows)
    }

    fn connected_agents(&self) -> Markup {
        let agents: Vec<_> = self.agents.values().filter(|agent| !agent.is_introducing()).collect();
        let rows = agents.into_iter().map(|agent| {
            let player = self.results.index_of(&agent.identity());
            let unique_name = player.map(|player| self.results.name(player).to_owned());
            html! {
                span.players { (unique_name.unwrap_or_else(|| agent.name())) }
                span.detail {
                    @if let Some(authors) = &agent.authors { "by " (authors) " " }
                    @if let Some(description) = &agent.description { (description) }
                }
                span.score.state {
                    @match &agent.activity {
                        Activity::Introducing | Activity::Waiting => { "waiting" }
                        Activity::Playing(number) => { "game " (number) }
                        Activity::Solving(..) => { "solving problems" }
                    }
                }
            }
        });
        list("Nobody is connected.", rows)
    }

    fn last_games(&self) -> Markup {
        let rows = self.results.games.iter().rev().take(LAST_GAMES).map(|game| {
            let [south, north] = game.scheduled.players.map(|player| self.results.name(player));
            let outcome = game.end.outcome;
            html! {
                span.players {
                    span.winner[outcome == GameOutcome::South] { (south) }
                    span.versus { " – " }
                    span.winner[outcome == GameOutcome::North] { (north) }
                }
                span.detail {
                    "game " (game.scheduled.number) ", " (counted(game.plies, "ply")) ", "
                    (reason_word(game.end.reason))
                    @if let Some(margin) = game.end.margin { ", margin " (format!("{margin:+}")) }
                }
                span.score { (score(outcome)) }
            }
        });
        list("No game is over yet.", rows)
    }
}

fn standing(standings: &Standings) -> Markup {
    let players = standings.players.len();
    let rate = || RatedPlayers::new(standings, RatingModel::MaximumLikelihood, None);
    let ratings = (players <= MAX_RATED).then(rate);
    html! {
        @if players == 0 {
            p.note { "No game is over yet." }
        } @else {
            (standings_table(standings, ratings.as_ref(), None))
            @if let Some(note) = ratings.and_then(|ratings| ratings.note) { p.note { (note) } }
        }
    }
}

fn ranking_table(ranking: &[Ranked], stages: &[StageSettings]) -> Markup {
    let rows = (1..).zip(ranking).map(|(place, player)| {
        let Ranked { name, stage, points, fault } = player;
        let board = stages.get(stage - 1).map_or(String::new(), |stage| match stage.examiner() {
            Some(_) => "exam".to_owned(),
            None => format!("Kalah({},{})", stage.houses, stage.seeds),
        });
        let board = fault.map_or(board.clone(), |fault| format!("{board}: {fault}"));
        vec![place.to_string(), name.clone(), board, stage.to_string(), points.to_string()]
    });
    table("ranking", &["", "agent", "last stage", "stage", "points there"], 3, rows)
}

/// A list; `none` is what stands in place of an empty one.
fn list(none: &str, rows: impl ExactSizeIterator<Item = Markup>) -> Markup {
    let all = rows.len();
    html! {
        @if all == 0 { p.note { (none) } }
        ul {
            @for row in rows.take(MAX_ROWS) { li { (row) } }
        }
        @if all > MAX_ROWS { p.note { "and " (all - MAX_ROWS) " more" } }
    }
}

fn score(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::South => "1 : 0",
        GameOutcome::North => "0 : 1",
        GameOutcome::Draw => "½ : ½",
        GameOutcome::Unknown => "– : –",
    }
}
