//! The page with the results.

use maud::{Markup, html};

use super::results::FinishedGame;
use kalah_arena::Standings;
use kalah_arena::commands::{RatedPlayers, cross_table, standings_table};
use kalah_arena::statistics::RatingModel;
use kalah_charts::page::page;
use kalah_games::GameOutcome;

const TITLE: &str = "Kalah tournament";

/// Players with a rating. With more the page would be slow to make.
const MAX_RATED: usize = 200;

/// Rows of the lists of agents and of games that are being played.
const MAX_ROWS: usize = 100;

/// What the page shows.
pub(super) struct PageContents<'a> {
    pub title: String,
    pub agents: Vec<AgentRow>,
    pub games: Vec<GameRow>,
    pub standings: Standings,
    pub last: &'a [FinishedGame],
    pub finished: u64,
    pub total: Option<u64>,
    pub has_begun: bool,
}

/// An agent that is connected.
pub(super) struct AgentRow {
    pub name: String,
    pub authors: Option<String>,
    pub description: Option<String>,
    pub activity: String,
}

/// A game that is being played.
pub(super) struct GameRow {
    pub number: u64,
    /// South and North.
    pub players: [String; 2],
    pub stores: [u64; 2],
    pub plies: usize,
}

impl PageContents<'_> {
    /// The page as HTML; a live one also shows what goes on.
    pub(super) fn render(&self, is_live: bool) -> String {
        let body = html! {
            header {
                h1 { (TITLE) }
                p.note { (self.title) }
                (self.figures(is_live))
            }
            main {
                section { h2 { "Standing" } (self.standing()) }
                @if self.standings.players.len() > 1 {
                    section { h2 { "Points against each other" } (cross_table(&self.standings)) }
                }
                @if is_live {
                    div.columns {
                        section { h2 { "Being played" } (self.live_games()) }
                        section { h2 { "Connected" } (self.connected()) }
                    }
                }
                section { h2 { "Last games" } (self.last_games()) }
            }
        };
        page(TITLE, include_str!("page.css"), &body)
    }

    fn figures(&self, is_live: bool) -> Markup {
        let games = match self.total {
            Some(total) => format!("{} of {total}", self.finished),
            None => self.finished.to_string(),
        };
        let share = self.total.filter(|&total| total > 0);
        let share = share.map(|total| 100.0 * self.finished.min(total) as f64 / total as f64);
        html! {
            dl {
                div { dt { "games over" } dd { (games) } }
                @if is_live {
                    div { dt { "being played" } dd { (self.games.len()) } }
                    div { dt { "connected" } dd { (self.agents.len()) } }
                }
            }
            @if let Some(share) = share {
                div.progress role="progressbar" aria-label="games over"
                    aria-valuenow=(format!("{share:.0}")) aria-valuemin="0" aria-valuemax="100" {
                    div style=(format!("width:{share:.1}%")) {}
                }
            }
            @if !self.has_begun { p.note { "The tournament begins when all players are there." } }
        }
    }

    fn standing(&self) -> Markup {
        let standings = &self.standings;
        let players = standings.players.len();
        let rate = || RatedPlayers::new(standings, RatingModel::MaximumLikelihood);
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

    fn live_games(&self) -> Markup {
        html! {
            @if self.games.is_empty() { p.note { "No game is being played." } }
            ul {
                @for GameRow { number, players, stores, plies } in self.games.iter().take(MAX_ROWS) {
                    li {
                        span.players { (players[0]) span.versus { " – " } (players[1]) }
                        span.detail { "game " (number) ", ply " (plies) }
                        span.score { (stores[0]) " : " (stores[1]) }
                    }
                }
            }
            (more(self.games.len()))
        }
    }

    fn connected(&self) -> Markup {
        html! {
            @if self.agents.is_empty() { p.note { "Nobody is connected." } }
            ul {
                @for agent in self.agents.iter().take(MAX_ROWS) {
                    li {
                        span.players { (agent.name) }
                        span.detail {
                            @if let Some(authors) = &agent.authors { "by " (authors) " " }
                            @if let Some(description) = &agent.description { (description) }
                        }
                        span.score.state { (agent.activity) }
                    }
                }
            }
            (more(self.agents.len()))
        }
    }

    fn last_games(&self) -> Markup {
        let name = |player: usize| &self.standings.players[player];
        html! {
            @if self.last.is_empty() { p.note { "No game is over yet." } }
            ul {
                @for game in self.last {
                    @let [south, north] = game.table.players;
                    li {
                        span.players {
                            span.winner[game.outcome == GameOutcome::South] { (name(south)) }
                            span.versus { " – " }
                            span.winner[game.outcome == GameOutcome::North] { (name(north)) }
                        }
                        span.detail {
                            "game " (game.table.number) ", " (game.plies) " plies, " (game.reason)
                            @if let Some(margin) = game.margin {
                                ", margin " (format!("{margin:+}"))
                            }
                        }
                        span.score { (outcome(game.outcome)) }
                    }
                }
            }
        }
    }
}

fn more(rows: usize) -> Markup {
    html! {
        @if rows > MAX_ROWS { p.note { "and " (rows - MAX_ROWS) " more" } }
    }
}

fn outcome(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::South => "1 : 0",
        GameOutcome::North => "0 : 1",
        GameOutcome::Draw => "½ : ½",
        GameOutcome::Unknown => "– : –",
    }
}
