/** Looking for an opponent: one click, a clock that counts, and the way to the table once somebody is found. */

import { call } from "../alerts.js";
import { announce, button, fillWith, h, icon, write } from "../dom.js";
import { go } from "../router.js";
import { enter, excuse, upcard } from "../session.js";
import { recallAll, remember, thisWindow } from "../store.js";
import { t, tn } from "../words.js";
import { deckPicker } from "./deckpicker.js";
import { CLOCKS, open } from "./opening.js";

/** @typedef {import("../upcard.wire.d.ts").GameFacts} GameFacts */
/** @typedef {import("../upcard.wire.d.ts").Seeking} Seeking */

/** @type {Seeking | null} */
let seeking = null;
/** @type {string} */
let title = "";
/** @type {HTMLElement | null} */
let bar = null;
let ticking = 0;

/** The button that finds an opponent, with what it depends on. @param {GameFacts} game @returns {HTMLElement | null} */
export function seekBox(game) {
  if (game.seats[1] < 2) return null;
  const last = recallAll("seek", { mode: "casual", clock: "usual" });
  const deck = deckPicker(game);
  const choose = (/** @type {string} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ chosen) => h("select", { "aria-label": label, name }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  const mode = choose("mode", t("seek.mode"), [["casual", t("seek.casual")], ["ranked", t("home.ranked")]], last.mode);
  const clock = choose("clock", t("make.clock"), Object.keys(CLOCKS).map((name) => [name, t(`clock.${name}`)]), last.clock);
  const start = async () => {
    remember("seek", JSON.stringify({ mode: mode.value, clock: clock.value }));
    title = game.title;
    try {
      await enter();
      await upcard.seek({ game: game.id, mode: mode.value, clock: CLOCKS[clock.value], deck: deck.value() });
    } catch (no) {
      excuse(no);
    }
  };
  const play = button(t("home.play"), () => void start(), { class: "primary big" });
  play.prepend(icon("play"));
  const box = h("div", { class: "seek", hidden: !upcard.hall }, play, h("div", { class: "row" }, mode, clock), deck.element);
  const stop = upcard.on("hall", () => ((box.hidden = false), stop())); // a server without a lobby has no queue either
  return box;
}

/** Keep whoever seeks informed, on every page. @param {HTMLElement} notices */
export function watchQueue(notices) {
  upcard.on("seeking", (/** @type {Seeking} */ news) => {
    if (news.again) announce(t("seek.again"));
    seeking = news.over ? null : news;
    show(notices);
  });
  upcard.on("matched", ({ room, ready_by }) => {
    seeking = null;
    show(notices);
    thisWindow()?.setItem(`upcard.seat.${room}`, "1");
    call(t("alert.match"), "match");
    announce(t("alert.match"));
    const arrive = () => {
      removeEventListener("visibilitychange", arrive);
      if (document.hidden && upcard.now < ready_by) return void addEventListener("visibilitychange", arrive); // whoever looks elsewhere is called first
      call("");
      if (upcard.now < ready_by) go(`/table/${room}`);
    };
    arrive();
  });
}

/** @param {HTMLElement} notices */
function show(notices) {
  clearInterval(ticking);
  if (!seeking) {
    bar?.remove();
    bar = null;
    return;
  }
  const { game, mode, clock, since, estimate, waiting, bot } = seeking;
  const count = h("b", { class: "count" });
  bar ??= notices.appendChild(h("p", { class: "notice seeking" }));
  const offer = bot ? button(t("seek.bot"), () => void upcard.unseek().then(() => open({ game, seats: ["me", `bot:${bot}`], private: true })).catch(excuse), { class: "small primary" }) : null;
  fillWith(bar, h("span", { class: "spin", "aria-hidden": "true" }), t("seek.looking", { game: title || game }), count,
    h("span", { class: "hint" }, [mode === "ranked" ? t("home.ranked") : "", clock ? "" : t("clock.none"), estimate ? t("seek.about", { time: minutes(estimate) }) : "", tn("seek.waiting", waiting)].filter(Boolean).join(" · ")),
    offer, button(t("cancel"), () => void upcard.unseek().then(() => ((seeking = null), show(notices)), excuse), { class: "small plain" }));
  const tick = () => write(count, minutes(upcard.now - since));
  tick();
  ticking = setInterval(tick, 500);
}

/** @param {number} ms */
function minutes(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
