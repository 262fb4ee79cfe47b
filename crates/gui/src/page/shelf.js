// The last games, kept in this browser.

import { newId } from "./game.js";
import { keep, loadFields, loadJson } from "./page.js";

/** @import { App } from "./app.js" */
/** @import { Game } from "./game.js" */
/** @import { GameRecord } from "./types" */
/** A kept game: its state without analysis and review.
 * @typedef {{id: string, time: number, name: string, state: {game: GameRecord, match: any, flipped: boolean, path: number[]}}} Kept */

const SHELF = "kalah-shelf";
const MAX_GAMES = 50;
const DELETED = "kalah-deleted";
let deleted = /** @type {string[]} */ ([]);
/** The ids of games that were deleted, in any tab: one that is on the board is not kept again. */
const deletedIds = () => (deleted = loadFields(DELETED, { ids: deleted }).ids);

/** What this page knows: a browser that keeps nothing has the games of this page. */
let kept = /** @type {Kept[]} */ ([]);

/** The games, the last first. */
export function games() {
  // Another tab may have kept one since.
  const stored = loadJson(SHELF);
  if (Array.isArray(stored)) kept = stored;
  return kept;
}

export function setGames(/** @type {Kept[]} */ list) {
  kept = list.sort((a, b) => b.time - a.time).slice(0, MAX_GAMES);
  // A full storage keeps fewer of them.
  for (let count = kept.length; !keep(SHELF, JSON.stringify(kept.slice(0, count))) && count; ) count >>= 1;
}

/** Deletes a game, or takes that back. */
export function setDeleted(/** @type {Kept} */ game, /** @type {boolean} */ isDeleted) {
  deleted = [...deletedIds().filter((id) => id !== game.id), ...(isDeleted ? [game.id] : [])].slice(-MAX_GAMES);
  keep(DELETED, JSON.stringify({ ids: deleted }));
  setGames([...(isDeleted ? [] : [game]), ...games().filter(({ id }) => id !== game.id)]);
}

/** The games as this page has kept or opened them, by id. @type {Map<string, string>} */
const known = new Map();

/** Notes a game that is opened: as it is, it need not be kept. */
export const know = (/** @type {Game} */ game) => known.has(game.id) || known.set(game.id, JSON.stringify(game.toRecord()));

/** Keeps the game on the board, if it was played here. */
export function keepGame(/** @type {App} */ app) {
  const { game, match } = app;
  const state = { game: game.toRecord(), match, flipped: app.board.isFlipped, path: app.node.path };
  const text = JSON.stringify(state.game);
  if (known.get(game.id) === text || deletedIds().includes(game.id)) return;
  const old = games();
  let before = old.find(({ id }) => id === game.id);
  if (!(match || before) || (game.main.length < 2 && game.result === "*")) return;
  const there = JSON.stringify(before?.state.game);
  // Another tab has gone on with it: here it becomes another game.
  if (before && there !== text && there !== known.get(game.id)) [game.id, before] = [newId(), undefined];
  known.set(game.id, text);
  if (there === text) return;
  setGames([{ id: game.id, time: before?.time ?? Date.now(), name: before?.name ?? "", state }, ...old.filter(({ id }) => id !== game.id)]);
}

/** The players of a game as its text has them. */
export const playersOf = (/** @type {Kept} */ { state }) => [state.game.tags.South ?? "South", state.game.tags.North ?? "North"];

/** How often each of two players has won today, and how often neither. */
export function scoreOfDay(/** @type {string[]} */ [one, other]) {
  const today = new Date().toDateString();
  const score = { one: 0, other: 0, draws: 0 };
  for (const entry of games()) {
    const [south, north] = playersOf(entry);
    const isTurned = south === other && north === one;
    const { result } = entry.state.game;
    if (new Date(entry.time).toDateString() !== today || !(isTurned || (south === one && north === other))) continue;
    if (result === "1/2-1/2") score.draws++;
    else if (result !== "*") score[(result === "1-0") === isTurned ? "other" : "one"]++;
  }
  return score;
}
