// SPDX-License-Identifier: GPL-3.0-or-later
// The library of the page answers as the command does, byte for byte: node same.mjs PAGE_SOURCES LIBRARY.wasm HOLDFAST
// Every question that needs no other library is asked, so that numbers, intervals and JSON of the substitutes are compared, too.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [sources, file, program] = process.argv.slice(2);
const { Library } = await import(join(sources, "library.js"));
const module = new WebAssembly.Module(readFileSync(file));
const library = new Library(module);
const folder = mkdtempSync(join(tmpdir(), "page-"));
let failed = 0;

function command(words) {
  try {
    return execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"], cwd: folder, env: { ...process.env, HOLDFAST_STORE: "none" } });
  } catch (error) {
    if (error.status === 1 || error.status === 3) return error.stdout;
    return error.stderr;
  }
}

/** Are lines the same, but for the last digits of quantiles, and for what pointers of another size take? */
function isSame(a, b) {
  const number = /[-+]?\d+\.\d+(e[-+]?\d+)?/g;
  const plain = (line) => line.replace(/[\d.]+ MiB/g, "MiB").replace(number, "#");
  const x = a.replace(/[\d.]+ MiB/g, "").match(number) ?? [], y = (b ?? "").replace(/[\d.]+ MiB/g, "").match(number) ?? [];
  return b !== undefined && plain(a) === plain(b) && x.every((one, i) => Math.abs(one - y[i]) <= 1e-10 * Math.abs(y[i]));
}

function compare(what, mine, its) {
  if (mine === its) return;
  const a = mine.split("\n"), b = its.split("\n");
  const at = a.findIndex((line, i) => !isSame(line, b[i]));
  if (at < 0 && a.length === b.length) return;
  failed++;
  console.log(`${what}: line ${at + 1}\n  page    ${a[at]}\n  command ${b[at]}`);
}

const options = (named) => Object.entries(named).map(([name, value]) => (value === "yes" ? `--${name}` : `--${name}=${value}`));

/** The page's text of an answer in a form of the library, or the sentence of its refusal. */
function page(question, named, form) {
  const words = [form, question, "", ...Object.entries(named).flat()];
  const { out, error } = library.call("page_ask", words);
  return out || error;
}

const tree = { topology: "kary-tree:k=4,n=2", routing: "ft2ei" }, torus = { topology: "torus:dims=4x4", routing: "dor" };
const questions = [
  ["tolerance", { ...tree, faults: "0..3", universe: "links" }],
  ["tolerance", { topology: "kary-tree:k=4,n=3", routing: "ft2ei", faults: "4,9", samples: "3000", seed: "7" }],
  ["tolerance", { topology: "mesh:dims=5x5", routing: "minimal", universe: "links", faults: "0..40", method: "counted", criterion: "connected" }],
  ["tolerance", { topology: "mesh:dims=6x6", routing: "solid-fault", universe: "switches", faults: "0..2" }],
  ["paths", { topology: "kary-tree:k=2,n=3", routing: "updown" }],
  ["verify", torus],
  ["verify", { ...torus, switching: "vct", flow: "bubble" }],
  ["verify", { topology: "mesh:dims=4x4", routing: "minimal" }],
  ["verify", { topology: "mesh:dims=4x4", routing: "west-first", faults: "0..1" }],
  ["load", { topology: "torus:dims=4x4", routing: "dor", traffic: "uniform" }],
  ["bound", tree],
  ["bounds", { ...tree, faults: "1" }],
  ["cost", tree],
  ["reliability", { ...tree, universe: "links", faults: "0..3", rate: "500FIT", repair: "24h" }],
  ["simulate", { topology: "mesh:dims=4x4", routing: "dor", load: "0.1,0.3", window: "300", batches: "10" }],
  ["simulate", { ...tree, load: "0.2", "fault-at": "500:s0:4-s4:0", cycles: "2000", window: "250" }],
  ["topology", { topology: "dragonfly:p=2,a=4,h=2" }],
  ["topology", { topology: "kary-tree:k=4,n=2", routing: "updown", pair: "0,15" }],
  ["topology", { topology: "torus:dims=4x", coordinates: "yes" }],
  ["tolerance", { topology: "kary-tree:k=4,n=2", routing: "ft2e", faults: "1" }],
];
for (const [question, named] of questions) {
  for (const form of ["json", "text", "csv", "latex"]) {
    const store = ["tolerance", "verify", "bounds", "load", "bound", "reliability", "simulate"].includes(question) ? ["--quiet"] : [];
    const its = command([question, ...options(named), ...store, "--format", form]);
    const mine = page(question, named, form);
    const plain = (text) => text.replace(/^holdfast( [a-z-]+)?: /, "").replace(/^question "[a-z-]+": /, "");
    const isRefused = its.startsWith("holdfast ");
    compare(`${question} ${JSON.stringify(named)} ${form}`, isRefused ? plain(mine).trim() : mine, isRefused ? plain(its).trim() : its);
  }
}

// show, with the words of the command
for (const [topology, routing, faults] of [["kary-tree:k=2,n=4", "ft2ei", "s18:1>"], ["mesh:dims=6x6", "solid-fault", "s14,s15"], ["torus:dims=4x4", "immunet", "s5:0"], ["kary-tree:k=4,n=2", "updown", "s9"]]) {
  const words = [`--topology=${topology}`, `--routing=${routing}`, `--faults=${faults}`, "--json"];
  const { out, error } = library.call("page_show", words);
  compare(`show ${words.join(" ")}`, out || `${error}\n`, command(["show", ...words]));
}

// a certificate: the same bytes, confirmed; one number changed: refuted
const checker = program.replace(/holdfast$/, "holdfast-check");
for (const [topology, routing] of [["mesh:dims=4x4", "dor"], ["torus:dims=4x4", "dor"], ["torus:dims=4x4", "duato"]]) {
  const path = join(folder, "certificate.json");
  command(["verify", "--topology", topology, "--routing", routing, "--certificate", path]);
  const text = readFileSync(path, "utf8");
  compare(`certificate of ${topology} ${routing}`, library.attach("verify", { topology, routing }, "certificate"), text);
  const confirmed = library.confirm(text);
  if (confirmed.status !== 0) failed++, console.log(`${topology} ${routing}: not confirmed: ${confirmed.sentence}`);
  const wrong = text.replace(/"routing": "[^"]*"/, '"routing": "minimal:vcs=1"');
  writeFileSync(path, wrong);
  let status = 0;
  try {
    execFileSync(checker, [path], { stdio: "pipe" });
  } catch (error) {
    status = error.status;
  }
  const refused = library.confirm(wrong);
  if (refused.status !== status || status === 0) failed++, console.log(`a changed certificate: status ${refused.status}, of holdfast-check ${status}`);
}

// what the module asks of its host is what is known to be absent
const known = /^hf_(milp|igraph|lua)_/;
const strange = WebAssembly.Module.imports(module).filter(({ module, name }) => module === "env" && !known.test(name));
if (strange.length > 0) failed++, console.log(`functions are missing: ${strange.map((one) => one.name).join(" ")}`);
const size = readFileSync(file).length;
if (size >= 2 << 20) failed++, console.log(`the library has ${size} bytes; need less than 2 MiB`);

// a refusal leaves the library usable
try {
  library.ask("verify", { topology: "mesh:dims=3x3", routing: "minimal", repair: "turns" });
  failed++, console.log("a repair without GLPK or igraph is not refused");
} catch (error) {
  if (!/goes without/.test(error.message)) failed++, console.log(`refused by: ${error.message}`);
}
if (library.ask("verify", { topology: "mesh:dims=3x3", routing: "dor" }).rows[0].verdict !== "deadlock-free") failed++, console.log("not usable after a refusal");

console.log(failed ? `${failed} differences` : `${questions.length * 4} answers are those of the command; ${size} bytes`);
process.exit(failed ? 1 : 0);
