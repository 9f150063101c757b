/** How a match ended, and what can be done after it. */

import { button, h } from "../dom.js";
import { link } from "../router.js";
import { signed, t } from "../words.js";
import { copyButton } from "./invite.js";
import { propose } from "./talk.js";

/** @param {import("./page.js").TablePage} page @returns {import("./tray.js").Content} */
export function endPanel(page) {
  const { table, names } = page;
  const { result } = table.view;
  const winners = result?.winners ?? [];
  const mine = table.seat !== undefined && winners.includes(table.seat);
  const title = table.seat === undefined ? names.result(result ?? { winners, reason: "" }) : mine ? t("end.you") : winners.length ? t("end.lost", { names: winners.map((seat) => names.seat(seat)).join(", ") }) : t("end.tie");
  const wanted = table.proposals.get("rematch");
  const again = table.seat !== undefined && !wanted ? [button(t("end.rematch"), () => void propose(page, "rematch"), { class: "primary", "data-key": "rematch" })] : [];
  const actions = [
    ...again,
    link(`/replay/${table.room}`, [t("end.replay")], { class: "button", "data-key": "replay" }),
    copyButton(`${location.origin}/replay/${table.room}`, ""),
    link("/", [t("end.home")], { class: "button plain", "data-key": "home" }),
  ];
  const worth = table.rated?.seats[table.seat ?? -1];
  const note = [t("end.why", { why: names.reason(result?.reason ?? "") }), worth && t("end.rating", { rating: worth.rating, change: signed(worth.change) })].filter(Boolean).join(" ");
  return { kind: `over ${mine ? "won" : winners.length ? "lost" : "drawn"}`, title, note, extra: ranking(page, result?.ranking ?? []), actions, key: JSON.stringify([wanted?.seat, table.rated]) };
}

/** Who came where, and what it did to everybody's rating, where that is more than the title says. @param {import("./page.js").TablePage} page @param {number[][]} ranks */
function ranking({ names, table }, ranks) {
  const rated = table.rated?.seats ?? {};
  const watched = table.seat === undefined && Object.keys(rated).length > 0;
  if (ranks.flat().length < 3 && !watched) return null;
  const called = (/** @type {number} */ seat) => (rated[seat] ? `${names.seat(seat)} ${rated[seat].rating} (${signed(rated[seat].change)})` : names.seat(seat));
  return h("ol", { class: "ranking" }, ranks.map((seats) => h("li", {}, seats.map(called).join(", "))));
}
