/**
 * Upcard for your own page: connect, sit down, see and move. No dependencies, no rules of any game.
 *
 *     import { Upcard, fill } from "https://cards.example/upcard.js";
 *
 *     const upcard = new Upcard({ url: "https://cards.example" });
 *     await upcard.open({ name: "Ana" });
 *     const table = await upcard.join({ code: "7KQ2MX" });
 *     table.on("change", () => draw(table.view, table.offers));
 *     await table.act(fill(table.offers[0], { target: [31] }));
 *
 * A lost connection is found again by itself: every table catches up with what it missed, and a move without an answer
 * is sent again under its old number, so that it counts once. The types are those of `upcard.wire.d.ts` beside this file.
 */

import { Table } from "./upcard.table.js";
import { Emitter, Refusal, merge } from "./upcard.tools.js";

export { Table } from "./upcard.table.js";
export { Choice, Emitter, Refusal, alike, canonical, fill, kindOf, merge, seedFits, sha256, worthOf } from "./upcard.tools.js";

/** @typedef {import("./upcard.wire.d.ts").Ok} Ok */
/** @typedef {import("./upcard.wire.d.ts").Session} Session */
/** @typedef {{t: string, [field: string]: unknown}} Words A command without its number. */
/** @typedef {"closed" | "connecting" | "open" | "waiting"} LinkState */
/** @typedef {{state: LinkState, code: number, until: number, leaving: boolean}} Link How it stands with the connection. */
/** @typedef {{command: Words, send: boolean, patience: number, resolve: (frame: Ok) => void, reject: (no: Error) => void}} Waiting */

const FINAL = [4400, 4401, 4403, 4406, 4409]; // closed like this, coming back is no use
const PATIENCE = 20000; // ms that a command other than a move waits for its answer
const QUIET = 8000; // ms of silence after which we ask whether anybody is there
const DEAF = 3000; // ms in which that must be answered
const SLOW = 5000; // ms in which a new connection must be welcomed
const GOOD = 30000; // ms after which a connection counts as a good one

/** Somebody at a server. Tells `link`, `welcome`, every frame by its kind, and `frame` for all of them. */
export class Upcard extends Emitter {
  /** @param {{url?: string, token?: string, keep?: Storage}} [how] `keep` holds an unanswered move through a reload. */
  constructor({ url = globalThis.location?.origin ?? "", token = "", keep } = {}) {
    super();
    this.url = url.replace(/\/$/, "");
    this.token = token;
    this.keep = keep;
    this.user = { id: "", name: "" };
    /** @type {Map<string, Table>} */
    this.tables = new Map();
    /** @type {Map<string, import("./upcard.wire.d.ts").Playing>} */
    this.playing = new Map(); // matches in which we have a seat, as of the last welcome
    /** @type {Link} */
    this.link = { state: "closed", code: 0, until: 0, leaving: false };
    /** @type {Map<string, Words>} */
    this.standing = new Map(); // what is said again on every connection
    /** @type {any} */
    this.hall = null; // the lobby, while it is followed
    this.ahead = 0; // ms that the server's clock is ahead of ours
    this.latency = 0; // ms there and back, when last measured
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.tries = 0;
    this.count = 0;
    this.heard = 0;
    this.after = 0; // ms that we were asked to stay away
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.#watchTheLine();
  }

  /** Server time, in ms since 1970. */
  get now() {
    return Date.now() + this.ahead;
  }

  /** A call to the HTTP side. @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async http(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = this.token ? { authorization: `Bearer ${this.token}` } : {};
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await fetch(this.url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const kind = answer.headers.get("content-type") ?? "";
    const content = kind.includes("json") ? await answer.json() : await answer.text();
    if (!answer.ok) throw new Refusal(kind.includes("json") ? content : { code: `http_${answer.status}`, text: answer.statusText });
    return content;
  }

  /**
   * Become known, or take another name: whoever has a token stays who they are. With a code they become who made it.
   * @param {string} name @param {string} [code]
   */
  async session(name = "", code) {
    /** @type {Session} */
    const session = await this.http("POST", "/api/session", { ...(name && { name }), ...(code && { code }) });
    this.token = session.token;
    this.user = session.user;
    return session;
  }

  /** Connect, and stay connected. @param {{name?: string}} [who] for somebody who has no token yet */
  async open({ name = "" } = {}) {
    if (!this.token) await this.session(name);
    if (this.link.state === "closed") this.#dial();
  }

  /** Leave. A seat stays one's own. */
  close() {
    this.#set({ state: "closed", code: 1000, until: 0, leaving: false });
    clearTimeout(this.timer);
    this.socket?.close(1000);
    this.socket = null;
  }

  /** Do not wait any longer before trying again. */
  retry() {
    if (this.link.state === "waiting") this.#dial();
  }

  /**
   * Sit down, return to one's seat, or watch.
   * @param {{room?: string, code?: string, watch?: boolean, deck?: string | string[] | null}} where
   * @returns {Promise<Table>}
   */
  async join({ room, code, watch = false, deck = null }) {
    /** @type {Words} */
    const words = { t: "join", as: watch ? "watch" : "seat", ...(room ? { room } : {}), ...(code ? { code } : {}) };
    if (deck !== null) words.deck = deck;
    /** @type {Table | undefined} */
    let table;
    await this.ask(words, (ok) => {
      table = this.tables.get(ok.room ?? "") ?? new Table(this, ok.room ?? "");
      table.joined(words, ok);
      this.tables.set(table.room, table);
    });
    await /** @type {Table} */ (table).ready;
    return /** @type {Table} */ (table);
  }

  /** Follow the lobby, or stop: `hall` is kept up to date and `hall` is told. @param {boolean} on */
  async follow(on) {
    if (on) this.standing.set("lobby", { t: "lobby", on });
    else this.standing.delete("lobby");
    if (!on) this.hall = null;
    await this.ask({ t: "lobby", on }).catch((no) => (this.standing.delete("lobby"), Promise.reject(no)));
  }

  /** Enter the queue; `seeking` tells how it stands, `matched` where to join. @param {Record<string, unknown>} wish game, mode, clock, deck */
  async seek(wish) {
    this.standing.set("seek", { t: "seek", ...wish });
    await this.ask({ t: "seek", ...wish }).catch((no) => (this.standing.delete("seek"), Promise.reject(no)));
  }

  /** Leave the queue. */
  async unseek() {
    this.standing.delete("seek");
    await this.ask({ t: "unseek" });
  }

  /**
   * Send a command and wait for its answer, over as many connections as it takes.
   * @param {Words} words @param {(ok: Ok) => void} [first] is called before anything that comes after the answer
   * @returns {Promise<Ok>}
   */
  async ask(words, first) {
    const command = { i: String(++this.count), ...words };
    const patience = words.t === "act" ? Infinity : Date.now() + PATIENCE;
    for (;;) {
      try {
        return await this.#once(command, patience, first);
      } catch (no) {
        if (!(no instanceof Refusal) || Date.now() > patience) throw no;
        const table = this.tables.get(String(words.room));
        if (no.code === "not_joined" && table && words.t !== "leave") await table.rejoin();
        else if (!no.retry || words.t === "ping") throw no;
        await sleep(50 + Math.random() * 150);
      }
    }
  }

  /** Ask whether anybody is there; gives the ms there and back. */
  async ping() {
    const start = performance.now();
    const pong = /** @type {any} */ (await this.ask({ t: "ping", c: 0 }));
    this.latency = performance.now() - start;
    this.ahead = pong.now + this.latency / 2 - Date.now();
    return this.latency;
  }

  /** @param {Words} command @param {number} patience @param {((ok: Ok) => void) | undefined} first @returns {Promise<Ok>} */
  #once(command, patience, first) {
    return new Promise((resolve, reject) => {
      const i = String(command.i);
      const stop = setTimeout(() => end(() => reject(new Refusal({ code: "no_answer", text: "No answer came.", retry: true }))), Math.min(patience - Date.now(), 2 ** 31 - 1));
      const end = (/** @type {() => void} */ then) => {
        clearTimeout(stop);
        this.waiting.delete(i);
        then();
      };
      this.waiting.set(i, {
        command,
        send: false,
        patience,
        resolve: (ok) => (first?.(ok), end(() => resolve(ok))),
        reject: (no) => end(() => reject(no)),
      });
      this.#flush();
    });
  }

  /** Send what was not sent over this connection yet. */
  #flush() {
    if (this.link.state !== "open") return;
    const unsent = [...this.waiting.values()].filter((one) => !one.send);
    const back = unsent.filter((one) => one.command.t === "join"); // first to the tables, then what is said there
    for (const one of [...back, ...unsent.filter((one) => one.command.t !== "join")]) {
      one.send = true;
      this.#send(one.command);
    }
  }

  /** @param {unknown} command */
  #send(command) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    this.emit("sent", command);
  }

  #dial() {
    clearTimeout(this.timer);
    this.#set({ state: "connecting" });
    const socket = new WebSocket(`${this.url.replace(/^http/, "ws")}/ws`, ["upcard.v1.json"]);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => this.#send({ t: "hello", i: "hello", token: this.token, proto: [1, 1], client: "upcard.js" });
    socket.onmessage = (message) => this.socket === socket && this.#hear(JSON.parse(message.data), message.data.length);
    socket.onclose = (closed) => this.socket === socket && this.#lost(closed.code);
    this.timer = setTimeout(() => this.#drop(socket), SLOW);
  }

  /** @param {any} frame @param {number} size */
  #hear(frame, size) {
    this.heard = Date.now();
    this.emit("frame", { frame, size });
    if (frame.t === "welcome") this.#welcome(frame);
    else if (frame.t === "lobby") {
      this.hall = frame.snap ?? merge(this.hall, frame.patch);
      this.emit("hall", this.hall);
    } else if (frame.t === "matched" || (frame.t === "seeking" && frame.over)) this.standing.delete("seek");
    else if (frame.t === "bye") {
      this.after = frame.after;
      this.link.leaving = frame.code === 4503;
    }
    const waiting = frame.i === undefined ? undefined : this.waiting.get(frame.i);
    if (waiting && frame.t === "err") waiting.reject(new Refusal(frame));
    else if (waiting) waiting.resolve(frame);
    if (frame.room !== undefined && frame.t !== "ok" && frame.t !== "err") this.tables.get(frame.room)?.hear(frame);
    this.emit(frame.t, frame);
  }

  /** @param {any} welcome */
  #welcome(welcome) {
    clearTimeout(this.timer);
    this.user = welcome.user;
    if (welcome.token) this.token = welcome.token; // the one we came with runs out sooner
    this.playing = new Map(welcome.seats.map((/** @type {any} */ one) => [one.room, one]));
    this.ahead = welcome.now - Date.now();
    this.timer = setTimeout(() => (this.tries = 0), GOOD);
    this.#set({ state: "open", code: 0, until: 0, leaving: false });
    for (const table of this.tables.values()) void table.rejoin();
    const asked = new Set([...this.waiting.values()].map((one) => one.command.t));
    for (const [name, words] of this.standing) if (!asked.has(words.t)) this.#send({ i: `again ${name}`, ...words });
    this.#flush();
  }

  /** @param {number} code */
  #lost(code) {
    this.socket = null;
    clearTimeout(this.timer);
    for (const one of this.waiting.values()) one.send = false;
    if (FINAL.includes(code)) {
      this.#set({ state: "closed", code, until: 0 });
      for (const one of [...this.waiting.values()]) one.reject(new Refusal({ code: `closed_${code}`, text: "The connection is closed for good." }));
      return;
    }
    const wait = this.after + Math.random() * Math.min(15000, 500 * 2 ** this.tries++);
    this.after = 0;
    this.#set({ state: "waiting", code, until: Date.now() + wait });
    this.timer = setTimeout(() => this.#dial(), wait);
  }

  /** @param {Partial<Link>} change */
  #set(change) {
    this.link = { ...this.link, ...change };
    this.emit("link", this.link);
  }

  /** A browser does not say that a connection has died. We ask, above all after sleep and when a page comes back. */
  #watchTheLine() {
    let last = Date.now();
    const look = () => {
      const slept = Date.now() - last > 5000;
      last = Date.now();
      if (slept || Date.now() - this.heard > QUIET) this.#probe();
    };
    setInterval(look, 1000);
    globalThis.addEventListener?.("online", () => (this.retry(), this.#probe()));
    globalThis.addEventListener?.("offline", () => this.#probe());
    globalThis.document?.addEventListener("visibilitychange", () => !document.hidden && (this.retry(), this.#probe()));
  }

  #probe() {
    const socket = this.socket;
    if (this.link.state === "waiting" && Date.now() > this.link.until) this.#dial();
    if (!socket || (this.link.state !== "open" && this.link.state !== "connecting")) return;
    const asked = Date.now();
    if (this.link.state === "open") void this.ping().catch(() => {});
    setTimeout(() => this.heard < asked && this.#drop(socket), DEAF);
  }

  /** Give up on a connection that says nothing. @param {WebSocket} socket */
  #drop(socket) {
    if (this.socket !== socket) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.#lost(1006);
  }
}

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
