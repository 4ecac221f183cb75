# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a compiled kernel into a wheel, as Blender's extensions carry them.

Blender unpacks the wheels of all extensions into one folder, keeps what is there of the same name
and version, and cannot replace a library that Windows has in use. So the digest of the kernel is
part of the version and of the package's name: another kernel never meets its predecessor.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile

PROJECT = "omi_physics_joint_kernel"
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that the same library is the same wheel."""

PACKAGE_TEXT = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the compiled kernel of omi_physics_joint, which loads it."""
'''

METADATA = """Metadata-Version: 2.4
Name: omi-physics-joint-kernel
Version: %s
Summary: The compiled solver of omi_physics_joint
License-Expression: GPL-3.0-or-later
Requires-Python: >=3.11
"""

WHEEL = """Wheel-Version: 1.0
Generator: omi_physics_joint
Root-Is-Purelib: true
Tag: py3-none-%s
"""
# Purelib although it is compiled: it lies in the wheel where it is to lie when it is unpacked, and
# Blender reads the other word as that it has to be moved.


def wheel_file_name(tag: str, version: str, digest: str) -> str:
    """Return the name of a wheel, which readers take apart at its dashes."""
    return "%s-%s+%s-py3-none-%s.whl" % (PROJECT, version, digest, tag)


def write_wheel(library: str, folder: str, tag: str, version: str, digest: str) -> str:
    """Write one wheel.

    Args:
        library: Path of the compiled kernel.
        folder: Where to put the wheel, made if need be.
        tag: Platform tag, such as "win_amd64".
        version: Of the project.
        digest: Of the kernel's sources.

    Returns:
        The path of the wheel.
    """
    package = "%s_%s" % (PROJECT, digest)
    info = "%s-%s+%s.dist-info" % (PROJECT, version, digest)
    with open(library, "rb") as file:
        compiled = file.read()
    files = {
        package + "/__init__.py": PACKAGE_TEXT.encode(),
        "%s/%s" % (package, os.path.basename(library)): compiled,
        info + "/METADATA": (METADATA % ("%s+%s" % (version, digest))).encode(),
        info + "/WHEEL": (WHEEL % tag).encode(),
    }
    records = ["%s,sha256=%s,%d" % (name, _hash(data), len(data)) for name, data in files.items()]
    records.append(info + "/RECORD,,")
    files[info + "/RECORD"] = ("\n".join(records) + "\n").encode()
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, wheel_file_name(tag, version, digest))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system = 3  # permissions are read as those of Unix, wherever it is made
            entry.external_attr = (0o100755 if name.endswith(_LIBRARIES) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return path


_LIBRARIES = (".so", ".dylib", ".dll")


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
