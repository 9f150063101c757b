/** Everything that somebody can set to their liking. */

import { mayNotify, play } from "../alerts.js";
import { h } from "../dom.js";
import { link, show as showAgain } from "../router.js";
import { enter, upcard } from "../session.js";
import { aboutMe } from "./me.js";
import { change, settings } from "../store.js";
import { LANGUAGES, learn, t } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root) {
  await enter().catch(() => {});
  document.title = `${t("settings.title")} · Upcard`;
  root.append(h("section", { class: "page narrow settings" },
    h("h1", {}, t("settings.title")),
    h("h2", {}, t("settings.look")),
    choose("language", { "": t("settings.language.auto"), ...LANGUAGES }, async (value) => {
      change({ language: value });
      if (await learn()) location.reload();
    }),
    choose("theme", { auto: t("settings.theme.auto"), light: t("settings.theme.light"), dark: t("settings.theme.dark") }),
    choose("size", { 90: "90 %", 100: "100 %", 115: "115 %", 130: "130 %", 150: "150 %" }, (value) => change({ size: Number(value) })),
    choose("speed", { slow: t("settings.speed.slow"), normal: t("settings.speed.normal"), fast: t("settings.speed.fast"), off: t("settings.speed.off") }),
    h("h2", {}, t("settings.calls")),
    tick("sound", (on) => (change({ sound: on }), on && play("turn"))),
    tick("notify", async (on) => change({ notify: on && (await mayNotify()) }), () => void showAgain()),
    h("h2", {}, t("settings.play")),
    tick("careful"), tick("keys"), tick("debug"),
    upcard.user.id && h("p", {}, link(`/player/${upcard.user.id}`, [t("settings.mine")], { class: "button" })),
    aboutMe()));
}

/** @param {"language" | "theme" | "size" | "speed"} name @param {Record<string, string>} choices @param {(value: string) => unknown} [set] */
function choose(name, choices, set = (value) => change({ [name]: value })) {
  const now = String(settings[name]);
  const input = h("select", { id: `set-${name}`, on: { change: () => void set(input.value) } }, Object.entries(choices).map(([value, text]) => h("option", { value, selected: value === now }, text)));
  return h("p", { class: "field" }, h("label", { for: input.id }, t(`settings.${name}`)), input);
}

/** @param {"sound" | "notify" | "careful" | "keys" | "debug"} name @param {(on: boolean) => unknown} [set] @param {() => void} [after] */
function tick(name, set = (on) => change({ [name]: on }), after = () => {}) {
  const input = h("input", { type: "checkbox", id: `set-${name}`, checked: settings[name], "aria-describedby": `set-${name}-hint`, on: { change: async () => (await set(input.checked), (input.checked = settings[name]), after()) } });
  return h("p", { class: "field check" }, input, h("label", { for: input.id }, t(`settings.${name}`)), h("span", { class: "hint", id: `set-${name}-hint` }, t(`settings.${name}.hint`)));
}
