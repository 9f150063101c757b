/** The tray below the table: whose move it is, what is asked, and everything that can be done without a card. */

import { button, dialog, fillWith, h, icon, write } from "../dom.js";
import { kindOf } from "../upcard.js";
import { span, t, tn } from "../words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("../upcard.wire.d.ts").Offer} Offer */
/** @typedef {{kind: string, title: string, note?: string, until?: number, actions?: HTMLElement[], extra?: HTMLElement | null, key: string}} Content */

const MANY = 5; // buttons that have room

/** A strip that says one thing at a time. */
export class Tray {
  constructor() {
    this.title = h("p", { class: "title" });
    this.note = h("p", { class: "note" });
    this.count = h("span", { class: "count", hidden: true });
    this.extra = h("div", { class: "extra" });
    this.actions = h("div", { class: "actions" });
    this.element = h("section", { class: "tray", tabindex: -1, "aria-label": t("tray.label") }, h("div", { class: "says" }, this.title, this.note, this.count), this.extra, this.actions);
    this.key = "";
    this.until = 0;
  }

  /** Show something; if it is the same as before, nothing is touched. @param {Content} content */
  show({ kind, title, note = "", until = 0, actions = [], extra = null, key }) {
    this.element.dataset.kind = kind;
    this.until = until;
    const whole = JSON.stringify([kind, title, note, key]);
    if (whole === this.key) return;
    this.key = whole;
    const inside = this.element.contains(document.activeElement);
    const held = inside ? document.activeElement?.getAttribute("data-key") : null;
    write(this.title, title);
    write(this.note, note);
    fillWith(this.extra, extra);
    fillWith(this.actions, ...actions);
    if (inside) this.#refocus(held ?? null);
  }

  /** Let the time that is left be seen. @param {number} now server time */
  tick(now) {
    this.count.hidden = !this.until;
    if (this.until) write(this.count, span(Math.max(0, this.until - now)));
  }

  /** Where somebody who uses the keyboard goes on. */
  focus() {
    const first = /** @type {HTMLElement | null} */ (this.element.querySelector("button:enabled, input:enabled, a"));
    (first ?? this.element).focus({ preventScroll: true });
  }

  /** @param {string | null} key */
  #refocus(key) {
    const same = key === null ? null : [...this.element.querySelectorAll("[data-key]")].find((one) => one.getAttribute("data-key") === key);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    if (!this.element.contains(document.activeElement)) this.focus();
    if (!this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }
}

/** A button for an offer, with its price. @param {Play} play @param {Offer[]} group @param {number} [first] begins with this card */
export function offerButton(play, group, first) {
  const costs = [...new Set(group.map((offer) => play.names.cost(offer.cost)))];
  const price = costs.length > 1 ? t("play.prices") : costs[0];
  const only = onlyTarget(play, group);
  const label = play.label(group[0]);
  const key = `offer-${group[0].type}-${group[0].card ?? 0}-${costs[0]}-${(group[0].slots ?? []).map((slot) => slot.name).join()}`;
  const made = button(label, () => play.busy || play.start(group, first), { class: "offer", "data-key": key, "aria-disabled": play.busy ? "true" : null, "data-type": group[0].type });
  if (only) made.append(h("span", { class: "target" }, ` → ${only}`));
  if (price) made.append(h("span", { class: "price" }, price));
  if (group[0].warns?.length) made.append(h("span", { class: "warns", title: t("play.warns") }, "!"));
  return made;
}

/**
 * Buttons for everything that needs no card first. Where there is a lot, what begins with a card is left to the cards, and
 * the rest waits behind one more button.
 * @param {Play} play @param {Offer[][]} groups
 */
export function looseButtons(play, groups) {
  if (groups.length <= MANY) return groups.map((group) => offerButton(play, group));
  const simple = groups.filter(([offer]) => !offer.slots?.length);
  const shown = [...simple, ...groups.filter((group) => !simple.includes(group) && !startsAtCard(play, group))].slice(0, MANY - 1);
  const more = button(t("tray.more"), () => void everything(play, groups), { class: "plain", "data-key": "more" });
  return [more, ...shown.reverse().map((group) => offerButton(play, group))];
}

/** @param {Play} play @param {Offer[]} group */
const startsAtCard = (play, [offer]) => offer.slots?.[0]?.from?.some((entry) => kindOf(entry, play.names.view) === "card") ?? false;

/** All that can be done, as a list. @param {Play} play @param {Offer[][]} groups */
async function everything(play, groups) {
  const chosen = await dialog(t("tray.more"), (close) => [h("div", { class: "list wide" }, groups.map((group) => {
    const made = button(play.label(group[0]), () => close(group), { class: "entry" });
    const price = play.names.cost(group[0].cost);
    if (price) made.append(h("span", { class: "price" }, price));
    return made;
  }))], "everything");
  if (chosen) play.start(chosen);
}

/** What an offer is aimed at if there is nothing to choose. @param {Play} play @param {Offer[]} group */
function onlyTarget(play, group) {
  const slots = group[0].slots ?? [];
  const [slot] = slots;
  return group.length === 1 && slots.length === 1 && slot.from?.length === 1 && (slot.least ?? 1) === 1 ? play.names.entry(slot.from[0]) : "";
}

/** Everything that can be picked now, as buttons, or a number to be set. @param {Play} play @returns {HTMLElement | null} */
export function picker(play) {
  const { choice, names } = play;
  if (!choice || choice.done) return null;
  const { range, from, name } = choice.slot;
  if (range) return numberPicker(play, range);
  const worths = new Map(choice.offers.flatMap((offer) => offer.slots ?? []).filter((slot) => slot.name === name && slot.worth?.length).flatMap((slot) => (slot.from ?? []).map((entry, n) => [entry, slot.worth?.[n] ?? 0])));
  const entries = from.map((entry) => {
    const chosen = choice.picked.includes(entry);
    const order = choice.picked.indexOf(entry);
    const made = button(names.choice(choice.offers[0].card ?? play.open.asked?.by, entry), () => play.pick(entry), { class: "pick", "aria-pressed": String(chosen), "data-key": `pick-${entry}`, "data-entry": entry });
    if (chosen && choice.slot.most > 1) made.prepend(h("b", { class: "order" }, order + 1));
    const at = kindOf(entry, names.view) === "card" ? names.lies(Number(entry)) : "";
    if (at) made.append(h("span", { class: "at" }, names.place(at)));
    const worth = worths.get(entry);
    if (worth !== undefined) made.append(h("span", { class: "price" }, worth));
    for (const [come, on] of /** @type {[string, boolean][]} */ ([["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]])) made.addEventListener(come, () => play.point(entry, on));
    return made;
  });
  return h("div", { class: "picks", role: "group", "aria-label": play.prompt() }, entries);
}

/** @param {Play} play @param {[number, number]} range */
function numberPicker(play, [low, high]) {
  const { choice } = play;
  const name = choice?.slot.name ?? "";
  const chosen = Number(choice?.picks[name] ?? low);
  if (choice && choice.picks[name] === undefined) choice.picks[name] = low;
  const field = h("input", { type: "number", min: low, max: high, value: chosen, "aria-label": play.prompt(), "data-key": "number" });
  const slide = h("input", { type: "range", min: low, max: high, value: chosen, "aria-hidden": "true", tabindex: -1 });
  const set = (/** @type {number} */ value) => {
    const good = Math.max(low, Math.min(high, Number.isFinite(value) ? Math.round(value) : low));
    if (play.choice) play.choice.picks[name] = good;
    slide.value = String(good);
    if (document.activeElement !== field) field.value = String(good);
  };
  field.addEventListener("input", () => set(Number(field.value)));
  field.addEventListener("change", () => (field.value = slide.value));
  field.addEventListener("keydown", (event) => event.key === "Enter" && (set(Number(field.value)), play.next()));
  slide.addEventListener("input", () => (set(Number(slide.value)), (field.value = slide.value)));
  const step = (/** @type {number} */ by, /** @type {string} */ sign) => button(sign, () => (set(Number(slide.value) + by), (field.value = slide.value)), { class: "round step", "aria-label": tn("play.step", by, {}) });
  return h("div", { class: "number" }, step(-1, "−"), slide, field, step(1, "+"));
}

/** What the tray says while something is being chosen. @param {Play} play @returns {Content} */
export function choosing(play) {
  const { choice, open } = play;
  if (!choice) throw new Error("nothing is being chosen");
  const extra = picker(play);
  const { slot, offers, picked, enough } = choice;
  const others = play.forced ? play.loose().filter((group) => JSON.stringify(group) !== JSON.stringify(offers)) : [];
  const actions = others.map((group) => offerButton(play, group));
  if (slot.range || slot.most > 1 || slot.least === 0) {
    const done = button(slot.range ? t("play.set") : tn("play.done", picked.length), () => play.next(), { class: "primary", disabled: !enough, "data-key": "done" });
    actions.push(done);
  }
  if (!play.forced || choice.at || picked.length) actions.push(button(t("cancel"), () => play.cancel(), { class: "plain", "data-key": "cancel" }));
  const title = play.forced && open.asked ? question(play) : play.label(offers[0]);
  const key = JSON.stringify([choice.at, slot.range ? "" : picked, choice.picks === undefined, slot.from, offers.length, others.length, play.busy]);
  return { kind: play.forced ? "asked" : "choosing", title, note: play.prompt(), actions, extra, key: `choose ${key}` };
}

/** The question that is open, in the words of the game. @param {Play} play */
export function question(play) {
  const { asked } = play.open;
  if (!asked) return "";
  const [key, args] = asked.say ?? ["", {}];
  return play.names.game.messages[key] ? play.names.sentenceText(key, args) : asked.text;
}

/** A line that only tells something. @param {string} name @param {string} text */
export const sign = (name, text) => h("span", { class: "sign" }, icon(name), text);
