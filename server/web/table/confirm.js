/** Asks once more before something that cannot be taken back. */

import { button, dialog, h } from "../dom.js";
import { t } from "../words.js";

/** @param {string} what @param {string[]} [reasons] @param {string} [yes] @returns {Promise<boolean>} */
export async function confirm(what, reasons = [], yes = t("yes")) {
  const answer = await dialog(what, (close) => [
    ...reasons.map((reason) => h("p", {}, reason)),
    h("div", { class: "row end" }, button(t("no"), () => close(false), { class: "plain" }), button(yes, () => close(true), { class: "primary", autofocus: true })),
  ], "confirm");
  return answer === true;
}
