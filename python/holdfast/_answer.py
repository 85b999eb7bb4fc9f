# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking a question of the library, and its answer."""
import ctypes
import importlib
import io
import json
import sys
import threading

from ._library import PROGRESS, Argument, Conduct, Style, Text, library
from ._rule import Rule

STATUS = ("OK", "ENOMEM", "EINVAL", "ERANGE", "ENOENT", "EIO", "ESTORE", "ESTOP", "ENOTSUP", "EFOREIGN")
ANSWERS = {0: "yes", 1: "no", 3: "open"}
KINDS = ("word", "names", "tree", "flag", "count", "big count", "real", "exact", "estimate", "range")


class Error(Exception):
    """The library refused or failed. The text is its sentence: what is wrong, where, and what would be right."""

    def __init__(self, sentence, status):
        super().__init__(sentence)
        self.status = status  #: such as "EINVAL"


class InputError(Error, ValueError):
    """An argument, a file or a name is not right."""


class Unsupported(Error, NotImplementedError):
    """The topology, routing or universe does not support it."""


class Stopped(KeyboardInterrupt):
    """The call was interrupted by Ctrl-C."""

    def __init__(self, sentence, status):
        super().__init__(sentence)
        self.status = status


CLASSES = {"EINVAL": InputError, "ERANGE": InputError, "ENOENT": InputError, "ENOTSUP": Unsupported, "ESTOP": Stopped}


class Context:
    """hf_context: the arena that answers live in, the message of a failure, the stop flag."""

    def __init__(self):
        self.handle = library.hf_context_new(None)
        if not self.handle:
            raise MemoryError("no memory for a context of holdfast")
        self.stop = ctypes.c_int(0)
        library.hf_context_set_stop(self.handle, ctypes.byref(self.stop))

    def __del__(self):
        if getattr(self, "handle", None):
            library.hf_context_free(self.handle)

    def check(self, status):
        """Raise what a status stands for."""
        if status:
            name = STATUS[status] if status < len(STATUS) else str(status)
            if name == "ENOMEM":
                raise MemoryError(library.hf_context_message(self.handle).decode())
            raise CLASSES.get(name, Error)(library.hf_context_message(self.handle).decode(), name)

    def text(self, call, *arguments):
        """What a call writes into an hf_text."""
        out = Text()
        library.hf_text_init(self.handle, ctypes.byref(out))
        try:
            self.check(call(*arguments, ctypes.byref(out)))
            return ctypes.string_at(out.data, out.size).decode() if out.data else ""
        finally:
            library.hf_text_free(ctypes.byref(out))


def spec(name, **parameters):
    """Write a spec: spec("kary-tree", k=4, n=3) is "kary-tree:k=4,n=3". A tuple of numbers is written as 4x4x8."""
    words = []
    for key, value in parameters.items():
        if value is not None:
            value = "x".join(map(str, value)) if isinstance(value, (tuple, list)) else write(value)
            words.append("%s=%s" % (key.replace("_", "-"), value))
    return name + (":" + ",".join(words) if words else "")


def write(value):
    """An argument as the command line has it: True is yes, a list or range has commas, a tuple (name, parameters) is a spec."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], dict):
        return spec(value[0], **value[1])
    if isinstance(value, (str, bytes)):
        return value.decode() if isinstance(value, bytes) else value
    if hasattr(value, "__iter__"):
        return ",".join(write(one) for one in value)
    return str(value)


def make_arguments(named):
    """An array of hf_argument; what is None is not given."""
    said = [(name.rstrip("_").replace("_", "-"), write(value)) for name, value in named.items() if value is not None]
    array = (Argument * max(len(said), 1))()
    for place, (name, value) in enumerate(said):
        array[place] = Argument(name.encode(), value.encode())
    return array, len(said)


def show_progress(told):
    """A line on standard error, as the command has it."""
    share = 100.0 * told["all_done"] / told["all_total"] if told["all_total"] else 100.0
    sys.stderr.write("\r%s: %.1f%%, %.3g a second " % (told["what"] or "f = %d" % told["f"], share, told["sets_per_s"]))
    sys.stderr.flush()


def need_threads(threads):
    """What C could not be told; how many are too many it says itself."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 0 <= threads < 1 << 32:
        raise InputError("threads=%r is not right; need a whole number from 0 (all cores)" % (threads,), "EINVAL")
    return threads


def make_conduct(cx, threads, progress, attachments, failures):
    """failures: takes what the function of progress raises, which stops the call."""
    conduct = Conduct(threads=need_threads(threads))
    if progress:
        tell = show_progress if progress is True else progress
        if not callable(tell):
            raise InputError("progress=%r is not right; need True, or a function of a dictionary" % (progress,), "EINVAL")

        def call(_, told):
            told = told.contents
            try:
                tell({name: (value.decode() if isinstance(value, bytes) else value) for name, value in ((n, getattr(told, n)) for n, _ in told._fields_)})
            except BaseException as failure:  # it cannot go through C
                failures.append(failure)
                cx.stop.value = 1

        conduct.progress = PROGRESS(call)
    if attachments is not None:
        names = [attachments] if isinstance(attachments, str) else list(attachments)
        conduct.attachments = (ctypes.c_char_p * (len(names) + 1))(*[name.encode() for name in names], None)
    return conduct


def run(cx, call):
    """Call in a thread of its own, so that Ctrl-C reaches this one: it raises the stop flag, and the call ends soon after."""
    result, done = [], threading.Event()

    def work():
        try:
            result.append(call())
        finally:
            done.set()

    threading.Thread(target=work, daemon=True).start()
    while not done.is_set():
        try:
            done.wait(0.5)
        except KeyboardInterrupt:
            cx.stop.value = 1
    return result[0]


def ask(question, *, threads=0, progress=None, attachments=None, **arguments):
    """Ask a question of the library, as `holdfast QUESTION --NAME VALUE ...` does.

    question: its name, such as "tolerance"; holdfast.questions() lists them
    threads: 0 takes all cores; the answer is the same for any number
    progress: True shows a line on standard error; a function is called with a dictionary (f, what, done, total, all_done,
        all_total, elapsed_s, sets_per_s) about ten times a second; what it raises stops the call, and comes out of it
    attachments: names of what the answer shall have besides tables, such as "certificate" or "svg"; None: what takes no work
    routing: also what rule() made of a function
    arguments: those of the question, "_" for "-": numbers, texts, True and False, lists and ranges, spec("torus", dims=(8, 8))

    Returns an Answer. Raises InputError for what is not right, Unsupported, Stopped after Ctrl-C, or Error.
    """
    cx = Context()
    rule = arguments.get("routing")
    rule = rule if isinstance(rule, Rule) else None
    if rule:
        rule.exception = None
        library.hf_context_give_rule(cx.handle, ctypes.byref(rule.given))
    array, n = make_arguments(arguments)
    failures = []
    conduct = make_conduct(cx, threads, progress, attachments, failures)
    report = ctypes.c_void_p()
    status = run(cx, lambda: library.hf_ask_new(cx.handle, str(question).encode(), array, n, ctypes.byref(conduct), ctypes.byref(report)))
    if failures:
        raise failures[0]
    try:
        cx.check(status)
    except Error as failure:
        raise failure from rule and rule.exception
    return Answer(cx, report, question)


def _need(module, what):
    """A library that only `what` needs."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = module.split(".")[0]
        raise ImportError(f"{what} needs {name}, which is not installed; on Debian: apt install python3-{name}") from missing


class Answer:
    """The answer to a question: a dictionary (docs/json.md), rows, frames of pandas, and text in every format.

    answer["spec"], answer["rows"]; len(answer) rows, which it iterates over; answer.answer is "yes", "no" or "open".
    """

    def __init__(self, cx, report, question):
        self._cx, self._report, self.question = cx, report, question
        self.answer = ANSWERS[library.hf_report_answer(report)]
        self._dictionary = None

    def columns(self, table=None):
        """The columns of a table (None: the first), as dictionaries of key, heading, unit and kind."""
        found = []
        while True:
            column = library.hf_report_column(self._report, table and table.encode(), len(found))
            if not column:
                return found
            c = column.contents
            found.append(
                {"key": c.key.decode(), "heading": c.heading.decode(), "unit": c.unit and c.unit.decode(), "kind": KINDS[c.kind]}
            )

    def _read(self, row, table):
        """Counts that JSON has as texts, as numbers."""
        big = {column["key"] for column in self.columns(table) if column["kind"] == "big count"}
        for key, value in row.items():
            if isinstance(value, str) and key in big:
                row[key] = int(value)
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                for entry in value:
                    self._read(entry, key)
        return row

    def as_dict(self):
        """The whole answer as a dictionary, as the JSON of the command; counts are whole numbers of any size."""
        if self._dictionary is None:
            whole = json.loads(self.format("json"))
            for key, value in whole.items():
                if isinstance(value, list):
                    whole[key] = [self._read(row, None if key == "rows" else key) if isinstance(row, dict) else row for row in value]
            self._dictionary = whole
        return self._dictionary

    @property
    def rows(self):
        """The rows of the first table, a dictionary each."""
        return self.as_dict()["rows"]

    @property
    def spec(self):
        """What was asked, with defaults."""
        return self.as_dict()["spec"]

    def __getitem__(self, key):
        return self.rows[key] if isinstance(key, (int, slice)) else self.as_dict()[key]

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)

    def format(self, form="text", columns=None, table=None, digits=0, everything=False, rows=None, across=None, cell=None, label=None):
        """The answer as text: "text", "csv", "json", "jsonl", "markdown", "latex" or "html".

        columns: keys of columns and names of arguments, a list or with commas; digits: significant ones; everything: also columns
        that are shown only where asked for; rows, across, cell: turn the table (docs/formats.md); label: of LaTeX and HTML, the table is tab:LABEL
        """
        number = ctypes.c_int()
        self._cx.check(library.hf_form_find(self._cx.handle, form.encode(), ctypes.byref(number)))
        style = Style(
            form=number.value,
            columns=columns and write(columns).encode(),
            rows=rows and write(rows).encode(),
            across=across and write(across).encode(),
            cell=cell and write(cell).encode(),
            table=table and table.encode(),
            label=label and label.encode(),
            digits=digits,
            all=everything,
            remarks=True,
        )
        return self._cx.text(library.hf_report_print, self._report, ctypes.byref(style))

    def frame(self, table=None, columns=None):
        """A table as a frame of pandas, numbers as numbers: the CSV of the command. Counts beyond 64 bits are Python's numbers."""
        pandas = _need("pandas", "frame()")
        frame = pandas.read_csv(io.StringIO(self.format("csv", table=table, columns=columns)))
        for column in self.columns(table):
            if column["kind"] == "big count" and column["key"] in frame and frame[column["key"]].dtype == object:
                frame[column["key"]] = [int(value) if isinstance(value, str) else value for value in frame[column["key"]]]
        return frame

    def attachment(self, name):
        """What the answer has besides tables, such as a certificate, as text; None: it has none of that name."""
        text = library.hf_report_attachment(self._report, name.encode())
        return text and text.decode()

    def plot(self, x, y, *, label=None, axes=None):
        """Draw a column against another with matplotlib, with its interval where it has one. Returns the axes."""
        axes = axes or _need("matplotlib.pyplot", "plot()").gca()
        rows = [row for row in self.rows if row.get(x) is not None and row.get(y) is not None]
        at, value = [row[x] for row in rows], [row[y] for row in rows]
        (line,) = axes.plot(at, value, marker="o", label=label)
        if rows and all(row.get(y + "_low") is not None for row in rows):
            axes.fill_between(at, [row[y + "_low"] for row in rows], [row[y + "_high"] for row in rows], alpha=0.2, color=line.get_color())
        axes.set_xlabel(self._axis(x))
        axes.set_ylabel(self._axis(y))
        if axes.get_xscale() == "linear" and at and all(isinstance(one, int) for one in at):
            axes.xaxis.get_major_locator().set_params(integer=True)
        return axes

    def _axis(self, key):
        """What a column is and its unit; a heading that is nothing but a unit tells neither: "not tolerated, %"."""
        for column in self.columns():
            if column["key"] == key:
                heading, unit = column["heading"], column["unit"] or ""
                name = heading if heading != "%" else key.replace("_percent", "").replace("_", " ")
                unit = unit if heading != "%" else "%"
                return name + (", " + unit if unit and unit != name else "")
        return key

    def __str__(self):
        return self.format("text")

    def __repr__(self):
        return "<holdfast.Answer to %s: %d rows, %s>" % (self.question, len(self), self.answer)

    def _repr_markdown_(self):
        return self.format("markdown")
