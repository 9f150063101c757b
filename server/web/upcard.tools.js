/** What every client needs, whatever it plays: listening, merge patches, checksums, filling offers. Part of `upcard.js`. */

/** @typedef {import("./upcard.wire.d.ts").View} View */
/** @typedef {import("./upcard.wire.d.ts").Offer} Offer */
/** @typedef {import("./upcard.wire.d.ts").Slot} Slot */
/** @typedef {import("./upcard.wire.d.ts").Move} Move */

const SEATS = 16; // numbers below this are seats, from here on cards

/** Somebody to listen to. */
export class Emitter {
  /** @type {Map<string, Set<(news: any) => void>>} */
  #ears = new Map();

  /** Listen; the answer stops listening. @param {string} name @param {(news: any) => void} ear @returns {() => void} */
  on(name, ear) {
    const ears = this.#ears.get(name) ?? new Set();
    this.#ears.set(name, ears.add(ear));
    return () => void ears.delete(ear);
  }

  /** Tell whoever listens. @param {string} name @param {unknown} [news] */
  emit(name, news) {
    for (const ear of [...(this.#ears.get(name) ?? [])]) ear(news);
  }
}

/** The server said no, and why. Nothing has changed. */
export class Refusal extends Error {
  /** @param {{code: string, text: string, retry?: boolean, warn?: boolean, say?: [string, Record<string, unknown>]}} no */
  constructor(no) {
    super(no.text);
    this.code = no.code;
    this.retry = no.retry ?? false;
    this.warn = no.warn ?? false; // the same with `sure` would pass
    this.say = no.say;
  }
}

/** A view with a merge patch applied (RFC 7396). Neither is changed, and what did not change is the same object. @param {any} view @param {any} patch @returns {any} */
export function merge(view, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const merged = view !== null && typeof view === "object" && !Array.isArray(view) ? { ...view } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

/** A value as JSON with its keys in order and no spaces: what checksums are made of. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** Hexadecimal, or nothing where the browser does not trust the page with it (no https). @param {Uint8Array<ArrayBuffer>} bytes */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return "";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the seed of a replay is the one that was promised at the deal; null if that cannot be worked out here. @param {{seed: string, commitment: string}} replay */
export async function seedFits({ seed, commitment }) {
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (two) => parseInt(two, 16));
  const digest = await sha256(bytes);
  return digest ? digest === commitment : null;
}

/** The move that an offer makes with its slots filled. @param {Offer} offer @param {Record<string, unknown>} [picks] @returns {Move} */
export function fill(offer, picks = {}) {
  return { type: offer.type, ...(offer.card ? { card: offer.card } : {}), ...picks };
}

/** What an entry of a slot is. @param {number | string} entry @param {View} view @returns {"seat" | "card" | "zone" | "word"} */
export function kindOf(entry, view) {
  if (typeof entry === "number") return entry < SEATS ? "seat" : "card";
  return view.zones?.[entry] ? "zone" : "word";
}

/** Offers that differ only in what may be chosen, and a choice that is half made. Every complete one is a legal move. */
export class Choice {
  /** @param {Offer[]} offers of one type, one card and the same slots */
  constructor(offers) {
    this.offers = offers;
    this.at = 0;
    /** @type {Record<string, (number | string)[] | number>} */
    this.picks = {};
  }

  /** The slots in their order. */
  get slots() {
    return this.offers[0].slots ?? [];
  }

  get done() {
    return this.at >= this.slots.length;
  }

  /** The offers that what was picked so far fits. */
  get fitting() {
    return this.offers.filter((offer) => (offer.slots ?? []).every((slot) => slotTakes(slot, this.picks[slot.name])));
  }

  /** The slot that is to be filled now, with everything that any fitting offer takes. @returns {Slot & {from: (number | string)[], least: number, most: number}} */
  get slot() {
    const name = this.slots[this.at].name;
    const found = this.fitting.map((offer) => /** @type {Slot} */ (offer.slots?.find((slot) => slot.name === name)));
    const from = [...new Set(found.flatMap((slot) => slot.from ?? []))];
    const ranges = found.flatMap((slot) => (slot.range ? [slot.range] : []));
    const range = /** @type {[number, number]} */ ([Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))]);
    const least = Math.min(...found.map((slot) => slot.least ?? 1));
    const most = Math.max(...found.map((slot) => Math.min(slot.most ?? 1, slot.from?.length ?? 1)));
    return { name, from, least, most, ...(ranges.length ? { range } : {}) };
  }

  /** What is picked for the slot that is to be filled now. @returns {(number | string)[]} */
  get picked() {
    const found = this.picks[this.slots[this.at]?.name];
    return Array.isArray(found) ? found : [];
  }

  /** Whether the slot may be left as it is. */
  get enough() {
    const { name, range, least, most } = this.slot;
    if (range) return this.picks[name] !== undefined;
    const { picked } = this;
    return picked.length >= least && picked.length <= most && this.offers.some((offer) => offer.slots?.some((slot) => slot.name === name && slotTakes(slot, picked) && isWorth(slot, picked)));
  }

  /** Pick an entry, or put it back; a number of a range is just taken. @param {number | string} entry */
  toggle(entry) {
    const { name, range, most } = this.slot;
    const old = this.picked;
    if (range) this.picks[name] = Number(entry);
    else if (old.includes(entry)) this.picks[name] = old.filter((one) => one !== entry);
    else this.picks[name] = most === 1 ? [entry] : [...old, entry].slice(-most);
    if (!range && !(/** @type {unknown[]} */ (this.picks[name]).length)) delete this.picks[name];
  }

  /** On to the next slot; an empty choice is a choice too. */
  next() {
    const { name, range } = this.slot;
    if (!range) this.picks[name] = this.picked;
    this.at += 1;
  }

  /** Back to the slot before, or nowhere. */
  back() {
    delete this.picks[this.slots[this.at]?.name];
    if (this.at) delete this.picks[this.slots[--this.at].name];
  }

  /** The offer that this came down to. */
  get offer() {
    return this.fitting[0];
  }

  /** The move. */
  get move() {
    return fill(this.offer, this.picks);
  }
}

/** Whether a slot takes what is picked so far; nothing yet is always fine. @param {Slot} slot @param {(number | string)[] | number | undefined} picked */
function slotTakes(slot, picked) {
  if (picked === undefined) return true;
  if (typeof picked === "number") return slot.range !== undefined && picked >= slot.range[0] && picked <= slot.range[1];
  return picked.length <= (slot.most ?? 1) && picked.every((entry) => slot.from?.includes(entry));
}

/** What the picked entries come to, where they are worth something. @param {Slot} slot @param {(number | string)[]} picked */
export function worthOf({ from = [], worth = [] }, picked) {
  return picked.reduce((/** @type {number} */ sum, entry) => sum + (worth[from.indexOf(entry)] ?? 0), 0);
}

/** @param {Slot} slot @param {(number | string)[]} picked */
const isWorth = (slot, picked) => !slot.total || worthOf(slot, picked) >= slot.total;

/** Offers put together that are one thing to do: same kind, same card, same slots, and only the price or the targets differ. @param {Offer[]} offers @returns {Offer[][]} */
export function alike(offers) {
  /** @type {Map<string, Offer[]>} */
  const found = new Map();
  for (const offer of offers) {
    const slots = (offer.slots ?? []).map((slot) => slot.name + (slot.range ? "#" : ""));
    const price = slots.length ? "" : JSON.stringify(offer.cost ?? {});
    const key = [offer.type, offer.card ?? 0, offer.label, ...slots, price].join("|");
    found.set(key, [...(found.get(key) ?? []), offer]);
  }
  return [...found.values()];
}
