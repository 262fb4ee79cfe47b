// The connection to the server: requests with replies, events, and a new connection when one is lost.

import { words } from "./words.js";

/** The replies to these depend on the session, which is another one after the connection was lost. */
const OF_SESSION = new Set(["start", "send", "end", "cancel", "quit", "open", "enter", "room", "close"]);

const LONGEST_PAUSE = 4000;

/** The server closes the connection at a message of more bytes: sent again and again, it would never come back. */
const MAX_MESSAGE = 1 << 20;

export class ConnectionLost extends Error {
  constructor() {
    super(words.connectionLost);
  }
}

/** Who is told of events. */
export class Listeners {
  #listeners = /** @type {Map<string, Set<(message: any) => void>>} */ (new Map());

  /** Events: those of the server by name, and `state` with `open`, `lost` or `refused`. */
  on(/** @type {string} */ event, /** @type {(message: any) => void} */ listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit(/** @type {string} */ event, /** @type {any} */ message) {
    for (const listener of this.#listeners.get(event) ?? []) listener(message);
  }
}

export class Socket extends Listeners {
  #socket = /** @type {WebSocket | null} */ (null);
  #next = 1;
  #pause = 250;
  #state = "open";
  /** @type {Map<number, {message: any, resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();

  connect() {
    const address = new URL("/socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.search = location.search;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 250;
      this.#report("open");
      for (const { message } of this.#waiting.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = () => this.#lose();
  }

  #receive(/** @type {any} */ message) {
    if (message.event) return this.emit(message.event, message);
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.error !== undefined) waiting.reject(new Error(message.error));
    else waiting.resolve(message.ok);
  }

  async #lose() {
    this.#socket = null;
    for (const [id, { message, reject }] of this.#waiting) {
      if (!OF_SESSION.has(message.do)) continue;
      this.#waiting.delete(id);
      reject(new ConnectionLost());
    }
    // To ask the server takes a while where there is no network.
    if (this.#state === "open") this.#report("lost");
    this.#report((await this.#isRefused()) ? "refused" : "lost");
    setTimeout(() => this.connect(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  #report(/** @type {string} */ state) {
    this.#state = state;
    this.emit("state", state);
  }

  /** Whether there is a server, but it has another token: it was started anew. */
  async #isRefused() {
    try {
      const answer = await fetch("/" + location.search, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(3000) });
      return answer.status === 403;
    } catch {
      return false;
    }
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** What the server replies, with the number that events and `cancel` name. Requests that do not depend on
   * the session survive a lost connection. */
  request(/** @type {string} */ verb, /** @type {object} */ fields = {}) {
    const id = this.#next++;
    const message = { id, do: verb, ...fields };
    const text = JSON.stringify(message);
    /** @type {Promise<any>} */
    const reply = new Promise((resolve, reject) => {
      if (new TextEncoder().encode(text).length > MAX_MESSAGE) return reject(new Error(words.tooLong));
      if (!this.isOpen && OF_SESSION.has(verb)) return reject(new ConnectionLost());
      this.#waiting.set(id, { message, resolve, reject });
    });
    if (this.isOpen && this.#waiting.has(id)) this.#socket?.send(text);
    return Object.assign(reply, { id });
  }
}
