// What the page advises: values of moves, lines, the graph, hints, reviews.

import { valueLabels, valueText, valueWords } from "./analysis.js";
import { along } from "./arrows.js";
import { Board } from "./board.js";
import { notice } from "./notices.js";
import { button, byId, element } from "./page.js";
import { drawGraph, drawLines, drawMoments, kindOf, mistakes, prepareLines, statsText, whyWords } from "./review.js";
import { words } from "./words.js";

/** @import { Node } from "./game.js" */

/** Milliseconds between two pictures of a running analysis. */
const PAUSE = 100;

export class Advice {
  #peeked = "";
  #previewed = 0;
  #soon = 0;
  /** The board of which the threat is asked for, and of which it is shown. */
  #threatened = "";
  #toldThreat = "";
  #drawn = /** @type {unknown[]} */ ([]);
  #cancelReview = /** @type {(() => void) | null} */ (null);

  constructor(/** @type {import("./app.js").App} */ app) {
    this.app = app;
    prepareLines({ open: (board, moves) => this.#playLine(board, moves), preview: (board, moves) => this.#preview(board, moves) });
  }

  get isReviewing() {
    return this.#cancelReview !== null;
  }

  stopReview() {
    this.#cancelReview?.();
  }

  /** Reviews the game, or stops the review that runs. */
  async review() {
    if (this.#cancelReview) return this.#cancelReview();
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
    this.#cancelReview = () => socket.request("cancel", { request: id }).catch(() => {});
    for (const name of byId("review").children) name.textContent = words.stop;
    try {
      const review = /** @type {import("./types").Review} */ (await reply);
      if (game === app.game) app.review = review;
    } catch (error) {
      if (game === app.game) notice(words.noReview(/** @type {Error} */ (error).message));
    } finally {
      forget();
      this.#cancelReview = null;
      for (const [i, name] of [...byId("review").children].entries()) name.textContent = [words.page.review, words.page.reviewGame][i];
      app.update();
      byId("report").scrollIntoView({ block: "nearest" });
    }
  }

  /** Draws the key moments of another review than before. */
  drawMoments() {
    const { app } = this;
    const { review, game } = app;
    const { isFlipped } = app.board;
    const drawn = [review, words, isFlipped];
    if (drawn.every((each, i) => each === this.#drawn[i])) return;
    this.#drawn = drawn;
    drawMoments(byId("moments"), review, {
      isFlipped,
      position: (board) => app.rules.position(game.capture, board),
      // Not if another line has become the main one.
      open: (ply) => {
        for (const [node, move] of this.reviewed) if (move.ply === ply && node.parent) app.step(node.parent);
      },
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
    drawLines(lines.slice(0, settings.lines), position.board);
    board.setValues(found && !isHidden ? valueLabels(found) : new Map());
    board.setArrows("own", lesson ? [] : node.marks);
    this.#drawArrows(found);
    this.#drawGraph();
  }

  /** The best move of the analysis, along its sowing, and what the opponent threatens. */
  #drawArrows(/** @type {import("./analysis.js").Findings | undefined} */ found) {
    const { board, position } = this.app;
    const best = found && !this.#areValuesHidden ? found.ranked[0]?.move : "";
    const legal = board.isBusy ? undefined : position.moves.find(({ move }) => move === best);
    board.setArrows("best", along(legal, "best"));
    const isAsked = Boolean(found) && this.app.settings.threat && !board.isBusy;
    if (!isAsked) this.#threatened = "";
    else if (this.#threatened !== position.board) this.#askThreat(position);
    if (this.#threatened !== this.#toldThreat) this.#drawThreat(null);
  }

  async #askThreat(/** @type {import("./types").Position} */ position) {
    const { analysis, game } = this.app;
    this.#threatened = position.board;
    const threat = await analysis.threat(game.capture, position);
    if (this.#threatened === position.board) this.#drawThreat(threat);
  }

  #drawThreat(/** @type {import("./types").LegalMove | null} */ threat) {
    this.#toldThreat = this.#threatened;
    this.app.board.setArrows("threat", along(threat, "threat"));
    byId("threat-text").textContent = threat ? words.threat(threat.move, threat.capture?.seeds ?? 0, threat.again) : "";
  }

  async #playLine(/** @type {string} */ board, /** @type {string[]} */ moves) {
    const { app } = this;
    const { node } = app;
    if (app.match?.isLive || node.board !== board) return;
    const line = moves.join("");
    const positions = await app.rules.line(app.game.capture, board, line);
    if (node !== app.node) return;
    this.#preview(board, null);
    await app.show(node.playAll(line, positions));
  }

  /** A small board of the position after a line. */
  async #preview(/** @type {string} */ board, /** @type {string[] | null} */ moves) {
    const { app } = this;
    const previewed = ++this.#previewed;
    const place = byId("preview");
    place.hidden = true;
    place.replaceChildren();
    if (!moves) return;
    const positions = await app.rules.line(app.game.capture, board, moves.join(""));
    if (previewed !== this.#previewed) return;
    const frame = element("div");
    const small = Board.small(frame);
    place.replaceChildren(frame);
    const anchor = byId("lines").getBoundingClientRect();
    const below = window.innerHeight - anchor.bottom > 190;
    place.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - 330))}px`;
    place.style.top = below ? `${anchor.bottom + 6}px` : `${Math.max(8, anchor.top - 176)}px`;
    place.hidden = false;
    small.isFlipped = app.board.isFlipped;
    small.show(positions[positions.length - 1], { move: moves[moves.length - 1], played: null });
  }

  /** The moves of the main line with their reviews, as far as it is the line that was reviewed. */
  get reviewed() {
    const reviewed = /** @type {Map<Node, import("./types").ReviewedMove>} */ (new Map());
    const { game, review } = this.app;
    for (const [i, node] of game.main.entries()) {
      const move = review?.moves[i];
      if (move?.move !== node.move || move.board !== node.parent?.board) break;
      reviewed.set(node, move);
    }
    return reviewed;
  }

  #drawGraph() {
    const { game, review, analysis, match, node, position } = this.app;
    const main = [game.root, ...game.main];
    const isHidden = this.#areValuesHidden || match?.isLive;
    const { reviewed } = this;
    const isProven = review?.moves.at(-1)?.proven ?? false;
    const values = main.map((at, i) => {
      if (isHidden) return null;
      const [before, after] = [reviewed.get(at), reviewed.get(main[i + 1])];
      if (after) return { value: after.value, proven: after.proven };
      if (before) return { value: i === review?.moves.length ? review.final : before.after, proven: isProven };
      return analysis.findings(game.capture, at.board)?.best ?? null;
    });
    const faults = [...reviewed.values()].flatMap(({ loss, ply }) => (loss >= 4 ? [ply] : []));
    const { line } = node;
    // In a variation it is where that begins.
    const now = Math.max(0, main.findLastIndex((at) => line.includes(at)));
    const here = reviewed.get(node);
    const told = here && here.loss > 0 ? words.marks[kindOf(here)] : "";
    drawGraph(byId("graph"), values, { now, seeds: position.seeds + position.stores[0] + position.stores[1], faults, told });
  }
}
