// The words of the page in the language that the settings, or else the browser, ask for.

import { loadFields } from "./page.js";

/** @typedef {typeof import("./words/en.js").words} Words */

/** What there are words in. @type {Record<string, () => Promise<{words: Words}>>} */
const LANGUAGES = { en: () => import("./words/en.js"), de: () => import("./words/de.js") };

/** The language of a setting, or else the first of the browser's that there are words in. */
function languageOf(/** @type {string} */ setting) {
  const wanted = [setting, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((language) => Object.hasOwn(LANGUAGES, language)) ?? "en";
}

/** What index.html says, by its names. */
const english = Object.fromEntries(labels().map(({ key, element, attribute }) => [key, (attribute ? element.getAttribute(attribute) : element.textContent) ?? ""]));

/** Modules see a new language as soon as it is set. */
export let words = await wordsIn(languageOf(String(loadFields("kalah-settings", { language: "" }).language)));

/** @returns {Promise<Words>} */
async function wordsIn(/** @type {string} */ language) {
  const { words } = await LANGUAGES[language]();
  return { ...words, page: { ...english, ...words.page } };
}

/** Speaks another language from now on; whether it is another one. */
export async function speak(/** @type {string} */ setting) {
  const language = languageOf(setting);
  if (language === words.language) return false;
  words = await wordsIn(language);
  showWords();
  return true;
}

/** Puts the words into index.html, when the page begins and in another language. */
export function showWords() {
  document.documentElement.lang = words.language;
  document.documentElement.dataset.spoken = "";
  for (const { key, element, attribute } of labels()) {
    if (attribute) element.setAttribute(attribute, words.page[key]);
    else element.textContent = words.page[key];
  }
}

/**
 * What has words in index.html and its templates: `data-words` names that of the text, and those of attributes as `title:name`.
 * @returns {{key: string, element: HTMLElement, attribute?: string}[]}
 */
function labels(/** @type {ParentNode} */ root = document) {
  const own = [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-words]"))].flatMap((element) =>
    (element.dataset.words ?? "").split(" ").map((name) => {
      const [key, attribute] = name.split(":").reverse();
      return { key, element, attribute };
    }),
  );
  return [...own, ...[...root.querySelectorAll("template")].flatMap(({ content }) => labels(content))];
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
  if (name === "South" || name === "North") return words.sides[name === "South" ? "S" : "N"];
  const [, engine, level] = /^(.+), level (\d+)$/.exec(name) ?? [];
  return engine ? words.ofLevel(engine, level) : name;
}
