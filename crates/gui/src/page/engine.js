// An engine, spoken to in the protocol of protocol.md: a process of the server, or a worker.

import { forget } from "./notices.js";
import { pause } from "./page.js";
import { ConnectionLost } from "./socket.js";
import { words } from "./words.js";

/** @import { Info } from "./types" */

/** An engine that ends more often than this within a minute is not started again. */
const MAX_STARTS = 6;

const ERROR = "info string error: ";

/** Milliseconds after the time of a search until an engine counts as silent. */
const PATIENCE = 10_000;

/** @returns {Info | null} */
function parseInfo(/** @type {string} */ line) {
  const parts = line.split(/\s+/);
  const pv = parts.indexOf("pv");
  if (parts[0] !== "info" || parts[1] === "string" || pv < 0) return null;
  const number = (/** @type {string} */ word, ifMissing = 0) => {
    const place = parts.indexOf(word);
    const value = place < 0 || place > pv ? NaN : Number(parts[place + 1]);
    return Number.isFinite(value) ? value : ifMissing;
  };
  const has = (/** @type {string} */ word) => parts.slice(0, pv).includes(word);
  return {
    depth: number("depth"),
    multipv: number("multipv", 1),
    score: number("cp") / 100,
    bound: has("lowerbound") ? "lower" : has("upperbound") ? "upper" : null,
    proven: has("proven"),
    nodes: number("nodes"),
    nps: number("nps"),
    tbhits: number("tbhits"),
    pv: parts.slice(pv + 1),
  };
}

/** The engine ended in the middle of what was asked of it. */
class EngineExited extends Error {}

export class Engine {
  /** The options that it is to have, and those that it was told. */
  #options = /** @type {Map<string, string>} */ (new Map());
  #told = /** @type {Map<string, string>} */ (new Map());
  #ready = /** @type {Promise<void> | null} */ (null);
  /** What is waited for, and who is told what comes until then.
   * @type {{isAnswer: (line: string) => boolean, onLine: (line: string) => void, resolve: (line: string) => void, reject: (error: Error) => void} | null} */
  #waiting = null;
  /** Ends the running search when it resolves. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #abort = new AbortController();
  #starts = /** @type {number[]} */ ([]);
  #closed = false;
  id = "";
  /** Told when the engine is silent too long, and when it speaks again. @type {(isSilent: boolean) => void} */
  onSilence = () => {};
  /** The options that it has, with their types and ranges. @type {Map<string, string>} */
  available = new Map();

  /**
   * @param {import("./types").Backend} socket
   * @param {number} number its place among the engines of `hello`
   * @param {string} name of the process, of our choice
   * @param {typeof import("./notices.js").notice} notice what to do with news about it
   * @param {(id: string) => void} onStart told what it calls itself
   */
  constructor(socket, number, name, notice, onStart) {
    this.socket = socket;
    this.number = number;
    this.name = name;
    this.notice = notice;
    this.onStart = onStart;
    this.unsubscribe = [
      socket.on("lines", (message) => message.name === name && this.#receive(message.lines)),
      socket.on("ended", (message) => message.name === name && this.#end(message.reason)),
      socket.on("state", (state) => state !== "open" && this.#end("")),
    ];
  }

  #receive(/** @type {string[]} */ lines) {
    for (const line of lines) {
      this.#waiting?.onLine(line);
      if (!this.#waiting?.isAnswer(line)) continue;
      this.#waiting.resolve(line);
      this.#waiting = null;
    }
  }

  #end(/** @type {string} */ reason) {
    if (this.#closed || !this.#ready) return;
    this.#ready = null;
    if (reason) this.notice(words.engineEnded(this.id || this.name, reason));
    this.#waiting?.reject(new EngineExited(reason));
    this.#waiting = null;
  }

  /** Sends lines; the line that answers the last of them. */
  async #ask(/** @type {string[]} */ lines, /** @type {(line: string) => boolean} */ isAnswer, onLine = (/** @type {string} */ _line) => {}) {
    /** @type {Promise<string>} */
    const answer = new Promise((resolve, reject) => (this.#waiting = { isAnswer, onLine, resolve, reject }));
    const send = async () => {
      for (const line of lines) await this.#send(line);
    };
    const [reply] = await Promise.all([answer, send()]);
    return reply;
  }

  async #send(/** @type {string} */ line) {
    try {
      await this.socket.request("send", { name: this.name, line });
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      // It has ended; the event that says so comes soon.
      await pause(50);
      throw new EngineExited(/** @type {Error} */ (error).message);
    }
  }

  async #start() {
    const now = Date.now();
    this.#starts = [...this.#starts.filter((time) => now - time < 60_000), now];
    if (this.#starts.length > MAX_STARTS) throw new Error(words.keepsEnding(this.name));
    await this.socket.request("start", { engine: this.number, name: this.name });
    this.available = new Map();
    this.#told.clear();
    await this.#ask(["uci"], (line) => line === "uciok", (line) => {
      const option = /^option name (.+?) type (.*)/.exec(line);
      if (option) this.available.set(option[1], option[2]);
      if (line.startsWith("id name ")) this.id = line.slice(8);
    });
    if (this.id) this.onStart(this.id);
  }

  async #tellOption(/** @type {string} */ name, /** @type {string} */ value) {
    const type = this.available.get(name);
    if (type === undefined || this.#told.get(name) === value) return;
    const bound = (/** @type {string} */ word, /** @type {number} */ otherwise) =>
      Number(new RegExp(` ${word} (-?[0-9]+)`).exec(type)?.[1] ?? otherwise);
    const inRange = Math.max(bound("min", -Infinity), Math.min(Number(value), bound("max", Infinity)));
    await this.#send(`setoption name ${name} value ${type.startsWith("spin") ? inRange : value}`);
    this.#told.set(name, value);
  }

  /** Takes effect before the next search, also after a new start. Options that it lacks are ignored. */
  setOption(/** @type {string} */ name, /** @type {string | number} */ value) {
    this.#options.set(name, String(value));
  }

  stop() {
    this.#abort.abort();
  }

  /** Ends the process; what was asked of it is asked again of a new one. */
  async restart() {
    await this.socket.request("end", { name: this.name }).catch(() => {});
    this.#end("");
  }

  /** Says that the engine is silent once this time has passed; the result takes that back. */
  #watch(/** @type {number} */ time) {
    const kind = `silent-${this.name}`;
    let isTold = false;
    const warn = () => {
      isTold = true;
      this.onSilence(true);
      this.notice(words.isSilent(this.id), { kind, action: [words.restart, () => this.restart()], stays: true });
    };
    const timer = setTimeout(warn, time + PATIENCE);
    return () => {
      clearTimeout(timer);
      if (isTold) this.onSilence(false);
      if (isTold) forget(kind);
    };
  }

  /**
   * Searches after whatever runs has been stopped; `null` if this search was stopped before it began.
   * @param {{capture: string, position: string, go: () => string, time: number, onInfo?: (info: Info) => void}} search
   * @returns {Promise<{best: string, info: Info | null} | null>}
   */
  search(search) {
    this.stop();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const before = this.#last;
    const result = (async () => {
      await before.catch(() => {});
      for (;;) {
        if (signal.aborted || this.#closed) return null;
        const answered = this.#watch(search.time);
        try {
          return await this.#searchOnce(search, signal).finally(answered);
        } catch (error) {
          if (!(error instanceof EngineExited || error instanceof ConnectionLost) || this.#closed) throw error;
          if (error instanceof ConnectionLost) await this.#connection();
        }
      }
    })();
    this.#last = result;
    return result;
  }

  #connection() {
    if (this.socket.isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      const forget = this.socket.on("state", (state) => {
        if (state !== "open") return;
        forget();
        resolve(undefined);
      });
    });
  }

  async #searchOnce(/** @type {Parameters<Engine["search"]>[0]} */ { capture, position, go, onInfo }, /** @type {AbortSignal} */ signal) {
    const isRelay = capture === "relay";
    this.setOption("Sowing", isRelay ? capture : "single");
    this.#ready ??= this.#start();
    this.#ready.catch(() => (this.#ready = null));
    await this.#ready;
    for (const [name, value] of this.#options) await this.#tellOption(name, value);
    if (isRelay && !this.available.has("Sowing")) throw new Error(words.cannotRelay(this.id || this.name));
    // What an earlier `stop` still says comes before the first readyok, what is wrong with the position
    // before the second.
    const isReady = (/** @type {string} */ line) => line === "readyok";
    await this.#ask(["isready"], isReady);
    let fault = "";
    const setup = [...(isRelay ? [] : [`setoption name Capture value ${capture}`]), `position ${position}`, "isready"];
    await this.#ask(setup, isReady, (line) => {
      if (line.startsWith(ERROR)) fault ||= line.slice(ERROR.length);
    });
    if (fault) throw new Error(`${this.id || this.name}: ${fault}`);
    let last = /** @type {Info | null} */ (null);
    const onLine = (/** @type {string} */ line) => {
      const info = parseInfo(line);
      if (!info || signal.aborted) return;
      if (info.multipv === 1) last = info;
      onInfo?.(info);
    };
    const stop = () => this.#send("stop").catch(() => {});
    const answer = this.#ask([go()], (line) => line.startsWith("bestmove") || line.startsWith(ERROR), onLine);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    const line = await answer.finally(() => signal.removeEventListener("abort", stop));
    if (!line.startsWith("bestmove")) throw new Error(`${this.id || this.name}: ${line.slice(ERROR.length)}`);
    return { best: line.split(/\s+/)[1], info: last };
  }

  close() {
    this.#closed = true;
    for (const forget of this.unsubscribe) forget();
    this.#waiting?.reject(new EngineExited(""));
    this.socket.request("end", { name: this.name }).catch(() => {});
  }
}
