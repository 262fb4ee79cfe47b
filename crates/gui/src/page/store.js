// What outlives a reload: the game, the place in it, the match, the review and the analysis.

import { Findings } from "./analysis.js";
import { gameOfLink } from "./editor.js";
import { Game } from "./game.js";
import { Match } from "./play.js";

/** @import { App } from "./app.js" */

const STATE = "kalah-state";
/** No more positions than this are kept with their analysis. */
const MAX_KEPT = 60;

export function saveState(/** @type {App} */ app) {
  const { game, analysis, node, match } = app;
  const kept = [game.root, ...game.main, node].flatMap(({ board }) => {
    const findings = analysis.findings(game.capture, board);
    return findings ? [findings] : [];
  });
  const state = JSON.stringify({
    game: game.toRecord(),
    path: node.path,
    flipped: app.board.isFlipped,
    match: match?.isLive ? match : null,
    review: app.review,
    analysing: analysis.isOn,
    kept: [...new Set(kept)].slice(-MAX_KEPT),
  });
  // A tab has its own game; a new tab begins with the last one.
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(STATE, state);
    } catch {
      // A full storage keeps what it has.
    }
  }
}

/** Shows the game of the link, of this tab, of the command line or of the last tab, or else a new board. */
export async function restoreState(/** @type {App} */ app) {
  const given = app.hello?.game;
  const stored = sessionStorage.getItem(STATE) ?? (given ? null : localStorage.getItem(STATE));
  try {
    const linked = await gameOfLink(app);
    if (linked) return await app.openRecord(linked);
    if (stored) return await restore(app, JSON.parse(stored));
    if (given) return await app.openRecord(given);
  } catch (error) {
    app.notice(`The game cannot be restored: ${/** @type {Error} */ (error).message}`);
  }
  const start = await app.rules.start("standard", 6, 4);
  await app.openGame(new Game(start.board, "standard"));
}

async function restore(/** @type {App} */ app, /** @type {any} */ { game, path, flipped, match, review, analysing, kept }) {
  app.game = await Game.fromRecord(game, app.rules);
  app.board.isFlipped = flipped;
  app.review = review;
  for (const findings of kept) app.analysis.keep(app.game.capture, Object.assign(new Findings(findings.position), findings));
  if (match) {
    app.match = new Match(app, match);
    app.match.left = match.left;
  }
  await app.show(app.game.at(path));
  if (analysing) app.toggleAnalysis();
  app.match?.go();
}
