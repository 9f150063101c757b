/** What things on a table are called. It knows no rules: all comes from the view and from the game's own data. */

import { kindOf } from "../upcard.js";
import { plain, t, tn, tOr } from "../words.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../upcard.wire.d.ts").View} View */
/** @typedef {import("../upcard.wire.d.ts").Card} Card */
/** @typedef {{text: string} | {text: string, card?: number, face?: string} | {text: string, seat: number}} Part */

const PLAYERS = ["seat", "foe", "owner", "player"];
const PLACED = ["face", "owner", "controller"]; // of a card, shown in places of their own

/** The words for one viewer's table. */
export class Names {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.look = game.playmat.card ?? {};
    /** @type {View} */
    this.view = { game: game.id, rules: game.rules, seats: {} };
    this.labels = new Map(Object.values(game.playmat.areas ?? {}).flatMap((area) => area.slots.map((slot) => [slot.zone, slot.label])));
    this.counters = new Map((game.playmat.seat?.counters ?? []).map((one) => [one.name, one]));
  }

  /** A player. @param {number} seat */
  seat(seat) {
    const { seats } = this.view;
    const name = seats[seat]?.name;
    if (name === undefined) return t("seat.n", { n: seat + 1 });
    const same = Object.keys(seats).filter((key) => seats[key].name === name); // two who are called the same
    return same.length > 1 ? `${name} ${same.indexOf(String(seat)) + 1}` : name;
  }

  /** A player, or you. @param {number} seat */
  who(seat) {
    return seat === this.view.you ? t("seat.you") : this.seat(seat);
  }

  /** A zone as the mat labels it, on a board with its place. @param {string} key */
  zone(key) {
    const kind = /^\d+\./.test(key) ? key.slice(key.indexOf(".") + 1) : key;
    const hex = /^hex\.(-?\d+)\.(-?\d+)$/.exec(kind);
    return hex ? `${this.labels.get(kind) ?? t("zone.hex")} (${hex[1]}, ${hex[2]})` : (this.labels.get(kind) ?? plain(kind));
  }

  /** Where that is, with whose it is. @param {string} key */
  place(key) {
    const owner = /^(\d+)\./.exec(key);
    return owner ? t("zone.of", { zone: this.zone(key), who: this.who(Number(owner[1])) }) : this.zone(key);
  }

  /** A face. @param {string} face */
  face(face) {
    return String(this.game.catalogue[face]?.name ?? face);
  }

  /** A card as far as it is known. @param {number} id */
  card(id) {
    const face = this.view.cards?.[id]?.face;
    return face ? this.face(face) : t("card.down");
  }

  /** The zone where a card lies. @param {number} id @returns {string} */
  lies(id) {
    for (const [key, zone] of Object.entries(this.view.zones ?? {})) if (zone.cards?.includes(id)) return key;
    return "";
  }

  /** Something that may be chosen. @param {number | string} entry @param {boolean} [whole] with the place where it lies */
  entry(entry, whole = false) {
    switch (kindOf(entry, this.view)) {
      case "seat":
        return this.who(Number(entry));
      case "zone":
        return this.place(String(entry));
      case "word":
        return this.game.catalogue[entry] ? this.face(String(entry)) : this.word(String(entry));
      default: {
        const at = whole ? this.lies(Number(entry)) : "";
        return at ? t("card.at", { card: this.card(Number(entry)), place: this.place(at) }) : this.card(Number(entry));
      }
    }
  }

  /** A word of the game, in the game's own words if it has some. @param {string} word */
  word(word) {
    return this.game.messages[`word.${word}`] ?? plain(word);
  }

  /** What a choice on a card comes to, as far as the card says so. @param {number | undefined} card @param {number | string} entry */
  choice(card, entry) {
    const choices = /** @type {Record<string, string> | undefined} */ (this.game.catalogue[this.view.cards?.[card ?? 0]?.face ?? ""]?.choices);
    return choices?.[entry] ?? this.entry(entry);
  }

  /** The name of a slot. @param {string} slot */
  slot(slot) {
    const key = slot.replace(/_ids$/, "s").replace(/_id$/, "");
    return this.game.messages[`slot.${slot}`] ?? tOr(`slot.${key}`, plain(key).toLowerCase());
  }

  /** A price. @param {Record<string, number> | undefined} cost */
  cost(cost) {
    return Object.entries(cost ?? {}).map(([name, amount]) => `${amount} ${this.counter(name)}`).join(", ");
  }

  /** A counter as the mat labels it. @param {string} name */
  counter(name) {
    const each = [...this.counters.values()].find((one) => one.gain === name);
    return each ? `${each.label} ${t("seat.gain")}` : this.counters.get(name)?.label ?? plain(name).toLowerCase();
  }

  /** Why a card cannot be used. @param {string} code */
  blocked(code) {
    return this.game.messages[`blocked.${code}`] ?? plain(code);
  }

  /** A fact of a card: as it is now, and as it is printed. @param {Card | undefined} card @param {string} name */
  fact(card, name) {
    const printed = card?.face ? this.game.catalogue[card.face]?.[name] : undefined;
    return { now: card?.[name] ?? printed, printed };
  }

  /** A fact that is a chip: what it is called, the word that it is, or its number. @param {string} name @param {unknown} value */
  marked(name, value) {
    return value === true ? plain(name) : typeof value === "number" ? `${plain(name)} ${value}` : plain(String(value));
  }

  /** Whatever else can be seen of a card, beside what is drawn on it. @param {Card} card @returns {string[]} */
  notes(card) {
    const { corner, stats = [], counters = [], marks = [], links = [], silent = [], turned } = this.look;
    const drawn = [...PLACED, corner, turned, ...stats, ...counters, ...marks, ...links, ...silent];
    const notes = Object.entries(card).filter(([name]) => !drawn.includes(name)).map(([name, value]) => note(name, value));
    for (const name of links) if (card[name]) notes.push(`${plain(name).toLowerCase()} ${this.card(Number(card[name]))}`);
    if (card.controller !== undefined && card.owner >= 0) notes.push(t("card.owned", { who: this.who(card.owner) }));
    return notes.filter(Boolean);
  }

  /** A card in one breath, for those who cannot see it. @param {Card | undefined} card */
  spoken(card) {
    if (!card?.face) return t("card.down");
    const { corner, stats = [], counters = [], marks = [], links = [], turned } = this.look;
    const parts = [this.face(card.face)];
    for (const name of [corner, ...stats, ...counters]) {
      const { now, printed } = name ? this.fact(card, name) : { now: undefined, printed: undefined };
      if (!name || now === undefined || now === "" || (typeof now === "number" && now < 0) || (counters.includes(name) && !now)) continue;
      parts.push(typeof now === "number" && typeof printed === "number" && now !== printed ? t("card.changed", { name: plain(name).toLowerCase(), now, printed }) : `${plain(name).toLowerCase()} ${now}`);
    }
    for (const name of turned ? [...marks, turned] : marks) {
      const { now } = this.fact(card, name);
      if (now) parts.push([now].flat().map((one) => this.marked(name, one).toLowerCase()).join(", "));
    }
    for (const name of links) if (card[name]) parts.push(`${plain(name).toLowerCase()} ${this.card(Number(card[name]))}`);
    return parts.join(", ");
  }

  /** A message of the game as its parts, so that cards and players in it can be drawn. @param {string} key @param {Record<string, any>} args @returns {Part[]} */
  sentence(key, args) {
    const template = this.game.messages[key] ?? plain(key.slice(key.lastIndexOf(".") + 1));
    return template.split(/(\{\w+\})/).filter(Boolean).flatMap((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      return name ? this.#part(name, args) : [{ text: piece }];
    });
  }

  /** The same as a text. @param {string} key @param {Record<string, any>} args */
  sentenceText(key, args) {
    return this.sentence(key, args).map((part) => part.text).join("");
  }

  /** How it ended. @param {{winners: number[], reason: string}} result */
  result({ winners, reason }) {
    const why = this.reason(reason);
    if (!winners.length) return t("end.draw", { why });
    const names = winners.map((seat) => this.seat(seat)).join(", ");
    return tn("end.won", winners.length, { names, why });
  }

  /** @param {string} reason */
  reason(reason) {
    return this.game.messages[`reason.${reason}`] ?? tOr(`reason.${reason}`, plain(reason).toLowerCase());
  }

  /** @param {string} name @param {Record<string, any>} args @returns {Part[]} */
  #part(name, args) {
    if (!(name in args)) return [{ text: ["card", "on", "by", "face"].includes(name) ? t("card.some") : "" }];
    const value = args[name];
    if (PLAYERS.includes(name) && typeof value === "number") return [{ text: this.seat(value), seat: value }];
    return this.#speak(value);
  }

  /** @param {any} value @returns {Part[]} */
  #speak(value) {
    if (Array.isArray(value)) {
      const said = value.map((part) => this.#speak(part));
      return said.flatMap((part, n) => (n === 0 ? part : [{ text: n === said.length - 1 ? t("and") : ", " }, ...part]));
    }
    if (value !== null && typeof value === "object") {
      return [value.face ? { text: this.face(value.face), card: value.card, face: value.face } : { text: t("card.some"), card: value.card }];
    }
    if (typeof value === "string" && this.game.catalogue[value]) return [{ text: this.face(value), face: value }];
    if (typeof value === "string" && this.view.zones?.[value]) return [{ text: this.place(value) }];
    return [{ text: (typeof value === "string" && this.game.messages[`word.${value}`]) || String(value) }]; // a number is never a word
  }
}

/** @param {string} name @param {unknown} value @returns {string} */
function note(name, value) {
  const words = plain(name).toLowerCase();
  if (value === true) return words;
  if (Array.isArray(value)) return value.length ? `${words}: ${value.join(", ")}` : "";
  if (value !== null && typeof value === "object") return Object.entries(value).map(([part, amount]) => `${plain(part).toLowerCase()} ${typeof amount === "number" && amount > 0 ? "+" : ""}${amount}`).join(", ");
  return value === false || value === "" ? "" : `${words}: ${value}`;
}
