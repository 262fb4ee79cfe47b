//! A game between two agents: whose move it is, which move counts, how the game ends.

use fastrand::Rng;

use crate::wide_board::{WideBoard, final_margin, only_move};
use kalah::board::{Board, Move, Side};
use kalah_games::{AnnotatedGame, GameOutcome, Ply};
use kalah_records::{FaultKind, GameResult, Termination};

/// The words of the arena for the faults of agents.
pub(super) const ILLEGAL_MOVE: Termination = Termination::Fault(FaultKind::IllegalMove);
/// A ping was not answered in time.
pub(super) const NO_PONG: Termination = Termination::Fault(FaultKind::Stalled);
/// The connection was lost, or the player did not come.
pub(super) const DISCONNECTED: Termination = Termination::Fault(FaultKind::Crashed);

/// Why a game ended, in the words of the protocol.
pub(super) fn reason_word(reason: Termination) -> String {
    match reason {
        DISCONNECTED => "disconnected".to_owned(),
        NO_PONG => "no pong".to_owned(),
        reason => reason.to_string(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameEnd {
    /// Unknown if both players are at fault.
    pub outcome: GameOutcome,
    /// In seeds, from the view of South; `None` after a fault.
    pub margin: Option<i32>,
    pub reason: Termination,
}

/// How the server plays in an exam; read and displayed as its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Examiner {
    Random,
    /// Most seeds at once.
    Greedy,
}

/// A game that is refereed. Moves without a choice are played as soon as they are due.
#[derive(Clone, Debug)]
pub(super) struct RefereedGame {
    /// Start and moves.
    pub game: AnnotatedGame,
    /// The board after the moves.
    pub board: Board,
    /// Moves of South and North that were played for them.
    pub late: [u32; 2],
    pub end: Option<GameEnd>,
}

impl RefereedGame {
    /// A game from a board, after the legal moves of an opening.
    pub(super) fn new(board: Board, opening: &[Move]) -> RefereedGame {
        let game = AnnotatedGame::new(board);
        let mut game = RefereedGame { game, board, late: [0; 2], end: None };
        game.look_for_end();
        for &mv in opening {
            game.play(mv, Some("opening".to_owned()));
        }
        game.play_single_moves();
        game
    }

    /// The answer to the request: the house that was chosen last, counted from 1. Without one a random
    /// legal move is played; an illegal one loses the game.
    pub(super) fn answer(
        &mut self,
        chosen: Option<u64>,
        comment: Option<String>,
        random: &mut Rng,
    ) {
        let legal: Vec<Move> = self.board.moves().collect();
        let (mv, comment) = match chosen {
            None => {
                self.late[self.board.side().index()] += 1;
                (random.choice(legal), comment.or(Some("random".to_owned())))
            }
            Some(number) => {
                let is_chosen = |mv: &Move| mv.house.index() as u64 + 1 == number;
                (legal.into_iter().find(is_chosen), comment)
            }
        };
        match mv {
            Some(mv) => {
                self.play(mv, comment);
                self.play_single_moves();
            }
            None => self.forfeit(Some(self.board.side()), ILLEGAL_MOVE),
        }
    }

    /// The turn of the server, which plays in an exam.
    pub(super) fn play_examiner(&mut self, examiner: Examiner, random: &mut Rng) {
        let legal: Vec<Move> = self.board.moves().collect();
        let mv = match examiner {
            Examiner::Random => random.choice(legal),
            Examiner::Greedy => {
                let house = WideBoard::from(&self.board).greedy_move();
                legal.into_iter().find(|mv| Some(mv.house.index()) == house)
            }
        };
        if let Some(mv) = mv {
            self.play(mv, Some(examiner.to_string()));
            self.play_single_moves();
        }
    }

    /// A side loses the game, or with `None` nobody wins it.
    pub(super) fn forfeit(&mut self, loser: Option<Side>, reason: Termination) {
        let outcome = loser.map_or(GameOutcome::Unknown, |side| GameResult::lost_by(side).into());
        self.end.get_or_insert(GameEnd { outcome, margin: None, reason });
    }

    fn play_single_moves(&mut self) {
        while self.end.is_none()
            && let Some(mv) = only_move(&self.board)
        {
            self.play(mv, None);
        }
    }

    fn play(&mut self, mv: Move, comment: Option<String>) {
        if self.board.play(mv).is_err() {
            return;
        }
        self.game.moves.push(Ply { mv, comment, variations: Vec::new() });
        self.look_for_end();
    }

    fn look_for_end(&mut self) {
        if let Some(margin) = final_margin(&self.board) {
            let (outcome, reason) = (GameOutcome::from_margin(margin), Termination::PlayedOut);
            self.end = Some(GameEnd { outcome, margin: Some(margin), reason });
        }
    }
}
