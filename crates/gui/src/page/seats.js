// The seats: who plays, with faces, names that persons enter at them, and clocks.

import { drawFace, faceOf } from "./faces.js";
import { byId, dialog, input, keep, loadFields, showText } from "./page.js";
import { sideTag } from "./rules.js";
import { number, playerName, sides, words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Side, Seat } from "./types" */

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
