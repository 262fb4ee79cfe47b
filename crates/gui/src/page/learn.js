// Questions with an answer: puzzles made of proven positions, and the mistakes of a reviewed game.
// And the rules, with moving pictures.

import { Board } from "./board.js";
import { byId, button, dialog, element } from "./page.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./types").Puzzle} Puzzle */
/**
 * @typedef {{title: string, text: string, board: string, capture: string, best: string[], answer: string,
 *   onSolved?: () => void}} Task
 */

const LEVELS = ["first steps", "easy", "medium", "hard", "very hard"];

/** Asks questions one after the other; the board is the page's. */
export class Lesson {
  #place = 0;
  #tried = false;

  constructor(/** @type {App} */ app, /** @type {Task[]} */ tasks, /** @type {() => void} */ onEnd) {
    this.app = app;
    this.tasks = tasks;
    this.onEnd = onEnd;
    button("task-show").onclick = () => this.#show();
    button("task-next").onclick = () => this.#next(1);
    button("task-end").onclick = () => this.end();
    byId("task").hidden = false;
  }

  get task() {
    return this.tasks[this.#place];
  }

  async begin() {
    this.#tried = false;
    const { title, text, board, capture } = this.task;
    byId("task-title").textContent = `${title} ${this.#place + 1} of ${this.tasks.length}`;
    byId("task-text").textContent = text;
    this.#say("", "");
    button("task-show").hidden = false;
    await this.app.showTask(board, capture);
  }

  /** The move that somebody tries. */
  async tryMove(/** @type {string} */ move) {
    const { best, answer, onSolved, board, capture } = this.task;
    const isRight = best.includes(move);
    await this.app.showTask(board, capture, move);
    if (isRight) {
      if (!this.#tried) onSolved?.();
      this.#say("good", `${move} is right. ${answer}`);
      button("task-show").hidden = true;
    } else {
      this.#tried = true;
      this.#say("bad", `${move} loses seeds. Try another move.`);
      await new Promise((resolve) => setTimeout(resolve, 900));
      if (this.app.lesson === this && this.task.board === board) await this.app.showTask(board, capture);
    }
  }

  async #show() {
    this.#tried = true;
    const { best, answer, board, capture } = this.task;
    this.#say("", `${best.join(" or ")}. ${answer}`);
    button("task-show").hidden = true;
    await this.app.showTask(board, capture);
    this.app.board.setHint(best[0]);
  }

  #say(/** @type {string} */ style, /** @type {string} */ text) {
    byId("task-answer").className = style;
    byId("task-answer").textContent = text;
  }

  async #next(/** @type {number} */ by) {
    this.#place += by;
    if (this.#place >= this.tasks.length) return this.end();
    await this.begin();
  }

  end() {
    byId("task").hidden = true;
    this.app.lesson = null;
    this.app.board.setHint("");
    this.onEnd();
  }
}

/** Sets up the dialog "Learn". */
export function prepareLearning(/** @type {App} */ app) {
  /** @type {Promise<Puzzle[]> | null} */
  let puzzles = null;
  const load = async () => {
    const answer = await fetch("puzzles.json");
    return /** @type {Puzzle[]} */ ((await answer.json()).puzzles);
  };
  const solved = new Set(/** @type {string[]} */ (JSON.parse(localStorage.getItem("kalah-solved") ?? "[]")));

  const begin = (/** @type {Puzzle[]} */ chosen) => {
    dialog("learn-dialog").close();
    const order = [...chosen.filter(({ board }) => !solved.has(board)), ...chosen.filter(({ board }) => solved.has(board))];
    const tasks = order.map((puzzle) => {
      const side = puzzle.board.endsWith("N") ? "North" : "South";
      return {
        title: "Puzzle",
        text: `${side} to move${puzzle.capture === "empty" ? "; captures also if the house opposite is empty" : ""}. One move holds, every other loses at least four seeds.`,
        board: puzzle.board,
        capture: puzzle.capture,
        best: [puzzle.best],
        answer: `${result(side, puzzle.value)}; every other move loses at least ${puzzle.value - puzzle.second} seeds. The line: ${puzzle.line}`,
        onSolved: () => {
          solved.add(puzzle.board);
          localStorage.setItem("kalah-solved", JSON.stringify([...solved]));
        },
      };
    });
    app.startLesson(tasks);
  };

  return async () => {
    if (!dialog("learn-dialog").open) dialog("learn-dialog").showModal();
    drawRules(app);
    try {
      puzzles ??= load();
      const all = await puzzles;
      byId("puzzle-levels").replaceChildren(
        ...LEVELS.flatMap((name, i) => {
          const chosen = all.filter(({ level }) => level === i + 1);
          if (!chosen.length) return [];
          const done = chosen.filter(({ board }) => solved.has(board)).length;
          const choice = element("button", { type: "button" }, `${name} (${done} of ${chosen.length})`);
          choice.onclick = () => begin(chosen);
          return [choice];
        }),
      );
    } catch (error) {
      puzzles = null;
      byId("puzzle-levels").textContent = `The puzzles cannot be loaded: ${/** @type {Error} */ (error).message}`;
    }
  };
}

function result(/** @type {string} */ side, /** @type {number} */ value) {
  if (value === 0) return "It holds the draw";
  const other = side === "South" ? "North" : "South";
  return value > 0 ? `${side} wins by ${value}` : `${other} wins by only ${-value}`;
}

/** What is shown of the rules: a text, a board, and the moves that are played on it again and again. */
const RULES = [
  {
    text: "Pick one of your houses. Its seeds are sown one by one to the right: into your houses, your store, the other player's houses, but never the other player's store.",
    board: "<4,0,0,2,3,1,5,3,3,3,3> S",
    moves: "D",
  },
  {
    text: "If the last seed falls into your store, you move again.",
    board: "<4,0,0,1,3,2,1,2,3,1,2> S",
    moves: "BC",
  },
  {
    text: "If the last seed falls into a house of yours that was empty, it captures the seeds opposite: they go to your store together with the seed itself.",
    board: "<4,0,0,2,1,0,1,2,4,2,1> S",
    moves: "A",
  },
  {
    text: "When the houses of one side are all empty, the game is over. What is left on the other side belongs to that side. Who has more seeds wins.",
    board: "<4,5,4,0,0,0,1,0,2,1,0> S",
    moves: "D",
  },
];

function drawRules(/** @type {App} */ app) {
  const place = byId("rules");
  if (place.childElementCount) return;
  for (const { text, board: start, moves } of RULES) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    picture.setAttribute("aria-hidden", "true");
    const frame = element("div", {});
    frame.append(picture);
    place.append(element("div", { class: "rule" }, frame, element("p", {}, text)));
    demonstrate(app, new Board(picture, frame), start, moves);
  }
}

/** Plays moves on a small board while the dialog is open. */
async function demonstrate(
  /** @type {App} */ app,
  /** @type {Board} */ board,
  /** @type {string} */ start,
  /** @type {string} */ moves,
) {
  board.isSmall = true;
  board.speed = app.board.speed ? 420 : 0;
  const positions = await app.rules.line("standard", start, moves);
  const pause = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));
  board.show(positions[0]);
  while (dialog("learn-dialog").open && board.speed) {
    board.show(positions[0]);
    await pause(1200);
    for (const [i, letter] of [...moves].entries()) {
      const move = positions[i].moves.find((legal) => legal.move === letter);
      if (move) await board.animate(move, positions[i + 1]);
      await pause(700);
    }
    await pause(1200);
  }
  board.show(positions[positions.length - 1], { move: moves.slice(-1), played: null });
  byId("rules").replaceChildren();
}
