// The page: what is shown, and what buttons do.

import { Advice } from "./advice.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Coach } from "./coach.js";
import { prepareEditor, prepareSharing } from "./editor.js";
import { Ending } from "./ending.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { Home } from "./home.js";
import { prepareLibrary } from "./library.js";
import { Lesson } from "./learn.js";
import { prepareDialogs, prepareNewGame, prepareSettings, storedSettings } from "./dialogs.js";
import { prepareKeys, preparePresenter, step } from "./keys.js";
import { drawSeats, playersOf, prepareNames } from "./seats.js";
import { announce, forget, notice, onClick, showConnection } from "./notices.js";
import { button, byId, dialog, keep, showText } from "./page.js";
import { Match } from "./play.js";
import { preparePuzzles } from "./puzzles.js";
import { listen } from "./pointing.js";
import { drawReport, mistakes } from "./review.js";
import { Room } from "./room.js";
import { Rules, letters, sideOf } from "./rules.js";
import { Socket } from "./socket.js";
import { tones } from "./seeds.js";
import { Sounds } from "./sounds.js";
import { moveText, statusText, whyNot } from "./status.js";
import { BEFORE, applyState, restoreState, saveState, stateOf } from "./store.js";
import { openLink } from "./texts.js";
import { prepareTour } from "./tour.js";
import { drawMoves, followMove } from "./tree.js";
import { showWords, speak, words } from "./words.js";
import { Workers, isServerless } from "./workers.js";

/** @import { Node } from "./game.js" */
/** @import { Position, Review } from "./types" */

export class App {
  /** Whoever answers what this page asks. @type {import("./types").Backend} */
  socket = isServerless ? new Workers() : new Socket();
  rules = new Rules(this.socket);
  board = new Board(byId("board"), byId("frame"));
  analysis = new Analysis(this.rules, (number, name) => this.engine(number, name), notice, () => this.advice.drawSoon());
  advice = new Advice(this);
  coach = new Coach(this);
  settings = storedSettings();
  sounds = new Sounds(this.settings);
  home = new Home(this);
  ending = new Ending(this);
  room = new Room(this);
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
  /** Changes some settings, keeps them, and does what they say. @type {(some: object) => void} */
  changeSettings = () => {};
  #shown = 0;
  /** Whose comment the field has: while somebody writes, the game may go on. */
  #commented = this.node;
  #save = 0;

  async start() {
    this.board.onPick = (letter) => this.#pick(letter);
    this.board.onRefused = (letter) => announce(whyNot(this, letter));
    this.board.players = () => this.players;
    this.board.isOpen = (pit) => this.#isOpen(pit);
    this.board.onBusy = (isBusy) => (document.body.dataset.busy = isBusy ? "true" : "");
    this.board.onEvent = (event) => this.sounds.play(event);
    listen(this);
    this.#bind();
    this.applySettings();
    this.socket.on("state", (state) => showConnection(state, this.hello?.guest));
    const hello = new Promise((resolve) => {
      this.socket.on("hello", (message) => {
        this.hello = message;
        resolve(message);
      });
    });
    this.socket.connect();
    await hello;
    // For links that hold a game alone: see enter.js.
    if (!this.hello?.guest) keep("kalah-token", new URLSearchParams(location.search).get("token") ?? "");
    prepareNewGame(this);
    prepareSettings(this);
    // The engine that was chosen may be none of this server's.
    this.applySettings();
    await restoreState(this);
    await this.room.start();
    window.onhashchange = () => openLink(this);
    document.body.dataset.ready = "true";
  }

  /** An engine of the server, under a name of the page's choice. */
  engine(/** @type {number} */ number, /** @type {string} */ name) {
    return new Engine(this.socket, number, name, notice, (id) => {
      // It knows its name better than the command line; ours is called by the first word.
      if (!this.hello || number === 0 || this.hello.engines[number] === id) return;
      this.hello.engines[number] = id;
      this.nameSeats();
      this.update();
    });
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
    forget("hint");
    if (animate && parent && played && before === node.parent && !this.board.isBusy) {
      const sown = this.board.animate(played, parent, position);
      this.#draw();
      await sown;
      if (shown !== this.#shown) return;
    } else {
      this.board.show(position, node.parent ? { move: node.move, played } : null);
    }
    this.analysis.follow(this.game.capture, position);
    this.update();
  }

  /** Shows a node that somebody chose, and says where it is. */
  async step(/** @type {Node} */ node, animate = false) {
    const shown = this.show(node, { animate });
    const { length } = node.line;
    announce(`${length ? words.at(length, this.players[sideOf(node.move)], node.move) : words.firstPosition}. ${words.toMove(this.players[node.turn])}.`);
    await shown;
  }

  #isOpen(/** @type {string} */ pit) {
    if (this.board.isBusy || !this.position) return false;
    const { match, lesson } = this;
    if (lesson ? !lesson.isAsking : match?.isLive && (this.node !== this.game.root.end || !match.isPerson(this.node.turn))) return false;
    const position = this.board.position ?? this.position;
    return position.moves.some(({ move }) => move === pit);
  }

  #pick(/** @type {string} */ move) {
    if (this.lesson) return void this.lesson.tryMove(move);
    if (this.match?.submit(move)) return;
    this.play(move, this.node).catch((error) => notice(error.message));
  }

  /** Plays a move from a node: in a game that is on, or as a variation. */
  async play(/** @type {string} */ move, /** @type {Node} */ from) {
    const position = await this.rules.position(this.game.capture, from.board);
    const legal = position.moves.find((candidate) => candidate.move === move);
    if (!legal) throw new Error(words.cannotPlay(move));
    const { match } = this;
    const isShown = this.node === from;
    const child = from.play(move, legal.board);
    if (match?.isLive) {
      match.moved(from.turn);
      if (from.children[0] !== child) this.game.promote(child, false);
    } else if (this.review && !child.isOnMainLine) drawMoves(this);
    announce(moveText(this, legal, await this.rules.position(this.game.capture, legal.board)));
    const shown = isShown ? this.show(child, { animate: true }) : Promise.resolve(this.update());
    if (match?.isLive) this.coach.moved(from, child);
    if (match?.isLive) match.go();
    await shown;
  }

  // Games

  /** The game that the start offers or the board shows: Avalanche (`relay`) or Kalah (`standard`). */
  get rulesInView() {
    const rules = this.home.isOpen ? this.home.rules : this.game.capture;
    return rules === "relay" ? rules : "standard";
  }

  /** Who plays, as the page says it. */
  get players() {
    return playersOf(this);
  }

  /** Does what takes the place of the game or of a part of it, and offers the way back. */
  async replace(/** @type {string} */ text, /** @type {() => unknown} */ change) {
    const before = stateOf(this);
    const isEmpty = !this.game.root.children.length && !this.match?.isLive;
    await change();
    if (isEmpty || this.room.view) return;
    keep(BEFORE, before);
    notice(text, { kind: "undo", action: [words.undo, () => applyState(this, before)] });
  }

  async newGame(/** @type {Game} */ game, /** @type {ConstructorParameters<typeof Match>[1]} */ terms) {
    if (await this.room.begins(game, terms.seats)) return;
    this.leaveGame();
    this.game = game;
    this.match = new Match(this, terms);
    this.takeSeats();
    const now = new Date();
    this.game.tags.Date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    if (this.analysis.isOn) this.toggleAnalysis();
    await this.show(game.root.end);
    announce(words.newGame(this.players[game.root.turn]));
    this.match.go();
  }

  leaveGame() {
    this.lesson?.end();
    this.home.close();
    this.match?.close();
    this.match = null;
    this.advice.cancelReview?.();
    this.review = null;
    for (const kind of ["undo", "failed", "coach"]) forget(kind);
  }

  nameSeats() {
    if (!this.match) return;
    this.game.tags.South = this.match.seatName("S");
    this.game.tags.North = this.match.seatName("N");
  }

  /** Names the players; the only person sits below. */
  takeSeats() {
    this.nameSeats();
    if (this.match?.onlyPerson) this.board.isFlipped = this.match.onlyPerson === "N";
  }

  async openGame(/** @type {Game} */ game) {
    if (await this.room.begins(game)) return;
    this.leaveGame();
    this.game = game;
    await this.show(game.root);
  }

  async gameText() {
    const { text } = await this.socket.request("write", { game: this.game.toRecord() });
    return /** @type {string} */ (text);
  }

  async #resign() {
    const { match } = this;
    if (match?.isShared) return notice(words.reallyResign, { kind: "resign", action: [words.page.resign, () => match.resign()] });
    if (match?.isLive) await this.replace(words.resigns(this.players[match.resigner]), () => match.resign());
  }

  // Lessons

  startLesson(/** @type {import("./types").Task[]} */ tasks) {
    this.lesson?.end();
    forget("hint");
    if (this.analysis.isOn) this.toggleAnalysis();
    const wasHome = this.home.isOpen;
    this.home.close();
    this.match?.pause();
    this.lesson = new Lesson(this, tasks, () => {
      this.show(this.node);
      if (wasHome) this.home.open(true);
      else this.match?.resume();
    });
    this.lesson.begin().catch((error) => notice(error.message));
  }

  toggleAnalysis() {
    this.analysis.turn(!this.analysis.isOn);
    if (this.analysis.isOn) this.analysis.follow(this.game.capture, this.position);
    this.update();
  }

  // Drawing

  /** Draws everything but the board's seeds, and saves the state soon. */
  update() {
    this.#draw();
    this.advice.draw();
    clearTimeout(this.#save);
    this.#save = window.setTimeout(() => saveState(this), 50);
  }

  #draw() {
    const { match, node, game, lesson } = this;
    const focused = document.activeElement;
    // What is told is what is shown: while seeds move, the position before.
    const position = ((lesson || this.board.isBusy) && this.board.position) || this.position;
    const isLive = match?.isLive ?? false;
    document.body.toggleAttribute("data-lesson", lesson !== null);
    drawSeats(this, position);
    showText(byId("status"), statusText(this, position));
    button("take-back").hidden = button("resign").hidden = !isLive || (match?.isShared && !match.onlyPerson) || false;
    button("take-back").disabled = !match?.canTakeBack;
    button("swap").hidden = !(match?.isSwapOpen && node === game.root.end && match.isPerson(node.turn));
    button("play-on").hidden = isLive || position.result !== null;
    button("hint").disabled = position.result !== null;
    button("review").hidden = isLive || game.main.length < 2;
    button("review").classList.toggle("primary", !this.review);
    byId("report").hidden = !this.review && !this.advice.cancelReview;
    if (this.review) {
      drawReport(byId("report-body"), this.review, this.players);
      button("learn-mistakes").hidden = mistakes(this.review, null).length === 0;
    }
    this.advice.drawMoments();
    this.ending.draw();
    button("first").disabled = button("back").disabled = node.parent === null;
    button("forward").disabled = button("last").disabled = node.children.length === 0;
    const comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    if (document.activeElement !== comment) comment.value = (this.#commented = node).comment;
    button("promote").disabled = node.isOnMainLine || isLive;
    button("delete").disabled = node.parent === null || isLive;
    showText(byId("terms"), words.terms[game.capture]);
    drawMoves(this);
    document.body.dataset.turn = position.result === null ? position.turn : "";
    document.body.dataset.live = String(isLive);
    // A button that is gone hands the focus to the next one, rather than to nothing.
    if (focused instanceof HTMLButtonElement && byId("bar").contains(focused) && (focused.disabled || !focused.checkVisibility())) {
      const others = /** @type {HTMLButtonElement[]} */ ([...byId("bar").querySelectorAll("button:enabled")]);
      others.find((other) => other.checkVisibility())?.focus();
    }
  }

  applySettings() {
    const { settings } = this;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.board.speed = isStill ? 0 : settings.speed;
    this.board.showsPaths = settings.paths;
    button("mute").setAttribute("aria-pressed", String(settings.sound));
    this.board.isOnRight = settings.housesRight;
    document.documentElement.dataset.theme = settings.theme;
    this.analysis.configure(settings);
    if (this.position) this.update();
    speak(settings.language).then((isOther) => isOther && this.position && (this.home.drawFaces(), this.room.draw(), this.lesson?.drawWords(), this.update()));
  }

  // Buttons

  /** Sows a house of the player to move, counted from that player's left. */
  sowHouse(/** @type {number} */ house) {
    const { turn, houses } = this.board.position ?? this.position;
    const pit = letters(turn, houses)[house];
    if (pit) this.board.pick(pit);
  }

  playBest() {
    if (this.lesson) return;
    const best = this.analysis.findings(this.game.capture, this.position.board)?.ranked[0];
    if (best && this.#isOpen(best.move)) this.#pick(best.move);
  }

  /** Shows the cards of a phone below the board. */
  showMore(/** @type {boolean} */ isShown) {
    document.body.toggleAttribute("data-more", isShown);
    button("more").ariaExpanded = String(isShown);
  }

  flip() {
    this.board.isFlipped = !this.board.isFlipped;
    announce(words.turned(this.players[this.board.isFlipped ? "N" : "S"]));
    this.show(this.node);
  }

  #bind() {
    const setup = prepareEditor(this);
    const share = prepareSharing(this);
    const learn = preparePuzzles(this);
    const rules = prepareTour(this);
    const library = prepareLibrary(this);
    prepareDialogs();
    prepareNames(this);
    preparePresenter();
    /** @type {[string, () => unknown][]} */
    const actions = [
      ["open-setup", setup], ["open-share", share], ["open-learn", learn], ["open-rules", rules], ["home-rules", rules], ["open-games", library], ["home-games", library], ["open-help", () => dialog("help-dialog").showModal()],
      ["take-back", () => this.match?.takeBack()], ["hint", () => this.coach.hint()], ["swap", () => this.match?.swap()],
      ["resign", () => this.#resign()], ["play-on", () => this.openNewGame(this.node)], ["review", () => this.advice.review()],
      ["flip", () => this.flip()], ["analyse", () => this.toggleAnalysis()], ["peek", () => this.advice.peek()], ["threat", () => this.changeSettings({ threat: !this.settings.threat })], ["more", () => this.showMore(!("more" in document.body.dataset))],
      ["learn-mistakes", () => this.advice.learnFromMistakes()],
      ["first", () => step(this, "first")], ["back", () => step(this, "back")], ["forward", () => step(this, "forward")], ["last", () => step(this, "last")],
      ["promote", () => (this.game.promote(this.node), this.update())],
      ["delete", () => this.replace(words.movesDeleted, () => this.show(this.game.remove(this.node)))],
    ];
    for (const [id, action] of actions) onClick(button(id), action);
    byId("comment").oninput = (event) => {
      this.#commented.comment = /** @type {HTMLTextAreaElement} */ (event.target).value;
      this.update();
    };
    byId("comment").onblur = () => this.update();
    byId("graph").onclick = (event) => {
      const box = byId("graph").getBoundingClientRect();
      const main = [this.game.root, ...this.game.main];
      this.step(main[Math.round(((event.clientX - box.left) / box.width) * (main.length - 1))]);
    };
    prepareKeys(this);
    new ResizeObserver(() => followMove(byId("moves"))).observe(byId("moves"));
    window.addEventListener("pagehide", () => saveState(this));
    // Nothing moves in a page that nobody sees: the picture is skipped.
    document.addEventListener("visibilitychange", () => document.hidden && this.board.finish());
    matchMedia("(prefers-reduced-motion: reduce)").onchange = () => this.applySettings();
  }
}

showWords();
document.body.append(tones());
const app = new App();
app.start().catch((error) => notice(words.cannotStart(error.message), { stays: true }));
