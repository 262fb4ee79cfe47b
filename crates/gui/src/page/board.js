// The board as SVG: what is drawn, and the picture of a move.

import { arrow, stepsOf, word } from "./arrows.js";
import { layoutOf, ratioOf } from "./layout.js";
import { svg } from "./page.js";
import { isHouse, letters, pitsOf, seedsIn, sideOf, storeOf } from "./rules.js";
import { fill, placesIn } from "./seeds.js";
import { sow } from "./sowing.js";
import { sides, words } from "./words.js";

/** @import { Mark } from "./arrows.js" */
/** @import { Sound } from "./sounds.js" */
/** @import { Position, LegalMove } from "./types" */
/** Below a house: text, a word for the style, and words to be read aloud. @typedef {{text: string, style: string, words: string}} ValueLabel */
/** @typedef {{move: string, played: LegalMove | null}} LastMove */
/** @typedef {import("./layout.js").Box & {rx: number}} Hole */
/** @typedef {{group: SVGGElement, hole: Hole, seeds: SVGGElement, count: SVGElement, value: SVGTextElement, places: [number, number][],
 *   center: [number, number], key: number, shown: number}} Pit */

export class Board {
  #pits = /** @type {Map<string, Pit>} */ (new Map());
  #layout = /** @type {import("./layout.js").Layout | null} */ (null);
  /** Ends the running animation. */
  #finish = /** @type {(() => void) | null} */ (null);
  #sowing = Promise.resolve();
  position = /** @type {Position | null} */ (null);
  /** A picture: it takes no keys. */
  isSmall = false;
  /** Whether North sits below. */
  isFlipped = false;
  #isOnRight = false;
  /** Milliseconds for a seed; 0 for no animation. */
  speed = 160;
  /** @type {(letter: string) => void} */
  onPick = () => {};
  /** Told of houses that are not open. @type {(letter: string) => void} */
  onRefused = () => {};
  /** Told what happens while a move is shown. @type {(event: Sound) => void} */
  onEvent = () => {};
  /** Told when seeds begin to move, and when they lie. @type {(isBusy: boolean) => void} */
  onBusy = () => {};
  /** Whether pointing at a house shows where its seeds would go. */
  showsPaths = true;
  /** Houses that may be picked now. */
  isOpen = (/** @type {string} */ _pit) => false;
  /** Who plays. */
  players = () => sides();
  #values = /** @type {Map<string, ValueLabel>} */ (new Map());
  #last = /** @type {LastMove | null} */ (null);
  #hint = "";
  /** The width of the window at the last layout. */
  #windowWidth = 0;
  /** The house that is pointed at. */
  #pointed = "";
  /** What is drawn over the pits, by whom. @type {Map<string, Mark[]>} */
  #arrows = new Map();

  constructor(/** @type {SVGSVGElement} */ root, /** @type {HTMLElement} */ frame) {
    this.root = root;
    this.frame = frame;
    new ResizeObserver(() => this.#fit()).observe(frame);
  }

  /** Whether the own houses of an upright board are on the left. */
  set isOnRight(/** @type {boolean} */ value) {
    this.#isOnRight = value;
    this.#fit();
  }

  /** A picture that fills an element. */
  static small(/** @type {HTMLElement} */ frame) {
    const board = new Board(svg("svg", { "aria-hidden": "true" }), frame);
    board.isSmall = true;
    frame.replaceChildren(board.root);
    return board;
  }

  #pit(/** @type {string} */ name) {
    return /** @type {Pit} */ (this.#pits.get(name));
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
    this.finish();
    this.#finish = null;
    this.onBusy(false);
    this.position = position;
    this.#last = last;
    this.frame.style.setProperty("--ratio", String(ratioOf(position.houses)));
    this.#fit();
    this.#draw();
  }

  #draw() {
    const { position } = this;
    if (!position) return;
    for (const name of pitsOf(position)) {
      const [pit, seeds] = [this.#pits.get(name), seedsIn(position, name)];
      if (!pit) continue;
      fill(pit.seeds, seeds, pit.places, pit.key);
      this.#number(pit, seeds);
    }
    this.refresh();
  }

  /** Draws marks and names anew: which houses may be picked, the last move. */
  refresh() {
    const { position } = this;
    if (!position) return;
    const players = this.players();
    for (const [name, pit] of this.#pits) {
      const isOpen = isHouse(name) && this.isOpen(name);
      const { classList } = pit.group;
      classList.toggle("open", isOpen);
      classList.toggle("from", name === this.#last?.move);
      classList.toggle("to", name === this.#last?.played?.path.at(-1));
      classList.toggle("taken", this.#last?.played?.capture?.from.includes(name) ?? false);
      classList.toggle("turn", isHouse(name) && position.result === null && sideOf(name) === position.turn);
      if (!isHouse(name)) continue;
      const seeds = seedsIn(position, name);
      if (!this.isSmall) pit.group.setAttribute("tabindex", isOpen ? "0" : "-1");
      pit.group.setAttribute("aria-disabled", String(!isOpen));
      const value = this.#values.get(name);
      pit.value.textContent = value?.text ?? "";
      pit.value.setAttribute("class", `value ${value?.style ?? ""}`);
      const legal = isOpen && position.moves.find(({ move }) => move === name);
      const parts = [words.house(players[sideOf(name)], name, seeds)];
      if (legal && legal.pickUps.length) parts.push(words.wouldSowOn(legal.pickUps.length));
      if (legal && legal.again) parts.push(words.wouldMoveAgain);
      if (legal && legal.capture) parts.push(words.capturesShort(legal.capture.seeds));
      if (value) parts.push(value.words);
      pit.group.setAttribute("aria-label", parts.join(", "));
    }
    for (const [name, side] of /** @type {const} */ ([["+", "S"], ["-", "N"]])) {
      this.#pits.get(name)?.group.setAttribute("aria-label", words.store(players[side], seedsIn(position, name)));
    }
    this.root.dataset.turn = position.result === null ? position.turn : "";
    if (!this.isSmall) this.#drawPath();
  }

  setValues(/** @type {Map<string, ValueLabel>} */ values) {
    this.#values = values;
    this.refresh();
  }

  /** Marks a house as advice; none with an empty name. */
  setHint(/** @type {string} */ house) {
    this.#hint = house;
    for (const [name, pit] of this.#pits) pit.group.classList.toggle("hint", name === house);
  }

  /** Draws arrows and rings over the pits, in place of those of the same layer. */
  setArrows(/** @type {string} */ layer, /** @type {Mark[]} */ drawn) {
    const text = JSON.stringify(drawn);
    if (text === JSON.stringify(this.#arrows.get(layer) ?? [])) return;
    this.#arrows.set(layer, drawn);
    this.#drawArrows();
  }

  #drawArrows() {
    const drawn = [...this.#arrows.values()].flat().filter(({ pits }) => pits.every((pit) => this.#pits.has(pit)));
    const shapes = drawn.map(({ pits, kind, text }) => {
      const { hole } = this.#pit(pits[0]);
      if (text) return this.#badge(hole, text);
      // Once round is enough.
      if (pits.length > 1) return arrow(pits.map((pit) => this.#pit(pit).center).slice(-this.#pits.size - 1), kind);
      return svg("rect", { ...hole, class: `ring ${kind}` });
    });
    this.root.querySelector(".arrows")?.replaceChildren(...shapes);
  }

  /** A short text at the corner of a pit. */
  #badge(/** @type {Hole} */ { x, y, width }, /** @type {string} */ text) {
    const { isDense, width: most } = /** @type {import("./layout.js").Layout} */ (this.#layout);
    const size = isDense ? 30 : 20;
    return word(text, [x + width - size, y + size], { size, width: most });
  }

  /** Lays the board out for the present shape of the frame. */
  #fit() {
    const { position, isFlipped } = this;
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!position || !width || !height) return;
    // A card that opens below the board does not turn it; a window of another width does.
    const wasUpright = innerWidth === this.#windowWidth && this.#layout?.isUpright;
    this.#windowWidth = innerWidth;
    const layout = layoutOf({ houses: position.houses, width, height, isFlipped, isOnRight: this.#isOnRight, wasUpright });
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
    for (const pit of [storeOf(above), ...letters(above, houses), ...letters(below, houses), storeOf(below)]) this.#add(pit, place(pit), labels);
    this.root.append(...["arrows", "hand"].map((layer) => svg("g", { class: layer, "aria-hidden": "true" })), labels, svg("g", { class: "words", "aria-hidden": "true" }));
    this.#drawArrows();
    this.setHint(this.#hint);
  }

  #add(/** @type {string} */ name, /** @type {import("./layout.js").Place} */ place, /** @type {SVGGElement} */ labels) {
    const isStore = !isHouse(name);
    const side = name === "+" || (!isStore && sideOf(name) === "S") ? "south" : "north";
    const { hole, seeds: box } = place;
    const center = /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
    const seeds = svg("g", { class: "seeds", transform: `translate(${center.join(" ")})` });
    const round = { ...hole, rx: Math.min(hole.width, hole.height) / (isStore ? 2.4 : 2) };
    const group = svg("g", { class: `pit ${isStore ? "store" : "house"} ${side}`, role: isStore ? "img" : "button", "data-pit": name });
    const [[x, y], [valueX, valueY]] = [place.count, place.value];
    const count = isStore ? svg("text", { class: "count banked", x, y }) : svg("tspan", { class: "count", dx: 7 });
    const value = svg("text", { class: "value", x: valueX, y: valueY });
    labels.append(isStore ? count : svg("text", { x, y }, svg("tspan", { class: "letter" }, document.createTextNode(name)), count), value);
    group.append(svg("rect", { class: "touch", ...place.touch }), svg("rect", { class: "hole", ...round }), seeds);
    this.root.append(group);
    const key = name.charCodeAt(0);
    this.#pits.set(name, { group, hole: round, seeds, count, value, places: placesIn(box.width, box.height, key), center, key, shown: -1 });
  }

  /** Lets a house be sown, or says why not. */
  async pick(/** @type {string} */ name) {
    // Whoever has just sown this house wants to see the end.
    const isSame = this.isBusy && name === this.#last?.move;
    this.finish();
    if (isSame) return;
    await this.settled();
    if (this.isOpen(name)) this.onPick(name);
    else this.onRefused(name);
  }

  /** Shows where the seeds of a house would go; none with an empty name. */
  preview(/** @type {string} */ house) {
    if (house === this.#pointed) return;
    this.#pointed = house;
    this.#drawPath();
  }

  /** Draws the path of the house that is pointed at, the number that each pit will have, and what comes of it. */
  #drawPath() {
    const legal = this.showsPaths && !this.isBusy ? this.position?.moves.find(({ move }) => move === this.#pointed) : undefined;
    const target = legal?.path.at(-1) ?? "";
    const later = legal && this.position ? seedsOn(this.position, legal.board) : null;
    for (const [name, pit] of this.#pits) {
      pit.group.classList.toggle("target", name === target);
      const will = later?.get(name) ?? pit.shown;
      pit.count.classList.toggle("will", will !== pit.shown);
      if (pit.count.textContent !== String(will)) pit.count.textContent = String(will);
    }
    this.setArrows("path", legal ? [{ pits: [legal.move, ...legal.path], kind: "path" }, ...stepsOf(legal)] : []);
    const result = legal?.capture ? words.capturesShort(legal.capture.seeds) : legal?.again ? words.again : "";
    this.#say(result, target, "will");
  }

  /** Writes a short word on a pit, for a moment or until another one comes. */
  #say(/** @type {string} */ text, /** @type {string} */ pit, kind = "") {
    const layer = this.root.querySelector(".words");
    const old = layer?.querySelector(kind ? ".will" : ".word:not(.will)");
    if (old?.textContent === text) return;
    old?.remove();
    if (!text || !layer || !this.#layout) return;
    const { isDense, width } = this.#layout;
    const { center: [x, y], hole } = this.#pit(pit);
    const label = word(text, [x, y + Math.min(hole.height / 2, 70) - 4], { size: isDense ? 36 : 24, width });
    if (kind) label.classList.add(kind);
    layer.append(label);
    if (kind) return;
    const [hidden, up] = [{ opacity: 0, transform: "translateY(6px)" }, { opacity: 1, transform: "none" }];
    const moves = this.speed ? [hidden, { ...up, offset: 0.12 }, { ...up, offset: 0.8 }, { opacity: 0, transform: "translateY(-8px)" }] : [up, up];
    label.animate(moves, 1500).onfinish = () => label.remove();
  }

  #number(/** @type {Pit} */ pit, /** @type {number} */ seeds) {
    if (pit.shown === seeds) return;
    pit.shown = seeds;
    pit.count.textContent = String(seeds);
    pit.group.dataset.seeds = String(seeds);
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
    this.#sowing = this.#sow(move, after);
    return this.#sowing;
  }

  async #sow(/** @type {LegalMove} */ legal, /** @type {Position} */ after) {
    const before = this.position;
    const hand = /** @type {SVGGElement | null} */ (this.root.querySelector(".hand"));
    const last = { move: legal.move, played: legal };
    const target = legal.path.at(-1) ?? "";
    /** Shows what comes of the move. */
    const emit = (/** @type {Sound} */ event, pit = target) => {
      this.onEvent(event);
      if (event === "pickUp") this.#pits.get(pit)?.group.classList.add("picked");
      if (event === "capture") this.#say(words.capturesShort(legal.capture?.seeds ?? 0), pit);
      for (const from of (event === "capture" && legal.capture?.from) || []) this.#pits.get(from)?.group.classList.add("captured");
      if (event === "again") this.#say(words.again, pit);
    };
    const store = storeOf(sideOf(legal.move));
    const isEnd = after.result !== null;
    if (!before || !this.speed || !hand || document.hidden) {
      this.show(after, last);
      emit(isEnd ? "end" : legal.capture ? "capture" : legal.again ? "again" : "seed");
      return;
    }
    this.finish();
    let isCut = false;
    let flight = /** @type {Animation | null} */ (null);
    const finish = () => {
      isCut = true;
      flight?.finish();
    };
    this.#finish = finish;
    this.onBusy(true);
    this.#last = { move: legal.move, played: null };
    this.setHint("");
    this.#drawPath();
    for (const { group } of this.#pits.values()) group.classList.remove("open", "from", "to", "taken");
    this.#pits.get(legal.move)?.group.classList.add("from");
    const stage = {
      hand,
      pit: (/** @type {string} */ name) => this.#pit(name),
      emit,
      change: (/** @type {Pit} */ pit, /** @type {number} */ by) => this.#number(pit, pit.shown + by),
      isOver: () => isCut,
      runs: (/** @type {Animation} */ animation) => void (flight = animation),
    };
    const swept = legal.sweep ? [...letters(legal.sweep.side, before.houses)] : [];
    await sow(stage, legal, { speed: this.speed, store, swept, isEnd });
    hand.replaceChildren();
    for (const { group } of this.#pits.values()) group.classList.remove("picked", "captured");
    // Unless another position is shown already, or sown to.
    if (this.#finish === finish) this.show(after, last);
  }
}

/** The seeds of all pits on a board as text, which has the houses and stores of a position. */
function seedsOn(/** @type {Position} */ { houses }, /** @type {string} */ board) {
  const [, south, north, ...rows] = (board.match(/\d+/g) ?? []).map(Number);
  const numbers = [...rows.slice(0, houses), south, ...rows.slice(houses), north];
  return new Map(pitsOf(/** @type {Position} */ ({ houses })).map((pit, i) => [pit, numbers[i]]));
}
