/** Who is how strong at a game. */

import { button, fillWith, h } from "../dom.js";
import { link } from "../router.js";
import { allGames, excuse, upcard } from "../session.js";
import { need } from "../styles.js";
import { t, tn } from "../words.js";
import { board } from "./best.js";

/** @typedef {import("../upcard.wire.d.ts").Ranked} Ranked */
/** @typedef {import("../upcard.wire.d.ts").Leaderboard} Board */

/** @param {HTMLElement} root @param {string[]} parts */
export async function show(root, [id]) {
  const [games] = await Promise.all([allGames(), need("pages")]);
  const title = games.find((game) => game.id === id)?.title ?? id;
  document.title = `${t("leaders.title", { game: title })} · Upcard`;
  const first = await board(id, 50);
  const lines = h("tbody", {});
  const more = h("p", {});
  const add = (/** @type {Board} */ { players, total }) => {
    lines.append(...players.map((player) => line(player)));
    const missing = total - lines.children.length;
    fillWith(more, missing > 0 && button(tn("leaders.more", missing), () => void board(id, 50, lines.children.length).then(add, excuse)));
  };
  add(first);
  const heads = ["rank", "name", "rating", "matches", "won", "drawn", "lost"].map((name) => h("th", { scope: "col", class: name }, t(`leaders.${name}`)));
  root.append(h("section", { class: "page leaders" },
    h("h1", {}, t("leaders.title", { game: title })),
    h("nav", { class: "row", "aria-label": t("home.games") }, games.map((game) => link(`/leaders/${game.id}`, [game.title], { class: "button small", "aria-current": game.id === id ? "page" : null }))),
    first.total ? h("div", { class: "wide" }, h("table", { class: "board" }, h("thead", {}, h("tr", {}, heads)), lines)) : h("p", { class: "none" }, t("leaders.none")),
    first.players.some((player) => player.provisional) && h("p", { class: "hint" }, t("leaders.provisional")),
    more, h("p", {}, link("/", [t("page.home")], { class: "aside" }))));
}

/** @param {Ranked} player */
function line({ rank, id, name, rating, deviation, provisional, matches, won, drawn, lost }) {
  const numbers = /** @type {[string, number][]} */ ([["matches", matches], ["won", won], ["drawn", drawn], ["lost", lost]]);
  return h("tr", { class: id === upcard.user.id ? "me" : "" },
    h("td", { class: "rank" }, provisional ? "–" : rank),
    h("th", { scope: "row", class: "name" }, link(`/player/${id}`, [name])),
    h("td", { class: "rating" }, h("b", {}, rating), provisional ? "?" : "", " ", h("span", { class: "hint" }, `± ${deviation}`)),
    numbers.map(([kind, value]) => h("td", { class: kind }, value)));
}
