//! The games of a report: what its tables count, and the games themselves in a compact form.

use std::cmp::Reverse;
use std::hash::Hash;

use crate::statistics::{Mean, Wdl};
use crate::{Conditions, GameRecord, GameSummary};
use kalah::printable::{printable, printable_json};
use rustc_hash::FxHashMap;
use serde_json::json;

/// The games of a tournament as far as its report shows them. Evaluations of single moves are not kept.
#[derive(Default)]
pub struct GamesLog {
    pub(super) games: Vec<LoggedGame>,
    /// Games by ply and by the seeds in the houses before it.
    pub(super) seeds_by_ply: Vec<Vec<u64>>,
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
    /// Milliseconds of each move.
    pub time: Mean,
    /// Milliseconds of the longest move.
    pub longest: f64,
    pub depth: Mean,
    pub nodes: Mean,
}

#[derive(Default)]
pub(super) struct OpeningSummary<'a> {
    pub board: &'a str,
    /// From the view of South.
    pub results: Wdl,
    /// The margins from the view of South, of the games that have one.
    pub margins: Mean,
}

impl Usage {
    /// What South and North used in a game.
    pub(super) fn of_game(game: &GameRecord) -> [Usage; 2] {
        let mut usage = [Usage::default(); 2];
        for ply in &game.moves {
            let Usage { time, longest, depth, nodes } = &mut usage[ply.side().index()];
            time.extend([ply.time]);
            *longest = longest.max(ply.time);
            depth.extend(ply.depth.map(f64::from));
            nodes.extend(ply.nodes.map(|nodes| nodes as f64));
        }
        usage
    }

    pub(super) fn merge(&mut self, other: &Usage) {
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        self.depth += other.depth;
        self.nodes += other.nodes;
    }
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
    pub fn add(&mut self, game: &GameRecord) {
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
        self.games.push(LoggedGame {
            summary,
            opening: game.opening.clone(),
            moves: game.moves.iter().map(|ply| ply.letter).collect(),
            begun: game.time.as_ref().map(|time| time.begun.clone()).unwrap_or_default(),
            seconds: game.time.as_ref().map(|time| time.seconds),
            usage: Usage::of_game(game),
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
            openings[place].results.count(half_points);
            openings[place].margins.extend(margin.map(f64::from));
        }
        openings.sort_by_key(|opening| Reverse(opening.results.games()));
        openings
    }

    /// The games for a script element: JSON without characters that end the element or a line. Openings and
    /// reasons are listed once; times are in milliseconds.
    pub(super) fn json(&self, conditions: &Conditions) -> String {
        let Conditions { players, houses, capture, sowing, .. } = conditions;
        let (openings, opening) = numbered(self.games.iter().map(|game| game.opening.as_str()));
        let reasons = self.games.iter().map(|game| game.summary.reason.to_string());
        let (reasons, reason) = numbered(reasons);
        let games = self.games.iter().zip(opening.iter().zip(&reason));
        let games = games.map(|(game, (opening, reason))| {
            let LoggedGame { summary, moves, begun, seconds, usage, .. } = game;
            let GameSummary { game, players, half_points, margin, .. } = summary;
            let seconds = seconds.map(|seconds| (10.0 * seconds).round() / 10.0);
            let time = usage.map(|usage| usage.time.sum.round() as u64);
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
            "capture": capture.name(),
            "sowing": sowing.name(),
            "players": players,
            "openings": openings,
            "reasons": reasons,
            "games": games,
        });
        printable_json(&json.to_string()).replace('<', "\\u003c")
    }
}
