/** What one may do at a table beside playing: propose something, answer it, give up, claim, be left in peace. */

import { button, dialog, h, icon } from "../dom.js";
import { go } from "../router.js";
import { excuse, upcard } from "../session.js";
import { change, settings } from "../store.js";
import { t } from "../words.js";
import { confirm } from "./confirm.js";
import { share } from "./invite.js";

/** @typedef {import("./page.js").TablePage} TablePage */

/** @param {TablePage} page */
export async function tableTools(page) {
  const { table, game } = page;
  const playing = table.seat !== undefined && !table.over && table.view.turn !== undefined;
  const people = Object.entries(table.presence?.seats ?? {}).filter(([seat, here]) => Number(seat) !== table.seat && here.id);
  const chosen = await dialog(t("table.more"), (close) => {
    const entry = (/** @type {string} */ name, /** @type {string} */ sign, show = true) => (show ? [withIcon(sign, t(`talk.${name}`), () => close(name))] : []);
    return [h("div", { class: "list" },
      entry("takeback", "left", playing), entry("draw", "swap", playing), entry("pause", "pause", playing && !!table.clock), entry("resign", "flag", playing),
      entry("rules", "list"), entry("keys", "more"), entry("share", "share"), entry("side", "swap", table.seat === undefined),
      entry("full", "full"), entry("settings", "gear"), entry("debug", "bug"), entry("leave", "home"),
      people.map(([seat]) => withIcon("person", t("talk.about", { who: page.names.seat(Number(seat)) }), () => close(`about ${seat}`))))];
  }, "tools");
  /** @type {Record<string, () => unknown>} */
  const does = {
    takeback: () => propose(page, "takeback"),
    draw: () => propose(page, "draw"),
    pause: () => propose(page, "pause"),
    rules: () => go(`/games/${game.id}`),
    keys: () => page.help(),
    share: () => share(`${location.origin}/table/${table.room}`),
    side: () => page.turn(),
    full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {}),
    settings: () => go("/settings"),
    debug: () => change({ debug: !settings.debug }),
    resign: () => resign(page),
    leave: () => go("/"),
  };
  if (chosen?.startsWith("about ")) await aboutSomebody(page, Number(chosen.slice(6)));
  else await does[chosen]?.();
}

/** Propose something to the others, or agree to what they propose. @param {TablePage} page @param {string} what */
export async function propose({ table, log }, what) {
  try {
    await table.tell("propose", { what });
    if (table.proposals.has(what)) log.note(t(`propose.${what}.yours`));
  } catch (no) {
    excuse(no);
  }
}

/** Give up, after a second thought. @param {TablePage} page */
export async function resign({ table }) {
  if (await confirm(t("talk.resign.title"), [t("talk.resign.note")], t("talk.resign"))) await table.tell("resign").catch(excuse);
}

/** What can be done about somebody who does not behave. @param {TablePage} page @param {number} seat */
async function aboutSomebody({ table, names }, seat) {
  const user = table.presence?.seats[seat]?.id;
  const host = !table.view.turn && !table.over && table.presence?.host === upcard.user.id; // whoever opened the table, before the deal
  const chosen = await dialog(names.seat(seat), (close) => [h("div", { class: "list" },
    withIcon("person", t("talk.profile"), () => close("profile")), withIcon("mute", t("talk.mute"), () => close("mute")), withIcon("cross", t("talk.block"), () => close("block")),
    host && withIcon("door", t("talk.kick"), () => close("kick")),
    ["talk", "name", "cheating", "stalling", "other"].map((why) => withIcon("flag", t("talk.report", { why: t(`talk.why.${why}`) }), () => close(why))))], "about-somebody");
  if (!chosen) return;
  if (chosen === "profile") return go(`/player/${user}`);
  const told = chosen === "mute" || chosen === "kick" ? table.tell(chosen, { seat }) : chosen === "block" ? upcard.ask({ t: "block", user }) : table.tell("report", { seat, why: chosen });
  await told.catch(excuse);
}

/** What waits for an answer at this table, as a strip above the tray; nothing if nothing does. @param {TablePage} page @returns {HTMLElement[]} */
export function pending(page) {
  const { table, names } = page;
  if (table.seat === undefined) return [];
  const asked = [...table.proposals.values()].map((one) => {
    const mine = one.seat === table.seat || one.agreed?.includes(table.seat ?? -1);
    const answer = (/** @type {boolean} */ yes) => void table.tell("reply", { what: one.what, yes }).catch(excuse);
    return strip(`proposal ${one.what}`, mine ? t(`propose.${one.what}.yours`) : t(`propose.${one.what}`, { who: names.seat(one.seat) }),
      ...(mine ? (one.seat === table.seat ? [button(t("propose.withdraw"), () => answer(false), { class: "small plain" })] : []) : [button(t("propose.yes"), () => answer(true), { class: "small primary" }), button(t("no"), () => answer(false), { class: "small plain" })]));
  });
  const paused = table.clock?.paused ? [strip("paused", t("talk.paused"), button(t("talk.go_on"), () => void propose(page, "pause"), { class: "small" }))] : [];
  return [...asked, ...paused, ...leavers(page)];
}

/** Somebody has been away for so long that the match may be claimed. @param {TablePage} page */
function leavers({ table, names }) {
  if (table.over || !table.view.turn) return [];
  return Object.entries(table.presence?.seats ?? {}).flatMap(([seat, here]) => {
    if (Number(seat) === table.seat || here.online || !here.until) return [];
    const who = names.seat(Number(seat));
    if (here.until > upcard.now) return [strip(`away ${seat}`, t("claim.wait", { who, s: Math.ceil((here.until - upcard.now) / 1000) }))];
    const claim = (/** @type {string} */ what) => void table.tell("claim", { what }).catch(excuse);
    return [strip(`claim ${seat}`, t("claim.now", { who }), button(t("claim.win"), () => claim("win"), { class: "small primary" }), button(t("claim.draw"), () => claim("draw"), { class: "small" }))];
  });
}

/** @param {string} key @param {string} text @param {HTMLElement[]} buttons */
const strip = (key, text, ...buttons) => h("p", { class: "strip", "data-strip": key }, text, ...buttons);

/** @param {string} sign @param {string} label @param {() => void} act */
function withIcon(sign, label, act) {
  const made = button(label, act, { class: "entry" });
  made.prepend(icon(sign));
  return made;
}
