# SPDX-License-Identifier: GPL-3.0-or-later
"""Files in Khronos' extensions measured in Babylon.js with Havok, beside our solver."""
