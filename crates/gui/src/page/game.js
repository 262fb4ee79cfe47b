// A game as a tree of moves: the main line comes first among the children of each node.

import { formatComment, parseMarks } from "./arrows.js";
import { rulesIn, rulesOf } from "./rules.js";

/** @import { GameRecord, PlyRecord } from "./types" */

export class Node {
  /** The words of its comment, and the arrows and rings that are kept there. */
  comment = "";
  marks = /** @type {import("./arrows.js").Mark[]} */ ([]);
  children = /** @type {Node[]} */ ([]);

  constructor(/** @type {string} */ move, /** @type {string} */ board, /** @type {Node | null} */ parent = null) {
    this.move = move;
    this.board = board;
    this.parent = parent;
    parent?.children.push(this);
  }

  /** The nodes from the first move to this one. */
  get line() {
    const line = /** @type {Node[]} */ ([]);
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) line.unshift(node);
    return line;
  }

  get moves() {
    return this.line.map((node) => node.move).join("");
  }

  /** The last node of the line that goes on from here. */
  get end() {
    let node = /** @type {Node} */ (this);
    while (node.children.length) node = node.children[0];
    return node;
  }

  get isOnMainLine() {
    return this.line.every((node) => node.parent?.children[0] === node);
  }

  get turn() {
    return this.board.endsWith("N") ? "N" : "S";
  }

  /** Which child to take at each node from the root. */
  get path() {
    return this.line.map((node) => node.parent?.children.indexOf(node) ?? 0);
  }

  /** The child with this move; made if there is none. */
  play(/** @type {string} */ move, /** @type {string} */ board) {
    return this.children.find((node) => node.move === move) ?? new Node(move, board, this);
  }

  /** The node after several moves, made where there is none; `positions` are those from here on. */
  playAll(/** @type {string} */ moves, /** @type {import("./types").Position[]} */ positions) {
    return [...moves].reduce((node, move, i) => node.play(move, positions[i + 1].board), /** @type {Node} */ (this));
  }
}

export const newId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

export class Game {
  /** @type {Record<string, string>} */
  tags = {};
  result = "*";
  /** Which of the kept games it is. */
  id = newId();
  /** Where a game ended that has a result: what is tried after it is a variation. @type {Node | null} */
  last = null;

  /** The rules have the name of a capture rule, or `relay`. */
  constructor(/** @type {string} */ start, /** @type {string} */ capture) {
    this.start = start;
    this.capture = capture;
    this.root = new Node("", start);
  }

  /** The last node of the main line. */
  get end() {
    const { end } = this.root;
    return this.last && (this.last === this.root || end.line.includes(this.last)) ? this.last : end;
  }

  /** The main line, without the root. */
  get main() {
    return this.end.line;
  }

  at(/** @type {number[]} */ path) {
    return path.reduce((node, child) => node.children[child] ?? node, this.root);
  }

  /** Makes the line to a node the main line, or only the first among its siblings. A game in which other
   * moves were played has lost its result. */
  promote(/** @type {Node} */ node, isToMain = true) {
    const { end } = this;
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      if (siblings[0] === at) continue;
      at.parent.children = [at, ...siblings.filter((other) => other !== at)];
      if (!isToMain) break;
    }
    if (this.end === end) return;
    this.result = "*";
    this.last = null;
    for (const name of ["Margin", "Reason", "Termination"]) delete this.tags[name];
  }

  /** Removes a node and what follows; the parent is returned. */
  remove(/** @type {Node} */ node) {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    return node.parent;
  }

  /** @returns {GameRecord} */
  toRecord() {
    return {
      tags: this.tags,
      start: this.start,
      ...rulesIn(this.capture),
      ...commentOf(this.root),
      moves: record(this.root, this.last),
      result: this.result,
    };
  }

  /** @returns {Promise<Game>} */
  static async fromRecord(
    /** @type {GameRecord} */ { tags, start, comment, moves, result, ...terms },
    /** @type {import("./rules.js").Rules} */ rules,
  ) {
    const capture = rulesOf(terms);
    const { board } = await rules.position(capture, start);
    const game = new Game(board, capture);
    game.tags = { ...tags };
    game.result = result;
    takeComment(game.root, comment);
    await addLine(game.root, moves, capture, rules);
    if (result !== "*") game.last = moves.reduce((node) => node.children[0], game.root);
    return game;
  }
}

/**
 * @param {Node} from
 * @param {Node | null} last where the line ends: what follows is a variation that begins with its last move
 * @returns {PlyRecord[]}
 */
function record(from, last = null) {
  /** @type {PlyRecord[]} */
  const plies = [];
  for (let node = from; node.children.length && node !== last; node = node.children[0]) {
    const [main, ...others] = node.children;
    const variations = others.map((other) => [plyOf(other), ...record(other)]);
    if (main === last) variations.push(...main.children.map((child) => [{ move: main.move }, plyOf(child), ...record(child)]));
    plies.push({ ...plyOf(main), ...(variations.length && { variations }) });
  }
  return plies;
}

/** @returns {PlyRecord} */
function plyOf(/** @type {Node} */ node) {
  return { move: node.move, ...commentOf(node) };
}

function commentOf(/** @type {Node} */ node) {
  const comment = formatComment(node.comment, node.marks);
  return comment ? { comment } : {};
}

function takeComment(/** @type {Node} */ node, comment = "") {
  ({ words: node.comment, marks: node.marks } = parseMarks(comment));
}

async function addLine(
  /** @type {Node} */ from,
  /** @type {PlyRecord[]} */ plies,
  /** @type {string} */ capture,
  /** @type {import("./rules.js").Rules} */ rules,
) {
  if (!plies.length) return;
  const positions = await rules.line(capture, from.board, plies.map(({ move }) => move).join(""));
  let node = from;
  for (const [i, { move, comment, variations }] of plies.entries()) {
    const parent = node;
    node = parent.play(move, positions[i + 1].board);
    if (comment) takeComment(node, comment);
    for (const variation of variations ?? []) await addLine(parent, variation, capture, rules);
  }
}
