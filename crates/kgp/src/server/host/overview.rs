//! What the page shows of the state of a server.

use super::super::agent::Activity;
use super::super::page::{AgentRow, GameRow, PageContents};
use super::Host;
use kalah::board::Side;

impl Host {
    /// What the page shows.
    pub(crate) fn page(&self) -> PageContents<'_> {
        let mut agents: Vec<(u64, AgentRow)> = Vec::new();
        for (&connection, agent) in self.agents.iter().filter(|(_, agent)| !agent.is_introducing())
        {
            let player = self.results.index_of(&agent.identity());
            let name = player
                .map_or_else(|| agent.name(), |player| self.results.players[player].name.clone());
            let activity = match agent.activity {
                Activity::Introducing | Activity::Waiting => "waiting".to_owned(),
                Activity::Playing(number) => format!("game {number}"),
                Activity::Solving(..) => "solving problems".to_owned(),
            };
            let (authors, description) = (agent.authors.clone(), agent.description.clone());
            agents.push((connection, AgentRow { name, authors, description, activity }));
        }
        agents.sort_by_key(|(connection, _)| *connection);
        let mut games: Vec<GameRow> = self
            .games
            .values()
            .map(|game| {
                let players =
                    game.table.players.map(|player| self.results.players[player].name.clone());
                let stores = Side::ALL.map(|side| game.referee.board().store(side).into());
                let plies = game.referee.plies();
                GameRow { number: game.table.number, players, stores, plies }
            })
            .collect();
        games.sort_by_key(|game| game.number);
        PageContents {
            title: self.event.clone(),
            agents: agents.into_iter().map(|(_, agent)| agent).collect(),
            games,
            standings: self.standings(),
            last: self.results.last(),
            finished: self.results.finished_games(),
            total: self.matchmaker.games(),
            has_begun: self.matchmaker.has_begun(),
        }
    }
}
