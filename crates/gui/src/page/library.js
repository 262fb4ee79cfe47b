// The dialog "My games": the kept games, found, opened, named, deleted, saved together.

import { faceNamed } from "./faces.js";
import { announce, newButton } from "./notices.js";
import { button, byId, dialog, element, input, save, showError } from "./page.js";
import { drawOpenings } from "./openings.js";
import { games, keepGame, playersOf, setDeleted, setGames } from "./shelf.js";
import { applyState } from "./store.js";
import { outcomeWords } from "./tree.js";
import { playerName, sides, words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Kept } from "./shelf.js" */

/** Sets up the dialog; what is returned opens it. */
export function prepareLibrary(/** @type {App} */ app) {
  const box = dialog("games-dialog");
  const list = byId("games-list");

  const titleOf = (/** @type {Kept} */ game) => game.name || playersOf(game).map(faceNamed).map(playerName).join(" – ");
  const named = (/** @type {Record<string, string>} */ { South, North }) => {
    const players = sides();
    return { S: { ...players.S, isYou: South === "You" }, N: { ...players.N, isYou: North === "You" } };
  };
  const detailsOf = (/** @type {Kept} */ { time, state }) => {
    const { game } = state;
    const date = new Date(time).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    return [date, outcomeWords(game, named(game.tags)), words.moves(game.moves.length)].filter(Boolean).join(" · ");
  };

  const complain = (/** @type {unknown} */ error) => showError("games-dialog", error);
  const open = (/** @type {Kept} */ { id, state }) =>
    app.replace(words.gameOpened, () => applyState(app, JSON.stringify({ ...state, id }))).then(() => box.close(), complain);

  const row = (/** @type {Kept} */ game) => {
    const title = titleOf(game);
    const [name, details] = [element("b", {}, title), element("span", { class: "deed" }, detailsOf(game))];
    const go = newButton(() => open(game), { class: "game" }, name, details);
    const rename = element("button", { type: "button", class: "plain", "aria-label": words.rename(title), title: words.rename(title) }, "✎");
    const remove = element("button", { type: "button", class: "plain", "aria-label": words.remove(title), title: words.remove(title) }, "×");
    const item = element("li", {}, go, rename, remove);
    rename.onclick = () => {
      const field = element("input", { type: "text", maxlength: "60", "aria-label": words.gameName });
      field.value = title;
      const end = (/** @type {boolean} */ isKept) => {
        // A field that goes away loses its focus, too.
        field.onchange = field.onblur = null;
        // It may have gone on since the list was drawn.
        if (isKept) setGames(games().map((other) => (other.id === game.id ? { ...other, name: field.value.trim() } : other)));
        const renamed = row(games().find(({ id }) => id === game.id) ?? game);
        item.replaceWith(renamed);
        /** @type {HTMLElement} */ (renamed.firstElementChild).focus();
      };
      field.onchange = field.onblur = () => end(true);
      field.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        end(event.key === "Enter");
      };
      item.replaceChildren(field);
      field.select();
    };
    remove.onclick = () => {
      setDeleted(game, true);
      const takeBack = () => {
        setDeleted(game, false);
        item.replaceWith(row(game));
        drawOpenings(app);
      };
      const undo = newButton(takeBack, {}, words.undo);
      item.replaceChildren(element("span", { class: "game" }, words.removed(title)), undo);
      announce(words.removed(title));
      undo.focus();
      drawOpenings(app);
    };
    return item;
  };

  const draw = () => {
    const all = games();
    const asked = input("games-search").value.trim().toLowerCase();
    const found = all.filter((game) => {
      const moves = game.state.game.moves.map(({ move }) => move).join(" ");
      return [titleOf(game), ...playersOf(game), detailsOf(game), moves].join("\n").toLowerCase().includes(asked);
    });
    list.replaceChildren(...(found.length ? found.map(row) : [element("li", {}, all.length ? words.notFound : words.noGames)]));
    button("games-export").disabled = !all.length;
  };
  input("games-search").oninput = draw;
  button("games-export").onclick = () => {
    const texts = Promise.all(games().map(({ state }) => app.socket.request("write", { game: state.game })));
    texts.then((all) => save(words.gamesFile, all.map(({ text }) => text).join("\n"))).catch(complain);
  };

  return () => {
    dialog("share-dialog").close();
    showError("games-dialog", "");
    // The game on the board is one of them, whether or not it has been saved already.
    if (!app.hello?.guest) keepGame(app);
    draw();
    drawOpenings(app);
    if (!box.open) box.showModal();
  };
}
