// What the page advises: values of moves, lines, the graph, hints, reviews.

import { valueLabels, valueText, valueWords } from "./analysis.js";
import { along } from "./arrows.js";
import { Board } from "./board.js";
import { notice } from "./notices.js";
import { button, byId, element } from "./page.js";
import { drawGraph, drawMoments, mistakes, reviewed, whyWords } from "./review.js";
import { sideOf } from "./rules.js";
import { short, words } from "./words.js";

/** @import { MoveValue } from "./types" */

/** Milliseconds between two pictures of a running analysis. */
const PAUSE = 100;

export class Advice {
  #peeked = "";
  #previewed = 0;
  #small = Board.small(byId("preview"));
  /** The lines shown, and the board that they begin from. */
  #lines = /** @type {MoveValue[]} */ ([]);
  #start = "";
  #soon = 0;
  /** The board of which the threat is asked for and shown. */
  #threatened = "";
  #drawn = /** @type {unknown[]} */ ([]);
  /** Stops the review that runs. */
  cancelReview = /** @type {(() => void) | null} */ (null);

  constructor(/** @type {import("./app.js").App} */ app) {
    this.app = app;
    const list = byId("lines");
    list.addEventListener("click", (event) => this.#playLine(this.#movesTo(event)));
    list.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#preview(this.#movesTo(event)));
    list.addEventListener("pointerleave", () => this.#preview(null));
    list.addEventListener("focusin", (event) => this.#preview(this.#movesTo(event)));
    list.addEventListener("focusout", () => this.#preview(null));
  }

  /** Reviews the game, or stops the review that runs. */
  async review() {
    if (this.cancelReview) return this.cancelReview();
    const { app } = this;
    const { game, socket } = app;
    const reply = socket.request("review", { game: game.toRecord(), limit: {} });
    const { id } = reply;
    app.showMore(true);
    const bar = element("progress", { max: "1", value: "0", "aria-label": words.page.reviewTitle });
    byId("report").hidden = false;
    byId("report-body").replaceChildren(bar);
    byId("report").scrollIntoView({ block: "nearest" });
    button("learn-mistakes").hidden = true;
    const forget = socket.on("review", (message) => {
      if (message.id !== id) return;
      bar.max = message.of;
      bar.value = message.done;
    });
    this.cancelReview = () => socket.request("cancel", { request: id }).catch(() => {});
    for (const name of byId("review").children) name.textContent = words.stop;
    try {
      const review = /** @type {import("./types").Review} */ (await reply);
      if (game === app.game) app.review = review;
    } catch (error) {
      if (game === app.game) notice(words.noReview(/** @type {Error} */ (error).message));
    } finally {
      forget();
      this.cancelReview = null;
      for (const [i, name] of [...byId("review").children].entries()) name.textContent = [words.page.review, words.page.reviewGame][i];
      app.update();
      byId("report").scrollIntoView({ block: "nearest" });
    }
  }

  /** Draws the key moments of another review than before. */
  drawMoments() {
    const { app } = this;
    const drawn = [app.review, words, app.board.isFlipped];
    if (drawn.every((each, i) => each === this.#drawn[i])) return;
    this.#drawn = drawn;
    drawMoments(app, (ply) => {
      // Not if another line has become the main one.
      for (const [node, move] of reviewed(app)) if (move.ply === ply && node.parent) app.step(node.parent);
    });
  }

  learnFromMistakes() {
    const { app } = this;
    const { review, game } = app;
    if (!review) return;
    // A person who plays an engine learns from their own.
    const { S, N } = app.players;
    const tasks = mistakes(review, S.isYou ? "S" : N.isYou ? "N" : null).map((move) => ({
      title: () => words.mistake,
      text: () => words.mistakeText(move.side, move.move, Math.round(move.loss)),
      board: move.board,
      capture: game.capture,
      best: move.best,
      answer: () => words.mistakeAnswer(valueWords(move.value, move.proven), whyWords(move), move.line),
    }));
    if (!tasks.length) return notice(words.noMistake);
    app.startLesson(tasks);
  }

  get #areValuesHidden() {
    return this.app.settings.hideValues && this.#peeked !== this.app.node.board;
  }

  peek() {
    this.#peeked = this.#areValuesHidden ? this.app.node.board : "";
    this.draw();
  }

  /** Draws what has changed since, at most ten times a second. */
  drawSoon() {
    this.#soon ||= window.setTimeout(() => this.draw(), PAUSE);
  }

  draw() {
    clearTimeout(this.#soon);
    this.#soon = 0;
    const { analysis, position, game, lesson, settings, board, node } = this.app;
    if (!position) return;
    const found = analysis.isOn && !lesson ? analysis.findings(game.capture, position.board) : undefined;
    button("analyse").setAttribute("aria-checked", String(analysis.isOn));
    const isHidden = this.#areValuesHidden;
    button("peek").hidden = !(settings.hideValues && analysis.isOn);
    button("threat").hidden = !analysis.isOn;
    button("threat").setAttribute("aria-pressed", String(settings.threat));
    button("peek").textContent = isHidden ? words.page.peek : words.hide;
    byId("analysis-stats").textContent = found ? statsText(found, analysis.isRunning) : "";
    const best = found?.best;
    byId("evaluation").textContent = best && !isHidden ? valueText(best, " ✓") : "";
    byId("evaluation").title = best && !isHidden ? valueWords(best.value, best.proven) : "";
    const lines = found && !isHidden ? found.ranked : [];
    this.#drawLines(lines.slice(0, settings.lines), position.board);
    board.setValues(found && !isHidden ? valueLabels(found) : new Map());
    board.setArrows("own", lesson ? [] : node.marks);
    this.#drawArrows(found);
    drawGraph(this.app, isHidden);
  }

  /** The best move of the analysis, along its sowing, and what the opponent threatens. */
  #drawArrows(/** @type {import("./analysis.js").Findings | undefined} */ found) {
    const { board, position } = this.app;
    const best = found && !this.#areValuesHidden ? found.ranked[0]?.move : "";
    const legal = board.isBusy ? undefined : position.moves.find(({ move }) => move === best);
    board.setArrows("best", along(legal, "best"));
    const isAsked = found && this.app.settings.threat && !board.isBusy;
    if (this.#threatened !== (isAsked ? position.board : "")) this.#showThreat(isAsked ? position : null);
  }

  async #showThreat(/** @type {import("./types").Position | null} */ position) {
    const { analysis, game, board } = this.app;
    const show = (/** @type {import("./types").LegalMove | null} */ threat) => {
      board.setArrows("threat", along(threat, "threat"));
      byId("threat-text").textContent = threat ? words.threat(threat.move, threat.capture?.seeds ?? 0, threat.again) : "";
    };
    this.#threatened = position?.board ?? "";
    show(null);
    const threat = position && (await analysis.threat(game.capture, position));
    if (threat && this.#threatened === position.board) show(threat);
  }

  /** The best lines from a board. */
  #drawLines(/** @type {MoveValue[]} */ best, /** @type {string} */ board) {
    const list = byId("lines");
    // A pressed button stays what it is until it is let go.
    if (list.querySelector("button:active")) return;
    [this.#lines, this.#start] = [best, board];
    fit(list, best.length, () => element("li", {}, element("span", { class: "score" }), element("span", { class: "pv" })));
    for (const [i, { value, proven, bound, pv, depth }] of best.entries()) {
      const [score, moves] = /** @type {HTMLElement[]} */ ([...list.children[i].children]);
      score.textContent = valueText({ value, proven, bound }, " ✓");
      score.title = `${valueWords(value, proven)}, ${words.depth(depth)}`;
      const shown = pv.slice(0, 30);
      fit(moves, shown.length, () => element("button", { type: "button" }));
      for (const [j, move] of shown.entries()) {
        const button = moves.children[j];
        if (button.textContent !== move) button.textContent = move;
        button.className = sideOf(move);
      }
    }
  }

  /** The moves of a line up to that of a button. */
  #movesTo(/** @type {Event} */ { target }) {
    const button = /** @type {Element} */ (target).closest("button");
    const line = this.#lines[[...byId("lines").children].findIndex((item) => item.contains(button))];
    return button && line ? line.pv.slice(0, [...(button.parentElement?.children ?? [])].indexOf(button) + 1) : null;
  }

  async #playLine(/** @type {string[] | null} */ moves) {
    const { app } = this;
    const { node } = app;
    if (!moves || app.match?.isLive || node.board !== this.#start) return;
    const line = moves.join("");
    const positions = await app.rules.line(app.game.capture, node.board, line);
    if (node !== app.node) return;
    this.#preview(null);
    await app.show(node.playAll(line, positions));
  }

  /** A small board of the position after a line. */
  async #preview(/** @type {string[] | null} */ moves) {
    const { app } = this;
    const previewed = ++this.#previewed;
    const place = byId("preview");
    place.hidden = true;
    if (!moves) return;
    const positions = await app.rules.line(app.game.capture, this.#start, moves.join(""));
    if (previewed !== this.#previewed) return;
    const anchor = byId("lines").getBoundingClientRect();
    const below = window.innerHeight - anchor.bottom > 190;
    place.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - 330))}px`;
    place.style.top = below ? `${anchor.bottom + 6}px` : `${Math.max(8, anchor.top - 176)}px`;
    place.hidden = false;
    this.#small.isFlipped = app.board.isFlipped;
    this.#small.show(positions[positions.length - 1], { move: moves[moves.length - 1], played: null });
  }
}

/** The line below the title of the analysis. */
function statsText(/** @type {import("./analysis.js").Findings} */ findings, /** @type {boolean} */ isRunning) {
  if (findings.isProven) return words.allProven;
  const proven = findings.ranked.filter((value) => value.proven).length;
  const parts = [words.depth(findings.depth), words.nodes(short(findings.nodes))];
  if (isRunning && findings.nps) parts.push(words.perSecond(short(findings.nps)));
  if (findings.tbhits) parts.push(words.tableHits(short(findings.tbhits)));
  if (proven) parts.push(words.proven(proven, findings.position.moves.length));
  return parts.join(" · ");
}

/** Gives an element so many children; those that it has stay what they are, with focus and pointer. */
function fit(/** @type {Element} */ place, /** @type {number} */ count, /** @type {() => Element} */ make) {
  while (place.children.length > count) place.lastElementChild?.remove();
  while (place.children.length < count) place.append(make());
}
