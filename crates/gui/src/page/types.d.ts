// What the page and the server tell each other, and what the modules of the page share.
// docs/formats/page-messages.md describes the messages.

export type Side = "S" | "N";

/** A move as the server tells it: the page never works out rules. */
export interface LegalMove {
  move: string;
  /** A letter for each seed sown: the pit it falls into. `+` is South's store, `-` North's. */
  path: string;
  /** After how many seeds a relay picks up those of the house where the last of them has fallen. */
  pickUps: number[];
  capture: { from: string[]; seeds: number } | null;
  again: boolean;
  /** The seeds that are left when the game ends, and the side on which they lie. */
  sweep: { side: Side; seeds: number } | null;
  /** The board after the move. */
  board: string;
}

export interface Position {
  board: string;
  houses: number;
  south: number[];
  north: number[];
  /** South's, North's. */
  stores: [number, number];
  turn: Side;
  /** The margin for South of a game that is over. */
  result: number | null;
  seeds: number;
  moves: LegalMove[];
}

export interface PlyRecord {
  move: string;
  comment?: string;
  variations?: PlyRecord[][];
}

export interface GameRecord {
  tags: Record<string, string>;
  start: string;
  capture: string;
  /** `relay`; single sowing if it is absent. */
  sowing?: string;
  comment?: string;
  moves: PlyRecord[];
  result: string;
}

/** Who plays a side: a name, and whether it is the one who reads. */
export interface Player {
  name: string;
  isYou: boolean;
}

export type Players = Record<Side, Player>;

/** What is behind the page: a server, or workers. */
export interface Backend {
  connect(): void;
  readonly isOpen: boolean;
  /** Events by name, and `state` with `open`, `lost` or `refused`; the result forgets the listener. */
  on(event: string, listener: (message: any) => void): () => void;
  /** The reply, with the number that events and `cancel` name. */
  request(verb: string, fields?: object): Promise<any> & { id: number };
}

export interface Hello {
  engines: string[];
  /** A word for each level: for whom it is. */
  levels: string[];
  threads: number;
  game: GameRecord | null;
  /** Whether the page is on the machine of the server, and may stop it. */
  own: boolean;
  /** Whether this page is that of a guest of a room. */
  guest: boolean;
}

/** A game that several pages share, as this page sees it. */
export interface RoomView {
  /** `null` once it has ended. */
  code: string | null;
  host: boolean;
  side: Side | null;
  locked: boolean;
  /** The number of games before this one. */
  game: number;
  start: string;
  capture: string;
  moves: string;
  resigned: Side | null;
  /** Who asks for a move back. */
  asks: Side | null;
  /** South's, North's. */
  seats: ({ name: string; here: boolean; host: boolean } | null)[];
  /** The names of those who watch. */
  watching: string[];
}

/** How guests come to a room. */
export interface Invitation {
  code: string;
  address: string;
  link: string;
  qr: { size: number; path: string } | null;
  /** Whether other machines can come at all. */
  reachable: boolean;
}

/** A line of `info`, scores in seeds for the player to move. */
export interface Info {
  depth: number;
  multipv: number;
  score: number;
  bound: "lower" | "upper" | null;
  proven: boolean;
  nodes: number;
  nps: number;
  tbhits: number;
  pv: string[];
}

/** The value of a move, in seeds for South. */
export interface MoveValue {
  move: string;
  value: number;
  proven: boolean;
  bound: "lower" | "upper" | null;
  depth: number;
  pv: string[];
}

export type Seat = { kind: "person"; name?: string } | { kind: "remote"; name: string; presence: "here" | "away" | "free" } | { kind: "engine"; engine: number; level: number };

export type Clock =
  | { kind: "none" }
  | { kind: "move"; time: number }
  | { kind: "game"; time: number; increment: number };

export interface Puzzle {
  board: string;
  capture: string;
  sowing?: string;
  best: string;
  value: number;
  second: number;
  level: number;
  line: string;
  /** How many moves of the line are to be found and answered. */
  steps?: number;
}

/** A question, and the moves that answer it. */
export interface Task {
  /** Words are those of the page's language when they are asked for. */
  title: () => string;
  text: () => string;
  board: string;
  capture: string;
  best: string[];
  /** All moves that are to be played, with those of the other side; otherwise one of the best. */
  chain?: string[];
  /** What is told once it is solved or given up. */
  answer: () => string;
  /** It was solved without help, or not. */
  onSolved?: () => void;
  onFailed?: () => void;
}

/** Why a line of play is better than another one, in English and in other languages. */
export interface Explanation {
  text: string;
  de?: string;
  /** The turns that make the difference: the one of this number in the better line, and in the other. */
  turns: { number: number; best: Turn | null; played: Turn | null }[];
}

export interface Turn {
  side: Side;
  moves: string;
  stored: number;
  capture: { house: string; seeds: number } | null;
}

/** A move of a reviewed game; values in seeds for South. */
export interface ReviewedMove {
  ply: number;
  side: Side;
  move: string;
  /** The board before the move. */
  board: string;
  /** Before the move, with best play. */
  value: number;
  after: number;
  /** The moves that keep this value. */
  best: string[];
  /** Seeds given away. */
  loss: number;
  proven: boolean;
  mark: string;
  line: string;
  why?: Explanation;
}

export interface ReviewedSide {
  accuracy: number;
  lost: number;
  opening: number;
  middle: number;
  ending: number;
}

export interface Review {
  version: number;
  moves: ReviewedMove[];
  /** The value after the last move, for South. */
  final: number;
  south: ReviewedSide;
  north: ReviewedSide;
  /** The plies with the greatest losses, in order. */
  moments: number[];
}
