/**
 * The messages of the Upcard protocol, version 1.
 *
 * Made by `upcard spec` from the structs of the service; do not edit. In a script, JSDoc can name
 * them: `@typedef {import("./upcard.wire.d.ts").Delta} Delta`.
 */

/** Anything that a client says. Fields that we do not know are passed over, except inside `do`. */
export type Command = Hello | Join | Leave | Act | Say | Propose | Reply | Resign | Claim | Ready | Kick | Mute | Block | Report | Seek | Unseek | Lobby | Ping;

/** Anything that the server says. A client passes over fields and kinds that it does not know. */
export type Frame = Welcome | Ok | Err | Snap | Delta | LobbyNews | Seeking | Matched | Presence | Said | Proposal | Next | Rated | Closed | Notice | Bye | Pong;

/** Something that happened. A client passes over kinds that it does not know. */
export type Event = Moved | Changed | Turned | Shuffled | Looked | Struck | Rolled | Asked | Phase | Spoken | Over;

/** Who is there. Comes first, within ten seconds. */
export interface Hello {
  t: "hello";
  /** From `POST /api/session`, or a signed one of the embedding site. */
  token: string;
  /** The oldest and the newest version of the protocol that you speak. */
  proto: [number, number];
  /** Which program this is, for our logs. */
  client?: string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Take a free seat, return to one's own, or watch. */
export interface Join {
  t: "join";
  /** Which room; or give `code`. */
  room?: string | null;
  /** The invite code of a room; or give `room`. */
  code?: string | null;
  /** Sit down, or watch. */
  as?: "seat" | "watch";
  /** A deck of the game by name, or a list of faces with repeats. */
  deck?: string | string[] | null;
  /** What you have of the view already: you are sent only what you missed. */
  have?: Have | null;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** What a client already has of a view: it asks only for what it missed. */
export interface Have {
  /** Opaque; with `v` it proves which history a view belongs to. */
  epoch: string;
  /** The version that you have. */
  v: number;
}

/** Stop following a room. A seated player stays seated. */
export interface Leave {
  t: "leave";
  /** Which room. */
  room: string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** A move: a filled offer with its number. */
export interface Act {
  t: "act";
  /** Which room. */
  room: string;
  /** The number of this move. The same number with the same move gets the first answer again. */
  n: number;
  /** The filled offer. */
  do: Move;
  /** The id of the question that this answers. */
  ask?: number | null;
  /** Do it although it is unusual. */
  sure?: boolean;
  /** Refuse it, until you are sure, if it is gravely unusual (`hard`) or unusual at all (`all`). */
  heed?: "all" | "hard" | "none";
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Chat. */
export interface Say {
  t: "say";
  /** Which room. */
  room: string;
  /** Up to 200 characters; or give `emote`. */
  text?: string | null;
  /** The name of an emote; or give `text`. */
  emote?: string | null;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Table talk with consequences. A pause that is on is ended by proposing it. */
export interface Propose {
  t: "propose";
  /** Which room. */
  room: string;
  /** What is proposed. */
  what: "draw" | "pause" | "rematch" | "takeback";
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** An answer to a proposal. Saying no to one's own takes it back. */
export interface Reply {
  t: "reply";
  /** Which room. */
  room: string;
  /** What is proposed. */
  what: "draw" | "pause" | "rematch" | "takeback";
  /** Whether you agree. */
  yes?: boolean;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Give the match up. */
export interface Resign {
  t: "resign";
  /** Which room. */
  room: string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** End a match whose other player has been away for too long. */
export interface Claim {
  t: "claim";
  /** Which room. */
  room: string;
  /** The match, or half of it. */
  what?: "draw" | "win";
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Say that one is ready, where the room asks for it before the cards are dealt. */
export interface Ready {
  t: "ready";
  /** Which room. */
  room: string;
  /** Whether you are ready. */
  yes?: boolean;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Show somebody out before the match begins. Only for whoever opened the room. */
export interface Kick {
  t: "kick";
  /** Which room. */
  room: string;
  /** A seat, counted from 0. */
  seat: number;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Hear nothing more from a seat in this room, or hear it again. Nobody is told. */
export interface Mute {
  t: "mute";
  /** Which room. */
  room: string;
  /** A seat, counted from 0. */
  seat: number;
  /** Hear no more, or hear again. */
  on?: boolean;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Meet somebody no more: no talk, no pairing; or meet them again. Nobody is told. */
export interface Block {
  t: "block";
  /** Whom: an id as `presence` tells it. */
  user: string;
  /** Meet no more, or meet again. */
  on?: boolean;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Tell whoever runs this place about somebody at this table. The last lines of talk go along. */
export interface Report {
  t: "report";
  /** Which room. */
  room: string;
  /** A seat, counted from 0. */
  seat: number;
  /** What is wrong. */
  why: "cheating" | "name" | "other" | "stalling" | "talk";
  /** In your own words, up to 500 characters. */
  text?: string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Enter the matchmaking queue. */
export interface Seek {
  t: "seek";
  /** The id of a game. */
  game: string;
  /** Whether the match counts. */
  mode?: "casual" | "ranked";
  /** Time to think; without one there is no hurry. */
  clock?: ClockRequest | null;
  /** A deck of the game by name, or a list of faces with repeats. */
  deck?: string | string[] | null;
  /** How many players; the fewest that the game takes if absent. */
  seats?: number | null;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Leave the matchmaking queue. */
export interface Unseek {
  t: "unseek";
  /** Which queue to leave; all of them if absent. */
  game?: string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Follow the lobby, or stop following it. */
export interface Lobby {
  t: "lobby";
  /** Follow it, or stop following it. */
  on: boolean;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** Is anybody there? */
export interface Ping {
  t: "ping";
  /** Anything; comes back in `pong`. */
  c?: number | string;
  /** Your name for this command; its answer carries the same. */
  i: string;
}

/** You are in: who you are here, what holds, and which matches wait for you. */
export interface Welcome {
  t: "welcome";
  /** Your name for this command; its answer carries the same. */
  i: string;
  /** Who you are here. */
  user: User;
  /** The version of the protocol that we speak from here on. */
  proto: number;
  /** Server time in ms since 1970. */
  now: number;
  /** What this connection may do. */
  limits: Limits;
  /** The server pings you every so many ms. */
  heartbeat: number;
  /** The running matches in which you have a seat. */
  seats: Playing[];
  /** Use this one from now on: the one you came with runs out sooner. */
  token?: string;
}

/** Done. Of a move: it is in the store and survives the death of any process of ours. */
export interface Ok {
  t: "ok";
  /** Your name for this command; its answer carries the same. */
  i: string;
  /** Of a move: the version that it made. Of `join`: the newest one. */
  v?: number;
  /** Your move passed and was unusual. */
  warnings?: Warning[];
  /** Which room. */
  room?: string;
  /** A seat, counted from 0. */
  seat?: number;
  /** The number of your next move. Each accepted move uses one up. */
  n?: number;
  /** Opaque; with `v` it proves which history a view belongs to. */
  epoch?: string;
}

/** Not done, and why. Nothing has changed. */
export interface Err {
  t: "err";
  /** Stable, for programs. */
  code: string;
  /** The same in English, for people. */
  text: string;
  /** Whether the same command may pass later without any change. */
  retry: boolean;
  /** Your name for this command; its answer carries the same. */
  i?: string;
  /** The version of the table that refused it. */
  v?: number;
  /** The same command with `sure: true` would pass. */
  warn?: boolean;
  /** What is unusual about the move that was refused. */
  warnings?: Warning[];
  /** The key of a message and what it speaks of, for clients in other languages. */
  say?: [string, Record<string, unknown>];
}

/** Everything that this viewer may see now. */
export interface Snap {
  t: "snap";
  /** Which room. */
  room: string;
  /** Opaque; with `v` it proves which history a view belongs to. */
  epoch: string;
  /** The version of the table. Every commit raises it by exactly one. */
  v: number;
  /** Everything that you may see. */
  view: View;
  /** What you may do now; replaces the former ones. */
  offers?: Offer[];
  /** Cards that you cannot use now. */
  blocked?: Blocked[];
  /** The question that is put to you; null when there is none any more. */
  ask?: Question | null;
  /** How the clocks stand; null when there are none. */
  clock?: Clock | null;
  /** A seat, counted from 0. */
  seat?: number;
  /** The number of your next move. Each accepted move uses one up. */
  n?: number;
}

/** What one commit changed for this viewer; an absent field is as it was. */
export interface Delta {
  t: "delta";
  /** Which room. */
  room: string;
  /** The version of the table. Every commit raises it by exactly one. */
  v: number;
  /** Present when it differs from the one you were told last. */
  epoch?: string;
  /** A JSON Merge Patch (RFC 7396) of your view. */
  patch?: Record<string, unknown>;
  /** What happened, in order, for animation and log. */
  events?: Event[];
  /** What you may do now; replaces the former ones. */
  offers?: Offer[];
  /** Cards that you cannot use now. */
  blocked?: Blocked[];
  /** The question that is put to you; null when there is none any more. */
  ask?: Question | null;
  /** How the clocks stand; null when there are none. */
  clock?: Clock | null;
  /** The first 8 hex digits of the SHA-256 of your canonical view, to notice a drift. */
  sum?: string;
}

/** The lobby as a whole, or what changed in it. */
export interface LobbyNews {
  t: "lobby";
  /** The whole lobby: open rooms, live rooms, queue sizes, players online. */
  snap?: LobbyView;
  /** A JSON Merge Patch of it. */
  patch?: Record<string, unknown>;
}

/** How it stands with one's place in the queue. */
export interface Seeking {
  t: "seeking";
  /** The id of a game. */
  game: string;
  /** Whether the match counts. */
  mode: string;
  /** Server time at which your wait began. */
  since: number;
  /** How many wait there. */
  waiting: number;
  /** Time to think; without one there is no hurry. */
  clock?: ClockRequest;
  /** How many ms it may still take, if anybody can tell. */
  estimate?: number;
  /** Nobody has come for a while: this bot would play you. */
  bot?: string;
  /** Your opponent did not come; you are at the front again, with the time that you have waited. */
  again?: boolean;
  /** You are not in the queue any more. */
  over?: boolean;
}

/** An opponent was found; joining before `ready_by` is the acceptance. */
export interface Matched {
  t: "matched";
  /** Which room. */
  room: string;
  /** A seat, counted from 0. */
  seat: number;
  /** Join before this server time, or the match is off. */
  ready_by: number;
}

/** Who is here. No part of the view, and raises no version. */
export interface Presence {
  t: "presence";
  /** Which room. */
  room: string;
  /** By seat. */
  seats: Record<string, Here>;
  /** How many watch. */
  watchers: number;
  /** You play in a newer window; this one only looks on. */
  mirror?: boolean;
  /** The id of whoever opened the room, and may show others out before the match begins. */
  host?: string;
  /** Server time by which everybody must have come, or the match is off. */
  ready_by?: number;
}

/** Chat. */
export interface Said {
  t: "said";
  /** Which room. */
  room: string;
  /** Absent when a watcher speaks. */
  seat?: number;
  /** What somebody is called. */
  name?: string;
  /** What was said. */
  text?: string;
  /** Which emote was shown. */
  emote?: string;
  /** Who speaks, by id. */
  user?: string;
  /** The number of the line in this room. */
  line?: number;
  /** Server time. */
  at?: number;
}

/** Table talk: what is proposed, by whom, and what became of it. */
export interface Proposal {
  t: "proposal";
  /** Which room. */
  room: string;
  /** What is proposed. */
  what: string;
  /** Who proposes. */
  seat: number;
  /** What became of it. */
  state: "agreed" | "lapsed" | "open" | "refused" | "withdrawn";
  /** The seats that have agreed so far. */
  agreed?: number[];
}

/** The table goes on in another room: a rematch, or the next match of a series. Join it, to sit or to watch. */
export interface Next {
  t: "next";
  /** Which room. */
  room: string;
  /** The room where it goes on. */
  next: string;
  /** How the series stands, by the seats of the next match. */
  series?: Series;
}

/** What a ranked match did to the ratings of those who played it. Comes a moment after its end. */
export interface Rated {
  t: "rated";
  /** Which room. */
  room: string;
  /** The id of a game. */
  game: string;
  /** By seat. */
  seats: Record<string, Worth>;
}

/** This room is closed, or closed to you; and why. */
export interface Closed {
  t: "closed";
  /** Which room. */
  room: string;
  /** Stable, for programs. */
  code: string;
  /** The same in English, for people. */
  text: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say: [string, Record<string, unknown>];
}

/** Something that you should know. */
export interface Notice {
  t: "notice";
  /** Stable, for programs. */
  code: string;
  /** The same in English, for people. */
  text: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say: [string, Record<string, unknown>];
}

/** The connection is about to be closed; come back after so many milliseconds. */
export interface Bye {
  t: "bye";
  /** The code that the connection is about to be closed with. */
  code: number;
  /** Come back after this many ms. */
  after: number;
}

/** Here. */
export interface Pong {
  t: "pong";
  /** Your name for this command; its answer carries the same. */
  i: string;
  /** What you sent. */
  c: number | string;
  /** Server time in ms since 1970. */
  now: number;
}

/** A card went somewhere. `was` is the id it had before, if it got a new one. */
export interface Moved {
  e: "moved";
  /** The id of a card in this match. */
  card?: number;
  /** The id that the card had before. */
  was?: number;
  /** The card's key in the game's catalogue. */
  face?: string;
  /** The zone that it left. */
  from?: string;
  /** The zone that it came to. */
  to?: string;
}

/** A number of a card or of a seat went up or down. */
export interface Changed {
  e: "changed";
  /** Which number. */
  what: string;
  /** How much. */
  by: number;
  /** The id of a card in this match. */
  card?: number;
  /** A seat, counted from 0. */
  seat?: number;
}

/** A card was shown to somebody. */
export interface Turned {
  e: "turned";
  /** The id of a card in this match. */
  card?: number;
  /** The card's key in the game's catalogue. */
  face?: string;
}

/** A zone was shuffled: its cards have new ids. */
export interface Shuffled {
  e: "shuffled";
  /** Which zone. */
  zone: string;
}

/** Somebody looked at hidden cards. */
export interface Looked {
  e: "looked";
  /** A seat, counted from 0. */
  seat: number;
  /** Which zone. */
  zone: string;
  /** How many cards. */
  count: number;
}

/** A card hit another one. */
export interface Struck {
  e: "struck";
  /** How hard. */
  by: number;
  /** The id of a card in this match. */
  card?: number;
  /** The card that was hit. */
  on?: number;
}

/** Dice or coins fell. */
export interface Rolled {
  e: "rolled";
  /** What they show. */
  results: (number | string)[];
}

/** These seats are being asked something. */
export interface Asked {
  e: "asked";
  /** Who is asked. */
  seats: number[];
  /** The card that asks, if you can see it. */
  by?: number;
}

/** A new turn or a new part of it. */
export interface Phase {
  e: "phase";
  /** The part of the turn. */
  phase: string;
  /** The number of the turn. */
  number?: number;
  /** A seat, counted from 0. */
  seat?: number;
}

/** A line for the log: the key of a message of the game, and what it speaks of. */
export interface Spoken {
  e: "said";
  /** The key of a message. */
  key: string;
  /** What the message speaks of. */
  args: Record<string, unknown>;
}

/** The match is over. */
export interface Over {
  e: "over";
  /** The seats that won; none in a draw. */
  winners: number[];
  /** The game's own, or resigned, time, left, agreed, abandoned, fault. */
  reason: string;
}

/** The body of every answer that is not what was asked for. */
export interface Problem {
  /** Stable, for programs. */
  code: string;
  /** The same in English, for people. */
  text: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say: [string, Record<string, unknown>];
}

/** A guest wants to come in, perhaps with the code of another device; without a name they are given one. */
export interface SessionRequest {
  /** What you would like to be called. */
  name?: string | null;
  /** The one-time code of another device, to be the same guest. */
  code?: string | null;
}

/** Somebody is known from now on. The token goes into `hello` and into `Authorization: Bearer`, never into a URL. */
export interface Session {
  /** Keep it: it is you. */
  token: string;
  /** Who you are here. */
  user: User;
}

/** Somebody, as others know them. */
export interface User {
  /** For good. */
  id: string;
  /** What somebody is called. */
  name: string;
}

/** Typed in on another device until then, this makes whoever does it the same guest; once. */
export interface PassMade {
  /** Eight symbols; how they are written does not matter. */
  code: string;
  /** Good until then, and once. */
  until: number;
}

/** A table is wanted. What is left out is up to the game. */
export interface RoomRequest {
  /** The id of a game. */
  game: string;
  /** Options of the game. */
  options?: Record<string, unknown>;
  /** Time to think; without one there is no hurry. */
  clock?: ClockRequest | null;
  /** A deck of the game by name, or a list of faces with repeats. */
  deck?: string | string[] | null;
  /** Not shown in the lobby: one comes in by code. */
  private?: boolean;
  /** Who sits where: `me`, `open`, `bot:NAME`. */
  seats?: string[] | null;
  /** Who may watch. */
  watch?: WatchRequest | null;
  /** What becomes of whoever is away for too long: `wait`, `out`, or `bot:NAME` plays until they are back. */
  leavers?: string;
  /** How long somebody may be away before that, in ms. */
  grace?: number;
  /** Any words of yours; the same key again gives the same room, not a second one. */
  key?: string | null;
  /** The seat that begins; chance decides if absent. */
  first?: number | null;
  /** Ask everybody whether they are ready before the cards are dealt. */
  ready?: boolean;
  /** Play so many matches for one result. */
  best_of?: 1 | 3 | 5 | 7;
}

/** Time to think: a budget with an increment, an allowance for each decision, or days for each. */
export interface ClockRequest {
  /** ms for the whole match. */
  base?: number;
  /** ms added for each move. */
  inc?: number;
  /** ms for each decision. */
  decision?: number;
  /** Days for each decision. */
  days?: number;
}

/** Who may watch, and how long after. */
export interface WatchRequest {
  /** Everybody, those with the code, or nobody. */
  who?: "all" | "code" | "nobody";
  /** How far behind watchers are kept. */
  delay?: DelayRequest | null;
}

/** How far behind watchers are kept: so many moves, or so long. */
export interface DelayRequest {
  /** So many moves. */
  moves?: number;
  /** So many ms. */
  ms?: number;
}

/** The table stands. */
export interface RoomMade {
  /** Which room. */
  room: string;
  /** The invite code. */
  code: string;
  /** Your seat, if you asked for one. */
  seat?: number;
}

/** A game that can be played here. */
export interface GameFacts {
  /** For URLs and commands. */
  id: string;
  /** Its name. */
  title: string;
  /** The version of the game's rules. */
  rules: string;
  /** The fewest and the most players. */
  seats: [number, number];
  /** How many sit at a table that somebody opens for themselves and bots. */
  company: number;
  /** What a room may choose before the deal. */
  options: Option[];
  /** By name: a list of faces; an empty one is left to luck. */
  decks: Record<string, string[]>;
  /** Bots that can take a seat: `bot:NAME`. */
  bots: string[];
  /** By area: its rows, columns and places, or its hexes; for a small picture of the table. */
  sketch: Record<string, Record<string, unknown>>;
  /** What the game is, in a sentence or two. */
  about: string;
}

/** Something a room may choose before the deal. A form can be drawn from it. */
export interface Option {
  /** What it is called in `options`. */
  name: string;
  /** How a form would show it. */
  kind: "choice" | "number" | "switch";
  /** What holds if nothing is chosen. */
  default: unknown;
  /** What it does. */
  text: string;
  /** Of a choice: the words. */
  choices?: string[];
  /** Of a number: the smallest. */
  least?: number;
  /** Of a number: the greatest. */
  most?: number;
}

/** A game with everything that a client draws it from. */
export interface GamePage {
  /** For URLs and commands. */
  id: string;
  /** Its name. */
  title: string;
  /** The version of the game's rules. */
  rules: string;
  /** The fewest and the most players. */
  seats: [number, number];
  /** How many sit at a table that somebody opens for themselves and bots. */
  company: number;
  /** What a room may choose before the deal. */
  options: Option[];
  /** By name: a list of faces; an empty one is left to luck. */
  decks: Record<string, string[]>;
  /** Bots that can take a seat: `bot:NAME`. */
  bots: string[];
  /** By area: its rows, columns and places, or its hexes; for a small picture of the table. */
  sketch: Record<string, Record<string, unknown>>;
  /** What the game is, in a sentence or two. */
  about: string;
  /** Where to draw what. */
  playmat: Record<string, unknown>;
  /** By face: what is printed on the card. */
  catalogue: Record<string, Record<string, unknown>>;
  /** By key: the English, with its parts in braces. */
  messages: Record<string, string>;
  /** By emote: the English of what may be said with one touch. */
  phrases: Record<string, string>;
  /** What a form may propose; any other clock will do as well. */
  clocks: ClockRequest[];
  /** The hash of the cards. */
  set: string;
}

/** May this deck be played, with these options of the room? */
export interface DeckRequest {
  /** A deck of the game by name, or a list of faces with repeats. */
  deck: string | string[];
  /** Options of the room, since they may decide which cards there are. */
  options?: Record<string, unknown>;
}

/** How many cards a deck has, and everything that is wrong with it. Without mistakes it may be played. */
export interface DeckCheck {
  /** How many cards it has; 0 if it is left to luck. */
  cards: number;
  /** Why it may not be played; none if it may. */
  mistakes: Problem[];
}

/** What anybody may know of a room. */
export interface RoomFacts {
  /** Which room. */
  room: string;
  /** The id of a game. */
  game: string;
  /** Whether one can sit down, watch, or read the replay. */
  status: "live" | "open" | "over";
  /** Whether the match counts. */
  mode: "casual" | "ranked";
  /** What the room chose before the deal. */
  options: Record<string, unknown>;
  /** Time to think; without one there is no hurry. */
  clock: ClockRequest | null;
  /** Not shown in the lobby. */
  private: boolean;
  /** Who may watch. */
  watch: "all" | "code" | "nobody";
  /** How far behind watchers are kept. */
  delay: DelayRequest;
  /** What becomes of whoever is away for too long: `wait`, `out`, or `bot:NAME` plays until they are back. */
  leavers: string;
  /** Server time. */
  made: number;
  /** Who sits where. */
  seats: Chair[];
  /** Whether everybody is asked if they are ready. */
  ready: boolean;
  /** How the series stands. */
  series?: Series;
}

/** A seat of a room; an empty one has nothing. */
export interface Chair {
  /** What somebody is called. */
  name?: string;
  /** Whether a bot plays it. */
  bot?: boolean;
  /** Who sits here. */
  id?: string;
}

/** Several matches that are played for one result. */
export interface Series {
  /** Best of so many. */
  of: number;
  /** The number of the match, from 1. */
  game: number;
  /** Matches won, by seat. */
  wins: number[];
}

/** Everything that is needed to play a match again. */
export interface Replay {
  /** The id of a game. */
  game: string;
  /** The version of the game's rules. */
  rules: string;
  /** The hash of the cards. */
  set: string;
  /** The players' names. */
  seats: string[];
  /** The deck of each seat. */
  decks: string[][];
  /** 32 bytes in hexadecimal. */
  seed: string;
  /** The SHA-256 of the seed, as it was published at the deal. */
  commitment: string;
  /** What the room chose before the deal. */
  options: Record<string, unknown>;
  /** The seat that was made to begin. */
  first: number | null;
  /** The version of the deal. */
  start: number;
  /** Everything that changed the table, in order. */
  inputs: Input[];
  /** By version: the hash of the whole table. */
  hashes: Record<string, string>;
  /** How it ended; null until then. */
  result: Result | null;
}

/** One thing that made a version: a move, time running out, a seat giving up, a move taken back, a pause, an end. */
export interface Input {
  /** The version that it made. */
  v: number;
  /** A seat, counted from 0. */
  seat?: number;
  /** The number of the move. */
  n?: number;
  /** The move. */
  do?: Record<string, unknown> | null;
  /** Made although it was unusual. */
  sure?: boolean;
  /** Time ran out. */
  expire?: boolean;
  /** Why the seat left the match. */
  resign?: string;
  /** Why the match ended undecided: `agreed`, `abandoned`, `fault`. */
  stop?: string;
  /** The seat's last move, and all that came after it, was taken back. */
  takeback?: boolean;
  /** Nothing changed on the table: `paused`, `resumed`. */
  remark?: string;
  /** Server time. */
  at?: number;
}

/** How a match ended. No winners: a draw. */
export interface Result {
  /** The seats that won; none in a draw. */
  winners: number[];
  /** The game's own, or resigned, time, left, agreed, abandoned, fault. */
  reason: string;
  /** Seats from first to last, those of equal rank together. */
  ranking: number[][];
}

/** A finished match as one viewer saw it. Whoever reads this knows that the match was played again and checked. */
export interface Story {
  /** The id of a game. */
  game: string;
  /** The players' names. */
  seats: string[];
  /** The version of the deal. */
  v: number;
  /** Everything that this viewer saw right after the deal. */
  view: View;
  /** What happened, in order, for animation and log. */
  events: Event[];
  /** Every version after it. */
  steps: StoryStep[];
  /** The match was played again from its seed, and every hash fits. */
  checked: boolean;
}

/** One version of a match that is told again: what changed for that viewer, what happened, by whom and when. */
export interface StoryStep {
  /** The version of the table. Every commit raises it by exactly one. */
  v: number;
  /** A JSON Merge Patch of the view. */
  patch: Record<string, unknown>;
  /** What happened, in order, for animation and log. */
  events: Event[];
  /** Whose doing it was; absent if it was nobody's. */
  seat?: number;
  /** Server time. */
  at?: number;
}

/** The best of a game; whoever has played too little to be sure of comes after all others. */
export interface Leaderboard {
  /** The id of a game. */
  game: string;
  /** How many have a rating in this game. */
  total: number;
  /** The best first. */
  players: Ranked[];
}

/** A line of a leaderboard. */
export interface Ranked {
  /** 1500 is the middle of all. */
  rating: number;
  /** How far from that the truth may well be. */
  deviation: number;
  /** They have played too little to be sure. */
  provisional: boolean;
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** How many of them were drawn. */
  drawn: number;
  /** How many of them were lost. */
  lost: number;
  /** Server time of the last one. */
  last: number;
  /** Their place on the leaderboard, from 1. */
  rank: number;
  /** Who it is: `GET /api/players/{player}`. */
  id: string;
  /** What somebody is called. */
  name: string;
}

/** Somebody's ratings and last matches. */
export interface PlayerPage {
  /** For good. */
  id: string;
  /** What somebody is called. */
  name: string;
  /** Server time of the last one. */
  last: number;
  /** By game, those played most first. */
  ratings: GameStrength[];
  /** The newest first. Older ones: ask again with `before`, the end of the last of these. */
  matches: PastMatch[];
}

/** The same of one of several games. */
export interface GameStrength {
  /** 1500 is the middle of all. */
  rating: number;
  /** How far from that the truth may well be. */
  deviation: number;
  /** They have played too little to be sure. */
  provisional: boolean;
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** How many of them were drawn. */
  drawn: number;
  /** How many of them were lost. */
  lost: number;
  /** Server time of the last one. */
  last: number;
  /** Their place on the leaderboard, from 1. */
  rank: number;
  /** The id of a game. */
  game: string;
}

/** A finished match, as one of its players would tell it. */
export interface PastMatch {
  /** Which room. */
  room: string;
  /** The id of a game. */
  game: string;
  /** Whether the match counts. */
  mode: "casual" | "ranked";
  /** Server time of the deal. */
  started: number;
  /** Server time of the end. */
  ended: number;
  /** ms from the deal to the end, on average where many are spoken of. */
  duration: number;
  /** The version that ended it. */
  moves: number;
  /** The game's own, or resigned, time, left, agreed, abandoned, fault. */
  reason: string;
  /** Whether anybody may see the replay. */
  replay: boolean;
  /** It was played again, and led to the same end. */
  verified: boolean;
  /** The seat of whom was asked about. */
  seat: number;
  /** How it went. */
  outcome: "drawn" | "lost" | "won";
  /** Who sat where. */
  seats: PastSeat[];
}

/** Who sat on a seat of a finished match, and how it went for them. */
export interface PastSeat {
  /** What somebody is called. */
  name: string;
  /** Whether a bot played it in the end. */
  bot: boolean;
  /** From 1; those of equal rank share one. */
  place: number;
  /** How it went. */
  outcome: "drawn" | "lost" | "won";
  /** Who it was; absent of bots, and of whoever wanted to be forgotten. */
  id?: string;
  /** As it is after the match; 1500 is the middle. */
  rating?: number;
  /** By how much the match changed it. */
  change?: number;
}

/** How two stand against each other, from the first one's side. */
export interface Against {
  /** The one who was asked about. */
  player: User;
  /** The other one. */
  other: User;
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** How many of them were drawn. */
  drawn: number;
  /** How many of them were lost. */
  lost: number;
  /** Game by game. */
  games: Balance[];
  /** The last matches of these two, the newest first. */
  last: PastMatch[];
}

/** Matches of two against each other, from the first one's side. */
export interface Balance {
  /** The id of a game. */
  game: string;
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** How many of them were drawn. */
  drawn: number;
  /** How many of them were lost. */
  lost: number;
}

/** What many matches say of a game's cards and decks. */
export interface GameFigures {
  /** The id of a game. */
  game: string;
  /** Whether the match counts. */
  mode: "all" | "casual" | "ranked";
  /** How many were counted. */
  matches: number;
  /** How many of them were drawn. */
  drawn: number;
  /** Of a match, on average. */
  moves: number;
  /** ms from the deal to the end, on average where many are spoken of. */
  duration: number;
  /** By face. */
  cards: CardFigures[];
  /** Those that were played most first. */
  decks: DeckFigures[];
}

/** What is known of a card. */
export interface CardFigures {
  /** The card's key in the game's catalogue. */
  face: string;
  /** It was in the deck. */
  held: Quota;
  /** It came into the hand. */
  drawn: Quota;
  /** It was played from the hand. */
  played: Quota;
}

/** How often something was so, counted once a seat and match, and how often that seat won. */
export interface Quota {
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** Won of all; null if there was none. */
  rate: number | null;
}

/** What is known of a deck. */
export interface DeckFigures {
  /** How many, or the matches themselves. */
  matches: number;
  /** How many of them were won. */
  won: number;
  /** Won of all; null if there was none. */
  rate: number | null;
  /** What the game calls it; empty if it has no name. */
  name: string;
  /** Its cards. */
  faces: string[];
}

/** One line to `upcard drive`: a move, giving up, taking back, time running out, or a wish to see something. */
export interface DriveLine {
  /** A seat, counted from 0. */
  seat?: number | null;
  /** A filled offer. */
  do?: Move | null;
  /** The id of the question that this answers. */
  ask?: number | null;
  /** Do it although it is unusual. */
  sure?: boolean;
  /** Refuse it if it is unusual: `ask` until you are sure, `hard` and `all` as bots are refused. */
  heed?: "all" | "ask" | "hard" | "none";
  /** Give up. */
  resign?: boolean;
  /** Take the seat's last move back, and all that came after it. */
  takeback?: boolean;
  /** Time runs out for whoever is waited for. */
  expire?: boolean;
  /** `views` or `state`. */
  show?: string | null;
  /** With `--readable`: one tool that the seat calls. */
  call?: ToolCall | null;
  /** With `--readable`: several, one after another until one is refused. */
  calls?: ToolCall[];
}

/** A filled offer: its `type`, its `card` if it has one, and a field for each slot. Nothing else may stand here. */
export interface Move {
  /** As in the offer. */
  type: string;
  /** The id of a card in this match. */
  card?: number;
  [fact: string]: unknown;
}

/** A tool that is called, with its arguments by name. */
export interface ToolCall {
  /** Which tool. */
  name: string;
  /** Its arguments by name. */
  arguments: Record<string, unknown>;
}

/** The first line, which comes unasked, and the answer to `show: views`. */
export interface DriveOpening {
  /** The version of the table. Every commit raises it by exactly one. */
  v: number;
  /** The seats that are waited for. */
  to_act: number[];
  /** What each seat that is waited for may do. */
  offers: Record<string, Offer[]>;
  /** The open questions, by seat. */
  asks: Record<string, Question>;
  /** How it ended; null until then. */
  result: Result | null;
  /** By seat: cards that it cannot use now. */
  blocked: Record<string, Blocked[]>;
  /** Opaque; with `v` it proves which history a view belongs to. */
  epoch: string;
  /** By viewer: `0`, `1`, … and `watch`. */
  views: Record<string, View>;
}

/** A legal move with gaps. Every filling that respects its slots is accepted. */
export interface Offer {
  /** The name of the move. */
  type: string;
  /** For a button, in English. */
  label: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say: [string, Record<string, unknown>];
  /** The id of a card in this match. */
  card?: number;
  /** What it costs. */
  cost?: Record<string, number>;
  /** What is still to be chosen. */
  slots?: Slot[];
  /** Rules that may call this unusual. */
  warns?: string[];
  /** Nothing asks for this; you may do it all the same, and bots do not. */
  free?: boolean;
}

/** A gap in an offer: different entries of `from` in the order chosen, or one number out of `range`. */
export interface Slot {
  /** The field of the move that the choice goes into. */
  name: string;
  /** Card ids (from 16 on), seats (below 16), zone names or words. The choice is a list of them. */
  from?: (number | string)[];
  /** The least and the greatest number. The choice is one integer. */
  range?: [number, number];
  /** At least so many; 1 if absent. */
  least?: number;
  /** At most so many; 1 if absent. */
  most?: number;
  /** What each entry of `from` is worth, in its order. */
  worth?: number[];
  /** What those chosen must be worth together, at least. */
  total?: number;
}

/** What one is asked; the offers are its answers. */
export interface Question {
  /** Send it back as `ask`. */
  id: number;
  /** The same in English, for people. */
  text: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say: [string, Record<string, unknown>];
  /** The card that asks, if you can see it. */
  by?: number;
  /** Server time at which the question runs out. */
  until?: number;
}

/** A card that cannot be used now, and why. */
export interface Blocked {
  /** The id of a card in this match. */
  card: number;
  /** Stable, for programs. */
  code: string;
}

/** Everything that one viewer may see. It never holds a null; before the deal it has only its first few fields. */
export interface View {
  /** The id of a game. */
  game: string;
  /** The version of the game's rules. */
  rules: string;
  /** By seat. */
  seats: Record<string, SeatView>;
  /** Your seat; absent for watchers. */
  you?: number;
  /** What the room chose before the deal. */
  options?: Record<string, unknown>;
  /** The SHA-256 of the seed that is published after the end. */
  commitment?: string;
  /** Whose turn it is. */
  turn?: Turn;
  /** By name: `0.hand`, or bare for a shared one. */
  zones?: Record<string, Zone>;
  /** Every card that you can point at, by its id. */
  cards?: Record<string, Card>;
  /** Absent until the end. */
  result?: Result;
  [fact: string]: unknown;
}

/** A seat as this viewer sees it, with the game's own counters. */
export interface SeatView {
  /** What somebody is called. */
  name?: string;
  [fact: string]: unknown;
}

/** Whose turn it is, and who still owes an answer. */
export interface Turn {
  /** The seats that still owe a move or an answer. */
  waiting: number[];
  /** The number of the turn. */
  number?: number;
  /** A seat, counted from 0. */
  seat?: number;
  /** The part of the turn. */
  phase?: string;
  /** Whether they are asked something rather than to move. */
  asked?: boolean;
  [fact: string]: unknown;
}

/** A place where cards lie. Without `cards` one may count them and not look. */
export interface Zone {
  /** How many cards lie here. */
  n: number;
  /** Their ids in order; 0 in the place of each one that you may not see. */
  cards?: number[];
}

/** A card that this viewer can point at; without a `face` it lies face down. */
export interface Card {
  /** Whose card it is. */
  owner: number;
  /** The card's key in the game's catalogue. */
  face?: string;
  /** Who has it now, if that is somebody else. */
  controller?: number;
  [fact: string]: unknown;
}

/** The answer to a line that changed something. */
export interface DriveStep {
  /** The version of the table. Every commit raises it by exactly one. */
  v: number;
  /** The seats that are waited for. */
  to_act: number[];
  /** What each seat that is waited for may do. */
  offers: Record<string, Offer[]>;
  /** The open questions, by seat. */
  asks: Record<string, Question>;
  /** How it ended; null until then. */
  result: Result | null;
  /** By seat: cards that it cannot use now. */
  blocked: Record<string, Blocked[]>;
  /** A merge patch by viewer. */
  patches: Record<string, Record<string, unknown>>;
  /** By viewer. */
  events: Record<string, Event[]>;
  /** The move passed and was unusual. */
  warnings?: Warning[];
}

/** What is unusual about a move, by which rule. */
export interface Warning {
  /** Which rule would have it otherwise. */
  rule: string;
  /** The same in English, for people. */
  text: string;
  /** How grave it is. */
  level?: "hard" | "soft";
  /** The key of a message and what it speaks of, for clients in other languages. */
  say?: [string, Record<string, unknown>];
}

/** The answer to a line that changed nothing. */
export interface DriveError {
  /** Nothing was changed. */
  err: Refusal;
}

/** Why not. */
export interface Refusal {
  /** Stable, for programs. */
  code: string;
  /** The same in English, for people. */
  text: string;
  /** The key of a message and what it speaks of, for clients in other languages. */
  say?: [string, Record<string, unknown>];
  /** The same line with `sure: true` would pass. */
  warn?: boolean;
  /** What is unusual about the move. */
  warnings?: Warning[];
}

/** What a connection may do. A client that keeps to them is never refused for its speed. */
export interface Limits {
  /** Bytes that a frame may have. */
  frame: number;
  /** Commands of somebody with a seat, in the time below. */
  commands: number;
  /** The time in which they are counted. */
  seconds: number;
}

/** A running match in which one has a seat. */
export interface Playing {
  /** Which room. */
  room: string;
  /** The id of a game. */
  game: string;
  /** Server time. */
  since: number;
  /** A seat, counted from 0. */
  seat?: number;
  /** You were brought together with somebody: join before this server time. */
  ready_by?: number;
}

/** Whether somebody is at their seat, and since when. */
export interface Here {
  /** Whether they are connected. */
  online: boolean;
  /** Server time. */
  since?: number;
  /** The bot that plays this seat. */
  bot?: string;
  /** Who sits here, for good: `GET /api/players/{player}`. */
  id?: string;
  /** What somebody is called. */
  name?: string;
  /** Whether they have said that they are ready, where the room asks for it. */
  ready?: boolean;
  /** They left on purpose. */
  closed?: boolean;
  /** They are away; from this server time on the match may be claimed. */
  until?: number;
}

/** The lobby as everybody sees it. */
export interface LobbyView {
  /** How many people are connected. */
  online: number;
  /** Rooms with a free seat, by id. */
  open: Record<string, Record<string, unknown>>;
  /** Matches that may be watched, by room. */
  live: Record<string, Record<string, unknown>>;
  /** By name: where one may seek. */
  queues: Record<string, LobbyQueue>;
}

/** Where one may seek, and how many do. */
export interface LobbyQueue {
  /** The id of a game. */
  game: string;
  /** Whether the match counts. */
  mode: string;
  /** How many wait there. */
  waiting: number;
  /** Time to think; without one there is no hurry. */
  clock?: ClockRequest;
}

/** What a match did to somebody's rating. */
export interface Worth {
  /** As it is after the match; 1500 is the middle. */
  rating: number;
  /** By how much the match changed it. */
  change: number;
}

/** Time left at the moment `at`; it runs for the seats in `runs`. */
export interface Clock {
  /** By seat, in ms. */
  left: Record<string, number>;
  /** The seats whose time is running. */
  runs: number[];
  /** Server time at which this was so. */
  at: number;
  /** Server time at which the question runs out. */
  until?: number;
  /** The match is paused, at the latest until this server time. */
  paused?: number;
}

/** What each command is answered by. */
export interface Answers {
  hello: Welcome | Err;
  join: Ok | Err;
  leave: Ok | Err;
  act: Ok | Err;
  say: Ok | Err;
  propose: Ok | Err;
  reply: Ok | Err;
  resign: Ok | Err;
  claim: Ok | Err;
  ready: Ok | Err;
  kick: Ok | Err;
  mute: Ok | Err;
  block: Ok | Err;
  report: Ok | Err;
  seek: Ok | Err;
  unseek: Ok | Err;
  lobby: Ok | Err;
  ping: Pong;
}

/** The codes that we close a connection with. */
export type CloseCode =
  /** You left on purpose. The client: stop. */
  | 1000
  /** Three frames within a minute could not be read. The client: stop. */
  | 4400
  /** The token is not good, or no hello came in time. The client: stop. */
  | 4401
  /** This site or this user may not come in. The client: stop. */
  | 4403
  /** We share no version of the protocol: the client must be renewed. The client: stop. */
  | 4406
  /** You play this match in newer windows. The client: stop. */
  | 4409
  /** Too many commands. The client: retry. */
  | 4429
  /** Something broke on our side; nothing acknowledged is lost. The client: resume. */
  | 4500
  /** This process is about to stop; another one serves you. The client: resume. */
  | 4503
  /** You did not read what was sent to you. The client: resume. */
  | 4508;

/** Text frames, or binary ones. */
export type Subprotocol = "upcard.v1.json" | "upcard.v1.msgpack";
