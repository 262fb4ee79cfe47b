// An engine, a review or the verification of a proof in a worker of its own; workers.js and proof.js speak to it.

import init, { WebEngine, add_file, answer, check_file, forget_files, proof_claim, review, verify } from "./wasm/engine.js";

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

/** Books and tablebases by their numbers: each a blob, or an address whose host sends parts. */
let files = [];

// Asked by the engine for bytes of a file.
globalThis.readFile = (number, offset, buffer) => {
  const { blob, url, size } = files[number];
  const end = offset + buffer.length;
  const bytes = blob ? new FileReaderSync().readAsArrayBuffer(blob.slice(offset, end)) : readRange(url, offset, end, size);
  if (bytes.byteLength !== buffer.length) throw new Error("the file has changed");
  buffer.set(new Uint8Array(bytes));
};

function readRange(url, offset, end, size) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.setRequestHeader("Range", `bytes=${offset}-${end - 1}`);
  request.send();
  if (request.status !== 206) throw new Error(`the host answers ${request.status} in the place of a part`);
  const range = request.getResponseHeader("Content-Range");
  if (range !== `bytes ${offset}-${end - 1}/${size}`) throw new Error(`the host sends '${range}' in the place of bytes ${offset}-${end - 1}/${size}`);
  return request.response;
}

function takeFiles(taken) {
  forget_files();
  files = taken;
  for (const [number, { path, size }] of files.entries()) add_file(path, number, size);
}

let engine = null;
let ready = Promise.resolve();

async function begin(message) {
  ({ ends, signal } = message);
  await init({ module_or_path: message.module });
}

function line(text) {
  engine ??= new WebEngine((line) => postMessage({ lines: [line] }));
  return engine.line(text);
}

function carryOut(message) {
  if (message.given) {
    takeFiles(message.given.files);
    return message.given.lines.forEach(line);
  }
  if (message.check) {
    takeFiles([message.check]);
    // Of an address as little as possible is loaded.
    return postMessage({ reply: `{"ok": ${check_file(message.check.path, !message.check.url)}}` });
  }
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
  if (line(message.line)) postMessage({ ended: "" });
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
