// A game between two seats: whose turn it is, their clocks, takeback, swap and resignation.

import { announce, forget, notice } from "./notices.js";
import { drawClocks, withNames } from "./seats.js";
import { pause } from "./page.js";
import { otherSide, sideTag } from "./rules.js";
import { words } from "./words.js";

/** @import { Side, Seat, Clock } from "./types" */
/** @import { Node } from "./game.js" */

/** @typedef {Record<Side, number>} Clocks milliseconds left */

/** Milliseconds for a move of an engine without a clock. */
const MOVE_TIME = 1000;
/** An engine of full strength answers at once with a proven move: let the eye follow. */
const LEAST_PAUSE = 350;

export class Match {
  isLive;
  /** Whether other pages take part: see room.js. */
  isShared = false;
  /** @type {Clocks} */
  left = { S: 0, N: 0 };
  /** Both clocks when the turn after so many moves began: a take back restores them. @type {Clocks[]} */
  #times = [];
  #isPaused = false;
  /** Whether the engine to move does not answer. */
  isSilent = false;
  /** Whether the second player may still take over the first one's side. */
  mayAskToSwap = false;
  /** @type {Partial<Record<Side, import("./engine.js").Engine>>} */
  #engines = {};
  #ticking = /** @type {{side: Side, since: number} | null} */ (null);
  #thought = 0;

  /**
   * @param {import("./app.js").App} app
   * @param {{seats: Record<Side, Seat>, clock: Clock, swap: boolean, hasSwap?: boolean, isLive?: boolean, left?: Clocks, times?: Clocks[]}} terms
   */
  constructor(app, { seats, clock, swap, hasSwap = swap, isLive = true, left, times = [] }) {
    this.app = app;
    this.isLive = isLive;
    this.hasSwap = hasSwap;
    this.seats = withNames(seats);
    this.clock = clock;
    this.mayAskToSwap = swap;
    if (clock.kind !== "none") this.left = left ?? { S: clock.time, N: clock.time };
    this.#times = times;
    this.timer = isLive ? setInterval(() => this.#checkFlag(), 100) : 0;
  }

  isPerson(/** @type {Side} */ side) {
    return this.seats[side].kind === "person";
  }

  /** The side of a person who plays engines. */
  get onlyPerson() {
    const people = /** @type {Side[]} */ (["S", "N"]).filter((side) => this.isPerson(side));
    return people.length === 1 ? people[0] : null;
  }

  /** Sends a move elsewhere; false if it is played here. */
  submit(/** @type {string} */ _move) {
    return false;
  }

  seatName(/** @type {Side} */ side) {
    const seat = this.seats[side];
    if (seat.kind === "person") return seat.name || (this.onlyPerson ? "You" : sideTag(side));
    if (seat.kind === "remote") return seat.name || sideTag(side);
    const name = this.app.hello?.engines[seat.engine] ?? "Engine";
    return seat.level < 20 ? `${name}, level ${seat.level}` : name;
  }

  /** Milliseconds left for a side, while its clock runs too; `null` without clocks. */
  timeLeft(/** @type {Side} */ side) {
    if (this.clock.kind === "none") return null;
    const running = this.#ticking?.side === side ? performance.now() - this.#ticking.since : 0;
    return Math.max(0, this.left[side] - running);
  }

  /** Whether the second player may swap sides now: the offer stands when that side comes to its first move. */
  get isSwapOpen() {
    const { game } = this.app;
    const node = game.root.end;
    if (!this.isLive || !this.mayAskToSwap) return false;
    return node.turn !== game.root.turn && node.line.slice(0, -1).every(({ turn }) => turn === game.root.turn);
  }

  /** Lets whose turn it is go on. */
  async go() {
    const { app } = this;
    const tip = app.game.root.end;
    if (!this.isLive || this.#isPaused) return;
    const position = await app.rules.position(app.game.capture, tip.board);
    const seat = this.seats[tip.turn];
    // Time stands while seeds move; without a clock the engine may think meanwhile.
    if (position.result !== null || this.clock.kind !== "none") await app.board.settled();
    if (!this.isLive || this.#isPaused || tip !== app.game.root.end) return;
    if (position.result !== null) return this.#finish(position.result);
    this.#startClock(tip);
    if (seat.kind === "engine") await this.#think(tip, seat);
    else app.coach.watch(tip);
  }

  async #think(/** @type {Node} */ tip, /** @type {Seat & {kind: "engine"}} */ seat) {
    const { app } = this;
    const side = tip.turn;
    const name = side === "S" ? "south" : "north";
    const engine = (this.#engines[side] ??= app.engine(seat.engine, name));
    engine.onSilence = (isSilent) => {
      this.isSilent = isSilent;
      app.update();
    };
    engine.setOption("Skill Level", seat.level);
    engine.setOption("Hash", 64);
    const begun = performance.now();
    const thought = ++this.#thought;
    app.update();
    try {
      const answer = await engine.search({
        capture: app.game.capture,
        position: `fen ${app.game.start}${tip.moves ? ` moves ${tip.moves}` : ""}`,
        go: () => this.#goLine(),
        time: this.clock.kind === "none" ? MOVE_TIME : this.clock.kind === "move" ? this.clock.time : this.left[side],
      });
      if (!answer || thought !== this.#thought) return;
      await pause(LEAST_PAUSE - (performance.now() - begun));
      await app.board.settled();
      if (!this.isLive || thought !== this.#thought || tip !== app.game.root.end) return;
      if (this.isSwapOpen && answer.info && answer.info.score < 0 && answer.info.bound !== "lower") return this.swap();
      await app.play(answer.best, tip);
    } catch (error) {
      if (!this.isLive || thought !== this.#thought) return;
      this.#interrupt();
      const text = words.cannotMove(this.seatName(side), /** @type {Error} */ (error).message);
      notice(text, { kind: "failed", action: [words.tryAgain, () => this.go()], stays: true });
    }
  }

  #goLine() {
    if (this.clock.kind === "none") return `go movetime ${MOVE_TIME}`;
    if (this.clock.kind === "move") return `go movetime ${Math.max(1, Math.floor(this.clock.time * 0.9))}`;
    const [south, north] = [this.timeLeft("S") ?? 0, this.timeLeft("N") ?? 0].map((time) => Math.max(1, Math.floor(time)));
    const { increment } = this.clock;
    return `go stime ${south} ntime ${north} sinc ${increment} ninc ${increment}`;
  }

  #startClock(/** @type {Node} */ { turn, line }) {
    if (this.clock.kind === "none" || this.#ticking) return;
    this.#times[line.length] ??= { ...this.left };
    this.#ticking = { side: turn, since: performance.now() };
  }

  /** Stops the clock after a move, and adds what the clock gives. */
  moved(/** @type {Side} */ side) {
    if (this.#ticking?.side !== side) return;
    const left = this.timeLeft(side) ?? 0;
    this.#ticking = null;
    if (this.clock.kind === "move") this.left[side] = this.clock.time;
    if (this.clock.kind === "game") this.left[side] = left + this.clock.increment;
  }

  #checkFlag() {
    drawClocks(this.app);
    if (!this.isLive || !this.#ticking) return;
    const { side, since } = this.#ticking;
    // An engine that answers late is given the time that pipes and page take.
    const grace = this.isPerson(side) ? 0 : 500;
    if (this.left[side] + grace > performance.now() - since) return;
    this.left[side] = 0;
    this.app.game.tags.Termination = "time forfeit";
    this.stop(side === "S" ? "0-1" : "1-0");
    notice(words.outOfTime(this.app.players[side], this.app.players[otherSide(side)]));
  }

  #finish(/** @type {number} */ margin) {
    this.app.game.tags.Margin = margin > 0 ? `+${margin}` : String(margin);
    this.stop(margin > 0 ? "1-0" : margin < 0 ? "0-1" : "1/2-1/2");
  }

  /** Whether there is a move of a person to take back. */
  get canTakeBack() {
    return this.isLive && this.app.game.root.end.line.some((node) => this.isPerson(node.parent?.turn ?? "S"));
  }

  /** Takes back to the last time that a person was to move. */
  takeBack() {
    if (!this.canTakeBack) return;
    this.#interrupt();
    const { app } = this;
    let tip = app.game.root.end;
    do {
      tip = app.game.remove(tip);
    } while (!this.isPerson(tip.turn) && tip.parent);
    const ply = tip.line.length;
    if (this.#times[ply]) this.left = { ...this.#times[ply] };
    this.#times.length = Math.min(this.#times.length, ply + 1);
    app.show(tip);
    announce(words.takenBack(ply, app.players[tip.turn]));
    this.go();
  }

  swap() {
    if (!this.isSwapOpen) return;
    this.#interrupt();
    this.mayAskToSwap = false;
    const { seats } = this;
    this.seats = { S: seats.N, N: seats.S };
    this.#closeEngines();
    const swapped = (/** @type {Clocks} */ { S, N }) => ({ S: N, N: S });
    this.left = swapped(this.left);
    this.#times = this.#times.map(swapped);
    this.app.game.tags.Swap = "yes";
    this.app.takeSeats();
    this.app.show(this.app.game.root.end);
    notice(words.swapped(this.onlyPerson));
    this.go();
  }

  /** Who would resign now: the person to move, or the other player. */
  get resigner() {
    const { turn } = this.app.game.root.end;
    return this.isPerson(turn) ? turn : otherSide(turn);
  }

  resign() {
    const { resigner } = this;
    this.app.game.tags.Termination = "resigned";
    this.stop(resigner === "S" ? "0-1" : "1-0");
  }

  /** Lets the game stand still, with the time that has passed. */
  pause() {
    this.#interrupt();
    this.#isPaused = true;
  }

  resume() {
    this.#isPaused = false;
    this.go();
  }

  #interrupt() {
    this.#thought++;
    if (this.#ticking) this.left[this.#ticking.side] = this.timeLeft(this.#ticking.side) ?? 0;
    this.#ticking = null;
    this.isSilent = false;
    for (const kind of ["coach", "hint"]) forget(kind);
    for (const engine of Object.values(this.#engines)) engine.stop();
  }

  stop(/** @type {string} */ result) {
    if (!this.isLive) return;
    this.#interrupt();
    this.app.game.result = result;
    this.app.game.last = result === "*" ? null : this.app.game.root.end;
    this.close();
    this.app.update();
  }

  close() {
    clearInterval(this.timer);
    this.isLive = false;
    this.#thought++;
    this.#closeEngines();
  }

  #closeEngines() {
    for (const engine of Object.values(this.#engines)) engine.close();
    this.#engines = {};
  }

  toJSON() {
    const { seats, clock, mayAskToSwap, hasSwap, isLive } = this;
    return { seats, clock, swap: mayAskToSwap, hasSwap, isLive, left: { S: this.timeLeft("S") ?? 0, N: this.timeLeft("N") ?? 0 }, times: this.#times };
  }
}
