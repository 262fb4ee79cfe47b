// The review of a game, the graph of its values, and the questions made of its mistakes.

import { valueText, valueWords } from "./analysis.js";
import { along } from "./arrows.js";
import { Board } from "./board.js";
import { newButton } from "./notices.js";
import { byId, element, showText, svg } from "./page.js";
import { sideOf } from "./rules.js";
import { number, short, words } from "./words.js";

/** @import { Review, ReviewedMove } from "./types" */

/** How moves are judged, from good to bad, and the signs for it. */
const SIGNS = { best: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @typedef {keyof typeof SIGNS} Kind */

/** @returns {Kind} */
export function kindOf(/** @type {ReviewedMove} */ { loss, mark }) {
  if (loss <= 0) return "best";
  if (mark.startsWith("throws")) return "blunder";
  return mark === "good" ? "inaccuracy" : "mistake";
}

/** What a move gave away, short: for the list of moves. */
export function lossText(/** @type {ReviewedMove | undefined} */ move) {
  if (!move || move.loss <= 0) return "";
  return `−${number(move.loss, move.proven ? 0 : 1)}${SIGNS[kindOf(move)]}`;
}

const signOf = (/** @type {Kind} */ kind) => element("b", { class: `sign ${kind}` }, SIGNS[kind]);

/** The table of a review: what each side gave away, and how well it played. */
export function drawReport(/** @type {HTMLElement} */ place, /** @type {Review} */ review, /** @type {import("./types").Players} */ players) {
  const { content } = /** @type {HTMLTemplateElement} */ (byId("report-table"));
  const report = /** @type {DocumentFragment} */ (content.cloneNode(true));
  for (const side of /** @type {const} */ (["S", "N"])) showText(/** @type {Element} */ (report.querySelector(`th.${side}`)), players[side].name);
  const seeds = (/** @type {number} */ lost) => (number(lost, Number.isInteger(lost) ? 0 : 1));
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (report.querySelectorAll("tbody tr"))) {
    const figure = /** @type {keyof import("./types").ReviewedSide} */ (row.dataset.figure);
    const text = (/** @type {number} */ value) => (figure === "accuracy" ? `${number(value)} %` : seeds(value));
    row.append(...[review.south, review.north].map((side) => element("td", {}, text(side[figure]))));
  }
  const rows = /** @type {Kind[]} */ (Object.keys(SIGNS)).map((kind) => {
    const count = (/** @type {string} */ side) => review.moves.filter((move) => move.side === side && kindOf(move) === kind).length;
    const name = element("th", { scope: "row" }, signOf(kind), `${words.marks[kind]} `, element("span", { class: "quiet" }, words.markMeanings[kind]));
    return element("tr", { "data-kind": kind }, name, ...["S", "N"].map((side) => element("td", {}, number(count(side)))));
  });
  report.querySelector("tbody")?.append(...rows);
  place.replaceChildren(report, element("p", {}, sourceWords(review)));
}

/**
 * A card for each key moment: what was given away and why, and the board before with the best move.
 * @param {HTMLElement} place
 * @param {Review | null} review
 * @param {{isFlipped: boolean, position: (board: string) => Promise<import("./types").Position>, open: (ply: number) => void}} options
 */
export function drawMoments(place, review, { isFlipped, position, open }) {
  const cards = (review?.moments ?? []).map((ply) => {
    const move = /** @type {Review} */ (review).moves[ply - 1];
    const frame = element("div", { class: "small" });
    const small = Board.small(frame);
    small.isFlipped = isFlipped;
    const draw = (/** @type {import("./types").Position} */ before) => {
      small.show(before);
      for (const [letter, kind] of [[move.move, "played"], [move.best[0], "best"]]) {
        small.setArrows(kind, along(before.moves.find((legal) => legal.move === letter), kind));
      }
    };
    // Without a connection a card has no picture.
    position(move.board).then(draw, () => {});
    const kind = kindOf(move);
    const title = element("b", {}, signOf(kind), words.moment(ply, move.side, move.move, words.marks[kind]));
    const loss = words.lossOf(Math.round(move.loss), move.proven);
    const key = element("span", { class: "quiet key" }, element("i", { class: "played" }), words.played(move.move), element("i", { class: "best" }), words.better(move.best));
    return element("li", {}, newButton(() => open(ply), { class: "moment" }, title, element("span", { class: "quiet" }, loss), frame, key, whyWords(move)));
  });
  place.hidden = cards.length === 0;
  place.querySelector("ol")?.replaceChildren(...cards);
}

/** Why a move gave seeds away, in the page's language if the server knows it. */
export function whyWords(/** @type {{why?: ReviewedMove["why"]}} */ { why }) {
  return why?.[/** @type {"de"} */ (words.language)] ?? why?.text ?? "";
}

function sourceWords(/** @type {Review} */ { moments, moves }) {
  const exact = moves.filter(({ proven }) => proven).length;
  const source = exact === moves.length ? words.valuesProven : exact ? words.valuesMixed(exact, moves.length) : words.valuesEstimated;
  return moments.length ? source : `${words.noLoss} ${source}`;
}

/** Those moves of a side that gave seeds away, the questions to learn from. */
export function mistakes(/** @type {Review} */ review, /** @type {import("./types").Side | null} */ side) {
  return review.moves.filter((move) => move.loss >= (move.proven ? 1 : 1.5) && (!side || move.side === side));
}

/**
 * The value of the game, position by position: `values[i]` is for South after i plies.
 * @param {SVGSVGElement} graph
 * @param {({value: number, proven: boolean} | null)[]} found
 * @param {{now: number, seeds: number, faults: number[], told: string}} marks plies of mistakes, and what is said of the move that is shown
 */
export function drawGraph(graph, found, { now, seeds, faults, told }) {
  const values = found.map((known) => known?.value ?? null);
  const known = values.filter((value) => value !== null);
  graph.toggleAttribute("hidden", known.length < 2);
  if (known.length < 2) return;
  const [width, height] = [400, 100];
  const most = Math.max(6, Math.min(seeds, Math.max(...known.map(Math.abs)) * 1.15));
  const x = (/** @type {number} */ ply) => (width * ply) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ value) => height / 2 - (value / most) * (height / 2 - 3);
  const points = /** @type {[number, number][]} */ ([]);
  for (const [ply, value] of values.entries()) if (value !== null) points.push([x(ply), y(value)]);
  const path = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
  const area = `${path}L${points[points.length - 1][0].toFixed(1)} ${height / 2}L${points[0][0].toFixed(1)} ${height / 2}Z`;
  for (const half of graph.querySelectorAll(".above, .below")) half.setAttribute("d", area);
  graph.querySelector(".curve")?.setAttribute("d", path);
  for (const end of ["x1", "x2"]) graph.querySelector(".now")?.setAttribute(end, String(x(now)));
  graph.querySelector(".faults")?.replaceChildren(
    ...faults.flatMap((ply) => {
      const value = values[ply];
      return value === null || value === undefined ? [] : [svg("path", { class: "fault", d: `M${x(ply)} ${y(value)}h0`, "vector-effect": "non-scaling-stroke" })];
    }),
  );
  const here = found[now];
  const text = words.valueAt(now, [here ? valueWords(here.value, here.proven) : words.noValue, told].filter(Boolean).join(", "));
  for (const [name, value] of Object.entries({ valuemax: values.length - 1, valuenow: now, valuetext: text })) {
    graph.setAttribute(`aria-${name}`, String(value));
  }
}

/** The line below the title of the analysis. */
export function statsText(/** @type {import("./analysis.js").Findings} */ findings, /** @type {boolean} */ isRunning) {
  if (findings.isProven) return words.allProven;
  const proven = findings.ranked.filter((value) => value.proven).length;
  const parts = [words.depth(findings.depth), words.nodes(short(findings.nodes))];
  if (isRunning && findings.nps) parts.push(words.perSecond(short(findings.nps)));
  if (findings.tbhits) parts.push(words.tableHits(short(findings.tbhits)));
  if (proven) parts.push(words.proven(proven, findings.position.moves.length));
  return parts.join(" · ");
}

/** The lines shown, and the board that they begin from. */
let lines = /** @type {import("./types").MoveValue[]} */ ([]);
let start = "";

/**
 * Lets the moves of the lines be opened and looked at.
 * @param {{open: (board: string, moves: string[]) => void, preview: (board: string, moves: string[] | null) => void}} options
 */
export function prepareLines({ open, preview }) {
  const list = byId("lines");
  /** The moves of a line up to that of a button. */
  const upTo = (/** @type {Event} */ { target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    const line = lines[[...list.children].findIndex((item) => item.contains(button))];
    return button && line ? line.pv.slice(0, [...(button.parentElement?.children ?? [])].indexOf(button) + 1) : null;
  };
  list.addEventListener("click", (event) => {
    const moves = upTo(event);
    if (moves) open(start, moves);
  });
  list.addEventListener("pointerover", (event) => event.pointerType === "mouse" && preview(start, upTo(event)));
  list.addEventListener("pointerleave", () => preview(start, null));
  list.addEventListener("focusin", (event) => preview(start, upTo(event)));
  list.addEventListener("focusout", () => preview(start, null));
}

/** The best lines from a board. */
export function drawLines(/** @type {import("./types").MoveValue[]} */ best, /** @type {string} */ board) {
  const list = byId("lines");
  // A pressed button stays what it is until it is let go.
  if (list.querySelector("button:active")) return;
  [lines, start] = [best, board];
  fit(list, lines.length, () => element("li", {}, element("span", { class: "score" }), element("span", { class: "pv" })));
  for (const [i, { value, proven, bound, pv, depth }] of lines.entries()) {
    const [score, moves] = /** @type {HTMLElement[]} */ ([...list.children[i].children]);
    score.textContent = valueText({ value, proven, bound }, " ✓");
    score.title = `${valueWords(value, proven)}, ${words.depth(depth)}`;
    const shown = pv.slice(0, 30);
    fit(moves, shown.length, () => element("button", { type: "button" }));
    for (const [j, move] of shown.entries()) {
      const button = moves.children[j];
      if (button.textContent !== move) button.textContent = move;
      button.className = sideOf(move);
    }
  }
}

/** Gives an element so many children; those that it has stay what they are, with focus and pointer. */
function fit(/** @type {Element} */ place, /** @type {number} */ count, /** @type {() => Element} */ make) {
  while (place.children.length > count) place.lastElementChild?.remove();
  while (place.children.length < count) place.append(make());
}
