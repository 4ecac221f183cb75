# SPDX-License-Identifier: GPL-3.0-or-later
"""What an import adds to the objects that the importer has made."""
