/** The rules of a game for people: a little Markdown, made into elements and never into markup. */

import { h } from "../dom.js";

/** @param {string} text @returns {HTMLElement[]} */
export function guide(text) {
  return text.trim().split(/\n{2,}/).flatMap((block) => blocks(block));
}

/** A heading may stand right above its text. @param {string} block @returns {HTMLElement[]} */
function blocks(block) {
  const heading = /^(#{1,4})\s+(.*)(?:\n([\s\S]*))?$/.exec(block);
  if (heading) {
    const level = /** @type {"h1" | "h2" | "h3" | "h4"} */ (`h${heading[1].length}`);
    return [h(level, {}, inline(heading[2])), ...(heading[3] ? blocks(heading[3]) : [])];
  }
  if (/^\|/.test(block)) return [table(block)];
  if (/^\s*([-*]|\d+\.)\s/.test(block)) return [list(block.split("\n"))];
  const begins = block.split("\n").findIndex((line) => /^([-*]|\d+\.)\s/.test(line));
  if (begins > 0) return [...blocks(block.split("\n").slice(0, begins).join("\n")), ...blocks(block.split("\n").slice(begins).join("\n"))];
  return [h("p", {}, inline(block.replace(/\n/g, " ")))];
}

/** Points, numbered or not, with further ones inside. @param {string[]} lines @returns {HTMLElement} */
function list(lines) {
  const own = /^(\s*)([-*]|\d+\.)\s+(.*)$/;
  const depth = own.exec(lines[0])?.[1].length ?? 0;
  const made = h(/^\s*\d/.test(lines[0]) ? "ol" : "ul");
  /** @type {string[]} */
  let inside = [];
  let words = "";
  const close = () => {
    if (words) made.append(h("li", {}, inline(words), inside.length ? list(inside) : null));
    [words, inside] = ["", []];
  };
  for (const line of lines) {
    const found = own.exec(line);
    if (found && found[1].length <= depth) (close(), (words = found[3]));
    else if (found || inside.length) inside.push(line);
    else words += ` ${line.trim()}`;
  }
  close();
  return made;
}

/** @param {string} block */
function table(block) {
  const rows = block.split("\n").filter((line) => !/^\|[\s|:-]+$/.test(line)).map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const [head, ...body] = rows;
  return h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, inline(cell))))), h("tbody", {}, body.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell)))))));
}

/** **strong**, *stressed* and `quoted`. @param {string} text @returns {(string | HTMLElement)[]} */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return h("em", {}, part.slice(1, -1));
    return part.startsWith("`") && part.length > 2 ? h("code", {}, part.slice(1, -1)) : part;
  });
}
