/** The table, laid out as the game's playmat says: areas for each seat and one that is shared, zones in them, cards in those. */

import { fillWith, h } from "../dom.js";
import { CardView } from "./card.js";
import { palette } from "./colours.js";
import { HexBoard } from "./hexes.js";
import { fit, invented, occupy } from "./layout.js";
import { SeatView } from "./seats.js";
import { ZoneView } from "./zone.js";

/** @typedef {import("../types.d.ts").Game} Game */
/** @typedef {import("../types.d.ts").Area} Area */
/** @typedef {import("../types.d.ts").MatSlot} MatSlot */
/** @typedef {import("../upcard.wire.d.ts").View} View */
/** @typedef {import("./names.js").Names} Names */
/** @typedef {{browse: (zone: string) => void, pickSeat: (seat: number) => void}} Hooks */
/** @typedef {{element: HTMLElement, kind: "other" | "shared" | "me", rows: number[], low: Set<number>, area: Area, zones: ZoneView[], board: HexBoard | null, crowded: boolean, narrow?: boolean}} Drawn `low` are rows that can be small */

const FEW = 5; // counters that have room beside a player's cards

/** Everything that lies on the table, drawn once and then kept up to date. */
export class Mat {
  /** @param {Game} game @param {Names} names @param {Hooks} hooks */
  constructor(game, names, hooks) {
    this.game = game;
    this.names = names;
    this.hooks = hooks;
    this.palette = palette(game);
    this.element = h("div", { class: "mat" });
    /** @type {Map<string, ZoneView>} */
    this.zones = new Map();
    /** @type {Map<number, CardView>} */
    this.cards = new Map();
    /** @type {Map<number, SeatView>} */
    this.seats = new Map();
    /** @type {Drawn[]} */
    this.drawn = [];
    /** @type {View | null} */
    this.view = null;
    this.side = -1; // the seat that sits below
    this.v = 0;
    this.fitting = new ResizeObserver(() => this.fit());
    this.fitting.observe(this.element);
  }

  /** Stop looking at the size of the window. */
  close() {
    this.fitting.disconnect();
  }

  /** The element of a card, made when it is first seen. @param {number} id */
  card(id) {
    const found = this.cards.get(id) ?? new CardView(id);
    this.cards.set(id, found);
    return found;
  }

  /** Draw what is different. @param {View} view @param {number} side the seat that sits below @param {number} v its version */
  draw(view, side, v) {
    const old = this.view;
    this.names.view = view;
    this.v = v;
    const seats = Object.keys(view.seats).length;
    if (side !== this.side || !old || Object.keys(old.seats).length !== seats || (!old.zones && view.zones)) this.#lay(view, side, seats);
    this.view = view;
    const before = old?.cards ?? {};
    for (const [key, card] of Object.entries(view.cards ?? {})) {
      if (card !== before[key] || !this.cards.has(Number(key))) this.card(Number(key)).show(card, this.names, this.palette);
    }
    for (const [key, zone] of this.zones) zone.draw(view.zones?.[key]);
    for (const zone of this.zones.values()) zone.sweep();
    if (this.drawn.map((one) => occupy(one, v)).some(Boolean)) this.fit();
    for (const key of Object.keys(before)) {
      if (!view.cards?.[key]) this.cards.delete(Number(key));
    }
    for (const [seat, shown] of this.seats) shown.draw(view, seat);
  }

  /** Build the places anew: another seat sits below, or the cards were just dealt. @param {View} view @param {number} side @param {number} seats */
  #lay(view, side, seats) {
    this.side = side;
    this.zones.clear();
    this.seats.clear();
    const { others, shared, me } = Object.keys(this.game.playmat.areas ?? {}).length ? (this.game.playmat.areas ?? {}) : invented(view);
    const far = Array.from({ length: seats - 1 }, (_, n) => (side + 1 + n) % seats);
    const above = far.map((seat) => this.#place("other", others ?? me, seat));
    const between = shared ? [this.#place("shared", shared, -1)] : [];
    const below = this.#place("me", me, side);
    this.drawn = [...above, ...between, below];
    fillWith(this.element, h("div", { class: "row far" }, above.map((one) => one.element)), between.map((one) => one.element), below.element);
    this.element.dataset.across = String(above.length);
    this.fit();
  }

  /** @param {"other" | "shared" | "me"} kind @param {Area | undefined} area @param {number} seat @returns {Drawn} */
  #place(kind, area, seat) {
    const slots = area?.slots ?? [];
    const zones = slots.map((slot) => this.#zone(seat < 0 ? slot.zone : `${seat}.${slot.zone}`, slot));
    const board = area?.hex ? new HexBoard(zones) : null;
    const grid = board?.element ?? h("div", { class: "area" }, zones.map((zone) => zone.element));
    const rows = /** @type {number[]} */ ([]);
    const element = h("section", { class: `side ${kind}` });
    if (seat >= 0) {
      const shown = new SeatView(seat, this.game, this.names, this.hooks);
      this.seats.set(seat, shown);
      element.append(shown.element);
      element.dataset.seat = String(seat);
    }
    element.append(grid);
    const crowded = seat >= 0 && (this.game.playmat.seat?.counters ?? []).length > FEW;
    return { element, kind, rows, low: new Set(), area: area ?? { slots: [] }, zones, board, crowded };
  }

  /** @param {string} key @param {MatSlot} slot */
  #zone(key, slot) {
    const zone = new ZoneView(key, slot, this);
    this.zones.set(key, zone);
    return zone;
  }

  /** Choose the size of everything. */
  fit() {
    fit(this.element, this.drawn, this.v);
  }
}
