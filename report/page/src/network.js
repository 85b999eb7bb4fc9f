// SPDX-License-Identifier: GPL-3.0-or-later
// A network as the library writes it in GraphML: nodes with their places, links with the names of their channels.

function dataOf(element, keys) {
  const found = {};
  for (const data of element.children) {
    if (data.tagName === "data") found[keys.get(data.getAttribute("key")) ?? data.getAttribute("key")] = data.textContent;
  }
  return found;
}

export function readNetwork(graphml) {
  const page = new DOMParser().parseFromString(graphml, "application/xml");
  const keys = new Map([...page.querySelectorAll("key")].map((key) => [key.getAttribute("id"), key.getAttribute("attr.name")]));
  const node = new Map();
  for (const element of page.querySelectorAll("node")) {
    const data = dataOf(element, keys);
    const id = element.getAttribute("id");
    node.set(id, { id, name: data.name ?? id, isSwitch: data.kind === "switch", x: Number(data.x ?? 0), y: Number(data.y ?? 0), stage: data.stage, data });
  }
  const links = [...page.querySelectorAll("edge")].map((element, i) => {
    const data = dataOf(element, keys);
    const from = node.get(element.getAttribute("source")), to = node.get(element.getAttribute("target"));
    const forth = `${from.name}:${data.source_port}>${to.name}:${data.target_port}`, back = `${to.name}:${data.target_port}>${from.name}:${data.source_port}`;
    const isTwoWay = data.both_ways === "true";
    return { id: `e${i}`, from, to, isTwoWay, name: data.name ?? forth, channels: isTwoWay ? [forth, back] : [forth], isOfTerminal: !from.isSwitch || !to.isSwitch };
  });
  const nodes = [...node.values()];
  for (const { from, to, isOfTerminal } of links) {
    if (isOfTerminal) (from.isSwitch ? to : from).at = from.isSwitch ? from : to;
  }
  const byName = new Map(nodes.map((one) => [one.name, one]));
  const channel = new Map(links.flatMap((link) => link.channels.map((name, i) => [name, { link, bit: 1 << i }])));
  return { nodes, links, byName, channel, spec: page.querySelector("desc")?.textContent ?? "", switches: nodes.filter((one) => one.isSwitch), terminals: nodes.filter((one) => !one.isSwitch) };
}

/** How high a node stands in a drawing; with rows from the north the switches are turned over, and terminals stay below theirs. */
export function height(node, isNorthFirst) {
  if (!isNorthFirst) return node.y;
  return node.isSwitch || !node.at ? -node.y : node.y - 2 * node.at.y;
}

/** What has failed: switches by name, and of links a bit for each channel. */
export class Faults {
  constructor(network) {
    this.network = network;
    this.switches = new Set();
    this.links = new Map();
  }

  get isEmpty() {
    return this.switches.size === 0 && this.links.size === 0;
  }

  mask(link) {
    return this.links.get(link) ?? 0;
  }

  set(link, mask) {
    if (mask) this.links.set(link, mask);
    else this.links.delete(link);
  }

  /** All channels of the link fail, or come back. */
  toggle(link) {
    this.set(link, this.mask(link) ? 0 : (1 << link.channels.length) - 1);
  }

  toggleChannel(link, bit) {
    this.set(link, this.mask(link) ^ bit);
  }

  toggleSwitch(name) {
    if (!this.switches.delete(name)) this.switches.add(name);
  }

  /** Names that the library takes, in the order of the network. */
  names() {
    const names = this.network.switches.filter((one) => this.switches.has(one.name)).map((one) => one.name);
    for (const link of this.network.links) {
      const mask = this.mask(link);
      if (mask === (1 << link.channels.length) - 1) names.push(link.isTwoWay ? link.name : link.channels[0]);
      else if (mask) names.push(link.channels[mask - 1]);
    }
    return names;
  }

  /** Take names as the library writes them: s3, s0:2-s2:0, s0:2>s2:0, s0:2, s0:2>. */
  take(names) {
    this.switches.clear();
    this.links.clear();
    for (const name of names) {
      const end = /^(.*):(\d+)>?$/.exec(name);
      const found = this.network.channel.get(name) ?? this.startingAt(name, end);
      const link = this.network.links.find((one) => one.name === name) ?? (end && !name.endsWith(">") && !name.includes("-") && !name.includes(">") ? found?.link : null);
      if (this.network.byName.get(name)?.isSwitch) this.switches.add(name);
      else if (link) this.set(link, (1 << link.channels.length) - 1);
      else if (found) this.set(found.link, this.mask(found.link) | found.bit);
      else throw new Error(`nothing is called ${name}; such as s3, s0:2-s2:0 or s0:2>s2:0`);
    }
  }

  startingAt(name, end) {
    if (!end) return null;
    const start = `${end[1]}:${end[2]}>`;
    for (const [channel, place] of this.network.channel) if (channel.startsWith(start)) return place;
    return null;
  }
}
