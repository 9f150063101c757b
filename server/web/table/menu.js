/** What opens at a card: the card large and whole, and what can be done with it. */

import { button, fillWith, h, iconButton } from "../dom.js";
import { plain, t } from "../words.js";
import { front } from "./card.js";
import { offerButton } from "./tray.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("../upcard.wire.d.ts").Card} Card */

/** One menu and one preview for a table. */
export class Menu {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.element = h("div", { class: "menu", popover: "auto", role: "dialog" });
    this.preview = h("div", { class: "preview", popover: "manual", "aria-hidden": "true" });
    /** @type {HTMLElement | null} */
    this.from = null;
    this.card = 0;
    this.wait = 0;
    this.otherwise = () => {}; // where the focus goes if the card is gone
    this.element.addEventListener("toggle", (event) => /** @type {ToggleEvent} */ (event).newState === "closed" && this.#closed());
    this.element.addEventListener("keydown", (event) => this.#keys(event));
    const turned = new AbortController();
    addEventListener("resize", () => this.isOpen && this.from && this.#put(this.element, this.from.getBoundingClientRect()), { signal: turned.signal }); // a phone is turned round
    this.forget = () => turned.abort();
  }

  get isOpen() {
    return this.element.matches(":popover-open");
  }

  /** Open at a card. @param {number} id @param {HTMLElement} at */
  open(id, at) {
    const { play } = this;
    const card = play.names.view.cards?.[id];
    this.unhover();
    this.from = at;
    this.card = id;
    const groups = play.choice ? [] : play.at(id);
    const offers = groups.map((group) => offerButton(play, group, group[0].card ? undefined : id));
    offers.forEach((one) => one.addEventListener("click", () => this.close()));
    if (play.takes(id)) offers.unshift(button(t("menu.pick"), () => (this.close(), play.pick(id)), { class: "offer primary" }));
    const why = play.why(id);
    fillWith(this.element, this.large(card), h("div", { class: "doing" },
      h("div", { class: "offers" }, offers), why && !offers.length && h("p", { class: "why" }, why), card && this.facts(id, card)),
      iconButton("cross", t("close"), () => this.close(), { class: "shut" }));
    this.element.setAttribute("aria-label", play.names.spoken(card));
    if (!this.isOpen) this.element.showPopover();
    this.#put(this.element, at.getBoundingClientRect());
    /** @type {HTMLElement | null} */ (this.element.querySelector(".offer") ?? this.element.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** Open on a face that lies nowhere: a card that is only spoken of. @param {string} face @param {HTMLElement} at */
  openFace(face, at) {
    const card = { face, owner: -1 };
    this.from = at;
    this.card = 0;
    fillWith(this.element, this.large(card), h("div", { class: "doing" }, this.facts(0, card)), iconButton("cross", t("close"), () => this.close(), { class: "shut" }));
    if (!this.isOpen) this.element.showPopover();
    this.#put(this.element, at.getBoundingClientRect());
    /** @type {HTMLElement | null} */ (this.element.querySelector("button"))?.focus({ preventScroll: true });
  }

  close() {
    if (this.isOpen) this.element.hidePopover();
  }

  /** The table is left. */
  leave() {
    this.close();
    this.forget();
  }

  /** The card as large as it can be read. @param {Card | undefined} card */
  large(card) {
    const { names, mat } = this.play;
    return h("div", { class: "card large" }, card?.face ? front(card, names, mat.palette) : h("span", { class: "reverse" }));
  }

  /** All that can be known of it. @param {number} id @param {Card} card */
  facts(id, card) {
    const { names } = this.play;
    const printed = card.face ? (names.game.catalogue[card.face] ?? {}) : {};
    const at = id ? names.lies(id) : "";
    const numbers = [names.look.corner, ...(names.look.stats ?? [])].flatMap((name) => {
      const { now, printed: was } = name ? names.fact(card, name) : { now: undefined, printed: undefined };
      if (!name || now === undefined || (typeof now === "number" && now < 0)) return [];
      return [h("div", {}, h("dt", {}, plain(name)), h("dd", {}, was !== undefined && was !== now && typeof was === "number" && was >= 0 ? h("s", {}, String(was)) : null, " ", h("b", {}, String(now))))];
    });
    return h("div", { class: "facts" },
      at && h("p", { class: "at" }, names.place(at)),
      printed.text ? h("p", { class: "text" }, String(printed.text)) : null,
      numbers.length > 0 && h("dl", {}, numbers),
      names.notes(card).map((note) => h("p", { class: "note" }, note)));
  }

  /** Show a card large while the pointer rests on it. @param {HTMLElement} at @param {Card} card */
  hover(at, card) {
    clearTimeout(this.wait);
    this.wait = setTimeout(() => {
      if (this.isOpen || !at.isConnected || !at.matches(":hover")) return;
      const why = this.play.choice ? "" : this.play.why(Number(at.dataset.card));
      fillWith(this.preview, this.large(card), why && h("p", { class: "why" }, why));
      if (!this.preview.matches(":popover-open")) this.preview.showPopover();
      this.#put(this.preview, at.getBoundingClientRect());
    }, 420);
  }

  unhover() {
    clearTimeout(this.wait);
    if (this.preview.matches(":popover-open")) this.preview.hidePopover();
  }

  #closed() {
    const { from } = this;
    const lost = !document.activeElement || document.activeElement === document.body || this.element.contains(document.activeElement);
    if (lost && from?.isConnected) from.focus({ preventScroll: true });
    else if (lost) this.otherwise();
    this.from = null;
    this.card = 0;
  }

  /** @param {KeyboardEvent} event */
  #keys(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll("button:not(:disabled)")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** Beside the card where there is room; on a small screen at the bottom. @param {HTMLElement} box @param {DOMRect} at */
  #put(box, at) {
    if (innerWidth < 640) {
      box.style.removeProperty("left");
      box.style.removeProperty("top");
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = box;
    const right = at.right + 12 + width < innerWidth;
    const left = right ? at.right + 12 : Math.max(8, at.left - width - 12);
    const top = Math.max(8, Math.min(innerHeight - height - 8, at.top + at.height / 2 - height / 2));
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  }
}
