/** What may be done now, and a choice that is half made. Cards, zones and players light up; no rule is known here. */

import { announce, mark } from "../dom.js";
import { excuse } from "../session.js";
import { settings } from "../store.js";
import { Choice, Refusal, alike, kindOf, worthOf } from "../upcard.js";
import { t, tn } from "../words.js";
import { confirm } from "./confirm.js";

/** @typedef {import("../upcard.wire.d.ts").Offer} Offer */
/** @typedef {import("../upcard.wire.d.ts").Question} Question */
/** @typedef {import("./mat.js").Mat} Mat */
/** @typedef {{offers: Offer[], blocked: {card: number, code: string}[], asked: Question | null}} Open what the server lets us do */
/** @typedef {(move: import("../upcard.wire.d.ts").Move, how: {sure?: boolean}) => Promise<{warnings?: {text: string}[]}>} Act */

/** The player's hand on the table. */
export class Play {
  /** @param {Mat} mat @param {Act} act @param {() => void} changed somebody draws the tray */
  constructor(mat, act, changed) {
    this.mat = mat;
    this.act = act;
    this.changed = changed;
    /** @type {Open} */
    this.open = { offers: [], blocked: [], asked: null };
    /** @type {Choice | null} */
    this.choice = null;
    this.forced = false; // the question leaves no other choice, so this one was begun by itself
    this.busy = false;
    this.seen = ""; // what was last brought into sight
  }

  get names() {
    return this.mat.names;
  }

  /** The server says what may be done now. A choice that is not possible any more is dropped. @param {Open} open */
  now(open) {
    const same = open.offers === this.open.offers;
    this.open = open;
    if (!same && this.choice && !this.#still(this.choice)) {
      if (!this.forced) announce(t("play.gone"));
      this.choice = null;
    }
    if (!this.choice && open.asked) this.#begin();
    this.light();
  }

  /** Everything that can be done at a card: its own offers, and others that could begin by choosing it. @param {number} id @returns {Offer[][]} */
  at(id) {
    const { offers } = this.open;
    const own = offers.filter((offer) => offer.card === id);
    const begun = offers.filter((offer) => !offer.card && offer.slots?.[0]?.from?.includes(id));
    return alike([...own, ...begun]);
  }

  /** What can be done without pointing at a card first. @returns {Offer[][]} */
  loose() {
    return alike(this.open.offers.filter((offer) => !offer.card));
  }

  /** Why a card is grey. @param {number} id */
  why(id) {
    const found = this.open.blocked.find((one) => one.card === id);
    return found ? this.names.blocked(found.code) : "";
  }

  /** Whether an entry may be picked in the choice that is being made. @param {number | string} entry */
  takes(entry) {
    return !!this.choice && !this.choice.done && this.choice.slot.from.includes(entry);
  }

  /** Begin to do something; what leaves no choice is chosen. @param {Offer[]} group @param {number | string} [first] */
  start(group, first) {
    this.choice = new Choice(group);
    this.forced = false;
    if (first !== undefined && this.takes(first)) this.pick(first);
    else this.#onwards();
  }

  /** Pick something, or put it back. @param {number | string} entry */
  pick(entry) {
    const { choice } = this;
    if (!choice || choice.done) return;
    choice.toggle(entry);
    const { most, range, least } = choice.slot;
    if (!range && most === 1 && choice.picked.length === 1) return this.next();
    if (!range) announce(tn("play.picked", choice.picked.length, { entry: this.names.entry(entry), least, most }));
    this.light();
  }

  /** The slot is filled: on to the next one, or do it. */
  next() {
    if (!this.choice?.enough) return;
    this.choice.next();
    this.#onwards();
  }

  /** Think better of it. */
  cancel() {
    const { choice } = this;
    if (choice && (choice.at || choice.picked.length)) choice.back();
    else this.choice = null;
    if (!this.choice && this.open.asked) this.#begin();
    this.light();
  }

  /** A question that has but one kind of answer to be chosen is begun at once. */
  #begin() {
    const groups = alike(this.open.offers);
    const choosing = groups.filter((group) => group[0].slots?.length && !group[0].card);
    if (choosing.length !== 1 || groups.some((group) => group[0].card)) return;
    this.choice = new Choice(choosing[0]);
    this.forced = true;
  }

  /** @param {Choice} choice */
  #still(choice) {
    const known = new Set(this.open.offers.map((offer) => JSON.stringify(offer)));
    return choice.offers.every((offer) => known.has(JSON.stringify(offer)));
  }

  #onwards() {
    const { choice } = this;
    while (choice && !choice.done) {
      const { from, least, range } = choice.slot;
      if (range ? range[0] !== range[1] : from.length !== least) break;
      if (range) choice.toggle(range[0]);
      else from.forEach((entry) => choice.picked.includes(entry) || choice.toggle(entry));
      choice.next();
    }
    if (choice?.done) void this.#send(choice);
    else if (choice) announce(this.prompt());
    this.light();
  }

  /** What is to be chosen now, as a sentence. */
  prompt() {
    const { choice } = this;
    if (!choice || choice.done) return "";
    const { least, most, range, name } = choice.slot;
    const what = this.names.slot(name);
    if (range) return t("play.number", { what, low: range[0], high: range[1] });
    const worth = choice.offers.flatMap((offer) => offer.slots ?? []).find((slot) => slot.name === name && slot.total);
    if (worth) return `${t("play.upto.other", { what, n: most })} · ${t("play.total", { now: worthOf(worth, choice.picked), total: worth.total ?? 0 })}`;
    if (least === most) return tn("play.choose", most, { what });
    return least === 0 ? tn("play.upto", most, { what }) : t("play.between", { what, least, most });
  }

  /** @param {Choice} choice */
  async #send(choice) {
    const { offer, move } = choice;
    this.choice = null;
    this.busy = true;
    this.light();
    try {
      const warns = (offer.warns ?? []).map((rule) => this.names.word(rule));
      if ((settings.careful || warns.length) && !(await confirm(this.label(offer), warns))) return;
      await this.#make(move);
    } catch (no) {
      excuse(no);
    } finally {
      this.busy = false;
      if (this.open.asked && !this.choice) this.#begin();
      this.light();
    }
  }

  /** @param {import("../upcard.wire.d.ts").Move} move */
  async #make(move) {
    try {
      const ok = await this.act(move, {});
      for (const { text } of ok.warnings ?? []) announce(text);
    } catch (no) {
      if (!(no instanceof Refusal) || !no.warn || !(await confirm(t("play.unusual"), [no.message]))) throw no;
      await this.act(move, { sure: true });
    }
  }

  /** An offer in the words of the game. @param {Offer} offer */
  label(offer) {
    const [key, args] = offer.say ?? ["", {}];
    return this.names.game.messages[key] ? this.names.sentenceText(key, args) : offer.label;
  }

  /** Show on the table what can be used, picked, or not. */
  light() {
    const usable = new Set(this.choice ? [] : this.open.offers.flatMap((offer) => (offer.card ? [offer.card] : (offer.slots?.[0]?.from ?? []))));
    const grey = new Set(this.open.blocked.map((one) => one.card));
    const targets = new Set(this.choice && !this.choice.done ? this.choice.slot.from : []);
    const source = this.choice?.offers[0].card;
    const picked = Object.values(this.choice?.picks ?? {}).flatMap((pick) => (Array.isArray(pick) ? pick : []));
    for (const card of this.mat.cards.values()) {
      const order = picked.indexOf(card.id);
      const state = [targets.has(card.id) && "target", order >= 0 && "picked", source === card.id && "source", usable.has(card.id) && "can", !this.choice && !usable.has(card.id) && grey.has(card.id) && "grey"].filter(Boolean).join(" ");
      card.state(state, order >= 0 && picked.length > 1 ? String(order + 1) : "", this.#spoken(state, card.id));
    }
    for (const [key, zone] of this.mat.zones) mark(zone.element, "data-state", targets.has(key) ? (picked.includes(key) ? "target picked" : "target") : null);
    for (const [seat, shown] of this.mat.seats) {
      mark(shown.element, "data-state", targets.has(seat) ? (picked.includes(seat) ? "target picked" : "target") : null);
      mark(shown.head, "tabindex", targets.has(seat) ? 0 : -1);
    }
    this.mat.element.classList.toggle("choosing", targets.size > 0);
    this.#reveal(targets.size ? [...targets] : this.open.asked ? [...usable] : []);
    this.changed();
  }

  /** On a small screen the table may be longer than the window: what can be chosen comes into sight once. @param {(number | string)[]} entries */
  #reveal(entries) {
    const { element, cards, zones } = this.mat;
    const key = entries.join();
    if (key === this.seen) return;
    this.seen = key;
    if (!key || element.scrollHeight <= element.clientHeight) return;
    const found = entries.flatMap((entry) => cards.get(Number(entry))?.element ?? zones.get(String(entry))?.element ?? []);
    const frame = element.getBoundingClientRect();
    const inside = (/** @type {HTMLElement} */ one) => one.getBoundingClientRect().top >= frame.top && one.getBoundingClientRect().bottom <= frame.bottom;
    if (found.length && !found.some(inside)) found[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} state @param {number} id */
  #spoken(state, id) {
    if (state.includes("picked")) return t("card.picked");
    if (state.includes("target")) return t("card.target");
    if (state.includes("can")) return t("card.can");
    return state === "grey" ? this.why(id) : "";
  }

  /** Show on the table what an entry is, while somebody considers it. @param {number | string} entry @param {boolean} on */
  point(entry, on) {
    const kind = kindOf(entry, this.names.view);
    const place = kind === "card" ? this.mat.cards.get(Number(entry)) : kind === "zone" ? this.mat.zones.get(String(entry)) : kind === "seat" ? this.mat.seats.get(Number(entry)) : undefined;
    place?.element.classList.toggle("pointed", on);
  }
}
