/** Which deck somebody plays: one of the game's, one of their own, or whatever luck gives. */

import { h } from "../dom.js";
import { link } from "../router.js";
import { decksOf, recall, remember } from "../store.js";
import { t } from "../words.js";

/** @typedef {{id: string, decks: Record<string, string[]>}} Decked */

/** @param {Decked} game @param {Record<string, unknown>} [_options] @returns {{element: HTMLElement | null, value: () => string | string[] | null}} */
export function deckPicker(game, _options = {}) {
  const ready = Object.keys(game.decks);
  const own = decksOf(game.id);
  if (!ready.length && !own.length) return { element: null, value: () => null };
  const last = recall(`deck.${game.id}`) ?? "";
  const option = (/** @type {string} */ value, /** @type {string} */ label) => h("option", { value, selected: value === last }, label);
  const list = h("select", { id: `deck-${game.id}`, on: { change: () => remember(`deck.${game.id}`, list.value) } },
    ready.length > 0 && h("optgroup", { label: t("deck.ready") }, ready.map((name) => option(`=${name}`, game.decks[name].length ? name : t("deck.luck", { name })))),
    own.length > 0 && h("optgroup", { label: t("deck.own") }, own.map((deck) => option(`+${deck.name}`, deck.name))));
  const element = h("p", { class: "field" }, h("label", { for: list.id }, t("deck.label")), list, link(`/decks/${game.id}`, [t("deck.build")], { class: "aside" }));
  const value = () => {
    const [kind, name] = [list.value[0], list.value.slice(1)];
    if (kind === "+") return own.find((deck) => deck.name === name)?.cards ?? null;
    return kind === "=" ? name : null;
  };
  return { element, value };
}
