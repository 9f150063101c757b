/** A finished match from its first card to its last, as anybody saw it, with the proof that nothing was changed in it. */

import { inBar } from "../bar.js";
import { button, fillWith, h, icon, iconButton, mark, write } from "../dom.js";
import { enter, findGame, upcard } from "../session.js";
import { need } from "../styles.js";
import { merge, seedFits } from "../upcard.js";
import { moment, t } from "../words.js";
import { browse } from "./browse.js";
import { Debug } from "./debug.js";
import { share } from "./invite.js";
import { stops } from "./keys.js";
import { Log, pointAt } from "./log.js";
import { Mat } from "./mat.js";
import { Menu } from "./menu.js";
import { Motion } from "./motion.js";
import { Names } from "./names.js";
import { Play } from "./play.js";

/** @typedef {import("../upcard.wire.d.ts").Replay} Recorded */
/** @typedef {import("../upcard.wire.d.ts").Story} Story */
/** @typedef {import("../upcard.wire.d.ts").View} View */

const SPEEDS = /** @type {Record<string, number>} */ ({ 0.5: 2400, 1: 1300, 2: 650, 4: 300 }); // ms for each step

/** @param {HTMLElement} root @param {string[]} parts @param {URLSearchParams} query */
export async function show(root, [room], query) {
  await need("card", "table", "play");
  await enter().catch(() => {});
  const place = `/api/rooms/${encodeURIComponent(room)}/replay`;
  /** @type {Recorded} */
  const record = await upcard.http("GET", place);
  const game = await findGame(record.game);
  const page = new ReplayPage(room, record, game, (as) => upcard.http("GET", `${place}/${as}`));
  root.replaceChildren(page.element);
  await page.start(query.get("as") ?? "all", Number(query.get("v")) || 0);
  return () => page.close();
}

/** One replay on the screen. */
class ReplayPage {
  /** @param {string} room @param {Recorded} record @param {import("../types.d.ts").Game} game @param {(as: string) => Promise<Story>} fetch */
  constructor(room, record, game, fetch) {
    this.room = room;
    this.record = record;
    this.game = game;
    this.fetch = fetch;
    this.names = new Names(game);
    this.mat = new Mat(game, this.names, { browse: (zone) => void browse(this, zone), pickSeat: () => {} });
    this.motion = new Motion(this.mat);
    this.play = new Play(this.mat, () => Promise.reject(new Error("this is over")), () => {});
    this.menu = new Menu(this.play);
    this.log = new Log(this.names, `replay.${room}`, { showFace: (face, card, at) => (card && this.view.cards?.[card] ? this.menu.open(card, at) : this.menu.openFace(face, at)), say: null });
    /** @type {View[]} */
    this.views = [];
    /** @type {any[][]} */
    this.events = [];
    /** @type {number[]} */
    this.turns = []; // places where a turn begins
    this.at = 0;
    this.first = 1;
    this.as = "all";
    this.timer = 0;
    this.badges = h("div", { class: "badges" });
    this.what = h("output", { class: "what" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": t("replay.scrub"), on: { input: () => this.go(Number(this.slider.value)) } });
    this.playing = iconButton("play", t("replay.play"), () => this.toggle());
    this.speed = h("select", { "aria-label": t("replay.speed") }, Object.keys(SPEEDS).sort((a, b) => Number(a) - Number(b)).map((speed) => h("option", { value: speed, selected: speed === "1" }, `${speed}×`)));
    this.seen = h("select", { "aria-label": t("replay.as"), on: { change: () => void this.look(this.seen.value) } });
    this.debug = new Debug({ room, v: 0, over: true, view: {}, offers: [], blocked: [], asked: null, clock: null }, (v) => this.go(v - this.first));
    this.element = this.#build();
    /** @type {(() => void)[]} */
    this.stops = [];
  }

  get view() {
    return this.views[this.at] ?? { game: this.game.id, rules: "", seats: {} };
  }

  #build() {
    const step = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ act) => iconButton(name, t(label), act);
    const row = h("div", { class: "row" },
      step("first", "replay.first", () => this.go(0)), step("left", "replay.back", () => this.go(this.at - 1)), this.playing,
      step("right", "replay.next", () => this.go(this.at + 1, true)), step("last", "replay.last", () => this.go(this.views.length - 1)),
      button(t("replay.turn.back"), () => this.#turn(-1), { class: "small plain" }), button(t("replay.turn.next"), () => this.#turn(1), { class: "small plain" }),
      this.speed, this.seen, step("share", "replay.link", () => void share(location.origin + this.address())));
    const foot = h("div", { class: "foot replay" }, this.slider, row, h("div", { class: "row proof" }, this.what, this.badges));
    return h("div", { class: "table-page" }, h("div", { class: "middle" }, this.mat.element, foot), h("aside", { class: "beside" }, this.log.element), this.menu.element, this.menu.preview, this.motion.sky, this.debug.element);
  }

  /** @param {string} as @param {number} v */
  async start(as, v) {
    document.body.className = "at-table";
    const { record } = this;
    const played = record.inputs.at(-1)?.at;
    this.stops = [inBar(h("span", { class: "where" }, [this.game.title, record.seats.join(" – "), played ? moment(played) : ""].filter(Boolean).join(" · ")))];
    fillWith(this.seen, h("option", { value: "all" }, t("replay.all")), record.seats.map((name, seat) => h("option", { value: seat }, t("replay.seat", { name }))), h("option", { value: "watch" }, t("replay.watch")));
    const press = (/** @type {KeyboardEvent} */ event) => this.#keys(event);
    addEventListener("keydown", press);
    this.stops.push(() => removeEventListener("keydown", press));
    this.log.list.addEventListener("click", (event) => {
      const line = event.target instanceof Element && !event.target.closest(".named") ? event.target.closest("[data-v]") : null;
      if (line) this.go(Number(line.getAttribute("data-v")) - this.first);
    });
    this.mat.element.addEventListener("click", (event) => {
      const card = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(".card[data-card]")) : null;
      if (card) this.menu.open(Number(card.dataset.card), card);
    });
    await this.look([...this.seen.options].some((option) => option.value === as) ? as : "all", v);
    void this.#prove();
  }

  close() {
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    this.mat.close();
    this.menu.leave();
    this.debug.close();
  }

  /** See the match as somebody else. @param {string} as @param {number} [v] */
  async look(as, v) {
    const at = v === undefined ? this.at : -1;
    const story = await this.fetch(as);
    this.as = as;
    this.seen.value = as;
    this.first = story.v;
    this.views = [story.view];
    this.events = [story.events];
    for (const step of story.steps) {
      this.views.push(merge(this.views[this.views.length - 1], step.patch));
      this.events.push(step.events);
    }
    this.turns = this.views.flatMap((view, n) => (n === 0 || view.turn?.number !== this.views[n - 1].turn?.number || view.turn?.seat !== this.views[n - 1].turn?.seat ? [n] : []));
    this.slider.max = String(this.views.length - 1);
    this.log.clear();
    this.names.view = this.views[0];
    this.events.forEach((events, n) => this.log.add(this.first + n, events));
    this.checked = story.checked;
    this.go(at >= 0 ? at : (v ?? 0) - this.first);
  }

  /** Go to a step. @param {number} wanted @param {boolean} [seen] so that what happens is seen to happen */
  go(wanted, seen = false) {
    const at = Math.max(0, Math.min(this.views.length - 1, wanted));
    const before = seen && at === this.at + 1 ? this.motion.remember() : null;
    this.at = at;
    const { view } = this;
    this.mat.draw(view, this.as === "all" || this.as === "watch" ? 0 : Number(this.as), at);
    this.play.now({ offers: [], blocked: [], asked: null });
    stops(this.mat);
    if (before) void this.motion.follow(this.events[at], before);
    this.slider.value = String(at);
    const where = t("replay.at", { n: at, of: this.views.length - 1, turn: view.turn?.number ?? "–" });
    this.slider.setAttribute("aria-valuetext", where);
    write(this.what, view.result ? `${where} · ${this.names.result(view.result)}` : where);
    pointAt(this.log.list, this.first + at);
    for (const line of this.log.list.children) mark(line, "data-later", Number(line.getAttribute("data-v")) > this.first + at);
    Object.assign(this.debug.table, { view, v: this.first + at });
    this.debug.drawn(0);
    history.replaceState(null, "", this.address());
  }

  /** The address of this very moment. */
  address() {
    return `/replay/${this.room}?v=${this.first + this.at}&as=${this.as}`;
  }

  /** Let it run, or stop it. */
  toggle(on = !this.timer) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (on && this.at >= this.views.length - 1) this.go(0);
    const run = () => {
      if (this.at >= this.views.length - 1) return this.toggle(false);
      this.go(this.at + 1, true);
      this.timer = setTimeout(run, SPEEDS[this.speed.value]);
    };
    if (on) this.timer = setTimeout(run, 200);
    fillWith(this.playing, icon(on ? "pause" : "play"));
    mark(this.playing, "aria-label", t(on ? "replay.pause" : "replay.play"));
  }

  /** @param {number} by */
  #turn(by) {
    const next = by > 0 ? this.turns.find((n) => n > this.at) : this.turns.findLast((n) => n < this.at);
    this.go(next ?? (by > 0 ? this.views.length - 1 : 0));
  }

  /** @param {KeyboardEvent} event */
  #keys(event) {
    const free = !(event.target instanceof HTMLElement) || !event.target.closest("input, select, button, .card, dialog");
    if (!free || event.ctrlKey || event.metaKey || event.altKey) return;
    const does = /** @type {Record<string, () => void>} */ ({ ArrowRight: () => this.go(this.at + 1, true), ArrowLeft: () => this.go(this.at - 1), Home: () => this.go(0), End: () => this.go(this.views.length - 1), " ": () => this.toggle(), PageUp: () => this.#turn(-1), PageDown: () => this.#turn(1) })[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  /** Two badges: the seed is the one that was promised, and the server has played the match again. */
  async #prove() {
    const fits = await seedFits(this.record);
    const badge = (/** @type {boolean | null | undefined} */ good, /** @type {string} */ key) => h("span", { class: `proof ${good ? "good" : good === null ? "note" : "bad"}`, title: t(`${key}.why`) }, icon(good ? "shield" : "cross"), t(good ? key : good === null ? `${key}.unknown` : `${key}.wrong`));
    fillWith(this.badges, badge(fits, "replay.seed"), badge(this.checked === true, "replay.checked"));
  }
}
