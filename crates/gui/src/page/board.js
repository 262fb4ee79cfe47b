// The board as SVG: drawing, input and the animation of a move.

import { layoutOf, ratioOf } from "./layout.js";
import { letters, pitsOf, seedsIn, sideOf } from "./rules.js";
import { sides, words } from "./words.js";

/** @import { Position, LegalMove } from "./types" */
/** Below a house: text, a word for the style, and words to be read aloud. @typedef {{text: string, style: string, words: string}} ValueLabel */
/** @typedef {{move: string, played: LegalMove | null}} LastMove */
/** @typedef {{group: SVGGElement, seeds: SVGGElement, count: SVGElement, value: SVGTextElement, box: import("./layout.js").Box, shown: number}} Pit */

const SVG = "http://www.w3.org/2000/svg";
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
  #layout = /** @type {import("./layout.js").Layout | null} */ (null);
  #finish = /** @type {(() => void) | null} */ (null);
  #running = 0;
  #sowing = Promise.resolve();
  position = /** @type {Position | null} */ (null);
  /** A picture: it takes no keys and does not tell the page what it does. */
  isSmall = false;
  /** Whether North sits below. */
  isFlipped = false;
  #isLeftHanded = false;
  /** Milliseconds for a seed; 0 for no animation. */
  speed = 160;
  /** @type {(letter: string) => void} */
  onPick = () => {};
  /** Told of houses that are not open. @type {(letter: string) => void} */
  onRefused = () => {};
  /** Houses that may be picked now. */
  isOpen = (/** @type {string} */ _pit) => false;
  /** Who plays. */
  players = () => sides();
  #values = /** @type {Map<string, ValueLabel>} */ (new Map());
  #last = /** @type {LastMove | null} */ (null);

  constructor(/** @type {SVGSVGElement} */ root, /** @type {HTMLElement} */ frame) {
    this.root = root;
    this.frame = frame;
    new ResizeObserver(() => this.#fit()).observe(frame);
  }

  /** Whether the own houses of an upright board are on the left. */
  set isLeftHanded(/** @type {boolean} */ value) {
    this.#isLeftHanded = value;
    this.#fit();
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
    this.frame.style.setProperty("--ratio", String(ratioOf(position.houses)));
    this.#fit();
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
    const players = this.players();
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
      pit.group.setAttribute("aria-label", `${words.house(players[sideOf(name)], name, seeds)}${value ? `, ${value.words}` : ""}`);
    }
    for (const [name, side] of /** @type {const} */ ([["+", "S"], ["-", "N"]])) {
      this.#pits.get(name)?.group.setAttribute("aria-label", words.store(players[side], seedsIn(position, name)));
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

  /** Lays the board out for the present shape of the frame. */
  #fit() {
    const { position, isFlipped } = this;
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!position || !width || !height) return;
    const layout = layoutOf({ houses: position.houses, width, height, isFlipped, isLeftHanded: this.#isLeftHanded });
    if (layout.key === this.#layout?.key) return;
    this.#layout = layout;
    // What is being sown was counted on the old board.
    this.finish();
    const focused = this.root.contains(document.activeElement) && /** @type {SVGElement} */ (document.activeElement).dataset.pit;
    this.#build(layout, position);
    this.#draw();
    if (focused) this.#pits.get(focused)?.group.focus();
  }

  #build(/** @type {import("./layout.js").Layout} */ { width, height, isDense, panel, place }, /** @type {Position} */ { houses }) {
    this.#pits.clear();
    this.root.classList.toggle("dense", isDense);
    this.root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    // Labels lie above the pits and belong to none, since the pits tell what they hold themselves.
    const labels = svg("g", { class: "labels", "aria-hidden": "true" });
    this.root.replaceChildren(svg("rect", { class: "panel", ...panel, rx: 46 }));
    // From the store of the player above, the way that a reader goes.
    const [below, above] = this.isFlipped ? /** @type {const} */ (["N", "S"]) : /** @type {const} */ (["S", "N"]);
    const storeOf = (/** @type {string} */ side) => (side === "S" ? "+" : "-");
    for (const pit of [storeOf(above), ...letters(above, houses), ...letters(below, houses), storeOf(below)]) this.#add(pit, place(pit), labels);
    this.root.append(labels, svg("g", { class: "hand", "aria-hidden": "true" }));
  }

  #add(/** @type {string} */ name, /** @type {import("./layout.js").Place} */ place, /** @type {SVGGElement} */ labels) {
    const isStore = name === "+" || name === "-";
    const side = name === "+" || (!isStore && sideOf(name) === "S") ? "south" : "north";
    const { hole, seeds: box } = place;
    const seeds = svg("g", { class: "seeds", transform: `translate(${box.x + box.width / 2} ${box.y + box.height / 2})` });
    const rounding = Math.min(hole.width, hole.height) / (isStore ? 2.4 : 2);
    const group = svg("g", { class: `pit ${isStore ? "store" : "house"} ${side}`, role: isStore ? "img" : "button", "data-pit": name });
    const [[x, y], [valueX, valueY]] = [place.count, place.value];
    const count = isStore ? svg("text", { class: "count banked", x, y }) : svg("tspan", { class: "count", dx: 7 });
    const value = svg("text", { class: "value", x: valueX, y: valueY });
    labels.append(isStore ? count : svg("text", { x, y }, svg("tspan", { class: "letter" }, document.createTextNode(name)), count), value);
    group.append(svg("rect", { class: "touch", ...place.touch }), svg("rect", { class: "hole", ...hole, rx: rounding }), seeds);
    this.root.append(group);
    this.#pits.set(name, { group, seeds, count, value, box, shown: -1 });
    if (!isStore) this.#listen(name, group);
  }

  #listen(/** @type {string} */ name, /** @type {SVGGElement} */ group) {
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
