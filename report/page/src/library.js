// SPDX-License-Identifier: GPL-3.0-or-later
// The C library as a module of WebAssembly, and what the page asks of it. Answers are objects by docs/json.md of holdfast, or texts.
import { Host } from "./wasi.js";

const encoder = new TextEncoder();

/** What the library refused, with its sentence. */
export class Refused extends Error {}

/** So much is spent in a page at most: the library refuses what takes more with a sentence of its own. */
const LIMITS = { HOLDFAST_MEMORY: "1", HOLDFAST_HOURS: "0.05" };

export class Library {
  constructor(module) {
    this.module = module;
    this.files = new Map();
    this.start();
  }

  /** Begin anew: after a trap memory is not to be trusted. */
  start() {
    const host = new Host(LIMITS);
    host.files = this.files;
    const given = { env: {}, wasi_snapshot_preview1: host.imports() };
    for (const { module, name } of WebAssembly.Module.imports(this.module)) {
      given[module][name] ??= () => {
        throw new Error(`${name} is not in the page`);
      };
    }
    const instance = new WebAssembly.Instance(this.module, given);
    host.memory = instance.exports.memory;
    instance.exports._initialize();
    this.host = host;
    this.exports = instance.exports;
  }

  /** Call an entry with words. The result: status as of the command, and what was printed. */
  call(entry, words) {
    const bytes = encoder.encode(words.map((word) => `${word}\0`).join(""));
    try {
      const room = this.exports.page_room(bytes.length);
      this.host.bytes(room, bytes.length).set(bytes);
      const status = this.exports[entry](room, bytes.length);
      this.exports.page_free(room);
      return { status, out: this.host.take(1), error: this.host.take(2).trim() };
    } catch (trap) {
      this.start();
      const isDeep = trap instanceof RangeError;
      throw new Refused(isDeep ? "this goes deeper than the page can" : `the library stopped here (${trap.message}); it has begun anew`);
    }
  }

  read(entry, words, isText) {
    const { status, out, error } = this.call(entry, words);
    if (error || (status !== 0 && !out)) throw new Refused(error.replace(/^holdfast( [a-z-]+)?: /, "") || "the library gave no answer");
    return isText ? out : { status, ...JSON.parse(out) };
  }

  static pairs(named) {
    return Object.entries(named).filter(([, value]) => value !== undefined && value !== null && value !== "");
  }

  /** Ask a question of the library: hf_ask(). */
  ask(question, named, form = "json") {
    return this.read("page_ask", [form, question, "", ...Library.pairs(named).flat().map(String)], form !== "json");
  }

  /** An attachment of an answer, such as a certificate or a drawing, as text. */
  attach(question, named, attachment) {
    return this.read("page_ask", ["json", question, attachment, ...Library.pairs(named).flat().map(String)], true);
  }

  /** What one fault set does to a plan: the command `holdfast show`. */
  show(named) {
    return this.read("page_show", [...Library.pairs(named).map(([name, value]) => `--${name}=${value}`), "--json"]);
  }

  /** Check a file that a question wrote, such as a certificate. */
  check(question, text) {
    this.files.set("checked", encoder.encode(text));
    return this.read("page_check", ["json", question, "/checked"]);
  }

  /** Confirm a certificate of verify or simulate, as holdfast-check does: what it says, and the status of the program. */
  confirm(text) {
    this.files.set("certificate.json", encoder.encode(text));
    const { status, out, error } = this.call("page_confirm", ["/certificate.json"]);
    return { status, sentence: (out || error).trim().replace(/^\/|^holdfast-check: \//, "") };
  }
}
