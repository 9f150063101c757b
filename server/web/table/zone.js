/** A place on the mat: its label, how many cards lie there, and the cards as far as they can be seen. */

import { button, h, mark, order, sweep, write } from "../dom.js";
import { t, tn } from "../words.js";
import { CardView } from "./card.js";
import { colour } from "./colours.js";

/** @typedef {import("../types.d.ts").MatSlot} MatSlot */
/** @typedef {import("./mat.js").Mat} Mat */
/** @typedef {import("../upcard.wire.d.ts").Zone} Zone */

const BACKS = 10; // of a hidden fan, so many are drawn
const SLIM = 92; // px below which a label has to be brief
const LATEST = 24; // of a heap that lies open, so many are drawn; the rest is a click away

/** One zone of one seat, or a shared one. */
export class ZoneView {
  /** @param {string} key @param {MatSlot} slot @param {Mat} mat */
  constructor(key, slot, mat) {
    this.key = key;
    this.slot = slot;
    this.mat = mat;
    this.way = slot.stackDirection ?? "none";
    this.at = slot.position; // where it lies in its area, at the width that there is
    this.pill = h("span", { class: "pill", hidden: true });
    this.label = button("", () => mat.hooks.browse(key), { class: "label", tabindex: -1, "data-zone-label": key });
    this.words = h("span", {}, slot.label ?? "");
    this.label.append(this.words, this.pill);
    this.cards = h("div", { class: "cards" });
    this.element = h("div", { class: "zone", role: "group", "data-zone": key, "data-way": this.way, "data-align": slot.align ?? "start" }, this.label, this.cards);
    if (slot.colour) {
      const { hue, chroma } = colour(slot.colour);
      this.element.style.setProperty("--soil", `oklch(0.62 ${chroma} ${hue} / 0.4)`);
    }
    /** @type {CardView[]} */
    this.backs = [];
    /** @type {Zone | undefined | null} */
    this.shown = null;
    this.hidden = false; // nobody may look inside
    this.n = 0;
    this.last = -Infinity; // the last version in which something lay here
    this.lines = 1; // in which its cards lie
    this.wide = 100; // px of a card in it
    /** @type {number[]} */
    this.ids = [];
    /** @type {HTMLElement[]} */
    this.spots = [];
  }

  /** Take away what lies here no more; what went elsewhere has gone by itself. */
  sweep() {
    sweep(this.cards, this.spots);
  }

  /** @param {Zone | undefined} zone */
  draw(zone) {
    if (zone === this.shown) return;
    this.shown = zone;
    const { n = zone?.cards?.length ?? 0, cards } = zone ?? {};
    this.hidden = cards === undefined;
    this.n = n;
    this.#line();
    this.ids = cards ?? [];
    const pile = this.hidden && (this.way === "none" || this.way === "down" || this.way === "up");
    mark(this.element, "data-pile", pile);
    mark(this.element, "data-hidden", this.hidden);
    mark(this.element, "data-empty", n === 0);
    mark(this.element, "data-many", n > 7 && !this.hidden);
    const spots = (this.spots = cards ? this.#open(cards) : this.#closed(n, pile));
    order(this.cards, spots);
    if (this.way === "fan") spots.forEach((spot, place) => spot.style.setProperty("--f", spots.length > 1 ? ((place - (spots.length - 1) / 2) / spots.length).toFixed(3) : "0"));
    this.#caption(n);
  }

  /** Let cards be as large as the row allows, and never wider than the place. @param {number} weight @param {number} wide px of a whole card */
  fit(weight, wide) {
    const room = (this.element.clientWidth - 14) / wide;
    const size = Math.max(0.2, Math.min(this.slot.scale ?? 1, weight, room));
    this.wide = wide * size;
    this.element.style.setProperty("--zone", size.toFixed(3));
    mark(this.element, "data-slim", this.element.clientWidth < SLIM);
    this.#line();
  }

  /** A place of several rows fills one after the other. */
  #line() {
    const { rowSpan = 1 } = this.at;
    if (rowSpan < 2 || this.way !== "none") return;
    const across = Math.max(1, Math.floor((this.element.clientWidth - 14) / (this.wide + 8)));
    this.lines = Math.min(rowSpan, Math.ceil(this.n / across));
    mark(this.element, "data-lines", this.lines > 1 ? this.lines : null);
    this.cards.style.setProperty("--per", String(Math.ceil(this.n / Math.max(1, this.lines))));
  }

  /** The elements of the cards that lie here. */
  get elements() {
    return /** @type {HTMLElement[]} */ ([...this.cards.querySelectorAll(".card")]);
  }

  /** @param {number[]} cards */
  #open(cards) {
    const drawn = this.way === "right" ? cards.slice(-LATEST) : cards;
    let unseen = 0;
    return drawn.map((id) => (id ? this.mat.card(id).spot : this.#back(unseen++).spot));
  }

  /** @param {number} n @param {boolean} pile */
  #closed(n, pile) {
    const wanted = Math.min(n, pile ? 1 : BACKS);
    return Array.from({ length: wanted }, (_, place) => this.#back(place).spot);
  }

  /** @param {number} place */
  #back(place) {
    const found = this.backs[place] ?? new CardView(0);
    this.backs[place] = found;
    found.show(undefined, this.mat.names, this.mat.palette);
    mark(found.element, "aria-label", t("card.down"));
    return found;
  }

  /** @param {number} n */
  #caption(n) {
    const { names } = this.mat;
    write(this.words, this.slot.label ?? (this.slot.position.q === undefined ? names.zone(this.key) : ""));
    const counted = this.slot.showCount || this.hidden;
    this.pill.hidden = !counted || (n === 0 && !this.slot.showCount);
    write(this.pill, n);
    mark(this.element, "aria-label", tn("zone.spoken", n, { zone: names.place(this.key) }));
  }
}
