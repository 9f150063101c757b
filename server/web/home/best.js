/** The best few of a game. */

import { fillWith, h } from "../dom.js";
import { link } from "../router.js";
import { upcard } from "../session.js";
import { t } from "../words.js";

/** @typedef {import("../upcard.wire.d.ts").Leaderboard} Board */

/** The board of a game. @param {string} game @param {number} limit @param {number} [offset] @returns {Promise<Board>} */
export function board(game, limit, offset = 0) {
  return upcard.http("GET", `/api/leaderboard?game=${encodeURIComponent(game)}&limit=${limit}&offset=${offset}`);
}

/** A list for the front page. */
export class Best {
  constructor() {
    this.list = h("ol", { class: "best" });
    this.more = h("p", {});
    this.element = h("div", { hidden: true }, h("h2", {}, t("leaders.best")), this.list, this.more);
    this.asked = "";
  }

  /** @param {{id: string, title: string}} game */
  async show({ id, title }) {
    this.asked = id;
    const found = await board(id, 5).catch(() => null); // a server without an archive has no board
    if (this.asked !== id) return;
    this.element.hidden = found === null;
    if (!found) return;
    fillWith(this.list, found.players.map(({ id: player, name, rating, provisional }) => h("li", {}, link(`/player/${player}`, [h("span", { class: "name" }, name), h("b", {}, rating, provisional ? "?" : "")]))));
    fillWith(this.more, found.players.length ? link(`/leaders/${id}`, [t("leaders.all", { game: title })], { class: "aside" }) : h("span", { class: "none" }, t("leaders.none")));
  }
}
