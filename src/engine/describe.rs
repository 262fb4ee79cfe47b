//! The texts of `d`, `eval` and `debug on`.

use crate::board::{AnyPosition, Board, Position, RowTables, Side, Sowings};
use crate::search::{CENTISEEDS, Counters, Evaluation, EvaluationTerms, SearchOptions};

/// The drawing of a board, with its text form and key.
pub(super) fn board(board: &Board) -> String {
    format!("{board}\nFen: {}\nKey: {:016x}", board.fen(), board.key())
}

/// The evaluation of a board term by term, in seeds, from the view of the player to move.
pub(super) fn evaluation(board: &Board, options: &SearchOptions) -> String {
    let evaluation = options.evaluation(board.rules());
    let (terms, gain) = match board.position() {
        AnyPosition::Narrow(sowings, position) => evaluate(&evaluation, sowings, &position),
        AnyPosition::Wide(sowings, position) => evaluate(&evaluation, sowings, &position),
    };
    let houses = |terms: &[i32]| terms.iter().map(|&term| in_seeds(term)).collect::<Vec<_>>();
    let name = |side| if side == Side::South { "South" } else { "North" };
    let mover = name(board.side());
    let stores = board.store_difference();
    let tempo = match terms.tempo {
        Some(tempo) => format!("Tempo     {}", in_seeds(tempo)),
        None => "Network; the contribution of each house".to_owned(),
    };
    let (own, opponent) = (houses(&terms.own).join(" "), houses(&terms.opponent).join(" "));
    let expected = match (board.result(), board.side()) {
        (None, _) => stores + gain,
        (Some(result), Side::South) => result,
        (Some(result), Side::North) => -result,
    };
    format!(
        "Stores    {stores:+}\n\
         {tempo}\n\
         {mover}     {own}\n\
         {}     {opponent}\n\
         Expected  {expected:+} seeds for {mover}, to move",
        name(!board.side()),
    )
}

/// The counters of a search, on one line.
pub(super) fn counters(counters: &Counters) -> String {
    let Counters { nodes, interior, leaves, finished, researches, .. } = counters;
    let Counters { tablebase_hits, table_hits, cutoffs, .. } = counters;
    let cutoffs = cutoffs.map(|count| count.to_string()).join(" ");
    format!(
        "counters nodes {nodes} interior {interior} leaves {leaves} finished {finished} \
         researches {researches} tablehits {table_hits} tbhits {tablebase_hits} cutoffs {cutoffs}"
    )
}

fn evaluate<R: RowTables>(
    evaluation: &Evaluation,
    sowings: &Sowings<R>,
    position: &Position<R>,
) -> (EvaluationTerms, i32) {
    let houses = sowings.rules().houses();
    let seeds = position.own_seeds() + position.opponent_seeds();
    (evaluation.terms(position, houses), evaluation.gain(position, houses, seeds as i32))
}

/// Hundredths of a seed as seeds.
fn in_seeds(centiseeds: i32) -> String {
    format!("{:+.2}", f64::from(centiseeds) / f64::from(CENTISEEDS))
}
