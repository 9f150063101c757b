/** What happened and what was said, in order, read out to whoever listens. */

import { h, icon, iconButton, mark } from "../dom.js";
import { excuse } from "../session.js";
import { thisWindow } from "../store.js";
import { t } from "../words.js";
import { seatHue } from "./colours.js";

/** @typedef {import("./names.js").Names} Names */
/** @typedef {import("./names.js").Part} Part */

const KEPT = 400; // lines that stay
export const EMOTES = /** @type {Record<string, string>} */ ({ hello: "smile", good_luck: "clover", well_played: "star", thanks: "heart", oops: "sorry", thinking: "musing", good_game: "trophy" });

/** The log of a match with its chat. */
export class Log {
  /** @param {Names} names @param {string} room @param {{showFace: (face: string, card: number, at: HTMLElement) => void, say: ((what: {text: string} | {emote: string}) => Promise<unknown>) | null}} hooks */
  constructor(names, room, hooks) {
    this.names = names;
    this.hooks = hooks;
    this.store = `upcard.log.${room}`;
    this.list = h("div", { class: "lines", role: "log", "aria-label": t("log.label"), tabindex: 0 });
    this.field = h("input", { class: "say", maxlength: 200, placeholder: t("chat.placeholder"), "aria-label": t("chat.label"), autocomplete: "off" });
    this.element = h("section", { class: "log", "aria-label": t("log.label") }, this.list, hooks.say ? this.#talking() : null);
    this.list.addEventListener("keydown", (event) => this.#keys(event));
    this.low = true; // whoever has scrolled up reads there in peace
    this.due = 0;
    this.list.addEventListener("scroll", () => (this.low = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60), { passive: true });
    this.v = 0;
    this.spoken = -1; // the last line of talk that was heard
    /** @type {[number, any[]][]} */
    this.kept = [];
  }

  /** Tell again what this window has heard, also before it was loaded anew. @param {{v: number, events: any[]}[]} past @param {number} v the newest version */
  restore(past, v) {
    const kept = /** @type {[number, any[]][]} */ (JSON.parse(thisWindow()?.getItem(this.store) ?? "[]"));
    for (const [at, events] of kept) if (at <= v) this.add(at, events);
    for (const { v: at, events } of past) this.add(at, events);
    this.v = Math.max(this.v, v);
  }

  /** @param {number} v @param {any[]} events */
  add(v, events) {
    if (v <= this.v) return;
    this.v = v;
    const told = events.filter((event) => event.e === "said" || event.e === "phase");
    const spoken = told.some((event) => event.e === "said" && event.args?.number !== undefined); // the game says itself whose turn it is
    for (const event of told) if (event.e === "said" || !spoken) this.#line(event, v);
    if (!told.length) return;
    this.kept.push([v, told]);
    this.kept.splice(0, this.kept.length - KEPT);
    try {
      thisWindow()?.setItem(this.store, JSON.stringify(this.kept));
    } catch {
      this.kept.splice(0, this.kept.length / 2); // the browser gives no more room: the older half is forgotten
    }
  }

  /** Somebody speaks; whoever comes back is told the last lines again. @param {{seat?: number, name?: string, text?: string, emote?: string, line?: number}} said */
  chat({ seat, name, text, emote, line }) {
    if (line !== undefined && line <= this.spoken) return;
    this.spoken = line ?? this.spoken;
    const who = h("b", { vars: seat === undefined ? {} : { "--seat": seatHue(seat) } }, seat === undefined ? `${name ?? "?"} ${t("chat.watcher")}` : this.names.seat(seat));
    const words = emote ? [icon(EMOTES[emote] ?? "chat"), emote in EMOTES ? t(`emote.${emote}`) : emote] : (text ?? "");
    this.#put(h("p", { class: emote ? "chat emote" : "chat" }, who, " ", words));
  }

  /** A line of our own. @param {string} text */
  note(text) {
    this.#put(h("p", { class: "note" }, text));
  }

  /** Begin anew, as replays do. */
  clear() {
    this.list.replaceChildren();
    this.v = 0;
    this.kept = [];
  }

  /** @param {any} event @param {number} v */
  #line(event, v) {
    if (event.e === "phase") {
      if (event.number !== undefined && event.seat !== undefined) this.#put(h("p", { class: "turn", "data-v": v }, t("log.turn", { n: event.number, who: this.names.seat(event.seat) })));
      return;
    }
    const parts = this.names.sentence(event.key, event.args ?? {});
    this.#put(h("p", { class: event.args?.number !== undefined ? "turn" : "line", "data-v": v }, parts.map((part) => this.#part(part))));
  }

  /** @param {Part} part */
  #part(part) {
    if ("seat" in part) return h("b", { class: "player", vars: { "--seat": seatHue(part.seat) } }, part.text);
    const face = "face" in part ? part.face : undefined;
    if (!face) return part.text;
    const open = () => this.hooks.showFace(face, ("card" in part && part.card) || 0, named);
    const named = h("span", { class: "named", role: "button", tabindex: -1, on: { click: open } }, part.text);
    return named;
  }

  /** Arrows lead through the cards that are spoken of. @param {KeyboardEvent} event */
  #keys(event) {
    const here = /** @type {HTMLElement} */ (document.activeElement);
    if (event.key === "Enter" && here.matches(".named")) return here.click();
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const all = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".named")]);
    const next = step && (here === this.list ? all.at(-1) : all[all.indexOf(here) + step]);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** @param {HTMLElement} line */
  #put(line) {
    const { list } = this;
    list.append(line);
    while (list.children.length > KEPT) list.firstElementChild?.remove();
    if (this.low && !this.due) this.due = requestAnimationFrame(() => ((this.due = 0), (list.scrollTop = list.scrollHeight)));
  }

  #talking() {
    const send = (/** @type {{text: string} | {emote: string}} */ what) => this.hooks.say?.(what).catch(excuse);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) void send({ text });
      this.field.value = "";
    };
    const emotes = h("div", { class: "emotes", role: "group", "aria-label": t("chat.emotes") }, Object.entries(EMOTES).map(([name, sign]) => iconButton(sign, t(`emote.${name}`), () => void send({ emote: name }))));
    return h("form", { class: "talk", on: { submit } }, emotes, h("div", { class: "row" }, this.field, iconButton("right", t("chat.send"), submit)));
  }
}

/** Mark the line that belongs to a version. @param {HTMLElement} list @param {number} v */
export function pointAt(list, v) {
  for (const line of list.children) mark(line, "data-now", line.getAttribute("data-v") === String(v));
  list.querySelector("[data-now]")?.scrollIntoView({ block: "nearest" });
}
