"use strict";
// The games of a report: a table in pages, and a board to step through. Without this script the page shows
// everything else.
(() => {
  const ROWS = 20;
  const data = JSON.parse(document.getElementById("data").textContent);
  const section = document.getElementById("games");
  const games = data.games.map(([number, seats, opening, result, reason, margin, begun, seconds, time, moves]) =>
    ({ number, seats, opening, result, reason, margin, begun, seconds, time, moves }));
  const results = ["0–1", "½–½", "1–0"];
  const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

  // Elements are made and filled as text: names come from outside.
  const maker = (namespace) => (tag, attributes = {}, ...children) => {
    const element = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const make = maker(document.body.namespaceURI);
  const svg = maker("http://www.w3.org/2000/svg");

  // Boards in the direction of sowing: South's houses and store, then North's.
  const { houses } = data;
  const starts = [0, houses + 1];
  const rowOf = (board, start) => board.slice(start, start + houses);
  const parse = (fen) => {
    const [, south, north, ...seeds] = (fen.match(/\d+/g) || []).map(Number);
    return [...seeds.slice(0, houses), south, ...seeds.slice(houses), north];
  };
  const sow = (before, letter) => {
    const side = letter >= "a" ? 1 : 0;
    const store = starts[side] + houses;
    const skipped = starts[1 - side] + houses;
    let place = starts[side] + letter.toUpperCase().charCodeAt(0) - 65;
    if (place >= store || !before[place]) return null;
    const board = before.slice();
    const relays = data.sowing === "relay";
    do {
      let seeds = board[place];
      for (board[place] = 0; seeds > 0; seeds -= 1) {
        do place = (place + 1) % board.length; while (place === skipped);
        board[place] += 1;
      }
    } while (relays && place !== store && board[place] > 1);
    const opposite = 2 * houses - place;
    const captures = !relays && starts[side] <= place && place < store;
    if (captures && board[place] === 1 && (board[opposite] || data.capture === "empty")) {
      board[store] += 1 + board[opposite];
      board[place] = 0;
      board[opposite] = 0;
    }
    const sums = starts.map((start) => rowOf(board, start).reduce((sum, house) => sum + house, 0));
    if (sums.includes(0)) {
      starts.forEach((start, row) => {
        board.fill(0, start, start + houses);
        board[start + houses] += sums[row];
      });
    }
    return board;
  };

  // The state of the page: the games that match the filters, the page of the table, the game on the board.
  let chosen = [];
  let page = 0;
  let game = null;
  let boards = [];
  let ply = 0;

  const select = (label, options) => {
    const box = make("select", { onchange: () => filter() });
    options.forEach((text, value) => box.append(make("option", { value: value - 1 }, text)));
    return [make("label", {}, label, " ", box), () => Number(box.value)];
  };
  const [playerLabel, player] = select("player", ["all", ...data.players]);
  const [opponentLabel, opponent] = select("against", ["all", ...data.players]);
  const [resultLabel, result] = select("result", ["all", "North won", "drawn", "South won"]);
  const [reasonLabel, reason] = select("ended", ["all", ...data.reasons]);
  const [openingLabel, opening] = select("opening", ["all", ...data.openings]);
  const body = make("tbody");
  const count = make("span", { class: "count", role: "status" });
  const button = (text, label, onclick) =>
    make("button", { type: "button", "aria-label": label, title: label, onclick }, text);
  const turn = (to) => {
    page = Math.max(0, Math.min(to, Math.ceil(chosen.length / ROWS) - 1));
    list();
  };
  const pager = make("div", { class: "controls" },
    button("«", "first page", () => turn(0)), button("‹", "page before", () => turn(page - 1)), count,
    button("›", "next page", () => turn(page + 1)), button("»", "last page", () => turn(Infinity)));
  const header = ["game", "South", "North", "result", "margin", "plies", "ended", "time S, N", "begun (UTC)"];
  const classes = ["number", "", "", "", "number", "number", "", "number", "date"];
  const table = make("table", { class: "list" },
    make("thead", {}, make("tr", {}, ...header.map((text, at) => make("th", { class: classes[at] }, text)))),
    body);

  const board = svg("svg", { class: "board", role: "img" });
  const caption = make("p", { class: "caption" });
  const line = make("p", { class: "moves" });
  const place = make("span", { class: "count", role: "status" });
  const steps = make("div", { class: "controls" },
    button("«", "start (Home)", () => step(-Infinity)), button("‹", "back (←)", () => step(-1)), place,
    button("›", "forward (→)", () => step(1)), button("»", "end (End)", () => step(Infinity)),
    button("↑", "game before (↑)", () => follow(-1)), button("↓", "next game (↓)", () => follow(1)));
  const viewer = make("div", { class: "viewer", tabindex: "0", "aria-label": "The board" },
    caption, board, steps, line);

  const filter = () => {
    const [first, second, half, why, start] =
      [player(), opponent(), result(), reason(), opening()];
    chosen = games.filter((one) => (first < 0 || one.seats.includes(first))
      && (second < 0 || second === first || one.seats.includes(second))
      && (half < 0 || one.result === half) && (why < 0 || one.reason === why)
      && (start < 0 || one.opening === start));
    turn(0);
  };

  const list = () => {
    const rows = chosen.slice(page * ROWS, (page + 1) * ROWS).map((one) => {
      const seconds = one.time.map((time) => (time / 1000).toFixed(1)).join(", ");
      const link = make("a", { href: `#game-${one.number}` }, String(one.number));
      const cells = [link, ...one.seats.map((seat) => data.players[seat]), results[one.result],
        one.margin === null ? "–" : signed(one.margin), String(one.moves.length), data.reasons[one.reason],
        seconds, one.begun.slice(0, 16).replace("T", " ")];
      const row = make("tr", { onclick: () => show(one) },
        ...cells.map((cell, column) => make("td", { class: classes[column] }, cell)));
      if (one === game) row.setAttribute("aria-current", "true");
      return row;
    });
    body.replaceChildren(...rows);
    const pages = Math.max(1, Math.ceil(chosen.length / ROWS));
    const games = chosen.length === 1 ? "game" : "games";
    count.textContent = `${chosen.length.toLocaleString("en")} ${games}, page ${page + 1} of ${pages}`;
  };

  const show = (one) => {
    game = one;
    boards = [parse(data.openings[game.opening])];
    for (const letter of game.moves) {
      const next = sow(boards[boards.length - 1], letter);
      if (!next) break;
      boards.push(next);
    }
    const [south, north] = game.seats.map((seat) => data.players[seat]);
    caption.replaceChildren(
      make("strong", {}, `Game ${game.number}`),
      ` · South ${south} ${results[game.result]} North ${north} · ${data.reasons[game.reason]}`
        + (game.margin === null ? "" : `, margin ${signed(game.margin)}`)
        + (game.seconds === null ? "" : ` · ${game.seconds.toFixed(1)} s`));
    line.replaceChildren(...boards.slice(1).map((_, index) =>
      make("button", { type: "button", onclick: () => step(index + 1 - ply) }, game.moves[index])));
    ply = 0;
    step(0);
    list();
  };

  const step = (by) => {
    ply = Math.max(0, Math.min(ply + by, boards.length - 1));
    draw(boards[ply], game.moves[ply - 1]);
    place.textContent = `ply ${ply} of ${boards.length - 1}`;
    [...line.children].forEach((move, index) => {
      if (index + 1 === ply) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
  };

  const follow = (by) => {
    const next = chosen[chosen.indexOf(game) + by];
    if (!next) return;
    page = Math.floor(chosen.indexOf(next) / ROWS);
    show(next);
  };

  const draw = (seeds, played) => {
    const STEP = 44;
    const shapes = [];
    const text = (x, y, value, kind = "") => shapes.push(svg("text", { x, y, class: kind }, String(value)));
    board.setAttribute("viewBox", `0 -8 ${STEP * (houses + 2)} 124`);
    const labels = starts.map((start, side) =>
      `${side ? "North" : "South"} ${rowOf(seeds, start).join(" ")}, store ${seeds[start + houses]}`);
    board.setAttribute("aria-label", labels.join("; "));
    for (const side of [0, 1]) {
      const x = side ? 0 : STEP * (houses + 1);
      shapes.push(svg("rect", { x: x + 4, y: 12, width: 36, height: 84, rx: 18, class: "pit" }));
      text(x + STEP / 2, 54, seeds[starts[side] + houses]);
      rowOf(seeds, starts[side]).forEach((count, house) => {
        const column = side ? houses - 1 - house : house;
        const [cx, cy] = [STEP * (column + 1) + STEP / 2, side ? 32 : 76];
        const letter = String.fromCharCode((side ? 97 : 65) + house);
        const kind = letter === played ? "pit played" : "pit";
        shapes.push(svg("circle", { cx, cy, r: 18, class: kind }));
        text(cx, cy, count);
        text(cx, side ? 4 : 106, letter, "letter");
      });
    }
    board.replaceChildren(...shapes);
  };

  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity),
    End: () => step(Infinity), ArrowUp: () => follow(-1), ArrowDown: () => follow(1),
  };
  viewer.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const visit = () => {
    const number = Number(location.hash.replace("#game-", ""));
    const named = games.find((one) => one.number === number);
    if (named && named !== game) show(named);
  };
  window.addEventListener("hashchange", visit);

  const filters = [resultLabel, reasonLabel];
  if (data.players.length > 2) filters.unshift(playerLabel, opponentLabel);
  // A list of thousands of boards is no choice, and takes long to build.
  if (data.openings.length <= 200) filters.push(openingLabel);
  section.append(make("div", { class: "filters" }, ...filters), viewer,
    make("div", { class: "wide" }, table), pager);
  filter();
  if (games.length) show(games[0]);
  visit();
  document.body.dataset.ready = "true";
})();
