// The review of a game, the graph of its values, and the questions made of its mistakes.

import { seedsText, valueWords } from "./analysis.js";
import { plural, svg } from "./board.js";
import { byId, element } from "./page.js";
import { sideName } from "./rules.js";

/** @typedef {import("./game.js").Node} Node */
/** @typedef {import("./types").Review} Review */
/** @typedef {import("./types").ReviewedMove} ReviewedMove */

/** What a move gave away, short: for the list of moves. */
export function lossText(/** @type {ReviewedMove | undefined} */ move) {
  if (!move || move.loss <= 0) return "";
  const seeds = move.proven ? String(move.loss) : move.loss.toFixed(1);
  return move.mark === "throws the win away" ? `−${seeds}??` : `−${seeds}`;
}

/** The table of a review: what each side gave away, and how well it played. */
export function drawReport(/** @type {HTMLElement} */ place, /** @type {Review} */ review) {
  const cell = (/** @type {string} */ text, name = "td") => element(/** @type {"td"} */ (name), {}, text);
  const row = (/** @type {string} */ name, /** @type {(side: import("./types").ReviewedSide) => string} */ value) =>
    element("tr", {}, element("th", { scope: "row" }, name), cell(value(review.south)), cell(value(review.north)));
  const seeds = (/** @type {number} */ lost) => (Number.isInteger(lost) ? String(lost) : lost.toFixed(1));
  place.replaceChildren(
    element(
      "table", {},
      element("thead", {}, element("tr", {}, cell(""), element("th", { scope: "col", class: "S" }, "South"), element("th", { scope: "col", class: "N" }, "North"))),
      element(
        "tbody", {},
        row("Accuracy", ({ accuracy }) => `${Math.round(accuracy)} %`),
        row("Seeds given away", ({ lost }) => seeds(lost)),
        row("in the opening", ({ opening }) => seeds(opening)),
        row("in the middle", ({ middle }) => seeds(middle)),
        row("in the ending", ({ ending }) => seeds(ending)),
      ),
    ),
    element("p", {}, sharpestWords(review)),
  );
}

function sharpestWords(/** @type {Review} */ { sharpest, moves }) {
  const move = sharpest === null ? undefined : moves[sharpest - 1];
  const isProven = moves.every(({ proven }) => proven);
  const source = isProven ? "All values are proven." : "Some values are estimates.";
  if (!move) return `Nobody gave a seed away. ${source}`;
  return `The sharpest moment: ${sideName(move.side)}'s ${move.move}, ply ${sharpest}. ${source}`;
}

/** Those moves of a side that gave seeds away, the questions to learn from. */
export function mistakes(/** @type {Review} */ review, /** @type {import("./types").Side | null} */ side) {
  return review.moves.filter((move) => move.loss >= (move.proven ? 1 : 1.5) && (!side || move.side === side));
}

/** The sentence about a mistake. */
export function mistakeWords(/** @type {ReviewedMove} */ move) {
  return `${sideName(move.side)} played ${move.move} here, which gave away ${plural(Math.round(move.loss))}. Find a better move.`;
}

/**
 * The value of the game, position by position: `values[i]` is for South after i plies.
 * @param {SVGSVGElement} graph
 * @param {(number | null)[]} values
 * @param {{now: number, seeds: number, faults: number[]}} marks
 */
export function drawGraph(graph, values, { now, seeds, faults }) {
  const known = values.filter((value) => value !== null);
  graph.toggleAttribute("hidden", known.length < 2);
  if (known.length < 2) return;
  const [width, height] = [400, 100];
  const most = Math.max(6, Math.min(seeds, Math.max(...known.map(Math.abs)) * 1.15));
  const x = (/** @type {number} */ ply) => (width * ply) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ value) => height / 2 - (value / most) * (height / 2 - 3);
  /** @type {[number, number][]} */
  const points = [];
  for (const [ply, value] of values.entries()) if (value !== null) points.push([x(ply), y(value)]);
  const path = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const area = `${path}L${points[points.length - 1][0].toFixed(1)} ${height / 2}L${points[0][0].toFixed(1)} ${height / 2}Z`;
  const half = (/** @type {string} */ name, /** @type {number} */ top) =>
    svg("clipPath", { id: `half-${name}` }, svg("rect", { x: 0, y: top, width, height: height / 2 }));
  graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
  graph.setAttribute("preserveAspectRatio", "none");
  graph.replaceChildren(
    svg("defs", {}, half("above", 0), half("below", height / 2)),
    svg("path", { class: "above", d: area, "clip-path": "url(#half-above)" }),
    svg("path", { class: "below", d: area, "clip-path": "url(#half-below)" }),
    svg("line", { class: "axis", x1: 0, x2: width, y1: height / 2, y2: height / 2, "vector-effect": "non-scaling-stroke" }),
    svg("path", { class: "curve", d: path, "vector-effect": "non-scaling-stroke" }),
    ...faults.flatMap((ply) => {
      const value = values[ply];
      return value === null || value === undefined ? [] : [svg("circle", { class: "fault", cx: x(ply), cy: y(value), r: 3 })];
    }),
    svg("line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: height, "vector-effect": "non-scaling-stroke" }),
  );
  const last = known[known.length - 1];
  graph.setAttribute("aria-label", `Value of the game move by move; at its end: ${last === undefined ? "" : valueWords(last, true)}`);
}

/** The line below the title of the analysis. */
export function statsText(/** @type {import("./analysis.js").Findings} */ findings, /** @type {boolean} */ isRunning) {
  if (findings.isProven) return "Every move is proven.";
  const proven = [...findings.values.values()].filter((value) => value.proven).length;
  const parts = [`depth ${findings.depth}`, `${short(findings.nodes)} nodes`];
  if (isRunning && findings.nps) parts.push(`${short(findings.nps)} a second`);
  if (findings.tbhits) parts.push(`${short(findings.tbhits)} table hits`);
  if (proven) parts.push(`${proven} of ${findings.position.moves.length} moves proven`);
  return parts.join(" · ");
}

/** A large number, short: `1.2 M`. */
function short(/** @type {number} */ number) {
  for (const [unit, size] of /** @type {const} */ ([["G", 1e9], ["M", 1e6], ["k", 1e3]])) {
    if (number >= size) return `${(number / size).toFixed(number >= 100 * size ? 0 : 1)} ${unit}`;
  }
  return String(number);
}

/**
 * The best lines, whose moves can be opened and looked at.
 * @param {import("./types").MoveValue[]} lines
 * @param {{open: (moves: string[]) => void, preview: (moves: string[] | null) => void}} options
 */
export function drawLines(lines, { open, preview }) {
  const list = byId("lines");
  list.replaceChildren(
    ...lines.map(({ value, proven, bound, pv, depth }) => {
      const sign = bound === "lower" ? "≥" : bound === "upper" ? "≤" : "";
      const score = element("span", { class: "score", title: `${valueWords(value, proven)}, depth ${depth}` }, `${sign}${seedsText(value, proven)}${proven ? " ✓" : ""}`);
      const moves = element("span", { class: "pv" });
      for (const [i, move] of pv.slice(0, 30).entries()) {
        const button = element("button", { type: "button", class: move === move.toUpperCase() ? "S" : "N" }, move);
        const upTo = pv.slice(0, i + 1);
        button.onclick = () => open(upTo);
        button.onpointerenter = button.onfocus = () => preview(upTo);
        button.onpointerleave = button.onblur = () => preview(null);
        moves.append(button);
      }
      return element("li", {}, score, moves);
    }),
  );
}
