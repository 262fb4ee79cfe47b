// The words of the page in the language that the settings, or else the browser, ask for.

import { load } from "./page.js";

/** @typedef {typeof import("./words/en.js").words} Words */

/** What there are words in. @type {Record<string, () => Promise<{words: Words}>>} */
const LANGUAGES = { en: () => import("./words/en.js"), de: () => import("./words/de.js") };

/** The language of a setting, or else the first of the browser's that there are words in. */
function languageOf(/** @type {string} */ setting) {
  const wanted = [setting, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? "en";
}

/** Modules see a new language as soon as it is set. @type {Words} */
export let words = (await LANGUAGES[languageOf(storedLanguage())]()).words;

function storedLanguage() {
  try {
    return String(JSON.parse(load("kalah-settings") ?? "{}").language ?? "");
  } catch {
    return "";
  }
}

/** Speaks another language from now on; whether it is another one. */
export async function speak(/** @type {string} */ setting) {
  const language = languageOf(setting);
  if (language === words.language) return false;
  ({ words } = await LANGUAGES[language]());
  showWords();
  return true;
}

/** Puts the words into index.html, when the page begins and in another language: `data-words` names that of the text, and those of attributes as `title:name`. */
export function showWords() {
  document.documentElement.lang = words.language;
  document.documentElement.dataset.spoken = "";
  const page = /** @type {Record<string, string>} */ (words.page);
  for (const element of allElements(document)) {
    for (const name of (element.dataset.words ?? "").split(" ")) {
      const [key, attribute] = name.split(":").reverse();
      if (attribute) element.setAttribute(attribute, page[key]);
      else if (key) element.textContent = page[key];
    }
  }
}

/** The elements with words, those in templates too. @returns {HTMLElement[]} */
function allElements(/** @type {ParentNode} */ root) {
  const templates = /** @type {HTMLTemplateElement[]} */ ([...root.querySelectorAll("template")]);
  return [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-words]")), ...templates.flatMap(({ content }) => allElements(content))];
}

/** A number with so many digits after the point. */
export const number = (/** @type {number} */ value, digits = 0) =>
  value.toLocaleString(words.language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

/** A large number, short: `1.2M`. */
export const short = (/** @type {number} */ value) => value.toLocaleString(words.language, { notation: "compact", maximumFractionDigits: 1 });

/** The sides without their players. @returns {import("./types").Players} */
export const sides = () => ({ S: { name: words.sides.S, isYou: false }, N: { name: words.sides.N, isYou: false } });

/** The name of a player as the page says it; games keep it in English. */
export function playerName(/** @type {string} */ name) {
  if (name === "You") return words.you;
  const [, engine, level] = /^(.+), level (\d+)$/.exec(name) ?? [];
  return engine ? words.ofLevel(engine, level) : name;
}
