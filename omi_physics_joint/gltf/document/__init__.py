# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF documents as JSON and bytes, whatever they hold."""
