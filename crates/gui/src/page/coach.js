// The coach: hints in steps, and the way back after a mistake. What it says are facts of the engine's lines.

import { valueWords } from "./analysis.js";
import { forget, notice } from "./notices.js";
import { whyWords } from "./review.js";
import { otherSide, sideOf } from "./rules.js";
import { words } from "./words.js";

/** @import { Node } from "./game.js" */
/** @import { Explanation, LegalMove, MoveValue, Position } from "./types" */
/** @typedef {import("./analysis.js").Findings} Findings */

/** From this level on an opponent is strong, and the coach is silent unless it is asked for. */
const STRONG = 15;
/** Seeds that a mistake gives away at least, where it is proven and where it is estimated. */
const MISTAKE = { proven: 4, estimated: 5 };

export class Coach {
  /** The position of the last hint, and how many steps of it were told. */
  #hinted = "";
  #told = 0;
  #last = /** @type {Promise<unknown>} */ (Promise.resolve());

  constructor(/** @type {import("./app.js").App} */ app) {
    this.app = app;
  }

  /** The next step of the hint: what to look for, the house, and why. */
  async hint() {
    const { app } = this;
    const { node, position } = app;
    if (app.lesson || !position.moves.length) return;
    if (this.#hinted !== position.board) [this.#hinted, this.#told] = [position.board, 0];
    const found = await this.#look(position);
    if (!found || node !== app.node) return;
    const [best] = found.ranked;
    const legal = position.moves.find(({ move }) => move === best.move);
    const why = await this.#why(found, best, found.ranked.find((other) => lossOf(found, other) >= 1));
    await app.board.settled();
    if (!legal || node !== app.node) return;
    // Of one move there is nothing to be found.
    const step = position.moves.length === 1 ? 2 : Math.min(2, this.#told);
    this.#told = step + 1;
    const text = [words.lookFor[aimOf(legal, why)], words.thisHouse(best.move), words.hint(best.move, valueWords(best.value, best.proven, app.match?.isLive ? app.players : undefined), whyWords({ why }))][step];
    if (step > 0) app.board.setHint(best.move);
    notice(text, { kind: "hint", action: step < 2 ? [words.nextHint, () => this.hint()] : undefined, stays: step < 2 });
  }

  /** Whether a person who plays an engine is to be told of mistakes. */
  #isOn(/** @type {import("./types").Side} */ side) {
    const { match, settings } = this.app;
    const other = match?.seats[otherSide(side)];
    if (!match?.isLive || match.onlyPerson !== side || other?.kind !== "engine") return false;
    return settings.coach === 2 || (settings.coach === 1 && other.level < STRONG);
  }

  /** Looks at the position of a person who is to move, so that a mistake is known when it is made. */
  watch(/** @type {Node} */ { turn, board }) {
    const position = this.app.rules.known(this.app.game.capture, board);
    if (position && position.moves.length > 1 && this.#isOn(turn)) this.#look(position).catch(() => {});
  }

  /** Offers to take back a move that was a mistake, once its value is known. */
  async moved(/** @type {Node} */ from, /** @type {Node} */ child) {
    const { app } = this;
    const { match, game } = app;
    if (match?.isPerson(from.turn)) forget("coach");
    const position = app.rules.known(game.capture, from.board);
    if (!position || position.moves.length < 2 || !this.#isOn(from.turn)) return;
    const found = await this.#look(position).catch(() => null);
    const played = found?.values[child.move];
    if (!found || !played) return;
    const [best] = found.ranked;
    const isProven = best.proven && played.proven;
    const loss = lossOf(found, played);
    if (loss < (isProven ? MISTAKE.proven : MISTAKE.estimated)) return;
    const why = await this.#why(found, best, played).catch(() => undefined);
    await app.board.settled();
    const line = game.end.line;
    const later = line.slice(line.indexOf(child) + 1);
    if (match !== app.match || !match?.isLive || !line.includes(child) || later.some(({ parent }) => parent?.turn === from.turn)) return;
    notice(words.wasMistake(child.move, Math.round(loss), isProven, whyWords({ why })), {
      kind: "coach",
      action: [words.takeBackNow, () => game.end.line.includes(child) && match.takeBack()],
    });
  }

  /** The values of all moves; one position after the other. @returns {Promise<Findings | null>} */
  #look(/** @type {Position} */ position) {
    const { analysis, game } = this.app;
    const found = this.#last.then(() => analysis.look(game.capture, position));
    this.#last = found.catch(() => {});
    return found;
  }

  /** Why a move is better than another one. @returns {Promise<Explanation | undefined>} */
  async #why(/** @type {Findings} */ found, /** @type {MoveValue} */ best, /** @type {MoveValue | undefined} */ other) {
    if (!other) return undefined;
    const { socket, game } = this.app;
    const request = { board: found.position.board, capture: game.capture, best: best.pv.join(""), played: other.pv.join(""), loss: Math.round(lossOf(found, other)) };
    return (await socket.request("explain", request)).why ?? undefined;
  }
}

const lossOf = (/** @type {Findings} */ found, /** @type {MoveValue} */ { value }) => found.sign * (found.ranked[0].value - value);

/** What a move is good for, by what it does or prevents. @returns {keyof typeof words.lookFor} */
function aimOf(/** @type {LegalMove} */ legal, /** @type {Explanation | undefined} */ why) {
  if (legal.again) return "again";
  if (legal.capture) return "capture";
  if (legal.pickUps.length) return "relay";
  const turns = why?.turns ?? [];
  if (turns.some(({ number, played }) => number === 2 && played?.capture)) return "danger";
  if (turns.some(({ best }) => best?.capture && best.side === sideOf(legal.move))) return "later";
  return "quiet";
}
