//! The games of a report: what its tables count, and the games themselves in a compact form.

use std::cmp::Reverse;
use std::hash::Hash;

use crate::{GameRecord, GameSummary, MoveRecord};
use kalah::printable::{printable, printable_json};
use rustc_hash::FxHashMap;
use serde_json::json;

/// The games of a tournament as far as its report shows them. Evaluations of single moves are not kept.
#[derive(Default)]
pub(super) struct GamesLog {
    pub games: Vec<LoggedGame>,
    /// Games by ply and by the seeds in the houses before it.
    pub seeds_by_ply: Vec<Vec<u64>>,
}

/// A game in a few words.
pub(super) struct LoggedGame {
    pub summary: GameSummary,
    opening: String,
    moves: String,
    /// The start, UTC, as RFC 3339; empty if unknown.
    begun: String,
    seconds: Option<f64>,
    /// The resources that South and North used.
    pub usage: [Usage; 2],
}

/// What a player used for its moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Usage {
    pub moves: u64,
    /// Milliseconds.
    pub time: f64,
    /// Milliseconds of the longest move.
    pub longest: f64,
    depth: (f64, u64),
    nodes: (f64, u64),
}

/// The games that began with an opening.
#[derive(Default)]
pub(super) struct OpeningSummary<'a> {
    pub board: &'a str,
    /// Games that South won, that were drawn, and that North won.
    pub results: [u64; 3],
    /// The sum of the margins from the view of South, and the number of games that have one.
    pub margins: (i64, u64),
}

impl Usage {
    fn new(ply: &MoveRecord) -> Usage {
        let depth = ply.depth.map_or((0.0, 0), |depth| (f64::from(depth), 1));
        let nodes = ply.nodes.map_or((0.0, 0), |nodes| (nodes as f64, 1));
        Usage { moves: 1, time: ply.time, longest: ply.time, depth, nodes }
    }

    pub(super) fn merge(&mut self, other: &Usage) {
        self.moves += other.moves;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        for (own, other) in [(&mut self.depth, other.depth), (&mut self.nodes, other.nodes)] {
            own.0 += other.0;
            own.1 += other.1;
        }
    }

    pub(super) fn mean_depth(&self) -> Option<f64> {
        mean(self.depth)
    }

    pub(super) fn mean_nodes(&self) -> Option<f64> {
        mean(self.nodes)
    }

    /// The mean milliseconds of a move.
    pub(super) fn mean_time(&self) -> Option<f64> {
        mean((self.time, self.moves))
    }
}

fn mean((sum, count): (f64, u64)) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The different values in the order of their first occurrence, and for each value its place among them.
fn numbered<T: Clone + Eq + Hash>(values: impl Iterator<Item = T>) -> (Vec<T>, Vec<usize>) {
    let (mut different, mut numbers) = (Vec::new(), FxHashMap::default());
    let places = values.map(|value| {
        *numbers.entry(value.clone()).or_insert_with(|| {
            different.push(value);
            different.len() - 1
        })
    });
    let places = places.collect();
    (different, places)
}

impl GamesLog {
    pub(super) fn add(&mut self, game: &GameRecord) {
        let summary = GameSummary::from_record(game, &game.conditions.players);
        let Some(summary) = summary else { return };
        for (ply, board) in game.boards().unwrap_or_default().iter().enumerate() {
            if self.seeds_by_ply.len() <= ply {
                self.seeds_by_ply.push(Vec::new());
            }
            let (counts, seeds) = (&mut self.seeds_by_ply[ply], board.seeds_in_play() as usize);
            if counts.len() <= seeds {
                counts.resize(seeds + 1, 0);
            }
            counts[seeds] += 1;
        }
        let mut usage = [Usage::default(); 2];
        for ply in &game.moves {
            usage[ply.side().index()].merge(&Usage::new(ply));
        }
        self.games.push(LoggedGame {
            summary,
            opening: game.opening.clone(),
            moves: game.moves.iter().map(|ply| ply.letter).collect(),
            begun: game.time.as_ref().map(|time| time.begun.clone()).unwrap_or_default(),
            seconds: game.time.as_ref().map(|time| time.seconds),
            usage,
        });
    }

    /// Puts the games in the order of their numbers, in which they need not have ended.
    pub(super) fn sort(&mut self) {
        self.games.sort_by_key(|game| game.summary.game);
    }

    /// When the first and the last game began.
    pub(super) fn dates(&self) -> Option<(&str, &str)> {
        let begun = || self.games.iter().map(|game| game.begun.as_str()).filter(|b| !b.is_empty());
        Some((begun().min()?, begun().max()?))
    }

    /// The openings, the most played first, then in the order of their first games.
    pub(super) fn openings(&self) -> Vec<OpeningSummary<'_>> {
        let (boards, places) = numbered(self.games.iter().map(|game| game.opening.as_str()));
        let summary = |board| OpeningSummary { board, ..OpeningSummary::default() };
        let mut openings: Vec<OpeningSummary> = boards.into_iter().map(summary).collect();
        for (GameSummary { half_points, margin, .. }, place) in
            self.games.iter().map(|game| game.summary).zip(places)
        {
            openings[place].results[2 - half_points] += 1;
            if let Some(margin) = margin {
                openings[place].margins.0 += i64::from(margin);
                openings[place].margins.1 += 1;
            }
        }
        openings.sort_by_key(|opening| Reverse(opening.results.iter().sum::<u64>()));
        openings
    }

    /// The games for a script element: JSON without characters that end the element or a line. Openings and
    /// reasons are listed once; times are in milliseconds.
    pub(super) fn json(&self, players: &[String], houses: usize, capture: &str) -> String {
        let (openings, opening) = numbered(self.games.iter().map(|game| game.opening.as_str()));
        let reasons = self.games.iter().map(|game| game.summary.reason.to_string());
        let (reasons, reason) = numbered(reasons);
        let games = self.games.iter().zip(opening.iter().zip(&reason));
        let games = games.map(|(game, (opening, reason))| {
            let LoggedGame { summary, moves, begun, seconds, usage, .. } = game;
            let GameSummary { game, players, half_points, margin, .. } = summary;
            let seconds = seconds.map(|seconds| (10.0 * seconds).round() / 10.0);
            let time = usage.map(|usage| usage.time.round() as u64);
            json!([
                game,
                players,
                opening,
                half_points,
                reason,
                margin,
                begun,
                seconds,
                time,
                moves
            ])
        });
        let games: Vec<_> = games.collect();
        // The script shows these; JSON alone would give it back what is escaped in JSON.
        let players: Vec<_> = players.iter().map(|name| printable(name)).collect();
        let openings: Vec<_> = openings.into_iter().map(printable).collect();
        let json = json!({
            "houses": houses,
            "capture": capture,
            "players": players,
            "openings": openings,
            "reasons": reasons,
            "games": games,
        });
        printable_json(&json.to_string()).replace('<', "\\u003c")
    }
}
