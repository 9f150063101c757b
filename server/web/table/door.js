/** Coming to a table: back to one's own seat, down on a free one, or to watch. */

import { button, fillWith, h, icon } from "../dom.js";
import { deckPicker } from "../home/deckpicker.js";
import { picture } from "../home/picture.js";
import { excuse, findGame, upcard } from "../session.js";
import { thisWindow } from "../store.js";
import { t, tn } from "../words.js";

/** @typedef {import("../upcard.js").Table} Table */
/** @typedef {import("../upcard.wire.d.ts").RoomFacts} RoomFacts */

/** Remember that a seat here is ours. @param {string} room */
const mine = (room) => `upcard.seat.${room}`;

/** @param {HTMLElement} root @param {string} room @returns {Promise<Table | null>} null if somebody left instead */
export async function door(root, room) {
  if (thisWindow()?.getItem(mine(room)) || (await playsHere(room))) return sit({ room });
  /** @type {RoomFacts} */
  const facts = await upcard.http("GET", `/api/rooms/${encodeURIComponent(room)}`);
  if (facts.status === "open" && facts.seats.some((seat) => !seat.name)) return ask(root, facts, "");
  return upcard.join({ room, watch: true });
}

/** Sit down, and know it again after a reload. @param {{room?: string, code?: string, deck?: string | string[] | null}} where */
export async function sit(where) {
  const table = await upcard.join(where);
  thisWindow()?.setItem(mine(table.room), "1");
  return table;
}

/** Whether one of our running matches is here, as far as the server has told us. @param {string} room */
async function playsHere(room) {
  if (upcard.link.state !== "open") await new Promise((resolve) => {
    const stop = upcard.on("welcome", () => (stop(), resolve(null)));
    setTimeout(() => (stop(), resolve(null)), 4000);
  });
  return upcard.tables.get(room)?.seat !== undefined || upcard.playing.has(room);
}

/** Ask whether somebody wants to sit or to watch. @param {HTMLElement} root @param {RoomFacts} facts @param {string} code @returns {Promise<Table | null>} */
export async function ask(root, facts, code) {
  const game = await findGame(facts.game);
  const where = code ? { room: facts.room, code } : { room: facts.room };
  const here = facts.seats.flatMap((seat) => (seat.name ? [seat.name] : []));
  const picker = deckPicker(game, facts.options);
  return new Promise((resolve) => {
    const take = (/** @type {() => Promise<Table>} */ how) => how().then(resolve, excuse);
    const sitDown = button(t("door.sit"), () => void take(() => sit({ ...where, deck: picker.value() })), { class: "primary big" });
    const look = button(t("door.watch"), () => void take(() => upcard.join({ ...where, watch: true })), { class: "plain" });
    look.prepend(icon("eye"));
    const free = facts.seats.length - here.length;
    const who = here.join(", ");
    fillWith(root, h("section", { class: "page narrow door" },
      picture(game), h("h1", {}, game.title),
      h("p", { class: "lead" }, !free ? t("door.playing", { who }) : here.length ? tn("door.here", here.length, { who }) : t("door.nobody")),
      h("p", { class: "hint" }, free ? tn("door.free", free) : t("door.full")),
      free > 0 && picker.element,
      h("div", { class: "row" }, free > 0 && sitDown, facts.watch !== "nobody" && look)));
    sitDown.focus({ preventScroll: true });
  });
}
