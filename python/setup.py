# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel: the package and the shared library beside it. `cmake --build build/release --target wheel` lays both out and calls this."""
import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    """For any Python 3 of this kind of machine: nothing is compiled against Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    name="holdfast",
    version=os.environ["HOLDFAST_VERSION"],
    description="How much failure an interconnection network survives, exactly",
    license="GPL-3.0-or-later",
    packages=["holdfast"],
    package_data={"holdfast": ["libholdfast.so.*"]},
    extras_require={"frames": ["pandas"], "plots": ["matplotlib"]},
    python_requires=">=3.9",
    cmdclass={"bdist_wheel": Wheel},
)
