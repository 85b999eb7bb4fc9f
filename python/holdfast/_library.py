# SPDX-License-Identifier: GPL-3.0-or-later
"""The shared library by ctypes: the structs that calls take, the calls, and where the library is looked for.

Only structs whose fields a caller fills or reads are said here; python/tests/test_library.py holds them to the headers.
"""
import ctypes
import ctypes.util
import os
import pathlib

SONAME = "libholdfast.so.0"


class Argument(ctypes.Structure):
    """hf_argument"""

    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class Progress(ctypes.Structure):
    """hf_progress"""

    _fields_ = [
        ("f", ctypes.c_uint32),
        ("what", ctypes.c_char_p),
        ("done", ctypes.c_uint64),
        ("total", ctypes.c_uint64),
        ("all_done", ctypes.c_uint64),
        ("all_total", ctypes.c_uint64),
        ("elapsed_s", ctypes.c_double),
        ("sets_per_s", ctypes.c_double),
    ]


PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Progress))


class Conduct(ctypes.Structure):
    """hf_conduct"""

    _fields_ = [
        ("threads", ctypes.c_uint32),
        ("progress", PROGRESS),
        ("progress_user", ctypes.c_void_p),
        ("keep", ctypes.c_void_p),
        ("keep_user", ctypes.c_void_p),
        ("forecast", ctypes.c_void_p),
        ("attachments", ctypes.POINTER(ctypes.c_char_p)),
        ("are_alone", ctypes.c_bool),
    ]


class Style(ctypes.Structure):
    """hf_report_style"""

    _fields_ = [
        ("form", ctypes.c_int),
        ("columns", ctypes.c_char_p),
        ("table", ctypes.c_char_p),
        ("digits", ctypes.c_int),
        ("all", ctypes.c_bool),
        ("remarks", ctypes.c_bool),
        ("rows", ctypes.c_char_p),
        ("across", ctypes.c_char_p),
        ("cell", ctypes.c_char_p),
        ("where", ctypes.c_char_p),
        ("label", ctypes.c_char_p),
    ]


class Column(ctypes.Structure):
    """hf_column"""

    _fields_ = [
        ("key", ctypes.c_char_p),
        ("heading", ctypes.c_char_p),
        ("unit", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("digits", ctypes.c_int),
        ("flags", ctypes.c_uint),
    ]


class Text(ctypes.Structure):
    """hf_text; the bytes are read by `data` and `size`"""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("capacity", ctypes.c_size_t),
        ("failed", ctypes.c_bool),
        ("allocator", ctypes.c_void_p * 3),
    ]


class CallValue(ctypes.Structure):
    """hf_call_value"""

    _fields_ = [
        ("kind", ctypes.c_int),
        ("number", ctypes.c_int64),
        ("text", ctypes.c_char_p),
        ("list", ctypes.POINTER(ctypes.c_uint32)),
        ("n", ctypes.c_size_t),
    ]


RULE_CALL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint32), ctypes.c_size_t)


class GivenRule(ctypes.Structure):
    """hf_given_rule"""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("vcs", ctypes.c_uint32),
        ("tags", ctypes.c_uint32),
        ("depends", ctypes.c_uint32),
        ("commits", ctypes.c_bool),
        ("has_accepts", ctypes.c_bool),
        ("has_inject", ctypes.c_bool),
        ("call", RULE_CALL),
        ("user", ctypes.c_void_p),
    ]


def candidates():
    """Where the library can be, the first that is there is taken: HOLDFAST_LIBRARY, beside this package (a wheel), by the tree that
    it is installed in, the system's places."""
    if "HOLDFAST_LIBRARY" in os.environ:
        return [os.environ["HOLDFAST_LIBRARY"]]
    here = pathlib.Path(__file__).resolve().parent
    found = [str(here / SONAME)] if (here / SONAME).exists() else []
    for up in list(here.parents)[1:5]:
        found += [str(path) for path in sorted(up.glob("lib*/" + SONAME)) + sorted(up.glob("lib/*/" + SONAME)) + sorted(up.glob(SONAME))]
    return found + [SONAME]


def load():
    """Load the library and say what the calls take."""
    failures = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as failure:
            failures.append(str(failure))
    else:
        raise ImportError("%s is not found; set HOLDFAST_LIBRARY to its path (%s)" % (SONAME, "; ".join(failures)))
    pointer, text, size, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32
    calls = {
        "hf_context_new": (pointer, [pointer]),
        "hf_context_free": (None, [pointer]),
        "hf_context_message": (text, [pointer]),
        "hf_context_set_stop": (None, [pointer, ctypes.POINTER(ctypes.c_int)]),
        "hf_context_give_rule": (None, [pointer, ctypes.POINTER(GivenRule)]),
        "hf_rule_call_hop": (None, [pointer, number, number, number, ctypes.c_bool]),
        "hf_rule_call_no_hop": (None, [pointer]),
        "hf_rule_call_refuse": (None, [pointer, text]),
        "hf_rule_call_fail": (None, [pointer, text]),
        "hf_rule_call_net": (text, [pointer, text, ctypes.POINTER(CallValue), size, ctypes.POINTER(CallValue)]),
        "hf_status_text": (text, [ctypes.c_int]),
        "hf_build_version": (text, []),
        "hf_build_commit": (text, []),
        "hf_build_code": (text, []),
        "hf_ask_new": (
            ctypes.c_int,
            [pointer, text, ctypes.POINTER(Argument), size, ctypes.POINTER(Conduct), ctypes.POINTER(pointer)],
        ),
        "hf_report_print": (ctypes.c_int, [pointer, ctypes.POINTER(Style), ctypes.POINTER(Text)]),
        "hf_report_answer": (ctypes.c_int, [pointer]),
        "hf_report_attachment": (text, [pointer, text]),
        "hf_report_column": (ctypes.POINTER(Column), [pointer, text, size]),
        "hf_form_find": (ctypes.c_int, [pointer, text, ctypes.POINTER(ctypes.c_int)]),
        "hf_catalogue_print": (ctypes.c_int, [pointer, text, ctypes.POINTER(Text)]),
        "hf_text_init": (None, [pointer, ctypes.POINTER(Text)]),
        "hf_text_free": (None, [ctypes.POINTER(Text)]),
    }
    for name, (result, arguments) in calls.items():
        call = getattr(library, name)
        call.restype, call.argtypes = result, arguments
    return library


library = load()
