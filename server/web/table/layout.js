/** How large everything is: rows that are needed get their room, the others wait as a thin strip, and all fits the window. */

/** @typedef {import("../types.d.ts").Area} Area */
/** @typedef {import("../upcard.wire.d.ts").View} View */
/** @typedef {import("./mat.js").Drawn} Drawn */

export const RATIO = 5 / 7; // of a card
const LABEL = 22; // px of a row that are not card
const THIN = 0.2; // of a card: a row in which nothing lies
const LOW = 0.56; // of a card: a row with other people's hands, or with what lies beside one's own
const LINGER = 5; // versions that a row stays open after its last card has left
const [SMALLEST, LARGEST] = [56, 236]; // px, the height of a card
const GAP = 10;

/** Choose the size of the cards so that the whole table can be seen at once, if that is possible at all. @param {HTMLElement} mat @param {Drawn[]} drawn @param {number} v the version of the table */
export function fit(mat, drawn, v) {
  const { clientWidth: width, clientHeight: height } = mat;
  if (!width || !height || !drawn.length) return;
  const board = drawn.find((one) => one.board);
  const beside = board !== undefined && width >= 900; // a board and the rest of the table side by side
  mat.classList.toggle("columns", beside);
  const narrow = (beside ? width / 2 : width) < 640 && height > 420; // a phone held upright; held the other way names stand beside
  for (const one of drawn) settle(one, narrow, v);
  const others = drawn.filter((one) => one.kind === "other");
  const across = Math.max(1, narrow ? Math.min(2, others.length) : others.length);
  for (const one of drawn) one.element.classList.toggle("above", narrow || one.crowded || (one.kind === "other" && across > 1));
  mat.style.setProperty("--across", String(across));
  const bands = [...others.filter((_, n) => n % across === 0), ...drawn.filter((one) => one.kind !== "other" && !(beside && one.board))];
  const size = cardSize(bands, beside ? width / 2 : width, height - (beside || !board ? 0 : boardHeight(board, width, height)), narrow);
  mat.style.setProperty("--ch", `${size}px`);
  for (const one of drawn) place(one, size, one.kind === "other" && across > 1 ? 0.72 : 1, beside ? height - 2 * GAP : boardHeight(one, width, height));
}

/** @param {Drawn[]} bands @param {number} width @param {number} height @param {boolean} narrow */
function cardSize(bands, width, height, narrow) {
  const rows = bands.flatMap((band) => band.rows);
  const names = bands.filter((band) => band.element.classList.contains("above")).reduce((sum, { element }) => sum + (element.querySelector(".seat")?.clientHeight ?? 0) + 8, 0);
  const room = height - names - bands.flatMap(labels).reduce((sum, label) => sum + label, 0) - bands.length * GAP;
  const byHeight = room / Math.max(1, rows.reduce((sum, weight) => sum + weight, 0));
  const byWidth = width / (narrow ? 3.6 : 6) / RATIO;
  return Math.floor(Math.max(SMALLEST, Math.min(LARGEST, byHeight, byWidth)));
}

/** @param {Drawn} one @param {number} width @param {number} height */
function boardHeight({ board }, width, height) {
  return board ? Math.min((width / board.width) * board.height, height * 0.5) : 0;
}

/** @param {Drawn} one @param {number} size @param {number} scale @param {number} high px for a board */
function place(one, size, scale, high) {
  const { element, rows, zones, board } = one;
  element.style.setProperty("--scale", String(scale));
  if (board) return board.fit(element.clientWidth, high);
  for (const zone of zones) zone.fit(rows[(zone.at.row ?? 1) - 1], size * RATIO * scale);
  const area = /** @type {HTMLElement} */ (element.querySelector(".area"));
  const above = labels(one);
  area.style.gridTemplateRows = rows.map((weight, n) => `${Math.round(weight * size * scale) + above[n]}px`).join(" ");
}

/** What each row needs above its cards: nothing, if it only goes on with places of the row before. @param {Drawn} one @returns {number[]} */
const labels = ({ rows, zones }) => rows.map((_, n) => (begins(zones, n) ? LABEL : 0));

/** @param {Drawn["zones"]} zones @param {number} n */
const begins = (zones, n) => zones.some(({ at: { row = 1 } }) => row === n + 1);

/** Lay the zones of an area out for the width that there is: on a phone one's own hand has a row to itself. @param {Drawn} one @param {boolean} narrow @param {number} v */
function settle(one, narrow, v) {
  if (one.board || one.narrow === narrow) return;
  one.narrow = narrow;
  one.low = new Set();
  let more = 0; // rows that were added so far
  const area = /** @type {HTMLElement} */ (one.element.querySelector(".area"));
  const { cols = 1, rows = 1 } = one.area;
  for (let row = 1; row <= rows; row++) {
    const here = one.zones.filter(({ slot: { position } }) => position.row === row);
    const hands = here.filter(({ way, slot: { position } }) => way === "fan" && (position.colSpan ?? 1) < cols);
    const unfold = narrow && one.kind === "me" && hands.length === 1 && here.length > 1 && here.every(({ slot: { position } }) => (position.rowSpan ?? 1) === 1);
    for (const zone of here) zone.at = { ...zone.slot.position, row: row + more };
    if (!unfold) continue;
    stretch(here.filter((zone) => zone !== hands[0]), cols);
    one.low.add(row + more++);
    hands[0].at = { row: row + more, col: 1, colSpan: cols };
  }
  area.style.gridTemplateColumns = `repeat(${cols}, minmax(0, 1fr))`;
  for (const { element, at } of one.zones) element.style.gridArea = `${at.row} / ${at.col} / span ${at.rowSpan ?? 1} / span ${at.colSpan ?? 1}`;
  one.rows = Array.from({ length: rows + more }, () => 0);
  occupy(one, v);
}

/** Let zones fill a whole row between them. @param {import("./zone.js").ZoneView[]} zones @param {number} cols */
function stretch(zones, cols) {
  const spans = zones.map(({ at }) => at.colSpan ?? 1);
  const whole = spans.reduce((sum, span) => sum + span, 0);
  const edge = (/** @type {number} */ n) => Math.round((spans.slice(0, n).reduce((sum, span) => sum + span, 0) / whole) * cols) + 1;
  zones.forEach((zone, n) => (zone.at = { ...zone.at, col: edge(n), colSpan: Math.max(1, edge(n + 1) - edge(n)) }));
}

/**
 * How much of a card's height each row needs now; whether that is news. A row with other people's hands can be small, one
 * in which nothing lies is only a strip, and it waits a little before it closes.
 * @param {Drawn} one @param {number} v the version of the table
 */
export function occupy(one, v) {
  const { zones, kind, rows, low } = one;
  for (const zone of zones) if (zone.n > 0) zone.last = v;
  const now = rows.map((_, n) => {
    const here = zones.filter(({ at: { row = 1, rowSpan = 1 }, lines }) => row <= n + 1 && n + 1 < row + Math.min(rowSpan, Math.max(1, lines)));
    const small = low.has(n + 1) || (kind === "other" && here.some(({ way, slot: { zone } }) => way === "fan" || zone === "hand")) ? LOW : 1;
    return Math.max(begins(zones, n) ? THIN : 0, ...here.filter((zone) => v - zone.last < LINGER).map((zone) => (zone.slot.scale ?? 1) * small));
  });
  const news = now.some((weight, n) => weight !== rows[n]);
  one.rows = now;
  return news;
}

/** A mat for a game that has none: every zone in a row. @param {View} view @returns {{others?: Area, shared?: Area, me?: Area}} */
export function invented(view) {
  const keys = Object.keys(view.zones ?? {});
  const own = [...new Set(keys.filter((key) => /^\d+\./.test(key)).map((key) => key.slice(key.indexOf(".") + 1)))];
  const shared = keys.filter((key) => !/^\d+\./.test(key));
  const me = spread(own, 2);
  return { others: { ...me, slots: me.slots.map((slot) => ({ ...slot, id: `their-${slot.id}` })) }, me, ...(shared.length ? { shared: spread(shared, Math.min(4, shared.length)) } : {}) };
}

/** @param {string[]} zones @param {number} cols @returns {Area} */
function spread(zones, cols) {
  const slots = zones.map((zone, n) => ({ id: zone, zone, position: { row: Math.floor(n / cols) + 1, col: (n % cols) + 1 }, showCount: true, stackDirection: /** @type {"fan" | "none"} */ (zone === "hand" ? "fan" : "none") }));
  return { rows: Math.max(1, Math.ceil(zones.length / cols)), cols, slots };
}
