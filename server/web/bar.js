/** The bar on top of every page: where one is, how the connection stands, who one is, and the way back to a match. */

import { announce, arrange, button, dialog, fillWith, h, icon, iconButton, write } from "./dom.js";
import { watchQueue } from "./home/seek.js";
import { link } from "./router.js";
import { allGames, excuse, myName, rename, upcard } from "./session.js";
import { change, follow, settings } from "./store.js";
import { t } from "./words.js";

const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const notices = /** @type {HTMLElement} */ (document.getElementById("notices"));
const middle = h("div", { class: "middle" });
const dot = h("span", { class: "dot", role: "img" });
const name = h("button", { type: "button", class: "who", on: { click: () => void askName() } });
/** @type {Map<string, string>} */
const playing = new Map(); // rooms in which somebody waits for us, with their games
/** @type {Record<string, string>} */
const titles = {};
/** @type {HTMLElement | null} */
let trouble = null;
let ticking = 0;
let settled = false; // whether we were ever connected

/** Put the bar up and keep it true. */
export function start() {
  const sound = iconButton("sound", "", () => change({ sound: !settings.sound }));
  follow(({ sound: on }) => {
    const label = t(on ? "bar.mute" : "bar.unmute");
    fillWith(sound, icon(on ? "sound" : "mute"));
    sound.title = label;
    sound.setAttribute("aria-label", label);
  });
  const tools = h("nav", { class: "tools", "aria-label": t("bar.tools") }, dot, sound, link("/settings", [icon("gear")], { class: "round", title: t("settings.title"), "aria-label": t("settings.title") }), name);
  fillWith(bar, link("/", [h("span", { class: "glyph", "aria-hidden": "true" }), "Upcard"], { class: "brand" }), middle, tools);
  upcard.on("link", showLink);
  upcard.on("renamed", showName);
  upcard.on("welcome", ({ seats }) => {
    playing.clear();
    for (const seat of seats) playing.set(seat.room, seat.game);
    showMatches();
  });
  void allGames().then((games) => (games.forEach((game) => (titles[game.id] = game.title)), showMatches()), () => {});
  addEventListener("popstate", showMatches);
  watchQueue(notices);
  showName();
  showLink();
}

/** What a page wants to stand in the middle of the bar. @param {import("./dom.js").Child[]} children */
export function inBar(...children) {
  fillWith(middle, ...children);
  showMatches();
  return () => fillWith(middle);
}

/** A match begins or goes on, or it is over. @param {string} room @param {string} game @param {boolean} on */
export function matchIs(room, game, on) {
  if (on === playing.has(room)) return;
  if (on) playing.set(room, game);
  else playing.delete(room);
  showMatches();
}

/** The matches that wait for us. */
export const myMatches = () => [...playing].map(([room, game]) => ({ room, game, title: titles[game] ?? game }));

/** Ask what somebody wants to be called. */
export async function askName() {
  const input = h("input", { id: "my-name", maxlength: 24, value: myName(), autocomplete: "nickname", required: true });
  const wanted = await dialog(t("name.title"), (close) => [
    h("form", { method: "dialog", on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), close(input.value.trim())) } },
      h("label", { for: input.id }, t("name.label")), input, h("p", { class: "hint" }, t("name.hint")),
      h("div", { class: "row end" }, button(t("cancel"), () => close(), { class: "plain" }), h("button", { class: "primary" }, t("name.save")))),
  ], "naming");
  if (wanted) await rename(wanted).catch(excuse);
}

function showName() {
  fillWith(name, h("span", { class: "avatar", "aria-hidden": "true", "data-letter": [...myName()][0] ?? "?" }), h("span", { class: "name" }, myName()));
  name.title = t("name.title");
  name.setAttribute("aria-label", t("name.yours", { name: myName() }));
}

function showMatches() {
  const here = location.pathname;
  const shown = myMatches().filter(({ room }) => here !== `/table/${room}`).map(({ room, title }) =>
    h("p", { class: "notice match" }, t("match.waits", { game: title }), link(`/table/${room}`, [t("match.return")], { class: "button small primary" })));
  const queue = [...notices.querySelectorAll(".seeking")];
  arrange(notices, [...(trouble ? [trouble] : []), ...(here.startsWith("/table/") ? [] : shown), ...queue]);
}

function showLink() {
  const { state, code, leaving } = upcard.link;
  const good = state === "open";
  const key = good ? "link.open" : state === "closed" && code !== 0 && code !== 1000 ? "link.closed" : "link.trying";
  dot.className = `dot ${good ? "good" : state === "closed" && code ? "bad" : "busy"}`;
  dot.title = t(key);
  dot.setAttribute("aria-label", t(key));
  clearInterval(ticking);
  if (good) {
    if (trouble) announce(t("link.back"));
    settled = true;
    trouble = null;
  } else if (settled || (state !== "connecting" && code)) {
    trouble ??= h("p", { class: "notice trouble" });
    tellTrouble(trouble, state, code, leaving);
  }
  showMatches();
}

/** @param {HTMLElement} box @param {string} state @param {number} code @param {boolean} leaving */
function tellTrouble(box, state, code, leaving) {
  if (state === "closed") {
    fillWith(box, t(`link.code.${[4400, 4401, 4403, 4406, 4409].includes(code) ? code : "other"}`), button(t("link.reload"), () => location.reload(), { class: "small" }));
    return;
  }
  const count = h("b", {});
  const tick = () => write(count, upcard.link.until > Date.now() ? `${Math.ceil((upcard.link.until - Date.now()) / 1000)} s` : "…");
  fillWith(box, h("span", { class: "spin", "aria-hidden": "true" }), `${t(leaving ? "link.leaving" : "link.lost")} `, t("link.again"), " ", count,
    state === "waiting" && button(t("link.now"), () => upcard.retry(), { class: "small" }));
  tick();
  ticking = setInterval(tick, 250);
}
