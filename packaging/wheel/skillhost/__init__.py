# SPDX-License-Identifier: Apache-2.0
"""The skillhost server, as a program in a Python package: `python -m skillhost`, or the command `skillhost`."""
