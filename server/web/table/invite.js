/** Before the deal: who is missing, and how to bring them here. */

import { button, h, icon, toast } from "../dom.js";
import { excuse } from "../session.js";
import { thisWindow } from "../store.js";
import { t, tn } from "../words.js";

/** @param {import("./page.js").TablePage} page @returns {import("./tray.js").Content} */
export function invite({ table, names }) {
  const seats = Object.entries(table.view.seats);
  const missing = seats.filter(([, seat]) => !seat.name).length;
  const away = seats.filter(([key, seat]) => seat.name && table.presence && !table.presence.seats[key]?.online).map(([key]) => names.seat(Number(key)));
  const code = thisWindow()?.getItem(`upcard.code.${table.room}`) ?? "";
  const link = code ? `${location.origin}/join/${code}` : `${location.origin}/table/${table.room}`;
  const title = missing ? tn("invite.missing", missing) : away.length ? t("invite.away", { who: away.join(", ") }) : t("invite.dealing");
  const extra = missing ? h("div", { class: "invite" }, code && h("p", { class: "code", "aria-label": t("invite.code", { code: [...code].join(" ") }) }, code), h("p", { class: "link" }, link)) : null;
  const actions = missing ? [copyButton(link)] : [];
  const mine = table.presence?.seats[table.seat ?? -1];
  if (mine?.ready !== undefined) actions.push(button(t(mine.ready ? "invite.unready" : "invite.ready"), () => void table.tell("ready", { yes: !mine.ready }).catch(excuse), { class: mine.ready ? "" : "primary", "data-key": "ready" }));
  const unready = seats.filter(([key]) => table.presence?.seats[key]?.ready === false).map(([key]) => names.seat(Number(key)));
  const note = missing ? t("invite.note") : unready.length ? t("invite.unready.who", { who: unready.join(", ") }) : "";
  return { kind: "waiting", title, note, extra, actions, until: table.presence?.ready_by ?? 0, key: JSON.stringify([missing, away, code, mine?.ready, unready]) };
}

/** A button that gives an address away. @param {string} link @param {string} [kind] */
export function copyButton(link, kind = "primary") {
  const made = button(t("share.copy"), () => void share(link), { class: kind, "data-key": "copy" });
  made.prepend(icon("share"));
  return made;
}

/** Hand an address to whatever this device shares with, or to its clipboard. @param {string} link */
export async function share(link) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: link });
    else {
      await navigator.clipboard.writeText(link);
      toast(t("share.copied"), "good");
    }
  } catch {
    toast(link); // neither is allowed: at least it can be read
  }
}
