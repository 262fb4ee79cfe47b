// The start: play the computer, two players, analyse, or go on with the game that is there.

import { Board } from "./board.js";
import { FACES, drawFace } from "./faces.js";
import { Game } from "./game.js";
import { newButton, onClick } from "./notices.js";
import { button, byId, element, showText } from "./page.js";
import { outcomeWords } from "./tree.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Seat } from "./types" */

export class Home {
  constructor(/** @type {App} */ app) {
    this.app = app;
    this.drawFaces();
    button("home-open").onclick = () => (history.state?.game ? history.back() : this.open(true));
    // The browser's own buttons lead from the board to the start, and to the board again.
    addEventListener("popstate", () => {
      if (history.state?.game) this.close(true);
      else if (!location.hash && !app.hello?.guest) this.open(true);
    });
    button("home-continue").onclick = () => this.close(true);
    onClick(button("home-two"), () => this.#begin({ kind: "person" }));
    onClick(button("home-analyse"), () => this.#analyse());
    button("home-other").onclick = () => app.openNewGame(null);
    byId("home-rules-choice").onchange = ({ target }) => app.changeSettings({ rules: /** @type {HTMLInputElement} */ (target).value });
  }

  /** The rules that games of the start have: relay sowing, or those of most sites. */
  get rules() {
    return this.app.settings.rules === "relay" ? "relay" : "standard";
  }

  /** A game of these rules on the board of most sites. */
  async newGame() {
    const start = await this.app.rules.start(this.rules, 6, 4);
    return new Game(start.board, this.rules);
  }

  /** Draws whom one can play, in the language of the page. */
  drawFaces() {
    byId("faces").replaceChildren(
      ...FACES.map((face, i) => {
        const { name, level } = face;
        const text = element("span", {}, element("b", {}, name), element("span", { class: "kind" }, words.kinds[i]), element("span", { class: "deed" }, words.deeds[i]));
        return newButton(() => this.#begin({ kind: "engine", engine: 0, level }), { "data-level": String(level) }, drawFace(face), text);
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
    /** @type {HTMLInputElement} */ (byId("home-rules-choice").querySelector(`[value=${this.rules}]`)).checked = true;
    app.update();
    if (hasFocus) /** @type {HTMLElement | null} */ (byId("home").querySelector("button:not([hidden])"))?.focus();
  }

  /** Hides the start, and lets the game behind it go on. */
  close(isGoingOn = false) {
    if (!this.isOpen) return;
    const hadFocus = byId("home").contains(document.activeElement);
    delete document.body.dataset.home;
    if (!history.state?.game) history.pushState({ game: true }, "");
    byId("home-board").replaceChildren();
    // A low window scrolls as a whole.
    window.scrollTo(0, 0);
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
    const { S, N } = app.players;
    const state = app.game.result === "*" ? words.atMove(app.game.main.length) : outcomeWords(app.game, app.players);
    showText(byId("home-players"), `${S.name} – ${N.name} · ${state}`);
  }

  async #begin(/** @type {Seat} */ north) {
    const { app } = this;
    const game = await this.newGame();
    const seats = { S: /** @type {Seat} */ ({ kind: "person" }), N: north };
    await app.replace(words.newGameBegun, () => app.newGame(game, { seats, clock: { kind: "none" }, swap: false }));
  }

  /** The board alone: the game that is there stays unless somebody plays it. */
  async #analyse() {
    const { app } = this;
    // An empty board has the rules that were chosen.
    if (app.match?.isLive || (!app.game.root.children.length && app.game.capture !== this.rules)) {
      const game = await this.newGame();
      await app.replace(words.newGameBegun, () => app.openGame(game));
    }
    this.close(true);
    if (!app.analysis.isOn) app.toggleAnalysis();
  }
}
