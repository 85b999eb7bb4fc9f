# SPDX-License-Identifier: GPL-3.0-or-later
"""The structs that Python says are those of the headers: a C program prints sizes and places, and both are compared."""
import ctypes
import os
import pathlib
import subprocess
import tempfile
import unittest

from holdfast import _library

STRUCTS = {
    "hf_argument": _library.Argument,
    "hf_progress": _library.Progress,
    "hf_conduct": _library.Conduct,
    "hf_report_style": _library.Style,
    "hf_column": _library.Column,
    "hf_text": _library.Text,
    "hf_call_value": _library.CallValue,
    "hf_given_rule": _library.GivenRule,
}


def places_in_c(include):
    lines = ['printf("%s %%zu\\n", sizeof(%s));' % (name, name) for name in STRUCTS]
    lines += [
        'printf("%s.%s %%zu\\n", offsetof(%s, %s));' % (name, field, name, field)
        for name, struct in STRUCTS.items()
        for field, _ in struct._fields_
    ]
    source = "#include <holdfast/holdfast.h>\n#include <stdio.h>\nint main(void) {\n%s\n}\n" % "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "places.c")
        path.write_text(source)
        subprocess.run(["cc", "-std=c17", "-I", include, str(path), "-o", folder + "/places"], check=True)
        said = subprocess.run([folder + "/places"], check=True, capture_output=True, text=True).stdout
    return dict((line.split()[0], int(line.split()[1])) for line in said.splitlines())


class Structs(unittest.TestCase):
    def test_places(self):
        include = os.environ.get("HOLDFAST_INCLUDE")
        if not include:
            self.skipTest("HOLDFAST_INCLUDE does not name the headers")
        places = places_in_c(include)
        for name, struct in STRUCTS.items():
            self.assertEqual(places[name], ctypes.sizeof(struct), name)
            for field, _ in struct._fields_:
                self.assertEqual(places["%s.%s" % (name, field)], getattr(struct, field).offset, "%s.%s" % (name, field))


if __name__ == "__main__":
    unittest.main()
