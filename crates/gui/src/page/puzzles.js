// Puzzles: proven positions of which a chain of moves is to be found, by grade or one of each day, with what was solved.

import { Game } from "./game.js";
import { newButton, onClick } from "./notices.js";
import { byId, button, dialog, select } from "./page.js";
import { rulesOf } from "./rules.js";
import { changeProgress, progress } from "./store.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Puzzle, Task } from "./types" */

const DAY = 86_400_000;

/** The number of a day in the place of the player. */
const today = () => Math.floor(Date.now() / DAY - new Date().getTimezoneOffset() / 1440);

/** @returns {Task} */
function taskOf(/** @type {Puzzle} */ puzzle, /** @type {() => string} */ title, day = 0) {
  const side = puzzle.board.endsWith("N") ? "N" : "S";
  const rules = rulesOf(puzzle);
  const chain = puzzle.line.split(" ").slice(0, puzzle.steps ?? 1);
  const own = chain.filter((move) => (move === move.toUpperCase()) === (side === "S")).length;
  return {
    title,
    text: () => words.puzzleText(side, rules, own),
    board: puzzle.board,
    capture: rules,
    best: [puzzle.best],
    chain,
    answer: () => words.puzzleAnswer(side, puzzle.value, puzzle.value - puzzle.second, puzzle.line),
    onSolved: () => {
      const { solved, row, most, lastDay, days } = progress();
      const isNew = !solved.includes(puzzle.board);
      changeProgress({
        solved: isNew ? [...solved, puzzle.board] : solved,
        row: row + 1,
        most: Math.max(most, row + 1),
        ...(day > lastDay && { lastDay: day, days: lastDay === day - 1 ? days + 1 : 1 }),
      });
    },
    onFailed: () => changeProgress({ row: 0 }),
  };
}

/** Sets up the dialog "Learn"; what it returns opens it. */
export function preparePuzzles(/** @type {App} */ app) {
  /** The puzzles of each game, once they were asked for. @type {Map<string, Promise<Puzzle[]>>} */
  const fetched = new Map();
  const fetchPuzzles = async (/** @type {string} */ rules) => {
    const answer = await fetch(rules === "relay" ? "puzzles-relay.json" : "puzzles.json");
    if (!answer.ok) throw new Error(String(answer.status));
    return /** @type {Puzzle[]} */ ((await answer.json()).puzzles);
  };
  const begin = (/** @type {Task[]} */ tasks) => {
    dialog("learn-dialog").close();
    app.startLesson(tasks);
  };
  onClick(button("task-analyse"), async () => {
    const { lesson } = app;
    if (!lesson) return;
    const { task, found } = lesson;
    const positions = await app.rules.line(task.capture, task.board, found);
    lesson.end();
    const game = new Game(task.board, task.capture);
    game.root.playAll(found, positions);
    await app.replace(words.positionSet, () => app.openGame(game));
    if (!app.analysis.isOn) app.toggleAnalysis();
  });

  const choice = select("puzzle-rules");
  const show = async () => {
    const rules = choice.value;
    try {
      const puzzles = fetched.get(rules) ?? fetchPuzzles(rules);
      fetched.set(rules, puzzles);
      const all = await puzzles;
      if (rules !== choice.value) return;
      const { solved, row, most, days, lastDay } = progress();
      const isDone = ({ board = "" }) => solved.includes(board);
      const grades = words.puzzleLevels.flatMap((name, i) => {
        const chosen = all.filter(({ level }) => level === i + 1);
        if (!chosen.length) return [];
        const [done, open] = [chosen.filter(isDone), chosen.filter((puzzle) => !isDone(puzzle))];
        const solve = () => begin([...open, ...done].map((puzzle) => taskOf(puzzle, () => words.puzzle)));
        return [newButton(solve, {}, words.puzzleLevel(name, done.length, chosen.length))];
      });
      const day = today();
      // Another one each day, the same for everybody.
      const puzzleOfDay = all[(day * 89) % all.length];
      const solveDaily = () => begin([taskOf(puzzleOfDay, () => words.puzzleOfDay(new Date(), false), day)]);
      const daily = newButton(solveDaily, { class: "primary" }, words.puzzleOfDay(new Date(), lastDay === day));
      byId("puzzle-levels").replaceChildren(...grades, daily);
      byId("puzzle-row").textContent = most ? words.puzzleRow(row, most, lastDay >= day - 1 ? days : 0) : "";
    } catch (error) {
      fetched.delete(rules);
      byId("puzzle-levels").textContent = words.noPuzzles(/** @type {Error} */ (error).message);
    }
  };
  choice.onchange = show;

  return () => {
    if (!dialog("learn-dialog").open) dialog("learn-dialog").showModal();
    choice.value = app.rulesInView;
    return show();
  };
}
