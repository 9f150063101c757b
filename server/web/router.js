/** Which page stands at which address. Going somewhere loads no new document. */

import { fillWith, h } from "./dom.js";
import { t } from "./words.js";

/** @typedef {import("./types.d.ts").Page} Page */
/** @type {[RegExp, () => Promise<Page>][]} */
const PAGES = [
  [/^\/$/, () => import("./home/page.js")],
  [/^\/games\/([\w-]+)$/, () => import("./home/game.js")],
  [/^\/decks\/([\w-]+)$/, () => import("./home/decks.js")],
  [/^\/join\/([\w-]+)$/, () => import("./home/join.js")],
  [/^\/leaders\/([\w-]+)$/, () => import("./home/leaders.js")],
  [/^\/player\/([\w-]+)$/, () => import("./home/player.js")],
  [/^\/settings$/, () => import("./home/settings.js")],
  [/^\/table\/([\w-]+)$/, () => import("./table/page.js")],
  [/^\/replay\/([\w-]+)$/, () => import("./table/replay.js")],
];

/** @type {(() => void) | void} */
let leave;
let visit = 0;

/** Go to an address of ours. @param {string} path @param {{replace?: boolean}} [how] */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  void show();
}

/** A link that stays inside. @param {string} path @param {(import("./dom.js").Child | import("./dom.js").Child[])[]} children @param {import("./dom.js").Props} [props] */
export function link(path, children, props = {}) {
  return h("a", { href: path, ...props }, ...children);
}

/** Show the page of the address that stands in the browser. */
export async function show() {
  const mine = ++visit;
  const root = /** @type {HTMLElement} */ (document.getElementById("main"));
  const [open, parts] = find(location.pathname);
  leave?.();
  leave = undefined;
  document.body.className = "";
  document.title = "Upcard";
  try {
    const page = await open();
    if (mine !== visit) return;
    fillWith(root);
    window.scrollTo(0, 0);
    const left = await page.show(root, parts, new URLSearchParams(location.search));
    if (mine === visit) leave = left;
    else left?.();
  } catch (wrong) {
    if (mine === visit) broken(root, wrong);
  }
}

/** @param {string} path @returns {[() => Promise<Page>, string[]]} */
function find(path) {
  for (const [pattern, open] of PAGES) {
    const found = pattern.exec(path);
    if (found) return [open, found.slice(1).map(decodeURIComponent)];
  }
  return [async () => ({ show: (root) => void fillWith(root, notice(t("page.none"))) }), []];
}

/** @param {HTMLElement} root @param {unknown} wrong */
function broken(root, wrong) {
  console.error(wrong);
  const fresh = sessionStorage.getItem("upcard.reloaded") !== location.pathname;
  if (String(wrong).includes("module") && fresh) {
    sessionStorage.setItem("upcard.reloaded", location.pathname); // the server was renewed: its parts have other addresses
    location.reload();
    return;
  }
  fillWith(root, notice(wrong instanceof Error && "code" in wrong ? wrong.message : t("page.broken")));
}

/** @param {string} text */
function notice(text) {
  return h("section", { class: "page narrow" }, h("h1", {}, text), h("p", {}, link("/", [t("page.home")], { class: "button" })));
}

/** Let links of ours lead to pages without leaving this one. */
export function start() {
  addEventListener("popstate", () => void show());
  document.addEventListener("click", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("a") : null;
    if (!anchor || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (anchor.target || anchor.origin !== location.origin || anchor.hasAttribute("download") || anchor.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(anchor.pathname + anchor.search);
  });
  return show();
}
