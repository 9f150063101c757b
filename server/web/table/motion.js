/** How what happened is seen to happen: cards fly, strike and flip, numbers rise. The table is already right without it. */

import { h } from "../dom.js";
import { pace } from "../store.js";
import { t } from "../words.js";

/** @typedef {import("./mat.js").Mat} Mat */
/** @typedef {any} Event one of those in `upcard.wire.d.ts`, or one that nobody knows yet */
/** @typedef {{boxes: Map<HTMLElement, DOMRect>, places: Map<string, DOMRect>, ids: Map<number, HTMLElement>}} Before */

const EASE = "cubic-bezier(.2, .7, .2, 1)";
const FLY = 380;
const STRIKE = 300;

/** Makes one table move. */
export class Motion {
  /** @param {Mat} mat */
  constructor(mat) {
    this.mat = mat;
    this.sky = h("div", { class: "sky", "aria-hidden": "true" }); // where things fly that lie nowhere
  }

  /** What is seen before the table changes; resolves when that is over. @param {Event[]} events */
  async lead(events) {
    const speed = pace();
    const strikes = events.filter((event) => event.e === "struck");
    if (!speed || !strikes.length) return;
    await Promise.all(strikes.slice(0, 6).map((event, n) => this.#strike(event, speed, n * 60 * speed)));
  }

  /** Remember where everything lies. @returns {Before} */
  remember() {
    const boxes = new Map();
    const ids = new Map();
    for (const card of this.mat.cards.values()) {
      if (!card.element.isConnected) continue;
      boxes.set(card.element, card.element.getBoundingClientRect());
      ids.set(card.id, card.element);
    }
    const places = new Map([...this.mat.zones].map(([key, zone]) => [key, zone.element.getBoundingClientRect()]));
    return { boxes, places, ids };
  }

  /** Let everything travel from where it lay; resolves when it has come to rest. @param {Event[]} events @param {Before} before */
  follow(events, before) {
    const speed = pace();
    if (!speed) return Promise.resolve();
    const moved = new Map(events.filter((event) => event.e === "moved" && event.card).map((event) => [event.card, event]));
    let longest = 0;
    for (const card of this.mat.cards.values()) {
      const { element, id } = card;
      if (!element.isConnected) continue;
      const event = moved.get(id);
      const from = before.boxes.get(element) ?? (event && (before.boxes.get(before.ids.get(event.was) ?? element) ?? before.places.get(event.from)));
      if (from && this.#fly(element, from, speed, event !== undefined)) longest = FLY;
      else if (!from && !before.ids.has(id)) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 * speed });
    }
    longest = Math.max(longest, this.#leave(events, before, speed));
    for (const event of events) longest = Math.max(longest, this.#happen(event, speed));
    return new Promise((resolve) => setTimeout(resolve, longest * speed));
  }

  /** @param {HTMLElement} element @param {DOMRect} from @param {number} speed @param {boolean} high */
  #fly(element, from, speed, high) {
    const to = element.getBoundingClientRect();
    const [x, y] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
    const grown = Math.max(0.4, Math.min(2.5, from.height / (to.height || 1)));
    if (Math.abs(x) + Math.abs(y) < 3 && Math.abs(grown - 1) < 0.03) return false;
    const start = { transform: `translate(${x}px, ${y}px) scale(${grown})`, zIndex: high ? 30 : 1 };
    element.animate([start, { transform: "none", zIndex: high ? 30 : 1 }], { duration: FLY * speed, easing: EASE });
    return true;
  }

  /** Cards that went where they cannot be seen. @param {Event[]} events @param {Before} before @param {number} speed */
  #leave(events, before, speed) {
    let longest = 0;
    for (const event of events) {
      const known = event.e === "moved" && before.ids.get(event.was ?? event.card);
      const to = this.mat.zones.get(event.to)?.element;
      const hidden = event.e === "moved" && (!event.card || !this.mat.cards.get(event.card)?.element.isConnected);
      if (!hidden || !to) continue;
      const from = known ? before.boxes.get(known) : before.places.get(event.from);
      if (!from) continue;
      longest = FLY;
      const ghost = h("span", { class: "card ghost" }, known ? /** @type {HTMLElement} */ (known.firstElementChild?.cloneNode(true) ?? h("span")) : h("span", { class: "reverse" }));
      this.#cross(ghost, from, to.getBoundingClientRect(), speed);
    }
    return longest;
  }

  /** @param {HTMLElement} ghost @param {DOMRect} from @param {DOMRect} to @param {number} speed */
  #cross(ghost, from, to, speed) {
    const height = Math.min(from.height, to.height);
    ghost.style.setProperty("--ch", `${height}px`);
    const at = (/** @type {DOMRect} */ box) => `translate(${box.left + box.width / 2 - (height * 5) / 14}px, ${box.top + box.height / 2 - height / 2}px)`;
    this.sky.append(ghost);
    const flight = ghost.animate([{ transform: at(from), opacity: 1 }, { transform: at(to), opacity: 0.2 }], { duration: FLY * speed, easing: EASE, fill: "forwards" });
    flight.onfinish = () => ghost.remove();
  }

  /** @param {Event} event @param {number} speed @param {number} delay */
  async #strike(event, speed, delay) {
    const by = this.mat.cards.get(event.card)?.element;
    const on = this.mat.cards.get(event.on)?.element;
    if (!on?.isConnected) return;
    const options = { duration: STRIKE * speed, delay, easing: "ease-in-out" };
    if (by?.isConnected) {
      const [a, b] = [by.getBoundingClientRect(), on.getBoundingClientRect()];
      const reach = `translate(${(b.left - a.left) * 0.55}px, ${(b.top - a.top) * 0.55}px) scale(1.06)`;
      by.animate([{ transform: "none", zIndex: 40 }, { transform: reach, zIndex: 40, offset: 0.45 }, { transform: "none", zIndex: 40 }], options);
    }
    const shake = on.animate([{ transform: "none" }, { transform: "none", offset: 0.4 }, { transform: "translateX(-7px) rotate(-1.5deg)", offset: 0.5 }, { transform: "translateX(6px) rotate(1deg)", offset: 0.65 }, { transform: "none" }], options);
    if (event.by) this.#rise(on, event.by > 0 ? `−${event.by}` : "0", "bad", speed, delay + STRIKE * 0.4 * speed);
    await shake.finished.catch(() => {});
  }

  /** @param {Event} event @param {number} speed */
  #happen(event, speed) {
    const card = this.mat.cards.get(event.card)?.element;
    switch (event.e) {
      case "changed": {
        const at = event.card ? card : this.mat.seats.get(event.seat)?.boxes.get(event.what);
        if (!at?.isConnected || !event.by) return 0;
        this.#rise(at, `${event.by > 0 ? "+" : "−"}${Math.abs(event.by)}`, event.by > 0 ? "good" : "bad", speed, 0);
        at.animate([{ scale: 1 }, { scale: 1.08 }, { scale: 1 }], { duration: 300 * speed });
        return 200;
      }
      case "turned":
        card?.animate([{ rotate: "y 90deg" }, { rotate: "y 0deg" }], { duration: 260 * speed, easing: EASE });
        return card ? 200 : 0;
      case "shuffled":
        this.mat.zones.get(event.zone)?.cards.animate([{ rotate: "0deg" }, { rotate: "-4deg" }, { rotate: "4deg" }, { rotate: "0deg" }], { duration: 360 * speed });
        return 300;
      case "looked": {
        const zone = this.mat.zones.get(event.zone)?.element;
        if (zone) this.#rise(zone, t("motion.looked"), "note", speed, 0);
        return 200;
      }
      case "rolled":
        this.#rise(this.mat.element, (event.results ?? []).join("  "), "big", speed, 0);
        return 500;
      default:
        return 0;
    }
  }

  /** A word that rises and fades. @param {HTMLElement} at @param {string} text @param {string} kind @param {number} speed @param {number} delay */
  #rise(at, text, kind, speed, delay) {
    const box = at.getBoundingClientRect();
    const word = h("span", { class: `rise ${kind}` }, text);
    this.sky.append(word);
    const place = `translate(${box.left + box.width / 2}px, ${box.top + box.height * 0.4}px) translate(-50%, -50%)`;
    const flight = word.animate([{ transform: place, opacity: 0 }, { transform: place, opacity: 1, offset: 0.15 }, { transform: `${place} translateY(-34px)`, opacity: 0 }], { duration: 900 * speed, delay, easing: "ease-out", fill: "both" });
    flight.onfinish = () => word.remove();
  }
}
