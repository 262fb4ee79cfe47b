// The page: what is shown, what keys and buttons do, and what outlives a reload.

import { Analysis, valueText, valueWords } from "./analysis.js";
import { Board, plural } from "./board.js";
import { prepareEditor, prepareSharing } from "./editor.js";
import { Game } from "./game.js";
import { Lesson, prepareLearning } from "./learn.js";
import { prepareNewGame, prepareSettings, storedSettings } from "./dialogs.js";
import { prepareKeys, step } from "./keys.js";
import { button, byId, dialog, element, showError, showText } from "./page.js";
import { Match } from "./play.js";
import { drawGraph, drawLines, drawReport, lossText, mistakes, mistakeWords, statsText } from "./review.js";
import { Rules, letters, sideName, sideOf } from "./rules.js";
import { Socket } from "./socket.js";
import { restoreState, saveState } from "./store.js";
import { drawMoves, outcomeWords } from "./tree.js";

/** @import { Node } from "./game.js" */
/** @import { Side, Position, GameRecord, Review } from "./types" */

export class App {
  socket = new Socket();
  rules = new Rules(this.socket);
  board = new Board(byId("board"), byId("frame"));
  analysis = new Analysis(this.socket, this.rules, (text) => this.notice(text), () => this.drawAnalysis());
  settings = storedSettings();
  game = new Game("", "standard");
  node = this.game.root;
  /** @type {Position} */
  position = /** @type {any} */ (null);
  match = /** @type {Match | null} */ (null);
  review = /** @type {Review | null} */ (null);
  lesson = /** @type {Lesson | null} */ (null);
  hello = /** @type {import("./types").Hello | null} */ (null);
  /** Opens "New game", to play on from a node or anew. @type {(from: Node | null) => void} */
  openNewGame = () => {};
  #shown = 0;
  #previewed = 0;
  #peeked = "";
  #cancelReview = /** @type {(() => void) | null} */ (null);
  #save = 0;

  async start() {
    this.board.onPick = (letter) => this.#pick(letter);
    this.board.isOpen = (pit) => this.#isOpen(pit);
    this.#bind();
    this.applySettings();
    this.socket.on("state", (state) => this.#connection(state));
    const hello = new Promise((resolve) => {
      this.socket.on("hello", (message) => {
        this.hello = message;
        resolve(message);
      });
    });
    this.socket.connect();
    await hello;
    prepareNewGame(this, button("open-new"));
    prepareSettings(this, button("open-settings"));
    // The engine that was chosen may be none of this server's.
    this.applySettings();
    await restoreState(this);
    document.body.dataset.ready = "true";
  }

  // Positions and moves

  /** Shows a node of the game; a move forward by one ply is sown. */
  async show(/** @type {Node} */ node, { animate = false } = {}) {
    const before = this.node;
    this.node = node;
    // The board is that of the lesson; what happens in the game meanwhile shows at its end.
    if (this.lesson) return this.update();
    const shown = ++this.#shown;
    const position = await this.rules.position(this.game.capture, node.board);
    if (shown !== this.#shown) return;
    const parent = node.parent && this.rules.known(this.game.capture, node.parent.board);
    const played = parent?.moves.find((legal) => legal.move === node.move) ?? null;
    this.position = position;
    this.board.setHint("");
    if (animate && played && before === node.parent && !this.board.isBusy) {
      this.#draw();
      await this.board.animate(played, position);
      if (shown !== this.#shown) return;
    } else {
      this.board.show(position, node.parent ? { move: node.move, played } : null);
    }
    this.analysis.follow(this.game.capture, position);
    this.update();
  }

  /** Resolves when no seed is moving. */
  async settled() {
    while (this.board.isBusy) await new Promise((resolve) => requestAnimationFrame(resolve));
  }

  #isOpen(/** @type {string} */ pit) {
    if (this.board.isBusy || !this.position) return false;
    const { match, lesson } = this;
    if (!lesson && match?.isLive && (this.node !== this.game.root.end || !match.isPerson(this.node.turn))) return false;
    const position = this.board.position ?? this.position;
    return position.moves.some(({ move }) => move === pit);
  }

  #pick(/** @type {string} */ move) {
    if (this.lesson) return void this.lesson.tryMove(move);
    this.play(move, this.node).catch((error) => this.notice(error.message));
  }

  /** Plays a move from a node: in a game that is on, or as a variation. */
  async play(/** @type {string} */ move, /** @type {Node} */ from) {
    const position = await this.rules.position(this.game.capture, from.board);
    const legal = position.moves.find((candidate) => candidate.move === move);
    if (!legal) throw new Error(`${move} cannot be played.`);
    const { match } = this;
    const isShown = this.node === from;
    const child = from.play(move, legal.board);
    if (match?.isLive) {
      match.moved(from.turn);
      if (from.children[0] !== child) this.game.promote(child, false);
    } else if (this.review && !child.isOnMainLine) this.#drawMoves();
    this.announceMove(legal, await this.rules.position(this.game.capture, legal.board));
    const shown = isShown ? this.show(child, { animate: true }) : Promise.resolve(this.update());
    if (match?.isLive) match.go();
    await shown;
  }

  announceMove(/** @type {import("./types").LegalMove} */ legal, /** @type {Position} */ after) {
    const side = sideOf(legal.move);
    const store = side === "S" ? after.stores[0] : after.stores[1];
    const parts = [`${sideName(side)} sows ${legal.move}`];
    if (legal.capture) parts.push(`captures ${plural(legal.capture.seeds)}`);
    if (legal.again) parts.push("and moves again");
    const rest = after.result === null ? `${plural(store)} in the store.` : `The game is over: ${resultWords(after.result)}.`;
    this.announce(`${parts.join(", ")}. ${rest}`);
  }

  // Games

  async newGame(/** @type {Game} */ game, /** @type {ConstructorParameters<typeof Match>[1]} */ terms) {
    this.#leaveGame();
    this.game = game;
    this.match = new Match(this, terms);
    this.nameSeats();
    this.game.tags.Date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
    if (this.match.onlyPerson) this.board.isFlipped = this.match.onlyPerson === "N";
    if (this.analysis.isOn) this.toggleAnalysis();
    await this.show(game.root.end);
    this.announce(`A new game. ${sideName(game.root.turn)} moves first.`);
    this.match.go();
  }

  #leaveGame() {
    this.lesson?.end();
    this.match?.close();
    this.match = null;
    this.#cancelReview?.();
    this.review = null;
  }

  nameSeats() {
    if (!this.match) return;
    this.game.tags.South = this.match.seatName("S");
    this.game.tags.North = this.match.seatName("N");
  }

  async openGame(/** @type {Game} */ game) {
    this.#leaveGame();
    this.game = game;
    await this.show(game.root);
  }

  async openRecord(/** @type {GameRecord} */ record) {
    await this.openGame(await Game.fromRecord(record, this.rules));
  }

  async gameText() {
    const { text } = await this.socket.request("write", { game: this.game.toRecord() });
    return /** @type {string} */ (text);
  }

  /** The game is over: say so, and offer the review. */
  finished() {
    this.announce(`The game is over: ${outcomeWords(this.game)}.`);
    this.update();
  }

  // Review and lessons

  async startReview() {
    if (this.#cancelReview) return this.#cancelReview();
    const game = this.game;
    const reply = this.socket.request("review", { game: game.toRecord(), limit: {} });
    const { id } = reply;
    const bar = element("progress", { max: "1", value: "0", "aria-label": "Review" });
    byId("report").hidden = false;
    byId("report-body").replaceChildren(bar);
    button("learn-mistakes").hidden = true;
    const forget = this.socket.on("review", (message) => {
      if (message.id !== id) return;
      bar.max = message.of;
      bar.value = message.done;
    });
    this.#cancelReview = () => this.socket.request("cancel", { request: id }).catch(() => {});
    button("review").textContent = "Stop the review";
    try {
      const review = /** @type {Review} */ (await reply);
      if (game !== this.game) return;
      this.review = review;
    } catch (error) {
      if (game === this.game) this.notice(`No review: ${/** @type {Error} */ (error).message}`);
    } finally {
      forget();
      this.#cancelReview = null;
      button("review").textContent = "Review the game";
      if (game === this.game) this.update();
    }
  }

  learnFromMistakes() {
    const { review, game } = this;
    if (!review) return;
    const tasks = mistakes(review, this.match?.onlyPerson ?? null).map((move) => ({
      title: "Mistake",
      text: mistakeWords(move),
      board: move.board,
      capture: game.capture,
      best: move.best,
      answer: `${valueWords(move.value, move.proven)}. The line: ${move.line}`,
    }));
    if (!tasks.length) return this.notice("There is no mistake to learn from.");
    this.startLesson(tasks);
  }

  startLesson(/** @type {import("./types").Task[]} */ tasks) {
    this.lesson?.end();
    if (this.analysis.isOn) this.toggleAnalysis();
    this.lesson = new Lesson(this, tasks, () => this.show(this.node));
    this.lesson.begin().catch((error) => this.notice(error.message));
  }

  /** Shows the position of a task, or sows a move from it. */
  async showTask(/** @type {string} */ board, /** @type {string} */ capture, move = "") {
    const position = await this.rules.position(capture, board);
    this.board.isFlipped = position.turn === "N";
    this.board.setHint("");
    const played = position.moves.find((legal) => legal.move === move);
    if (played) await this.board.animate(played, await this.rules.position(capture, played.board));
    else this.board.show(position);
    this.update();
  }

  // Analysis

  toggleAnalysis() {
    this.analysis.turn(!this.analysis.isOn);
    if (this.analysis.isOn) this.analysis.follow(this.game.capture, this.position);
    this.update();
  }

  async hint() {
    if (this.lesson || !this.position.moves.length) return;
    const { node } = this;
    try {
      const best = await this.analysis.hint(this.game.capture, this.position);
      if (!best || node !== this.node) return;
      this.board.setHint(best.move);
      this.announce(`Hint: ${best.move}, ${valueWords(best.value, best.proven)}.`, true);
    } catch (error) {
      this.notice(/** @type {Error} */ (error).message);
    }
  }

  get #areValuesHidden() {
    return this.settings.hideValues && this.#peeked !== this.node.board;
  }

  peek() {
    this.#peeked = this.#areValuesHidden ? this.node.board : "";
    this.drawAnalysis();
  }

  drawAnalysis() {
    const { analysis, position, game } = this;
    if (!position) return;
    const found = analysis.isOn && !this.lesson ? analysis.findings(game.capture, position.board) : undefined;
    button("analyse").setAttribute("aria-checked", String(analysis.isOn));
    const isHidden = this.#areValuesHidden;
    button("peek").hidden = !(this.settings.hideValues && analysis.isOn);
    button("peek").textContent = isHidden ? "Peek" : "Hide";
    byId("analysis-stats").textContent = found ? statsText(found, analysis.isRunning) : "";
    const best = found?.best;
    byId("evaluation").textContent = best && !isHidden ? valueText(best, " ✓") : "";
    byId("evaluation").title = best && !isHidden ? valueWords(best.value, best.proven) : "";
    const lines = found && !isHidden ? found.ranked : [];
    drawLines(lines.slice(0, this.settings.lines), {
      open: (moves) => this.#playLine(moves),
      preview: (moves) => this.#preview(moves),
    });
    const labels = lines.map((line, i) => {
      const own = (found?.sign ?? 1) * line.value;
      const isBest = i === 0 || (best && line.value === lines[0].value);
      const style = `${own > 0 ? "good" : own < 0 ? "bad" : ""}${isBest ? " best" : ""}`;
      return /** @type {const} */ ([line.move, { text: valueText(line), style, words: valueWords(line.value, line.proven) }]);
    });
    this.board.setValues(new Map(labels));
    this.#drawGraph();
  }

  async #playLine(/** @type {string[]} */ moves) {
    if (this.match?.isLive) return;
    const positions = await this.rules.line(this.game.capture, this.node.board, moves.join(""));
    let { node } = this;
    for (const [i, move] of moves.entries()) node = node.play(move, positions[i + 1].board);
    this.#preview(null);
    await this.show(node);
  }

  /** A small board of the position after a line. */
  async #preview(/** @type {string[] | null} */ moves) {
    const previewed = ++this.#previewed;
    const place = byId("preview");
    place.hidden = true;
    place.replaceChildren();
    if (!moves) return;
    const positions = await this.rules.line(this.game.capture, this.position.board, moves.join(""));
    if (previewed !== this.#previewed) return;
    const frame = element("div");
    const small = Board.small(frame);
    place.replaceChildren(frame);
    const anchor = byId("lines").getBoundingClientRect();
    const below = window.innerHeight - anchor.bottom > 190;
    place.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - 330))}px`;
    place.style.top = below ? `${anchor.bottom + 6}px` : `${Math.max(8, anchor.top - 176)}px`;
    place.hidden = false;
    small.isFlipped = this.board.isFlipped;
    small.show(positions[positions.length - 1], { move: moves[moves.length - 1], played: null });
  }

  // Drawing

  /** Draws everything but the board's seeds, and saves the state soon. */
  update() {
    this.#draw();
    this.drawAnalysis();
    clearTimeout(this.#save);
    this.#save = window.setTimeout(() => saveState(this), 50);
  }

  #draw() {
    const { match, node, game } = this;
    const position = (this.lesson && this.board.position) || this.position;
    const isLive = match?.isLive ?? false;
    for (const [seat, side] of this.#seats()) {
      const isTurn = position.result === null && position.turn === side;
      seat.className = `seat ${side === "S" ? "south" : "north"}${isTurn ? " turn" : ""}`;
      const given = game.tags[sideName(side)];
      const name = given && given !== sideName(side) ? `${given} (${sideName(side)})` : sideName(side);
      showText(/** @type {HTMLElement} */ (seat.querySelector(".name")), name);
      const isThinking = isLive && isTurn && !match?.isPerson(side) && node === game.root.end;
      /** @type {HTMLElement} */ (seat.querySelector(".thinking")).textContent = isThinking ? "is thinking …" : "";
    }
    showText(byId("status"), this.#statusText());
    byId("actions").hidden = this.lesson !== null;
    button("take-back").hidden = button("resign").hidden = !isLive;
    button("take-back").disabled = !match?.canTakeBack;
    button("swap").hidden = !(match?.isSwapOpen && match.isPerson(node.turn));
    button("play-on").hidden = isLive || position.result !== null;
    button("hint").disabled = position.result !== null;
    button("review").hidden = isLive || game.main.length < 2;
    byId("report").hidden = !this.review && !this.#cancelReview;
    if (this.review) {
      drawReport(byId("report-body"), this.review);
      button("learn-mistakes").hidden = mistakes(this.review, null).length === 0;
    }
    button("first").disabled = button("back").disabled = node.parent === null;
    button("forward").disabled = button("last").disabled = node.children.length === 0;
    const comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    if (document.activeElement !== comment) comment.value = node.comment;
    button("promote").disabled = node.isOnMainLine || isLive;
    button("delete").disabled = node.parent === null || isLive;
    this.showClocks();
    this.#drawMoves();
    document.body.dataset.turn = position.result === null ? position.turn : "";
    document.body.dataset.live = String(isLive);
  }

  #statusText() {
    const { position, match, node, game } = this;
    if (this.lesson) return "";
    if (position.result !== null) return `Game over: ${resultWords(position.result)}`;
    if (match?.isLive && node !== game.root.end) return "An earlier position of this game";
    if (!match?.isLive && node === game.end && game.result !== "*" && game.tags.Termination) return outcomeWords(game);
    const again = node.parent && node.parent.turn === node.turn ? " again" : "";
    const isYou = match?.isLive && match.onlyPerson === position.turn;
    return isYou ? `Your move${again}` : `${sideName(position.turn)} to move${again}`;
  }

  /** The moves of the main line with their reviews, as far as it is the line that was reviewed. */
  #reviewed() {
    const reviewed = /** @type {Map<Node, import("./types").ReviewedMove>} */ (new Map());
    for (const [i, node] of this.game.main.entries()) {
      const move = this.review?.moves[i];
      if (move?.move !== node.move || move.board !== node.parent?.board) break;
      reviewed.set(node, move);
    }
    return reviewed;
  }

  #drawMoves() {
    const reviewed = this.#reviewed();
    const lost = (/** @type {Node} */ node) => lossText(reviewed.get(node));
    drawMoves(byId("moves"), this.game, this.node, { lost, open: (node) => this.show(node) });
  }

  #drawGraph() {
    const { game, review, analysis } = this;
    const main = [game.root, ...game.main];
    const isHidden = this.#areValuesHidden || this.match?.isLive;
    const reviewed = this.#reviewed();
    const values = main.map((node, i) => {
      if (isHidden) return null;
      const [before, after] = [reviewed.get(node), reviewed.get(main[i + 1])];
      if (after) return after.value;
      if (before) return i === review?.moves.length ? review.final : before.after;
      return analysis.findings(game.capture, node.board)?.best?.value ?? null;
    });
    const faults = [...reviewed.values()].flatMap(({ loss, ply }) => (loss >= 4 ? [ply] : []));
    const now = Math.max(0, main.indexOf(this.node));
    drawGraph(byId("graph"), values, { now, seeds: this.position.seeds + this.position.stores[0] + this.position.stores[1], faults });
  }

  showClocks() {
    for (const [seat, side] of this.#seats()) {
      const left = this.match?.timeLeft(side) ?? null;
      /** @type {HTMLElement} */ (seat.querySelector(".clock")).textContent = left === null ? "" : clockText(left);
    }
  }

  /** The places of the players, and who sits there. @returns {[HTMLElement, Side][]} */
  #seats() {
    const [below, above] = this.board.isFlipped ? ["seat-above", "seat-below"] : ["seat-below", "seat-above"];
    return [[byId(below), "S"], [byId(above), "N"]];
  }

  /** For screen readers, and with `isShown` for everybody. */
  announce(/** @type {string} */ text, isShown = false) {
    showText(byId("live"), text);
    if (isShown) this.notice(text);
  }

  notice(/** @type {string} */ text) {
    const line = element("p", {}, text);
    byId("notices").append(line);
    setTimeout(() => line.remove(), 7000);
  }

  #connection(/** @type {string} */ state) {
    document.body.dataset.connection = state;
    const texts = {
      lost: "The connection to the server is lost. Nothing of the game is: it goes on when the server is back.",
      refused: "The server was started again with another address: open the one that it printed. Your game is kept there, too.",
    };
    const old = document.getElementById("connection");
    const text = texts[/** @type {"lost" | "refused"} */ (state)];
    if (state === "open") old?.remove();
    else if (old) old.textContent = text;
    else byId("notices").append(element("p", { id: "connection" }, text));
  }

  applySettings() {
    const { settings } = this;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.board.speed = isStill ? 0 : settings.speed;
    if (settings.theme) document.documentElement.dataset.theme = settings.theme;
    else delete document.documentElement.dataset.theme;
    this.analysis.configure({ engine: settings.engine, threads: settings.threads, hash: settings.hash });
    if (this.position) this.update();
  }

  // Settings and buttons

  /** Sows a house of the player to move, counted from that player's left. */
  sowHouse(/** @type {number} */ house) {
    const { turn, houses } = this.board.position ?? this.position;
    const move = letters(turn, houses)[house];
    this.board.finish();
    this.settled().then(() => move && this.#isOpen(move) && this.#pick(move));
  }

  playBest() {
    if (this.lesson) return;
    const best = this.analysis.findings(this.game.capture, this.position.board)?.ranked[0];
    if (best && this.#isOpen(best.move)) this.#pick(best.move);
  }

  flip() {
    this.board.isFlipped = !this.board.isFlipped;
    if (this.lesson && this.board.position) this.board.show(this.board.position);
    this.show(this.node);
  }

  #bind() {
    const setup = prepareEditor(this);
    const share = prepareSharing(this);
    const learn = prepareLearning(this);
    /** @type {[string, () => unknown][]} */
    const actions = [
      ["open-setup", setup], ["open-share", share], ["open-learn", learn], ["open-help", () => dialog("help-dialog").showModal()],
      ["take-back", () => this.match?.takeBack()], ["hint", () => this.hint()], ["swap", () => this.match?.swap()],
      ["resign", () => this.match?.resign()], ["play-on", () => this.openNewGame(this.node)], ["review", () => this.startReview()],
      ["flip", () => this.flip()], ["analyse", () => this.toggleAnalysis()], ["peek", () => this.peek()],
      ["learn-mistakes", () => this.learnFromMistakes()],
      ["first", () => step(this, "first")], ["back", () => step(this, "back")], ["forward", () => step(this, "forward")], ["last", () => step(this, "last")],
      ["promote", () => (this.game.promote(this.node), this.update())],
      ["delete", () => this.show(this.game.remove(this.node))],
    ];
    for (const [id, action] of actions) button(id).onclick = () => void action();
    byId("comment").oninput = (event) => {
      this.node.comment = /** @type {HTMLTextAreaElement} */ (event.target).value;
      this.update();
    };
    byId("graph").onclick = (event) => {
      const box = byId("graph").getBoundingClientRect();
      const main = [this.game.root, ...this.game.main];
      this.show(main[Math.round(((event.clientX - box.left) / box.width) * (main.length - 1))]);
    };
    prepareKeys(this);
    window.addEventListener("pagehide", () => saveState(this));
    matchMedia("(prefers-reduced-motion: reduce)").onchange = () => this.applySettings();
  }
}

function resultWords(/** @type {number} */ margin) {
  if (margin === 0) return "a draw";
  return `${margin > 0 ? "South" : "North"} wins by ${Math.abs(margin)}`;
}

function clockText(/** @type {number} */ milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const app = new App();
app.start().catch((error) => {
  app.notice(`The page cannot start: ${error.message}`);
  showError("new-dialog", error);
});
