/** A card drawn from its printed facts and from what the view says of it now. */

import { h, mark, renew } from "../dom.js";
import { hash } from "./colours.js";
import { plain, t } from "../words.js";

/** @typedef {import("./names.js").Names} Names */
/** @typedef {import("../upcard.wire.d.ts").Card} Card */
/** @typedef {(face: string | undefined, value: unknown) => import("./colours.js").Colour} Palette */

/** The front of a card: name, corner, picture, text, numbers. @param {Card} card @param {Names} names @param {Palette} palette @returns {HTMLElement} */
export function front(card, names, palette) {
  const face = card.face ?? "";
  const { corner, stats = [], counters = [], marks = [], links = [] } = names.look;
  const printed = names.game.catalogue[face] ?? {};
  const seed = hash(face);
  const { hue, chroma } = palette(face, names.look.colour ? (card[names.look.colour] ?? printed[names.look.colour]) : undefined);
  const price = corner ? figure("corner", names.fact(card, corner), corner) : null; // on the left, where a fan of cards shows it
  const top = h("span", { class: "top" }, price, h("span", { class: "name" }, names.face(face)));
  const kind = names.look.colour ? String(printed[names.look.colour] ?? "") : "";
  return h("span", { class: "front", vars: { "--hue": hue, "--chroma": chroma, "--turn": seed % 360, "--shift": (seed >>> 9) % 40 } },
    top,
    picture(face, printed, seed),
    h("span", { class: "text" }, String(printed.text ?? "")),
    h("span", { class: "base" },
      kind && h("span", { class: "kind" }, plain(kind)),
      h("span", { class: "stats" }, stats.map((name) => stat(card, names, name)))),
    h("span", { class: "chips" },
      counters.map((name) => badge(name, names.fact(card, name).now)),
      marks.flatMap((name) => [names.fact(card, name).now].flat().map((now) => chip(names, name, now))),
      links.map((name) => (card[name] ? h("span", { class: "chip link" }, names.card(Number(card[name]))) : null))));
}

/** @param {string} face @param {Record<string, unknown>} printed @param {number} seed */
function picture(face, printed, seed) {
  const image = typeof printed.image === "string" && printed.image.startsWith("/") ? printed.image : "";
  if (image) return h("span", { class: "art" }, h("img", { src: image, alt: "", loading: "lazy" }));
  const letters = face.split(/\s+/).slice(0, 2).map((word) => [...word][0] ?? "").join("");
  return h("span", { class: `art p${(seed >>> 5) % 6}`, "aria-hidden": "true" }, h("span", { class: "letters" }, letters));
}

/** @param {Card} card @param {Names} names @param {string} name */
function stat(card, names, name) {
  const fact = names.fact(card, name);
  if (fact.now === undefined) return null;
  const box = figure("stat", fact, name);
  box.append(h("i", {}, name.slice(0, 3)));
  return box;
}

/** A number with a sign if it is not the printed one. @param {string} kind @param {{now: unknown, printed: unknown}} fact @param {string} name */
function figure(kind, { now, printed }, name) {
  const both = typeof now === "number" && typeof printed === "number" && printed >= 0;
  const way = both && now > printed ? "up" : both && now < printed ? "down" : "";
  const shown = now === undefined ? "" : typeof now === "number" && now < 0 ? "?" : String(now);
  const words = way ? t("card.changed", { name: plain(name).toLowerCase(), now: Number(now), printed: Number(printed) }) : `${plain(name).toLowerCase()} ${shown}`;
  return h("span", { class: `${kind} ${way}`, hidden: now === undefined, role: "img", "aria-label": words, title: words }, h("b", {}, shown));
}

/** @param {string} name @param {unknown} value */
function badge(name, value) {
  return value ? h("span", { class: "badge", role: "img", "aria-label": `${plain(name).toLowerCase()} ${value}`, title: plain(name), vars: { "--hue": hash(name) % 360 } }, h("b", {}, String(value)), h("i", {}, name.slice(0, 3))) : null;
}

/** @param {Names} names @param {string} name @param {unknown} value */
function chip(names, name, value) {
  return value ? h("span", { class: "chip" }, names.marked(name, value)) : null;
}

/** A card on the table, which keeps its element for as long as it is the same card. */
export class CardView {
  /** @param {number} id 0 for one that nobody can point at */
  constructor(id) {
    this.id = id;
    this.element = h("button", { type: "button", class: "card", tabindex: -1, "data-card": id || null });
    this.spot = h("div", { class: "spot" }, this.element); // what shrinks when cards overlap; the card itself never does
    /** @type {Card | null | undefined} */
    this.shown = undefined;
    this.label = "";
    this.is = "";
  }

  /** Draw it if it looks different. @param {Card | undefined} card @param {Names} names @param {Palette} palette */
  show(card, names, palette) {
    if (card === this.shown && this.shown !== undefined) return;
    this.shown = card ?? null;
    const { element } = this;
    const up = card?.face !== undefined;
    element.classList.toggle("down", !up);
    const fresh = up && card ? front(card, names, palette) : h("span", { class: "reverse", "aria-hidden": "true" });
    if (element.firstElementChild) renew(element.firstElementChild, fresh);
    else element.append(fresh);
    const turned = names.look.turned ? card?.[names.look.turned] : false;
    mark(element, "data-turned", turned === true ? "90" : typeof turned === "number" && turned ? turned : null);
    mark(element, "data-owner", names.look.owner === "tint" && card && card.owner >= 0 ? card.owner : null);
    mark(element, "data-stolen", card?.controller !== undefined && card.owner >= 0);
    this.label = names.spoken(card);
  }

  /** What it is to the one who looks: usable, a target, chosen, grey. @param {string} state @param {string} order @param {string} words */
  state(state, order, words) {
    const { element } = this;
    const now = [state, order, words, this.label, this.shown?.face].join("|");
    if (now === this.is) return; // most cards, most of the time
    this.is = now;
    mark(element, "data-state", state || null);
    mark(element, "data-order", order || null);
    mark(element, "aria-label", this.shown?.face ? null : this.label);
    mark(element, "aria-description", words || null);
    mark(element, "aria-pressed", state.includes("target") ? String(state.includes("picked")) : null);
  }
}
