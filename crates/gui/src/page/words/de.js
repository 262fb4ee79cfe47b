// All words of the page in German; en.js says what they are for.

/** @import { Side } from "../types" */

/** @type {Record<Side, string>} */
const sides = { S: "Süd", N: "Nord" };
const seeds = (/** @type {number} */ count) => `${count} Samen`;
/** @type {Record<string, string>} */
const reasons = { "time forfeit": "Zeit abgelaufen", resigned: "aufgegeben" };

/** @import { Player, Players } from "../types" */
const wins = (/** @type {Side} */ side, /** @type {Players} */ players) =>
  players[side].isYou ? "Du gewinnst" : players[side === "S" ? "N" : "S"].isYou ? "Du verlierst" : `${players[side].name} gewinnt`;
const by = (/** @type {Side} */ side, /** @type {Players} */ players) => (players[side === "S" ? "N" : "S"].isYou ? "Rückstand" : "Vorsprung");
const toMove = (/** @type {Player} */ { name, isYou }, again = false) => `${isYou ? "Du bist" : `${name} ist`} ${again ? "noch einmal " : ""}am Zug`;

/** @type {typeof import("./en.js").words} */
export const words = {
  language: "de",
  sides,
  seeds,
  page: {
    commands: "Befehle", newShort: "Neu", newGame: "Neues Spiel", newTitle: "Neues Spiel (n)",
    setUp: "Aufbau", setUpTitle: "Stellung aufbauen (s)", games: "Partien", gamesTitle: "Öffnen, speichern, kopieren (o)",
    learn: "Lernen", learnTitle: "Aufgaben und Regeln (p)", settings: "Einstellungen", settingsTitle: "Einstellungen (,)",
    keys: "Tasten", keysTitle: "Tasten (?)",
    board: "Brett", kalahBoard: "Kalah-Brett", stepsAndView: "Schritte und Ansicht", game: "Spiel",
    first: "Erste Stellung", firstTitle: "Erste Stellung (Pos1)", back: "Zurück", backTitle: "Zurück (←)",
    forward: "Vor", forwardTitle: "Vor (→)", last: "Letzte Stellung", lastTitle: "Letzte Stellung (Ende)",
    turn: "Brett drehen", turnTitle: "Brett drehen (t)",
    takeBack: "Zurücknehmen", takeBackTitle: "Zug zurücknehmen (z)", hint: "Tipp", hintTitle: "Den besten Zug zeigen (x)",
    swap: "Seiten tauschen", resign: "Aufgeben", playOn: "Weiterspielen", playOnTitle: "Ab dieser Stellung weiterspielen",
    review: "Auswerten", reviewGame: "Partie auswerten", reviewTitle: "Auswertung",
    gameAndAnalysis: "Partie und Analyse", showAnswer: "Lösung zeigen", next: "Weiter", end: "Beenden",
    analysis: "Analyse", analyseTitle: "Analysieren (v)", peek: "Zeigen", peekTitle: "Die Werte dieser Stellung zeigen (y)",
    learnMistakes: "Aus Fehlern lernen", accuracy: "Genauigkeit", given: "Verschenkte Samen",
    opening: "in der Eröffnung", middle: "im Mittelspiel", ending: "im Endspiel",
    moves: "Züge", graph: "Wert der Partie Zug um Zug", commentAndVariations: "Kommentar und Varianten",
    comment: "Kommentar", promote: "Zur Hauptvariante machen", deleteFrom: "Ab hier löschen", moments: "Entscheidende Momente", notices: "Meldungen",
    southFirst: "Süd, beginnt", itsLevel: "Stufe", south: "Süd", north: "Nord",
    houses: "Mulden pro Seite", seedsInEach: "Samen pro Mulde", capture: "Schlagen",
    captureStandard: "nur mit Samen gegenüber", captureEmpty: "auch gegenüber leerer Mulde",
    clock: "Uhr", none: "keine", forMove: "pro Zug", forGame: "für die Partie", time: "Zeit", minutes: "Minuten", seconds: "Sekunden",
    more: "Zugabe pro Zug", maySwap: "Nord darf nach dem ersten Zug von Süd die Seiten tauschen", cancel: "Abbrechen", start: "Los",
    setUpPosition: "Stellung aufbauen", toMove: "Am Zug", clear: "Leeren", fill: "Alle Mulden füllen mit", fillSeeds: "Samen für jede Mulde",
    boardText: "Brett als Text", usePosition: "Stellung übernehmen",
    gamesHelp: "Eine Partie als Text, ein Protokoll der Arena, ein Brett oder eine Liste von Zügen: hier einfügen, als Datei auf die Seite ziehen oder öffnen.",
    gameText: "Partie als Text", captureUnsaid: "Schlagen, wenn der Text es nicht sagt", openText: "Diesen Text öffnen", openFile: "Datei öffnen",
    saveFile: "Als Datei speichern", copyGame: "Partie kopieren", copyBoard: "Brett kopieren", copyLink: "Link kopieren",
    gameBefore: "Zurück zur Partie davor", close: "Schließen",
    puzzles: "Aufgaben", puzzlesHelp: "Finde den Zug, der das Ergebnis hält; jeder andere verschenkt mindestens vier Samen. Jede Lösung ist bewiesen.",
    rules: "Die Regeln",
    ruleSow: "Wähle eine deiner Mulden. Ihre Samen werden einzeln gesät: in deine Mulden, deinen Speicher und die Mulden der anderen Seite, aber nie in deren Speicher.",
    ruleAgain: "Fällt der letzte Samen in deinen Speicher, bist du noch einmal am Zug.",
    ruleCapture: "Fällt der letzte Samen in eine leere Mulde von dir, schlägt er die Samen gegenüber: Alle kommen in deinen Speicher. Ist die Mulde gegenüber leer, geschieht nichts, wenn nicht anders vereinbart („leeres Schlagen“).",
    ruleEnd: "Hat eine Seite keinen Samen mehr in ihren Mulden, ist das Spiel vorbei. Die andere behält, was noch liegt. Wer mehr Samen hat, gewinnt.",
    stepSow: "Säen", stepAgain: "Noch einmal", stepCapture: "Schlagen", stepEnd: "Das Ende", onceMore: "Noch einmal", play: "Spielen",
    home: "Anfang", homeTitle: "Zum Anfang", continue: "Weiterspielen", playComputer: "Gegen den Computer", otherGame: "Andere Stufe, anderes Brett, Uhr …",
    twoPlayers: "Zu zweit", twoPlayersHelp: "abwechselnd an einem Brett", analyse: "Analysieren", analyseHelp: "ein Wert für jede Mulde",
    rulesHelp: "in zwanzig Sekunden", myGames: "Meine Partien", myGamesHelp: "die letzten fünfzig", moreCards: "Mehr", rematch: "Revanche",
    playerName: "Name dieser Person", save: "Speichern", search: "Suchen", searchGames: "Meine Partien durchsuchen", saveAll: "Alle speichern", openings: "Eröffnungen",
    openPosition: "Diese Stellung öffnen", leftHanded: "Meine Mulden sind links, wenn das Brett aufrecht steht",
    language: "Sprache", languageAuto: "wie im Browser", colours: "Farben", coloursAuto: "wie im System", light: "hell", dark: "dunkel",
    sowing: "Säen", slow: "langsam", normal: "normal", fast: "schnell", atOnce: "sofort",
    analysisBy: "Analyse durch", threads: "Threads", memory: "Speicher, MiB", lines: "Gezeigte Varianten",
    hideValues: "Werte verbergen, bis ich sie sehen will", keysOn: "Buchstaben und Ziffern sind Tasten, die sofort wirken",
    stopServer: "Server beenden", done: "Fertig",
    keySow: "eine Mulde säen, von links gezählt, aus Sicht der Seite am Zug", keySteps: "einen Schritt zurück und vor",
    keyVariations: "andere Varianten dieses Zuges", keyEnds: "Pos1 Ende", keyEndsHelp: "erste und letzte Stellung", keyNew: "neues Spiel",
    keyTakeBack: "zurücknehmen", keyHint: "Tipp: den besten Zug zeigen", keySpace: "Leertaste", keySpaceHelp: "den besten Zug der Analyse spielen",
    keyAnalysis: "Analyse an und aus", keyPeek: "verborgene Werte zeigen", keyTurn: "Brett drehen", keyDialogs: "aufbauen, öffnen oder speichern, Aufgaben",
    keySettings: "Einstellungen", keyHelp: "diese Übersicht",
  },

  house: ({ name, isYou }, letter, count) => `${isYou ? "Deine" : `${name},`} Mulde ${letter}, ${seeds(count)}`,
  store: ({ name, isYou }, count) => `${isYou ? "Dein Speicher" : `Speicher von ${name}`}, ${seeds(count)}`,

  kinds: ["Zum ersten Mal", "Leicht", "Solide", "Stark", "Perfekt"],
  deeds: ["übersieht vieles", "nimmt, was da liegt", "denkt ein paar Züge voraus", "plant Schläge und Extrazüge", "volle Stärke, beweist ihre Endspiele"],
  atMove: (ply) => (ply ? `Zug ${ply}` : "am Anfang"),
  stores: ({ S, N }, south, north) => `${S.name} ${south} und ${N.name} ${north}.`,
  today: (one, a, other, b, draws) => `Heute: ${one} ${a}, ${other} ${b}${draws ? `, unentschieden ${draws}` : ""}`,
  easier: "Leichter",
  harder: "Schwerer",

  noGames: "Noch keine Partie: Jede, die hier gespielt wird, bleibt erhalten.",
  notFound: "In keiner Partie kommt das vor.",
  gamesFile: "meine-partien.kalah.txt",
  moves: (count) => (count === 1 ? "1 Zug" : `${count} Züge`),
  gameName: "Name der Partie",
  rename: (title) => `${title} umbenennen`,
  remove: (title) => `${title} löschen`,
  removed: (title) => `Gelöscht: ${title}.`,
  openingStart: "Anfang",
  openingOpened: "Die Eröffnung ist auf dem Brett.",
  branch: (move, { count, south, draws, north }) =>
    `${move}: ${count === 1 ? "1 Partie" : `${count} Partien`}, Süd gewann ${south}, unentschieden ${draws}, Nord gewann ${north}`,

  you: "Du",
  aPerson: "ein Mensch",
  level: (level, word) => `${level}: ${word}`,
  levels: {
    "first game": "erstes Spiel", newcomer: "Neuling", beginner: "Anfänger", "casual player": "Gelegenheitsspieler", "regular player": "geübt",
    "club player": "Vereinsspieler", "strong club player": "starker Vereinsspieler", expert: "Experte", master: "Meister", champion: "Champion",
    "full strength": "volle Stärke",
  },
  ofLevel: (name, level) => `${name}, Stufe ${level}`,
  doesNotAnswer: "antwortet nicht",
  isThinking: "denkt nach …",

  at: (ply, { name }, move) => `Zug ${ply}, ${name} ${move}`,
  firstPosition: "Die erste Stellung",
  toMove,
  yourFirstMove: "Du bist am Zug: Wähle eine helle Mulde",
  sows: ({ name, isYou }, move) => (isYou ? `Du säst ${move}` : `${name} sät ${move}`),
  captures: ({ isYou }, count) => `${isYou ? "schlägst" : "schlägt"} ${seeds(count)}`,
  movesAgain: ({ isYou }) => `und ${isYou ? "bist" : "ist"} noch einmal am Zug`,
  inStore: (count) => `${seeds(count)} im Speicher.`,
  isOver: (result) => `Das Spiel ist vorbei: ${result}.`,
  gameOver: (result) => `Spiel vorbei: ${result}`,
  overNow: "Das Spiel ist vorbei.",
  draw: "unentschieden",
  aDraw: "Unentschieden",
  winsBy: (side, players, margin) => `${wins(side, players).replace(/^Du /, "du ")} mit ${margin} ${by(side, players)}`,
  outcome: (side, players, margin, reason = "") =>
    `${wins(side, players)}${margin ? ` mit ${margin} ${by(side, players)}` : ""}${reason ? ` (${reasons[reason] ?? reason})` : ""}`,
  earlier: "Das ist eine frühere Stellung der Partie.",
  earlierShort: "Eine frühere Stellung dieser Partie",
  turnOf: (who) => `${toMove(who)}.`,
  isEmpty: (house) => `${house} ist leer.`,
  cannotPlay: (move) => `${move} ist nicht spielbar.`,
  undo: "Rückgängig",
  newGame: ({ name, isYou }) => `Ein neues Spiel. ${isYou ? "Du beginnst" : `${name} beginnt`}.`,
  newGameBegun: "Neues Spiel.",
  resigns: ({ name, isYou }) => (isYou ? "Du gibst auf." : `${name} gibt auf.`),
  movesDeleted: "Züge gelöscht.",
  turned: ({ name, isYou }) => `Das Brett ist gedreht: ${isYou ? "Du bist" : `${name} ist`} unten.`,
  terms: { standard: "schlägt nur mit Samen gegenüber", empty: "schlägt auch gegenüber leerer Mulde" },
  takenBack: (ply, who) => `Zurückgenommen bis Zug ${ply}. ${toMove(who)}.`,
  swapped: (you) => `Die Seiten sind getauscht.${you ? ` Du spielst jetzt ${sides[you]}.` : ""}`,
  outOfTime: (loser, winner) => `${loser.isYou ? "Deine Zeit" : `Die Zeit von ${loser.name}`} ist abgelaufen: ${winner.isYou ? "Du gewinnst" : `${winner.name} gewinnt`}.`,
  cannotMove: (name, error) => `${name} kann nicht ziehen: ${error}.`,
  tryAgain: "Noch einmal",

  lost: "Die Verbindung zum Server ist unterbrochen. Von der Partie geht nichts verloren: Es geht weiter, sobald der Server wieder da ist.",
  refused: "Der Server wurde mit einer anderen Adresse neu gestartet: Öffne die, die er ausgegeben hat. Deine Partie ist auch dort.",
  connectionLost: "die Verbindung zum Server ist abgebrochen",
  tooLong: "das ist zu groß: höchstens 1 MiB",
  cannotStart: (error) => `Die Seite kann nicht starten: ${error}`,
  engineEnded: (name, reason) => `Die Engine ${name} endete und wird neu gestartet: ${reason}`,
  keepsEnding: (name) => `die Engine ${name} endet immer wieder`,
  isSilent: (name) => `${name || "Die Engine"} antwortet nicht.`,
  restart: "Neu starten",
  stopServer: "Server beenden",
  stopNow: "Jetzt beenden",
  serverEnded: "Der Server ist beendet. Diese Seite kann geschlossen werden.",

  value: (ahead, by, isProven) => {
    const does = isProven ? (ahead?.isYou ? "du gewinnst" : `${ahead?.name} gewinnt`) : ahead?.isYou ? "du liegst" : `${ahead?.name} liegt`;
    return `${ahead ? `${does} ${isProven ? `mit ${by} Vorsprung` : `um ${by} vorn`}` : "unentschieden"}, ${isProven ? "bewiesen" : "geschätzt"}`;
  },
  analysisEnded: (error) => `Die Analyse brach ab: ${error}`,
  hint: (move, value) => `Tipp: ${move}, ${value}.`,
  peek: "Zeigen",
  hide: "Verbergen",
  depth: (depth) => `Tiefe ${depth}`,
  nodes: (count) => `${count} Knoten`,
  perSecond: (count) => `${count} pro Sekunde`,
  tableHits: (count) => `${count} Tabellentreffer`,
  proven: (count, of) => `${count} von ${of} Zügen bewiesen`,
  allProven: "Jeder Zug ist bewiesen.",
  noValue: "kein Wert bekannt",
  valueAt: (ply, value) => `Zug ${ply}: ${value}`,

  review: "Auswertung",
  reviewGame: "Partie auswerten",
  stop: "Abbrechen",
  noReview: (error) => `Keine Auswertung: ${error}`,
  moment: (ply, side, move, loss) => `Zug ${ply}: ${move} von ${sides[side]} ${loss}.`,
  loss: (mark, count, isProven) => {
    const what = `${isProven ? "" : "etwa "}${seeds(count)}`;
    const thrown = mark.startsWith("throws the win") ? "den Sieg" : mark.startsWith("throws") ? "das Unentschieden" : "";
    return thrown ? `vergibt ${thrown}: ${what}` : `verschenkt ${what}`;
  },
  valuesProven: "Alle Werte sind bewiesen.",
  valuesEstimated: "Einige Werte sind geschätzt.",
  noLoss: "Niemand hat einen Samen verschenkt.",
  legend: "?? steht an Zügen, die den Sieg vergeben.",
  mistake: "Fehler",
  mistakeText: (side, move, count) => `${sides[side]} spielte hier ${move} und verschenkte ${seeds(count)}. Finde einen besseren Zug.`,
  mistakeAnswer: (value, why, line) => `${value}. ${why} Die Variante: ${line}`,
  noMistake: "Es gibt keinen Fehler, aus dem man lernen könnte.",

  puzzle: "Aufgabe",
  puzzleLevels: ["erste Schritte", "leicht", "mittel", "schwer", "sehr schwer"],
  puzzleLevel: (level, done, of) => `${level} (${done} von ${of})`,
  puzzleText: (side, isEmpty) =>
    `${sides[side]} ist am Zug${isEmpty ? "; geschlagen wird auch, wenn die Mulde gegenüber leer ist" : ""}. Finde den Zug, der das Ergebnis hält: Jeder andere verschenkt mindestens vier Samen.`,
  puzzleAnswer: (side, margin, loss, line) => {
    const other = sides[side === "S" ? "N" : "S"];
    const result = margin === 0 ? "Das hält das Unentschieden" : margin > 0 ? `${sides[side]} gewinnt mit ${margin} Vorsprung` : `${other} gewinnt mit nur ${-margin} Vorsprung`;
    return `${result}; jeder andere Zug verschenkt mindestens ${seeds(loss)}. Die Variante: ${line}`;
  },
  noPuzzles: (error) => `Die Aufgaben können nicht geladen werden: ${error}`,
  taskTitle: (title, place, of) => `${title} ${place} von ${of}`,
  isRight: (move, answer) => `${move} ist richtig. ${answer}`,
  isWrong: (move) => `${move} verschenkt Samen. Versuch einen anderen Zug.`,
  answer: (moves, answer) => `${moves.join(" oder ")}. ${answer}`,

  playFromHere: "Ab hier spielen",
  storeOf: (side) => `Speicher von ${sides[side]}`,
  badField: (field, houses) => {
    const name = ["die Zahl der Mulden", "den Speicher von Süd", "den Speicher von Nord"][field - 1] ?? `Mulde ${houses[field - 4]}`;
    return `Im Feld für ${name} muss eine Zahl stehen.`;
  },
  positionSet: "Stellung aufgebaut.",
  notUsed: "Was du aufgebaut hast, ist nicht übernommen.",
  goOn: "Weiter daran",
  gameOpened: "Partie geöffnet.",
  linkOpened: "Partie des Links geöffnet.",
  beforeBack: "Die Partie davor ist wieder da.",
  listed: (place, south, north, result, moves) => `${place}. ${south} – ${north}, ${result}, ${moves === 1 ? "1 Zug" : `${moves} Züge`}`,
  fileTooLarge: (name) => `„${name}“ ist zu groß: höchstens 500 kB`,
  noText: (name) => `„${name}“ ist kein lesbarer Text: Speichere ihn als UTF-8`,
  copied: { game: "Kopiert: die Partie.", board: "Kopiert: das Brett.", link: "Kopiert: ein Link zur Partie." },
  cannotCopy: "Der Browser lässt diese Seite nicht kopieren: Der Text steht oben.",
  notOpened: "Der Text, den du geändert hast, ist nicht geöffnet.",
  noGame: "In diesem Text ist keine Partie.",
  noneOpened: (error) => `Keine Partie geöffnet: ${error}.`,
  damagedLink: "der Link ist beschädigt oder nicht vollständig",
  notRestored: (error) => `Die Partie kann nicht wiederhergestellt werden: ${error}`,
  close: "Schließen",
};
