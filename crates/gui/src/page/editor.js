// The board editor, and games as text: opened, saved, copied, linked.

import { Game } from "./game.js";
import { button, byId, dialog, element, input, select, showError } from "./page.js";
import { letters, seedsIn } from "./rules.js";

/** @import { App } from "./app.js" */
/** @import { GameRecord } from "./types" */

/** Sets up the dialog "Set up a position". */
export function prepareEditor(/** @type {App} */ app) {
  const pits = byId("setup-pits");
  const text = input("setup-text");
  const houses = () => Math.max(1, Math.min(12, Math.trunc(Number(input("setup-houses").value)) || 1));

  /** The board as the fields have it, whether or not it is legal. */
  const board = () => {
    const names = ["+", "-", ...letters("S", houses()), ...letters("N", houses())];
    const seeds = names.map((pit) => input(`setup-pit-${pit}`).value.trim() || "0");
    return `<${[houses(), ...seeds].join(",")}> ${select("setup-turn").value}`;
  };

  const build = (/** @type {(pit: string) => number} */ seedsOf) => {
    const count = houses();
    const cell = (/** @type {string} */ pit, /** @type {string} */ name) => {
      const number = element("input", { id: `setup-pit-${pit}`, type: "number", min: "0", max: "1023", inputmode: "numeric", value: String(seedsOf(pit)) });
      number.oninput = () => (text.value = board());
      return element("label", { for: number.id }, name, number);
    };
    pits.style.gridTemplateColumns = `repeat(${Math.min(count, 6)}, 1fr)`;
    pits.replaceChildren(
      cell("-", "North's store"),
      ...[...letters("N", count)].reverse().map((letter) => cell(letter, letter)),
      ...[...letters("S", count)].map((letter) => cell(letter, letter)),
      cell("+", "South's store"),
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
  text.onchange = () => take(text.value).catch((error) => showError("setup-dialog", error));

  const put = (/** @type {import("./types").Position} */ position) => {
    input("setup-houses").value = String(position.houses);
    select("setup-turn").value = position.turn;
    build((pit) => seedsIn(position, pit));
    showError("setup-dialog", "");
  };
  /** Puts a board as text into the fields. */
  const take = async (/** @type {string} */ fen) => put(await app.rules.position(select("setup-capture").value, fen));

  button("setup-ok").onclick = async (event) => {
    event.preventDefault();
    try {
      const capture = select("setup-capture").value;
      const position = await app.rules.position(capture, text.value);
      app.openGame(new Game(position.board, capture));
      dialog("setup-dialog").close();
    } catch (error) {
      showError("setup-dialog", error);
    }
  };

  return () => {
    select("setup-capture").value = app.game.capture;
    put(app.position);
    dialog("setup-dialog").showModal();
  };
}

/** Sets up the dialog "Games", and files dropped on the page. */
export function prepareSharing(/** @type {App} */ app) {
  const text = /** @type {HTMLTextAreaElement} */ (byId("share-text"));
  const games = byId("share-games");

  const open = async (/** @type {GameRecord} */ record) => {
    await app.openRecord(record);
    dialog("share-dialog").close();
  };
  const read = async () => {
    showError("share-dialog", "");
    games.replaceChildren();
    try {
      const records = await readText(app, text.value);
      if (records.length === 1) return await open(records[0]);
      games.append(
        ...records.map((record, i) => {
          const { South = "South", North = "North" } = record.tags;
          const choice = element("button", { type: "button" }, `${i + 1}. ${South} – ${North}, ${record.result}, ${record.moves.length} moves`);
          choice.onclick = () => open(record);
          return choice;
        }),
      );
    } catch (error) {
      showError("share-dialog", error);
    }
  };
  const readFile = async (/** @type {File} */ file) => {
    if (file.size > 500_000) return showError("share-dialog", `'${file.name}' is too large: at most 500 kB`);
    text.value = await file.text();
    await read();
  };
  const copy = async (/** @type {string} */ what, /** @type {string} */ content) => {
    try {
      await navigator.clipboard.writeText(content);
      app.notice(`Copied: ${what}.`);
    } catch {
      text.value = content;
      text.select();
      showError("share-dialog", "The browser does not let this page copy: the text is above.");
    }
  };

  const file = input("share-file");
  file.onchange = () => file.files?.[0] && readFile(file.files[0]).finally(() => (file.value = ""));
  button("share-open").onclick = read;
  button("share-save").onclick = async () => {
    const link = element("a", { download: "game.kalah.txt" });
    link.href = URL.createObjectURL(new Blob([await app.gameText()], { type: "text/plain" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  button("copy-game").onclick = async () => copy("the game", await app.gameText());
  button("copy-board").onclick = () => copy("the board", app.position.board);
  button("copy-link").onclick = async () => copy("a link to the game", await linkTo(app));

  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    show();
    readFile(dropped);
  });

  const show = async () => {
    showError("share-dialog", "");
    games.replaceChildren();
    if (!dialog("share-dialog").open) dialog("share-dialog").showModal();
    text.value = await app.gameText();
  };
  return show;
}

/** The games in a text that somebody pastes; a link to a game is one too. */
async function readText(/** @type {App} */ app, /** @type {string} */ text) {
  const link = /#g=([\w-]+)\s*$/.exec(text);
  const { games } = await app.socket.request("read", {
    text: link ? await unpack(link[1]) : text,
    capture: app.game.capture,
  });
  if (!games.length) throw new Error("There is no game in this text.");
  return /** @type {GameRecord[]} */ (games);
}

/** A link that holds the whole game, variations and comments included. */
async function linkTo(/** @type {App} */ app) {
  const address = new URL(location.href);
  address.hash = `g=${await pack(await app.gameText())}`;
  return address.href;
}

/** The game of the address, if there is one. */
export async function gameOfLink(/** @type {App} */ app) {
  const link = /^#g=([\w-]+)$/.exec(location.hash);
  if (!link) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return (await readText(app, await unpack(link[1])))[0];
}

async function pack(/** @type {string} */ text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpack(/** @type {string} */ link) {
  const bytes = Uint8Array.from(atob(link.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return await new Response(stream).text();
}
