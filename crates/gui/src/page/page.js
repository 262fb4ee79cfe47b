// Small helpers for the elements of the page.

/** @type {<T extends Element = HTMLElement>(id: string) => T} */
export const byId = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element '${id}'`);
  return /** @type {any} */ (found);
};

/** @returns {HTMLInputElement} */
export const input = (/** @type {string} */ id) => byId(id);

/** @returns {HTMLSelectElement} */
export const select = (/** @type {string} */ id) => byId(id);

/** @returns {HTMLButtonElement} */
export const button = (/** @type {string} */ id) => byId(id);

/** @returns {HTMLDialogElement} */
export const dialog = (/** @type {string} */ id) => byId(id);

/** Resolves after so many milliseconds. */
export const pause = (/** @type {number} */ time) => new Promise((resolve) => setTimeout(resolve, time));

// What is no line break and not `is_printable` in printable.rs; a test compares them.
const UNPRINTABLE = /(?![\n\r\t])[\p{Cc}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** Text from outside, such as a name, without characters that are invisible or turn the text around. */
export const printable = (/** @type {string} */ text) =>
  text.replace(UNPRINTABLE, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);

/** What the browser keeps under a key; one that keeps nothing is no fault of the page. */
export function load(/** @type {string} */ key, /** @type {"localStorage" | "sessionStorage"} */ where = "localStorage") {
  try {
    return window[where].getItem(key);
  } catch {
    return null;
  }
}

/** What the browser keeps under a key as JSON; nothing if it cannot be read, and so is written anew. @returns {any} */
export function loadJson(/** @type {string} */ key) {
  try {
    return JSON.parse(load(key) ?? "null");
  } catch {
    return null;
  }
}

/** The same in the place of what there is otherwise. @type {<T extends object>(key: string, otherwise: T) => T} */
export const loadFields = (key, otherwise) => ({ ...otherwise, ...loadJson(key) });

/** Whether the browser keeps it. */
export function keep(/** @type {string} */ key, /** @type {string} */ value, /** @type {"localStorage" | "sessionStorage"} */ where = "localStorage") {
  try {
    window[where].setItem(key, value);
    return true;
  } catch {
    // A full storage keeps what it has.
    return false;
  }
}

/** An element of a picture.
 * @type {<K extends keyof SVGElementTagNameMap>(name: K, attributes?: Record<string, string | number>, ...children: Node[]) => SVGElementTagNameMap[K]} */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Saves a text as a file of this name. */
export function save(/** @type {string} */ name, /** @type {string} */ text) {
  const link = element("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function showText(/** @type {Element} */ place, /** @type {string} */ text) {
  place.textContent = printable(text);
}

/** An element; texts in it are printable.
 * @type {<K extends keyof HTMLElementTagNameMap>(name: K, attributes?: Record<string, string>, ...children: (Node | string)[]) => HTMLElementTagNameMap[K]} */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (typeof child === "string" ? printable(child) : child)));
  return made;
}

/** Replaces the options of a select, and keeps what is selected if it can. */
export function fillSelect(/** @type {HTMLSelectElement} */ list, /** @type {[string, string][]} */ options) {
  const { value } = list;
  list.replaceChildren(...options.map(([key, text]) => element("option", { value: key }, text)));
  if (options.some(([key]) => key === value)) list.value = value;
}

/** Closes a dialog and does what it is for; if that fails, the dialog is open again. */
export async function closing(/** @type {HTMLDialogElement} */ box, /** @type {() => Promise<void>} */ act) {
  box.close("ok");
  try {
    await act();
  } catch (error) {
    box.returnValue = "";
    if (!box.open) box.showModal();
    throw error;
  }
}

export function showError(/** @type {string} */ id, /** @type {unknown} */ error) {
  const place = byId(id).querySelector(".error");
  if (!place) return;
  showText(place, error instanceof Error ? error.message : String(error ?? ""));
  if (error) place.scrollIntoView({ block: "nearest" });
}
