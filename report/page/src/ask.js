// SPDX-License-Identifier: GPL-3.0-or-later
// Any question of the library, with a form made of its descriptor and its answer as tables.
import { Stopped } from "./client.js";
import { copy, fill, make } from "./dom.js";
import { Table } from "./table.js";

const FORMS = { latex: "LaTeX", csv: "CSV", markdown: "Markdown" };
const FILES = /^(trace|program|replay|profile|inputs|reuse-tally)$/; // given as files; the page has none but those that were loaded

export class Ask {
  constructor(client, questions) {
    this.client = client;
    this.questions = questions;
    this.choice = make("select", { id: "field-question", onchange: () => this.open(this.choice.value) }, questions.map((one) => make("option", { value: one.name }, `${one.name}: ${one.summary}`)));
    this.form = make("form", { class: "fields", onsubmit: (e) => (e.preventDefault(), this.run()) });
    this.out = make("div", { role: "status" });
    this.element = make("section", {}, make("h2", {}, "Ask"), make("label", { for: "field-question" }, "Question", this.choice), this.form, this.out);
    this.open(questions[0].name);
  }

  field(p) {
    const id = `ask-${p.name}`;
    const words = p.words?.map((word) => make("option", { value: word }, word));
    const entry =
      p.type === "flag"
        ? make("input", { type: "checkbox", id, name: p.name })
        : words
          ? make("select", { id, name: p.name }, make("option", { value: "" }, p.default ? `${p.default} (default)` : ""), words)
          : make("input", { id, name: p.name, placeholder: p.default ?? "", required: p.required, spellcheck: "false", list: p.name === "topology" ? "list-topology" : p.name === "routing" ? "list-routing" : null });
    return make("label", { for: id, title: `${p.help} (${p.range})` }, p.name, entry, make("small", {}, p.help));
  }

  open(name) {
    this.question = this.questions.find((one) => one.name === name);
    const parameters = this.question.parameters.filter((p) => !FILES.test(p.name));
    const must = parameters.filter((p) => p.required || ["topology", "routing", "faults", "universe", "failed", "load", "traffic"].includes(p.name));
    const rest = parameters.filter((p) => !must.includes(p));
    fill(this.form, must.map((p) => this.field(p)), rest.length ? make("details", {}, make("summary", {}, "more"), make("div", { class: "fields" }, rest.map((p) => this.field(p)))) : null, make("button", { type: "submit", class: "main" }, "Ask"));
    fill(this.out);
  }

  get said() {
    const fields = [...this.form.querySelectorAll("input, select")];
    return Object.fromEntries(fields.filter((field) => (field.type === "checkbox" ? field.checked : field.value)).map((field) => [field.name, field.type === "checkbox" ? "yes" : field.value]));
  }

  async run() {
    const said = this.said, name = this.question.name;
    const words = Object.entries(said).map(([key, value]) => (value === "yes" ? `--${key}` : `--${key} '${value}'`)).join(" ");
    fill(this.out, make("p", { class: "hint" }, "computing ..."));
    try {
      const answer = await this.client.ask("ask", "ask", name, said, "html");
      const copies = Object.entries(FORMS).map(([form, word]) => {
        const write = async () => copy(await this.client.ask(null, "ask", name, said, form), `the answer as ${word}`);
        return make("button", { type: "button", "aria-label": `copy the answer as ${word}`, onclick: write }, word);
      });
      const command = make("pre", { tabindex: "0" }, make("code", {}, `holdfast ${name} ${words}`));
      fill(this.out, command, make("p", { class: "copies" }, "Copy the whole answer as the command writes it: ", copies.flatMap((button) => [button, " "])), this.parts(answer));
    } catch (error) {
      fill(this.out, make("p", { class: "problem", role: "alert" }, error instanceof Stopped ? "stopped" : error.message));
    }
  }

  /** The tables and notes of an answer, with the headings and digits that the command gives them. */
  parts(answer) {
    const found = new DOMParser().parseFromString(answer, "text/html").body.children;
    return [...found].map((part) => (part.tagName === "TABLE" ? this.table(part) : make("p", { class: "note" }, part.textContent)));
  }

  table(element) {
    const texts = (selector, of) => [...of.querySelectorAll(selector)].map((one) => one.textContent);
    const columns = texts("th", element).map((heading, i) => ({ key: String(i), name: heading, heading }));
    const rows = [...element.querySelectorAll("tbody tr")].map((row) => ({ ...texts("td", row) }));
    return new Table({ title: `${this.question.name}: ${texts("caption", element)[0] ?? ""}`, columns, rows }).element;
  }
}
