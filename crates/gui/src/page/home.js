// The start: play the computer, two players, analyse, or go on with the game that is there.

import { Board } from "./board.js";
import { FACES, drawFace } from "./faces.js";
import { Game } from "./game.js";
import { button, byId, element, showText } from "./page.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Seat } from "./types" */

export class Home {
  constructor(/** @type {App} */ app) {
    this.app = app;
    this.drawFaces();
    button("home-open").onclick = () => this.open(true);
    button("home-continue").onclick = () => this.close(true);
    button("home-two").onclick = () => this.#begin({ kind: "person" }, { kind: "person" });
    button("home-analyse").onclick = () => this.#analyse();
    button("home-other").onclick = () => app.openNewGame(null);
  }

  /** Draws whom one can play, in the language of the page. */
  drawFaces() {
    byId("faces").replaceChildren(
      ...FACES.map(({ name, level }, i) => {
        const text = element("span", {}, element("b", {}, name), element("span", { class: "kind" }, words.kinds[i]), element("span", { class: "deed" }, words.deeds[i]));
        const face = element("button", { type: "button", "data-level": String(level) }, drawFace(i), text);
        face.onclick = () => this.#begin({ kind: "person" }, { kind: "engine", engine: 0, level });
        return face;
      }),
    );
  }

  get isOpen() {
    return "home" in document.body.dataset;
  }

  /** Shows the start; the game waits behind it. */
  open(hasFocus = false) {
    const { app } = this;
    if (this.isOpen) return;
    app.lesson?.end();
    if (app.analysis.isOn) app.toggleAnalysis();
    app.match?.pause();
    document.body.dataset.home = "";
    this.#drawGame();
    app.update();
    if (hasFocus) /** @type {HTMLElement | null} */ (byId("home").querySelector("button:not([hidden])"))?.focus();
  }

  /** Hides the start, and lets the game behind it go on. */
  close(isGoingOn = false) {
    if (!this.isOpen) return;
    const hadFocus = byId("home").contains(document.activeElement);
    delete document.body.dataset.home;
    byId("home-board").replaceChildren();
    if (hadFocus) byId("table").focus({ preventScroll: true });
    if (!isGoingOn) return;
    this.app.match?.resume();
    this.app.show(this.app.node);
  }

  #drawGame() {
    const { app } = this;
    const isThere = app.game.main.length > 0 || (app.match?.isLive ?? false);
    button("home-continue").hidden = !isThere;
    if (!isThere) return;
    const board = Board.small(byId("home-board"));
    board.isFlipped = app.board.isFlipped;
    board.show(app.position);
    showText(byId("home-players"), `${app.players.S.name} – ${app.players.N.name}, ${words.atMove(app.game.main.length)}`);
  }

  async #begin(/** @type {Seat} */ south, /** @type {Seat} */ north) {
    const { app } = this;
    const start = await app.rules.start("standard", 6, 4);
    const terms = { seats: { S: south, N: north }, clock: /** @type {const} */ ({ kind: "none" }), swap: false };
    await app.replace(words.newGameBegun, () => app.newGame(new Game(start.board, "standard"), terms));
  }

  /** The board alone: the game that is there stays unless somebody plays it. */
  async #analyse() {
    const { app } = this;
    if (app.match?.isLive) {
      const start = await app.rules.start("standard", 6, 4);
      await app.replace(words.newGameBegun, () => app.openGame(new Game(start.board, "standard")));
    }
    this.close(true);
    if (!app.analysis.isOn) app.toggleAnalysis();
  }
}
