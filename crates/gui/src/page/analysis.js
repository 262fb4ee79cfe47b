// Analysis of a position: a value for every move, first by a search of all, then move by move until each
// is proven. What was found is kept, so that stepping through a game loses nothing.

import { Engine } from "./engine.js";

/** @typedef {import("./types").Position} Position */
/** @typedef {import("./types").MoveValue} MoveValue */
/** @typedef {import("./types").Info} Info */

/** Milliseconds for the first look at all moves, and for a move alone after that; the latter doubles. */
const FIRST_LOOK = 400;
const FIRST_SHARE = 250;
const LONGEST_SHARE = 120_000;

export class Findings {
  /** @type {Map<string, MoveValue>} */
  values = new Map();
  depth = 0;
  nodes = 0;
  nps = 0;
  tbhits = 0;
  share = FIRST_SHARE;

  constructor(/** @type {Position} */ position) {
    this.position = position;
  }

  get sign() {
    return this.position.turn === "S" ? 1 : -1;
  }

  /** Best first, for the player to move. */
  get ranked() {
    return [...this.values.values()].sort((a, b) => this.sign * (b.value - a.value) || Number(b.proven) - Number(a.proven));
  }

  get isProven() {
    const { moves, result } = this.position;
    return result !== null || (moves.length > 0 && moves.every(({ move }) => this.values.get(move)?.proven));
  }

  /** The value of the position for South. */
  get best() {
    if (this.position.result !== null) return { value: this.position.result, proven: true };
    const [best] = this.ranked;
    return best && this.values.size === this.position.moves.length ? { value: best.value, proven: this.isProven } : null;
  }

  /** Takes a value, unless a better founded one is known. */
  learn(/** @type {MoveValue} */ found) {
    const known = this.values.get(found.move);
    if (known?.proven && !found.proven) return;
    if (known && !found.proven && found.depth < known.depth) return;
    this.values.set(found.move, found);
    this.depth = Math.max(this.depth, found.depth);
  }

  /** For keeping over a reload. */
  toJSON() {
    const { position, values, depth, nodes, share } = this;
    return { position, values: [...values.values()], depth, nodes, share };
  }

  static fromJSON(/** @type {any} */ { position, values, depth, nodes, share }) {
    const findings = new Findings(position);
    for (const value of values) findings.values.set(value.move, value);
    return Object.assign(findings, { depth, nodes, share });
  }
}

export class Analysis {
  /** @type {Map<string, Findings>} */
  #kept = new Map();
  /** @type {Engine | null} */
  #engine = null;
  #run = 0;
  /** @type {{capture: string, position: Position} | null} */
  #at = null;
  isOn = false;
  isRunning = false;
  settings = { engine: 0, threads: 1, hash: 64 };

  /**
   * @param {import("./socket.js").Socket} socket
   * @param {import("./rules.js").Rules} rules
   * @param {(text: string) => void} notice
   * @param {() => void} onUpdate
   */
  constructor(socket, rules, notice, onUpdate) {
    this.socket = socket;
    this.rules = rules;
    this.notice = notice;
    this.onUpdate = onUpdate;
  }

  findings(/** @type {string} */ capture, /** @type {string} */ board) {
    return this.#kept.get(`${capture} ${board}`);
  }

  keep(/** @type {string} */ capture, /** @type {Findings} */ findings) {
    this.#kept.set(`${capture} ${findings.position.board}`, findings);
  }

  forget() {
    this.#kept.clear();
  }

  configure(/** @type {{engine: number, threads: number, hash: number}} */ settings) {
    if (settings.engine !== this.settings.engine) {
      this.#engine?.close();
      this.#engine = null;
      this.forget();
    }
    this.settings = { ...settings };
    if (this.isOn) this.restart();
  }

  #ready() {
    const { engine, threads, hash } = this.settings;
    this.#engine ??= new Engine(this.socket, engine, "analysis", this.notice);
    this.#engine.setOption("Threads", threads);
    this.#engine.setOption("Hash", hash);
    return this.#engine;
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
      await this.#analyse(this.#at.capture, this.#at.position, () => run === this.#run);
    } catch (error) {
      if (run === this.#run) this.notice(`The analysis ended: ${/** @type {Error} */ (error).message}`);
    }
    if (run !== this.#run) return;
    this.isRunning = false;
    this.onUpdate();
  }

  /** The best move, after at most so many milliseconds for each move. */
  async hint(/** @type {string} */ capture, /** @type {Position} */ position) {
    const known = this.findings(capture, position.board);
    if (known?.isProven) return known.ranked[0];
    this.#pause();
    const engine = this.#ready();
    engine.setOption("MultiPV", 1);
    const answer = await engine.search({ capture, position: `fen ${position.board}`, go: () => "go movetime 1000" });
    if (this.isOn) this.restart();
    if (!answer || answer.best === "0000") return null;
    return valueOf(answer.best, answer.info, position.turn === "S" ? 1 : -1, answer.info?.pv ?? [answer.best]);
  }

  async #analyse(
    /** @type {string} */ capture,
    /** @type {Position} */ position,
    /** @type {() => boolean} */ isCurrent,
  ) {
    let findings = this.findings(capture, position.board);
    if (!findings) this.keep(capture, (findings = new Findings(position)));
    this.onUpdate();
    if (findings.isProven) return;
    const engine = this.#ready();
    const found = findings;
    let counted = 0;
    const count = (/** @type {Info} */ info) => {
      found.nodes += info.nodes - counted;
      counted = info.nodes;
      found.nps = info.nps;
      found.tbhits = info.tbhits;
    };
    if (found.values.size < position.moves.length) {
      engine.setOption("MultiPV", position.moves.length);
      await engine.search({
        capture,
        position: `fen ${position.board}`,
        go: () => `go movetime ${FIRST_LOOK}`,
        onInfo: (info) => {
          if (!isCurrent()) return;
          count(info);
          const value = valueOf(info.pv[0], info, found.sign, info.pv);
          if (value) found.learn(value);
          this.onUpdate();
        },
      });
    }
    while (isCurrent() && !found.isProven) {
      for (const { move } of this.#order(found)) {
        if (!isCurrent()) return;
        counted = 0;
        await this.#prove(capture, found, move, isCurrent, count);
      }
      found.share = Math.min(2 * found.share, LONGEST_SHARE);
    }
  }

  /** Moves that are not proven, the best first. */
  #order(/** @type {Findings} */ found) {
    const { moves } = found.position;
    const value = (/** @type {string} */ move) => found.sign * (found.values.get(move)?.value ?? -Infinity);
    return moves.filter(({ move }) => !found.values.get(move)?.proven).sort((a, b) => value(b.move) - value(a.move));
  }

  async #prove(
    /** @type {string} */ capture,
    /** @type {Findings} */ found,
    /** @type {string} */ move,
    /** @type {() => boolean} */ isCurrent,
    /** @type {(info: Info) => void} */ count,
  ) {
    const board = found.position.moves.find((legal) => legal.move === move)?.board ?? "";
    const after = await this.rules.position(capture, board);
    if (!isCurrent()) return;
    if (after.result !== null) {
      found.learn({ move, value: after.result, proven: true, bound: null, depth: 1, pv: [move] });
      this.onUpdate();
      return;
    }
    const engine = this.#ready();
    engine.setOption("MultiPV", 1);
    await engine.search({
      capture,
      position: `fen ${board}`,
      go: () => `go movetime ${found.share}`,
      onInfo: (info) => {
        if (!isCurrent()) return;
        count(info);
        const value = valueOf(move, info, after.turn === "S" ? 1 : -1, [move, ...info.pv]);
        if (value) found.learn({ ...value, depth: value.depth + 1 });
        this.onUpdate();
      },
    });
  }
}

/** @returns {MoveValue | null} */
function valueOf(
  /** @type {string} */ move,
  /** @type {Info | null} */ info,
  /** @type {number} */ sign,
  /** @type {string[]} */ pv,
) {
  if (!info) return null;
  const turned = info.bound && sign < 0 ? (info.bound === "lower" ? "upper" : "lower") : info.bound;
  const isProven = info.proven && !info.bound;
  return { move, value: sign * info.score, proven: isProven, bound: turned, depth: info.depth, pv };
}

/** A value as people read it: `+8`, `-1.3`. */
export function seedsText(/** @type {number} */ value, isProven = false) {
  const rounded = isProven ? Math.round(value) : Math.abs(value) < 0.05 ? 0 : value;
  const digits = isProven || Math.abs(rounded) >= 10 ? 0 : 1;
  const text = Math.abs(rounded).toFixed(digits);
  return rounded > 0 ? `+${text}` : rounded < 0 ? `−${text}` : digits ? "0.0" : "0";
}

/** A value in words: `South wins by 8 seeds, proven`. */
export function valueWords(/** @type {number} */ value, /** @type {boolean} */ isProven) {
  const size = isProven ? String(Math.abs(Math.round(value))) : Math.abs(value).toFixed(1);
  const words = Number(size) === 0 ? "a draw" : `${value > 0 ? "South" : "North"} ${isProven ? "wins by" : "is ahead by"} ${size}`;
  return isProven ? `${words}, proven` : `${words}, estimated`;
}
