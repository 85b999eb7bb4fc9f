// SPDX-License-Identifier: GPL-3.0-or-later
// The page: what it holds is unpacked, and the address says what is shown.
import { Ask } from "./ask.js";
import { Client } from "./client.js";
import { fill, make } from "./dom.js";
import { Explorer } from "./explorer.js";
import { Plot } from "./plot.js";
import { Studies } from "./studies.js";

async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

function theme() {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const tell = () => {
    button.textContent = isDark() ? "light" : "dark";
    button.setAttribute("aria-label", `switch to ${isDark() ? "light" : "dark"} colours`);
    Plot.recolor();
    window.holdfast.explorer?.drawing.recolor();
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  tell();
}

function about(data) {
  return make(
    "section",
    {},
    make("h2", {}, "About"),
    make("p", {}, `holdfast tells how much failure an interconnection network survives, exactly where that is possible. This page holds the results of ${data.studies.length} studies and the library itself, compiled to WebAssembly: what the explorer shows is what the command says. Nothing is loaded from anywhere, and nothing leaves the page.`),
    make("p", {}, data.version),
    make("p", {}, "The page goes without GLPK, igraph and Lua: smallest repairs, symmetries, GraphML files and rules in Lua are for the command. It takes 1 GiB of memory and three minutes for an answer at most."),
    make("h3", {}, "Libraries in this page"),
    make("ul", {}, data.libraries.map((one) => make("li", {}, `${one.name} ${one.version}, ${one.license}`))),
    make("p", {}, "holdfast itself: GPL-3.0-or-later."),
  );
}

function route(parts) {
  const [, view, rest] = /^#?([a-z]*)[/?]?(.*)$/.exec(location.hash) ?? [];
  const shown = { studies: "studies", study: "studies", explore: "explore", ask: "ask", about: "about" }[view] ?? "studies";
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.hash === `#${shown}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const main = document.getElementById("main");
  fill(main, shown === "studies" ? (view === "study" ? parts.studies.show(decodeURIComponent(rest)) : parts.studies.index()) : parts[shown]);
  document.title = `holdfast: ${main.querySelector("h2")?.textContent ?? shown}`;
  if (shown === "explore") {
    const words = Object.fromEntries(new URLSearchParams(rest));
    const { explorer } = window.holdfast;
    if (words.topology ? rest !== explorer.address : !explorer.network) explorer.openSpec({ topology: "kary-tree:k=4,n=2", routing: "ft2ei", ...words });
    else explorer.drawing.cy?.resize();
  }
  window.scrollTo(0, 0);
}

async function begin() {
  const [library, text] = await Promise.all([unpack("library"), unpack("data")]);
  const data = JSON.parse(new TextDecoder().decode(text));
  const client = new Client(await WebAssembly.compile(library));
  const busy = document.getElementById("busy");
  let timer;
  client.onbusy = (isBusy) => {
    clearTimeout(timer);
    if (isBusy) timer = setTimeout(() => (busy.hidden = false), 400);
    else busy.hidden = true;
  };
  document.getElementById("stop").addEventListener("click", () => client.stop());
  const explorer = new Explorer(client, data.catalogue);
  Object.assign(window.holdfast, { client, explorer, data, plots: () => [...Plot.all] });
  const explore = make("div", {}, make("h2", { class: "away" }, "Explorer"), explorer.element);
  const parts = { studies: new Studies(data.studies), explore, ask: new Ask(client, data.catalogue.questions).element, about: about(data) };
  window.addEventListener("hashchange", () => route(parts));
  theme();
  route(parts);
  document.documentElement.dataset.ready = "yes";
}

window.holdfast = {};
begin().catch((error) => {
  fill(document.getElementById("main"), make("p", { class: "problem", role: "alert" }, `This page needs a browser with WebAssembly and DecompressionStream: ${error.message}`));
});
