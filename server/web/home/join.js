/** Where an invitation leads: who waits there, and a chair. */

import { go } from "../router.js";
import { enter, upcard } from "../session.js";
import { ask } from "../table/door.js";

/** @param {HTMLElement} root @param {string[]} parts */
export async function show(root, [code]) {
  const [facts] = await Promise.all([upcard.http("GET", `/api/codes/${encodeURIComponent(code)}`), enter()]);
  const there = `/table/${facts.room}`;
  if (sessionStorage.getItem(`upcard.seat.${facts.room}`) || upcard.playing.has(facts.room)) return go(there, { replace: true });
  void ask(root, facts, code).then((table) => table && go(there, { replace: true }));
}
