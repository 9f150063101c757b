/** The one connection of this window, and who sits in front of it. */

import { announce, toast } from "./dom.js";
import { recall, remember, thisWindow } from "./store.js";
import { Refusal, Upcard } from "./upcard.js";
import { t } from "./words.js";

/** @typedef {import("./upcard.wire.d.ts").GameFacts} GameFacts */
/** @typedef {import("./types.d.ts").Game} Game */

export const upcard = new Upcard({ token: recall("token") ?? "", keep: thisWindow() });

/** @type {Promise<void> | null} */
let opening = null;
/** @type {Promise<GameFacts[]> | null} */
let list = null;
/** @type {Map<string, Promise<Game>>} */
const games = new Map();

/** Be connected, as a guest if as nobody else. Any number may wait for it. */
export function enter() {
  opening ??= upcard.open({ name: recall("name") ?? "" }).then(keep, (no) => {
    opening = null;
    throw no;
  });
  return opening;
}

/** Take another name. @param {string} name */
export async function rename(name) {
  await upcard.session(name);
  keep();
  upcard.emit("renamed");
}

/** Be, from now on, whoever another device is. @param {string} code */
export async function become(code) {
  await upcard.session("", code);
  await startAnew();
}

/** Be nobody any more, and then a new guest. */
export async function giveUp() {
  upcard.close(); // before the server does, which would look like a session that ran out
  try {
    await upcard.http("DELETE", "/api/session");
    upcard.token = upcard.user.name = "";
    remember("name", null);
  } finally {
    await startAnew();
  }
}

async function startAnew() {
  upcard.close();
  remember("token", upcard.token || null);
  opening = null;
  await enter();
}

/** What one is called here. */
export function myName() {
  return upcard.user.name || recall("name") || t("name.guest");
}

function keep() {
  remember("token", upcard.token);
  if (upcard.user.name) remember("name", upcard.user.name);
}

upcard.on("welcome", () => {
  keep();
  upcard.emit("renamed");
});
upcard.on("err", ({ i, code, text }) => i === "hello" && code === "banned" && toast(text, "bad"));
upcard.on("link", ({ state, code }) => {
  if (state !== "closed" || code !== 4401) return;
  upcard.token = ""; // the session ran out, or the server has forgotten its secret: come in as a new guest
  remember("token", null);
  opening = null;
  void enter().catch(() => {});
});

/** What can be played here. @returns {Promise<GameFacts[]>} */
export function allGames() {
  list ??= upcard.http("GET", "/api/games").catch((no) => ((list = null), Promise.reject(no)));
  return list;
}

/** One game with its catalogue, its playmat and its messages. @param {string} id @returns {Promise<Game>} */
export function findGame(id) {
  const found = games.get(id) ?? upcard.http("GET", `/api/games/${encodeURIComponent(id)}`);
  games.set(id, found);
  found.catch(() => games.delete(id));
  return found;
}

/** Tell somebody that something did not work. @param {unknown} no */
export function excuse(no) {
  const text = no instanceof Refusal ? t(`err.${no.code}`) === `err.${no.code}` ? no.message : t(`err.${no.code}`) : t("err.offline");
  if (!(no instanceof Refusal)) console.error(no);
  toast(text, "bad");
  announce(text);
}
