/** Making a table: who sits where, the game's own options, time to think, who may come and who may watch. */

import { button, dialog, h } from "../dom.js";
import { plain, t } from "../words.js";
import { deckPicker } from "./deckpicker.js";
import { CLOCKS, open } from "./opening.js";

/** @typedef {import("../upcard.wire.d.ts").GameFacts} GameFacts */
/** @typedef {import("../upcard.wire.d.ts").Option} Option */
/** @typedef {import("../upcard.wire.d.ts").RoomRequest} RoomRequest */

/** Ask for a table, and go there once it stands. @param {GameFacts} game @param {{hidden?: boolean}} [how] */
export async function makeTable(game, { hidden = false } = {}) {
  const form = tableForm(game, hidden);
  const asked = await dialog(t("make.title", { game: game.title }), (close) => [
    h("form", { method: "dialog", class: "make", on: { submit: (/** @type {Event} */ event) => (event.preventDefault(), close(form.request())) } },
      form.element, h("div", { class: "row end" }, button(t("cancel"), () => close(), { class: "plain" }), h("button", { class: "primary" }, t("make.open")))),
  ], "making");
  if (asked) await open(asked);
}

/** A match against a bot, in one more click. @param {GameFacts} game */
export async function playBot(game) {
  const bots = [...game.bots].sort((one, other) => strength(one) - strength(other));
  const deck = deckPicker(game);
  const bot = bots.length === 1 && !deck.element ? bots[0] : await dialog(t("bot.title", { game: game.title }), (close) => [
    deck.element,
    h("div", { class: "list" }, bots.map((name) => button(botName(name), () => close(name), { class: "entry" }))),
  ], "bots");
  if (bot) await open({ game: game.id, seats: ["me", ...Array.from({ length: Math.max(1, game.company - 1) }, () => `bot:${bot}`)], deck: deck.value(), private: true });
}

/** A game for one. @param {GameFacts} game */
export async function playAlone(game) {
  await open({ game: game.id, seats: ["me"], private: true });
}

/** @param {string} name */
const strength = (name) => ({ random: 0, greedy: 1, mcts: 2 })[name] ?? 3;
/** @param {string} name */
const botName = (name) => (t(`bot.${name}`) === `bot.${name}` ? plain(name) : t(`bot.${name}`));

/** @param {GameFacts} game @param {boolean} hidden @returns {{element: HTMLElement, request: () => RoomRequest}} */
function tableForm(game, hidden) {
  const [least, most] = game.seats;
  const deck = deckPicker(game);
  const chairs = h("div", { class: "chairs" });
  const count = choice("seats", t("make.players"), Object.fromEntries(Array.from({ length: most - least + 1 }, (_, n) => [String(least + n), String(least + n)])), String(Math.max(2, least)));
  const seat = (/** @type {number} */ n) => choice(`chair-${n}`, t("seat.n", { n: n + 1 }), { open: t("make.open_seat"), ...Object.fromEntries(game.bots.map((bot) => [`bot:${bot}`, botName(bot)])) }, "open");
  /** @type {ReturnType<typeof choice>[]} */
  let seats = [];
  const sit = () => {
    seats = Array.from({ length: Number(count.value()) - 1 }, (_, n) => seats[n] ?? seat(n + 1));
    chairs.replaceChildren(...seats.map((one) => one.element));
  };
  count.input.addEventListener("change", sit);
  sit();
  const options = game.options.map((option) => optionField(option));
  const clock = choice("clock", t("make.clock"), Object.fromEntries(Object.keys(CLOCKS).map((name) => [name, t(`clock.${name}`)])), "none");
  const secret = h("input", { type: "checkbox", id: "make-private", checked: hidden });
  const series = choice("series", t("make.series"), { 1: t("make.series.one"), 3: t("make.series.more", { n: 3 }), 5: t("make.series.more", { n: 5 }), 7: t("make.series.more", { n: 7 }) }, "1");
  const ready = h("input", { type: "checkbox", id: "make-ready" });
  const leavers = choice("leavers", t("make.leavers"), { wait: t("make.leavers.wait"), out: t("make.leavers.out"), ...Object.fromEntries(game.bots.map((bot) => [`bot:${bot}`, t("make.leavers.bot", { bot: botName(bot) })])) }, "wait");
  const watch = choice("watch", t("make.watch"), { "": t("make.watch.usual"), all: t("make.watch.all"), code: t("make.watch.code"), nobody: t("make.watch.nobody") }, "");
  const delay = choice("delay", t("make.delay"), { 0: t("make.delay.none"), 1: t("make.delay.one"), 3: t("make.delay.three"), "30s": t("make.delay.half") }, "0");
  const element = h("div", { class: "fields" },
    least !== most && count.element, chairs, deck.element,
    options.length > 0 && h("fieldset", {}, h("legend", {}, t("make.options")), options.map((one) => one.element)),
    clock.element, h("p", { class: "field check" }, secret, h("label", { for: secret.id }, t("make.private"))),
    h("details", {}, h("summary", {}, t("make.watching")), watch.element, delay.element),
    h("details", {}, h("summary", {}, t("make.more")), series.element, leavers.element, h("p", { class: "field check" }, ready, h("label", { for: ready.id }, t("make.ready")))));
  const request = () => {
    const late = delay.value();
    const who = /** @type {"" | "all" | "code" | "nobody"} */ (watch.value());
    return {
      game: game.id,
      seats: ["me", ...seats.map((one) => one.value())],
      deck: deck.value(),
      options: Object.fromEntries(options.map((one) => [one.name, one.value()])),
      clock: CLOCKS[clock.value()],
      private: secret.checked,
      best_of: Number(series.value()),
      ready: ready.checked,
      leavers: leavers.value(),
      watch: who || late !== "0" ? { who: who || (secret.checked ? "code" : "all"), delay: late.endsWith("s") ? { ms: parseInt(late, 10) * 1000 } : { moves: Number(late) } } : null,
    };
  };
  return { element, request: /** @type {() => RoomRequest} */ (request) };
}

/** @param {string} name @param {string} label @param {Record<string, string>} choices @param {string} chosen */
function choice(name, label, choices, chosen) {
  const input = h("select", { id: `make-${name}` }, Object.entries(choices).map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return { input, element: h("p", { class: "field" }, h("label", { for: input.id }, label), input), value: () => input.value };
}

/** A field for an option of the game, drawn from its type. @param {Option} option */
function optionField(option) {
  const id = `option-${option.name}`;
  const label = h("label", { for: id }, plain(option.name));
  const hint = h("span", { class: "hint", id: `${id}-hint` }, option.text);
  if (option.kind === "choice") {
    const input = h("select", { id, "aria-describedby": hint.id }, (option.choices ?? []).map((word) => h("option", { value: word, selected: word === option.default }, plain(word))));
    return { name: option.name, element: h("p", { class: "field" }, label, input, hint), value: () => /** @type {unknown} */ (input.value) };
  }
  const number = option.kind === "number";
  const input = number ? h("input", { type: "number", id, min: option.least, max: option.most, value: option.default, "aria-describedby": hint.id }) : h("input", { type: "checkbox", id, checked: option.default === true, "aria-describedby": hint.id });
  return { name: option.name, element: h("p", { class: number ? "field" : "field check" }, ...(number ? [label, input] : [input, label]), hint), value: () => /** @type {unknown} */ (number ? Number(input.value) : input.checked) };
}
