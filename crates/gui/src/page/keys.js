// Keys, and steps through the game.

import { button, byId, element } from "./page.js";
import { letters } from "./rules.js";

/** @typedef {import("./app.js").App} App */

const KEYS = [
  ["1 … 9, A … L", "sow a house, counted from the left of the player to move"],
  ["← →", "step back and forward"],
  ["↑ ↓", "other variations of this move"],
  ["Home End", "first and last position"],
  ["n", "new game"],
  ["z", "take back"],
  ["x", "hint: show the best move"],
  ["space", "play the best move of the analysis"],
  ["v", "analysis on and off"],
  ["y", "peek at hidden values"],
  ["t", "turn the board"],
  ["s o p", "set up, open or save, puzzles"],
  [",", "settings"],
  ["?", "this page"],
];

/** Steps through the line that is shown. */
export function step(/** @type {App} */ app, /** @type {"first" | "back" | "forward" | "last"} */ where) {
  const { node, game } = app;
  if (where === "forward") return node.children.length ? app.show(node.children[0], { animate: true }) : undefined;
  const target = { first: game.root, back: node.parent ?? node, last: node.end }[where];
  return app.show(target);
}

function sibling(/** @type {App} */ app, /** @type {number} */ by) {
  const siblings = app.node.parent?.children ?? [];
  const place = siblings.indexOf(app.node) + by;
  if (siblings[place]) app.show(siblings[place]);
}

/** Lists the keys in their dialog, and listens to them. */
export function prepareKeys(/** @type {App} */ app) {
  byId("keys").append(...KEYS.flatMap(([keys, what]) => [element("dt", {}, keys), element("dd", {}, what)]));
  /** @type {Record<string, () => unknown>} */
  const actions = {
    ArrowLeft: () => step(app, "back"), ArrowRight: () => step(app, "forward"),
    ArrowUp: () => sibling(app, -1), ArrowDown: () => sibling(app, 1),
    Home: () => step(app, "first"), End: () => step(app, "last"),
    n: () => button("open-new").click(), z: () => app.match?.takeBack(), x: () => app.hint(),
    v: () => app.toggleAnalysis(), y: () => app.peek(), t: () => app.flip(), " ": () => app.playBest(),
    s: () => button("open-setup").click(), o: () => button("open-share").click(), p: () => button("open-learn").click(),
    ",": () => button("open-settings").click(), "?": () => button("open-help").click(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input, textarea, select")) return;
    if (key === " " && target.closest("button, summary, a, [role=button]")) return;
    const house = /^[1-9]$/.test(key) ? Number(key) - 1 : /^[a-l]$/i.test(key) ? key.toLowerCase().charCodeAt(0) - 97 : -1;
    const action = house >= 0 ? () => app.sowHouse(house) : actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
