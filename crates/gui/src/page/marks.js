// One's own arrows and rings: kept in the comments of a game, as lichess does: `[%cal GCa]` is a green arrow from C to a,
// `[%csl Rb]` a red ring around b.

/** @import { Drawn } from "./arrows.js" */

const LETTERS = "GRBY";
const COMMAND = /\s*\[%(cal|csl) ([^\]]*)\]/g;

/** A comment's words, and the marks in it. */
export function parted(/** @type {string} */ comment) {
  const marks = /** @type {Drawn[]} */ ([]);
  const words = comment.replace(COMMAND, (whole, command, list) => {
    const found = list.split(",").map((/** @type {string} */ text) => /^([GRBY])([A-La-l+-])([A-La-l+-]?)$/.exec(text.trim()));
    if (!found.every((/** @type {RegExpExecArray | null} */ one) => one && Boolean(one[3]) === (command === "cal"))) return whole;
    for (const [, kind, ...pits] of found) marks.push({ kind, pits: pits.filter(Boolean) });
    return "";
  });
  return { words: marks.length ? words.trim() : comment, marks };
}

/** A comment with marks behind its words. */
export function joined(/** @type {string} */ words, /** @type {Drawn[]} */ marks) {
  const list = (/** @type {number} */ pits, /** @type {string} */ command) => {
    const texts = marks.filter((mark) => mark.pits.length === pits).map(({ kind, pits }) => kind + pits.join(""));
    return texts.length ? `[%${command} ${texts.join(",")}]` : "";
  };
  return [words, list(1, "csl"), list(2, "cal")].filter(Boolean).join(" ");
}

/**
 * The mark that a pointer draws: green, or another colour with Shift, Alt or both.
 * @returns {Drawn}
 */
export function marked(/** @type {string} */ from, /** @type {string} */ to, /** @type {{shiftKey: boolean, altKey: boolean}} */ { shiftKey, altKey }) {
  return { kind: LETTERS[Number(shiftKey) + 2 * Number(altKey)], pits: from === to ? [from] : [from, to] };
}

/** These marks and one more, or without it if it was there. */
export function toggled(/** @type {Drawn[]} */ marks, /** @type {Drawn} */ mark) {
  const others = marks.filter(({ pits }) => pits.join("") !== mark.pits.join(""));
  const isSame = marks.some(({ kind, pits }) => kind === mark.kind && pits.join("") === mark.pits.join(""));
  return isSame ? others : [...others, mark];
}
