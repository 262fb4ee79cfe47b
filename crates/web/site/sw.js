// Keeps the files of one version of the page, so that it needs no network after the first visit.

/** The version, and its files: `.ci/site` writes them. */
const VERSION = "@VERSION@";
const FILES = [@FILES@];

const files = new Set(FILES.map((file) => new URL(file, registration.scope).pathname));
const start = new URL(registration.scope).pathname;

/** Another page of this origin has files of its own. */
const CACHE = `${VERSION} ${start}`;

/** Pages that send these may share memory with their workers, wherever they are hosted. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

async function keep() {
  const cache = await caches.open(CACHE);
  // What the browser's own cache holds may be of another version.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function forgetOthers() {
  // Earlier versions had no path in their names.
  const isOwn = (name) => /^kalah-\S+$/.test(name) || (name.startsWith("kalah-") && name.endsWith(` ${start}`));
  const others = (await caches.keys()).filter((name) => isOwn(name) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function answer(request, file) {
  const kept = await (await caches.open(CACHE)).match(file);
  if (!kept) return fetch(request);
  return new Response(kept.body, { headers: { "Content-Type": kept.headers.get("Content-Type") ?? "", ...ISOLATION } });
}

oninstall = (event) => event.waitUntil(keep());
onactivate = (event) => event.waitUntil(forgetOthers());
onmessage = ({ data }) => data === "take over" && skipWaiting();
onfetch = (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) return;
  const file = pathname === start ? new URL("index.html", registration.scope).pathname : pathname;
  if (files.has(file)) event.respondWith(answer(event.request, file));
};
