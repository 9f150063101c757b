/** The page of one game: what it is, how to begin, its rules, its cards. */

import { button, h } from "../dom.js";
import { link } from "../router.js";
import { findGame, upcard } from "../session.js";
import { need } from "../styles.js";
import { front } from "../table/card.js";
import { palette } from "../table/colours.js";
import { Names } from "../table/names.js";
import { t } from "../words.js";
import { guide } from "./guide.js";
import { makeTable, playAlone, playBot } from "./make.js";
import { picture } from "./picture.js";

/** @param {HTMLElement} root @param {string[]} parts */
export async function show(root, [id]) {
  await need("card", "pages");
  const game = await findGame(id);
  document.title = `${game.title} · Upcard`;
  const rules = h("article", { class: "guide" });
  const names = new Names(game);
  const colours = palette(game);
  const faces = Object.keys(game.catalogue);
  root.append(h("section", { class: "page game-page" },
    h("div", { class: "hero" }, picture(game), h("div", {},
      h("h1", {}, game.title),
      h("p", { class: "lead" }, game.about),
      h("div", { class: "row" },
        button(t("home.make"), () => void makeTable(game), { class: "primary big" }),
        game.seats[1] > 1 ? game.bots.length > 0 && button(t("home.bot"), () => void playBot(game)) : button(t("home.alone"), () => void playAlone(game)),
        Object.keys(game.decks).length > 0 && link(`/decks/${id}`, [t("deck.build")], { class: "button plain" })))),
    rules,
    h("h2", {}, t("game.cards", { n: faces.length })),
    h("div", { class: "spread" }, faces.map((face) => h("div", { class: "card shown", role: "img", "aria-label": `${names.spoken({ face, owner: -1 })}. ${game.catalogue[face].text ?? ""}` }, front({ face, owner: -1 }, names, colours))))));
  const text = await upcard.http("GET", `/api/games/${encodeURIComponent(id)}/guide`).catch(() => "");
  rules.append(...guide(String(text)).filter((part) => part.tagName !== "H1"));
}
