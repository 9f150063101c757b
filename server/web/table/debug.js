/** A drawer for people who write games: what the view holds, what was said on the wire, and how long things take. */

import { fillWith, h, write } from "../dom.js";
import { upcard } from "../session.js";
import { follow, settings } from "../store.js";
import { t } from "../words.js";

/** @typedef {import("../upcard.js").Table} Table */

const LATEST = 60; // frames that are kept

/** Off until somebody turns it on; then it is redrawn at most twice a second. */
export class Debug {
  /** @param {{room: string, v: number, over: boolean, view: unknown, offers: unknown, blocked: unknown, asked: unknown, clock: unknown, presence?: unknown}} table @param {(v: number) => void} jump to a version of a match that is over */
  constructor(table, jump) {
    this.table = table;
    const version = h("input", { type: "number", id: "debug-version", min: 0 });
    const submit = (/** @type {Event} */ event) => (event.preventDefault(), version.value && jump(Number(version.value)));
    this.jump = h("form", { class: "row", hidden: true, on: { submit } }, h("label", { for: version.id }, t("debug.version")), version, h("button", { class: "small" }, t("debug.jump")));
    this.figures = h("p", { class: "figures" });
    this.parts = h("div", { class: "parts" });
    this.element = h("aside", { class: "debug", hidden: true, "aria-label": t("debug.title") }, h("h2", {}, t("debug.title")), this.figures, this.jump, this.parts);
    /** @type {{at: number, frame: any, size: number}[]} */
    this.frames = [];
    /** @type {number[]} */
    this.times = [];
    this.bytes = 0;
    /** @type {Set<string>} */
    this.unfolded = new Set(["view"]);
    this.due = 0;
    this.stops = [
      upcard.on("frame", ({ frame, size }) => this.#heard(frame, size)),
      follow(({ debug }) => {
        this.element.hidden = !debug;
        if (debug) this.draw();
      }),
    ];
  }

  /** The table is left. */
  close() {
    clearTimeout(this.due);
    for (const stop of this.stops) stop();
  }

  /** @param {number} ms that a change took to be drawn */
  drawn(ms) {
    this.times.push(ms);
    this.times.splice(0, this.times.length - 100);
    this.#soon();
  }

  /** @param {any} frame @param {number} size */
  #heard(frame, size) {
    if (frame.room !== this.table.room) return;
    this.bytes += size;
    this.frames.push({ at: Date.now(), frame, size });
    this.frames.splice(0, this.frames.length - LATEST);
    this.#soon();
  }

  #soon() {
    if (!settings.debug || this.due) return;
    this.due = setTimeout(() => ((this.due = 0), this.draw()), 500);
  }

  draw() {
    const { table, times, bytes } = this;
    this.jump.hidden = !table.over;
    const middle = [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;
    write(this.figures, t("debug.figures", { v: table.v, latency: Math.round(upcard.latency), draw: middle.toFixed(1), worst: Math.max(0, ...times).toFixed(1), bytes }));
    const events = this.frames.flatMap(({ frame }) => (frame.events ?? []).map((/** @type {any} */ event) => ({ v: frame.v, ...event }))).slice(-40);
    fillWith(this.parts,
      this.#part("view", table.view), this.#part("offers", table.offers), this.#part("blocked", table.blocked), this.#part("ask", table.asked),
      this.#part("clock", table.clock), this.#part("presence", table.presence), this.#part("events", events),
      this.#part("frames", this.frames.map(({ frame, size }) => ({ bytes: size, ...frame })).reverse()));
  }

  /** @param {string} name @param {unknown} value */
  #part(name, value) {
    return this.#tree(name, value, name);
  }

  /** A value that can be unfolded, drawn only as far as it is. @param {string} key @param {any} value @param {string} path @returns {HTMLElement} */
  #tree(key, value, path) {
    if (value === null || typeof value !== "object") return h("p", { class: "leaf" }, h("b", {}, `${key}: `), JSON.stringify(value) ?? "–");
    const entries = Object.entries(value);
    const box = h("details", { open: this.unfolded.has(path) }, h("summary", {}, h("b", {}, key), ` ${Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`} `, h("span", { class: "brief" }, brief(value))));
    const fill = () => box.children.length < 2 && box.append(...entries.map(([name, part]) => this.#tree(name, part, `${path}/${name}`)));
    if (box.open) fill();
    box.addEventListener("toggle", () => {
      if (box.open) (this.unfolded.add(path), fill());
      else this.unfolded.delete(path);
    });
    return box;
  }
}

/** @param {any} value */
function brief(value) {
  const words = JSON.stringify(value);
  return words.length > 90 ? `${words.slice(0, 88)}…` : words;
}
