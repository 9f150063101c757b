/** Every word of the client comes through here. A language is one table; a key that it lacks is said in English. */

import { settings } from "./store.js";
import english from "./texts/en.js";

/** @typedef {Record<string, string>} Texts */

export const LANGUAGES = /** @type {Record<string, string>} */ ({ en: "English", de: "Deutsch" });
const LATER = /** @type {Record<string, () => Promise<{default: Texts}>>} */ ({ de: () => import("./texts/de.js") });

/** @type {Texts} */
let texts = english;
let language = "en";
let plural = new Intl.PluralRules("en");

/** The language that is spoken now. */
export const spoken = () => language;

/** Learn the language that was chosen, or that the browser asks for. */
export async function learn() {
  const wanted = settings.language || navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in LANGUAGES) || "en";
  if (wanted === language) return false;
  texts = wanted in LATER ? { ...english, ...(await LATER[wanted]()).default } : english;
  language = wanted;
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  return true;
}

/** A text with its parts filled in. @param {string} key @param {Record<string, string | number>} [args] */
export function t(key, args = {}) {
  return fillIn(texts[key] ?? key, args);
}

/** A text that depends on a number: `key.one`, `key.other`. @param {string} key @param {number} n @param {Record<string, string | number>} [args] */
export function tn(key, n, args = {}) {
  const form = `${key}.${plural.select(n)}`;
  return t(form in texts ? form : `${key}.other`, { n, ...args });
}

/** A text if there is one. @param {string} key @param {string} otherwise @param {Record<string, string | number>} [args] */
export function tOr(key, otherwise, args = {}) {
  return key in texts ? t(key, args) : otherwise;
}

/** @param {string} template @param {Record<string, string | number>} args */
function fillIn(template, args) {
  return template.replace(/\{(\w+)\}/g, (part, name) => (name in args ? String(args[name]) : part));
}

/** A moment in the words of the language. @param {number} ms */
export function moment(ms) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** How long ago, roughly. @param {number} ms */
export function ago(ms) {
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const steps = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([["day", 86400000], ["hour", 3600000], ["minute", 60000]]);
  const found = steps.find(([, size]) => ms >= size);
  return found ? format.format(-Math.round(ms / found[1]), found[0]) : format.format(-Math.max(0, Math.round(ms / 1000)), "second");
}

/** A change with its sign. @param {number} change */
export const signed = (change) => (change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0");

/** A stretch of time as on a clock: 4:05, and tenths when it gets close. @param {number} ms */
export function span(ms) {
  const left = Math.max(0, ms);
  if (left >= 86400000) return tn("time.days", Math.floor(left / 86400000));
  if (left < 10000) return (left / 1000).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** A key as words: `in_play` is «In play». @param {string} key */
export function plain(key) {
  const words = key.replace(/[_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
