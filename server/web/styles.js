/** Styles that only some pages need are loaded with the first of them. */

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/** Have these styles before anything is shown in them. @param {string[]} names */
export function need(...names) {
  return Promise.all(names.map((name) => {
    const found = loaded.get(name) ?? load(name);
    loaded.set(name, found);
    return found;
  }));
}

/** @param {string} name @returns {Promise<void>} */
function load(name) {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`./style/${name}.css`, import.meta.url).href;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
