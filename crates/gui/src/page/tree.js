// The moves of a game as a list: turns in two columns, variations and comments between them.

import { newButton } from "./notices.js";
import { byId, element } from "./page.js";
import { lossText, reviewed } from "./review.js";
import { sides, words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Node } from "./game.js" */

/** What is shown: the buttons of the moves, until the game, its moves or its reviews are others. */
let shown = { game: /** @type {object | null} */ (null), text: "", buttons: /** @type {Map<Node, HTMLElement>} */ (new Map()) };

/** Draws the moves of the game, or only marks the one that is shown if nothing else has changed. */
export function drawMoves(/** @type {App} */ app) {
  const { game, node: now, players } = app;
  const list = byId("moves");
  const moves = reviewed(app);
  const lost = (/** @type {Node} */ node) => lossText(moves.get(node));
  const text = JSON.stringify([words.language, players, game.toRecord(), game.main.map(lost)]);
  if (game !== shown.game || text !== shown.text || (now.parent && !shown.buttons.has(now))) {
    shown = { game, text, buttons: new Map() };
    buildMoves(app, list, lost);
  }
  for (const [node, button] of shown.buttons) {
    button.classList.toggle("now", node === now);
    button.ariaCurrent = node === now ? "true" : null;
  }
  followMove(list);
}

/** `lost` says what a move gave away. */
function buildMoves(/** @type {App} */ app, /** @type {HTMLElement} */ list, /** @type {(node: Node) => string} */ lost) {
  const { game } = app;
  const move = (/** @type {Node} */ node) => {
    const side = node.parent?.turn ?? "S";
    const button = newButton(() => app.step(node), { class: `move ${side}` }, node.move);
    shown.buttons.set(node, button);
    const loss = lost(node);
    return loss ? [button, element("span", { class: "lost" }, loss)] : [button];
  };

  /** A variation: text that flows. @type {(from: Node, number: number) => HTMLElement} */
  const inline = (from, number) => {
    const line = element("div", { class: "variation" });
    let turns = number;
    for (let node = from; node; node = node.children[0]) {
      const isFirst = node === from;
      const side = node.parent?.turn ?? "S";
      const isNewTurn = isFirst || node.parent?.parent?.turn !== side;
      if (isNewTurn && side === "S" && !isFirst) turns++;
      if (isNewTurn && (side === "S" || isFirst)) line.append(` ${turns}${side === "S" ? "." : "…"}`);
      line.append(...move(node));
      if (node.comment) line.append(element("span", { class: "comment" }, ` ${node.comment} `));
      const [main, ...others] = node.parent?.children ?? [];
      if (main === node) line.append(...others.map((other) => inline(other, turns)));
    }
    return line;
  };

  const grid = element("div", { class: "turns" });
  /** The cell of a turn; none after something aside. @type {HTMLElement | null} */
  let cell = null;
  let [number, last] = [0, ""];
  const aside = (/** @type {HTMLElement} */ content) => {
    if (cell && last === "S") grid.append(element("span"));
    grid.append(content);
    cell = null;
  };
  if (game.root.comment) aside(element("div", { class: "aside comment" }, game.root.comment));
  for (let node = game.root; node.children.length; ) {
    if (node === game.last) {
      aside(element("div", { class: "aside" }, ...node.children.map((tried) => inline(tried, Math.max(1, number)))));
      break;
    }
    const side = node.turn;
    const [main, ...others] = node.children;
    node = main;
    if (!last || (side === "S" && last === "N")) number++;
    if (side !== last || !cell) {
      if (side === "S" || !cell) grid.append(element("span", { class: "number" }, `${number}.`));
      if (side === "N" && !cell) grid.append(element("span", {}, "…"));
      cell = element("span");
      grid.append(cell);
    }
    last = side;
    cell.append(...move(node));
    const comment = node.comment ? [element("div", { class: "comment" }, node.comment)] : [];
    const below = [...comment, ...others.map((other) => inline(other, number))];
    if (below.length) aside(element("div", { class: "aside" }, ...below));
  }
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(grid);
  if (game.result !== "*") list.append(element("div", { class: "outcome" }, outcomeWords(game, app.players)));
  if (hadFocus) list.focus({ preventScroll: true });
}

/** Scrolls the list to the current move: the list alone, never the page. */
export function followMove(/** @type {HTMLElement} */ list) {
  const item = list.querySelector(".now");
  if (!item) return list.scrollTo(0, 0);
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}

/** The result of a game, told to one of its players if there is one. */
export function outcomeWords(/** @type {{tags: Record<string, string>, result: string}} */ game, players = sides()) {
  const { Margin, Termination } = game.tags;
  if (game.result === "1/2-1/2") return words.aDraw;
  return game.result === "*" ? "" : words.outcome(game.result === "1-0" ? "S" : "N", players, Math.abs(Number(Margin)), Termination);
}
