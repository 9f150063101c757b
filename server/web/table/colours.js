/** Colours for things that a game only names: the same name always has the same one. */

/** @typedef {{hue: number, chroma: number}} Colour in the terms of oklch, where every hue is equally light */

const NAMED = /** @type {Record<string, number>} */ ({
  red: 25, ruby: 18, orange: 52, amber: 72, gold: 82, yellow: 98, lime: 125, green: 150, emerald: 158, teal: 185, cyan: 212,
  sky: 230, blue: 252, sapphire: 258, indigo: 275, violet: 292, purple: 304, amethyst: 305, magenta: 330, pink: 350, rose: 10,
});
const DULL = /** @type {Record<string, Colour>} */ ({
  brown: { hue: 55, chroma: 0.06 }, tan: { hue: 75, chroma: 0.04 }, steel: { hue: 240, chroma: 0.025 }, silver: { hue: 240, chroma: 0.012 },
  grey: { hue: 250, chroma: 0 }, gray: { hue: 250, chroma: 0 }, black: { hue: 250, chroma: 0 }, white: { hue: 90, chroma: 0.01 },
});
const WHEEL = [252, 48, 152, 335, 92, 295, 205, 18, 125, 270]; // neighbours that are easy to tell apart

/** @param {string} text a number that depends on nothing else */
export function hash(text) {
  let found = 2166136261;
  for (let n = 0; n < text.length; n++) found = Math.imul(found ^ text.charCodeAt(n), 16777619);
  return (found ^ (found >>> 15)) >>> 0;
}

/** A word for a hue or #rgb. @param {string} word @returns {Colour} */
export function colour(word) {
  if (word in NAMED) return { hue: NAMED[word], chroma: 0.13 };
  if (word in DULL) return DULL[word];
  return word.startsWith("#") ? fromHex(word) : { hue: hash(word) % 360, chroma: 0.12 };
}

/**
 * The colour of each value of the fact that colours this game's cards.
 * @param {import("../types.d.ts").Game} game @returns {(face: string | undefined, value: unknown) => Colour}
 */
export function palette(game) {
  const { colour: fact, colours = {} } = game.playmat.card ?? {};
  const values = fact ? [...new Set(Object.values(game.catalogue).map((printed) => one(printed[fact])).filter(Boolean))].sort() : [];
  return (face, value) => {
    const word = one(value);
    if (colours[word]) return colour(colours[word]);
    const place = values.indexOf(word);
    if (place >= 0) return { hue: WHEEL[place % WHEEL.length], chroma: 0.11 };
    return { hue: hash(face ?? "") % 360, chroma: fact ? 0.02 : 0.1 };
  };
}

/** The colour of a player. @param {number} seat */
export const seatHue = (seat) => [235, 25, 145, 80, 310][seat % 5];

/** @param {unknown} value */
const one = (value) => String((Array.isArray(value) ? value[0] : value) ?? "");

/** @param {string} hex @returns {Colour} */
function fromHex(hex) {
  const short = hex.length === 4;
  const [r, g, b] = [0, 1, 2].map((n) => parseInt(short ? hex[n + 1].repeat(2) : hex.slice(1 + 2 * n, 3 + 2 * n), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [x, y] = [1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  return { hue: Math.round((Math.atan2(y, x) * 180) / Math.PI + 360) % 360, chroma: Math.min(0.15, Math.hypot(x, y)) };
}
