// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the page together: node build.mjs HOLDFAST LIBRARY.wasm RESULTS OUTPUT.html
// What it shows of studies and what there is, the program HOLDFAST prints. The same inputs give the same bytes.
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [program, library, results, output] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "page-"));
const here = new URL(".", import.meta.url).pathname;

const run = (...words) => execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
const rows = (...words) => JSON.parse(run(...words, "--json")).rows;

/** What the program prints, or null where it refuses. */
function attempt(...words) {
  try {
    return run(...words);
  } catch (error) {
    if (error.status === 2) return null;
    throw error;
  }
}

/** The plots of a study, as the program draws them. */
function plots(shown) {
  const found = [], file = join(scratch, "points.json");
  while (attempt(...shown, "--points", file, "--figure", String(found.length + 1)) !== null) found.push(JSON.parse(readFileSync(file, "utf8")));
  return found;
}

function study({ name, summary, source }) {
  const shown = ["study", "show", name, "--results", results];
  const file = `${results}/${name}.provenance.txt`;
  const text = attempt(...shown, "--json");
  if (!text && existsSync(`${results}/${name}.csv`)) throw new Error(run(...shown)); // says why
  if (!text) return null;
  const answer = JSON.parse(text);
  const found = answer.rows ?? answer.lines;
  const claims = attempt(...shown, "--columns", "holds", "--json"); // what each line claims, where a line does
  if (claims && answer.rows) JSON.parse(claims).rows.forEach(({ holds }, i) => holds !== null && (found[i].holds = holds));
  const turned = attempt(...shown, "--turned");
  return {
    name,
    title: answer.spec.title ?? summary,
    about: answer.spec.about,
    paper: (source ?? "").split(",")[0],
    rows: found,
    plots: plots(shown),
    turned: turned && { text: turned, latex: run(...shown, "--turned", "--format", "latex"), csv: run(...shown, "--turned", "--format", "csv") },
    provenance: existsSync(file) ? readFileSync(file, "utf8") : null,
  };
}

function libraries() {
  const lock = JSON.parse(readFileSync(`${here}package-lock.json`, "utf8")).packages;
  return Object.entries(lock)
    .filter(([path, one]) => path && !one.dev && !one.optional)
    .map(([path, one]) => ({ name: path.replace("node_modules/", ""), version: one.version, license: one.license }));
}

function data() {
  const sections = ["topologies", "routings", "questions"];
  return {
    version: run("--version").trim().replace(/, (gcc|clang).*/, ")"),
    libraries: libraries(),
    catalogue: Object.fromEntries(sections.map((section) => [section, rows("list", section)])),
    studies: rows("list", "studies").map(study).filter(Boolean),
  };
}

async function bundle(entry, define = {}) {
  const made = await build({ entryPoints: [here + entry], bundle: true, minify: true, format: "iife", target: "es2021", legalComments: "inline", define, write: false, logLevel: "warning" });
  return made.outputFiles[0].text;
}

const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const worker = await bundle("src/worker.js");
const script = await bundle("src/main.js", { WORKER_SOURCE: JSON.stringify(worker) });
const parts = {
  STYLE: readFileSync(`${here}src/style.css`, "utf8"),
  LIBRARY: packed(readFileSync(library)),
  DATA: packed(JSON.stringify(data())),
  SCRIPT: script.replaceAll("</script", "<\\/script"),
};
const page = readFileSync(`${here}src/index.html`, "utf8").replace(/\/\*([A-Z]+)\*\//g, (whole, name) => parts[name] ?? whole);
writeFileSync(output, page);
rmSync(scratch, { recursive: true });
