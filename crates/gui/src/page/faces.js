// The computer's five faces: from a seed to a tree, each with its level.

import { svg } from "./page.js";
import { shaded } from "./seeds.js";

/** @type {{name: string, level: number}[]} */
export const FACES = [
  { name: "Pip", level: 0 },
  { name: "Sprout", level: 4 },
  { name: "Hazel", level: 8 },
  { name: "Rowan", level: 13 },
  { name: "Oak", level: 20 },
];

/** What grows on each head, by class and path. @type {[string, string][][]} */
const TOPS = [
  [["leaf", "M24 9C24 3 28 1 33 2c0 5-4 8-9 7z"]],
  [["leaf", "M24 9C24 2 29-1 35 1c0 6-5 9-11 8zM24 9c0-6-4-8-10-7 0 5 4 8 10 7z"]],
  [["leaf", "M4 22C4 8 14 4 24 4s20 4 20 18c-3-4-5-5-7-6-2 3-4 3-6 1-2 3-5 3-7 0-2 3-5 3-7 0-2 2-4 2-6-1-2 1-4 2-7 6z"]],
  [["leaf", "M24 0c8 0 9 5 13 6s8 4 5 9c-6 5-30 5-36 0-3-5 1-8 5-9s5-6 13-6z"], ["berry", "M14 9a3 3 0 1 0 .1 0zM33 8a3 3 0 1 0 .1 0zM24 4a3 3 0 1 0 .1 0z"]],
  [["cap", "M3 19C5 7 14 3 22 3l1-3h3v3c8 0 17 4 19 16-6 4-36 4-42 0z"], ["line", "M10 15h28M15 9h18"]],
];
const EYES = [[4, 1.2], [3.4, 1.1], [3, 1], [2.6, 0.9], [2.4, 0.8]];
/** @type {[string, string][][]} */
const MOUTHS = [
  [["mouth", "M17 31q7 10 14 0z"]],
  [["line", "M17 32q7 6 14 0"]],
  [["line", "M18 33q7 4 12-2"]],
  [["line", "M18 33q6 3 12 0M12 20l7 1.500M36 20l-7 1.500"]],
  [["line", "M19 34h10M11 22l8-1M37 22l-8-1"]],
];

/** The face of a level, if it has one. */
export const faceOf = (/** @type {number} */ level) => FACES.findIndex((face) => face.level === level);

/** Who plays by this name in the text of a game, if it is a face. */
export const faceNamed = (/** @type {string} */ tag) => FACES.find(({ level }) => tag === (level < 20 ? `Kalah, level ${level}` : "Kalah"))?.name ?? tag;

/** The picture of a face. */
export function drawFace(/** @type {number} */ which) {
  const [radius, spark] = EYES[which];
  const paths = (/** @type {[string, string][]} */ shapes) => shapes.map(([name, d]) => svg("path", { class: name, d }));
  const eye = (/** @type {number} */ cx) => [
    svg("circle", { class: "eye", cx, cy: 26, r: radius }),
    svg("circle", { class: "spark", cx: cx + radius / 3, cy: 26 - radius / 3, r: spark }),
  ];
  return svg("svg", { class: `face f${which}`, viewBox: "0 -3 48 50", "aria-hidden": "true" }, svg("circle", { ...shaded([2, 0, 4, 1, 3][which]), cx: 24, cy: 26, r: 19 }), ...paths(MOUTHS[which]), ...eye(16), ...eye(32), ...paths(TOPS[which]));
}
