// SPDX-License-Identifier: GPL-3.0-or-later
// A table that can be sorted by each column, filtered, and copied as it stands, as CSV or LaTeX.
import { copy, fill, make, plural, say } from "./dom.js";

const SHOWN = 500; // rows that are put into the page at once
const SHOWS = "the rows of this table as they are filtered and sorted";

function textOf(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(" ");
  if (typeof value === "object") return Object.values(value).map(textOf).join(" ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}

/** A number in front, as of "1,536" and "11.90%"; NaN: there is none. */
function numberOf(text) {
  const found = /^[<>=~ ]*([-+]?\d[\d,]*(\.\d+)?([eE][-+]?\d+)?)\s*%?$/.exec(text.split(" to ")[0].split(" .. ")[0]);
  return found ? Number(found[1].replaceAll(",", "")) : NaN;
}

/** What has no value stands last, numbers before words. */
function compare(a, b) {
  if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
  const x = numberOf(a), y = numberOf(b);
  if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return Number.isNaN(x) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
}

export function csv(columns, rows) {
  const quote = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns.map((c) => c.name ?? c.key), ...rows].map((row) => row.map(quote).join(",") + "\r\n").join("");
}

const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}" };

const escapeLatex = (text) => text.replace(/[\\~^<>|#$%&_{}]/g, (c) => LATEX[c] ?? `\\${c}`);

export function latex(title, columns, rows) {
  const line = (cells) => `  ${cells.map(escapeLatex).join(" & ")} \\\\\n`;
  return (
    `% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{${escapeLatex(title)}}\n` +
    `\\begin{tabular}{${columns.map((c) => (c.isNumber ? "r" : "l")).join("")}}\n\\toprule\n${line(columns.map((c) => c.heading))}\\midrule\n` +
    `${rows.map(line).join("")}\\bottomrule\n\\end{tabular}\n\\end{table}\n`
  );
}

export class Table {
  /** \param columns of { key, name (in CSV), heading, render }; rows objects by key; choices: keys that are filtered by choosing */
  constructor({ title, columns, rows, choices = [], onRow, isSmall = false }) {
    Object.assign(this, { title, rows, choices, onRow, isSmall });
    this.columns = columns.map((column) => ({
      ...column,
      isNumber: rows.length > 0 && rows.every((row) => !textOf(row[column.key]) || !Number.isNaN(numberOf(textOf(row[column.key])))) && rows.some((row) => textOf(row[column.key])),
    }));
    this.order = { key: null, isDown: false };
    this.wanted = "";
    this.chosen = {};
    this.limit = SHOWN;
    this.element = make("div", { class: "table" }, isSmall && rows.length < 9 ? null : this.tools(), this.frame());
    this.draw();
  }

  tools() {
    const search = make("input", { type: "search", placeholder: "filter", "aria-label": `filter ${this.title}`, oninput: (e) => this.filter(e.target.value) });
    const selects = this.choices.map((key) => this.choice(key));
    this.count = make("span", { class: "count", role: "status" });
    return make(
      "div",
      { class: "tools" },
      search,
      selects,
      this.count,
      make("span", { class: "space" }),
      make("button", { type: "button", title: SHOWS, onclick: () => copy(this.as("csv"), "the table as CSV") }, "Copy rows as CSV"),
      make("button", { type: "button", title: SHOWS, onclick: () => copy(this.as("latex"), "the table as LaTeX") }, "Copy rows as LaTeX"),
    );
  }

  choice(key) {
    const heading = this.columns.find((c) => c.key === key).heading;
    const words = [...new Set(this.rows.map((row) => textOf(row[key])))].filter(Boolean).sort();
    const pick = (e) => {
      this.chosen[key] = e.target.value;
      this.draw();
    };
    return make("select", { "aria-label": heading, onchange: pick }, make("option", { value: "" }, `${heading}: all`), words.map((word) => make("option", { value: word }, word)));
  }

  frame() {
    this.head = make("thead");
    this.body = make("tbody");
    return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": this.title }, make("table", {}, make("caption", { class: "away" }, this.title), this.head, this.body));
  }

  filter(text) {
    this.wanted = text.toLowerCase();
    this.draw();
  }

  sort(key) {
    this.order = { key, isDown: this.order.key === key && !this.order.isDown };
    this.draw();
    this.head.querySelector(`button[data-key="${key}"]`)?.focus();
    say(`sorted by ${this.columns.find((c) => c.key === key).heading}, ${this.order.isDown ? "descending" : "ascending"}`);
  }

  /** Stand as the table before it did: order, filter, choices. */
  resume(before) {
    Object.assign(this, { order: before.order, wanted: before.wanted, chosen: before.chosen, limit: before.limit });
    const fields = this.element.querySelectorAll("input[type=search], .tools select"), old = before.element.querySelectorAll("input[type=search], .tools select");
    fields.forEach((field, i) => (field.value = old[i]?.value ?? ""));
    this.draw();
  }

  /** The rows that are kept, in order. */
  kept() {
    const keeps = (row) =>
      Object.entries(this.chosen).every(([key, word]) => !word || textOf(row[key]) === word) &&
      (!this.wanted || this.columns.some((c) => textOf(row[c.key]).toLowerCase().includes(this.wanted)));
    const rows = this.rows.filter(keeps);
    if (this.order.key) {
      const sign = this.order.isDown ? -1 : 1;
      const text = new Map(rows.map((row) => [row, textOf(row[this.order.key])]));
      rows.sort((a, b) => (text.get(a) && text.get(b) ? sign : 1) * compare(text.get(a), text.get(b)));
    }
    return rows;
  }

  as(form) {
    const rows = this.kept().map((row) => this.columns.map((c) => textOf(row[c.key])));
    return form === "csv" ? csv(this.columns, rows) : latex(this.title, this.columns, rows);
  }

  heading(column) {
    const isSorted = this.order.key === column.key;
    const mark = isSorted ? (this.order.isDown ? " ▾" : " ▴") : "";
    return make(
      "th",
      { scope: "col", class: column.isNumber ? "number" : null, "aria-sort": isSorted ? (this.order.isDown ? "descending" : "ascending") : "none" },
      make("button", { type: "button", "data-key": column.key, title: column.help, onclick: () => this.sort(column.key) }, column.heading, make("span", { "aria-hidden": "true" }, mark)),
    );
  }

  cell(column, row) {
    const text = textOf(row[column.key]);
    return make("td", { class: [column.isNumber ? "number" : "", column.className?.(row) ?? ""].join(" ").trim() || null }, column.render ? column.render(row, text) : text);
  }

  draw() {
    const rows = this.kept();
    fill(this.head, make("tr", {}, this.columns.map((column) => this.heading(column))));
    fill(this.body, rows.slice(0, this.limit).map((row) => make("tr", {}, this.columns.map((column) => this.cell(column, row)))));
    if (rows.length > this.limit) {
      const more = () => {
        this.limit *= 4;
        this.draw();
      };
      this.body.append(make("tr", {}, make("td", { colspan: this.columns.length }, make("button", { type: "button", onclick: more }, `show more of ${plural(rows.length, "row")}`))));
    }
    if (this.count) this.count.textContent = rows.length === this.rows.length ? plural(rows.length, "row") : `${rows.length} of ${plural(this.rows.length, "row")}`;
  }
}
