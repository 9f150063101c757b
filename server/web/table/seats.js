/** A player beside the table: name, whether they are here, their counters, their clock, and whether all wait for them. */

import { button, fillWith, h, icon, mark, write } from "../dom.js";
import { ago, plain, span, t } from "../words.js";
import { seatHue } from "./colours.js";

/** @typedef {import("../types.d.ts").Counter} Counter */
/** @typedef {import("../upcard.wire.d.ts").View} View */
/** @typedef {import("../upcard.wire.d.ts").Here} Here */

/** One player. */
export class SeatView {
  /** @param {number} seat @param {import("../types.d.ts").Game} game @param {import("./names.js").Names} names @param {import("./mat.js").Hooks} hooks */
  constructor(seat, game, names, hooks) {
    this.seat = seat;
    this.names = names;
    this.counters = game.playmat.seat?.counters; // a mat that names none leaves it to us
    this.avatar = h("span", { class: "avatar", "aria-hidden": "true" });
    this.name = h("span", { class: "name" });
    this.status = h("span", { class: "status" });
    this.here = h("span", { class: "dot", role: "img", hidden: true });
    this.clock = h("span", { class: "clock", hidden: true });
    this.facts = h("div", { class: "facts" });
    this.head = button("", () => hooks.pickSeat(seat), { class: "head", tabindex: -1, "data-seat-head": seat });
    this.head.append(this.avatar, h("span", { class: "words" }, h("span", { class: "line" }, this.name, this.here), this.status));
    this.element = h("div", { class: "seat", role: "group", vars: { "--seat": seatHue(seat) } }, this.head, this.clock, this.facts);
    /** @type {unknown} */
    this.shown = null;
    /** @type {Here | undefined} */
    this.is = undefined;
    /** @type {Map<string, HTMLElement>} */
    this.boxes = new Map();
  }

  /** @param {View} view @param {number} seat */
  draw(view, seat) {
    const mine = view.seats[seat] ?? {};
    const name = this.names.seat(seat);
    mark(this.avatar, "data-letter", [...name][0] ?? "?");
    write(this.name, name);
    mark(this.element, "data-me", view.you === seat);
    mark(this.element, "aria-label", view.you === seat ? t("seat.yours", { name }) : name);
    const turn = view.turn;
    const waits = turn?.waiting.includes(seat) ?? false;
    mark(this.element, "data-turn", turn?.seat === seat && !view.result);
    mark(this.element, "data-waits", waits && !view.result);
    write(this.status, view.result ? "" : waits ? t(view.you === seat ? (turn?.asked ? "seat.asked.you" : "seat.moves.you") : turn?.asked ? "seat.asked" : "seat.moves") : turn?.seat === seat ? t("seat.turn") : "");
    if (mine !== this.shown) this.#count(mine);
    this.shown = mine;
  }

  /** @param {Record<string, unknown>} facts */
  #count(facts) {
    /** @type {Counter[]} */
    const others = Object.entries(facts).filter(([name, value]) => name !== "name" && value && typeof value !== "object").map(([name]) => ({ name, label: plain(name) }));
    const wanted = this.counters ? this.counters.filter(({ name, words }) => facts[name] !== undefined && (!words || String(facts[name]) in words)) : others;
    for (const [name, box] of this.boxes) if (!wanted.some((one) => one.name === name || one.gain === name)) (box.remove(), this.boxes.delete(name));
    for (const one of wanted) this.#box(one, facts);
  }

  /** @param {Counter} counter @param {Record<string, unknown>} facts */
  #box(counter, facts) {
    const value = facts[counter.name];
    const box = this.boxes.get(counter.name) ?? this.facts.appendChild(h("span", { class: "fact", "data-fact": counter.name }));
    this.boxes.set(counter.name, box);
    if (counter.gain) this.boxes.set(counter.gain, box); // what happens to either is seen at the one
    drawCounter(box, counter, value, this.names, counter.gain ? facts[counter.gain] : undefined);
  }

  /** Who is here. @param {Here | undefined} here @param {number} now */
  presence(here, now) {
    if (here === this.is && here !== undefined) return;
    this.is = here;
    const online = here?.online ?? false;
    this.here.hidden = false;
    const words = here?.bot ? t("seat.bot", { bot: plain(here.bot) }) : online ? t("seat.online") : here ? t("seat.away", { ago: ago(now - (here.since ?? now)) }) : t("seat.empty");
    this.here.className = `dot ${here?.bot ? "bot" : online ? "good" : "bad"}`;
    fillWith(this.here, here?.bot ? icon("robot") : null);
    mark(this.here, "aria-label", words);
    mark(this.here, "title", words);
    mark(this.element, "data-away", here !== undefined && !online);
  }

  /** What is left of their time. @param {number | undefined} left @param {boolean} runs */
  time(left, runs) {
    this.clock.hidden = left === undefined;
    if (left === undefined) return;
    write(this.clock, span(left));
    mark(this.clock, "data-runs", runs);
    mark(this.clock, "data-short", left < 20000);
  }
}

/** A fact as a number, a bar, a word, or who has what. @param {HTMLElement} box @param {Counter} counter @param {unknown} value @param {import("./names.js").Names} names @param {unknown} [gain] that comes each turn */
export function drawCounter(box, counter, value, names, gain) {
  if (counter.owners) return void fillWith(box, h("span", { class: "label" }, counter.label), owners(value, names));
  if (counter.words) return void fillWith(box, h("b", { class: "word", title: counter.label }, counter.words[String(value)] ?? ""));
  const words = typeof value === "boolean" ? "" : String(value ?? "");
  const { least = 0, most } = counter;
  const bar = typeof value === "number" && most !== undefined && most - least <= 14;
  const parts = [h("span", { class: "label" }, counter.label), words && h("b", {}, most !== undefined && !bar && !least ? `${words}/${most}` : words)];
  if (typeof value === "number" && most !== undefined && !bar) parts.push(h("span", { class: "meter", "aria-hidden": "true" }, h("i", { vars: { "--full": Math.max(0, Math.min(1, (value - least) / (most - least))).toFixed(3) } })));
  if (bar) parts.push(h("span", { class: "pips", "aria-hidden": "true" }, Array.from({ length: Number(most) - least }, (_, n) => h("i", { class: n < Number(value) - least ? "on" : "" }))));
  if (typeof gain === "number") parts.push(h("span", { class: "gain", title: t("seat.gain") }, gain < 0 ? `−${-gain}` : `+${gain}`));
  fillWith(box, ...parts);
}

/** @param {unknown} value @param {import("./names.js").Names} names */
function owners(value, names) {
  const found = Object.entries(/** @type {Record<string, number>} */ (value ?? {}));
  return found.length ? found.map(([thing, seat]) => h("b", { class: "owned", vars: { "--seat": seatHue(seat) }, title: names.word(thing) }, `${plain(thing)}: ${names.seat(seat)}`)) : h("b", {}, "–");
}
