/** Building a deck: the game's cards on one side, the deck on the other, and the game's own check below. */

import { announce, button, fillWith, h, iconButton, toast, write } from "../dom.js";
import { go, link } from "../router.js";
import { findGame, upcard } from "../session.js";
import { decksOf, keepDecks, remember } from "../store.js";
import { need } from "../styles.js";
import { front } from "../table/card.js";
import { palette } from "../table/colours.js";
import { confirm } from "../table/confirm.js";
import { Names } from "../table/names.js";
import { plain, t, tn } from "../words.js";

/** @param {HTMLElement} root @param {string[]} parts @param {URLSearchParams} query */
export async function show(root, [id], query) {
  await need("card", "pages");
  const builder = new Builder(await findGame(id));
  document.title = `${t("deck.title", { game: builder.game.title })} · Upcard`;
  root.append(builder.element);
  builder.load(query.get("deck") ?? "");
}

/** One deck in the making. */
class Builder {
  /** @param {import("../types.d.ts").Game} game */
  constructor(game) {
    this.game = game;
    this.names = new Names(game);
    this.palette = palette(game);
    /** @type {string[]} */
    this.cards = [];
    this.name = h("input", { id: "deck-name", maxlength: 40, value: t("deck.new") });
    this.list = h("ul", { class: "decklist" });
    this.verdict = h("div", { class: "verdict", role: "status" });
    this.size = h("b", {});
    this.search = h("input", { type: "search", id: "deck-search", placeholder: t("deck.search"), "aria-label": t("deck.search"), on: { input: () => this.#filter() } });
    this.kinds = h("div", { class: "kinds", role: "group", "aria-label": t("deck.kinds") });
    this.shelf = h("div", { class: "spread" });
    this.kind = "";
    this.asked = 0;
    this.wait = 0;
    this.saved = h("select", { id: "deck-saved", "aria-label": t("deck.saved"), on: { change: () => this.load(this.saved.value) } });
    this.element = h("section", { class: "page builder" },
      h("div", { class: "catalogue" }, h("h1", {}, t("deck.title", { game: game.title })), h("div", { class: "row" }, this.search, this.kinds), this.shelf),
      h("aside", { class: "deck" },
        h("p", { class: "field" }, h("label", { for: this.saved.id }, t("deck.saved")), this.saved),
        h("p", { class: "field" }, h("label", { for: this.name.id }, t("deck.name")), this.name),
        h("p", { class: "size" }, this.size), this.list, this.verdict,
        h("div", { class: "row" }, button(t("deck.save"), () => this.#save(), { class: "primary" }), button(t("deck.copy"), () => void this.#copy(), { class: "plain" }), button(t("deck.paste"), () => void this.#paste(), { class: "plain" }), iconButton("trash", t("deck.delete"), () => void this.#remove())),
        link("/", [t("page.home")], { class: "aside" })));
    this.#lay();
  }

  /** @param {string} name a deck of the game (=name), one's own (+name), or nothing */
  load(name) {
    const kind = name[0];
    const found = kind === "+" ? decksOf(this.game.id).find((deck) => deck.name === name.slice(1))?.cards : this.game.decks[name.slice(1)];
    this.cards = [...(found ?? [])].filter((face) => face in this.game.catalogue);
    this.name.value = kind === "+" ? name.slice(1) : kind === "=" && found?.length ? t("deck.mine", { name: name.slice(1) }) : t("deck.new");
    this.#choices(name);
    this.#changed();
  }

  /** @param {string} chosen */
  #choices(chosen) {
    const ready = Object.keys(this.game.decks).filter((name) => this.game.decks[name].length);
    const option = (/** @type {string} */ value, /** @type {string} */ label) => h("option", { value, selected: value === chosen }, label);
    fillWith(this.saved, option("", t("deck.new")), ready.map((name) => option(`=${name}`, name)), decksOf(this.game.id).map((deck) => option(`+${deck.name}`, deck.name)));
  }

  #lay() {
    const { game, names } = this;
    const fact = names.look.colour;
    const kinds = fact ? [...new Set(Object.values(game.catalogue).map((printed) => String(printed[fact] ?? "")))].filter(Boolean).sort() : [];
    const choose = (/** @type {string} */ kind) => {
      this.kind = this.kind === kind ? "" : kind;
      for (const one of this.kinds.children) one.setAttribute("aria-pressed", String(one.textContent === plain(this.kind)));
      this.#filter();
    };
    fillWith(this.kinds, kinds.length > 1 && kinds.map((kind) => button(plain(kind), () => choose(kind), { class: "small", "aria-pressed": "false" })));
    fillWith(this.shelf, Object.keys(game.catalogue).map((face) => {
      const card = h("button", { type: "button", class: "card", "data-face": face, "aria-description": t("deck.add", { card: names.face(face) }), on: { click: () => this.#add(face) } });
      card.append(front({ face, owner: -1 }, names, this.palette), h("span", { class: "copies" }));
      return card;
    }));
  }

  #filter() {
    const words = this.search.value.trim().toLowerCase();
    const fact = this.names.look.colour;
    for (const card of /** @type {HTMLElement[]} */ ([...this.shelf.children])) {
      const printed = this.game.catalogue[card.dataset.face ?? ""] ?? {};
      const fits = !words || `${card.dataset.face} ${JSON.stringify(Object.values(printed))}`.toLowerCase().includes(words);
      card.hidden = !fits || (this.kind !== "" && fact !== undefined && String(printed[fact]) !== this.kind);
    }
  }

  /** @param {string} face */
  #add(face) {
    this.cards.push(face);
    announce(t("deck.added", { card: this.names.face(face), n: this.cards.length }));
    this.#changed();
  }

  /** @param {string} face */
  #take(face) {
    this.cards.splice(this.cards.lastIndexOf(face), 1);
    this.#changed();
  }

  #changed() {
    /** @type {Map<string, number>} */
    const copies = new Map();
    for (const face of this.cards) copies.set(face, (copies.get(face) ?? 0) + 1);
    const corner = this.names.look.corner;
    const cost = (/** @type {string} */ face) => Number(corner ? this.game.catalogue[face]?.[corner] : 0) || 0;
    const sorted = [...copies].sort(([one], [other]) => cost(one) - cost(other) || one.localeCompare(other));
    fillWith(this.list, sorted.map(([face, n]) => h("li", {}, h("span", { class: "n" }, `${n}×`), h("span", { class: "name" }, this.names.face(face)), iconButton("cross", t("deck.take", { card: this.names.face(face) }), () => this.#take(face)))));
    for (const card of /** @type {HTMLElement[]} */ ([...this.shelf.children])) {
      const n = copies.get(card.dataset.face ?? "") ?? 0;
      const pill = /** @type {HTMLElement} */ (card.querySelector(".copies"));
      write(pill, n ? `${n}×` : "");
      pill.hidden = !n;
    }
    write(this.size, tn("deck.size", this.cards.length));
    clearTimeout(this.wait);
    this.wait = setTimeout(() => void this.#check(), 250);
  }

  async #check() {
    const mine = ++this.asked;
    /** @type {import("../upcard.wire.d.ts").DeckCheck | null} */
    const found = await upcard.http("POST", `/api/games/${this.game.id}/deck`, { deck: this.cards }).catch(() => null);
    if (mine !== this.asked) return;
    const wrong = found ? found.mistakes.map((mistake) => mistake.text) : [t("err.offline")];
    this.verdict.className = `verdict ${wrong.length ? "bad" : "good"}`;
    fillWith(this.verdict, wrong.length ? wrong.map((text) => h("span", {}, text)) : t("deck.good"));
  }

  #save() {
    const name = this.name.value.trim() || t("deck.new");
    const others = decksOf(this.game.id).filter((deck) => deck.name !== name);
    keepDecks(this.game.id, [...others, { name, cards: this.cards }]);
    remember(`deck.${this.game.id}`, `+${name}`);
    this.#choices(`+${name}`);
    toast(t("deck.kept", { name }), "good");
  }

  async #remove() {
    const name = this.name.value.trim();
    if (!decksOf(this.game.id).some((deck) => deck.name === name) || !(await confirm(t("deck.delete.sure", { name })))) return;
    keepDecks(this.game.id, decksOf(this.game.id).filter((deck) => deck.name !== name));
    go(`/decks/${this.game.id}`, { replace: true });
  }

  async #copy() {
    await navigator.clipboard.writeText(this.cards.join("\n")).then(() => toast(t("share.copied"), "good"), () => toast(t("deck.no_clipboard"), "bad"));
  }

  async #paste() {
    const text = await navigator.clipboard.readText().catch(() => "");
    const lines = text.split("\n").map((line) => /^\s*(?:(\d+)\s*[x×]?\s+)?(.+?)\s*$/.exec(line)).filter((found) => found !== null);
    const cards = lines.flatMap(([, n, face]) => (face in this.game.catalogue ? Array.from({ length: Number(n ?? 1) }, () => face) : []));
    if (!cards.length) return toast(t("deck.no_clipboard"), "bad");
    this.cards = cards.slice(0, 250);
    this.#changed();
  }
}
