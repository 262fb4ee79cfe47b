// Books and tablebases of the visitor, for all engines of the page: files that were chosen are checked and copied into
// the browser's storage, and addresses are read by ranges when an engine asks.

import { filesWords } from "./files-words.js";
import { announce } from "./notices.js";
import { button, byId, dialog, element, input, keep, loadJson, showError, showText } from "./page.js";
import { words } from "./words.js";

/** @import { Workers } from "./workers.js" */

/**
 * What is known of a file; it is in the storage, at an address, or for this visit only.
 * @typedef {{kind: "book" | "tablebase", houses: number, rules: string, seeds: number, positions: number}} About
 * @typedef {{name: string, size: number, about: About, url?: string, blob?: Blob}} Entry
 */

/** Of the list, without the files themselves. */
const KEY = "kalah-files";
/** Of the storage. */
const FOLDER = "kalah-files";

let entries = /** @type {Entry[]} */ ([]);
/** What is in the storage. @type {WeakSet<Blob>} */
const kept = new WeakSet();
const isOfVisit = (/** @type {Entry} */ { blob }) => blob !== undefined && !kept.has(blob);
/** The folder of the engines: another one after each change, so that they open it again. */
let change = 0;
const all = /** @type {Set<Workers>} */ (new Set());
/** What there is to say about files that were added, beside that. */
let remarks = /** @type {string[]} */ ([]);

const said = () => filesWords[words.language];

/** The storage, where the browser has one that pages can write to. */
async function folder() {
  if (!("createWritable" in (globalThis.FileSystemFileHandle?.prototype ?? {}))) return null;
  const root = await navigator.storage.getDirectory().catch(() => null);
  return root && (await root.getDirectoryHandle(FOLDER, { create: true }));
}

/** Finds the files of earlier visits. */
async function restore() {
  // Another page of this host may have written something else.
  const stored = loadJson(KEY);
  const listed = /** @type {Entry[]} */ (Array.isArray(stored) ? stored : []);
  const place = listed.some(({ url }) => !url) ? await folder().catch(() => null) : null;
  const found = listed.map(async (entry) => {
    if (entry.url) return entry;
    const blob = await place?.getFileHandle(entry.name).then((handle) => handle.getFile(), () => undefined);
    if (blob?.size !== entry.size) return null;
    kept.add(blob);
    return { ...entry, blob };
  });
  entries = [...(await Promise.all(found)).filter((entry) => entry !== null), ...entries.filter(isOfVisit)];
  publishFiles();
}

/** Tells all engines, before their next search. */
function publishFiles() {
  change++;
  const book = entries.find(({ about }) => about.kind === "book");
  const hasTables = entries.some(({ about }) => about.kind === "tablebase");
  const files = entries.map((entry) => ({ path: `${change}/${entry === book ? "book" : entry.name}`, size: entry.size, url: entry.url, blob: entry.blob }));
  const lines = [`setoption name Book value ${book ? `${change}/book` : ""}`, `setoption name Tablebase value ${hasTables ? change : ""}`];
  for (const workers of all) workers.setup = { files, lines };
}

function changed() {
  keep(KEY, JSON.stringify(entries.filter((entry) => !isOfVisit(entry)).map(({ blob, ...rest }) => rest)));
  publishFiles();
  draw();
}

/** Takes the place of what it replaces: a file of the same name, or the book before. */
function put(/** @type {Entry} */ entry) {
  const isReplaced = (/** @type {Entry} */ { name, about }) => name === entry.name || (about.kind === "book" && entry.about.kind === "book");
  const replaced = entries.filter(isReplaced);
  entries = [...entries.filter((other) => !isReplaced(other)), entry];
  // The file of the same name is the new one.
  forgetFiles(replaced.filter(({ name }) => name !== entry.name || entry.url));
  changed();
}

function forgetFiles(/** @type {Pick<Entry, "name" | "url">[]} */ some) {
  for (const { name, url } of some) if (!url) folder().then((place) => place?.removeEntry(name)).catch(() => {});
}

/** What the library says of a file, or its error. @returns {Promise<About>} */
const check = (/** @type {Workers} */ workers, /** @type {Pick<Entry, "name" | "size" | "url" | "blob">} */ file) =>
  workers.ask(0, { check: { path: file.name, size: file.size, url: file.url, blob: file.blob } });

/** Checks and copies a file. */
async function addFile(/** @type {Workers} */ workers, /** @type {File} */ file) {
  const { name, size } = file;
  showProgress(said().checking(name));
  const about = await check(workers, { name, size, blob: file });
  put({ name, size, about, blob: await copy(file) });
}

/** The copy of a file in the storage, or the file itself where there is none or no room. */
async function copy(/** @type {File} */ file) {
  showProgress(said().copying(file.name));
  let done = 0;
  /** @type {TransformStream<Uint8Array, Uint8Array>} */
  const counted = new TransformStream({
    transform(part, sink) {
      showProgress(said().copying(file.name), (done += part.length) / file.size);
      sink.enqueue(part);
    },
  });
  try {
    const place = await folder();
    if (!place) {
      if (!remarks.includes(said().noStorage)) remarks.push(said().noStorage);
      return file;
    }
    const handle = await place.getFileHandle(file.name, { create: true });
    await file.stream().pipeThrough(counted).pipeTo(await handle.createWritable());
    // Browsers clear the storage of sites that do not ask.
    navigator.storage.persist?.().catch(() => {});
    const copied = await handle.getFile();
    kept.add(copied);
    return copied;
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "QuotaExceededError") throw error;
    // This file takes the place of one of the same name.
    forgetFiles([{ name: file.name }]);
    remarks.push(said().full(file.name, bytes(file.size)));
    return file;
  }
}

/** The files that an address stands for: a layer stands for those below it, too. */
function addressesOf(/** @type {string} */ text) {
  const url = URL.canParse(text, location.href) ? new URL(text, location.href) : null;
  const name = decodeURIComponent(url?.pathname.split("/").at(-1) ?? "");
  if (!url || !/^https?:$/.test(url.protocol) || !name) throw new Error(said().noAddress);
  const [, start, seeds] = /^(kalah-.+-)(\d{1,3})\.ktb$/.exec(name) ?? [];
  const names = start ? Array.from({ length: Number(seeds) + 1 }, (_, i) => `${start}${i}.ktb`) : [name];
  return names.map((each) => ({ name: each, url: new URL(encodeURIComponent(each) + url.search, url).href }));
}

/** Checks what is at an address, without its blocks. */
async function addAddress(/** @type {Workers} */ workers, /** @type {string} */ text) {
  const addresses = addressesOf(text);
  const found = /** @type {Entry[]} */ ([]);
  for (const [i, { name, url }] of addresses.entries()) {
    showProgress(said().checking(name), i / addresses.length);
    const size = await sizeOf(url);
    found.push({ name, size, url, about: await check(workers, { name, size, url }) });
  }
  found.forEach(put);
}

/** The bytes of a file whose host sends parts. */
async function sizeOf(/** @type {string} */ url) {
  const reply = await fetch(url, { headers: { Range: "bytes=0-0" }, signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new Error(said().unreachable(url));
  });
  // A host that sends all of it is not listened to.
  reply.body?.cancel().catch(() => {});
  const [, size] = /^bytes 0-0\/(\d+)$/.exec(reply.headers.get("Content-Range") ?? "") ?? [];
  if (!reply.ok) throw new Error(said().status(url, reply.status));
  if (reply.status !== 206 || !size) throw new Error(said().noRanges(url));
  return Number(size);
}

// What the settings show

const language = () => document.documentElement.lang;

function bytes(/** @type {number} */ count) {
  const step = Math.max(0, Math.min(3, Math.floor(Math.log10(count) / 3)));
  const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][step];
  return (count / 1000 ** step).toLocaleString(language(), { style: "unit", unit, maximumFractionDigits: 1 });
}

/** Says what is being done, and how far it is; nothing if it is done. */
function showProgress(/** @type {string} */ text, far = 0) {
  const bar = /** @type {HTMLProgressElement} */ (byId("files-far"));
  if (byId("files-status").textContent !== text) showText(byId("files-status"), text);
  bar.hidden = !text;
  bar.value = far;
}

/** Files that belong together: a book, or the layers of a tablebase. */
function groups() {
  const groups = Map.groupBy(entries, ({ name, about }) => (about.kind === "book" ? name : `${about.houses} ${about.rules}`));
  return [...groups.values()];
}

/** What is said of the layers of a tablebase: engines use those below the first that is missing. */
function layersOf(/** @type {Entry[]} */ group) {
  const layers = new Set(group.map(({ about }) => about.seeds));
  let missing = 0;
  while (layers.has(missing)) missing++;
  const isWhole = missing === layers.size;
  return [...(missing ? [said().upTo(missing - 1)] : []), said().files(group.length), ...(isWhole ? [] : [said().gap(missing)])];
}

function describe(/** @type {Entry[]} */ group) {
  const [{ name, about, url }] = group;
  const { kind, houses, rules, seeds, positions } = about;
  const contents = kind === "book" ? [name, said().positions(positions.toLocaleString(language()), seeds)] : layersOf(group);
  if (url) contents.push(said().from(new URL(url).host));
  if (group.some(isOfVisit)) contents.push(said().thisVisit);
  contents.push(bytes(group.reduce((sum, { size }) => sum + size, 0)));
  return { title: said().about(said()[kind], houses), details: [words.terms[/** @type {keyof typeof words.terms} */ (rules)], ...contents].join(" · ") };
}

function draw() {
  if (!document.getElementById("files")) return;
  for (const [id, text] of [["files-title", said().title], ["files-help", said().help], ["files-choose", said().choose], ["files-label", said().address], ["files-add", said().add]]) byId(id).textContent = text;
  const rows = groups().map((group) => {
    const { title, details } = describe(group);
    const remove = element("button", { type: "button", class: "plain", style: "min-width: 2.75rem", "aria-label": said().remove(title), title: said().remove(title) }, "×");
    remove.onclick = () => {
      entries = entries.filter((entry) => !group.includes(entry));
      forgetFiles(group);
      changed();
      announce(said().removed(title));
      button("files-choose").focus();
    };
    return element("li", { class: "row" }, element("div", { style: "flex: 1; overflow-wrap: anywhere" }, element("b", {}, title), element("div", { class: "quiet" }, details)), remove);
  });
  byId("files-list").replaceChildren(...rows);
}

/** A section of the settings. */
function prepare(/** @type {Workers} */ workers) {
  const label = element("label", { for: "files-address", id: "files-label" });
  const chosen = element("input", { type: "file", id: "files-input", multiple: "", accept: ".kbk,.ktb", hidden: "" });
  const section = element("section", { id: "files" },
    element("h3", { id: "files-title" }), element("p", { id: "files-help", class: "quiet" }),
    element("ul", { id: "files-list", style: "list-style: none; padding: 0; margin: .4rem 0; display: grid; gap: .4rem" }),
    element("div", { class: "row wrap" }, element("button", { type: "button", id: "files-choose" }), chosen),
    element("div", { class: "row", style: "margin-top: .5rem" }, label, element("input", { type: "url", id: "files-address", placeholder: "https://…", style: "flex: 1; min-width: 0" }), element("button", { type: "button", id: "files-add" })),
    element("progress", { id: "files-far", max: "1", value: "0", "aria-labelledby": "files-status", hidden: "" }), element("p", { id: "files-status", role: "status", class: "quiet" }), element("p", { class: "error", role: "alert" }));
  const box = dialog("settings-dialog");
  box.querySelector(".row.end")?.before(section);
  // What has the focus is not below the buttons, which stay in view.
  box.style.scrollPaddingBottom = "5rem";
  // These are no settings.
  section.addEventListener("change", (event) => event.stopPropagation());
  /** Does one thing after the other. */
  const carryOut = async (/** @type {(() => Promise<void>)[]} */ tasks) => {
    showError("files", "");
    remarks = [];
    const controls = [button("files-choose"), button("files-add")];
    for (const control of controls) control.disabled = true;
    const errors = [];
    for (const task of tasks) {
      try {
        await task();
      } catch (error) {
        errors.push(/** @type {Error} */ (error).message);
      }
    }
    for (const control of controls) control.disabled = false;
    showProgress("");
    if (errors.length < tasks.length) showText(byId("files-status"), [said().added, ...remarks].join(" "));
    if (errors.length) showError("files", errors.join("\n"));
  };
  button("files-choose").onclick = () => chosen.click();
  chosen.onchange = async () => {
    const files = [...(chosen.files ?? [])];
    chosen.value = "";
    await carryOut(files.map((file) => () => addFile(workers, file)));
  };
  const add = () => carryOut([() => addAddress(workers, input("files-address").value.trim())]);
  button("files-add").onclick = add;
  input("files-address").onkeydown = (event) => {
    if (event.key !== "Enter") return;
    // It would close the dialog.
    event.preventDefault();
    if (!button("files-add").disabled) add();
  };
  box.addEventListener("close", () => {
    if (button("files-add").disabled) return;
    showProgress("");
    showError("files", "");
  });
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["lang"] });
  // Another page of this site has changed them.
  window.addEventListener("storage", ({ key }) => key === KEY && restore().then(draw));
}

/** Gives these workers the files of the visitor, now and after each change. */
export async function find(/** @type {Workers} */ workers) {
  const isFirst = !all.size;
  all.add(workers);
  if (isFirst) prepare(workers);
  await restore();
  draw();
}
