// The state of the page as one object: what outlives a reload, and what an undo brings back.

import { Findings } from "./analysis.js";
import { Game } from "./game.js";
import { notice } from "./notices.js";
import { keep, load, loadFields } from "./page.js";
import { Match } from "./play.js";
import { keepGame, know } from "./shelf.js";
import { openLink } from "./texts.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */

const STATE = "kalah-state";
/** The game that another one took the place of last. */
export const BEFORE = "kalah-before";
/** No more positions than this are kept with their analysis. */
const MAX_KEPT = 60;

/** The game, the place in it, the match, the review and the analysis, as JSON. */
export function stateOf(/** @type {App} */ app) {
  const { game, analysis, node, match } = app;
  const kept = [game.root, ...game.main, node].flatMap(({ board }) => {
    const findings = analysis.findings(game.capture, board);
    return findings ? [findings] : [];
  });
  return JSON.stringify({
    game: game.toRecord(),
    id: game.id,
    path: node.path,
    flipped: app.lesson?.wasFlipped ?? app.board.isFlipped,
    match,
    review: app.review,
    analysing: analysis.isOn,
    isHome: app.home.isOpen,
    kept: [...new Set(kept)].slice(-MAX_KEPT),
  });
}

/** A tab has its own game; a new tab begins with the last one. */
export function saveState(/** @type {App} */ app) {
  // There may be no game yet, and that of a guest is the room's.
  if (!app.position || app.hello?.guest) return;
  const state = stateOf(app);
  keep(STATE, state, "sessionStorage");
  keep(STATE, state);
  keepGame(app);
}

const PROGRESS = "kalah-puzzles";

/** What was solved: the boards, how many in a row, the last day whose puzzle was, and how many days in a row. */
export const progress = () => loadFields(PROGRESS, { solved: /** @type {string[]} */ ([]), row: 0, most: 0, lastDay: 0, days: 0 });

export function changeProgress(/** @type {Partial<ReturnType<typeof progress>>} */ some) {
  keep(PROGRESS, JSON.stringify({ ...progress(), ...some }));
}

/** Shows the game of this tab, of the command line or of the last tab, or else a new board; then that of the link. */
export async function restoreState(/** @type {App} */ app) {
  const given = app.hello?.game;
  const openNew = async () => {
    const start = await app.rules.start("standard", 6, 4);
    await app.openGame(new Game(start.board, "standard"));
  };
  if (app.hello?.guest) return openNew();
  const isReload = load(STATE, "sessionStorage") !== null;
  const stored = load(STATE, "sessionStorage") ?? (given ? null : load(STATE));
  const tried = (/** @type {Promise<void>} */ showing) => showing.then(() => true, (error) => notice(words.notRestored(error.message)));
  const isShown = (stored && (await tried(applyState(app, stored)))) || (given && (await tried(Game.fromRecord(given, app.rules).then((game) => app.openGame(game)))));
  if (!isShown) await openNew();
  const isLink = location.hash.startsWith("#g=");
  await openLink(app);
  // A page that is opened anew begins at the start, one that is loaded again where it was.
  if (!isLink && (isReload ? stored?.includes('"isHome":true') : !given)) app.home.open();
}

/** Shows a state in the place of the present one. */
export async function applyState(/** @type {App} */ app, /** @type {string} */ state) {
  const { game: record, id, path, flipped, match, review = null, analysing = false, kept = [] } = JSON.parse(state);
  const game = await Game.fromRecord(record, app.rules);
  game.id = id ?? game.id;
  know(game);
  if (await app.room.begins(game, match?.isLive ? match.seats : null)) return;
  app.leaveGame();
  app.game = game;
  app.board.isFlipped = flipped;
  app.review = review;
  for (const findings of kept) app.analysis.keep(game.capture, Object.assign(new Findings(findings.position), findings));
  if (match) app.match = new Match(app, match);
  await app.show(game.at(path));
  if (analysing !== app.analysis.isOn) app.toggleAnalysis();
  app.match?.go();
}
