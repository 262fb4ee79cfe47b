import type { Position } from "./types.js";

export type { LegalMove, Position, Side } from "./types.js";

/** Where the module is, or what it is. */
export type Source = string | URL | BufferSource | WebAssembly.Module;

/** Loads the engine, by default from beside this package's files; once is enough. */
export function load(module?: Source): Promise<unknown>;

/** An engine that speaks the protocol of the program `kalah`. */
export class Engine {
  /** Loads the module if need be, and starts an engine. It throws if there is no memory for it. */
  static start(module?: Source): Promise<Engine>;
  /** Told each line as it comes; unless it is replaced, lines are kept for `send`. */
  onLine: (line: string) => void;
  /** Whether the engine has been told to quit. */
  readonly hasQuit: boolean;
  /** Carries out a line, and returns the lines that answer it. A search ends before this returns. */
  send(line: string): string[];
  /** Frees its memory; it must not be used any more. */
  free(): void;
}

/** The positions of a line: one more than there are moves. */
export function ask(request: {
  do: "replay";
  /** "relay" is relay sowing, known as Avalanche, which captures nothing. */
  capture: "standard" | "empty" | "relay";
  moves: string;
  /** A board as text, or else the start with so many houses (6) and seeds (4). */
  start?: string;
  houses?: number;
  seeds?: number;
}): Promise<{ positions: Position[] }>;
/** The other requests of the page's messages: `read`, `write`, `explain`. */
export function ask(request: { do: string; [field: string]: unknown }): Promise<any>;
