// The computer's five faces: from a seed to a tree, each with its level.

import { svg } from "./page.js";
import { shaded } from "./seeds.js";

/** @import { Seat } from "./types" */

/** The shade of a head, the radii of its eyes and of the sparks in them, and the class and path of all else: mouth, brows, what grows on it.
 * @typedef {{name: string, level: number, shade: number, eye: number, spark: number, shapes: [string, string][]}} Face */

/** @type {Face[]} */
export const FACES = [
  { name: "Pip", level: 0, shade: 2, eye: 4, spark: 1.2,
    shapes: [["mouth", "M17 31q7 10 14 0z"], ["leaf", "M24 9C24 3 28 1 33 2c0 5-4 8-9 7z"]] },
  { name: "Sprout", level: 4, shade: 0, eye: 3.4, spark: 1.1,
    shapes: [["line", "M17 32q7 6 14 0"], ["leaf", "M24 9C24 2 29-1 35 1c0 6-5 9-11 8zM24 9c0-6-4-8-10-7 0 5 4 8 10 7z"]] },
  { name: "Hazel", level: 8, shade: 4, eye: 3, spark: 1,
    shapes: [["line", "M18 33q7 4 12-2"], ["leaf", "M4 22C4 8 14 4 24 4s20 4 20 18c-3-4-5-5-7-6-2 3-4 3-6 1-2 3-5 3-7 0-2 3-5 3-7 0-2 2-4 2-6-1-2 1-4 2-7 6z"]] },
  { name: "Rowan", level: 13, shade: 1, eye: 2.6, spark: 0.9,
    shapes: [["line", "M18 33q6 3 12 0M12 20l7 1.500M36 20l-7 1.500"], ["leaf", "M24 0c8 0 9 5 13 6s8 4 5 9c-6 5-30 5-36 0-3-5 1-8 5-9s5-6 13-6z"], ["berry", "M14 9a3 3 0 1 0 .1 0zM33 8a3 3 0 1 0 .1 0zM24 4a3 3 0 1 0 .1 0z"]] },
  { name: "Oak", level: 20, shade: 3, eye: 2.4, spark: 0.8,
    shapes: [["line", "M19 34h10M11 22l8-1M37 22l-8-1"], ["cap", "M3 19C5 7 14 3 22 3l1-3h3v3c8 0 17 4 19 16-6 4-36 4-42 0z"], ["line", "M10 15h28M15 9h18"]] },
];

/** The face of our engine at its level, if it has one. */
export const faceOf = (/** @type {Seat | undefined} */ seat) =>
  FACES.find(({ level }) => seat?.kind === "engine" && seat.engine === 0 && seat.level === level);

/** Who plays by this name in the text of a game, if it is a face. */
export const faceNamed = (/** @type {string} */ tag) => FACES.find(({ level }) => tag === (level < 20 ? `Kalah, level ${level}` : "Kalah"))?.name ?? tag;

/** The picture of a face. */
export function drawFace(/** @type {Face} */ { name, shade, eye, spark, shapes }) {
  const eyes = [16, 32].flatMap((cx) => [
    svg("circle", { class: "eye", cx, cy: 26, r: eye }),
    svg("circle", { class: "spark", cx: cx + eye / 3, cy: 26 - eye / 3, r: spark }),
  ]);
  const paths = shapes.map(([kind, d]) => svg("path", { class: kind, d }));
  return svg("svg", { class: `face ${name}`, viewBox: "0 -3 48 50", "aria-hidden": "true" }, svg("circle", { ...shaded(shade), cx: 24, cy: 26, r: 19 }), ...eyes, ...paths);
}
