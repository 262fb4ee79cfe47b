//! What is told of a search that is done in parts.

use crate::search::{Observer, PvLine, SearchStats};

/// Passes on the lines of parts of a search as if it were one: those that come again are left out,
/// and the work of earlier parts is counted.
pub(super) struct Told<'a> {
    observer: &'a mut dyn Observer,
    /// The depth of the last line that was passed on, and whether it was the line's value.
    depth: u32,
    /// Work that searches of the lines to come do not know of.
    pub nodes: u64,
    pub tbhits: u64,
}

impl<'a> Told<'a> {
    pub(super) fn new(observer: &'a mut dyn Observer) -> Told<'a> {
        Told { observer, depth: 0, nodes: 0, tbhits: 0 }
    }

    /// Adds the work of earlier parts to that of one, which is an earlier one from then on.
    pub(super) fn count(&mut self, effort: &mut SearchStats) {
        *effort = self.effort(effort);
        (self.nodes, self.tbhits) = (effort.nodes, effort.tbhits);
    }

    /// The work of all parts.
    fn effort(&self, effort: &SearchStats) -> SearchStats {
        SearchStats {
            nodes: self.nodes + effort.nodes,
            tbhits: self.tbhits + effort.tbhits,
            ..*effort
        }
    }

    /// Tells a line that counts all work already.
    pub(super) fn repeat(&mut self, line: &PvLine, effort: &SearchStats) {
        self.depth = self.depth.max(line.depth);
        self.observer.line(line, effort);
    }
}

impl Observer for Told<'_> {
    fn line(&mut self, line: &PvLine, effort: &SearchStats) {
        if line.depth >= self.depth || line.proven {
            self.depth = line.depth;
            let effort = self.effort(effort);
            self.observer.line(line, &effort);
        }
    }

    fn note(&mut self, text: &str) {
        self.observer.note(text);
    }
}
