#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a browser: test_page.py PAGE.html HOLDFAST [SCREENSHOTS]. Needs chromium, chromium-driver and python3-selenium."""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PAGE, HOLDFAST = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SHOTS = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
SEED = int(os.environ.get("HOLDFAST_SEED", "20040607"))
SETS = 200  # random fault sets on which explorer and command are compared
NETWORKS = [
    ("kary-tree:k=4,n=2", "ft2ei", "all-pairs"),
    ("kary-tree:k=2,n=4", "ft2ei:intervals=2", "surviving"),
    ("kary-tree:k=3,n=3", "updown", "all-pairs"),
    ("mesh:dims=6x6", "solid-fault", "all-pairs"),
    ("torus:dims=4x4", "immunet", "surviving:live=50%"),
    ("mesh:dims=4x4", "minimal", "connected"),
    ("hypercube:n=4", "updown-graph", "surviving"),
    ("multibutterfly:radix=2,dilation=2,stages=4", "multipath", "all-pairs"),
]


def command(*words):
    """What the program prints, and its status."""
    done = subprocess.run([HOLDFAST, *words], capture_output=True, text=True, env={**os.environ, "HOLDFAST_STORE": "none"}, check=False)
    return done.stdout or done.stderr, done.returncode


def start():
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000", "--no-first-run"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start()
        cls.browser.set_script_timeout(60)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def tearDown(self):
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual(said, [], "the console is silent")

    # ---- helpers ----

    def run_js(self, script, *words):
        return self.browser.execute_script(script, *words)

    def wait(self, condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run_js(condition)
            if found:
                return found
            time.sleep(0.05)
        self.fail("waited in vain for " + what)
        return None

    def settle(self):
        self.wait("return document.documentElement.dataset.ready === 'yes' && !holdfast.client.current && holdfast.client.waiting.length === 0", "the page to settle")

    def open(self, address=""):
        self.browser.get("about:blank")
        self.browser.get(PAGE.as_uri() + address)
        self.settle()

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run_js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def cells(self, selector, column):
        return self.run_js("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => row.cells[arguments[1]].textContent)", selector, column)

    def shot(self, name):
        if SHOTS:
            SHOTS.mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(SHOTS / (name + ".png")))

    def explore(self, topology, routing, failed="", criterion=""):
        """Show a fault set by the fields of the explorer; what the library answered."""
        self.browser.execute_async_script(
            "const done = arguments[4]; holdfast.explorer.openSpec({topology: arguments[0], routing: arguments[1], failed: arguments[2], criterion: arguments[3]}).then(done, done)",
            topology, routing, failed, criterion,
        )
        return self.run_js("return {row: holdfast.explorer.answer, verdict: document.getElementById('verdict')?.textContent, problem: holdfast.explorer.problem.textContent}")

    # ---- studies ----

    def test_index_has_every_study_and_its_verdicts(self):
        self.open()
        names = [row["name"] for row in json.loads(command("list", "studies", "--json")[0])["rows"]]
        shown = self.cells(".table", 0)
        self.assertEqual(sorted(shown), sorted(name for name in names if (pathlib.Path("results") / (name + ".csv")).exists()))
        for name in ("gomez2010-table-3.5", "gomez2010-table-3.1"):
            rows = json.loads(command("study", "show", name, "--json")[0])["rows"]
            reproduced = sum(row["verdict"] == "reproduced" for row in rows)
            at = shown.index(name)
            self.assertEqual(self.cells(".table", 3)[at], str(reproduced), name)
        self.assertEqual(self.index_counts(), self.report_counts())
        self.shot("studies")

    def index_counts(self):
        """Of every paper what the index adds up: numbers by verdict, then claims."""
        sums = {}
        for row in self.run_js("return [...document.querySelectorAll('.table tbody tr')].map((row) => [...row.cells].slice(2, 11).map((cell) => cell.textContent))"):
            paper, *row = row
            sums[paper] = [a + int(b) for a, b in zip(sums.get(paper, [0] * 8), row)]
        return sums

    def report_counts(self):
        """The same as the first page of the report has it."""
        with tempfile.TemporaryDirectory() as folder:
            command("report", "-o", folder)
            text = (pathlib.Path(folder) / "index.html").read_text()
        table = re.search(r"(?s)<tbody>(.*?)</tbody>", text).group(1)
        rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"(?s)<tr>(.*?)</tr>", table)]
        return {re.sub(r"<[^>]*>", "", row[0]): [int(re.sub(r"<[^>]*>", "", cell)) for cell in row[1:9]] for row in rows if len(row) > 8}

    def test_the_links_of_the_head_lead_somewhere(self):
        """Every fragment that the page's own links name shows a part of its own, by a click and by its address."""
        self.open()
        links = self.run_js("return [...document.querySelectorAll('header nav a')].map((a) => a.hash)")
        self.assertEqual(links, ["#studies", "#explore", "#ask", "#about"])
        seen = set()
        for link in links:
            self.open()
            self.find("header nav a[href='%s']" % link).click()
            self.settle()
            clicked = self.run_js("return [document.title, document.querySelector('header nav a[aria-current]').hash, document.querySelectorAll('main').length, document.querySelector('main').innerText.length > 100]")
            self.assertEqual(clicked[1:], [link, 1, True])
            self.open(link)
            self.assertEqual(self.run_js("return [document.title, document.querySelector('header nav a[aria-current]').hash]"), clicked[:2])
            seen.add(clicked[0])
        self.assertEqual(len(seen), len(links))
        self.open()
        for link in self.run_js("return [...document.querySelectorAll('.table tbody a')].map((a) => a.hash)")[::9]:
            self.open(link)
            self.assertEqual(self.run_js("return document.querySelector('.beside a').hash"), "#studies", link)
            self.assertIn("study run " + link.split("/")[1], self.text("main"), link)

    def test_tables_sort_and_filter(self):
        self.open()
        reproduced = lambda: [int(text) for text in self.cells(".table", 3)]
        self.find("th button[data-key=reproduced]").click()
        self.assertEqual(reproduced(), sorted(reproduced()))
        self.assertEqual(self.run_js("return document.querySelector('th button[data-key=reproduced]').parentElement.getAttribute('aria-sort')"), "ascending")
        self.find("th button[data-key=reproduced]").click()
        self.assertEqual(reproduced(), sorted(reproduced(), reverse=True))
        self.assertGreater(reproduced()[0], 0)
        self.find(".table input[type=search]").send_keys("immun")
        self.assertTrue(all("immun" in text.lower() for text in self.run_js("return [...document.querySelectorAll('.table tbody tr')].map((row) => row.textContent)")))

    def test_table_of_a_study_is_the_program_s(self):
        self.open("#study/gomez2010-table-3.5")
        rows = json.loads(command("study", "show", "gomez2010-table-3.5", "--json")[0])["rows"]
        self.assertEqual(self.cells(".table", 0), [row["cell"] for row in rows])
        self.assertEqual(self.cells(".table", 2), [row["computed"] for row in rows])
        self.run_js("const s = document.querySelector('.table select'); s.value = 'differs'; s.dispatchEvent(new Event('change'))")
        self.assertEqual(self.cells(".table", 0), [row["cell"] for row in rows if row["verdict"] == "differs"])
        self.run_js("document.querySelectorAll('.table .tools button')[0].click()")
        csv = self.wait("return holdfast.copied", "the copy")
        self.assertEqual(len(csv.strip().splitlines()), 2)
        self.assertIn("8.52%,9.52381%", csv)
        self.run_js("holdfast.copied = null; document.querySelectorAll('.table .tools button')[1].click()")
        latex = self.wait("return holdfast.copied", "the copy")
        self.assertIn("8.52\\% & 9.52381\\%", latex)
        self.assertIn("\\toprule", latex)
        self.shot("study-table")

    def test_plots_are_drawn_hovered_zoomed_and_told(self):
        self.open("#study/chong1992-figure-6a")
        self.wait("return document.querySelector('.plot svg path')", "a plot")
        self.assertRegex(self.run_js("return document.querySelector('.plot').getAttribute('aria-label')"), r"^Plot of .* over .*points")
        chart = "const p = document.querySelector('.plot'); const c = holdfast.plots().find((one) => one.container === p).chart;"
        self.assertGreater(self.run_js(chart + "c.dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: 1}); return c.getOption().series[0].data.length"), 2)
        self.wait("return [...document.querySelectorAll('.plot div')].some((d) => d.textContent.includes(holdfast.plots()[0].plot.x.label))", "a tip")
        self.run_js(chart + "c.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, start: 20, end: 60})")
        self.assertEqual(self.run_js(chart + "return c.getOption().dataZoom[0].start"), 20)
        self.shot("study-plot")

    # ---- the explorer ----

    def test_a_failed_link_changes_the_verdict(self):
        self.open("#explore?topology=kary-tree:k=4,n=2&routing=updown")
        self.assertEqual(self.text("#verdict"), "tolerated")
        names = ["s0:%d-s%d:0" % (4 + i, 4 + i) for i in range(4)]
        for i, name in enumerate(names):
            self.run_js("document.querySelector(`[data-component='${arguments[0]}']`).click()", name)
            self.settle()
            text, status = command("show", "--topology", "kary-tree:k=4,n=2", "--routing", "updown", "--faults", ",".join(names[: i + 1]))
            self.assertEqual(self.text("#verdict"), "tolerated" if status == 0 else "not tolerated", text)
        self.assertEqual(self.text("#verdict"), "not tolerated")
        self.assertIn("holdfast show --topology 'kary-tree:k=4,n=2'", self.text(".side code"))
        self.shot("explorer-lost")

    def test_clicks_on_the_drawing_fail_what_they_hit(self):
        self.open("#explore?topology=mesh:dims=4x4&routing=dor")
        place = "const cy = holdfast.explorer.drawing.cy, box = cy.container().getBoundingClientRect(); const at = (p) => [box.x + p.x, box.y + p.y];"
        for script, name in ((place + "return at(cy.getElementById('s5').renderedPosition())", "s5"), (place + "return at(cy.edges().filter((e) => e.data('link').name === 's9:0-s10:1').renderedMidpoint())", "s9:0-s10:1")):
            x, y = self.run_js(script)
            for kind in ("mousePressed", "mouseReleased"):
                self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
            self.wait("return holdfast.explorer.faults.names().includes('%s')" % name, "the click on " + name)
        self.settle()
        self.assertEqual(self.text("#verdict"), "not tolerated")
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
        self.assertEqual(self.text(".pointed"), "link s9:0-s10:1, failed")
        for name in ("t0", "t3"):
            x, y = self.run_js(place + "return at(cy.getElementById('%s').renderedPosition())" % name)
            for kind in ("mousePressed", "mouseReleased"):
                self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        self.wait("return holdfast.explorer.wayText.textContent.startsWith('t0 to t3: 1 of 1 paths')", "the paths of the pair")

    def compare(self, topology, routing, criterion, failed):
        """One fault set in the explorer and by the command. Tells: is it tolerated? None: refused"""
        seen = self.explore(topology, routing, ",".join(failed), criterion)
        asked = self.run_js("return holdfast.explorer.faults.names().join(',')")
        words = ["show", "--topology", topology, "--routing", routing, "--criterion", criterion, "--json"]
        text, status = command(*words, *(["--faults", asked] if asked else []))
        where = "seed %d: %s %s %s, %s" % (SEED, topology, routing, criterion, asked)
        if status == 2:
            self.assertIn(seen["problem"], text, where)
            self.assertNotEqual(seen["problem"], "", where)
            return None
        row = json.loads(text)["rows"][0]
        self.assertEqual(seen["row"], row, where)
        self.assertEqual(seen["verdict"], "tolerated" if row["tolerated"] else "not tolerated", where)
        self.assertEqual(status, 0 if row["tolerated"] else 1, where)
        return row["tolerated"]

    def test_random_fault_sets_agree_with_the_command(self):
        self.open("#explore")
        draw = random.Random(SEED)
        verdicts = set()
        for topology, routing, criterion in NETWORKS:
            self.explore(topology, routing, "", criterion)
            names = self.run_js("const n = holdfast.explorer.network; return [...n.switches.map((s) => s.name), ...n.links.filter((l) => !l.isOfTerminal).flatMap((l) => l.isTwoWay ? [l.name, ...l.channels] : l.channels)]")
            for _ in range(SETS // len(NETWORKS)):
                verdicts.add(self.compare(topology, routing, criterion, draw.sample(names, draw.choice((0, 1, 1, 2, 2, 3, 4, 6)))))
        self.assertEqual(verdicts - {None}, {True, False})

    def test_names_that_were_chosen_stand_for_what_was_written(self):
        self.open("#explore")
        for written in ("s0:4", "s0:4>", "s4:0>s0:4", "s1,s0:5-s5:0"):
            seen = self.explore("kary-tree:k=4,n=2", "ft2ei", written)
            row = json.loads(command("show", "--topology", "kary-tree:k=4,n=2", "--routing", "ft2ei", "--faults", written, "--json")[0])["rows"][0]
            self.assertEqual(seen["row"], row, written)

    def test_exclusions_victims_pairs_and_rings_are_marked(self):
        self.open("#explore")
        seen = self.explore("kary-tree:k=4,n=2", "ft2ei", ",".join("s0:%d-s%d:0" % (4 + i, 4 + i) for i in range(4)))
        marked = self.run_js("const cy = holdfast.explorer.drawing.cy; return {lost: cy.nodes('.lost').map((n) => n.id()), excludes: cy.edges('.excludes-source, .excludes-target').length, failed: cy.elements('.failed').length}")
        row = seen["row"]
        self.assertEqual(sorted(marked["lost"]), sorted({name for pair in row["bad_pairs"] for name in pair}))
        self.assertGreater(len(row["registers"]), 0)
        self.assertGreater(marked["excludes"], 0)
        self.explore("mesh:dims=6x6", "solid-fault", "s14,s15")
        self.assertEqual(self.run_js("return holdfast.explorer.drawing.cy.edges('.ring').length"), 10)
        self.shot("explorer-ring")

    def test_north_is_where_the_command_has_it(self):
        """Which switch stands above which, in the explorer and in the drawing of the command."""
        self.open("#explore")
        for topology, routing in (("mesh:dims=4x3", "dor"), ("mesh:dims=4x3", "solid-fault"), ("torus:dims=4x4", "adaptive-bubble"), ("mesh:dims=4x3", "block-fault"), ("kary-tree:k=2,n=3", "updown")):
            self.explore(topology, routing)
            places = self.run_js("return holdfast.explorer.drawing.cy.nodes('.switch').map((n) => [n.id(), n.position('x'), n.position('y')])")
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "drawn.svg"
                command("show", "--topology", topology, "--routing", routing, "--svg", str(file))
                drawn = file.read_text()
            boxes = [(float(x), float(y)) for x, y in re.findall(r'<rect class="switch[^"]*" x="([^"]*)" y="([^"]*)"', drawn)]
            self.assertEqual(len(places), len(boxes))
            sign = lambda value: (value > 1e-6) - (value < -1e-6)
            for (name, x, y), box in zip(places, boxes):
                for (other, x2, y2), box2 in zip(places, boxes):
                    self.assertEqual((sign(x - x2), sign(y - y2)), (sign(box[0] - box2[0]), sign(box[1] - box2[1])), (topology, routing, name, other))

    def test_a_deadlock_is_stepped_through(self):
        self.open("#explore?topology=torus:dims=4x4&routing=dor")
        self.run_js("document.getElementById('tab-deadlock').click(); document.querySelector('#panel-deadlock form').requestSubmit()")
        self.wait("return document.getElementById('deadlock-verdict')", "the verdict")
        row = json.loads(command("verify", "--topology", "torus:dims=4x4", "--routing", "dor", "--json")[0])["rows"][0]
        self.assertEqual(self.text("#deadlock-verdict"), row["verdict"])
        self.assertEqual(self.run_js("return holdfast.explorer.deadlock.packets"), row["blocked"])
        held = {r["channel"] for packet in row["blocked"] for r in packet["holds"]}
        self.assertEqual(self.run_js("return holdfast.explorer.drawing.cy.edges('.held').length"), len(held))
        for packet in row["blocked"]:
            self.run_js("document.querySelectorAll('#panel-deadlock .steps button')[1].click()")
            self.assertIn("%s to %s holds %s" % (packet["source"], packet["destination"], packet["holds"][0]["channel"]), self.text("#deadlock-step"))
        self.shot("explorer-deadlock")
        self.run_js("document.getElementById('field-switching').value = 'vct'; document.getElementById('field-flow').value = 'bubble'; document.querySelector('#panel-deadlock form').requestSubmit()")
        self.settle()
        self.assertEqual(self.text("#deadlock-verdict"), "deadlock-free")

    def test_a_reconfiguration_is_stepped_through(self):
        self.open("#explore?topology=kary-tree:k=4,n=2&routing=ft2ei&failed=s0:4-s4:0,s1:5-s5:1")
        self.run_js("document.getElementById('tab-reconfiguration').click(); document.querySelector('#panel-reconfiguration form').requestSubmit()")
        self.wait("return document.getElementById('field-window')", "the run")
        text = command("simulate", "--topology", "kary-tree:k=4,n=2", "--routing", "ft2ei", "--load", "0.2", "--fault-at", "1000:s0:4-s4:0;3000:s1:5-s5:1", "--cycles", "8000", "--window", "250", "--json")[0]
        answer = json.loads(text)
        self.assertEqual(self.run_js("return holdfast.explorer.reconfiguration.events"), answer["faults"])
        failed = []
        for at in (0, 5, 20):
            self.run_js("const s = document.getElementById('field-window'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", at)
            failed.append(self.run_js("return holdfast.explorer.drawing.cy.edges('.failed').length"))
        self.assertEqual(failed, [0, 1, 2])
        self.assertIn("since cycle %d" % answer["faults"][1]["finished"], self.text("#window-step"))
        self.shot("explorer-reconfiguration")

    def test_paths_of_a_pair(self):
        self.open("#explore?topology=kary-tree:k=4,n=2&routing=updown&failed=s0:4-s4:0")
        self.run_js("holdfast.explorer.showWay('t0', 't15')")
        self.settle()
        self.assertIn("t0 to t15: 3 of 4 paths", self.text("#panel-way"))
        self.assertEqual(self.run_js("return holdfast.explorer.drawing.cy.edges('.path').length"), 8)

    def test_files_are_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            witness, certificate, bound = (os.path.join(folder, name) for name in ("witness.txt", "certificate.json", "bound.json"))
            command("tolerance", "--topology", "kary-tree:k=4,n=2", "--routing", "updown", "--faults", "4", "--witness=" + witness, "--quiet")
            command("verify", "--topology", "mesh:dims=4x4", "--routing", "minimal", "--certificate", certificate)
            command("bound", "--topology", "kary-tree:k=4,n=2", "--routing", "ft2ei", "--certificate", bound)
            edges = os.path.join(folder, "ring.edges")
            pathlib.Path(edges).write_text("a b\nb c\nc d\nd a\n")
            self.open("#explore")
            for path, sentence, topology, verdict in (
                (witness, "a witness of kary-tree:k=4,n=2, updown", "kary-tree:k=4,n=2", "not tolerated"),
                (certificate, "confirmed: deadlock", "mesh:dims=4x4", "tolerated"),
                (bound, "bound: confirmed", "kary-tree:k=4,n=2", "not tolerated"),  # its witness
            ):
                self.find("#field-file").send_keys(path)
                self.wait("return holdfast.explorer.fileText.textContent.includes(%s)" % json.dumps(sentence), sentence)
                self.settle()
                self.assertEqual(self.find("#field-topology").get_property("value"), topology)
                self.assertEqual(self.text("#verdict"), verdict)
            self.assertEqual(self.run_js("return holdfast.explorer.deadlock.packets.length"), 0)
            self.run_js("document.getElementById('field-routing').value = 'minimal'")
            self.find("#field-file").send_keys(edges)
            self.wait("return holdfast.explorer.network.spec.startsWith('file:')", "the network of the file")
            self.assertEqual(self.run_js("return [holdfast.explorer.network.switches.length, holdfast.explorer.network.links.filter((l) => !l.isOfTerminal).length]"), [4, 4])
            self.wait("return document.getElementById('verdict')?.textContent === 'tolerated'", "its verdict")

    def test_bad_input_has_the_sentence_of_the_program(self):
        self.open("#explore")
        for topology, routing, failed in (("kary-tre:k=2,n=2", "updown", ""), ("mesh:dims=4x4", "ft2ei", ""), ("kary-tree:k=2,n=2", "updwn", "")):
            seen = self.explore(topology, routing, failed)
            text = command("show", "--topology", topology, "--routing", routing)[0]
            self.assertEqual(seen["problem"], re.sub(r"^holdfast show: ", "", text.strip()))

    # ---- asking ----

    def test_any_question_is_asked(self):
        self.open("#ask")
        self.run_js("""for (const [name, value] of Object.entries(arguments[0])) document.getElementById('ask-' + name).value = value;
                       document.querySelector('main form').requestSubmit()""", {"topology": "kary-tree:k=4,n=2", "routing": "updown", "universe": "links", "faults": "0..4"})
        self.wait("return document.querySelector('main .table')", "the answer")
        rows = json.loads(command("tolerance", "--topology", "kary-tree:k=4,n=2", "--routing", "updown", "--universe", "links", "--faults", "0..4", "--json", "--quiet")[0])["rows"]
        heads = self.run_js("return [...document.querySelectorAll('main .table th')].map((th) => th.textContent.trim())")
        self.assertEqual(self.cells("main .table", heads.index("not tolerated")), [row["not_tolerated"] for row in rows])
        self.assertIn("95% interval", heads)  # what the command prints, not the keys of JSON
        self.assertEqual([head for head in heads if "_" in head or "percent" in head], [])
        self.run_js("document.querySelector('.copies button[aria-label$=CSV]').click()")
        csv = self.wait("return holdfast.copied", "the copy")
        self.assertEqual(csv.replace("\r\n", "\n"), command("tolerance", "--topology", "kary-tree:k=4,n=2", "--routing", "updown", "--universe", "links", "--faults", "0..4", "--csv", "--quiet")[0])
        self.shot("ask")

    def test_what_takes_long_is_stopped(self):
        self.open("#ask")
        self.run_js("""for (const [name, value] of Object.entries(arguments[0])) document.getElementById('ask-' + name).value = value;
                       document.querySelector('main form').requestSubmit()""", {"topology": "kary-tree:k=8,n=3", "routing": "ft2ei", "faults": "8", "samples": "100000000"})
        self.wait("return !document.getElementById('busy').hidden", "the button to stop")
        self.find("#stop").click()
        self.wait("return document.querySelector('main').textContent.includes('stopped')", "the end")
        self.assertEqual(self.explore("kary-tree:k=2,n=2", "updown")["verdict"], None)  # the explorer is not shown, but answers
        self.assertTrue(self.run_js("return holdfast.explorer.answer.tolerated"))

    # ---- for everybody ----

    def press(self, *keys):
        self.browser.switch_to.active_element.send_keys(*keys)

    def tab_to(self, condition, what, most=400):
        for _ in range(most):
            webdriver.ActionChains(self.browser).send_keys(Keys.TAB).perform()
            if self.run_js("const e = document.activeElement; return Boolean(%s)" % condition):
                return
        self.fail("no tab leads to " + what)

    def test_the_keyboard_suffices(self):
        self.open()
        self.tab_to("e.hash === '#explore'", "the explorer")
        self.press(Keys.ENTER)
        self.settle()
        self.tab_to("e.classList.contains('drawing')", "the drawing")
        keys = webdriver.ActionChains(self.browser)
        keys.send_keys(*[Keys.ARROW_RIGHT] * 9, Keys.ENTER).perform()
        self.settle()
        failed = self.run_js("return holdfast.explorer.faults.names()")
        self.assertEqual(len(failed), 1)
        self.assertIn("failed", self.text("#said") + self.text(".verdict"))
        self.tab_to("e.dataset.component === 's4'", "the box of s4")
        webdriver.ActionChains(self.browser).send_keys(Keys.SPACE).perform()
        self.settle()
        self.assertIn("s4", self.run_js("return holdfast.explorer.faults.names()"))
        self.assertEqual(self.run_js("return document.activeElement.dataset.component"), "s4", "the focus stays")
        self.run_js("document.getElementById('tab-components').focus()")
        webdriver.ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
        self.assertEqual(self.run_js("return document.querySelector('[role=tab][aria-selected=true]').id"), "tab-exclusions")
        self.open()
        self.tab_to("e.dataset.key === 'title'", "a heading of the table")
        webdriver.ActionChains(self.browser).send_keys(Keys.ENTER).perform()
        titles = self.cells(".table", 1)
        # As dictionaries have it: a colon comes before a point, and 6 before 10.
        expected = self.run_js("return [...arguments[0]].sort(new Intl.Collator('en', {numeric: true}).compare)", titles)
        self.assertEqual(titles, expected, "sorted by the keyboard")

    def test_everything_has_a_name(self):
        for address in ("", "#study/chong1992-figure-6a", "#explore", "#ask", "#about"):
            self.open(address)
            tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            for node in tree:
                role = node.get("role", {}).get("value")
                if not node.get("ignored") and role in ("button", "link", "textbox", "combobox", "searchbox", "checkbox", "slider", "tab", "image", "img", "application", "figure", "region"):
                    if role == "figure":
                        continue
                    self.assertTrue(node.get("name", {}).get("value"), "%s: a %s without a name: %s" % (address, role, node))

    def test_light_and_dark_can_be_read(self):
        luminance = """
          const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
          const lum = (name) => { canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim(); canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0); };
          return Object.fromEntries(arguments[0].map((name) => [name, lum(name)]))"""
        pairs = [("text", "page"), ("text", "panel"), ("dim", "page"), ("dim", "panel"), ("accent", "page"), ("good", "page"), ("good", "good-back"), ("bad", "page"), ("bad", "bad-back"), ("unknown", "page"), ("unknown", "unknown-back"), ("text", "lost-back"), ("text", "off")]
        pages = {}
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("#explore?topology=kary-tree:k=2,n=4&routing=ft2ei&failed=s18:1>s10:3,s8")
            value = self.run_js(luminance, sorted({name for pair in pairs for name in pair}))
            for a, b in pairs:
                high, low = max(value[a], value[b]), min(value[a], value[b])
                self.assertGreaterEqual((high + 0.05) / (low + 0.05), 4.5, "%s: %s on %s" % (scheme, a, b))
            pages[scheme] = value["page"]
            self.shot("explorer-" + scheme)
            self.open("#study/chong1992-figure-6a")
            self.shot("study-" + scheme)
        self.assertGreater(pages["light"], pages["dark"])
        self.find("#theme").click()
        self.assertGreater(self.run_js(luminance, ["page"])["page"], pages["dark"])
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_nothing_is_loaded(self):
        text = re.sub(r"(?s)(<script[^>]*>).*?</script>", r"\1", PAGE.read_text())
        self.assertEqual(re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(?!data:)[^\"]*", text), [])
        self.open("#explore")
        self.assertEqual(self.run_js("return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !/^(blob|data|file):/.test(n))"), [])

    def test_a_narrow_screen(self):
        self.browser.set_window_size(480, 900)
        try:
            self.open("#explore")
            self.assertLessEqual(self.run_js("return document.documentElement.scrollWidth"), self.run_js("return innerWidth"))
            self.shot("explorer-narrow")
        finally:
            self.browser.set_window_size(1400, 1000)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
