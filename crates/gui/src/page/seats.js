// The seats: who plays, with names that persons enter at them, clocks, and the computer's five faces, from a seed to a tree.

import { byId, dialog, input, keep, loadFields, showText, svg } from "./page.js";
import { sideTag } from "./rules.js";
import { shaded } from "./seeds.js";
import { number, playerName, sides, words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Side, Seat } from "./types" */

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

const NAMES = "kalah-names";

/** The names that were entered: of a person who plays an engine, and of two who share a board. */
const stored = () => loadFields(NAMES, { you: "", S: "", N: "" });

/** The name of whoever uses this page, if they have entered it. */
export const ownName = () => stored().you;

/** Gives persons without a name the one that they had last. @returns {Record<Side, Seat>} */
export function withNames(/** @type {Record<Side, Seat>} */ seats) {
  const names = stored();
  const areTwo = seats.S.kind === "person" && seats.N.kind === "person";
  const named = (/** @type {Side} */ side) => {
    const seat = seats[side];
    return seat.kind === "person" ? { name: areTwo ? names[side] : names.you, ...seat } : seat;
  };
  return { S: named("S"), N: named("N") };
}

/** Who plays, as the page says it: the seats of a game that is played here, or the names in its text. @returns {import("./types").Players} */
export function playersOf(/** @type {App} */ { match, game, lesson }) {
  const player = (/** @type {Side} */ side) => {
    const seat = match?.seats[side];
    const tag = match ? match.seatName(side) : game.tags[sideTag(side)];
    const isYou = match ? match.onlyPerson === side : tag === "You";
    const name = !tag || tag === sideTag(side) ? words.sides[side] : (faceOf(seat)?.name ?? playerName(tag.replace(/, level \d+$/, "")));
    return { name, isYou };
  };
  return lesson ? sides() : { S: player("S"), N: player("N") };
}

/** The places of the players, and who sits there. @returns {[HTMLElement, Side][]} */
function seatsOf(/** @type {App} */ { board }) {
  const [below, above] = board.isFlipped ? ["seat-above", "seat-below"] : ["seat-below", "seat-above"];
  return [[byId(below), "S"], [byId(above), "N"]];
}

/** Draws who plays, whose turn it is, and what an engine does. */
export function drawSeats(/** @type {App} */ app, /** @type {import("./types").Position} */ { result, turn }) {
  const { match, node, game, lesson } = app;
  for (const [seat, side] of seatsOf(app)) {
    const isTurn = result === null && turn === side;
    seat.className = `seat ${side === "S" ? "south" : "north"}${isTurn ? " turn" : ""}`;
    const place = /** @type {HTMLButtonElement} */ (seat.querySelector(".name"));
    const tag = game.tags[sideTag(side)] ?? sideTag(side);
    const face = lesson ? null : faceIn(app, side);
    const isNamed = !lesson && tag !== sideTag(side);
    showText(place, !isNamed || face ? app.players[side].name : match ? playerName(tag) : `${playerName(tag)} (${words.sides[side]})`);
    // That of a person can be changed.
    place.disabled = lesson !== null || !match?.isPerson(side);
    seat.querySelector(".face")?.remove();
    if (face) place.before(face);
    const player = match?.isLive && !lesson ? match.seats[side] : null;
    const isThinking = player?.kind === "engine" && isTurn && node === game.root.end;
    const doing = match?.isSilent ? words.doesNotAnswer : words.isThinking;
    /** @type {HTMLElement} */ (seat.querySelector(".thinking")).textContent = player?.kind === "remote" ? words.presence[player.presence] : isThinking ? doing : "";
  }
  drawClocks(app);
}

export function drawClocks(/** @type {App} */ app) {
  for (const [seat, side] of seatsOf(app)) {
    const left = app.lesson ? null : (app.match?.timeLeft(side) ?? null);
    /** @type {HTMLElement} */ (seat.querySelector(".clock")).textContent = left === null ? "" : clockText(left);
  }
}

function clockText(/** @type {number} */ milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return number(seconds, 1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The face of the engine that plays a side, if it has one. */
export function faceIn(/** @type {App} */ app, /** @type {Side} */ side) {
  const face = faceOf(app.match?.seats[side]);
  return face ? drawFace(face) : null;
}

/** Lets the name of a person be changed by a click on it. */
export function prepareNames(/** @type {App} */ app) {
  const box = dialog("name-dialog");
  const field = input("name");
  let side = /** @type {Side} */ ("S");
  for (const [place] of seatsOf(app)) {
    /** @type {HTMLButtonElement} */ (place.querySelector(".name")).onclick = () => {
      side = seatsOf(app).find(([seat]) => seat === place)?.[1] ?? "S";
      const seat = app.match?.seats[side];
      if (seat?.kind !== "person") return;
      field.value = seat.name ?? "";
      box.showModal();
      field.select();
    };
  }
  byId("name-form").onsubmit = () => {
    const { match } = app;
    const seat = match?.seats[side];
    if (!match || seat?.kind !== "person") return;
    seat.name = field.value.trim();
    keep(NAMES, JSON.stringify({ ...stored(), [match.onlyPerson ? "you" : side]: seat.name }));
    app.nameSeats();
    if (match.isShared) app.room.enter();
    app.update();
  };
}
