// Questions with an answer: puzzles made of proven positions, and the mistakes of a reviewed game.

import { announce, onClick } from "./notices.js";
import { byId, button, pause } from "./page.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Task } from "./types" */

/** Asks questions one after the other; the board is the page's. */
export class Lesson {
  #place = 0;
  /** How many moves of the chain have been played, and the board after them. */
  #step = 0;
  #board = "";
  #tried = false;
  /** Counts what was begun: what still runs of an earlier move ends. */
  #run = 0;
  /** What was told last; the words are those of the page's language. */
  #said = { style: "", text: () => "" };
  /** Whether a move is asked for: not while a wrong one is shown, nor after the right one. */
  isAsking = false;

  constructor(/** @type {App} */ app, /** @type {Task[]} */ tasks, /** @type {() => void} */ onEnd) {
    this.app = app;
    this.tasks = tasks;
    this.onEnd = onEnd;
    this.wasFlipped = app.board.isFlipped;
    onClick(button("task-show"), () => this.#show());
    onClick(button("task-next"), () => this.#next());
    button("task-end").onclick = () => this.end();
    byId("task").hidden = false;
  }

  get task() {
    return this.tasks[this.#place];
  }

  /** The moves of the answer that have been found. */
  get found() {
    const { best, chain = best } = this.task;
    return chain.slice(0, this.#step).join("");
  }

  async begin() {
    [this.#tried, this.#step, this.#board] = [false, 0, this.task.board];
    this.#run++;
    this.#say("", () => "");
    announce(`${byId("task-title").textContent}. ${this.task.text()}`);
    this.#offerAnswer(true);
    await this.#ask();
  }

  drawWords() {
    const { title, text } = this.task;
    byId("task-title").textContent = this.tasks.length > 1 ? words.taskTitle(title(), this.#place + 1, this.tasks.length) : title();
    byId("task-text").textContent = text();
    byId("task-answer").className = this.#said.style;
    byId("task-answer").textContent = this.#said.text();
  }

  /** What to do next is the answer or the next task. */
  #offerAnswer(/** @type {boolean} */ isOffered) {
    button("task-show").hidden = !isOffered;
    button("task-next").classList.toggle("primary", !isOffered);
  }

  async #ask() {
    this.isAsking = true;
    await this.#draw();
  }

  #isHere(/** @type {number} */ run) {
    return this.app.lesson === this && run === this.#run;
  }

  /** Shows a board, or a move on it; the board after it is returned. */
  async #draw(move = "", from = this.#board) {
    const run = this.#run;
    const { board, capture } = this.task;
    const { app } = this;
    const position = await app.rules.position(capture, from);
    const played = position.moves.find((legal) => legal.move === move);
    const after = played && (await app.rules.position(capture, played.board));
    if (!this.#isHere(run)) return from;
    app.board.isFlipped = board.endsWith("N");
    app.board.setHint("");
    if (played && after) await app.board.animate(played, position, after);
    else app.board.show(position);
    app.update();
    return played?.board ?? from;
  }

  /** The move that is asked for, or those that are as good. */
  get #wanted() {
    const { best, chain } = this.task;
    return this.#step && chain ? [chain[this.#step]] : best;
  }

  /** The move that somebody tries. */
  async tryMove(/** @type {string} */ move) {
    const { task } = this;
    const { chain = [move] } = task;
    const run = ++this.#run;
    const isRight = this.#wanted.includes(move);
    this.isAsking = false;
    let board = await this.#draw(move);
    if (!this.#isHere(run)) return;
    if (!isRight) {
      this.#fail();
      this.#say("bad", () => words.isWrong(move));
      await pause(900);
      return this.#isHere(run) ? this.#ask() : undefined;
    }
    const replies = /** @type {string[]} */ ([]);
    let step = this.#step + 1;
    // The answers of the other side, until it is one's turn again.
    for (; step < chain.length && !board.endsWith(task.board.slice(-1)); step++) {
      await pause(450);
      if (!this.#isHere(run)) return;
      replies.push(chain[step]);
      board = await this.#draw(chain[step], board);
      if (!this.#isHere(run)) return;
    }
    [this.#step, this.#board] = [step, board];
    if (this.#step < chain.length) {
      this.#say("good", () => words.rightSoFar(move, replies));
      this.isAsking = true;
      return this.app.update();
    }
    if (!this.#tried) task.onSolved?.();
    this.#say("good", () => words.isRight(move, task.answer()));
    this.#offerAnswer(false);
    this.app.update();
  }

  /** Counts no more than once. */
  #fail() {
    if (!this.#tried) this.task.onFailed?.();
    this.#tried = true;
  }

  async #show() {
    this.#fail();
    const run = ++this.#run;
    const { task } = this;
    const wanted = this.#wanted;
    this.#say("", () => words.answer(wanted, task.answer()));
    this.#offerAnswer(false);
    button("task-next").focus({ preventScroll: true });
    await this.#ask();
    if (this.#isHere(run)) this.app.board.setHint(wanted[0]);
  }

  #say(/** @type {string} */ style, /** @type {() => string} */ text) {
    this.#said = { style, text };
    this.drawWords();
  }

  #next() {
    return ++this.#place < this.tasks.length ? this.begin() : this.end();
  }

  end() {
    byId("task").hidden = true;
    this.app.lesson = null;
    this.app.board.isFlipped = this.wasFlipped;
    this.app.board.setHint("");
    this.onEnd();
  }
}
