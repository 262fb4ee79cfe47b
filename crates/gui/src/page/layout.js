// Where the houses and stores of a board lie in a frame of any shape: one function from a pit to its place.

import { isHouse, letters, sideOf } from "./rules.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** A pit: what a finger hits, its hole, the room for its seeds, and the middles of its labels.
 * @typedef {{touch: Box, hole: Box, seeds: Box, count: [number, number], value: [number, number]}} Place */
/** The size of the picture, its panel, and the place of each pit; `key` differs for layouts that differ.
 * @typedef {{width: number, height: number, isUpright: boolean, isDense: boolean, key: string, panel: Box, place: (pit: string) => Place}} Layout */

const CELL = 100;
const EDGE = 14;
const GAP = 8;
/** Stores at the ends of a lying board, and at the ends of an upright one. */
const STORE = { wide: 108, upright: 84 };
/** Room for labels above and below the rows or beside the columns, and below this many pixels a house, for larger ones. */
const LABEL = { wide: 62, upright: 74, dense: 88 };
const DENSE = 56;
/** How much longer than wide a house may be, towards the free space. */
const MOST = { wide: 1.6, upright: 2.3 };

const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) => Math.max(least, Math.min(most, value));

const lengthOf = (/** @type {number} */ houses, cell = CELL, store = STORE.wide) => 2 * EDGE + 2 * store + houses * cell;
const depthOf = (/** @type {number} */ deep, label = LABEL.wide) => 2 * (deep + label) + GAP + 2 * EDGE;

/** The shape of the frame that a lying board fills: its width by its height. */
export function ratioOf(/** @type {number} */ houses) {
  return Math.max(1, lengthOf(houses) / depthOf(CELL * MOST.wide));
}

/**
 * A frame that is taller than wide, or gives larger houses so, has an upright board: the own store below, the own houses on the side of the thumb.
 * One that was upright stays so while its houses are not much smaller.
 * @param {{houses: number, width: number, height: number, isFlipped?: boolean, isOnRight?: boolean, wasUpright?: boolean}} frame in pixels
 * @returns {Layout}
 */
export function layoutOf({ houses, width, height, isFlipped = false, isOnRight = false, wasUpright = false }) {
  const scale = (/** @type {number} */ w, /** @type {number} */ h, /** @type {"wide" | "upright"} */ shape) => Math.min(w / lengthOf(houses, CELL, STORE[shape]), h / depthOf(CELL, LABEL[shape]));
  const gain = scale(height, width, "upright") / scale(width, height, "wide");
  const isUpright = height > 1.15 * width || gain > (wasUpright ? 0.65 : 1.1);
  const kind = isUpright ? "upright" : "wide";
  const store = STORE[kind];
  const [along, across] = isUpright ? [height, width] : [width, height];
  const isDense = scale(along, across, kind) * CELL < DENSE;
  const label = isDense ? LABEL.dense : LABEL[kind];
  const free = (across / along) * lengthOf(houses, CELL, store);
  const deep = within((free - depthOf(0, label)) / 2, CELL, CELL * MOST[kind]);
  // A few houses of an upright board grow along it, too.
  const spare = ((along / across) * depthOf(deep, label) - lengthOf(houses, 0, store)) / houses;
  const cell = isUpright ? within(spare, CELL, 1.5 * CELL) : CELL;
  const [long, side] = [lengthOf(houses, cell, store), depthOf(deep, label)];

  /** A box of the lying board, turned if the board stands. */
  const turned = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) =>
    isUpright ? { x: isOnRight ? y : side - y - h, y: x, width: h, height: w } : { x, y, width: w, height: h };
  const inset = (/** @type {Box} */ { x, y, width: w, height: h }, /** @type {number} */ dx, dy = dx) => ({ x: x + dx, y: y + dy, width: w - 2 * dx, height: h - 2 * dy });
  const middle = (/** @type {Box} */ { x, y, width: w, height: h }) => /** @type {[number, number]} */ ([x + w / 2, y + h / 2]);

  /** @returns {Place} */
  const place = (/** @type {string} */ pit) => {
    const isStore = !isHouse(pit);
    const isBelow = (isStore ? pit === "+" : sideOf(pit) === "S") !== isFlipped;
    if (isStore) {
      const box = turned(isBelow ? long - EDGE - store : EDGE, label + EDGE, store, 2 * deep + GAP);
      const { x, y } = box;
      const seeds = isUpright
        ? { x: x + 84, y: y + 12, width: box.width - 108, height: box.height - 24 }
        : { x: x + 14, y: y + 46, width: box.width - 28, height: box.height - 60 };
      const count = /** @type {[number, number]} */ (isUpright ? [x + 48, y + box.height / 2] : [x + box.width / 2, y + 36]);
      return { touch: box, hole: inset(box, isUpright ? 6 : 8, 6), seeds, count, value: count };
    }
    const i = letters(sideOf(pit), houses).indexOf(pit);
    const x = EDGE + store + (isBelow ? i : houses - 1 - i) * cell;
    const y = EDGE + label + (isBelow ? deep + GAP : 0);
    const box = turned(x, y, cell, deep);
    // The labels stand outside the row: count, then letter and value.
    const outside = turned(x, isBelow ? y + deep + EDGE : 0, cell, label);
    const [cx, cy] = middle(outside);
    const out = isBelow ? label : -label;
    return {
      touch: turned(x, isBelow ? y : y - label, cell, deep + label),
      hole: inset(box, 6),
      seeds: inset(box, 10),
      count: isUpright ? [cx, cy] : [cx, cy - out * 0.19],
      value: isUpright ? [cx, cy + label * 0.45] : [cx, cy + out * 0.25],
    };
  };
  return {
    width: isUpright ? side : long,
    height: isUpright ? long : side,
    isUpright,
    isDense,
    key: [houses, isUpright, isDense, isFlipped, isOnRight, deep.toFixed(), cell.toFixed()].join(),
    panel: turned(2, label, long - 4, side - 2 * label),
    place,
  };
}
