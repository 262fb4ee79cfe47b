// Questions with an answer: puzzles made of proven positions, and the mistakes of a reviewed game.

import { announce } from "./notices.js";
import { byId, button, pause } from "./page.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Task } from "./types" */

/** Asks questions one after the other; the board is the page's. */
export class Lesson {
  #place = 0;
  /** How many moves of the chain have been played, and the board after them. */
  #step = 0;
  board = "";
  #tried = false;
  /** What was told last; the words are those of the page's language. */
  #said = { style: "", text: () => "" };
  /** Whether a move is asked for: not while a wrong one is shown, nor after the right one. */
  isAsking = false;

  constructor(/** @type {App} */ app, /** @type {Task[]} */ tasks, /** @type {() => void} */ onEnd) {
    this.app = app;
    this.tasks = tasks;
    this.onEnd = onEnd;
    this.wasFlipped = app.board.isFlipped;
    button("task-show").onclick = () => this.#show();
    button("task-next").onclick = () => this.#next();
    button("task-end").onclick = () => this.end();
    byId("task").hidden = false;
  }

  get task() {
    return this.tasks[this.#place];
  }

  async begin() {
    [this.#tried, this.#step, this.board] = [false, 0, this.task.board];
    this.#say("", () => "");
    this.drawWords();
    announce(`${byId("task-title").textContent}. ${this.task.text()}`);
    this.#offerAnswer(true);
    await this.#ask();
  }

  drawWords() {
    const { title, text } = this.task;
    byId("task-title").textContent = this.tasks.length > 1 ? words.taskTitle(title(), this.#place + 1, this.tasks.length) : title();
    byId("task-text").textContent = text();
    this.#drawAnswer();
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

  /** Shows the board, or a move on it; the board after it is the next one. */
  async #draw(move = "") {
    const { board, capture } = this.task;
    const { app } = this;
    const position = await app.rules.position(capture, this.board);
    app.board.isFlipped = board.endsWith("N");
    app.board.setHint("");
    const played = position.moves.find((legal) => legal.move === move);
    if (played) await app.board.animate(played, position, await app.rules.position(capture, played.board));
    else app.board.show(position);
    app.update();
    return played?.board ?? this.board;
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
    const isHere = () => this.app.lesson === this && this.task === task;
    const isRight = this.#wanted.includes(move);
    this.isAsking = false;
    const after = await this.#draw(move);
    if (!isHere()) return;
    if (!isRight) {
      this.#fail();
      this.#say("bad", () => words.isWrong(move));
      await pause(900);
      return isHere() ? this.#ask() : undefined;
    }
    this.board = after;
    const replies = /** @type {string[]} */ ([]);
    // The answers of the other side, until it is one's turn again.
    for (this.#step++; this.#step < chain.length && !this.board.endsWith(task.board.slice(-1)); this.#step++) {
      await pause(450);
      if (!isHere()) return;
      replies.push(chain[this.#step]);
      this.board = await this.#draw(chain[this.#step]);
      if (!isHere()) return;
    }
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
    const { task } = this;
    const wanted = this.#wanted;
    this.#say("", () => words.answer(wanted, task.answer()));
    this.#offerAnswer(false);
    button("task-next").focus();
    await this.#ask();
    this.app.board.setHint(wanted[0]);
  }

  #say(/** @type {string} */ style, /** @type {() => string} */ text) {
    this.#said = { style, text };
    this.#drawAnswer();
  }

  #drawAnswer() {
    byId("task-answer").className = this.#said.style;
    byId("task-answer").textContent = this.#said.text();
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
