// What is known about positions. The rules of the game are in Rust alone.

/** @import { Position } from "./types" */

export class Rules {
  #known = /** @type {Map<string, Position>} */ (new Map());

  constructor(/** @type {import("./types").Backend} */ socket) {
    this.socket = socket;
  }

  /** The position of a board, if it was asked for before. */
  known(/** @type {string} */ capture, /** @type {string} */ board) {
    return this.#known.get(`${capture} ${board}`);
  }

  /** @returns {Promise<Position>} */
  async position(/** @type {string} */ capture, /** @type {string} */ board) {
    return this.known(capture, board) ?? (await this.line(capture, board, ""))[0];
  }

  /**
   * The positions from a board on, one more than there are moves.
   * @returns {Promise<Position[]>}
   */
  line(/** @type {string} */ capture, /** @type {string} */ start, /** @type {string} */ moves) {
    return this.#replay(capture, { start, moves });
  }

  /** @returns {Promise<Position>} */
  async start(/** @type {string} */ capture, /** @type {number} */ houses, /** @type {number} */ seeds) {
    return (await this.#replay(capture, { houses, seeds, moves: "" }))[0];
  }

  /** @returns {Promise<Position[]>} */
  async #replay(/** @type {string} */ capture, /** @type {object} */ fields) {
    const { positions } = await this.socket.request("replay", { capture, ...fields });
    for (const position of positions) this.#known.set(`${capture} ${position.board}`, position);
    return positions;
  }

  /**
   * A start that is a draw with best play, by chance; undefined if none is known.
   * @returns {Promise<Position | undefined>}
   */
  async fairStart(/** @type {string} */ capture, /** @type {number} */ houses, /** @type {number} */ seeds) {
    const { boards } = await this.socket.request("fair", { capture, houses, seeds });
    return boards.length ? this.position(capture, boards[Math.floor(Math.random() * boards.length)]) : undefined;
  }
}

/** The rules of a record by one name, as all requests have it in `capture`: relay sowing captures nothing. */
export const rulesOf = (/** @type {{capture: string, sowing?: string}} */ { capture, sowing }) => (sowing === "relay" ? sowing : capture);

/** What a record says about the rules of a name. */
export const rulesIn = (/** @type {string} */ name) => (name === "relay" ? { capture: "standard", sowing: name } : { capture: name });

/** The letters of a side's houses, from its own left. */
export function letters(/** @type {import("./types").Side} */ side, /** @type {number} */ houses) {
  const all = side === "S" ? "ABCDEFGHIJKL" : "abcdefghijkl";
  return all.slice(0, houses);
}

/** The tag of a game that names a side's player; also the name of a player without another one. */
export function sideTag(/** @type {import("./types").Side} */ side) {
  return side === "S" ? "South" : "North";
}

/** @returns {import("./types").Side} */
export const otherSide = (/** @type {import("./types").Side} */ side) => (side === "S" ? "N" : "S");

/** The pit that is a side's store. */
export const storeOf = (/** @type {import("./types").Side} */ side) => (side === "S" ? "+" : "-");

/** Whether a pit is a house, not a store. */
export const isHouse = (/** @type {string} */ pit) => /[a-z]/i.test(pit);

export function sideOf(/** @type {string} */ move) {
  return move === move.toUpperCase() ? "S" : "N";
}

/** The seeds in a pit; `+` and `-` are the stores. */
export function seedsIn(/** @type {Position} */ position, /** @type {string} */ pit) {
  if (pit === "+") return position.stores[0];
  if (pit === "-") return position.stores[1];
  const row = sideOf(pit) === "S" ? position.south : position.north;
  return row[pit.toUpperCase().charCodeAt(0) - 65];
}

export function pitsOf(/** @type {Position} */ position) {
  return [...letters("S", position.houses), "+", ...letters("N", position.houses), "-"];
}
