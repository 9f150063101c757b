/** Dragging a card onto what it is meant for: the same offers as in its menu, by hand. */

import { kindOf } from "../upcard.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("../upcard.wire.d.ts").Offer} Offer */

const FAR = 9; // px before a press becomes a drag

/**
 * Let cards of this table be dragged.
 * @param {Play} play @param {import("./menu.js").Menu} menu @param {HTMLElement} sky
 */
export function draggable(play, menu, sky) {
  const { mat } = play;
  /** @type {{id: number, card: HTMLElement, x: number, y: number, ghost: HTMLElement | null, lit: HTMLElement[]} | null} */
  let held = null;

  const down = (/** @type {PointerEvent} */ event) => {
    const card = /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest(".card[data-card]") : null);
    if (!card || event.button || play.choice || play.busy || !play.at(Number(card.dataset.card)).length) return;
    held = { id: Number(card.dataset.card), card, x: event.clientX, y: event.clientY, ghost: null, lit: [] };
  };

  const move = (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
    if (!held.ghost) lift();
    if (held?.ghost) held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%) rotate(2deg)`;
    event.preventDefault();
  };

  const lift = () => {
    if (!held) return;
    menu.unhover();
    menu.close();
    const ghost = /** @type {HTMLElement} */ (held.card.cloneNode(true));
    ghost.className = "card ghost held";
    ghost.removeAttribute("data-state");
    ghost.style.setProperty("--ch", `${held.card.offsetHeight}px`);
    sky.append(ghost);
    held.ghost = ghost;
    held.card.classList.add("lifted");
    held.lit = targets(held.id);
    for (const one of held.lit) one.classList.add("drop");
    mat.element.classList.add("dragging");
  };

  const up = (/** @type {PointerEvent} */ event) => {
    const was = held;
    cancel();
    if (!was?.ghost) return;
    const swallow = (/** @type {Event} */ click) => (click.stopPropagation(), click.preventDefault());
    addEventListener("click", swallow, { capture: true, once: true }); // a drag ends with a click that is none
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    drop(was.id, was.card, document.elementFromPoint(event.clientX, event.clientY));
  };

  const cancel = () => {
    held?.ghost?.remove();
    held?.card.classList.remove("lifted");
    for (const one of held?.lit ?? []) one.classList.remove("drop");
    mat.element.classList.remove("dragging");
    held = null;
  };

  /** What a card could be dropped on. @param {number} id @returns {HTMLElement[]} */
  const targets = (id) => {
    const found = play.at(id).flatMap((group) => group.flatMap((offer) => (offer.card ? (offer.slots?.[0]?.from ?? [undefined]) : (offer.slots?.[1]?.from ?? [undefined]))));
    const home = play.names.lies(id);
    return [...new Set(found)].flatMap((entry) => {
      if (entry === undefined) return [...mat.zones].filter(([key]) => key !== home).map(([, zone]) => zone.element);
      const one = element(entry);
      return one ? [one] : [];
    });
  };

  /** @param {number | string} entry @returns {HTMLElement | undefined} */
  const element = (entry) => {
    const kind = kindOf(entry, play.names.view);
    if (kind === "card") return mat.cards.get(Number(entry))?.element;
    return kind === "zone" ? mat.zones.get(String(entry))?.element : kind === "seat" ? mat.seats.get(Number(entry))?.element : undefined;
  };

  /** @param {number} id @param {HTMLElement} card @param {Element | null} on */
  const drop = (id, card, on) => {
    const other = on?.closest(".card[data-card]");
    const zone = on?.closest("[data-zone]")?.getAttribute("data-zone") ?? "";
    const seat = on?.closest("[data-seat]")?.getAttribute("data-seat");
    const hit = [other && Number(other.getAttribute("data-card")), zone, seat && Number(seat)].filter((one) => one || one === 0);
    if (!on || zone === play.names.lies(id) && (!other || other === card)) return;
    const groups = play.at(id).flatMap((group) => fits(group, id, /** @type {(number | string)[]} */ (hit)));
    if (groups.length === 1) {
      play.start(groups[0].group, groups[0].group[0].card ? groups[0].entry : id);
      if (!groups[0].group[0].card && groups[0].entry !== undefined && play.takes(groups[0].entry)) play.pick(groups[0].entry);
    } else if (groups.length > 1) menu.open(id, card);
  };

  /** @param {Offer[]} group @param {number} id @param {(number | string)[]} hit @returns {{group: Offer[], entry: number | string | undefined}[]} */
  const fits = (group, id, hit) => {
    const slot = group[0].card ? group[0].slots?.[0] : group[0].slots?.[1];
    if (!slot) return [{ group, entry: undefined }];
    const from = new Set(group.flatMap((offer) => (offer.card ? offer.slots?.[0]?.from : offer.slots?.[1]?.from) ?? []));
    const entry = hit.find((one) => one !== id && from.has(one));
    return entry === undefined ? [] : [{ group, entry }];
  };

  mat.element.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  return () => {
    cancel();
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
  };
}
