// What the page says about the game: whose turn it is, what a move does, why a house cannot be sown, who has won.

import { sideOf } from "./rules.js";
import { outcomeWords } from "./tree.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Position, LegalMove } from "./types" */

function resultText(/** @type {App} */ { players }, /** @type {number} */ margin) {
  return margin === 0 ? words.draw : words.winsBy(margin > 0 ? "S" : "N", players, Math.abs(margin));
}

/** The line below the board. */
export function statusText(/** @type {App} */ app, /** @type {Position} */ position) {
  const { match, node, game, lesson, board, players } = app;
  if (lesson) return "";
  if (board.isBusy) return words.sows(players[position.turn], node.move);
  if (position.result !== null) return words.gameOver(resultText(app, position.result));
  if (match?.isLive && app.room.isBlocked) return words.locked;
  if (match?.isLive && node !== game.root.end) return words.earlierShort;
  if (!match?.isLive && node === game.end && game.result !== "*" && game.tags.Termination) return outcomeWords(game, players);
  if (match?.isLive && match.onlyPerson === position.turn && !node.parent) return words.yourFirstMove;
  return words.toMove(players[position.turn], node.parent?.turn === node.turn);
}

/** A move for those who hear it. */
export function moveText(/** @type {App} */ app, /** @type {LegalMove} */ legal, /** @type {Position} */ after) {
  const side = sideOf(legal.move);
  const who = app.players[side];
  const parts = [words.sows(who, legal.move)];
  if (legal.pickUps.length) parts.push(words.sowsOn(who, legal.pickUps.length));
  if (legal.capture) parts.push(words.captures(who, legal.capture.seeds));
  if (legal.again) parts.push(words.movesAgain(who));
  const rest = after.result === null ? words.inStore(after.stores[side === "S" ? 0 : 1]) : words.isOver(resultText(app, after.result));
  return `${parts.join("")}. ${rest}`;
}

/** Why a house cannot be sown. */
export function whyNot(/** @type {App} */ app, /** @type {string} */ pit) {
  const { match, lesson, node, game, players } = app;
  const position = app.board.position ?? app.position;
  if (position.result !== null) return words.overNow;
  const isLive = !lesson && match?.isLive;
  if (isLive && node !== game.root.end) return words.earlier;
  if (isLive && !match.isPerson(position.turn)) return words.turnOf(players[position.turn]);
  return sideOf(pit) === position.turn ? words.isEmpty(pit) : words.turnOf(players[position.turn]);
}
