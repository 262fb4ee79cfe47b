// What is wrong with the words of the page, as sentences; run in the page with the names of its modules.
(async (modules) => {
  const complaints = [];
  const complain = (text) => complaints.push(text);
  const text = async (name) => (await fetch(name, { cache: "no-store" })).text();
  const languages = { en: (await import("/words/en.js")).words, de: (await import("/words/de.js")).words };

  // index.html is in English, and has nothing made of letters that other languages do not say.
  const html = await text("/index.html");
  const page = new DOMParser().parseFromString(html, "text/html");
  const roots = [page, ...[...page.querySelectorAll("template")].map(({ content }) => content)];
  const said = {};
  const ATTRIBUTES = ["title", "aria-label", "placeholder", "alt", "aria-description"];
  const NAMES = /^(Kalah|English|Deutsch|1 … 9, A … L|[a-z]( [a-z])*|This page needs JavaScript\.)$/;
  for (const element of roots.flatMap((root) => [...root.querySelectorAll("*")])) {
    const keys = new Map((element.dataset.words ?? "").split(" ").filter(Boolean).map((name) => name.split(":").reverse()).map(([key, attribute = ""]) => [attribute, key]));
    const text = element.children.length ? [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("") : element.textContent;
    const own = new Map(ATTRIBUTES.filter((name) => element.getAttribute(name)).map((name) => [name, element.getAttribute(name)]));
    if (!["SCRIPT", "STYLE"].includes(element.tagName)) own.set("", text.trim());
    for (const [attribute, key] of keys) {
      said[key] ??= languages.en.page[key] ?? own.get(attribute);
      if (own.get(attribute) !== said[key]) complain(`'${own.get(attribute)}' and '${said[key]}' are the same word: ${key}`);
    }
    for (const [attribute, words] of own) {
      if (/\p{L}/u.test(words) && !keys.has(attribute) && !NAMES.test(words)) complain(`index.html: '${words}' has no data-words`);
    }
  }
  languages.en = { ...languages.en, page: said };

  // Other languages say the same things in other words.
  const compare = (path, ours, theirs) => {
    if (typeof ours !== typeof theirs) return complain(`${path} is not the same kind of thing`);
    if (typeof ours === "function") return theirs.toString() === ours.toString() && path !== "words.level" && complain(`${path} is not translated`);
    if (typeof ours !== "object") {
      const isSame = ours === theirs && ours !== "" && !/^(normal|Threads|Champion)$/.test(ours);
      return (isSame || !theirs !== !ours) && complain(`${path} is not translated: '${theirs}'`);
    }
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) compare(`${path}.${key}`, ours[key], theirs[key]);
  };
  const { levels: _, ...en } = languages.en;
  const { levels, ...de } = languages.de;
  compare("words", en, de);
  const words = await new Promise((resolve) => {
    const socket = new WebSocket(`ws://${location.host}/socket${location.search}`);
    socket.onmessage = ({ data }) => (socket.close(), resolve(JSON.parse(data).levels));
  });
  for (const word of words) if (!levels[word]) complain(`the level '${word}' is not translated`);

  // Modules have no words of their own: what looks like words is a tag, a key, a class or a line for an engine.
  const KNOWN = new Set(["You", "Engine", "South", "North", "Margin", "Reason", "Termination", "time forfeit", "throws the win away",
    "Skill Level", "Hash", "Threads", "MultiPV", "Enter", "Escape", "Arrow", "Pip", "Sprout", "Hazel", "Rowan", "Oak", "game.kalah.txt", "puzzles.json", "puzzles-relay.json", "the page has no element '#'"]);
  // Of engines, addresses, selectors.
  const PROTOCOL = /^[:.#[]|\w:\w|^(go|setoption|position|fen|info string|id name) |^\/|^wss?:$|^https?:/;
  const sheets = [...document.styleSheets].map(({ href }) => text(new URL(href).pathname));
  const styles = (await Promise.all(sheets)).join("") + html;
  const isStyle = (literal) => literal.split(/[^A-Za-z-]+/).every((word) => styles.includes(word));
  for (const name of modules) {
    const code = (await text(name)).replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*/gm, "");
    for (const [, plain, template] of code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)) {
      const literal = plain ?? template.replace(/\$\{[^{}]*\}/g, "#");
      const isLikeWords = /\p{L}{2,}[ ,.:;]+\p{Ll}{2,}|^\p{Lu}\p{Ll}+|\p{Ll}{2,}[.!?:…]( |$)|^ ?\p{Ll}+ #|# \p{Ll}{2,}/u.test(literal);
      if (isLikeWords && !KNOWN.has(literal) && !PROTOCOL.test(literal) && !isStyle(literal)) complain(`${name} has words of its own: '${literal}'`);
    }
  }
  return complaints;
})
