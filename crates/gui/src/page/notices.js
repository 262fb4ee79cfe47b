// What the page says: notices for everybody, and one region that screen readers speak.

import { byId, element, showText } from "./page.js";
import { words } from "./words.js";

/** Milliseconds that a notice stays; one with something to do stays longer, and as long as it is looked at. */
const TIME = 7000;
const TIME_TO_ACT = 30_000;

/** For screen readers alone. */
export function announce(/** @type {string} */ text) {
  showText(byId("live"), text);
}

/**
 * For everybody.
 * @param {string} text
 * @param {{kind?: string, action?: [string, () => unknown], other?: [string, () => unknown], stays?: boolean}} options a notice takes the place of the
 *   last one of its kind
 */
export function notice(text, { kind = "", action, other, stays = false } = {}) {
  announce(action ? `${text} ${action[0]}?` : text);
  if (kind) forget(kind);
  const line = element("p", { "data-kind": kind }, element("span", {}, text));
  const place = byId("notices");
  place.append(line);
  // Above a dialog and its backdrop.
  place.togglePopover?.(false);
  place.togglePopover?.(true);
  if (action) {
    for (const [name, act] of other ? [action, other] : [action]) line.append(newButton(() => (line.remove(), act()), {}, name));
    line.append(newButton(() => line.remove(), { "aria-label": words.page.close }, "×"));
  }
  const end = () => {
    if (line.matches(":hover, :focus-within")) setTimeout(end, TIME);
    else line.remove();
  };
  if (!stays) setTimeout(end, action ? TIME_TO_ACT : TIME);
}

/** Lets a button do something; what goes wrong is said. */
export function onClick(/** @type {HTMLButtonElement} */ button, /** @type {() => unknown} */ act) {
  button.onclick = async () => {
    try {
      await act();
    } catch (error) {
      notice(/** @type {Error} */ (error).message);
    }
  };
}

/** A button, and what it does. */
export function newButton(/** @type {() => unknown} */ act, /** @type {Record<string, string>} */ attributes, /** @type {(Node | string)[]} */ ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  onClick(made, act);
  return made;
}

/** Copies a text and says so, or does something else where the browser does not let the page. */
export async function copyText(/** @type {string} */ text, /** @type {string} */ said, /** @type {() => void} */ otherwise) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return otherwise();
  }
  notice(said);
}

/** Takes away the notice of a kind. */
export function forget(/** @type {string} */ kind) {
  document.querySelector(`#notices [data-kind="${kind}"]`)?.remove();
}

/** Says whether the server can be reached, as long as it cannot. */
export function showConnection(/** @type {string} */ state, isGuest = false) {
  document.body.dataset.connection = state;
  const old = document.getElementById("connection");
  const text = state === "lost" ? words.lost : state === "refused" ? (isGuest ? words.roomEnded : words.refused) : "";
  if (state === "open") old?.remove();
  else if (old) old.textContent = text;
  else byId("notices").append(element("p", { id: "connection" }, text));
  if (text && !old) announce(text);
}
