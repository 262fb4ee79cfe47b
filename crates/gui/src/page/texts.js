// Games as text: what is pasted, and what a link holds.

import { Game } from "./game.js";
import { notice } from "./notices.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { GameRecord } from "./types" */

/** The games in a text that somebody pastes; a link to a game is one too. */
export async function readText(/** @type {App} */ app, /** @type {string} */ text, capture = "standard") {
  const link = /#g=(\S*)\s*$/.exec(text);
  const { games } = await app.socket.request("read", { text: link ? await unpack(link[1]) : text, capture });
  if (!games.length) throw new Error(words.noGame);
  return /** @type {GameRecord[]} */ (games);
}

/** A link that holds the whole game, variations and comments included, and nothing else: no token. */
export async function linkTo(/** @type {App} */ app) {
  return `${location.origin}${location.pathname}#g=${await pack(await app.gameText())}`;
}

/** Opens the game of the address, if there is one. */
export async function openLink(/** @type {App} */ app) {
  const { hash, pathname, search } = location;
  if (!hash.startsWith("#g=")) return;
  history.replaceState(null, "", pathname + search);
  try {
    const [record] = await readText(app, hash);
    const game = await Game.fromRecord(record, app.rules);
    await app.replace(words.linkOpened, () => app.openGame(game));
  } catch (error) {
    notice(words.noneOpened(/** @type {Error} */ (error).message));
  }
}

/** The text of a game in the fragment of an address, without its name. */
export async function pack(/** @type {string} */ text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of a game that was packed; throws at what is damaged. */
async function unpack(/** @type {string} */ link) {
  try {
    const bytes = Uint8Array.from(atob(link.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    throw new Error(words.damagedLink);
  }
}
