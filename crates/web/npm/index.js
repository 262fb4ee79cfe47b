// The engine of kalah in Node and in browsers: the lines of its protocol, and the rules of the game.

import init, * as wasm from "./engine.js";

// The engine asks this while it searches; whoever runs it in a worker may say more.
globalThis.stopComes ??= () => false;

let loaded = null;

/**
 * Loads the engine; once is enough.
 *
 * @param {string | URL | BufferSource | WebAssembly.Module} [module] where it is, if not beside this file
 */
export function load(module) {
  loaded ??= (async () => init({ module_or_path: module ?? (await beside()) }))();
  return loaded;
}

async function beside() {
  const url = new URL("./engine_bg.wasm", import.meta.url);
  if (url.protocol !== "file:") return url;
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

/** An engine that speaks the protocol of the program `kalah`. */
export class Engine {
  #lines = [];
  #engine = new wasm.WebEngine((line) => this.onLine(line));

  /** Loads the module if need be, and starts an engine. */
  static async start(module) {
    await load(module);
    return new Engine();
  }

  /** Told each line as it comes; unless it is replaced, lines are kept for `send`. */
  onLine = (line) => this.#lines.push(line);

  /** Whether the engine has been told to quit. */
  hasQuit = false;

  /** Carries out a line, and returns the lines that answer it. A search ends before this returns. */
  send(line) {
    this.hasQuit = this.#engine.line(line);
    return this.#lines.splice(0);
  }

  /** Frees its memory. */
  free() {
    this.#engine.free();
  }
}

/** The answer to a request of the page, such as `{ do: "replay", capture: "standard", moves: "CF" }`; throws its error. */
export async function ask(request) {
  await load();
  const { ok, error } = JSON.parse(wasm.answer(JSON.stringify(request)));
  if (error !== undefined) throw new Error(error);
  return ok;
}
