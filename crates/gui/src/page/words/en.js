// The words of the page in English, but for those of index.html, which stand there: `data-words` names them for `page` in
// the other languages. Their types are those of this file.

/** @import { Side, Player, Players } from "../types" */

/** @type {Record<Side, string>} */
const sides = { S: "South", N: "North" };
const seeds = (/** @type {number} */ count) => (count === 1 ? "1 seed" : `${count} seeds`);
const whose = (/** @type {Player} */ { name, isYou }) => (isYou ? "Your" : `${name}'s`);
const wins = (/** @type {Side} */ side, /** @type {Players} */ players) =>
  players[side].isYou ? "You win" : players[side === "S" ? "N" : "S"].isYou ? "You lose" : `${players[side].name} wins`;
const toMove = (/** @type {Player} */ { name, isYou }, again = false) => `${isYou ? "Your move" : `${name} to move`}${again ? " again" : ""}`;
/** Kept with a game in English. @type {Record<string, string>} */
const reasons = {};

export const words = {
  language: "en",
  sides,
  /** Those of index.html that a board in another page says, too. @type {Record<string, string>} */
  page: { kalahBoard: "Kalah board", analyse: "Analyse", first: "First position", back: "Back", forward: "Forward", last: "Last position" },

  // The board, for screen readers
  house: (/** @type {Player} */ who, /** @type {string} */ letter, /** @type {number} */ count) => `${whose(who)} house ${letter}, ${seeds(count)}`,
  store: (/** @type {Player} */ who, /** @type {number} */ count) => `${whose(who)} store, ${seeds(count)}`,

  // The start, the end
  kinds: ["First time", "Easy", "Steady", "Strong", "Perfect"],
  deeds: ["overlooks a lot", "grabs what it can", "looks a few moves ahead", "plans ahead, misses little", "full strength, proves its endings"],
  atMove: (/** @type {number} */ ply) => (ply ? `move ${ply}` : "at the start"),
  stores: (/** @type {Players} */ { S, N }, /** @type {number} */ south, /** @type {number} */ north) => `${S.name} ${south}, ${N.name} ${north}.`,
  today: (/** @type {string} */ one, /** @type {number} */ a, /** @type {string} */ other, /** @type {number} */ b, /** @type {number} */ draws) =>
    `Today: ${one} ${a}, ${other} ${b}${draws ? `, draws ${draws}` : ""}`,
  easier: "Easier",
  harder: "Harder",

  // My games
  noGames: "No games yet. Games played here are saved automatically.",
  notFound: "No matching games.",
  gamesFile: "my-games.kalah.txt",
  moves: (/** @type {number} */ count) => (count === 1 ? "1 move" : `${count} moves`),
  gameName: "Name of the game",
  rename: (/** @type {string} */ title) => `Rename ${title}`,
  remove: (/** @type {string} */ title) => `Delete ${title}`,
  removed: (/** @type {string} */ title) => `Deleted: ${title}.`,
  openingStart: "Start",
  noFairStart: "No fair start is known for this board.",
  openingOpened: "Opening on the board.",
  branch: (/** @type {string} */ move, /** @type {{count: number, south: number, draws: number, north: number}} */ { count, south, draws, north }) =>
    `${move}: ${count === 1 ? "1 game" : `${count} games`}, South won ${south}, drawn ${draws}, North won ${north}`,

  wouldSowOn: (/** @type {number} */ times) => (times === 1 ? "sows on once" : `sows on ${times} times`),
  wouldMoveAgain: "moves again",
  again: "again",
  capturesShort: (/** @type {number} */ count) => `captures ${count}`,

  speeds: { atOnce: "at once", fast: "fast", normal: "normal", slow: "slow" },

  // Players
  you: "You",
  aPerson: "a person",
  level: (/** @type {number | string} */ level, /** @type {string} */ word) => `${level}: ${word}`,
  /** For whom a level is, by the server's word. @type {Record<string, string>} */
  levels: {},
  ofLevel: (/** @type {string} */ name, /** @type {string} */ level) => `${name}, level ${level}`,
  doesNotAnswer: "does not answer",
  isThinking: "is thinking …",

  // The course of a game
  at: (/** @type {number} */ ply, /** @type {Player} */ { name }, /** @type {string} */ move) => `Move ${ply}, ${name} ${move}`,
  firstPosition: "The first position",
  toMove,
  yourFirstMove: "Your move: pick a bright house",
  sows: (/** @type {Player} */ { name, isYou }, /** @type {string} */ move) => (isYou ? `You sow ${move}` : `${name} sows ${move}`),
  sowsOn: (/** @type {Player} */ { isYou }, /** @type {number} */ times) => `, ${isYou ? "sow" : "sows"} on ${times === 1 ? "once" : `${times} times`}`,
  captures: (/** @type {Player} */ { isYou }, /** @type {number} */ count) => `, ${isYou ? "capture" : "captures"} ${seeds(count)}`,
  movesAgain: (/** @type {Player} */ { isYou }) => `, and ${isYou ? "move" : "moves"} again`,
  inStore: (/** @type {number} */ count) => `${seeds(count)} in the store.`,
  isOver: (/** @type {string} */ result) => `The game is over: ${result}.`,
  gameOver: (/** @type {string} */ result) => `Game over: ${result}`,
  overNow: "The game is over.",
  draw: "a draw",
  aDraw: "A draw",
  /** In a sentence. */
  winsBy: (/** @type {Side} */ side, /** @type {Players} */ players, /** @type {number} */ margin) => `${wins(side, players).replace(/^You /, "you ")} by ${margin}`,
  outcome: (/** @type {Side} */ side, /** @type {Players} */ players, /** @type {number} */ margin, reason = "") =>
    `${wins(side, players)}${margin ? ` by ${margin}` : ""}${reason ? ` (${reasons[reason] ?? reason})` : ""}`,
  earlier: "This is an earlier position of the game.",
  earlierShort: "An earlier position of this game",
  turnOf: (/** @type {Player} */ who) => `It is ${whose(who).replace(/^Your$/, "your")} turn.`,
  isEmpty: (/** @type {string} */ house) => `${house} is empty.`,
  cannotPlay: (/** @type {string} */ move) => `${move} cannot be played.`,
  undo: "Undo",
  newGame: (/** @type {Player} */ { name, isYou }) => `A new game. ${isYou ? "You move" : `${name} moves`} first.`,
  newGameBegun: "New game.",
  resigns: (/** @type {Player} */ { name, isYou }) => (isYou ? "You resign." : `${name} resigns.`),
  movesDeleted: "Moves deleted.",
  turned: (/** @type {Player} */ { name, isYou }) => `The board is turned: ${isYou ? "you are" : `${name} is`} below.`,
  /** By the name of the rules. @type {Record<string, string>} */
  terms: { standard: "captures only seeds opposite", empty: "captures also opposite an empty house", relay: "Avalanche, captures nothing" },
  takenBack: (/** @type {number} */ ply, /** @type {Player} */ who) => `Taken back to move ${ply}. ${toMove(who)}.`,
  swapped: (/** @type {Side | null} */ you) => `The sides are swapped.${you ? ` You play ${sides[you]} now.` : ""}`,
  outOfTime: (/** @type {Player} */ loser, /** @type {Player} */ winner) =>
    `${loser.isYou ? "You have" : `${loser.name} has`} run out of time: ${winner.isYou ? "you win" : `${winner.name} wins`}.`,
  cannotMove: (/** @type {string} */ name, /** @type {string} */ error) => `${name} cannot move: ${error}.`,
  tryAgain: "Try again",

  // The server and its engines
  lost: "Connection lost. Your game is safe and resumes when the server is back.",
  refused: "The server was started again with another address: open the one that it printed. Your game is kept there, too.",
  connectionLost: "the connection to the server was lost",
  tooLong: "this is too large: at most 1 MiB",
  cannotStart: (/** @type {string} */ error) => `The page cannot start: ${error}`,
  engineEnded: (/** @type {string} */ name, /** @type {string} */ reason) => `The engine ${name} ended and is started again: ${reason}`,
  keepsEnding: (/** @type {string} */ name) => `the engine ${name} keeps ending`,
  cannotRelay: (/** @type {string} */ name) => `${name} does not play Avalanche`,
  isSilent: (/** @type {string} */ name) => `${name || "The engine"} does not answer.`,
  restart: "Restart it",
  stopNow: "Stop it now",
  serverEnded: "The server has ended. This page can be closed.",

  update: "A new version of this page is ready.",
  takeUpdate: "Use it",

  // A game that several pages share
  roomEnded: "The shared game has ended.",
  asked: "Takeback requested.",
  asksBack: (/** @type {string} */ name) => `${name} asks to take a move back.`,
  grant: "Allow",
  refuse: "Refuse",
  backRefused: "Takeback refused.",
  reallyResign: "Resign this game?",
  locked: "The host has locked the game",
  lockedByYou: "Locked: only you can move.",
  freeSeat: "free",
  host: "host",
  guest: "guest",
  presence: { here: "", away: "is away", free: "is still to come" },
  free: "Free",
  freeSide: (/** @type {string} */ side) => `Free the seat of ${side}`,
  watching: (/** @type {number} */ count, /** @type {string} */ names) => `${count === 1 ? "1 watches" : `${count} watch`}${names ? `: ${names}` : ""}`,

  // Analysis
  value: (/** @type {Player | null} */ ahead, /** @type {string} */ by, /** @type {boolean} */ isProven) => {
    const does = isProven ? (ahead?.isYou ? "you win by" : `${ahead?.name} wins by`) : ahead?.isYou ? "you are ahead by" : `${ahead?.name} is ahead by`;
    return `${ahead ? `${does} ${by}` : "a draw"}, ${isProven ? "proven" : "estimated"}`;
  },
  analysisEnded: (/** @type {string} */ error) => `The analysis ended: ${error}`,
  hint: (/** @type {string} */ move, /** @type {string} */ value, /** @type {string} */ why) => `Hint: ${move}, ${value}. ${why}`.trim(),
  lookFor: {
    again: "Look for an extra turn.", relay: "Look for a house whose last seed lands in a house with seeds.", capture: "Look for a capture.", danger: "One of your houses is in danger.",
    later: "Prepare a capture.", quiet: "Look at what the other side can do after each of your moves.",
  },
  thisHouse: (/** @type {string} */ house) => `Sow this house: ${house}.`,
  nextHint: "More",
  wasMistake: (/** @type {string} */ move, /** @type {number} */ count, /** @type {boolean} */ isProven, /** @type {string} */ why) =>
    `${move} gives away ${isProven ? "" : "about "}${seeds(count)}. ${why}`.trim(),
  takeBackNow: "Take back",
  threat: (/** @type {string} */ move, /** @type {number} */ captured, /** @type {boolean} */ again) =>
    `Threat: ${move}${captured ? ` captures ${seeds(captured)}` : again ? " moves again" : ""}.`,
  hide: "Hide",
  depth: (/** @type {number} */ depth) => `depth ${depth}`,
  nodes: (/** @type {string} */ count) => `${count} nodes`,
  perSecond: (/** @type {string} */ count) => `${count} a second`,
  tableHits: (/** @type {string} */ count) => `${count} table hits`,
  proven: (/** @type {number} */ count, /** @type {number} */ of) => `${count} of ${of} moves proven`,
  allProven: "Every move is proven.",
  noValue: "no value known",
  valueAt: (/** @type {number} */ ply, /** @type {string} */ value) => `move ${ply}: ${value}`,

  // The review
  stop: "Stop",
  noReview: (/** @type {string} */ error) => `No review: ${error}`,
  marks: { best: "best", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  markMeanings: { best: "nothing given away", inaccuracy: "1 or 2 seeds", mistake: "more seeds", blunder: "the win or the draw" },
  moment: (/** @type {number} */ ply, /** @type {Side} */ side, /** @type {string} */ move, /** @type {string} */ kind) => `Move ${ply}: ${sides[side]}'s ${move}, ${kind}`,
  lossOf: (/** @type {number} */ count, /** @type {boolean} */ isProven) => (isProven ? `gives away ${seeds(count)} (exact)` : `gives away about ${seeds(count)} (estimated)`),
  played: (/** @type {string} */ move) => `${move} played`,
  better: (/** @type {string[]} */ moves) => `${moves.join(" or ")} better`,
  valuesProven: "All values are exact: they are proven.",
  valuesMixed: (/** @type {number} */ exact, /** @type {number} */ of) => `The values of ${exact} of ${of} moves are exact, the others are estimates.`,
  valuesEstimated: "All values are estimates.",
  noLoss: "Nobody gave a seed away.",
  mistake: "Mistake",
  mistakeText: (/** @type {Side} */ side, /** @type {string} */ move, /** @type {number} */ count) =>
    `${sides[side]} played ${move} here, which gave away ${seeds(count)}. Find a better move.`,
  mistakeAnswer: (/** @type {string} */ value, /** @type {string} */ why, /** @type {string} */ line) => `${value}. ${why} The line: ${line}`,
  noMistake: "There is no mistake to learn from.",

  // Puzzles
  puzzle: "Puzzle",
  puzzleLevels: ["easy", "medium", "hard"],
  puzzleLevel: (/** @type {string} */ level, /** @type {number} */ done, /** @type {number} */ of) => `${level} (${done} of ${of})`,
  puzzleOfDay: (/** @type {Date} */ day, /** @type {boolean} */ isDone) =>
    `Puzzle of the day, ${day.toLocaleDateString("en", { day: "numeric", month: "long" })}${isDone ? " ✓" : ""}`,
  puzzleRow: (/** @type {number} */ row, /** @type {number} */ most, /** @type {number} */ days) =>
    `Current streak: ${row}, best: ${most}.${days > 1 ? ` Puzzles of the day: ${days} days in a row.` : ""}`,
  puzzleText: (/** @type {Side} */ side, /** @type {string} */ rules, /** @type {number} */ moves) =>
    `${sides[side]} to move${rules === "relay" ? " in Avalanche" : rules === "empty" ? "; captures also if the house opposite is empty" : ""}. Find the move that keeps the result: every other gives away at least four seeds.${moves > 1 ? ` Find ${moves} moves in all.` : ""}`,
  /** The margin is the mover's. */
  puzzleAnswer: (/** @type {Side} */ side, /** @type {number} */ margin, /** @type {number} */ loss, /** @type {string} */ line) => {
    const result = margin === 0 ? "It keeps the draw" : margin > 0 ? `${sides[side]} wins by ${margin}` : `${sides[side === "S" ? "N" : "S"]} wins by only ${-margin}`;
    return `${result}; every other move gives away at least ${loss} seeds. The line: ${line}`;
  },
  noPuzzles: (/** @type {string} */ error) => `The puzzles cannot be loaded: ${error}`,
  taskTitle: (/** @type {string} */ title, /** @type {number} */ place, /** @type {number} */ of) => `${title} ${place} of ${of}`,
  rightSoFar: (/** @type {string} */ move, /** @type {string[]} */ replies) => `${move} is right.${replies.length ? ` The answer is ${replies.join(" ")}.` : ""} Go on.`,
  isRight: (/** @type {string} */ move, /** @type {string} */ answer) => `${move} is right. ${answer}`,
  isWrong: (/** @type {string} */ move) => `${move} gives seeds away. Try another move.`,
  answer: (/** @type {string[]} */ moves, /** @type {string} */ answer) => `${moves.join(" or ")}. ${answer}`,

  // Games, positions
  playFromHere: "Play from here",
  storeOf: (/** @type {Side} */ side) => `${sides[side]}'s store`,
  badField: (/** @type {number} */ field, /** @type {string[]} */ houses) => {
    const name = ["the houses a side", "South's store", "North's store"][field - 1] ?? `house ${houses[field - 4]}`;
    return `Enter a number for ${name}.`;
  },
  positionSet: "Position set up.",
  notUsed: "Your position was not applied.",
  goOn: "Keep editing",
  gameOpened: "Game opened.",
  linkOpened: "Opened the game from the link.",
  beforeBack: "Previous game restored.",
  listed: (/** @type {number} */ place, /** @type {string} */ south, /** @type {string} */ north, /** @type {string} */ result, /** @type {number} */ moves) =>
    `${place}. ${south} – ${north}, ${result}, ${moves === 1 ? "1 move" : `${moves} moves`}`,
  fileTooLarge: (/** @type {string} */ name) => `'${name}' is too large: at most 500 kB`,
  noText: (/** @type {string} */ name) => `Cannot read '${name}' as text: save it as UTF-8`,
  copied: { game: "Copied: the game.", board: "Copied: the board.", link: "Copied: a link to the game." },
  cannotCopy: "The browser does not let this page copy: the text is above.",
  notOpened: "Your edited text was not opened.",
  noGame: "There is no game in this text.",
  noneOpened: (/** @type {string} */ error) => `No game is opened: ${error}.`,
  damagedLink: "the link is damaged or not complete",
  notRestored: (/** @type {string} */ error) => `The game cannot be restored: ${error}`,
};
