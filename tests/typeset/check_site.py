#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check a site that holdfast report made: every link and picture is there, nothing comes from elsewhere, every id is there once, every
line of a study's results has a row with a verdict, provenance says how many are left, and the first page leads to every study. usage: check_site.py FOLDER"""
import csv
import decimal
import html.parser
import pathlib
import re
import sys
import urllib.parse

VOID = {"meta", "link", "img", "br", "input", "hr"}
DRAWN = "explorer.html"  # The page (report/page): its script draws the parts that its fragments name, and tests/page follows them.


class Page(html.parser.HTMLParser):
    """Links, ids and the rows of tables by the id of their table."""

    def __init__(self):
        super().__init__()
        self.links, self.ids, self.open, self.faults = [], [], [], []
        self.tables, self.table, self.row, self.has_title = {}, None, None, False

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given[key] for key in ("href", "src") if key in given]
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "img" and not given.get("alt"):
            self.faults.append("a picture has no text")
        if tag == "table":
            self.table = self.tables.setdefault(given.get("id", ""), [])
        elif tag == "tr" and self.table is not None:
            self.row = []
            self.table.append(self.row)
        elif tag in ("td", "th") and self.row is not None:
            self.row.append("")
        self.has_title |= tag == "title"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.row and self.open and "table" in self.open:
            self.row[-1] += data


def read(path):
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    page.close()
    return page


def faults_of(path, pages, folder):
    page = pages[path]
    yield from page.faults
    if page.open:
        yield f"left open: {page.open}"
    if not page.has_title:
        yield "it has no title"
    if len(page.ids) != len(set(page.ids)):
        yield "an id is there twice"
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        target = folder / parts.path if parts.path else path
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            yield f"{link} is of another place"
        elif not target.is_file():
            yield f"{link} is not there"
        elif parts.fragment and parts.fragment not in pages[target].ids and target.name != DRAWN:
            yield f"{link}: no such id"


def is_rounded(shown, line):
    """Is that the value of the line, rounded where it ends?"""
    try:
        number = decimal.Decimal(shown.rstrip("%"))
        value = decimal.Decimal(line["value"]) * (100 if line["computed"].endswith("%") else 1)
    except decimal.InvalidOperation:
        return False
    half = decimal.Decimal((0, (5,), number.as_tuple().exponent - 1))
    return shown.endswith("%") == line["computed"].endswith("%") and abs(number - value) <= half * decimal.Decimal("1.000001")


def faults_of_lines(page, name, folder):
    with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    rows = page.tables.get(f"{name}-lines", [])
    columns = rows[0] if rows else []
    if len(rows) != len(lines) + 1:
        yield f"{len(lines)} lines of results, and {len(rows) - 1} rows"
    for line, row in zip(lines, rows[1:]):
        if line["cell"] not in row or line["verdict"] not in row or (
            line["computed"] and line["computed"] not in row and not is_rounded(row[columns.index("computed")], line)
        ):
            yield f"the row of \"{line['cell']}\" says something else: {row}"
    text = (folder / f"{name}.html").read_text(encoding="utf-8")
    made = re.search(r"; lines: (\d+)", text)
    if made and (int(made.group(1)) > len(lines)) != (f"; left: {len(lines)} lines" in text):
        yield f"{made.group(1)} lines were made, {len(lines)} are left, and its provenance says something else"


def main():
    folder = pathlib.Path(sys.argv[1])
    pages = {path: read(path) for path in sorted(folder.glob("*.html"))}
    studies = sorted(path.stem for path in folder.glob("*.csv"))
    found = [f"{path.name}: {fault}" for path in pages for fault in faults_of(path, pages, folder)]
    for name in studies:
        page = pages.get(folder / f"{name}.html")
        found += [f"{name}: {fault}" for fault in (faults_of_lines(page, name, folder) if page else ["it has no page"])]
        if f"{name}.html" not in pages[folder / "index.html"].links:
            found.append(f"index.html does not lead to {name}")
    print("\n".join(found[:40]))
    print(f"{len(pages)} pages, {len(studies)} studies, {len(found)} faults")
    return 1 if found or not studies else 0


sys.exit(main())
