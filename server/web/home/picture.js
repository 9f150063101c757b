/** A small picture of a game's table, drawn from its playmat. */

import { s } from "../dom.js";
import { hash } from "../table/colours.js";

/** @typedef {{rows?: number, cols?: number, places?: number[][], ways?: string[], hexes?: [number, number][]}} Area */
/** @typedef {{id: string, title: string, sketch: Record<string, any>}} Drawn */

const [WIDTH, HEIGHT, GAP] = [240, 135, 4];

/** @param {Drawn} game @returns {SVGElement} */
export function picture(game) {
  const { others, shared, me } = game.sketch;
  const hue = hash(game.id) % 360;
  const board = shared?.hexes ? shared : null;
  const areas = /** @type {[string, Area][]} */ ([["others", others], ["shared", board ? null : shared], ["me", me]].filter(([, area]) => area));
  const left = board ? WIDTH * 0.5 : 0;
  const weight = areas.reduce((sum, [kind, area]) => sum + (area.rows ?? 1) * rowWeight(kind), 0);
  const row = (HEIGHT - GAP * (areas.length + 1)) / Math.max(1, weight);
  let top = GAP;
  const drawn = areas.map(([kind, area]) => {
    const tall = (area.rows ?? 1) * rowWeight(kind) * row;
    const group = s("g", { transform: `translate(${left + GAP} ${top.toFixed(1)})` }, grid(area, kind, tall, WIDTH - left - 2 * GAP, hue));
    top += tall + GAP;
    return group;
  });
  const hexed = board ? s("g", { transform: `translate(${GAP} ${GAP})` }, hexes(board, WIDTH / 2 - GAP, HEIGHT - 2 * GAP)) : null;
  return s("svg", { class: "picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": game.title, vars: { "--hue": hue } }, hexed, drawn);
}

/** @param {string} kind */
const rowWeight = (kind) => (kind === "others" ? 0.75 : 1);

/** @param {Area} area @param {string} kind @param {number} tall @param {number} across @param {number} hue */
function grid(area, kind, tall, across, hue) {
  const [wide, high] = [across / (area.cols ?? 1), tall / (area.rows ?? 1)];
  return (area.places ?? []).map(([row, col, down, right], n) => {
    const box = { x: (col - 1) * wide + 1, y: (row - 1) * high + 1, width: right * wide - 2, height: down * high - 2 };
    return s("g", {}, s("rect", { class: "place", ...box, rx: 3 }), cards(area.ways?.[n] ?? "none", `${kind}${n}`, box, kind, hue));
  });
}

/** @param {string} way @param {string} name @param {{x: number, y: number, width: number, height: number}} box @param {string} kind @param {number} hue */
function cards(way, name, box, kind, hue) {
  const high = Math.min(box.height - 3, 27);
  const wide = (high * 5) / 7;
  const seed = hash(name + hue);
  const step = wide * ({ right: 0.34, fan: 0.62 }[way] ?? 1.12);
  const room = Math.floor((box.width - 4 - wide) / step) + 1;
  const n = Math.max(1, Math.min(room, way === "fan" ? 7 : way === "none" ? 1 + (seed % 4) : 3));
  const start = way === "right" ? 3 : (box.width - wide - (n - 1) * step) / 2;
  const back = kind === "others" && way === "fan";
  return Array.from({ length: n }, (_, place) => {
    const [x, y] = [box.x + start + place * step, box.y + (box.height - high) / 2];
    const lean = way === "fan" ? (place - (n - 1) / 2) * 3 : 0;
    const turn = `rotate(${lean.toFixed(1)} ${(x + wide / 2).toFixed(1)} ${(y + high).toFixed(1)})`;
    const paper = s("rect", { class: back ? "back" : "paper", x: x.toFixed(1), y: y.toFixed(1), width: wide.toFixed(1), height: high.toFixed(1), rx: 2 });
    const shade = (hue + ((seed >> place) % 5) * 47) % 360;
    const band = s("rect", { class: "band", x: (x + 1).toFixed(1), y: (y + 1).toFixed(1), width: (wide - 2).toFixed(1), height: (high * 0.5).toFixed(1), rx: 1.4, vars: { "--band": shade } });
    return s("g", { transform: turn }, paper, back ? null : band);
  });
}

/** @param {Area} area @param {number} across @param {number} tall */
function hexes(area, across, tall) {
  const places = (area.hexes ?? []).map(([q, r]) => ({ x: Math.sqrt(3) * (q + r / 2), y: 1.5 * r, zone: `${q} ${r}` }));
  const [left, up] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
  const width = Math.max(...places.map(({ x }) => x)) - left + Math.sqrt(3);
  const high = Math.max(...places.map(({ y }) => y)) - up + 2;
  const side = Math.min(across / width, tall / high);
  const [shift, drop] = [(across - width * side) / 2, (tall - high * side) / 2];
  return places.map(({ x, y, zone }) => {
    const [cx, cy] = [shift + (x - left + Math.sqrt(3) / 2) * side, drop + (y - up + 1) * side];
    const corners = Array.from({ length: 6 }, (_, n) => `${(cx + side * 0.94 * Math.sin((n * Math.PI) / 3)).toFixed(1)},${(cy + side * 0.94 * Math.cos((n * Math.PI) / 3)).toFixed(1)}`);
    return s("polygon", { class: hash(zone) % 5 === 0 ? "tile" : "place", points: corners.join(" "), vars: { "--band": hash(zone) % 360 } });
  });
}

/** A hand of cards, for the eye. */
export function fan() {
  const cards = [["♦", 25], ["☾", 255], ["✿", 150], ["★", 75], ["▲", 310]].map(([sign, hue], n) => s("g", { transform: `rotate(${(n - 2) * 13} 130 250)`, class: "leaf" },
    s("rect", { class: "paper", x: 92, y: 26, width: 76, height: 108, rx: 8 }),
    s("rect", { class: "band", x: 97, y: 31, width: 66, height: 62, rx: 5, vars: { "--band": hue } }),
    s("text", { x: 130, y: 74, "text-anchor": "middle" }, sign),
    s("rect", { class: "line", x: 100, y: 103, width: 48, height: 5, rx: 2.5 }), s("rect", { class: "line", x: 100, y: 114, width: 32, height: 5, rx: 2.5 })));
  return s("svg", { class: "fan", viewBox: "0 0 260 150", "aria-hidden": "true" }, cards);
}
