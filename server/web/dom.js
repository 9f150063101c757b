/** Building and changing the page: no framework, and never markup made from strings, so no text can become a tag. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {{class?: string, on?: Record<string, (event: any) => void>, vars?: Record<string, string | number>, [attribute: string]: unknown}} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with its attributes, listeners and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {(Child | Child[])[]} children @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, props);
  add(element, children);
  return element;
}

/** The same for a drawing. @param {string} tag @param {Props} [props] @param {(Child | Child[])[]} children @returns {SVGElement} */
export function s(tag, props = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  dress(element, props);
  add(element, children);
  return element;
}

/** @param {HTMLElement | SVGElement} element @param {Props} props */
function dress(element, { class: names, on = {}, vars = {}, ...attributes }) {
  if (names) element.setAttribute("class", names);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  for (const [name, value] of Object.entries(vars)) element.style.setProperty(name, String(value));
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function add(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(typeof child === "number" ? String(child) : child);
  }
}

/** Exchange everything inside. @template {Element} E @param {E} element @param {(Child | Child[])[]} children @returns {E} */
export function fillWith(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

/**
 * Make these the first children, in this order, with as few moves as possible. What has the focus keeps it. Others stay
 * until they are swept away, since they may be on their way to another parent.
 * @param {Element} parent @param {Element[]} wanted
 */
export function order(parent, wanted) {
  const keep = new Set(wanted);
  const pass = (/** @type {Element | null} */ one) => {
    while (one && !keep.has(one)) one = one.nextElementSibling;
    return one;
  };
  let next = pass(parent.firstElementChild);
  for (const element of wanted) {
    if (element === next) next = pass(next.nextElementSibling);
    else place(parent, element, next);
  }
}

/** Take away all children but these, which are all there. @param {Element} parent @param {Element[]} wanted */
export function sweep(parent, wanted) {
  if (parent.childElementCount === wanted.length) return;
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
}

/** Make these the children. @param {Element} parent @param {Element[]} wanted */
export function arrange(parent, wanted) {
  order(parent, wanted);
  sweep(parent, wanted);
}

/** @param {Element} parent @param {Element} element @param {Element | null} before */
function place(parent, element, before) {
  const focused = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const gently = /** @type {any} */ (parent).moveBefore;
  if (gently && element.isConnected && parent.isConnected) gently.call(parent, element, before);
  else parent.insertBefore(element, before);
  if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

/** Make a drawn element equal to a fresh one; the parts that already are stay, and need no new style and no new place. @param {Element} old @param {Element} fresh */
export function renew(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  const [mine, theirs] = [[...old.children], [...fresh.children]];
  const alike = mine.length > 0 && mine.length === theirs.length && mine.length === old.childNodes.length && theirs.length === fresh.childNodes.length;
  if (!alike || !old.cloneNode().isEqualNode(fresh.cloneNode())) return old.replaceWith(fresh);
  mine.forEach((one, n) => renew(one, theirs[n]));
}

/** Write a text if it is another one. @param {Node} node @param {string | number} text */
export function write(node, text) {
  const words = String(text);
  if (node.textContent !== words) node.textContent = words;
}

/** Set or take an attribute if that changes something. @param {Element} element @param {string} name @param {string | number | boolean | null | undefined} value */
export function mark(element, name, value) {
  if (value === false || value === null || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const words = value === true ? "" : String(value);
  if (element.getAttribute(name) !== words) element.setAttribute(name, words);
}

/** A button. @param {string} label @param {(event: MouseEvent) => void} act @param {Props} [props] */
export function button(label, act, props = {}) {
  return h("button", { type: "button", ...props, on: { click: act, ...props.on } }, label);
}

const PATHS = /** @type {Record<string, string>} */ ({
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15L6 16M10 21h4",
  bug: "M8 9h8v6a4 4 0 0 1-8 0V9M9 9a3 3 0 0 1 6 0M4 7l4 3M20 7l-4 3M3 13h5M21 13h-5M4 20l4-3M20 20l-4-3",
  chat: "M4 5h16v11H9l-5 4V5",
  check: "M5 12.5l4.5 4.5L19 7",
  clover: "M12 12C8 5 3 9 6.5 12 3 15 8 19 12 12M12 12c4-7 9-3 5.5 0C21 15 16 19 12 12M12 12c0 4 1 7 3 9",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2",
  copy: "M8 8h11v12H8zM5 16V4h11",
  cross: "M6 6l12 12M18 6L6 18",
  door: "M13 4H5v16h8M10 12h11M17 8l4 4-4 4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6",
  first: "M18 5L9 12l9 7V5M6 5v14",
  flag: "M6 21V4M6 5h11l-2 4 2 4H6",
  full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  gear: "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1",
  heart: "M12 20S4 14.5 4 9a4 4 0 0 1 8-1.5A4 4 0 0 1 20 9c0 5.5-8 11-8 11",
  home: "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  last: "M6 5l9 7-9 7V5M18 5v14",
  left: "M15 5l-7 7 7 7",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  more: "M4 7h16M4 12h16M4 17h16",
  musing: "M4 5h16v11H9l-5 4V5M8.5 10.5h.01M12 10.5h.01M15.5 10.5h.01",
  mute: "M4 10v4h3l5 4V6L7 10H4M16 9l5 6M21 9l-5 6",
  pause: "M8 5v14M16 5v14",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20.5a7.5 7.5 0 0 1 15 0",
  play: "M7 4.5l12 7.5-12 7.5V4.5",
  right: "M9 5l7 7-7 7",
  robot: "M6 9h12v9H6zM12 9V5M9 13h.01M15 13h.01M3 12v3M21 12v3",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5",
  share: "M12 15V4M8 7.5L12 4l4 3.5M5 12v8h14v-8",
  shield: "M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6L12 3M8.5 12l2.5 2.5 4.5-5",
  smile: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 14s1.5 2.5 4 2.5 4-2.5 4-2.5M9 9.5h.01M15 9.5h.01",
  sorry: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 16.5s1.5-2.5 4-2.5 4 2.5 4 2.5M9 9.5h.01M15 9.5h.01",
  sound: "M4 10v4h3l5 4V6L7 10H4M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8L12 3.5",
  swap: "M7 4v14M4 15l3 3 3-3M17 20V6M14 9l3-3 3 3",
  trophy: "M8 4h8v6a4 4 0 0 1-8 0V4M8 5.5H4.5C4.5 9 6 10.5 8 10.5M16 5.5h3.5c0 3.5-1.5 5-3.5 5M12 14v3M8 20h8M10 17h4v3h-4v-3",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
});

/** A small drawing in the colour of the text. @param {string} name */
export function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PATHS[name] ?? "" }));
}

/** A button with only a drawing on it; its label is for those who ask. @param {string} name @param {string} label @param {(event: MouseEvent) => void} act @param {Props} [props] */
export function iconButton(name, label, act, props = {}) {
  return h("button", { type: "button", "aria-label": label, title: label, ...props, class: `round ${props.class ?? ""}`, on: { click: act } }, icon(name));
}

/** @type {HTMLElement | null} */
let voice = null;

/** Say something to whoever listens instead of looking. @param {string} text */
export function announce(text) {
  voice ??= document.getElementById("voice");
  if (!voice) return;
  const line = h("p", {}, text);
  voice.append(line);
  while (voice.children.length > 4) voice.firstElementChild?.remove();
}

/** A short note that goes away by itself. @param {string} text @param {"note" | "bad" | "good"} [kind] */
export function toast(text, kind = "note") {
  const place = document.getElementById("toasts");
  const note = h("p", { class: `toast ${kind}` }, text);
  place?.append(note);
  setTimeout(() => note.classList.add("going"), 4600);
  setTimeout(() => note.remove(), 5000);
}

/**
 * A window over the page that must be answered or closed. Resolves with what `close` was given.
 * @param {string} title @param {(close: (value?: any) => void) => Child[]} inside @param {string} [name]
 * @returns {Promise<any>}
 */
export function dialog(title, inside, name = "") {
  return new Promise((resolve) => {
    /** @type {any} */
    let value;
    const close = (/** @type {any} */ answer = undefined) => ((value = answer), box.close());
    const heading = h("h2", { id: `title-${name}` }, title);
    const box = h("dialog", { class: `sheet ${name}`, "aria-labelledby": heading.id }, heading, h("div", { class: "inside" }, inside(close)));
    box.append(iconButton("cross", "×", () => close(), { class: "shut" }));
    box.addEventListener("close", () => (box.remove(), resolve(value)));
    box.addEventListener("click", (event) => event.target === box && close());
    document.body.append(box);
    box.showModal();
  });
}
