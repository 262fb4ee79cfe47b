// The rules: four steps that play by themselves, or one by one for readers without motion.

import { Board } from "./board.js";
import { announce } from "./notices.js";
import { button, byId, dialog, pause } from "./page.js";

/** Milliseconds for a seed, before a step and after it. */
const [SEED, BEFORE, AFTER] = [380, 1000, 1500];

/** Sets up the dialog of the rules; what is returned opens it. */
export function prepareTour(/** @type {import("./app.js").App} */ app) {
  const box = dialog("rules-dialog");
  const items = /** @type {HTMLElement[]} */ ([...byId("rules-steps").children]);
  let steps = /** @type {HTMLButtonElement[]} */ ([]);
  let board = /** @type {Board | null} */ (null);
  let running = 0;
  let rules = "standard";

  /** Shows the steps from one on; only this one without motion. */
  const play = async (from = 0) => {
    const run = ++running;
    const small = (board ??= Board.small(byId("rules-board")));
    small.speed = app.board.speed && SEED;
    for (const step of small.speed ? steps.slice(from) : [steps[from]]) {
      for (const other of steps) other.ariaCurrent = other === step ? "step" : null;
      announce(step.nextElementSibling?.textContent ?? "");
      const { start = "", moves = "" } = step.dataset;
      const positions = await app.rules.line(rules, start, moves);
      if (run !== running) return;
      const played = [...moves].map((letter, i) => positions[i].moves.find(({ move }) => move === letter) ?? null);
      small.show(positions[0], small.speed ? null : { move: moves[0], played: played[0] });
      if (!small.speed) return;
      await pause(BEFORE);
      for (const [i, move] of played.entries()) {
        if (run !== running) return;
        if (move) await small.animate(move, positions[i], positions[i + 1]);
        await pause(i + 1 < played.length ? BEFORE / 2 : AFTER);
      }
      if (run !== running) return;
    }
  };

  /** Shows the steps of these rules; those without rules of their own are those of all. */
  const choose = (/** @type {string} */ chosen) => {
    rules = chosen;
    for (const item of items) item.hidden = (item.dataset.rules ?? rules) !== rules;
    steps = items.flatMap((item) => (item.hidden ? [] : [...item.querySelectorAll("button")]));
    for (const [i, step] of steps.entries()) step.onclick = () => play(i);
  };

  button("rules-again").onclick = () => play();
  button("rules-try").onclick = () => {
    box.close();
    app.changeSettings({ rules });
    /** @type {HTMLButtonElement} */ (byId("faces").querySelector("button")).click();
  };
  box.onclose = () => {
    running++;
    board?.finish();
  };
  return () => {
    dialog("learn-dialog").close();
    box.showModal();
    choose(app.rulesInView);
    return play();
  };
}
