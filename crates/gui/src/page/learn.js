// Questions with an answer: puzzles made of proven positions, and the mistakes of a reviewed game.
// And the rules, with moving pictures.

import { Board } from "./board.js";
import { announce } from "./notices.js";
import { byId, button, dialog, element, keep, load } from "./page.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Puzzle, Task } from "./types" */

/** Asks questions one after the other; the board is the page's. */
export class Lesson {
  #place = 0;
  #tried = false;
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
    this.#tried = false;
    const { title, text, board, capture } = this.task;
    byId("task-title").textContent = words.taskTitle(title, this.#place + 1, this.tasks.length);
    byId("task-text").textContent = text;
    this.#say("", "");
    announce(`${byId("task-title").textContent}. ${text}`);
    button("task-show").hidden = false;
    this.isAsking = true;
    await this.app.showTask(board, capture);
  }

  /** The move that somebody tries. */
  async tryMove(/** @type {string} */ move) {
    const { best, answer, onSolved, board, capture } = this.task;
    const isRight = best.includes(move);
    this.isAsking = false;
    await this.app.showTask(board, capture, move);
    if (isRight) {
      if (!this.#tried) onSolved?.();
      this.#say("good", words.isRight(move, answer));
      button("task-show").hidden = true;
    } else {
      this.#tried = true;
      this.#say("bad", words.isWrong(move));
      await new Promise((resolve) => setTimeout(resolve, 900));
      if (this.app.lesson !== this || this.task?.board !== board) return;
      this.isAsking = true;
      await this.app.showTask(board, capture);
    }
  }

  async #show() {
    this.#tried = true;
    const { best, answer, board, capture } = this.task;
    this.#say("", words.answer(best, answer));
    button("task-show").hidden = true;
    button("task-next").focus();
    this.isAsking = true;
    await this.app.showTask(board, capture);
    this.app.board.setHint(best[0]);
  }

  #say(/** @type {string} */ style, /** @type {string} */ text) {
    byId("task-answer").className = style;
    byId("task-answer").textContent = text;
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

/** Sets up the dialog "Learn". */
export function prepareLearning(/** @type {App} */ app) {
  let puzzles = /** @type {Promise<Puzzle[]> | null} */ (null);
  const fetched = async () => {
    const answer = await fetch("puzzles.json");
    return /** @type {Puzzle[]} */ ((await answer.json()).puzzles);
  };
  const solved = new Set(/** @type {string[]} */ (JSON.parse(load("kalah-solved") ?? "[]")));

  const begin = (/** @type {Puzzle[]} */ chosen) => {
    dialog("learn-dialog").close();
    const order = [...chosen.filter(({ board }) => !solved.has(board)), ...chosen.filter(({ board }) => solved.has(board))];
    const tasks = order.map((puzzle) => {
      const side = puzzle.board.endsWith("N") ? "N" : "S";
      return {
        title: words.puzzle,
        text: words.puzzleText(side, puzzle.capture === "empty"),
        board: puzzle.board,
        capture: puzzle.capture,
        best: [puzzle.best],
        answer: words.puzzleAnswer(side, puzzle.value, puzzle.value - puzzle.second, puzzle.line),
        onSolved: () => {
          solved.add(puzzle.board);
          keep("kalah-solved", JSON.stringify([...solved]));
        },
      };
    });
    app.startLesson(tasks);
  };

  return async () => {
    if (!dialog("learn-dialog").open) dialog("learn-dialog").showModal();
    drawRules(app);
    try {
      puzzles ??= fetched();
      const all = await puzzles;
      byId("puzzle-levels").replaceChildren(
        ...words.puzzleLevels.flatMap((name, i) => {
          const chosen = all.filter(({ level }) => level === i + 1);
          if (!chosen.length) return [];
          const done = chosen.filter(({ board }) => solved.has(board)).length;
          const choice = element("button", { type: "button" }, words.puzzleLevel(name, done, chosen.length));
          choice.onclick = () => begin(chosen);
          return [choice];
        }),
      );
    } catch (error) {
      puzzles = null;
      byId("puzzle-levels").textContent = words.noPuzzles(/** @type {Error} */ (error).message);
    }
  };
}

/** Shows the moves of each rule again and again. */
function drawRules(/** @type {App} */ app) {
  for (const rule of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rule"))) {
    const frame = /** @type {HTMLElement} */ (rule.firstElementChild);
    const { board = "", moves = "" } = rule.dataset;
    if (!app.board.speed) frame.replaceChildren();
    if (!frame.childElementCount) demonstrate(app, Board.small(frame), board, moves);
  }
}

/** Plays moves on a small board while the dialog is open. */
async function demonstrate(
  /** @type {App} */ app,
  /** @type {Board} */ board,
  /** @type {string} */ start,
  /** @type {string} */ moves,
) {
  board.speed = app.board.speed ? 420 : 0;
  const positions = await app.rules.line("standard", start, moves);
  const first = positions[0].moves.find((legal) => legal.move === moves[0]) ?? null;
  // Without motion: the house that is sown and where its last seed falls.
  if (!board.speed) return board.show(positions[0], { move: moves[0], played: first });
  const pause = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));
  board.show(positions[0]);
  while (dialog("learn-dialog").open) {
    board.show(positions[0]);
    await pause(1200);
    for (const [i, letter] of [...moves].entries()) {
      const move = positions[i].moves.find((legal) => legal.move === letter);
      if (move) await board.animate(move, positions[i], positions[i + 1]);
      await pause(700);
    }
    await pause(1200);
  }
  board.frame.replaceChildren();
}
