/** Everything that lies in a zone, spread out. */

import { button, dialog, h } from "../dom.js";
import { t, tn } from "../words.js";
import { front } from "./card.js";

/** @param {import("./page.js").TablePage | {mat: import("./mat.js").Mat, menu: import("./menu.js").Menu, play: import("./play.js").Play, names: import("./names.js").Names}} page @param {string} key */
export async function browse({ mat, menu, play, names }, key) {
  const zone = mat.view?.zones?.[key];
  const ids = zone?.cards ?? [];
  if (!ids.length) return;
  const chosen = await dialog(names.place(key), (close) => [
    h("p", { class: "hint" }, tn("zone.count", zone?.n ?? ids.length)),
    h("div", { class: "spread" }, ids.map((id) => {
      const card = mat.view?.cards?.[id];
      const shown = h("button", { type: "button", class: `card ${card?.face ? "" : "down"}`, "aria-label": card?.face ? null : names.spoken(card), "data-card": id || null, "data-state": mat.cards.get(id)?.element.getAttribute("data-state"), on: { click: () => close(id) } });
      shown.append(card?.face ? front(card, names, mat.palette) : h("span", { class: "reverse" }));
      return shown;
    })),
    h("div", { class: "row end" }, button(t("close"), () => close(), { class: "plain" })),
  ], "browse");
  if (!chosen) return;
  const at = mat.cards.get(chosen)?.element;
  if (play.takes(chosen)) play.pick(chosen);
  else menu.open(chosen, at?.isConnected ? at : (mat.zones.get(key)?.label ?? mat.element));
}
