//! Who plays whom, and on which side.

use super::results::Table;

/// A round robin: in each round every two players play two games, with the sides exchanged.
#[derive(Clone, Debug)]
pub(super) struct RoundRobin {
    /// By the circle method, so that neighbours in the list have different players.
    opponents: Vec<[usize; 2]>,
    rounds: u64,
}

impl RoundRobin {
    pub(super) fn new(players: usize, rounds: u64) -> RoundRobin {
        // With an odd number one player rests in turn.
        let seats = players.next_multiple_of(2);
        let others = seats.saturating_sub(1);
        let mut opponents = Vec::new();
        for turn in 0..others {
            for table in 0..seats / 2 {
                let first = if table == 0 { others } else { (turn + table) % others };
                let second = (turn + others - table) % others;
                if first < players && second < players {
                    opponents.push([first.min(second), first.max(second)]);
                }
            }
        }
        RoundRobin { opponents, rounds }
    }

    pub(super) fn games(&self) -> u64 {
        (2 * self.opponents.len() as u64).saturating_mul(self.rounds)
    }

    /// A game by its number, from 1.
    pub(super) fn game(&self, number: u64) -> Option<Table> {
        if number == 0 || number > self.games() {
            return None;
        }
        let (pair, is_second) = ((number - 1) / 2, number.is_multiple_of(2));
        let pairs = self.opponents.len() as u64;
        let mut players = self.opponents[(pair % pairs) as usize];
        // Who is South first alternates from pair to pair.
        if is_second != (pair % 2 == 1) {
            players.reverse();
        }
        Some(Table { stage: 0, number, round: pair / pairs + 1, players })
    }
}

#[derive(Clone, Debug)]
pub(super) struct WaitingAgent {
    pub connection: u64,
    /// Agents of one identity do not play each other.
    pub identity: String,
    pub name: String,
}

/// Two agents for the next game: the one that waits longest, which comes first, and the opponent with the
/// lowest rank for it; `None` if no two of them can play.
pub(super) fn next_opponents<R: Ord>(
    waiting: &[WaitingAgent],
    rank: impl Fn(&WaitingAgent, &WaitingAgent) -> R,
) -> Option<[&WaitingAgent; 2]> {
    waiting.iter().find_map(|agent| {
        let others = waiting.iter().filter(|other| other.identity != agent.identity);
        Some([agent, others.min_by_key(|other| rank(agent, other))?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waiting_meets_whom_it_ranks_first_but_never_itself() {
        let chosen = |identities: &[&str], rank: fn(&str) -> u64| {
            let agent = |(connection, &identity): (u64, &&str)| WaitingAgent {
                connection,
                identity: identity.to_owned(),
                name: String::new(),
            };
            let waiting: Vec<WaitingAgent> = (1..).zip(identities).map(agent).collect();
            let chosen = next_opponents(&waiting, |_, other| rank(&other.identity));
            chosen.map(|agents| agents.map(|agent| agent.connection))
        };
        assert_eq!(chosen(&["a", "a"], |_| 0), None);
        assert_eq!(chosen(&["a", "a", "b", "c"], |_| 0), Some([1, 3]));
        assert_eq!(chosen(&["a", "b", "c"], |other| u64::from(other == "b")), Some([1, 3]));
        assert_eq!(chosen(&["a", "c", "b"], |other| u64::from(other != "b")), Some([1, 3]));
    }
}
