// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer of a network: what fails is clicked, and the library tells at once what it does. Nothing is decided here.
import { Stopped } from "./client.js";
import { Deadlock } from "./deadlock.js";
import { fill, make, plural, runs, save, say } from "./dom.js";
import { Drawing } from "./drawing.js";
import { Faults, readNetwork } from "./network.js";
import { Reconfiguration } from "./reconfiguration.js";
import { Table } from "./table.js";

const EXAMPLES = [
  ["kary-tree:k=4,n=2", "ft2ei", "a fat-tree with exclusion intervals"],
  ["kary-tree:k=2,n=4", "ft2ei", "the 2-ary 4-tree of the figures"],
  ["mesh:dims=8x8", "solid-fault", "a mesh with f-rings"],
  ["torus:dims=4x4", "dor", "a torus that can deadlock"],
  ["torus:dims=4x4", "immunet", "a torus that reconfigures"],
  ["mesh:dims=4x4", "minimal", "a mesh that can deadlock"],
  ["multibutterfly:radix=2,dilation=2,stages=4", "multipath", "a multibutterfly"],
  ["dragonfly:p=2,a=4,h=2", "dragonfly-min", "a dragonfly"],
  ["hypercube:n=4", "updown-graph", "a hypercube, routed up and down"],
];
const CRITERIA = ["all-pairs", "surviving", "surviving:live=50%", "connected", "switches-connected"];

const rangeOf = (register) => (register.low === register.high ? `t${register.low}` : `t${register.low}..t${register.high}`);

export class Explorer {
  constructor(client, catalogue) {
    this.client = client;
    this.catalogue = catalogue;
    this.network = null;
    this.element = make("section", { class: "explorer" }, this.form(), make("div", { class: "stage" }, this.picture(), make("div", { class: "side" }, this.judgement(), this.panels())));
    this.deadlock = new Deadlock(this);
    this.reconfiguration = new Reconfiguration(this);
    this.fillPanels();
  }

  /* ---- what is shown where ---- */

  field(name, label, list, attributes = {}) {
    const options = make("datalist", { id: `list-${name}` }, list.map(([value, text]) => make("option", { value }, text)));
    this[name] = make("input", { id: `field-${name}`, list: `list-${name}`, spellcheck: "false", autocomplete: "off", ...attributes });
    return make("label", { for: `field-${name}` }, label, this[name], options);
  }

  form() {
    const topologies = [...EXAMPLES.map(([spec, , text]) => [spec, text]), ...this.catalogue.topologies.map((one) => [one.name, one.summary])];
    const routings = this.catalogue.routings.map((one) => [one.name, one.summary]);
    const examples = make(
      "select",
      { id: "field-example", onchange: (e) => e.target.value && this.openExample(EXAMPLES[e.target.value]) },
      make("option", { value: "" }, "choose ..."),
      EXAMPLES.map(([spec, rule, text], i) => make("option", { value: i }, `${text}: ${spec}, ${rule}`)),
    );
    this.problem = make("p", { class: "problem", role: "alert" });
    return make(
      "form",
      { class: "fields", onsubmit: (e) => (e.preventDefault(), this.open()) },
      make("label", { for: "field-example" }, "Example", examples),
      this.field("topology", "Network", topologies, { required: true, size: 28 }),
      this.field("routing", "Routing rule", routings, { size: 18 }),
      this.field("criterion", "Criterion", CRITERIA.map((word) => [word, ""]), { size: 14, placeholder: "all-pairs" }),
      this.field("failed", "Failed", [], { size: 24, placeholder: "such as s3, s0:2-s2:0, s0:2>s2:0" }),
      make("button", { type: "submit", class: "main" }, "Show"),
      this.problem,
    );
  }

  picture() {
    const container = make("div", { class: "drawing", role: "application", "aria-roledescription": "network", "aria-label": "Drawing of the network. Arrow keys go from component to component, Enter fails it or brings it back, shift and Enter one channel alone; plus, minus and 0 zoom. The list of components below does the same." });
    this.drawing = new Drawing(container, (picked) => this.pick(picked));
    this.drawing.onMove = (stop) => say(this.describe(stop));
    this.pointed = make("p", { class: "pointed" });
    this.drawing.onPoint = (stop) => (this.pointed.textContent = stop ? this.describe(stop) : "");
    const select = (id, label, words) => {
      this[id] = make("select", { id: `field-${id}`, onchange: () => this.redraw() }, words.map(([value, text]) => make("option", { value }, text)));
      return make("label", { for: `field-${id}` }, label, this[id]);
    };
    this.showsTerminals = make("input", { type: "checkbox", id: "field-terminals", checked: true, onchange: () => this.redraw() });
    return make(
      "div",
      { class: "picture" },
      make(
        "div",
        { class: "tools" },
        select("layout", "Layout", [["preset", "stages or grid"], ["force", "force"], ["circle", "circle"]]),
        make("label", { for: "field-terminals" }, this.showsTerminals, "terminals"),
        make("button", { type: "button", onclick: () => this.failRandom() }, "Fail a random link"),
        make("button", { type: "button", onclick: () => this.undo() }, "Undo"),
        make("button", { type: "button", onclick: () => this.change(() => this.faults.take([])) }, "Repair all"),
        make("button", { type: "button", onclick: () => this.saveImage() }, "Save picture"),
      ),
      container,
      this.pointed,
      make("p", { class: "hint" }, "Click a link or a switch to fail it, again to bring it back; with shift, only the channel that leaves the nearer end. Click two terminals for the paths between them."),
      this.legend(),
    );
  }

  legend() {
    const entry = (name, text) => make("li", {}, make("span", { class: `key key-${name}`, "aria-hidden": "true" }), text);
    return make("ul", { class: "legend", "aria-label": "legend" }, entry("bad", "failed"), entry("lost", "terminal of a lost pair"), entry("victim", "switch with victims, port that excludes (✕)"), entry("ring", "f-ring, safe ring"), entry("off", "taken out of service"), entry("path", "path of the pair"), entry("held", "held in the deadlock; dashed: waited for"));
  }

  judgement() {
    this.verdict = make("div", { class: "verdict", role: "status", "aria-live": "polite" });
    this.command = make("code", {});
    return [this.verdict, make("p", { class: "hint" }, "The same on the command line:"), make("pre", { tabindex: "0" }, this.command)];
  }

  panels() {
    const names = [["components", "Components"], ["pairs", "Lost pairs"], ["exclusions", "Exclusions"], ["victims", "Victims"], ["way", "Paths of a pair"], ["deadlock", "Deadlock"], ["reconfiguration", "Reconfiguration"], ["files", "Files"]];
    this.panel = {};
    this.tab = {};
    const tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "what is shown of the network" });
    const panels = names.map(([name, text]) => {
      this.tab[name] = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.choose(name), onkeydown: (e) => this.turn(e, name) }, text);
      tabs.append(this.tab[name]);
      this.panel[name] = make("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0" });
      return this.panel[name];
    });
    this.choose("components");
    return make("div", { class: "panels" }, tabs, panels);
  }

  choose(name) {
    for (const [one, tab] of Object.entries(this.tab)) {
      tab.setAttribute("aria-selected", String(one === name));
      tab.tabIndex = one === name ? 0 : -1;
      this.panel[one].hidden = one !== name;
    }
  }

  turn(event, name) {
    const names = Object.keys(this.tab);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(name) + step + names.length) % names.length];
    this.choose(next);
    this.tab[next].focus();
    event.preventDefault();
  }

  fillPanels() {
    const nothing = () => make("p", { class: "hint" }, "Nothing.");
    for (const name of ["components", "pairs", "exclusions", "victims"]) fill(this.panel[name], nothing());
    fill(this.panel.way, this.wayForm());
    fill(this.panel.deadlock, this.deadlock.element);
    fill(this.panel.reconfiguration, this.reconfiguration.element);
    fill(this.panel.files, this.files());
  }

  /* ---- opening ---- */

  /** The state as words of the address. */
  get address() {
    const words = { topology: this.topology.value, routing: this.routing.value, criterion: this.criterion.value, failed: this.faults?.names().join(",") ?? "" };
    return new URLSearchParams(Object.entries(words).filter(([, value]) => value)).toString();
  }

  openExample([topology, routing]) {
    return this.openSpec({ topology, routing, failed: "" });
  }

  openSpec({ topology, routing = "", criterion = "", failed = "" }) {
    this.topology.value = topology;
    this.routing.value = routing ?? "";
    this.criterion.value = criterion ?? "";
    this.failed.value = failed ?? "";
    return this.open();
  }

  /** Draw the network of the fields, and judge it. */
  async open() {
    try {
      this.problem.textContent = "";
      if (this.spec !== this.topology.value || !this.network) {
        const graphml = await this.client.ask("network", "attach", "topology", { topology: this.topology.value }, "graphml");
        this.spec = this.topology.value;
        this.network = readNetwork(graphml);
        this.faults = new Faults(this.network);
        this.past = [];
        this.showsTerminals.checked = this.network.terminals.length <= 300;
        this.redraw();
      }
      this.faults.take(this.failed.value.split(",").map((name) => name.trim()).filter(Boolean));
      this.deadlock.clear();
      this.reconfiguration.clear();
      await this.judge();
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    if (error instanceof Stopped) return;
    this.problem.textContent = error.message;
    fill(this.verdict, make("p", { class: "unknown" }, "no verdict"));
  }

  redraw() {
    if (!this.network) return;
    this.drawing.open(this.network, { layout: this.layout.value, hasTerminals: this.showsTerminals.checked });
    this.mark();
  }

  /* ---- failing ---- */

  /** A node or a link in words, with what the answer says of it. */
  describe(stop) {
    const a = this.answer ?? {};
    if (stop.isSwitch === false) {
      const lost = (a.bad_pairs ?? []).filter(([from]) => from === stop.name).map(([, to]) => to);
      return `terminal ${stop.name}${lost.length ? `, no way to ${runs(lost)}` : ""}`;
    }
    if (stop.isSwitch) {
      const n = (a.victims ?? []).filter((v) => v.switch === stop.name).length;
      return `switch ${stop.name}, ${this.faults.switches.has(stop.name) ? "failed" : "healthy"}${n ? `, ${plural(n, "victim")}` : ""}`;
    }
    const mask = this.faults.mask(stop);
    const failed = stop.channels.filter((_, i) => mask >> i & 1);
    const state = failed.length === 0 ? "healthy" : failed.length === stop.channels.length ? "failed" : `failed: ${failed.join(", ")}`;
    const excludes = (a.registers ?? []).filter((r) => this.port(r.switch, r.port)?.link === stop).map((r) => `${r.switch} port ${r.port} excludes ${rangeOf(r)}`);
    return [`link ${stop.name}`, state, ...excludes].join(", ");
  }

  pick({ node, link, bit, terminal }) {
    if (terminal) return this.pickTerminal(terminal.name);
    return this.change(() => (node ? this.faults.toggleSwitch(node.name) : bit ? this.faults.toggleChannel(link, bit) : this.faults.toggle(link)));
  }

  /** Change what has failed, and judge it. */
  change(work) {
    if (!this.network) return Promise.resolve();
    this.past.push(this.faults.names());
    work();
    this.deadlock.clear();
    this.reconfiguration.clear();
    return this.judge().catch((error) => this.refuse(error));
  }

  /** The first terminal that is clicked begins a pair, the second ends it. */
  pickTerminal(name) {
    const isSecond = this.from.value && !this.to.value && this.from.value !== name;
    if (isSecond) return this.showWay(this.from.value, name);
    this.from.value = name;
    this.to.value = "";
    say(`paths from ${name}: choose another terminal`);
    this.pointed.textContent = `paths from ${name} to ...`;
    return this.way();
  }

  undo() {
    const names = this.past?.pop();
    if (!names) return;
    this.faults.take(names);
    this.deadlock.clear();
    this.judge().catch((error) => this.refuse(error));
  }

  failRandom() {
    const healthy = this.network?.links.filter((link) => !link.isOfTerminal && !this.faults.mask(link)) ?? [];
    if (healthy.length > 0) this.change(() => this.faults.toggle(healthy[Math.floor(Math.random() * healthy.length)]));
  }

  /* ---- judging ---- */

  async judge() {
    const names = this.faults.names();
    this.failed.value = names.join(", ");
    const asked = { topology: this.topology.value, routing: this.routing.value, criterion: this.routing.value ? this.criterion.value : "", failed: names.join(",") };
    this.command.textContent = `holdfast show ${Object.entries(asked).filter(([, value]) => value).map(([name, value]) => `--${name} '${value}'`).join(" ")}`;
    this.problem.textContent = "";
    history.replaceState(null, "", `#explore?${this.address}`);
    const answer = await this.client.ask("judge", "show", asked);
    this.answer = answer.rows[0];
    this.drawing.turn(this.answer.marks?.north_first === true);
    this.tell();
    this.mark();
  }

  tell() {
    const a = this.answer;
    fill(this.verdict, this.routing.value ? this.verdictWords(a) : make("p", { class: "unknown" }, "choose a routing rule to judge it"));
    this.tellComponents();
    this.tellPairs(a.bad_pairs ?? []);
    this.tellExclusions(a.registers ?? []);
    this.tellVictims(a.victims ?? []);
    const number = (name, n) => (this.tab[name].textContent = `${{ pairs: "Lost pairs", exclusions: "Exclusions", victims: "Victims" }[name]}${n ? ` (${n.toLocaleString("en")})` : ""}`);
    number("pairs", a.bad_pairs?.length);
    number("exclusions", a.registers?.length);
    number("victims", a.victims?.length ?? a.victims_sum);
    this.way();
  }

  verdictWords(a) {
    const words = [
      make("p", { class: a.tolerated ? "yes" : "no", id: "verdict" }, a.tolerated ? "tolerated" : "not tolerated"),
      make("p", {}, `failed: ${a.failed.length ? a.failed.join(", ") : "nothing"}`),
    ];
    if (a.pairs !== undefined) {
      words.push(
        make("p", {}, `${a.unserved.toLocaleString("en")} of ${plural(a.pairs, "pair")} of terminals without a path, ${a.unsafe.toLocaleString("en")} that can meet a fault`),
        make("p", {}, `${plural(a.victims.length, "victim")}; ${plural(a.terminals_in_service, "terminal")} in service, ${a.terminals_needed} needed`),
      );
    } else {
      words.push(make("p", {}, `victims: ${a.victims_sum ?? "not measured"}; lost paths: ${a.lost_paths_sum ?? "not measured"}; pairs are not listed in a network of this size`));
    }
    if (a.marks?.out_of_service.length) words.push(make("p", {}, `out of service: ${runs(a.marks.out_of_service)}`));
    return words;
  }

  /** Links and switches with a box to fail each: the drawing without a picture. */
  tellComponents() {
    const focused = document.activeElement?.dataset?.component;
    const box = (name, isFailed, toggle) => make("input", { type: "checkbox", checked: isFailed, "data-component": name, "aria-label": `${name} has failed`, onchange: () => this.change(toggle) });
    const rows = [
      ...this.network.switches.map((node) => ({ kind: "switch", name: node.name, state: this.faults.switches.has(node.name) ? "failed" : "healthy", toggle: () => this.faults.toggleSwitch(node.name) })),
      ...this.network.links.flatMap((link) => {
        const mask = this.faults.mask(link), all = (1 << link.channels.length) - 1;
        const kind = link.isOfTerminal ? "terminal link" : "link";
        const channels = link.isTwoWay ? link.channels.map((name, i) => ({ kind: "channel", name, state: mask >> i & 1 ? "failed" : "healthy", toggle: () => this.faults.toggleChannel(link, 1 << i) })) : [];
        return [{ kind, name: link.isTwoWay ? link.name : link.channels[0], state: mask === all ? "failed" : mask ? "one channel failed" : "healthy", toggle: () => this.faults.toggle(link) }, ...channels];
      }),
    ];
    const columns = [
      { key: "box", heading: "Fail", render: (row) => box(row.name, row.state === "failed", row.toggle) },
      { key: "kind", heading: "Kind" },
      { key: "name", heading: "Name" },
      { key: "state", heading: "State", className: (row) => (row.state === "healthy" ? "" : "bad") },
    ];
    const before = this.components;
    this.components = new Table({ title: "Components of the network", columns, rows, choices: ["kind", "state"] });
    if (before) this.components.resume(before);
    fill(this.panel.components, this.components.element);
    if (focused) this.panel.components.querySelector(`[data-component="${CSS.escape(focused)}"]`)?.focus();
  }

  tellPairs(pairs) {
    const bySource = new Map();
    for (const [from, to] of pairs) bySource.set(from, [...(bySource.get(from) ?? []), to]);
    const rows = [...bySource].map(([from, to]) => ({ from, n: to.length, to: runs(to), first: to[0] }));
    const see = (row) => make("button", { type: "button", onclick: () => this.showWay(row.from, row.first) }, "paths");
    const columns = [{ key: "from", heading: "From" }, { key: "n", heading: "Pairs" }, { key: "to", heading: "To" }, { key: "see", heading: "Look", render: see }];
    fill(this.panel.pairs, rows.length ? new Table({ title: "Pairs that lose their way", columns, rows }).element : make("p", { class: "hint" }, "No pair loses its way."));
  }

  tellExclusions(registers) {
    const rows = registers.map((r) => ({ switch: r.switch, port: r.port, register: r.register, index: r.index, range: rangeOf(r), to: this.beyond(r.switch, r.port) }));
    const columns = [{ key: "switch", heading: "Switch" }, { key: "port", heading: "Port" }, { key: "to", heading: "Leads to" }, { key: "range", heading: "Excludes" }, { key: "index", heading: "Register" }];
    fill(this.panel.exclusions, rows.length ? new Table({ title: "Ports that exclude destinations", columns, rows }).element : make("p", { class: "hint" }, "No port excludes a destination, or the rule has no registers."));
  }

  tellVictims(victims) {
    const groups = new Map();
    for (const v of victims) {
      const key = `${v.switch} ${v.port}`;
      groups.set(key, { switch: v.switch, port: v.port, to: [...(groups.get(key)?.to ?? []), v.destination] });
    }
    const rows = [...groups.values()].map((one) => ({ ...one, n: one.to.length, to: runs(one.to), beyond: this.beyond(one.switch, one.port) }));
    const columns = [{ key: "switch", heading: "Switch" }, { key: "port", heading: "Port" }, { key: "beyond", heading: "Leads to" }, { key: "n", heading: "Destinations" }, { key: "to", heading: "Victims" }];
    fill(this.panel.victims, rows.length ? new Table({ title: "Victims", columns, rows }).element : make("p", { class: "hint" }, "No victims: nothing is excluded that a healthy minimal path goes through."));
  }

  /** The link at a port, and the node beyond it. */
  port(name, port) {
    for (const [channel, place] of this.network.channel) if (channel.startsWith(`${name}:${port}>`)) return { ...place, isSource: place.bit === 1 };
    return null;
  }

  beyond(name, port) {
    const at = this.port(name, port);
    return at ? (at.isSource ? at.link.to.name : at.link.from.name) : "";
  }

  /* ---- marks ---- */

  mark() {
    if (!this.network) return;
    const nodes = new Map(), links = new Map();
    const put = (map, key, ...classes) => map.set(key, [...(map.get(key) ?? []), ...classes]);
    const faults = this.reconfiguration.faults ?? this.faults;
    const a = faults === this.faults ? (this.answer ?? {}) : {};
    for (const name of faults.switches) put(nodes, name, "failed");
    for (const [link, mask] of faults.links) {
      put(links, link, "failed");
      if (link.isTwoWay && mask < 3) put(links, link, mask === 1 ? "forth" : "back");
    }
    for (const [from, to] of a.bad_pairs ?? []) {
      put(nodes, from, "lost");
      put(nodes, to, "lost");
    }
    for (const v of a.victims ?? []) put(nodes, v.switch, "victim");
    for (const r of a.registers ?? []) {
      const at = this.port(r.switch, r.port);
      if (at) put(links, at.link, at.isSource ? "excludes-source" : "excludes-target");
    }
    const byName = this.linkByName();
    for (const name of a.marks?.ring ?? []) if (byName.has(name)) put(links, byName.get(name), "ring");
    for (const name of a.marks?.out_of_service ?? []) put(nodes, name, "off");
    for (const part of [this.path, this.deadlock.marks]) {
      for (const [name, word] of part?.nodes ?? []) put(nodes, name, word);
      for (const [channel, word] of part?.channels ?? []) {
        const at = this.network.channel.get(channel);
        if (at) put(links, at.link, word);
      }
    }
    this.drawing.mark({ nodes, links });
  }

  linkByName() {
    return new Map(this.network.links.map((link) => [link.name, link]));
  }

  /* ---- paths of a pair ---- */

  wayForm() {
    const terminal = (id, label) => {
      this[id] = make("input", { id: `field-${id}`, size: 6, spellcheck: "false" });
      return make("label", { for: `field-${id}` }, label, this[id]);
    };
    this.wayText = make("div", { role: "status" });
    return make("form", { class: "fields", onsubmit: (e) => (e.preventDefault(), this.way()) }, terminal("from", "From"), terminal("to", "To"), make("button", { type: "submit" }, "Show"), make("button", { type: "button", onclick: () => this.forgetWay() }, "Clear"), this.wayText);
  }

  showWay(from, to) {
    this.from.value = from;
    this.to.value = to;
    this.choose("way");
    this.tab.way.focus();
    this.way();
  }

  forgetWay() {
    this.from.value = this.to.value = "";
    this.way();
  }

  async way() {
    this.path = null;
    if (!this.from.value || !this.to.value) {
      fill(this.wayText);
      this.path = this.from.value ? { channels: [], nodes: [[this.from.value, "path"]] } : null;
      this.mark();
      return;
    }
    try {
      const pair = `${this.from.value},${this.to.value}`;
      const asked = { topology: this.topology.value, routing: this.routing.value, pair };
      const whole = await this.client.ask("way-whole", "ask", "topology", asked);
      const now = await this.client.ask("way", "ask", "topology", { ...asked, faults: this.faults.names().join(",") });
      const row = now.rows[0];
      this.path = { channels: (row.channels ?? []).map((name) => [name, "path"]), nodes: [...(row.switches ?? []), row.source, row.destination].map((name) => [name, "path"]) };
      fill(this.wayText, make("p", {}, `${row.source} to ${row.destination}: ${row.paths ?? "not counted"} of ${whole.rows[0].paths ?? "as many"} paths, over ${plural(row.n_switch ?? 0, "switch", "switches")} and ${plural(row.n_channel ?? 0, "channel")}${row.switches?.length ? `: ${runs(row.switches)}` : ""}.`));
    } catch (error) {
      if (!(error instanceof Stopped)) fill(this.wayText, make("p", { class: "problem" }, error.message));
    }
    this.mark();
  }

  /* ---- files ---- */

  files() {
    this.fileText = make("div", { role: "status" });
    const load = make("input", { type: "file", id: "field-file", onchange: (e) => e.target.files[0] && this.load(e.target.files[0]) });
    return make(
      "div",
      { class: "fields" },
      make("label", { for: "field-file" }, "Load a witness (tolerance --witness=FILE), a certificate (verify, simulate, bound), an answer in JSON, or a file of a network", load),
      make("button", { type: "button", onclick: () => this.saveWitness() }, "Save what has failed"),
      this.fileText,
    );
  }

  saveImage() {
    const image = this.drawing.image();
    if (image) make("a", { href: image, download: "network.png" }).click();
  }

  saveWitness() {
    const names = this.faults?.names() ?? [];
    save("witness.txt", `# f=${names.length}, ${this.topology.value}, ${this.routing.value}, names\n${names.join(",")}\n`);
  }

  async load(file) {
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      await this.take(file.name, bytes);
    } catch (error) {
      if (!(error instanceof Stopped)) fill(this.fileText, make("p", { class: "problem" }, `${file.name}: ${error.message}`));
    }
  }

  /** A file by what it holds. */
  async take(name, bytes) {
    const text = new TextDecoder().decode(bytes);
    if (text.trimStart().startsWith("{")) return this.takeJson(name, text);
    const witness = /^# f=\d+, (.+)\n([^#\n]*)/.exec(text);
    if (witness) {
      const [topology, routing] = witness[1].split(", ");
      fill(this.fileText, make("p", {}, `${name}: a witness of ${topology}, ${routing}`));
      return this.openSpec({ topology, routing, failed: witness[2] });
    }
    this.client.addFile(name, bytes);
    fill(this.fileText, make("p", {}, `${name}: a network`));
    return this.openSpec({ topology: `file:${name}`, routing: this.routing.value });
  }

  async takeJson(name, text) {
    const said = JSON.parse(text);
    const spec = said.spec ?? {};
    if (!spec.topology) throw new Error("it names no topology");
    let sentence = `an answer of ${said.command}`;
    if (said.certificate) sentence = (await this.client.ask(null, "confirm", text)).sentence;
    else if (said.command === "bound") sentence = `bound: ${(await this.client.ask(null, "check", "bound", text)).rows[0].verdict}`;
    const row = said.rows?.find((one) => one.witness || one.failed) ?? {};
    const failed = spec.failed ?? (row.witness ?? row.failed ?? []).join(",");
    fill(this.fileText, make("p", { id: "file-verdict" }, `${name}: ${sentence}`));
    await this.openSpec({ topology: spec.topology, routing: spec.routing, criterion: spec.criterion, failed });
    const blocked = said.certificate?.blocked ?? said.rows?.[0]?.blocked;
    if (blocked?.length) {
      this.choose("deadlock");
      this.deadlock.show({ ...(said.rows?.[0] ?? said.certificate), blocked });
    }
  }
}
