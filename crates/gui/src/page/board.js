// The board as SVG: drawing, input and the animation of a move.

import { letters, pitsOf, seedsIn, sideOf } from "./rules.js";
import { words } from "./words.js";

/** @import { Position, LegalMove } from "./types" */
/** Below a house: text, a word for the style, and words to be read aloud. @typedef {{text: string, style: string, words: string}} ValueLabel */
/** @typedef {{move: string, played: LegalMove | null}} LastMove */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{group: SVGGElement, seeds: SVGGElement, count: SVGElement, value: SVGTextElement, box: Box, shown: number}} Pit */

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100;
const STORE = 108;
const EDGE = 14;
const GAP = 8;
/** How much longer than wide a house may be. */
const LONGEST_HOUSE = 1.6;
/** Room for labels outside the rows, and below this many pixels a house wide, for larger ones. */
const LABEL = { normal: 62, dense: 88 };
const DENSE = 56;
/** More seeds than this are drawn as so many, and the number tells. */
const MAX_DRAWN = 120;
/** The longest sowing, in milliseconds, however many seeds. */
const LONGEST = 4000;

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} attributes
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Places and radius of seeds in an ellipse of these half axes. */
function arrangement(/** @type {number} */ seeds, /** @type {number} */ rx, /** @type {number} */ ry) {
  const n = Math.min(seeds, MAX_DRAWN);
  const small = Math.min(rx, ry);
  if (n <= 7) {
    const radius = small * 0.27;
    const ring = n <= 5 ? n : n - 1;
    const reach = n === 1 ? 0 : Math.min(small - radius - 2, radius * (n <= 2 ? 1.15 : n <= 4 ? 1.6 : 2.1));
    const places = Array.from({ length: ring }, (_, i) => {
      const angle = (2 * Math.PI * i) / ring - Math.PI / 2 + (ring === 4 ? Math.PI / 4 : 0) + (ring === 2 ? Math.PI / 3 : 0);
      return [reach * Math.cos(angle), reach * Math.sin(angle)];
    });
    if (n > ring) places.push([0, 0]);
    return { radius, places };
  }
  // A sunflower, stretched to the ellipse.
  const root = Math.sqrt(n);
  const stretch = Math.sqrt((rx * ry) / (small * small));
  const radius = Math.min(small * 0.25, (0.86 * small * stretch) / (root + 0.86 * stretch));
  const places = Array.from({ length: n }, (_, i) => {
    const reach = Math.sqrt((i + 0.5) / n);
    const angle = i * 2.39996;
    return [(rx - radius) * reach * Math.cos(angle), (ry - radius) * reach * Math.sin(angle)];
  });
  return { radius, places };
}

/** Seeds at these places. */
function circles(/** @type {number[][]} */ places, /** @type {number} */ radius) {
  const r = radius.toFixed(1);
  return places.map(([x, y], i) => svg("circle", { class: `seed s${i % 5}`, cx: x.toFixed(1), cy: y.toFixed(1), r }));
}

export class Board {
  #pits = /** @type {Map<string, Pit>} */ (new Map());
  #houses = 0;
  #vertical = false;
  #stretch = 1;
  #label = LABEL.normal;
  #labels = /** @type {SVGGElement | null} */ (null);
  #shape = "";
  #finish = /** @type {(() => void) | null} */ (null);
  #running = 0;
  #sowing = Promise.resolve();
  position = /** @type {Position | null} */ (null);
  /** A picture: it takes no keys and does not tell the page what it does. */
  isSmall = false;
  /** Whether North sits below. */
  isFlipped = false;
  /** Milliseconds for a seed; 0 for no animation. */
  speed = 160;
  /** @type {(letter: string) => void} */
  onPick = () => {};
  /** Told of houses that are not open. @type {(letter: string) => void} */
  onRefused = () => {};
  /** Houses that may be picked now. */
  isOpen = (/** @type {string} */ _pit) => false;
  #values = /** @type {Map<string, ValueLabel>} */ (new Map());
  #last = /** @type {LastMove | null} */ (null);

  constructor(/** @type {SVGSVGElement} */ root, /** @type {HTMLElement} */ frame) {
    this.root = root;
    this.frame = frame;
    new ResizeObserver(() => this.#layout()).observe(frame);
  }

  /** A picture that fills an element. */
  static small(/** @type {HTMLElement} */ frame) {
    const board = new Board(svg("svg", { "aria-hidden": "true" }), frame);
    board.isSmall = true;
    frame.replaceChildren(board.root);
    return board;
  }

  get isBusy() {
    return this.#finish !== null;
  }

  /** Resolves when no seed is moving. */
  async settled() {
    while (this.isBusy) await this.#sowing;
  }

  /** Shows a position; a running animation ends. */
  show(/** @type {Position} */ position, /** @type {LastMove | null} */ last = null) {
    this.#running++;
    this.finish();
    this.#finish = null;
    if (!this.isSmall) delete document.body.dataset.busy;
    this.position = position;
    this.#last = last;
    if (position.houses !== this.#houses) {
      this.#houses = position.houses;
      const long = 2 * EDGE + 2 * STORE + position.houses * CELL;
      const side = 2 * (CELL * LONGEST_HOUSE + LABEL.normal) + GAP + 2 * EDGE;
      this.frame.style.setProperty("--ratio", `${long / side}`);
      this.frame.style.setProperty("--upright", position.houses > 6 ? "0.56" : `${long / side}`);
    }
    this.#layout();
    this.#draw();
  }

  #draw() {
    const { position } = this;
    if (!position) return;
    for (const pit of pitsOf(position)) this.#fill(pit, seedsIn(position, pit));
    this.refresh();
  }

  /** Draws marks and names anew: which houses may be picked, the last move. */
  refresh() {
    const { position } = this;
    if (!position) return;
    for (const [name, pit] of this.#pits) {
      const isHouse = name !== "+" && name !== "-";
      const isOpen = isHouse && this.isOpen(name);
      const { classList } = pit.group;
      classList.toggle("open", isOpen);
      classList.toggle("from", name === this.#last?.move);
      classList.toggle("to", name === this.#last?.played?.path.at(-1));
      classList.toggle("turn", isHouse && position.result === null && sideOf(name) === position.turn);
      if (!isHouse) continue;
      const seeds = seedsIn(position, name);
      if (!this.isSmall) pit.group.setAttribute("tabindex", isOpen ? "0" : "-1");
      pit.group.setAttribute("aria-disabled", String(!isOpen));
      const value = this.#values.get(name);
      pit.value.textContent = value?.text ?? "";
      pit.value.setAttribute("class", `value ${value?.style ?? ""}`);
      pit.group.setAttribute("aria-label", `${words.house(sideOf(name), name, seeds)}${value ? `, ${value.words}` : ""}`);
    }
    for (const [name, side] of /** @type {const} */ ([["+", "S"], ["-", "N"]])) {
      this.#pits.get(name)?.group.setAttribute("aria-label", words.store(side, seedsIn(position, name)));
    }
    this.root.dataset.turn = position.result === null ? position.turn : "";
  }

  setValues(/** @type {Map<string, ValueLabel>} */ values) {
    this.#values = values;
    this.refresh();
  }

  /** Marks a house as advice; none with an empty name. */
  setHint(/** @type {string} */ house) {
    for (const [name, pit] of this.#pits) pit.group.classList.toggle("hint", name === house);
  }

  /** The place for each pit, for the present shape of the frame. */
  #layout() {
    const houses = this.#houses;
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!houses || !width || !height) return;
    const long = 2 * EDGE + 2 * STORE + houses * CELL;
    const side = (/** @type {number} */ stretch) => 2 * (CELL * stretch + this.#label) + GAP + 2 * EDGE;
    this.#label = LABEL.normal;
    const across = Math.min(width / long, height / side(1));
    const down = Math.min(width / side(1), height / long);
    this.#vertical = down > across * 1.1 && houses > 6;
    const isDense = (this.#vertical ? down : across) * CELL < DENSE;
    this.#label = isDense ? LABEL.dense : LABEL.normal;
    const ratio = this.#vertical ? width / height : height / width;
    // Houses grow towards the free space.
    const free = (ratio * long - 2 * this.#label - GAP - 2 * EDGE) / 2 / CELL;
    this.#stretch = Math.max(1, Math.min(LONGEST_HOUSE, free));
    this.root.classList.toggle("dense", isDense);
    const shape = [houses, this.#vertical, this.#stretch.toFixed(2), this.isFlipped, isDense].join();
    if (shape === this.#shape) return;
    this.#shape = shape;
    // What is being sown was counted on the old board.
    this.finish();
    const focused = this.root.contains(document.activeElement) && /** @type {SVGElement} */ (document.activeElement).dataset.pit;
    this.#build(long, side(this.#stretch));
    this.#draw();
    if (focused) this.#pits.get(focused)?.group.focus();
  }

  #build(/** @type {number} */ long, /** @type {number} */ side) {
    const [width, height] = this.#vertical ? [side, long] : [long, side];
    this.#pits.clear();
    this.root.replaceChildren();
    this.root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // Labels lie above the pits and belong to none, since the pits tell what they hold themselves.
    const labels = svg("g", { class: "labels", "aria-hidden": "true" });
    this.#labels = labels;
    const deep = CELL * this.#stretch;
    const label = this.#label;
    const [left, top] = this.#vertical ? [label, 2] : [2, label];
    this.root.append(svg("rect", { class: "panel", x: left, y: top, width: width - 2 * left, height: height - 2 * top, rx: 46 }));
    /** A box of the horizontal board, turned if the board stands. */
    const place = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ h) =>
      this.#vertical ? { x: side - y - h, y: x, width: h, height: w } : { x, y, width: w, height: h };
    /** @type {import("./types").Side[]} */
    const [below, above] = this.isFlipped ? ["N", "S"] : ["S", "N"];
    const stores = place(EDGE, label + EDGE, STORE, 2 * deep + GAP);
    this.#addStore(above === "S" ? "+" : "-", stores);
    for (const [side_, isBelow] of /** @type {const} */ ([[above, false], [below, true]])) {
      for (const [i, letter] of [...letters(side_, this.#houses)].entries()) {
        const column = isBelow ? i : this.#houses - 1 - i;
        const y = EDGE + label + (isBelow ? deep + GAP : 0);
        const box = place(EDGE + STORE + column * CELL, y, CELL, deep);
        this.#addHouse(letter, box, isBelow);
      }
    }
    this.#addStore(below === "S" ? "+" : "-", place(long - EDGE - STORE, label + EDGE, STORE, 2 * deep + GAP));
    this.root.append(labels, svg("g", { class: "hand", "aria-hidden": "true" }));
  }

  #addStore(/** @type {string} */ name, /** @type {Box} */ box) {
    const { x, y, width, height } = box;
    const [cx, cy] = [x + width / 2, y + height / 2];
    const count = svg("text", { class: "count banked", x: cx, y: y + 36 });
    const value = svg("text", { class: "value" });
    const seeds = svg("g", { class: "seeds", transform: `translate(${cx} ${cy + 18})` });
    const group = svg(
      "g",
      { class: `pit store ${name === "+" ? "south" : "north"}`, role: "img", "data-pit": name },
      svg("rect", { class: "hole", x: x + 8, y: y + 6, width: width - 16, height: height - 12, rx: (Math.min(width, height) - 16) / 2.4 }),
      seeds,
    );
    this.#labels?.append(count);
    this.root.append(group);
    this.#pits.set(name, { group, seeds, count, value, box: { x: x + 14, y: y + 46, width: width - 28, height: height - 60 }, shown: -1 });
  }

  #addHouse(/** @type {string} */ name, /** @type {Box} */ box, /** @type {boolean} */ isBelow) {
    const { x, y, width, height } = box;
    const [cx, cy] = [x + width / 2, y + height / 2];
    const seeds = svg("g", { class: "seeds", transform: `translate(${cx} ${cy})` });
    // The labels stand outside the row: count, then letter and value.
    const outwards = isBelow ? 1 : -1;
    const out = (/** @type {number} */ distance) => outwards * (height / 2 + EDGE + distance);
    const label = this.#label;
    let [countX, countY, valueX, valueY] = [cx, cy + out(label * 0.31), cx, cy + out(label * 0.75)];
    if (this.#vertical) {
      const edge = cx - outwards * (width / 2 + EDGE + label / 2);
      [countX, countY, valueX, valueY] = [edge, cy - label * 0.21, edge, cy + label * 0.26];
    }
    const count = svg("tspan", { class: "count", dx: 7 });
    const letter = svg("tspan", { class: "letter" }, document.createTextNode(name));
    const text = svg("text", { x: countX, y: countY }, letter, count);
    const value = svg("text", { class: "value", x: valueX, y: valueY });
    const group = svg(
      "g",
      { class: `pit house ${sideOf(name) === "S" ? "south" : "north"}`, role: "button", "data-pit": name },
      svg("rect", { class: "touch", x, y: isBelow || this.#vertical ? y : y - label, width, height: height + (this.#vertical ? 0 : label) }),
      svg("rect", { class: "hole", x: x + 6, y: y + 6, width: width - 12, height: height - 12, rx: (Math.min(width, height) - 12) / 2 }),
      seeds,
    );
    this.#labels?.append(text, value);
    group.addEventListener("click", () => this.#pick(name));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.#pick(name);
    });
    // A finger has no place before it touches.
    group.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && this.#preview(name));
    group.addEventListener("pointerleave", () => this.#preview(""));
    group.addEventListener("focus", () => this.#preview(name));
    group.addEventListener("blur", () => this.#preview(""));
    this.root.append(group);
    this.#pits.set(name, { group, seeds, count, value, box: { x: x + 10, y: y + 10, width: width - 20, height: height - 20 }, shown: -1 });
  }

  async #pick(/** @type {string} */ name) {
    this.finish();
    await this.settled();
    if (this.isOpen(name)) this.onPick(name);
    else this.onRefused(name);
  }

  /** Marks where the last seed of a house would fall. */
  #preview(/** @type {string} */ house) {
    const move = house && this.isOpen(house) ? this.position?.moves.find((legal) => legal.move === house) : undefined;
    const target = move?.path.at(-1);
    for (const [name, pit] of this.#pits) pit.group.classList.toggle("target", name === target);
  }

  #fill(/** @type {string} */ name, /** @type {number} */ seeds) {
    const pit = this.#pits.get(name);
    if (!pit || pit.shown === seeds) return;
    pit.shown = seeds;
    const { radius, places } = arrangement(seeds, pit.box.width / 2, pit.box.height / 2);
    pit.seeds.replaceChildren(...circles(places, radius));
    pit.count.textContent = String(seeds);
    pit.group.dataset.seeds = String(seeds);
  }

  #center(/** @type {string} */ name) {
    const { x, y, width, height } = /** @type {Pit} */ (this.#pits.get(name)).box;
    return [x + width / 2, y + height / 2];
  }

  /** Ends a running animation at once. */
  finish() {
    this.#finish?.();
  }

  /**
   * Sows a move from a position, seed by seed, and shows the position after it.
   * @returns {Promise<void>} when it is over, or another position is shown
   */
  animate(/** @type {LegalMove} */ move, /** @type {Position} */ before, /** @type {Position} */ after) {
    if (this.position?.board !== before.board) this.show(before);
    const sowing = this.#sow(move, after);
    this.#sowing = sowing;
    return sowing;
  }

  async #sow(/** @type {LegalMove} */ move, /** @type {Position} */ after) {
    const before = this.position;
    const hand = this.root.querySelector(".hand");
    if (!before || !this.speed || !hand || document.hidden) return this.show(after, { move: move.move, played: move });
    this.finish();
    const run = ++this.#running;
    let isCut = false;
    this.#finish = () => {
      isCut = true;
    };
    if (!this.isSmall) document.body.dataset.busy = "true";
    this.#last = { move: move.move, played: null };
    this.setHint("");
    for (const { group } of this.#pits.values()) group.classList.remove("open", "target", "from", "to");
    this.#pits.get(move.move)?.group.classList.add("from");

    const step = Math.min(this.speed, LONGEST / move.path.length);
    const counts = new Map(pitsOf(before).map((pit) => [pit, seedsIn(before, pit)]));
    const change = (/** @type {string} */ pit, /** @type {number} */ by) => {
      counts.set(pit, (counts.get(pit) ?? 0) + by);
      if (run === this.#running) this.#fill(pit, counts.get(pit) ?? 0);
    };
    const isOver = () => isCut || run !== this.#running;
    /** Moves the hand with its seeds in an arc from pit to pit. */
    const carry = async (/** @type {string} */ from, /** @type {string} */ to, /** @type {number} */ seeds, /** @type {number} */ time) => {
      const { places } = arrangement(Math.min(seeds, 24), 24, 24);
      hand.replaceChildren(...circles(places, 9));
      const [[x0, y0], [x1, y1]] = [this.#center(from), this.#center(to)];
      const arc = Math.min(40, Math.hypot(x1 - x0, y1 - y0) / 4);
      const steps = Array.from({ length: 11 }, (_, i) => {
        const part = i / 10;
        const [x, y] = [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part - arc * 4 * part * (1 - part)];
        return { transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` };
      });
      const flight = hand.animate(steps, time);
      this.#finish = () => {
        isCut = true;
        flight.finish();
      };
      await flight.finished;
    };

    let [at, inHand] = [move.move, move.path.length];
    change(at, -(counts.get(at) ?? 0));
    for (const pit of move.path) {
      if (isOver()) break;
      await carry(at, pit, inHand, step);
      change(pit, 1);
      at = pit;
      inHand--;
    }
    const store = sideOf(move.move) === "S" ? "+" : "-";
    const gather = async (/** @type {string[]} */ pits, /** @type {string} */ to) => {
      for (const pit of pits) {
        const seeds = counts.get(pit) ?? 0;
        if (isOver() || !seeds) continue;
        this.#pits.get(pit)?.group.classList.add("captured");
        change(pit, -seeds);
        await carry(pit, to, seeds, Math.max(2.2 * step, 200));
        change(to, seeds);
      }
    };
    if (move.capture) await gather(move.capture.from, store);
    if (move.sweep) {
      const { side } = move.sweep;
      await gather([...letters(side, before.houses)], side === "S" ? "+" : "-");
    }
    hand.replaceChildren();
    for (const { group } of this.#pits.values()) group.classList.remove("captured");
    if (run !== this.#running) return;
    this.show(after, { move: move.move, played: move });
  }
}
