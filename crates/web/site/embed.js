// <kalah-board>: a position or a game on any page, which can be played on, with the value of each move by choice.

import { Analysis, valueLabels, valueText } from "./analysis.js";
import { Board } from "./board.js";
import { Engine } from "./engine.js";
import { Game } from "./game.js";
import { newButton } from "./notices.js";
import { element, pause, svg } from "./page.js";
import { Rules, isHouse } from "./rules.js";
import { tones } from "./seeds.js";
import { pack } from "./texts.js";
import { sides, words } from "./words.js";
import { Workers, address } from "./workers.js";

/** Milliseconds for the values of a position: somebody else's page is read, not left alone to compute. */
const LOOK = 10_000;

// One engine serves all boards of a page, one after the other.
const backend = new Workers();
const rules = new Rules(backend);
const start = (/** @type {number} */ number, /** @type {string} */ name) => new Engine(backend, number, name, () => null, () => {});
/** The board that is analysed, and those that wait. */
let shown = /** @type {KalahBoard | null} */ (null);
const waiting = /** @type {Set<KalahBoard>} */ (new Set());
const analysis = new Analysis(rules, start, () => {}, () => shown?.showValues());

/** Analyses the boards that wait, also those that come meanwhile. */
async function analyse() {
  if (shown) return;
  for (const board of waiting) {
    waiting.delete(board);
    const { position } = board;
    if (!position) continue;
    shown = board;
    analysis.follow(board.game.capture, position);
    analysis.turn(true);
    const end = performance.now() + LOOK;
    const isWanted = () => board.position === position && board.isConnected && performance.now() < end;
    while (analysis.isRunning && isWanted()) await pause(100);
    analysis.turn(false);
  }
  shown = null;
}

/**
 * Attributes: `board` (a board as text) or `houses` and `seeds`; `capture` (the rule); `moves` (letters), and `at`, how many
 * of them are played at first (all); `values` for the value of each move. The event `change` comes with each other position.
 */
export class KalahBoard extends HTMLElement {
  static observedAttributes = ["board", "houses", "seeds", "capture", "moves", "at", "values"];
  #frame = element("div", { id: "frame" });
  #root = svg("svg", { id: "board", role: "group", "aria-label": words.page.kalahBoard });
  #status = element("output", { id: "status" });
  #link = element("a", { target: "_blank", rel: "noopener" }, words.page.analyse);
  #board = new Board(this.#root, this.#frame);
  #setUp = 0;
  game = new Game("", "standard");
  node = this.game.root;
  position = /** @type {import("./types.js").Position | null} */ (null);

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    const button = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => import("./game.js").Node} */ to) =>
      newButton(() => this.#show(to()), { "aria-label": name, title: name }, text);
    const { first, back, forward, last } = words.page;
    const steps = element("div", { id: "steps" },
      button("«", first, () => this.game.root), button("‹", back, () => this.node.parent ?? this.node),
      button("›", forward, () => this.node.children[0] ?? this.node), button("»", last, () => this.node.end), this.#link);
    this.#frame.append(this.#root);
    for (const file of ["style.css", "board.css"]) shadow.append(element("link", { rel: "stylesheet", href: address(file) }));
    shadow.append(element("style", {}, STYLE), tones(), this.#frame, this.#status, steps);
    this.#board.isOpen = (house) => this.position?.moves.some(({ move }) => move === house) ?? false;
    this.#board.onPick = (house) => void this.#play(house);
    const houseOf = (/** @type {Event} */ { target }) => /** @type {Element} */ (target).closest("[data-pit]")?.getAttribute("data-pit") ?? "";
    this.#root.onclick = (event) => isHouse(houseOf(event)) && this.#board.pick(houseOf(event));
    this.#root.onkeydown = (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), this.#board.pick(houseOf(event)));
    this.#root.onpointerover = (event) => this.#board.preview(event.pointerType === "mouse" ? houseOf(event) : "");
    this.#root.onpointerleave = () => this.#board.preview("");
    new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.#want()).observe(this);
  }

  attributeChangedCallback() {
    // All attributes of an element come one after the other.
    const setUp = ++this.#setUp;
    queueMicrotask(() => setUp === this.#setUp && this.#begin());
  }

  connectedCallback() {
    this.attributeChangedCallback();
  }

  disconnectedCallback() {
    waiting.delete(this);
  }

  async #begin() {
    const setUp = this.#setUp;
    const has = (/** @type {string} */ name, otherwise = "") => this.getAttribute(name) ?? otherwise;
    const [capture, moves] = [has("capture", "standard"), has("moves").replace(/\s/g, "")];
    try {
      const { board } = this.hasAttribute("board") ? await rules.position(capture, has("board")) : await rules.start(capture, Number(has("houses", "6")), Number(has("seeds", "4")));
      const positions = await rules.line(capture, board, moves);
      if (setUp !== this.#setUp) return;
      this.game = new Game(board, capture);
      this.game.root.playAll(moves, positions);
      await this.#show(this.game.at([...moves].slice(0, Math.max(0, Number(has("at", String(moves.length))))).map(() => 0)));
    } catch (error) {
      this.#status.textContent = /** @type {Error} */ (error).message;
    }
  }

  async #play(/** @type {string} */ house) {
    const legal = this.position?.moves.find(({ move }) => move === house);
    if (legal) await this.#show(this.node.play(house, legal.board));
  }

  /** Shows a position of the game; the move to it is sown if it comes next. */
  async #show(/** @type {import("./game.js").Node} */ node) {
    const isNext = node.parent === this.node;
    this.node = node;
    const { capture } = this.game;
    const after = await rules.position(capture, node.board);
    if (node !== this.node) return;
    const parent = node.parent && await rules.position(capture, node.parent.board);
    const played = parent?.moves.find(({ move }) => move === node.move) ?? null;
    this.position = after;
    this.#board.setValues(new Map());
    if (isNext && parent && played) this.#board.animate(played, parent, after);
    else this.#board.show(after, node.parent && { move: node.move, played });
    this.showValues();
    this.#want();
    const { text } = await backend.request("write", { game: this.game.toRecord() });
    this.#link.href = `${address("./")}#g=${await pack(text)}`;
    this.dispatchEvent(new CustomEvent("change", { detail: { board: node.board, moves: node.moves } }));
  }

  #want() {
    if (!this.hasAttribute("values") || !this.isConnected) return;
    waiting.add(this);
    void analyse();
  }

  /** Draws what is known of the position. */
  showValues() {
    const { position } = this;
    if (!position) return;
    const found = this.hasAttribute("values") ? analysis.findings(this.game.capture, position.board) : undefined;
    this.#board.setValues(found ? valueLabels(found) : new Map());
    const players = sides();
    const { result, turn } = position;
    const state = result === null ? words.toMove(players[turn]) : result ? words.winsBy(result > 0 ? "S" : "N", players, Math.abs(result)) : words.aDraw;
    this.#status.textContent = found?.best && result === null ? `${state} · ${valueText(found.best, " ✓")}` : state;
  }
}

const STYLE = `
  :host { color-scheme: inherit; display: flex; flex-direction: column; gap: .4rem; max-width: 46rem; color: var(--ink);
    font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
  :host([hidden]) { display: none; }
  #frame { max-height: 23rem; }
  a { color: var(--accent); align-self: center; margin-left: .8rem; }
`;

customElements.define("kalah-board", KalahBoard);
