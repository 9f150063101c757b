/** What the browser remembers: settings, who somebody is, their decks. Without permission it only lasts until the page is left. */

/** @typedef {{language: string, theme: "auto" | "light" | "dark", speed: "off" | "fast" | "normal" | "slow", sound: boolean, notify: boolean, size: number, careful: boolean, keys: boolean, debug: boolean}} Settings */

/** @type {Settings} */
const USUAL = { language: "", theme: "auto", speed: "normal", sound: true, notify: false, size: 100, careful: false, keys: true, debug: false };

/** @type {Map<string, string>} */
const memory = new Map();
/** @type {Set<(settings: Settings) => void>} */
const ears = new Set();

/** @param {string} name @returns {string | null} */
export function recall(name) {
  try {
    return localStorage.getItem(`upcard.${name}`);
  } catch {
    return memory.get(name) ?? null;
  }
}

/** @param {string} name @param {string | null} value */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`upcard.${name}`);
    else localStorage.setItem(`upcard.${name}`, value);
  } catch {
    if (value === null) memory.delete(name);
    else memory.set(name, value);
  }
}

/** Something that was kept as JSON; what cannot be read counts as nothing. @template T @param {string} name @param {T} otherwise @returns {T} */
export function recallAll(name, otherwise) {
  try {
    return JSON.parse(recall(name) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a move through a reload of this one window. @returns {Storage | undefined} */
export function thisWindow() {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** @type {Settings} */
export const settings = { ...USUAL, ...recallAll("settings", {}) };

/** Change settings and tell whoever cares. @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  remember("settings", JSON.stringify(settings));
  for (const ear of ears) ear(settings);
}

/** Be told of every change, and of how it stands now. @param {(settings: Settings) => void} ear */
export function follow(ear) {
  ears.add(ear);
  ear(settings);
  return () => void ears.delete(ear);
}

/** Whether things may move on the screen, and how long a movement takes; 0 is not at all. */
export function pace() {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return calm ? 0 : { off: 0, fast: 0.5, normal: 1, slow: 1.8 }[settings.speed];
}

// decks

/** @typedef {{name: string, cards: string[]}} Deck */

/** The decks that somebody built for a game. @param {string} game @returns {Deck[]} */
export function decksOf(game) {
  return recallAll(`decks.${game}`, /** @type {Deck[]} */ ([])).filter((deck) => typeof deck?.name === "string" && Array.isArray(deck?.cards));
}

/** @param {string} game @param {Deck[]} decks */
export function keepDecks(game, decks) {
  remember(`decks.${game}`, JSON.stringify(decks));
}
