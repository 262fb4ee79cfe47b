// Sounds of wood made by Web Audio, and short shakes of a phone: a tick for each seed, a deeper one for a capture, a
// chime for moving again.

/** @typedef {"seed" | "pickUp" | "capture" | "again" | "end"} Sound */

/** Milliseconds of shaking. @type {Record<Sound, number | number[]>} */
const SHAKES = { seed: 8, pickUp: 14, capture: [25, 30, 25], again: [12, 40, 12], end: [30, 60, 30] };

export class Sounds {
  #context = /** @type {AudioContext | null} */ (null);
  #noise = /** @type {AudioBuffer | null} */ (null);
  #last = 0;

  constructor(/** @type {{sound: boolean, shakes: boolean}} */ settings) {
    this.settings = settings;
  }

  play(/** @type {Sound} */ sound) {
    // Of seeds that fall at the same time one is heard.
    const now = Date.now();
    if (document.hidden || (sound === "seed" && now - this.#last < 40)) return;
    this.#last = now;
    if (this.settings.shakes) navigator.vibrate?.(SHAKES[sound]);
    if (!this.settings.sound) return;
    this.#context ??= new AudioContext();
    // A browser that wanted a touch before any sound has had it.
    if (this.#context.state === "suspended") this.#context.resume().catch(() => {});
    const chance = Math.random();
    if (sound === "seed") this.#knock(760 + 260 * chance, 0.035, 0.16);
    if (sound === "pickUp") this.#knock(430 + 60 * chance, 0.06, 0.24);
    if (sound === "capture") this.#knock(210 + 30 * chance, 0.16, 0.5);
    if (sound === "again") [659, 988].forEach((pitch, i) => this.#tone(pitch, 0.5, 0.07, 0.09 * i));
    if (sound === "end") [523, 659, 784].forEach((pitch, i) => this.#tone(pitch, 0.8, 0.06, 0.13 * i));
  }

  /** Wood on wood: a body that rings shortly, and the noise of the touch. */
  #knock(/** @type {number} */ pitch, /** @type {number} */ length, /** @type {number} */ volume) {
    const context = this.#context;
    if (!context) return;
    if (!this.#noise) {
      this.#noise = context.createBuffer(1, context.sampleRate / 20, context.sampleRate);
      this.#noise.getChannelData(0).forEach((_, i, samples) => (samples[i] = Math.random() * 2 - 1));
    }
    this.#tone(pitch, length * 2, volume, 0, pitch * 0.72);
    const touch = new AudioBufferSourceNode(context, { buffer: this.#noise });
    const body = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch * 2.2, Q: 1.2 });
    touch.connect(body).connect(this.#fade(context, length, volume));
    touch.start();
  }

  #tone(/** @type {number} */ pitch, /** @type {number} */ length, /** @type {number} */ volume, delay = 0, end = pitch) {
    const context = this.#context;
    if (!context) return;
    const start = context.currentTime + delay;
    const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
    tone.frequency.exponentialRampToValueAtTime(end, start + length);
    tone.connect(this.#fade(context, length, volume, delay));
    tone.start(start);
    tone.stop(start + length);
  }

  #fade(/** @type {AudioContext} */ context, /** @type {number} */ length, /** @type {number} */ volume, delay = 0) {
    const start = context.currentTime + delay;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    gain.connect(context.destination);
    return gain;
  }
}
