//! What the service is asked and what it answers, as JSON.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kalah::board::{Board, Capture, Move, RuleSet, Sowing};
use kalah::book::ranked;
use kalah_command::output::RuleMembers;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{EnumIter, IntoStaticStr};

#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
#[schemars(inline, transparent, example = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S")]
struct BoardText(#[schemars(regex(pattern = r"^\s*<\d+(,\d+)+>\s*[SN]?\s*$"))] String);

/// A position, as the program writes them everywhere.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionRequest {
    /// The board in the form of the Kalah Game Protocol, followed by S or N for the side to move; S by default.
    #[cfg_attr(test, schemars(with = "BoardText"))]
    board: String,
    /// The capture rule.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::CaptureRule>"))]
    capture: Option<String>,
    /// The way of sowing.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::SowingRule>"))]
    sowing: Option<String>,
}

/// The query of `GET /v1/position`. A flattened member would take unknown names, so its members stand here again.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionQuery {
    /// The board in the form of the Kalah Game Protocol, followed by S or N for the side to move; S by default.
    #[cfg_attr(test, schemars(with = "BoardText"))]
    board: String,
    /// The capture rule.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::CaptureRule>"))]
    capture: Option<String>,
    /// The way of sowing.
    #[cfg_attr(test, schemars(with = "Option<kalah_command::schemas::SowingRule>"))]
    sowing: Option<String>,
    /// Milliseconds to the answer, the wait for a free worker included; the server has a greatest time.
    pub time: Option<NonZeroU64>,
}

/// The body of `POST /v1/positions`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionsRequest {
    /// The positions; the server has a greatest number.
    #[cfg_attr(test, schemars(with = "Vec<PositionRequest>", length(min = 1)))]
    pub positions: Vec<Object<PositionRequest>>,
    /// Milliseconds to the answer for all of them together, the wait for a free worker included; the server has a
    /// greatest time.
    pub time: Option<NonZeroU64>,
}

impl PositionRequest {
    /// The board that is asked for; the error names the member that is wrong.
    pub(crate) fn board(&self) -> Result<Board, String> {
        let capture: Capture = named("capture", self.capture.as_deref())?;
        let sowing: Sowing = named("sowing", self.sowing.as_deref())?;
        let board = Board::from_fen(&self.board, RuleSet::new(capture, sowing));
        board.map_err(|error| format!("board: {error}"))
    }
}

impl PositionQuery {
    /// As [`PositionRequest::board`].
    pub(crate) fn board(self) -> Result<Board, String> {
        let PositionQuery { board, capture, sowing, .. } = self;
        PositionRequest { board, capture, sowing }.board()
    }
}

/// The rule that a member names, exactly as the description of the interface has it.
fn named<T: FromStr<Err: fmt::Display> + fmt::Display + Default>(
    member: &str,
    name: Option<&str>,
) -> Result<T, String> {
    let Some(name) = name else { return Ok(T::default()) };
    let rule: T = name.parse().map_err(|error| format!("{member}: {error}"))?;
    // Elsewhere capital letters do not matter.
    if rule.to_string() != name {
        return Err(format!("{member}: '{name}' is written '{rule}'"));
    }
    Ok(rule)
}

/// Where the values of a position come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Source {
    /// The game is over.
    Over,
    /// A book of exact margins.
    Book,
    /// Tablebase files.
    Tablebase,
    /// The store of what was solved before.
    Store,
    /// The search and the exact solver, within the time of the request.
    Search,
}

/// The value of a position and of its moves. All values are margins: the final difference of the stores with best
/// play, in seeds, from the view of the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PositionValue {
    /// The board as FEN, with the side to move.
    pub fen: String,
    #[serde(flatten)]
    pub rules: RuleMembers,
    /// The margin: exact if it is proven, otherwise estimated.
    pub margin: i32,
    /// The margin is proven to be at least this.
    pub lower: i32,
    /// The margin is proven to be at most this.
    pub upper: i32,
    /// Whether the margin is exact: then both bounds are equal to it.
    pub proven: bool,
    /// Where the values come from.
    pub source: Source,
    /// The legal moves, the best first; none if the game is over.
    pub moves: Vec<MoveValue>,
}

/// The value of a move, from the view of the side that makes it.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MoveValue {
    /// The letter of the house: upper case for South, lower case for North.
    #[serde(rename = "move", serialize_with = "letter")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub mv: Move,
    /// The margin after the move: exact if it is proven, otherwise estimated.
    pub margin: i32,
    /// The margin is proven to be at least this.
    pub lower: i32,
    /// The margin is proven to be at most this.
    pub upper: i32,
    /// Whether the margin is exact: then both bounds are equal to it.
    pub proven: bool,
    /// The depth of the search of an estimate, in plies; absent for what is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The move and the best play of both sides after it, as far as it is known.
    #[serde(serialize_with = "letters")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub pv: Vec<Move>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn letter<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(mv)
}

fn letters<S: Serializer>(moves: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(moves.iter().map(Move::to_string))
}

impl MoveValue {
    /// A move whose margin is known.
    pub(crate) fn proven(mv: Move, margin: i32, pv: Vec<Move>) -> MoveValue {
        MoveValue { mv, margin, lower: margin, upper: margin, proven: true, depth: None, pv }
    }
}

impl PositionValue {
    /// A position with the values of all its moves, or of a game that is over.
    pub(crate) fn new(board: &Board, source: Source, mut moves: Vec<MoveValue>) -> PositionValue {
        let order = ranked(board, moves.iter().map(|of| (of.mv, of.margin)).collect());
        moves.sort_by_key(|of| order.iter().position(|&(mv, _)| mv == of.mv));
        let result = board.result_for(board.side()).unwrap_or_default();
        let best = |value: fn(&MoveValue) -> i32| moves.iter().map(value).max().unwrap_or(result);
        let (lower, upper) = (best(|of| of.lower), best(|of| of.upper));
        PositionValue {
            fen: board.fen(),
            rules: board.rules().into(),
            margin: best(|of| of.margin),
            lower,
            upper,
            proven: lower == upper,
            source,
            moves,
        }
    }

    /// Whether nothing about it can become better known.
    pub(crate) fn is_final(&self) -> bool {
        self.moves.iter().all(|of| of.proven)
    }
}

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    error: String,
    /// The request may be sent again after this time.
    wait: Option<Duration>,
}

/// What is wrong with a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FailureJson {
    /// One sentence for people.
    error: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Failure {
        Failure { status, error: error.into(), wait: None }
    }

    /// The request is wrong.
    pub(crate) fn bad(error: String) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, error)
    }

    /// The request asks for too much.
    pub(crate) fn busy(wait: Duration, error: &str) -> Failure {
        Failure { wait: Some(wait), ..Failure::new(StatusCode::TOO_MANY_REQUESTS, error) }
    }

    /// The server is about to end.
    pub(crate) fn ending() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to end")
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        // A text is always JSON.
        let body = serde_json::to_string(&FailureJson { error: self.error }).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.status, kind, body).into_response();
        if let Some(wait) = self.wait {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

/// Several positions, in the order of the request.
#[cfg(test)]
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct PositionValues {
    /// The positions.
    pub positions: Vec<PositionValue>,
}

/// What is read from an object alone: for a struct serde takes an array of its members, too.
pub(crate) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Object<T>, D::Error> {
        struct Members<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<T, M::Error> {
                T::deserialize(MapAccessDeserializer::new(members))
            }
        }

        from.deserialize_map(Members(PhantomData)).map(Object)
    }
}
