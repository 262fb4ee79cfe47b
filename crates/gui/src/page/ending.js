// The end of a game: who has won by how much, the score of the day, and what comes next.

import { FACES, drawFace } from "./faces.js";
import { Game } from "./game.js";
import { announce, onClick } from "./notices.js";
import { button, byId, element, showText } from "./page.js";
import { otherSide } from "./rules.js";
import { faceIn } from "./seats.js";
import { keepGame, scoreOfDay } from "./shelf.js";
import { outcomeWords } from "./tree.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Side } from "./types" */

export class Ending {
  #shown = /** @type {Game | null} */ (null);

  constructor(/** @type {App} */ app) {
    this.app = app;
    onClick(button("rematch"), () => this.#again());
    onClick(button("rematch-swap"), () => this.#again(({ S, N }) => ({ S: N, N: S })));
    button("ending-review").onclick = () => button("review").click();
    for (const by of [-1, 1]) {
      onClick(button(by < 0 ? "easier" : "harder"), () => {
        const face = this.#face(by);
        return face && this.#again(({ S, N }) => ({ S: withLevel(S, face.level), N: withLevel(N, face.level) }));
      });
    }
  }

  /** The next face below or above the level of the only engine. */
  #face(/** @type {number} */ by) {
    const { match } = this.app;
    const seat = match?.onlyPerson && match.seats[otherSide(match.onlyPerson)];
    if (!seat || seat.kind !== "engine") return undefined;
    return by < 0 ? FACES.findLast(({ level }) => level < seat.level) : FACES.find(({ level }) => level > seat.level);
  }

  /** Plays the same game again, with these seats. */
  async #again(/** @type {(seats: import("./play.js").Match["seats"]) => import("./play.js").Match["seats"]} */ change = (seats) => seats) {
    const { app } = this;
    const { match, game } = app;
    if (!match) return;
    const { clock, hasSwap: swap, seats } = match;
    await app.replace(words.newGameBegun, () => app.newGame(new Game(game.start, game.capture), { seats: change(seats), clock, swap }));
  }

  draw() {
    const { app } = this;
    const { match, game, node, board, position } = app;
    const isOver = match !== null && !match.isLive && game.result !== "*" && node === game.end && !app.lesson && !board.isBusy;
    byId("ending").hidden = !isOver;
    if (!isOver) return;
    const isNew = this.#shown !== game;
    this.#shown = game;
    // The score counts this game, too.
    if (isNew) keepGame(app);
    const title = outcomeWords(game, app.players);
    showText(byId("ending-title"), title);
    const { players } = app;
    const [south, north] = [players.S.name, players.N.name];
    const [a, b] = position.stores;
    const total = Math.max(1, a + b);
    for (const [side, name, seeds] of /** @type {[Side, string, number][]} */ ([["S", south, a], ["N", north, b]])) {
      const place = byId(`ending-${side}`);
      place.dataset.seeds = String(seeds);
      place.style.setProperty("--seeds", String(seeds));
      place.style.flexGrow = String(Math.max(1, (4 * seeds) / total));
      const face = faceIn(app, side);
      place.replaceChildren(...(face ? [face] : []), element("span", {}, name));
    }
    const score = scoreOfDay([game.tags.South, game.tags.North]);
    const today = words.today(south, score.one, north, score.other, score.draws);
    showText(byId("ending-today"), score.one + score.other + score.draws > 1 ? today : "");
    for (const [id, face, text] of /** @type {const} */ ([["easier", this.#face(-1), words.easier], ["harder", this.#face(1), words.harder]])) {
      button(id).hidden = !face;
      if (!face) continue;
      button(id).replaceChildren(drawFace(face), text);
      button(id).ariaLabel = `${text}: ${face.name}`;
    }
    if (!isNew) return;
    announce(`${title}. ${words.stores(players, a, b)} ${byId("ending-today").textContent}`.trim());
    // The houses answer no more: the keyboard goes on with what comes next.
    const focused = document.activeElement;
    if (!focused || focused === document.body || app.board.root.contains(focused)) byId("ending-title").focus({ preventScroll: true });
  }
}

/** @returns {import("./types").Seat} */
function withLevel(/** @type {import("./types").Seat} */ seat, /** @type {number} */ level) {
  return seat.kind === "engine" ? { ...seat, level } : seat;
}
