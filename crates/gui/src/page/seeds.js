// Seeds in a pit: each has a place and a shade that it keeps while it lies there.

import { svg } from "./page.js";

const RADIUS = 12.5;
/** No more seeds than this are drawn in a pit: a heap, of which the number tells how many. */
const MAX_DRAWN = 44;
const SHADES = 5;

/** The light on the seeds, which has to be in the same document as the boards. */
export const tones = () => svg("svg", { id: "tones", "aria-hidden": "true" }, ...Array.from({ length: SHADES }, (_, i) => {
  const tone = svg("radialGradient", { id: `tone${i}`, class: "tone", cx: 0.42, cy: 0.38, r: 0.62, fx: 0.34, fy: 0.28 }, ...[0, 0.45, 1].map((offset) => svg("stop", { offset })));
  tone.style.setProperty("--tone", `var(--seed${i})`);
  return tone;
}));

/** What a seed of a shade looks like. */
export const shaded = (/** @type {number} */ shade) => ({ class: "seed", fill: `url(#tone${shade})` });

/** Chance that is the same each time: a number from 0 to 1 for a key. */
function chance(/** @type {number} */ key) {
  const x = Math.sin(key * 127.1 + 311.7) * 43758.5453;
  return x - Math.floor(x);
}

/**
 * Places for the seeds of a pit around its middle, from there outwards and then in further layers: no seed moves when
 * another one comes or goes.
 */
export function placesIn(/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ key) {
  const [rx, ry] = [width / 2 - RADIUS, height / 2 - RADIUS];
  const places = /** @type {[number, number][]} */ ([]);
  for (let layer = 0; places.length < MAX_DRAWN; layer++) {
    const [reachX, reachY] = [rx - 5 * layer, ry - 5 * layer].map((reach) => Math.max(6, reach));
    const small = Math.min(reachX, reachY);
    const [coreX, coreY] = [reachX - small, reachY - small];
    const [turn, shiftX, shiftY] = [0, 1, 2].map((n) => chance(key + 0.37 * n + 7.3 * layer));
    const [cos, sin] = [Math.cos(turn * 3), Math.sin(turn * 3)];
    const found = [];
    const step = 2.14 * RADIUS;
    // Whatever lies further out on the net does not come into the pit, however it is moved.
    const most = Math.ceil((Math.hypot(reachX, reachY) + 6) / (0.87 * step));
    // Points of a net of triangles that lie in the pit, each moved a little.
    for (let j = -most; j <= most; j++) {
      for (let i = Math.ceil(-most - j / 2); i <= most - j / 2; i++) {
        const [u, v] = [(i + j / 2 + 0.6 * (shiftX - 0.5)) * step, (j + 0.6 * (shiftY - 0.5)) * step * 0.87];
        const wander = (/** @type {number} */ n) => 2.4 * (chance(key + i * 3.7 + j * 11.3 + layer + n) - 0.5);
        const [x, y] = [u * cos - v * sin + wander(0), u * sin + v * cos + wander(5)];
        const [outX, outY] = [Math.max(0, Math.abs(x) - coreX), Math.max(0, Math.abs(y) - coreY)];
        if (Math.hypot(outX, outY) <= small + 1.5) found.push(/** @type {[number, number]} */ ([x, y]));
      }
    }
    found.sort(([a, b], [c, d]) => Math.hypot(a / (rx + 40), b / (ry + 40)) - Math.hypot(c / (rx + 40), d / (ry + 40)));
    places.push(...(found.length ? found : [/** @type {[number, number]} */ ([0, 0])]));
  }
  return places.slice(0, MAX_DRAWN);
}

/** A new seed, of a shade that belongs to this key. */
export const seed = (/** @type {number} */ key) => svg("circle", { ...shaded(Math.floor(chance(key) * SHADES)), r: RADIUS });

/** Puts a seed at a place. */
export function put(/** @type {Element} */ circle, /** @type {readonly [number, number]} */ [x, y]) {
  circle.setAttribute("cx", x.toFixed(1));
  circle.setAttribute("cy", y.toFixed(1));
}

export const placeOf = (/** @type {Element} */ circle) => /** @type {const} */ ([Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))]);

/** Lets so many seeds lie in a group: those that are there stay what they are. */
export function fill(/** @type {Element} */ group, /** @type {number} */ count, /** @type {[number, number][]} */ places, /** @type {number} */ key) {
  const drawn = Math.min(count, places.length);
  while (group.childElementCount > drawn) group.lastElementChild?.remove();
  for (let i = group.childElementCount; i < drawn; i++) {
    const added = seed(key + 1.7 * i);
    put(added, places[i]);
    group.append(added);
  }
}
