/** The page of a table: sits down or watches, then keeps everything on the screen in step with the server. */

import { call, play as sound, title } from "../alerts.js";
import { inBar, matchIs } from "../bar.js";
import { announce, button, fillWith, h, iconButton, toast, write } from "../dom.js";
import { go } from "../router.js";
import { enter, excuse, findGame, upcard } from "../session.js";
import { pace, thisWindow } from "../store.js";
import { need } from "../styles.js";
import { signed, t, tn } from "../words.js";
import { browse } from "./browse.js";
import { Debug } from "./debug.js";
import { door } from "./door.js";
import { draggable } from "./drag.js";
import { endPanel } from "./end.js";
import { invite } from "./invite.js";
import { help, keepFocus, keyboard, stops } from "./keys.js";
import { Log } from "./log.js";
import { Mat } from "./mat.js";
import { Menu } from "./menu.js";
import { Motion } from "./motion.js";
import { Names } from "./names.js";
import { Play } from "./play.js";
import { drawCounter } from "./seats.js";
import { pending, tableTools } from "./talk.js";
import { Tray, choosing, looseButtons, question } from "./tray.js";

/** @typedef {import("../upcard.js").Table} Table */
/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../upcard.wire.d.ts").View} View */
/** @typedef {{v: number, view: View, events: any[]}} Step something that was told and is to be shown */

const NOTHING = { offers: [], blocked: [], asked: null };
const BEHIND = 4; // steps that may wait to be shown; more are shown at once

/** @param {HTMLElement} root @param {string[]} parts */
export async function show(root, [room]) {
  await need("card", "table", "play");
  await enter();
  const table = await door(root, room);
  if (!table) return undefined;
  const page = new TablePage(table, await findGame(table.view.game));
  root.replaceChildren(page.element);
  page.start();
  void page.tellRoom();
  return () => page.close();
}

/** One table on the screen. */
export class TablePage {
  /** @param {Table} table @param {Game} game */
  constructor(table, game) {
    this.table = table;
    this.game = game;
    this.names = new Names(game);
    this.side = table.seat ?? 0;
    this.mat = new Mat(game, this.names, { browse: (zone) => void browse(this, zone), pickSeat: (seat) => this.play.takes(seat) && this.play.pick(seat) });
    this.motion = new Motion(this.mat);
    this.play = new Play(this.mat, (move, how) => table.act(move, how), () => this.showTray());
    this.menu = new Menu(this.play);
    this.tray = new Tray();
    this.menu.otherwise = () => this.tray.focus();
    this.log = new Log(this.names, table.room, { showFace: (face, card, at) => this.showFace(face, card, at), say: (what) => table.tell("say", what) });
    this.debug = new Debug(table, (v) => go(`/replay/${table.room}?v=${v}`));
    this.facts = h("div", { class: "table-facts" });
    this.where = h("span", { class: "where" });
    this.eyes = h("span", { class: "watchers", hidden: true });
    this.late = h("span", { class: "delay", hidden: true });
    this.series = h("span", { class: "series", hidden: true });
    this.strips = h("div", { class: "strips", role: "status" });
    const log = iconButton("list", t("log.label"), () => this.element.classList.toggle("with-log"), { class: "log-toggle" });
    this.tools = h("div", { class: "table-tools" }, log, iconButton("more", t("table.more"), () => void tableTools(this)));
    this.element = this.#build();
    this.refocus = keepFocus(this.mat, this.element, () => this.tray.focus());
    /** @type {Step[]} */
    this.queue = [];
    this.showing = false;
    this.v = -1;
    this.asking = "";
    /** @type {(() => void)[]} */
    this.stops = [];
  }

  #build() {
    const side = h("aside", { class: "beside" }, iconButton("cross", t("close"), () => this.element.classList.remove("with-log"), { class: "shut log-toggle" }), this.log.element);
    const foot = h("div", { class: "foot" }, h("div", { class: "says" }, this.strips, this.tray.element));
    return h("div", { class: "table-page" }, h("div", { class: "middle" }, this.facts, this.mat.element, foot), side, this.menu.element, this.menu.preview, this.motion.sky, this.debug.element);
  }

  /** Show how it stands, and whatever happens from now on. */
  start() {
    const { table, mat } = this;
    document.body.className = "at-table";
    const stop = inBar(this.where, this.series, this.eyes, this.late, this.tools);
    this.stops = [
      stop,
      table.on("snap", () => this.#anew()),
      table.on("delta", (delta) => this.#later(delta)),
      table.on("presence", () => (this.#presence(), this.#offer())),
      table.on("said", (said) => this.log.chat(said)),
      table.on("proposal", (proposal) => this.#proposed(proposal)),
      table.on("rated", () => (this.showTray(), this.#speakRating())),
      table.on("next", ({ next }) => this.#onwards(next)),
      table.on("closed", (closed) => this.#shut(closed)),
      upcard.on("notice", ({ text }) => (toast(text), announce(text))),
      table.on("moving", () => this.#offer()),
      table.on("refused", excuse),
      table.on("lost", (no) => (excuse(no), this.showTray())),
      upcard.on("link", () => this.showTray()),
      draggable(this.play, this.menu, this.motion.sky),
      keyboard(mat, { tray: () => this.tray.focus(), log: () => this.log.list.focus(), chat: () => this.log.field.focus(), cancel: () => this.play.cancel(), browse: (zone) => void browse(this, zone) }),
      this.#pointing(),
    ];
    const clock = setInterval(() => this.#tick(), 200);
    this.stops.push(() => clearInterval(clock));
    this.#anew();
    if (table.seat !== undefined) requestAnimationFrame(() => (mat.element.scrollTop = mat.element.scrollHeight)); // one's own cards first
    for (const said of table.talk) this.log.chat(said);
  }

  close() {
    for (const stop of this.stops) stop();
    this.mat.close();
    this.menu.leave();
    this.debug.close();
    call("");
    if (this.table.over || this.table.seat === undefined) void this.table.leave();
  }

  /** The whole table came anew: nothing of what happened meanwhile is played. */
  #anew() {
    this.queue = [];
    this.names.view = this.table.view;
    this.log.restore(this.table.past, this.table.v);
    this.#draw(this.table.view, this.table.v);
    this.#presence();
  }

  /** @param {any} delta */
  #later(delta) {
    this.queue.push({ v: delta.v, view: this.table.view, events: delta.events ?? [] });
    if (!this.showing) void this.#showAll();
  }

  /** Show one step after the other; whoever is far behind, or does not look, sees only the last. */
  async #showAll() {
    this.showing = true;
    while (this.queue.length) {
      const hurry = document.hidden || !pace() || this.queue.length > BEHIND;
      const steps = hurry ? this.queue.splice(0) : this.queue.splice(0, 1);
      const last = steps[steps.length - 1];
      if (!hurry) await this.motion.lead(last.events);
      if (last.v < this.v) continue; // the table came anew in between
      const before = hurry ? null : this.motion.remember();
      for (const step of steps) this.log.add(step.v, step.events);
      this.#draw(last.view, last.v);
      if (before) await this.motion.follow(last.events, before);
      else if (hurry) await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.showing = false;
  }

  /** @param {View} view @param {number} v */
  #draw(view, v) {
    const { table, mat } = this;
    const start = performance.now();
    this.v = v;
    this.element.dataset.v = String(v);
    mat.draw(view, this.side, v);
    for (const [seat, shown] of mat.seats) shown.presence(table.presence?.seats[seat], upcard.now);
    this.#offer();
    stops(mat);
    this.refocus();
    this.#counters(view);
    this.#alert();
    matchIs(table.room, view.game, table.seat !== undefined && !table.over);
    this.debug.drawn(performance.now() - start);
  }

  /** What may be done, once everything that led to it is shown. */
  #offer() {
    const { table } = this;
    this.play.now(this.v === table.v && !table.mirror && !table.moving ? { offers: table.offers, blocked: table.blocked, asked: table.asked } : NOTHING);
  }

  /** What stands in the bar, and the counters of the table itself. @param {View} view */
  #counters(view) {
    const turn = view.turn;
    const parts = [this.game.title, turn?.number !== undefined && t("table.turn", { n: turn.number }), turn?.phase && this.names.word(turn.phase)].filter(Boolean);
    write(this.where, parts.join(" · "));
    title(`${this.game.title} · Upcard`);
    const counters = this.game.playmat.table?.counters ?? [];
    while (this.facts.children.length > counters.length) this.facts.lastElementChild?.remove();
    counters.forEach((counter, n) => drawCounter(/** @type {HTMLElement} */ (this.facts.children[n] ?? this.facts.appendChild(h("span", { class: "fact" }))), counter, view[counter.name], this.names));
    this.facts.hidden = !counters.length;
  }

  #presence() {
    const { presence } = this.table;
    for (const [seat, shown] of this.mat.seats) shown.presence(presence?.seats[seat], upcard.now);
    const watchers = presence?.watchers ?? 0;
    this.eyes.hidden = !watchers;
    write(this.eyes, tn("table.watchers", watchers));
    this.showTray();
  }

  /** Call somebody who looks elsewhere. */
  #alert() {
    const { table, view } = { table: this.table, view: this.table.view };
    const mine = table.seat !== undefined && !table.over && (view.turn?.waiting.includes(table.seat) ?? false) && !table.mirror;
    const key = mine ? (table.asked ? `ask ${table.asked.id}` : `turn ${view.turn?.number}`) : table.over ? "over" : "";
    if (key === this.asking) return;
    const first = this.asking === "" && this.v <= 0;
    this.asking = key;
    if (key.startsWith("ask")) {
      call(t("alert.asked"), "question");
      announce(t("alert.question", { text: question(this.play) }));
    } else if (mine) {
      call(t("alert.turn"), "turn");
      announce(tn("alert.turn.spoken", new Set(this.table.offers.map((offer) => offer.card).filter(Boolean)).size));
    } else call("");
    if (key === "over" && !first) {
      const won = table.seat !== undefined && view.result?.winners.includes(table.seat);
      sound(table.seat === undefined ? "turn" : won ? "win" : "lose");
      announce(view.result ? this.names.result(view.result) : "");
    }
  }

  /** Something is proposed, or was answered. @param {import("../upcard.wire.d.ts").Proposal} proposal */
  #proposed({ what, seat, state }) {
    const who = this.names.seat(seat);
    if (state === "open") this.log.note(t(`propose.${what}`, { who }));
    else this.log.note(t(`proposal.${state}`, { what: t(`what.${what}`) }));
    if (state === "open" && seat !== this.table.seat) {
      announce(t(`propose.${what}`, { who }));
      sound("question");
    }
    this.showTray();
  }

  #speakRating() {
    const worth = this.table.rated?.seats[this.table.seat ?? -1];
    if (worth) announce(t("end.rating", { rating: worth.rating, change: signed(worth.change) }));
  }

  /** The table goes on in another room. @param {string} room */
  #onwards(room) {
    if (this.table.seat !== undefined) thisWindow()?.setItem(`upcard.seat.${room}`, "1");
    go(`/table/${room}`);
  }

  /** @param {{text: string}} closed */
  #shut({ text }) {
    toast(text, "bad");
    thisWindow()?.removeItem(`upcard.seat.${this.table.room}`);
    go("/", { replace: true });
  }

  /** What waits for an answer, beside the question of the game itself. */
  #showStrips() {
    const strips = pending(this);
    const same = strips.length === this.strips.children.length && strips.every((strip, n) => strip.textContent === this.strips.children[n].textContent);
    if (!same) fillWith(this.strips, ...strips);
  }

  #tick() {
    const { clock } = this.table;
    this.#showStrips();
    const timed = Object.values(clock?.left ?? {}).some((left) => left > 0); // otherwise only questions are
    this.tray.tick(upcard.now);
    for (const [seat, shown] of this.mat.seats) {
      const runs = clock?.runs.includes(seat) ?? false;
      const left = timed ? clock?.left[seat] : undefined;
      shown.time(left === undefined ? undefined : left - (runs ? upcard.now - (clock?.at ?? 0) : 0), runs);
    }
  }

  /** Clicks on cards, zones and players, and what rests under the pointer. */
  #pointing() {
    const { mat, play, menu } = this;
    const find = (/** @type {Event} */ event) => /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest(".card[data-card]") : null);
    mat.element.addEventListener("click", (event) => {
      const card = find(event);
      const id = Number(card?.dataset.card ?? 0);
      const zone = event.target instanceof Element ? event.target.closest("[data-zone]")?.getAttribute("data-zone") : null;
      if (card && play.takes(id)) play.pick(id);
      else if (zone && play.takes(zone)) play.pick(zone);
      else if (card) menu.open(id, card);
    });
    mat.element.addEventListener("dblclick", (event) => {
      const groups = play.at(Number(find(event)?.dataset.card ?? 0));
      if (!play.choice && groups.length === 1) (menu.close(), play.start(groups[0]));
    });
    mat.element.addEventListener("pointerover", (event) => {
      const card = find(event);
      const shown = this.table.view.cards?.[card?.dataset.card ?? ""];
      if (event.pointerType === "mouse" && card && shown?.face) menu.hover(card, shown);
    });
    mat.element.addEventListener("pointerout", () => menu.unhover());
    return () => menu.unhover();
  }

  /** @param {string} face @param {number} card @param {HTMLElement} at */
  showFace(face, card, at) {
    if (card && this.table.view.cards?.[card]) this.menu.open(card, at);
    else this.menu.openFace(face, at);
  }

  /** Watchers may be kept behind, and a match may be one of several: both are told. */
  async tellRoom() {
    const { delay, series } = await upcard.http("GET", `/api/rooms/${this.table.room}`).catch(() => ({ delay: null, series: null }));
    this.series.hidden = !(series?.of > 1);
    if (series) write(this.series, t("table.series", { of: series.of, wins: series.wins.join(" : ") }));
    this.late.hidden = this.table.seat !== undefined || (!delay?.moves && !delay?.ms);
    write(this.late, delay?.moves ? tn("table.delay.moves", delay.moves) : t("table.delay.ms", { n: Math.round((delay?.ms ?? 0) / 1000) }));
  }

  /** Look at the table from the next seat; only watchers may. */
  turn() {
    this.side = (this.side + 1) % Object.keys(this.table.view.seats).length;
    this.#draw(this.table.view, this.table.v);
    this.#presence();
  }

  // the tray

  showTray() {
    this.#showStrips();
    this.tray.show(this.#says());
    this.tray.tick(upcard.now);
  }

  /** @returns {import("./tray.js").Content} */
  #says() {
    const { table, play } = this;
    const { view } = table;
    if (table.over && this.v === table.v) return endPanel(this);
    if (!view.turn) return invite(this);
    if (table.mirror) return { kind: "mirror", title: t("tray.mirror"), note: t("tray.mirror.note"), actions: [button(t("tray.here"), () => void table.rejoin(), { class: "primary", "data-key": "here" })], key: "" };
    if (table.moving) return { kind: "sending", title: t(upcard.link.state === "open" ? "tray.sending" : "tray.offline"), key: "" };
    if (play.choice && !play.choice.done) return { ...choosing(play), until: this.#until() };
    const mine = table.seat !== undefined && view.turn.waiting.includes(table.seat);
    return mine && play.open.offers.length ? this.#mine() : this.#theirs();
  }

  /** @returns {import("./tray.js").Content} */
  #mine() {
    const { play, table } = this;
    const groups = play.loose();
    const cards = new Set(play.open.offers.map((offer) => offer.card).filter(Boolean)).size;
    const actions = looseButtons(play, groups);
    if (actions.length === 1 && !cards) actions[0].classList.add("primary");
    const key = JSON.stringify([groups, play.busy]);
    if (table.asked) return { kind: "asked", title: question(play), note: cards ? tn("tray.answers", cards) : "", actions, until: this.#until(), key };
    return { kind: "mine", title: t("tray.mine"), note: cards ? tn("tray.cards", cards) : "", actions, until: this.#until(), key };
  }

  /** @returns {import("./tray.js").Content} */
  #theirs() {
    const turn = this.table.view.turn;
    const waiting = (turn?.waiting ?? []).filter((seat) => seat !== this.table.seat);
    const who = waiting.map((seat) => this.names.seat(seat)).join(", ");
    const title = t(turn?.asked ? "tray.asked" : "tray.theirs", { who });
    const watching = this.table.seat === undefined;
    const actions = watching ? [button(t("tray.turn"), () => this.turn(), { "data-key": "turn" })] : [];
    return { kind: watching ? "watching" : "theirs", title, note: watching ? t("tray.watching") : "", actions, key: who };
  }

  #until() {
    return this.table.asked?.until ?? this.table.clock?.until ?? 0;
  }

  /** All keys. */
  help() {
    return help();
  }
}
