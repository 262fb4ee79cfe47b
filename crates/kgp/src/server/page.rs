//! The page with the results.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::results::FinishedGame;
use kalah::printable::printable_lines;
use kalah_arena::Standings;
use kalah_arena::statistics::Estimate;
use kalah_games::GameOutcome;

/// Players with a rating, and with a column of the cross table. With more the page would be slow to make,
/// or too wide.
const MAX_RATED: usize = 200;
const MAX_CROSSED: usize = 40;

/// Rows of the lists of agents and of games that are being played.
const MAX_ROWS: usize = 100;

/// Elo on either side of the middle of the chart, at least.
const MIN_CHART: f64 = 100.0;

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
    /// The page as HTML; a live one reloads itself.
    pub(super) fn render(&self, is_live: bool) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    @if is_live { meta http-equiv="refresh" content="5"; }
                    title { "Kalah tournament" }
                    style { (PreEscaped(include_str!("page.css"))) }
                }
                body {
                    header {
                        h1 { "Kalah tournament" }
                        p { (self.title) }
                        (self.figures(is_live))
                    }
                    main {
                        section { h2 { "Standing" } (self.standing()) }
                        @if self.standings.players.len() > 1 {
                            section { h2 { "Points against each other" } (self.cross_table()) }
                        }
                        @if is_live {
                            div.columns {
                                section { h2 { "Being played" } (self.live_games()) }
                                section { h2 { "Connected" } (self.connected()) }
                            }
                        }
                        section { h2 { "Last games" } (self.last_games()) }
                    }
                }
            }
        };
        printable_lines(&page.into_string()).into_owned()
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
        if players == 0 {
            return html! { p.note { "No game is over yet." } };
        }
        let ratings = (players <= MAX_RATED).then(|| standings.ratings());
        let reach = ratings.iter().flat_map(|ratings| &ratings.players);
        let reach = reach.flat_map(|rating| [rating.value, rating.low, rating.high]);
        let reach = reach.filter(|elo| elo.is_finite()).map(f64::abs).fold(MIN_CHART, f64::max);
        let margin = |player| {
            standings.mean_margin(player).map_or("–".to_owned(), |margin| signed(margin, 2))
        };
        html! {
            div.wide {
                table {
                    thead {
                        tr {
                            th.number { "" }
                            th { "player" }
                            th.number { "points" }
                            th.number.extra { "games" }
                            th.number.extra { "won" }
                            th.number.extra { "drawn" }
                            th.number.extra { "lost" }
                            th.number.extra { "faults" }
                            th.number.extra { "margin" }
                            @if ratings.is_some() {
                                th.number { "Elo" }
                                th.interval { "95 % interval" }
                            }
                        }
                    }
                    tbody {
                        @for (place, player) in (1..).zip(standings.ranking()) {
                            @let total = standings.total(player);
                            tr {
                                td.number.place { (place) }
                                td.name { (standings.players[player]) }
                                td.number { strong { (points(&total)) } }
                                td.number.extra { (total.games()) }
                                td.number.extra { (total.wins) }
                                td.number.extra { (total.draws) }
                                td.number.extra { (total.losses) }
                                td.number.extra { (standings.faults(player)) }
                                td.number.extra { (margin(player)) }
                                @if let Some(rating) = ratings.as_ref().map(|all| all.players[player]) {
                                    td.number { (signed(rating.value, 0)) }
                                    td.interval { (interval(&rating, reach)) }
                                }
                            }
                        }
                    }
                }
            }
            @if ratings.is_some_and(|ratings| !ratings.determined) {
                p.note {
                    "The results do not determine all ratings yet: each player counts half a game more, \
                    drawn against a player of rating 0."
                }
            }
        }
    }

    fn cross_table(&self) -> Markup {
        let standings = &self.standings;
        let ranking = standings.ranking();
        if ranking.len() > MAX_CROSSED {
            return html! { p.note { "Shown for up to " (MAX_CROSSED) " players." } };
        }
        let cell = |player, opponent| {
            let result = standings.results(player, opponent);
            (result.games() > 0).then(|| (points(&result), result.games(), result.score()))
        };
        html! {
            div.wide {
                table.cross {
                    thead {
                        tr {
                            th.number { "" }
                            th { "player" }
                            @for place in 1..=ranking.len() { th.number { (place) } }
                        }
                    }
                    tbody {
                        @for (place, &player) in (1..).zip(&ranking) {
                            tr {
                                td.number.place { (place) }
                                td.name { (standings.players[player]) }
                                @for &opponent in &ranking {
                                    @if player == opponent {
                                        td.number.own { "" }
                                    } @else if let Some((points, games, score)) = cell(player, opponent) {
                                        td.number.better[score > 0.5].worse[score < 0.5] {
                                            (points) span.of { "/" (games) }
                                        }
                                    } @else {
                                        td.number { "–" }
                                    }
                                }
                            }
                        }
                    }
                }
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
                                ", margin " (signed(margin.into(), 0))
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

/// Points, with ½ for a draw.
fn points(result: &kalah_arena::statistics::Wdl) -> String {
    let whole = result.wins + result.draws / 2;
    match (whole, result.draws % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}

fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let text = if value.is_infinite() { "∞".to_owned() } else { text };
    match value {
        _ if is_zero => text,
        value if value < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// The interval as a bar on a scale from `-reach` to `reach`, and in figures.
fn interval(rating: &Estimate, reach: f64) -> Markup {
    let place = |elo: f64| (50.0 + 50.0 * elo / reach).clamp(0.0, 100.0);
    let (low, high) = (place(rating.low), place(rating.high));
    html! {
        div.bar aria-hidden="true" {
            div.range style=(format!("left:{low:.1}%;width:{:.1}%", (high - low).max(0.5))) {}
            div.value style=(format!("left:{:.1}%", place(rating.value))) {}
        }
        span.figures { (signed(rating.low, 0)) " … " (signed(rating.high, 0)) }
    }
}
