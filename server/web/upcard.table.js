/** One table on the wire: its view, its offers, its moves. Part of `upcard.js`. */

import { Emitter, Refusal, canonical, merge, sha256 } from "./upcard.tools.js";

/** @typedef {import("./upcard.js").Upcard} Upcard */
/** @typedef {import("./upcard.js").Words} Words */
/** @typedef {import("./upcard.wire.d.ts").View} View */
/** @typedef {import("./upcard.wire.d.ts").Offer} Offer */
/** @typedef {import("./upcard.wire.d.ts").Move} Move */
/** @typedef {import("./upcard.wire.d.ts").Ok} Ok */

const PAST = 200; // versions whose events are kept

/**
 * One table as this viewer sees it. Everything in here came from the server. Tells `snap`, `delta`, `presence`, `said`,
 * `proposal`, `rated`, `next`, `closed` with the frame, `moving` when a move is on its way or done, and `change` after any of them.
 */
export class Table extends Emitter {
  /** @param {Upcard} upcard @param {string} room */
  constructor(upcard, room) {
    super();
    this.upcard = upcard;
    this.room = room;
    /** @type {Words} */
    this.words = { t: "join", as: "seat" };
    /** @type {View} */
    this.view = { game: "", rules: "", seats: {} };
    this.v = -1;
    this.epoch = "";
    /** @type {number | undefined} */
    this.seat = undefined;
    this.n = 1;
    /** @type {Offer[]} */
    this.offers = [];
    /** @type {import("./upcard.wire.d.ts").Blocked[]} */
    this.blocked = [];
    /** @type {import("./upcard.wire.d.ts").Question | null} */
    this.asked = null;
    /** @type {import("./upcard.wire.d.ts").Clock | null} */
    this.clock = null;
    /** @type {import("./upcard.wire.d.ts").Presence | null} */
    this.presence = null;
    /** @type {{v: number, events: import("./upcard.wire.d.ts").Event[]}[]} */
    this.past = []; // what happened lately, for whoever looks only now
    /** @type {import("./upcard.wire.d.ts").Said[]} */
    this.talk = []; // what was said lately
    /** @type {Map<string, import("./upcard.wire.d.ts").Proposal>} */
    this.proposals = new Map(); // those that are open, by what is proposed
    /** @type {import("./upcard.wire.d.ts").Rated | null} */
    this.rated = null; // what a ranked match did to ratings, a moment after its end
    this.mirror = false; // another window of ours plays; this one only looks on
    /** @type {Move | null} */
    this.moving = null; // a move without an answer
    this.catching = false;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve) => (this.shown = resolve));
  }

  get over() {
    return this.view.result !== undefined;
  }

  /** @param {Words} words @param {Ok} ok */
  joined(words, ok) {
    this.words = words;
    this.seat = ok.seat;
    this.mirror = false;
    if (ok.n !== undefined) this.n = ok.n;
    const kept = this.seat === undefined ? null : this.upcard.keep?.getItem(`upcard.move.${this.room}`);
    if (kept && !this.moving) this.#sendKept(JSON.parse(kept));
  }

  /** Come back and be told what was missed; `whole` asks for everything. */
  async rejoin(whole = false) {
    if (this.catching) return;
    this.catching = true;
    /** @type {Words} */
    const words = { ...this.words, room: this.room };
    if (this.seat !== undefined) delete words.code;
    delete words.deck;
    if (this.v >= 0 && this.epoch && !whole) words.have = { epoch: this.epoch, v: this.v };
    try {
      await this.upcard.ask(words, (ok) => this.joined(this.words, ok));
    } catch (no) {
      if (no instanceof Refusal && !no.retry) this.emit("lost", no);
    } finally {
      this.catching = false;
    }
  }

  /**
   * Make a move. Resolves once it is committed and shown; a lost connection in between makes no difference.
   * @param {Move} move @param {{sure?: boolean}} [how] @returns {Promise<Ok>}
   */
  async act(move, { sure = false } = {}) {
    if (this.moving) throw new Refusal({ code: "busy", text: "Your last move has no answer yet." });
    const ask = this.asked ? { ask: this.asked.id } : {};
    return this.#go({ t: "act", room: this.room, n: this.n, do: move, ...ask, ...(sure ? { sure } : {}) });
  }

  /** @param {Words} words @returns {Promise<Ok>} */
  async #go(words) {
    const name = `upcard.move.${this.room}`;
    this.moving = /** @type {Move} */ (words.do);
    this.upcard.keep?.setItem(name, JSON.stringify(words));
    this.#told("moving");
    try {
      const ok = await this.upcard.ask(words);
      this.n = Math.max(this.n, Number(words.n) + 1);
      const epoch = this.epoch;
      await this.until(() => this.v >= (ok.v ?? 0) || this.epoch !== epoch); // the answer may come before the news
      return ok;
    } catch (no) {
      if (no instanceof Refusal && no.code === "elsewhere") this.mirror = true;
      if (no instanceof Refusal && ["stale", "gap", "conflict"].includes(no.code)) await this.rejoin(true);
      throw no;
    } finally {
      this.moving = null;
      this.upcard.keep?.removeItem(name);
      this.#told("moving");
    }
  }

  /** A move from before a reload: if its number is still free it has not been made. @param {Words} words */
  #sendKept(words) {
    if (words.n === this.n) void this.#go(words).catch((no) => this.emit("refused", no));
    else this.upcard.keep?.removeItem(`upcard.move.${this.room}`);
  }

  /** Anything else that is said at a table. @param {string} t @param {Record<string, unknown>} [fields] */
  tell(t, fields = {}) {
    return this.upcard.ask({ t, room: this.room, ...fields });
  }

  /** Stop following. */
  async leave() {
    this.upcard.tables.delete(this.room);
    if (this.upcard.link.state === "open") await this.tell("leave").catch(() => {});
  }

  /** @param {() => unknown} test @returns {Promise<void>} */
  until(test) {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.on("change", () => test() && (stop(), resolve()));
    });
  }

  /** Take in what the server says. @param {any} frame */
  hear(frame) {
    if (frame.t === "snap") this.#snap(frame);
    else if (frame.t === "delta") return this.#delta(frame);
    else if (frame.t === "presence") {
      this.presence = frame;
      this.mirror = frame.mirror ?? this.mirror;
    } else if (frame.t === "said") {
      this.talk.push(frame);
      if (this.talk.length > PAST) this.talk.shift();
    } else if (frame.t === "rated") this.rated = frame;
    else if (frame.t === "proposal") {
      if (frame.state === "open") this.proposals.set(frame.what, frame);
      else this.proposals.delete(frame.what);
    }
    this.#told(frame.t, frame);
  }

  /** @param {import("./upcard.wire.d.ts").Snap} snap */
  #snap(snap) {
    this.view = snap.view;
    this.v = snap.v;
    this.epoch = snap.epoch;
    this.offers = snap.offers ?? [];
    this.blocked = snap.blocked ?? [];
    this.asked = snap.ask ?? null;
    this.clock = snap.clock ?? null;
    this.n = this.moving ? this.n : (snap.n ?? this.n);
    this.shown?.();
  }

  /** @param {import("./upcard.wire.d.ts").Delta} delta */
  #delta(delta) {
    if (delta.v <= this.v) return;
    if (delta.v !== this.v + 1) return void this.rejoin();
    this.v = delta.v;
    this.epoch = delta.epoch ?? this.epoch;
    this.view = merge(this.view, delta.patch ?? {});
    if (delta.offers !== undefined) this.offers = delta.offers;
    if (delta.blocked !== undefined) this.blocked = delta.blocked;
    if (delta.ask !== undefined) this.asked = delta.ask;
    if (delta.clock !== undefined) this.clock = delta.clock;
    if (delta.events) this.past.push({ v: delta.v, events: delta.events });
    if (this.past.length > PAST) this.past.shift();
    if (delta.sum) void this.#compare(this.view, this.v, delta.sum);
    this.shown?.();
    this.#told("delta", delta);
  }

  /** @param {View} view @param {number} v @param {string} sum */
  async #compare(view, v, sum) {
    const digest = await sha256(new TextEncoder().encode(canonical(view)));
    if (digest && digest.slice(0, 8) !== sum) {
      this.emit("drift", v);
      await this.rejoin(true);
    }
  }

  /** @param {string} name @param {unknown} [news] */
  #told(name, news) {
    this.emit(name, news);
    this.emit("change", name);
  }
}
