/** Being oneself on another device, and being nobody any more. */

import { announce, button, dialog, h, toast } from "../dom.js";
import { become, excuse, giveUp, upcard } from "../session.js";
import { t } from "../words.js";

/** What stands about oneself among the settings. */
export function aboutMe() {
  return h("section", { class: "me" },
    h("h2", {}, t("me.title")),
    h("p", { class: "hint" }, t("me.hint")),
    h("div", { class: "row" },
      button(t("me.give"), () => void giveCode()), button(t("me.take"), () => void takeCode()),
      button(t("me.forget"), () => void forget(), { class: "plain" })));
}

async function giveCode() {
  try {
    const { code } = await upcard.http("POST", "/api/session/code");
    const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
    announce(shown.split("").join(" "));
    await dialog(t("me.give"), (close) => [
      h("p", { class: "code", "data-code": code }, shown), h("p", { class: "hint" }, t("me.give.hint")),
      h("div", { class: "row end" }, button(t("me.done"), () => close(), { class: "primary" })),
    ], "passing");
  } catch (no) {
    excuse(no);
  }
}

async function takeCode() {
  const input = h("input", { id: "pass-code", maxlength: 16, autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: false, required: true });
  const code = await dialog(t("me.take"), (close) => [
    h("form", { method: "dialog", on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), close(input.value.trim())) } },
      h("label", { for: input.id }, t("me.code")), input, h("p", { class: "hint" }, t("me.take.hint")),
      h("div", { class: "row end" }, button(t("cancel"), () => close(), { class: "plain" }), h("button", { class: "primary" }, t("me.take.go")))),
  ], "taking");
  if (code) await become(code).then(() => toast(t("me.taken", { name: upcard.user.name }), "good"), excuse);
}

async function forget() {
  const sure = await dialog(t("me.forget"), (close) => [
    h("p", {}, t("me.forget.hint")),
    h("div", { class: "row end" }, button(t("cancel"), () => close(), { class: "plain" }), button(t("me.forget.go"), () => close(true), { class: "danger" })),
  ], "forgetting");
  if (sure) await giveUp().then(() => toast(t("me.forgotten"), "good"), excuse);
}
