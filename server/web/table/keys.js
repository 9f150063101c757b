/** The table by keyboard: a zone is one stop of the tab key, arrows lead from card to card. */

import { button, dialog, h } from "../dom.js";
import { settings } from "../store.js";
import { t } from "../words.js";

/** @typedef {import("./mat.js").Mat} Mat */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/** Let exactly one card of each zone be a stop of the tab key. @param {Mat} mat */
export function stops(mat) {
  for (const zone of mat.zones.values()) {
    const cards = reachable(zone.elements);
    const stop = cards.find((card) => card.tabIndex === 0) ?? cards[0];
    for (const card of cards) if (card !== stop && card.tabIndex === 0) card.tabIndex = -1;
    if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
    zone.label.tabIndex = cards.length || zone.hidden || !zone.ids.length ? -1 : 0;
  }
}

/**
 * Remembers where the focus was, and gives it a place nearby when that place is gone. The answer does that.
 * @param {Mat} mat @param {HTMLElement} page @param {() => void} otherwise
 */
export function keepFocus(mat, page, otherwise) {
  /** @type {{element: HTMLElement, zone: string, place: number} | null} */
  let last = null;
  page.addEventListener("focusin", (event) => {
    const element = /** @type {HTMLElement} */ (event.target);
    const zone = element.closest("[data-zone]")?.getAttribute("data-zone") ?? "";
    last = { element, zone, place: zone ? reachable(mat.zones.get(zone)?.elements ?? []).indexOf(element) : -1 };
  });
  page.addEventListener("pointerdown", () => (last = null)); // whoever points is not looking for a focus
  return () => {
    if (!last || (document.activeElement && document.activeElement !== document.body)) return;
    if (last.element.isConnected) return last.element.focus({ preventScroll: true });
    const beside = reachable(mat.zones.get(last.zone)?.elements ?? []);
    const next = beside[Math.min(last.place, beside.length - 1)];
    if (next) next.focus({ preventScroll: true });
    else otherwise();
  };
}

/** @param {HTMLElement[]} cards */
const reachable = (cards) => cards.filter((card) => card.dataset.card);

/**
 * Listen to the keyboard. @param {Mat} mat
 * @param {{tray: () => void, log: () => void, chat: () => void, cancel: () => void, browse: (zone: string) => void}} act
 */
export function keyboard(mat, act) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const menu = document.querySelector(".menu:popover-open");
    if (event.key === "Escape" && !menu) act.cancel();
    const card = document.activeElement?.closest?.(".mat .card[data-card]");
    if (card instanceof HTMLElement && event.key in ARROWS) {
      step(mat, card, ARROWS[event.key]);
      event.preventDefault();
      return;
    }
    if (typing || !settings.keys || menu) return;
    const zone = card?.closest("[data-zone]")?.getAttribute("data-zone");
    const does = /** @type {Record<string, () => void>} */ ({ t: act.tray, l: act.log, c: act.chat, "?": help, ...(zone ? { b: () => act.browse(zone) } : {}) })[event.key.toLowerCase()];
    if (!does) return;
    event.preventDefault();
    does();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

/** @param {Mat} mat @param {HTMLElement} card @param {[number, number]} way */
function step(mat, card, [x, y]) {
  const zone = [...mat.zones.values()].find((one) => one.element.contains(card));
  const row = reachable(zone?.elements ?? []);
  const beside = y ? undefined : row[row.indexOf(card) + x];
  const next = beside ?? nearest(mat, card, x, y);
  if (!next) return;
  const home = [...mat.zones.values()].find((one) => one.element.contains(next));
  for (const one of reachable(home?.elements ?? [])) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}

/** The closest card that way. @param {Mat} mat @param {HTMLElement} card @param {number} x @param {number} y */
function nearest(mat, card, x, y) {
  const from = middle(card);
  let best = Infinity;
  /** @type {HTMLElement | undefined} */
  let found;
  for (const { element } of mat.cards.values()) {
    if (element === card || !element.isConnected) continue;
    const to = middle(element);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = dx * x + dy * y;
    const across = Math.abs(dx * y) + Math.abs(dy * x);
    if (along > 6 && along + 2 * across < best) [best, found] = [along + 2 * across, element];
  }
  return found;
}

/** @param {HTMLElement} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** All keys, on one page. */
export function help() {
  const rows = [["Tab", "keys.tab"], ["← → ↑ ↓", "keys.arrows"], ["Enter", "keys.enter"], ["Esc", "keys.escape"], ["T", "keys.tray"], ["B", "keys.browse"], ["L", "keys.log"], ["C", "keys.chat"], ["?", "keys.help"]];
  return dialog(t("keys.title"), (close) => [
    h("dl", { class: "keys" }, rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(text))])),
    h("div", { class: "row end" }, button(t("close"), () => close(), { class: "primary" })),
  ], "help");
}
