//! The ratings of standings, as text, JSON and pages show them.

use crate::Standings;
use crate::statistics::{Anchor, Estimate, RatingModel};

/// The note about ratings that depend on the prior.
pub const UNDETERMINED: &str = "The results alone do not determine all ratings: each player \
    counts half a game more, drawn against a player of rating 0.";

const DAVIDSON_UNDETERMINED: &str = "The results alone do not determine all ratings: those of some players depend \
    on the prior, of mean 0 and standard deviation 350 Elo.";

/// The ratings of all players in one model.
pub struct RatedPlayers {
    /// In the order of the players.
    pub players: Vec<Estimate>,
    /// Set if the results alone do not determine the ratings.
    pub note: Option<&'static str>,
}

impl RatedPlayers {
    /// Rates the players of standings.
    pub fn new(standings: &Standings, model: RatingModel, anchor: Option<Anchor>) -> RatedPlayers {
        let (players, determined, note) = match model {
            RatingModel::MaximumLikelihood => {
                let ratings = standings.ratings(anchor);
                (ratings.players, ratings.determined, UNDETERMINED)
            }
            RatingModel::Davidson => {
                let ratings = standings.davidson_ratings(anchor);
                (ratings.players, ratings.determined, DAVIDSON_UNDETERMINED)
            }
        };
        RatedPlayers { players, note: (!determined).then_some(note) }
    }
}
