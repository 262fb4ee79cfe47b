// Keys, and steps through the game.

/** @import { App } from "./app.js" */

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

/** Listens to keys: those of houses, of buttons, which name theirs, and those that have no button. */
export function prepareKeys(/** @type {App} */ app) {
  /** @type {Record<string, () => unknown>} */
  const others = { ArrowUp: () => sibling(app, -1), ArrowDown: () => sibling(app, 1), " ": () => app.playBest() };
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input, textarea, select")) return;
    if (key === " " && target.closest("button, summary, a, [role=button]")) return;
    const house = /^[1-9]$/.test(key) ? Number(key) - 1 : /^[a-l]$/i.test(key) ? key.toLowerCase().charCodeAt(0) - 97 : -1;
    /** @type {HTMLElement | null} */
    const button = document.querySelector(`button[aria-keyshortcuts="${CSS.escape(key)}"]`);
    const action = house >= 0 ? () => app.sowHouse(house) : (others[key] ?? (button && (() => button.click())));
    if (!action) return;
    event.preventDefault();
    action();
  });
}
