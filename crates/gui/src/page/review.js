// The review of a game, the graph of its values, and the questions made of its mistakes.

import { valueWords } from "./analysis.js";
import { along } from "./arrows.js";
import { Board } from "./board.js";
import { newButton } from "./notices.js";
import { byId, element, showText, svg } from "./page.js";
import { number, words } from "./words.js";

/** @import { App } from "./app.js" */
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

/** A card for each key moment: what was given away and why, and the board before with the best move. */
export function drawMoments(/** @type {App} */ { review, rules, game, board: { isFlipped } }, /** @type {(ply: number) => void} */ open) {
  const place = byId("moments");
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
    rules.position(game.capture, move.board).then(draw, () => {});
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

/** The moves of the main line with their reviews, as far as it is the line that was reviewed. */
export function reviewed(/** @type {App} */ { game, review }) {
  const found = /** @type {Map<import("./game.js").Node, ReviewedMove>} */ (new Map());
  for (const [i, node] of game.main.entries()) {
    const move = review?.moves[i];
    if (move?.move !== node.move || move.board !== node.parent?.board) break;
    found.set(node, move);
  }
  return found;
}

/** The value of the game for South, position by position. */
export function drawGraph(/** @type {App} */ app, /** @type {boolean} */ isHidden) {
  const { game, review, analysis, match, node, position } = app;
  const main = [game.root, ...game.main];
  const moves = reviewed(app);
  const isProven = review?.moves.at(-1)?.proven ?? false;
  const values = main.map((at, i) => {
    if (isHidden || match?.isLive) return null;
    const [before, after] = [moves.get(at), moves.get(main[i + 1])];
    if (after) return { value: after.value, proven: after.proven };
    if (before) return { value: i === review?.moves.length ? review.final : before.after, proven: isProven };
    return analysis.findings(game.capture, at.board)?.best ?? null;
  });
  const known = values.flatMap((found, ply) => (found ? [{ ply, value: found.value }] : []));
  const graph = byId("graph");
  graph.toggleAttribute("hidden", known.length < 2);
  if (known.length < 2) return;
  const [width, height] = [400, 100];
  const seeds = position.seeds + position.stores[0] + position.stores[1];
  const most = Math.max(6, Math.min(seeds, Math.max(...known.map(({ value }) => Math.abs(value))) * 1.15));
  const x = (/** @type {number} */ ply) => (width * ply) / (values.length - 1);
  const y = (/** @type {number} */ value) => height / 2 - (value / most) * (height / 2 - 3);
  const points = known.map(({ ply, value }) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
  const path = `M${points.join("L")}`;
  const area = `${path}V${height / 2}H${x(known[0].ply).toFixed(1)}Z`;
  for (const half of graph.querySelectorAll(".above, .below")) half.setAttribute("d", area);
  graph.querySelector(".curve")?.setAttribute("d", path);
  const faults = [...moves.values()].filter(({ loss }) => loss >= 4);
  graph.querySelector(".faults")?.replaceChildren(
    ...faults.map(({ ply }) => svg("path", { class: "fault", d: `M${x(ply)} ${y(values[ply]?.value ?? 0)}h0`, "vector-effect": "non-scaling-stroke" })),
  );
  // In a variation it is where that begins.
  const { line } = node;
  const now = Math.max(0, main.findLastIndex((at) => line.includes(at)));
  for (const end of ["x1", "x2"]) graph.querySelector(".now")?.setAttribute(end, String(x(now)));
  const [here, move] = [values[now], moves.get(node)];
  const told = move && move.loss > 0 ? words.marks[kindOf(move)] : "";
  const text = words.valueAt(now, [here ? valueWords(here.value, here.proven) : words.noValue, told].filter(Boolean).join(", "));
  for (const [name, value] of Object.entries({ valuemax: values.length - 1, valuenow: now, valuetext: text })) {
    graph.setAttribute(`aria-${name}`, String(value));
  }
}
