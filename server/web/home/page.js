/** The front page: one click to play, and what goes on here. */

import { myMatches } from "../bar.js";
import { button, fillWith, h, icon } from "../dom.js";
import { go, link } from "../router.js";
import { allGames, excuse, upcard } from "../session.js";
import { recall, remember } from "../store.js";
import { t } from "../words.js";
import { Best } from "./best.js";
import { Lobby } from "./lobby.js";
import { fan, picture } from "./picture.js";
import { seekBox } from "./seek.js";

/** @typedef {import("../upcard.wire.d.ts").GameFacts} GameFacts */

const making = () => import("./make.js");

/** @param {HTMLElement} root */
export async function show(root) {
  const shelf = h("div", { class: "shelf", role: "radiogroup", "aria-label": t("home.games") });
  const doing = h("div", { class: "doing" });
  const back = h("div", { class: "returns" });
  const best = new Best();
  const lobby = new Lobby(best.element);
  root.append(h("div", { class: "page home" },
    h("section", { class: "welcome" }, h("div", {}, h("h1", {}, t("home.headline")), h("p", { class: "lead" }, t("home.lead"))), fan()),
    back,
    h("section", { class: "start" }, shelf, doing),
    codeForm(),
    lobby.element,
    h("footer", { class: "about" }, h("p", {}, t("home.promise")))));
  const matches = () => fillWith(back, myMatches().map(({ room, title }) => link(`/table/${room}`, [icon("play"), t("match.waits", { game: title }), h("b", {}, t("match.return"))], { class: "return" })));
  const stops = [upcard.on("welcome", matches)];
  matches();
  const games = await allGames();
  let chosen = games.find((game) => game.id === recall("game")) ?? games[0];
  const choose = (/** @type {GameFacts} */ game) => {
    chosen = game;
    remember("game", game.id);
    for (const tile of shelf.children) tile.setAttribute("aria-checked", String(/** @type {HTMLElement} */ (tile).dataset.game === game.id));
    for (const tile of shelf.children) /** @type {HTMLElement} */ (tile).tabIndex = /** @type {HTMLElement} */ (tile).dataset.game === game.id ? 0 : -1;
    fillWith(doing, ...begin(game));
    void best.show(game);
  };
  fillWith(shelf, games.map((game) => tile(game, () => choose(game))));
  shelf.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (games.indexOf(chosen) + step + games.length) % games.length;
    choose(games[next]);
    /** @type {HTMLElement} */ (shelf.children[next]).focus();
  });
  if (chosen) choose(chosen);
  if (chosen) shelf.scrollTo({ left: /** @type {HTMLElement} */ (shelf.children[games.indexOf(chosen)]).offsetLeft - shelf.clientWidth / 3 }); // on a phone the shelf is longer than the screen
  lobby.start(games);
  return () => {
    lobby.stop();
    for (const stop of stops) stop();
  };
}

/** @param {GameFacts} game @param {() => void} choose */
function tile(game, choose) {
  const [least, most] = game.seats;
  return h("button", { type: "button", class: "tile", role: "radio", "data-game": game.id, on: { click: choose } }, picture(game),
    h("span", { class: "words" }, h("b", {}, game.title), h("span", { class: "players" }, icon("person"), least === most ? least : `${least}–${most}`)));
}

/** What can be done with the chosen game. @param {GameFacts} game */
function begin(game) {
  const alone = game.seats[1] === 1; // nobody else has a seat: there is nobody to seek, to invite or to play against
  return [
    h("div", { class: "words" }, h("h2", {}, game.title), h("p", {}, game.about), h("p", {}, link(`/games/${game.id}`, [t("home.rules")], { class: "aside" }))),
    seekBox(game),
    h("div", { class: "buttons" }, alone ? withIcon("person", t("home.alone"), () => void making().then((make) => make.playAlone(game))) : [
      game.bots.length > 0 && withIcon("robot", t("home.bot"), () => void making().then((make) => make.playBot(game))),
      withIcon("lock", t("home.private"), () => void making().then((make) => make.makeTable(game, { hidden: true }))),
      withIcon("person", t("home.make"), () => void making().then((make) => make.makeTable(game))),
    ]),
  ];
}

/** @param {string} sign @param {string} label @param {() => void} act */
function withIcon(sign, label, act) {
  const made = button(label, act, { class: "choice" });
  made.prepend(icon(sign));
  return made;
}

/** Somebody has a code from a friend. */
function codeForm() {
  const field = h("input", { id: "code", maxlength: 12, placeholder: "7KQ2MX", autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const code = field.value.trim().toUpperCase();
    if (!code) return field.focus();
    try {
      await upcard.http("GET", `/api/codes/${encodeURIComponent(code)}`);
      go(`/join/${code}`);
    } catch (no) {
      excuse(no);
      field.select();
    }
  };
  return h("form", { class: "code-form", on: { submit } }, h("label", { for: field.id }, t("home.code")), field, h("button", {}, t("home.enter")));
}
