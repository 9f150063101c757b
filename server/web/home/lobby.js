/** What goes on here, as it happens: tables with free chairs, matches to watch, who waits for an opponent. */

import { fillWith, h, icon, write } from "../dom.js";
import { link } from "../router.js";
import { enter, upcard } from "../session.js";
import { ago, span, t, tn } from "../words.js";

/** @typedef {import("../upcard.wire.d.ts").GameFacts} GameFacts */
/** @typedef {import("../upcard.wire.d.ts").RoomFacts} RoomFacts */

/** The part of the front page that changes by itself. A server without a lobby shows none. */
export class Lobby {
  /** @param {HTMLElement} beside what stands beside the tables */
  constructor(beside) {
    this.open = h("ul", { class: "tables" });
    this.live = h("ul", { class: "tables" });
    this.about = h("p", { class: "hint" });
    this.halls = [h("div", { hidden: true }, h("h2", {}, t("lobby.open")), this.open), h("div", { hidden: true }, h("h2", {}, t("lobby.live")), this.live, this.about)];
    this.element = h("section", { class: "lobby" }, this.halls, beside);
    /** @type {Map<string, GameFacts>} */
    this.games = new Map();
    this.stop = () => {};
  }

  /** @param {GameFacts[]} games */
  start(games) {
    this.games = new Map(games.map((game) => [game.id, game]));
    const still = upcard.on("hall", (hall) => this.#show(hall));
    this.stop = () => (still(), void upcard.follow(false).catch(() => {}));
    void enter().then(() => upcard.follow(true)).catch(() => {});
  }

  /** @param {{online: number, open: Record<string, RoomFacts>, live: Record<string, RoomFacts>, queues?: any}} hall */
  #show({ online, open, live }) {
    for (const hall of this.halls) hall.hidden = false;
    this.#list(this.open, Object.values(open ?? {}), "lobby.sit", "person");
    this.#list(this.live, Object.values(live ?? {}), "lobby.watch", "eye");
    write(this.about, tn("lobby.online", online ?? 0));
  }

  /** @param {HTMLElement} list @param {RoomFacts[]} rooms @param {string} action @param {string} sign */
  #list(list, rooms, action, sign) {
    const shown = rooms.sort((one, other) => other.made - one.made).slice(0, 8).map((room) => {
      const players = room.seats.map((seat) => seat.name ?? t("lobby.free"));
      const facts = [room.mode === "ranked" ? t("home.ranked") : "", clockWords(room.clock), ago(upcard.now - room.made)].filter(Boolean);
      return h("li", {}, link(`/table/${room.room}`, [h("b", {}, this.games.get(room.game)?.title ?? room.game), h("span", {}, players.join(" · ")), h("span", { class: "hint" }, facts.join(" · ")), h("span", { class: "go" }, icon(sign), t(action))]));
    });
    fillWith(list, shown.length ? shown : h("li", { class: "none" }, t(list === this.open ? "lobby.none.open" : "lobby.none.live")));
  }
}

/** A clock in a few signs. @param {import("../upcard.wire.d.ts").ClockRequest | null | undefined} clock */
export function clockWords(clock) {
  if (clock?.base) return `${span(clock.base)} + ${Math.round((clock.inc ?? 0) / 1000)}`;
  if (clock?.decision) return t("clock.each", { time: span(clock.decision) });
  return clock?.days ? tn("time.days", clock.days) : "";
}
