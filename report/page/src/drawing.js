// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a network, by Cytoscape.js: who clicks a link or a switch is told, and marks are put on both.
import cytoscape from "cytoscape";
import { make } from "./dom.js";
import { height } from "./network.js";

const LARGEST = 8000; // links that are drawn

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function style() {
  const text = color("text"), line = color("line"), failed = color("bad"), lost = color("lost"), held = color("held"), path = color("path");
  return [
    { selector: "node", style: { label: "data(label)", "font-size": 9, color: text, "text-valign": "center", "text-halign": "center", "border-width": 1, "border-color": text, "background-color": color("panel"), width: "data(width)", height: 24 } },
    { selector: "node.switch", style: { shape: "round-rectangle" } },
    { selector: "node.terminal", style: { shape: "ellipse", "background-color": color("page"), "border-color": line } },
    { selector: "edge", style: { width: 2, "line-color": line, "curve-style": "bezier", "control-point-step-size": 14, "font-size": 15, color: failed, "source-text-offset": 14, "target-text-offset": 14 } },
    { selector: "edge.bow", style: { "curve-style": "unbundled-bezier", "control-point-distances": "data(bow)", "control-point-weights": 0.5 } },
    { selector: "edge.oneway", style: { "target-arrow-shape": "triangle", "target-arrow-color": line, "arrow-scale": 0.7 } },
    { selector: "edge.ring", style: { width: 6, "line-color": color("ring") } },
    { selector: "node.off", style: { "background-color": color("off"), "border-style": "dashed" } },
    { selector: "edge.excludes-source", style: { "source-label": "✕", color: color("victim") } },
    { selector: "edge.excludes-target", style: { "target-label": "✕", color: color("victim") } },
    { selector: "node.victim", style: { "border-width": 3, "border-color": color("victim") } },
    { selector: "node.lost", style: { "border-width": 3, "border-color": lost, "background-color": color("lost-back") } },
    { selector: "edge.path", style: { width: 4, "line-color": path } },
    { selector: "node.path", style: { "border-width": 3, "border-color": path } },
    { selector: "edge.waits", style: { width: 4, "line-color": held, "line-style": "dashed" } },
    { selector: "edge.held", style: { width: 6, "line-color": held } },
    { selector: "edge.failed", style: { width: 3, "line-color": failed, "line-style": "dashed" } },
    { selector: "edge.forth", style: { "target-arrow-shape": "tee", "target-arrow-color": failed, "arrow-scale": 1.4 } },
    { selector: "edge.back", style: { "source-arrow-shape": "tee", "source-arrow-color": failed, "arrow-scale": 1.4 } },
    { selector: "node.failed", style: { "background-color": failed, color: color("page"), "border-color": failed } },
    { selector: ".cursor", style: { "overlay-color": color("accent"), "overlay-opacity": 0.25, "overlay-padding": 5 } },
  ];
}

const CLASSES = "ring off excludes-source excludes-target victim lost path waits held failed forth back";

export class Drawing {
  /** \param onPick called with { link, bit }, { node } or { terminal }; bit 0: the link as a whole */
  constructor(container, onPick) {
    this.container = container;
    this.onPick = onPick;
    container.setAttribute("tabindex", "0");
    container.addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolor());
  }

  recolor() {
    this.cy?.style(style());
  }

  /** \return false: it is too large to be drawn */
  open(network, { layout, hasTerminals }) {
    this.network = network;
    this.layout = layout;
    this.cursor = -1;
    this.cy?.destroy();
    this.cy = null;
    this.container.replaceChildren();
    if (network.links.length > LARGEST) {
      this.container.append(make("p", { class: "hint" }, `${network.links.length.toLocaleString("en")} links are more than a picture can show; the lists below work.`));
      return false;
    }
    const nodes = hasTerminals ? network.nodes : network.switches;
    const links = network.links.filter((link) => hasTerminals || !link.isOfTerminal);
    const scale = (this.scale = Drawing.scale(nodes));
    const bow = Drawing.bows(nodes);
    this.cy = cytoscape({
      container: this.container,
      style: style(),
      elements: [
        ...nodes.map((node) => ({ group: "nodes", data: { id: node.name, label: node.name, width: 12 + 6 * node.name.length, node }, classes: node.isSwitch ? "switch" : "terminal", position: { x: node.x * scale.x, y: -height(node, this.isNorthFirst) * scale.y } })),
        ...links.map((link) => ({ group: "edges", data: { id: link.id, source: link.from.name, target: link.to.name, bow: bow(link), link }, classes: `${link.isTwoWay ? "" : "oneway"} ${layout === "preset" && bow(link) ? "bow" : ""}` })),
      ],
      layout: layout === "force" ? { name: "cose", animate: false, randomize: false, nodeRepulsion: () => 9000, idealEdgeLength: () => 50, numIter: nodes.length > 300 ? 200 : 600 } : layout === "circle" ? { name: "circle" } : { name: "preset", fit: true },
      maxZoom: 4,
      minZoom: 0.03,
    });
    this.cy.fit(undefined, 18);
    this.cy.on("tap", "edge", (event) => this.pickEdge(event));
    this.cy.on("tap", "node.switch", (event) => this.onPick({ node: event.target.data("node") }));
    this.cy.on("tap", "node.terminal", (event) => this.onPick({ terminal: event.target.data("node") }));
    this.cy.on("mouseover", "node, edge", (event) => this.onPoint?.(event.target.data("node") ?? event.target.data("link")));
    this.cy.on("mouseout", "node, edge", () => this.onPoint?.(null));
    this.stops = [...this.cy.nodes(".switch").toArray(), ...this.cy.edges().toArray()];
    return true;
  }

  /** Row 0 of a grid stands at the top where the rule numbers rows from the north, else at the bottom: as in drawings of the command. */
  turn(isNorthFirst) {
    if (isNorthFirst === Boolean(this.isNorthFirst)) return;
    this.isNorthFirst = isNorthFirst;
    if (!this.cy || this.layout !== "preset") return;
    this.cy.nodes().positions((one) => ({ x: one.position("x"), y: -height(one.data("node"), isNorthFirst) * this.scale.y }));
    this.cy.fit(undefined, 18);
  }

  /** What one unit of the library's places is in pixels: labels do not lie on each other, and the whole is about as high as wide. */
  static scale(nodes) {
    const span = (key) => Math.max(...nodes.map((node) => node[key])) - Math.min(...nodes.map((node) => node[key])) || 1;
    return { x: 44, y: Math.max(44, (0.55 * 44 * span("x")) / span("y")) };
  }

  /** How far a link swings out so that it does not lie on the switches of its row or column, as those that wrap around. */
  static bows(nodes) {
    const switches = nodes.filter((node) => node.isSwitch);
    const between = (a, b, c) => (c - a) * (c - b) < 0;
    const isCovered = ({ from, to }) => (from.y === to.y && switches.some((one) => one.y === from.y && between(from.x, to.x, one.x))) || (from.x === to.x && switches.some((one) => one.x === from.x && between(from.y, to.y, one.y)));
    return (link) => (link.isOfTerminal || switches.length > 400 || !isCovered(link) ? 0 : 34);
  }

  /** With shift only the channel that leaves the nearer end. */
  pickEdge({ target, position, originalEvent }) {
    const link = target.data("link");
    if (!originalEvent.shiftKey || !link.isTwoWay) return this.onPick({ link, bit: 0 });
    const away = (node) => Math.hypot(node.position("x") - position.x, node.position("y") - position.y);
    return this.onPick({ link, bit: away(target.source()) <= away(target.target()) ? 1 : 2 });
  }

  key(event) {
    if (!this.cy) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      this.cursor = (this.cursor + step + this.stops.length) % this.stops.length;
      this.cy.elements(".cursor").removeClass("cursor");
      const stop = this.stops[this.cursor].addClass("cursor");
      this.onMove?.(stop.data("node") ?? stop.data("link"));
      this.onPoint?.(stop.data("node") ?? stop.data("link"));
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0) {
      const stop = this.stops[this.cursor];
      const bit = event.shiftKey ? 1 : 0;
      this.onPick(stop.isNode() ? { node: stop.data("node") } : { link: stop.data("link"), bit });
    } else if (event.key === "+" || event.key === "-") {
      this.cy.zoom({ level: this.cy.zoom() * (event.key === "+" ? 1.25 : 0.8), renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
    } else if (event.key === "0") {
      this.cy.fit(undefined, 18);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Put marks: { nodes: Map of names to classes, links: Map of links to classes }, and take the others off. */
  mark({ nodes, links }) {
    if (!this.cy) return;
    this.cy.batch(() => {
      this.cy.elements().removeClass(CLASSES);
      for (const [name, classes] of nodes) this.cy.getElementById(name).addClass(classes.join(" "));
      for (const [link, classes] of links) this.cy.getElementById(link.id).addClass(classes.join(" "));
    });
  }

  image() {
    return this.cy?.png({ full: true, scale: 2, bg: color("page") });
  }
}
