/** A board of hexes: each is a zone, and a tile is a card that lies in it. */

import { h } from "../dom.js";

/** @typedef {import("./zone.js").ZoneView} ZoneView */

const WIDE = Math.sqrt(3); // of a hex that stands on its corner, in terms of its side

/** Hexes by their two axes, standing on a corner. */
export class HexBoard {
  /** @param {ZoneView[]} zones */
  constructor(zones) {
    this.zones = zones;
    const places = zones.map(({ slot: { position: { q = 0, r = 0 } } }) => ({ x: WIDE * (q + r / 2), y: 1.5 * r }));
    this.left = Math.min(...places.map(({ x }) => x));
    this.up = Math.min(...places.map(({ y }) => y));
    this.width = Math.max(...places.map(({ x }) => x)) - this.left + WIDE;
    this.height = Math.max(...places.map(({ y }) => y)) - this.up + 2;
    this.element = h("div", { class: "hexes" }, zones.map((zone) => zone.element));
    zones.forEach(({ element }, n) => {
      element.classList.add("hex");
      element.style.setProperty("--x", String(places[n].x - this.left));
      element.style.setProperty("--y", String(places[n].y - this.up));
    });
  }

  /** @param {number} width @param {number} height in px */
  fit(width, height) {
    const side = Math.max(14, Math.min(width / this.width, height / this.height));
    this.element.style.setProperty("--hex", `${side.toFixed(2)}px`);
    this.element.style.width = `${(this.width * side).toFixed(1)}px`;
    this.element.style.height = `${(this.height * side).toFixed(1)}px`;
  }
}
