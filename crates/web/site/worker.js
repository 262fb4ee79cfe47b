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
  const file = files[number];
  const end = offset + buffer.length;
  if (!file.blob) return readParts(file, offset, buffer);
  const bytes = new FileReaderSync().readAsArrayBuffer(file.blob.slice(offset, end));
  if (bytes.byteLength !== buffer.length) throw new Error("the file has changed");
  buffer.set(new Uint8Array(bytes));
};

/** Bytes of an address that are loaded at once, and how many parts of a file are kept. */
const PART = 1 << 16;
const MOST_PARTS = 256;

/** Milliseconds until a host is asked again that did not answer: a search would ask it each time. */
const REST = 10_000;

function readParts(file, offset, buffer) {
  // The engine keeps what it reads of a tablebase, but asks for the small blocks of a book again and again.
  if (buffer.length >= PART) return buffer.set(loaded(file, offset, offset + buffer.length));
  const { parts, size } = file;
  for (let done = 0; done < buffer.length; ) {
    const inside = (offset + done) % PART;
    const start = offset + done - inside;
    if (parts.size > MOST_PARTS) parts.clear();
    if (!parts.has(start)) parts.set(start, loaded(file, start, Math.min(start + PART, size)));
    const bytes = parts.get(start).subarray(inside, inside + buffer.length - done);
    buffer.set(bytes, done);
    done += bytes.length;
  }
}

function loaded(file, start, end) {
  if (performance.now() < file.retryAt) throw file.error;
  try {
    const bytes = new Uint8Array(askedFor(file, start, end));
    if (bytes.length !== end - start) throw new Error("the host sends less than it says");
    return bytes;
  } catch (error) {
    [file.error, file.retryAt] = [error, performance.now() + REST];
    throw error;
  }
}

function askedFor({ url, size }, start, end) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  // Meanwhile the search hears no stop.
  request.timeout = 10_000;
  request.setRequestHeader("Range", `bytes=${start}-${end - 1}`);
  request.send();
  const range = request.getResponseHeader("Content-Range");
  const expected = `bytes ${start}-${end - 1}/${size}`;
  if (request.status !== 206 || range !== expected) throw new Error(`the host answers ${request.status} ${range}, not ${expected}`);
  return request.response;
}

function takeFiles(taken) {
  forget_files();
  files = taken.map((file) => ({ ...file, parts: new Map(), retryAt: 0 }));
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
  if (message.setup) {
    takeFiles(message.setup.files);
    return message.setup.lines.forEach(line);
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
  if (message.isEnd) {
    received++;
    isGone = false;
  }
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
