// Keys, steps through the game, and the view for a projector.

import { button, byId } from "./page.js";

/** @import { App } from "./app.js" */

/** Steps through the line that is shown. */
export function step(/** @type {App} */ app, /** @type {"first" | "back" | "forward" | "last"} */ where) {
  const { node, game } = app;
  const target = { first: game.root, back: node.parent, forward: node.children[0], last: node.end }[where];
  return target ? app.step(target, where === "forward") : undefined;
}

function sibling(/** @type {App} */ app, /** @type {number} */ by) {
  const siblings = app.node.parent?.children ?? [];
  const place = siblings.indexOf(app.node) + by;
  if (siblings[place] && !app.lesson) app.step(siblings[place]);
}

/** Listens to keys: those of houses, of buttons, which name theirs, and those that have no button. */
export function prepareKeys(/** @type {App} */ app) {
  /** @type {Record<string, () => unknown>} */
  const others = { ArrowUp: () => sibling(app, -1), ArrowDown: () => sibling(app, 1), " ": () => app.playBest() };
  // The graph is a slider, of which these are keys, too.
  byId("graph").addEventListener("keydown", (event) => {
    const where = /Up$/.test(event.key) ? "forward" : /Down$/.test(event.key) ? "back" : null;
    if (!where) return;
    event.preventDefault();
    event.stopPropagation();
    step(app, where);
  });
  document.addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, repeat } = event;
    // Caps Lock changes nothing.
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const target = /** @type {HTMLElement} */ (event.target);
    if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return;
    // A field of a dialog that was just closed has the focus until the next frame.
    if (target.closest("input, textarea, select")?.checkVisibility()) return;
    if (key === " " && target.closest("button, summary, a, [role=button]")) return;
    if (key.length === 1 && !app.settings.keys) return;
    if (event.shiftKey && key === "f") return event.preventDefault(), button("present").click();
    const house = /^[1-9]$/.test(key) ? Number(key) - 1 : /^[a-l]$/.test(key) ? key.charCodeAt(0) - 97 : -1;
    /** @type {HTMLElement | null} */
    const own = document.querySelector(`button[aria-keyshortcuts="${CSS.escape(key)}"]`);
    // What is not shown, as the buttons of the game behind a puzzle, has no key.
    const press = own?.checkVisibility() ? () => own.click() : null;
    if (app.home.isOpen && key === "Escape") app.home.close(true);
    else if (app.home.isOpen && !press) return;
    const action = house >= 0 ? () => app.sowHouse(house) : (others[key] ?? press);
    if (!action) return;
    event.preventDefault();
    // A key that is held sows once.
    if (!repeat || key.startsWith("Arrow")) action();
  });
}

/** Lets the board alone fill the screen. */
export function preparePresenter() {
  const isOn = () => "present" in document.body.dataset;
  const turn = (/** @type {boolean} */ on) => {
    document.body.toggleAttribute("data-present", on);
    button("present").ariaPressed = String(on);
  };
  button("present").onclick = async () => {
    turn(!isOn());
    // A browser that has no full screen shows it in its window.
    if (isOn()) await document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) await document.exitFullscreen();
  };
  document.addEventListener("fullscreenchange", () => !document.fullscreenElement && turn(false));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && !document.querySelector("dialog[open]") && isOn() && turn(false));
}
