# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside Blender's window: takes the pictures of docs/images that show the window.

    take_pictures.py -- OUTPUT_FOLDER

The scenes are those of examples/, and what is pressed is pressed with the mouse.
"""
