// What a pointer does on the board: a click sows, pointing or holding a finger shows where the seeds would go, and the
// right button draws.

import { marked, toggled } from "./arrows.js";
import { isHouse } from "./rules.js";

/** @import { Mark } from "./arrows.js" */

/** Milliseconds after which a finger looks instead of sowing. */
const HOLD = 330;

export function listen(/** @type {import("./app.js").App} */ app) {
  const { board } = app;
  const { root } = board;
  /** Changes one's own marks on the position that is shown. */
  const mark = (/** @type {Mark[]} */ marks) => {
    if (app.lesson || !(marks.length || app.node.marks.length)) return;
    app.node.marks = marks;
    app.update();
  };
  const pitOf = (/** @type {EventTarget | null} */ target) => {
    const pit = target instanceof Element && root.contains(target) ? /** @type {SVGElement | null} */ (target.closest("[data-pit]")) : null;
    return pit?.dataset.pit ?? "";
  };
  const under = (/** @type {PointerEvent} */ { clientX, clientY }) => pitOf(document.elementFromPoint(clientX, clientY));
  let timer = 0;
  let isHolding = false;
  /** Whether the last click was the end of a look. */
  let hasLooked = false;
  /** The pit at which the right button went down. */
  let drag = "";

  root.addEventListener("click", (event) => {
    const pit = pitOf(event.target);
    const isSecond = event.detail > 1 && !hasLooked;
    hasLooked = isHolding;
    isHolding = false;
    if (hasLooked) return;
    // The second click of two at one place has seen nothing of what the first one did.
    if (isSecond) return board.finish();
    if (isHouse(pit)) board.pick(pit);
    if (!isHouse(pit) || !board.isOpen(pit)) mark([]);
  });
  root.addEventListener("keydown", (event) => {
    const pit = pitOf(event.target);
    if (!isHouse(pit) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) board.pick(pit);
  });
  root.addEventListener("focusin", ({ target }) => /** @type {Element} */ (target).matches(":focus-visible") && board.preview(pitOf(target)));
  root.addEventListener("focusout", () => board.preview(""));
  root.addEventListener("contextmenu", (event) => event.preventDefault());

  root.addEventListener("pointerover", ({ pointerType, target }) => pointerType === "mouse" && board.preview(pitOf(target)));
  root.addEventListener("pointerleave", () => board.preview(""));
  root.addEventListener("pointerdown", (event) => {
    const pit = pitOf(event.target);
    isHolding = false;
    clearTimeout(timer);
    if (event.button === 2) drag = pit;
    if (event.pointerType === "mouse" || !isHouse(pit)) return;
    // A finger has no place before it touches: one that stays looks, and sows nothing when it goes.
    timer = window.setTimeout(() => {
      isHolding = true;
      board.preview(pit);
    }, HOLD);
  });
  root.addEventListener("pointermove", (event) => {
    if (isHolding) board.preview(under(event));
    const to = drag && under(event);
    if (to) board.setArrows("drag", [marked(drag, to, event)]);
  });
  const end = (/** @type {PointerEvent} */ event) => {
    clearTimeout(timer);
    if (event.pointerType !== "mouse") board.preview("");
    if (!drag || event.button !== 2) return;
    const to = event.type === "pointerup" && under(event);
    if (to) mark(toggled(app.node.marks, marked(drag, to, event)));
    drag = "";
    board.setArrows("drag", []);
  };
  window.addEventListener("pointerup", end);
  window.addEventListener("pointercancel", end);
}
