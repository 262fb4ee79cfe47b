// A game that several pages share: the server keeps it, and each page shows what it tells.

import { Game } from "./game.js";
import { announce, copyText, forget, newButton, notice } from "./notices.js";
import { button, byId, dialog, element, keep, load, select, showError, showText } from "./page.js";
import { Match } from "./play.js";
import { ownName } from "./seats.js";
import { words } from "./words.js";

/** @import { App } from "./app.js" */
/** @import { Invitation, RoomView, Seat, Side } from "./types" */

const SIDES = /** @type {const} */ (["S", "N"]);

/** A match whose moves go through the server, to pages elsewhere. */
class SharedMatch extends Match {
  isShared = true;

  constructor(/** @type {Room} */ room, /** @type {Record<Side, Seat>} */ seats) {
    super(room.app, { seats, clock: { kind: "none" }, swap: false });
    this.room = room;
  }

  isPerson(/** @type {Side} */ side) {
    return super.isPerson(side) && !this.room?.isBlocked;
  }

  get onlyPerson() {
    return this.room?.view?.side ?? null;
  }

  /** Sends a move, which is sown when the server tells of it. */
  submit(/** @type {string} */ move) {
    if (!this.isLive) return false;
    this.room.act({ play: { ply: this.app.game.root.end.line.length, move } });
    return true;
  }

  get canTakeBack() {
    return super.canTakeBack && !this.room.view?.asks;
  }

  takeBack() {
    if (!this.canTakeBack) return;
    this.room.act("ask").then((done) => done && notice(words.asked));
  }

  get resigner() {
    return this.onlyPerson ?? super.resigner;
  }

  resign() {
    this.room.act("resign");
  }

  /** The room outlives the page, not the match. */
  toJSON() {
    return /** @type {any} */ (null);
  }
}

export class Room {
  view = /** @type {RoomView | null} */ (null);
  #invitation = /** @type {Invitation | null} */ (null);
  #ownKey = "";
  #next = /** @type {RoomView | null} */ (null);
  #isApplying = false;
  #onShown = () => {};
  /** The match of the room's game, and which game that is. */
  #match = /** @type {SharedMatch | null} */ (null);
  #game = -1;
  /** Whether the dialog shares the game on the board, rather than a new one. */
  #isPresent = false;

  constructor(/** @type {App} */ app) {
    this.app = app;
    app.socket.on("room", (view) => this.#receive(view));
    // After a connection was lost.
    app.socket.on("hello", () => this.view && this.enter());
    button("home-phones").onclick = () => this.#open(false);
    button("open-room").onclick = () => (dialog("share-dialog").close("ok"), this.#open(true));
    button("room-invite").onclick = () => this.#open(true);
    button("room-lock").onclick = () => this.act({ lock: { locked: !this.view?.locked } });
    button("room-close").onclick = () => this.close();
    button("room-copy").onclick = () => copyText(this.#invitation?.link ?? "", words.copied.link, () => notice(words.cannotCopy));
    byId("room-form").onsubmit = (event) => {
      event.preventDefault();
      this.#share().catch((error) => showError("room-dialog", error));
    };
  }

  /** Whether the host has locked the game for this page. */
  get isBlocked() {
    return this.view !== null && this.view.locked && !this.view.host;
  }

  /** By which the server knows this page again: a guest's outlives its tab. Without storage it lasts as long as the page. */
  get #key() {
    const token = new URLSearchParams(location.search).get("token") ?? "";
    const [name, where] = this.app.hello?.guest ? [`kalah-seat-${token.slice(0, 8)}`, /** @type {const} */ ("localStorage")] : ["kalah-host", /** @type {const} */ ("sessionStorage")];
    this.#ownKey ||= load(name, where) || Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    keep(name, this.#ownKey, where);
    return this.#ownKey;
  }

  act(/** @type {object | string} */ act) {
    return this.app.socket.request("room", { act }).catch((error) => notice(error.message));
  }

  /** Enters the room that the page belongs to, if there is one, and shows its game. */
  async start() {
    const isGuest = this.app.hello?.guest ?? false;
    document.body.toggleAttribute("data-guest", isGuest);
    button("home-open").disabled = isGuest;
    if (!isGuest && !load("kalah-host", "sessionStorage")) return;
    /** @type {Promise<void>} */
    const shown = new Promise((resolve) => (this.#onShown = resolve));
    if (await this.enter()) await shown;
  }

  /** Enters the room, or tells the others there the name that this page's player has entered. */
  async enter() {
    try {
      this.#invitation = await this.app.socket.request("enter", { key: this.#key, name: ownName() });
      return true;
    } catch {
      // The room has ended meanwhile.
      if (this.view) this.#end();
      return false;
    }
  }

  close() {
    if (this.view?.host) this.app.socket.request("close").catch(() => {});
    this.#end();
  }

  #end() {
    if (!this.view) return;
    this.view = null;
    if (!this.app.hello?.guest) keep("kalah-host", "", "sessionStorage");
    if (this.app.match === this.#match) this.#match?.stop("*");
    this.#match = null;
    forget("asks");
    notice(words.roomEnded);
    this.draw();
    this.app.update();
  }

  /** Lets the next game of the host be that of the room; whether it is. */
  async begins(/** @type {Game} */ game, /** @type {Record<Side, Seat> | null} */ seats = null) {
    if (!this.view?.host) return false;
    if (seats && SIDES.some((side) => seats[side].kind === "engine")) {
      this.close();
      return false;
    }
    const own = SIDES.filter((side) => seats?.[side].kind === "person");
    const side = own.length === 1 ? own[0] : (this.view?.side ?? null);
    await this.app.socket.request("room", { act: { begin: startOf(game, side) } });
    return true;
  }

  // Inviting

  #open(/** @type {boolean} */ isPresent) {
    this.#isPresent = isPresent;
    showError("room-dialog", "");
    this.#drawDialog();
    dialog("room-dialog").showModal();
  }

  async #share() {
    const { app } = this;
    const game = this.#isPresent ? app.game : await app.home.newGame();
    const side = /** @type {Side | ""} */ (select("room-side").value) || null;
    this.#invitation = await app.socket.request("open", { key: this.#key, name: ownName(), game: startOf(game, side) });
    this.#drawDialog();
  }

  #drawDialog() {
    const { code, address, qr, reachable } = this.#invitation ?? {};
    const isOpen = code !== undefined && (this.view?.host ?? true);
    byId("room-form").hidden = isOpen;
    byId("room-invitation").hidden = !isOpen;
    if (!isOpen) return;
    showText(byId("room-letters"), code);
    showText(byId("room-address"), address ?? "");
    byId("room-alone").hidden = reachable ?? false;
    const picture = byId("room-qr");
    picture.setAttribute("viewBox", `-2 -2 ${(qr?.size ?? 0) + 4} ${(qr?.size ?? 0) + 4}`);
    picture.querySelector("path")?.setAttribute("d", qr?.path ?? "");
    button("room-copy").focus();
  }

  // What the server tells

  async #receive(/** @type {RoomView} */ view) {
    this.#next = view;
    if (this.#isApplying) return;
    this.#isApplying = true;
    try {
      // Only the last news counts: each has all of the room.
      for (let next = /** @type {RoomView | null} */ (this.#next); next; next = this.#next) {
        this.#next = null;
        await this.#apply(next);
      }
    } catch (error) {
      notice(/** @type {Error} */ (error).message);
    } finally {
      this.#onShown();
      this.#isApplying = false;
    }
  }

  async #apply(/** @type {RoomView} */ view) {
    const { app } = this;
    if (view.code === null) {
      this.#invitation = null;
      return this.#end();
    }
    const before = this.view;
    this.view = view;
    const seats = /** @type {Record<Side, Seat>} */ (Object.fromEntries(SIDES.map((side, i) => [side, side === view.side ? { kind: "person", name: ownName() } : { kind: "remote", name: view.seats[i]?.name ?? "", presence: presenceOf(view.seats[i]) }])));
    if (!this.#match || app.match !== this.#match || view.game !== this.#game) {
      app.leaveGame();
      app.game = new Game(view.start, view.capture);
      app.match = this.#match = new SharedMatch(this, seats);
      this.#game = view.game;
      app.takeSeats();
      if (app.analysis.isOn) app.toggleAnalysis();
      await app.show(app.game.root);
      announce(words.newGame(app.players[app.game.root.turn]));
    } else {
      this.#match.seats = seats;
      app.nameSeats();
    }
    if (this.isBlocked && app.analysis.isOn) app.toggleAnalysis();
    this.draw();
    await this.#follow(view.moves);
    if (view.resigned && this.#match.isLive) {
      app.game.tags.Termination = "resigned";
      this.#match.stop(view.resigned === "S" ? "0-1" : "1-0");
      announce(words.resigns(app.players[view.resigned]));
    }
    if (view.asks && view.side && view.asks !== view.side && this.#match.isLive) {
      const answer = (/** @type {boolean} */ grant) => () => (forget("asks"), this.act({ answer: { grant } }));
      notice(words.asksBack(app.players[view.asks].name), { kind: "asks", action: [words.grant, answer(true)], other: [words.refuse, answer(false)], stays: true });
    } else forget("asks");
    const hasAsked = before?.asks && before.asks === view.side && before.game === view.game;
    if (hasAsked && !view.asks && view.moves === before.moves && !view.resigned) notice(words.backRefused);
    app.update();
    this.#match.go();
  }

  /** Shows the moves of the game: takes back what is gone, and sows what is new. */
  async #follow(/** @type {string} */ moves) {
    const { app } = this;
    const { line } = app.game.root.end;
    const gone = line.find((node, i) => node.move !== moves[i]);
    if (gone) {
      const tip = app.game.remove(gone);
      await app.show(tip);
      announce(words.takenBack(tip.line.length, app.players[tip.turn]));
    }
    const tip = app.game.root.end;
    const fresh = moves.slice(tip.line.length);
    if (fresh.length > 2) {
      const positions = await app.rules.line(app.game.capture, tip.board, fresh);
      await app.show(tip.playAll(fresh, positions));
    } else {
      for (const move of fresh) await app.play(move, app.game.root.end);
    }
  }

  /** The card of the room: who is there, and what its host may do. */
  draw() {
    const { view } = this;
    document.body.toggleAttribute("data-locked", this.isBlocked);
    byId("room").hidden = !view;
    if (!view) return;
    const { host, locked, seats, watching } = view;
    showText(byId("room-code"), view.code ?? "");
    const people = seats.map((seat, i) => {
      const name = !seat ? words.freeSeat : seat.name || (SIDES[i] === view.side ? words.you : seat.host ? words.host : words.guest);
      const away = presenceOf(seat) === "away" ? ` (${words.presence.away})` : "";
      const item = element("li", {}, element("span", { class: `disc ${SIDES[i]}` }), `${words.sides[SIDES[i]]}: ${name}${away}`);
      if (host && seat && !seat.host) {
        const free = () => this.act({ free: { side: SIDES[i] } });
        item.append(newButton(free, { "aria-label": words.freeSide(words.sides[SIDES[i]]) }, words.free));
      }
      return item;
    });
    const named = watching.filter(Boolean);
    byId("room-people").replaceChildren(...people, ...(watching.length ? [element("li", {}, words.watching(watching.length, named.join(", ")))] : []));
    showText(byId("room-note"), locked ? (host ? words.lockedByYou : words.locked) : "");
    for (const id of ["room-invite", "room-lock", "room-close"]) button(id).hidden = !host;
    button("room-lock").ariaPressed = String(locked);
  }
}

/** Whether somebody sits there, and has the page open. */
function presenceOf(/** @type {RoomView["seats"][number]} */ seat) {
  return seat ? (seat.here ? "here" : "away") : "free";
}

function startOf(/** @type {Game} */ game, /** @type {Side | null} */ side) {
  return { start: game.start, capture: game.capture, moves: game.root.end.moves, side };
}
