// The picture of a move: a house's seeds are lifted, go from house to house, and stay where they land.

import { storeOf } from "./rules.js";
import { placeOf, put, seed } from "./seeds.js";

/** @import { LegalMove } from "./types" */
/** @import { Pit } from "./board.js" */
/**
 * The board: its hand, its pits, what it does when a number changes or something is to be heard or told, whether the
 * picture has to end, and what it must know to end it.
 * @typedef {{hand: SVGGElement, pit: (name: string) => Pit, change: (pit: Pit, by: number) => void,
 *   emit: (event: import("./sounds.js").Sound, pit: string) => void, isOver: () => boolean, runs: (flight: Animation) => void}} Stage
 */

/** The longest way of a hand, in milliseconds, however many seeds. */
const LONGEST = 4000;
/** Steps that a hand rests at a pit where it picks up seeds. */
const REST = 2;
/** Seeds in a hand lie closer. */
const GRIP = 0.84;
const SOFT = "cubic-bezier(.35, 0, .25, 1)";

const move = (/** @type {number} */ x, /** @type {number} */ y, scale = 1) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale})`;

/**
 * @param {Stage} stage
 * @param {LegalMove} legal
 * @param {{speed: number, store: string, swept: string[], isEnd: boolean}} options milliseconds for a seed; the mover's
 *   store; the houses that are swept, and whether the game is over
 */
export async function sow(stage, legal, { speed, store, swept, isEnd }) {
  const step = Math.min(speed, LONGEST / (legal.path.length + REST * legal.pickUps.length));
  await carry(stage, legal, step);
  if (stage.isOver()) return;
  if (legal.capture) {
    stage.emit("capture", legal.path.at(-1) ?? "");
    await pause(stage, Math.max(1.5 * step, 200));
    await gather(stage, legal.capture.from, store, step);
  }
  if (legal.sweep && !stage.isOver()) {
    await pause(stage, 2 * step);
    await gather(stage, swept, storeOf(legal.sweep.side), step);
  }
  if (stage.isOver()) return;
  if (isEnd) stage.emit("end", store);
  else if (legal.again) stage.emit("again", store);
}

function pause(/** @type {Stage} */ stage, /** @type {number} */ time) {
  const rest = stage.hand.animate([], time);
  stage.runs(rest);
  return rest.finished;
}

/** The way of the hand in small steps: an arc from pit to pit, slower above the pits. */
function wayOf(/** @type {[number, number][]} */ stops) {
  const hops = stops.length - 1;
  const fine = hops > 60 ? 3 : 8;
  const frames = [{ transform: move(...stops[0], 1), offset: 0 }];
  for (let hop = 0; hop < hops; hop++) {
    const [[x0, y0], [x1, y1]] = [stops[hop], stops[hop + 1]];
    const arc = Math.min(34, Math.hypot(x1 - x0, y1 - y0) / 4);
    for (let i = 1; i <= fine; i++) {
      const time = i / fine;
      const part = time * time * (3 - 2 * time);
      const transform = move(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part - arc * 4 * part * (1 - part), GRIP);
      frames.push({ transform, offset: Math.min(1, (hop + time) / hops) });
    }
  }
  return frames;
}

/** Carries the seeds of a house along its path, and lets one fall into each pit; a relay picks up seeds on the way. */
async function carry(/** @type {Stage} */ stage, /** @type {LegalMove} */ { move: house, path, pickUps }, /** @type {number} */ step) {
  const { hand } = stage;
  let held = 0;
  const pickUp = (/** @type {string} */ name) => {
    const pit = stage.pit(name);
    held = pit.shown;
    hand.replaceChildren(...pit.seeds.children);
    stage.change(pit, -held);
  };
  const drop = (/** @type {string} */ name) => {
    const pit = stage.pit(name);
    const { seeds, places } = pit;
    // A large heap was not drawn whole.
    const circle = (held <= hand.childElementCount && hand.lastElementChild) || seed(held);
    held--;
    const [x, y] = placeOf(circle).map((at) => at * GRIP);
    const place = places[seeds.childElementCount];
    stage.change(pit, 1);
    stage.emit("seed", name);
    if (!place) return circle.remove();
    put(circle, place);
    seeds.append(circle);
    circle.animate([{ transform: move(x - place[0], y - place[1]) }, { transform: "none" }], { duration: Math.min(240, 40 + 1.3 * step), easing: SOFT });
  };
  // What happens where, a step each.
  const course = [...path].flatMap((name, i) => {
    const rest = Array.from({ length: pickUps.includes(i + 1) ? REST : 0 }, (_, n) => ({ name, act: () => n === 0 && (pickUp(name), stage.emit("pickUp", name)) }));
    return [{ name, act: () => drop(name) }, ...rest];
  });
  const stops = [house, ...course.map(({ name }) => name)].map((name) => stage.pit(name).center);
  pickUp(house);
  const flight = hand.animate(wayOf(stops), { duration: step * course.length, fill: "forwards" });
  stage.runs(flight);
  let done = 0;
  await new Promise((resolve) => {
    const frame = (isLast = false) => {
      if (stage.isOver()) return resolve(undefined);
      const due = isLast ? course.length : Math.min(course.length, Math.floor(Number(flight.currentTime) / step + 0.01));
      while (done < due) course[done++].act();
      if (done === course.length) resolve(undefined);
      else if (!isLast) requestAnimationFrame(() => frame());
    };
    requestAnimationFrame(() => frame());
    // Where no frame is drawn, the end is one.
    flight.finished.then(() => frame(true), resolve);
  });
  hand.replaceChildren();
  flight.cancel();
}

/** Seeds of some pits fly to a store, one shortly after the other. */
async function gather(/** @type {Stage} */ stage, /** @type {string[]} */ pits, /** @type {string} */ store, /** @type {number} */ step) {
  const { hand } = stage;
  const to = stage.pit(store);
  const duration = Math.max(320, 2.2 * step);
  let sum = 0;
  let last = /** @type {Animation | null} */ (null);
  for (const name of pits) {
    const from = stage.pit(name);
    const delay = Math.min(26, 300 / (from.seeds.childElementCount || 1));
    for (const circle of [...from.seeds.children]) {
      const [x, y] = placeOf(circle);
      const place = to.places[to.seeds.childElementCount + hand.childElementCount] ?? to.places[0];
      put(circle, [to.center[0] + place[0], to.center[1] + place[1]]);
      const start = move(from.center[0] + x - to.center[0] - place[0], from.center[1] + y - to.center[1] - place[1]);
      last = circle.animate([{ transform: start }, { transform: "none" }], { duration, delay: delay * hand.childElementCount, easing: SOFT, fill: "backwards" });
      hand.append(circle);
    }
    sum += from.shown;
    stage.change(from, -from.shown);
  }
  if (!last) return;
  stage.runs(last);
  await last.finished;
  if (stage.isOver()) return;
  for (const circle of [...hand.children]) {
    const place = to.places[to.seeds.childElementCount];
    if (!place) break;
    put(circle, place);
    to.seeds.append(circle);
  }
  hand.replaceChildren();
  stage.change(to, sum);
}
