// The dialogs "New game" and "Settings".

import { Game } from "./game.js";
import { notice } from "./notices.js";
import { button, byId, closing, dialog, fillSelect, input, keep, loadFields, select, showError } from "./page.js";
import { words } from "./words.js";
import { HASH, isServerless } from "./workers.js";

/** @import { App } from "./app.js" */
/** @import { Clock, Seat } from "./types" */

const SETTINGS = "kalah-settings";

/** Words for the milliseconds that a seed takes, up to so many. */
const SPEEDS = /** @type {const} */ ([[0, "atOnce"], [100, "fast"], [200, "normal"], [1000, "slow"]]);

/** @returns {any} */
export const storedSettings = () =>
  loadFields(SETTINGS, { theme: "", speed: 160, engine: 0, threads: 1, hash: isServerless ? HASH : 64, lines: 3, hideValues: false, keys: true, housesRight: false,
    language: "", paths: true, sound: false, shakes: false, threat: false, coach: 1, rules: "standard" });

/** What all dialogs have in common: buttons that close them, errors that go when somebody mends them, and the choice of rules. */
export function prepareDialogs() {
  for (const id of ["setup-capture", "share-capture"]) select(id).append(...select("capture").cloneNode(true).childNodes);
  for (const box of document.querySelectorAll("dialog")) {
    for (const close of /** @type {NodeListOf<HTMLButtonElement>} */ (box.querySelectorAll("[data-close]"))) close.onclick = () => box.close();
    box.addEventListener("input", () => box.querySelector(".error") && showError(box.id, ""));
  }
}

/** Opens a dialog; where it is closed with something in it that is not used, what is said then leads back. */
export function leadingBack(/** @type {HTMLDialogElement} */ box, /** @type {() => string} */ unused) {
  const open = () => {
    box.returnValue = "";
    if (!box.open) box.showModal();
  };
  box.onclose = () => {
    const text = box.returnValue === "ok" ? "" : unused();
    if (text) notice(text, { kind: "edited", action: [words.goOn, open] });
  };
  return open;
}

/** Sets up "New game", which also continues a game from a position. */
export function prepareNewGame(/** @type {App} */ app) {
  let from = /** @type {import("./game.js").Node | null} */ (null);
  /** Engines have the names that they gave themselves when they started. */
  const fillSeats = () => {
    const engines = (app.hello?.engines ?? []).map((name, i) => /** @type {[string, string]} */ ([String(i), name]));
    for (const side of ["south", "north"]) fillSelect(select(`${side}-seat`), [["person", words.aPerson], ...engines]);
  };
  const tellLevels = () => {
    for (const side of ["south", "north"]) {
      const level = input(`${side}-level`);
      const word = app.hello?.levels?.[Number(level.value)] ?? "";
      byId(`${side}-word`).textContent = words.level(level.value, words.levels[word] ?? word);
      level.setAttribute("aria-valuetext", byId(`${side}-word`).textContent ?? "");
    }
  };
  fillSeats();
  for (const side of ["south", "north"]) {
    select(`${side}-seat`).value = side === "south" ? "person" : "0";
    input(`${side}-level`).oninput = tellLevels;
  }
  const clock = select("clock");
  // What does not matter is not checked.
  const chooseClock = () => {
    input("clock-time").disabled = clock.value === "none";
    input("clock-more").disabled = clock.value !== "game";
  };
  clock.onchange = chooseClock;
  chooseClock();

  const open = (/** @type {import("./game.js").Node | null} */ node) => {
    from = node;
    byId("new-title").textContent = node ? words.playFromHere : words.page.newGame;
    for (const id of ["houses", "seeds", "capture"]) input(id).disabled = node !== null;
    select("capture").value = node ? app.game.capture : app.settings.rules;
    button("start-fair").hidden = node !== null;
    fillSeats();
    tellLevels();
    showError("new-dialog", "");
    dialog("new-dialog").showModal();
  };
  button("open-new").onclick = () => open(null);
  app.openNewGame = open;

  /** @returns {Seat} */
  const seatOf = (/** @type {string} */ side) => {
    const { value } = select(`${side}-seat`);
    return value === "person" ? { kind: "person" } : { kind: "engine", engine: Number(value), level: Number(input(`${side}-level`).value) };
  };
  /** @returns {Clock} */
  const clockOf = () => {
    const time = Number(input("clock-time").value);
    if (clock.value === "none") return { kind: "none" };
    if (clock.value === "move") return { kind: "move", time: time * 1000 };
    return { kind: "game", time: time * 60_000, increment: Number(input("clock-more").value) * 1000 };
  };

  const begin = async (isFair = false) => {
    const terms = { seats: { S: seatOf("south"), N: seatOf("north") }, clock: clockOf(), swap: input("may-swap").checked };
    let game;
    if (from) {
      game = new Game(from.board, app.game.capture);
    } else {
      const capture = select("capture").value;
      const size = /** @type {const} */ ([Number(input("houses").value), Number(input("seeds").value)]);
      const start = isFair ? await app.rules.fairStart(capture, ...size) : await app.rules.start(capture, ...size);
      if (!start) throw words.noFairStart;
      game = new Game(start.board, capture);
      app.changeSettings({ rules: capture });
    }
    await closing(dialog("new-dialog"), () => app.replace(words.newGameBegun, () => app.newGame(game, terms)));
  };
  const complain = (/** @type {unknown} */ error) => showError("new-dialog", error);
  const form = /** @type {HTMLFormElement} */ (byId("new-form"));
  form.onsubmit = (event) => {
    event.preventDefault();
    begin().catch(complain);
  };
  button("start-fair").onclick = () => form.reportValidity() && begin(true).catch(complain);
}

/** Sets up "Settings". */
export function prepareSettings(/** @type {App} */ app) {
  const { settings, hello } = app;
  if (settings.engine >= (hello?.engines.length ?? 1)) settings.engine = 0;
  input("threads").max = String(hello?.threads ?? 1);
  /** Fields have the names of their settings. @type {NodeListOf<HTMLInputElement>} */
  const fields = byId("settings-dialog").querySelectorAll("[name]");
  const whole = (/** @type {HTMLInputElement} */ { min, max, value }) =>
    Math.max(Number(min), Math.min(Number(max), Math.trunc(Number(value)) || Number(min)));
  const speed = input("speed");
  const tellSpeed = () => {
    const word = words.speeds[SPEEDS.find(([most]) => Number(speed.value) <= most)?.[1] ?? "slow"];
    byId("speed-word").textContent = word;
    speed.setAttribute("aria-valuetext", word);
  };
  speed.addEventListener("input", tellSpeed);
  byId("shakes-line").hidden = !("vibrate" in navigator);
  app.changeSettings = (some) => {
    keep(SETTINGS, JSON.stringify(Object.assign(settings, some)));
    app.applySettings();
  };
  button("mute").onclick = () => {
    app.changeSettings({ sound: !settings.sound });
    app.sounds.play("seed");
  };
  byId("settings-dialog").onchange = () => {
    for (const field of fields) {
      const { name, type, value, checked } = field;
      if (type === "checkbox") settings[name] = checked;
      else if (type === "number") settings[name] = whole(field);
      else settings[name] = name === "theme" || name === "language" ? value : Number(value);
    }
    app.changeSettings({});
  };
  const quit = button("quit");
  // Guests of the network do not stop it.
  quit.hidden = !hello?.own;
  button("open-settings").onclick = () => {
    fillSelect(select("engine"), (hello?.engines ?? []).map((name, i) => [String(i), name]));
    for (const field of fields) {
      if (field.type === "checkbox") field.checked = settings[field.name];
      else field.value = String(settings[field.name]);
    }
    tellSpeed();
    quit.textContent = words.page.stopServer;
    dialog("settings-dialog").showModal();
  };
  quit.onclick = async () => {
    // It cannot be undone, so it takes two.
    if (quit.textContent !== words.stopNow) return void (quit.textContent = words.stopNow);
    await app.socket.request("quit").catch(() => {});
    dialog("settings-dialog").close();
    notice(words.serverEnded);
  };
}
