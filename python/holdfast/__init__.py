# SPDX-License-Identifier: GPL-3.0-or-later
"""holdfast: how much failure an interconnection network survives.

    import holdfast
    answer = holdfast.tolerance(topology="kary-tree:k=4,n=2", routing="updown", universe="links", faults=range(5))
    answer.frame()                # a frame of pandas
    print(answer.format("latex")) # the table of a paper

Every question of the library is a function with its parameters, defaults and help; holdfast.ask(NAME, ...) is the same by name.
holdfast.topologies(), routings(), universes(), criteria(), traffic(), studies() and questions() tell what there is.
"""
import inspect
import json
import keyword
import re
import textwrap

from ._answer import Answer, Context, Error, InputError, Stopped, Unsupported, ask, spec
from ._library import library
from ._rule import Net, rule

__version__ = library.hf_build_version().decode()
#: Commit and code of the library: what provenance names.
commit, code = library.hf_build_commit().decode(), library.hf_build_code().decode()

SECTIONS = ("topologies", "routings", "universes", "criteria", "traffic", "studies", "questions")


def catalogue(section):
    """What there is in a section, as a dictionary of dictionaries by name: summary, source, parameters, claims ..."""
    cx = Context()
    return {row["name"]: row for row in json.loads(cx.text(library.hf_catalogue_print, cx.handle, section.encode()))["rows"]}


def _make_lister(section):
    def lister():
        return catalogue(section)

    lister.__name__ = lister.__qualname__ = section
    lister.__doc__ = "The %s that there are, by name, each with summary, source, parameters and claims." % section
    return lister


def _identifier(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _explain(parameter):
    about = [parameter["range"]]
    about += ["default " + parameter["default"]] if parameter["default"] else ["required"] if parameter["required"] else []
    return _fill("%s: %s (%s)" % (_identifier(parameter["name"]), parameter["help"], "; ".join(about)), "    ", "        ")


def _fill(text, first="", rest=""):
    """Text for help(), which breaks no lines itself."""
    return textwrap.fill(text, 79, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)


def _describe(about):
    """Paragraphs filled; an example is a line of its own."""
    parts = re.split(r"\n\n|\n(?=Example: )", about)
    return "\n\n".join(part if part.startswith("Example: ") else _fill(part) for part in parts)


def _make_question(name, entry):
    """A function of a question, with signature and help made of its descriptor."""

    def question(**arguments):
        return ask(name, **arguments)

    parameters = sorted(entry["parameters"], key=lambda p: not p["required"])
    kinds = [
        inspect.Parameter(
            _identifier(p["name"]),
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if p["required"] else None,
        )
        for p in parameters
    ]
    kinds += [
        inspect.Parameter("threads", inspect.Parameter.KEYWORD_ONLY, default=0),
        inspect.Parameter("progress", inspect.Parameter.KEYWORD_ONLY, default=None),
        inspect.Parameter("attachments", inspect.Parameter.KEYWORD_ONLY, default=None),
    ]
    question.__signature__ = inspect.Signature(kinds, return_annotation=Answer)
    question.__name__ = question.__qualname__ = _identifier(name)
    question.__module__ = __name__
    question.__doc__ = "%s.\n\n%s\n\nParameters, None where not given:\n%s\n%s\n\n%s\n%s" % (
        entry["summary"][:1].upper() + entry["summary"][1:],
        _describe(entry["about"]),
        "\n".join(_explain(p) for p in parameters),
        "    threads, progress, attachments: as of holdfast.ask()\n\nReturns an Answer. Raises what holdfast.ask() raises.",
        _fill("Columns: " + ", ".join(c["key"] for c in entry["columns"]), "", "    "),
        "\nSource: %s\n" % entry["source"] if entry["source"] else "",
    )
    return question


for _section in SECTIONS:
    globals()[_section] = _make_lister(_section)
__all__ = ["Answer", "Error", "InputError", "Net", "Stopped", "Unsupported", "ask", "catalogue", "rule", "spec", *SECTIONS]
for _name, _entry in catalogue("questions").items():
    globals()[_identifier(_name)] = _make_question(_name, _entry)
    __all__.append(_identifier(_name))
del _section, _name, _entry


def __dir__():
    """What completion offers: what is asked with, and none of the modules that it is made with."""
    return sorted([*__all__, "code", "commit", *(name for name in globals() if name.startswith("__"))])
