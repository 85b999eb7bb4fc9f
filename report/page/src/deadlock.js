// SPDX-License-Identifier: GPL-3.0-or-later
// Can the plan deadlock? The library decides; here one goes through the packets of the deadlock, one after the other.
import { Stopped } from "./client.js";
import { fill, make, plural, save, say } from "./dom.js";
import { Table } from "./table.js";

const names = (resources, hasVc) => resources.map((one) => (hasVc ? `${one.channel} vc ${one.vc}` : one.channel)).join(" ");

export class Deadlock {
  constructor(explorer) {
    this.explorer = explorer;
    const select = (id, label, words) => {
      this[id] = make("select", { id: `field-${id}` }, words.map((word) => make("option", { value: word }, word)));
      return make("label", { for: `field-${id}` }, label, this[id]);
    };
    this.text = make("div", { role: "status" });
    this.steps = make("div", { class: "steps", hidden: true });
    this.table = make("div");
    this.element = make(
      "div",
      {},
      make("form", { class: "fields", onsubmit: (e) => (e.preventDefault(), this.verify()) }, select("switching", "Switching", ["wormhole", "vct", "saf"]), select("flow", "Flow control", ["credit", "bubble"]), make("button", { type: "submit", class: "main" }, "Can it deadlock?"), make("button", { type: "button", onclick: () => this.saveCertificate() }, "Save certificate")),
      this.text,
      this.steps,
      this.table,
    );
  }

  clear() {
    this.marks = null;
    this.packets = [];
    fill(this.text);
    fill(this.table);
    this.steps.hidden = true;
  }

  get asked() {
    const e = this.explorer;
    return { topology: e.topology.value, routing: e.routing.value, failed: e.faults?.names().join(",") ?? "", switching: this.switching.value, flow: this.flow.value };
  }

  async verify() {
    this.clear();
    try {
      const answer = await this.explorer.client.ask("verify", "ask", "verify", this.asked);
      this.show(answer.rows[0]);
    } catch (error) {
      if (!(error instanceof Stopped)) fill(this.text, make("p", { class: "problem" }, error.message));
    }
    this.explorer.mark();
  }

  async saveCertificate() {
    try {
      save("certificate.json", await this.explorer.client.ask(null, "attach", "verify", this.asked, "certificate"), "application/json");
    } catch (error) {
      if (!(error instanceof Stopped)) fill(this.text, make("p", { class: "problem" }, error.message));
    }
  }

  /** \param row of verify, or a certificate */
  show(row) {
    const packets = row.blocked ?? [];
    const size = row.dependencies ? `; ${plural(row.virtual_channels, "virtual channel")}, ${row.used.toLocaleString("en")} in use, ${plural(row.dependencies, "dependency", "dependencies")}` : "";
    fill(
      this.text,
      make("p", { class: row.verdict === "deadlock" ? "no" : row.verdict === "deadlock-free" ? "yes" : "unknown", id: "deadlock-verdict" }, row.verdict),
      make("p", {}, `by ${row.method}${size}${row.connected === false ? `; not connected: ${row.not_connected ?? ""}` : ""}`),
      packets.length ? make("p", {}, `${plural(packets.length, "packet")} wait for each other${row.smallest ? "; no deadlock holds fewer channels" : ""}.`) : null,
    );
    this.packets = packets;
    this.hasVc = packets.some((one) => [...one.holds, ...one.waits_for].some((r) => r.vc > 0));
    if (packets.length === 0) return;
    this.list();
    this.stepper();
    this.step(-1);
  }

  list() {
    const rows = this.packets.map((one, i) => ({ n: i + 1, from: one.source, to: one.destination, holds: names(one.holds, this.hasVc), waits: names(one.waits_for, this.hasVc), way: names(one.path ?? [], this.hasVc) }));
    const see = (row) => make("button", { type: "button", onclick: () => this.step(row.n - 1) }, "show");
    const columns = [{ key: "n", heading: "Packet" }, { key: "from", heading: "From" }, { key: "to", heading: "To" }, { key: "holds", heading: "Holds" }, { key: "waits", heading: "Waits for" }, { key: "way", heading: "Came by" }, { key: "see", heading: "Look", render: see }];
    fill(this.table, new Table({ title: "Packets of the deadlock", columns, rows }).element);
  }

  stepper() {
    const go = (by) => () => this.step((this.at + by + this.packets.length + 2) % (this.packets.length + 1) - 1);
    this.told = make("p", { role: "status", id: "deadlock-step" });
    fill(this.steps, make("button", { type: "button", onclick: go(-1) }, "◂ back"), make("button", { type: "button", onclick: go(1) }, "next ▸"), make("button", { type: "button", onclick: () => this.step(-1) }, "the whole cycle"), this.told);
    this.steps.hidden = false;
  }

  /** Who holds what this packet waits for. */
  holder(packet) {
    const waits = new Set(packet.waits_for.map((r) => `${r.channel} ${r.vc}`));
    return this.packets.findIndex((one) => one.holds.some((r) => waits.has(`${r.channel} ${r.vc}`)));
  }

  /** \param at a packet; -1: all of them */
  step(at) {
    this.at = at;
    const some = at < 0 ? this.packets : [this.packets[at]];
    const isWhole = at < 0;
    const channels = some.flatMap((one) => [...(isWhole ? [] : (one.path ?? []).map((r) => [r.channel, "path"])), ...one.waits_for.map((r) => [r.channel, "waits"]), ...one.holds.map((r) => [r.channel, "held"])]);
    this.marks = { channels, nodes: isWhole ? [] : [[some[0].source, "path"], [some[0].destination, "path"]] };
    const next = isWhole ? -1 : this.holder(some[0]);
    const words = isWhole
      ? `All ${this.packets.length} packets: ${names(this.packets.flatMap((one) => one.holds), this.hasVc)}`
      : `Packet ${at + 1} of ${this.packets.length}: ${some[0].source} to ${some[0].destination} holds ${names(some[0].holds, this.hasVc)} and waits for ${names(some[0].waits_for, this.hasVc)}${next >= 0 ? `, which packet ${next + 1} holds` : ""}.`;
    this.told.textContent = words;
    say(words);
    this.explorer.mark();
  }
}
