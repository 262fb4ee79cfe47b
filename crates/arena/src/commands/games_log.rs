//! The games of a report: what its tables count, and the games themselves in a compact form.

use crate::{GameRecord, MoveRecord, Termination};
use kalah::board::Side;
use kalah::printable::printable_json;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The games of a tournament as far as its report shows them. Evaluations of single moves are not kept.
#[derive(Default)]
pub(super) struct GamesLog {
    games: Vec<LoggedGame>,
    players: FxHashMap<String, usize>,
    openings: FxHashMap<String, usize>,
    /// The FENs of the openings by their numbers.
    boards: Vec<String>,
    /// Games by ply and by the seeds in the houses before it.
    seeds: Vec<Vec<u64>>,
}

/// A game in a few words.
pub(super) struct LoggedGame {
    pub number: u64,
    /// The players as indices into the players of the tournament, South first.
    pub players: [usize; 2],
    pub half_points: usize,
    pub margin: Option<i32>,
    reason: Termination,
    opening: usize,
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

/// The games as columns, one entry a game in the order of their numbers, as the script reads them.
#[derive(Serialize)]
struct GameColumns<'a> {
    houses: usize,
    capture: String,
    players: &'a [String],
    openings: Vec<&'a str>,
    reasons: Vec<String>,
    /// Each number less the one before.
    number: Vec<u64>,
    south: Vec<usize>,
    north: Vec<usize>,
    opening: Vec<usize>,
    /// A digit a game: half points of South.
    result: String,
    reason: Vec<usize>,
    margin: Vec<Option<i32>>,
    /// Starts, separated by spaces: the length of what is equal in the one before as a letter, from `A`
    /// for 0, then the rest.
    begun: String,
    /// Tenths of a second.
    duration: Vec<Option<u64>>,
    /// Milliseconds that South and North used.
    time: Vec<[u64; 2]>,
    /// The letters of the moves, games separated by spaces.
    moves: String,
}

impl Usage {
    fn add(&mut self, ply: &MoveRecord) {
        let mut one = Usage { moves: 1, time: ply.time, longest: ply.time, ..Usage::default() };
        if let Some(depth) = ply.depth {
            one.depth = (f64::from(depth), 1);
        }
        if let Some(nodes) = ply.nodes {
            one.nodes = (nodes as f64, 1);
        }
        self.merge(&one);
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

    /// The mean depth of the moves that have one.
    pub(super) fn mean_depth(&self) -> Option<f64> {
        mean(self.depth)
    }

    /// The mean nodes of the moves that have a count.
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

impl GamesLog {
    pub(super) fn add(&mut self, game: &GameRecord) {
        if self.games.is_empty() {
            let names = game.conditions.players.iter().cloned();
            self.players = names.zip(0..).collect();
        }
        let player = |side| self.players.get(&game.seat(side).player.name).copied();
        let (Some(south), Some(north)) = (player(Side::South), player(Side::North)) else { return };
        let opening = self.opening(&game.opening);
        self.count_seeds(game);
        let mut usage = [Usage::default(); 2];
        for ply in &game.moves {
            usage[usize::from(ply.side() == Side::North)].add(ply);
        }
        // A record may hold any character in place of a letter.
        let letter = |ply: &MoveRecord| ply.letter.is_ascii_alphabetic().then_some(ply.letter);
        let time = game.time.as_ref();
        let is_of_date = |c: char| c.is_ascii_alphanumeric() || "+-.:".contains(c);
        let begun = time.map(|time| time.begun.as_str());
        self.games.push(LoggedGame {
            number: game.game,
            players: [south, north],
            half_points: game.result.half_points(),
            margin: game.margin,
            reason: game.reason,
            opening,
            moves: game.moves.iter().map(|ply| letter(ply).unwrap_or('?')).collect(),
            begun: begun.filter(|begun| begun.chars().all(is_of_date)).unwrap_or("").to_owned(),
            seconds: time.map(|time| time.seconds),
            usage,
        });
    }

    /// The number of an opening.
    fn opening(&mut self, board: &str) -> usize {
        if let Some(&number) = self.openings.get(board) {
            return number;
        }
        self.openings.insert(board.to_owned(), self.boards.len());
        self.boards.push(board.to_owned());
        self.boards.len() - 1
    }

    fn count_seeds(&mut self, game: &GameRecord) {
        for (ply, board) in game.boards().unwrap_or_default().iter().enumerate() {
            if self.seeds.len() <= ply {
                self.seeds.push(Vec::new());
            }
            let (counts, seeds) = (&mut self.seeds[ply], board.seeds_in_play() as usize);
            if counts.len() <= seeds {
                counts.resize(seeds + 1, 0);
            }
            counts[seeds] += 1;
        }
    }

    /// Puts the games in the order of their numbers, in which they need not have ended.
    pub(super) fn sort(&mut self) {
        self.games.sort_by_key(|game| game.number);
    }

    pub(super) fn games(&self) -> &[LoggedGame] {
        &self.games
    }

    /// The counts of games by the seeds in the houses, for each ply.
    pub(super) fn seeds_by_ply(&self) -> &[Vec<u64>] {
        &self.seeds
    }

    /// When the first and the last game began.
    pub(super) fn dates(&self) -> Option<(&str, &str)> {
        let begun = || self.games.iter().map(|game| game.begun.as_str()).filter(|b| !b.is_empty());
        Some((begun().min()?, begun().max()?))
    }

    /// The openings, the most played first, then in the order of their first games.
    pub(super) fn openings(&self) -> Vec<OpeningSummary<'_>> {
        let mut numbers = FxHashMap::default();
        let mut openings: Vec<OpeningSummary> = Vec::new();
        for game in &self.games {
            let number = *numbers.entry(game.opening).or_insert(openings.len());
            if number == openings.len() {
                let board = self.boards[game.opening].as_str();
                openings.push(OpeningSummary { board, ..OpeningSummary::default() });
            }
            let opening = &mut openings[number];
            opening.results[2 - game.half_points] += 1;
            if let Some(margin) = game.margin {
                opening.margins.0 += i64::from(margin);
                opening.margins.1 += 1;
            }
        }
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.results.iter().sum::<u64>()));
        openings
    }

    /// The games for a script element: JSON without characters that end the element or a line.
    pub(super) fn json(
        &self,
        players: &[String],
        houses: usize,
        capture: String,
    ) -> Result<String, serde_json::Error> {
        let mut columns = GameColumns {
            houses,
            capture,
            players,
            openings: Vec::new(),
            reasons: Vec::new(),
            number: Vec::with_capacity(self.games.len()),
            south: self.games.iter().map(|game| game.players[0]).collect(),
            north: self.games.iter().map(|game| game.players[1]).collect(),
            opening: Vec::with_capacity(self.games.len()),
            result: self.games.iter().map(|game| digit(game.half_points)).collect(),
            reason: Vec::with_capacity(self.games.len()),
            margin: self.games.iter().map(|game| game.margin).collect(),
            begun: String::new(),
            duration: Vec::with_capacity(self.games.len()),
            time: Vec::with_capacity(self.games.len()),
            moves: String::new(),
        };
        let mut numbers = FxHashMap::default();
        let (mut last, mut begun) = (0, "");
        for game in &self.games {
            columns.number.push(game.number - last);
            last = game.number;
            let opening = *numbers.entry(game.opening).or_insert_with(|| {
                columns.openings.push(self.boards[game.opening].as_str());
                columns.openings.len() - 1
            });
            columns.opening.push(opening);
            let reason = game.reason.to_string();
            let known = columns.reasons.iter().position(|known| *known == reason);
            columns.reason.push(known.unwrap_or(columns.reasons.len()));
            if known.is_none() {
                columns.reasons.push(reason);
            }
            columns.duration.push(game.seconds.map(|seconds| (10.0 * seconds).round() as u64));
            columns.time.push(game.usage.map(|usage| usage.time.round() as u64));
            let same = begun.bytes().zip(game.begun.bytes()).take(25);
            let same = same.take_while(|(a, b)| a == b).count();
            columns.begun.push(char::from(b'A' + same as u8));
            columns.begun.push_str(&game.begun[same..]);
            columns.begun.push(' ');
            begun = &game.begun;
            columns.moves.push_str(&game.moves);
            columns.moves.push(' ');
        }
        let json = serde_json::to_string(&columns)?;
        Ok(printable_json(&json).replace('<', "\\u003c"))
    }
}

fn digit(half_points: usize) -> char {
    char::from(b'0' + half_points as u8)
}
