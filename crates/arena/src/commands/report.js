"use strict";
// The games of a report: a table in pages, and a board to step through. Without this script the page shows
// everything else.
(() => {
  const ROWS = 20;
  const data = JSON.parse(document.getElementById("data").textContent);
  const section = document.getElementById("games");
  const moves = data.moves.split(" ");
  const total = data.south.length;
  const numbers = [];
  const begun = [];
  const starts = data.begun.split(" ");
  for (let at = 0; at < total; at += 1) {
    numbers.push((numbers[at - 1] || 0) + data.number[at]);
    const same = starts[at].charCodeAt(0) - 65;
    begun.push((begun[at - 1] || "").slice(0, same) + starts[at].slice(1));
  }
  const results = { 0: "0–1", 1: "½–½", 2: "1–0" };
  const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");

  // Elements are made and filled as text: names come from outside.
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const svg = (tag, attributes = {}, text = "") => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };

  // Boards: the houses of South and North, then the stores.
  const parse = (fen) => {
    const seeds = (fen.match(/\d+/g) || []).map(Number);
    const houses = data.houses;
    return {
      houses: [seeds.slice(3, 3 + houses), seeds.slice(3 + houses, 3 + 2 * houses)],
      stores: [seeds[1], seeds[2]],
      played: "",
    };
  };
  const sow = (board, letter) => {
    const houses = data.houses;
    const side = letter >= "a" ? 1 : 0;
    const from = letter.toUpperCase().charCodeAt(0) - 65;
    const rows = board.houses.map((row) => row.slice());
    const stores = board.stores.slice();
    const [own, other] = [rows[side], rows[1 - side]];
    const seeds = own[from];
    if (!seeds) return null;
    own[from] = 0;
    let place = from;
    for (let seed = 0; seed < seeds; seed += 1) {
      place = (place + 1) % (2 * houses + 1);
      if (place < houses) own[place] += 1;
      else if (place === houses) stores[side] += 1;
      else other[place - houses - 1] += 1;
    }
    const opposite = houses - 1 - place;
    if (place < houses && own[place] === 1 && (other[opposite] || data.capture === "empty")) {
      stores[side] += 1 + other[opposite];
      own[place] = 0;
      other[opposite] = 0;
    }
    const sums = rows.map((row) => row.reduce((sum, house) => sum + house, 0));
    if (!sums[0] || !sums[1]) {
      for (const swept of [0, 1]) {
        stores[swept] += sums[swept];
        rows[swept].fill(0);
      }
    }
    return { houses: rows, stores, played: letter };
  };

  // The state of the page: the games that match the filters, the page of the table, the game on the board.
  let chosen = [];
  let page = 0;
  let game = -1;
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
  const header = ["game", "South", "North", "result", "margin", "plies", "ended", "time S, N", "begun"];
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
    chosen = [];
    for (let at = 0; at < total; at += 1) {
      const seats = [data.south[at], data.north[at]];
      if ((first < 0 || seats.includes(first)) && (second < 0 || second === first || seats.includes(second))
        && (half < 0 || Number(data.result[at]) === half) && (why < 0 || data.reason[at] === why)
        && (start < 0 || data.opening[at] === start)) chosen.push(at);
    }
    turn(0);
  };

  const list = () => {
    const rows = chosen.slice(page * ROWS, (page + 1) * ROWS).map((at) => {
      const seconds = data.time[at].map((time) => (time / 1000).toFixed(1)).join(", ");
      const margin = data.margin[at];
      const cells = [numbers[at], data.players[data.south[at]], data.players[data.north[at]],
        results[data.result[at]], margin === null ? "–" : signed(margin), moves[at].length,
        data.reasons[data.reason[at]], seconds, begun[at].slice(0, 16).replace("T", " ")];
      const row = make("tr", { onclick: () => show(at) },
        ...cells.map((cell, column) => make("td", { class: classes[column] }, String(cell))));
      const link = make("a", { href: `#game-${numbers[at]}` }, String(numbers[at]));
      row.firstChild.replaceChildren(link);
      if (at === game) row.setAttribute("aria-current", "true");
      return row;
    });
    body.replaceChildren(...rows);
    const pages = Math.max(1, Math.ceil(chosen.length / ROWS));
    count.textContent = `${chosen.length.toLocaleString("en")} games, page ${page + 1} of ${pages}`;
  };

  const show = (at) => {
    game = at;
    boards = [parse(data.openings[data.opening[at]])];
    for (const letter of moves[at]) {
      const next = sow(boards[boards.length - 1], letter);
      if (!next) break;
      boards.push(next);
    }
    const margin = data.margin[at];
    caption.replaceChildren(
      make("strong", {}, `Game ${numbers[at]}`),
      ` · South ${data.players[data.south[at]]} ${results[data.result[at]]} `
        + `North ${data.players[data.north[at]]} · ${data.reasons[data.reason[at]]}`
        + (margin === null ? "" : `, margin ${signed(margin)}`)
        + (data.duration[at] === null ? "" : ` · ${(data.duration[at] / 10).toFixed(1)} s`));
    line.replaceChildren(...boards.slice(1).map((after, index) =>
      make("button", { type: "button", onclick: () => step(index + 1 - ply) }, after.played)));
    ply = 0;
    step(0);
    list();
  };

  const step = (by) => {
    ply = Math.max(0, Math.min(ply + by, boards.length - 1));
    draw(boards[ply]);
    place.textContent = `ply ${ply} of ${boards.length - 1}`;
    [...line.children].forEach((move, index) => {
      if (index + 1 === ply) move.setAttribute("aria-current", "true");
      else move.removeAttribute("aria-current");
    });
  };

  const follow = (by) => {
    const at = chosen[chosen.indexOf(game) + by];
    if (at === undefined) return;
    page = Math.floor(chosen.indexOf(at) / ROWS);
    show(at);
  };

  const draw = ({ houses: rows, stores, played }) => {
    const STEP = 44;
    const houses = data.houses;
    const shapes = [];
    const text = (x, y, value, kind = "") => shapes.push(svg("text", { x, y, class: kind }, String(value)));
    board.setAttribute("viewBox", `0 -8 ${STEP * (houses + 2)} 124`);
    board.setAttribute("aria-label", `South ${rows[0].join(" ")}, store ${stores[0]}; `
      + `North ${rows[1].join(" ")}, store ${stores[1]}`);
    for (const side of [0, 1]) {
      const x = side ? 0 : STEP * (houses + 1);
      shapes.push(svg("rect", { x: x + 4, y: 12, width: 36, height: 84, rx: 18, class: "pit" }));
      text(x + STEP / 2, 54, stores[side]);
      rows[side].forEach((seeds, house) => {
        const column = side ? houses - 1 - house : house;
        const [cx, cy] = [STEP * (column + 1) + STEP / 2, side ? 32 : 76];
        const letter = String.fromCharCode((side ? 97 : 65) + house);
        const kind = letter === played ? "pit played" : "pit";
        shapes.push(svg("circle", { cx, cy, r: 18, class: kind }));
        text(cx, cy, seeds);
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
    const at = numbers.indexOf(Number(location.hash.replace("#game-", "")));
    if (at >= 0 && at !== game) show(at);
  };
  window.addEventListener("hashchange", visit);

  const filters = [resultLabel, reasonLabel];
  if (data.players.length > 2) filters.unshift(playerLabel, opponentLabel);
  // A list of thousands of boards is no choice, and takes long to build.
  if (data.openings.length <= 200) filters.push(openingLabel);
  section.append(make("div", { class: "filters" }, ...filters), viewer,
    make("div", { class: "wide" }, table), pager);
  filter();
  if (total) show(0);
  visit();
  document.body.dataset.ready = "true";
})();
