//! From one stage of a tournament to the next, and the ranking over all of them.

use super::super::matchmaker::WaitingAgent;
use super::super::stages::BegunStage;
use super::{Host, Recorded};
use kalah::printable::counted;
use kalah_records::Standings;

/// A player of a tournament in stages, and how far it has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Its name.
    pub name: String,
    /// Its last stage, from 1.
    pub stage: usize,
    /// Its points in this stage: 1 for a win, 0.5 for a draw; in an exam its wins.
    pub points: f64,
    /// Why it did not go on, if it did not pass.
    pub fault: Option<&'static str>,
}

impl Host {
    /// A stage has begun: those who are out of the tournament leave.
    pub(super) fn begin_stage(&mut self) -> Recorded {
        let [.., last, stage] = &self.matchmaker.begun[..] else { return Ok(()) };
        let BegunStage { index, settings, players, .. } = stage.clone();
        let out = last.players.iter().filter(|player| !players.contains(player));
        let out: Vec<&str> = out.map(|&player| self.results.name(player)).collect();
        let count = counted(players.len(), "player");
        let out = if out.is_empty() { String::new() } else { format!("; out: {}", out.join(", ")) };
        let event = format!("stage {} begins with {count}: {settings}{out}", index + 1);
        self.events.push(event);
        for WaitingAgent { connection, identity, .. } in self.waiting() {
            if self.results.index_of(&identity).is_some_and(|player| !players.contains(&player)) {
                let reason = format!("you are out of the tournament after stage {index}");
                self.send_away(connection, &reason)?;
            }
        }
        // Who was lost in the stage before may come back for this one.
        for player in players {
            let identity = self.results.players[player].0.clone();
            self.begin_grace(&identity);
        }
        Ok(())
    }

    /// The stages, if there are several, in which players have met, the last one first, with what they are.
    pub(in super::super) fn stage_standings(&self) -> Vec<(String, Standings)> {
        let has_several = self.matchmaker.stages.len() > 1;
        let begun = self.matchmaker.begun.iter().rev().filter(|_| has_several);
        let standings = begun.map(|stage| {
            let standings = self.results.standings_of(&stage.players, Some(stage.index));
            (format!("Stage {}: {}", stage.index + 1, stage.settings), standings)
        });
        standings.filter(|(_, standings)| !standings.games().is_empty()).collect()
    }

    /// All players of a tournament in stages from best to worst: those who came farther first, then as in
    /// the standing of their last stage. Empty if there is one stage only.
    pub fn ranking(&self) -> Vec<Ranked> {
        let mut ranking: Vec<Ranked> = Vec::new();
        if self.matchmaker.stages.len() < 2 {
            return ranking;
        }
        for stage in self.matchmaker.begun.iter().rev() {
            let standings = self.results.standings_of(&stage.players, Some(stage.index));
            let is_exam = stage.settings.examiner().is_some();
            for player in stage.ranking(&self.results) {
                let name = self.results.name(player);
                if ranking.iter().any(|ranked| ranked.name == name) {
                    continue;
                }
                let place = stage.players.iter().position(|&other| other == player);
                let total = place.map(|place| standings.total(place));
                let points =
                    total.map_or(0.0, |total| total.wins as f64 + total.draws as f64 / 2.0);
                let wins = stage.exam_wins(player, &self.results);
                ranking.push(Ranked {
                    name: name.to_owned(),
                    stage: stage.index + 1,
                    points: if is_exam { wins.unwrap_or(0) as f64 } else { points },
                    fault: (is_exam && wins.is_none()).then_some("illegal move"),
                });
            }
        }
        ranking
    }
}
