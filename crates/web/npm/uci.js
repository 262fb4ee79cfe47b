#!/usr/bin/env node
// The engine as a program that speaks its protocol on standard input and output. It runs in a thread of its own, so that
// `stop` is heard while it searches.

import { createInterface } from "node:readline";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

import { Engine } from "./index.js";

/** Lines that end any search: the engine sees that they come before it reads them. Another ends a search that ponders. */
const ENDS_SEARCH = /^\s*(stop|quit)\b/;
const ENDS_PONDERING = /^\s*ponderhit\b/;
const GO = /^\s*go\b/;
const PONDERS = /^\s*go\b.*\bponder\b/;
/** A search that only such a line ends. */
const ENDLESS = /^\s*go(\s*$|.*\b(infinite|ponder)\b)/;

if (isMainThread) {
  const ends = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: ends });
  worker.on("message", (line) => console.log(line));
  // Nobody reads any more.
  process.stdout.on("error", () => process.exit());
  worker.on("error", (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  let [isEndless, isPondering] = [false, false];
  const send = (line, isEnd = ENDS_SEARCH.test(line) || (isPondering && ENDS_PONDERING.test(line))) => {
    if (isEnd) Atomics.add(ends, 0, 1);
    if (isEnd || GO.test(line)) [isEndless, isPondering] = [ENDLESS.test(line), PONDERS.test(line)];
    worker.postMessage({ line, isEnd });
  };
  // At the end of input a search with limits is finished.
  createInterface({ input: process.stdin }).on("line", (line) => send(line)).on("close", () => send("quit", isEndless));
  // What was said is written before the program ends.
  worker.on("exit", () => process.stdin.destroy());
} else {
  let received = 0;
  globalThis.stopComes = () => Atomics.load(workerData, 0) !== received;
  const engine = await Engine.start();
  engine.onLine = (line) => parentPort.postMessage(line);
  parentPort.on("message", ({ line, isEnd }) => {
    if (isEnd) received++;
    engine.send(line);
    if (engine.hasQuit) parentPort.close();
  });
}
