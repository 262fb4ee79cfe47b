// The engine of kalah in Node and in browsers: the lines of its protocol, and the rules of the game. index.d.ts says what
// each export does.

import init, * as wasm from "./engine.js";

// The engine asks this while it searches; whoever runs it in a worker may say more.
globalThis.stopComes ??= () => false;

let loaded = null;

export function load(module) {
  loaded ??= (async () => init({ module_or_path: module ?? (await beside()) }))();
  loaded.catch(() => (loaded = null));
  return loaded;
}

async function beside() {
  const url = new URL("./engine_bg.wasm", import.meta.url);
  if (url.protocol !== "file:") return url;
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

export class Engine {
  #lines = [];
  #engine = new wasm.WebEngine((line) => this.onLine(line));

  static async start(module) {
    await load(module);
    return new Engine();
  }

  onLine = (line) => this.#lines.push(line);

  hasQuit = false;

  send(line) {
    this.hasQuit = this.#engine.line(line);
    return this.#lines.splice(0);
  }

  free() {
    this.#engine.free();
  }
}

export async function ask(request) {
  await load();
  const { ok, error } = JSON.parse(wasm.answer(JSON.stringify(request)));
  if (error !== undefined) throw new Error(error);
  return ok;
}
