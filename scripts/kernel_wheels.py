# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a compiled kernel into a wheel, as Blender's extensions carry them and as PyPI takes them.

Blender unpacks the wheels of all extensions into one folder, keeps what is there of the same name
and version, and cannot replace a library that Windows has in use. So a number made of the kernel's
sources is the last part of the version, and of the package's name: another kernel never meets its
predecessor. It is no local version ("0.1.0+..."), since PyPI takes none.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zipfile

PROJECT = "omi_physics_joint_kernel"
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that the same library is the same wheel."""

PACKAGE_TEXT = '''# SPDX-License-Identifier: MIT
"""Holds the compiled kernel of omi_physics_joint, which loads it."""
'''

CHANGES = "\n## For who changes it\n"
"""From here on the kernel's README is about its sources, which no wheel holds."""
METADATA = """Metadata-Version: 2.4
Name: omi-physics-joint-kernel
Version: {version}
Summary: The compiled solver of the Blender extension OMI Physics Joint
Author: {author}
License-Expression: MIT
License-File: LICENSE
Project-URL: Source, {website}
Keywords: physics,joints,Blender,glTF
Classifier: Programming Language :: C
Classifier: Topic :: Scientific/Engineering :: Physics
Requires-Python: >=3.11
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """Wheel-Version: 1.0
Generator: omi_physics_joint
Root-Is-Purelib: true
Tag: py3-none-%s
"""
# Purelib although it is compiled: it lies in the wheel where it is to lie when it is unpacked, and
# Blender reads the other word as that it has to be moved.


def write_wheel(library: str, folder: str, tag: str, number: int) -> str:
    """Write one wheel.

    Args:
        library: Path of the compiled kernel.
        folder: Where to put the wheel, made if need be.
        tag: Platform tag, such as "win_amd64".
        number: Of the kernel's sources.

    Returns:
        The path of the wheel.
    """
    manifest = _text("blender_manifest.toml")
    version, author, website = (
        re.findall('^%s = "(.*)"' % name, manifest, re.MULTILINE)[0]
        for name in ("version", "maintainer", "website")
    )
    version = "%s.%d" % (version, number)
    package = "%s_%d" % (PROJECT, number)
    info = "%s-%s.dist-info" % (PROJECT, version)
    readme = _text("kernel", "README.md").partition(CHANGES)[0]
    metadata = METADATA.format(version=version, author=author, website=website, readme=readme)
    with open(library, "rb") as file:
        compiled = file.read()
    files = {
        package + "/__init__.py": PACKAGE_TEXT.encode(),
        "%s/%s" % (package, os.path.basename(library)): compiled,
        info + "/METADATA": metadata.encode(),
        info + "/WHEEL": (WHEEL % tag).encode(),
        info + "/licenses/LICENSE": _text("kernel", "LICENSE").encode(),
    }
    records = ["%s,sha256=%s,%d" % (name, _hash(data), len(data)) for name, data in files.items()]
    records.append(info + "/RECORD,,")
    files[info + "/RECORD"] = ("\n".join(records) + "\n").encode()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "%s-%s-py3-none-%s.whl" % (PROJECT, version, tag))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system = 3  # permissions are read as those of Unix, wherever it is made
            entry.external_attr = (0o100755 if name.endswith(_LIBRARIES) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return path


_LIBRARIES = (".so", ".dylib", ".dll")


def _text(*path: str) -> str:
    """Return the text of a file of the project, alike on every system."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(root, *path), encoding="utf-8") as file:
        return file.read()


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
