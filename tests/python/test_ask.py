# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions asked from Python: answers are those of the command, errors its sentences, every question is a function."""
import inspect
import json
import os
import signal
import subprocess
import threading
import unittest
import unittest.mock

import holdfast

PROGRAM = os.environ.get("HOLDFAST", "holdfast")
TREE = "kary-tree:k=2,n=3"


def command(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


class Answers(unittest.TestCase):
    def test_the_command_says_the_same(self):
        answer = holdfast.tolerance(topology=TREE, routing="ft2ei", faults=range(4))
        said = command("tolerance", "--topology", TREE, "--routing", "ft2ei", "--faults", "0,1,2,3", "--quiet", "--json")
        self.assertEqual(json.loads(answer.format("json")), json.loads(said))

    def test_counts_are_numbers(self):
        rows = holdfast.tolerance(topology=TREE, routing="updown", universe="links", faults=[2, 3]).rows
        self.assertEqual([row["sets"] for row in rows], [120, 560])
        self.assertEqual([row["sets"] - row["not_tolerated"] for row in rows], [104, 352])  # 2-ary 3-tree: 104 and 352 tolerated
        self.assertEqual(sum(entry["sets"] for entry in rows[0]["victims_histogram"]), 120)

    def test_counts_have_any_size(self):
        answer = holdfast.tolerance(topology="kary-tree:k=4,n=3", routing="updown", universe="links", faults=64, method="counted")
        self.assertEqual(answer[0]["sets"], 23951146041928082866135587776380551750)

    def test_every_format(self):
        answer = holdfast.cost(topology=TREE, routing="updown")
        for form in ("text", "csv", "json", "jsonl", "markdown", "latex", "html"):
            self.assertTrue(answer.format(form), form)
        self.assertEqual(str(answer), answer.format("text"))
        self.assertIn("|", answer._repr_markdown_())

    def test_a_table_is_turned(self):
        answer = holdfast.tolerance(topology=TREE, routing="updown", universe="links", faults=[2, 3])
        said = answer.format("csv", rows="topology", across=["f"], cell="not_tolerated")
        self.assertEqual(said, 'topology,f_2,f_3\r\n"kary-tree:k=2,n=3",16,208\r\n')

    def test_a_library_that_is_missing_is_named(self):
        answer = holdfast.tolerance(topology=TREE, routing="updown", faults=1)
        with unittest.mock.patch.dict("sys.modules", {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "needs pandas, which is not installed; on Debian: apt install python3-pandas"):
                answer.frame()

    def test_a_plot_says_what_its_axes_are(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        answer = holdfast.tolerance(topology="kary-tree:k=2,n=2", routing="updown", universe="links", faults=range(3))
        axes = answer.plot("f", "not_tolerated_percent")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("f", "not tolerated, %"))
        self.assertTrue(all(tick == int(tick) for tick in axes.get_xticks()))

    def test_a_frame_has_numbers(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas here")
        frame = holdfast.tolerance(topology=TREE, routing="updown", faults="0..3").frame()
        self.assertEqual(list(frame["f"]), [0, 1, 2, 3])
        for column in ("sets", "not_tolerated", "not_tolerated_percent", "lost_paths_mean"):
            self.assertTrue(pandas.api.types.is_numeric_dtype(frame[column]), column)

    def test_a_certificate_is_an_attachment(self):
        answer = holdfast.verify(topology="torus:dims=4x4", routing="dor", attachments=["certificate"])
        self.assertEqual(answer.answer, "no")
        self.assertEqual(json.loads(answer.attachment("certificate"))["command"], "verify")
        self.assertIsNone(answer.attachment("nonesuch"))

    def test_a_plan_that_serves_nobody_says_so(self):
        one = holdfast.verify(topology="complete:n=1", routing="minimal")
        self.assertEqual((one.answer, one.rows[0]["serves"]), ("no", "nobody"))
        sets = holdfast.verify(topology="complete:n=1", routing="minimal", universe="switches", faults=[0])
        self.assertEqual((sets.answer, sets.rows[0]["serves"], int(sets.rows[0]["serve_nobody"])), ("no", "nobody", 1))

    def test_answers_stay_when_others_come(self):
        first = holdfast.topology(topology=TREE)
        text = str(first)
        for _ in range(20):
            holdfast.topology(topology="mesh:dims=4x4")
        self.assertEqual(str(first), text)


class Words(unittest.TestCase):
    def test_specs(self):
        self.assertEqual(holdfast.spec("kary-tree", k=4, n=3), "kary-tree:k=4,n=3")
        self.assertEqual(holdfast.spec("torus", dims=(8, 8)), "torus:dims=8x8")
        self.assertEqual(holdfast.spec("dor", datelines=None), "dor")
        self.assertEqual(holdfast.topology(topology=("mesh", {"dims": (4, 4)})).spec["topology"], "mesh:dims=4x4")

    def test_errors_are_the_sentences_of_the_program(self):
        cases = [
            (dict(topology="kary-tree:k=1,n=3", routing="updown", faults=1), "ERANGE", "k=1 is out of range; need 2 <= k <= 64"),
            (dict(topology=TREE, routing="updonw", faults=1), "ENOENT", 'did you mean "updown"?'),
            (dict(topologi=TREE), "EINVAL", 'did you mean "topology"?'),
            (dict(topology=TREE, routing="updown"), "EINVAL", "argument faults is missing"),
        ]
        for arguments, status, sentence in cases:
            with self.assertRaises(holdfast.InputError) as caught:
                holdfast.tolerance(**arguments)
            self.assertEqual(caught.exception.status, status)
            self.assertIn(sentence, str(caught.exception))
        with self.assertRaises(holdfast.InputError):
            holdfast.ask("tolerence")
        with self.assertRaises(holdfast.InputError):
            holdfast.ask(3)

    def test_what_only_python_takes_is_checked_too(self):
        for arguments, sentence in [
            (dict(threads=-1), "threads=-1 is not right; need a whole number from 0 (all cores)"),
            (dict(threads=1025), "threads=1025 is not right; need 0 (all cores) to 1024"),
            (dict(threads=(1 << 32) + 1), "threads=4294967297 is not right"),
            (dict(threads="all"), "threads='all' is not right"),
            (dict(threads=True), "threads=True is not right"),
            (dict(attachments="svgg"), 'no attachment of the question is called "svgg"; did you mean "svg"?'),
            (dict(progress=3), "progress=3 is not right; need True, or a function"),
        ]:
            with self.assertRaises(holdfast.InputError) as caught:
                holdfast.tolerance(topology=TREE, routing="updown", faults=1, **arguments)
            self.assertIn(sentence, str(caught.exception))

    def test_what_progress_raises_comes_out(self):
        def fail(told):
            raise RuntimeError("seen %d" % told["f"])

        with self.assertRaisesRegex(RuntimeError, "^seen 8$"):
            holdfast.tolerance(topology="kary-tree:k=4,n=3", routing="ft2ei", faults=8, samples=10**9, progress=fail)


class Questions(unittest.TestCase):
    def test_every_question_is_a_function(self):
        for name, entry in holdfast.questions().items():
            function = getattr(holdfast, name.replace("-", "_"))
            self.assertIn(name.replace("-", "_"), holdfast.__all__)
            signature = inspect.signature(function).parameters
            for parameter in entry["parameters"]:
                self.assertIn(parameter["name"].replace("-", "_"), signature)
                self.assertIn(parameter["help"], " ".join(function.__doc__.split()))
                self.assertNotIn(parameter["name"], ("threads", "progress", "attachments"))
            for column in entry["columns"]:
                self.assertIn(column["key"], function.__doc__)

    def test_completion_offers_what_is_asked_with(self):
        offered = {name for name in dir(holdfast) if not name.startswith("_")}
        self.assertEqual(offered, {*holdfast.__all__, "code", "commit"})

    def test_sections(self):
        self.assertIn("kary-tree", holdfast.topologies())
        self.assertIn("monotone", holdfast.routings()["updown"]["claims"])
        for section in holdfast.SECTIONS:
            self.assertTrue(holdfast.catalogue(section), section)
        with self.assertRaises(holdfast.InputError):
            holdfast.catalogue("sections")


def xy(net, at, in_channel, in_vc, destination):
    """Dimension order on a mesh: x, the last coordinate, first."""
    goal = net.switch_of(destination)
    if at == goal:
        return None
    here, there = net.coord(at), net.coord(goal)
    i = max(i for i in range(net.n_coord) if here[i] != there[i])
    here[i] += 1 if here[i] < there[i] else -1
    return [net.channel_to(at, net.switch_at(*here))]


def around(net, at, in_channel, in_vc, destination):
    """Every healthy hop that leads nearer under the faults."""
    goal = net.switch_of(destination)
    if at == goal:
        return None
    way = net.healthy_distance(at, goal)
    if way is None:
        return []
    return [(c, 0) for c in net.channels(at) if not net.failed(c) and net.healthy_distance(net.to(c), goal) == way - 1]


class Rules(unittest.TestCase):
    MESH = "mesh:dims=3x3"

    def test_a_function_is_a_rule(self):
        for question, more in (("verify", {}), ("load", {"traffic": "uniform"}), ("tolerance", {"universe": "links", "faults": range(4)})):
            mine = holdfast.ask(question, topology=self.MESH, routing=holdfast.rule(xy), **more).rows
            theirs = holdfast.ask(question, topology=self.MESH, routing="dor", **more).rows
            for row in mine + theirs:
                row.pop("witness", None)  # names are those of either
                row.pop("monotone", None)  # is claimed by dor alone
            self.assertEqual(mine, theirs, question)

    def test_no_command_is_named_for_a_function(self):
        for rule, is_named in ((holdfast.rule(xy), False), ("dor", True)):
            answer = holdfast.tolerance(topology=self.MESH, routing=rule, universe="links", faults=1)
            self.assertEqual("holdfast show" in str(answer), is_named)
            self.assertIsNotNone(answer[0]["witness"])

    def test_a_function_sees_faults(self):
        asked = {"topology": self.MESH, "universe": "links", "faults": [0, 1, 2], "criterion": "all-pairs"}
        mine = holdfast.tolerance(routing=holdfast.rule(around), **asked).rows
        theirs = holdfast.tolerance(routing="minimal", **asked).rows
        for one, other in zip(mine, theirs):
            self.assertEqual([one["sets"], one["not_tolerated"]], [other["sets"], other["not_tolerated"]])
        self.assertGreater(mine[2]["not_tolerated"], 0)

    def test_tags_sources_and_plans(self):
        met = set()

        def route(net, at, in_channel, in_vc, destination, tag, source):
            met.add((tag, source))
            net.memo["calls"] = net.memo.get("calls", 0) + 1
            goal = net.switch_of(destination)
            return None if at == goal else [{"channel": net.channel_to(at, (at + 1) % net.n_switch), "tag": 1 - tag}]

        rule = holdfast.rule(route, tags=2, depends=("destination", "source", "tag"))
        self.assertEqual(holdfast.verify(topology="ring:n=5", routing=rule).rows[0]["verdict"], "deadlock")
        self.assertEqual(met, {(tag, source) for tag in (0, 1) for source in range(5)})

    def test_errors_name_the_call(self):
        def wrong(net, at, in_channel, in_vc, destination):
            return [1 // 0]

        with self.assertRaisesRegex(holdfast.InputError, "wrong#.*ZeroDivisionError.*in route\\(at = ") as caught:
            holdfast.verify(topology=self.MESH, routing=holdfast.rule(wrong))
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)
        for hops, said in (([10**6], "does not exist"), ([-1], "need a whole number"), ([(0, 5)], "."), (["x"], ".")):
            with self.assertRaisesRegex(holdfast.InputError, said):
                holdfast.verify(topology=self.MESH, routing=holdfast.rule(lambda net, *a, hops=hops: hops))
        with self.assertRaisesRegex(holdfast.InputError, "net.coord\\(\\): 99 is not a switch; need a whole number from 0 to 8"):
            holdfast.verify(topology=self.MESH, routing=holdfast.rule(lambda net, *a: net.coord(99)))
        with self.assertRaisesRegex(holdfast.Unsupported, "it needs a ring"):
            holdfast.verify(topology=self.MESH, routing=holdfast.rule(xy, accepts=lambda net: "it needs a ring"))
        with self.assertRaisesRegex(holdfast.InputError, "vcs = 65 is out of range"):
            holdfast.verify(topology=self.MESH, routing=holdfast.rule(xy, vcs=65))
        with self.assertRaises(holdfast.Unsupported):
            holdfast.verify(topology=self.MESH, routing="given:mine")

    def test_another_function_has_another_name(self):
        self.assertEqual(str(holdfast.rule(xy)), str(holdfast.rule(xy)))
        self.assertNotEqual(str(holdfast.rule(xy)), str(holdfast.rule(around)))


class Conduct(unittest.TestCase):
    def test_progress_is_told(self):
        told = []
        holdfast.tolerance(
            topology=TREE, routing="updown", faults="0..5", judge="relation", universe="links", progress=told.append
        )
        self.assertTrue(told)
        self.assertEqual(told[-1]["all_done"], told[-1]["all_total"])

    def test_threads_change_nothing(self):
        asked = dict(topology=TREE, routing="ft2ei", faults="0..4")
        self.assertEqual(holdfast.tolerance(threads=1, **asked).as_dict(), holdfast.tolerance(threads=3, **asked).as_dict())

    def test_interruption(self):
        # a shell starts what runs in the background with this signal ignored
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        told = threading.Event()

        def tell(_):
            if not told.is_set():
                told.set()
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(holdfast.Stopped):
            holdfast.tolerance(
                topology="kary-tree:k=4,n=3", routing="ft2ei", faults=12, method="sampled", samples=10**12, progress=tell
            )
        self.assertTrue(told.is_set())


if __name__ == "__main__":
    unittest.main()
