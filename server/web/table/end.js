/** How a match ended, and what can be done after it. */

import { button, h } from "../dom.js";
import { link } from "../router.js";
import { t } from "../words.js";
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
    copyButton(`${location.origin}/replay/${table.room}`),
    link("/", [t("end.home")], { class: "button plain", "data-key": "home" }),
  ];
  return { kind: `over ${mine ? "won" : winners.length ? "lost" : "drawn"}`, title, note: t("end.why", { why: names.reason(result?.reason ?? "") }), extra: ranking(names, result?.ranking ?? []), actions, key: String(wanted?.seat) };
}

/** @param {import("./names.js").Names} names @param {number[][]} ranks */
function ranking(names, ranks) {
  if (ranks.flat().length < 3) return null;
  return h("ol", { class: "ranking" }, ranks.map((seats) => h("li", {}, seats.map((seat) => names.seat(seat)).join(", "))));
}
