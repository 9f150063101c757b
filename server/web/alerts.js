/** Tells somebody who looks elsewhere that it is their turn: title, icon, a sound, and a notification if they want one. */

import { settings } from "./store.js";
import { t } from "./words.js";

const link = /** @type {HTMLLinkElement | null} */ (document.getElementById("icon"));
const calm = link?.getAttribute("href") ?? "";
const loud = calm.replace("icon.svg", "icon-turn.svg");
/** @type {AudioContext | null} */
let audio = null;
/** @type {Notification | null} */
let shown = null;
let name = "Upcard";
let calling = "";

/** The name of the page, when nothing is urgent. @param {string} text */
export function title(text) {
  name = text;
  document.title = calling ? `● ${calling} · ${name}` : name;
}

/**
 * Call somebody to the table; an empty text calls off.
 * @param {string} text what for @param {"turn" | "question" | "match" | ""} [sound]
 */
export function call(text, sound = "") {
  const fresh = text !== calling;
  calling = text;
  title(name);
  if (link) link.href = text ? loud : calm;
  if (!text) {
    shown?.close();
    shown = null;
  } else if (fresh) {
    if (sound) play(sound);
    if (document.hidden) notify(text);
  }
}

/** Ask for permission to notify; whether it was given. */
export async function mayNotify() {
  if (!("Notification" in globalThis)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** @param {string} text */
function notify(text) {
  if (!settings.notify || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  shown?.close();
  shown = new Notification(t("alert.title"), { body: text, tag: "upcard", icon: loud });
  shown.onclick = () => (window.focus(), shown?.close());
}

const TUNES = /** @type {Record<string, [number, number][]>} */ ({
  // pitch in Hz, seconds after the start
  turn: [[523, 0], [784, 0.12]],
  question: [[659, 0], [659, 0.14], [880, 0.28]],
  match: [[392, 0], [523, 0.1], [659, 0.2], [784, 0.3]],
  move: [[330, 0]],
  win: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]],
  lose: [[392, 0], [330, 0.18], [262, 0.36]],
});

/** A few soft notes, made on the spot. @param {string} tune */
export function play(tune) {
  if (!settings.sound || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume().catch(() => {});
  for (const [pitch, after] of TUNES[tune] ?? []) note(audio, pitch, audio.currentTime + after, tune === "move" ? 0.05 : 0.12);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} at @param {number} loudness */
function note(audio, pitch, at, loudness) {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.4);
}
