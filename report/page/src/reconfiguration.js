// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the library's kernel in which what has failed fails while packets flow: one goes through its windows.
import { Stopped } from "./client.js";
import { fill, make, plural, say } from "./dom.js";
import { Faults } from "./network.js";
import { Plot } from "./plot.js";
import { Table } from "./table.js";

const FIRST = 1000, BETWEEN = 2000, AFTER = 5000, WINDOW = 250; // cycles

const HEADINGS = {
  cycle: "Cycle", failed: "Failed", finished_after: "Finished after, cycles", switches_changed: "Switches changed", messages: "Messages", packets_hit: "Packets hit",
  lost_afterwards: "Lost afterwards", covered: "Covered",
};

export class Reconfiguration {
  constructor(explorer) {
    this.explorer = explorer;
    this.load = make("input", { id: "field-load", value: "0.2", size: 5 });
    this.switching = make("select", { id: "field-run-switching" }, ["usual", "wormhole", "vct", "vct with bubble"].map((word) => make("option", {}, word)));
    this.out = make("div", { role: "status" });
    this.element = make(
      "div",
      {},
      make("p", { class: "hint" }, `What has failed fails one by one, from cycle ${FIRST} on every ${BETWEEN} cycles, while packets flow; the rule's own protocol reconfigures the network.`),
      make("form", { class: "fields", onsubmit: (e) => (e.preventDefault(), this.run()) }, make("label", { for: "field-load" }, "Load (flits a cycle and terminal)", this.load), make("label", { for: "field-run-switching" }, "Switching", this.switching), make("button", { type: "submit", class: "main" }, "Run")),
      this.out,
    );
  }

  clear() {
    this.faults = null; // those of the window that is shown
    this.plot?.close();
    this.plot = null;
    fill(this.out);
  }

  get asked() {
    const e = this.explorer;
    const names = e.faults.names();
    const ways = { wormhole: { switching: "wormhole" }, vct: { switching: "vct" }, "vct with bubble": { switching: "vct", flow: "bubble" } };
    return {
      topology: e.topology.value,
      routing: e.routing.value,
      load: this.load.value,
      "fault-at": names.map((name, i) => `${FIRST + BETWEEN * i}:${name}`).join(";"),
      cycles: FIRST + BETWEEN * Math.max(0, names.length - 1) + AFTER,
      window: WINDOW,
      ...ways[this.switching.value],
    };
  }

  async run() {
    this.clear();
    if (!this.explorer.faults || this.explorer.faults.isEmpty) {
      fill(this.out, make("p", { class: "problem" }, "Nothing has failed: click a link first."));
      return;
    }
    try {
      this.show(await this.explorer.client.ask("run", "ask", "simulate", this.asked));
    } catch (error) {
      if (!(error instanceof Stopped)) fill(this.out, make("p", { class: "problem" }, error.message));
    }
  }

  show(answer) {
    this.windows = answer.rows;
    this.events = answer.faults ?? [];
    const points = (key) => this.windows.filter((row) => Number.isFinite(row[key])).map((row) => [row.cycle, row[key]]);
    const series = [["accepted, flits a cycle and terminal", "accepted"], ["latency, cycles", "latency"], ["packets lost or refused", null]].map(([panel, key]) => ({ name: panel, panel, joined: true, points: key ? points(key) : this.windows.map((row) => [row.cycle, (row.lost ?? 0) + (row.refused ?? 0)]) }));
    const chart = make("div", { class: "plot" });
    const columns = Object.entries(HEADINGS).filter(([key]) => this.events.some((one) => one[key] !== undefined)).map(([key, heading]) => ({ key, heading }));
    this.slider = make("input", { type: "range", id: "field-window", min: 0, max: this.windows.length - 1, value: 0, oninput: () => this.step(Number(this.slider.value)) });
    this.told = make("p", { role: "status", id: "window-step" });
    const go = (by) => () => this.step(Math.min(this.windows.length - 1, Math.max(0, Number(this.slider.value) + by)));
    fill(this.out, new Table({ title: "Faults of the run, and what each set off", columns, rows: this.events, isSmall: true }).element, make("div", { class: "steps" }, make("button", { type: "button", onclick: go(-1) }, "◂ back"), make("button", { type: "button", onclick: go(1) }, "next ▸"), make("label", { for: "field-window" }, "window", this.slider), this.told), chart);
    this.plot = new Plot(chart, { x: { label: "cycle" }, y: { label: "" }, series });
    this.step(0);
  }

  /** The phase in which a cycle falls, by the answer's own events. */
  phase(end) {
    const begun = this.events.filter((one) => one.cycle < end);
    const last = begun.at(-1);
    if (!last) return "before the first fault: the plan without faults";
    const isOver = last.finished !== null && last.finished !== undefined && last.finished < end - WINDOW;
    return isOver
      ? `${last.failed} has failed; all switches work by the new plan since cycle ${last.finished}`
      : `${last.failed} fails in cycle ${last.cycle}; switches tell each other${last.finished ? ` until cycle ${last.finished}: ${plural(last.messages ?? 0, "message")}, ${plural(last.switches_changed ?? 0, "switch", "switches")} changed` : ""}`;
  }

  step(at) {
    const row = this.windows[at];
    this.slider.value = at;
    const shown = (x) => (Number.isFinite(x) ? Number(x.toPrecision(4)) : "none");
    const words = `Cycles ${row.cycle - WINDOW} to ${row.cycle}: ${this.phase(row.cycle)}. Accepted ${shown(row.accepted)}, latency ${shown(row.latency)}, lost ${row.lost ?? 0}.`;
    this.told.textContent = words;
    say(words);
    this.faults = new Faults(this.explorer.network);
    this.faults.take(this.events.filter((one) => one.cycle < row.cycle).flatMap((one) => one.failed.split(",")));
    this.explorer.mark();
  }
}
