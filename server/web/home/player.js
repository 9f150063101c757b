/** Somebody: how strong they are at which games, and the last matches they played. */

import { button, fillWith, h } from "../dom.js";
import { link } from "../router.js";
import { allGames, enter, excuse, upcard } from "../session.js";
import { need } from "../styles.js";
import { Refusal } from "../upcard.js";
import { ago, moment, signed, t, tOr, tn } from "../words.js";

/** @typedef {import("../upcard.wire.d.ts").PastMatch} PastMatch */
/** @typedef {import("../upcard.wire.d.ts").GameStrength} Strength */
/** @typedef {import("../upcard.wire.d.ts").PlayerPage} Player */

const LAST = 20; // matches that come at once

/** @param {HTMLElement} root @param {string[]} parts */
export async function show(root, [id]) {
  const [games] = await Promise.all([allGames(), enter().catch(() => {}), need("pages")]);
  const titles = Object.fromEntries(games.map((game) => [game.id, game.title]));
  /** @type {Player} */
  const player = await upcard.http("GET", `/api/players/${encodeURIComponent(id)}`).catch((no) => {
    if (no instanceof Refusal && no.code === "no_player") throw new Refusal({ code: no.code, text: t("player.none") });
    throw no;
  });
  document.title = `${player.name} · Upcard`;
  const list = h("ul", { class: "tables past" });
  const more = h("p", {});
  const add = (/** @type {PastMatch[]} */ matches) => {
    list.append(...matches.map((match) => past(match, titles)));
    const oldest = matches.at(-1)?.ended;
    fillWith(more, matches.length === LAST && button(t("player.older"), () => void upcard.http("GET", `/api/players/${encodeURIComponent(id)}?before=${oldest}`).then((found) => add(found.matches), excuse)));
  };
  add(player.matches);
  root.append(h("section", { class: "page player-page" },
    h("h1", {}, player.name, " ", id === upcard.user.id && h("span", { class: "hint" }, t("player.you"))),
    h("p", { class: "hint" }, t("player.last", { ago: ago(upcard.now - player.last) })),
    player.ratings.length > 0 && h("div", { class: "strengths" }, player.ratings.map((one) => strength(one, titles))),
    h("h2", {}, t("player.matches")), player.matches.length ? list : h("p", { class: "none" }, t("player.no_matches")), more,
    h("p", {}, link("/", [t("page.home")], { class: "aside" }))));
}

/** @param {Strength} one @param {Record<string, string>} titles */
function strength({ game, rating, deviation, provisional, matches, won, drawn, lost, rank }, titles) {
  return link(`/leaders/${game}`, [h("b", {}, titles[game] ?? game), h("span", { class: "rating" }, rating, provisional ? "?" : ""),
    h("span", { class: "hint" }, provisional ? `± ${deviation}` : t("player.rank", { rank })), h("span", { class: "hint" }, `${tn("player.count", matches)} · ${t("player.score", { won, drawn, lost })}`)], { class: "strength" });
}

/** @param {PastMatch} match @param {Record<string, string>} titles */
function past({ room, game, mode, ended, reason, replay, seat, outcome, seats }, titles) {
  const others = seats.filter((_, n) => n !== seat).map(({ name }) => name).join(", ");
  const change = seats[seat]?.change;
  const facts = [titles[game] ?? game, mode === "ranked" ? t("home.ranked") : "", tOr(`reason.${reason}`, ""), moment(ended)].filter(Boolean);
  const inside = [h("b", {}, h("span", { class: `outcome ${outcome}` }, t(`player.${outcome}`)), " ", t("player.against", { who: others })), h("span", {}, facts.join(" · ")), h("span", { class: "hint" }, change === undefined ? "" : signed(change)), replay && h("span", { class: "go" }, t("end.replay"))];
  return h("li", {}, replay ? link(`/replay/${room}?as=${seat}`, inside) : h("div", { class: "row-like" }, inside));
}
