// An engine, a review or the verification of a proof in a worker of its own; workers.js and proof.js speak to it.

import init, { WebEngine, answer, proof_claim, review, verify } from "./wasm/engine.js";

/** Milliseconds between looks at the signal: each takes a fraction of one. */
const PAUSE = 8;

/** How many lines were sent that end a search, in memory of the page, and how many of them have come. */
let ends = null;
let received = 0;
/** Without such memory: an address that leads to nothing once such a line was sent. */
let signal = "";
let isGone = false;
let next = 0;

// Asked by the engine while it searches, when no message can come.
globalThis.stopComes = () => {
  if (ends) return Atomics.load(ends, 0) !== received;
  const now = performance.now();
  if (isGone || now < next) return isGone;
  next = now + PAUSE;
  const request = new XMLHttpRequest();
  request.open("GET", signal, false);
  try {
    request.send();
  } catch {
    isGone = true;
  }
  return isGone;
};

let engine = null;
let ready = Promise.resolve();

async function begin(message) {
  ({ ends, signal } = message);
  await init({ module_or_path: message.module });
}

function carryOut(message) {
  if (message.question) return postMessage({ reply: answer(message.question) });
  if (message.proof) {
    postMessage({ claim: JSON.parse(proof_claim(message.proof)) });
    verify(message.proof, (event) => postMessage({ event }));
    return postMessage({ verified: true });
  }
  if (message.review) {
    const reply = review(message.review, message.mebibytes, (event) => postMessage({ event }));
    return postMessage({ reply });
  }
  if (message.isEnd) received++;
  if (message.isEnd) isGone = false;
  signal = message.signal;
  engine ??= new WebEngine((line) => postMessage({ lines: [line] }));
  if (engine.line(message.line)) postMessage({ ended: "" });
}

onmessage = async ({ data }) => {
  try {
    if (data.module) ready = begin(data);
    await ready;
    if (!data.module) carryOut(data);
  } catch (error) {
    postMessage({ ended: String(error?.message ?? error) });
  }
};
