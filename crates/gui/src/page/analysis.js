// Analysis of a position: a value for every move, first by a search of all, then move by move until each
// is proven. What was found is kept, so that stepping through a game loses nothing.

import { otherSide } from "./rules.js";
import { number, sides, words } from "./words.js";

/** @import { LegalMove, Position, MoveValue, Info } from "./types" */

/** Milliseconds for the first look at all moves, and for a move alone after that; the latter doubles. */
const FIRST_LOOK = 400;
const LOOK = 1000;
const FIRST_SLICE = 250;
const LONGEST_SLICE = 120_000;

export class Findings {
  /** By move. @type {Record<string, MoveValue>} */
  values = {};
  depth = 0;
  nodes = 0;
  nps = 0;
  tbhits = 0;
  timeSlice = FIRST_SLICE;

  constructor(/** @type {Position} */ position) {
    this.position = position;
  }

  get sign() {
    return this.position.turn === "S" ? 1 : -1;
  }

  /** Best first, for the player to move. */
  get ranked() {
    return Object.values(this.values).sort((a, b) => this.sign * (b.value - a.value) || Number(b.proven) - Number(a.proven));
  }

  get isProven() {
    const { moves, result } = this.position;
    return result !== null || (moves.length > 0 && moves.every(({ move }) => this.values[move]?.proven));
  }

  /** The value of the position for South. */
  get best() {
    if (this.position.result !== null) return { value: this.position.result, proven: true };
    const { ranked } = this;
    const [best] = ranked;
    if (!best || ranked.length < this.position.moves.length) return null;
    return { value: best.value, proven: this.isProven, bound: this.isProven ? null : best.bound };
  }

  /** Takes a value, unless a better founded one is known. */
  learn(/** @type {MoveValue} */ found) {
    const known = this.values[found.move];
    if (known && !found.proven && (known.proven || found.depth < known.depth)) return;
    this.values[found.move] = found;
    this.depth = Math.max(this.depth, found.depth);
  }
}

export class Analysis {
  #kept = /** @type {Map<string, Findings>} */ (new Map());
  #engine = /** @type {import("./engine.js").Engine | null} */ (null);
  /** For what the opponent would do; the positions that were asked for. */
  #second = /** @type {import("./engine.js").Engine | null} */ (null);
  #threats = /** @type {Map<string, Promise<LegalMove | null>>} */ (new Map());
  #run = 0;
  #at = /** @type {{capture: string, position: Position} | null} */ (null);
  isOn = false;
  isRunning = false;
  settings = { engine: 0, threads: 1, hash: 64 };

  /**
   * @param {import("./rules.js").Rules} rules
   * @param {(number: number, name: string) => import("./engine.js").Engine} start
   * @param {(text: string) => void} notice
   * @param {() => void} onUpdate
   */
  constructor(rules, start, notice, onUpdate) {
    this.rules = rules;
    this.start = start;
    this.notice = notice;
    this.onUpdate = onUpdate;
  }

  findings(/** @type {string} */ capture, /** @type {string} */ board) {
    return this.#kept.get(`${capture} ${board}`);
  }

  keep(/** @type {string} */ capture, /** @type {Findings} */ findings) {
    this.#kept.set(`${capture} ${findings.position.board}`, findings);
  }

  configure(/** @type {{engine: number, threads: number, hash: number}} */ settings) {
    if (settings.engine !== this.settings.engine) {
      this.#engine?.close();
      this.#second?.close();
      this.#engine = this.#second = null;
      this.#threats.clear();
      this.#kept.clear();
    }
    this.settings = { ...settings };
    if (this.isOn) this.restart();
  }

  /** Analyses this position from now on, if it is on. */
  follow(/** @type {string} */ capture, /** @type {Position} */ position) {
    const isSame = this.#at?.position.board === position.board && this.#at.capture === capture;
    this.#at = { capture, position };
    if (this.isOn && !(isSame && this.isRunning)) this.restart();
  }

  turn(/** @type {boolean} */ on) {
    this.isOn = on;
    if (on) this.restart();
    else this.#pause();
    this.onUpdate();
  }

  #pause() {
    this.#run++;
    this.isRunning = false;
    this.#engine?.stop();
  }

  async restart() {
    this.#pause();
    if (!this.#at || !this.isOn) return;
    const run = this.#run;
    this.isRunning = true;
    try {
      await this.#analyse(this.#at.capture, this.#at.position, run);
    } catch (error) {
      if (run === this.#run) this.notice(words.analysisEnded(/** @type {Error} */ (error).message));
    }
    if (run !== this.#run) return;
    this.isRunning = false;
    this.onUpdate();
  }

  /** The values of all moves: those that are known, or those of a search of a second; `null` if that was stopped. */
  async look(/** @type {string} */ capture, /** @type {Position} */ position) {
    const known = this.findings(capture, position.board);
    if (known?.isProven || (this.isOn && known?.best)) return known;
    this.#pause();
    const run = this.#run;
    const found = known ?? new Findings(position);
    this.keep(capture, found);
    await this.#lookAtAll(found, run, capture, LOOK);
    const isStopped = run !== this.#run;
    if (this.isOn && !isStopped) this.restart();
    return isStopped || !found.best ? null : found;
  }

  /** What the opponent would do if it were their turn. */
  threat(/** @type {string} */ capture, /** @type {Position} */ { board, turn }) {
    const turned = board.replace(/.$/, otherSide(turn));
    const key = `${capture} ${turned}`;
    const known = this.#threats.get(key) ?? this.#findThreat(capture, turned).catch(() => null);
    this.#threats.set(key, known);
    // One that was not found, because another one was asked for, is asked for again.
    known.then((move) => move || this.#threats.delete(key));
    return known;
  }

  async #findThreat(/** @type {string} */ capture, /** @type {string} */ board) {
    const position = await this.rules.position(capture, board);
    if (!position.moves.length) return null;
    this.#second ??= this.start(this.settings.engine, "threat");
    this.#second.setOption("Hash", 16);
    const answer = await this.#second.search({ capture, position: `fen ${board}`, go: () => `go movetime ${FIRST_LOOK}`, time: FIRST_LOOK });
    return position.moves.find(({ move }) => move === answer?.best) ?? null;
  }

  async #analyse(/** @type {string} */ capture, /** @type {Position} */ position, /** @type {number} */ run) {
    const found = this.findings(capture, position.board) ?? new Findings(position);
    this.keep(capture, found);
    this.onUpdate();
    if (found.isProven) return;
    const { moves } = position;
    if (found.ranked.length < moves.length) await this.#lookAtAll(found, run, capture, FIRST_LOOK);
    const value = (/** @type {string} */ move) => found.sign * (found.values[move]?.value ?? -Infinity);
    while (run === this.#run && !found.isProven) {
      // The best moves first.
      const open = moves.filter(({ move }) => !found.values[move]?.proven).sort((a, b) => value(b.move) - value(a.move));
      for (const legal of open) {
        if (run !== this.#run) return;
        await this.#prove(found, run, capture, legal);
      }
      found.timeSlice = Math.min(2 * found.timeSlice, LONGEST_SLICE);
    }
  }

  #lookAtAll(/** @type {Findings} */ found, /** @type {number} */ run, /** @type {string} */ capture, /** @type {number} */ time) {
    const { board, moves } = found.position;
    return this.#search(found, run, { capture, board, lines: moves.length, time }, (info) => valueOf(info, found.sign));
  }

  /** Looks at the position after a move. */
  async #prove(/** @type {Findings} */ found, /** @type {number} */ run, /** @type {string} */ capture, /** @type {LegalMove} */ { move, board }) {
    const after = await this.rules.position(capture, board);
    if (run !== this.#run) return;
    if (after.result !== null) {
      found.learn({ move, value: after.result, proven: true, bound: null, depth: 1, pv: [move] });
      this.onUpdate();
      return;
    }
    const fromHere = (/** @type {Info} */ info) => ({ ...info, depth: info.depth + 1, pv: [move, ...info.pv] });
    const sign = after.turn === "S" ? 1 : -1;
    await this.#search(found, run, { capture, board, lines: 1, time: found.timeSlice }, (info) => valueOf(fromHere(info), sign));
  }

  /**
   * Searches a board, and learns values of moves while the run goes on.
   * @param {Findings} found
   * @param {number} run
   * @param {{capture: string, board: string, lines: number, time: number}} search
   * @param {(info: Info) => MoveValue} toMoveValue
   */
  async #search(found, run, { capture, board, lines, time }, toMoveValue) {
    const { threads, hash } = this.settings;
    const engine = (this.#engine ??= this.start(this.settings.engine, "analysis"));
    for (const [name, value] of Object.entries({ Threads: threads, Hash: hash, MultiPV: lines })) engine.setOption(name, value);
    let counted = 0;
    await engine.search({
      capture,
      position: `fen ${board}`,
      go: () => `go movetime ${time}`,
      time,
      onInfo: (info) => {
        if (run !== this.#run) return;
        found.nodes += info.nodes - counted;
        counted = info.nodes;
        found.nps = info.nps;
        found.tbhits = info.tbhits;
        found.learn(toMoveValue(info));
        this.onUpdate();
      },
    });
  }
}

/** The value of the first move of a line. @returns {MoveValue} */
function valueOf(/** @type {Info} */ { score, bound, proven, depth, pv }, /** @type {number} */ sign) {
  const turned = bound && sign < 0 ? (bound === "lower" ? "upper" : "lower") : bound;
  return { move: pv[0], value: sign * score, proven: proven && !bound, bound: turned, depth, pv };
}

/** A value as people read it: `+8` if it is proven, otherwise with one digit more, such as `-1.3`. */
function seedsText(/** @type {number} */ value, isProven = false) {
  const rounded = isProven ? Math.round(value) : Math.abs(value) < 0.05 ? 0 : value;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${number(Math.abs(rounded), isProven ? 0 : 1)}`;
}

/** A value with its bound, and a mark if it is proven: `≥2.5`, `+8✓`. */
export function valueText(/** @type {{value: number, proven: boolean, bound?: string | null}} */ { value, proven, bound }, mark = "✓") {
  const sign = bound === "lower" ? "≥" : bound === "upper" ? "≤" : "";
  return `${sign}${seedsText(value, proven)}${proven ? mark : ""}`;
}

/** A value in words: `South wins by 8, proven`. */
export function valueWords(/** @type {number} */ value, /** @type {boolean} */ isProven, players = sides()) {
  const digits = isProven ? 0 : 1;
  const isDraw = Number(Math.abs(value).toFixed(digits)) === 0;
  return words.value(isDraw ? null : players[value > 0 ? "S" : "N"], number(Math.abs(value), digits), isProven);
}

/** The values of the moves as the board shows them, by their houses. */
export function valueLabels(/** @type {Findings} */ { ranked, sign, best }) {
  return new Map(ranked.map((found, i) => {
    const own = sign * found.value;
    const isBest = i === 0 || (best && found.value === ranked[0].value);
    const style = `${own > 0 ? "good" : own < 0 ? "bad" : ""}${isBest ? " best" : ""}`;
    return [found.move, { text: valueText({ ...found, bound: null }), style, words: valueWords(found.value, found.proven) }];
  }));
}
