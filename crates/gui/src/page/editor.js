// The board editor, and games as text: opened, saved, copied, linked.

import { leadingBack } from "./dialogs.js";
import { Game } from "./game.js";
import { copyText, newButton, onClick } from "./notices.js";
import { button, byId, closing, dialog, element, input, load, save, select, showError } from "./page.js";
import { letters, seedsIn } from "./rules.js";
import { BEFORE, applyState } from "./store.js";
import { linkTo, readText } from "./texts.js";
import { playerName, words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { GameRecord } from "./types" */

/** Sets up the dialog "Set up a position". */
export function prepareEditor(/** @type {App} */ app) {
  const pits = byId("setup-pits");
  const text = input("setup-text");
  const box = dialog("setup-dialog");
  /** The board with which the dialog was opened. */
  let given = "";
  /** The houses of a side that have fields. */
  let count = 0;

  /** The board as the fields have it, whether or not it is legal. */
  const board = () => {
    const names = ["+", "-", ...letters("S", count), ...letters("N", count)];
    const seeds = names.map((pit) => input(`setup-pit-${pit}`).value.trim() || "0");
    return `<${[count, ...seeds].join(",")}> ${select("setup-turn").value}`;
  };

  const build = (/** @type {(pit: string) => number} */ seedsOf) => {
    count = Math.max(1, Math.min(12, Math.trunc(Number(input("setup-houses").value)) || 1));
    const cell = (/** @type {string} */ pit, /** @type {string} */ name) => {
      const number = element("input", { id: `setup-pit-${pit}`, type: "number", min: "0", max: "1023", inputmode: "numeric", value: String(seedsOf(pit)) });
      number.oninput = () => (text.value = board());
      return element("label", { for: number.id }, name, number);
    };
    pits.style.gridTemplateColumns = `repeat(${Math.min(count, 6)}, 1fr)`;
    pits.replaceChildren(
      cell("-", words.storeOf("N")),
      ...[...letters("N", count)].reverse().map((letter) => cell(letter, letter)),
      ...[...letters("S", count)].map((letter) => cell(letter, letter)),
      cell("+", words.storeOf("S")),
    );
    text.value = board();
  };
  const rebuild = () => {
    const old = new Map([...pits.querySelectorAll("input")].map(({ id, value }) => [id, Number(value)]));
    build((pit) => old.get(`setup-pit-${pit}`) ?? 0);
  };
  const fill = (/** @type {string} */ seeds) => {
    for (const number of pits.querySelectorAll("input")) number.value = number.id.endsWith("+") || number.id.endsWith("--") ? "0" : seeds;
    text.value = board();
  };

  input("setup-houses").onchange = rebuild;
  select("setup-turn").onchange = () => (text.value = board());
  button("setup-clear").onclick = () => fill("0");
  button("setup-fill").onclick = () => fill(input("setup-fill-seeds").value || "0");
  text.onchange = () => take(text.value).catch(complain);
  /** Says which house is wrong, not which field of the text. */
  const complain = (/** @type {unknown} */ error) => {
    const field = Number(/^field (\d+) of the board/.exec(/** @type {Error} */ (error).message)?.[1]);
    showError("setup-dialog", field ? words.badField(field, [...letters("S", count), ...letters("N", count)]) : error);
  };

  const put = (/** @type {import("./types").Position} */ position) => {
    input("setup-houses").value = String(position.houses);
    select("setup-turn").value = position.turn;
    build((pit) => seedsIn(position, pit));
    showError("setup-dialog", "");
  };
  /** Puts a board as text into the fields. */
  const take = async (/** @type {string} */ fen) => put(await app.rules.position(select("setup-capture").value, fen));

  byId("setup-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const capture = select("setup-capture").value;
      const position = await app.rules.position(capture, text.value);
      await closing(box, () => app.replace(words.positionSet, () => app.openGame(new Game(position.board, capture))));
    } catch (error) {
      complain(error);
    }
  };
  const open = leadingBack(box, () => (text.value === given ? "" : words.notUsed));

  return () => {
    select("setup-capture").value = app.game.capture;
    put((app.lesson && app.board.position) || app.position);
    given = text.value;
    open();
  };
}

/** Sets up the dialog "Games", and files dropped on the page. */
export function prepareSharing(/** @type {App} */ app) {
  const text = /** @type {HTMLTextAreaElement} */ (byId("share-text"));
  const games = byId("share-games");
  const box = dialog("share-dialog");
  /** The text of the game on the board. */
  let given = "";
  const fill = (/** @type {string} */ content) => {
    text.value = content;
    button("share-open").disabled = content.trim() === given.trim();
  };
  text.oninput = () => fill(text.value);

  const complain = (/** @type {unknown} */ error) => showError("share-dialog", error);
  const open = async (/** @type {GameRecord} */ record) => {
    const game = await Game.fromRecord(record, app.rules);
    await closing(box, () => app.replace(words.gameOpened, () => app.openGame(game)));
  };
  const read = async () => {
    showError("share-dialog", "");
    games.replaceChildren();
    const records = await readText(app, text.value, select("share-capture").value);
    if (records.length === 1) return open(records[0]);
    games.append(
      ...records.map((record, i) => {
        const [south, north] = [playerName(record.tags.South ?? words.sides.S), playerName(record.tags.North ?? words.sides.N)];
        const text = words.listed(i + 1, south, north, record.result, record.moves.length);
        return newButton(() => open(record).catch(complain), {}, text);
      }),
    );
  };
  const readFile = async (/** @type {File} */ file) => {
    if (file.size > 500_000) return complain(words.fileTooLarge(file.name));
    try {
      fill(decoded(new Uint8Array(await file.arrayBuffer())));
    } catch {
      return complain(words.noText(file.name));
    }
    await read().catch(complain);
  };
  const copy = (/** @type {keyof typeof words.copied} */ what, /** @type {string} */ content) =>
    copyText(content, words.copied[what], () => {
      fill(content);
      text.select();
      complain(words.cannotCopy);
    });

  const file = input("share-file");
  file.onchange = () => file.files?.[0] && readFile(file.files[0]).finally(() => (file.value = ""));
  /** @type {[string, () => Promise<void>][]} */
  const actions = [
    ["share-open", read],
    ["share-save", async () => save("game.kalah.txt", await app.gameText())],
    ["copy-game", async () => copy("game", await app.gameText())],
    ["copy-board", () => copy("board", app.position.board)],
    ["copy-link", async () => copy("link", await linkTo(app))],
  ];
  for (const [id, act] of actions) button(id).onclick = () => act().catch(complain);

  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    await show();
    await readFile(dropped);
  });

  const reopen = leadingBack(box, () => (button("share-open").disabled ? "" : words.notOpened));
  const show = async () => {
    showError("share-dialog", "");
    games.replaceChildren();
    select("share-capture").value = app.game.capture;
    button("share-before").hidden = !load(BEFORE);
    text.value = "";
    button("share-open").disabled = true;
    reopen();
    given = await app.gameText();
    if (!text.value) fill(given);
  };
  onClick(button("share-before"), async () => {
    const before = load(BEFORE);
    box.close("ok");
    if (before) await app.replace(words.beforeBack, () => applyState(app, before));
  });
  return show;
}

/** The text of a file: UTF-8, UTF-16 with its mark, or else Latin-1; throws at what is no text. */
function decoded(/** @type {Uint8Array<ArrayBuffer>} */ bytes) {
  const [a, b] = bytes;
  const wide = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "";
  if (wide) return new TextDecoder(wide, { fatal: true }).decode(bytes);
  if (bytes.includes(0)) throw new Error("not a text");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
