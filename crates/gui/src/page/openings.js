// The opening tree of one's own games: which moves came how often, and how these games ended.

import { Board } from "./board.js";
import { Game } from "./game.js";
import { newButton, onClick } from "./notices.js";
import { button, byId, dialog, element } from "./page.js";
import { rulesOf, sideOf } from "./rules.js";
import { games } from "./shelf.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */

let path = "";
let board = /** @type {Board | null} */ (null);

/** The moves of the games from the start that most of them share. */
function lines() {
  const groups = Map.groupBy(games(), ({ state }) => `${rulesOf(state.game)} ${state.game.start}`);
  const [most] = [...groups.values()].sort((a, b) => b.length - a.length);
  return (most ?? []).map(({ state: { game } }) => ({ game, moves: game.moves.map(({ move }) => move).join("") }));
}

/** The moves after some moves, the most frequent first, and how often their games ended how. */
function branches(/** @type {{game: {result: string}, moves: string}[]} */ played, /** @type {string} */ after) {
  const longer = played.filter(({ moves }) => moves.startsWith(after) && moves.length > after.length);
  const found = [...Map.groupBy(longer, ({ moves }) => moves[after.length])].map(([move, all]) => {
    const count = (/** @type {string} */ result) => all.filter(({ game }) => game.result === result).length;
    return { move, count: all.length, south: count("1-0"), draws: count("1/2-1/2"), north: count("0-1") };
  });
  return found.sort((a, b) => b.count - a.count);
}

/** Draws the tree at the place where somebody is in it. */
export async function drawOpenings(/** @type {App} */ app, /** @type {string} */ to = path) {
  const played = lines();
  const isAnimated = to.length === path.length + 1;
  path = played.some(({ moves }) => moves.startsWith(to)) ? to : "";
  const here = path;
  byId("openings").hidden = !played.length;
  if (!played.length) return;
  const go = (/** @type {string} */ name, /** @type {string} */ where, className = "") => newButton(() => drawOpenings(app, where), { class: className }, name);
  byId("openings-path").replaceChildren(go(words.openingStart, ""), ...[...path].map((move, i) => go(move, path.slice(0, i + 1), sideOf(move))));
  byId("openings-moves").replaceChildren(
    ...branches(played, path).map(({ move, ...tally }) => {
      const parts = /** @type {const} */ (["south", "draws", "north"]).map((part) => {
        const bar = element("span", { class: part }, tally[part] ? String(tally[part]) : "");
        bar.style.flexGrow = String(tally[part]);
        return bar;
      });
      const row = go("", path + move);
      row.title = words.branch(move, tally);
      const shown = [element("b", { class: sideOf(move) }, move), element("span", {}, String(tally.count)), element("span", { class: "results" }, ...parts)];
      for (const part of shown) part.ariaHidden = "true";
      row.append(...shown, element("span", { class: "unseen" }, row.title));
      return element("li", {}, row);
    }),
  );
  const { start } = played[0].game;
  const capture = rulesOf(played[0].game);
  const line = app.rules.line(capture, start, path);
  // Before the board is drawn: whoever is quick opens this position, not the one before.
  onClick(button("openings-open"), async () => {
    dialog("games-dialog").close();
    const positions = await line;
    const game = new Game(start, capture);
    const node = game.root.playAll(here, positions);
    await app.replace(words.openingOpened, async () => {
      await app.openGame(game);
      await app.show(node);
    });
  });
  const positions = await line;
  if (here !== path) return;
  const small = (board ??= Board.small(byId("openings-board")));
  small.speed = Math.min(app.board.speed, 120);
  const [before, after] = [positions.at(-2), positions[path.length]];
  const move = before?.moves.find((legal) => legal.move === path.at(-1)) ?? null;
  if (isAnimated && before && move) small.animate(move, before, after);
  else small.show(after, move && { move: move.move, played: move });
}
