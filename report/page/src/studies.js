// SPDX-License-Identifier: GPL-3.0-or-later
// The studies: an index with verdicts, and of each its plots and its table. All of it is what the program printed of the results.
import { copy, fill, make, plural } from "./dom.js";
import { Plot } from "./plot.js";
import { Table } from "./table.js";

const VERDICTS = ["reproduced", "differs", "holds", "does not hold", "open", "open: not steady", "not computable here", "no published value"];
const SEVERAL = { differs: "differ", holds: "hold", "does not hold": "do not hold" };
const COLUMNS = {
  cell: "Cell", f: "Faults", published: "Published", computed: "Computed", low: "Low", high: "High", value: "Value", value_low: "Value, low", value_high: "Value, high",
  method: "Method", verdict: "Verdict", remark: "Remark", citation: "Citation", design: "Design", front: "Front",
};
const QUIET = new Set(["value", "value_low", "value_high", "holds"]); // the texts beside them say the same

export const verdictClass = (verdict) => ({ reproduced: "yes", holds: "yes", differs: "no", "does not hold": "no", "no published value": "none" })[verdict] ?? "unknown";

/** What the lines of a study are about: printed numbers, claims of the text, and what is shown besides. */
const isClaim = (row) => row.holds !== undefined;
const KINDS = [
  ["printed number", (row) => Boolean(row.published) && !isClaim(row)],
  ["claim", isClaim],
  ["other line", (row) => !row.published && !isClaim(row)],
];

/** How many of the rows have each verdict; open is open for either reason. */
function counts(rows) {
  const found = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]));
  for (const row of rows) if (row.verdict in found) found[row.verdict]++;
  return { ...found, all: rows.length, open: found.open + found["open: not steady"] };
}

/** "84 claims: 35 hold ..." as a line for each kind of which there is some. */
function verdictLines(study) {
  const lines = KINDS.map(([what, isOne]) => [what, study.rows.filter(isOne)]).filter(([, rows]) => rows.length);
  const line = ([what, rows]) => {
    const found = counts(rows);
    const words = VERDICTS.filter((verdict) => verdict !== "open: not steady" && found[verdict]);
    return make("li", {}, `${plural(found.all, what)}: `, make("ul", { class: "counts" }, words.map((verdict) => make("li", { class: verdictClass(verdict) }, `${found[verdict].toLocaleString("en")} ${found[verdict] === 1 ? verdict : (SEVERAL[verdict] ?? verdict)}`))));
  };
  return make("ul", { class: "kinds" }, lines.map(line));
}

export class Studies {
  constructor(studies) {
    this.studies = studies;
    this.element = make("section");
  }

  index() {
    const rows = this.studies.map((study) => {
      const [printed, claims] = KINDS.map(([, isOne]) => counts(study.rows.filter(isOne)));
      return {
        study: study.name, title: study.title, paper: study.paper, reproduced: printed.reproduced, differs: printed.differs, open: printed.open, missing: printed["not computable here"],
        holds: claims.holds, fails: claims["does not hold"], claimsOpen: claims.open, claimsMissing: claims["not computable here"], lines: study.rows.length,
      };
    });
    const count = (key, heading, kind) => ({ key, heading, className: (row) => (row[key] ? kind : "none") });
    const columns = [
      { key: "study", heading: "Study", render: (row) => make("a", { href: `#study/${row.study}` }, row.study) },
      { key: "title", heading: "Title" },
      { key: "paper", heading: "Paper" },
      count("reproduced", "Numbers reproduced", "yes"), count("differs", "Differ", "no"), count("open", "Open", "unknown"), count("missing", "Not computable", "unknown"),
      count("holds", "Claims hold", "yes"), count("fails", "Do not hold", "no"), count("claimsOpen", "Claims open", "unknown"), count("claimsMissing", "Claims not computable", "unknown"),
      { key: "lines", heading: "Lines" },
    ];
    const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
    fill(
      this.element,
      make("h2", {}, "Studies"),
      make("p", {}, `${plural(rows.length, "study", "studies")} put published values beside computed ones: ${sum("reproduced")} reproduced, ${sum("differs")} differ, ${sum("open")} are open, ${sum("missing")} not computable here; of the claims ${sum("holds")} hold, ${sum("fails")} do not, ${sum("claimsOpen")} are open, ${sum("claimsMissing")} not computable here.`),
      this.papers(rows),
      new Table({ title: "Studies and their verdicts", columns, rows, choices: ["paper"] }).element,
    );
    return this.element;
  }

  /** A line a paper: how its published values came out. */
  papers(rows) {
    const bar = (paper) => {
      const of = rows.filter((row) => row.paper === paper);
      const sum = (key) => of.reduce((all, row) => all + row[key], 0);
      const parts = [["yes", sum("reproduced"), "reproduced"], ["no", sum("differs"), "differ"], ["unknown", sum("open"), "open"], ["none", sum("missing"), "not computable"]];
      const all = parts.reduce((total, [, n]) => total + n, 0);
      const words = parts.filter(([, n]) => n).map(([, n, word]) => `${n} ${word}`).join(", ");
      return all === 0 ? null : make("li", {}, make("span", { class: "paper" }, paper), make("span", { class: "bar", role: "img", "aria-label": `${paper}: ${words}` }, parts.filter(([, n]) => n).map(([kind, n]) => make("span", { class: kind, style: `flex-grow:${n}` }))), make("span", { class: "hint" }, words));
    };
    return make("ul", { class: "papers", "aria-label": "published values by paper" }, [...new Set(rows.map((row) => row.paper))].map(bar));
  }

  show(name) {
    const study = this.studies.find((one) => one.name === name);
    if (!study) return this.index();
    const at = this.studies.indexOf(study);
    const beside = (by, text) => (this.studies[at + by] ? make("a", { href: `#study/${this.studies[at + by].name}` }, text) : null);
    const { plots } = study;
    const keys = Object.keys(study.rows[0] ?? {}).filter((key) => !QUIET.has(key) && study.rows.some((row) => row[key] !== null && row[key] !== ""));
    const columns = keys.map((key) => ({ key, heading: COLUMNS[key] ?? key.replaceAll("_", " "), className: key === "verdict" ? (row) => verdictClass(row.verdict) : undefined }));
    const figures = plots.map(() => make("div", { class: "plot" }));
    fill(
      this.element,
      make("nav", { class: "beside", "aria-label": "other studies" }, make("a", { href: "#studies" }, "all studies"), beside(-1, "◂ before"), beside(1, "next ▸")),
      make("h2", {}, study.title),
      study.about ? make("p", { class: "about" }, study.about) : null,
      verdictLines(study),
      plots.map((plot, i) => make("figure", {}, figures[i], plot.title && plot.title !== study.title ? make("figcaption", {}, plot.title) : null)),
      new Table({ title: study.title, columns, rows: study.rows, choices: keys.includes("verdict") ? ["verdict"] : [] }).element,
      study.turned ? this.turned(study) : null,
      make("details", {}, make("summary", {}, "Where it comes from"), make("pre", { tabindex: "0" }, study.provenance ?? "no provenance"), make("p", {}, "Again: ", make("code", {}, `holdfast study run ${study.name}`))),
    );
    plots.forEach((plot, i) => new Plot(figures[i], plot));
    return this.element;
  }

  /** The table in the shape of the published one, as the program turns it. */
  turned(study) {
    return make("details", {}, make("summary", {}, "In the shape of the published table"), make("pre", { tabindex: "0" }, study.turned.text), make("button", { type: "button", onclick: () => copy(study.turned.latex, "the turned table as LaTeX") }, "Copy LaTeX"), " ", make("button", { type: "button", onclick: () => copy(study.turned.csv, "the turned table as CSV") }, "Copy CSV"));
  }
}
