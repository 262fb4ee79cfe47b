// The service worker of a page from plain files, which keeps them for when there is no network.

import { notice } from "./notices.js";
import { words } from "./words.js";

/** Keeps the files of the page. A new version waits until somebody takes it: no game is interrupted. */
export async function offerUpdates() {
  const { serviceWorker } = navigator;
  // A file that is opened without a web host has none.
  const registration = await serviceWorker?.register("sw.js").catch(() => null);
  if (!registration) return;
  const offer = () => {
    const { waiting } = registration;
    if (!waiting || !serviceWorker.controller) return;
    const take = () => {
      serviceWorker.oncontrollerchange = () => location.reload();
      waiting.postMessage("take over");
    };
    notice(words.update, { kind: "update", action: [words.takeUpdate, take], stays: true });
  };
  offer();
  registration.onupdatefound = () => {
    const { installing } = registration;
    if (installing) installing.onstatechange = () => installing.state === "installed" && offer();
  };
}
