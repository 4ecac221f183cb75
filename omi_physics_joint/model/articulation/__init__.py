# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulations: trees of joints, and the coordinates that say how their bodies stand.

Everything is as in Newton's documentation ("Articulations", "Definition of joint_q", "Forward /
Inverse Kinematics"; measured against Newton 1.8.0): a child stands at
``x_wc = x_wp x_pj x_j x_cj^-1``, where the coordinates of the joint give x_j; quaternions are
x, y, z, w; distances come before angles; parents before children. What is derived here is never
written into glTF.
"""
