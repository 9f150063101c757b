/** The client begins here: settings, the bar on top, the state of the connection, then the page. */

import { start as startBar } from "./bar.js";
import { start as startPages } from "./router.js";
import { enter } from "./session.js";
import { follow } from "./store.js";
import { learn } from "./words.js";
import "./home/page.js";

follow(({ theme, size }) => {
  const root = document.documentElement;
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  root.style.setProperty("--size", String(size / 100));
});

await learn();
startBar();
void startPages();
void enter().catch(() => {});
