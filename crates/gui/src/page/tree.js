// The moves of a game as a list: turns in two columns, variations and comments between them.

import { newButton } from "./notices.js";
import { element } from "./page.js";
import { sides, words } from "./words.js";

/** @import { Game, Node } from "./game.js" */

/** What a move gave away, in words; what opens a node; and who plays.
 * @typedef {{lost: (node: Node) => string, open: (node: Node) => void, players: import("./types").Players}} Options */

/** What is shown: the buttons of the moves, until the game, its moves or its reviews are others. */
let shown = { game: /** @type {object | null} */ (null), text: "", buttons: /** @type {Map<Node, HTMLElement>} */ (new Map()) };

/** Draws the moves of a game, or only marks the one that is shown if nothing else has changed. */
export function drawMoves(/** @type {HTMLElement} */ list, /** @type {Game} */ game, /** @type {Node} */ now, /** @type {Options} */ { lost, open, players }) {
  const text = JSON.stringify([words.language, players, game.toRecord(), game.main.map(lost)]);
  if (game !== shown.game || text !== shown.text || (now.parent && !shown.buttons.has(now))) {
    shown = { game, text, buttons: new Map() };
    buildMoves(list, game, { lost, open, players });
  }
  for (const [node, button] of shown.buttons) {
    button.classList.toggle("now", node === now);
    button.ariaCurrent = node === now ? "true" : null;
  }
  followMove(list);
}

function buildMoves(/** @type {HTMLElement} */ list, /** @type {Game} */ game, /** @type {Options} */ { lost, open, players }) {
  const move = (/** @type {Node} */ node) => {
    const side = node.parent?.turn ?? "S";
    const button = newButton(() => open(node), { class: `move ${side}` }, node.move);
    shown.buttons.set(node, button);
    const loss = lost(node);
    return loss ? [button, element("span", { class: "lost" }, loss)] : [button];
  };

  /** A variation: text that flows. */
  const inline = (/** @type {Node} */ from, /** @type {number} */ number) => {
    const line = element("div", { class: "variation" });
    let node = from;
    let isFirst = true;
    let turns = number;
    for (;;) {
      const side = node.parent?.turn ?? "S";
      const isNewTurn = isFirst || node.parent?.parent?.turn !== side;
      if (isNewTurn && side === "S" && !isFirst) turns++;
      if (isNewTurn && (side === "S" || isFirst)) line.append(` ${turns}${side === "S" ? "." : "…"}`);
      line.append(...move(node));
      if (node.comment) line.append(element("span", { class: "comment" }, ` ${node.comment} `));
      isFirst = false;
      if (node.parent && node.parent.children[0] === node) {
        for (const other of node.parent.children.slice(1)) line.append(inline(other, turns));
      }
      if (!node.children.length) return line;
      node = node.children[0];
    }
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
    const parent = node;
    if (parent === game.last) {
      aside(element("div", { class: "aside" }, ...parent.children.map((tried) => inline(tried, Math.max(1, number)))));
      break;
    }
    node = parent.children[0];
    const side = parent.turn;
    if (!last || (side === "S" && last === "N")) number++;
    if (side !== last || !cell) {
      if (side === "S" || !cell) grid.append(element("span", { class: "number" }, `${number}.`));
      if (side === "N" && !cell) grid.append(element("span", {}, "…"));
      cell = element("span");
      grid.append(cell);
    }
    last = side;
    cell.append(...move(node));
    const others = parent.children.slice(1);
    if (node.comment || others.length) {
      const box = element("div", { class: "aside" });
      if (node.comment) box.append(element("div", { class: "comment" }, node.comment));
      for (const other of others) box.append(inline(other, number));
      aside(box);
    }
  }
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(grid);
  if (game.result !== "*") list.append(element("div", { class: "outcome" }, outcomeWords(game, players)));
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
