// The page without a server: the rules run here, each engine and each review in a worker of its own, and a service worker
// keeps the files for when there is no network.

import { notice } from "./notices.js";
import { Listeners } from "./socket.js";
import { words } from "./words.js";

/** Whether this page was loaded from plain files, with the engine beside it. */
export const isServerless = "serverless" in document.documentElement.dataset;

/** GiB of memory, as far as the browser says it. */
const GIBIBYTES = /** @type {{deviceMemory?: number}} */ (navigator).deviceMemory ?? 4;

/** MiB for the table of analyses. */
export const HASH = 16 * GIBIBYTES;

/** MiB for each solver. */
const SOLVER_HASH = 32 * GIBIBYTES;

/** Lines that end a search: an engine that thinks sees them before it reads them. */
const ENDS_SEARCH = /^\s*(stop|ponderhit|quit)\b/i;

const IS_JSON = /^[\s\uFEFF]*(\[\s*[{\]]|{\s*")/;

export const address = (/** @type {string} */ file) => new URL(file, import.meta.url).href;

/** A page elsewhere that shows a board may start no worker from here, but one of its own may import it. */
function newWorker(/** @type {string} */ url) {
  const isElsewhere = new URL(url).origin !== location.origin;
  const own = isElsewhere ? URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" })) : url;
  return new Worker(own, { type: "module" });
}

const newSignal = () => URL.createObjectURL(new Blob());

/** A worker, and how it learns of lines that end its search. */
class EngineWorker {
  setup = /** @type {object | null} */ (null);
  #worker = newWorker(address("./worker.js"));
  /** How many such lines were sent: where pages may share memory, the worker looks there … */
  #ends = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  /** … and elsewhere it asks whether this address still leads to anything. */
  #signal = this.#ends ? "" : newSignal();

  /** @param {WebAssembly.Module} module
   * @param {(message: any) => void} onMessage */
  constructor(module, onMessage) {
    this.#worker.onmessage = ({ data }) => onMessage(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      onMessage({ ended: event.message ?? "" });
    };
    this.#worker.postMessage({ module, ends: this.#ends, signal: this.#signal });
  }

  post(/** @type {object} */ message) {
    this.#worker.postMessage(message);
  }

  send(/** @type {string} */ line) {
    const isEnd = ENDS_SEARCH.test(line);
    if (isEnd && this.#ends) Atomics.add(this.#ends, 0, 1);
    if (isEnd && !this.#ends) {
      URL.revokeObjectURL(this.#signal);
      this.#signal = newSignal();
    }
    this.post({ line, isEnd, signal: this.#signal });
  }

  end() {
    URL.revokeObjectURL(this.#signal);
    this.#worker.terminate();
  }
}

/** Answers what a server answers: see types.d.ts. */
export class Workers extends Listeners {
  isOpen = true;
  /** For all engines. @type {object | null} */
  setup = null;
  #next = 1;
  #rules = /** @type {Promise<any> | null} */ (null);
  #engine = /** @type {Promise<WebAssembly.Module> | null} */ (null);
  #engines = /** @type {Map<string, EngineWorker>} */ (new Map());
  /** Reviews by the requests that asked for them, and how they are cancelled. @type {Map<number, () => void>} */
  #reviews = new Map();

  connect() {
    offerUpdates();
    this.#loadRules().then(
      (rules) => {
        this.emit("state", "open");
        this.emit("hello", { ...JSON.parse(rules.hello()), engines: ["Kalah"], threads: 1, game: null, own: false, guest: false });
        // The board comes first.
        this.#loadEngine().catch(() => {});
      },
      (error) => {
        notice(words.cannotStart(error.message), { kind: "start" });
        setTimeout(() => this.connect(), 2000);
      },
    );
  }

  #loadRules() {
    this.#rules ??= (async () => {
      const rules = await import(address("./wasm/rules.js"));
      await rules.default({ module_or_path: address("./wasm/rules_bg.wasm") });
      return rules;
    })();
    this.#rules.catch(() => (this.#rules = null));
    return this.#rules;
  }

  #loadEngine() {
    const file = address("./wasm/engine_bg.wasm");
    this.#engine ??= WebAssembly.compileStreaming(fetch(file))
      // A host that calls the file something else.
      .catch(async () => WebAssembly.compile(await (await fetch(file)).arrayBuffer()))
      // Books and tablebases of this visitor.
      .then((module) => (isServerless ? import(address("./files.js")).then((files) => files.find(this)).then(() => module, () => module) : module));
    this.#engine.catch(() => (this.#engine = null));
    return this.#engine;
  }

  request(/** @type {string} */ verb, /** @type {any} */ fields = {}) {
    const id = this.#next++;
    return Object.assign(this.#carryOut({ id, do: verb, ...fields }), { id });
  }

  async #carryOut(/** @type {any} */ message) {
    const { name } = message;
    switch (message.do) {
      case "start":
        return this.#start(name);
      case "send": {
        const engine = this.#engines.get(name);
        if (!engine) throw new Error("no engine has this name");
        if (engine.setup !== this.setup && message.line.startsWith("go")) engine.post({ setup: (engine.setup = this.setup) });
        return engine.send(message.line);
      }
      case "end":
        try {
          // One that is still to start ends, too.
          await this.#engine;
        } catch {
          // Without a module none has started.
        }
        this.#engines.get(name)?.end();
        return void this.#engines.delete(name);
      case "review":
        for (const cancel of this.#reviews.values()) cancel();
        return this.ask(message.id, { review: JSON.stringify(message), mebibytes: SOLVER_HASH });
      case "cancel":
        return this.#reviews.get(message.request)?.();
      default: {
        // The module of the rules, which is small, knows no records of matches and no fair starts.
        if (message.do === "fair" || (message.do === "read" && IS_JSON.test(message.text))) return this.ask(message.id, { question: JSON.stringify(message) });
        const rules = await this.#loadRules();
        return resultOf(rules.answer(JSON.stringify(message)));
      }
    }
  }

  async #start(/** @type {string} */ name) {
    const module = await this.#loadEngine();
    this.#engines.get(name)?.end();
    const engine = new EngineWorker(module, ({ lines, ended }) => {
      // A message of one that was ended meanwhile.
      if (this.#engines.get(name) !== engine) return;
      if (lines) this.emit("lines", { name, lines });
      if (ended === undefined) return;
      engine.end();
      this.#engines.delete(name);
      this.emit("ended", { name, reason: ended });
    });
    this.#engines.set(name, engine);
    engine.send(`setoption name Solver Hash value ${SOLVER_HASH}`);
  }

  /** What a worker answers that is there for one request. */
  async ask(/** @type {number} */ id, /** @type {object} */ task) {
    let cancel = () => {};
    const cancelled = new Promise((_, reject) => (cancel = () => reject(new Error("stopped"))));
    // It may be cancelled while the engine is still to be loaded.
    if ("review" in task) this.#reviews.set(id, cancel);
    let end = () => {};
    try {
      const module = await Promise.race([this.#loadEngine(), cancelled]);
      const reply = new Promise((resolve, reject) => {
        const worker = new EngineWorker(module, ({ event, reply, ended }) => {
          if (event) this.emit("review", JSON.parse(event));
          if (reply) resolve(reply);
          if (ended !== undefined) reject(new Error(ended));
        });
        end = () => worker.end();
        worker.post(task);
      });
      return resultOf(await Promise.race([reply, cancelled]));
    } finally {
      end();
      this.#reviews.delete(id);
    }
  }
}

/** The result of a reply as JSON. */
function resultOf(/** @type {string} */ text) {
  const { ok, error } = JSON.parse(text);
  if (error !== undefined) throw new Error(error);
  return ok;
}

/** Keeps the files of the page. A new version waits until somebody takes it: no game is interrupted. */
async function offerUpdates() {
  const { serviceWorker } = navigator;
  // A file that is opened without a web host has none.
  const registration = await serviceWorker?.register("sw.js").catch(() => null);
  if (!registration) return;
  const offer = () => {
    const { waiting } = registration;
    if (!waiting || !serviceWorker.controller) return;
    const take = () => {
      serviceWorker.oncontrollerchange = () => location.reload();
      waiting.postMessage("take over");
    };
    notice(words.update, { kind: "update", action: [words.takeUpdate, take], stays: true });
  };
  offer();
  registration.onupdatefound = () => {
    const { installing } = registration;
    if (installing) installing.onstatechange = () => installing.state === "installed" && offer();
  };
}
