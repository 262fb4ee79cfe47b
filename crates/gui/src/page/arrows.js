// Arrows and rings over the board, and short words on it. One's own are kept in the comments of a game, as lichess does:
// `[%cal GCa]` is a green arrow from C to a, `[%csl Rb]` a red ring around b.

import { svg } from "./page.js";

/** @import { LegalMove } from "./types" */
/** An arrow from pit to pit, which may lead over others, or a text or else a ring at the only one; the kind is a class.
 * @typedef {{pits: string[], kind: string, text?: string}} Mark */
/** @typedef {[number, number]} Point */

/** Half the width of a head, and its length. */
const HEAD = 15;

const LETTERS = "GRBY";
const COMMAND = /\s*\[%(cal|csl) ([^\]]*)\]/g;

/** An arrow through some points, round at the corners. */
export function arrow(/** @type {Point[]} */ points, /** @type {string} */ kind) {
  const [x, y] = points[points.length - 1];
  const before = points[points.length - 2];
  const length = Math.hypot(x - before[0], y - before[1]) || 1;
  const [ux, uy] = [(x - before[0]) / length, (y - before[1]) / length];
  // The line ends within the head.
  const end = [x - ux * HEAD, y - uy * HEAD];
  const text = (/** @type {number[]} */ at) => at.map((n) => n.toFixed(1)).join(" ");
  let line = `M${text(points[0])}`;
  for (const [i, at] of points.slice(1, -1).entries()) {
    const next = points[i + 2];
    line += `Q${text(at)} ${text([(at[0] + next[0]) / 2, (at[1] + next[1]) / 2])}`;
  }
  line += `L${text(end)}`;
  const corner = (/** @type {number} */ side) => text([end[0] - ux * HEAD * 0.7 - uy * HEAD * side, end[1] - uy * HEAD * 0.7 + ux * HEAD * side]);
  return svg("g", { class: `arrow ${kind}` }, svg("path", { d: line }), svg("path", { class: "point", d: `M${text([x, y])}L${corner(1)}L${corner(-1)}Z` }));
}

/** A move as an arrow; none without a move. @returns {Mark[]} */
export const along = (/** @type {LegalMove | null | undefined} */ legal, /** @type {string} */ kind) =>
  legal ? [{ pits: [legal.move, ...legal.path], kind }] : [];

/** What a relay picks up, in order: a number at each house, several where it comes again. @returns {Mark[]} */
export function stepsOf(/** @type {LegalMove} */ { path, pickUps }) {
  const numbers = /** @type {Map<string, number[]>} */ (new Map());
  for (const [i, after] of pickUps.entries()) numbers.set(path[after - 1], [...(numbers.get(path[after - 1]) ?? []), i + 1]);
  return [...numbers].map(([pit, all]) => ({ pits: [pit], kind: "step", text: all.join("·") }));
}

/** A short word at a point of a picture so wide. */
export function word(/** @type {string} */ text, /** @type {Point} */ [x, y], /** @type {{size: number, width: number}} */ { size, width }) {
  const half = (text.length * size * 0.56 + size * 1.2) / 2;
  const middle = Math.max(half + 3, Math.min(width - half - 3, x));
  const label = svg("text", { x: middle, y, "font-size": size }, document.createTextNode(text));
  return svg("g", { class: "word" }, svg("rect", { x: middle - half, y: y - size * 0.85, width: 2 * half, height: size * 1.7, rx: size * 0.85 }), label);
}

/** A comment's words, and the marks in it. */
export function parseMarks(/** @type {string} */ comment) {
  const marks = /** @type {Mark[]} */ ([]);
  const words = comment.replace(COMMAND, (whole, command, list) => {
    const found = list.split(",").map((/** @type {string} */ text) => /^([GRBY])([A-La-l+-])([A-La-l+-]?)$/.exec(text.trim()));
    if (!found.every((/** @type {RegExpExecArray | null} */ one) => one && Boolean(one[3]) === (command === "cal"))) return whole;
    for (const [, kind, ...pits] of found) marks.push({ kind, pits: pits.filter(Boolean) });
    return "";
  });
  return { words: marks.length ? words.trim() : comment, marks };
}

/** A comment with marks behind its words. */
export function formatComment(/** @type {string} */ words, /** @type {Mark[]} */ marks) {
  const list = (/** @type {number} */ pits, /** @type {string} */ command) => {
    const texts = marks.filter((mark) => mark.pits.length === pits).map(({ kind, pits }) => kind + pits.join(""));
    return texts.length ? `[%${command} ${texts.join(",")}]` : "";
  };
  return [words, list(1, "csl"), list(2, "cal")].filter(Boolean).join(" ");
}

/**
 * The mark that a pointer draws: green, or another colour with Shift, Alt or both.
 * @returns {Mark}
 */
export function marked(/** @type {string} */ from, /** @type {string} */ to, /** @type {{shiftKey: boolean, altKey: boolean}} */ { shiftKey, altKey }) {
  return { kind: LETTERS[Number(shiftKey) + 2 * Number(altKey)], pits: from === to ? [from] : [from, to] };
}

/** These marks and one more, or without it if it was there. */
export function toggled(/** @type {Mark[]} */ marks, /** @type {Mark} */ mark) {
  const others = marks.filter(({ pits }) => pits.join("") !== mark.pits.join(""));
  const isSame = marks.some(({ kind, pits }) => kind === mark.kind && pits.join("") === mark.pits.join(""));
  return isSame ? others : [...others, mark];
}
