/** Opening a table, and the clocks that may stand on it. */

import { go } from "../router.js";
import { enter, excuse, upcard } from "../session.js";
import { thisWindow } from "../store.js";

/** @typedef {import("../upcard.wire.d.ts").RoomRequest} RoomRequest */

export const CLOCKS = /** @type {Record<string, import("../upcard.wire.d.ts").ClockRequest | null>} */ ({
  none: null,
  quick: { base: 180000, inc: 2000 },
  usual: { base: 600000, inc: 5000 },
  long: { base: 1800000, inc: 10000 },
  decision: { decision: 30000 },
  days: { days: 2 },
});

/** Ask for a table and go there. @param {RoomRequest} request */
export async function open(request) {
  try {
    await enter();
    const made = await upcard.http("POST", "/api/rooms", { ...request, key: crypto.randomUUID?.() ?? String(Math.random()).slice(2).padEnd(10, "0") });
    thisWindow()?.setItem(`upcard.code.${made.room}`, made.code);
    if (made.seat !== undefined) thisWindow()?.setItem(`upcard.seat.${made.room}`, "1");
    go(`/table/${made.room}`);
  } catch (no) {
    excuse(no);
  }
}
